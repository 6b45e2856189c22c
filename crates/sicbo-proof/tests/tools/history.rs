//! Rounds read beside the running writer are what the table itself had.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use sicbo_journal::{DataFolder, SqliteStore, Store, StreamId};
use sicbo_proof::RoundCode;
use sicbo_proof::history::History;
use sicbo_proof::story::overview;
use sicbo_rules::Dice;
use sicbo_table::Act;
use sicbo_table::ids::StationId;
use sicbo_table::record::Standing;
use sicbo_table::round::Phase;

use sicbo_testkit::random::Xorshift;
use sicbo_testkit::script::{Script, folder_in_memory};

fn stream() -> StreamId {
    StreamId::new("table-1").expect("a name")
}

fn script(folder: &Path, book: &str, stations: u32) -> Script<SqliteStore> {
    Script::in_folder(folder, &stream(), book, stations)
}

fn history(folder: &Path) -> History {
    let path = DataFolder::stream_path(folder, &stream());
    History::open(&stream(), &path).expect("opens beside the writer")
}

/// Every ended round against what the table had.
fn compare(history: &mut History, script: &Script<SqliteStore>) {
    let table = script.table();
    let last = table.last_record.as_ref().expect("a round");
    assert_eq!(
        history.record(last.number.0).expect("read").as_ref(),
        Some(last)
    );
    for (round, known) in &script.records {
        let record = history.record(*round).expect("read").expect("ended");
        match table.amended.get(&known.number) {
            // As it was when it was the last, amendments made then included.
            None => assert_eq!(&record, known),
            Some(amended) => {
                assert_eq!(record.standing, amended.standing, "round {round}");
                assert_eq!(record.revision, amended.revision, "round {round}");
                assert_eq!(record.stations, known.stations);
                assert_eq!(
                    (&record.book, &record.dice_set),
                    (&known.book, &known.dice_set)
                );
            }
        }
    }
    let summaries = history.recent(None, 256).expect("read");
    let numbers: Vec<u64> = summaries.iter().map(|summary| summary.number).collect();
    let mut ended: Vec<u64> = script.records.keys().copied().collect();
    ended.reverse();
    assert_eq!(numbers, ended);
    for summary in &summaries {
        let record = history
            .record(summary.number)
            .expect("read")
            .expect("ended");
        assert_eq!(summary.standing, record.standing);
        assert_eq!(summary.amended, record.revision);
        assert_eq!(summary.void.is_some(), record.standing == Standing::Void);
    }
    for station in 0..table.stations.len() as u32 {
        let plays = history
            .station_rounds(StationId(station), 20)
            .expect("read");
        let mut own: Vec<u64> = script
            .records
            .values()
            .filter(|record| record.stations.iter().any(|part| part.station.0 == station))
            .map(|record| record.number.0)
            .collect();
        own.reverse();
        own.truncate(20);
        let rounds: Vec<u64> = plays.iter().map(|play| play.summary.number).collect();
        assert_eq!(rounds, own, "station {station}");
        for play in &plays {
            let record = history
                .record(play.summary.number)
                .expect("read")
                .expect("ended");
            let part = &play.paid.record;
            let (plain, colour) = part.returned(&record.book, record.standing);
            assert_eq!(play.paid.returned, plain + colour);
            assert_eq!(play.paid.staked, part.staked());
            // Nothing else moves this credit while a round is played.
            if play.summary.amended == 0 && table.stations[station as usize].name.starts_with('T') {
                let moved = play.credit_after - play.credit_before;
                assert_eq!(moved, play.paid.returned - play.paid.staked);
            }
        }
    }
}

fn random_rounds(book: &str, seed: u64, rounds: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("house");
    let mut script = script(&folder, book, 3);
    let mut history = history(&folder);
    let mut numbers = Xorshift(seed);
    for at in 0..rounds {
        let mut bets = Vec::new();
        for station in 0..3 {
            if numbers.below(2) == 0 {
                let section = ["big", "small"][numbers.below(2)];
                bets.push((station, section, 500 + 100 * numbers.below(9) as i64));
            }
        }
        let dice = numbers.dice();
        if numbers.below(5) == 0 {
            script.void_round(&bets, dice);
        } else {
            script.round(&bets, dice);
        }
        let last = script.table().last_round.0;
        match numbers.below(4) {
            0 => {
                script.correct(last, numbers.dice());
            }
            1 => {
                script.correct(1 + numbers.below(last as usize) as u64, numbers.dice());
            }
            2 if at % 7 == 3 => {
                let round = 1 + numbers.below(last as usize) as u64;
                let records = vec![history.record(round).expect("read").expect("ended")];
                let reason = "a chipped die".to_owned();
                script.done(Act::VoidRounds {
                    records,
                    cause: Some(sicbo_rules::rulebook::words::Cause::DiceDamaged),
                    pending: None,
                    reason,
                });
                script.done(Act::ChangeDice {
                    dice_set: format!("dice {at}"),
                });
            }
            _ => {}
        }
        if at % 5 == 4 {
            compare(&mut history, &script);
        }
    }
    compare(&mut history, &script);
    // One that has seen nothing yet, from a snapshot or from the beginning.
    compare(&mut self::history(&folder), &script);
    assert!(
        history
            .record(script.table().last_round.0 + 1)
            .expect("read")
            .is_none()
    );
}

