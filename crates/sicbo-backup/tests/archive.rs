//! What is older than a moment, as a folder of its own that proves itself.

use std::collections::BTreeMap;
use std::path::Path;

use sicbo_backup::archive::{ArchiveError, archive};
use sicbo_backup::backup::BackupError;
use sicbo_backup::increment::add;
use sicbo_journal::{DataFolder, HouseKey, KeyFolder, SqliteStore, Store, StreamId};
use sicbo_loop::Answer;
use sicbo_proof::source::{self, Journals};
use sicbo_proof::verify;
use sicbo_table::Act;
use sicbo_table::actor::Actor;
use sicbo_table::command::IncidentKind;

use sicbo_testkit::golden::{self, FIRST_KEY};
use sicbo_testkit::script::Script;

/// Every file below a folder, to see that nothing of it was touched.
fn bytes(folder: &Path, into: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).expect("listed") {
        let path = entry.expect("listed").path();
        if path.is_dir() {
            bytes(&path, into);
        } else if path.extension().is_some_and(|end| end == "sqlite") {
            let held = std::fs::read(&path).expect("read");
            into.insert(path.display().to_string(), held);
        }
    }
}

/// Verifies every stream of a folder with its own keys; its rounds by stream.
fn verified(folder: &Path) -> BTreeMap<String, Vec<(u64, String)>> {
    let journals = Journals::folder(folder).expect("a folder");
    let ring = journals.ring.as_ref().expect("keys");
    let mut rounds = BTreeMap::new();
    for (stream, path) in &journals.streams {
        let store = source::open(stream, path).expect("opened");
        verify(&store, stream, ring, &mut |_| {}).expect("verified");
        let rows = store.rounds(0, usize::MAX).expect("rows");
        let rows = rows.into_iter().map(|row| (row.round, row.state));
        rounds.insert(stream.as_str().to_owned(), rows.collect());
    }
    rounds
}

#[test]
fn p_077_s_22_what_is_old_is_archived_with_its_proof_and_nothing_is_deleted() {
    let house = golden::copy();
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    let whole = verified(house.path());
    bytes(house.path(), &mut before);
    let journals = Journals::folder(house.path()).expect("a folder");
    let (stream, store) = journals.one(Some("rws-etg")).expect("a table");
    let mut signed = store.checkpoints().expect("checkpoints");
    signed.sort_by_key(|signed| signed.checkpoint().sequence);
    assert!(signed.len() > 3, "too few to choose from");
    let places = tempfile::tempdir().expect("a folder");
    let mut amended_later = 0;
    for (at, cut) in signed.iter().enumerate() {
        let to = places.path().join(format!("archive-{at}"));
        // The moment after it was signed; others of the same moment are of it too.
        let moment = cut.checkpoint().time_ms + 1;
        let last = signed.iter().map(|signed| signed.checkpoint());
        let last = last.filter(|one| one.time_ms < moment);
        let last = last.map(|one| one.sequence).max().expect("this one");
        let archived = archive(house.path(), &to, moment).expect("archived");
        let own = archived.iter().find(|one| one.stream == stream);
        let own = own.expect("the table is in it");
        assert_eq!(own.last_sequence, last);
        // It proves itself, and a round stands in it as it stood then.
        let rounds = verified(&to);
        for (round, state) in &rounds["rws-etg"] {
            let now = whole["rws-etg"].iter().find(|(known, _)| known == round);
            let now = &now.expect("the same round").1;
            if state != now {
                assert!(matches!(state.as_str(), "settled" | "void"), "{state}");
                amended_later += 1;
            }
        }
        let ended = rounds["rws-etg"]
            .iter()
            .filter(|(_, state)| state != "open");
        let ended: Vec<u64> = ended.map(|(round, _)| *round).collect();
        let span = ended.first().copied().zip(ended.last().copied());
        assert_eq!(own.rounds, span);
        let again = archive(house.path(), &to, moment);
        assert!(matches!(again, Err(ArchiveError::Exists { .. })));
    }
    assert!(amended_later > 0, "no round was amended after a cut");
    let to = places.path().join("too-old");
    let nothing = archive(house.path(), &to, i64::MIN);
    assert!(matches!(nothing, Err(ArchiveError::Nothing)));
    assert!(!to.exists());
    bytes(house.path(), &mut after);
    assert!(before == after, "the original was changed");
}

/// Tails and checkpoints of every stream.
fn ends(folder: &Path) -> BTreeMap<String, (u64, String, usize)> {
    let journals = Journals::folder(folder).expect("a folder");
    let end = |(stream, path): &(sicbo_journal::StreamId, std::path::PathBuf)| {
        let store = source::open(stream, path).expect("opened");
        let (tail, signed) = (store.tail(), store.checkpoints().expect("checkpoints"));
        let hash = tail.header_hash.to_string();
        (stream.to_string(), (tail.sequence, hash, signed.len()))
    };
    journals.streams.iter().map(end).collect()
}

