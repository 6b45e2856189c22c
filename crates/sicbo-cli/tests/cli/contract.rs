//! The commands and JSON forms that programs and people rely on.

use crate::cli::binary::{LAYOUTS, folder, good, json, run};
use serde_json::{Value, json as value};

/// The keys of an object, in the order they are printed.
fn keys(text: &str, object: &Value) -> Vec<String> {
    let mut keys: Vec<(usize, String)> = object
        .as_object()
        .unwrap()
        .keys()
        .map(|key| (text.find(&format!("\"{key}\"")).unwrap(), key.clone()))
        .collect();
    keys.sort();
    keys.into_iter().map(|(_, key)| key).collect()
}

#[test]
fn rules_list_has_five_books_and_eleven_layouts() {
    let text = good(&["rules", "list", "--json"]);
    let books: Value = serde_json::from_str(&text).unwrap();
    let books = books.as_array().unwrap();
    assert_eq!(books.len(), 5);
    let ids: Vec<&str> = books
        .iter()
        .map(|b| b["rulebook"].as_str().unwrap())
        .collect();
    assert_eq!(
        ids,
        [
            "rws-etg",
            "mbs-table",
            "mbs-etg",
            "rws-open-cover",
            "quang-nam-table"
        ]
    );
    let layouts: Vec<(&str, usize)> = books
        .iter()
        .flat_map(|book| book["layouts"].as_array().unwrap())
        .map(|layout| {
            let sections = layout["sections"].as_u64().unwrap() as usize;
            (layout["layout"].as_str().unwrap(), sections)
        })
        .collect();
    assert_eq!(layouts, LAYOUTS);
    assert_eq!(
        keys(&text, &books[0])[..6],
        [
            "rulebook",
            "title",
            "operator",
            "version",
            "effective",
            "layouts"
        ]
    );
    // What a document lost is null, never invented.
    assert_eq!(books[0]["version"], Value::Null);
    assert_eq!(books[2]["effective"], "2022-09-20T09:00:00+08:00");
    assert!(good(&["rules", "list"]).contains("version lost"));
}

#[test]
fn odds_have_their_stable_form() {
    for (layout, sections) in LAYOUTS {
        let sheet = json(&["odds", layout]);
        assert_eq!(sheet["layout"], layout);
        assert_eq!(sheet["rulebook_sha256"].as_str().unwrap().len(), 64);
        assert_eq!(sheet["sections"].as_array().unwrap().len(), sections);
        for entry in sheet["sections"].as_array().unwrap() {
            let pays = entry["pays"].as_array().unwrap().len();
            assert_eq!(pays, if entry["kind"] == "single" { 3 } else { 1 });
            assert!(entry["ways"].is_u64());
            assert!(entry["edge_percent"].is_f64());
        }
    }
    let text = good(&["odds", "rws-etg/b", "total:4", "--json"]);
    let sheet: Value = serde_json::from_str(&text).unwrap();
    let entry = &sheet["sections"][0];
    assert_eq!(
        keys(&text[text.find("total:4").unwrap() - 30..], entry)[..7],
        [
            "section",
            "kind",
            "pays",
            "ways",
            "return",
            "edge",
            "edge_percent"
        ]
    );
    for (key, expected) in [
        ("section", value!("total:4")),
        ("kind", value!("total")),
        ("pays", value!(["64"])),
        ("ways", value!(3)),
        ("return", value!("65/72")),
        ("edge", value!("7/72")),
        ("edge_percent", value!(9.7222)),
    ] {
        assert_eq!(entry[key], expected, "{key}");
    }
    let single = json(&["odds", "quang-nam-table/a", "single:6"]);
    assert_eq!(single["sections"][0]["pays"], value!(["1", "2", "3"]));
    assert_eq!(single["sections"][0]["ways_by_line"], value!([75, 15, 1]));
    assert!(good(&["odds", "rws-open-cover/c"]).contains("35/216   16.2037"));
}

#[test]
fn j_11_compare_marks_what_differs() {
    let names = ["rws-open-cover/b", "rws-open-cover/c", "quang-nam-table/a"];
    let compared = json(&["compare", names[0], names[1], names[2]]);
    assert_eq!(compared["layouts"], value!(names));
    let edges = |section: &str| -> Vec<Value> {
        let rows = compared["sections"].as_array().unwrap();
        let row = rows.iter().find(|row| row["section"] == section).unwrap();
        let columns = row["by_layout"].as_array().unwrap();
        columns
            .iter()
            .map(|column| column["edge"].clone())
            .collect()
    };
    assert_eq!(edges("double:1"), ["2/27", "1/9", "1/3"]);
    assert_eq!(edges("total:5"), ["1/12", "1/9", "17/36"]);
    assert_eq!(edges("odd")[2], Value::Null);
    let text = good(&["compare", names[0], names[1], names[2]]);
    let line = |label: &str| text.lines().find(|line| line.contains(label)).unwrap();
    assert!(line("double:1").trim_start().starts_with('▸'));
    assert!(line("total:7 ").starts_with("   "));
    let fewer = good(&["compare", names[0], names[1], names[2], "--differences"]);
    assert!(!fewer.contains("total:7 "));
}

