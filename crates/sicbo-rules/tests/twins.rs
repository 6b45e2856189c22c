//! The open and the closed game of Resorts World: two complete files, and
//! exactly where they differ.

use std::collections::BTreeMap;

use toml::{Table, Value};

use crate::game::book;

/// Every value of a file by its path.
fn leaves(source: &str) -> BTreeMap<String, String> {
    fn walk(path: &str, value: &Value, found: &mut BTreeMap<String, String>) {
        let join = |key: &str| match path {
            "" => key.to_owned(),
            path => format!("{path}.{key}"),
        };
        match value {
            Value::Table(table) => table
                .iter()
                .for_each(|(key, value)| walk(&join(key), value, found)),
            Value::Array(entries) => entries
                .iter()
                .enumerate()
                .for_each(|(i, value)| walk(&format!("{path}[{i}]"), value, found)),
            value => {
                found.insert(path.to_owned(), value.to_string());
            }
        }
    }
    let table: Table = source.parse().unwrap();
    let mut found = BTreeMap::new();
    walk("", &Value::Table(table), &mut found);
    found
}

/// Where the files differ, and why they may.
const DIFFERENCES: &str = "
    identity.also_known_as.is       only the open game has a second name
    identity.also_known_as.rule
    identity.approval.is            the closed game's title page is lost
    identity.approval.resolution
    identity.approval.rule
    identity.effective.is
    identity.effective.lost
    identity.effective.resolution
    identity.effective.rule
    identity.id
    identity.operator.resolution
    identity.operator.rule
    identity.title.is
    identity.title.rule
    identity.version.is
    identity.version.lost
    identity.version.resolution
    identity.version.rule
    layout[0].reconstruction.is     each file lost other parts of its drawings
    layout[0].reconstruction.rule
    layout[1].reconstruction.is
    layout[1].reconstruction.rule
    layout[2].reconstruction.is
    play.cover.is                   3.6: covered, or open
    play.cover.rule
    play.tumble_window.is           3.6 and 5.3.3
    play.tumble_window.rule
    play.usual_tumble.is
    play.usual_tumble.rule
    voiding.cause[2].is             5.3.3: exposed dice, or an early tumble
";

#[test]
fn the_twin_books_differ_here_and_nowhere_else() {
    let closed = leaves(book("rws-etg").source());
    let open = leaves(book("rws-open-cover").source());
    let paths: std::collections::BTreeSet<&String> = closed.keys().chain(open.keys()).collect();
    let differing: Vec<&str> = paths
        .into_iter()
        .filter(|path| closed.get(*path) != open.get(*path))
        .map(String::as_str)
        .collect();
    let expected: Vec<&str> = DIFFERENCES
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(differing, expected);
}

#[test]
fn the_twin_books_are_complete_files() {
    for id in ["rws-etg", "rws-open-cover"] {
        let leaves = leaves(book(id).source());
        for part in [
            "identity",
            "words",
            "play",
            "pay_table",
            "layout",
            "voiding",
            "interruption",
            "late",
            "corrections",
            "authority",
            "disputes",
            "equipment",
        ] {
            assert!(
                leaves.keys().any(|path| path.starts_with(part)),
                "{id} lacks {part}"
            );
        }
        assert!(leaves.len() > 1000, "{id}");
    }
    let third = |id: &str| {
        let cause = &book(id).voiding.causes[2];
        (cause.cause.to_string(), cause.cite.rule.clone())
    };
    assert_eq!(
        third("rws-etg"),
        ("dice-exposed-early".to_owned(), "5.3.3".to_owned())
    );
    assert_eq!(
        third("rws-open-cover"),
        ("tumbler-activated-early".to_owned(), "5.3.3".to_owned())
    );
}
