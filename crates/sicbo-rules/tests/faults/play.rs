//! Faults of identity, order of play, voids and authority.

use super::{broken, change, check, faults, told};
use crate::game::book;
use sicbo_rules::RuleBook;

#[test]
fn a_void_cause_without_rule() {
    told("a_void_cause_without_rule");
}

#[test]
fn a_word_that_is_not_in_the_list() {
    told("a_word_that_is_not_in_the_list");
}

#[test]
fn nobody_decides_what_no_rule_covers() {
    told("nobody_decides_what_no_rule_covers");
}

#[test]
fn r_200_no_document_names_a_position_above_the_director() {
    told("r_200_no_document_names_a_position_above_the_director");
}

#[test]
fn an_order_of_play_that_makes_no_sense() {
    told("an_order_of_play_that_makes_no_sense");
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
    told("voids_and_terminals_in_halves");
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
