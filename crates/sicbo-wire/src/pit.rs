//! What the pit does for the house as JSON: dice in custody, shifts, and the
//! two-person acts on them.

use serde::{Deserialize, Serialize};
use sicbo_register::Register;
use sicbo_register::command::Party;
use sicbo_register::dice::{Dice, DiceEntry, DiceSet, DiceState, DiceStep};
use sicbo_register::shift::{Counts, Ledger, Shift, ShiftId};
use sicbo_rules::Money;
use sicbo_table::Table;
use sicbo_table::ids::PersonId;
use ts_rs::TS;
use utoipa::ToSchema;

use super::acts::{About, TwoPersonAct};
use super::cases::ShownParty;
use super::hex;
use super::places::EnrolmentRole;
use super::rounds::RoundShown;

sicbo_rules::worded! {
    /// Something two persons do for the house.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
    #[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
    pub enum HouseAct: word {
        /// A set of dice came in.
        ReceiveDice {
            /// Its number.
            #[schema(pattern = "^[!-~]{1,40}$")]
            set: String,
            /// The seal it came under.
            #[schema(max_length = 500)]
            seal: String,
        } = "receive_dice",
        /// A set was inspected.
        InspectDice {
            /// Its number.
            #[schema(pattern = "^[!-~]{1,40}$")]
            set: String,
            /// It is good.
            good: bool,
            /// What was seen; needed when it is not.
            #[serde(default)]
            #[ts(optional)]
            #[schema(max_length = 500)]
            text: Option<String>,
        } = "inspect_dice",
        /// A good set is put into a table's tumbler, between rounds.
        PlaceDice {
            /// Its number.
            #[schema(pattern = "^[!-~]{1,40}$")]
            set: String,
            /// The table's name.
            #[schema(max_length = 60)]
            table: String,
        } = "place_dice",
        /// A set is taken out of use.
        RemoveDice {
            /// Its number.
            #[schema(pattern = "^[!-~]{1,40}$")]
            set: String,
            /// Why.
            #[schema(max_length = 500)]
            text: String,
        } = "remove_dice",
        /// A set is put aside as evidence.
        QuarantineDice {
            /// Its number.
            #[schema(pattern = "^[!-~]{1,40}$")]
            set: String,
            /// Why.
            #[schema(max_length = 500)]
            text: String,
        } = "quarantine_dice",
        /// A set is destroyed.
        DestroyDice {
            /// Its number.
            #[schema(pattern = "^[!-~]{1,40}$")]
            set: String,
            /// Why, and how.
            #[schema(max_length = 500)]
            text: String,
        } = "destroy_dice",
        /// A shift begins.
        OpenShift {
            /// The table's name.
            #[schema(max_length = 60)]
            table: String,
            /// Chips counted in the rack.
            #[schema(minimum = 0)]
            opener: i64,
        } = "open_shift",
        /// A shift ends, signed by the outgoing and the incoming manager.
        CloseShift {
            /// The table's name.
            #[schema(max_length = 60)]
            table: String,
            /// Chips counted in the rack.
            #[schema(minimum = 0)]
            closer: i64,
            /// Cash counted in the drop box.
            #[schema(minimum = 0)]
            drop: i64,
            /// Counted in the tip box.
            #[schema(minimum = 0)]
            tips: i64,
            /// What the slips on paper say came from the cage.
            #[schema(minimum = 0)]
            fills: i64,
            /// What they say went to the cage.
            #[schema(minimum = 0)]
            credits: i64,
            /// About differences from the books.
            #[serde(default)]
            #[ts(optional)]
            #[schema(max_length = 500)]
            comment: Option<String>,
            /// The table plays on: the next shift begins with this count, after this record,
            /// which was the table's newest when the counting began.
            #[serde(default)]
            #[ts(optional)]
            next_after: Option<u64>,
            /// The number of the shift; without it, the one that is open when this is proposed.
            #[serde(default)]
            #[ts(optional)]
            shift: Option<u64>,
        } = "close_shift",
        /// The house goes on although its data is older than what its witness or
        /// its mark knows, as after a restored backup.
        GoOnAfterRollback {
            /// Why, and what was done about what is missing.
            #[schema(min_length = 1, max_length = 500)]
            reason: String,
        } = "go_on_after_rollback",
        /// Somebody is taken in.
        AddPerson {
            /// Their name.
            #[schema(max_length = 200)]
            name: String,
            /// The position they hold.
            #[schema(schema_with = crate::schemas::position)]
            position: String,
        } = "add_person",
        /// Somebody gets another position.
        ChangePosition {
            /// Their number.
            person: u32,
            /// Which.
            #[schema(schema_with = crate::schemas::position)]
            position: String,
        } = "change_position",
        /// Somebody gets a new one-time PIN.
        ResetPin {
            /// Their number.
            person: u32,
        } = "reset_pin",
        /// Somebody may log in again, with a new one-time PIN.
        EnablePerson {
            /// Their number.
            person: u32,
        } = "enable_person",
        /// Something is enrolled.
        Enrol {
            /// What it is.
            role: EnrolmentRole,
            /// What people call it.
            #[schema(max_length = 120)]
            name: String,
        } = "enrol",
        /// The key of something enrolled opens nothing any more.
        Revoke {
            /// Its number.
            enrolment: u32,
            /// Why.
            #[schema(max_length = 500)]
            reason: String,
        } = "revoke",
        /// A voucher is made worthless.
        VoidVoucher {
            /// Its number in the house.
            voucher: u64,
            /// Why.
            #[schema(max_length = 500)]
            reason: String,
        } = "void_voucher",
        /// A voucher that was never printed and is kept for its owner is paid at the window of who
        /// proposes it.
        PayKept {
            /// Chosen by the window: the same request again is the same payment.
            request: u64,
            /// Its number in the house.
            voucher: u64,
            /// How much it is over, as the window shows it.
            #[schema(minimum = 0)]
            amount: i64,
        } = "pay_kept",
    }
}

