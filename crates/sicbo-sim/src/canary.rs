//! Houses broken on purpose, which the auditor must catch.
//!
//! Some are broken in what drives the loop, some in the table itself: the real
//! table behind the same trait, wrong in one place. A canary that survives
//! means the simulation proves nothing.

use sicbo_loop::{Machine, Notes};
use sicbo_rules::{Dice, Money};
use sicbo_table::codec::DecodeError;
use sicbo_table::event::Fact;
use sicbo_table::round::Phase;
use sicbo_table::{Act, Command, Event, Refusal, Table};

use crate::engine::Engine;
use crate::run_with;
use crate::tally::{Failure, Report};
use crate::world::Disk;

/// What is broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Canary {
    /// Answers and publishes when a block is handed to the disk.
    AnswersTooEarly,
    /// Takes a failed append for a good one.
    IgnoresFailure,
    /// Forgets the last block at a restart.
    ForgetsLastBlock,
    /// Believes what it finds in the write-ahead log, on the disk or not.
    TrustsTheLog,
    /// Writes pages of the database back at a start, as it happened to read them.
    WritesPagesBack,
    /// Folds the log in again after a sync had failed, as if nothing had happened.
    FoldsAgain,
    /// Never makes the names of its files durable.
    ForgetsTheFolder,
    /// Stays shut because of a bit that was read wrong once.
    ReadsOnce,
    /// Keeps deadlines by the machine's clock.
    GoesByTheWallClock,
    /// Pays every winner twice, out of the bank.
    PaysTwice,
    /// Keeps one cent of every payment for the bank.
    Skims,
    /// Takes bets from a terminal that has acknowledged the close.
    BetsAfterAcknowledging,
    /// Does not recognise a bet that is said again.
    ForgetsBetNames,
    /// Never fences a terminal that does not answer.
    NeverFences,
    /// Lets the dice be uncovered while bets are still taken.
    UncoversEarly,
    /// Settles by other dice than were keyed.
    InventsResult,
    /// Goes on after an interruption as if nothing had happened.
    ForgetsInterruption,
}

impl Canary {
    /// Every one.
    pub const ALL: [Canary; 17] = [
        Canary::AnswersTooEarly,
        Canary::IgnoresFailure,
        Canary::ForgetsLastBlock,
        Canary::TrustsTheLog,
        Canary::WritesPagesBack,
        Canary::FoldsAgain,
        Canary::ForgetsTheFolder,
        Canary::ReadsOnce,
        Canary::GoesByTheWallClock,
        Canary::PaysTwice,
        Canary::Skims,
        Canary::BetsAfterAcknowledging,
        Canary::ForgetsBetNames,
        Canary::NeverFences,
        Canary::UncoversEarly,
        Canary::InventsResult,
        Canary::ForgetsInterruption,
    ];
}

/// Runs one world with a broken house.
///
/// # Errors
/// The promise that was broken: what a canary is for.
pub fn run_canary(canary: Canary, seed: u64) -> Result<Report, Box<Failure>> {
    run_on(canary, seed, Disk::Shared)
}

/// Runs one world with a broken house in which nobody else uses its disk: the
/// worlds of older seeds, as they were found.
///
/// # Errors
/// As [`run_canary`].
pub fn run_canary_with_own_disk(canary: Canary, seed: u64) -> Result<Report, Box<Failure>> {
    run_on(canary, seed, Disk::Own)
}

fn run_on(canary: Canary, seed: u64, disk: Disk) -> Result<Report, Box<Failure>> {
    match canary {
        Canary::PaysTwice => run_with::<Broken<PAYS_TWICE>>(seed, None, disk),
        Canary::Skims => run_with::<Broken<SKIMS>>(seed, None, disk),
        Canary::BetsAfterAcknowledging => run_with::<Broken<LATE_BETS>>(seed, None, disk),
        Canary::ForgetsBetNames => run_with::<Broken<NO_NAMES>>(seed, None, disk),
        Canary::NeverFences => run_with::<Broken<NO_FENCE>>(seed, None, disk),
        Canary::UncoversEarly => run_with::<Broken<UNCOVERS>>(seed, None, disk),
        Canary::InventsResult => run_with::<Broken<INVENTS>>(seed, None, disk),
        Canary::ForgetsInterruption => run_with::<Broken<NO_INTERRUPTION>>(seed, None, disk),
        // The others are broken in what drives the loop.
        driver => run_with::<Table>(seed, Some(driver), disk),
    }
}

const PAYS_TWICE: u8 = 1;
const SKIMS: u8 = 2;
const LATE_BETS: u8 = 3;
const NO_NAMES: u8 = 4;
const NO_FENCE: u8 = 5;
const UNCOVERS: u8 = 6;
const INVENTS: u8 = 7;
const NO_INTERRUPTION: u8 = 8;

/// The real table, wrong in one place.
#[derive(Clone)]
struct Broken<const HOW: u8>(Table);

