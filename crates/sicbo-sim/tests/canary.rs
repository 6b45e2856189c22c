//! Every house broken on purpose is caught, and for the right reason.

use sicbo_sim::{Canary, run_canary};

/// Most worlds a canary may survive.
const SEEDS: u64 = 40;

fn caught(canary: Canary, because: &[&str]) {
    caught_within(SEEDS, canary, because);
}

fn caught_within(seeds: u64, canary: Canary, because: &[&str]) {
    for seed in 1..=seeds {
        if let Err(failure) = run_canary(canary, seed) {
            let what = &failure.what;
            assert!(
                because.iter().any(|words| what.contains(words)),
                "{canary:?} was caught by seed {seed} for another reason: {what}"
            );
            return;
        }
    }
    panic!("{canary:?} survived {seeds} seeds");
}

#[test]
fn a_loop_that_answers_before_the_disk_is_caught() {
    caught(Canary::AnswersTooEarly, &["was shown as durable"]);
}

#[test]
fn a_loop_that_ignores_a_failed_append_is_caught() {
    caught(
        Canary::IgnoresFailure,
        &["was shown as durable", "after an append had failed"],
    );
}

#[test]
fn a_recovery_that_forgets_the_last_block_is_caught() {
    caught(Canary::ForgetsLastBlock, &["was shown as durable"]);
}

#[test]
fn a_store_that_trusts_the_log_is_caught() {
    // A sync must fail, the process come back, and the power go: a rarer world.
    // The store may notice the hole itself when it opens the journal once more.
    caught_within(
        400,
        Canary::TrustsTheLog,
        &["was shown as durable", "truncated or damaged"],
    );
}

#[test]
fn a_table_that_pays_twice_is_caught() {
    caught(Canary::PaysTwice, &["the house shows"]);
}

#[test]
fn a_table_that_keeps_a_cent_is_caught() {
    caught(Canary::Skims, &["the house shows"]);
}

#[test]
fn a_table_that_takes_bets_after_the_acknowledgement_is_caught() {
    caught(
        Canary::BetsAfterAcknowledging,
        &["after its terminal acknowledged the close"],
    );
}

#[test]
fn a_table_that_forgets_the_names_of_bets_is_caught() {
    caught(Canary::ForgetsBetNames, &["registered a second time"]);
}

#[test]
fn a_table_that_never_fences_is_caught() {
    caught(
        Canary::NeverFences,
        &["while none are taken", "does not come to its end"],
    );
}

#[test]
fn a_table_that_uncovers_early_is_caught() {
    caught(Canary::UncoversEarly, &["uncovered before the close"]);
}

#[test]
fn a_table_that_invents_results_is_caught() {
    caught(Canary::InventsResult, &["that nobody keyed"]);
}

#[test]
fn a_table_that_forgets_interruptions_is_caught() {
    caught(
        Canary::ForgetsInterruption,
        &[
            "can only be void was settled",
            "nobody keyed",
            "does not come to its end",
        ],
    );
}

#[test]
fn every_canary_has_a_test() {
    let source = include_str!("canary.rs");
    for canary in Canary::ALL {
        assert!(
            source.contains(&format!("Canary::{canary:?}")),
            "{canary:?}"
        );
    }
}