impl HouseAct {
    /// Whether texts and counts are within what the document says.
    ///
    /// # Errors
    /// What is not, in words.
    pub fn fits(&self) -> Result<(), String> {
        let (text, counts) = match self {
            HouseAct::ReceiveDice { seal: text, .. }
            | HouseAct::RemoveDice { text, .. }
            | HouseAct::QuarantineDice { text, .. }
            | HouseAct::DestroyDice { text, .. }
            | HouseAct::GoOnAfterRollback { reason: text }
            | HouseAct::Revoke { reason: text, .. }
            | HouseAct::VoidVoucher { reason: text, .. }
            | HouseAct::AddPerson { name: text, .. }
            | HouseAct::Enrol { name: text, .. } => (Some(text), [0; 5]),
            HouseAct::ChangePosition { .. }
            | HouseAct::ResetPin { .. }
            | HouseAct::EnablePerson { .. } => (None, [0; 5]),
            HouseAct::InspectDice { text, .. } => (text.as_ref(), [0; 5]),
            HouseAct::PlaceDice { .. } => (None, [0; 5]),
            HouseAct::OpenShift { opener: count, .. } | HouseAct::PayKept { amount: count, .. } => {
                (None, [*count, 0, 0, 0, 0])
            }
            HouseAct::CloseShift {
                closer,
                drop,
                tips,
                fills,
                credits,
                comment,
                ..
            } => (comment.as_ref(), [*closer, *drop, *tips, *fills, *credits]),
        };
        if text.is_some_and(|text| text.chars().count() > 500) {
            return Err("a text has at most 500 characters".to_owned());
        }
        if counts.iter().any(|counted| *counted < 0) {
            return Err("nothing counts less than zero".to_owned());
        }
        Ok(())
    }

