//! `docs/conformance.md`: rule by rule, the tests that prove it.
//!
//! A test proves a requirement when its name begins with the number,
//! `r_150_fewer_than_three_tumbles_void_the_round`, or when the title of a test
//! of the web app has it, `R-042: a note that looks forged becomes a case`; other
//! tests are named in `docs/requirements-proofs.txt`. A test that only compares a
//! rule book with its own text proves nothing about play and does not count:
//! `crates/sicbo-mutants/mutants.txt` lists those. The list of requirements is
//! `docs/requirements-index.txt`. The page is generated, so a name on it is a
//! test that exists. Run with `SICBO_UPDATE=1` to write it anew.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const PAGE: &str = "docs/conformance.md";
const INDEX: &str = "docs/requirements-index.txt";
const PROOFS: &str = "docs/requirements-proofs.txt";
const MUTANTS: &str = "crates/sicbo-mutants/mutants.txt";

/// A number and its kind, in the order they are listed.
pub(crate) type Number = (char, u16);

pub(crate) fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// One line of the index.
pub(crate) enum Entry {
    Heading(String),
    Requirement(String, Number, String),
}

pub(crate) fn index() -> Vec<Entry> {
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

pub(crate) fn number(id: &str) -> Number {
    let kind = id.chars().next().filter(|kind| "RQJSP".contains(*kind));
    let digits = id.get(2..).and_then(|digits| digits.parse().ok());
    match (kind, digits) {
        (Some(kind), Some(digits)) => (kind, digits),
        _ => panic!("{id:?} is no number of a requirement"),
    }
}

/// The numbers a test's name begins with: `r_150_…`, `j_02_j_03_…`.
fn cited(name: &str) -> Vec<Number> {
    let words: Vec<&str> = name.split('_').collect();
    let numbers = words.chunks_exact(2).map_while(|pair| {
        let kind = match pair[0] {
            "r" | "q" | "j" | "s" | "p" => pair[0].to_ascii_uppercase().chars().next()?,
            _ => return None,
        };
        Some((kind, pair[1].parse().ok()?))
    });
    numbers.collect()
}

/// The numbers in the title of a test of the web app: `R-042`, `J-04 b`.
fn titled(title: &str) -> Vec<Number> {
    let words = title.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let numbers = words.filter_map(|word| {
        let (kind, digits) = word.split_once('-')?;
        let kind = kind.chars().next().filter(|_| kind.len() == 1)?;
        let digits = digits.trim_end_matches(|c: char| c.is_ascii_lowercase());
        "RQJSP".contains(kind).then_some(())?;
        Some((kind, digits.parse().ok()?))
    });
    numbers.collect()
}

/// The names of test functions in a source file. One that is ignored proves
/// nothing: nobody runs it.
fn tests(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut marked, mut ignored) = (false, false);
    for line in source.lines().map(str::trim) {
        let function = line.strip_prefix("async ").unwrap_or(line);
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            marked = true;
        } else if line.starts_with("#[ignore") {
            ignored = true;
        } else if let Some(rest) = function.strip_prefix("fn ") {
            if marked && !ignored {
                found.push(rest.split(['(', '<']).next().unwrap_or(rest).to_owned());
            }
            (marked, ignored) = (false, false);
        } else if !line.starts_with('#') && !line.starts_with("//") {
            (marked, ignored) = (false, false);
        }
    }
    found
}

/// The titles of the tests in a file of the web app.
fn titles(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in source.lines().map(str::trim) {
        let Some(rest) = line.strip_prefix("test(").or(line.strip_prefix("it(")) else {
            continue;
        };
        let Some(quote) = rest.chars().next().filter(|c| "'\"`".contains(*c)) else {
            continue;
        };
        let (mut title, mut escaped) = (String::new(), false);
        for c in rest.chars().skip(1) {
            match c {
                _ if escaped => {
                    title.push(c);
                    escaped = false;
                }
                '\\' => escaped = true,
                _ if c == quote => break,
                _ => title.push(c),
            }
        }
        found.push(title);
    }
    found
}

fn sources(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, ending, found);
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
}

