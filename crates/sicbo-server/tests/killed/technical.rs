//! Failures of the table's equipment while the program lives and after it was
//! killed, over HTTP: what stops, who is told, who decides, and to the cent
//! what becomes of the bets (R-173, R-175 to,
//! J-03).

use serde_json::{Value, json};

use crate::common::dealing::Table;
use crate::common::house::{Program, Site, TableSpec};
use crate::common::proof;
use crate::common::terminal::{Terminal, stakes};

/// A running house of one table with a player who has bet 10 units on Big.
pub(crate) struct Play {
    site: Site,
    house: Program,
    pub(crate) table: Table,
    pub(crate) terminal: Option<Terminal>,
    pub(crate) round: u64,
}

impl Play {
    /// Who is asked after an interruption says that the dice were moved.
    pub(crate) async fn finds_dice_moved(&self) {
        let interrupted = self.waits("interrupted").await;
        let who = interrupted["by"].as_str().expect("who").to_owned();
        let moved = json!({"act": "confirm_interruption",
            "pending": interrupted["pending"], "dice_in_place": false});
        self.must(&who, moved).await;
    }

    pub(crate) async fn of(book: &'static str, layout: &'static str) -> Play {
        let site = Site::of(vec![TableSpec::by_hand(book, &[(layout, 1)])]);
        Play::at(site).await
    }

    /// At a house of one table.
    pub(crate) async fn at(site: Site) -> Play {
        let book = site.tables[0].name;
        let house = site.start();
        let table = Table::new(&site.tables[0], &site.staff(&house));
        table.open().await;
        let mut terminal = None;
        if site.tables[0].electronic() {
            let token = site.token(book, 0);
            let mut at = Terminal::connect(house.address, &token, None).await;
            at.insert_note(1, 10_000).await;
            terminal = Some(at);
        }
        let mut play = Play {
            site,
            house,
            table,
            terminal,
            round: 0,
        };
        play.betting().await;
        play
    }

    pub(crate) fn unit(&self) -> i64 {
        match self.table.book {
            "quang-nam-table" => 10_000,
            _ => 100,
        }
    }

    /// A round is begun and ten units lie on Big.
    pub(crate) async fn betting(&mut self) {
        self.round = self.table.to_betting().await;
        assert_eq!(self.bet(1, "big", 10 * self.unit()).await, "registered");
    }

    /// The code of the answer to a bet.
    pub(crate) async fn bet(&mut self, id: u64, section: &str, stake: i64) -> String {
        let id = self.round * 100 + id;
        let round = self.round;
        if let Some(at) = &mut self.terminal {
            at.phase(round, "betting").await;
            let said = at.bet(id, round, &[(section, stake)]).await;
            return match said["type"].as_str() {
                Some("registered") => "registered".to_owned(),
                _ => said["code"].as_str().unwrap_or("?").to_owned(),
            };
        }
        let act = json!({"act": "place_bets", "station": 0, "round": round, "bet": id,
            "means": "cash_chips", "lines": stakes(&[(section, stake)])});
        let said = self.table.staff.act("dealer", self.table.name, &act).await;
        match said.status {
            200 => "registered".to_owned(),
            _ => said.code(),
        }
    }

    pub(crate) async fn close(&mut self) {
        self.table.close().await;
        let round = self.round;
        if let Some(at) = &mut self.terminal {
            at.phase(round, "closing").await;
            at.shown(round).await;
            at.phase(round, "closed").await;
        }
    }

    pub(crate) async fn must(&self, who: &str, act: Value) {
        self.table.staff.must(who, self.table.name, act).await;
    }

    /// The code of a refusal, and its rule.
    pub(crate) async fn refused(&self, who: &str, act: Value) -> [String; 2] {
        let said = self.table.staff.act(who, self.table.name, &act).await;
        assert_ne!(said.status, 200, "{who}: {act}");
        [said.code(), said.rule()]
    }

    /// It is refused to somebody with this code.
    pub(crate) async fn refuses(&self, who: &str, act: Value, code: &str) {
        let what = format!("{who}: {act}");
        assert_eq!(self.refused(who, act).await[0], code, "{what}");
    }

