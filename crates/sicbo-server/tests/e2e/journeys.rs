//! Journeys with their own figures, over the wire.

use serde_json::json;

use crate::common::dealing::Table;
use crate::common::house::{Site, TableSpec};
use crate::common::http::Http;
use crate::common::proof;
use crate::common::terminal::Terminal;

#[tokio::test]
async fn j_01_a_new_player_buys_in_plays_a_round_and_cashes_out_137_50() {
    let site = Site::of(vec![TableSpec::by_hand("mbs-etg", &[("rapid", 1)])]);
    let house = site.start();
    let staff = site.staff(&house);
    let table = Table::new(&site.tables[0], &staff);
    table.open().await;
    let token = site.token("mbs-etg", 0);
    let mut player = Terminal::connect(house.address, &token, None).await;
    assert_eq!(player.welcome["info"]["tumble"], "before_bets");
    assert_eq!(player.welcome["station"]["layout"], "rapid");
    player.insert_note(1, 10_000).await;
    player.until("credit", |t| t.credit() == 10_000).await;

    let round = table.to_betting().await;
    player.phase(round, "betting").await;
    for (id, line) in (1..).zip([("big", 1_000), ("total:11", 500), ("four:6543", 500)]) {
        let said = player.bet(id, round, &[line]).await;
        assert_eq!(said["type"], "registered", "{said}");
    }
    assert_eq!((player.credit(), player.at_risk()), (8_000, 2_000));
    table.close().await;
    player.shown(round).await;
    player.phase(round, "closed").await;
    table.finish([4, 3, 4]).await;
    player
        .until("the card", |t| t.cards.contains_key(&round))
        .await;
    let card = player.cards[&round].clone();
    has!(card["end"]["result"], {"dice": [3, 4, 4], "total": 11, "side": "big", "odd": true});
    has!(card, {"staked": 2_000, "returned": 5_750});
    let returned = |section: &str| {
        let lines = card["lines"].as_array().expect("lines");
        let line = lines.iter().find(|line| line["section"] == section);
        line.expect("the bet's line")["returned"].as_i64()
    };
    assert_eq!(returned("big"), Some(2_000));
    assert_eq!(returned("total:11"), Some(3_750));
    assert_eq!(returned("four:6543"), Some(0));
    assert_eq!(player.credit(), 13_750);

    player
        .send(json!({"type": "cash_out", "request": 2, "amount": 13_750}))
        .await;
    let voucher = player.reply(2).await;
    has!(voucher, {"type": "voucher", "amount": 13_750});
    player.until("no credit", |t| t.credit() == 0).await;
    let ticket = voucher["ticket"].as_str().expect("a simulated printer");
    let said = Http::terminal(house.address, &token)
        .ask("GET", ticket, None)
        .await
        .expect("the house is up")
        .is(200);
    assert!(said.body.contains("137.50"), "the ticket says how much");

    // The receipt verifies: its code is what anyone replays from the journal.
    let code = card["code"]
        .as_str()
        .expect("a verification code")
        .to_owned();
    house.stop();
    assert_eq!(proof::replayed_code(&site.data(), "mbs-etg", round), code);
    let clean = proof::clean(&site.data());
    assert_eq!(clean.vouchers.outstanding.len(), 1);
    assert_eq!(clean.vouchers.outstanding[0].1.minor(), 13_750);
    assert!(clean.vouchers.in_transit.is_empty());
}
