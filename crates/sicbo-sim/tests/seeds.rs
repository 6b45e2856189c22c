//! Fifty worlds that are always the same, worlds that nobody has seen before,
//! worlds that once failed, and the promise that a seed is all there is to a run.

use std::collections::BTreeSet;

use super::fresh_from;
use sicbo_sim::Canary;

/// Worlds of one part; parts run beside each other.
fn clean(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        if let Err(failure) = sicbo_sim::run(seed) {
            panic!("{failure}");
        }
    }
}

#[test]
fn seeds_1_to_25_are_clean() {
    clean(1..26);
}

#[test]
fn seeds_26_to_50_are_clean() {
    clean(26..51);
}

/// Worlds in which a sync failed, the process came back and the power went:
/// what was acknowledged between the two was gone.
const LOST_AFTER_A_FAILED_SYNC: [u64; 8] = [
    1_000_268, 1_005_084, 1_012_805, 1_017_943, 1_018_300, 1_023_970, 1_027_687, 1_029_955,
];

#[test]
fn a_failed_sync_a_restart_and_a_power_cut_lose_nothing() {
    for seed in LOST_AFTER_A_FAILED_SYNC {
        let run = sicbo_sim::run_with_own_disk(seed);
        let report = run.unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(report.medium, "sqlite");
        clean(seed..seed + 1);
    }
}

/// Of these, worlds that still meet the fault as the table and its people are
/// today, with a disk of their own.
const STILL_LOST_WITH_OWN_DISK: [u64; 4] = [1_005_084, 1_012_805, 1_023_970, 1_029_955];

/// And where others use the disk; all are later finds. 1000268,
/// 1017943, 1018300 and 1027687 meet it in neither any more.
const STILL_LOST: [u64; 10] = [4, 6, 17, 60, 76, 100, 120, 136, 138, 154];

#[test]
fn the_seeds_of_a_failed_sync_still_meet_it() {
    let lost = |seed, run: Result<sicbo_sim::Report, Box<sicbo_sim::Failure>>| {
        let what = run.map(|_| "nothing lost").map_err(|failure| failure.what);
        let meets = what.as_ref().is_err_and(|what| {
            what.contains("was shown as durable")
                || what.contains("whole commits behind the gap")
                || what.contains("whole frames behind it")
        });
        assert!(meets, "seed {seed}: {what:?}; the test below finds others");
    };
    for seed in STILL_LOST_WITH_OWN_DISK {
        lost(
            seed,
            sicbo_sim::run_canary_with_own_disk(Canary::TrustsTheLog, seed),
        );
    }
    for seed in STILL_LOST {
        lost(seed, sicbo_sim::run_canary(Canary::TrustsTheLog, seed));
        clean(seed..seed + 1);
    }
}

/// Prints seeds for lists such as those here: worlds in which a store that
/// trusts the log loses what was acknowledged.
#[test]
#[ignore = "finds seeds: SICBO_SEEDS_FROM=1 SICBO_SEEDS=2000"]
fn seeds_in_which_a_failed_sync_loses_something() {
    let setting = |name| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let (from, count) = (setting("SICBO_SEEDS_FROM"), setting("SICBO_SEEDS"));
    let from = from.unwrap_or(1);
    for seed in LOST_AFTER_A_FAILED_SYNC {
        let own = sicbo_sim::run_canary_with_own_disk(Canary::TrustsTheLog, seed).err();
        let shared = sicbo_sim::run_canary(Canary::TrustsTheLog, seed).err();
        println!(
            "{seed}: own {:?}, shared {:?}",
            own.map(|f| f.what),
            shared.map(|f| f.what)
        );
    }
    for seed in from..from + count.unwrap_or(1_000) {
        if let Err(failure) = sicbo_sim::run_canary(Canary::TrustsTheLog, seed) {
            println!("{seed}: {}", failure.what);
        }
    }
}

/// Worlds in which one bit of the log was read wrong while it was opened: the
/// connection that closed after it cut the log short for good.
const CUT_SHORT_BY_A_WRONG_BIT: [u64; 1] = [46_400_165_898];

#[test]
fn a_wrong_bit_read_at_a_start_does_no_damage() {
    for seed in CUT_SHORT_BY_A_WRONG_BIT {
        clean(seed..seed + 1);
    }
}

/// A world in which a page of the database was read wrong at a start, and
/// written back wrong.
const WRITTEN_BACK_WRONG: u64 = 154_692_880_464;

