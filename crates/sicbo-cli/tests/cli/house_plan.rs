//! `sicbo init` and `sicbo check`: from an example to a house of one's own.

use crate::cli::binary::{folder, good, json, refused, run};

fn fresh(name: &str) -> std::path::PathBuf {
    let folder = folder("house-plan").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn init_writes_an_example_that_checks_clean_and_is_never_overwritten() {
    let path = fresh("init").join("house.toml");
    let file = path.to_str().unwrap();
    assert!(good(&["init", file]).contains("sicbo check"));
    let written = std::fs::read_to_string(&path).unwrap();
    assert_eq!(good(&["init", "-"]), written);
    refused(&["init", file], "there already");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), written);
    let shown = good(&["check", file]);
    for word in [
        "no faults",
        "play money",
        "Table rapid-1: mbs-etg, SGD",
        "tumble, call for bets, every terminal shows no more bets, uncover",
        "4 terminals on rapid, 2 terminals on alfastreet",
        "7 seats on a",
        "light the layout",
        "Goh Boon Keng",
    ] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
    let report = json(&["check", file]);
    assert_eq!(report["faults"].as_array().unwrap().len(), 0);
    assert_eq!(report["house"]["tables"][0]["book"], "mbs-etg");
    assert_eq!(report["house"]["staff"][0]["position"], "dealer");
}

/// The documents show the same example.
#[test]
fn the_example_among_the_documents_is_fresh() {
    let path = crate::cli::binary::root().join("docs/examples/plan.toml");
    let example = good(&["init", "-"]);
    if std::env::var_os("SICBO_BLESS").is_some() {
        std::fs::write(&path, &example).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap();
    assert!(
        committed == example,
        "docs/examples/plan.toml is stale: make docs"
    );
}

#[test]
fn check_prints_every_fault_and_exits_1() {
    let path = fresh("faults").join("house.toml");
    let file = path.to_str().unwrap();
    let text = good(&["init", "-"])
        .replace("real_money = false", "real_money = true")
        .replace("book = \"mbs-etg\"", "book = \"rws-etg\"")
        .replace("layout = \"rapid\"", "layout = \"a\"")
        .replace("layout = \"alfastreet\"", "layout = \"d\"")
        .replace("name = \"Priya Raman\"", "name = \"dealer 2\"")
        .replace("voucher_days", "vouchers_days");
    std::fs::write(&path, text).unwrap();
    let checked = run(&["check", file]);
    assert_eq!(checked.code, 1, "{}", checked.stderr);
    for word in [
        "did you mean voucher_days?",
        "nobody's name",
        "tables[rapid-1].tumbler: real money",
        "tables[rapid-1].dealer: real money",
        "tables[rapid-1].printer: real money",
        "tables[tai-xiu-1].printer: real money",
        "Q-43",
        "rws-etg has no layout \"d\"",
        "line ",
    ] {
        assert!(checked.stdout.contains(word), "{word}: {}", checked.stdout);
    }
    let checked = run(&["check", file, "--json"]);
    assert_eq!(checked.code, 1);
    let report: serde_json::Value = serde_json::from_str(&checked.stdout).unwrap();
    assert!(report["house"].is_null());
    assert!(report["faults"].as_array().unwrap().len() >= 8);
}

#[test]
fn a_plan_may_name_a_rule_book_file_beside_it() {
    let folder = fresh("own-book");
    let book = crate::cli::binary::root().join("rulebooks/mbs-etg.toml");
    std::fs::copy(book, folder.join("own.toml")).unwrap();
    let path = folder.join("house.toml");
    let text = good(&["init", "-"]).replace("book = \"mbs-etg\"", "book = \"own.toml\"");
    std::fs::write(&path, &text).unwrap();
    assert!(good(&["check", path.to_str().unwrap()]).contains("no faults"));
    std::fs::write(&path, text.replace("own.toml", "gone.toml")).unwrap();
    let checked = run(&["check", path.to_str().unwrap()]);
    assert_eq!(checked.code, 1);
    assert!(checked.stdout.contains("gone.toml"), "{}", checked.stdout);
}

#[test]
fn what_is_no_toml_exits_2() {
    let path = fresh("no-toml").join("house.toml");
    std::fs::write(&path, "site = [\n").unwrap();
    refused(&["check", path.to_str().unwrap()], "this is not TOML");
    assert_eq!(run(&["check", "no-such-file.toml"]).code, 2);
}
