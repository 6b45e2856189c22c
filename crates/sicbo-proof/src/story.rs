//! One round told phase by phase from its records: who did what when, the
//! bets, the close, the dice, the settlement line by line, and what became of
//! the round later. The same records give the same bytes on every machine.

mod overview;
mod print;
mod value;
mod words;

use std::ops::ControlFlow;

use sicbo_journal::{Record, Store, StreamId};
use sicbo_rules::{Currency, Money};
use sicbo_table::event::Digests;
use sicbo_table::ids::{RoundNumber, StationId};
use sicbo_table::{Event, Fact, Table};

use crate::describe::{Describer, People, Value};
use crate::owings::Owings;
use crate::tumbles::{Proof, Tumbles};
use crate::verify::VerifyError;
use crate::walk::{Visitor, walk};
use sicbo_check::{Lives, RoundCode};

pub use overview::{RoundLine, overview};
pub use sicbo_check::Life;

/// The table and the rules a round was played under.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The table's name.
    pub table: String,
    /// The rule book.
    pub book: String,
    /// Its money.
    pub currency: Currency,
    /// Players played for money.
    pub real_money: bool,
    /// The dice in the tumbler.
    pub dice_set: String,
    /// Program, rule book and set-up (S-16).
    pub digests: Digests,
}

/// One record of the round.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its place in the journal.
    pub sequence: u64,
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// The phase it stands in, which it may itself have begun.
    pub phase: &'static str,
    /// Who.
    pub by: String,
    /// The second person, where it took two.
    pub second: Option<String>,
    /// What, as a stable name.
    pub event: &'static str,
    /// What, in words.
    pub words: String,
    /// Its fields.
    pub fields: Vec<(&'static str, Value)>,
}

/// A round, told.
#[derive(Clone, Debug)]
pub struct Story {
    /// Which round.
    pub round: u64,
    /// Where and under which rules.
    pub setting: Setting,
    /// Its records, in order.
    pub steps: Vec<Step>,
    /// How it ended, and each amendment after.
    pub lives: Vec<Life>,
    /// What was done about it after it had ended.
    pub afterwards: Vec<Step>,
    /// What the seed of a simulated tumbler says of its dice, once it is revealed.
    pub tumble: Option<Proof>,
    /// Stations' names by number.
    pub names: Vec<String>,
    /// Its verification code; none while it is open, or when the record that
    /// ended it is not shown.
    pub code: Option<RoundCode>,
    /// What this telling leaves out or cannot prove.
    pub remarks: Vec<String>,
}

impl Story {
    /// A station's name.
    #[must_use]
    pub fn name(&self, id: StationId) -> &str {
        self.names.get(id.0 as usize).map_or("?", String::as_str)
    }

    /// An amount in the table's currency.
    #[must_use]
    pub fn money(&self, amount: Money) -> String {
        self.setting.currency.format(amount)
    }

    /// Every payment derived is the one the journal claims.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.lives.iter().all(|life| life.agrees != Some(false))
            && self.tumble.is_none_or(|proof| proof.agrees != Some(false))
    }
}

/// Why a round could not be told.
#[derive(Debug, thiserror::Error)]
pub enum StoryError {
    /// The journal is broken before or in it.
    #[error(transparent)]
    Journal(#[from] VerifyError),
    /// There is no such round.
    #[error("there is no round {round}: {}", match last {
        0 => "no round has begun".to_owned(),
        last => format!("rounds 1 to {last} are there"),
    })]
    NoSuchRound {
        /// Which was asked for.
        round: u64,
        /// The last there is.
        last: u64,
    },
}

/// Tells a round of a journal.
///
/// # Errors
/// When the journal is broken or has no such round.
pub fn tell(store: &dyn Store, stream: &StreamId, round: u64) -> Result<Story, StoryError> {
    tell_with(store, stream, round, People::default())
}

/// Tells a round of a journal with the names of the house's people.
///
/// # Errors
/// When the journal is broken or has no such round.
pub fn tell_with(
    store: &dyn Store,
    stream: &StreamId,
    round: u64,
    people: People,
) -> Result<Story, StoryError> {
    let mut teller = Teller {
        people,
        ..Teller::new(stream, round)
    };
    let table: Table = walk(store, stream, &mut teller)?;
    teller.finish().ok_or(StoryError::NoSuchRound {
        round,
        last: table.last_round.0,
    })
}

