//! Data folder, key folder and bad input: each mistake gets an error that says
//! what to do, and nothing is damaged.
#![allow(
    clippy::unwrap_used,
    clippy::allow_attributes,
    reason = "a test that cannot go on should stop"
)]

use std::path::{Path, PathBuf};

use crate::common::*;
use sicbo_journal::rights::RightsError;
use sicbo_journal::*;

fn temporary() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn append_one(store: &mut SqliteStore) {
    let mut writer = writer_after(&store.tail());
    store
        .append(&next_block(&mut writer, 3), Beside::default())
        .unwrap();
}

#[test]
fn a_folder_is_made_opened_again_and_lists_its_streams() {
    let place = temporary();
    let path = place.path().join("new/house");
    let folder = DataFolder::open_or_create(&path).unwrap();
    for name in ["table-1", "house"] {
        folder.create_stream(&StreamId::new(name).unwrap()).unwrap();
    }
    append_one(&mut folder.open_stream(&stream()).unwrap());
    drop(folder);
    let names: Vec<_> = DataFolder::streams(&path)
        .unwrap()
        .iter()
        .map(|s| s.to_string())
        .collect();
    assert_eq!(names, ["house", "table-1"]);
    let folder = DataFolder::open_or_create(&path).unwrap();
    assert_eq!(folder.open_stream(&stream()).unwrap().tail().sequence, 3);
}

#[test]
fn a_second_owner_of_a_folder_is_refused_and_told_who_has_it() {
    let place = temporary();
    let path = place.path().join("house");
    let first = DataFolder::create(&path).unwrap();
    let error = DataFolder::open(&path).expect_err("it is in use");
    let holder = Some(std::process::id());
    assert_eq!(
        error,
        FolderError::InUse {
            path: path.clone(),
            holder
        }
    );
    assert!(
        error.to_string().contains(path.to_str().unwrap()),
        "{error}"
    );
    drop(first);
    DataFolder::open(&path).expect("free again");
}

#[test]
fn a_wrong_folder_is_refused_and_left_alone() {
    let place = temporary();
    std::fs::write(place.path().join("letter.txt"), "dear").unwrap();
    let path = place.path().to_owned();
    let refused = DataFolder::open_or_create(&path).expect_err("someone's letters");
    assert_eq!(refused, FolderError::NotADataFolder { path: path.clone() });
    let refused = DataFolder::create(&path).expect_err("not empty");
    assert_eq!(refused, FolderError::NotEmpty { path: path.clone() });
    assert_eq!(
        std::fs::read_dir(&path).unwrap().count(),
        1,
        "nothing was added"
    );
    let missing = path.join("nowhere");
    assert_eq!(
        DataFolder::open(&missing).unwrap_err(),
        FolderError::Missing { path: missing }
    );
}

