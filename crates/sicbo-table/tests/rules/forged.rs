//! Records that somebody wrote past the engine: the verifier decides every
//! command again and says which event does not follow. The same events as they
//! were made follow, and a record of an older program is not held to a reading
//! that it did not know. Where the auditor, who knows the documents and nothing
//! of the engine, can see it too, it objects to the same record.

use sicbo_auditor::{Auditor, hear};
use sicbo_rules::Money;
use sicbo_rules::rulebook::words::{Cause, Position, Word as _};
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::event::{RulesRevision, VoidBasis};
use sicbo_table::ids::PersonId;
use sicbo_table::{Event, Fact, apply};

use crate::rules::script::{Runner, check, fact_name};

/// The table before the last line of a script, and what followed from it.
fn made(before: &str, line: &str) -> (Runner, Vec<Event>) {
    let made = check(&format!("{before}\n{line}")).last;
    let stage = check(before);
    assert_eq!(stage.derives(&made), Ok(made.len()), "{line} follows");
    (stage, made)
}

fn staff(position: Position, person: u32) -> Staff {
    Staff {
        person: PersonId(person),
        position,
    }
}

/// Events that do not follow, in these words.
#[track_caller]
fn refused(stage: &Runner, forged: &[Event], words: &str) {
    let said = stage
        .derives(forged)
        .expect_err("it was forged")
        .to_string();
    assert!(said.contains(words), "{said}, not {words}");
}

/// The same, but an older program knew no better.
#[track_caller]
fn refused_today(stage: &mut Runner, forged: &[Event], words: &str) {
    refused(stage, forged, words);
    let now = stage.table.clone();
    stage.table.rules = RulesRevision::FIRST;
    for event in forged {
        let mut old = event.clone();
        if let Fact::RoundBegan { rules, .. } | Fact::TableOpened { rules, .. } = &mut old.fact {
            *rules = RulesRevision::FIRST;
        }
        let said = stage.derives(std::slice::from_ref(&old));
        assert_eq!(said, Ok(1), "an older program knew no better");
        apply(&mut stage.table, &old);
    }
    stage.table = now;
}

/// The same, and the auditor, who has heard the same history, objects too.
#[track_caller]
fn refused_by_both(stage: &mut Runner, forged: &[Event], words: &str) {
    refused_today(stage, forged, words);
    objects(stage, forged);
}

#[track_caller]
fn objects(stage: &Runner, forged: &[Event]) {
    let mut auditor = Auditor::default();
    for event in &stage.events {
        let heard = auditor.enter(&hear(event));
        assert_eq!(heard, Ok(()), "{:?} happened", event.fact);
    }
    let mut forged = forged.iter();
    let objected = forged.any(|event| auditor.enter(&hear(event)).is_err());
    assert!(objected, "the auditor saw nothing wrong");
}

/// The events with one of them changed.
fn with(events: &[Event], fact: &str, change: impl FnOnce(&mut Fact)) -> Vec<Event> {
    let mut forged = events.to_vec();
    let event = forged.iter_mut().find(|event| fact_name(event) == fact);
    change(&mut event.expect("such a fact").fact);
    forged
}

/// The events as if others had acted.
fn by(events: &[Event], first: Actor, second: Option<Staff>) -> Vec<Event> {
    let mut forged = events.to_vec();
    for event in &mut forged {
        event.by = first;
        event.second = second;
    }
    forged
}

/// One of these persons, with the other, did it in place of who did.
#[track_caller]
fn done_by(stage: &mut Runner, events: &[Event], who: &[(Staff, Option<Staff>, &str)]) {
    for (first, second, words) in who {
        let forged = by(events, Actor::Staff(*first), *second);
        refused_by_both(stage, &forged, words);
    }
}

const BOOKS: [(&str, &str); 5] = [
    ("rws-etg", "a"),
    ("rws-open-cover", "a"),
    ("mbs-table", "a"),
    ("mbs-etg", "rapid"),
    ("quang-nam-table", "a"),
];

/// A round of each book, step by step.
fn steps(book: &str) -> Vec<&'static str> {
    let steps = match book {
        "rws-open-cover" => "open, close, ack T1, activate, tumbled 3, flat, dice 1 2 4, confirm",
        "mbs-table" => "open, activate, tumbled 3, close, deal, uncover, flat, dice 1 2 4, confirm",
        "quang-nam-table" => {
            "activate, tumbled 3, open, close, uncover, flat, dice 1 2 4, confirm, lights on, pay"
        }
        _ => "activate, tumbled 3, open, close, ack T1, uncover, flat, dice 1 2 4, confirm",
    };
    steps.split(", ").collect()
}

