//! Data folders that released programs left behind, one for each format and
//! for each revision of the rules: the program of today starts on each, finds
//! the round that was interrupted, plays on, and the whole verifies.
//!
//! The files are never written again; their digests are pinned below. A new
//! format gets a folder of its own, made by the program that is released with
//! it: five tables by hand with two
//! stations each; rounds settled, void and corrected; a voucher in somebody's
//! hand; and bets in round 4 when the program was killed.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;
use sha2::{Digest, Sha256};

use crate::common::account::Account;
use crate::common::dealing::Table;
use crate::common::house::{Site, TableSpec};
use crate::common::people::Staff;
use crate::common::proof;
use crate::common::terminal::Terminal;
use crate::killed::rounds::{Dies, Played, unit};

/// Free credit of the first terminal when the program died, by table.
type FreeCredit = [(&'static str, i64); 3];

/// The folders, and what the terminals had.
const RELEASED: [(&str, FreeCredit); 2] = [
    (
        "format-1",
        [
            ("rws-etg", 11_600),
            ("mbs-etg", 8_600),
            ("rws-open-cover", 11_600),
        ],
    ),
    // Format 1 too, played under the second revision of the rules.
    (
        "rules-2",
        [
            ("rws-etg", 13_100),
            ("mbs-etg", 13_600),
            ("rws-open-cover", 13_600),
        ],
    ),
];

/// SHA-256 over the names and bytes of everything in a golden folder, or of a
/// golden file. Nothing writes this list: whoever changes what a released
/// program wrote has to change it by hand, and to say why.
const PINNED: [(&str, &str); 14] = [
    (
        "sicbo-server/tests/golden/format-1",
        "1f4d85f7def9f0764a2f6266dd65478ec0de719828ff12b37c9b8bb38b6b391a",
    ),
    (
        "sicbo-server/tests/golden/rules-2",
        "3d989714e45a699c334e169df334a406d218a902fa974b9db5c3ba837bf8733f",
    ),
    (
        "sicbo-cli/tests/golden/served-2",
        "e4ae56bfac8e9b2331b001ea328e802dc989873d3ea5591a94093cc0a3cfeb98",
    ),
    (
        "sicbo-proof/tests/golden/house",
        "96bc1595dc836bb075222e6c07e4841258dc7a35d3e58bbab2633d0ba6587d65",
    ),
    (
        "sicbo-proof/tests/golden/register",
        "16b6d3768e778cf3f53f1fd3bb4f973ac713ec6af996a0e58c4c99da2613da0f",
    ),
    (
        "sicbo-proof/tests/golden/register-2",
        "35043e4d4734986c74002007ddefac423260125f8392d41d63d119fc116805be",
    ),
    (
        "sicbo-proof/tests/golden/house-2",
        "5ddb8f2e1122f4980b0374cfdde13bb17e1f67926caa66221a8b621c44e45513",
    ),
    (
        "sicbo-proof/tests/golden/register-3",
        "b01f708fe4028d46f4f3c4b2026694e5e4fb7e4835bb7ebd023d500efcd29b57",
    ),
    (
        "sicbo-proof/tests/golden/register-4",
        "837b0f09ea7605a2e8a85785a6ee2e28ca072a741dd3688bc0f863fef054cce6",
    ),
    (
        "sicbo-journal/tests/golden/format-2-block.hex",
        "af0bf90ae9b9c301033868d6d71d97155723c45980d640f9104e022789c0aaaa",
    ),
    (
        "sicbo-journal/tests/golden/format-1-block.hex",
        "69b909ee74b1f8ed13918c1f59a046850cf50ff023abf093563ee9f4cd8867f5",
    ),
    (
        "sicbo-table/tests/golden/events-1.txt",
        "f3a619faafa3d74f365938d2d533e658b82e6c0f62a18b252043ac66139eca99",
    ),
    (
        "sicbo-table/tests/golden/events-2.txt",
        "ab273c39883c452932c0f8d546a821d39baf6bae573e684035c6a640bc47d515",
    ),
    (
        "sicbo-table/tests/golden/events-3.txt",
        "ad74e01770c1e4fd998ff3465020170b5eff0fc8b7dbdeb4b51325d7192b179c",
    ),
];

/// The round that was interrupted.
const ROUND: u64 = 4;

fn tables() -> Vec<TableSpec> {
    vec![
        TableSpec::by_hand("rws-etg", &[("a", 1), ("c", 1)]),
        TableSpec::by_hand("mbs-etg", &[("rapid", 1), ("alfastreet", 1)]),
        TableSpec::by_hand("rws-open-cover", &[("b", 2)]),
        TableSpec::by_hand("mbs-table", &[("a", 2)]),
        TableSpec::by_hand("quang-nam-table", &[("a", 2)]),
    ]
}

/// A table keeps the book it was opened with: under that copy of the rules the
/// interrupted round goes on and is finished by the dice, then play waits for
/// the head of operations.
async fn finish_by_its_own_book(table: &Table, staff: &Staff) {
    let decisions = table.sees().await["decisions"].clone();
    let waits = &decisions[0];
    assert_eq!(waits["rule"], "quang-nam-table 7.1, 7.7 (Q-35)");
    let confirm = json!({"act": "confirm_interruption", "pending": waits["pending"],
        "dice_in_place": true});
    staff
        .two("dealer", "pit-supervisor", table.name, confirm, json!({}))
        .await;
    table.close().await;
    table.finish([6, 5, 1]).await;
    assert_eq!(table.sees().await["status"], "suspended");
    let resume = json!({"act": "resume"});
    staff.must("head-of-operations", table.name, resume).await;
}

async fn starts_plays_and_verifies(golden: &Path, free_credit: &FreeCredit) {
    let site = Site::released(golden, tables());
    let house = site.start();
    let staff = site.staff(&house);
    let mut played = Vec::new();
    for spec in &site.tables {
        let told = format!("{}: a round was interrupted", spec.name);
        assert!(house.said.iter().any(|line| line.contains(&told)), "{told}");
        let mut account = Account::new(spec.book, spec.stations[0].0);
        let lines = [
            ("big", 10 * unit(spec.book)),
            ("total:12", 2 * unit(spec.book)),
        ];
        let free = free_credit.iter().find(|(table, _)| *table == spec.name);
        let mut terminal = None;
        if let Some((_, free)) = free {
            account.credit = free + lines.iter().map(|(_, stake)| stake).sum::<i64>();
            let token = site.token(spec.name, 0);
            let at = Terminal::connect(house.address, &token, None).await;
            assert_eq!(at.credit(), *free, "{}: as it was left", spec.name);
            terminal = Some(at);
        }
        account.placed(&lines);
        let mut table = Played {
            table: Table::new(spec, &staff),
            round: ROUND,
            terminal,
            account,
            sent: BTreeMap::new(),
        };
        if spec.book == "quang-nam-table" && golden.ends_with("format-1") {
            finish_by_its_own_book(&table.table, &staff).await;
        } else {
            table.resolve(Dies::Betting).await;
        }
        assert_eq!(table.table.to_betting().await, ROUND + 1);
        if let Some(at) = &mut table.terminal {
            at.phase(ROUND + 1, "betting").await;
            let said = at.bet(1_000, ROUND + 1, &lines).await;
            assert_eq!(said["type"], "registered", "{said}");
            table.account.placed(&lines);
        }
        table.table.close().await;
        if let Some(at) = &mut table.terminal {
            at.shown(ROUND + 1).await;
            at.phase(ROUND + 1, "closed").await;
        }
        table.table.finish([6, 5, 1]).await;
        if let Some(at) = &mut table.terminal {
            at.until("the card", |t| t.cards.contains_key(&(ROUND + 1)))
                .await;
            table.account.ended(ROUND + 1, Some([6, 5, 1]));
            assert_eq!(at.credit(), table.account.credit, "{}", spec.name);
        }
        played.push(table);
    }
    drop(played);
    house.stop();
    let clean = proof::clean(&site.data());
    for (name, verified) in &clean.tables {
        assert_eq!(verified.rounds, ROUND + 1, "{name}");
        assert_eq!(verified.earlier_rules, ROUND, "{name}");
    }
    assert_eq!(clean.vouchers.outstanding.len(), 1, "one voucher is out");
}

#[tokio::test]
async fn a_house_starts_on_the_data_of_every_released_format_plays_and_verifies() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut there: Vec<String> = std::fs::read_dir(&folder)
        .expect("the golden folders")
        .map(|entry| entry.expect("listed").file_name().into_string())
        .collect::<Result<_, _>>()
        .expect("plain names");
    there.sort();
    assert_eq!(there, RELEASED.map(|(name, _)| name));
    for (name, free_credit) in &RELEASED {
        println!("{name}");
        starts_plays_and_verifies(&folder.join(name), free_credit).await;
    }
}

/// Every file at or below a path, by its name from there.
fn files(at: &Path, name: String, found: &mut BTreeMap<String, Vec<u8>>) {
    if !at.is_dir() {
        found.insert(name, std::fs::read(at).expect("read"));
        return;
    }
    for entry in std::fs::read_dir(at).expect("listed") {
        let entry = entry.expect("listed");
        let below = entry.file_name().into_string().expect("a plain name");
        files(&entry.path(), format!("{name}/{below}"), found);
    }
}

fn digest(at: &Path) -> String {
    let mut found = BTreeMap::new();
    files(at, String::new(), &mut found);
    // What SQLite leaves beside a file that was looked at is not kept.
    found.retain(|name, _| !name.ends_with("-shm"));
    let mut hash = Sha256::new();
    for (name, bytes) in &found {
        hash.update(format!("{name} {}\n", bytes.len()));
        hash.update(bytes);
    }
    let digest: [u8; 32] = hash.finalize().into();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn what_released_programs_wrote_is_as_they_wrote_it() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (golden, pinned) in PINNED {
        assert_eq!(digest(&crates.join(golden)), pinned, "{golden}");
    }
}

/// Colour chips issued under a copy of the rules that did not forbid them.
#[tokio::test]
async fn r_218_quang_nam_takes_back_colour_chips_that_were_out_from_before() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/format-1");
    let site = Site::released(&golden, tables());
    let house = site.start();
    let staff = site.staff(&house);
    let table = Table::new(site.table("quang-nam-table"), &staff);
    let (name, unit) = (table.name, unit(table.book));
    finish_by_its_own_book(&table, &staff).await;
    let colour = json!({"act": "assign_colour", "station": 1, "colour": "red", "value": unit});
    let moved = |request: u64, how: &str, amount: i64| {
        json!({"act": "move_colour", "request": request, "station": 1, "how": how,
            "amount": amount})
    };
    table.deal(colour.clone()).await;
    table.deal(moved(901, "bought_with_cash", 5 * unit)).await;
    let chips = table.sees().await["money"]["chips_outstanding"].clone();
    let chips = chips.as_i64().expect("chips");
    // Opened again it plays by the rules of today, and the chips are still out.
    for act in [
        json!({"act": "suspend", "reason": "the end of the day"}),
        json!({"act": "close_table"}),
        json!({"act": "open_table"}),
    ] {
        staff.must("pit-supervisor", name, act).await;
    }
    let seat = table.sees().await["stations"][1].clone();
    assert_eq!(
        (&seat["colour"]["name"], &seat["credit"]),
        (&json!("red"), &json!(5 * unit)),
        "{seat}"
    );
    let round = table.to_betting().await;
    let stake = json!({"act": "place_bets", "station": 1, "round": round, "bet": 901,
        "means": "colour_chips", "lines": [{"section": "big", "stake": unit}]});
    for act in [moved(902, "bought_with_cash", unit), stake] {
        let said = staff.act("dealer", name, &act).await;
        assert_eq!(
            (said.code().as_str(), said.rule().as_str()),
            ("no_colour_chips_here", "quang-nam-table 4.1 (Q-60)"),
            "{act}"
        );
    }
    table
        .deal(moved(903, "exchanged_for_chips", 5 * unit))
        .await;
    let sees = table.sees().await;
    assert_eq!(sees["stations"][1]["credit"], 0);
    assert_eq!(sees["money"]["chips_outstanding"], chips + 5 * unit);
    table
        .deal(json!({"act": "release_colour", "station": 1}))
        .await;
    let said = staff.act("dealer", name, &colour).await;
    said.coded("no_colour_chips_here");
    table.void("dice-exposed-early").await;
    house.stop();
    proof::clean(&site.data());
}
