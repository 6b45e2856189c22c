//! What the pit does for the house as JSON: dice in custody, shifts, and the
//! two-person acts on them.

use serde::{Deserialize, Serialize};
use sicbo_register::Register;
use sicbo_register::command::Party;
use sicbo_register::dice::{Dice, DiceEntry, DiceSet, DiceState, DiceStep};
use sicbo_register::shift::{Boxes, Counts, Ledger, Pieces, Shift, ShiftId};
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

/// So many chips, notes or coins of one worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CountedPieces {
    /// What one is worth.
    #[schema(minimum = 1)]
    pub value: i64,
    /// How many.
    #[schema(minimum = 1)]
    pub count: u32,
}

impl CountedPieces {
    /// As the register has them.
    #[must_use]
    pub fn understood(lines: Option<&Vec<CountedPieces>>) -> Vec<Pieces> {
        let piece = |one: &CountedPieces| Pieces {
            value: Money::from_minor(one.value),
            count: one.count,
        };
        lines.into_iter().flatten().map(piece).collect()
    }

    fn shown(lines: &[Pieces]) -> Vec<CountedPieces> {
        let piece = |one: &Pieces| CountedPieces {
            value: one.value.minor(),
            count: one.count,
        };
        lines.iter().map(piece).collect()
    }
}

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
            /// By denomination; needed with real money.
            #[serde(default)]
            #[ts(optional)]
            #[schema(max_items = 40)]
            rack: Option<Vec<CountedPieces>>,
            /// The number of the drop box that is locked to the table.
            #[serde(default)]
            #[ts(optional)]
            #[schema(max_length = 40)]
            drop_box: Option<String>,
            /// The number of the tip box.
            #[serde(default)]
            #[ts(optional)]
            #[schema(max_length = 40)]
            tip_box: Option<String>,
        } = "open_shift",
        /// A shift ends, signed by the outgoing and the incoming manager.
        CloseShift {
            /// The table's name.
            #[schema(max_length = 60)]
            table: String,
            /// Chips counted in the rack.
            #[schema(minimum = 0)]
            closer: i64,
            /// By denomination; needed with real money.
            #[serde(default)]
            #[ts(optional)]
            #[schema(max_items = 40)]
            rack: Option<Vec<CountedPieces>>,
            /// Cash counted in the drop box, where those who close count it too. With real
            /// money others do (`count_boxes`).
            #[serde(default)]
            #[ts(optional)]
            #[schema(minimum = 0)]
            drop: Option<i64>,
            /// Counted in the tip box, likewise.
            #[serde(default)]
            #[ts(optional)]
            #[schema(minimum = 0)]
            tips: Option<i64>,
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
            /// The number of the drop box that is locked to the table for the next shift.
            #[serde(default)]
            #[ts(optional)]
            #[schema(max_length = 40)]
            next_drop_box: Option<String>,
            /// The number of its tip box.
            #[serde(default)]
            #[ts(optional)]
            #[schema(max_length = 40)]
            next_tip_box: Option<String>,
        } = "close_shift",
        /// The soft count: the boxes of a shift that has ended, by two who did not sign for it.
        CountBoxes {
            /// The table's name.
            #[schema(max_length = 60)]
            table: String,
            /// The number of the shift.
            shift: u64,
            /// The number that stands on the drop box.
            #[serde(default)]
            #[ts(optional)]
            #[schema(max_length = 40)]
            drop_box: Option<String>,
            /// The number that stands on the tip box.
            #[serde(default)]
            #[ts(optional)]
            #[schema(max_length = 40)]
            tip_box: Option<String>,
            /// Cash in the drop box.
            #[schema(minimum = 0)]
            drop: i64,
            /// By denomination; needed with real money.
            #[serde(default)]
            #[ts(optional)]
            #[schema(max_items = 40)]
            drop_pieces: Option<Vec<CountedPieces>>,
            /// What was in the tip box.
            #[schema(minimum = 0)]
            tips: i64,
            /// By denomination; needed with real money.
            #[serde(default)]
            #[ts(optional)]
            #[schema(max_items = 40)]
            tip_pieces: Option<Vec<CountedPieces>>,
        } = "count_boxes",
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
            HouseAct::CountBoxes { drop, tips, .. } => (None, [*drop, *tips, 0, 0, 0]),
            HouseAct::CloseShift {
                closer,
                drop,
                tips,
                fills,
                credits,
                comment,
                ..
            } => {
                let (drop, tips) = (drop.unwrap_or_default(), tips.unwrap_or_default());
                (comment.as_ref(), [*closer, drop, tips, *fills, *credits])
            }
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
            | HouseAct::CountBoxes { .. }
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