/// Whoever decides what no rule covers, and who is just below them.
fn decider(book: &str) -> (&'static str, Position) {
    match book {
        "quang-nam-table" => ("director Dora", Position::ShiftManager),
        _ => ("shift-manager Sam", Position::PitManager),
    }
}

const NOBODY: &str = "not_authorised";
const ALONE: &str = "second_person_needed";
const TWICE: &str = "same_person_twice";

#[test]
fn r_200_no_bet_follows_while_a_decision_holds_the_round() {
    for (book, layout) in BOOKS {
        let betting = format!(
            "table {book}\n station T1 {layout}\n fund T1 100.00\n to-betting\n bet T1 b1 big 10.00\n"
        );
        for line in [
            "bet T1 b2 small 10.00",
            "unbet T1 b2 big 5.00",
            "clear T1 b2",
        ] {
            let (_, made) = made(&betting, line);
            for held in [
                "hold a cat on the layout",
                "hold-for-meaning what flat is",
                "device-failure tumbler it smokes",
                "interrupt power cut",
            ] {
                let mut stage = check(&format!("{betting}{held}"));
                refused_by_both(&mut stage, &made, "decision_pending");
            }
        }
    }
}

#[test]
fn r_200_no_step_follows_while_a_decision_holds_the_round() {
    for (book, layout) in BOOKS {
        let idle = format!("table {book}\n station T1 {layout}");
        let steps = steps(book);
        for (i, step) in steps.iter().enumerate() {
            // A tumbler comes to rest and a terminal answers whatever else waits.
            if step.starts_with("tumbled") || step.starts_with("ack") {
                continue;
            }
            let before = format!("{idle}\n{}", steps[..i].join("\n"));
            let (_, made) = made(&before, step);
            let mut stage = check(&format!("{before}\nhold a cat on the layout"));
            refused_by_both(&mut stage, &made, "decision_pending");
        }
    }
}

#[test]
fn r_150_nothing_but_a_void_follows_a_tumble_that_failed() {
    for (book, layout) in BOOKS {
        let idle = format!("table {book}\n station T1 {layout}");
        let steps = steps(book);
        let at = steps.iter().position(|step| step.starts_with("tumbled"));
        let at = at.expect("every round is tumbled");
        let failed = format!("{idle}\n{}\ntumbled 2", steps[..at].join("\n"));
        let mut stage = check(&failed);
        // Among them the one that pays.
        for (i, step) in steps.iter().enumerate().skip(at + 1) {
            if step.starts_with("ack") {
                continue;
            }
            let (_, made) = made(&format!("{idle}\n{}", steps[..i].join("\n")), step);
            refused_by_both(&mut stage, &made, "only_void_possible");
        }
    }
}

#[test]
fn r_063_no_payment_follows_but_by_the_dice_that_were_keyed_and_confirmed() {
    for (book, layout) in BOOKS {
        let steps = steps(book);
        let (last, before) = steps.split_last().expect("steps");
        let open = before.iter().position(|step| *step == "open");
        let mut before: Vec<&str> = before.to_vec();
        before.insert(open.expect("called") + 1, "bet T1 b1 big 10.00");
        let start = format!("table {book}\n station T1 {layout}\n fund T1 100.00\n");
        let keyed = format!("{start}{}", before.join("\n"));
        let others = keyed.replace("dice 1 2 4", "dice 6 6 5");
        let (stage, honest) = made(&keyed, last);
        // The payments are right for the dice that somebody wrote down instead.
        let (_, swapped) = made(&others, last);
        refused(&stage, &swapped, "but follows as");
        objects(&stage, &swapped);
        let paid = with(&honest, "RoundSettled", |fact| {
            if let Fact::RoundSettled { returned, .. } = fact {
                *returned += Money::from_minor(2_000);
            }
        });
        refused(&stage, &paid, "the payments in all");
        objects(&stage, &paid);
        // Nor before they were.
        let unread = keyed.replace("dice 1 2 4", "");
        if *last == "confirm" {
            refused(&check(&unread), &honest, "dice_first");
        } else {
            let unlit = check(&keyed.replace("lights on", ""));
            refused(&unlit, &honest, "lights_first");
        }
    }
}

