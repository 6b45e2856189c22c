//! The trial's automatic dealer at all five tables, and terminals that follow it.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::common::account::Account;
use crate::common::house::{Program, Site, TableSpec};
use crate::common::http::Http;
use crate::common::proof;
use crate::common::terminal::Terminal;
use crate::e2e::player::{sections, some_lines};
use sicbo_testkit::random::Random;

const ROUNDS: usize = 4;

async fn follow(site: &Site, house: &Program, table: &'static str, station: u32) {
    let token = site.token(table, station);
    let mut terminal = Terminal::connect(house.address, &token, None).await;
    terminal.insert_note(1, 100_000).await;
    let layout = site.layout(table, station);
    let sections = sections(table, layout);
    let mut account = Account::new(table, layout);
    account.credit = 100_000;
    let mut random = Random(u64::from(station) + 40);
    let mut last = 0;
    let mut played = 0;
    // A busy machine may miss a window of one second; it is not charged then.
    for id in 1..=10 * ROUNDS {
        if played == ROUNDS {
            return;
        }
        let after = last;
        let new = |t: &Terminal| {
            let round = &t.state()["round"];
            round["phase"] == "betting" && round["number"].as_u64() > Some(after)
        };
        terminal.until("bets", new).await;
        let round = terminal.state()["round"].clone();
        let commitment = round["commitment"].clone();
        assert!(commitment.is_string(), "published before betting");
        last = round["number"].as_u64().expect("a number");
        let lines = some_lines(&mut random, &sections, 100);
        let said = terminal.bet(id as u64, last, &lines).await;
        if said["type"] == "refused" {
            let late = ["bets_closed", "station_fenced", "not_registered"];
            let code = said["code"].as_str().expect("a code");
            assert!(late.contains(&code), "{said}");
            continue;
        }
        account.placed(&lines);
        played += 1;
        let closing = |t: &Terminal| {
            let round = &t.state()["round"];
            round["number"] != last || round["phase"] != "betting"
        };
        terminal.until("the close", closing).await;
        terminal.send(json!({"type": "shown", "round": last})).await;
        let card = |t: &Terminal| t.cards.contains_key(&last);
        terminal.until("the card", card).await;
        let result = &terminal.cards[&last]["end"]["result"]["dice"];
        let dice: Option<[u8; 3]> = serde_json::from_value(result.clone()).expect("dice");
        account.ended(last, dice);
        assert_eq!(terminal.credit(), account.credit, "{table} round {last}");
        let seed = |t: &Terminal| {
            let mut states = t.states.iter().map(|(_, state)| &state["last"]);
            states.any(|end| end["number"] == last && end["seed"].is_string())
        };
        terminal.until("the seed", seed).await;
    }
    assert_eq!(played, ROUNDS, "{table}: windows were missed");
}

#[tokio::test]
async fn the_automatic_dealer_runs_five_tables_and_every_seed_opens_its_commitment() {
    let layouts: [(&'static str, &[(&'static str, usize)]); 5] = [
        ("rws-etg", &[("a", 1), ("c", 1)]),
        ("mbs-etg", &[("rapid", 1), ("alfastreet", 1)]),
        ("rws-open-cover", &[("b", 2)]),
        ("mbs-table", &[("a", 2)]),
        ("quang-nam-table", &[("a", 2)]),
    ];
    let tables = layouts.map(|(book, stations)| TableSpec {
        automatic: Some(1),
        ..TableSpec::by_hand(book, stations)
    });
    let site = Site::of(tables.to_vec());
    let house = site.start();
    let electronic = site.tables.iter().filter(|table| table.electronic());
    let stations = electronic.flat_map(|table| [(table.name, 0), (table.name, 1)]);
    join_all(stations.map(|(table, station)| follow(&site, &house, table, station))).await;
    let anyone = Http::anyone(house.address);
    for table in ["mbs-table", "quang-nam-table"] {
        let rounds = anyone
            .get(&format!("/api/tables/{table}/rounds?n=50"))
            .await;
        let played = rounds.as_array().map_or(0, Vec::len);
        assert!(played >= 2, "{table} plays by itself");
        let settled = |round: &Value| round["result"]["dice"] != json!(null);
        assert!(rounds.as_array().is_some_and(|all| all.iter().all(settled)));
    }
    house.stop();
    let clean = proof::clean(&site.data());
    for (name, verified) in &clean.tables {
        let proved = verified.tumbles_proved;
        assert!(
            proved + 1 >= verified.rounds && proved > 0,
            "{name}: {proved}"
        );
    }
}