impl<const HOW: u8> Engine for Broken<HOW> {
    fn table(&self) -> &Table {
        &self.0
    }
}

impl<const HOW: u8> Broken<HOW> {
    /// Decides as if the state were another.
    fn decide_as_if(
        &self,
        command: &Command,
        change: impl FnOnce(&mut Table),
    ) -> Result<Vec<Event>, Refusal> {
        let mut other = self.0.clone();
        change(&mut other);
        other.decide(command)
    }

    /// Moves money between the credits of terminals and the bank, meters included,
    /// so that the table's own checks see nothing.
    fn move_to_bank(&mut self, of_returned: impl Fn(Money) -> Money, before: &[Money]) {
        for (station, before) in self.0.stations.iter_mut().zip(before) {
            let returned = station.credit - *before;
            if returned.is_positive() {
                let moved = of_returned(returned);
                station.credit -= moved;
                station.meters.returned -= moved;
                self.0.books.house_bank += moved;
            }
        }
    }
}

impl<const HOW: u8> Machine for Broken<HOW> {
    type Command = Command;
    type Event = Event;
    type Refusal = Refusal;

    fn decide(&self, command: &Command) -> Result<Vec<Event>, Refusal> {
        match (HOW, &command.act) {
            (LATE_BETS, Act::PlaceBets { station, .. }) => self.decide_as_if(command, |table| {
                let round = table.round.as_deref_mut();
                if let Some(round) = round.filter(|round| round.phase == Phase::Closing)
                    && let Some(part) = round.stations.get_mut(station.0 as usize)
                {
                    part.acknowledged = false;
                }
            }),
            (NO_NAMES, Act::PlaceBets { station, .. }) => self.decide_as_if(command, |table| {
                if let Some(round) = table.round.as_deref_mut()
                    && let Some(part) = round.stations.get_mut(station.0 as usize)
                {
                    part.seen.clear();
                }
            }),
            (UNCOVERS, Act::Uncover) => self.decide_as_if(command, |table| {
                if let Some(round) = table.round.as_deref_mut() {
                    round.phase = Phase::Closed;
                }
            }),
            (INVENTS, Act::ConfirmResult) => self.decide_as_if(command, |table| {
                let six = Dice::from_faces([6, 6, 6]);
                let reading = table
                    .round
                    .as_deref_mut()
                    .and_then(|round| round.keyed.as_mut());
                if let (Some(six), Some(reading)) = (six, reading) {
                    reading.dice = six;
                }
            }),
            (NO_INTERRUPTION, Act::Interrupt { .. }) => {
                let mut events = self.0.decide(command)?;
                events.retain(|event| !matches!(event.fact, Fact::DecisionRaised { .. }));
                Ok(events)
            }
            _ => self.0.decide(command),
        }
    }

    fn apply(&mut self, event: &Event) {
        let before: Vec<Money> = self
            .0
            .stations
            .iter()
            .map(|station| station.credit)
            .collect();
        self.0.apply(event);
        match (HOW, &event.fact) {
            (PAYS_TWICE, Fact::RoundSettled { .. }) => {
                self.move_to_bank(|returned| -returned, &before)
            }
            (SKIMS, Fact::RoundSettled { .. }) => {
                self.move_to_bank(|_| Money::from_minor(1), &before);
            }
            _ => {}
        }
    }

    fn received_ms(command: &Command) -> i64 {
        Table::received_ms(command)
    }

    fn clock_after_ms(event: &Event) -> i64 {
        <Table as Machine>::clock_after_ms(event)
    }
    fn happened_ms(event: &Event) -> i64 {
        Table::happened_ms(event)
    }

    fn encode(event: &Event, bytes: &mut Vec<u8>) -> (u16, u16) {
        <Table as Machine>::encode(event, bytes)
    }

    fn decode(kind: u16, version: u16, payload: &[u8]) -> Result<Event, DecodeError> {
        <Table as Machine>::decode(kind, version, payload)
    }

    fn notes(&self, event: &Event, sequence: u64, first: &mut u64) -> Notes {
        self.0.notes(event, sequence, first)
    }

    fn deadline_ms(&self) -> Option<i64> {
        self.0.deadline_ms()
    }

    fn due(&self, now_ms: i64) -> Vec<Command> {
        let mut due = self.0.due(now_ms);
        due.retain(|command| HOW != NO_FENCE || !matches!(command.act, Act::Fence { .. }));
        due
    }

    fn snapshot(&self) -> Vec<u8> {
        <Table as Machine>::snapshot(&self.0)
    }

    fn from_snapshot(bytes: &[u8]) -> Option<Self> {
        <Table as Machine>::from_snapshot(bytes).map(Broken)
    }

    fn empty() -> Self {
        Broken(<Table as Machine>::empty())
    }

    fn check(&self) -> Result<(), String> {
        self.0.check()
    }

    fn round_in_hand(&self) -> Option<u64> {
        self.0.round_in_hand()
    }
}