#[test]
fn a_newer_folder_or_journal_is_refused_and_left_alone() {
    let place = temporary();
    let path = place.path().join("house");
    let folder = DataFolder::create(&path).unwrap();
    drop(folder.create_stream(&stream()).unwrap());
    let file = DataFolder::stream_path(&path, &stream());
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection.pragma_update(None, "user_version", 3).unwrap();
    drop(connection);
    let before = std::fs::read(&file).unwrap();
    let error = folder.open_stream(&stream()).expect_err("format 3");
    assert_eq!(
        error,
        OpenError::NewerFormat {
            path: file.clone(),
            found: 3
        }
    );
    assert!(error.to_string().contains("use a newer program"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
    drop(folder);
    std::fs::write(
        path.join("data-folder.txt"),
        "sicbo data folder, format 7\n",
    )
    .unwrap();
    let error = DataFolder::open(&path).expect_err("format 7");
    assert_eq!(error, FolderError::NewerFormat { path, found: 7 });
}

#[test]
fn what_is_not_this_streams_journal_is_refused_and_left_alone() {
    let place = temporary();
    let file = place.path().join("x.sqlite");
    let open = || SqliteStore::open(&file, stream(), &SqliteOptions::default()).map(|_| ());
    assert_eq!(open(), Err(OpenError::Missing { path: file.clone() }));
    assert!(!file.exists(), "opening makes nothing");
    let check = |bytes: &[u8], expected: fn(&OpenError) -> bool| {
        std::fs::write(&file, bytes).unwrap();
        let error = open().expect_err("not a journal");
        assert!(expected(&error), "{error}");
        assert_eq!(std::fs::read(&file).unwrap(), bytes);
    };
    check(b"", |error| matches!(error, OpenError::Damaged { .. }));
    check(&[b'x'; 5000], |error| {
        matches!(error, OpenError::NotAJournal { .. })
    });
    std::fs::remove_file(&file).unwrap();
    rusqlite::Connection::open(&file)
        .unwrap()
        .execute_batch("CREATE TABLE t (x)")
        .unwrap();
    let other = std::fs::read(&file).unwrap();
    check(&other, |error| {
        matches!(error, OpenError::NotAJournal { .. })
    });
    std::fs::remove_file(&file).unwrap();
    let house = StreamId::new("house").unwrap();
    drop(SqliteStore::create(&file, house, &SqliteOptions::default()).unwrap());
    let renamed = std::fs::read(&file).unwrap();
    check(&renamed, |error| {
        matches!(error, OpenError::AnotherStream { .. })
    });
    let again = SqliteStore::create(&file, stream(), &SqliteOptions::default()).map(|_| ());
    assert_eq!(again, Err(OpenError::Exists { path: file.clone() }));
}

/// A journal of one block in a folder of its own.
fn with_one_block() -> (tempfile::TempDir, PathBuf, SqliteStore) {
    let place = temporary();
    let file = place.path().join("x.sqlite");
    let mut store = SqliteStore::create(&file, stream(), &SqliteOptions::default()).unwrap();
    append_one(&mut store);
    (place, file, store)
}

#[test]
fn a_damaged_last_block_is_not_written_after() {
    let (_place, file, store) = with_one_block();
    drop(store);
    let connection = rusqlite::Connection::open(&file).unwrap();
    let guard = "SELECT sql FROM sqlite_schema WHERE name = 'a_block_is_never_changed'";
    let guard: String = connection.query_row(guard, [], |row| row.get(0)).unwrap();
    let sql = "DROP TRIGGER a_block_is_never_changed; \
               UPDATE blocks SET body = CAST(substr(body, 1, length(body) - 1) || 'x' AS BLOB)";
    connection
        .execute_batch(&format!("{sql}; {guard}"))
        .unwrap();
    drop(connection);
    let error = SqliteStore::open(&file, stream(), &SqliteOptions::default()).map(|_| ());
    assert!(
        matches!(&error, Err(OpenError::Damaged { what, .. }) if what.contains("record")),
        "{error:?}"
    );
}

#[test]
fn blocks_and_checkpoints_cannot_be_changed_with_plain_sql() {
    let (_place, file, _store) = with_one_block();
    let connection = rusqlite::Connection::open(&file).unwrap();
    for (sql, expected) in [
        ("UPDATE blocks SET time_ms = 0", "a block is never changed"),
        ("DELETE FROM blocks", "a block is never deleted"),
        (
            "INSERT INTO checkpoints VALUES (1, 0, 0, '', '', '', x'')",
            "covers_a_record",
        ),
    ] {
        let error = connection.execute_batch(sql).expect_err(sql).to_string();
        assert!(error.contains(expected), "{sql}: {error}");
    }
}

#[test]
fn a_reader_beside_the_writer_sees_what_is_durable_and_writes_nothing() {
    let (_place, file, mut store) = with_one_block();
    let mut reader = SqliteStore::open_read_only(&file, stream(), &Vfs::default()).unwrap();
    assert_eq!(reader.tail(), store.tail());
    append_one(&mut store);
    assert_eq!(reader.read_from(1).count(), 2);
    let mut writer = writer_after(&store.tail());
    let refused = reader.append(&next_block(&mut writer, 1), Beside::default());
    assert!(matches!(refused, Err(AppendError::ReadOnly)));
}

#[test]
fn a_copy_of_the_file_is_whole_when_its_writer_is_gone_although_a_reader_has_it_open() {
    let place = temporary();
    let (file, copy) = (place.path().join("x.sqlite"), place.path().join("y.sqlite"));
    let mut store = SqliteStore::create(&file, stream(), &SqliteOptions::default()).unwrap();
    let reader = SqliteStore::open_read_only(&file, stream(), &Vfs::default()).unwrap();
    append_one(&mut store);
    let tail = store.tail();
    drop(store);
    // The file alone, without what may lie beside it.
    std::fs::copy(&file, &copy).unwrap();
    let copied = SqliteStore::open_read_only(&copy, stream(), &Vfs::default()).unwrap();
    assert_eq!(copied.tail(), tail);
    assert_eq!(reader.read_from(1).count(), 1);
}

#[test]
fn a_log_whose_journal_is_gone_is_not_taken_into_a_new_one() {
    let (place, file, store) = with_one_block();
    let log = place.path().join("x.sqlite-wal");
    // Another process is killed: its log stays, and the journal is lost.
    let kept = std::fs::read(&log).unwrap();
    assert!(!kept.is_empty());
    drop(store);
    std::fs::remove_file(&file).unwrap();
    std::fs::write(&log, &kept).unwrap();
    std::fs::write(place.path().join("x.sqlite-shm"), "an index").unwrap();
    let made = || SqliteStore::create(&file, stream(), &SqliteOptions::default());
    let refused = made().map(|_| ()).unwrap_err();
    assert!(matches!(&refused, OpenError::LogAlone { path, .. } if *path == log));
    let said = refused.to_string();
    assert!(said.contains("a log without its journal"), "{said}");
    assert!(said.contains("move the log away"), "{said}");
    assert!(!file.exists());
    assert_eq!(std::fs::read(&log).unwrap(), kept);
    // An empty log holds nothing, and an index is made anew.
    std::fs::write(&log, "").unwrap();
    assert_eq!(made().unwrap().tail(), Tail::default());
}

#[test]
fn half_made_streams_and_keys_of_an_earlier_crash_are_made_anew() {
    let place = temporary();
    let path = place.path().join("house");
    let folder = DataFolder::create(&path).unwrap();
    std::fs::write(path.join("journal/table-1.unfinished"), "half").unwrap();
    assert_eq!(DataFolder::streams(&path).unwrap(), []);
    folder.open_or_create_stream(&stream()).unwrap();
    std::fs::create_dir_all(folder.keys_path().join("1.unfinished")).unwrap();
    KeyFolder::open_or_create(&folder.keys_path(), || [1; 32]).unwrap();
}

#[test]
fn keys_are_made_once_and_rotated_with_a_hand_over() {
    let place = temporary();
    let path = place.path().join("keys");
    let mut keys = KeyFolder::open_or_create(&path, || [1; 32]).unwrap();
    let house = keys.ring().house();
    for number in 2..5u8 {
        keys.rotate(&[number; 32], START_MS + i64::from(number))
            .unwrap();
    }
    let again = KeyFolder::open_or_create(&path, || panic!("keys are there")).unwrap();
    assert_eq!(again.current().id(), keys.current().id());
    assert_eq!(again.ring(), keys.ring());
    assert_eq!(KeyFolder::read_ring(&path).unwrap().house(), house);
}

#[cfg(unix)]
#[test]
fn a_secret_key_is_its_owners_only_and_refused_otherwise() {
    use std::os::unix::fs::PermissionsExt;
    let place = temporary();
    let path = place.path().join("keys");
    KeyFolder::open_or_create(&path, || [1; 32]).unwrap();
    let secret = path.join("1/key.pem");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&secret), 0o600);
    for bad in [0o640, 0o604, 0o620] {
        std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(bad)).unwrap();
        let error = KeyFolder::open(&path).expect_err("others may read it");
        assert_eq!(
            error,
            KeyFolderError::Rights(RightsError::Loose {
                path: secret.clone(),
                mode: bad,
                wanted: "go=",
            })
        );
    }
    assert!(
        KeyFolder::read_ring(&path).is_ok(),
        "verifying needs no secret"
    );
}

