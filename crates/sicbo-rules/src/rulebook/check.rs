//! What must hold within and between the parts of a rule book.
//!
//! Each check takes the parts it needs as they were read; one that could not
//! be read has its own faults and is not checked further, the others are.

use super::words::{
    AfterTerminalFailure, Cause, Cover, Matter, RoundStart, TumbleStep, TumbleWindow,
};
use super::{Authority, Corrections, Interruption, Play, Voiding, places};
use crate::document::{Node, short};

/// The law overlay is one the product knows, and zone and language exist. Each
/// is checked by itself, so that a fault in one hides none of the others.
pub(super) fn identity(
    table: &Node<'_, '_>,
    jurisdiction: Option<&str>,
    zone: Option<&str>,
    language: Option<&str>,
) {
    if let Some(given) = jurisdiction.filter(|given| !["sg", "vn", "other"].contains(given)) {
        table.fault(
            "jurisdiction",
            &format!("{given:?} is unknown"),
            "use sg, vn or other",
        );
    }
    if let Some(given) = zone.filter(|given| !places::is_zone(given)) {
        table.fault(
            "zone",
            &format!("there is no time zone {:?}", short(given)),
            &format!(
                "use a name of the IANA database, e.g. Asia/Singapore{}",
                places::closest_zone(given)
            ),
        );
    }
    if let Some(given) = language.filter(|given| !places::is_language(given)) {
        table.fault(
            "language",
            &format!("there is no language {:?}", short(given)),
            "use an ISO 639-1 code, e.g. en, vi or zh-Hant",
        );
    }
}

/// The order of play makes sense.
pub(super) fn play(root: &Node<'_, '_>, play: Option<&Play>) {
    let Some(play) = play else { return };
    let fault = |key: &str, problem: &str, expected: &str| {
        root.reader()
            .fault(&root.within(&["play", key]), problem, expected);
    };
    let (window, usual) = (play.tumble_window.is, play.usual_tumble.is);
    let fits = match window {
        TumbleWindow::Any => true,
        TumbleWindow::BeforeOpen => usual == TumbleStep::BeforeOpen,
        TumbleWindow::BeforeClose | TumbleWindow::UntilClose => usual != TumbleStep::AfterClose,
        TumbleWindow::AfterClose => usual == TumbleStep::AfterClose,
    };
    if !fits {
        fault(
            "usual_tumble",
            &format!("{usual} is outside tumble_window {window}"),
            "choose a step inside the window",
        );
    }
    if play.cover.is == Cover::Open && window != TumbleWindow::AfterClose {
        fault(
            "tumble_window",
            "open dice that may tumble before the close",
            "an open cover needs tumble_window after-close",
        );
    }
    if play.round_opens.is == RoundStart::TumbledAndNoticeDisplayed
        && window != TumbleWindow::BeforeOpen
    {
        fault(
            "round_opens",
            "the round opens with a tumble that may come later",
            "use tumble_window before-open",
        );
    }
    if play.round_opens.is == RoundStart::NoMoreBets {
        fault(
            "round_opens",
            "a round cannot open at the close",
            "only formal_start may be no-more-bets (Q-04)",
        );
    }
}

/// Every irregular tumble has a rule, and a void round gives its bets back.
pub(super) fn voiding(root: &Node<'_, '_>, play: Option<&Play>, voiding: Option<&Voiding>) {
    let Some(voiding) = voiding else { return };
    let has = |cause: Cause| voiding.causes.iter().any(|void| void.cause == cause);
    let no_rule = |cause: Cause, expected: &str| {
        root.reader().fault(
            &root.within(&["voiding", "cause"]),
            &format!("no rule for {cause}"),
            expected,
        );
    };
    for cause in [Cause::TooFewTumbles, Cause::DieNotFlat] {
        if !has(cause) {
            no_rule(cause, "every tumble needs a rule for it: give the cause");
        }
    }
    if let Some(play) = play {
        let seen_too_soon = match play.cover.is {
            Cover::Covered => Cause::DiceExposedEarly,
            Cover::Open => Cause::TumblerActivatedEarly,
        };
        if !has(seen_too_soon) {
            no_rule(
                seen_too_soon,
                "players could bet on dice already seen: give the cause",
            );
        }
    }
    if !voiding.bets_returned.is {
        root.reader().fault(
            &root.within(&["voiding", "bets_returned"]),
            "bets of a void round would be kept",
            "a void round returns its bets: give true",
        );
    }
}

