//! Every refusal is reached.

use sicbo_table::Reason;

use crate::rules::blocks::blocks;
use crate::rules::script::check;

const TERMINAL: &str = "table mbs-etg min 5 max 100 station 150 exposure 1000
    station T1 rapid 500.00
    station T2 rapid
";
const SEAT: &str = "table mbs-table
    seat S1 a
    seat S2 a
    chips brought 500.00
";
const OPEN_COVER: &str = "table rws-open-cover
    station T1 a 500.00
";
const QUANG_NAM: &str = "table quang-nam-table
    seat S1 a
    chips brought 500.00
";
const ENDED: &str = "table mbs-etg
    station T1 rapid 500.00
    to-betting T1 b1 big 50.00
    round 6 5 1
";

/// The table of a word; none where the script brings its own.
pub(crate) fn table(word: &str) -> &'static str {
    match word {
        "terminal" => TERMINAL,
        "seat" => SEAT,
        "open-cover" => OPEN_COVER,
        "quang-nam" => QUANG_NAM,
        "ended" => ENDED,
        "-" => "",
        other => panic!("no table {other}"),
    }
}

/// Words that stand for something too long to write.
pub(crate) fn spelled_out(script: &str) -> String {
    let acts: String = (0..10_000)
        .map(|i| match i % 2 {
            0 => format!("bet T1 b{i} big 5.00\n"),
            _ => format!("unbet T1 b{i} big 5.00\n"),
        })
        .collect();
    let few: Vec<&str> = acts.lines().take(65).collect();
    let notes: String = (1..=17)
        .map(|i| format!("credit T1 5.00 cash request {i}\n"))
        .collect();
    script
        .replace("MORE-NOTES-THAN-REMEMBERED", &notes)
        .replace("MORE-ACTS-THAN-REMEMBERED", &few.join("\n"))
        .replace("MAX-LINES", &"big 5.00 ".repeat(104))
        .replace("MANY-LINES", &"big 5.00 ".repeat(105))
        .replace(
            "MANY-SEAT-ACTS",
            &format!("{} bet S1 b10000 big 5.00", acts.replace("T1", "S1")),
        )
        .replace("MANY-ACTS", &format!("{acts} bet T1 b10000 big 5.00"))
}

#[test]
fn every_refusal_is_reached_by_a_row() {
    let rows = blocks(include_str!("refusals.txt"));
    for code in Reason::CODES {
        let reached = rows.iter().any(|row| row.head[0] == *code);
        assert!(
            reached,
            "no row reaches {code}: is it a refusal that cannot happen?"
        );
    }
    for row in rows {
        let (code, table) = (row.head[0], table(row.head[1]));
        assert!(Reason::CODES.contains(&code), "{code} is no refusal");
        let lines = row.script();
        let script = spelled_out(&format!("{table} {lines} refused {code}"));
        let run = check(&script);
        assert_eq!(run.refusals, [code]);
    }
}