#[test]
fn settle_returns_57_50_of_20() {
    let bets = ["total:11=5", "big=10", "four:6543=5"];
    let mut arguments = vec!["settle", "rws-etg/a", "--dice", "4,3,4"];
    arguments.extend(bets);
    let text = good(&arguments);
    assert!(
        text.contains("57.50 SGD returned of 20.00 staked"),
        "{text}"
    );
    let settled = json(&arguments);
    assert_eq!(settled["layout"], "rws-etg/a");
    assert_eq!(settled["dice"], value!([4, 3, 4]));
    assert_eq!(settled["total"], 11);
    assert_eq!(settled["triple"], false);
    assert_eq!(settled["staked"], "20.00");
    assert_eq!(settled["returned"], "57.50");
    assert_eq!(
        settled["bets"],
        value!([
            { "section": "total:11", "stake": "5.00", "won": true, "pays": "6.5",
              "returned": "37.50", "rule": "rws-etg 4.1.1" },
            { "section": "big", "stake": "10.00", "won": true, "pays": "1",
              "returned": "20.00", "rule": "rws-etg 4.1.1" },
            { "section": "four:6543", "stake": "5.00", "won": false, "pays": null,
              "returned": "0.00", "rule": null },
        ])
    );
}

#[test]
fn settle_knows_triples_currencies_and_repeated_sections() {
    let triple = json(&[
        "settle",
        "rws-etg/a",
        "--dice",
        "2,2,2",
        "total:6=10",
        "double:2=2.50",
        "even=1",
        "single:2=1",
    ]);
    assert_eq!(triple["triple"], true);
    // 10 × 20, 2.50 × 12.5, nothing for even, 13 for three of a kind.
    assert_eq!(triple["returned"], "244.25");
    let twice = json(&["settle", "rws-etg/a", "--dice", "6,6,5", "big=1", "big=2"]);
    assert_eq!(twice["bets"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&twice["staked"], &twice["returned"]),
        (&value!("3.00"), &value!("6.00"))
    );
    let dong = json(&[
        "settle",
        "quang-nam-table/a",
        "--currency",
        "VND",
        "--dice",
        "1,1,2",
        "small=50000",
    ]);
    assert_eq!(
        (&dong["staked"], &dong["returned"]),
        (&value!("50000"), &value!("100000"))
    );
}