/// Collects a round's story while its records go by.
pub(crate) struct Teller {
    stream: StreamId,
    round: RoundNumber,
    people: People,
    phase: &'static str,
    story: Option<Story>,
    lives: Lives,
    owings: Owings,
    header_hash: Option<[u8; 32]>,
    tumbles: Tumbles,
    /// The tumbler's commitment to this round, made before it began.
    committed: Vec<Step>,
}

impl Teller {
    pub(crate) fn new(stream: &StreamId, round: u64) -> Teller {
        Teller {
            stream: stream.clone(),
            round: RoundNumber(round),
            people: People::default(),
            phase: "prepared",
            story: None,
            lives: Lives::new(RoundNumber(round)),
            owings: Owings::default(),
            header_hash: None,
            tumbles: Tumbles::default(),
            committed: Vec::new(),
        }
    }

    pub(crate) fn finish(self) -> Option<Story> {
        let lives = self.lives.finish();
        self.story.map(|story| Story { lives, ..story })
    }

    /// The record is about the round though it has ended.
    fn concerns(&self, event: &Event) -> bool {
        match &event.fact {
            Fact::TumbleRevealed { round, .. } => *round == self.round,
            _ => self.owings.concern(self.round, event),
        }
    }
}

impl Visitor for Teller {
    fn block(&mut self, header_hash: &[u8; 32]) {
        self.header_hash = Some(*header_hash);
    }

    fn before(&mut self, table: &Table, record: &Record<'_>, event: &Event) {
        let sequence = record.sequence;
        // Only a whole journal says which block closed the bets.
        let proof = self
            .header_hash
            .and_then(|hash| self.tumbles.before(table, sequence, event, &hash));
        if let (Some(proof), Some(story)) = (proof, &mut self.story)
            && proof.round == self.round
        {
            story.tumble = Some(proof);
        }
        if let Fact::RoundBegan { round, digests, .. } = &event.fact
            && *round == self.round
            && let Some(config) = &table.config
        {
            let book = table.next_book.as_ref().unwrap_or(&config.book);
            self.story = Some(Story {
                round: round.0,
                setting: Setting {
                    table: config.name.clone(),
                    book: book.id().to_owned(),
                    currency: config.currency,
                    real_money: config.real_money,
                    dice_set: config.dice_set.clone(),
                    digests: *digests,
                },
                steps: std::mem::take(&mut self.committed),
                lives: Vec::new(),
                tumble: None,
                afterwards: Vec::new(),
                names: Vec::new(),
                code: None,
                remarks: Vec::new(),
            });
        }
        let early = matches!(
            event.fact,
            Fact::TumbleCommitted { round, .. } if round == self.round
        );
        if (self.story.is_none() && !early) || (self.lives.ended() && !self.concerns(event)) {
            return;
        }
        self.phase = words::phase(&event.fact).unwrap_or(self.phase);
        let describer = Describer::new(table).with_people(&self.people);
        let (name, fields) = describer.fact(&event.fact);
        let step = Step {
            sequence,
            at_ms: event.at_ms,
            phase: self.phase,
            by: describer.actor(event.by),
            second: event.second.map(|staff| describer.staff(staff)),
            event: name,
            words: words::tell(&describer, table, event),
            fields,
        };
        let ended = self.lives.ended();
        let ends = matches!(
            event.fact,
            Fact::RoundSettled { .. } | Fact::RoundVoided { .. }
        );
        if self.story.is_none() {
            self.committed.push(step);
        } else if let Some(story) = &mut self.story {
            if ends && !ended {
                story.code = Some(RoundCode::of(&self.stream, story.round, record.payload));
            }
            let steps = if ended {
                &mut story.afterwards
            } else {
                &mut story.steps
            };
            steps.push(step);
        }
    }

    fn after(&mut self, table: &Table, sequence: u64, event: &Event) -> ControlFlow<()> {
        if let Fact::ResultCorrected { round, effects, .. }
        | Fact::RoundVoidedLate { round, effects, .. } = &event.fact
            && *round == self.round
        {
            self.owings.remember(effects);
        }
        let before = self.lives.ended();
        self.lives.after(table, sequence, event);
        if let Some(story) = &mut self.story
            && !before
            && self.lives.ended()
        {
            story.names = names(table);
        }
        ControlFlow::Continue(())
    }
}

/// Stations' names by number.
pub(crate) fn names(table: &Table) -> Vec<String> {
    table
        .stations
        .iter()
        .map(|station| station.name.clone())
        .collect()
}
