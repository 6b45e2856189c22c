//! The packs, played.

use sicbo_rules::RuleBook;
use sicbo_rules::rulebook::words::Word;
use sicbo_table::Act;

use super::play::{Habit, Room, lesson};
use crate::{Lesson, LessonRecord, Pack, Response, Situation, Skill, Verdict, ruled};

fn played(lesson: Lesson, habit: Habit) -> LessonRecord {
    Room::new(lesson).play(habit)
}

fn has(record: &LessonRecord, verdict: Verdict, rule: &str) -> bool {
    let all = record.exercises.iter().flat_map(|e| &e.remarks);
    let mut found = all.filter(|remark| remark.verdict == verdict);
    found.any(|remark| remark.rule == rule)
}

#[test]
fn j_12_every_pack_of_every_book_is_played_for_full_marks() {
    for book in RuleBook::all() {
        for pack in Pack::all() {
            for seed in 1..=3 {
                let lesson = Lesson::new(book, *pack, seed);
                let rounds = lesson.exercises.len();
                let record = played(lesson, Habit::Right);
                let place = format!("{} {} {seed}", book.id(), pack.key());
                assert!(record.over, "{place}");
                assert_eq!(record.exercises.len(), rounds, "{place}");
                for exercise in &record.exercises {
                    for (skill, marks) in &exercise.marks {
                        let situation = exercise.situation.key();
                        assert_eq!(
                            marks.right,
                            marks.of,
                            "{place} {situation} {}: {:#?}",
                            skill.key(),
                            exercise.remarks
                        );
                    }
                }
                assert_eq!(record.percent, 100, "{place}");
                for skill in Skill::all() {
                    assert!(record.skill(*skill).of > 0, "{place} {}", skill.key());
                }
            }
        }
    }
}

#[test]
fn j_12_what_is_not_dealt_with_is_named_with_its_rule() {
    let mut faults = 0;
    for book in RuleBook::all() {
        for situation in Situation::of(book) {
            let response = situation.response(book);
            // Nothing is asked for, or the house itself asks.
            if matches!(response, Response::GoOn | Response::ConfirmInterruption)
                || response == Response::Raise(sicbo_table::command::IncidentKind::CallSupervisor)
                || matches!(situation, Situation::TooFewTumbles | Situation::DieStuck)
                || situation == Situation::TumblerActivatedEarly
            {
                continue;
            }
            let record = played(lesson(book.id(), situation), Habit::Blind);
            let rule = ruled(book, situation).rule;
            let place = format!("{} {}: {record:#?}", book.id(), situation.key());
            assert_eq!(record.skill(Skill::Rule).right, 0, "{place}");
            assert!(has(&record, Verdict::Missed, &rule), "{place}");
            faults += 1;
        }
    }
    assert!(faults > 40, "{faults}");
}

#[test]
fn r_162_another_cause_is_not_the_right_one() {
    for book in RuleBook::all() {
        for situation in Situation::of(book) {
            if !matches!(situation.response(book), Response::DeclareVoid(_)) {
                continue;
            }
            let record = played(lesson(book.id(), situation), Habit::WrongCause);
            let rule = ruled(book, situation).rule;
            let place = format!("{} {}: {record:#?}", book.id(), situation.key());
            assert_eq!(record.skill(Skill::Rule).right, 0, "{place}");
            assert!(has(&record, Verdict::WrongCause, &rule), "{place}");
        }
    }
}

#[test]
fn j_12_calls_and_payments_are_graded() {
    for book in RuleBook::all() {
        let right = played(Lesson::new(book, Pack::Routine, 5), Habit::Right);
        for habit in [Habit::Silent, Habit::Careless] {
            let record = played(Lesson::new(book, Pack::Routine, 5), habit);
            for skill in [Skill::Call, Skill::Payments] {
                assert_eq!(record.skill(skill).of, right.skill(skill).of);
                assert_eq!(record.skill(skill).right, 0, "{} {habit:?}", book.id());
            }
            assert_eq!(record.skill(Skill::Order), right.skill(Skill::Order));
        }
        let slow = played(Lesson::new(book, Pack::Routine, 5), Habit::Slow);
        assert_eq!(slow.skill(Skill::Speed).right, 0);
        assert_eq!(slow.skill(Skill::Rule), right.skill(Skill::Rule));
    }
}

