//! Positions that a house names above the director, over HTTP on the
//! real house: they decide what a document gives to somebody "or above" or "or
//! higher", and nothing that it gives to somebody else.

use serde_json::json;

use crate::common::house::{ABOVE_DIRECTOR, Site, TableSpec, VICE_PRESIDENT};
use crate::common::http::Http;
use crate::common::people::enter;
use crate::common::proof;
use crate::killed::technical::Play;

const VP: &str = VICE_PRESIDENT.1;

/// Each book with a layout, and the rule that says who decides what none covers.
const BOOKS: [(&str, &str, &str); 5] = [
    ("rws-etg", "a", "rws-etg 5.10"),
    ("rws-open-cover", "a", "rws-open-cover 5.10"),
    ("mbs-etg", "rapid", "mbs-etg 6.1, 6.2"),
    ("mbs-table", "a", "mbs-table Q-36"),
    ("quang-nam-table", "a", "quang-nam-table 7.8"),
];

fn site(book: &'static str, layout: &'static str) -> Site {
    Site::of(vec![TableSpec::by_hand(book, &[(layout, 1)])]).with_above_director()
}

#[tokio::test]
async fn r_200_r_201_r_202_a_position_above_the_director_rules_where_the_book_says_or_above() {
    for (book, layout, rule) in BOOKS {
        let mut play = Play::at(site(book, layout)).await;
        play.finish([6, 5, 1]).await;
        assert_eq!(play.won(play.round).await, 10 * play.unit(), "{book}");

        // Between rounds, what no rule covers and what a rule means.
        for matter in ["uncovered", "interpretation"] {
            let hold = json!({"act": "hold", "what": "a coin in the cup", "about": matter});
            play.must("dealer", hold).await;
            assert_eq!(play.waits(matter).await["rule"], rule);
            let begin = json!({"act": "activate_tumbler"});
            play.refuses("dealer", begin, "decision_pending").await;
            play.rule(VP, matter, "conclude").await;
        }

        // In mid-round it goes on by their word, and the stake is lost.
        play.betting().await;
        let hold = json!({"act": "hold", "what": "a cheque on the layout", "about": "uncovered"});
        play.must("dealer", hold.clone()).await;
        let pending = play.waits("uncovered").await["pending"].clone();
        let goes_on = json!({"act": "rule", "pending": pending, "ruling": "conclude",
            "reason": "taken away"});
        let below = match book {
            "quang-nam-table" => "shift-manager",
            _ => "pit-manager",
        };
        for who in [below, "head-of-operations"] {
            let refused = play.refused(who, goes_on.clone()).await;
            assert_eq!(refused, ["not_authorised", rule]);
        }
        play.must(VP, goes_on).await;
        play.finish([1, 2, 3]).await;
        assert_eq!(play.won(play.round).await, -10 * play.unit(), "{book}");

        // Or it is void by their word, and the stake goes back, also when the
        // house was killed while it waited: the journal knows the position.
        play.betting().await;
        play.must("dealer", hold).await;
        if book != "quang-nam-table" {
            play = play.killed().await;
        }
        play.rule(VP, "uncovered", "void").await;
        let last = play.table.last().await;
        // The public is told rules of documents; mbs-table has none for this.
        let cited = (book != "mbs-table").then_some(rule);
        assert_eq!(last["why"]["rule"], json!(cited), "{book}: {last}");
        assert_eq!(play.won(play.round).await, 0, "{book}");
        play.audited();
    }
}

#[tokio::test]
async fn r_200_a_position_above_the_director_does_nothing_that_a_rule_gives_to_somebody_else() {
    for (book, layout, deals) in [
        ("rws-etg", "a", Some("rws-etg 1.2")),
        ("rws-open-cover", "a", Some("rws-open-cover 1.2")),
        // Whoever stands higher may act as the dealer (002 6.2).
        ("mbs-etg", "rapid", None),
        ("mbs-table", "a", Some("mbs-table 3.1")),
        ("quang-nam-table", "a", Some("quang-nam-table 1.1")),
    ] {
        let mut play = Play::at(site(book, layout)).await;
        let close = json!({"act": "close_bets"});
        match deals {
            Some(rule) => {
                let refused = play.refused(VP, close).await;
                assert_eq!(refused, ["not_authorised", rule]);
            }
            None => play.must(VP, close).await,
        }
        if book == "quang-nam-table" {
            // 004 7.1: the Head of Operations approves that play resumes.
            let failed = json!({"act": "declare_technical_stop", "part": "tumbler",
                "what": "the sensor is dead"});
            play.must("dealer", failed).await;
            let pending = play.waits("device-failure").await["pending"].clone();
            let resume = json!({"act": "resume"});
            let accept = json!({"act": "rule", "pending": pending, "ruling": "accept",
                "reason": "it turns again"});
            for act in [resume, accept] {
                play.refuses(VP, act, "not_authorised").await;
            }
            play.approve().await;
        }
        if deals.is_some() {
            play.finish([6, 5, 1]).await;
            assert_eq!(play.won(play.round).await, 10 * play.unit());
        }
        play.audited();
    }
}

#[tokio::test]
async fn r_200_a_named_position_is_given_over_the_api_and_has_no_right_over_people() {
    let site = site("rws-etg", "a");
    let house = site.start();
    let shown = Http::anyone(house.address).get("/api/house").await;
    let named = json!([
        {"position": "above-director-1", "name": ABOVE_DIRECTOR[0]},
        {"position": "above-director-2", "name": ABOVE_DIRECTOR[1]},
    ]);
    assert_eq!(shown["positions"], named);
    let staff = site.staff(&house);
    let new =
        |name: &str, at: u8| json!({"name": name, "position": format!("above-director-{at}")});

    let (director, vice) = (staff.of("director"), staff.of(VP));
    let added = director.post("/api/people", &new("Cecilia Yap", 2)).await;
    assert_eq!(added.status, 201, "{added:?}");
    let said = director.post("/api/people", &new("Dominic Raj", 3)).await;
    said.coded("position_not_named");
    // They read who works here; rights over people stay with the director.
    let listed = vice.get("/api/people").await;
    let listed = listed.as_array().expect("people");
    let last = listed.last().expect("somebody");
    assert_eq!(last["position"], "above-director-2");
    for (path, body) in [
        ("/api/people", new("Dominic Raj", 1)),
        (
            "/api/people/1",
            json!({"change": "disable", "reason": "as said"}),
        ),
    ] {
        vice.post(path, &body).await.coded("not_authorised");
    }
    let pin = added.json()["pin"].as_str().expect("a PIN").to_owned();
    let officer = enter(house.address, "Cecilia Yap", &pin).await;
    let me = officer.get("/api/session").await;
    assert_eq!(me["position"], "above-director-2");
    house.stop();

    // A plan that takes a name away from somebody does not start the house; one
    // that only spells it anew does, and the journal says since when.
    let (first, second) = (ABOVE_DIRECTOR[0], ABOVE_DIRECTOR[1]);
    site.change_plan(|text| text.replace(&format!(", {second:?}"), ""));
    let mut child = site.spawn();
    let status = child.wait().expect("it ends");
    assert!(
        !status.success(),
        "somebody holds what has no name: {status}"
    );
    site.change_plan(|text| {
        text.replacen(&format!("[{first:?}]"), &format!("[{first:?}, \"COO\"]"), 1)
    });
    let house = site.start();
    let shown = Http::anyone(house.address).get("/api/house").await;
    assert_eq!(shown["positions"][1]["name"], "COO");
    house.stop();
    proof::clean(&site.data());
}
