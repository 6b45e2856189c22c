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
    write(
        "bad-system.toml",
        "name = \"x\"\nstep = [{ stake = 1, won = 5, lost = 1 }]\n",
    );
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
            "not a multiple of the chip unit 1.00",
        ),
        ("exposure rws-etg/a --stakes big=0.50", "nearest are 1.00"),
        ("exposure rws-etg/a --stakes two.txt", "line 2: small"),
        (
            "exposure rws-etg/a --stakes missing.json",
            "there is no such file",
        ),
        (
            "exposure rws-etg/a --stakes big=5 missing.json",
            "is not a stake",
        ),
        ("exposure rws-etg/a --stakes banana=5", "is not a bet"),
        ("exposure rws-etg/a --stakes big:10", "did you mean big=10?"),
        (
            "exposure quang-nam-table/a --stakes odd=5000",
            "does not offer odd",
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
            "simulate rws-etg/a --plot x.png",
            "name a file ending in .svg",
        ),
        (
            "simulate rws-etg/a --csv x.parquet",
            "name a file ending in .csv",
        ),
        ("simulate rws-etg/a --csv - --json", "only one of"),
        ("odds rws-etg/a --section big", "see sicbo odds --help"),
        ("odds rws-etg/a --faces 1,1,1", "six numbers"),
        (
            "odds rws-etg/a --faces 1,1,1,1,1,1 --faces 1,1,1,1,1,2",
            "three times",
        ),
        ("mix rws-etg/a big --max-edge 1%", "the lowest edge"),
        ("dist rws-etg/a --bet big --quantile 2", "between 0 and 1"),
        ("dist rws-etg/a --bet big --at lots", "not an amount"),
        ("strategy rws-etg/a own.toml", "there is no such file"),
        ("strategy rws-etg/a bad-system.toml", "no step"),
        ("strategy rws-etg/a flat --target 0", "target must be more"),
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
        ("what-if rws-etg/a total:5 --edge 100%", "not a valid edge"),
        ("what-if rws-etg/a total:5 --edge 99%", "no odds give"),
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
    let rows = |csv: &str| {
        let rows = csv.lines().filter(|line| !line.starts_with('#'));
        rows.map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(rows(&csv).len(), 1002);
    assert!(
        csv.contains("# rulebook: rws-open-cover version 2\n") && csv.contains("# currency: SGD\n")
    );
    let sum: f64 = rows(&csv)
        .iter()
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
    assert_eq!(rows(&csv).len(), 12);
}

#[test]
fn j_11_what_if_total_5_paid_30() {
    let (code, out, _) = said(&sicbo("what-if quang-nam-table/a total:5=30"));
    assert_eq!(code, Some(0));
    assert!(out.contains("13.8889") && out.contains("47.2222"), "{out}");
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
    assert!(out.contains("Evidence of bias: adjusted p < 0.01"), "{out}");
    assert!(!out.contains("0.00000"), "{out}");
    write("few.txt", "1,2,3\n");
    let (code, out, _) = said(&sicbo("fair few.txt"));
    // Not a pass: a script must see that nothing was said.
    assert_eq!(code, Some(3));
    assert!(
        out.contains("Nothing could be tested") && out.contains("too few"),
        "{out}"
    );
}

#[test]
fn csv_to_standard_output_is_the_table_alone() {
    let (code, out, err) = said(&sicbo("odds rws-etg/a --csv -"));
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("# sicbo-lab/1 odds\n"));
    assert_eq!(
        out.lines().filter(|line| !line.starts_with('#')).count(),
        57
    );
    assert!(!folder().join("-").exists());
}

