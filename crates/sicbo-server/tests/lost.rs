//! What a house has once had is never made anew: a journal or a secret that is
//! missing stops it, and a folder stays for money or for play.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use sicbo_backup::backup::backup;
use sicbo_plan::HousePlan;
use sicbo_register::pin::PinCost;
use sicbo_server::floor::tree::MarkPlace;
use sicbo_server::serve::{Options, run};

/// Starts a house and stops it again; what kept it from starting otherwise.
fn starts(data: &Path, real_money: bool) -> Result<(), String> {
    started(data, real_money, false).map(|_| ())
}

/// The same; tables that are out of service.
fn started(data: &Path, real_money: bool, new_house: bool) -> Result<Vec<String>, String> {
    let mut plan = HousePlan::trial();
    plan.listen = "127.0.0.1:0".to_owned();
    plan.real_money = real_money;
    plan.pin_cost = PinCost::LOW;
    let options = Options {
        plan,
        data: data.to_owned(),
        new_house,
        mark: MarkPlace::Nowhere,
        keys: Default::default(),
        house: sicbo_proof::Trust::Anyone,
    };
    let mut out = Vec::new();
    let run = run(options, std::future::ready(()), |up| {
        out = up
            .out_of_service
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        false
    });
    run.map_err(|error| error.to_string()).map(|()| out)
}

/// A copy of the folder without the files whose path ends so.
fn without(data: &Path, end: &str) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    let mut left_out = 0;
    let mut folders = vec![data.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let target = copy.path().join(path.strip_prefix(data).unwrap());
            if path.is_dir() {
                std::fs::create_dir_all(&target).unwrap();
                folders.push(path);
            } else if path.ends_with(end) {
                left_out += 1;
            } else {
                std::fs::create_dir_all(target.parent().unwrap()).unwrap();
                std::fs::copy(&path, &target).unwrap();
            }
        }
    }
    assert!(left_out > 0 || end.is_empty(), "{end} was there");
    copy
}

#[test]
fn a_house_that_has_lost_something_does_not_start() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    starts(&data, false).unwrap();
    starts(&data, false).unwrap();
    for (lost, said) in [
        ("journal/house.sqlite", "house.sqlite"),
        ("keys/vouchers.secret", "vouchers.secret"),
        ("keys/pins.secret", "pins.secret"),
        ("keys/tumblers.secret", "tumblers.secret"),
        ("keys/1/key.pem", "key"),
    ] {
        let copy = without(&data, lost);
        let error = starts(copy.path(), false).expect_err(lost);
        assert!(error.contains(said), "{lost}: {error}");
        assert!(!copy.path().join(lost).exists(), "{lost} is not made anew");
    }
    // A table's journal keeps that table shut and no other.
    let copy = without(&data, "journal/rws-etg.sqlite");
    assert_eq!(started(copy.path(), false, false).unwrap(), ["rws-etg"]);
    assert!(!copy.path().join("journal/rws-etg.sqlite").exists());
    let error = starts(&data, true).expect_err("a play-money folder");
    assert!(error.contains("play money"), "{error}");

    // A backup with its secrets is a house again.
    let copy = folder.path().join("copy");
    backup(&data, &copy, true).unwrap();
    starts(&copy, false).unwrap();
    let public = folder.path().join("public");
    backup(&data, &public, false).unwrap();
    assert!(starts(&public, false).is_err());
}

#[test]
fn a_house_for_real_money_is_made_only_when_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    // Missing, and empty: more likely not mounted than new.
    for _ in 0..2 {
        let error = starts(&data, true).expect_err("no house");
        assert!(error.contains("--new-house"), "{error}");
        assert!(!data.join("keys").exists(), "nothing is made");
        std::fs::create_dir_all(&data).unwrap();
    }
    started(&data, true, true).unwrap();
    starts(&data, true).unwrap();
    // Nobody has logged in yet: a first start that was cut short goes on.
    started(&data, true, true).unwrap();
    // A trial makes its folder.
    starts(&folder.path().join("trial"), false).unwrap();
}

/// Changes a file of a house.
fn change(file: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(file).unwrap();
    change(&mut bytes);
    std::fs::write(file, bytes).unwrap();
}

/// A house for each of its secrets: its folder, the secret's file and its name.
fn each_secret(check: impl Fn(&Path, &Path, &str)) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    starts(&data, false).unwrap();
    for name in ["pins.secret", "vouchers.secret", "tumblers.secret"] {
        let copy = without(&data, "lock");
        check(copy.path(), &copy.path().join("keys").join(name), name);
    }
}

#[test]
fn one_flipped_bit_in_a_secret_is_noticed_and_the_file_is_named() {
    each_secret(|data, file, name| {
        change(file, |bytes| bytes[17] ^= 0x10);
        let error = starts(data, false).expect_err(name);
        assert!(error.contains(name), "{name}: {error}");
        assert!(error.contains("Restore it from a backup"), "{error}");
        change(file, |bytes| bytes[17] ^= 0x10);
        starts(data, false).unwrap();
    });
}

#[test]
fn a_secret_that_is_longer_or_a_pipe_is_refused_without_waiting_for_it() {
    each_secret(|data, file, name| {
        change(file, |bytes| bytes.push(b'x'));
        let error = starts(data, false).expect_err(name);
        assert!(
            error.contains(name) && error.contains("more than"),
            "{error}"
        );
        is_refused_as_a_pipe(data, file);
        is_refused_as_a_pipe(data, &data.join("keys/1/key.pem"));
    });
}

