//! Data folders that released programs left behind, one for each format: the
//! program of today starts on each, finds the round that was interrupted,
//! plays on, and the whole verifies.
//!
//! The files are never written again. A new format gets a folder of its own,
//! made by the program that is released with it: five tables by hand with two
//! stations each; rounds settled, void and corrected; a voucher in somebody's
//! hand; and bets in round 4 when the program was killed.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use crate::common::account::Account;
use crate::common::dealing::Table;
use crate::common::house::{Site, TableSpec};
use crate::common::people::{People, Staff};
use crate::common::proof;
use crate::common::terminal::Terminal;
use crate::rounds::{Dies, POSITIONS, Played, unit};

/// Free credit of the first terminal when the program died, by table.
const FREE_CREDIT: [(&str, i64); 3] = [
    ("rws-etg", 11_600),
    ("mbs-etg", 8_600),
    ("rws-open-cover", 11_600),
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

async fn starts_plays_and_verifies(golden: &Path) {
    let site = Site::released(golden, tables());
    let house = site.start();
    let staff = People::returning()
        .log_in(&site, house.address, &POSITIONS)
        .await;
    let mut played = Vec::new();
    for spec in &site.tables {
        let told = format!("{}: a round was interrupted", spec.name);
        assert!(house.said.iter().any(|line| line.contains(&told)), "{told}");
        let mut account = Account::new(spec.book, spec.stations[0].0);
        let lines = [
            ("big", 10 * unit(spec.book)),
            ("total:12", 2 * unit(spec.book)),
        ];
        let free = FREE_CREDIT.iter().find(|(table, _)| *table == spec.name);
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
        if spec.book == "quang-nam-table" {
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
    let mut formats = 0;
    for entry in std::fs::read_dir(folder).expect("the golden folders") {
        let golden = entry.expect("listed").path();
        println!("{}", golden.display());
        starts_plays_and_verifies(&golden).await;
        formats += 1;
    }
    assert!(formats >= 1, "a folder for each format");
}
