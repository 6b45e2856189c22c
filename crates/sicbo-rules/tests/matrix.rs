//! What each document decides differently: the matrix of requirements A.0.

use std::fmt::Display;

use sicbo_rules::rulebook::Word;
use sicbo_rules::rulebook::words::{
    Matter, Position, Scope, Substitution, TumbleStep, TumbleWindow, WrongResult,
};
use sicbo_rules::{Citation, Cited, RuleBook};

use crate::documents::by_book;
use crate::game::book;

#[test]
fn a_0_order_of_play() {
    by_book(
        |book| {
            let play = &book.play;
            format!(
                "{} {} {}",
                play.form.is, play.round_opens.is, play.formal_start.is
            )
        },
        [
            "electronic notice-displayed notice-displayed",
            "table bets-announced bets-announced",
            "electronic tumbled-and-notice-displayed tumbled-and-notice-displayed",
            "electronic notice-displayed notice-displayed",
            "table bets-announced no-more-bets",
        ],
    );
    by_book(
        |book| {
            let play = &book.play;
            format!(
                "{} {} {}",
                play.closes.is, play.positions.is, play.round_ends.is
            )
        },
        [
            "terminal-display at-close all-settled",
            "announcement at-close announced-and-paid",
            "terminal-display at-close displayed-and-settled",
            "terminal-display at-close all-settled",
            "announcement at-uncovering determined-and-paid",
        ],
    );
    by_book(
        |book| fact(&book.play.minimum_tumbles),
        ["3 by 3.6", "3 by 3.6", "3 by 3.1", "3 by 3.6", "3 by 7.2"],
    );
    let deal_button =
        |book: &'static RuleBook| book.play.deal_button.as_ref().map(|button| button.is);
    by_book(deal_button, [None, Some(true), None, None, None]);
    by_book(|book| book.play.flat_check.is, [true; 5]);
}

#[test]
fn q_01_when_the_tumbler_may_run() {
    by_book(
        |book| (book.play.tumble_window.is, book.play.usual_tumble.is),
        [
            (TumbleWindow::Any, TumbleStep::BeforeOpen),
            (TumbleWindow::UntilClose, TumbleStep::DuringBetting),
            (TumbleWindow::BeforeOpen, TumbleStep::BeforeOpen),
            (TumbleWindow::AfterClose, TumbleStep::AfterClose),
            (TumbleWindow::Any, TumbleStep::BeforeOpen),
        ],
    );
}

fn causes(id: &str) -> String {
    let text = |cause: &sicbo_rules::rulebook::VoidCause| {
        let scope = match cause.scope {
            Scope::CurrentRound => "",
            Scope::AllAffectedRounds => " all",
        };
        format!("{} {}{scope}", cause.cause, cause.cite.rule)
    };
    let causes: Vec<String> = book(id).voiding.causes.iter().map(text).collect();
    causes.join(", ")
}

#[test]
fn q_34_void_causes_are_each_documents_own() {
    assert_eq!(
        causes("rws-etg"),
        "too-few-tumbles 5.3.1, die-not-flat 5.3.2, dice-exposed-early 5.3.3, \
         dice-damaged 5.4 all, technical-interruption 5.1.2"
    );
    assert_eq!(
        causes("rws-open-cover"),
        "too-few-tumbles 5.3.1, die-not-flat 5.3.2, tumbler-activated-early 5.3.3, \
         dice-damaged 5.4 all, technical-interruption 5.1.2"
    );
    assert_eq!(
        causes("mbs-table"),
        "too-few-tumbles 5.1, dice-exposed-early 5.2, die-not-flat 5.3, dice-damaged 5.4, \
         dome-broken 5.5, dice-broken 5.5"
    );
    assert_eq!(
        causes("mbs-etg"),
        "too-few-tumbles 5.1, dice-exposed-early 5.2, die-not-flat 5.3, dice-damaged 5.4, \
         dome-broken 5.5, dice-broken 5.5, technical-interruption 5.8.1"
    );
    assert_eq!(
        causes("quang-nam-table"),
        "too-few-tumbles 7.2, dice-exposed-early 7.3, die-not-flat 7.4, dice-damaged 7.5, \
         dome-broken 7.6"
    );
}