#[test]
fn every_layout_draws_prints_and_proves_itself() {
    let here = folder("every-layout");
    for (layout, sections) in LAYOUTS {
        let drawn = good(&["layout", layout]);
        assert!(drawn.lines().count() > 15, "{layout}");
        assert!(!drawn.contains('\u{1b}'), "no colour outside a terminal");

        let path = here.join(format!("{}.svg", layout.replace('/', "-")));
        good(&[
            "layout",
            layout,
            "--dice",
            "1,2,3",
            "--svg",
            path.to_str().unwrap(),
        ]);
        let svg = std::fs::read_to_string(&path).unwrap();
        assert_eq!(svg.matches("data-section=").count(), sections, "{layout}");

        let page = path.with_extension("html");
        let said = good(&["par", layout, "--html", page.to_str().unwrap()]);
        assert!(said.contains("self-test passed"), "{said}");
        let html = std::fs::read_to_string(&page).unwrap();
        assert_eq!(
            html.matches("<tr><td class=\"mono\">").count(),
            sections,
            "{layout}"
        );
        let sha = json(&["odds", layout])["rulebook_sha256"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(html.contains(&sha));
        for elsewhere in ["<script", "src=", "@import", "<link"] {
            assert!(!html.contains(elsewhere), "{layout}: {elsewhere}");
        }
        let par = json(&["par", layout]);
        assert_eq!(par["self_test"]["passed"], true);
        assert_eq!(par["self_test"]["cells"], 216 * sections);

        let cells = json(&["layout", layout, "--dice", "2,3,5"]);
        let lit = cells["cells"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|c| c["lit"] == true)
            .count();
        assert_eq!(
            lit,
            match sections {
                104 => 12,
                56 => 11,
                _ => 8,
            },
            "layouts B.8"
        );
    }
}

#[test]
fn rules_show_tells_everything_with_its_rule() {
    for (book, words) in [
        (
            "rws-etg",
            &[
                "LOST: the title page",
                "[5.3.3]",
                "RECONSTRUCTED",
                "Pay Table 3",
            ][..],
        ),
        (
            "mbs-table",
            &["Diagram B", "the bet stands and is won or lost [5.7]"],
        ),
        (
            "mbs-etg",
            &["before betting is offered [3.1 (Q-01)]", "Rapid Select"],
        ),
        (
            "rws-open-cover",
            &["open: the dice are always seen [title]"],
        ),
        (
            "quang-nam-table",
            &["Trưởng phòng Điều hành", "Surveillance footage [8.4.6]"],
        ),
    ] {
        let shown = good(&["rules", "show", book]);
        for word in words {
            assert!(shown.contains(word), "{book}: {word}");
        }
        assert!(
            shown.lines().all(|line| line.chars().count() <= 130),
            "{book}"
        );
        let shown = json(&["rules", "show", book]);
        assert_eq!(shown["rulebook"], book);
        assert!(shown["facts"].as_array().unwrap().len() > 30, "{book}");
    }
}

/// What is resolved where a document is silent is shown beside what it says:
///
#[test]
fn rules_show_who_decides_where_a_document_is_silent() {
    const STOP: &str = "equipment fails while play goes on";
    const MOVED: &str = "dice no longer in place";
    const CHIPS: &str = "chips recorded once dice can be seen";
    const SETTLED: &str = "a cause found after settlement";
    let asked = |supervisor: &str| {
        format!(
            "the Dealer stops play, the {supervisor} or above answers whether the round is affected"
        )
    };
    let attested = |supervisor: &str| {
        format!("count only when the {supervisor} or above attests that they lay there")
    };
    for (book, expected, absent) in [
        (
            "rws-etg",
            vec![
                (STOP, asked("Pit Supervisor"), "Q-56"),
                (
                    SETTLED,
                    "void by the Table Games Shift Manager or above with a second person, \
                     as a matter no rule covers, naming its rule as the ground"
                        .to_owned(),
                    "5.10 (Q-55)",
                ),
            ],
            &[MOVED, CHIPS][..],
        ),
        (
            "mbs-table",
            vec![
                (STOP, asked("pit supervisor"), "Q-56"),
                (CHIPS, attested("pit supervisor"), "Q-60"),
                (
                    SETTLED,
                    "void by the Gaming Shift Manager or above with a second person, under its own rule"
                        .to_owned(),
                    "Q-55",
                ),
            ],
            &[MOVED],
        ),
        (
            "quang-nam-table",
            vec![
                (
                    MOVED,
                    "the Giám đốc Bàn trò chơi or above decides".to_owned(),
                    "7.8 (Q-57)",
                ),
                (CHIPS, attested("Giám sát Pit"), "Q-60"),
            ],
            &[STOP],
        ),
    ] {
        let shown = json(&["rules", "show", book]);
        let facts = shown["facts"].as_array().unwrap();
        let find = |name: &str| facts.iter().find(|fact| fact["name"] == name);
        for (name, says, rule) in expected {
            let fact = find(name).unwrap_or_else(|| panic!("{book} says nothing of {name}"));
            assert_eq!((&fact["says"], &fact["rule"]), (&says.into(), &rule.into()));
        }
        for name in absent {
            assert!(find(name).is_none(), "{book}: {name}");
        }
    }
}

#[test]
fn rules_diff_of_the_twins_is_where_they_differ() {
    let diff = json(&[
        "rules",
        "diff",
        "rws-etg",
        "rws-open-cover",
        "--differences",
    ]);
    let names: Vec<&str> = diff["facts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fact| fact["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "title",
            "version",
            "effective",
            "also known as",
            "approval",
            "dice",
            "tumbler may run",
            "tumbler usually runs",
            "concealed dice were seen before the close",
            "the tumbler ran before the close",
        ]
    );
    let same = json(&["rules", "diff", "mbs-etg", "mbs-etg"]);
    assert!(
        same["facts"]
            .as_array()
            .unwrap()
            .iter()
            .all(|fact| fact["same"] == true)
    );
    assert!(good(&["rules", "diff", "mbs-table", "quang-nam-table"]).contains("▸ triple:1"));
}

#[test]
fn help_and_version_are_no_failures() {
    for arguments in [
        &["--help"][..],
        &["settle", "--help"],
        &["--version"],
        &["help", "rules"],
    ] {
        let run = run(arguments);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{arguments:?}");
        assert!(run.stdout.contains("sicbo") || run.stdout.contains("rule book"));
    }
    assert!(good(&[]).contains("Usage: sicbo"));
}

/// Only its form and that it is believable: how fast is a matter of the machine.
#[test]
fn bench_settle_has_its_stable_form() {
    let text = good(&["bench", "settle", "--json"]);
    let measured: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        keys(&text, &measured)[..3],
        ["bets_per_s", "memory_limit_bets_per_s", "ratio"]
    );
    assert!(measured["bets_per_s"].as_u64().unwrap() > 100_000);
    assert!(measured["ratio"].as_f64().unwrap() > 0.0);
}
