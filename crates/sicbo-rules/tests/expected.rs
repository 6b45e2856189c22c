//! Reads the plain-text tables of expected odds and par values, and says where
//! a rule book differs from them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use sicbo_rules::maths::approx;
use sicbo_rules::{Par, PayTable, RuleBook, Section};

/// Book, pay table and its table of expected values.
pub(crate) const TABLES: [(&str, &str, &str); 9] = [
    ("rws-etg", "pt1", include_str!("expected/rws-etg-pt1.txt")),
    ("rws-etg", "pt2", include_str!("expected/rws-etg-pt2.txt")),
    ("rws-etg", "pt3", include_str!("expected/rws-etg-pt3.txt")),
    (
        "mbs-table",
        "settlement",
        include_str!("expected/mbs-table-settlement.txt"),
    ),
    (
        "mbs-etg",
        "settlement",
        include_str!("expected/mbs-etg-settlement.txt"),
    ),
    (
        "rws-open-cover",
        "pt1",
        include_str!("expected/rws-open-cover-pt1.txt"),
    ),
    (
        "rws-open-cover",
        "pt2",
        include_str!("expected/rws-open-cover-pt2.txt"),
    ),
    (
        "rws-open-cover",
        "pt3",
        include_str!("expected/rws-open-cover-pt3.txt"),
    ),
    (
        "quang-nam-table",
        "ty-le",
        include_str!("expected/quang-nam-table-ty-le.txt"),
    ),
];

/// One section's line, cell by cell, as text: ways, pays, citations, edge,
/// edge in percent, deviation.
type Line = [String; 6];

type Lines = BTreeMap<Section, Line>;

/// All tables by book and pay table, read once.
static LINES: LazyLock<BTreeMap<(&str, &str), Lines>> = LazyLock::new(|| {
    let read = TABLES.map(|(book, table, text)| ((book, table), read(text)));
    BTreeMap::from(read)
});

/// The lines of a table by section.
fn read(text: &str) -> Lines {
    let mut lines = BTreeMap::new();
    for row in text.lines().filter(|row| !row.starts_with('#')) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (sections, values) = cells.split_last().unwrap();
        let line: Line = std::array::from_fn(|i| values[i].to_owned());
        assert_eq!(values.len(), 6, "{row}");
        for section in sections.split_whitespace() {
            let repeated = lines.insert(section.parse().unwrap(), line.clone());
            assert!(repeated.is_none(), "{section} stands twice");
        }
    }
    lines
}

/// What the book says of a section, in the same cells.
fn line(table: &PayTable, section: Section) -> Option<Line> {
    let pays = table.pays(section)?;
    let par = Par::of_pays(section, pays);
    let join = |cells: Vec<String>, with: &str| cells.join(with);
    Some([
        join(par.ways_by_line.iter().map(u32::to_string).collect(), "+"),
        join(
            pays.lines()
                .iter()
                .map(|line| line.is.to_string())
                .collect(),
            " ",
        ),
        join(
            pays.lines()
                .iter()
                .map(|line| line.cite.to_string())
                .collect(),
            " ; ",
        ),
        format!("{}/{}", par.edge().numer(), par.edge().denom()),
        format!("{:.4}", approx(par.edge()) * 100.0),
        format!("{:.4}", par.deviation()),
    ])
}

/// Every cell in which a book's pay tables differ from the expected tables.
pub(crate) fn differences(book: &RuleBook) -> Vec<String> {
    let id = book.id();
    let mut found = Vec::new();
    let expected: Vec<_> = TABLES.iter().filter(|(name, ..)| *name == id).collect();
    let tables: Vec<&str> = book.pay_tables.iter().map(|t| t.id.as_str()).collect();
    let wanted: Vec<&str> = expected.iter().map(|(_, table, _)| *table).collect();
    if tables != wanted {
        found.push(format!("{id}: pay tables {tables:?}, expected {wanted:?}"));
    }
    for (table, (_, name, _)) in book.pay_tables.iter().zip(expected) {
        let lines = &LINES[&(id, *name)];
        for section in Section::ALL {
            let (is, should) = (line(table, section), lines.get(&section));
            if is.as_ref() != should {
                found.push(format!(
                    "{id} {}: {section} is {is:?}, expected {should:?}",
                    table.id
                ));
            }
        }
    }
    found
}
