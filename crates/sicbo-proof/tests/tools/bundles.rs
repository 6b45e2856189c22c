//! Bundles prove a round from the file alone, and show a station nothing of
//! the others.

use sicbo_journal::{HouseKey, KeyFolder, Record, SqliteStore, StreamId};
use sicbo_proof::bundle::{Bundle, make, tell};
use sicbo_proof::source::Journals;
use sicbo_proof::story::overview;
use sicbo_proof::{Trust, Visitor, walk};
use sicbo_table::codec;
use sicbo_table::{Event, Fact, Table};

use sicbo_testkit::golden::{FIRST_KEY, copy};

struct House {
    _folder: tempfile::TempDir,
    journals: Journals,
    keys: std::path::PathBuf,
}

impl House {
    fn golden() -> House {
        let folder = copy();
        let keys = folder.path().join("keys");
        let journals = Journals::folder(folder.path()).expect("a data folder");
        House {
            _folder: folder,
            journals,
            keys,
        }
    }

    fn tables(&self) -> Vec<(StreamId, SqliteStore)> {
        let open = |(id, _): &(StreamId, _)| self.journals.one(Some(id.as_str())).expect("opens");
        self.journals.streams.iter().map(open).collect()
    }

    fn bundle(&self, table: &(StreamId, SqliteStore), round: u64, station: Option<&str>) -> Bundle {
        let keys = KeyFolder::read_hand_overs(&self.keys).expect("keys");
        make(&table.1, &table.0, keys, round, station).expect("made")
    }
}

#[test]
fn every_round_of_every_book_is_proved_by_its_bundle_alone() {
    let house = House::golden();
    let trust = Trust::Key(HouseKey::from_entropy(&FIRST_KEY).public());
    for table in house.tables() {
        for line in overview(&table.1, &table.0).expect("whole") {
            let bundle = house.bundle(&table, line.round, None);
            let bytes = bundle.to_bytes();
            let read = Bundle::from_bytes(&bytes).expect("reads back");
            assert_eq!(read, bundle);
            let proved = tell(&read, &trust).expect("proved");
            let told = sicbo_proof::story::tell(&table.1, &table.0, line.round).expect("told");
            let mut from_bundle = proved.story;
            from_bundle.remarks.clear();
            assert_eq!(
                from_bundle.text(),
                told.text(),
                "{} {}",
                table.0,
                line.round
            );
        }
    }
}

/// Payloads that a station must not get: others' bets, and sums over all.
struct Private {
    round: u64,
    own: &'static str,
    payloads: Vec<Vec<u8>>,
}

impl Visitor for Private {
    fn before(&mut self, table: &Table, _: &Record<'_>, event: &Event) {
        if table
            .round
            .as_deref()
            .is_none_or(|round| round.number.0 != self.round)
        {
            return;
        }
        let private = match &event.fact {
            Fact::BetsPlaced { station, .. } | Fact::PositionsRecorded { station, .. } => {
                table.stations[station.0 as usize].name != self.own
            }
            Fact::BetsClosed { .. } | Fact::RoundSettled { .. } | Fact::RoundVoided { .. } => true,
            _ => false,
        };
        if private {
            let mut payload = Vec::new();
            codec::encode(event, &mut payload);
            self.payloads.push(payload);
        }
    }
}

#[test]
fn a_stations_bundle_shows_nobody_elses_bets_nor_sums_they_follow_from() {
    let house = House::golden();
    for table in house.tables() {
        let seats = table.0.as_str().contains("table");
        let own = if seats { "S1" } else { "T1" };
        for line in overview(&table.1, &table.0).expect("whole") {
            let bundle = house.bundle(&table, line.round, Some(own));
            let proved = tell(&bundle, &Trust::Anyone).expect("proved");
            let mut private = Private {
                round: line.round,
                own,
                payloads: Vec::new(),
            };
            walk::<Table>(&table.1, &table.0, &mut private).expect("whole");
            assert!(private.payloads.len() >= 2, "others took part");
            let bytes = bundle.to_bytes();
            for payload in &private.payloads {
                let shown = bytes.windows(payload.len()).any(|part| part == payload);
                assert!(!shown, "{} round {}: a private record", table.0, line.round);
            }
            let story = &proved.story;
            let life = story.lives.last().expect("an end");
            for station in &life.stations {
                assert_eq!(story.name(station.record.station), own);
            }
            // The station's own payment is what the whole round gave it.
            let told = sicbo_proof::story::tell(&table.1, &table.0, line.round).expect("told");
            for (whole, part) in told.lives.iter().zip(&story.lives) {
                let mine = whole
                    .stations
                    .iter()
                    .find(|s| told.name(s.record.station) == own);
                assert_eq!(
                    mine.map(|mine| mine.returned).unwrap_or_default(),
                    part.returned(),
                    "{} round {}",
                    table.0,
                    line.round
                );
            }
            assert!(!story.remarks.is_empty(), "what it cannot prove is said");
        }
    }
}

#[test]
fn one_changed_byte_anywhere_in_a_bundle_is_found_and_named() {
    let house = House::golden();
    let table = &house.tables()[0];
    for station in [None, Some("T1")] {
        let good = house.bundle(table, 1, station).to_bytes();
        // Most of it is one record, the rule book: its bytes are sampled.
        let edge = 5_000.min(good.len() / 2);
        let inside = (edge..good.len() - edge).step_by(211);
        for at in (0..edge)
            .chain(inside)
            .chain(good.len() - edge..good.len())
            .step_by(3)
        {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            let fault = match Bundle::from_bytes(&bad) {
                Err(error) => error.to_string(),
                Ok(bundle) => match bundle.check(&Trust::Anyone) {
                    Err(fault) => fault.to_string(),
                    Ok(_) => panic!("byte {at} of {} was not noticed", good.len()),
                },
            };
            assert!(!fault.is_empty());
        }
        for cut in [0, 1, 20, good.len() / 2, good.len() - 1] {
            assert!(Bundle::from_bytes(&good[..cut]).is_err(), "cut at {cut}");
        }
    }
}

#[test]
fn a_bundle_of_another_house_is_refused() {
    let house = House::golden();
    let bundle = house.bundle(&house.tables()[0], 1, None);
    let other = Trust::Key(HouseKey::from_entropy(&[66; 32]).public());
    let fault = bundle.check(&other).expect_err("refused");
    assert!(fault.to_string().contains("public key"), "{fault}");
}