    /// Closed, and everyone can see the dice.
    pub(crate) async fn uncover(&mut self) {
        self.close().await;
        self.table.to_visible().await;
    }

    /// Closed and played to its end.
    pub(crate) async fn finish(&mut self, dice: [u8; 3]) {
        self.close().await;
        self.table.finish(dice).await;
    }

    /// The Head of Operations lets the table play on (7.1).
    pub(crate) async fn resume(&self) {
        self.must("head-of-operations", json!({"act": "resume"}))
            .await;
    }

    /// The Head of Operations approves that play goes on after a failure (7.1).
    pub(crate) async fn approve(&self) {
        self.rule("head-of-operations", "device-failure", "accept")
            .await;
    }

    /// The supervisor rules on a technical stop.
    pub(crate) async fn rule_stop(&self, ruling: &str) {
        self.rule("pit-supervisor", "technical-stop", ruling).await;
    }

    /// The decision of this kind that waits.
    pub(crate) async fn waits(&self, question: &str) -> Value {
        let sees = self.table.sees().await;
        let decisions = sees["decisions"].as_array().expect("decisions").clone();
        let found = decisions.iter().find(|d| d["question"] == question);
        found
            .unwrap_or_else(|| panic!("no {question} at {}: {decisions:?}", self.table.name))
            .clone()
    }

    pub(crate) async fn rule(&self, who: &str, question: &str, ruling: &str) {
        let pending = self.waits(question).await["pending"].clone();
        let act = json!({"act": "rule", "pending": pending, "ruling": ruling,
            "reason": "seen at the table"});
        self.must(who, act).await;
    }

    pub(crate) async fn confirm(&self, first: &str, question_in_place: bool) {
        let pending = self.waits("interrupted").await["pending"].clone();
        let act = json!({"act": "confirm_interruption", "pending": pending,
            "dice_in_place": question_in_place});
        let staff = &self.table.staff;
        staff
            .two(first, "pit-supervisor", self.table.name, act, json!({}))
            .await;
    }

    /// What the player has over what they came with, by the round's own record.
    pub(crate) async fn won(&self, round: u64) -> i64 {
        let path = format!("/api/tables/{}/rounds/{round}", self.table.name);
        let parts = self.table.staff.of("dealer").get(&path).await;
        let card = &parts[0]["card"];
        card["returned"].as_i64().expect("returned") - card["staked"].as_i64().expect("staked")
    }

    /// Killed and started again; everyone logs in anew.
    pub(crate) async fn killed(mut self) -> Play {
        self.house.kill();
        self.house = self.site.start();
        self.table.staff = self.site.staff(&self.house);
        self
    }

    /// Stopped, verified and audited.
    pub(crate) fn audited(self) {
        drop(self.terminal);
        self.house.stop();
        proof::clean(&self.site.data());
    }
}

#[tokio::test]
async fn r_177_quang_nam_dice_not_in_place_are_for_the_director_and_nothing_is_paid() {
    let mut play = Play::of("quang-nam-table", "a").await;
    play.uncover().await;
    let play = play.killed().await;
    let pending = play.waits("interrupted").await["pending"].clone();
    let confirm = |in_place: bool| json!({"act": "confirm_interruption", "pending": pending, "dice_in_place": in_place});
    // That they lie as they did takes a witness; that they may not, does not.
    play.refuses("dealer", confirm(true), "second_person_needed")
        .await;
    play.must("dealer", confirm(false)).await;
    let waits = play.waits("dice-not-in-place").await;
    has!(waits, {"by": "director", "or_above": true, "rule": "quang-nam-table 7.8"});
    let held = ["decision_pending", "quang-nam-table 7.8"];
    for act in [
        json!({"act": "confirm_flat"}),
        json!({"act": "key_dice", "dice": [6, 6, 6]}),
        json!({"act": "confirm_result"}),
    ] {
        assert_eq!(play.refused("dealer", act).await, held);
    }
    let void = json!({"act": "rule", "pending": waits["pending"], "ruling": "void",
        "reason": "the cup was lifted in the dark"});
    play.refuses("shift-manager", void.clone(), "not_authorised")
        .await;
    play.must("director", void).await;
    let last = play.table.last().await;
    assert!(last["result"].is_null());
    assert_eq!(last["why"]["rule"], "quang-nam-table 7.8");
    assert_eq!(play.won(play.round).await, 0, "every stake went back");
    assert_eq!(play.table.sees().await["status"], "suspended");
    play.resume().await;
    play.audited();
}

