//! Who may do what (requirements A.13, R-014, R-015, Q-36 to Q-38): every act
//! by every position under every book.

use sicbo_rules::RuleBook;
use sicbo_rules::rulebook::words::{Position, Word as _};

use crate::rules::blocks::{Block, blocks};
use crate::rules::script::{Runner, check, check_each, try_last};

const LADDER: [&str; 9] = [
    "dealer",
    "pit-supervisor",
    "pit-manager",
    "shift-manager",
    "director",
    // what a house names above the director.
    "above-director-1",
    "above-director-2",
    "above-director-3",
    "above-director-4",
];

/// Who may act, by kind of duty and book, from the documents and.
fn may(book: &str, duty: &str) -> Vec<&'static str> {
    let from = |rung: usize| LADDER[rung..].to_vec();
    match (duty, book) {
        // A dealer's own duty: whoever stands above may step in only where the
        // book says so (mbs-etg 6.2); elsewhere they must be assigned first.
        ("dealing", "mbs-etg") | ("staff", _) => from(0),
        ("dealing", _) => vec!["dealer"],
        ("supervising", _) => from(1),
        ("managing", _) => from(2),
        // quang-nam-table 7.8 names the director; the others the shift manager.
        ("uncovered", "quang-nam-table") => from(4),
        ("uncovered", _) => from(3),
        ("money", _) => [from(0), vec!["cashier"]].concat(),
        // A witness to custody: table staff, or who watches (P-035).
        ("custody", _) => [from(0), vec!["surveillance"]].concat(),
        ("bet-status", _) => vec!["dealer"],
        ("approval", _) => vec!["head-of-operations"],
        _ => panic!("no duty {duty}"),
    }
}

/// The acts of one person, or those of two, under their books.
fn acts(of_two: bool) -> impl Iterator<Item = (Block, &'static str)> {
    let all = blocks(include_str!("authority.txt")).into_iter();
    let all = all.filter(move |act| act.head[0].contains('+') == of_two);
    all.flat_map(|act| {
        let of: Vec<&str> = books().filter(|book| act.is_of(book)).collect();
        of.into_iter().map(move |book| (act.clone(), book))
    })
}

fn books() -> impl Iterator<Item = &'static str> {
    RuleBook::all().iter().map(|book| book.id())
}

/// Whether the last line of a script is accepted; any refusal must be for want of authority.
fn accepted(book: &str, script: &str) -> bool {
    let layout = &RuleBook::named(book).expect("a book").layouts[0].id;
    let script = script.replace("BOOK", book).replace("LAYOUT", layout);
    match try_last(&script) {
        Ok(_) => true,
        Err(refusal) => {
            let code = refusal.code();
            assert_eq!(code, "not_authorised", "{book}: {script}");
            false
        }
    }
}

const TABLE: &str = "table BOOK\n station T1 LAYOUT\n station T2 LAYOUT\n fund T1 1000.00\n";

#[test]
fn q_37_every_act_by_every_position_under_every_book() {
    for (act, book) in acts(false) {
        let script = act.script();
        let may = may(book, act.head[0]);
        for position in Position::all() {
            let script = format!("{TABLE} {script} by {position} Ann");
            let fit = may.contains(&position.key());
            assert_eq!(accepted(book, &script), fit, "{book}: {script}");
        }
    }
}

#[test]
fn q_37_a_table_is_opened_by_a_supervisor_or_above() {
    for book in books() {
        for position in Position::all() {
            // First with no book in force, then when it opens again.
            let fit = may(book, "supervising").contains(&position.key());
            let first = format!("table BOOK by {position} Ann");
            assert_eq!(accepted(book, &first), fit, "{book} {position}");
            let again = format!("table BOOK\n suspend\n close-table\n {first}");
            assert_eq!(accepted(book, &again), fit, "{book} {position}");
        }
    }
}

#[test]
fn j_03_a_listed_void_needs_the_supervisor_where_the_house_says_so() {
    for book in books() {
        for position in Position::all() {
            let script = format!(
                "table BOOK supervisor-void\n station T1 LAYOUT\n to-betting\n void dice-damaged by {position} Ann"
            );
            let may = may(book, "supervising").contains(&position.key());
            assert_eq!(accepted(book, &script), may, "{book} {position}");
        }
    }
}

#[test]
fn q_38_decisions_of_two_persons_by_every_pair_of_positions() {
    for (act, book) in acts(true) {
        let script = act.script();
        let (one, other) = act.head[0].split_once('+').expect("two duties");
        let (ones, others) = (may(book, one), may(book, other));
        for first in Position::all() {
            for second in Position::all() {
                let script = format!("{TABLE} {script} by {first} Ann and {second} Bob");
                let (a, b) = (first.key(), second.key());
                let fit = (ones.contains(&a) && others.contains(&b))
                    || (ones.contains(&b) && others.contains(&a));
                assert_eq!(accepted(book, &script), fit, "{book}: {script}");
            }
        }
        // One person is never two, whatever they hold.
        let (a, b) = (ones[0], others[0]);
        for refused in [
            format!("{script} by {a} Ann and {b} Ann refused same_person_twice"),
            format!("{script} by {a} Ann refused second_person_needed"),
        ] {
            check_each(&[(book, "")], &format!("{TABLE} {refused}"));
        }
    }
}

