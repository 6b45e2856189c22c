//! A check inside the program fails at one table: that table stops, with its
//! journal as it was, and the rest of the house plays on.

use serde_json::json;

use crate::common::comes_there;
use crate::common::dealing::Table;
use crate::common::house::{Site, TableSpec};
use crate::common::program::SWITCHED_OFF;
use crate::common::proof;
use crate::common::terminal::Terminal;

const BROKEN: &str = "mbs-etg";
const OTHER: &str = "rws-etg";

async fn plays(check: &str, said: &str) {
    assert!(
        std::hint::black_box(sicbo_rules::HAS_SWITCHES),
        "nothing can be switched off in this program: build it as `make test` does, with \
         --features sicbo-house/mutants,sicbo-sim/mutants"
    );
    let site = Site::of(vec![
        TableSpec::by_hand(BROKEN, &[("rapid", 2)]),
        TableSpec::by_hand(OTHER, &[("a", 2)]),
    ]);
    let switch = site.path().join(SWITCHED_OFF);
    std::fs::write(&switch, format!("{BROKEN} off {check}")).expect("a switch");
    let house = site.start();
    let staff = site.staff(&house);
    let mut at = Vec::new();
    for name in [BROKEN, OTHER] {
        let table = Table::new(site.table(name), &staff);
        table.open().await;
        let token = site.token(name, 0);
        let mut player = Terminal::connect(house.address, &token, None).await;
        player.insert_note(1, 5_000).await;
        let round = table.to_betting().await;
        player.phase(round, "betting").await;
        let said = player.bet(1, round, &[("big", 1_000)]).await;
        assert_eq!(said["type"], "registered", "{said}");
        table.close().await;
        player.shown(round).await;
        player.phase(round, "closed").await;
        table.to_visible().await;
        table.key([6, 5, 1]).await;
        at.push((table, player, round));
    }
    let (other, mut winner, round) = at.pop().expect("two tables");
    let (broken, mut player, _) = at.pop().expect("one more");

    // The command that broke it is answered, and whoever is there is told.
    let confirm = json!({"act": "confirm_result"});
    let answer = staff.act("dealer", BROKEN, &confirm).await;
    assert_eq!(answer.code(), "stopped", "{}", answer.body);
    assert_eq!(player.ended().await, "table_stopped");
    let board = comes_there("the pit does not see it", async || {
        let board = staff.of("shift-manager").get("/api/pit").await;
        let tables = board["tables"].as_array().expect("tables");
        let one = tables.iter().find(|one| one["table"] == BROKEN);
        one.filter(|one| !one["stopped"].is_null()).cloned()
    })
    .await;
    let why = board["stopped"].to_string();
    assert!(why.contains(said), "{why}");
    // Nothing more is taken there.
    let answer = staff.act("dealer", BROKEN, &confirm).await;
    assert_ne!(answer.status, 200, "{}", answer.body);

    // The others play on, this round and the next.
    other.settle().await;
    winner
        .until("the card", |one| one.cards.contains_key(&round))
        .await;
    assert_eq!(winner.credit(), 6_000);
    let round = other.to_betting().await;
    winner.phase(round, "betting").await;
    let said = winner.bet(2, round, &[("small", 1_000)]).await;
    assert_eq!(said["type"], "registered", "{said}");
    other.close().await;
    winner.shown(round).await;
    winner.phase(round, "closed").await;
    other.finish([6, 5, 1]).await;
    drop((winner, broken));
    house.stop();

    // The journal ends before what failed; mended, the table goes on from there.
    let clean = proof::clean(&site.data());
    let rounds = |name: &str| {
        let mut tables = clean.tables.iter();
        let found = tables.find(|(known, _)| known.as_str() == name);
        found.expect("a table").1.rounds
    };
    assert_eq!((rounds(BROKEN), rounds(OTHER)), (0, 2));
    std::fs::remove_file(&switch).expect("mended");
    let house = site.start();
    let told = format!("{BROKEN}: a round was interrupted");
    assert!(house.said.iter().any(|line| line.contains(&told)));
    let token = site.token(BROKEN, 0);
    let player = Terminal::connect(house.address, &token, None).await;
    assert_eq!((player.credit(), player.at_risk()), (4_000, 1_000));
    drop(player);
    house.stop();
}

#[tokio::test]
async fn an_assertion_that_fails_at_one_table_stops_that_table_alone() {
    plays("stakes-posted", "a stake is left at risk").await;
}

#[tokio::test]
async fn books_that_do_not_balance_at_the_end_of_a_round_stop_that_table_alone() {
    plays("books-in-balance", "the books do not balance").await;
}
