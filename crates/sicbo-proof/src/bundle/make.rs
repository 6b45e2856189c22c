//! Makes a bundle from a journal: chooses the records, then proves each up to
//! the next checkpoint.

use std::collections::{BTreeMap, BTreeSet};

use sicbo_journal::{
    HandOver, HeaderSegment, Prover, PublicKey, ReadError, Record, SealedBlock, Store, StreamId,
};
use sicbo_table::ids::{RoundNumber, StationId};
use sicbo_table::{Event, Fact, Table};

use super::{Bundle, Told};
use crate::owings::Owings;
use crate::verify::{VerifyError, amended_by};
use crate::walk::{Visitor, walk};
use sicbo_check::bundle::{Segment, SignedRecords, scope};

/// Why no bundle could be made.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// The journal is broken.
    #[error(transparent)]
    Journal(#[from] VerifyError),
    /// There is no such round.
    #[error("there is no round {round}: rounds 1 to {last} are there")]
    NoSuchRound {
        /// Which.
        round: u64,
        /// The last one.
        last: u64,
    },
    /// There is no such case.
    #[error("there is no case {case}")]
    NoSuchCase {
        /// Which.
        case: u64,
    },
    /// The round goes on.
    #[error("round {round} has not ended: wait for its end")]
    NotEnded {
        /// Which.
        round: u64,
    },
    /// The station does not exist.
    #[error("there was no station {name} at round {round}; there was {there}")]
    NoSuchStation {
        /// Its name.
        name: String,
        /// Which round.
        round: u64,
        /// The stations there were.
        there: String,
    },
    /// No checkpoint covers the round yet.
    #[error(
        "no checkpoint covers record {sequence}: a house that runs signs one within a minute; in a \
         folder that no house runs on it is missing, see `sicbo verify`"
    )]
    NotSigned {
        /// The record.
        sequence: u64,
    },
}

impl From<ReadError> for MakeError {
    fn from(error: ReadError) -> MakeError {
        MakeError::Journal(error.into())
    }
}

/// Makes a bundle of one round, for one station or for a regulator.
///
/// # Errors
/// When the journal is broken, or the round is not there, not over or not
/// signed yet.
pub fn make(
    store: &dyn Store,
    stream: &StreamId,
    (first_key, hand_overs): (PublicKey, Vec<HandOver>),
    round: u64,
    station: Option<&str>,
) -> Result<Bundle, MakeError> {
    let mut choice = Choice::new(round);
    let table: Table = walk(store, stream, &mut choice)?;
    let names = match &choice.names {
        None => {
            return Err(MakeError::NoSuchRound {
                round,
                last: table.last_round.0,
            });
        }
        Some(_) if choice.end.is_none() => return Err(MakeError::NotEnded { round }),
        Some(names) => names,
    };
    let mut told = Vec::new();
    if let Some(name) = station {
        let own = names
            .iter()
            .position(|known| known == name)
            .map(|at| StationId(at as u32))
            .ok_or_else(|| MakeError::NoSuchStation {
                name: name.to_owned(),
                round,
                there: names.join(", "),
            })?;
        let alone = choice.bettors.iter().all(|bettor| *bettor == own);
        choice
            .of_round
            .retain(|_, fact| scope::shown_to(own, alone, fact));
        choice
            .later
            .retain(|_, fact| scope::shown_to(own, alone, fact));
        if !alone {
            told.extend(choice.end.clone());
            told.append(&mut choice.amended);
        }
    }
    let sequences: BTreeSet<u64> = (choice.set_up.keys())
        .chain(choice.of_round.keys())
        .chain(choice.later.keys())
        .copied()
        .collect();
    Ok(Bundle {
        round,
        station: station.map(str::to_owned),
        told,
        proof: SignedRecords {
            first_key,
            hand_overs,
            segments: segments(store, &sequences)?,
        },
    })
}

/// The records a round needs.
struct Choice {
    round: RoundNumber,
    set_up: BTreeMap<u64, Fact>,
    of_round: BTreeMap<u64, Fact>,
    later: BTreeMap<u64, Fact>,
    bettors: BTreeSet<StationId>,
    names: Option<Vec<String>>,
    end: Option<Told>,
    amended: Vec<Told>,
    owings: Owings,
}

