//! Answers that were lost: what a terminal sends again after its round, or
//! after the program was killed, is answered with what happened and done once.

use serde_json::{Value, json};
use sicbo_proof::describe;
use sicbo_proof::export;
use sicbo_proof::source::Journals;

use crate::common::dealing::Table;
use crate::common::house::{Site, TableSpec};
use crate::common::proof;
use crate::common::terminal::Terminal;

/// The number of the record that holds a bet.
fn record_of(site: &Site, table: &str, bet: u64) -> u64 {
    let journals = Journals::folder(&site.data()).expect("a data folder");
    let (stream, store) = journals.one(Some(table)).expect("a journal");
    let mut found = Vec::new();
    let mut put = |record: Vec<(&'static str, describe::Value)>| {
        let field = |name: &str| record.iter().find(|(known, _)| *known == name);
        let text = |name: &str| field(name).map(|(_, value)| value.to_string());
        if text("event").as_deref() == Some("bets-placed")
            && let Some((_, describe::Value::Fields(fields))) = field("fields")
            && fields
                .iter()
                .any(|(name, value)| *name == "bet" && value.to_string() == bet.to_string())
        {
            found.push(text("sequence").expect("a sequence"));
        }
        true
    };
    export::table(&store, &stream, 1..=u64::MAX, &mut put).expect("whole");
    assert_eq!(found.len(), 1, "bet {bet} is there once");
    found[0].parse().expect("a number")
}

fn part(void: bool, staked: i64, returned: i64) -> Value {
    json!({"void": void, "staked": staked, "returned": returned})
}

#[tokio::test]
async fn j_06_a_bet_of_an_ended_round_is_answered_with_what_happened() {
    let site = Site::of(vec![TableSpec::by_hand("rws-etg", &[("c", 2)])]);
    let house = site.start();
    let staff = site.staff(&house);
    let table = Table::new(&site.tables[0], &staff);
    table.open().await;
    let token = site.token("rws-etg", 0);
    let mut at = Terminal::connect(house.address, &token, None).await;
    at.insert_note(1, 10_000).await;

    // Settled: 10.00 on Big wins.
    let first = table.to_betting().await;
    at.phase(first, "betting").await;
    at.bet(11, first, &[("big", 1_000)]).await;
    table.close().await;
    at.shown(first).await;
    at.phase(first, "closed").await;
    table.finish([6, 5, 1]).await;
    // Open when the program is killed, and void by the book.
    let second = table.to_betting().await;
    at.phase(second, "betting").await;
    at.bet(12, second, &[("small", 2_000)]).await;
    assert_eq!(at.credit(), 9_000);
    house.kill();

    // Twice: the second time all of it comes from the journal again.
    let mut records = None;
    for start in 0..2 {
        let house = site.start();
        let staff = site.staff(&house);
        let table = Table::new(&site.tables[0], &staff);
        if start == 0 {
            let sees = table.sees().await;
            let pending = sees["decisions"][0]["pending"].as_u64().expect("a number");
            let confirm = json!({"act": "confirm_interruption", "pending": pending,
                "dice_in_place": false});
            table.deal(confirm).await;
        }
        let mut at = Terminal::connect(house.address, &token, None).await;
        let said = at.bet(11, first, &[("big", 1_000)]).await;
        assert_eq!(said["type"], "registered", "{said}");
        has!(said["past"], {"round": first, "part": part(false, 1_000, 2_000)});
        let again = at.bet(12, second, &[("small", 2_000)]).await;
        assert_eq!(again["type"], "registered", "{again}");
        assert_eq!(again["past"]["part"], part(true, 2_000, 2_000));
        let told = [&said, &again].map(|said| said["past"]["record"].as_u64());
        assert!(records.is_none_or(|before| before == told), "{told:?}");
        records = Some(told);

        // Never sent, of another station, and with something else in it.
        let never = at.bet(13, second, &[("small", 2_000)]).await;
        assert_eq!(never["code"], "not_registered", "{never}");
        let mut other = Terminal::connect(house.address, &site.token("rws-etg", 1), None).await;
        let others = other.bet(12, second, &[("small", 2_000)]).await;
        assert_eq!(others["code"], "not_registered", "{others}");
        let mut reused = Terminal::connect(house.address, &token, None).await;
        let changed = reused.bet(12, second, &[("small", 3_000)]).await;
        assert_eq!(changed["code"], "bet_id_reused", "{changed}");
        assert_eq!((reused.credit(), reused.at_risk()), (11_000, 0));
        house.kill();
    }
    let told = records.expect("two records");
    let there = [11, 12].map(|bet| Some(record_of(&site, "rws-etg", bet)));
    assert_eq!(told, there, "as the journal has them");
    proof::clean(&site.data());
}

#[tokio::test]
async fn j_06_a_note_is_credited_once_however_often_it_is_reported() {
    let site = Site::of(vec![TableSpec::by_hand("rws-etg", &[("c", 2)])]);
    let house = site.start();
    let staff = site.staff(&house);
    Table::new(&site.tables[0], &staff).open().await;
    let token = site.token("rws-etg", 0);
    let mut at = Terminal::connect(house.address, &token, None).await;
    at.insert_note(7, 10_000).await;
    // Reported, and killed before the answer was read.
    let note = json!({"type": "insert_note", "request": 8, "amount": 5_000});
    at.send(note).await;
    house.kill();

    for _ in 0..2 {
        let house = site.start();
        let mut at = Terminal::connect(house.address, &token, None).await;
        at.insert_note(7, 10_000).await;
        at.insert_note(8, 5_000).await;
        at.until("the credit", |t| t.credit() == 15_000).await;
        let other = json!({"type": "insert_note", "request": 8, "amount": 10_000});
        at.replies.clear();
        at.send(other).await;
        let said = at.reply(8).await;
        assert_eq!(said["code"], "request_reused", "{said}");
        // The number is the station's own: another may use the same.
        let mut second = Terminal::connect(house.address, &site.token("rws-etg", 1), None).await;
        second.insert_note(7, 5_000).await;
        assert_eq!(second.credit(), 5_000);
        let at = Terminal::connect(house.address, &token, None).await;
        assert_eq!(at.credit(), 15_000);
        house.kill();
    }
    proof::clean(&site.data());
}
