//! The program itself: what it prints without trying a mutant. With these tests it is built
//! together with all others, with the same features, and `make test` runs it as it is.

use std::process::{Command, Output};

fn sicbo_mutants(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sicbo-mutants"));
    command.args(arguments).output().expect("the program runs")
}

fn lines(arguments: &[&str]) -> Vec<String> {
    let said = sicbo_mutants(arguments);
    assert!(said.status.success(), "{said:?}");
    let text = String::from_utf8(said.stdout).expect("text");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn the_short_list_is_part_of_the_whole_one() {
    let (short, whole) = (lines(&["--short", "--list"]), lines(&["--list"]));
    assert!(!short.is_empty() && short.len() < whole.len());
    for line in &short {
        assert!(whole.contains(line), "{line}");
    }
}

#[test]
fn only_takes_the_lines_that_have_the_words() {
    let voids = lines(&["--list", "--only", "authority"]);
    assert!(!voids.is_empty());
    assert!(
        voids.iter().all(|line| line.contains("authority")),
        "{voids:?}"
    );
}

#[test]
fn an_option_that_nobody_knows_is_answered_with_the_usage() {
    let said = sicbo_mutants(&["--all"]);
    assert_eq!(said.status.code(), Some(2));
    let text = String::from_utf8(said.stderr).expect("text");
    assert!(text.starts_with("usage: sicbo-mutants"), "{text}");
}