#[test]
fn what_history_tells_is_what_the_table_had() {
    for (book, seed) in [("rws-etg", 3), ("mbs-etg", 4), ("quang-nam-table", 5)] {
        random_rounds(book, seed, 70);
    }
}

#[test]
fn p_007_a_round_has_one_code_everywhere_and_a_correction_does_not_change_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("house");
    let mut script = script(&folder, "rws-etg", 2);
    let mut history = history(&folder);
    let round = script.round(&[(0, "big", 1_000)], [4, 4, 6]);
    let before = history.recent(None, 1).expect("read")[0].clone();
    assert!(script.correct(round, [1, 2, 3]));
    let after = history.recent(None, 1).expect("read")[0].clone();
    assert_eq!((before.code, before.amended), (after.code, 0));
    assert_eq!(
        (after.amended, after.dice().map(|dice| dice.faces())),
        (1, Some([1, 2, 3]))
    );
    let lines = overview(&script.store, &stream()).expect("whole");
    assert_eq!(lines[0].code, Some(after.code));
    // From the stored bytes, by hand.
    let row = &script.store.rounds(round, 1).expect("read")[0];
    let block = script
        .store
        .read_from(row.last_sequence)
        .next()
        .expect("there");
    let block = block.expect("readable").decode().expect("whole");
    let mut records = block.records();
    let last = records.find(|record| record.sequence == row.last_sequence);
    let code = RoundCode::of(&stream(), round, last.expect("there").payload);
    assert_eq!(code, after.code);
}

/// `cargo test -p sicbo-proof --test proof -- --ignored --nocapture fast`
#[test]
#[ignore = "builds a journal of ten thousand rounds and a million bets"]
fn p_007_the_last_twenty_rounds_come_fast_from_a_long_journal() {
    let folder = folder_in_memory();
    let folder = folder.path().join("house");
    // The last station plays the first rounds only.
    let stations = 21;
    let mut script = script(&folder, "rws-etg", stations);
    let mut numbers = Xorshift(9);
    let started = Instant::now();
    for round in 0..10_000u64 {
        let dice = Dice::from_faces(numbers.dice()).expect("dice");
        script.until(Phase::Betting, dice);
        for bet in 0..100u64 {
            let idle = stations - 1;
            let station = if bet == 0 && round < 30 {
                idle
            } else {
                bet as u32 % idle
            };
            let section = ["big", "small", "odd", "even"][numbers.below(4)];
            script.submit_bet(station, round * 100 + bet, section);
        }
        script.finish(dice);
        script.top_up();
    }
    let tail = script.store.tail().sequence;
    eprintln!("{tail} records in {:?}", started.elapsed());
    let mut history = history(&folder);
    let time = |what: &str, history: &mut History, station: u32| {
        let started = Instant::now();
        let plays = history
            .station_rounds(StationId(station), 20)
            .expect("read");
        let took = started.elapsed();
        eprintln!("{what}: {took:?}");
        assert_eq!(plays.len(), 20);
        took
    };
    time("cold, a busy station", &mut history, 0);
    let warm = time("warm, a busy station", &mut history, 1);
    time("cold, an idle station", &mut history, stations - 1);
    let idle = time("warm, an idle station", &mut history, stations - 1);
    let started = Instant::now();
    history.recent(None, 50).expect("read");
    eprintln!("fifty recent: {:?}", started.elapsed());
    let started = Instant::now();
    let _: Arc<_> = history.record(5_000).expect("read").expect("ended");
    eprintln!("one old record: {:?}", started.elapsed());
    assert!(warm.as_millis() < 100 && idle.as_millis() < 100);
}
