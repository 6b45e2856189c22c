//! Faults of identity, order of play, voids and authority.

use super::{broken, change, check, faults};
use crate::game::book;
use sicbo_rules::RuleBook;

#[test]
fn a_void_cause_without_rule() {
    broken(
        "scope = \"current-round\", rule = \"7.4\" }",
        "scope = \"current-round\" }",
        &[
            // Without its citation the cause does not count either.
            [
                "cause = [",
                "voiding.cause",
                "no rule for die-not-flat",
                "give the cause",
            ],
            [
                "is = \"die-not-flat\"",
                "voiding.cause[2].rule",
                "no citation",
                "cite the rule",
            ],
        ],
    );
}

#[test]
fn a_word_that_is_not_in_the_list() {
    broken(
        "cover = { is = \"covered\"",
        "cover = { is = \"closed\"",
        &[[
            "is = \"closed\"",
            "play.cover.is",
            "\"closed\" is unknown",
            "use one of covered, open",
        ]],
    );
    broken(
        "inform = \"pit-manager\"",
        "inform = \"pit-boss\"",
        &[[
            "pit-boss",
            "interruption.device_failure.inform",
            "unknown",
            "head-of-operations",
        ]],
    );
}

#[test]
fn nobody_decides_what_no_rule_covers() {
    let decision =
        "  { matter = \"uncovered\", by = \"director\", or_above = true, rule = \"7.8\" },\n";
    broken(
        decision,
        "",
        &[[
            "decision = [",
            "authority.decision",
            "nobody decides",
            "matter uncovered",
        ]],
    );
    broken(
        "{ matter = \"uncovered\", by = \"director\"",
        "{ matter = \"uncovered\", by = \"cashier\"",
        &[[
            "decision = [",
            "authority.decision",
            "cashier decides what no rule covers",
            "ladder",
        ]],
    );
}

#[test]
fn r_200_no_document_names_a_position_above_the_director() {
    broken(
        "{ matter = \"uncovered\", by = \"director\"",
        "{ matter = \"uncovered\", by = \"above-director-1\"",
        &[[
            "decision = [",
            "authority.decision",
            "above-director-1 is a house's own position",
            "or_above = true",
        ]],
    );
    broken(
        "resume_by = \"head-of-operations\"",
        "resume_by = \"above-director-1\"",
        &[[
            "[interruption]",
            "interruption",
            "above-director-1 is a house's own position",
            "every house has",
        ]],
    );
}

#[test]
fn an_order_of_play_that_makes_no_sense() {
    broken(
        "tumble_window = { is = \"any\"",
        "tumble_window = { is = \"after-close\"",
        &[[
            "usual_tumble = ",
            "play.usual_tumble",
            "before-open is outside tumble_window after-close",
            "inside the window",
        ]],
    );
    broken(
        "cover = { is = \"covered\"",
        "cover = { is = \"open\"",
        &[
            [
                "tumble_window = ",
                "play.tumble_window",
                "open dice that may tumble before the close",
                "after-close",
            ],
            [
                "cause = [",
                "voiding.cause",
                "no rule for tumbler-activated-early",
                "give the cause",
            ],
        ],
    );
    broken(
        "round_opens = { is = \"bets-announced\"",
        "round_opens = { is = \"tumbled-and-notice-displayed\"",
        &[[
            "round_opens = ",
            "play.round_opens",
            "tumble that may come later",
            "before-open",
        ]],
    );
    broken(
        "round_opens = { is = \"bets-announced\"",
        "round_opens = { is = \"no-more-bets\"",
        &[[
            "round_opens = ",
            "play.round_opens",
            "cannot open at the close",
            "formal_start",
        ]],
    );
}

/// What play cannot do otherwise is stated for people only; a book of a file
/// does not say the contrary, and one of an old record may.
#[test]
fn facts_that_are_stated_only_are_true() {
    let rws = book("rws-etg").source();
    let quang_nam = book("quang-nam-table").source();
    let flat = change(
        quang_nam,
        "flat_check = { is = true",
        "flat_check = { is = false",
    );
    let later = change(
        quang_nam,
        "later_rounds_stand = { is = true",
        "later_rounds_stand = { is = false",
    );
    let unregistered = change(
        rws,
        "terminal_unregistered = { is = \"returned\"",
        "terminal_unregistered = { is = \"settled\"",
    );
    let cases: [(&str, super::Expected); 3] = [
        (
            &flat,
            ["flat_check = ", "play.flat_check", "lie flat", "give true"],
        ),
        (
            &later,
            [
                "later_rounds_stand = ",
                "corrections.later_rounds_stand",
                "no other round",
                "give true",
            ],
        ),
        (
            &unregistered,
            [
                "terminal_unregistered = ",
                "interruption.terminal_unregistered",
                "cannot be settled",
                "returned or not-participated",
            ],
        ),
    ];
    for (source, expected) in cases {
        check(source, &[expected]);
        let kept = RuleBook::recorded(source).unwrap();
        assert_eq!(kept.source(), source);
    }
}

#[test]
fn voids_and_terminals_in_halves() {
    broken(
        "bets_returned = { is = true",
        "bets_returned = { is = false",
        &[[
            "bets_returned = ",
            "voiding.bets_returned",
            "would be kept",
            "give true",
        ]],
    );
    broken(
        "[late]\n",
        "terminal_registered = { is = \"settled\", rule = \"7.1\" }\n\n[late]\n",
        &[[
            "terminal_registered",
            "interruption.terminal_registered",
            "only half",
            "or neither",
        ]],
    );
    broken(
        "is = \"dice-damaged\"",
        "is = \"die-not-flat\"",
        &[[
            "rule = \"7.5\"",
            "voiding.cause[3].is",
            "repeated",
            "each cause once",
        ]],
    );
}

#[test]
fn an_identity_that_cannot_be() {
    broken(
        "id = \"quang-nam-table\"",
        "id = \"Quảng Nam\"",
        &[[
            "id = \"Quảng Nam\"",
            "identity.id",
            "not a name",
            "small letters",
        ]],
    );
    broken(
        "jurisdiction = \"vn\"",
        "jurisdiction = \"mars\"",
        &[[
            "mars",
            "identity.jurisdiction",
            "\"mars\" is unknown",
            "sg, vn or other",
        ]],
    );
    for bad in [
        "08:00:00",
        "2020-06-13T08:00:00",
        "\"2020-06-13\"",
        "20200613",
    ] {
        let source = change(
            book("quang-nam-table").source(),
            "is = 2020-06-13",
            &format!("is = {bad}"),
        );
        let found = faults(&source);
        assert_eq!(found.len(), 1, "{bad}");
        assert_eq!(found[0].place, "identity.effective.is");
        assert!(found[0].expected.contains("+08:00"), "{}", found[0]);
    }
    broken(
        "format = 1",
        "format = 2",
        &[["format = 2", "format", "unknown format", "format = 1"]],
    );
}
