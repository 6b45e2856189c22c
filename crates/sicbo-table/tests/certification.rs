//! `docs/certification/README.md`: clause by clause of public standards, the tests that prove it and
//! what shows it. Made from `docs/certification/clauses.txt`, which has only what was read, and
//! from the tests of the conformance page. `SICBO_UPDATE=1` writes it anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::conformance::{
    Entry, fresh, index, long_tests, number, only_in_soak, proofs, read, top,
};

const PAGE: &str = "docs/certification/README.md";
const CLAUSES: &str = "docs/certification/clauses.txt";
const NOT_READ: &str = "not read";

/// Clauses under the source they were read in.
fn clauses() -> Vec<(String, Vec<String>)> {
    let text = read(&top().join(CLAUSES));
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        match line.strip_prefix('[') {
            Some(source) => found.push((source.trim_end_matches(']').to_owned(), Vec::new())),
            None => {
                let (_, lines) = found.last_mut().expect("a source comes first");
                lines.push(line.to_owned());
            }
        }
    }
    found
}

fn page() -> String {
    let (proofs, long) = (proofs().tests, long_tests());
    let mut page = String::from(
        "# For a test lab: clauses of public standards\n\n\
         Generated from `clauses.txt` and the names of the tests; `SICBO_UPDATE=1 cargo test -p \
         sicbo-table --test table certification` writes it anew. The wording is ours, of excerpts \
         that were read: hold it to the current text of your jurisdiction before a submission. \
         How to run one test: `cargo nextest run --workspace --features sicbo-house/mutants -E \
         'test(NAME)'`; all of them: `make test`. Tests marked *soak* run in `make soak` only. \
         Where a rule book says otherwise, the rule book wins for its table: [rule by rule](../conformance.md).\n",
    );
    let mut seen = BTreeSet::new();
    for (source, lines) in clauses() {
        if source == NOT_READ {
            page.push_str(
                "\n## What could not be read\n\nNothing is claimed of these: their text was not at \
                 hand, and no clause number of theirs stands on this page.\n\n",
            );
            for line in lines {
                let _ = writeln!(page, "- {line}");
            }
            continue;
        }
        let _ = write!(
            page,
            "\n## {source}\n\n| No. | Clause | Proved by | Shown by |\n|---|---|---|---|\n"
        );
        for line in lines {
            let (clause, evidence) = line.split_once(" | ").expect("a clause | what shows it");
            let (id, clause) = clause.split_once(' ').expect("a number and a clause");
            assert!(seen.insert(id.to_owned()), "{id} stands twice in {CLAUSES}");
            let tests = proofs.get(&number(id));
            let tests = tests.unwrap_or_else(|| panic!("{id}: no test proves it"));
            let tests = tests.iter().map(|(name, place)| {
                let soak = if only_in_soak(&long, place) {
                    " *soak*"
                } else {
                    ""
                };
                format!("`{name}` ({place}){soak}")
            });
            let tests = tests.collect::<Vec<_>>().join("<br>");
            let _ = writeln!(page, "| {id} | {clause} | {tests} | {evidence} |");
        }
    }
    // Every standard of the index is here, and no other.
    let listed = index().into_iter().filter_map(|entry| match entry {
        Entry::Requirement(id, ('S', _), _) => Some(id),
        _ => None,
    });
    assert_eq!(
        seen,
        listed.collect(),
        "{CLAUSES} and the index list the same"
    );
    page
}

#[test]
fn the_pages_for_a_test_lab_are_fresh() {
    fresh(PAGE, &page());
}
