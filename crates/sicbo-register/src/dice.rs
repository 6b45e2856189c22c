//! Custody of dice: which set is where, who saw to it, and since when it is
//! known to be good (P-035). Every step takes two persons.

use sicbo_table::ids::PersonId;

use super::command::Party;
use super::enrolment::TableName;

/// Longest number of a set, in bytes.
pub const LONGEST_SET: usize = 40;
/// Sets that are kept, those destroyed among them.
pub const MAX_SETS: usize = 2_000;
/// Steps of one set that are kept; the first is always its receipt.
pub const MAX_STEPS: usize = 64;

/// The number of a set, as it stands on its box: `D-0001`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DiceSet(String);

impl DiceSet {
    /// A number of 1 to 40 printable ASCII characters without spaces.
    #[must_use]
    pub fn new(number: &str) -> Option<DiceSet> {
        let fits = (1..=LONGEST_SET).contains(&number.len());
        let plain = number.bytes().all(|byte| byte.is_ascii_graphic());
        (fits && plain).then(|| DiceSet(number.to_owned()))
    }

    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

sicbo_rules::worded! {
    /// Where a set is.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub enum DiceState: word {
        /// Came in and was not looked at yet.
        Received = "received",
        /// In store and good.
        Good = "good",
        /// In the tumbler of a table.
        InUse(TableName) = "in_use",
        /// Taken out of a table; to be inspected before it is used again.
        Removed = "removed",
        /// Not good, or in doubt: kept as evidence.
        Quarantined = "quarantined",
        /// Destroyed.
        Destroyed = "destroyed",
    }
}

sicbo_rules::worded! {
    /// A step of custody.
    #[derive(Clone, PartialEq, Eq, Debug)]
    #[expect(missing_docs, reason = "fields repeat what the step says")]
    pub enum DiceStep: word, key {
        /// Came in, under a seal.
        Receive { seal: String } = "receive" => "dice-received",
        /// Looked at and measured.
        Inspect { good: bool, text: String } = "inspect" => "dice-inspected",
        /// Put into the tumbler of a table, which names it from then on.
        Place { table: TableName } = "place" => "dice-placed",
        /// Taken out of the tumbler.
        Remove { text: String } = "remove" => "dice-removed",
        /// Put aside as evidence.
        Quarantine { text: String } = "quarantine" => "dice-quarantined",
        /// Destroyed.
        Destroy { text: String } = "destroy" => "dice-destroyed",
    }
}

/// A step with who and when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiceEntry {
    /// When.
    pub at_ms: i64,
    /// Who.
    pub by: Party,
    /// The second person.
    pub second: Option<PersonId>,
    /// What.
    pub step: DiceStep,
}

/// A set of three dice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dice {
    /// Where it is.
    pub state: DiceState,
    /// When it was last found good.
    pub good_ms: Option<i64>,
    /// What was done with it, in order: at most [`MAX_STEPS`].
    pub entries: Vec<DiceEntry>,
}

impl Dice {
    /// When it was last found good, as it was known at a time.
    #[must_use]
    pub fn good_by(&self, at_ms: i64) -> Option<i64> {
        let good = |entry: &&DiceEntry| {
            matches!(entry.step, DiceStep::Inspect { good: true, .. }) && entry.at_ms <= at_ms
        };
        let known = self.entries.iter().rev().find(good);
        // The last one is kept also when its step is forgotten.
        let last = self.good_ms.filter(|last| *last <= at_ms);
        known.map(|entry| entry.at_ms).max(last)
    }

    /// Takes a step that was decided.
    pub fn step(&mut self, entry: DiceEntry) {
        self.state = match &entry.step {
            DiceStep::Receive { .. } => DiceState::Received,
            DiceStep::Inspect { good: true, .. } => {
                self.good_ms = Some(entry.at_ms);
                match &self.state {
                    DiceState::InUse(table) => DiceState::InUse(table.clone()),
                    _ => DiceState::Good,
                }
            }
            DiceStep::Inspect { good: false, .. } | DiceStep::Quarantine { .. } => {
                DiceState::Quarantined
            }
            DiceStep::Place { table } => DiceState::InUse(table.clone()),
            DiceStep::Remove { .. } => DiceState::Removed,
            DiceStep::Destroy { .. } => DiceState::Destroyed,
        };
        if self.entries.len() >= MAX_STEPS {
            self.forget();
        }
        self.entries.push(entry);
    }

    /// Forgets the oldest step after the receipt. Where a set was put is kept
    /// as long as anything is that was done with it there: else nobody could
    /// say at which table that was.
    fn forget(&mut self) {
        let step = |at: usize| self.entries.get(at).map(|entry| &entry.step);
        let oldest = match (step(1), step(2)) {
            (Some(DiceStep::Place { .. }), Some(DiceStep::Inspect { good: true, .. })) => 2..3,
            // What took it out again goes with it.
            (Some(DiceStep::Place { .. }), Some(_)) => 1..3,
            _ => 1..2,
        };
        self.entries.drain(oldest);
    }
}
