//! Credit, vouchers, chips, colour chips and adjustments.

use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Matter;

use super::bets::colours_used;
use super::cash::{CASHIER, two_for_money, within};
use super::{Decision, checked_text, positive, seat, short_text, terminal};
use crate::actor::{Actor, Device};
use crate::authority::{self, DEALING, SUPERVISING, TABLE_STAFF};
use crate::cash::{Bound, MoneyDuties, Moved};
use crate::command::{ChipMove, ColourMove, Command, CreditSource};
use crate::event::Fact;
use crate::ids::{SessionNumber, StationId, VoucherId};
use crate::open::Opened;
use crate::refusal::{Reason, Refusal};
use crate::refuse_if;

/// A cashier, or anyone of the table staff.
fn handles_money(table: &Opened<'_>, command: &Command) -> Result<(), Refusal> {
    authority::require(table, command, CASHIER)
        .or_else(|_| authority::require(table, command, TABLE_STAFF))
        .map(|_| ())
}

pub(super) fn buy_credit(
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    source: CreditSource,
    amount: Money,
) -> Decision {
    let station = terminal(table, id)?;
    match (source, command.by) {
        (CreditSource::Cash, Actor::Device(Device::NoteAcceptor))
        | (CreditSource::Voucher(_), Actor::House) => {}
        (CreditSource::Voucher(_), _) => return Err(Reason::NotYourStation.into()),
        _ => handles_money(table, command)?,
    }
    if let CreditSource::Voucher(voucher) = source
        && table.vouchers_in.contains(&voucher)
    {
        return Err(Reason::VoucherUsed.into());
    }
    positive(amount)?;
    let bound = |duties: &MoneyDuties| match Moved::of(source) {
        Some(Moved::Cage) => duties.cage,
        _ => duties.attendant,
    };
    within(table, command, bound, amount)?;
    let maximum = crate::config::LARGEST_LIMIT;
    if station.credit + amount > maximum {
        return Err(Reason::AmountTooLarge {
            maximum: maximum - station.credit,
        }
        .into());
    }
    // Someone who buys in at an empty station may be someone else.
    let empty = station.credit == Money::ZERO && station.at_risk == Money::ZERO;
    let session = SessionNumber(station.session.0 + u32::from(empty));
    Ok(vec![Fact::CreditBought {
        station: id,
        source,
        amount,
        session,
    }])
}

/// Only free credit goes out (P-080).
fn free(table: &Opened<'_>, id: StationId, amount: Money) -> Result<(), Refusal> {
    let station = terminal(table, id)?;
    positive(amount)?;
    refuse_if!(
        amount > station.credit,
        Reason::InsufficientCredit {
            free: station.credit
        }
    );
    Ok(())
}

pub(super) fn cash_out(
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    amount: Money,
    voucher: VoucherId,
) -> Decision {
    terminal(table, id)?;
    match command.by {
        Actor::Station(own) if own == id => {}
        Actor::Station(_) => return Err(Reason::NotYourStation.into()),
        _ => handles_money(table, command)?,
    }
    match table.vouchers_out.get(&voucher) {
        // The same again is answered again and debited once.
        Some(issued) if issued.station == id && issued.amount == amount => return Ok(Vec::new()),
        Some(_) => return Err(Reason::VoucherUsed.into()),
        None => {}
    }
    free(table, id, amount)?;
    Ok(vec![Fact::CashedOut {
        station: id,
        amount,
        voucher,
    }])
}

pub(super) fn reverse_cash_out(
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    voucher: VoucherId,
    amount: Money,
) -> Decision {
    let station = terminal(table, id)?;
    refuse_if!(command.by != Actor::House, Reason::NotYourStation);
    // Only a voucher that was issued here, once, and to the player who still sits there;
    // otherwise it stays a voucher and the cage pays it.
    let issued = table
        .vouchers_out
        .get(&voucher)
        .filter(|issued| issued.station == id && issued.amount == amount)
        .ok_or(Reason::NoSuchVoucher)?;
    refuse_if!(issued.session != station.session, Reason::PlayerHasLeft);
    Ok(vec![Fact::CashOutReversed {
        station: id,
        amount,
        voucher,
    }])
}

pub(super) fn transfer_out(
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    amount: Money,
) -> Decision {
    terminal(table, id)?;
    handles_money(table, command)?;
    free(table, id, amount)?;
    within(table, command, |duties| duties.transfer, amount)?;
    Ok(vec![Fact::TransferredOut {
        station: id,
        amount,
    }])
}

