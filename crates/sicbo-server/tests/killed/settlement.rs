//! Killed while many terminals are being settled: a round is settled for all
//! of them once, or for none yet (J-05).

use serde_json::json;
use tokio::task::JoinSet;

use crate::common::account::Account;
use crate::common::dealing::Table;
use crate::common::house::{Site, TableSpec};
use crate::common::proof;
use crate::common::terminal::Terminal;
use sicbo_testkit::random::Random;

const TERMINALS: usize = 60;
const SECTIONS: [&str; 8] = [
    "big",
    "small",
    "odd",
    "total:11",
    "single:4",
    "double:4",
    "pair:3-4",
    "four:6543",
];

/// When the program dies.
#[derive(Clone, Copy, PartialEq)]
enum Dies {
    /// As soon as one terminal has its settlement.
    FirstCard,
    /// As soon as the confirmation was sent.
    Asked,
}

#[tokio::test]
async fn j_05_killed_during_settlement_every_terminal_is_settled_once() {
    let site = Site::of(vec![TableSpec::by_hand("mbs-etg", &[("rapid", TERMINALS)])]);
    let mut random = Random(7);
    let mut house = site.start();
    let mut accounts: Vec<Account> = Vec::new();
    for dies in [Dies::FirstCard, Dies::Asked, Dies::FirstCard] {
        let staff = site.staff(&house);
        let table = Table::new(&site.tables[0], &staff);
        if accounts.is_empty() {
            table.open().await;
        }
        let mut terminals = Vec::new();
        for station in 0..TERMINALS {
            let token = site.token("mbs-etg", station as u32);
            terminals.push(Terminal::connect(house.address, &token, None).await);
        }
        if accounts.is_empty() {
            for terminal in &mut terminals {
                terminal.insert_note(1, 100_000).await;
                let mut account = Account::new("mbs-etg", "rapid");
                account.credit = 100_000;
                accounts.push(account);
            }
        }
        let round = table.to_betting().await;
        for (terminal, account) in terminals.iter_mut().zip(&mut accounts) {
            assert_eq!(terminal.credit(), account.credit, "as it was left");
            let lines: Vec<_> = (0..3).map(|_| (random.pick(&SECTIONS), 200)).collect();
            let said = terminal.bet(round, round, &lines).await;
            assert_eq!(said["type"], "registered", "{said}");
            account.placed(&lines);
        }
        table.close().await;
        for terminal in &mut terminals {
            terminal.shown(round).await;
        }
        terminals[0].phase(round, "closed").await;
        table.to_visible().await;
        let dice = [4, 3, 4];
        table.key(dice).await;

        let mut cards = JoinSet::new();
        for mut terminal in terminals.drain(..) {
            // The line may end first, with the kill.
            cards.spawn(async move { terminal.comes(|t| t.cards.contains_key(&round)).await });
        }
        let asking = table.clone();
        let asked = tokio::spawn(async move {
            let path = "/api/tables/mbs-etg/acts";
            let confirm = json!({"act": "confirm_result"});
            let dealer = asking.staff.of("dealer");
            dealer.ask("POST", path, Some(&confirm)).await
        });
        match dies {
            Dies::FirstCard => while !matches!(cards.join_next().await, Some(Ok(true))) {},
            Dies::Asked => tokio::task::yield_now().await,
        }
        house.kill();
        let acknowledged = matches!(asked.await, Ok(Ok(said)) if said.status == 200);
        cards.shutdown().await;

        house = site.start();
        let staff = site.staff(&house);
        let table = Table::new(&site.tables[0], &staff);
        let sees = table.sees().await;
        let settled = sees["last"]["number"] == round;
        assert!(
            settled || (dies == Dies::Asked && !acknowledged),
            "a settlement is lost"
        );
        if !settled {
            // Beside it there may be cases of terminals that were cut off.
            let decisions = sees["decisions"].as_array().expect("a list");
            let waits = decisions.iter().find(|d| d["question"] == "interrupted");
            let pending = waits.expect("the interruption")["pending"].clone();
            let confirm = json!({"act": "confirm_interruption", "pending": pending,
                "dice_in_place": true});
            staff
                .two("dealer", "pit-supervisor", "mbs-etg", confirm, json!({}))
                .await;
            table.settle_by(dice).await;
        }
        for (station, account) in (0..).zip(&mut accounts) {
            account.ended(round, Some(dice));
            let token = site.token("mbs-etg", station);
            let back = Terminal::connect(house.address, &token, Some(1)).await;
            assert_eq!((back.credit(), back.at_risk()), (account.credit, 0));
        }
        let house_win: i64 = accounts.iter().map(Account::house_win).sum();
        assert_eq!(table.sees().await["money"]["house_win"], house_win);
    }
    house.stop();
    let clean = proof::clean(&site.data());
    assert_eq!(clean.tables["mbs-etg"].rounds, 3);
}
