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
            "invalid id",
            "lower-case letters",
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

/// A bad `effective` hid a bad `jurisdiction`, and nonsense in `zone` and
/// `language` passed.
#[test]
fn every_fault_of_the_title_page_is_told_at_once() {
    let source = book("quang-nam-table").source();
    let source = source
        .replace("zone = \"Asia/Ho_Chi_Minh\"", "zone = \"Asia/Makau\"")
        .replace("language = \"vi\"", "language = \"xx\"")
        .replace("jurisdiction = \"vn\"", "jurisdiction = \"mo\"");
    let line = source
        .lines()
        .find(|line| line.starts_with("effective = "))
        .expect("it has one")
        .to_owned();
    let source = source.replace(&line, "effective = { is = \"2004\", rule = \"title\" }");
    let found = faults(&source);
    let places: Vec<&str> = found.iter().map(|fault| fault.place.as_str()).collect();
    for place in [
        "identity.effective.is",
        "identity.zone",
        "identity.jurisdiction",
        "identity.language",
    ] {
        assert!(places.contains(&place), "{place}: {places:?}");
    }
    assert_eq!(found.len(), 4, "{found:#?}");
    let zone = found.iter().find(|fault| fault.place == "identity.zone");
    assert!(zone.is_some_and(|fault| fault.expected.contains("did you mean Asia/Macau?")));
}

/// "30 to 1" on a cell whose pay table says 24 had no fault.
#[test]
fn odds_printed_on_the_layout_are_those_that_are_paid() {
    let source = book("mbs-table").source();
    let printed = source.replacen("lines = [\"62 to 1\"]", "lines = [\"60 to 1\"]", 1);
    assert_ne!(printed, source);
    let found = faults(&printed);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].problem.contains("60 to 1") && found[0].problem.contains("62 to 1"),
        "{}",
        found[0]
    );
    // A caption that no section pays.
    let nam = book("quang-nam-table").source();
    let caption = nam.replacen("lines = [\"1:5\"]", "lines = [\"1:7\"]", 1);
    assert_ne!(caption, nam);
    let found = faults(&caption);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0]
            .problem
            .contains("no section of the layout pays that"),
        "{}",
        found[0]
    );
}
