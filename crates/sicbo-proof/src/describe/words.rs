//! The stable words of a table's enums.

use sicbo_rules::rulebook::words::Word;
use sicbo_table::actor::{Device, Staff};
use sicbo_table::command::{ChipMove, ColourMove, CreditSource, IncidentKind, LateKind, Ruling};
use sicbo_table::positions::Means;
use sicbo_table::record::Standing;
use sicbo_table::station::StationKind;

pub(super) fn staff_words(staff: Staff) -> String {
    format!("{} {}", staff.position.key(), staff.person)
}

pub(super) fn standing(standing: Standing) -> String {
    match standing {
        Standing::Settled(dice) => dice.to_string(),
        Standing::Void => "void".to_owned(),
    }
}

pub(super) fn station_kind(kind: StationKind) -> &'static str {
    match kind {
        StationKind::Terminal => "terminal",
        StationKind::Seat => "seat",
    }
}

pub(super) fn means_word(means: Means) -> &'static str {
    match means {
        Means::Credit => "credit",
        Means::CashChips => "cash-chips",
        Means::ColourChips => "colour-chips",
    }
}

pub(super) fn credit_source(source: CreditSource) -> &'static str {
    match source {
        CreditSource::Cash => "cash",
        CreditSource::Voucher(_) => "voucher",
        CreditSource::Cage => "cage",
        CreditSource::Attendant => "attendant",
    }
}

pub(super) fn chip_move(how: ChipMove) -> &'static str {
    match how {
        ChipMove::Bought => "bought",
        ChipMove::Brought => "brought",
        ChipMove::TakenAway => "taken-away",
        ChipMove::Fill => "fill",
        ChipMove::CreditSlip => "credit-slip",
        ChipMove::Tip => "tip",
    }
}

pub(super) fn colour_move(how: ColourMove) -> &'static str {
    match how {
        ColourMove::BoughtWithCash => "bought-with-cash",
        ColourMove::ExchangedFromChips => "exchanged-from-chips",
        ColourMove::ExchangedForChips => "exchanged-for-chips",
    }
}

pub(crate) fn late_kind(late: LateKind) -> &'static str {
    match late {
        LateKind::Placement => "placement",
        LateKind::Increase => "increase",
        LateKind::Withdrawal => "withdrawal",
    }
}

/// The stable word of an incident.
pub fn incident(kind: IncidentKind) -> &'static str {
    match kind {
        IncidentKind::CallSupervisor => "call-supervisor",
        IncidentKind::CallAttendant => "call-attendant",
        IncidentKind::Counterfeit => "counterfeit",
        IncidentKind::Dispute => "dispute",
        IncidentKind::Other => "other",
    }
}

pub(super) fn ruling_word(ruling: &Ruling) -> &'static str {
    match ruling {
        Ruling::Void => "void",
        Ruling::Conclude => "conclude",
        Ruling::Accept => "accept",
        Ruling::AtClose => "at-close",
        Ruling::AsTheyLie => "as-they-lie",
        Ruling::Affected => "affected",
        Ruling::NotAffected => "not-affected",
        Ruling::Release => "release",
    }
}

pub(super) fn device_word(device: Device) -> &'static str {
    match device {
        Device::Tumbler => "tumbler",
        Device::DiceReader => "dice-reader",
        Device::Lights => "lights",
        Device::NoteAcceptor => "note-acceptor",
    }
}