fn cited(cite: &Citation) -> String {
    cite.to_string()
}

/// A fact with its rule.
fn fact<T: Display>(fact: &Cited<T>) -> String {
    format!("{} by {}", fact.is, fact.cite)
}

#[test]
fn q_18_a_void_returns_the_bets_by_rule_or_by_analogy() {
    by_book(
        |book| fact(&book.voiding.bets_returned),
        ["5.9", "Q-18", "Q-18", "5.9", "Q-18"].map(|cite| format!("true by {cite}")),
    );
    by_book(
        |book| fact(&book.voiding.previous_rounds_stand),
        ["5.3", "Q-17", "Q-17", "5.3", "Q-17"].map(|cite| format!("true by {cite}")),
    );
}

#[test]
fn a_0_interruptions() {
    by_book(
        |book| {
            let after = &book.interruption;
            format!("{} {}", after.outcome_established.is, after.no_outcome.is)
        },
        [
            "conclude void",
            "conclude void",
            "conclude void",
            "conclude void",
            "finish-by-dice-then-suspend stop-until-approved",
        ],
    );
    let terminal = |book: &'static RuleBook| {
        let unregistered = book.interruption.terminal_unregistered.as_ref()?;
        let registered = book.interruption.terminal_registered.as_ref()?;
        Some(format!("{} {}", registered.is, unregistered.is))
    };
    let words = |words: &str| Some(words.to_owned());
    let returned = words("settled returned");
    let apart = words("settled not-participated");
    by_book(terminal, [returned.clone(), None, apart, returned, None]);
    for id in ["mbs-table", "quang-nam-table"] {
        let interruption = &book(id).interruption;
        assert!(interruption.terminal_registered.is_none(), "{id}");
        assert!(interruption.terminal_unregistered.is_none(), "{id}");
    }
    let failure = book("quang-nam-table")
        .interruption
        .device_failure
        .as_ref()
        .unwrap();
    assert_eq!(failure.inform, Position::PitManager);
    assert_eq!(failure.resume_by, Position::HeadOfOperations);
    assert_eq!(failure.cite.rule, "7.1");
}

#[test]
fn q_36_the_mbs_table_borrows_its_siblings_rules() {
    let (table, etg) = (book("mbs-table"), book("mbs-etg"));
    let borrowed = |book: &RuleBook| {
        let (stop, wrong) = (&book.interruption, &book.corrections);
        let stop = (stop.no_outcome.is, stop.outcome_established.is);
        (stop, wrong.wrong_result.is, wrong.wrong_display.is)
    };
    assert_eq!(borrowed(table), borrowed(etg));
    let uncovered = |book: &RuleBook| book.decision(Matter::Uncovered).unwrap().by;
    assert_eq!(uncovered(table), uncovered(etg));
    for cite in [
        &table.interruption.no_outcome.cite,
        &table.corrections.wrong_result.cite,
        &table.corrections.wrong_display.cite,
        &table.decision(Matter::Uncovered).unwrap().cite,
    ] {
        assert_eq!(cited(cite), "Q-36");
    }
}

#[test]
fn a_0_late_changes() {
    let (refused, lenient) = (
        "refused refused refused",
        "refused increase-refused bet-stands",
    );
    by_book(
        |book| {
            let late = &book.late;
            format!(
                "{} {} {}",
                late.placement.is, late.increase.is, late.withdrawal.is
            )
        },
        [refused, lenient, refused, refused, lenient],
    );
}

#[test]
fn a_0_wrong_results_are_settled_by_the_dice() {
    by_book(
        |book| book.corrections.wrong_result.is,
        [
            WrongResult::SettleByDice,
            WrongResult::SettleByDiceIfConducted,
            WrongResult::SettleByDiceIfConducted,
            WrongResult::SettleByDice,
            WrongResult::SettleByDice,
        ],
    );
    by_book(
        |book| cited(&book.corrections.wrong_display.cite),
        ["5.8", "Q-36", "6.3 (Q-47)", "5.8", "7.7 (Q-35)"],
    );
}