#[test]
fn draws_go_out_raw_and_come_back_as_the_same_rounds() {
    let (code, dice, _) = said(&sicbo("simulate rws-etg/a --rounds 5000 --seed 9 --dump -"));
    assert_eq!(code, Some(0));
    assert_eq!(dice.lines().count(), 5000);
    let (_, json, _) = said(&sicbo("simulate rws-etg/a --rounds 5000 --seed 9 --json"));
    let simulated: serde_json::Value = serde_json::from_str(&json).unwrap();
    let mut counts = vec![0u64; 216];
    for line in dice.lines() {
        let faces: Vec<usize> = line.split(',').map(|face| face.parse().unwrap()).collect();
        counts[(faces[0] - 1) * 36 + (faces[1] - 1) * 6 + faces[2] - 1] += 1;
    }
    assert_eq!(simulated["outcomes"], serde_json::json!(counts));
    sicbo("simulate rws-etg/a --rounds 5000 --seed 9 --dump raw.bin --dump-as draws");
    assert_eq!(
        std::fs::metadata(folder().join("raw.bin")).unwrap().len(),
        10_000
    );
    sicbo("simulate rws-etg/a --rounds 5000 --seed 9 --dump out.bin --dump-as outcomes");
    assert_eq!(
        std::fs::metadata(folder().join("out.bin")).unwrap().len(),
        5_000
    );
    // The lab's own dice pass the lab's own test.
    write("own.txt", &dice);
    let (code, out, _) = said(&sicbo("fair own.txt --level 1e-9"));
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("Power: with 5,000 results"), "{out}");
}

/// `House loses -0.0000000000 %` and `"loss": -0.0`, wherever nothing was below zero.
#[test]
fn no_figure_is_printed_as_minus_nothing() {
    for command in [
        "dist rws-etg/a --stakes big=10 small=10 --rounds 100 --against 0",
        "dist rws-etg/a --stakes big=10 small=10 --rounds 100 --against 50",
        "dist rws-etg/a --bet triple:6 --rounds 50 --against 0 --at 0 --at -1",
        "dist rws-etg/a --bet big --rounds 200000 --against 0 --at 1",
        "exposure rws-etg/a --bet big --bet small --worst 5",
        "simulate rws-etg/a --rounds 10 --bet triple:6",
        "strategy rws-etg/a flat --sessions 20 --rounds 4",
        "what-if rws-etg/a big=(37/35)",
    ] {
        for form in ["", " --json"] {
            let (code, out, err) = said(&sicbo(&format!("{command}{form}")));
            assert_eq!((code, err.as_str()), (Some(0), ""), "{command}");
            let figures = out.split(|c: char| !matches!(c, '0'..='9' | '.' | '-' | '+' | 'e'));
            let mut figures = figures.filter(|word| word.starts_with("-0"));
            let nothing = figures.find(|word| word.parse() == Ok(0.0));
            assert_eq!(nothing, None, "{command}{form}: {out}");
        }
    }
}

/// A section that never won had "100.0000 % to 100.0000 %" beside an exact 9 %.
#[test]
fn a_section_that_never_won_has_an_interval_that_can_be_true() {
    let (code, out, _) = said(&sicbo(
        "simulate rws-etg/a --bet triple:6 --rounds 100 --seed 2 --json",
    ));
    assert_eq!(code, Some(0));
    let result: serde_json::Value = serde_json::from_str(&out).unwrap();
    let one = &result["sections"][0];
    assert_eq!(one["wins"], 0, "another seed is needed: {one}");
    let figure = |key: &str| one["estimate"][key].as_f64().unwrap();
    assert!(
        figure("low") < figure("exact_value") && figure("exact_value") < figure("high"),
        "{one}"
    );
}

/// Fair dice written sorted were doubted at chi-squares of 1500, without a hint.
#[test]
fn dice_written_sorted_are_said_to_be_and_not_doubted() {
    let (_, dice, _) = said(&sicbo("simulate rws-etg/a --rounds 2000 --seed 3 --dump -"));
    let sorted = dice.lines().map(|line| {
        let mut faces: Vec<&str> = line.split(',').collect();
        faces.sort_unstable();
        faces.join(",") + "\n"
    });
    write("sorted.txt", &sorted.collect::<String>());
    let (code, out, err) = said(&sicbo("fair sorted.txt"));
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let said_so = "Not tested: die 1, die 2, die 3 (the dice of every result are written in order)";
    assert!(out.contains(said_so), "{out}");
}

/// `--edge` alone answered with an `after` that repeated `before`.
#[test]
fn an_edge_alone_changes_nothing_and_says_so() {
    let (code, out, _) = said(&sicbo("what-if rws-etg/a total:5 --edge 5% --json"));
    assert_eq!(code, Some(0));
    let result: serde_json::Value = serde_json::from_str(&out).unwrap();
    let change = &result["changes"][0];
    assert_eq!(change["after"], serde_json::Value::Null, "{change}");
    assert!(change["before"].is_object() && change["wanted"].is_array());
}