#[test]
fn a_key_that_was_not_handed_over_to_is_refused() {
    let place = temporary();
    let path = place.path().join("keys");
    let mut keys = KeyFolder::open_or_create(&path, || [1; 32]).unwrap();
    keys.rotate(&[2; 32], START_MS).unwrap();
    let forged = HouseKey::from_entropy(&[3; 32]).public().to_pem().unwrap();
    std::fs::write(path.join("2/public.pem"), forged).unwrap();
    let error = KeyFolder::open(&path).expect_err("a forged key");
    assert_eq!(
        error,
        KeyFolderError::Mismatch {
            path: path.join("2/public.pem")
        }
    );
}

#[test]
fn a_folder_half_made_before_a_crash_is_made_anew() {
    let place = temporary();
    let path = place.path().join("house");
    std::fs::create_dir_all(path.join("journal")).unwrap();
    for (name, bytes) in [("lock", "99\n"), ("data-folder.unfinished", "sic")] {
        std::fs::write(path.join(name), bytes).unwrap();
    }
    drop(DataFolder::open_or_create(&path).unwrap());
    DataFolder::open(&path).expect("complete now");
}

#[test]
fn a_backup_of_a_running_journal_is_complete_and_verifies() {
    let place = temporary();
    let (file, copy) = (
        place.path().join("x.sqlite"),
        place.path().join("copy.sqlite"),
    );
    let mut store = SqliteStore::create(&file, stream(), &SqliteOptions::default()).unwrap();
    append_one(&mut store);
    store.backup(&copy).unwrap();
    append_one(&mut store);
    assert_eq!(
        store.backup(&copy),
        Err(OpenError::Exists { path: copy.clone() })
    );
    let copied = SqliteStore::open_read_only(&copy, stream(), &Vfs::default()).unwrap();
    let report = verify_chain(stream(), copied.read_from(1), [], &ring()).unwrap();
    assert_eq!(report.records, 3, "what came later is not in it");
    drop(copied);
    append_one(&mut SqliteStore::open(&copy, stream(), &SqliteOptions::default()).unwrap());
}

