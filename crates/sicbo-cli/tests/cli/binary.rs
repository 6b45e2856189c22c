//! Runs the real binary.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What one run gave.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The binary, away from the settings of whoever runs the tests.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sicbo"));
    command
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env("SICBO_MARKS", folder("marks"))
        .current_dir(root())
        .stdin(Stdio::null());
    command
}

/// Runs `sicbo` with these arguments in the workspace's root.
pub(crate) fn run(arguments: &[&str]) -> Run {
    let output = command().args(arguments).output().unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs it, expects success and gives what it printed.
pub(crate) fn good(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
    assert_eq!(run.stderr, "", "{arguments:?}");
    run.stdout
}

/// Runs it, expects a journal that is whole and whose end nobody signed (exit 3).
pub(crate) fn unsigned(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!(run.code, 3, "{arguments:?}: {}{}", run.stdout, run.stderr);
    assert_eq!(run.stderr, "", "{arguments:?}");
    run.stdout
}

/// Runs it, which must be refused (exit 2) in these words.
pub(crate) fn refused(arguments: &[&str], words: &str) {
    let run = run(arguments);
    let said = run.code == 2 && run.stderr.contains(words);
    assert!(
        said,
        "{arguments:?}: {} {}{}",
        run.code, run.stdout, run.stderr
    );
}

/// Runs it on something that is not whole: exit 1, in these words.
pub(crate) fn broken(arguments: &[&str], words: &str) {
    let run = run(arguments);
    let said = run.code == 1 && run.stderr.contains(words);
    assert!(
        said,
        "{arguments:?}: {} {}{}",
        run.code, run.stdout, run.stderr
    );
}

/// Runs it with `--json`, expects success and gives the value.
pub(crate) fn json(arguments: &[&str]) -> serde_json::Value {
    let mut all = arguments.to_vec();
    all.push("--json");
    serde_json::from_str(&good(&all)).unwrap()
}

/// The workspace's root folder.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// A fresh folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// All eleven layouts.
pub(crate) const LAYOUTS: [(&str, usize); 11] = [
    ("rws-etg/a", 56),
    ("rws-etg/b", 104),
    ("rws-etg/c", 104),
    ("mbs-table/a", 104),
    ("mbs-table/b", 104),
    ("mbs-etg/rapid", 104),
    ("mbs-etg/alfastreet", 50),
    ("rws-open-cover/a", 56),
    ("rws-open-cover/b", 104),
    ("rws-open-cover/c", 104),
    ("quang-nam-table/a", 50),
];