    /// The set and the step it takes, where it is about dice.
    ///
    /// # Errors
    /// When a number or a name is none.
    pub fn dice(&self) -> Result<Option<(DiceSet, DiceStep)>, String> {
        let (set, step) = match self {
            HouseAct::ReceiveDice { set, seal } => (set, DiceStep::Receive { seal: seal.clone() }),
            HouseAct::InspectDice { set, good, text } => {
                let text = text.clone().unwrap_or_default();
                (set, DiceStep::Inspect { good: *good, text })
            }
            HouseAct::PlaceDice { set, table } => {
                let table = sicbo_register::enrolment::TableName::new(table)
                    .ok_or("that is no name of a table")?;
                (set, DiceStep::Place { table })
            }
            HouseAct::RemoveDice { set, text } => (set, DiceStep::Remove { text: text.clone() }),
            HouseAct::QuarantineDice { set, text } => {
                (set, DiceStep::Quarantine { text: text.clone() })
            }
            HouseAct::DestroyDice { set, text } => (set, DiceStep::Destroy { text: text.clone() }),
            HouseAct::OpenShift { .. }
            | HouseAct::CloseShift { .. }
            | HouseAct::GoOnAfterRollback { .. }
            | HouseAct::AddPerson { .. }
            | HouseAct::ChangePosition { .. }
            | HouseAct::ResetPin { .. }
            | HouseAct::EnablePerson { .. }
            | HouseAct::Enrol { .. }
            | HouseAct::Revoke { .. }
            | HouseAct::VoidVoucher { .. }
            | HouseAct::PayKept { .. } => return Ok(None),
        };
        let set = DiceSet::new(set).ok_or("a set has a number of 1 to 40 letters and digits")?;
        Ok(Some((set, step)))
    }
}

/// What is counted at an end of a shift, for the second signatory.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, TS, ToSchema)]
pub struct ProposedCounts {
    /// The table.
    pub table: String,
    /// Chips in the rack: the opener, or the closer.
    pub rack: i64,
    /// Cash in the drop box; null at the beginning, as what follows.
    pub drop: Option<i64>,
    /// The tip box.
    pub tips: Option<i64>,
    /// Fills by the slips.
    pub fills: Option<i64>,
    /// Credits by the slips.
    pub credits: Option<i64>,
    /// About differences.
    pub comment: Option<String>,
    /// The next shift begins with this count, after this record of the table.
    pub next_after: Option<u64>,
    /// The number of the shift that ends.
    pub shift: Option<u64>,
}

impl TwoPersonAct for HouseAct {
    fn word(&self) -> String {
        HouseAct::word(self).to_owned()
    }

    fn request(&self) -> Option<u64> {
        match self {
            HouseAct::PayKept { request, .. } => Some(*request),
            _ => None,
        }
    }

    fn told(&self) -> String {
        match self {
            HouseAct::ReceiveDice { set, seal } => format!("dice {set} came in under seal {seal}"),
            HouseAct::InspectDice { set, good, text } => {
                let found = if *good { "good" } else { "not good" };
                let text = text.as_deref().unwrap_or_default();
                format!("dice {set} were inspected and are {found} {text}")
            }
            HouseAct::PlaceDice { set, table } => format!("dice {set} go to {table}"),
            HouseAct::RemoveDice { set, text } => format!("dice {set} come out of use: {text}"),
            HouseAct::QuarantineDice { set, text } => format!("dice {set} are put aside: {text}"),
            HouseAct::DestroyDice { set, text } => format!("dice {set} are destroyed: {text}"),
            HouseAct::GoOnAfterRollback { reason } => {
                format!("the house goes on with older data: {reason}")
            }
            HouseAct::AddPerson { name, position } => format!("{name} is taken in as {position}"),
            HouseAct::ChangePosition { person, position } => {
                format!("person {person} becomes {position}")
            }
            HouseAct::ResetPin { person } => format!("person {person} gets a new PIN"),
            HouseAct::EnablePerson { person } => {
                format!("person {person} may log in again, with a new PIN")
            }
            HouseAct::Enrol { role, name } => format!("{name} is enrolled as {role}"),
            HouseAct::Revoke { enrolment, reason } => {
                format!("enrolment {enrolment} is revoked: {reason}")
            }
            HouseAct::VoidVoucher { voucher, reason } => {
                format!("voucher {voucher} is made worthless: {reason}")
            }
            HouseAct::PayKept {
                voucher, amount, ..
            } => format!(
                "voucher {voucher}, which was never printed, is paid at the cage: {amount} minor units"
            ),
            HouseAct::OpenShift { table, opener } => {
                format!("a shift of {table} begins with {opener} minor units in the rack")
            }
            HouseAct::CloseShift {
                table,
                closer,
                drop,
                tips,
                fills,
                credits,
                comment,
                next_after,
                shift,
            } => {
                let number = shift.map_or_else(String::new, |shift| format!(" {shift}"));
                let comment = comment.as_deref().unwrap_or_default();
                let next = next_after.map_or_else(String::new, |record| {
                    format!("; the next begins with this count after record {record}")
                });
                format!(
                    "shift{number} of {table} ends with {closer} minor units in the rack, {drop} in the \
                     drop box, {tips} in the tip box, {fills} in fills and {credits} in credits \
                     {comment}{next}"
                )
            }
        }
    }