#[tokio::test]
async fn q_57_dice_not_in_place_are_decided_in_every_book() {
    for (book, layout, by, rule) in [
        ("rws-etg", "a", "shift-manager", "rws-etg 5.10"),
        (
            "rws-open-cover",
            "a",
            "shift-manager",
            "rws-open-cover 5.10",
        ),
        ("mbs-etg", "rapid", "shift-manager", "mbs-etg 6.1, 6.2"),
        ("mbs-table", "a", "shift-manager", "mbs-table Q-36"),
    ] {
        let mut play = Play::of(book, layout).await;
        play.uncover().await;
        let play = play.killed().await;
        play.finds_dice_moved().await;
        let waits = play.waits("dice-not-in-place").await;
        assert_eq!((&waits["by"], &waits["rule"]), (&json!(by), &json!(rule)));
        let key = json!({"act": "confirm_flat"});
        assert_eq!(play.refused("dealer", key).await[1], rule);
        play.rule(by, "dice-not-in-place", "void").await;
        assert_eq!(play.won(play.round).await, 0);
        play.audited();
    }
}

#[tokio::test]
async fn r_175_a_technical_stop_with_no_outcome_is_void_under_the_books_own_number() {
    for (book, layout, rule) in [
        ("rws-etg", "a", "rws-etg 5.1.2 (Q-07)"),
        ("rws-open-cover", "a", "rws-open-cover 5.1.2 (Q-07)"),
        ("mbs-etg", "rapid", "mbs-etg 5.8.1 (Q-07)"),
    ] {
        let mut play = Play::of(book, layout).await;
        let stop = json!({"act": "declare_technical_stop", "what": "the tumbler hangs",
            "part": "tumbler"});
        play.must("dealer", stop).await;
        let waits = play.waits("technical-stop").await;
        has!(waits, {"by": "pit-supervisor", "established": false, "rule": rule});
        assert_eq!(play.bet(2, "small", 500).await, "decision_pending");
        let close = json!({"act": "close_bets"});
        let held = ["decision_pending", rule];
        assert_eq!(play.refused("dealer", close).await, held);
        let affected = json!({"act": "rule", "pending": waits["pending"],
            "ruling": "affected", "reason": "it does not turn"});
        play.refuses("dealer", affected.clone(), "not_authorised")
            .await;
        play.must("pit-supervisor", affected).await;
        let last = play.table.last().await;
        assert!(last["result"].is_null());
        let shown = rule.split(" (").next().expect("the document's own number");
        has!(last["why"], {"rule": shown, "cause": "technical-interruption"});
        assert_eq!(play.won(play.round).await, 0);
        let round = play.round;
        let at = play.terminal.as_mut().expect("a terminal");
        at.until("the card", |t| t.cards.contains_key(&round)).await;
        assert_eq!(at.credit(), 10_000, "{book}: stakes are back");
        // Its continuation is not affected: the next round goes on, on record.
        play.betting().await;
        play.must(
            "dealer",
            json!({"act": "declare_technical_stop", "what": "a lamp"}),
        )
        .await;
        play.rule_stop("not_affected").await;
        assert_eq!(play.bet(2, "small", 500).await, "registered");
        play.finish([6, 5, 1]).await;
        assert_eq!(play.won(play.round).await, 1_000 - 500);
        // Between rounds it holds the table and voids nothing.
        play.must(
            "dealer",
            json!({"act": "declare_technical_stop", "what": "no power"}),
        )
        .await;
        let begin = json!({"act": "activate_tumbler"});
        play.refuses("dealer", begin, "decision_pending").await;
        let waits = play.waits("technical-stop").await;
        assert!(waits["round"].is_null());
        play.rule_stop("not_affected").await;
        assert_eq!(play.table.last().await["result"]["dice"], json!([1, 5, 6]));
        play.betting().await;
        play.audited();
    }
}

