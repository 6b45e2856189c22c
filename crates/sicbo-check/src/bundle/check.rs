//! Verifies a bundle from the file alone: keys, signatures, headers, records,
//! payments. Names the first part that does not hold.

use sicbo_journal::{Header, KeyId, KeyRing, Record, StreamId};
use sicbo_rules::{Dice, Money};
use sicbo_table::ids::RoundNumber;
use sicbo_table::record::{RoundRecord, Standing, StationRecord};

use sicbo_table::{Config, Event, Fact, Table, apply, codec};

use super::{Bundle, SignedRecords, scope};
use crate::code::RoundCode;
use crate::digests;
use crate::lives::{Life, Lives};
use crate::paid::paid;
use crate::trust::Trust;

/// What a bundle proves.
#[derive(Debug)]
pub struct ProvedRound {
    /// Whose journal it is.
    pub house: KeyId,
    /// The keys that signed.
    pub keys: usize,
    /// The stream.
    pub stream: StreamId,
    /// The round.
    pub round: u64,
    /// The station it was made for.
    pub station: Option<String>,
    /// Records shown, each proved.
    pub records: usize,
    /// Headers that lead to checkpoints.
    pub headers: usize,
    /// Checkpoints, each with a good signature.
    pub checkpoints: usize,
    /// When the house signed last, UTC milliseconds.
    pub signed_ms: i64,
    /// The table, its rules and its money when the round began.
    pub config: Box<Config>,
    /// How the round ended, and each amendment after.
    pub lives: Vec<Life>,
    /// Stations' names by number.
    pub names: Vec<String>,
    /// The verification code; none when the record that ended the round is not
    /// shown.
    pub code: Option<RoundCode>,
    /// What cannot be proved from this file.
    pub remarks: Vec<String>,
}

/// Looks at every event while a bundle is played again.
pub trait Watch {
    /// The stream whose records come next.
    fn stream(&mut self, _: &StreamId) {}
    /// An event about to be applied, and the record it was read from.
    fn before(&mut self, _: &Table, _: &Record<'_>, _: &Event) {}
    /// The table after it.
    fn after(&mut self, _: &Table, _: u64, _: &Event) {}
}

/// Nobody watches.
impl Watch for () {}

/// The first part of a bundle that does not hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{part}: {what}")]
pub struct BundleFault {
    /// Which part, e.g. `record 17`.
    pub part: String,
    /// The record, where it is one.
    pub sequence: Option<u64>,
    /// What is wrong.
    pub what: String,
}

/// The stream, how many headers, and the records with their places.
type Events<'b> = (StreamId, usize, Vec<(Record<'b>, Event)>);
/// The same, not yet decoded.
pub type Records<'b> = (StreamId, usize, Vec<Record<'b>>);

/// A part that does not hold.
pub fn fault(part: impl Into<String>, what: impl std::fmt::Display) -> BundleFault {
    BundleFault {
        part: part.into(),
        sequence: None,
        what: what.to_string(),
    }
}

/// A record that does not hold.
pub fn record_fault(sequence: u64, what: impl std::fmt::Display) -> BundleFault {
    BundleFault {
        sequence: Some(sequence),
        ..fault(format!("record {sequence}"), what)
    }
}

/// What a station is taken to have when its round begins. Whether it had the
/// credit it staked is for whoever has the whole journal to verify.
const CREDIT: Money = Money::from_minor(1 << 60);

impl Bundle {
    /// Verifies everything.
    ///
    /// # Errors
    /// The first part that does not hold.
    pub fn check(&self, trust: &Trust) -> Result<ProvedRound, BundleFault> {
        self.check_with(trust, &mut ())
    }

    /// Verifies everything while somebody watches the round being played again.
    ///
    /// # Errors
    /// The first part that does not hold.
    pub fn check_with(
        &self,
        trust: &Trust,
        watch: &mut dyn Watch,
    ) -> Result<ProvedRound, BundleFault> {
        let ring = self.proof.ring()?;
        trust
            .check(&ring)
            .map_err(|error| fault("the house's public key", error))?;
        let (stream, headers, events) = self.events(&ring)?;
        watch.stream(&stream);
        // Signed events were decided once and apply; ones made up by whoever
        // made up the key need not.
        let replay = std::panic::AssertUnwindSafe(|| self.replay(&stream, &events, watch));
        let played = std::panic::catch_unwind(replay)
            .unwrap_or_else(|_| Err(fault("the records", "they cannot follow from each other")))?;
        let signed = self.proof.segments.last();
        Ok(ProvedRound {
            house: ring.house(),
            keys: ring.keys().count(),
            stream,
            round: self.round,
            station: self.station.clone(),
            records: events.len(),
            headers,
            checkpoints: self.proof.segments.len(),
            signed_ms: signed.map_or(0, |last| last.checkpoint.checkpoint().time_ms),
            config: played.config,
            lives: played.lives,
            names: played.names,
            code: played.code,
            remarks: self.remarks(),
        })
    }