impl Choice {
    fn new(round: u64) -> Choice {
        Choice {
            round: RoundNumber(round),
            set_up: BTreeMap::new(),
            of_round: BTreeMap::new(),
            later: BTreeMap::new(),
            bettors: BTreeSet::new(),
            names: None,
            end: None,
            amended: Vec::new(),
            owings: Owings::default(),
        }
    }

    /// Keeps a record that sets the table up, and drops those it replaces.
    fn set_up(&mut self, sequence: u64, fact: &Fact) {
        if let Fact::TableOpened { config, .. } = fact {
            let book = config.book.sha256();
            // Of openings with the same book only those that add stations and
            // the last matter; its limits and dice replace all before.
            self.set_up.retain(|_, old| match old {
                Fact::TableOpened {
                    config, stations, ..
                } => !stations.is_empty() || config.book.sha256() != book,
                Fact::LimitsScheduled { .. } | Fact::DiceChanged { .. } => false,
                _ => true,
            });
        }
        self.set_up.insert(sequence, fact.clone());
    }
}

impl Visitor for Choice {
    fn before(&mut self, table: &Table, record: &Record<'_>, event: &Event) {
        let sequence = record.sequence;
        let fact = &event.fact;
        if let Fact::RoundBegan { round, .. } = fact
            && *round == self.round
        {
            self.names = Some(crate::story::names(table));
        }
        if self.names.is_none() {
            if scope::sets_up(fact) {
                self.set_up(sequence, fact);
            }
        } else if self.end.is_none() {
            if scope::is_bet(fact) {
                self.bettors.extend(scope::station(fact));
            }
            if let Some(names) = &mut self.names
                && names.len() < table.stations.len()
            {
                *names = crate::story::names(table);
            }
            self.of_round.insert(sequence, fact.clone());
            let dice = match fact {
                Fact::RoundSettled { dice, .. } => Some(dice.faces()),
                _ => None,
            };
            if scope::ends(fact) {
                self.end = Some(Told { sequence, dice });
            }
        } else if self.owings.concern(self.round, event) {
            if let Fact::ResultCorrected { effects, .. } | Fact::RoundVoidedLate { effects, .. } =
                fact
            {
                self.owings.remember(effects);
            }
            let dice = match fact {
                Fact::ResultCorrected { dice, .. } => Some(dice.faces()),
                _ => None,
            };
            if amended_by(event).is_some() {
                self.amended.push(Told { sequence, dice });
            }
            self.later.insert(sequence, fact.clone());
        }
    }
}

/// The records with their proofs, each segment up to the next checkpoint.
pub(crate) fn segments(
    store: &dyn Store,
    wanted: &BTreeSet<u64>,
) -> Result<Vec<Segment>, MakeError> {
    let mut wanted: Vec<u64> = wanted.iter().rev().copied().collect();
    let mut segments = Vec::new();
    while let Some(next) = wanted.last().copied() {
        let checkpoint = store.checkpoint_from(next)?;
        let checkpoint = checkpoint.ok_or(MakeError::NotSigned { sequence: next })?;
        let signed_to = checkpoint.checkpoint().sequence;
        let mut blocks: Vec<SealedBlock> = Vec::new();
        let mut records = Vec::new();
        for raw in store.read_from(next) {
            let raw = raw?;
            let at = raw.filed_under;
            let block = raw
                .decode()
                .map_err(|error| VerifyError::record(at, error))?;
            let last = block.header().last_sequence;
            let prover = Prover::new(&block);
            while let Some(sequence) = wanted.last().copied().filter(|next| *next <= last) {
                let proof = prover
                    .prove(sequence)
                    .ok_or_else(|| VerifyError::record(sequence, "it is not in its block"))?;
                records.push((sequence, blocks.len() as u32, proof));
                wanted.pop();
            }
            blocks.push(block);
            if last >= signed_to {
                break;
            }
        }
        segments.push(Segment {
            checkpoint,
            headers: HeaderSegment::of(&blocks),
            records,
        });
    }
    Ok(segments)
}