/// A house as it was at an earlier moment: what an archive holds, and not marked as one.
fn earlier_copy(house: &Path, to: &Path, before_ms: i64) {
    archive(house, to, before_ms).expect("an earlier copy");
    let refused = add(house, to, false).expect_err("an archive stays as it is");
    assert!(refused.to_string().contains("an archive"), "{refused}");
    let mark = "data-folder.txt";
    std::fs::copy(house.join(mark), to.join(mark)).expect("marked");
}

#[test]
fn an_earlier_backup_gets_what_is_new_and_is_then_as_good_as_a_whole_one() {
    let house = golden::copy();
    let (whole, all) = (verified(house.path()), ends(house.path()));
    let journals = Journals::folder(house.path()).expect("a folder");
    let (_, store) = journals.one(Some("rws-etg")).expect("a table");
    let signed = store.checkpoints().expect("checkpoints");
    let places = tempfile::tempdir().expect("a folder");
    let mut grown = 0;
    for (at, cut) in signed.iter().enumerate().step_by(2) {
        // What the house was at an earlier moment.
        let base = places.path().join(format!("backup-{at}"));
        earlier_copy(house.path(), &base, cut.checkpoint().time_ms + 1);
        let old = ends(&base);
        let added = add(house.path(), &base, false).expect("joins");
        assert!(added.signatures);
        let added = added.streams;
        for one in &added {
            let stream = one.stream.to_string();
            assert_eq!(one.before, old.get(&stream).map_or(0, |end| end.0));
            assert_eq!(one.last, all[&stream].0);
        }
        grown += usize::from(added.iter().any(|one| one.last > one.before));
        assert_eq!(ends(&base), all);
        assert_eq!(verified(&base), whole, "the index says the same");
        let again = add(house.path(), &base, false).expect("joins");
        assert!(
            again
                .streams
                .iter()
                .all(|one| one.before == one.last && one.signed == 0)
        );
    }
    assert!(grown > 1, "earlier copies lacked something");
}

#[test]
fn what_is_new_is_not_added_to_a_backup_of_another_journal() {
    let house = golden::copy();
    let places = tempfile::tempdir().expect("a folder");
    let base = places.path().join("backup");
    sicbo_backup::backup::backup(house.path(), &base, false).expect("a backup");
    // The house as it was earlier: the backup is ahead of it.
    let earlier = places.path().join("earlier");
    let journals = Journals::folder(house.path()).expect("a folder");
    let (_, store) = journals.one(Some("rws-etg")).expect("a table");
    let cut = store.checkpoints().expect("checkpoints")[1]
        .checkpoint()
        .time_ms;
    earlier_copy(house.path(), &earlier, cut + 1);
    let before = ends(&base);
    let refused = add(&earlier, &base, false);
    assert!(
        matches!(refused, Err(BackupError::DoesNotJoin { .. })),
        "{refused:?}"
    );
    assert_eq!(ends(&base), before, "nothing was added");
    // Nor while a house runs on the backup.
    let _running = sicbo_journal::DataFolder::open(&base).expect("opened");
    let refused = add(house.path(), &base, false).expect_err("in use");
    assert!(refused.to_string().contains("in use"), "{refused}");
}

/// Writes a block of incidents with long notes.
fn write_incidents(script: &mut Script<SqliteStore>, count: usize) {
    let incident = || Act::RaiseIncident {
        kind: IncidentKind::Other,
        note: "x".repeat(400),
    };
    for _ in 1..count {
        script.submit(Actor::House, incident());
    }
    let answer = script.ask(Actor::House, None, incident());
    assert!(matches!(answer, Answer::Done { .. }), "{answer:?}");
}

/// Bytes this process has handed to the system to be written.
fn written() -> u64 {
    let io = std::fs::read_to_string("/proc/self/io").expect("of this process");
    let line = io.lines().find_map(|line| line.strip_prefix("wchar: "));
    line.expect("written").trim().parse().expect("a number")
}

#[test]
fn adding_a_little_to_a_large_backup_writes_a_little() {
    let places = tempfile::tempdir().expect("a folder");
    let (from, to) = (places.path().join("house"), places.path().join("backup"));
    let data = DataFolder::create(&from).expect("a folder");
    let keys = KeyFolder::open_or_create(&data.keys_path(), || FIRST_KEY).expect("keys");
    let stream = StreamId::new("rws-etg").expect("a name");
    let store = data.create_stream(&stream).expect("a journal");
    let key = HouseKey::from_entropy(&FIRST_KEY);
    let mut script = Script::new(store, &stream, key, keys.ring().house());
    script.open("rws-etg", 2);
    for _ in 0..20 {
        write_incidents(&mut script, 500);
    }
    sicbo_backup::backup::backup(&from, &to, false).expect("a backup");
    write_incidents(&mut script, 20);
    let large = std::fs::metadata(DataFolder::stream_path(&to, &stream)).expect("there");
    let before = written();
    let added = add(&from, &to, false).expect("joins");
    let written = written() - before;
    assert_eq!(added.streams[0].last - added.streams[0].before, 20);
    // 8 KB are new.
    assert!(large.len() > 4_000_000, "{}", large.len());
    assert!(written < 400_000, "{written} of {}", large.len());
}
