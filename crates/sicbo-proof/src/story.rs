//! One round told phase by phase from its records: who did what when, the
//! bets, the close, the dice, the settlement line by line, and what became of
//! the round later. The same records give the same bytes on every machine.

mod overview;
mod print;
mod value;
mod words;

use std::ops::ControlFlow;
use std::sync::Arc;

use sicbo_journal::{Record, Store, StreamId};
use sicbo_rules::{Currency, Money};
use sicbo_table::event::{Digests, Effect};
use sicbo_table::ids::{RoundNumber, StationId};
use sicbo_table::record::{RoundRecord, Standing};
use sicbo_table::{Event, Fact, Table};

use crate::code::RoundCode;
use crate::describe::{Describer, People, Value};
use crate::owings::Owings;
use crate::paid::{PaidStation, fingerprint, paid};
use crate::tumbles::{Proof, Tumbles};
use crate::verify::VerifyError;
use crate::walk::{Visitor, walk};

pub use overview::{RoundLine, overview};

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

/// How a round stands after a record, and what it pays each station so.
#[derive(Clone, Debug)]
pub struct Life {
    /// 0 when it ended; counts the amendments.
    pub revision: u32,
    /// The record that made it so; none when that record is not shown.
    pub sequence: Option<u64>,
    /// Settled by dice, or void.
    pub standing: Standing,
    /// Station by station, derived again.
    pub stations: Vec<PaidStation>,
    /// The payments derived are those the record claims; not known when the
    /// record is not shown.
    pub agrees: Option<bool>,
}

impl Life {
    /// All stakes.
    #[must_use]
    pub fn staked(&self) -> Money {
        self.stations.iter().map(|station| station.staked).sum()
    }

    /// All that comes back.
    #[must_use]
    pub fn returned(&self) -> Money {
        self.stations.iter().map(|station| station.returned).sum()
    }
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
    record: Option<Arc<RoundRecord>>,
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
            record: None,
            owings: Owings::default(),
            header_hash: None,
            tumbles: Tumbles::default(),
            committed: Vec::new(),
        }
    }

    pub(crate) fn finish(self) -> Option<Story> {
        self.story
    }

    /// The record is about the round though it has ended.
    fn concerns(&self, event: &Event) -> bool {
        match &event.fact {
            Fact::TumbleRevealed { round, .. } => *round == self.round,
            _ => self.owings.concern(self.round, event),
        }
    }

    /// An amendment's own effects against what each station gets so.
    fn amended(&mut self, sequence: u64, revision: u32, to: Standing, effects: &[Effect]) {
        self.owings.remember(effects);
        let (Some(story), Some(record)) = (&mut self.story, &self.record) else {
            return;
        };
        let stations = paid(record, to);
        let claimed = |part: &PaidStation| {
            let effect = effects
                .iter()
                .find(|effect| effect.station == part.record.station);
            // A station whose return does not change is not mentioned.
            effect.is_none_or(|effect| effect.is == part.returned)
        };
        let agrees = Some(stations.iter().all(claimed));
        story.lives.push(Life {
            revision,
            sequence: Some(sequence),
            standing: to,
            stations,
            agrees,
        });
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
        if (self.story.is_none() && !early) || (self.record.is_some() && !self.concerns(event)) {
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
        let ended = self.record.is_some();
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
        let Some(story) = &mut self.story else {
            return ControlFlow::Continue(());
        };
        let (standing, digest) = match &event.fact {
            Fact::RoundSettled { dice, digest, .. } => (Standing::Settled(*dice), digest),
            Fact::RoundVoided { digest, .. } => (Standing::Void, digest),
            Fact::ResultCorrected {
                round,
                revision,
                dice,
                effects,
                ..
            } if *round == self.round => {
                self.amended(sequence, *revision, Standing::Settled(*dice), effects);
                return ControlFlow::Continue(());
            }
            Fact::RoundVoidedLate {
                round,
                revision,
                effects,
                ..
            } if *round == self.round => {
                self.amended(sequence, *revision, Standing::Void, effects);
                return ControlFlow::Continue(());
            }
            _ => return ControlFlow::Continue(()),
        };
        if self.record.is_none()
            && let Some(record) = table.last_record.clone()
        {
            story.names = names(table);
            let stations = paid(&record, standing);
            let agrees = Some(fingerprint(&stations) == *digest);
            story.lives.push(Life {
                revision: 0,
                sequence: Some(sequence),
                standing,
                stations,
                agrees,
            });
            self.record = Some(record);
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
