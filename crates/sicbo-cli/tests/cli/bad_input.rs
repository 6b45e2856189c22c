//! Wrong input: one clear line that says what is allowed, exit 2, never a panic.

use crate::cli::binary::{command, folder, run};

/// Arguments, a word that must be named as wrong, a word of what is allowed.
const CASES: &[(&[&str], &str, &str)] = &[
    (&["odds", "rws-etg/z"], "rws-etg/z", "mbs-etg/rapid"),
    (&["odds", "rws-etg"], "rws-etg", "rws-etg/a"),
    (
        &["odds", "mbs-etg/rapd"],
        "rapd",
        "did you mean mbs-etg/rapid?",
    ),
    (&["odds", ""], "\"\"", "rws-etg/a"),
    (&["odds", "rws-etg/a", "total:3"], "total:3", "total:4"),
    (
        &["odds", "rws-etg/a", "three-single:123"],
        "three-single:123",
        "does not offer",
    ),
    (
        &["odds", "mbs-etg/alfastreet", "odd"],
        "odd",
        "it offers small, big",
    ),
    (&["odds"], "<LAYOUT>", "--help"),
    (&["compare", "rws-etg/a"], "2 values", "--help"),
    (&["compare", "rws-etg/a", "nope/a"], "nope/a", "rws-etg/b"),
    (
        &["layout", "rws-etg/a", "--dice", "1,2"],
        "1,2",
        "each 1 to 6",
    ),
    (&["layout", "rws-etg/a", "--width", "3"], "3", "20..=1000"),
    (
        &["layout", "rws-etg/a", "--svg", "/no/such/folder/x.svg"],
        "x.svg",
        "no such file or folder",
    ),
    (&["layout", "rws-etg/a", "--svg", "/"], "/", "folder"),
    (&["par", "rws-etg/a", "--html", "/"], "/", "folder"),
    (
        &["rules", "show", "mbs-tabel"],
        "mbs-tabel",
        "did you mean mbs-table?",
    ),
    (&["rules", "show", "nope.toml"], "nope.toml", "no such file"),
    (&["rules", "diff", "mbs-etg", "mbs"], "\"mbs\"", "mbs-table"),
    (&["rules", "check", "/"], "/", "it is a folder"),
    (
        &["rules", "check", "/no/such/file"],
        "/no/such/file",
        "no such file",
    ),
    (&["rules", "check"], "<FILE>", "--help"),
    (&["rules"], "subcommand", "check"),
    (&["ods", "rws-etg/a"], "ods", "odds"),
    (&["--nonsense"], "--nonsense", "--help"),
    (
        &["serve", "--practice", "--config", "house.toml"],
        "--practice",
        "cannot be used with",
    ),
    (&["bench", "settle", "--layout", "x"], "\"x\"", "rws-etg/b"),
];

/// A bet, or dice, that `settle` must refuse.
const SETTLE: &[(&str, &str, &str, &str)] = &[
    ("0,1,2", "big=1", "0,1,2", "each 1 to 6"),
    ("7,1,2", "big=1", "7,1,2", "each 1 to 6"),
    ("1,2", "big=1", "1,2", "three faces"),
    ("1,2,3,4", "big=1", "1,2,3,4", "three faces"),
    ("", "big=1", "\"\"", "three faces"),
    ("1,2,3", "big=0", "\"0\"", "greater than zero"),
    ("1,2,3", "big=0.00", "0.00", "greater than zero"),
    ("1,2,3", "big=-1", "-1", "digits"),
    ("1,2,3", "big=1e30", "1e30", "digits"),
    ("1,2,3", "big=NaN", "NaN", "digits"),
    ("1,2,3", "big=", "\"\"", "digits"),
    ("1,2,3", "big=1.234", "1.234", "SGD has 2"),
    (
        "1,2,3",
        "big=99999999999999999999999999",
        "999",
        "largest amount is",
    ),
    (
        "1,2,3",
        "big=90071992547409.91",
        "too large",
        "the largest stake is",
    ),
    (
        "1,2,3",
        "triple:1=90071992547409",
        "195 to 1",
        "the largest stake is",
    ),
    ("1,2,3", "total:11=0.01", "0.01", "a multiple of 0.02"),
    ("4,3,4", "total:11=0.01", "6.5 to 1", "a multiple of 0.02"),
    ("4,3,4", "double:4=2.55", "11.5 to 1", "a multiple of 0.02"),
    ("1,2,3", "total:3=1", "total:3", "total:4"),
    ("1,2,3", "total:18=1", "total:18", "total:17"),
    (
        "1,2,3",
        "double-single:112=1",
        "double-single:112",
        "double-single:113",
    ),
    (
        "1,2,3",
        "double-single:113=1",
        "does not offer",
        "four:6543",
    ),
    ("1,2,3", "pair:2-1=1", "pair:2-1", "did you mean pair:1-2?"),
    (
        "1,2,3",
        "four:1234=1",
        "four:1234",
        "did you mean four:4321?",
    ),
    ("1,2,3", "totl:4=1", "totl:4", "did you mean total:4?"),
    ("1,2,3", "BIG=1", "BIG", "did you mean big?"),
    ("1,2,3", "big", "not a bet", "SECTION=AMOUNT"),
    ("1,2,3", "=5", "\"\"", "any-triple"),
    ("1,2,3", "big\n\u{1b}[31m=5", "not a section", "any-triple"),
];