fn is_refused_as_a_pipe(data: &Path, file: &Path) {
    std::fs::remove_file(file).unwrap();
    let made = std::process::Command::new("mkfifo").arg(file).status();
    assert!(made.unwrap().success());
    let error = starts(data, false).expect_err("a pipe");
    assert!(error.contains("is no ordinary file"), "{error}");
}

#[test]
fn a_journal_that_is_a_symbolic_link_is_called_one() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    starts(&data, false).unwrap();
    let file = data.join("journal/house.sqlite");
    let elsewhere = folder.path().join("house.sqlite");
    for there in [true, false] {
        let copy = without(&data, "lock");
        let file = copy.path().join("journal/house.sqlite");
        if there {
            std::fs::copy(&file, &elsewhere).unwrap();
        } else {
            std::fs::remove_file(&elsewhere).unwrap();
        }
        std::fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
        let error = starts(copy.path(), false).expect_err("a link");
        assert!(error.contains("is a symbolic link"), "{there}: {error}");
    }
    assert!(file.exists());
    starts(&data, false).unwrap();
}

#[test]
fn what_a_house_plays_for_stands_in_its_journal_whatever_its_files_say() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    started(&data, true, true).unwrap();
    // The note is gone, says something else, or the folder is marked as practice.
    let copy = without(&data, "money.txt");
    let error = starts(copy.path(), false).expect_err("a trial on a real register");
    assert!(error.contains("real money"), "{error}");
    assert!(!copy.path().join("trial-terminals.txt").exists());
    starts(copy.path(), true).unwrap();
    let note = std::fs::read_to_string(copy.path().join("money.txt")).unwrap();
    assert_eq!(note, "real money\n", "it is written again");
    std::fs::write(copy.path().join("money.txt"), "play money\n").unwrap();
    for real_money in [false, true] {
        let error = starts(copy.path(), real_money).expect_err("the two differ");
        assert!(error.contains("is a house for"), "{error}");
    }
    let copy = without(&data, "data-folder.txt");
    let mark = "sicbo practice folder, format 1\n";
    std::fs::write(copy.path().join("data-folder.txt"), mark).unwrap();
    let mut plan = sicbo_practice::house_plan();
    plan.listen = "127.0.0.1:0".to_owned();
    plan.pin_cost = PinCost::LOW;
    let options = Options {
        plan,
        data: copy.path().to_owned(),
        new_house: false,
        mark: MarkPlace::Nowhere,
        keys: Default::default(),
        house: sicbo_proof::Trust::Anyone,
    };
    let error = run(options, std::future::ready(()), |_| false).expect_err("no practice");
    assert!(error.to_string().contains("real money"), "{error}");
}

#[test]
fn a_folder_from_before_the_record_says_what_it_plays_for_once_and_for_ever() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/format-1");
    let site = crate::common::house::Site::released(&golden, Vec::new());
    let data = site.data();
    // Nobody knows any more what it played for.
    let copy = without(&data, "money.txt");
    let error = starts(copy.path(), false).expect_err("nothing says so");
    assert!(error.contains("money.txt is missing"), "{error}");
    // Its first start writes it down, with its secrets.
    starts(&data, false).unwrap();
    std::fs::remove_file(data.join("money.txt")).unwrap();
    let error = starts(&data, true).expect_err("play money");
    assert!(error.contains("play money"), "{error}");
    change(&data.join("keys/pins.secret"), |bytes| bytes[0] ^= 1);
    let error = starts(&data, false).expect_err("another secret");
    assert!(error.contains("pins.secret"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_house_is_its_owners_alone_and_a_secret_that_others_may_read_stops_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let set = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    starts(&data, false).unwrap();
    let folders = ["", "journal", "keys", "keys/1"].map(|name| data.join(name));
    let journals: Vec<_> = std::fs::read_dir(data.join("journal")).unwrap().collect();
    let journals: Vec<_> = journals
        .into_iter()
        .map(|one| one.unwrap().path())
        .collect();
    assert!(journals.len() >= 6, "{journals:?}");
    let are_private = || {
        for path in &folders {
            assert_eq!(mode(path), 0o700, "{}", path.display());
        }
        // SQLite's own files come and go.
        for path in journals.iter().filter(|path| path.exists()) {
            assert_eq!(mode(path), 0o600, "{}", path.display());
        }
    };
    are_private();
    // Journals of earlier releases are closed, folders too.
    folders.iter().for_each(|path| set(path, 0o755));
    journals.iter().for_each(|path| set(path, 0o644));
    starts(&data, false).unwrap();
    are_private();
    let secrets = [
        "pins.secret",
        "vouchers.secret",
        "tumblers.secret",
        "1/key.pem",
        "hand-over.txt",
    ];
    for name in secrets {
        let file = data.join("keys").join(name);
        for loose in [0o640, 0o604, 0o620] {
            set(&file, loose);
            let error = starts(&data, false).expect_err(name);
            assert!(error.contains(name) && error.contains("chmod"), "{error}");
            assert_eq!(mode(&file), loose, "it is left for somebody to look at");
        }
        set(&file, 0o600);
    }
    starts(&data, false).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_house_for_real_money_leaves_no_core_file_and_a_trial_may() {
    use rustix::process::{DumpableBehavior, Resource, dumpable_behavior, getrlimit};
    let folder = tempfile::tempdir().unwrap();
    starts(&folder.path().join("trial"), false).unwrap();
    assert_eq!(dumpable_behavior().unwrap(), DumpableBehavior::Dumpable);
    started(&folder.path().join("real"), true, true).unwrap();
    assert_eq!(dumpable_behavior().unwrap(), DumpableBehavior::NotDumpable);
    let limit = getrlimit(Resource::Core);
    assert_eq!((limit.current, limit.maximum), (Some(0), Some(0)));
}
