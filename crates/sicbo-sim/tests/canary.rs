//! Every house broken on purpose is caught, and for the right reason.

use sicbo_sim::{Canary, run_canary};

/// Most worlds a canary may survive.
const SEEDS: u64 = 40;

/// Pages of a database that are not what was written, as whoever reads them says.
const DAMAGED: [&str; 5] = [
    "was shown as durable",
    "is not what was sealed",
    "damaged",
    "malformed",
    "in the table `rounds`",
];

fn caught(canary: Canary, because: &[&str]) {
    for seed in 1..=SEEDS {
        if let Err(failure) = run_canary(canary, seed) {
            let what = &failure.what;
            assert!(
                because.iter().any(|words| what.contains(words)),
                "{canary:?} was caught by seed {seed} for another reason: {what}"
            );
            return;
        }
    }
    panic!("{canary:?} survived {SEEDS} seeds");
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
    // A sync must fail, the process come back, and the power go.
    caught(
        Canary::TrustsTheLog,
        &[
            "was shown as durable",
            "whole commits behind the gap",
            "whole frames behind it",
        ],
    );
}

#[test]
fn a_store_that_writes_pages_back_as_it_read_them_is_caught() {
    caught(Canary::WritesPagesBack, &DAMAGED);
}

#[test]
fn a_log_keeper_that_folds_again_after_a_failure_is_caught() {
    // A reader must cut a folding short, the sync of the next one fail, and the
    // power go: the world in which it was found.
    let failure = run_canary(Canary::FoldsAgain, 154_692_886_104);
    let what = failure.expect_err("pages are on no disk").what;
    assert!(DAMAGED.iter().any(|words| what.contains(words)), "{what}");
}

#[test]
fn a_store_that_forgets_its_folder_is_caught() {
    caught(Canary::ForgetsTheFolder, &["was shown as durable"]);
}

#[test]
fn a_house_that_does_not_read_again_is_caught() {
    caught(Canary::ReadsOnce, &["read wrong once keeps the house shut"]);
}

#[test]
fn a_house_that_goes_by_the_machines_clock_is_caught() {
    caught(
        Canary::GoesByTheWallClock,
        &["beyond their window", "were closed by the clock after"],
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
            "can only be void went on",
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