#[tokio::test]
async fn r_175_a_technical_stop_over_visible_dice_is_concluded_from_them() {
    for (book, layout, rule) in [
        ("rws-etg", "a", "rws-etg 5.1.1 (Q-07)"),
        ("rws-open-cover", "a", "rws-open-cover 5.1.1 (Q-07)"),
        ("mbs-etg", "rapid", "mbs-etg 5.8.2 (Q-07)"),
    ] {
        let mut play = Play::of(book, layout).await;
        play.uncover().await;
        play.must("dealer", json!({"act": "confirm_flat"})).await;
        let stop = json!({"act": "declare_technical_stop", "what": "the console froze",
            "part": "console"});
        play.must("dealer", stop).await;
        let waits = play.waits("technical-stop").await;
        has!(waits, {"established": true, "rule": rule});
        play.rule_stop("affected").await;
        assert_eq!(play.waits("interrupted").await["rule"], rule);
        play.confirm("dealer", true).await;
        play.table.settle_by([6, 5, 1]).await;
        assert_eq!(play.won(play.round).await, 1_000, "{book}");
        play.audited();
    }
}

#[tokio::test]
async fn q_36_a_technical_stop_at_mbs_table_goes_by_analogy() {
    let mut play = Play::of("mbs-table", "a").await;
    let stop = json!({"act": "declare_technical_stop", "what": "the tumbler hangs"});
    play.must("dealer", stop.clone()).await;
    play.rule_stop("affected").await;
    let waits = play.waits("interrupted").await;
    has!(waits, {"by": "shift-manager", "rule": "mbs-table Q-36"});
    let confirm = json!({"act": "confirm_interruption", "pending": waits["pending"],
        "dice_in_place": false});
    play.refuses("dealer", confirm.clone(), "not_authorised")
        .await;
    play.must("shift-manager", confirm).await;
    let last = play.table.last().await;
    // The public is shown the document's numbers only, and the document is silent.
    assert!(last["why"]["rule"].is_null());
    assert_eq!(play.won(play.round).await, 0);
    play.betting().await;
    play.uncover().await;
    play.must("dealer", stop).await;
    play.rule_stop("affected").await;
    play.confirm("shift-manager", true).await;
    play.table.settle_by([6, 5, 1]).await;
    assert_eq!(play.won(play.round).await, 1_000);
    play.audited();
}

#[tokio::test]
async fn r_176_quang_nam_stops_in_mid_betting_and_the_pit_manager_is_told() {
    let mut play = Play::of("quang-nam-table", "a").await;
    let unit = play.unit();
    let stop = json!({"act": "declare_technical_stop", "what": "the sensor is dead",
        "part": "tumbler"});
    play.must("dealer", stop).await;
    let sees = play.table.sees().await;
    assert_eq!(sees["status"], "suspended");
    let notice = sees["notices"][0].clone();
    has!(notice, {"inform": "pit-manager", "rule": "quang-nam-table 7.1",
        "what": "the sensor is dead"});
    assert!(notice["read_ms"].is_null());
    let alerts = "/api/tables/quang-nam-table/alerts";
    let told = play.table.staff.of("shift-manager").get(alerts).await;
    let told = told["alerts"].as_array().expect("alerts").clone();
    assert!(
        told.iter().any(|alert| alert["code"] == "device-failed"),
        "{told:?}"
    );
    // No bet and no step until it is approved, by nobody but whom 7.1 names.
    assert_eq!(play.bet(2, "small", unit).await, "decision_pending");
    let held = ["decision_pending", "quang-nam-table 7.1"];
    assert_eq!(
        play.refused("dealer", json!({"act": "close_bets"})).await,
        held
    );
    let acknowledge = json!({"act": "acknowledge_notice", "notice": notice["notice"]});
    play.refuses("pit-supervisor", acknowledge.clone(), "not_authorised")
        .await;
    play.must("pit-manager", acknowledge).await;
    let notice = play.table.sees().await["notices"][0].clone();
    assert_eq!(notice["read_name"], "Nurul Aisyah");
    assert!(notice["read_ms"].as_i64() >= notice["at_ms"].as_i64());
    play.refuses("director", json!({"act": "resume"}), "not_authorised")
        .await;
    play.approve().await;
    // From where it stood.
    assert_eq!(play.table.sees().await["status"], "open");
    assert_eq!(play.bet(3, "small", unit).await, "registered");
    play.finish([6, 5, 1]).await;
    assert_eq!(play.won(play.round).await, 9 * unit);
    // A listed void can be declared while the game is stopped.
    play.betting().await;
    let stop = json!({"act": "report_device_failure", "what": "the sensor again"});
    play.must("dealer", stop).await;
    play.table.void("dice-exposed-early").await;
    has!(play.table.last().await["why"], {"rule": "quang-nam-table 7.3"});
    assert_eq!(play.won(play.round).await, 0);
    assert_eq!(play.table.sees().await["status"], "suspended");
    play.resume().await;
    play.audited();
}

