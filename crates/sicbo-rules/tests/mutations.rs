//! Breaks the data in every way that must not go unseen and checks that it is
//! seen: any two odds swapped, any citation deleted.

use sicbo_rules::RuleBook;

use crate::game::book;
use crate::{citations, expected};

/// What the checks say of a changed file; empty when the change goes unseen.
fn seen(id: &str, source: &str) -> Vec<String> {
    match RuleBook::parse(source) {
        Err(error) => vec![error.to_string()],
        Ok(book) => {
            let mut found = expected::differences(&book);
            let list = citations::list(source);
            if list != citations::expected(id) {
                found.push("the list of citations differs".to_owned());
            }
            found
        }
    }
}

/// Byte ranges of the odds in the rows of the pay tables.
fn odds_cells(source: &str) -> Vec<std::ops::Range<usize>> {
    const KEY: &str = "pays = \"";
    source
        .match_indices(KEY)
        .map(|(at, _)| {
            let start = at + KEY.len();
            let length = source[start..].find('"').unwrap();
            start..start + length
        })
        .collect()
}

/// The file with its first layout only: drawings hold no odds cells, and
/// thousands of swaps are read.
fn with_one_layout(source: &str) -> String {
    let (head, rest) = source.split_once("[[layout]]").unwrap();
    let (layouts, tail) = rest.split_once("[voiding]").unwrap();
    let first = layouts.split("[[layout]]").next().unwrap();
    format!("{head}[[layout]]{first}[voiding]{tail}")
}

/// Swaps every pair of different odds; only the odds may tell, not the citations.
fn swapping_any_two_odds_is_seen(id: &str, rows: usize) {
    let source = &with_one_layout(book(id).source());
    let sound = RuleBook::parse(source).unwrap();
    assert_eq!(sound.pay_tables, book(id).pay_tables);
    assert!(expected::differences(&sound).is_empty());
    let cells = odds_cells(source);
    assert_eq!(cells.len(), rows);
    let mut swapped = 0;
    for (i, first) in cells.iter().enumerate() {
        for second in &cells[i + 1..] {
            let (a, b) = (&source[first.clone()], &source[second.clone()]);
            if a == b {
                continue;
            }
            let mut mutant = source.to_owned();
            mutant.replace_range(second.clone(), a);
            mutant.replace_range(first.clone(), b);
            swapped += 1;
            match RuleBook::parse(&mutant) {
                // Refused outright: odds that favour the player.
                Err(_) => {}
                Ok(book) => assert!(
                    !expected::differences(&book).is_empty(),
                    "{id}: swapping {a} and {b} goes unseen"
                ),
            }
        }
    }
    assert!(swapped > rows, "{id}: {swapped} swaps of {rows} rows");
}

#[test]
fn rws_etg_swapping_any_two_odds_is_seen() {
    swapping_any_two_odds_is_seen("rws-etg", 61);
}

#[test]
fn mbs_table_swapping_any_two_odds_is_seen() {
    swapping_any_two_odds_is_seen("mbs-table", 36);
}

#[test]
fn mbs_etg_swapping_any_two_odds_is_seen() {
    swapping_any_two_odds_is_seen("mbs-etg", 36);
}

#[test]
fn rws_open_cover_swapping_any_two_odds_is_seen() {
    swapping_any_two_odds_is_seen("rws-open-cover", 61);
}

#[test]
fn quang_nam_swapping_any_two_odds_is_seen() {
    swapping_any_two_odds_is_seen("quang-nam-table", 20);
}

/// The file without one `key = "…"`, for each that it has.
fn without_each(source: &str, key: &str) -> Vec<String> {
    let key = format!("{key} = \"");
    source
        .match_indices(&key)
        .filter(|(at, _)| {
            !source[..*at].ends_with(|before: char| before.is_alphanumeric() || before == '_')
        })
        .map(|(at, _)| {
            let end = at + key.len() + source[at + key.len()..].find('"').unwrap() + 1;
            // With the comma before it, unless it is a line of its own.
            let start = source[..at].strip_suffix(", ").map_or(at, str::len);
            format!("{}{}", &source[..start], &source[end..])
        })
        .collect()
}

fn deleting_any_citation_is_seen(id: &str) {
    let source = book(id).source();
    assert!(seen(id, source).is_empty(), "{id} itself is sound");
    let list = citations::expected(id);
    for (key, column) in [("rule", 1), ("resolution", 0)] {
        let mutants = without_each(source, key);
        let given = list
            .iter()
            .filter(|line| line.rsplit(" | ").nth(column) != Some("-"));
        assert_eq!(mutants.len(), given.count(), "{id} {key}");
        for (i, mutant) in mutants.iter().enumerate() {
            mutant.parse::<toml::Table>().unwrap();
            assert!(
                !seen(id, mutant).is_empty(),
                "{id}: {key} number {i} can go unseen"
            );
        }
    }
}

#[test]
fn rws_etg_deleting_any_citation_is_seen() {
    deleting_any_citation_is_seen("rws-etg");
}

#[test]
fn mbs_table_deleting_any_citation_is_seen() {
    deleting_any_citation_is_seen("mbs-table");
}

#[test]
fn mbs_etg_deleting_any_citation_is_seen() {
    deleting_any_citation_is_seen("mbs-etg");
}

#[test]
fn rws_open_cover_deleting_any_citation_is_seen() {
    deleting_any_citation_is_seen("rws-open-cover");
}

#[test]
fn quang_nam_deleting_any_citation_is_seen() {
    deleting_any_citation_is_seen("quang-nam-table");
}
