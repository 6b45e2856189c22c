//! Turns of phrase that make a reader stop do not come back (STYLE.md, Plain English).

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::binary::root;

/// Where sentences and names are read most.
const PLACES: [&str; 8] = [
    "crates",
    "web/src",
    "docs/command-line.md",
    "docs/device-protocol.md",
    "docs/journal-format.md",
    "docs/operating.md",
    "docs/protocol.md",
    "README.md",
];
/// Files whose texts people read as they are.
const KINDS: [&str; 5] = ["rs", "ts", "svelte", "ftl", "md"];

/// Why a line is not plain English, if it is not.
fn stumble(line: &str) -> Option<&'static str> {
    let words: Vec<&str> = line
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .collect();
    let spaced = format!(" {line} ");
    let phrases = [" for who ", " to who ", " by who ", " from who "];
    // A loop over people is a loop.
    if phrases.iter().any(|phrase| spaced.contains(phrase)) && !spaced.contains(" for who in ") {
        return Some("name the person instead of \"for who\"");
    }
    let constant = |word: &&str| {
        word.chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    };
    for word in words.into_iter().filter(constant) {
        if word.starts_with("MOST_") {
            return Some("an upper bound is MAX_");
        }
        if word.ends_with("_WITHIN") {
            return Some("a time limit is _TIMEOUT");
        }
    }
    None
}

fn files(at: &Path, found: &mut Vec<PathBuf>) {
    if at.is_file() {
        let kind = at.extension().and_then(|kind| kind.to_str());
        if kind.is_some_and(|kind| KINDS.contains(&kind)) {
            found.push(at.to_owned());
        }
        return;
    }
    let Ok(entries) = fs::read_dir(at) else {
        return;
    };
    for entry in entries.flatten() {
        files(&entry.path(), found);
    }
}

#[test]
fn sentences_and_names_are_plain() {
    let mut all = Vec::new();
    for place in PLACES {
        files(&root().join(place), &mut all);
    }
    let mut found = Vec::new();
    for path in &all {
        let tested = path.components().any(|part| part.as_os_str() == "tests");
        if tested {
            continue;
        }
        let text = fs::read_to_string(path).unwrap_or_default();
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(why) = stumble(line) {
                let path = path.strip_prefix(root()).unwrap_or(path);
                found.push(format!(
                    "{}:{number}: {why}: {}",
                    path.display(),
                    line.trim()
                ));
            }
        }
    }
    assert!(all.len() > 500, "only {} files were looked at", all.len());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_is_not_plain_is_found() {
    for line in [
        "// Kept for who comes back.",
        "said to who proposes",
        "const MOST_LINES: usize = 4;",
        "timeout(HELLO_WITHIN, hello)",
    ] {
        assert!(stumble(line).is_some(), "{line}");
    }
    for line in ["people who come back", "MAX_LINES", "who decides what"] {
        assert!(stumble(line).is_none(), "{line}");
    }
}
