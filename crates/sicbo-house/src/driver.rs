//! What drives a table beside its people: the automatic dealer and the
//! simulated tumbler of a play-money house, or nothing.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sicbo_dealer::{self as dealer, Pace, Seen, Step};
use sicbo_devices::tumbler::Tumbler;
use sicbo_loop::Answer;
use sicbo_register::enrolment::TableName;
use sicbo_rules::Dice;
use sicbo_rules::rulebook::words::{Position, TumbleStep, Word};
use sicbo_table::actor::{Actor, Device, Staff};
use sicbo_table::ids::{PersonId, RoundNumber};
use sicbo_table::round::{CoverState, Tumble};
use sicbo_table::{Act, Command, Event, Fact, Refusal, Table};

/// A moment by both of the house's clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Now {
    /// For durations.
    pub steady_ms: i64,
    /// The time of day, for records.
    pub now_ms: i64,
}

/// What drives a table.
pub trait Driver: Send {
    /// When it wants to act next, by the steady clock, as are its other times.
    fn due_ms(&self, now_ms: i64) -> Option<i64>;
    /// Durable events, and the hash of the block that holds them.
    fn published(&mut self, block: [u8; 32], events: &[Event]);
    /// Its next command, if its time has come.
    fn next(&mut self, table: &Table, now: Now) -> Option<Command>;
    /// What came of it.
    fn answered(&mut self, answer: &Answer<Refusal>, now_ms: i64);
    /// The dice of a simulated tumbler, once a person standing there sees them.
    fn seen(&self, _: &Table) -> Option<Dice> {
        None
    }
}

/// Nothing: people and bound devices do everything.
pub struct ByHand;

impl Driver for ByHand {
    fn due_ms(&self, _: i64) -> Option<i64> {
        None
    }
    fn published(&mut self, _: [u8; 32], _: &[Event]) {}
    fn next(&mut self, _: &Table, _: Now) -> Option<Command> {
        None
    }
    fn answered(&mut self, _: &Answer<Refusal>, _: i64) {}
}

/// The automatic dealer can be stopped, so that a person may deal.
#[derive(Clone, Default)]
pub struct AutomaticDealer(Arc<AtomicBool>);

impl AutomaticDealer {
    /// Deals, or does not.
    #[must_use]
    pub fn new(deals: bool) -> AutomaticDealer {
        AutomaticDealer(Arc::new(AtomicBool::new(deals)))
    }

    /// Whether it deals.
    #[must_use]
    pub fn deals(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Lets it deal, or stops it.
    pub fn set(&self, deals: bool) {
        self.0.store(deals, Ordering::Relaxed);
    }
}

/// What the dice of a simulated tumbler were mixed with: the hash of the block
/// that closed the bets, where they tumble after the close.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CloseBlock {
    /// The round.
    pub round: u64,
    /// The hash.
    pub hash: [u8; 32],
}

/// After a refusal, it is asked again this much later.
const ASK_AGAIN_MS: i64 = 250;

/// The driver of a play-money table.
pub struct Trial {
    table: TableName,
    tumbler: Box<dyn Tumbler>,
    dealer: AutomaticDealer,
    pace: Pace,
    staff: BTreeMap<Position, PersonId>,
    close: Option<CloseBlock>,
    /// The step that is prepared, and when it is due.
    prepared: Option<(Step, i64)>,
    /// A command is out and not answered.
    waiting: bool,
    /// Nothing before this.
    not_before_ms: i64,
}

impl Trial {
    /// A driver with its tumbler, its staff by position, and the close of the
    /// current round where the program was restarted after it.
    #[must_use]
    pub fn new(
        table: TableName,
        tumbler: Box<dyn Tumbler>,
        dealer: AutomaticDealer,
        pace: Pace,
        staff: BTreeMap<Position, PersonId>,
        close: Option<CloseBlock>,
    ) -> Trial {
        Trial {
            table,
            tumbler,
            dealer,
            pace,
            staff,
            close,
            prepared: None,
            waiting: false,
            not_before_ms: 0,
        }
    }

    /// The dice that lie in the tumbler.
    fn dice(&self, table: &Table) -> Option<Dice> {
        let round = table.round.as_deref()?;
        let mixed = match table.config.as_deref()?.tumble {
            TumbleStep::AfterClose => {
                let close = self.close.filter(|close| close.round == round.number.0)?;
                close.hash
            }
            TumbleStep::BeforeOpen | TumbleStep::DuringBetting => [0; 32],
        };
        self.tumbler.dice(round.number, &mixed)
    }

    fn person(&self, position: Position) -> Option<Staff> {
        let person = self.staff.get(&position)?;
        Some(Staff {
            person: *person,
            position,
        })
    }

    fn by_device(now_ms: i64, act: Act) -> Command {
        Command {
            id: 0,
            at_ms: now_ms,
            by: Actor::Device(Device::Tumbler),
            second: None,
            act,
        }
    }

    /// What the tumbler itself has to say.
    fn of_tumbler(&self, table: &Table, now_ms: i64) -> Option<Command> {
        let next = RoundNumber(table.last_round.0 + 1);
        let number = table.round.as_deref().map_or(next, |round| round.number);
        if let Some((round, commitment)) = unrevealed(table) {
            let seed = self.tumbler.seed(round)?;
            // Only our own commitments can be opened by our own seeds.
            if Some(commitment) == self.tumbler.commitment(round) {
                return Some(Trial::by_device(now_ms, Act::RevealTumble { round, seed }));
            }
        }
        let committed = table.commitment.is_some_and(|(round, _)| round == number);
        let early = table.round.as_deref().is_none_or(|round| {
            round.tumble == Tumble::None && round.exposure.staked() == sicbo_rules::Money::ZERO
        });
        if !committed && early {
            let commitment = self.tumbler.commitment(number)?;
            return Some(Trial::by_device(now_ms, Act::CommitTumble { commitment }));
        }
        None
    }

