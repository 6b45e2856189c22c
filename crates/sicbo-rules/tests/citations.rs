//! Every fact of every rule book with its citation, pinned in plain text.
//!
//! `expected/citations-<book>.txt` lists, for every place of a book that cites
//! a rule, the place, the fact, the rule and the resolution. The lists were
//! written once and read against the documents; a change of a book shows up
//! here and must be read against them again. After such a reading,
//! `SICBO_WRITE_CITATIONS=1 cargo test -p sicbo-rules citations` writes them anew.

use toml::{Table, Value};

use crate::game::{BOOKS, book};

pub(crate) const LISTS: [(&str, &str); 5] = [
    ("rws-etg", include_str!("expected/citations-rws-etg.txt")),
    (
        "mbs-table",
        include_str!("expected/citations-mbs-table.txt"),
    ),
    ("mbs-etg", include_str!("expected/citations-mbs-etg.txt")),
    (
        "rws-open-cover",
        include_str!("expected/citations-rws-open-cover.txt"),
    ),
    (
        "quang-nam-table",
        include_str!("expected/citations-quang-nam-table.txt"),
    ),
];

/// One line for every table of the file that cites something, in path order.
pub(crate) fn list(source: &str) -> Vec<String> {
    let root: Table = source.parse().unwrap();
    let mut lines = Vec::new();
    walk("", &root, &mut lines);
    lines
}