    fn about(&self) -> About {
        let counts = match self {
            HouseAct::OpenShift { table, opener } => Some(ProposedCounts {
                table: table.clone(),
                rack: *opener,
                ..ProposedCounts::default()
            }),
            HouseAct::CloseShift {
                table,
                closer,
                drop,
                tips,
                fills,
                credits,
                comment,
                next_after,
                shift,
            } => Some(ProposedCounts {
                table: table.clone(),
                next_after: *next_after,
                shift: *shift,
                rack: *closer,
                drop: Some(*drop),
                tips: Some(*tips),
                fills: Some(*fills),
                credits: Some(*credits),
                comment: comment.clone(),
            }),
            _ => None,
        };
        let amount = match self {
            HouseAct::PayKept { amount, .. } => Some(*amount),
            _ => None,
        };
        About {
            counts,
            amount,
            ..About::default()
        }
    }
}

/// A step of custody that was taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownDiceStep {
    /// When.
    pub at_ms: i64,
    /// Who.
    pub by: ShownParty,
    /// The second person.
    pub second: Option<ShownParty>,
    /// `receive`, `inspect`, `place`, `remove`, `quarantine` or `destroy`.
    pub step: String,
    /// What an inspection found.
    pub good: Option<bool>,
    /// The table it was placed at.
    pub table: Option<String>,
    /// Words, or the seal.
    pub text: Option<String>,
}

impl ShownDiceStep {
    fn of(register: &Register, entry: &DiceEntry) -> ShownDiceStep {
        let (good, table, text) = match &entry.step {
            DiceStep::Receive { seal } => (None, None, Some(seal)),
            DiceStep::Inspect { good, text } => (Some(*good), None, Some(text)),
            DiceStep::Place { table } => (None, Some(table.to_string()), None),
            DiceStep::Remove { text }
            | DiceStep::Quarantine { text }
            | DiceStep::Destroy { text } => (None, None, Some(text)),
        };
        let second = entry.second.map(Party::Person);
        ShownDiceStep {
            at_ms: entry.at_ms,
            by: ShownParty::of(register, entry.by),
            second: second.map(|second| ShownParty::of(register, second)),
            step: entry.step.word().to_owned(),
            good,
            table,
            text: text.cloned(),
        }
    }
}

/// A set of dice in custody.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownDice {
    /// Its number.
    pub set: String,
    /// `received`, `good`, `in_use`, `removed`, `quarantined` or `destroyed`.
    pub state: String,
    /// The table it was placed at.
    pub table: Option<String>,
    /// When it was last found good.
    pub good_ms: Option<i64>,
    /// Tables that say it is in their tumbler now.
    pub in_tumbler: Vec<String>,
    /// What was done with it.
    pub steps: Vec<ShownDiceStep>,
}

impl ShownDice {
    /// As it is shown.
    #[must_use]
    pub fn of(
        register: &Register,
        set: &DiceSet,
        dice: &Dice,
        in_tumbler: Vec<String>,
    ) -> ShownDice {
        let table = match &dice.state {
            DiceState::InUse(table) => Some(table.to_string()),
            _ => None,
        };
        let steps = dice.entries.iter();
        ShownDice {
            set: set.as_str().to_owned(),
            state: dice.state.word().to_owned(),
            table,
            good_ms: dice.good_ms,
            in_tumbler,
            steps: steps
                .map(|entry| ShownDiceStep::of(register, entry))
                .collect(),
        }
    }
}

