//! Fifty worlds, and the promise that a seed is all there is to a run.

use std::collections::BTreeSet;

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
        "closes acknowledged",
        "device-failure",
        "dice-not-in-place",
        "interrupted",
        "keys cleared",
        "late acts",
        "overpayments ended",
        "positions written down",
        "readings-disagree",
        "results corrected",
        "rounds voided late",
        "starts from a snapshot",
        "terminal-open-case",
        "terminals fenced",
        "uncovered",
    ] {
        assert!(met.contains(kind), "{kind} was never met: {met:?}");
    }
    for kind in [
        "connection cut",
        "disk full",
        "message delayed",
        "message dropped",
        "message repeated",
        "power cut",
        "power cut after a write",
        "power cut between effects",
        "power cut within a write",
        "write failed and kept",
        "write failed and lost",
    ] {
        assert!(faults.contains(kind), "{kind} was never met: {faults:?}");
    }
}
