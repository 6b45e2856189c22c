//! A record that the house's own key signed and that cannot have happened: whoever reads it says
//! so of its stream, and nothing crashes.

use sicbo_journal::{CheckpointReason, DataFolder, Store as _, Writer};
use sicbo_loop::{Order, persist};
use sicbo_rules::Money;
use sicbo_table::actor::Actor;
use sicbo_table::{Event, Fact, codec};

use crate::cli::binary::{good, run};
use crate::cli::journal::{golden, text, writes_as};

#[test]
fn a_record_that_cannot_have_happened_is_an_error_of_its_stream_and_no_crash() {
    let folder = golden("cannot-be");
    let backup = folder.with_extension("backup");
    let _ = std::fs::remove_dir_all(&backup);
    good(&["backup", text(&folder), text(&backup)]);
    let stream: sicbo_journal::StreamId = "rws-etg".parse().unwrap();
    let data = DataFolder::open(&folder).unwrap();
    let (key, signatory) = writes_as(&data);
    let mut store = data.open_stream(&stream).unwrap();
    let house = signatory.ring().house();
    let tail = store.tail();
    let mut writer = Writer::resume(stream, &tail, tail.epoch + 1, &signatory).unwrap();
    // Bets close in a round that nobody began.
    let event = Event {
        at_ms: 1_794_780_000_000,
        by: Actor::House,
        second: None,
        command: 0,
        fact: Fact::BetsClosed {
            staked: Money::from_minor(100),
        },
    };
    let mut bytes = Vec::new();
    let (kind, version) = codec::encode(&event, &mut bytes);
    let at = writer.push(event.at_ms, kind, version, &bytes).unwrap();
    let order = Order {
        block: writer.seal(event.at_ms).unwrap(),
        rounds: Vec::new(),
        checkpoint: Some(CheckpointReason::Minute),
        time_ms: event.at_ms,
        snapshot: None,
    };
    persist(&mut store, &key, house, &order).unwrap();
    drop((store, data));

    let (path, backup) = (text(&folder), text(&backup));
    for arguments in [
        &["export", path, "--stream", "rws-etg"][..],
        &["report", "rws-etg", "--data", path],
        &["backup", path, backup, "--add"],
        &["verify", path],
    ] {
        let said = run(arguments);
        let words = format!("{}{}", said.stdout, said.stderr);
        assert!(
            [1, 2].contains(&said.code),
            "{arguments:?}: {} {words}",
            said.code
        );
        assert!(
            words.contains(&format!("record {at}")),
            "{arguments:?}: {words}"
        );
    }
    // The other tables are told as ever.
    good(&["export", path, "--stream", "mbs-etg"]);
    good(&["report", "mbs-etg", "--data", path]);
}