    /// Every record, proved up to a signature.
    fn events(&self, ring: &KeyRing) -> Result<Events<'_>, BundleFault> {
        let (stream, headers, records) = self.proof.records(ring)?;
        let mut events = Vec::with_capacity(records.len());
        for record in records {
            let event = codec::decode(record.kind, record.version, record.payload)
                .map_err(|error| record_fault(record.sequence, error))?;
            events.push((record, event));
        }
        Ok((stream, headers, events))
    }

    /// Plays the round again from its records.
    fn replay(
        &self,
        stream: &StreamId,
        events: &[(Record<'_>, Event)],
        watch: &mut dyn Watch,
    ) -> Result<Played, BundleFault> {
        let mut table = Table::default();
        let mut lives = Lives::new(RoundNumber(self.round));
        let mut code = None;
        let mut seen = Seen::default();
        let own = self.station.as_deref();
        for (record, event) in events {
            let sequence = &record.sequence;
            let wrong = |what: String| record_fault(*sequence, what);
            if let Fact::RoundBegan { round, digests, .. } = &event.fact {
                if round.0 != self.round {
                    let what = format!("it begins {round}, not round {}", self.round);
                    return Err(wrong(what));
                }
                digests::check(&table, digests).map_err(wrong)?;
                // What went before is not in the bundle; the record's own word stands.
                table.last_round = RoundNumber(self.round - 1);
                for station in &mut table.stations {
                    station.credit += CREDIT;
                }
                seen.began = Some(*sequence);
            }
            seen.order(*sequence, event, own.is_none()).map_err(wrong)?;
            let station = scope::station(&event.fact);
            if station.is_some_and(|id| table.station(id).is_none()) {
                return Err(wrong("its station is not in the bundle".to_owned()));
            }
            if let Some(name) = own {
                let alone = self.told.is_empty();
                let id = table.station_named(name);
                let private = seen.began.is_some()
                    && !id.is_some_and(|id| scope::shown_to(id, alone, &event.fact));
                if private {
                    return Err(wrong(format!("it is not for station {name} to see")));
                }
            }
            if let Fact::BetsClosed { staked } = &event.fact {
                let open = table.round.as_deref().map(|round| round.exposure.staked());
                if open != Some(*staked) {
                    return Err(wrong(
                        "the stakes at the close are not the bets'".to_owned(),
                    ));
                }
            }
            if scope::ends(&event.fact) && code.is_none() {
                code = Some(RoundCode::of(stream, self.round, record.payload));
            }
            watch.before(&table, record, event);
            apply(&mut table, event);
            lives.after(&table, *sequence, event);
            watch.after(&table, *sequence, event);
        }
        if seen.began.is_none() {
            return Err(fault("the records", "the round's first record is missing"));
        }
        let config = (table.config.clone())
            .ok_or_else(|| fault("the records", "the table's opening is missing"))?;
        let mut lives = lives.finish();
        if let Some(life) = lives.iter().find(|life| life.agrees == Some(false)) {
            let sequence = life.sequence.unwrap_or(0);
            let what = "the payments derived again are not those it claims";
            return Err(record_fault(sequence, what));
        }
        match (own, self.told.is_empty(), seen.ended) {
            (_, true, Some(_)) => {}
            (Some(name), false, None) => lives = self.station_lives(&table, name)?,
            _ => return Err(fault("the records", "the round's last record is missing")),
        }
        let names = table.stations.iter().map(|station| station.name.clone());
        Ok(Played {
            config,
            lives,
            code,
            names: names.collect(),
        })
    }

    /// The station's own payment, where the record that ends the round is not shown.
    fn station_lives(&self, table: &Table, name: &str) -> Result<Vec<Life>, BundleFault> {
        let id = table
            .station_named(name)
            .ok_or_else(|| fault("the station", format!("there is no {name}")))?;
        let (Some(round), Some(station), Some(book)) =
            (table.round.as_deref(), table.station(id), table.book())
        else {
            return Err(fault("the records", "the round is over already"));
        };
        let part = round.station(id).cloned().unwrap_or_default();
        let record = RoundRecord {
            number: round.number,
            standing: Standing::Void,
            revision: 0,
            book: book.clone(),
            dice_set: (table.config.as_ref()).map_or_else(String::new, |it| it.dice_set.clone()),
            stations: vec![StationRecord {
                station: id,
                session: station.session,
                kind: station.kind,
                layout: station.layout,
                lines: part.positions.lines().to_vec(),
                colour_lines: part.colour_positions.lines().to_vec(),
            }],
            void: None,
            corrected: None,
        };
        let read = round.confirmed.or(round.keyed.map(|reading| reading.dice));
        let mut lives = Vec::new();
        for (revision, told) in (0..).zip(&self.told) {
            let part = format!("how the round ended, record {}", told.sequence);
            let standing = match told.dice {
                None => Standing::Void,
                Some(faces) => {
                    let dice =
                        Dice::from_faces(faces).ok_or_else(|| fault(part.clone(), "no dice"))?;
                    if revision == 0 && read != Some(dice) {
                        let what = format!("{dice} is not what the records read");
                        return Err(fault(part, what));
                    }
                    Standing::Settled(dice)
                }
            };
            lives.push(Life {
                revision,
                sequence: None,
                standing,
                stations: paid(&record, standing),
                agrees: None,
            });
        }
        Ok(lives)
    }

    /// What the bundle cannot prove.
    fn remarks(&self) -> Vec<String> {
        let Some(name) = &self.station else {
            return vec![
                "every record of the round is here; later amendments are those the house had \
                 made when the bundle was made"
                    .to_owned(),
            ];
        };
        let mut remarks = vec![format!(
            "made for station {name}: bets, credit and payments of others are left out, and it \
             cannot be proved from this file that none of {name}'s own records is"
        )];
        for (at, told) in self.told.iter().enumerate() {
            let what = match (at, told.dice) {
                (0, Some(_)) => "settles the round by the dice that were read",
                (0, None) => "makes the round void",
                (_, Some(_)) => "corrects the result",
                (_, None) => "makes the round void after all",
            };
            remarks.push(format!(
                "that record {} {what} is the house's word here: the record is not shown because \
                 it carries sums over all stations. A bundle for the regulator proves it",
                told.sequence
            ));
        }
        remarks
    }
}

/// What playing a bundle again gave.
struct Played {
    config: Box<Config>,
    lives: Vec<Life>,
    names: Vec<String>,
    code: Option<RoundCode>,
}

impl SignedRecords {
    /// The keys, each handed over by the one before.
    ///
    /// # Errors
    /// The hand-over that does not hold.
    pub fn ring(&self) -> Result<KeyRing, BundleFault> {
        let mut ring = KeyRing::new(self.first_key.clone());
        for (at, hand_over) in self.hand_overs.iter().enumerate() {
            ring.accept(hand_over)
                .map_err(|error| fault(format!("the hand-over to key {}", at + 2), error))?;
        }
        Ok(ring)
    }

    /// Every record, proved up to a signature, not yet decoded.
    ///
    /// # Errors
    /// The first part that does not hold.
    pub fn records(&self, ring: &KeyRing) -> Result<Records<'_>, BundleFault> {
        let mut stream: Option<StreamId> = None;
        let mut records: Vec<Record<'_>> = Vec::new();
        let mut count = 0;
        for segment in &self.segments {
            let signed = segment.checkpoint.checkpoint();
            let part = format!("the checkpoint over record {}", signed.sequence);
            segment
                .checkpoint
                .verify(ring)
                .map_err(|error| fault(part.clone(), error))?;
            if stream.get_or_insert_with(|| signed.stream.clone()) != &signed.stream {
                return Err(fault(part, "it is of another stream"));
            }
            let part = format!("the headers up to record {}", signed.sequence);
            let headers = segment
                .headers
                .verify(&segment.checkpoint, ring)
                .map_err(|error| fault(part.clone(), error))?;
            check_run(&headers).map_err(|what| fault(part, what))?;
            count += headers.len();
            for (sequence, at, proof) in &segment.records {
                let wrong = |what: &dyn std::fmt::Display| record_fault(*sequence, what);
                let header = headers
                    .get(*at as usize)
                    .ok_or_else(|| wrong(&"its block's header is not there"))?;
                let record = proof.verify(header).map_err(|error| wrong(&error))?;
                if record.sequence != *sequence {
                    return Err(wrong(&"it does not stand at that place"));
                }
                if records
                    .last()
                    .is_some_and(|last| last.sequence >= *sequence)
                {
                    return Err(wrong(&"it is there a second time or out of order"));
                }
                records.push(record);
            }
        }
        let stream = stream.ok_or_else(|| fault("the records", "there are none"))?;
        Ok((stream, count, records))
    }
}