/// Every test of the project: its file from the top, its name, what it cites.
fn every_test() -> Vec<(String, String, Vec<Number>)> {
    let top = top();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(top.join("crates"))
        .expect("the crates")
        .flatten()
    {
        for folder in ["src", "tests"] {
            sources(&entry.path().join(folder), ".rs", &mut files);
        }
    }
    sources(&top.join("web/tests"), ".test.ts", &mut files);
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let source = read(&file);
        let place = file.strip_prefix(&top).expect("under the top");
        let place = place.display().to_string().replace('\\', "/");
        let rust = place.ends_with(".rs");
        let names = if rust {
            tests(&source)
        } else {
            titles(&source)
        };
        for name in names {
            let numbers = if rust { cited(&name) } else { titled(&name) };
            all.push((place.clone(), name, numbers));
        }
    }
    all
}

/// Test files that no program is built from: a module which nobody names is not run.
fn left_out(tests: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    sources(tests, ".rs", &mut files);
    files.retain(|file| {
        let folder = file.parent().expect("a folder");
        let name = file.file_stem().expect("a name").to_string_lossy();
        let (module, above) = match &*name {
            "main" => return folder != tests,
            "mod" => (folder.file_name(), folder.parent()),
            _ => (file.file_stem(), Some(folder)),
        };
        let above = above.expect("within the tests");
        let above = match above == tests {
            true => vec![above.join("main.rs")],
            false => vec![above.join("mod.rs"), above.with_extension("rs")],
        };
        let module = module.expect("a name").to_string_lossy();
        let named = format!("mod {module};");
        let mut above = above.iter().flat_map(std::fs::read_to_string);
        !above.any(|source| source.lines().any(|line| line.trim().ends_with(&named)))
    });
    files
}

#[test]
fn every_test_file_is_part_of_the_one_test_program_of_its_crate() {
    for entry in std::fs::read_dir(top().join("crates")).expect("the crates") {
        let tests = entry.expect("a crate").path().join("tests");
        assert_eq!(left_out(&tests), Vec::<PathBuf>::new());
    }
}

#[test]
fn a_test_file_that_nobody_names_is_found() {
    let folder = std::env::temp_dir().join(format!("sicbo-left-out-{}", std::process::id()));
    for area in ["area", "named"] {
        std::fs::create_dir_all(folder.join(area)).expect("a folder");
    }
    for (file, text) in [
        ("main.rs", "mod area;\nmod named;\n"),
        ("named.rs", "mod below;\n"),
        ("forgotten.rs", ""),
        ("area/mod.rs", "pub(crate) mod inner;\n"),
        ("area/inner.rs", ""),
        ("area/alone.rs", ""),
        ("named/below.rs", ""),
    ] {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    let mut found = left_out(&folder);
    found.sort();
    let _ = std::fs::remove_dir_all(&folder);
    assert_eq!(
        found,
        [folder.join("area/alone.rs"), folder.join("forgotten.rs")]
    );
}

/// Lines of a data file that say something.
fn lines(path: &str) -> Vec<String> {
    let text = read(&top().join(path));
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

/// What proves each requirement, and what the others wait for.
pub(crate) struct Proofs {
    pub(crate) tests: BTreeMap<Number, Vec<(String, String)>>,
    waits: BTreeMap<Number, String>,
    /// Things of the room that the program has no part in.
    things: BTreeMap<Number, String>,
}

/// The one rule about a thing that lies on the table and that no program
/// touches. Whatever else is here needs a test.
const THINGS: [&str; 1] = ["R-041"];

/// Tests of the browser that `make test` leaves to `make soak`, as the app's
/// own configuration names them.
pub(crate) fn long_tests() -> Vec<String> {
    let config = read(&top().join("web/vitest.browser.config.ts"));
    let line = config
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with("exclude:"));
    let patterns = line.into_iter().flat_map(|line| line.split('\''));
    patterns
        .filter(|part| part.starts_with("tests/browser/"))
        .map(|part| format!("web/{part}"))
        .collect()
}

/// Whether a pattern with at most one `*` names a file.
fn names(pattern: &str, place: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            place.len() >= start.len() + end.len()
                && place.starts_with(start)
                && place.ends_with(end)
        }
        None => pattern == place,
    }
}

pub(crate) fn only_in_soak(long: &[String], place: &str) -> bool {
    long.iter().any(|pattern| names(pattern, place))
}

