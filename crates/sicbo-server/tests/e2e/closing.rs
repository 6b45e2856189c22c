//! The two-step close, one terminal on one line, and coming back (design 5, 7; Q-13).

use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::dealing::Table;
use crate::common::house::{Program, Site, TableSpec};
use crate::common::proof;
use crate::common::terminal::{Terminal, bet};

/// A house of one table with so many terminals, each with 100.00.
async fn with_terminals(book: &'static str, n: usize) -> (Site, Program, Table, Vec<Terminal>) {
    let layout = if book == "mbs-etg" { "rapid" } else { "a" };
    let site = Site::of(vec![TableSpec::by_hand(book, &[(layout, n)])]);
    let house = site.start();
    let staff = site.staff(&house);
    let table = Table::new(&site.tables[0], &staff);
    table.open().await;
    let mut terminals = Vec::new();
    for station in 0..n {
        let token = site.token(book, station as u32);
        let mut terminal = Terminal::connect(house.address, &token, None).await;
        terminal.insert_note(1, 10_000).await;
        terminals.push(terminal);
    }
    (site, house, table, terminals)
}

#[tokio::test]
async fn p_092_players_are_shown_when_the_betting_clock_ends() {
    for book in ["rws-etg", "rws-open-cover", "mbs-etg"] {
        let (site, house, table, mut terminals) = with_terminals(book, 1).await;
        let round = table.to_betting().await;
        let player = &mut terminals[0];
        player.phase(round, "betting").await;
        let shown = player.state()["round"].clone();
        let opened = shown["opened_ms"].as_i64().expect("when bets were called");
        let window = i64::from(site.tables[0].window) * 1_000;
        assert_eq!(shown["closes_ms"], opened + window, "{book}: {shown}");
        assert!(shown["closing_ms"].is_null(), "{book}: {shown}");
        // Called by the dealer, the close is when it was called.
        table.close().await;
        player.phase(round, "closing").await;
        let shown = player.state()["round"].clone();
        let closing = shown["closing_ms"].as_i64().expect("when it was called");
        assert!(
            (opened..opened + window).contains(&closing),
            "{book}: {shown}"
        );
        house.stop();
    }
}

#[tokio::test]
async fn q_13_a_bet_before_its_shown_counts_and_one_after_it_is_refused() {
    for (book, rule) in [("rws-etg", "rws-etg 3.5"), ("mbs-etg", "mbs-etg 5.7")] {
        let (site, house, table, mut terminals) = with_terminals(book, 2).await;
        let round = table.to_betting().await;
        table.close().await;
        let [first, second] = &mut terminals[..] else {
            panic!("two terminals");
        };
        first.phase(round, "closing").await;
        // On one ordered line: before its display, the display, after it.
        first.send(bet(1, round, &[("big", 1_000)])).await;
        first.send(json!({"type": "shown", "round": round})).await;
        first.send(bet(2, round, &[("small", 1_000)])).await;
        assert_eq!(first.answer(1).await["type"], "registered");
        let late = first.answer(2).await;
        has!(late, {"type": "refused", "code": "bets_closed"});
        let cited = late["rule"].as_str().unwrap_or_default();
        assert!(cited.starts_with(rule), "{cited} is not {rule}");
        // The other has not shown it: nobody may see the dice yet.
        let early = json!({"act": if book == "rws-etg" { "uncover" } else { "confirm_flat" }});
        let said = table.staff.act("dealer", table.name, &early).await;
        said.refuses(409, "wrong_phase");
        second.shown(round).await;
        first.phase(round, "closed").await;
        table.finish([6, 5, 1]).await;
        first
            .until("the card", |t| t.cards.contains_key(&round))
            .await;
        assert_eq!(first.credit(), 11_000);
        house.stop();
        proof::clean(&site.data());
    }
}

