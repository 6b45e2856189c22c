//! What each book makes of each situation, written from requirements A.0 and
//! A.8 to A.13 by hand, not made from the program.

use sicbo_rules::RuleBook;
use sicbo_rules::rulebook::words::Word;

use crate::{Consequence, Situation, ruled, under_all};

/// situation | rws-etg | mbs-table | mbs-etg | rws-open-cover | quang-nam-table
const EXPECTED: &str = "
too-few-tumbles         | void 5.3.1 | void 5.1 | void 5.1 | void 5.3.1 | void 7.2
die-stuck               | void 5.3.1 | void 5.1 | void 5.1 | void 5.3.1 | void 7.2
die-not-flat            | void 5.3.2 | void 5.3 | void 5.3 | void 5.3.2 | void 7.4
dice-exposed-early      | void 5.3.3 | void 5.2 | void 5.2 | does-not-arise title | void 7.3
tumbler-activated-early | usual-order 3.6 | usual-order 3.6 | usual-order 3.1 | void 5.3.3 | usual-order -
dice-damaged            | void 5.4 | void 5.4 | void 5.4 | void 5.4 | void 7.5
dice-broken             | decided 5.10 | void 5.5 | void 5.5 | decided 5.10 | void 7.5
dome-broken             | decided 5.10 | void 5.5 | void 5.5 | decided 5.10 | void 7.6
power-cut-no-outcome    | void-by-interruption 5.1.2 | void-by-interruption - | void-by-interruption 5.8.1 | void-by-interruption 5.1.2 | stopped-until-approved 7.1
power-cut-outcome       | concluded 5.1.1 | concluded - | concluded 5.8.2 | concluded 5.1.1 | finished-then-suspended 7.1
device-failure          | void-by-interruption 5.1.2 | void-by-interruption - | void-by-interruption 5.8.1 | void-by-interruption 5.1.2 | stopped-until-approved 7.1
lights-wrong            | does-not-arise 1.7 | does-not-arise 3.3 | does-not-arise 1.1.2 | does-not-arise 1.7 | settled-by-dice 7.7
terminal-lost           | registered-settled 5.2.1 | does-not-arise 3.3 | registered-settled 5.9.1 | registered-settled 5.2.1 | does-not-arise 1.1
wrong-key               | settled-by-dice 5.5 | settled-by-dice - | settled-by-dice 6.3 | settled-by-dice 5.5 | settled-by-dice 7.7
late-bet                | bet-refused 3.5 | bet-refused 5.6 | bet-refused 5.7 | bet-refused 3.5 | bet-refused 4.4
late-increase           | bet-refused 3.5 | increase-refused 5.6 | bet-refused 5.7 | bet-refused 3.5 | increase-refused 4.4
late-withdrawal         | bet-refused 5.7 | bet-stands 5.7 | bet-refused 5.6 | bet-refused 5.7 | bet-stands 4.4
uncovered-matter        | decided 5.10 | decided - | decided 6.1 | decided 5.10 | decided 7.8
";

const ORDER: [&str; 5] = [
    "rws-etg",
    "mbs-table",
    "mbs-etg",
    "rws-open-cover",
    "quang-nam-table",
];

#[test]
fn j_12_the_same_event_under_the_five_books() {
    let mut rows = 0;
    for line in EXPECTED.lines().filter(|line| !line.is_empty()) {
        let mut cells = line.split('|').map(str::trim);
        let situation = Situation::from_key(cells.next().unwrap()).unwrap();
        let found = under_all(situation);
        for (book, cell) in ORDER.iter().zip(cells) {
            let (expected, rule) = cell.split_once(' ').unwrap();
            let (_, ruled) = found.iter().find(|(id, _)| id == book).unwrap();
            assert_eq!(ruled.consequence.key(), expected, "{book} {line}");
            // `-`: the document is silent, and a resolution is cited.
            let cited = ruled.rule.strip_prefix(*book).unwrap().trim();
            match rule {
                "-" => assert!(cited.starts_with("Q-"), "{book} {cited} {line}"),
                rule => assert_eq!(cited.split([' ', ',']).next(), Some(rule), "{book} {line}"),
            }
        }
        rows += 1;
    }
    assert_eq!(rows, 18);
}

#[test]
fn q_34_every_void_cause_a_book_lists_is_in_its_pack() {
    for book in RuleBook::all() {
        let pack = Situation::of(book);
        for void in &book.voiding.causes {
            let practised = pack.iter().any(|situation| {
                situation.cause() == Some(void.cause)
                    && match ruled(book, *situation).consequence {
                        Consequence::Void(cause) => cause == void.cause,
                        other => other == Consequence::VoidByInterruption,
                    }
            });
            assert!(practised, "{} {}", book.id(), void.cause);
        }
        // Nothing of a pack is what the book does not know.
        for situation in pack {
            let consequence = ruled(book, situation).consequence;
            let here = !matches!(
                consequence,
                Consequence::DoesNotArise | Consequence::UsualOrder
            );
            assert!(here, "{} {}", book.id(), situation.key());
        }
    }
}

#[test]
fn p_068_no_house_may_have_a_table_of_practice() {
    use sicbo_plan::{HousePlan, PlanError, example};
    let text = example().replacen("rapid-1", "practice-mbs-etg", 1);
    let read = |_: &std::path::Path| Ok("CERTIFICATE PRIVATE KEY".to_owned());
    let Err(PlanError::Faults(faults)) = HousePlan::parse(&text, &read) else {
        panic!("the plan is taken");
    };
    let named = |fault: &&sicbo_plan::Fault| fault.problem.contains("practice table");
    assert_eq!(faults.iter().filter(named).count(), 1);
    // The practice house itself is for no money, by persons, with names of its own.
    let plan = crate::house_plan();
    assert!(plan.practice && !plan.real_money);
    for table in &plan.tables {
        assert!(table.name.as_str().starts_with(crate::TABLE_PREFIX));
        assert!(!table.config.real_money);
    }
}
