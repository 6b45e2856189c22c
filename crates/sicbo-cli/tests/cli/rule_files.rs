//! A house's own rule book files: checked, and used like the built-in ones.

use crate::cli::binary::{folder, good, json, refused, root, run};

/// A built-in book's text with one thing replaced, in a file of its own.
fn edited(name: &str, book: &str, edits: &[(&str, &str)]) -> String {
    let path = root().join(format!("rulebooks/{book}.toml"));
    let mut text = std::fs::read_to_string(path).unwrap();
    for (from, to) in edits {
        assert!(text.contains(from), "{book} has no {from}");
        text = text.replacen(from, to, 1);
    }
    let path = folder("rule-files").join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn every_built_in_book_checks_clean() {
    for book in [
        "rws-etg",
        "mbs-table",
        "mbs-etg",
        "rws-open-cover",
        "quang-nam-table",
    ] {
        let path = format!("rulebooks/{book}.toml");
        assert!(good(&["rules", "check", &path]).contains("no faults"));
        let report = json(&["rules", "check", &path]);
        assert_eq!(report["rulebook"], book);
        assert_eq!(report["faults"].as_array().unwrap().len(), 0);
    }
}

/// The example a house starts from is a whole rule book.
#[test]
fn the_example_checks_clean_and_can_be_used() {
    let house = "docs/examples/house.toml";
    assert!(good(&["rules", "check", house]).contains("no faults"));
    let layout = format!("{house}/a");
    assert_eq!(json(&["odds", &layout])["layout"], "riverside/a");
    assert_eq!(json(&["par", &layout])["self_test"]["passed"], true);
    let settled = json(&[
        "settle",
        &layout,
        "--dice",
        "3,3,3",
        "any-triple=2",
        "total:9=2",
    ]);
    assert_eq!(settled["returned"], "77.00");
    assert_eq!(
        run(&["rules", "check", "docs/examples/faulty.toml"]).code,
        1
    );
}

#[test]
fn all_faults_are_reported_at_once_with_exit_1() {
    let path = edited(
        "faulty.toml",
        "quang-nam-table",
        &[
            (
                "sections = [\"small\"], pays = \"1\"",
                "sections = [\"small\"], pays = \"8.25\"",
            ),
            ("sections = [\"any-triple\"]", "sections = [\"any-tripel\"]"),
            (
                "scope = \"current-round\", rule = \"7.2\",",
                "scope = \"current-round\",",
            ),
        ],
    );
    let checked = run(&["rules", "check", &path]);
    assert_eq!(checked.code, 1, "{}", checked.stderr);
    for word in ["8.25", "any-tripel", "no citation", "line ", "faults"] {
        assert!(checked.stdout.contains(word), "{word}: {}", checked.stdout);
    }
    let checked = run(&["rules", "check", &path, "--json"]);
    assert_eq!(checked.code, 1);
    let report: serde_json::Value = serde_json::from_str(&checked.stdout).unwrap();
    let faults = report["faults"].as_array().unwrap();
    assert!(faults.len() >= 3);
    for fault in faults {
        assert!(fault["line"].as_u64().unwrap() > 0);
        for key in ["place", "problem", "expected"] {
            assert_ne!(fault[key].as_str().unwrap(), "", "{fault}");
        }
    }
    // Using it is wrong input, and says where the faults are to be seen.
    refused(&["odds", &format!("{path}/a")], "sicbo rules check");
}

#[test]
fn words_that_would_steer_a_terminal_are_faults() {
    let path = edited(
        "steering.toml",
        "quang-nam-table",
        &[
            ("label = \"MỘT\"", "label = \"\\u001B[31mMỘT\""),
            ("lines = [\"1:5\"]", "lines = [\"1:5\\n\"]"),
        ],
    );
    let checked = run(&["rules", "check", &path]);
    assert_eq!(checked.code, 1);
    assert_eq!(
        checked.stdout.matches("control character").count(),
        2,
        "{}",
        checked.stdout
    );
    assert!(!checked.stdout.contains('\u{1b}'));
}

#[test]
fn markup_in_a_house_book_stays_text() {
    let path = edited(
        "markup.toml",
        "quang-nam-table",
        &[
            ("id = \"quang-nam-table\"", "id = \"house\""),
            ("label = \"MỘT\"", "label = \"<b>&\\\"'\""),
            ("is = \"Tài Xỉu (Sic Bo)\"", "is = \"</title><script>\""),
        ],
    );
    let layout = format!("{path}/a");
    let svg = good(&["layout", &layout, "--svg", "-"]);
    assert!(
        svg.contains("&lt;b&gt;&amp;&quot;&#39;"),
        "the label is escaped"
    );
    let html = good(&["par", &layout, "--html", "-"]);
    assert!(!html.contains("<script") && !html.contains("<b>"));
    assert!(good(&["layout", &layout]).contains("<b>&\"'"));
    assert!(good(&["rules", "diff", "quang-nam-table", &path]).contains("</title><script>"));
    let odds = json(&["odds", &layout]);
    assert_eq!(odds["layout"], "house/a");
    refused(&["odds", &format!("{path}/b")], "its layouts are a");
}
