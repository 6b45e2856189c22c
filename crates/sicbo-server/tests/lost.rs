//! What a house has once had is never made anew: a journal or a secret that is
//! missing stops it, and a folder stays for money or for play.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use sicbo_backup::backup::backup;
use sicbo_plan::HousePlan;
use sicbo_register::pin::PinCost;
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