/// The numbers on boxes, in words.
fn numbers(drop: Option<&str>, tips: Option<&str>) -> String {
    let said = |what: &str, number: Option<&str>| {
        number.map_or_else(String::new, |number| format!(", {what} {number}"))
    };
    format!("{}{}", said("drop box", drop), said("tip box", tips))
}

/// The boxes as the register has them.
#[must_use]
pub fn boxes_of(drop: Option<&String>, tips: Option<&String>) -> Boxes {
    let number =
        |number: Option<&String>| number.map_or_else(String::new, |it| it.trim().to_owned());
    Boxes {
        drop: number(drop),
        tips: number(tips),
    }
}

/// What is counted at an end of a shift, for the second signatory.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, TS, ToSchema)]
pub struct ProposedCounts {
    /// The table.
    pub table: String,
    /// Chips in the rack: the opener, or the closer; null where boxes are counted.
    pub rack: Option<i64>,
    /// The rack by denomination, or the drop box.
    pub pieces: Vec<CountedPieces>,
    /// The tip box by denomination.
    pub tip_pieces: Vec<CountedPieces>,
    /// The number of the drop box that is locked to the table, or was counted.
    pub drop_box: Option<String>,
    /// The number of the tip box.
    pub tip_box: Option<String>,
    /// Cash in the drop box; null where others count it.
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
            HouseAct::OpenShift {
                table,
                opener,
                drop_box,
                tip_box,
                ..
            } => {
                let boxes = numbers(drop_box.as_deref(), tip_box.as_deref());
                format!("a shift of {table} begins with {opener} minor units in the rack{boxes}")
            }
            HouseAct::CountBoxes {
                table,
                shift,
                drop_box,
                tip_box,
                drop,
                tips,
                ..
            } => {
                let boxes = numbers(drop_box.as_deref(), tip_box.as_deref());
                format!(
                    "the boxes of shift {shift} of {table} are counted: {drop} minor units in the drop box, \
                     {tips} in the tip box{boxes}"
                )
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
                ..
            } => {
                let number = shift.map_or_else(String::new, |shift| format!(" {shift}"));
                let comment = comment.as_deref().unwrap_or_default();
                let next = next_after.map_or_else(String::new, |record| {
                    format!("; the next begins with this count after record {record}")
                });
                let boxes = match (drop, tips) {
                    (None, None) => String::new(),
                    _ => format!(
                        "{} in the drop box, {} in the tip box, ",
                        drop.unwrap_or_default(),
                        tips.unwrap_or_default()
                    ),
                };
                format!(
                    "shift{number} of {table} ends with {closer} minor units in the rack, \
                     {boxes}{fills} in fills and {credits} in credits {comment}{next}"
                )
            }
        }
    }

    fn about(&self) -> About {
        let counts = match self {
            HouseAct::OpenShift {
                table,
                opener,
                rack,
                drop_box,
                tip_box,
            } => Some(ProposedCounts {
                table: table.clone(),
                rack: Some(*opener),
                pieces: rack.clone().unwrap_or_default(),
                drop_box: drop_box.clone(),
                tip_box: tip_box.clone(),
                ..ProposedCounts::default()
            }),
            HouseAct::CloseShift {
                table,
                closer,
                rack,
                drop,
                tips,
                fills,
                credits,
                comment,
                next_after,
                shift,
                next_drop_box,
                next_tip_box,
            } => Some(ProposedCounts {
                table: table.clone(),
                next_after: *next_after,
                shift: *shift,
                rack: Some(*closer),
                pieces: rack.clone().unwrap_or_default(),
                drop_box: next_drop_box.clone(),
                tip_box: next_tip_box.clone(),
                drop: *drop,
                tips: *tips,
                fills: Some(*fills),
                credits: Some(*credits),
                comment: comment.clone(),
                ..ProposedCounts::default()
            }),
            HouseAct::CountBoxes {
                table,
                shift,
                drop_box,
                tip_box,
                drop,
                drop_pieces,
                tips,
                tip_pieces,
            } => Some(ProposedCounts {
                table: table.clone(),
                shift: Some(*shift),
                pieces: drop_pieces.clone().unwrap_or_default(),
                tip_pieces: tip_pieces.clone().unwrap_or_default(),
                drop_box: drop_box.clone(),
                tip_box: tip_box.clone(),
                drop: Some(*drop),
                tips: Some(*tips),
                ..ProposedCounts::default()
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
    /// The cash chips that the rack should hold by the table's books; null before somebody has
    /// entered a count of it.
    pub expected_closer: Option<i64>,
    /// The last record of the table that what is expected rests on.
    pub record: u64,
    /// What the drop box should hold; null before it was counted.
    pub expected_drop: Option<i64>,
    /// What the tip box should hold; null before it was counted.
    pub expected_tips: Option<i64>,
    /// Chips from the cage less those sent back, in this shift; null before its end was counted.
    pub fills: Option<i64>,
    /// The rack at its beginning, by denomination.
    pub opener_pieces: Vec<CountedPieces>,
    /// And at its end.
    pub closer_pieces: Vec<CountedPieces>,
    /// The number of the drop box that was locked to the table; empty where there was none.
    pub drop_box: String,
    /// The number of the tip box.
    pub tip_box: String,
    /// It has ended and its boxes are not counted yet.
    pub boxes_wait: bool,
    /// Who counted them, where others did than those who signed.
    pub counted_by: Vec<String>,
    /// Whoever asks signed for it: others count its boxes.
    pub own: bool,
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

/// What of a shift's end was counted in a proposal that waits for its second person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waiting {
    /// No such proposal waits.
    Nothing,
    /// The rack.
    Rack,
    /// The boxes too, by those who close.
    RackAndBoxes,
}

impl ShownShift {
    /// As it is shown; `now` is what the table's books say while it goes on, with what of its end
    /// was counted in a proposal that waits. Before that nobody is shown what should be there.
    #[must_use]
    pub fn of(
        register: &Register,
        (id, shift): (ShiftId, &Shift),
        (now, waits): (Option<Ledger>, Waiting),
        whoever: PersonId,
    ) -> ShownShift {
        let names = |people: &[PersonId]| {
            let name = |id: &PersonId| ShownParty::of(register, Party::Person(*id)).name;
            people.iter().map(name).collect()
        };
        let to = shift.ledger_to.or(now).unwrap_or(shift.ledger_from);
        // What nothing counted differs by is what should be there.
        let nothing = Counts {
            closer: Money::ZERO,
            drop: Some(Money::ZERO),
            tips: Some(Money::ZERO),
        };
        let expected = shift.variances(&nothing, &to);
        let ended = !shift.is_open() || waits != Waiting::Nothing;
        let boxes = shift.drop.is_some() || waits == Waiting::RackAndBoxes;
        let soft = shift.soft_count.as_ref();
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
            expected_closer: ended.then(|| owed(expected.closer)),
            record: to.sequence,
            expected_drop: boxes.then(|| owed(expected.drop)),
            expected_tips: boxes.then(|| owed(expected.tips)),
            fills: ended.then(|| (to.fills - shift.ledger_from.fills).minor()),
            opener_pieces: CountedPieces::shown(&shift.racks.0),
            closer_pieces: CountedPieces::shown(&shift.racks.1),
            drop_box: shift.boxes.drop.clone(),
            tip_box: shift.boxes.tips.clone(),
            boxes_wait: shift.boxes_wait(),
            counted_by: soft.map_or_else(Vec::new, |count| names(&count.by)),
            own: shift.signed(whoever),
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
