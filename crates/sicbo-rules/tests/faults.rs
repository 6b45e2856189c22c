//! What `RuleBook::parse` says of a faulty file: every fault at once, each
//! with its line, its place, what is wrong and what would be right.

mod drawing;
mod odds;
mod play;

use sicbo_rules::RuleBook;
use sicbo_rules::rulebook::{Fault, RuleBookError};

use crate::game::book;

/// Line on which a mark stands; it must stand on one line only.
#[track_caller]
fn line_of(source: &str, mark: &str) -> usize {
    let lines: Vec<usize> = source
        .lines()
        .enumerate()
        .filter(|(_, line)| line.contains(mark))
        .map(|(i, _)| i + 1)
        .collect();
    assert_eq!(lines.len(), 1, "{mark:?} stands on lines {lines:?}");
    lines[0]
}

#[track_caller]
fn change(source: &str, from: &str, to: &str) -> String {
    assert_eq!(source.matches(from).count(), 1, "{from:?}");
    source.replace(from, to)
}

#[track_caller]
fn faults(source: &str) -> Vec<Fault> {
    match RuleBook::parse(source) {
        Err(RuleBookError::Faults(faults)) => faults,
        Err(error) => panic!("{error}"),
        Ok(_) => Vec::new(),
    }
}

/// A fault as expected: a mark on its line, its place, words of what is wrong
/// and of what would be right.
type Expected = [&'static str; 4];

#[track_caller]
fn check(source: &str, expected: &[Expected]) {
    let found = faults(source);
    let shown: Vec<String> = found.iter().map(Fault::to_string).collect();
    assert_eq!(found.len(), expected.len(), "{shown:#?}");
    for (fault, [mark, place, problem, right]) in found.iter().zip(expected) {
        assert_eq!(fault.place, *place, "{shown:#?}");
        assert!(fault.problem.contains(problem), "{fault}");
        assert!(fault.expected.contains(right), "{fault}");
        assert_eq!(fault.line, line_of(source, mark), "{fault}");
    }
}

/// A change of the Quảng Nam book and the faults it must bring.
#[track_caller]
fn broken(from: &str, to: &str, expected: &[Expected]) {
    check(
        &change(book("quang-nam-table").source(), from, to),
        expected,
    );
}

/// The changes that stand under the test's name in `faults.txt`, each with its faults.
#[track_caller]
fn told(test: &str) {
    let text = include_str!("faults/faults.txt");
    let (_, own) = text.split_once(&format!("[{test}]\n")).expect(test);
    let own = own.split("\n\n[").next().expect("its changes");
    for case in own.split("\n\n") {
        let marked = |mark: char| {
            let lines = case.lines().filter_map(move |line| line.strip_prefix(mark));
            lines.map(|line| line.strip_prefix(' ').unwrap_or(line))
        };
        let joined = |mark: char| marked(mark).collect::<Vec<_>>().join("\n");
        let id = marked('@').next().unwrap_or("quang-nam-table");
        let expected: Vec<Expected> = marked('!')
            .map(|line| {
                let parts: Vec<&str> = line.split(" | ").collect();
                parts.try_into().expect("four parts")
            })
            .collect();
        let source = change(book(id).source(), &joined('-'), &joined('+'));
        check(&source, &expected);
    }
}

const SMALL: &str = r#"{ sections = ["small"], pays = "1", rule = "5.1" }"#;

#[test]
fn unknown_keys_anywhere() {
    told("unknown_keys_anywhere");
}

#[test]
fn names_that_stand_twice() {
    let mbs = book("mbs-table").source();
    let twice = change(mbs, "id = \"b\"", "id = \"a\" # again");
    check(
        &twice,
        &[["# again", "layout[1].id", "\"a\" is repeated", "once"]],
    );
    let rws = book("rws-etg").source();
    let twice = change(rws, "id = \"pt2\"", "id = \"pt1\" # again");
    let found = faults(&twice);
    assert!(found.iter().any(|fault| fault.place == "pay_table[1]"
        && fault.problem == "pay table \"pt1\" is repeated"
        && fault.line + 1 == line_of(&twice, "# again")));
    broken(
        "position = \"pit-manager\", is",
        "position = \"dealer\", is",
        &[[
            "\"Quản lý Pit\"",
            "authority.title[2].position",
            "repeated",
            "one title",
        ]],
    );
}

#[test]
fn lists_and_tables_of_the_wrong_shape() {
    told("lists_and_tables_of_the_wrong_shape");
}

#[test]
fn faults_inside_nested_tables_point_at_their_own_line() {
    told("faults_inside_nested_tables_point_at_their_own_line");
}

#[test]
fn all_faults_are_reported_at_once_in_the_order_of_the_file() {
    let mut source = book("quang-nam-table").source().to_owned();
    for (from, to) in [
        ("jurisdiction = \"vn\"", "jurisdiction = \"mars\""),
        (
            "usual_tumble = { is = \"before-open\"",
            "usual_tumble = { is = \"sometimes\"",
        ),
        (SMALL, r#"{ sections = ["small"], pays = "1" }"#),
        (
            r#"{ sections = ["big"], pays = "1","#,
            r#"{ sections = ["big"], pays = "2","#,
        ),
        (
            "{ section = \"total:5\", box = [30,",
            "{ section = \"total:5\", box = [20,",
        ),
        ("is = \"dome-broken\"", "is = \"roof-broken\""),
        (
            "by = \"director\", or_above = true, rule = \"7.8\" }",
            "by = \"director\", or_above = \"yes\", rule = \"7.8\" }",
        ),
        ("item = \"paddle\"", "item = \"paddle\"\nhue = \"red\""),
    ] {
        source = change(&source, from, to);
    }
    check(
        &source,
        &[
            [
                "mars",
                "identity.jurisdiction",
                "unknown",
                "sg, vn or other",
            ],
            ["sometimes", "play.usual_tumble.is", "unknown", "use one of"],
            [
                "[\"small\"]",
                "pay_table[0].row[0].rule",
                "no citation",
                "cite",
            ],
            [
                "[\"big\"]",
                "pay_table[0].row[1]",
                "big: the player has an edge",
                "reason",
            ],
            [
                "box = [20, 84",
                "layout[0].cell[16]",
                "total:5 overlaps total:4",
                "own place",
            ],
            [
                "roof-broken",
                "voiding.cause[4].is",
                "unknown",
                "dome-broken",
            ],
            [
                "decision = [",
                "authority.decision",
                "nobody decides",
                "matter uncovered",
            ],
            [
                "or_above = \"yes\"",
                "authority.decision[0].or_above",
                "neither true nor false",
                "true or false",
            ],
            ["hue", "equipment[8].hue", "unknown key", "use is, item"],
        ],
    );
}

#[test]
fn an_empty_file_says_everything_it_lacks() {
    let found = faults("");
    let places: Vec<&str> = found.iter().map(|fault| fault.place.as_str()).collect();
    for part in [
        "authority",
        "corrections",
        "disputes",
        "equipment",
        "format",
        "identity",
        "interruption",
        "late",
        "layout",
        "pay_table",
        "play",
        "voiding",
        "words",
    ] {
        assert_eq!(
            places.iter().filter(|place| **place == part).count(),
            1,
            "{part}: {places:?}"
        );
    }
    assert_eq!(places.len(), 13, "{places:?}");
    assert!(
        found
            .iter()
            .all(|fault| fault.line == 1 && fault.problem == "missing")
    );
}

#[test]
fn what_is_no_toml_is_told_apart_with_its_line() {
    for (text, line) in [
        ("format = 1\n[identity\n", 2),
        ("format = 1\n\n\nid = = 3\n", 4),
        ("a = 1\na = 2\n", 2),
        ("x = \"unclosed\n", 1),
        ("row = [\n  { a = 1 },\n  { a = }\n]\n", 3),
    ] {
        match RuleBook::parse(text) {
            Err(RuleBookError::Unreadable { line: at, message }) => {
                assert_eq!(at, line, "{text:?}: {message}");
                assert!(!message.is_empty() && !message.contains('\n'), "{message}");
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
}

#[test]
fn a_fault_reads_as_one_line() {
    let source = change(
        book("quang-nam-table").source(),
        SMALL,
        r#"{ sections = ["small"], pays = "1" }"#,
    );
    let line = line_of(&source, "[\"small\"]");
    assert_eq!(
        faults(&source)[0].to_string(),
        format!(
            "line {line}: pay_table[0].row[0].rule: no citation; cite the rule, \
             e.g. rule = \"5.1\", or rule = \"silent\" with a resolution"
        )
    );
    assert_eq!(
        RuleBook::parse(&source).unwrap_err().to_string(),
        "1 fault in the rule book"
    );
}