pub(super) fn hand_pay(
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    amount: Money,
) -> Decision {
    terminal(table, id)?;
    two_for_money(table, command)?;
    free(table, id, amount)?;
    let paid = |duties: &MoneyDuties| Bound {
        alone: Money::ZERO,
        together: duties.hand_pay,
    };
    within(table, command, paid, amount)?;
    Ok(vec![Fact::HandPaid {
        station: id,
        amount,
    }])
}

pub(super) fn forget_voucher(
    table: &Opened<'_>,
    command: &Command,
    voucher: VoucherId,
) -> Decision {
    refuse_if!(command.by != Actor::House, Reason::NotYourStation);
    if table.vouchers_in.contains(&voucher) || table.vouchers_out.contains_key(&voucher) {
        Ok(vec![Fact::VoucherForgotten { voucher }])
    } else {
        Ok(Vec::new())
    }
}

fn whole_units(amount: Money, unit: Money) -> Result<(), Refusal> {
    positive(amount)?;
    refuse_if!(
        amount.minor() % unit.minor() != 0,
        Reason::AmountOffUnit { unit }
    );
    Ok(())
}

pub(super) fn move_chips(
    table: &Opened<'_>,
    command: &Command,
    how: ChipMove,
    amount: Money,
    slip: &str,
) -> Decision {
    match how {
        // Chips between rack and cage take two signatures (P-098).
        ChipMove::Fill | ChipMove::CreditSlip => {
            authority::require_two(table, command, SUPERVISING, TABLE_STAFF)?;
            checked_text(slip)?;
        }
        _ => {
            authority::require(table, command, TABLE_STAFF)?;
            short_text(slip)?;
        }
    }
    let unit = table.config.chip_unit;
    whole_units(amount, unit)?;
    Ok(vec![Fact::ChipsMoved {
        how,
        amount,
        slip: slip.to_owned(),
    }])
}

pub(super) fn assign_colour(
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    colour: &str,
    value: Money,
) -> Decision {
    let station = seat(table, id)?;
    authority::require(table, command, DEALING)?;
    colours_used(table)?;
    checked_text(colour)?;
    let unit = table.config.chip_unit;
    whole_units(value, unit)?;
    let taken = table.stations.iter().enumerate().any(|(i, other)| {
        i != id.0 as usize
            && !other.removed
            && other
                .colour
                .as_ref()
                .is_some_and(|issued| issued.name == colour)
    });
    // One colour, one player, one value, until all its chips are back (P-027).
    if taken || station.credit.is_positive() || station.at_risk.is_positive() {
        return Err(Reason::ColourInUse.into());
    }
    let session = SessionNumber(station.session.0 + 1);
    Ok(vec![Fact::ColourAssigned {
        station: id,
        colour: colour.to_owned(),
        value,
        session,
    }])
}

pub(super) fn release_colour(table: &Opened<'_>, command: &Command, id: StationId) -> Decision {
    let station = seat(table, id)?;
    authority::require(table, command, DEALING)?;
    refuse_if!(station.colour.is_none(), Reason::NoColourIssued);
    if station.credit.is_positive() || station.at_risk.is_positive() {
        return Err(Reason::ColourInUse.into());
    }
    Ok(vec![Fact::ColourReleased { station: id }])
}

pub(super) fn move_colour(
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    how: ColourMove,
    amount: Money,
) -> Decision {
    let station = seat(table, id)?;
    authority::require(table, command, DEALING)?;
    if how != ColourMove::ExchangedForChips {
        colours_used(table)?;
    }
    let colour = station.colour.as_ref().ok_or(Reason::NoColourIssued)?;
    whole_units(amount, colour.value)?;
    if how == ColourMove::ExchangedForChips && amount > station.credit {
        return Err(Reason::InsufficientCredit {
            free: station.credit,
        }
        .into());
    }
    Ok(vec![Fact::ColourMoved {
        station: id,
        how,
        amount,
    }])
}

pub(super) fn adjust(
    table: &Opened<'_>,
    command: &Command,
    id: StationId,
    amount: Money,
    reason: &str,
) -> Decision {
    let station = terminal(table, id)?;
    let decider = authority::decider(table, Matter::Uncovered);
    authority::require_two(table, command, decider, SUPERVISING)?;
    checked_text(reason)?;
    // The negation of the largest limit is safe; that of any amount is not.
    if amount < -crate::config::LARGEST_LIMIT {
        let maximum = crate::config::LARGEST_LIMIT;
        return Err(Reason::AmountTooLarge { maximum }.into());
    }
    positive(if amount.is_negative() {
        -amount
    } else {
        amount
    })?;
    if (station.credit + amount).is_negative() {
        return Err(Reason::InsufficientCredit {
            free: station.credit,
        }
        .into());
    }
    Ok(vec![Fact::Adjusted {
        station: id,
        amount,
        reason: reason.to_owned(),
    }])
}
