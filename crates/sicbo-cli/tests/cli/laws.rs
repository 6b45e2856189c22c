//! The laws of ARCHITECTURE.md: each names a check, the check is there, and
//! those that are kept by reading the source are kept here.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::binary::root;

/// Crates that only calculate.
const CALCULATE: [&str; 13] = [
    "rules", "table", "check", "loop", "register", "dealer", "plan", "practice", "paper", "proof",
    "report", "wire", "house",
];
/// What the rules would need to touch anything outside.
const OUTSIDE: [&str; 7] = [
    "std::fs",
    "std::io",
    "std::env",
    "std::process",
    "std::thread",
    "async fn",
    "rand",
];
/// Crates that money and odds pass through, and where a float is printed or
/// drawn in them.
const EXACT: [&str; 10] = [
    "rules", "table", "loop", "register", "dealer", "plan", "practice", "proof", "wire", "house",
];
const PRINTED_OR_DRAWN: [&str; 5] = [
    "sicbo-rules/src/maths.rs",
    "sicbo-rules/src/drawing",
    // Seconds in a sentence; a percentage; a test of the dice.
    "sicbo-table/src/refusal.rs",
    "sicbo-wire/src/rules.rs",
    "sicbo-table/src/tumble_proof.rs",
];
/// Where `unsafe` is.
const UNSAFE: [&str; 2] = ["sicbo-lab/src/generator/avx2.rs", "sicbo-fault-vfs/src/"];

fn sources(at: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(at) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.push(path);
        }
    }
}

/// The code of a folder of `crates`, file by file, without comments.
fn code(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    sources(&root().join("crates").join(folder), &mut found);
    assert!(!found.is_empty(), "{folder} has no source");
    let read = found.into_iter().map(|path| {
        let text = fs::read_to_string(&path).expect("a source file");
        let lines = text.lines().map(str::trim_start);
        let lines = lines.filter(|line| !line.starts_with("//"));
        let crates = root().join("crates");
        let name = path.strip_prefix(crates).expect("under crates");
        (
            name.display().to_string(),
            lines.collect::<Vec<_>>().join("\n"),
        )
    });
    read.collect()
}

/// Whether a line of code has a word on its own.
fn has_word(code: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        !code[..at].ends_with(is_part) && !code[at + word.len()..].starts_with(is_part)
    })
}

fn outside(code: &str) -> Option<&'static str> {
    OUTSIDE.into_iter().find(|word| has_word(code, word))
}

fn calculates(lib: &str) -> bool {
    let denied: Vec<&str> = lib.split("#![deny(").skip(1).collect();
    let denies = |lint: &str| {
        let attributes = denied.iter().filter_map(|text| text.split(")]").next());
        attributes.into_iter().any(|text| text.contains(lint))
    };
    denies("clippy::disallowed_methods") && denies("clippy::disallowed_types")
}

#[test]
fn the_rules_touch_nothing_outside() {
    // The switches of `sicbo-mutants` are in no release.
    let product = code("sicbo-rules/src").into_iter();
    for (name, code) in product.filter(|(name, _)| !name.ends_with("/mutant.rs")) {
        assert_eq!(outside(&code), None, "{name}");
    }
    assert_eq!(outside("use std::fs::File;"), Some("std::fs"));
    assert_eq!(outside("let brand = operand;"), None);
}

#[test]
fn crates_that_calculate_deny_what_is_not_theirs() {
    let lints = fs::read_to_string(root().join("clippy.toml")).expect("clippy.toml");
    for forbidden in [
        "SystemTime::now",
        "Instant::now",
        "thread::spawn",
        "HashMap",
        "TcpStream",
    ] {
        assert!(
            lints.contains(forbidden),
            "clippy.toml says nothing of {forbidden}"
        );
    }
    for name in CALCULATE {
        let lib = root().join(format!("crates/sicbo-{name}/src/lib.rs"));
        let lib = fs::read_to_string(lib).expect("a library");
        assert!(calculates(&lib), "sicbo-{name} does not deny the lints");
    }
    assert!(!calculates("#![deny(clippy::disallowed_types)]"));
}

#[test]
fn floats_are_printed_or_drawn_and_nothing_else() {
    let is_float = |code: &str| has_word(code, "f64") || has_word(code, "f32");
    for name in EXACT {
        for (name, code) in code(&format!("sicbo-{name}/src")) {
            let allowed = PRINTED_OR_DRAWN.iter().any(|known| name.starts_with(known));
            assert!(allowed || !is_float(&code), "{name} has a float");
        }
    }
    assert!(is_float("let half: f64 = 0.5;"));
}

#[test]
fn unsafe_stays_where_it_is() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("Cargo.toml");
    assert!(manifest.contains("unsafe_code = \"deny\""));
    let mut found = Vec::new();
    for (name, code) in code("") {
        let product = name.contains("/src/");
        if product && (has_word(&code, "unsafe") && code.contains("unsafe {")) {
            found.push(name);
        }
    }
    let strays: Vec<_> = found
        .iter()
        .filter(|name| !UNSAFE.iter().any(|known| name.starts_with(known)))
        .collect();
    assert!(strays.is_empty(), "{strays:?}");
    assert!(!found.is_empty(), "this test no longer finds any");
}

/// The laws, each with what holds it.
fn laws(text: &str) -> Vec<(String, Vec<String>)> {
    let from = text.find("## Laws").expect("the laws");
    let to = text[from..].find("## Errors").expect("their end") + from;
    let rows = text[from..to].lines().filter(|line| line.starts_with("| "));
    let rows = rows.filter(|row| !row.starts_with("| Law |"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let [law, held] = cells[..] else {
            panic!("a law and what holds it: {row}");
        };
        let named = held.split('`').skip(1).step_by(2).map(str::to_owned);
        let mut held_by: Vec<String> = named.collect();
        if held.contains("the compiler") || held.contains("clippy") {
            held_by.push("the compiler".to_owned());
        }
        (law.to_owned(), held_by)
    })
    .collect()
}

#[test]
fn each_law_is_held_by_a_check_that_is_there() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let all = laws(&text);
    assert!(all.len() >= 15, "{} laws", all.len());
    let tests: BTreeSet<String> = code("")
        .iter()
        .flat_map(|(_, code)| {
            let named = code.split("fn ").skip(1);
            let named = named.filter_map(|rest| rest.split('(').next());
            named.map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    for (law, held_by) in all {
        assert!(!held_by.is_empty(), "nothing holds: {law}");
        for check in held_by {
            let there =
                check == "the compiler" || tests.contains(&check) || root().join(&check).exists();
            assert!(there, "{check} holds {law}, and is not there");
        }
    }
}