/// A device or law, or an issue that is open: `issue 21`.
fn says_what_it_waits_for(what: &str) -> bool {
    ["for the law of ", "for a device: "]
        .iter()
        .any(|start| what.starts_with(start))
        || what.strip_prefix("for issue ").is_some_and(|rest| {
            let number = rest.split([' ', ':', ',']).next().unwrap_or_default();
            number.parse::<u16>().is_ok()
        })
}

pub(crate) fn proofs() -> Proofs {
    let all = every_test();
    let not_proof: Vec<String> = lines(MUTANTS)
        .iter()
        .filter_map(|line| line.strip_prefix("not-proof "))
        .map(|name| name.trim().to_owned())
        .collect();
    for name in &not_proof {
        assert!(
            all.iter().any(|(_, test, _)| test == name),
            "{MUTANTS}: there is no test {name}"
        );
    }
    let mut proofs = Proofs {
        tests: BTreeMap::new(),
        waits: BTreeMap::new(),
        things: BTreeMap::new(),
    };
    let mut add = |number: Number, name: &str, place: &str| {
        let tests = proofs.tests.entry(number).or_default();
        let row = (name.to_owned(), place.to_owned());
        if !tests.contains(&row) {
            tests.push(row);
        }
    };
    for (place, name, numbers) in &all {
        if !not_proof.contains(name) {
            for number in numbers {
                add(*number, name, place);
            }
        }
    }
    for line in lines(PROOFS) {
        let said = line.split_once(' ').and_then(|(id, rest)| {
            let (verb, rest) = rest.split_once(' ')?;
            Some((number(id), verb, rest))
        });
        match said {
            Some((number, "by", rest)) => {
                let (place, name) = rest.split_once(' ').expect("a file and a test");
                let there = |(file, test, _): &&(String, String, Vec<Number>)| {
                    file == place && test == name
                };
                assert!(
                    all.iter().any(|test| there(&test)),
                    "{PROOFS}: no test {name:?} in {place}"
                );
                assert!(
                    !not_proof.iter().any(|test| test == name),
                    "{PROOFS}: {name} only compares a book with its text"
                );
                add(number, name, place);
            }
            Some((number, "waits", rest)) => {
                assert!(
                    "SP".contains(number.0),
                    "{PROOFS}: {line}: a rule does not wait"
                );
                assert!(
                    says_what_it_waits_for(rest),
                    "{PROOFS}: {line}: name the law, the device or the open issue"
                );
                proofs.waits.insert(number, rest.to_owned());
            }
            Some((number, "thing", rest)) => {
                assert!(
                    THINGS.iter().any(|id| line.starts_with(id)),
                    "{PROOFS}: {line}: a rule is proved by a test"
                );
                proofs.things.insert(number, rest.to_owned());
            }
            _ => panic!(
                "{PROOFS}: {line:?}: write NUMBER by FILE TEST, NUMBER waits WHAT or NUMBER thing WHAT"
            ),
        }
    }
    proofs
}

fn page() -> String {
    let (
        index,
        Proofs {
            tests: proofs,
            waits,
            things,
        },
    ) = (index(), proofs());
    let long = long_tests();
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
         Generated from `docs/requirements-index.txt`, the names of the tests and \
         `docs/requirements-proofs.txt`; \
         `SICBO_UPDATE=1 cargo test -p sicbo-table --test table conformance` writes it anew. \
         Tests that only compare a rule book with its own text do not count. That tests \
         fail when a rule is taken away is shown by `make mutants`. Tests marked *soak* run \
         in `make soak` only, and prove nothing alone.\n\n\
         | | Proved by a test | Waits | No part of the program | Listed |\n|---|---|---|---|---|\n",
    );
    for (kind, name) in [
        ('R', "Rules of the documents (R)"),
        ('Q', "Resolved ambiguities (Q)"),
        ('J', "User journeys (J)"),
        ('S', "Public standards (S)"),
        ('P', "Proposals (P)"),
    ] {
        let (by_test, all) = proved(kind);
        let waiting = waits.keys().filter(|number| number.0 == kind).count();
        let apart = things.keys().filter(|number| number.0 == kind).count();
        let _ = writeln!(page, "| {name} | {by_test} | {waiting} | {apart} | {all} |");
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
                let waiting = || match (waits.get(number), things.get(number)) {
                    (Some(what), _) => format!("*waits {what}*"),
                    (None, Some(what)) => format!("*no part of the program: {what}*"),
                    (None, None) => "*not proved yet*".to_owned(),
                };
                let by = proofs.get(number).map_or_else(waiting, |tests| {
                    let tests = tests.iter().map(|(name, place)| {
                        let soak = match only_in_soak(&long, place) {
                            true => " *soak*",
                            false => "",
                        };
                        format!("`{name}` ({place}){soak}")
                    });
                    tests.collect::<Vec<_>>().join("<br>")
                });
                let _ = writeln!(page, "| {id} | {title} | {by} |");
            }
        }
    }
    page
}