#[test]
fn a_page_read_wrong_at_a_start_is_not_written_back() {
    clean(WRITTEN_BACK_WRONG..WRITTEN_BACK_WRONG + 1);
}

/// A world in which the log's keeper folded again after its sync had failed: the
/// log began anew, and pages of an earlier folding were on no disk.
const FOLDED_AGAIN: u64 = 154_692_886_104;

#[test]
fn a_log_keeper_that_has_failed_does_not_fold_again() {
    clean(FOLDED_AGAIN..FOLDED_AGAIN + 1);
}

/// A world whose failed writes each began another endless row of power cuts, so
/// that no life was long enough to play a round.
const CUT_WITHOUT_END: u64 = 154_692_879_334;

#[test]
fn power_cuts_leave_time_to_play() {
    clean(CUT_WITHOUT_END..CUT_WITHOUT_END + 1);
}

/// A world in which the call for bets waited behind a burst of commands on a slow
/// disk for as long as bets are taken. The window counts from when the house heard
/// the call, as the record says and terminals show.
const WAITED_BEHIND_A_BURST: u64 = 787;

#[test]
fn bets_are_taken_from_when_the_house_heard_the_call() {
    clean(WAITED_BEHIND_A_BURST..WAITED_BEHIND_A_BURST + 1);
}

/// Worlds of one part of a fresh run.
const FRESH: u64 = 200;

/// Runs worlds from a start that nobody chose. A failure names its seed, with
/// which it fails again.
fn fresh(part: u64) {
    let from = fresh_from() + part * FRESH;
    println!("seeds {from}..{}", from + FRESH);
    let mut on_sqlite = 0;
    for seed in from..from + FRESH {
        match sicbo_sim::run(seed) {
            Ok(report) => on_sqlite += u64::from(report.medium == "sqlite"),
            Err(failure) => panic!("{failure}"),
        }
    }
    assert!(on_sqlite * 2 >= FRESH, "{on_sqlite} of {FRESH} on SQLite");
}

#[test]
fn fresh_seeds_are_clean_first_part() {
    fresh(0);
}

#[test]
fn fresh_seeds_are_clean_second_part() {
    fresh(1);
}

#[test]
fn the_same_seed_is_the_same_run_and_other_seeds_are_others() {
    let run = |seed| sicbo_sim::run(seed).unwrap_or_else(|failure| panic!("{failure}"));
    // Both media: the memory store, and SQLite on a simulated file system.
    for seed in [7, 10] {
        assert_eq!(run(seed).to_string(), run(seed).to_string());
    }
    let states: BTreeSet<String> = (1..9).map(|seed| run(seed).state).collect();
    assert_eq!(states.len(), 8);
}

#[test]
fn every_book_and_every_fault_is_met() {
    let mut books = BTreeSet::new();
    let mut faults = BTreeSet::new();
    let mut met = BTreeSet::new();
    for seed in 51..91 {
        let report = sicbo_sim::run(seed).unwrap_or_else(|failure| panic!("{failure}"));
        met.extend(report.met.into_keys());
        books.insert(report.book);
        faults.extend(report.faults.into_keys());
    }
    assert_eq!(books.len(), 5);
    for kind in [
        "bet-status",
        "bets taken back",
        "buy-ins",
        "cash-outs",
        "clocks looked at",
        "clocks parted",
        "closes acknowledged",
        "device-failure",
        "dice-not-in-place",
        "interrupted",
        "keys cleared",
        "long readers",
        "late acts",
        "overpayments ended",
        "positions attested",
        "positions written down",
        "readings-disagree",
        "results corrected",
        "rounds voided late",
        "starts from a snapshot",
        "terminal-open-case",
        "terminals fenced",
        "uncovered",
        "windows closed by the clock",
    ] {
        assert!(met.contains(kind), "{kind} was never met: {met:?}");
    }
    for kind in [
        "clock set back",
        "clock set forward",
        "connection cut",
        "disk full",
        "file removed",
        "log keeper failed",
        "message delayed",
        "message dropped",
        "message repeated",
        "power cut",
        "power cut after a write",
        "power cut between effects",
        "power cut within a write",
        "power cut within recovery",
        "process held",
        "sync failed within recovery",
        "truncation lost",
        "wrong bit beside the house",
        "wrong bit within recovery",
        "write failed and kept",
        "write failed and lost",
    ] {
        assert!(faults.contains(kind), "{kind} was never met: {faults:?}");
    }
}
