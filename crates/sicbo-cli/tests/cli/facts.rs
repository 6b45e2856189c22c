//! A fact of the table is written down once: a new one touches at most four
//! files, and `docs/adding.md` names them.

use std::path::{Path, PathBuf};

use crate::cli::binary::root;

/// Rust files of the product under a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ends| ends == "rs") {
            found.push(path);
        }
    }
}

/// Whether code, and not only a comment, has the name as a whole word.
fn names(text: &str, name: &str) -> bool {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric()))
        .any(|word| word == name)
}

/// The product's files that name a fact, from the repository's root.
fn files_naming(fact: &str) -> Vec<String> {
    let mut found = Vec::new();
    for crate_folder in std::fs::read_dir(root().join("crates")).expect("crates") {
        let folder = crate_folder.expect("a crate").path().join("src");
        if folder.is_dir() {
            sources(&folder, &mut found);
        }
    }
    found.retain(|path| names(&std::fs::read_to_string(path).expect("a text"), fact));
    let inside = |path: &PathBuf| {
        let inside = path.strip_prefix(root()).expect("inside");
        inside.to_str().expect("plain names").replace('\\', "/")
    };
    let mut files: Vec<String> = found.iter().map(inside).collect();
    files.sort();
    files
}

#[test]
fn a_fact_is_named_in_at_most_four_files_and_the_guide_names_them() {
    let files = files_naming("DiceFoundSound");
    assert!(files.len() <= 4, "{files:#?}");
    let guide = std::fs::read_to_string(root().join("docs/adding.md")).expect("the guide");
    for file in &files {
        assert!(guide.contains(file), "docs/adding.md does not name {file}");
    }
}

#[test]
fn a_fact_that_more_files_know_is_counted() {
    assert!(files_naming("RoundSettled").len() > 4);
    assert!(names(
        "    Fact::DiceFoundSound { .. } => {}",
        "DiceFoundSound"
    ));
    assert!(!names(
        "// DiceFoundSound\nFact::DiceFoundSounder",
        "DiceFoundSound"
    ));
}