/// Terminal rules come in two halves.
pub(super) fn interruption(root: &Node<'_, '_>, interruption: Option<&Interruption>) {
    let Some(interruption) = interruption else {
        return;
    };
    let failure = interruption.device_failure.as_ref();
    let named = failure
        .into_iter()
        .flat_map(|failure| [failure.inform, failure.resume_by])
        .chain(interruption.terminal_open_cases.as_ref().map(|who| who.is));
    for own in named.filter(|position| position.is_above_director()) {
        root.reader().fault(
            &root.within(&["interruption"]),
            &format!("{own} is a house's own position"),
            "name a position that every house has",
        );
    }
    let lone = match (
        &interruption.terminal_registered,
        &interruption.terminal_unregistered,
    ) {
        (Some(_), None) => "terminal_registered",
        (None, Some(_)) => "terminal_unregistered",
        _ => return,
    };
    root.reader().fault(
        &root.within(&["interruption", lone]),
        "only half of the terminal rules",
        "give terminal_registered and terminal_unregistered, or neither",
    );
}

/// Facts that are stated for people and that play cannot do otherwise: a book
/// that says the contrary would promise what nobody keeps.
pub(super) fn stated(
    root: &Node<'_, '_>,
    play: Option<&Play>,
    interruption: Option<&Interruption>,
    corrections: Option<&Corrections>,
) {
    let fault = |part: &str, key: &str, problem: &str, expected: &str| {
        root.reader()
            .fault(&root.within(&[part, key]), problem, expected);
    };
    if play.is_some_and(|play| !play.flat_check.is) {
        fault(
            "play",
            "flat_check",
            "dice that do not lie flat cannot be read",
            "the dealer always looks: give true",
        );
    }
    let settled = Some(AfterTerminalFailure::Settled);
    let unregistered = interruption.and_then(|part| part.terminal_unregistered.as_ref());
    if unregistered.map(|stated| stated.is) == settled {
        fault(
            "interruption",
            "terminal_unregistered",
            "a bet that is not on record cannot be settled",
            "give returned or not-participated",
        );
    }
    if corrections.is_some_and(|part| !part.later_rounds_stand.is) {
        fault(
            "corrections",
            "later_rounds_stand",
            "a correction reaches no other round",
            "give true",
        );
    }
}

/// Someone on the ladder decides what no rule covers.
pub(super) fn authority(root: &Node<'_, '_>, authority: Option<&Authority>) {
    let Some(authority) = authority else { return };
    let uncovered = authority
        .decisions
        .iter()
        .find(|decision| decision.matter == Matter::Uncovered);
    let fault = |problem: &str, expected: &str| {
        root.reader()
            .fault(&root.within(&["authority", "decision"]), problem, expected);
    };
    // a document says "or above"; who that is beyond the director, a
    // house names in its plan.
    let decides = authority.decisions.iter().map(|decision| decision.by);
    let titled = authority.titles.iter().map(|title| title.position);
    if let Some(own) = decides.chain(titled).find(|by| by.is_above_director()) {
        fault(
            &format!("{own} is a house's own position"),
            "name the director, with or_above = true",
        );
    }
    match uncovered {
        None => fault(
            "nobody decides what no rule covers",
            "give a decision for matter uncovered",
        ),
        Some(decision) if decision.by.rung().is_none() => fault(
            &format!("{} decides what no rule covers", decision.by),
            "name a position of the ladder, dealer to director",
        ),
        Some(_) => {}
    }
}
