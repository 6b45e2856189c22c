//! What a single-writer loop runs: a deterministic state with its commands and events.
//!
//! A table is one, the house's own register is another; the loop, the runner
//! and the simulator know only this.

use sicbo_journal::CheckpointReason;
use sicbo_rules::rulebook::words::Closing;
use sicbo_table::actor::Actor;
use sicbo_table::codec::DecodeError;
use sicbo_table::ids::StationId;
use sicbo_table::record::Standing;
use sicbo_table::round::Phase;
use sicbo_table::{Act, Command, Event, Fact, Refusal, Table, apply, codec, decide, snapshot};

use crate::persist::RoundChange;

/// How long a terminal may take to show *no more bets* before it is cut off.
pub const FENCE_AFTER_MS: i64 = 2_000;

/// What an event means to the journal beside its bytes.
#[derive(Debug, Default)]
pub struct Notes {
    /// A change of the round index.
    pub round: Option<RoundChange>,
    /// A checkpoint is due over the block that holds it.
    pub checkpoint: Option<CheckpointReason>,
}

/// A deterministic state with its commands and events.
pub trait Machine: Sized {
    /// What can be asked.
    type Command: Send;
    /// What happens.
    type Event: Send;
    /// An expected no.
    type Refusal: Send;

    /// What follows from a command. Changes nothing.
    ///
    /// # Errors
    /// The refusal.
    fn decide(&self, command: &Self::Command) -> Result<Vec<Self::Event>, Self::Refusal>;
    /// Changes the state by an event. Never fails.
    fn apply(&mut self, event: &Self::Event);
    /// When a command was received.
    fn received_ms(command: &Self::Command) -> i64;
    /// When an event happened.
    fn happened_ms(event: &Self::Event) -> i64;
    /// What the house's clock showed after an event: for one that sets the
    /// clock, what it was set to.
    fn clock_after_ms(event: &Self::Event) -> i64;
    /// Appends the journal bytes of an event; its kind and version.
    fn encode(event: &Self::Event, bytes: &mut Vec<u8>) -> (u16, u16);
    /// Reads an event back.
    ///
    /// # Errors
    /// When the bytes are no such event.
    fn decode(kind: u16, version: u16, payload: &[u8]) -> Result<Self::Event, DecodeError>;
    /// What an event about to be applied means to the journal; `first` is the
    /// sequence of the first record of the current round, kept by the loop.
    fn notes(&self, event: &Self::Event, sequence: u64, first: &mut u64) -> Notes;
    /// When the state must act by itself.
    fn deadline_ms(&self) -> Option<i64>;
    /// What it then asks of itself.
    fn due(&self, now_ms: i64) -> Vec<Self::Command>;
    /// The whole state as bytes.
    fn snapshot(&self) -> Vec<u8>;
    /// The state of a snapshot, or nothing when it cannot be read.
    fn from_snapshot(bytes: &[u8]) -> Option<Self>;
    /// The state before the first record.
    fn empty() -> Self;
    /// Checks its invariants from its own figures.
    ///
    /// # Errors
    /// What does not hold.
    fn check(&self) -> Result<(), String>;
    /// The current round, whose first record the loop must know.
    fn round_in_hand(&self) -> Option<u64>;
}

impl Machine for Table {
    type Command = Command;
    type Event = Event;
    type Refusal = Refusal;

    fn decide(&self, command: &Command) -> Result<Vec<Event>, Refusal> {
        decide(self, command)
    }

    fn apply(&mut self, event: &Event) {
        apply(self, event);
    }

    fn received_ms(command: &Command) -> i64 {
        command.at_ms
    }

    fn happened_ms(event: &Event) -> i64 {
        event.at_ms
    }

    fn clock_after_ms(event: &Event) -> i64 {
        match event.fact {
            Fact::ClockSet { is_ms, .. } => is_ms,
            _ => event.at_ms,
        }
    }

    fn encode(event: &Event, bytes: &mut Vec<u8>) -> (u16, u16) {
        codec::encode(event, bytes)
    }

    fn decode(kind: u16, version: u16, payload: &[u8]) -> Result<Event, DecodeError> {
        codec::decode(kind, version, payload)
    }

    fn notes(&self, event: &Event, sequence: u64, first: &mut u64) -> Notes {
        let ended = |state: &str, dice: Option<String>| {
            let began_ms = self
                .round
                .as_deref()
                .map_or(event.at_ms, |round| round.began_ms);
            Notes {
                round: Some(RoundChange::ended(
                    self.last_round.0,
                    (*first, sequence),
                    (began_ms, event.at_ms),
                    state,
                    dice,
                )),
                checkpoint: Some(CheckpointReason::RoundEnd),
            }
        };
        let amended = |round: u64, state: &str, standing: Standing| Notes {
            round: Some(RoundChange::amended(round, state, standing)),
            checkpoint: Some(CheckpointReason::RoundEnd),
        };
        match &event.fact {
            Fact::RoundBegan { round, .. } => {
                *first = sequence;
                let round = Some(RoundChange::began(round.0, sequence, event.at_ms));
                Notes {
                    round,
                    checkpoint: None,
                }
            }
            Fact::RoundSettled { dice, .. } => ended("settled", Some(dice.to_string())),
            Fact::RoundVoided { .. } => ended("void", None),
            Fact::ResultCorrected { round, dice, .. } => {
                amended(round.0, "corrected", Standing::Settled(*dice))
            }
            Fact::RoundVoidedLate { round, .. } => {
                amended(round.0, "voided after settlement", Standing::Void)
            }
            _ => Notes::default(),
        }
    }

    fn deadline_ms(&self) -> Option<i64> {
        let round = self.round.as_deref()?;
        let window = i64::from(self.config.as_ref()?.window_ms);
        match round.phase {
            // A round that is held or can only be void waits for people, not for the clock.
            // Where the dealer's announcement closes, no clock does.
            Phase::Betting
                if self.holding().is_none()
                    && round.must_void.is_none()
                    && self.book()?.play.closes.is == Closing::TerminalDisplay =>
            {
                Some(round.opened_ms? + window)
            }
            Phase::Closing => Some(round.closing_ms? + FENCE_AFTER_MS),
            _ => None,
        }
    }

    fn due(&self, now_ms: i64) -> Vec<Command> {
        let Some(round) = self.round.as_deref() else {
            return Vec::new();
        };
        let acts: Vec<Act> = match round.phase {
            Phase::Betting => vec![Act::CloseBets],
            Phase::Closing => round
                .stations
                .iter()
                .enumerate()
                .filter(|(_, part)| part.awaited && !part.acknowledged && !part.fenced)
                .map(|(i, _)| Act::Fence {
                    station: StationId(i as u32),
                })
                .collect(),
            Phase::Prepared | Phase::Closed => Vec::new(),
        };
        acts.into_iter()
            .map(|act| Command {
                id: 0,
                at_ms: now_ms,
                by: Actor::House,
                second: None,
                act,
            })
            .collect()
    }

    fn snapshot(&self) -> Vec<u8> {
        snapshot::encode(self)
    }

    fn from_snapshot(bytes: &[u8]) -> Option<Table> {
        snapshot::decode(bytes).ok()
    }

    fn empty() -> Table {
        Table::default()
    }

    fn check(&self) -> Result<(), String> {
        Table::check(self)
    }

    fn round_in_hand(&self) -> Option<u64> {
        self.round.as_deref().map(|round| round.number.0)
    }
}
