//! Dependencies between the crates point one way: those in Cargo.toml are those
//! of the code map in ARCHITECTURE.md, where no row names a crate below it.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use crate::cli::binary::root;

/// Crates whose tests stand on a crate above them: the disk that fails on
/// purpose knows the journal, scripts play through the loop, a lost block is
/// noticed by recovery and by history alike, and the auditor hears a table's events.
const TESTED_FROM_ABOVE: [(&str, &str); 5] = [
    ("sicbo-journal", "sicbo-fault-vfs"),
    ("sicbo-loop", "sicbo-proof"),
    ("sicbo-table", "sicbo-auditor"),
    ("sicbo-loop", "sicbo-testkit"),
    ("sicbo-table", "sicbo-testkit"),
];

/// The crates of this project that one of them uses.
#[derive(Clone, Default, Debug)]
struct Uses {
    product: BTreeSet<String>,
    tests: BTreeSet<String>,
}

/// Rows of the code map in their order: a crate, and the crates it may use.
fn code_map(text: &str) -> Vec<(String, BTreeSet<String>)> {
    let rows = text
        .lines()
        .filter_map(|line| line.strip_prefix("| `sicbo-"));
    rows.map(|row| {
        let (name, rest) = row.split_once('`').unwrap();
        let uses = rest
            .trim_end_matches([' ', '|'])
            .rsplit('|')
            .next()
            .unwrap();
        let uses = uses.split(',').map(str::trim);
        let uses = uses.filter(|used| !used.is_empty() && *used != "–");
        (
            format!("sicbo-{name}"),
            uses.map(|used| format!("sicbo-{used}")).collect(),
        )
    })
    .collect()
}

/// The crates there are, as cargo reads them.
fn crates() -> BTreeMap<String, Uses> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--offline",
            "--no-deps",
            "--format-version",
            "1",
        ])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let mut found = BTreeMap::new();
    for package in packages {
        let own = package["name"].as_str().unwrap();
        let mut uses = Uses::default();
        for dependency in package["dependencies"].as_array().unwrap() {
            let name = dependency["name"].as_str().unwrap();
            // A crate names itself where its own tests need a feature of it.
            if dependency["path"].is_null() || name == own {
                continue;
            }
            let to = match dependency["kind"].as_str() {
                Some("dev") => &mut uses.tests,
                _ => &mut uses.product,
            };
            to.insert(name.to_owned());
        }
        found.insert(own.to_owned(), uses);
    }
    found
}

/// Everything in which the crates differ from the code map, or the map from a
/// map whose arrows point one way.
fn faults(map: &[(String, BTreeSet<String>)], crates: &BTreeMap<String, Uses>) -> Vec<String> {
    let mut faults = Vec::new();
    for name in crates.keys() {
        if !map.iter().any(|(row, _)| row == name) {
            faults.push(format!("{name} has no row"));
        }
    }
    for (row, (name, may_use)) in map.iter().enumerate() {
        let above = |used: &str| map[..row].iter().any(|(name, _)| name == used);
        for used in may_use.iter().filter(|used| !above(used)) {
            faults.push(format!("{name} names {used}, which has no row above it"));
        }
        let Some(uses) = crates.get(name) else {
            faults.push(format!("there is no crate {name}"));
            continue;
        };
        for used in uses.product.difference(may_use) {
            faults.push(format!("{name} uses {used}, which its row does not name"));
        }
        for named in may_use.difference(&uses.product) {
            faults.push(format!("{name} names {named} and does not use it"));
        }
        for used in &uses.tests {
            let known = TESTED_FROM_ABOVE.contains(&(name.as_str(), used.as_str()));
            if !above(used) && !known {
                faults.push(format!("tests of {name} use {used}, which is not below it"));
            }
        }
    }
    faults
}

fn shown() -> Vec<(String, BTreeSet<String>)> {
    code_map(&std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap())
}

#[test]
fn dependencies_point_one_way_and_are_those_of_the_code_map() {
    let faults = faults(&shown(), &crates());
    assert!(faults.is_empty(), "ARCHITECTURE.md: {faults:#?}");
}

/// The check can fail: each kind of wrong edge is planted and named.
#[test]
fn a_dependency_that_points_back_is_found() {
    let (map, crates) = (shown(), crates());
    let (table, server) = ("sicbo-table", "sicbo-server");

    let mut planted = crates.clone();
    let uses = planted.get_mut(table).unwrap();
    uses.product.insert(server.to_owned());
    let undeclared = format!("{table} uses {server}, which its row does not name");
    assert_eq!(faults(&map, &planted), [undeclared]);

    // A row that allows it does not make it right.
    let mut allowing = map.clone();
    let row = allowing.iter_mut().find(|(name, _)| name == table).unwrap();
    row.1.insert(server.to_owned());
    let back = format!("{table} names {server}, which has no row above it");
    let unused = format!("{table} names {server} and does not use it");
    let both = [back, unused];
    assert_eq!(faults(&allowing, &planted), &both[..1]);
    assert_eq!(faults(&allowing, &crates), both);

    let mut planted = crates.clone();
    let uses = planted.get_mut(table).unwrap();
    uses.tests.insert(server.to_owned());
    let tested = format!("tests of {table} use {server}, which is not below it");
    assert_eq!(faults(&map, &planted), [tested]);

    let mut planted = crates.clone();
    planted.insert("sicbo-attic".to_owned(), Uses::default());
    assert_eq!(faults(&map, &planted), ["sicbo-attic has no row"]);
    planted.remove("sicbo-attic");
    planted.remove(server);
    let gone = format!("there is no crate {server}");
    assert_eq!(faults(&map, &planted), [gone]);
}
