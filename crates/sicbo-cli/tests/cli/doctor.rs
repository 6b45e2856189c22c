//! `sicbo doctor` as people and programs call it; what it finds is tested where houses run.

use crate::cli::binary::{refused, run};
use crate::cli::journal::{golden, text};

#[test]
fn a_folder_is_examined_and_each_finding_is_a_line_or_an_object() {
    let folder = golden("doctor");
    let path = text(&folder);
    // A table alone: its register is not there.
    let shown = json_of(&["doctor", path]);
    assert_eq!(shown["target"], path);
    let broken = run(&["doctor", path]);
    assert_eq!(broken.code, 1, "{}", broken.stdout);
    let line = broken
        .stdout
        .lines()
        .find(|line| line.contains("house.sqlite"));
    let line = line.unwrap_or_else(|| panic!("{}", broken.stdout));
    assert!(
        line.starts_with("problem: ") && line.contains(" | restore it"),
        "{line}"
    );
    let shown = json_of(&["doctor", path]);
    assert_eq!(shown["well"], false);
    let mut findings = shown["findings"].as_array().unwrap().iter();
    let missing = findings
        .find(|one| one["code"] == "register-missing")
        .unwrap();
    assert_eq!(missing["weight"], "problem");
    assert!(missing["what"].is_string() && missing["advice"].is_string());
}

/// Also of a run that found something.
fn json_of(arguments: &[&str]) -> serde_json::Value {
    let mut arguments = arguments.to_vec();
    arguments.push("--json");
    let run = run(&arguments);
    assert!(
        matches!(run.code, 0 | 1) && run.stderr.is_empty(),
        "{}",
        run.stderr
    );
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn options_go_with_what_they_are_for() {
    refused(
        &["doctor", "http://127.0.0.1:1", "--config", "house.toml"],
        "--config",
    );
    refused(&["doctor", "data", "--ca", "ca.pem"], "--ca");
    let nowhere = json_of(&["doctor", "http://127.0.0.1:1"]);
    assert_eq!(nowhere["findings"][0]["code"], "nobody-listens");
}
