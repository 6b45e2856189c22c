//! The lab's commands through the real binary: bad input, same bytes, files.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use std::path::PathBuf;
use std::process::{Command, Output};

fn sicbo(arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sicbo"))
        .args(arguments.split_whitespace())
        .current_dir(folder())
        .output()
        .unwrap()
}

/// A folder for the files of these tests.
fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lab");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn write(name: &str, text: &str) {
    std::fs::write(folder().join(name), text).unwrap();
}

fn said(output: &Output) -> (Option<i32>, String, String) {
    (
        output.status.code(),
        String::from_utf8(output.stdout.clone()).unwrap(),
        String::from_utf8(output.stderr.clone()).unwrap(),
    )
}

#[test]
fn bad_input_is_refused_in_one_line_with_what_is_possible() {
    write("empty.json", "{}");
    write("empty.txt", "# nothing\n");
    write("off.json", r#"{"big": "1.50"}"#);
    write("two.txt", "big x\nsmall y\n");
    write("bad-record.txt", "4,3,4\n4,3,7\n");
    write("no-record.txt", "");
    for (arguments, hint) in [
        // Rounds.
        ("simulate rws-etg/a --rounds -5", "from 1 to 1e15"),
        ("simulate rws-etg/a --rounds -1e9", "from 1 to 1e15"),
        ("simulate rws-etg/a --rounds 0", "from 1 to 1e15"),
        (
            "simulate rws-etg/a --rounds 1e20",
            "up to 1e15 are possible",
        ),
        ("simulate rws-etg/a --rounds 1.5", "not a whole number"),
        ("simulate rws-etg/a --rounds many", "whole number such as"),
        (
            "dist rws-etg/a --bet big --rounds 1e12",
            "rounds are possible",
        ),
        ("dist rws-etg/a --bet big --rounds -1", "from 1 to 1e15"),
        // Stakes.
        (
            "simulate rws-etg/a --stakes empty.json",
            "there are no stakes",
        ),
        (
            "simulate rws-etg/a --stakes empty.txt",
            "there are no stakes",
        ),
        ("dist rws-etg/a", "there are no stakes"),
        ("exposure rws-etg/a", "there are no stakes"),
        (
            "simulate rws-etg/a --stakes off.json",
            "no multiple of the chip unit 1.00",
        ),
        ("exposure rws-etg/a --stakes big=0.50", "nearest are 1.00"),
        ("exposure rws-etg/a --stakes two.txt", "line 2: small"),
        (
            "exposure rws-etg/a --stakes missing.json",
            "there is no such file",
        ),
        (
            "exposure rws-etg/a --stakes big=5 missing.json",
            "is no stake",
        ),
        (
            "exposure rws-etg/a --stakes banana=5",
            "its kind must be one of",
        ),
        (
            "exposure quang-nam-table/a --stakes odd=5000",
            "no section of the kind odd",
        ),
        (
            "exposure rws-etg/a --bet big --unit 0.01",
            "cannot be paid exactly",
        ),
        ("exposure rws-etg/a --bet big --unit 0", "more than zero"),
        (
            "exposure rws-etg/a --bet big --currency XYZ",
            "the currencies are",
        ),
        ("exposure rws-etg/a --bet big --worst 0", "more than zero"),
        ("exposure rws-etg/a --bet big --worst -5", ""),
        ("exposure no/where --bet big", "the layouts are"),
        // Outputs.
        (
            "simulate rws-etg/a --rounds 1e15 --csv no/such/folder.csv",
            "cannot write",
        ),
        ("simulate rws-etg/a --rounds 1e15 --plot .", "cannot write"),
        (
            "dist rws-etg/a --bet big --plot no/such/folder.svg",
            "cannot write",
        ),
        (
            "strategy rws-etg/a flat --csv no/such/folder.csv",
            "cannot write",
        ),
        // Seeds, generators, threads.
        ("simulate rws-etg/a --seed -1", ""),
        (
            "simulate rws-etg/a --generator dice",
            "fast (xoshiro256++) and crypto",
        ),
        ("simulate rws-etg/a --threads 0", "1..=1024"),
        ("simulate rws-etg/a --confidence 1", "between 0.5 and"),
        // Strategies.
        ("strategy rws-etg/a doubling", "flat martingale paroli"),
        (
            "strategy rws-etg/a flat --base 7.50",
            "multiple of the chip unit",
        ),
        (
            "strategy rws-etg/a flat --min 10 --max 5",
            "minimum must not be above",
        ),
        (
            "strategy rws-etg/a flat --bankroll 1",
            "bankroll must cover",
        ),
        (
            "strategy rws-etg/a flat --sessions 1e9",
            "1 to 10000000 are possible",
        ),
        (
            "strategy rws-etg/a flat --rounds 1e10",
            "at most 4294967295",
        ),
        (
            "strategy quang-nam-table/a flat --bet odd",
            "does not offer odd",
        ),
        // What if.
        ("what-if rws-etg/a total:5", "nothing is changed"),
        ("what-if rws-etg/a total:5=x", "not odds"),
        ("what-if rws-etg/a total:5=30/2", "one line"),
        ("what-if rws-etg/a total:5 --edge 100%", "is no edge"),
        // Records.
        ("fair missing.txt", "there is no such file"),
        ("fair bad-record.txt", "line 2: \"4,3,7\""),
        ("fair no-record.txt", "there are no results"),
        ("fair bad-record.txt --level 2", "between 0 and 1"),
    ] {
        let (code, out, err) = said(&sicbo(arguments));
        assert_eq!(code, Some(2), "{arguments}: {out}{err}");
        assert!(
            err.starts_with("sicbo: ") && err.contains(hint),
            "{arguments}: {err}"
        );
        assert_eq!(err.trim_end().lines().count(), 1, "{arguments}: {err}");
        assert_eq!(out, "", "{arguments}");
    }
}

#[test]
fn j_11_the_same_seed_gives_the_same_bytes() {
    write(
        "mix.json",
        r#"{"big": "10.00", "total:11": "5", "single:3": "2"}"#,
    );
    for generator in ["fast", "crypto"] {
        let command = |more: &str| {
            let all = format!(
                "simulate rws-open-cover/c --stakes mix.json --rounds 1e7 --seed 42 --json --generator {generator} {more}"
            );
            let (code, out, err) = said(&sicbo(&all));
            assert_eq!((code, err.as_str()), (Some(0), ""), "{all}");
            out
        };
        let expected = command("--threads 1");
        for more in [
            "--threads 2",
            "--threads 1 --portable",
            "--threads 2 --portable",
            "",
        ] {
            assert_eq!(command(more), expected, "{more}");
        }
        let result: serde_json::Value = serde_json::from_str(&expected).unwrap();
        assert!(result["furthest_standard_errors"].as_f64().unwrap() < 4.0);
        assert_eq!(result["rounds"], 10_000_000);
        assert_eq!(result["sections"].as_array().unwrap().len(), 3);
    }
}

#[test]
fn j_11_dist_of_a_thousand_rounds_as_csv_and_picture() {
    let (code, out, err) = said(&sicbo(
        "dist rws-open-cover/c --rounds 1000 --bet big --against 2000 --csv dist.csv --plot dist.svg --json",
    ));
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let summary: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(summary["method"], "exact");
    assert_eq!(summary["checks"]["agree"], true);
    let csv = std::fs::read_to_string(folder().join("dist.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1002);
    let sum: f64 = csv
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(1).unwrap().parse::<f64>().unwrap())
        .sum();
    assert!((sum - 1.0).abs() < 1e-12);
    let svg = std::fs::read_to_string(folder().join("dist.svg")).unwrap();
    for part in [
        "prefers-color-scheme:dark",
        "result of the house after 1,000 rounds, SGD",
        ">probability<",
        "</svg>",
    ] {
        assert!(svg.contains(part), "{part}");
    }
    // A shorter result leaves nothing of a longer one behind.
    sicbo("dist rws-open-cover/c --rounds 10 --bet big --against 0 --csv dist.csv");
    let csv = std::fs::read_to_string(folder().join("dist.csv")).unwrap();
    assert_eq!(csv.lines().count(), 12);
}

#[test]
fn j_11_what_if_total_5_paid_30() {
    let (code, out, _) = said(&sicbo("what-if quang-nam-table/a total:5=30"));
    assert_eq!(code, Some(0));
    assert!(
        out.contains("13.8889 %") && out.contains("47.2222 %"),
        "{out}"
    );
}

#[test]
fn every_picture_is_well_formed_and_has_its_axes() {
    for (command, labels) in [
        (
            "simulate rws-etg/a --rounds 1e6",
            ["standard errors", "section"],
        ),
        (
            "strategy rws-etg/a labouchere --sessions 500",
            ["rounds played", "share of sessions"],
        ),
        (
            "exposure rws-etg/a --bet big --bet total:4 --worst 100",
            ["outcomes of 216", "result of the house, SGD"],
        ),
        (
            "exposure quang-nam-table/a --bet big",
            ["outcomes of 216", "result of the house, VND"],
        ),
    ] {
        let (code, _, err) = said(&sicbo(&format!(
            "{command} --plot picture.svg --csv picture.csv"
        )));
        assert_eq!((code, err.as_str()), (Some(0), ""), "{command}");
        let svg = std::fs::read_to_string(folder().join("picture.svg")).unwrap();
        for label in labels {
            assert!(svg.contains(label), "{command}: {label}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{command}");
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    }
}

/// The pictures in `docs/lab.md`. `make docs` writes them anew.
#[test]
fn docs_pictures_of_the_lab_are_fresh() {
    let docs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
    for (name, command) in [
        (
            "lab-dist.svg",
            "dist rws-open-cover/c --rounds 1000 --bet big",
        ),
        (
            "lab-strategy.svg",
            "strategy rws-open-cover/c martingale --rounds 500 --sessions 20000",
        ),
    ] {
        let (code, _, err) = said(&sicbo(&format!("{command} --plot {name}")));
        assert_eq!((code, err.as_str()), (Some(0), ""), "{command}");
        let drawn = std::fs::read_to_string(folder().join(name)).unwrap();
        if std::env::var_os("SICBO_BLESS").is_some() {
            std::fs::write(docs.join(name), &drawn).unwrap();
        }
        let committed = std::fs::read_to_string(docs.join(name)).unwrap_or_default();
        assert!(
            committed == drawn,
            "{name} is stale: run `make docs` and commit what changed"
        );
    }
}

#[test]
fn doubted_dice_exit_with_one() {
    let fair: String = (0..216 * 20)
        .map(|i| {
            // Every outcome equally often, in an order that jumps about.
            let outcome = i * 95 % 216;
            format!(
                "{},{},{}\n",
                outcome / 36 + 1,
                outcome / 6 % 6 + 1,
                outcome % 6 + 1
            )
        })
        .collect();
    write("loaded.txt", &fair.replace("1,", "6,"));
    let (code, out, err) = said(&sicbo("fair loaded.txt"));
    assert_eq!((code, err.as_str()), (Some(1), ""));
    assert!(out.contains("The dice are doubted"), "{out}");
    write("few.txt", "1,2,3\n");
    let (code, out, _) = said(&sicbo("fair few.txt"));
    assert_eq!(code, Some(0));
    assert!(out.contains("Nothing could be tested"), "{out}");
}

#[test]
#[ignore = "measures speed: meaningful only with optimisation on a quiet machine"]
fn bench_simulate_has_exactly_its_keys_and_meets_its_goals() {
    let (code, out, _) = said(&sicbo("bench simulate --json"));
    assert_eq!(code, Some(0));
    let measured: serde_json::Value = serde_json::from_str(&out).unwrap();
    let keys: Vec<&String> = measured.as_object().unwrap().keys().collect();
    let mut expected = vec![
        "rounds_per_s_per_core",
        "crypto_rounds_per_s_per_core",
        "limit_rounds_per_s_per_core",
        "numpy_rounds_per_s",
        "strategy_rounds_per_s_per_core",
    ];
    expected.sort_unstable();
    let mut keys: Vec<&str> = keys.into_iter().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, expected);
    assert!(measured["rounds_per_s_per_core"].as_f64().unwrap() >= 2e9);
    assert!(measured["strategy_rounds_per_s_per_core"].as_f64().unwrap() >= 2e7);
}