/// `odds house.toml` answered with the layouts of the built-in books.
#[test]
fn a_file_without_a_layout_means_its_only_one_or_names_its_own() {
    let top = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let house = top.join("docs/examples/house.toml");
    let (code, out, err) = said(&sicbo(&format!("odds {} --json", house.display())));
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let odds: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(odds["layout"], "riverside/a");
    let several = top.join("rulebooks/rws-etg.toml");
    let several = several.display();
    for (name, hint) in [
        (several.to_string(), format!("name one, {several}/a or")),
        (format!("{several}/z"), "its layouts are a b c".to_owned()),
    ] {
        let (code, _, err) = said(&sicbo(&format!("odds {name}")));
        assert_eq!(code, Some(2), "{name}");
        assert!(err.contains(&hint), "{name}: {err}");
        assert!(!err.contains("mbs-etg"), "{name}: {err}");
    }
}

/// The par sheet as pages, with what a test lab looks for.
#[test]
fn a_par_sheet_has_its_figures_as_page_and_as_pdf() {
    let (code, html, _) = said(&sicbo("par rws-etg/a --html -"));
    assert_eq!(code, Some(0));
    for part in ["volatility", "hit %", "hold 1e3", "sha256", "SGD"] {
        assert!(html.to_lowercase().contains(&part.to_lowercase()), "{part}");
    }
    let pdf = sicbo("par rws-etg/a --pdf -");
    assert_eq!(pdf.status.code(), Some(0));
    assert!(pdf.stdout.starts_with(b"%PDF-") && pdf.stdout.len() > 5_000);
}

/// Outputs for people, as a table and as a picture, name where they come from too.
#[test]
fn every_table_and_picture_names_where_it_comes_from() {
    for (command, picture) in [
        ("odds rws-etg/a", false),
        ("par rws-etg/a", false),
        ("simulate rws-etg/a --rounds 1000", true),
        ("strategy rws-etg/a flat --sessions 100 --rounds 50", true),
        ("dist rws-etg/a --bet big --rounds 10 --against 0", true),
        ("exposure rws-etg/a --bet big", true),
        ("what-if rws-etg/a total:5=30", false),
        ("mix rws-etg/a small big", false),
    ] {
        let forms: &[&str] = if picture {
            &["", " --csv -", " --plot -"]
        } else {
            &["", " --csv -"]
        };
        for form in forms {
            let (code, out, err) = said(&sicbo(&format!("{command}{form}")));
            assert_eq!((code, err.as_str()), (Some(0), ""), "{command}{form}");
            for part in ["rws-etg", "299d4503ad2fa28e", "SGD", "sicbo 0"] {
                assert!(out.contains(part), "{command}{form} lacks {part}");
            }
        }
        assert!(!folder().join("-").exists(), "{command}");
    }
}

/// Phrases a mathematician stumbled over, for which there are usual terms.
const REPLACED: &[&str] = &[
    "Doubt the dice when",
    "would fare as badly",
    "p of all tests",
    "Nothing speaks against",
    "does not depend on the one so many",
    "over some rounds",
    "characteristic function in floating point",
    "(square exact",
    "so many times and compare",
    "Draw real rounds",
    "standard errors off",
    "Do without vector",
    "which the system counts in",
    "Had a stake cut",
    "less first bankroll",
    "deepest fall",
    "keep it under a sum",
    "better kinds of dice",
    "stand on all that wins",
    "is no edge",
    "is no generator",
    "is no system",
    "cells worked out twice",
    "is nothing: a stake",
    "is not a name; use",
    "half by round",
    "Where the drawing begins",
    "play came to",
    "one a line",
    "whoever looks again",
];

