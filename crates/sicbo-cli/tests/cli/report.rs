//! `sicbo report` through the real binary, on the golden data folder.

use crate::cli::binary::{good, json, run};
use crate::cli::journal::{golden, text};

const TABLE: &str = "mbs-etg";

#[test]
fn p_099_every_form_of_a_report_has_its_checkpoint_and_sequence() {
    let folder = golden("report");
    let base = ["report", "--data", text(&folder), TABLE];
    let with = |more: &[&'static str]| -> Vec<&str> { base.iter().chain(more).copied().collect() };
    let report = json(&base);
    let seal = report["checkpoint"]["fingerprint"].as_str().unwrap();
    assert_eq!(seal.len(), 16);
    let to = report["to"].as_u64().unwrap();
    let handle = report["result"]["handle"].as_i64().unwrap();
    let shown = format!("{}.{:02}", handle / 100, handle % 100);
    for format in ["text", "csv", "html"] {
        let printed = good(&with(&["--format", format]));
        for part in [seal, &to.to_string(), &shown, "Handle", "Theoretical win"] {
            assert!(printed.contains(part), "{part} in {format}");
        }
        assert!(!printed.contains("<script"));
    }
    assert!(good(&with(&["--format", "html"])).contains("<svg"));
    let file = folder.join("report.pdf");
    let mut arguments = with(&["--format", "pdf", "--out"]);
    arguments.push(text(&file));
    good(&arguments);
    assert!(std::fs::read(&file).unwrap().starts_with(b"%PDF-"));
    // A file that is there is not written over.
    assert_eq!(run(&arguments).code, 2);
}

/// After two rounds a report said that nothing speaks against the dice.
#[test]
fn a_report_of_two_rounds_says_that_they_show_nothing_of_the_dice() {
    let folder = golden("report-of-two-rounds");
    for format in ["text", "csv", "html"] {
        let printed = good(&["report", "--data", text(&folder), TABLE, "--format", format]);
        assert!(
            printed.contains("no alarm in 2 results, too few to find a bias of 50 %"),
            "{format}: {printed}"
        );
    }
}

/// `export | fair` did not work: records carry their dice as a text in `fields`.
#[test]
fn what_export_writes_of_a_table_is_read_by_fair() {
    let folder = golden("export-to-fair");
    for format in ["jsonl", "csv"] {
        let records = good(&[
            "export",
            text(&folder),
            "--stream",
            TABLE,
            "--format",
            format,
        ]);
        let file = folder.join("records");
        std::fs::write(&file, &records).unwrap();
        let read = run(&["fair", text(&file), "--json"]);
        // Too few to say anything, and every round that counts was read.
        assert_eq!(read.code, 3, "{format}: {}", read.stderr);
        let read: serde_json::Value = serde_json::from_str(&read.stdout).unwrap();
        assert_eq!(read["results"], 3, "{format}");
    }
}

#[test]
fn a_report_of_what_is_not_there_is_refused() {
    let folder = golden("report-refused");
    for more in [
        &["nowhere"][..],
        &["house"],
        &[TABLE, "--from", "0"],
        &[TABLE, "--from", "9", "--to", "3"],
        &[TABLE, "--to", "999999999"],
        &[TABLE, "--since", "yesterday"],
        &[TABLE, "--since", "2100-01-01T00:00:00Z"],
        &[TABLE, "--since", "2026-01-01T00:00:00Z", "--from", "1"],
    ] {
        let mut arguments = vec!["report", "--data", text(&folder)];
        arguments.extend(more);
        let run = run(&arguments);
        assert_eq!(run.code, 2, "{more:?}: {}", run.stdout);
        assert!(!run.stderr.is_empty());
    }
    let all = json(&["report", "--data", text(&folder), TABLE]);
    let timed = json(&[
        "report",
        "--data",
        text(&folder),
        TABLE,
        "--since",
        "2026-01-01T00:00:00Z",
    ]);
    assert_eq!(timed["result"]["handle"], all["result"]["handle"]);
}