/// Rounds that may be affected by damaged dice: a proposal for whoever
/// decides, from evidence and not from a guess.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct AffectedRounds {
    /// The set.
    pub set: String,
    /// When it was last found good; null when no such inspection is on record.
    pub since_ms: Option<i64>,
    /// Rounds played with it since, the newest first.
    pub rounds: Vec<RoundShown>,
    /// There are more before them.
    pub more: bool,
}

/// A shift of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownShift {
    /// Its number.
    pub shift: u64,
    /// The table.
    pub table: String,
    /// The currency.
    pub currency: String,
    /// The first record of the table's journal it covers.
    pub from_sequence: u64,
    /// The last; null while it goes on.
    pub to_sequence: Option<u64>,
    /// When it began.
    pub opened_ms: i64,
    /// When it ended.
    pub closed_ms: Option<i64>,
    /// Chips counted in the rack at its beginning.
    pub opener: i64,
    /// At its end.
    pub closer: Option<i64>,
    /// Cash counted in the drop box.
    pub drop: Option<i64>,
    /// Counted in the tip box.
    pub tips: Option<i64>,
    /// The cash chips that the rack should hold by the table's books.
    pub expected_closer: i64,
    /// The last record of the table that what is expected rests on.
    pub record: u64,
    /// What the drop box should hold.
    pub expected_drop: i64,
    /// What the tip box should hold.
    pub expected_tips: i64,
    /// Chips from the cage less those sent back, in this shift.
    pub fills: i64,
    /// Colour chips that players hold, or held at its end: they are in no count of the rack.
    pub colour_out: i64,
    /// A difference above this needs a comment.
    pub threshold: i64,
    /// About differences.
    pub comment: String,
    /// The two who signed its beginning.
    pub opened_by: Vec<String>,
    /// The outgoing and the incoming manager.
    pub signed_by: Vec<String>,
    /// The last record the table's newest checkpoint covers.
    pub signed_to: Option<u64>,
    /// Its fingerprint: SHA-256 of the signed header.
    pub fingerprint: Option<String>,
}

/// What a table's own books say now.
#[must_use]
pub fn ledger(version: u64, table: &Table) -> Ledger {
    Ledger {
        sequence: version,
        rack: table.books.chip_float,
        fills: table.books.fills,
        // Money that came in is negative there.
        drop: Money::ZERO - table.books.drop,
        tips: table.books.tips,
        colour_out: table.colour_chips_out(),
    }
}

impl ShownShift {
    /// As it is shown; `now` is what the table's books say while it goes on.
    #[must_use]
    pub fn of(register: &Register, id: ShiftId, shift: &Shift, now: Option<Ledger>) -> ShownShift {
        let names = |people: &[PersonId]| {
            let name = |id: &PersonId| ShownParty::of(register, Party::Person(*id)).name;
            people.iter().map(name).collect()
        };
        let to = shift.ledger_to.or(now).unwrap_or(shift.ledger_from);
        // What nothing counted differs by is what should be there.
        let expected = shift.variances(&Counts::default(), &to);
        let owed = |difference: Money| (Money::ZERO - difference).minor();
        ShownShift {
            shift: id.0,
            table: shift.table.to_string(),
            currency: shift.currency.code().to_owned(),
            from_sequence: shift.from_sequence,
            to_sequence: shift.to_sequence,
            opened_ms: shift.opened_at,
            closed_ms: shift.closed_at,
            opener: shift.opener.minor(),
            closer: shift.closer.map(Money::minor),
            drop: shift.drop.map(Money::minor),
            tips: shift.tips.map(Money::minor),
            expected_closer: owed(expected.closer),
            record: to.sequence,
            expected_drop: owed(expected.drop),
            expected_tips: owed(expected.tips),
            fills: (to.fills - shift.ledger_from.fills).minor(),
            colour_out: to.colour_out.minor(),
            threshold: shift.threshold.minor(),
            comment: shift.comment.clone(),
            opened_by: names(&shift.opened_by),
            signed_by: names(&shift.signed_by),
            signed_to: shift.signed.map(|signed| signed.sequence),
            fingerprint: shift.signed.map(|signed| hex(signed.header_hash)),
        }
    }
}