/// In the help, in the manual and in what the lab and the reports print.
#[test]
fn the_lab_speaks_in_the_terms_of_its_trade() {
    let top = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = vec![(
        "docs/lab.md".to_owned(),
        std::fs::read_to_string(top.join("docs/lab.md")).unwrap(),
    )];
    for command in [
        "odds",
        "compare",
        "par",
        "simulate",
        "strategy",
        "dist",
        "exposure",
        "what-if",
        "mix",
        "fair",
        "settle",
        "report",
        "bench",
        "bench fair",
        "rules check",
    ] {
        let (code, help, _) = said(&sicbo(&format!("{command} --help")));
        assert_eq!(code, Some(0), "{command}");
        // Lines are broken to fit; words are compared without it.
        let words: Vec<&str> = help.split_whitespace().collect();
        texts.push((format!("{command} --help"), words.join(" ")));
    }
    let mut folders: Vec<PathBuf> = ["cli", "lab", "report", "bench", "rules"]
        .map(|name| top.join(format!("crates/sicbo-{name}/src")))
        .to_vec();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                let code = std::fs::read_to_string(&path).unwrap();
                let lines = code.lines().map(str::trim_start);
                let lines: Vec<&str> = lines.filter(|line| !line.starts_with("//")).collect();
                texts.push((path.display().to_string(), lines.join("\n")));
            }
        }
    }
    assert!(texts.len() > 50, "this test no longer finds the sources");
    for (name, text) in &texts {
        for phrase in REPLACED {
            assert!(!text.contains(phrase), "{name}: {phrase}");
        }
    }
    for (name, term) in [
        ("dist --help", "quantile"),
        ("fair --help", "significance level"),
        ("strategy --help", "Base stake"),
        ("simulate --help", "SIMD"),
    ] {
        let (_, text) = texts.iter().find(|(known, _)| known == name).unwrap();
        assert!(text.contains(term), "{name} lacks {term}");
    }
}

/// Every lab result names its rule book, hash, version, program and currency.
#[test]
fn every_json_names_where_it_comes_from() {
    for command in [
        "odds rws-etg/a",
        "par mbs-table/a",
        "simulate rws-etg/a --rounds 1000",
        "strategy rws-etg/a flat --sessions 100 --rounds 50",
        "dist rws-etg/a --bet big --rounds 10 --against 0",
        "exposure rws-etg/a --bet big",
        "what-if rws-etg/a total:5=30",
        "mix rws-etg/a small big",
    ] {
        let (code, out, err) = said(&sicbo(&format!("{command} --json")));
        assert_eq!((code, err.as_str()), (Some(0), ""), "{command}");
        let value: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(value["format"], "sicbo-lab/1", "{command}");
        assert_eq!(value["command"], command.split(' ').next().unwrap());
        assert!(
            value["program"].as_str().unwrap().starts_with("sicbo "),
            "{command}"
        );
        assert_eq!(
            value["rulebook_sha256"].as_str().unwrap().len(),
            64,
            "{command}"
        );
        assert_eq!(value["currency"], "SGD", "{command}");
        assert!(value.get("rulebook_version").is_some() && value.get("rulebook").is_some());
        assert_amounts(&value, command);
    }
}

/// Amounts one way: whole or average numbers of minor units, never texts.
fn assert_amounts(value: &serde_json::Value, command: &str) {
    match value {
        serde_json::Value::Object(map) => {
            for (key, inner) in map {
                if key.ends_with("_minor") && key != "mean_exact_minor" {
                    assert!(!inner.is_string(), "{command}: {key} is a text");
                }
                assert_amounts(inner, command);
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|one| assert_amounts(one, command)),
        _ => {}
    }
}

#[test]
fn a_pay_table_file_is_read_by_the_lab_and_by_nothing_else() {
    let tables = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/pay-tables");
    for name in [
        "macau",
        "new-zealand",
        "australia",
        "atlantic-city",
        "gametwist",
    ] {
        let path = tables.join(format!("{name}.toml"));
        let path = path.to_str().unwrap();
        let (code, out, _) = said(&sicbo(&format!("rules check {path}")));
        assert_eq!(code, Some(0), "{out}");
        assert!(
            out.contains("pay table only") && out.contains("no house can"),
            "{out}"
        );
        let commands = match name {
            "new-zealand" => &["odds", "par", "mix"][..],
            _ => &["odds"],
        };
        for command in commands {
            let (code, out, err) = said(&sicbo(&format!("{command} {path}")));
            assert_eq!(
                (code, err.as_str()),
                (Some(0), ""),
                "{command} {name}: {out}"
            );
        }
        let (code, _, err) = said(&sicbo(&format!("layout {path}")));
        assert_eq!(code, Some(2));
        assert!(err.contains("pay table only"), "{err}");
    }
    let house = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/house.toml");
    let (code, out, err) = said(&sicbo(&format!("odds {}", house.display())));
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
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