/// Headers follow each other without a gap.
fn check_run(headers: &[Header]) -> Result<(), String> {
    for pair in headers.windows(2) {
        if pair[1].first_sequence != pair[0].last_sequence + 1 {
            return Err(format!(
                "record {} is missing between two blocks",
                pair[0].last_sequence + 1
            ));
        }
    }
    Ok(())
}

/// Which part of the round has been seen.
#[derive(Default)]
struct Seen {
    began: Option<u64>,
    last: Option<u64>,
    ended: Option<u64>,
}

impl Seen {
    /// Set-up, then the round (without a gap where all is shown), then what
    /// came after.
    fn order(&mut self, sequence: u64, event: &Event, whole: bool) -> Result<(), String> {
        let fact = &event.fact;
        if self.began.is_none() {
            return if scope::sets_up(fact) {
                Ok(())
            } else {
                Err("it belongs neither to the set-up nor to the round".to_owned())
            };
        }
        if self.ended.is_some() {
            return Ok(());
        }
        if whole && let Some(missing) = self.last.map(|last| last + 1).filter(|m| *m != sequence) {
            return Err(format!("record {missing} before it is missing"));
        }
        self.last = Some(sequence);
        if scope::ends(fact) {
            self.ended = Some(sequence);
        }
        Ok(())
    }
}
