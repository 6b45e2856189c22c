//! Receipts for players: the bundle of one round for one station, made without
//! reading the whole journal each time (P-007).
//!
//! It is the same file that [`crate::bundle::make`] makes. Which records set
//! the table up is remembered by place, so the journal is read through once and
//! then only where it has grown.

use std::collections::BTreeSet;

use sicbo_check::bundle::{SignedRecords, scope};
use sicbo_journal::{HandOver, PublicKey, RoundRow, Store, StreamId};
use sicbo_loop::apply_read;
use sicbo_table::ids::StationId;
use sicbo_table::{Event, Fact, Table, codec};

use crate::RoundCode;
use crate::bundle::{Bundle, MakeError, Told, segments};
use crate::history::{Amendments, HistoryError, blocks, stored_at};
use crate::verify::VerifyError;

/// What a record of the set-up does to those before it.
#[derive(Clone, PartialEq, Eq, Debug)]
enum SetUp {
    /// An opening: the rule book, and whether it brought stations.
    Opened { book: [u8; 32], stations: bool },
    /// Limits or dice, which the next opening replaces.
    Replaceable,
    /// Anything else stays.
    Stays,
}

impl SetUp {
    fn of(fact: &Fact) -> Option<SetUp> {
        match fact {
            Fact::TableOpened {
                config, stations, ..
            } => Some(SetUp::Opened {
                book: config.book.sha256(),
                stations: !stations.is_empty(),
            }),
            Fact::LimitsScheduled { .. } | Fact::DiceChanged { .. } => Some(SetUp::Replaceable),
            fact if scope::sets_up(fact) => Some(SetUp::Stays),
            _ => None,
        }
    }
}

/// Makes receipts from one table's journal. One for each table.
#[derive(Default)]
pub struct Receipts {
    /// Places of records that set the table up.
    set_up: Vec<(u64, SetUp)>,
    /// Records looked through.
    looked: u64,
    amendments: Amendments,
}

impl From<HistoryError> for MakeError {
    fn from(error: HistoryError) -> MakeError {
        MakeError::Journal(VerifyError::record(0, error))
    }
}

impl Receipts {
    /// The bundle of one station's part of an ended round, and its code.
    ///
    /// # Errors
    /// When the journal is broken, or the round is not there, not over or not
    /// signed yet.
    pub fn make(
        &mut self,
        store: &dyn Store,
        stream: &StreamId,
        (first_key, hand_overs): (PublicKey, Vec<HandOver>),
        round: u64,
        station: &str,
    ) -> Result<(Bundle, RoundCode), MakeError> {
        let rows = store.rounds(round, 1)?;
        let row = rows.into_iter().find(|row| row.round == round);
        let row = row.ok_or(MakeError::NoSuchRound { round, last: 0 })?;
        if row.ended_ms.is_none() {
            return Err(MakeError::NotEnded { round });
        }
        self.look(store, row.first_sequence)?;
        let set_up = self.set_up_before(row.first_sequence);
        let mut table = Table::default();
        for place in &set_up {
            follow(&mut table, *place, &stored_at(store, *place)?.0)?;
        }
        let events = events_of(store, &row)?;
        for (place, event) in &events {
            if scope::sets_up(&event.fact) {
                follow(&mut table, *place, event)?;
            }
        }
        let own = table
            .station_named(station)
            .ok_or_else(|| MakeError::NoSuchStation {
                name: station.to_owned(),
                round,
                there: String::new(),
            })?;
        let mut sequences: BTreeSet<u64> = set_up.into_iter().collect();
        let amended = self.amendments.numbered(store, &row)?;
        let told = choose(own, &events, &amended, &mut sequences);
        let code = RoundCode::of(stream, round, &stored_at(store, row.last_sequence)?.1);
        let bundle = Bundle {
            round,
            station: Some(station.to_owned()),
            told,
            proof: SignedRecords {
                first_key,
                hand_overs,
                segments: segments(store, &sequences)?,
            },
        };
        Ok((bundle, code))
    }