/// Runs a test of this file again as a user without rights, because root may
/// do anything, and checks that it came to its end. The folder is that user's
/// to read as `mode` says.
#[cfg(unix)]
fn again_without_rights(test: &str, mode: u32) {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    let rights = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let place = temporary();
    let path = place.path().join("house");
    let folder = DataFolder::create(&path).unwrap();
    append_one(&mut folder.create_stream(&stream()).unwrap());
    drop(folder);
    let copy = place.path().join("test-program");
    std::fs::copy(std::env::current_exe().unwrap(), &copy).unwrap();
    rights(place.path(), 0o755);
    // Journals are their owner's alone until somebody is let in.
    rights(&DataFolder::stream_path(&path, &stream()), mode & 0o444);
    rights(&path.join("journal"), mode);
    rights(&path, mode);
    let mut command = std::process::Command::new(&copy);
    command
        .args([&format!("folder::{test}"), "--exact", "--nocapture"])
        .env("SICBO_TEST_FOLDER", &path);
    if std::fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0) {
        command.uid(65534);
    }
    let output = command.output().expect("this program runs");
    rights(&path, 0o755);
    rights(&path.join("journal"), 0o755);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("came to its end"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[cfg(unix)]
#[test]
fn a_folder_without_rights_is_said() {
    let Ok(path) = std::env::var("SICBO_TEST_FOLDER") else {
        return again_without_rights("a_folder_without_rights_is_said", 0o000);
    };
    let path = Path::new(&path);
    let refused = DataFolder::open_or_create(path).expect_err("no rights");
    assert_eq!(
        refused,
        FolderError::NoRights {
            path: path.to_owned()
        }
    );
    let file = DataFolder::stream_path(path, &stream());
    let refused = SqliteStore::open(&file, stream(), &SqliteOptions::default()).map(|_| ());
    assert_eq!(refused, Err(OpenError::NoRights { path: file }));
    println!("came to its end");
}

#[cfg(unix)]
#[test]
fn an_auditor_reads_a_closed_journal_where_nothing_may_be_written() {
    let test = "an_auditor_reads_a_closed_journal_where_nothing_may_be_written";
    let Ok(path) = std::env::var("SICBO_TEST_FOLDER") else {
        return again_without_rights(test, 0o555);
    };
    let path = Path::new(&path);
    assert_eq!(DataFolder::streams(path).unwrap(), [stream()]);
    let file = DataFolder::stream_path(path, &stream());
    let store = SqliteStore::open_read_only(&file, stream(), &Vfs::default()).unwrap();
    let report = verify_chain(stream(), store.read_from(1), [], &ring()).unwrap();
    assert_eq!(report.records, 3);
    println!("came to its end");
}