#[test]
fn a_0_who_decides_what_no_rule_covers() {
    by_book(
        |book| {
            let decision = book.decision(Matter::Uncovered).unwrap();
            let title = book.title(decision.by).unwrap().title.is.as_str();
            (title, decision.or_above, cited(&decision.cite))
        },
        [
            ("Table Games Shift Manager", true, "5.10".to_owned()),
            ("Gaming Shift Manager", true, "Q-36".to_owned()),
            ("Gaming Shift manager", true, "6.1, 6.2".to_owned()),
            ("Table Games Shift Manager", true, "5.10".to_owned()),
            ("Giám đốc Bàn trò chơi", true, "7.8".to_owned()),
        ],
    );
    let interprets = |book: &'static RuleBook| book.decision(Matter::Interpretation).is_some();
    by_book(interprets, [true, false, false, true, false]);
}

#[test]
fn q_38_only_one_document_lets_a_higher_rank_act() {
    by_book(
        |book| book.authority.substitution.is,
        [
            Substitution::ActingOnly,
            Substitution::ActingOnly,
            Substitution::ActingOrHigher,
            Substitution::ActingOnly,
            Substitution::ActingOnly,
        ],
    );
    // In quang-nam only 7.8 says "or higher".
    for decision in &book("quang-nam-table").authority.decisions {
        assert_eq!(
            decision.or_above,
            decision.cite.rule == "7.8",
            "{}",
            decision.matter
        );
    }
}

#[test]
fn a_0_disputes() {
    let steps: Vec<String> = book("quang-nam-table")
        .disputes
        .steps
        .iter()
        .map(|step| format!("{} {}", step.by, step.cite.rule))
        .collect();
    assert_eq!(
        steps,
        [
            "pit-supervisor 8.1",
            "pit-manager 8.1, 8.2",
            "pit-manager 8.3",
            "pit-manager 8.4",
            "pit-manager 8.5",
            "pit-manager 8.6",
        ]
    );
    let days = |book: &'static RuleBook| book.disputes.authority_days.as_ref().map(|days| days.is);
    by_book(days, [Some(7), Some(7), Some(7), Some(7), None]);
}

#[test]
fn r_214_a_decision_rests_on_eight_listed_bases() {
    let bases = &book("quang-nam-table").disputes.bases;
    let rules: Vec<&str> = bases.iter().map(|basis| basis.cite.rule.as_str()).collect();
    let listed = [
        "8.4.1", "8.4.2", "8.4.3", "8.4.4", "8.4.5", "8.4.6", "8.4.7", "8.4.8",
    ];
    assert_eq!(rules, listed);
    assert!(bases[5].is.contains("Surveillance"));
    assert!(bases[7].is.contains("law"));
}

#[test]
fn q_37_titles_are_labels_on_one_ladder() {
    let ladder = [
        Position::Dealer,
        Position::PitSupervisor,
        Position::PitManager,
        Position::ShiftManager,
        Position::Director,
        Position::AboveDirector1,
        Position::AboveDirector2,
        Position::AboveDirector3,
        Position::AboveDirector4,
    ];
    for (i, low) in ladder.iter().enumerate() {
        for (j, high) in ladder.iter().enumerate() {
            assert_eq!(high.is_at_least(*low), j >= i, "{high} {low}");
        }
    }
    for position in Position::all()
        .iter()
        .filter(|position| !ladder.contains(position))
    {
        assert_eq!(position.rung(), None);
        assert!(
            !position.is_at_least(Position::Dealer) && !Position::Director.is_at_least(*position)
        );
    }
    // Surveillance is a department, the pit supervisor a person: two positions.
    let title = |position| {
        book("quang-nam-table")
            .title(position)
            .unwrap()
            .title
            .is
            .as_str()
    };
    assert_eq!(title(Position::Surveillance), "Bộ phận Giám sát");
    assert_eq!(title(Position::PitSupervisor), "Giám sát Pit");
    assert_eq!(title(Position::HeadOfOperations), "Trưởng phòng Điều hành");
}