#[tokio::test]
async fn q_35_quang_nam_pays_open_dice_under_dark_areas_then_stops() {
    let mut play = Play::of("quang-nam-table", "a").await;
    let unit = play.unit();
    play.uncover().await;
    let dead = json!({"act": "declare_technical_stop", "what": "the keys are dead",
        "part": "keys"});
    play.must("dealer", dead).await;
    play.table.settle_by([6, 5, 1]).await;
    assert_eq!(play.won(play.round).await, 10 * unit);
    assert_eq!(play.table.sees().await["status"], "suspended");
    has!(play.waits("device-failure").await, {"by": "head-of-operations"});
    play.resume().await;
    play.betting().await;
    play.audited();
}

#[tokio::test]
async fn j_03_quang_nam_two_failed_tumbles_in_ten_rounds_suspend_the_table() {
    let mut play = Play::of("quang-nam-table", "a").await;
    play.finish([6, 5, 1]).await;
    let failed = [
        json!({"act": "activate_tumbler"}),
        json!({"act": "report_tumbles", "count": 2, "all_dice_moved": true}),
    ];
    play.table.deal_all(failed.clone()).await;
    play.table.void("too-few-tumbles").await;
    assert_eq!(play.table.sees().await["status"], "open");
    play.betting().await;
    play.finish([1, 2, 3]).await;
    play.table.deal_all(failed).await;
    let sees = play.table.sees().await;
    assert_eq!(sees["status"], "suspended");
    assert_eq!(sees["notices"][0]["inform"], "pit-manager");
    play.table.void("too-few-tumbles").await;
    has!(play.table.last().await["why"], {"rule": "quang-nam-table 7.2"});
    let begin = json!({"act": "activate_tumbler"});
    play.refuses("dealer", begin, "table_suspended").await;
    play.resume().await;
    play.betting().await;
    play.audited();
}

#[tokio::test]
async fn r_200_matters_are_held_and_ruled_between_rounds() {
    for (book, layout, by, rule) in [
        ("rws-etg", "a", "shift-manager", "rws-etg 5.10"),
        (
            "rws-open-cover",
            "a",
            "shift-manager",
            "rws-open-cover 5.10",
        ),
        ("mbs-etg", "rapid", "shift-manager", "mbs-etg 6.1, 6.2"),
        ("mbs-table", "a", "shift-manager", "mbs-table Q-36"),
        ("quang-nam-table", "a", "director", "quang-nam-table 7.8"),
    ] {
        let mut play = Play::of(book, layout).await;
        play.finish([6, 5, 1]).await;
        for (about, question) in [
            ("uncovered", "uncovered"),
            ("interpretation", "interpretation"),
        ] {
            let hold = json!({"act": "hold", "what": "a coin in the cup", "about": about});
            play.must("dealer", hold).await;
            let waits = play.waits(question).await;
            assert_eq!((&waits["by"], &waits["rule"]), (&json!(by), &json!(rule)));
            let begin = json!({"act": "activate_tumbler"});
            play.refuses("dealer", begin, "decision_pending").await;
            let goes_on = json!({"act": "rule", "pending": waits["pending"],
                "ruling": "conclude", "reason": "taken out"});
            play.refuses("pit-manager", goes_on.clone(), "not_authorised")
                .await;
            play.must(by, goes_on).await;
        }
        assert_eq!(play.won(play.round).await, 10 * play.unit());
        play.betting().await;
        play.audited();
    }
}