#[test]
fn r_173_a_round_that_ended_with_dark_lights_stops_the_table() {
    let dark = "
        table quang-nam-table
        station S1 a
        to-visible
        flat
        dice 1 2 4
        confirm
        lights off
        ";
    let (stage, made) = made(dark, "pay");
    assert_eq!(made.len(), 3, "settled, suspended, waiting for approval");
    refused(&stage, &made[..1], "TableSuspended follows from it");
    refused(&stage, &made[..2], "DecisionRaised follows from it");
    let said = stage.derives(&made[..2]).expect_err("one is missing");
    assert_eq!(said.at, 1);
}

#[test]
fn r_157_no_round_follows_that_began_with_damaged_dice_or_while_nothing_may() {
    for (book, layout) in BOOKS {
        let idle = format!("table {book}\n station T1 {layout}\n");
        let line = steps(book)[0];
        let (_, made) = made(&idle, line);
        for (state, words) in [
            ("damage a chip", "dice_change_needed"),
            ("suspend a fire drill", "table_suspended"),
            ("clock-parted 900000000", "clock_parted"),
            ("hold a cat on the layout", "decision_pending"),
        ] {
            let mut stage = check(&format!("{idle}{state}"));
            refused_by_both(&mut stage, &made, words);
        }
        let mut found = check(&format!(
            "{idle}damage a chip\n sound set-1 measured by pit-supervisor Sue and dealer Dan"
        ));
        found.derives(&made).expect("the dice were found sound");
        found.table.last_round_announced = Some(true);
        refused_today(&mut found, &made, "table_closing");
    }
}

#[test]
fn r_157_two_persons_answer_for_dice_and_for_who_counts() {
    let supervisor = staff(Position::PitSupervisor, 2);
    let dealer = staff(Position::Dealer, 1);
    for (book, layout) in BOOKS {
        let idle = format!("table {book}\n station T1 {layout}\n");
        for (before, line) in [
            (
                "damage a chip",
                "sound set-1 measured by pit-supervisor Sue and dealer Dan",
            ),
            ("", "dice-set set-2 by pit-supervisor Sue and dealer Dan"),
            (
                "bind-tumbler line 2000",
                "count by-hand by pit-supervisor Sue and dealer Dan",
            ),
        ] {
            let (mut stage, made) = made(&format!("{idle}{before}"), line);
            done_by(
                &mut stage,
                &made,
                &[
                    (supervisor, None, ALONE),
                    (dealer, None, ALONE),
                    (supervisor, Some(staff(Position::Dealer, 2)), TWICE),
                    (dealer, Some(staff(Position::Dealer, 3)), NOBODY),
                    (staff(Position::Cashier, 4), None, NOBODY),
                ],
            );
        }
        // Nor are damaged dice put into the tumbler again, or without a report found sound.
        let line = "dice-set set-1 by pit-supervisor Sue and dealer Dan";
        let (_, back) = made(
            &format!("{idle}dice-set set-2 by pit-supervisor Sue and dealer Dan"),
            line,
        );
        let mut stage = check(&format!(
            "{idle}damage a chip\n dice-set set-2 by pit-supervisor Sue and dealer Dan"
        ));
        refused_by_both(&mut stage, &back, "dice_change_needed");
        let line = "sound set-1 measured by pit-supervisor Sue and dealer Dan";
        let (_, sound) = made(&format!("{idle}damage a chip"), line);
        refused_by_both(&mut check(&idle), &sound, "nothing_to_inspect");
    }
}

#[test]
fn q_55_a_late_void_follows_only_for_a_cause_its_book_lists_and_under_its_rule() {
    for (book, layout) in BOOKS {
        let ended = format!(
            "table {book}\n station T1 {layout}\n to-betting\n round 1 2 4\n to-betting\n round 1 2 4"
        );
        let line = "void-rounds 1 2 for too-few-tumbles by director Dora and pit-supervisor Sue";
        let (mut stage, honest) = made(&ended, line);
        assert_eq!(honest.len(), 2);
        let of_cause = |cause: Cause| {
            let line = line.replace("too-few-tumbles", cause.key());
            made(&ended, &line).1
        };
        let listed = stage.table.book().expect("a book").clone();
        for other in Cause::all().iter().copied() {
            let forged: Vec<Event> = honest
                .iter()
                .cloned()
                .map(|mut event| {
                    if let Fact::RoundVoidedLate { cause, .. } = &mut event.fact {
                        *cause = Some(other);
                    }
                    event
                })
                .collect();
            if other == Cause::TooFewTumbles {
                continue;
            } else if listed.void_cause(other).is_none() {
                refused_by_both(&mut stage, &forged, "cause_not_in_book");
            } else if other == Cause::TechnicalInterruption {
                refused_today(&mut stage, &forged, "cause_does_not_fit");
            } else {
                // A listed cause, under the rule of another or on another ground.
                refused_today(&mut stage, &forged, "but follows as");
                of_cause(other);
            }
        }
        for change in [
            |rule: &mut String, _: &mut Option<String>| rule.push('1'),
            |_: &mut String, ground: &mut Option<String>| {
                *ground = match ground {
                    Some(_) => None,
                    None => Some("9.9".to_owned()),
                };
            },
        ] {
            let forged = with(&honest, "RoundVoidedLate", |fact| {
                if let Fact::RoundVoidedLate { rule, ground, .. } = fact {
                    change(rule, ground);
                }
            });
            refused_today(&mut stage, &forged, "but follows as");
        }
    }
}