#[test]
fn r_134_a_spoken_bet_without_chips_is_not_taken() {
    for book in ["mbs-table", "quang-nam-table"] {
        let record = played(lesson(book, Situation::SpokenBet), Habit::Blind);
        let rule = ruled(RuleBook::named(book).unwrap(), Situation::SpokenBet).rule;
        assert!(has(&record, Verdict::BetWronglyTaken, &rule), "{record:#?}");
        assert_eq!(record.skill(Skill::Rule).right, 0);
    }
}

/// who leaves a colleague's wrong keys settles by the wrong dice.
#[test]
fn r_190_a_wrong_result_is_named_with_the_rule_that_corrects_it() {
    for book in RuleBook::all() {
        let record = played(lesson(book.id(), Situation::WrongKey), Habit::Blind);
        let rule = ruled(book, Situation::WrongKey).rule;
        assert!(has(&record, Verdict::WrongResult, &rule), "{record:#?}");
    }
}

#[test]
fn r_160_a_void_without_reason_is_a_fault_of_rule() {
    let mut room = Room::new(lesson("mbs-etg", Situation::Normal));
    let _ = room.session.world(&crate::Cast::default(), 1);
    room.act(Act::ActivateTumbler).unwrap();
    room.act(Act::DeclareVoid {
        cause: sicbo_rules::rulebook::words::Cause::DomeBroken,
    })
    .unwrap();
    let record = LessonRecord::of(&room.session);
    assert_eq!(record.skill(Skill::Rule).right, 0);
    let remarks = &record.exercises[0].remarks;
    assert_eq!(remarks[0].verdict, Verdict::Unfounded, "{remarks:?}");
}

#[test]
fn a_refused_act_costs_a_mark_of_order() {
    let mut room = Room::new(lesson("mbs-etg", Situation::Normal));
    room.act(Act::ActivateTumbler).unwrap();
    assert!(room.act(Act::Uncover).is_err());
    let record = LessonRecord::of(&room.session);
    let order = record.skill(Skill::Order);
    assert_eq!((order.right, order.of), (1, 2));
    assert_eq!(record.exercises[0].remarks[0].verdict, Verdict::Refused);
}

#[test]
fn p_068_the_same_seed_is_the_same_lesson() {
    let mut texts = Vec::new();
    for book in RuleBook::all() {
        for seed in [0, 1, u64::MAX] {
            let text = Lesson::new(book, Pack::All, seed).to_string();
            assert_eq!(text, Lesson::new(book, Pack::All, seed).to_string());
            let again = played(Lesson::new(book, Pack::All, seed), Habit::Right);
            let once = played(Lesson::new(book, Pack::All, seed), Habit::Right);
            assert_eq!(once.certificate("A"), again.certificate("A"));
            assert!(!texts.contains(&text));
            texts.push(text);
        }
    }
}

/// Pinned, so that a lesson given by its number stays the lesson it was.
#[test]
fn p_068_a_lesson_is_the_same_in_every_release() {
    let book = RuleBook::named("quang-nam-table").unwrap();
    let lesson = Lesson::single(book, Situation::LateWithdrawal, 7).unwrap();
    assert_eq!(
        lesson.to_string(),
        "lesson quang-nam-table bets 7\n\
         late-withdrawal dice [5, 4, 3] tumbles 4; 0 pair:4-5 100000; 0 triple:6 150000; \
         1 single:4 200000; 1 total:13 150000; 2 big 150000; 2 pair:1-5 150000; \
         then pair:4-5 100000\n"
    );
}