#[tokio::test]
async fn q_13_a_terminal_that_never_says_shown_is_fenced_after_two_seconds() {
    let (site, house, table, mut terminals) = with_terminals("rws-etg", 2).await;
    let round = table.to_betting().await;
    let [quick, silent] = &mut terminals[..] else {
        panic!("two terminals");
    };
    silent.phase(round, "betting").await;
    let said = silent.bet(1, round, &[("big", 1_000)]).await;
    assert_eq!(said["type"], "registered");
    table.close().await;
    silent.phase(round, "closing").await;
    let closing = Instant::now();
    quick.shown(round).await;
    quick.phase(round, "closed").await;
    let waited = closing.elapsed();
    assert!(
        waited >= Duration::from_millis(1_800),
        "fenced after {waited:?}"
    );
    assert!(
        waited <= Duration::from_millis(10_000),
        "fenced after {waited:?}"
    );
    silent.phase(round, "closed").await;
    silent
        .until("the fence", |t| t.mine["wait_for_next_round"] == true)
        .await;
    assert_eq!(silent.mine["may_bet"], false);
    let late = silent.bet(2, round, &[("big", 1_000)]).await;
    assert_eq!(late["code"], "station_fenced", "{late}");
    assert!(late["rule"].as_str().unwrap_or_default().contains("5.2.2"));
    let sees = table.sees().await;
    assert_eq!(sees["round"]["fenced"], json!([1]));
    // What was registered in time takes part (5.2.1), and it may bet again.
    table.finish([6, 5, 1]).await;
    silent
        .until("the card", |t| t.cards.contains_key(&round))
        .await;
    assert_eq!(silent.credit(), 11_000);
    silent
        .until("to be let in", |t| t.mine["wait_for_next_round"] == false)
        .await;
    let next = table.to_betting().await;
    silent.phase(next, "betting").await;
    let said = silent.bet(1, next, &[("big", 1_000)]).await;
    assert_eq!(said["type"], "registered", "{said}");
    house.stop();
    proof::clean(&site.data());
}

#[tokio::test]
async fn two_terminals_on_one_token_the_older_is_taken_over() {
    let (site, house, table, mut terminals) = with_terminals("mbs-etg", 1).await;
    let round = table.to_betting().await;
    let mut older = terminals.remove(0);
    older.phase(round, "betting").await;
    older.bet(1, round, &[("big", 1_000)]).await;
    let mut newer = Terminal::connect(house.address, &older.token, None).await;
    assert_eq!(older.ended().await, "taken_over");
    // It comes back to its registered bets, and the station is still there.
    has!(newer.mine, {"bets": [{"section": "big", "stake": 1_000}]});
    let again = newer.bet(1, round, &[("big", 1_000)]).await;
    assert_eq!(again["type"], "registered", "answered again");
    assert_eq!((newer.credit(), newer.at_risk()), (9_000, 1_000));
    table.close().await;
    newer.shown(round).await;
    newer.phase(round, "closed").await;
    table.finish([1, 1, 2]).await;
    newer
        .until("the card", |t| t.cards.contains_key(&round))
        .await;
    assert_eq!(newer.credit(), 9_000);
    house.stop();
    proof::clean(&site.data());
}

#[tokio::test]
async fn coming_back_from_a_version_is_gapless_or_a_resync() {
    let (site, house, table, mut terminals) = with_terminals("rws-etg", 2).await;
    let mut away = terminals.remove(0);
    let stays = &mut terminals[0];
    away.until("credit", |t| t.credit() == 10_000).await;
    stays.until("credit", |t| t.credit() == 10_000).await;
    away.catch_up();
    let from = away.version;
    away.cut();
    drop(away);
    let token = site.token("rws-etg", 0);
    // One round goes by: what was missed is said frame by frame.
    let round = table.to_betting().await;
    table.close().await;
    stays.shown(round).await;
    stays.phase(round, "closed").await;
    table.finish([1, 2, 3]).await;
    stays
        .until("the end", |t| {
            t.state()["round"].is_null() && t.state()["last"]["number"] == round
        })
        .await;
    let back = Terminal::connect(house.address, &token, Some(from)).await;
    assert!(back.gapless, "nothing was let go");
    let missed: Vec<_> = stays.states.iter().filter(|(v, _)| *v > from).collect();
    let told: Vec<_> = back.states.iter().collect();
    assert_eq!(told, missed, "the same frames in the same order");
    let version = back.version;
    drop(back);
    // Many rounds go by, more than is kept: everything is said anew.
    for _ in 0..9 {
        let round = table.to_betting().await;
        table.close().await;
        stays.shown(round).await;
        stays.phase(round, "closed").await;
        table.finish([1, 2, 3]).await;
    }
    stays
        .until("the end", |t| t.state()["last"]["number"] == 10)
        .await;
    let back = Terminal::connect(house.address, &token, Some(version)).await;
    assert!(!back.gapless, "a resync is said to be one");
    assert_eq!(back.states.len(), 1, "the newest whole state");
    assert_eq!(back.states.last(), stays.states.last());
    assert_eq!(back.credit(), 10_000);
    // A version that does not exist yet is nobody's.
    drop(back);
    house.stop();
    proof::clean(&site.data());
}