#[test]
fn r_163_a_void_follows_only_for_a_listed_cause_by_whom_the_book_lets_say_so() {
    let dealer = staff(Position::Dealer, 1);
    for (book, layout) in BOOKS {
        let begun = format!("table {book}\n station T1 {layout}\n to-tumble\n tumble 2");
        let (mut stage, honest) = made(&begun, "void too-few-tumbles");
        done_by(
            &mut stage,
            &honest,
            &[
                (staff(Position::Cashier, 1), None, NOBODY),
                (staff(Position::Surveillance, 1), None, NOBODY),
            ],
        );
        refused_by_both(&mut stage, &by(&honest, Actor::House, None), NOBODY);
        // Of this round nobody can have seen that a die lay askew.
        let listed = stage.table.book().expect("a book").clone();
        for other in Cause::all().iter().copied() {
            let rule_of = listed
                .void_cause(other)
                .map(|void| stage.table.cite(&void.cite));
            let words = match (other, &rule_of) {
                (_, None) => "cause_not_in_book",
                (Cause::DieNotFlat | Cause::TechnicalInterruption, _) => "cause_does_not_fit",
                _ => continue,
            };
            let forged = with(&honest, "RoundVoided", |fact| {
                if let Fact::RoundVoided { basis, rule, .. } = fact {
                    *basis = VoidBasis::Listed(other);
                    *rule = rule_of.unwrap_or_default();
                }
            });
            refused_today(&mut stage, &forged, words);
        }
        // Found later than it usually shows, it takes a supervisor too.
        let seen = format!(
            "table {book}\n station T1 {layout}\n to-betting\n to-closed\n to-visible\n flat"
        );
        let line = "void die-not-flat by dealer Dan and pit-supervisor Sue";
        let (mut stage, later) = made(&seen, line);
        done_by(
            &mut stage,
            &later,
            &[
                (dealer, None, ALONE),
                (dealer, Some(staff(Position::PitSupervisor, 1)), TWICE),
                (dealer, Some(staff(Position::Dealer, 2)), NOBODY),
            ],
        );
        // So does a void for damage that can be seen.
        let held = format!("{seen}\n damage a chip");
        let ruled = "rule damaged-round void-it seen by pit-supervisor Sue";
        let (mut stage, looked) = made(&held, ruled);
        done_by(
            &mut stage,
            &looked,
            &[
                (dealer, None, NOBODY),
                (staff(Position::PitSupervisor, 1), None, TWICE),
            ],
        );
    }
}

#[test]
fn r_200_r_201_r_202_a_ruling_follows_only_by_whom_the_book_names() {
    let dealer = staff(Position::Dealer, 1);
    for (book, layout) in BOOKS {
        let (who, below) = decider(book);
        let wrong = [(dealer, None, NOBODY), (staff(below, 9), None, NOBODY)];
        let betting = format!("table {book}\n station T1 {layout}\n to-betting");
        for (hold, key) in [
            ("hold", "uncovered"),
            ("hold-for-meaning", "interpretation"),
        ] {
            let held = format!("{betting}\n {hold} a cat");
            for ruling in ["conclude", "void-it"] {
                let (mut stage, honest) = made(&held, &format!("rule {key} {ruling} by {who}"));
                done_by(&mut stage, &honest, &wrong);
                // A void that was ruled is written down, and nothing else with it.
                if ruling == "void-it" {
                    refused(&stage, &honest[..1], "RoundVoided follows from it");
                }
            }
        }
        let (mut stage, honest) = made(&betting, &format!("rule-void flood by {who}"));
        done_by(&mut stage, &honest, &wrong);
    }
}

