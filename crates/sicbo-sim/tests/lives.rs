//! Lives of a house that begin from something else than its own last moment: journals of an earlier
//! program, and backups; and its journals as files for other tools.

use std::collections::BTreeSet;
use std::process::Command;

use sicbo_sim::{Scenario, Swarm, audit, run_scenario};

/// What houses with these parts have met, all of them clean.
fn met(parts: &str, seeds: std::ops::Range<u64>) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    for seed in seeds {
        let scenario = Scenario {
            swarm: Some(Swarm::parse(parts).expect("parts")),
            ..Scenario::of(seed)
        };
        let (outcome, _) = run_scenario(&scenario);
        let report = outcome.unwrap_or_else(|failure| panic!("house {seed}: {}", failure.what));
        println!("{report}");
        reached.extend(report.reached);
    }
    reached
}

fn all_of(reached: &BTreeSet<String>, wanted: &[&str]) {
    let missing: Vec<_> = wanted
        .iter()
        .filter(|what| !reached.contains(**what))
        .collect();
    assert!(missing.is_empty(), "never met: {missing:?}");
}

/// "Binary upgraded between two starts": the journals of released formats are gone on from, and
/// every judge holds for what was written then and now.
#[test]
fn a_house_that_an_earlier_program_began_is_gone_on_from() {
    for medium in ["", "disk,"] {
        let parts = format!(
            "{medium}earlier-program,vouchers,removals,calls,disconnects,repeats,watchers,office,\
             mistakes,adjustments,power-cuts,plan-changes"
        );
        let reached = met(&parts, 1..5);
        all_of(
            &reached,
            &[
                "fault the program was upgraded",
                "player bet",
                "player redeem",
                "player cash-out",
                "fact round-settled",
                "fact interrupted",
            ],
        );
    }
}

/// "Backup taken and restored in the middle": with the program's own backups, whole, in increments
/// and sealed. One of just now is gone on from; an older one is known to mark and witness.
#[test]
fn backups_are_gone_on_from_and_older_ones_are_found_out() {
    for medium in ["", "disk,"] {
        let parts = format!(
            "{medium}backups,power-cuts,vouchers,watchers,office,adjustments,people,chips,\
             table-changes"
        );
        let reached = met(&parts, 1..7);
        all_of(
            &reached,
            &[
                "fault a backup is made",
                "fault a backup is restored",
                "fault an older backup is refused",
            ],
        );
    }
}

#[test]
fn a_house_is_written_out_for_the_tools_that_read_a_data_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("house-7");
    let ran = Command::new(env!("CARGO_BIN_EXE_sicbo-sim"))
        .args(["--seed", "7", "--data"])
        .arg(&data)
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said}");
    let tables = audit(&data).expect("it agrees");
    assert!(!tables.is_empty());
    for table in &tables {
        assert!(said.contains(table.stream.as_str()), "{said}");
        assert!(table.records > 0, "{}", table.stream);
    }
}