fn check(arguments: &[&str], wrong: &str, allowed: &str) {
    let run = run(arguments);
    assert_eq!(run.code, 2, "{arguments:?}: {}{}", run.stdout, run.stderr);
    assert_eq!(run.stdout, "", "{arguments:?}");
    assert_eq!(
        run.stderr.lines().count(),
        1,
        "{arguments:?}: {}",
        run.stderr
    );
    assert!(
        run.stderr.starts_with("sicbo: "),
        "{arguments:?}: {}",
        run.stderr
    );
    assert!(!run.stderr.contains("panicked") && !run.stderr.contains('\u{1b}'));
    for word in [wrong, allowed] {
        assert!(
            run.stderr.contains(word),
            "{arguments:?} lacks {word}: {}",
            run.stderr
        );
    }
}

#[test]
fn wrong_arguments_are_named_with_what_is_allowed() {
    for (arguments, wrong, allowed) in CASES {
        check(arguments, wrong, allowed);
    }
    // JSON readers get the same line on standard error, and no half JSON.
    check(&["odds", "rws-etg/z", "--json"], "rws-etg/z", "rws-etg/a");
}

#[test]
fn settle_refuses_what_no_table_would_take() {
    for (dice, bet, wrong, allowed) in SETTLE {
        check(
            &["settle", "rws-etg/a", "--dice", dice, bet],
            wrong,
            allowed,
        );
    }
    check(&["settle", "rws-etg/a", "big=1"], "--dice", "--help");
    check(
        &["settle", "rws-etg/a", "--dice", "1,2,3"],
        "SECTION=AMOUNT",
        "--help",
    );
    let vnd = [
        "settle",
        "rws-etg/a",
        "--dice",
        "1,2,3",
        "--currency",
        "VND",
        "big=1.5",
    ];
    check(&vnd, "1.5", "VND has 0");
    let xyz = [
        "settle",
        "rws-etg/a",
        "--dice",
        "1,2,3",
        "--currency",
        "vnd",
        "big=1",
    ];
    check(&xyz, "vnd", "did you mean VND?");
    let most = "big=45035996273704.94";
    let many = ["settle", "rws-etg/a", "--dice", "6,5,1", most, most, most];
    check(&many, "too large together", "90071992547409.91");
}

#[test]
fn files_that_are_no_rule_book_exit_2() {
    let here = folder("no-rule-book");
    let file = |name: &str, bytes: &[u8]| {
        let path = here.join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    for (name, bytes, word) in [
        ("malformed.toml", &b"format = [1\n"[..], "this is not TOML"),
        ("binary.toml", &b"\xff\xfe\x00"[..], "not UTF-8"),
        ("unclosed.toml", &b"a = 1\nb = \"unclosed\n"[..], "line 2"),
    ] {
        check(&["rules", "check", &file(name, bytes)], name, word);
    }
    let deep = file(
        "deep.toml",
        format!("a = {}", "[".repeat(100_000)).as_bytes(),
    );
    check(&["rules", "check", &deep], "deep.toml", "not TOML");
    let huge = file("huge.toml", &vec![b'#'; 9 << 20]);
    check(&["rules", "check", &huge], "huge.toml", "larger than 8 MiB");
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_exit_2() {
    use std::os::unix::ffi::OsStrExt;
    let odd = std::ffi::OsStr::from_bytes(b"\xff\xfe");
    for before in [&["odds"][..], &["rules", "check"]] {
        let output = command().args(before).arg(odd).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
    }
}