#[test]
fn j_04_a_correction_follows_only_by_the_two_whom_the_book_asks_for() {
    let dealer = staff(Position::Dealer, 1);
    let supervisor = staff(Position::PitSupervisor, 2);
    for (book, layout) in BOOKS {
        let (who, below) = decider(book);
        let ended = format!("table {book}\n station T1 {layout}\n to-betting\n round 3 3 4");
        let line = "correct 1 3 3 5 by pit-supervisor Sue and dealer Dan";
        let (mut stage, honest) = made(&ended, line);
        done_by(
            &mut stage,
            &honest,
            &[
                (supervisor, None, ALONE),
                (supervisor, Some(staff(Position::Dealer, 2)), TWICE),
                (dealer, Some(staff(Position::Dealer, 3)), NOBODY),
            ],
        );
        // Once a later round has commenced, and for late voids, it is for another.
        let later = format!("{ended}\n to-betting\n round 1 2 4");
        let pairs = [
            (supervisor, Some(dealer), NOBODY),
            (staff(below, 9), Some(supervisor), NOBODY),
        ];
        let line = format!("correct 1 3 3 5 by {who} and pit-supervisor Sue");
        let (mut stage, honest) = made(&later, &line);
        done_by(&mut stage, &honest, &pairs);
        let line = format!("void-rounds 1 for too-few-tumbles by {who} and pit-supervisor Sue");
        let (mut stage, honest) = made(&later, &line);
        done_by(&mut stage, &honest, &pairs);
        let director = staff(Position::Director, 9);
        done_by(&mut stage, &honest, &[(director, None, ALONE)]);
    }
}

#[test]
fn j_05_two_persons_answer_for_dice_that_were_left_alone() {
    let dealer = staff(Position::Dealer, 1);
    for (book, layout) in [
        ("rws-etg", "a"),
        ("rws-open-cover", "a"),
        ("mbs-etg", "rapid"),
    ] {
        let back = format!(
            "table {book}\n station T1 {layout}\n to-betting\n to-closed\n to-visible\n interrupt power cut"
        );
        let line = "confirm-interruption in-place by dealer Dan and pit-supervisor Sue";
        let (mut stage, honest) = made(&back, line);
        done_by(
            &mut stage,
            &honest,
            &[
                (dealer, None, ALONE),
                (dealer, Some(staff(Position::PitSupervisor, 1)), TWICE),
            ],
        );
    }
}

#[test]
fn r_217_a_case_follows_only_by_two_persons_in_their_positions_and_once() {
    let dealer = staff(Position::Dealer, 1);
    let supervisor = staff(Position::PitSupervisor, 2);
    for (book, layout) in BOOKS {
        let (who, below) = decider(book);
        let seat = book.ends_with("table");
        let pair = match seat {
            true => "pit-supervisor Sue and dealer Dan".to_owned(),
            false => format!("{who} and pit-supervisor Sue"),
        };
        let ended = format!(
            "table {book}\n station T1 {layout}\n fund T1 100.00\n to-betting\n bet T1 b1 big 10.00\n round 1 2 4"
        );
        for amount in ["25.00", "-25.00"] {
            let line = format!("case T1 4 {amount} the dice were read wrongly by {pair}");
            let (mut stage, honest) = made(&ended, &line);
            let alone = match seat {
                true => (supervisor, None, ALONE),
                false => (staff(Position::Director, 9), None, ALONE),
            };
            let below = match seat {
                true => (dealer, Some(staff(Position::Dealer, 3)), NOBODY),
                false => (staff(below, 9), Some(supervisor), NOBODY),
            };
            let twice = match seat {
                true => (supervisor, Some(staff(Position::Dealer, 2)), TWICE),
                false => {
                    let same = staff(Position::PitSupervisor, 9);
                    (staff(Position::Director, 9), Some(same), TWICE)
                }
            };
            done_by(&mut stage, &honest, &[alone, below, twice]);
            let settled = check(&format!("{ended}\n{line}"));
            let mut again = honest.clone();
            again[0].command += 1_000;
            refused(&settled, &again, "case_settled");
            objects(&settled, &again);
            let more = with(&honest, &fact_name(&honest[0]), |fact| match fact {
                Fact::CasePaid { amount, .. } => *amount = Money::from_minor(-2_500),
                Fact::CaseOverpaid { recoverable, .. } => {
                    recoverable.amount = Money::from_minor(-2_500);
                }
                _ => {}
            });
            assert!(stage.derives(&more).is_err(), "the other way about");
        }
    }
}

