//! `docs/conformance.md`: rule by rule, the tests that prove it.
//!
//! A test proves a requirement when its name begins with the number:
//! `r_150_fewer_than_three_tumbles_void_the_round`. The list of requirements is
//! `docs/requirements-index.txt`. The page is generated, so a name on it is a
//! test that exists; what no test cites is named as not proved. Run with
//! `SICBO_UPDATE=1` to write it anew.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const PAGE: &str = "docs/conformance.md";
const INDEX: &str = "docs/requirements-index.txt";

/// A number and its kind, in the order they are listed.
type Number = (char, u16);

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// One line of the index.
enum Entry {
    Heading(String),
    Requirement(String, Number, String),
}

fn index() -> Vec<Entry> {
    let text = read(&top().join(INDEX));
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| match line.strip_prefix('[') {
            Some(heading) => Entry::Heading(heading.trim_end_matches(']').to_owned()),
            None => {
                let (id, title) = line.split_once(' ').expect("a number and a title");
                Entry::Requirement(id.to_owned(), number(id), title.trim().to_owned())
            }
        })
        .collect()
}

fn number(id: &str) -> Number {
    let kind = id.chars().next().filter(|kind| "RQJSP".contains(*kind));
    let digits = id.get(2..).and_then(|digits| digits.parse().ok());
    match (kind, digits) {
        (Some(kind), Some(digits)) => (kind, digits),
        _ => panic!("{id:?} is no number of a requirement"),
    }
}

/// The number a test's name begins with, if it does: `r_150_…`, `q_07_…`.
fn cited(name: &str) -> Option<Number> {
    let (kind, rest) = name.split_once('_')?;
    let (digits, _) = rest.split_once('_')?;
    let kind = match kind {
        "r" | "q" | "j" | "s" | "p" => kind.to_ascii_uppercase().chars().next()?,
        _ => return None,
    };
    Some((kind, digits.parse().ok()?))
}

/// The names of test functions in a source file.
fn tests(source: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut marked = false;
    for line in source.lines().map(str::trim) {
        if line.starts_with("#[test]") {
            marked = true;
        } else if let Some(rest) = line.strip_prefix("fn ") {
            if marked {
                found.push(rest.split(['(', '<']).next().unwrap_or(rest));
            }
            marked = false;
        } else if !line.starts_with('#') && !line.starts_with("//") {
            marked = false;
        }
    }
    found
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
}

/// Every test that cites a requirement, with the file it stands in.
fn proofs() -> BTreeMap<Number, Vec<(String, String)>> {
    let crates = top().join("crates");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&crates).expect("the crates").flatten() {
        for folder in ["src", "tests"] {
            sources(&entry.path().join(folder), &mut files);
        }
    }
    files.sort();
    let mut proofs: BTreeMap<Number, Vec<(String, String)>> = BTreeMap::new();
    for file in files {
        let source = read(&file);
        let place = file.strip_prefix(&crates).expect("under crates");
        for name in tests(&source) {
            if let Some(number) = cited(name) {
                let place = place.display().to_string().replace('\\', "/");
                proofs
                    .entry(number)
                    .or_default()
                    .push((name.to_owned(), place));
            }
        }
    }
    proofs
}

fn page() -> String {
    let (index, proofs) = (index(), proofs());
    let mut known: Vec<(Number, &str)> = Vec::new();
    for entry in &index {
        if let Entry::Requirement(id, number, _) = entry {
            assert!(
                !known.iter().any(|(listed, _)| listed == number),
                "{id} is listed twice in {INDEX}"
            );
            known.push((*number, id));
        }
    }
    for (number, tests) in &proofs {
        assert!(
            known.iter().any(|(listed, _)| listed == number),
            "{} cites {}-{:02}, which {INDEX} does not list",
            tests[0].0,
            number.0,
            number.1
        );
    }
    let proved = |kind: char| {
        let of_kind = known.iter().filter(|(number, _)| number.0 == kind);
        let all = of_kind.clone().count();
        (
            of_kind
                .filter(|(number, _)| proofs.contains_key(number))
                .count(),
            all,
        )
    };
    let mut page = String::from(
        "# Conformance: rule by rule, the tests that prove it\n\n\
         Generated from `docs/requirements-index.txt` and the names of the tests; \
         `SICBO_UPDATE=1 cargo test -p sicbo-table --test conformance` writes it anew. \
         A test's path is under `crates/`.\n\n\
         | | Proved by a test | Listed |\n|---|---|---|\n",
    );
    for (kind, name) in [
        ('R', "Rules of the documents (R)"),
        ('Q', "Resolved ambiguities (Q)"),
        ('J', "User journeys (J)"),
        ('S', "Public standards (S)"),
        ('P', "Proposals (P)"),
    ] {
        let (by_test, all) = proved(kind);
        let _ = writeln!(page, "| {name} | {by_test} | {all} |");
    }
    for entry in &index {
        match entry {
            Entry::Heading(heading) => {
                let _ = write!(
                    page,
                    "\n## {heading}\n\n| No. | What | Proved by |\n|---|---|---|\n"
                );
            }
            Entry::Requirement(id, number, title) => {
                let by = proofs.get(number).map_or_else(
                    || "*not proved yet*".to_owned(),
                    |tests| {
                        let tests = tests
                            .iter()
                            .map(|(name, place)| format!("`{name}` ({place})"));
                        tests.collect::<Vec<_>>().join("<br>")
                    },
                );
                let _ = writeln!(page, "| {id} | {title} | {by} |");
            }
        }
    }
    page
}

#[test]
fn the_conformance_page_is_fresh() {
    let (path, page) = (top().join(PAGE), page());
    if std::env::var_os("SICBO_UPDATE").is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == page,
        "{PAGE} is stale: run with SICBO_UPDATE=1 and commit it"
    );
}

#[test]
fn only_test_functions_count_as_proof() {
    let source = "#[test]\nfn r_001_a() {}\nfn r_002_b() {}\n#[test]\n#[should_panic]\nfn q_03_c() {}\n// fn r_004_d()\n";
    assert_eq!(tests(source), ["r_001_a", "q_03_c"]);
    assert_eq!(cited("r_150_fewer"), Some(('R', 150)));
    assert_eq!(cited("row_150_fewer"), None);
    assert_eq!(cited("r_x_fewer"), None);
}
