//! A journal into which another program put something, or from which it took a
//! guard: refused by whoever writes or reads, and named.

use rusqlite::Connection;
use sicbo_journal::*;

use crate::common::{next_block, stream, writer_after};

const CHANGES: [(&str, &str); 6] = [
    (
        "CREATE TRIGGER z BEFORE INSERT ON blocks BEGIN SELECT RAISE(IGNORE); END",
        "the trigger z on blocks is foreign",
    ),
    (
        "CREATE INDEX i ON blocks (epoch)",
        "the index i on blocks is foreign",
    ),
    ("CREATE VIEW v AS SELECT 1", "the view v is foreign"),
    ("CREATE TABLE t (x)", "the table t is foreign"),
    (
        "DROP TRIGGER a_block_is_never_deleted",
        "the trigger a_block_is_never_deleted on blocks is missing",
    ),
    (
        "CREATE TABLE kept AS SELECT * FROM blocks; DROP TABLE blocks; \
         CREATE VIEW blocks AS SELECT * FROM kept",
        "the view blocks is foreign",
    ),
];

#[test]
fn whatever_another_program_put_into_a_journal_is_refused_and_named() {
    for (sql, words) in CHANGES {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("x.sqlite");
        let options = SqliteOptions::default();
        let mut store = SqliteStore::create(&file, stream(), &options).unwrap();
        let block = next_block(&mut writer_after(&store.tail()), 3);
        store.append(&block, Beside::default()).unwrap();
        drop(store);
        let other = Connection::open(&file).unwrap();
        other.execute_batch(sql).unwrap();
        drop(other);
        let named = |opened: Result<SqliteStore, OpenError>| match opened {
            Err(OpenError::Altered { what, .. }) => assert!(what.contains(words), "{what}"),
            other => panic!("{sql}: {other:?}"),
        };
        named(SqliteStore::open(&file, stream(), &options));
        named(SqliteStore::open_read_only(&file, stream(), &options.vfs));
        // A verifier reads on, as far as there is something to read.
        let (store, foreign) = SqliteStore::open_to_examine(&file, stream(), &options.vfs).unwrap();
        assert!(foreign.iter().any(|what| what == words), "{foreign:?}");
        assert_eq!(store.tail().sequence, 3);
    }
}

#[test]
fn a_trigger_that_comes_while_the_house_runs_swallows_nothing() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("x.sqlite");
    let mut store = SqliteStore::create(&file, stream(), &SqliteOptions::default()).unwrap();
    let mut writer = writer_after(&store.tail());
    let block = next_block(&mut writer, 3);
    store.append(&block, Beside::default()).unwrap();
    let other = Connection::open(&file).unwrap();
    other.execute_batch(CHANGES[0].0).unwrap();
    let refused = store.append(&next_block(&mut writer, 2), Beside::default());
    let Err(AppendError::Failed { what }) = refused else {
        panic!("{refused:?}");
    };
    assert!(what.contains("altered the journal's schema"), "{what}");
    assert_eq!(store.tail().sequence, 3, "nothing more was acknowledged");
}