    /// Looks for records that set the table up, from where it stopped to before
    /// a record.
    fn look(&mut self, store: &dyn Store, before: u64) -> Result<(), MakeError> {
        if self.looked + 1 >= before {
            return Ok(());
        }
        for block in blocks(store, self.looked + 1) {
            let block = block?;
            let last = block.header().last_sequence;
            for record in block.records() {
                if record.sequence <= self.looked || !sets_up(record.kind) {
                    continue;
                }
                let event = codec::decode(record.kind, record.version, record.payload)
                    .map_err(|error| VerifyError::record(record.sequence, error))?;
                let found = SetUp::of(&event.fact);
                self.set_up
                    .extend(found.map(|what| (record.sequence, what)));
            }
            self.looked = last;
            if last + 1 >= before {
                break;
            }
        }
        Ok(())
    }

    /// The records that set the table up as it was before a record: of openings
    /// with the same book only those that add stations and the last matter.
    fn set_up_before(&self, before: u64) -> Vec<u64> {
        let mut kept: Vec<&(u64, SetUp)> = Vec::new();
        for entry in self.set_up.iter().filter(|(place, _)| *place < before) {
            if let (_, SetUp::Opened { book: new, .. }) = entry {
                kept.retain(|(_, old)| match old {
                    SetUp::Opened { book, stations } => *stations || book != new,
                    SetUp::Replaceable => false,
                    SetUp::Stays => true,
                });
            }
            kept.push(entry);
        }
        kept.iter().map(|(place, _)| *place).collect()
    }
}

/// Adds the places of what a station may see; how the round ended, where the
/// record that says so is not among them.
fn choose(
    own: StationId,
    events: &[(u64, Event)],
    amended: &[(u64, Event)],
    sequences: &mut BTreeSet<u64>,
) -> Vec<Told> {
    let bets = events
        .iter()
        .filter(|(_, event)| scope::is_bet(&event.fact));
    let mut bettors = bets.filter_map(|(_, event)| scope::station(&event.fact));
    let alone = bettors.all(|bettor| bettor == own);
    let mut told = Vec::new();
    for (place, event) in events.iter().chain(amended) {
        if scope::shown_to(own, alone, &event.fact) {
            sequences.insert(*place);
        }
        let dice = match &event.fact {
            Fact::RoundSettled { dice, .. } | Fact::ResultCorrected { dice, .. } => {
                Some(dice.faces())
            }
            Fact::RoundVoided { .. } | Fact::RoundVoidedLate { .. } => None,
            _ => continue,
        };
        told.push(Told {
            sequence: *place,
            dice,
        });
    }
    if alone { Vec::new() } else { told }
}

/// Every record of a round.
fn events_of(store: &dyn Store, row: &RoundRow) -> Result<Vec<(u64, Event)>, MakeError> {
    let mut events = Vec::new();
    for block in blocks(store, row.first_sequence) {
        let block = block?;
        for record in block.records() {
            if !(row.first_sequence..=row.last_sequence).contains(&record.sequence) {
                continue;
            }
            let event = codec::decode(record.kind, record.version, record.payload)
                .map_err(|error| VerifyError::record(record.sequence, error))?;
            events.push((record.sequence, event));
        }
        if block.header().last_sequence >= row.last_sequence {
            break;
        }
    }
    Ok(events)
}

fn follow(table: &mut Table, place: u64, event: &Event) -> Result<(), MakeError> {
    let applied = apply_read(table, event);
    applied.map_err(|what| VerifyError::record(place, what).into())
}

/// Records of this kind set a table up.
fn sets_up(kind: u16) -> bool {
    let names = [
        "TableOpened",
        "StationAdded",
        "StationRemoved",
        "RuleBookScheduled",
        "LimitsScheduled",
        "DiceChanged",
    ];
    codec::KINDS
        .iter()
        .any(|info| info.kind == kind && names.contains(&info.name))
}