#[test]
fn r_014_duties_may_be_done_by_who_acts_in_the_position() {
    for book in ["rws-etg", "rws-open-cover", "mbs-table", "quang-nam-table"] {
        check_each(
            &[(book, "")],
            "
            table   BOOK
            to-call
            open    by pit-manager Pam      refused not_authorised
            acting  Pam dealer by pit-supervisor Sue
            acting  Pam dealer by pit-supervisor Sue   refused already_done
            open    by pit-manager Pat      refused not_authorised   # Pam acts, not Pat
            open    by pit-manager Pam
            end-acting Pam dealer by pit-supervisor Sue
            end-acting Pam dealer by pit-supervisor Sue   refused already_done
            activate by pit-manager Pam     refused not_authorised
            ",
        );
    }
    // Acting upward takes someone who holds the position, or one above.
    check(
        "
        table   rws-etg
        acting  Sue shift-manager by pit-manager Pam       refused not_authorised
        acting  Sue shift-manager by shift-manager Sam
        to-betting
        rule-void flood by pit-supervisor Sue              void rws-etg 5.10
        ",
    );
}

#[test]
fn r_015_a_higher_position_may_do_a_lower_ones_work_where_the_book_says_so() {
    for position in LADDER {
        check(&format!(
            "table mbs-etg\n activate by {position} Ann\n tumbled 3 by {position} Ann\n open by {position} Ann"
        ));
    }
    for book in ["rws-etg", "rws-open-cover", "mbs-table", "quang-nam-table"] {
        for position in &LADDER[1..] {
            check_each(
                &[(book, "")],
                &format!("table BOOK\n to-call\n open by {position} Ann refused not_authorised"),
            );
        }
    }
}

fn uncovered(book: &str, rule: &str, decider: &str, below: &str) {
    check_each(
        &[(book, rule)],
        &format!(
            "
            table   BOOK
            station T1 LAYOUT
            to-betting
            hold    a cat on the layout   pending uncovered RULE
            waits   uncovered {decider}+ 1
            rule    uncovered void-it by {below} Ann     refused not_authorised
            rule    uncovered void-it by {decider} Sam   void RULE
            "
        ),
    );
}

#[test]
fn r_200_what_no_rule_covers_is_for_the_table_games_shift_manager_or_above() {
    for book in ["rws-etg", "rws-open-cover"] {
        uncovered(book, "5.10", "shift-manager", "pit-manager");
    }
}

#[test]
fn r_201_what_no_rule_covers_is_for_the_gaming_shift_manager() {
    uncovered("mbs-etg", "6.1, 6.2", "shift-manager", "pit-manager");
}

#[test]
fn q_36_where_nobody_is_named_the_siblings_rule_applies() {
    uncovered("mbs-table", "Q-36", "shift-manager", "pit-manager");
}

#[test]
fn r_202_what_no_rule_covers_is_for_the_table_games_director() {
    uncovered("quang-nam-table", "7.8", "director", "shift-manager");
}

#[test]
fn r_202_q_15_rounds_that_damaged_dice_affected_are_for_the_director_or_higher() {
    check(
        "
        table   quang-nam-table
        station S1 a
        round   6 5 1
        damage  a chip
        waits   affected-rounds director+ 2
        rule    affected-rounds accept sound by shift-manager Sam and pit-supervisor Sue   refused not_authorised quang-nam-table 7.8
        rule    affected-rounds accept sound by director Dora                              refused second_person_needed
        rule    affected-rounds accept sound by director Dora and pit-supervisor Sue
        waits   nothing
        ",
    );
}

#[test]
fn r_203_the_status_of_a_bet_is_for_the_dealer_at_the_table() {
    check(
        "
        table   quang-nam-table
        seat    S1 a
        to-betting
        close
        late    S1 placement big 5.00               late refused quang-nam-table 4.4 (Q-39)
        waits   nothing
        uncover
        observe S1 big 5.00                         pending bet-status quang-nam-table 4.6
        waits   bet-status dealer 1
        rule    bet-status at-close by director Dora   refused not_authorised quang-nam-table 4.6
        rule    bet-status as-they-lie                 refused ruling_does_not_fit
        rule    bet-status at-close
        atrisk  S1 0
        ",
    );
}

#[test]
fn r_204_play_resumes_after_a_device_failure_only_by_the_head_of_operations() {
    check(
        "
        table   quang-nam-table
        device-failure lights
        resume  by director Dora            refused not_authorised quang-nam-table 7.1
        acting  Dora head-of-operations by director Dora           refused not_authorised
        acting  Dora head-of-operations by head-of-operations Hoa
        resume  by director Dora
        status  open
        ",
    );
}

#[test]
fn r_205_a_dispute_is_raised_at_the_station_or_by_the_dealer() {
    // Who handles it is the register's (its tests of cases). A player may raise one from the station, and the dealer for them.
    check(
        "
        table    quang-nam-table
        seat     S1 a
        incident dispute not paid by station S1
        incident dispute not paid
        ",
    );
}

#[test]
fn s_19_no_result_enters_but_with_a_person_or_a_bound_device_on_record() {
    for line in [
        "dice 1 2 3",
        "confirm",
        "flat",
        "uncover",
        "void dice-damaged",
    ] {
        for who in [
            "house",
            "station T1",
            "device lights",
            "device acceptor",
            "device tumbler",
        ] {
            check(&format!(
                "table mbs-etg\n station T1 rapid\n to-betting\n to-closed\n to-visible\n flat\n dice 4 5 6\n {line} by {who} refused not_authorised"
            ));
        }
    }
    // The dice reader gives a second reading, never the first.
    check(
        "table mbs-etg\n to-betting\n to-closed\n to-visible\n flat\n dice 1 2 3 by device reader refused not_authorised",
    );
    let run: Runner =
        check("table mbs-etg\n to-betting\n to-closed\n to-visible\n flat\n dice 1 2 3");
    let keyed = run.table.round.as_ref().unwrap().keyed.unwrap();
    assert!(keyed.by.is_some(), "who keyed the dice is on record");
}