/// Compares a generated page with what is committed, or writes it.
pub(crate) fn fresh(path: &str, page: &str) {
    let file = top().join(path);
    if std::env::var_os("SICBO_UPDATE").is_some() {
        std::fs::write(&file, page).expect("the page can be written");
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == page,
        "{path} is stale: run with SICBO_UPDATE=1 and commit it"
    );
}

#[test]
fn the_conformance_page_is_fresh() {
    fresh(PAGE, &page());
}

/// What a document demands is proved by a test that would fail without it; a
/// standard or a proposal is, or says what it waits for. One proof at least
/// runs in `make test`.
#[test]
fn every_requirement_is_proved_or_says_what_it_waits_for() {
    let Proofs {
        tests,
        waits,
        things,
    } = proofs();
    let long = long_tests();
    let mut open = Vec::new();
    for entry in index() {
        if let Entry::Requirement(id, number, title) = entry {
            let proved = tests.contains_key(&number);
            let excused = waits.contains_key(&number) || things.contains_key(&number);
            if !proved && !excused {
                open.push(format!("{id} {title}"));
            }
            let runs = |(_, place): &(String, String)| !only_in_soak(&long, place);
            if proved && !tests[&number].iter().any(runs) {
                open.push(format!("{id} is proved in `make soak` only: {title}"));
            }
            if proved && excused {
                open.push(format!("{id} is proved: strike it from {PROOFS}: {title}"));
            }
        }
    }
    assert!(open.is_empty(), "not proved:\n{}", open.join("\n"));
}

#[test]
fn only_test_functions_count_as_proof() {
    let source = "#[test]\nfn r_001_a() {}\nfn r_002_b() {}\n#[test]\n#[should_panic]\nfn q_03_c() {}\n// fn r_004_d()\n#[tokio::test]\nasync fn j_05_e() {}\n";
    assert_eq!(tests(source), ["r_001_a", "q_03_c", "j_05_e"]);
    let ignored = "#[test]\n#[ignore = \"long\"]\nfn r_001_a() {}\n#[ignore]\n#[test]\nfn r_002_b() {}\n#[test]\nfn r_003_c() {}\n";
    assert_eq!(tests(ignored), ["r_003_c"]);
    assert!(names("web/a/pit-*.test.ts", "web/a/pit-cage.test.ts"));
    assert!(!names("web/a/pit-*.test.ts", "web/a/round.test.ts"));
    assert!(says_what_it_waits_for("for issue 21: sounds"));
    assert!(says_what_it_waits_for("for the law of Vietnam on entry"));
    assert!(!says_what_it_waits_for("for somebody who listens"));
    assert_eq!(cited("r_150_fewer"), [('R', 150)]);
    assert_eq!(cited("j_02_j_03_five_tables"), [('J', 2), ('J', 3)]);
    assert_eq!(cited("row_150_fewer"), []);
    assert_eq!(cited("r_x_fewer"), []);
    let source = "test('P-033, P-034: it\\'s seen', async () => {\n  test(`J-04 b ${book}: found`, x)\nretest('R-001')";
    assert_eq!(
        titles(source),
        ["P-033, P-034: it's seen", "J-04 b ${book}: found"]
    );
    assert_eq!(titled("P-033, P-034: seen"), [('P', 33), ('P', 34)]);
    assert_eq!(
        titled("J-04a: a key (Q-06), X-11, R-x"),
        [('J', 4), ('Q', 6)]
    );
}