    fn prepare(&mut self, table: &Table, now_ms: i64) {
        let tumbled = table
            .round
            .as_deref()
            .filter(|round| matches!(round.tumble, Tumble::Valid { .. } | Tumble::Invalid { .. }));
        let seen = tumbled
            .and_then(|round| self.tumbler.tumble(round.number))
            .map_or_else(Seen::default, |tumbled| tumbled.seen);
        let step = if self.dealer.deals() {
            dealer::next_step(table, &self.pace, seen)
        } else if table
            .round
            .as_deref()
            .is_some_and(|round| round.tumble == Tumble::Activated)
        {
            // A person deals; the tumbler still reports its own tumbles.
            Step::ReportTumbles {
                pause_ms: self.pace.tumble_ms,
            }
        } else {
            Step::Wait
        };
        if self
            .prepared
            .as_ref()
            .is_some_and(|(same, _)| *same == step)
        {
            return;
        }
        let pause_ms = match &step {
            Step::Act { pause_ms, .. }
            | Step::ReportTumbles { pause_ms }
            | Step::ReadDice { pause_ms, .. } => Some(*pause_ms),
            Step::Wait => None,
        };
        self.prepared = pause_ms.map(|pause| (step, now_ms + i64::from(pause)));
    }

    fn command(&mut self, table: &Table, step: &Step, now_ms: i64) -> Option<Command> {
        let command = |by: Staff, second: Option<Staff>, act: Act| Command {
            id: 0,
            at_ms: now_ms,
            by: Actor::Staff(by),
            second,
            act,
        };
        match step {
            Step::Act {
                act, by, second, ..
            } => {
                let second = match second {
                    Some(position) => Some(self.person(*position)?),
                    None => None,
                };
                Some(command(self.person(*by)?, second, act.clone()))
            }
            Step::ReportTumbles { .. } => {
                let tumbled = self.tumbler.tumble(table.round.as_deref()?.number)?;
                let act = Act::ReportTumbles {
                    count: tumbled.count,
                    all_dice_moved: tumbled.all_dice_moved,
                };
                Some(Trial::by_device(now_ms, act))
            }
            Step::ReadDice {
                by, second_reading, ..
            } => {
                let dice = self.dice(table)?;
                let act = match second_reading {
                    true => Act::ReadSecond { dice },
                    false => Act::KeyDice { dice },
                };
                Some(command(self.person(*by)?, None, act))
            }
            Step::Wait => None,
        }
    }
}

impl Driver for Trial {
    fn due_ms(&self, _: i64) -> Option<i64> {
        let due = self.prepared.as_ref().map(|(_, due)| *due);
        match self.waiting {
            true => None,
            false => due.map(|due| due.max(self.not_before_ms)),
        }
    }

    fn published(&mut self, block: [u8; 32], events: &[Event]) {
        let mut round = self.close.map_or(0, |close| close.round);
        for event in events {
            match &event.fact {
                Fact::RoundBegan { round: number, .. } => {
                    round = number.0;
                    self.close = Some(CloseBlock {
                        round,
                        hash: [0; 32],
                    });
                }
                Fact::BetsClosed { .. } => self.close = Some(CloseBlock { round, hash: block }),
                _ => {}
            }
        }
    }

    fn next(&mut self, table: &Table, now: Now) -> Option<Command> {
        let now_ms = now.steady_ms;
        if self.waiting || now_ms < self.not_before_ms || table.config.is_none() {
            return None;
        }
        if let Some(command) = self.of_tumbler(table, now_ms) {
            self.waiting = true;
            return Some(command);
        }
        self.prepare(table, now_ms);
        let (step, due_ms) = self.prepared.clone()?;
        if now_ms < due_ms {
            return None;
        }
        let command = self.command(table, &step, now_ms);
        match command {
            Some(_) => self.waiting = true,
            None => self.not_before_ms = now_ms + ASK_AGAIN_MS,
        }
        command
    }

    fn seen(&self, table: &Table) -> Option<Dice> {
        visible(table).then(|| self.dice(table)).flatten()
    }

    fn answered(&mut self, answer: &Answer<Refusal>, now_ms: i64) {
        self.waiting = false;
        self.prepared = None;
        if !matches!(answer, Answer::Done { .. }) {
            if let Answer::Refused(refusal) = answer {
                tracing::debug!(table = %self.table, %refusal, "the automatic dealer was refused");
            }
            self.not_before_ms = now_ms + ASK_AGAIN_MS;
        }
    }
}

/// The last round's commitment that has not been opened.
fn unrevealed(table: &Table) -> Option<(RoundNumber, [u8; 32])> {
    let last = table.last_tumble?;
    match last.seed {
        Some(_) => None,
        None => Some((last.round, last.commitment)),
    }
}

/// The dice have tumbled and nothing hides them.
#[must_use]
pub fn visible(table: &Table) -> bool {
    table.round.as_deref().is_some_and(|round| {
        matches!(round.tumble, Tumble::Valid { .. }) && round.cover != CoverState::Covered
    })
}

/// People by position, the first of each.
#[must_use]
pub fn staff_by_position<'p>(
    people: impl Iterator<Item = (PersonId, Position)> + 'p,
) -> BTreeMap<Position, PersonId> {
    let mut staff = BTreeMap::new();
    for (person, position) in people {
        staff.entry(position).or_insert(person);
    }
    debug_assert!(Position::all().len() >= staff.len());
    staff
}