fn walk(path: &str, table: &Table, lines: &mut Vec<String>) {
    let text = |key: &str| table.get(key).and_then(Value::as_str);
    if text("rule").is_some() || text("resolution").is_some() {
        let (rule, resolution) = (text("rule"), text("resolution"));
        let said: Vec<String> = table
            .iter()
            .filter(|(key, _)| !["rule", "resolution", "sections"].contains(&key.as_str()))
            .filter_map(|(key, value)| match value {
                Value::Table(_) | Value::Array(_) => None,
                value if key == "is" => Some(value.to_string()),
                value => Some(format!("{key} = {value}")),
            })
            .collect();
        lines.push(format!(
            "{path} | {} | {} | {}",
            said.join(", "),
            rule.unwrap_or("-"),
            resolution.unwrap_or("-")
        ));
    }
    for (key, value) in table {
        let path = match path {
            "" => key.clone(),
            path => format!("{path}.{key}"),
        };
        match value {
            Value::Table(inner) => walk(&path, inner, lines),
            Value::Array(entries) => {
                for (i, entry) in entries.iter().enumerate() {
                    if let Value::Table(inner) = entry {
                        walk(&format!("{path}[{i}]"), inner, lines);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The expected list of a book, without its heading.
pub(crate) fn expected(id: &str) -> Vec<&'static str> {
    let (_, text) = LISTS.iter().find(|(book, _)| *book == id).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).collect()
}

#[test]
fn r_115_every_fact_cites_what_the_reviewed_lists_say() {
    for id in BOOKS {
        let lines = list(book(id).source());
        if std::env::var_os("SICBO_WRITE_CITATIONS").is_some() {
            let path = format!(
                "{}/tests/expected/citations-{id}.txt",
                env!("CARGO_MANIFEST_DIR")
            );
            let heading = format!(
                "# Every fact of {id} that cites a rule: place | fact | rule | resolution.\n\
                 # Read against the document; tests/citations.rs says how to write it anew.\n"
            );
            std::fs::write(path, heading + &lines.join("\n") + "\n").unwrap();
            continue;
        }
        let expected = expected(id);
        for (line, expected) in lines.iter().zip(&expected) {
            assert_eq!(line, expected, "{id}");
        }
        assert_eq!(lines.len(), expected.len(), "{id}");
    }
}

/// The numbering of each document, rule by rule, taken from the documents and
/// not from our files; numbers their scans lost are filled in where the order
/// of the paragraphs leaves no choice. A citation outside it cites nothing.
const NUMBERING: [(&str, &str); 5] = [
    ("rws-etg", RWS_NUMBERING),
    (
        "mbs-table",
        "1.1 1.1.1 1.1.2 1.1.3 2.1 3.1 3.2 3.3 3.4 3.5 3.5.1 3.5.2 3.5.3 3.5.4 3.5.5 3.5.6 3.5.7 \
         3.5.8 3.5.9 3.5.10 3.5.11 3.5.12 3.5.13 3.6 3.7 3.8 4.1 4.1.1 4.1.2 4.1.3 4.1.4 4.1.5 \
         4.1.6 4.1.7 5.1 5.2 5.3 5.4 5.5 5.6 5.7",
    ),
    (
        "mbs-etg",
        "1.1 1.1.1 1.1.2 1.1.3 2.1 2.2 3.1 3.2 3.3 3.3.1 3.3.1.1 3.3.2 3.3.2.1 3.3.3 3.3.3.1 3.3.4 \
         3.3.4.1 3.3.5 3.3.5.1 3.3.6 3.3.6.1 3.3.7 3.3.7.1 3.3.8 3.3.8.1 3.3.9 3.3.9.1 3.3.10 \
         3.3.10.1 3.3.11 3.3.11.1 3.3.12 3.3.12.1 3.3.13 3.3.13.1 3.4 3.5 3.6 4.1 4.1.1 4.1.2 4.1.3 \
         4.1.4 4.1.5 4.1.6 4.1.7 5.1 5.2 5.3 5.4 5.5 5.6 5.7 5.8 5.8.1 5.8.2 5.9 5.9.1 5.9.2 6.1 6.2 \
         6.3",
    ),
    ("rws-open-cover", RWS_NUMBERING),
    (
        "quang-nam-table",
        "1.1 1.2 1.2.1 1.2.2 2.1 2.2 3.1 3.2 3.3 3.4 3.5 3.6 3.7 3.8 3.9 4.1 4.2 4.3 4.3.1 4.3.2 4.4 \
         4.5 4.6 4.7 4.8 4.8.1 4.8.2 5.1 6.1 6.1.1 6.1.2 6.2 6.2.1 6.2.2 6.3 6.3.1 6.3.2 6.4 6.4.1 \
         6.4.2 6.5 6.5.1 6.5.2 6.6 6.6.1 6.6.2 6.7 6.7.1 6.7.2 6.8 6.8.1 6.8.2 6.8.3 7.1 7.2 7.3 7.4 \
         7.5 7.6 7.7 7.8 8.1 8.2 8.3 8.4 8.4.1 8.4.2 8.4.3 8.4.4 8.4.5 8.4.6 8.4.7 8.4.8 8.5 8.6",
    ),
];

const RWS_NUMBERING: &str = "1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 1.10 2.1 2.1.1 2.2 2.2.1 3.1 3.2 3.3 3.4 3.5 3.6 3.7 3.8 3.9 3.9.1 \
     3.9.2 3.9.3 3.9.4 3.9.5 4.1 4.1.1 4.1.2 4.1.3 5.1 5.1.1 5.1.2 5.2 5.2.1 5.2.2 5.3 5.3.1 5.3.2 \
     5.3.3 5.4 5.5 5.6 5.7 5.8 5.9 5.10";

/// The parts without a number that each document still has.
fn unnumbered(id: &str) -> &'static [&'static str] {
    match id {
        // Its title page, Appendix A and Appendix B are lost.
        "rws-etg" => &["Appendix C"],
        "mbs-table" => &["title"],
        "mbs-etg" => &["title", "preamble", "Appendix A", "Appendix B"],
        "rws-open-cover" => &[
            "title",
            "preamble",
            "Appendix A",
            "Appendix B",
            "Appendix C",
        ],
        "quang-nam-table" => &["signature"],
        other => panic!("{other}"),
    }
}

#[test]
fn every_cited_rule_exists_in_its_document() {
    for (id, numbering) in NUMBERING {
        let numbers: Vec<&str> = numbering.split_whitespace().collect();
        for line in list(book(id).source()) {
            let cells: Vec<&str> = line.rsplitn(3, " | ").collect();
            let (resolution, rules) = (cells[0], cells[1]);
            for rule in rules.split(", ") {
                let exists = match rule {
                    "silent" | "lost" => resolution != "-",
                    rule => numbers.contains(&rule) || unnumbered(id).contains(&rule),
                };
                assert!(exists, "{id}: {line}");
            }
        }
    }
}