#[test]
fn money_moves_only_by_whom_it_may() {
    let dealer = staff(Position::Dealer, 1);
    let supervisor = staff(Position::PitSupervisor, 2);
    let twice = Some(staff(Position::PitSupervisor, 1));
    let terminal = "table mbs-etg\n station T1 rapid\n fund T1 100.00";
    let seat = "table mbs-table\n station S1 a\n fund S1 100.00";
    for (before, line, wrong) in [
        (
            terminal,
            "handpay T1 20.00 by pit-supervisor Sue and dealer Dan",
            (dealer, None, ALONE),
        ),
        (
            terminal,
            "adjust T1 20.00 lost by shift-manager Sam and pit-supervisor Sue",
            (supervisor, Some(dealer), NOBODY),
        ),
        (
            terminal,
            "transfer T1 20.00 by cashier Cat",
            (staff(Position::Surveillance, 4), None, NOBODY),
        ),
        (
            terminal,
            "credit T1 20.00 cage by cashier Cat",
            (staff(Position::Surveillance, 4), None, NOBODY),
        ),
        (
            seat,
            "chips fill 20.00 slip-1 by pit-supervisor Sue and dealer Dan",
            (dealer, twice, TWICE),
        ),
    ] {
        let (mut stage, honest) = made(before, line);
        done_by(&mut stage, &honest, &[wrong]);
    }
}

#[test]
fn no_bet_follows_beyond_what_the_table_takes() {
    for (book, layout) in BOOKS {
        let betting = format!(
            "table {book} min 5 max 500\n station T1 {layout}\n fund T1 9000.00\n to-betting"
        );
        let (stage, honest) = made(&betting, "bet T1 b1 big 10.00");
        for (stake, words) in [
            (50_100, "stake_above_maximum"),
            (100, "stake_below_minimum"),
            (1_001, "stake_off_step"),
        ] {
            let forged = with(&honest, "BetsPlaced", |fact| {
                if let Fact::BetsPlaced { lines, .. } = fact {
                    lines[0].stake = Money::from_minor(stake);
                }
            });
            refused(&stage, &forged, words);
        }
        let twice = check(&format!("{betting}\n bet T1 b1 big 10.00"));
        refused(&twice, &honest, "done before");
        let closed = check(&format!("{betting}\n to-closed"));
        refused(&closed, &honest, "bets_closed");
    }
}

#[test]
fn nobody_escapes_the_rules_of_today_by_naming_older_ones() {
    for (book, layout) in BOOKS {
        let ended = format!("table {book}\n station T1 {layout}\n to-betting\n round 1 2 4");
        let (stage, honest) = made(&ended, steps(book)[0]);
        for (revision, words) in [(1, "after revision 3"), (4, "this program knows 3")] {
            let forged = with(&honest, "RoundBegan", |fact| {
                if let Fact::RoundBegan { rules, .. } = fact {
                    *rules = RulesRevision(revision);
                }
            });
            refused(&stage, &forged, words);
        }
    }
}

#[test]
fn r_145_chips_follow_only_when_another_person_attests_them() {
    for book in ["mbs-table", "quang-nam-table"] {
        let claimed = format!(
            "
            table   {book}
            station S1 a 100.00
            to-visible
            lay     S1 b1 big 10.00
            "
        );
        let line = "attest lay-there camera 4 by pit-supervisor Sue";
        let (stage, honest) = made(&claimed, line);
        for (first, words) in [
            // The dealer who claimed them, whatever they call themselves.
            (staff(Position::PitSupervisor, 1), TWICE),
            (staff(Position::Dealer, 2), NOBODY),
            (staff(Position::Cashier, 2), NOBODY),
        ] {
            let forged = by(&honest, Actor::Staff(first), None);
            refused(&stage, &forged, words);
            objects(&stage, &forged);
        }
        // And what they attest is what was claimed.
        let forged = with(&honest, "PositionsAttested", |fact| {
            if let Fact::PositionsAttested { lines, .. } = fact {
                lines[0].stake = lines[0].stake + lines[0].stake;
            }
        });
        refused(&stage, &forged, "the chips attested");
        objects(&stage, &forged);
        // Whoever records chips that can be seen makes no bet of them alone.
        let (_, alone) = made(
            &claimed
                .replace("to-visible", "to-closed")
                .replace("lay     S1 b1 big 10.00", ""),
            "lay S1 b1 big 10.00",
        );
        let seen = check(&claimed.replace("lay     S1 b1 big 10.00", ""));
        refused(&seen, &alone, "that no die can be seen");
        objects(&seen, &alone);
    }
}
