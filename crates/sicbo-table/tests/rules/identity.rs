//! Under which document a round is played: its title, operator, version, date,
//! other name and approval, as they are at a table (requirements A.1), and what
//! the layout it shows can be bet on.

use std::sync::Arc;

use sicbo_rules::RuleBook;
use sicbo_table::actor::Actor;
use sicbo_table::derive::{Records, derive};
use sicbo_table::views::TableInfo;
use sicbo_table::views::settlement::lines_of;
use sicbo_table::{Act, Event, Fact, Table, apply};

use crate::rules::script::{Runner, check};

/// The titles on the documents, and the layout a station shows.
const TITLES: [(&str, &str, &str); 5] = [
    ("rws-etg", "a", "Sic Bo (Electronic Table Game)"),
    (
        "rws-open-cover",
        "a",
        "Sic Bo (Open Cover) (Electronic Table Game)",
    ),
    ("mbs-table", "a", "Sic Bo"),
    ("mbs-etg", "rapid", "Electronic Sic Bo"),
    ("quang-nam-table", "a", "Tài Xỉu (Sic Bo)"),
];

/// What a line of `[identity]` begins with, and which books have such a line.
const SAID: [(&str, &[&str]); 6] = [
    ("title", &[]),
    ("operator", &[]),
    ("version", &[]),
    ("effective", &[]),
    ("also_known_as", &["rws-open-cover"]),
    ("approval", &["rws-open-cover", "mbs-etg"]),
];

/// The book with one line of its identity changed, or left out.
fn rewritten(book: &RuleBook, key: &str, to: Option<&str>) -> String {
    let begins = format!("{key} = ");
    let mut lines: Vec<String> = book.source().lines().map(str::to_owned).collect();
    let at = lines.iter().position(|line| line.starts_with(&begins));
    let at = at.expect("the identity comes first");
    match to {
        Some(to) => lines[at] = format!("{begins}{to}"),
        None => drop(lines.remove(at)),
    }
    lines.join("\n")
}

/// The digest of the rule book of each round that began.
fn digests(events: &[Event]) -> Vec<[u8; 32]> {
    let began = events.iter().filter_map(|event| match &event.fact {
        Fact::RoundBegan { digests, .. } => Some(digests.book),
        _ => None,
    });
    began.collect()
}

#[test]
fn r_001_r_003_the_wall_names_the_game_as_its_document_does() {
    for (book, layout, title) in TITLES {
        let run = check(&format!("table {book}\n station T1 {layout}"));
        assert_eq!(TableInfo::of(&run.table).expect("a table").title, title);
    }
}

#[test]
fn r_001_r_002_r_004_q_44_a_round_is_played_under_one_title_version_date_and_approval() {
    for (id, layout, _) in TITLES {
        let book = RuleBook::named(id).expect("a book");
        for (key, only) in SAID {
            if !only.is_empty() && !only.contains(&id) {
                continue;
            }
            let to = match key {
                "effective" => "{ is = 2031-02-03, rule = \"title\" }",
                _ => "{ is = \"something else\", rule = \"title\" }",
            };
            let other = RuleBook::parse(&rewritten(book, key, Some(to)));
            let other = Arc::new(other.unwrap_or_else(|error| panic!("{id} {key}: {error}")));
            let mut run = check(&format!("table {id}\n station T1 {layout}\n to-betting"));
            run.give(
                Act::ChangeRuleBook {
                    book: other.clone(),
                },
                Actor::House,
                None,
            )
            .unwrap_or_else(|refusal| panic!("{id} {key}: {refusal:?}"));
            // The round in hand is still the document's that it began under.
            run.play("round 1 2 4");
            assert_eq!(digests(&run.events), [book.sha256()], "{id} {key}");
            run.play("to-betting");
            assert_eq!(
                digests(&run.events),
                [book.sha256(), other.sha256()],
                "{id}: another {key} is another document"
            );
            another_document_is_refused(&run, book);
        }
    }
}

/// The last round cannot have been played under the first document.
fn another_document_is_refused(run: &Runner, first: &RuleBook) {
    let mut table = Table::default();
    for (i, event) in run.events.iter().enumerate() {
        if matches!(event.fact, Fact::RoundBegan { round, .. } if round.0 == 2) {
            let mut forged = run.events[i..].to_vec();
            if let Fact::RoundBegan { digests, .. } = &mut forged[0].fact {
                digests.book = first.sha256();
            }
            let said = derive(&table, &forged, &Records::new()).expect_err("another document");
            let said = said.to_string();
            assert!(said.contains("the digest of the rule book"), "{said}");
            return;
        }
        apply(&mut table, event);
    }
    panic!("no second round began");
}

#[test]
fn r_001_no_table_opens_under_a_document_that_does_not_say_what_it_is() {
    for (id, ..) in TITLES {
        let book = RuleBook::named(id).expect("a book");
        for key in ["title", "operator", "version", "effective"] {
            let said = RuleBook::parse(&rewritten(book, key, None)).expect_err("it lacks a line");
            let said = format!("{said:?}");
            assert!(
                said.contains(&format!("identity.{key}")),
                "{id} {key}: {said}"
            );
        }
    }
}

#[test]
fn r_043_r_120_r_121_a_terminal_takes_what_its_own_appendix_shows_and_nothing_else() {
    // Appendix A has the thirteen, Appendix B eight of them.
    for (section, both) in [
        ("small", true),
        ("big", true),
        ("odd", false),
        ("even", false),
        ("triple:2", true),
        ("double:2", true),
        ("any-triple", true),
        ("total:9", true),
        ("pair:1-2", true),
        ("single:3", true),
        ("four:6543", false),
        ("double-single:224", false),
        ("three-single:126", false),
    ] {
        let outcome = match both {
            true => "registered",
            false => "refused not_offered",
        };
        check(&format!(
            "
            table   mbs-etg
            station T1 rapid 100.00
            station T2 alfastreet 100.00
            to-betting
            bet     T1 b1 {section} 10.00   registered
            bet     T2 b1 {section} 10.00   {outcome}
            "
        ));
    }
}

#[test]
fn r_122_a_bet_is_told_by_the_name_of_the_terminal_it_was_made_at() {
    for (section, rapid, alfastreet) in [
        (
            "triple:2",
            "Specific Triples",
            "Specific Straight Triple Bet",
        ),
        ("double:2", "Specific Doubles", "Double Dice Bet"),
        ("any-triple", "Any Triple", "Any Triple Bet"),
        ("total:9", "Three Dice Totals", "Total Sum Combination"),
        (
            "pair:1-2",
            "Two Dice Combinations",
            "Domino Combination Bet",
        ),
        ("single:3", "Single Dice Wager", "Single Dice Bet"),
    ] {
        let run = check(&format!(
            "
            table   mbs-etg
            station T1 rapid 100.00
            station T2 alfastreet 100.00
            to-betting T1 b1 {section} 10.00
            bet     T2 b1 {section} 10.00
            round   1 2 4
            "
        ));
        let record = run.table.last_record.as_deref().expect("an ended round");
        let told = |at: u32| {
            let lines = lines_of(
                record,
                record.station(sicbo_table::ids::StationId(at)).unwrap(),
            );
            lines.first().expect("a bet").name.clone()
        };
        assert_eq!((told(0).as_str(), told(1).as_str()), (rapid, alfastreet));
    }
}
