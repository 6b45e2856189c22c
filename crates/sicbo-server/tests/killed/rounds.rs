//! Killed during betting, during the close, and after the dice are known: at
//! every table the book's own rule waits on the console (J-05, R-170 to
//! ), and no bet is lost or charged twice (J-06).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::common::account::Account;
use crate::common::dealing::Table;
use crate::common::house::{Program, Site, TableSpec};
use crate::common::people::Staff;
use crate::common::proof;
use crate::common::terminal::{Terminal, bet, stakes};

/// Sections for bets that are under way: one bet each, so that what is there
/// afterwards tells which were registered.
const UNDER_WAY: [&str; 12] = [
    "single:1", "single:2", "single:3", "single:4", "single:5", "single:6", "total:4", "total:5",
    "total:6", "total:7", "double:1", "double:2",
];

/// When the program dies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Dies {
    Betting,
    Closing,
    DiceKeyed,
}

/// What the book makes of it: the rule, who confirms, and how many persons.
fn expected(book: &str, dies: Dies) -> (&'static str, &'static str, u64) {
    let known = dies == Dies::DiceKeyed;
    match (book, known) {
        ("rws-etg", false) => ("rws-etg 5.1.2 (Q-07)", "dealer", 1),
        ("rws-etg", true) => ("rws-etg 5.1.1 (Q-07)", "dealer", 2),
        ("rws-open-cover", false) => ("rws-open-cover 5.1.2 (Q-07)", "dealer", 1),
        ("rws-open-cover", true) => ("rws-open-cover 5.1.1 (Q-07)", "dealer", 2),
        ("mbs-etg", false) => ("mbs-etg 5.8.1 (Q-07)", "dealer", 1),
        ("mbs-etg", true) => ("mbs-etg 5.8.2 (Q-07)", "dealer", 2),
        ("mbs-table", false) => ("mbs-table Q-36", "shift-manager", 1),
        ("mbs-table", true) => ("mbs-table Q-36", "shift-manager", 2),
        (_, false) => ("quang-nam-table 7.1 (Q-35)", "dealer", 2),
        (_, true) => ("quang-nam-table 7.1, 7.7 (Q-35)", "dealer", 2),
    }
}

/// One table with its players, before and after the kill.
pub(crate) struct Played {
    pub(crate) table: Table,
    pub(crate) round: u64,
    pub(crate) terminal: Option<Terminal>,
    pub(crate) account: Account,
    /// Bets sent last: answered or not, nobody waited.
    pub(crate) sent: BTreeMap<u64, (&'static str, i64)>,
}

pub(crate) fn unit(book: &str) -> i64 {
    if book == "quang-nam-table" {
        10_000
    } else {
        100
    }
}

async fn seat_bets(table: &Table, round: u64, id: u64, lines: &[(&str, i64)]) -> (u16, String) {
    let act = json!({"act": "place_bets", "station": 0, "round": round, "bet": id,
        "means": "cash_chips", "lines": stakes(lines)});
    let said = table.staff.act("dealer", table.name, &act).await;
    (said.status, said.code())
}

impl Played {
    /// Plays up to the moment of the kill.
    async fn begin(site: &Site, house: &Program, spec: &TableSpec, staff: &Staff) -> Played {
        let table = Table::new(spec, staff);
        table.open().await;
        let mut account = Account::new(spec.book, spec.stations[0].0);
        let mut terminal = None;
        if spec.electronic() {
            let token = site.token(spec.name, 0);
            let mut at = Terminal::connect(house.address, &token, None).await;
            at.insert_note(1, 10_000).await;
            account.credit = 10_000;
            terminal = Some(at);
        }
        let round = table.to_betting().await;
        let lines = [
            ("big", 10 * unit(spec.book)),
            ("total:12", 5 * unit(spec.book)),
        ];
        match &mut terminal {
            Some(at) => {
                at.phase(round, "betting").await;
                let said = at.bet(1, round, &lines).await;
                assert_eq!(said["type"], "registered", "{said}");
            }
            None => assert_eq!(seat_bets(&table, round, 1, &lines).await.0, 200),
        }
        account.placed(&lines);
        Played {
            table,
            round,
            terminal,
            account,
            sent: BTreeMap::new(),
        }
    }

    async fn go_on(&mut self, dies: Dies) {
        if let (Dies::Betting, Some(at)) = (dies, &mut self.terminal) {
            for (id, section) in (100..).zip(UNDER_WAY) {
                self.sent.insert(id, (section, 100));
                at.send(bet(id, self.round, &[(section, 100)])).await;
            }
            return;
        }
        if dies == Dies::Betting {
            return;
        }
        self.table.close().await;
        if let Some(at) = &mut self.terminal {
            at.phase(self.round, "closing").await;
            if dies == Dies::Closing {
                // It has not shown it: what it sends still counts, if it arrives.
                self.sent.insert(100, ("single:1", 100));
                at.send(bet(100, self.round, &[("single:1", 100)])).await;
                return;
            }
            at.shown(self.round).await;
            at.phase(self.round, "closed").await;
        }
        if dies == Dies::DiceKeyed {
            self.table.to_visible().await;
            self.table.key([1, 1, 1]).await;
        }
    }

    /// Comes back: registered bets are there, and what is sent again is
    /// answered and never charged twice.
    async fn come_back(&mut self, house: &Program, staff: &Staff) {
        self.table.staff = staff.clone();
        let Some(before) = &mut self.terminal else {
            let lines = [
                ("big", 10 * unit(self.table.book)),
                ("total:12", 5 * unit(self.table.book)),
            ];
            let again = seat_bets(&self.table, self.round, 1, &lines).await;
            assert_eq!(again.0, 200, "the same again is answered: {again:?}");
            let stations = self.table.sees().await["stations"].clone();
            assert_eq!(stations[0]["at_risk"], 15 * unit(self.table.book));
            return;
        };
        before.catch_up();
        let answers = before.answers.clone();
        let mut back = Terminal::connect(house.address, &before.token, Some(before.version)).await;
        let there: BTreeMap<String, i64> = bets_of(&back.mine);
        for (id, (section, stake)) in &self.sent {
            let acked = answers.get(id).is_some_and(|a| a["type"] == "registered");
            let on = there.get(*section).copied().unwrap_or(0);
            assert!(on == 0 || on == *stake, "{section}: {on}");
            assert!(
                on == *stake || !acked,
                "an acknowledged bet is lost: {section}"
            );
            if on > 0 {
                self.account.placed(&[(section, *stake)]);
            }
        }
        assert_eq!(there, self.account.bets, "{}", self.table.name);
        assert_eq!(back.credit(), self.account.credit);
        assert_eq!(back.at_risk(), self.account.at_risk());
        for (id, (section, stake)) in &self.sent {
            let said = back.bet(*id, self.round, &[(section, *stake)]).await;
            let (kind, code) = (said["type"].as_str(), said["code"].as_str());
            match there.contains_key(*section) {
                true => assert_eq!(kind, Some("registered"), "{said}"),
                false => assert_eq!(code, Some("decision_pending"), "{said}"),
            }
        }
        assert_eq!(
            back.credit(),
            self.account.credit,
            "nothing was charged again"
        );
        let notices = back.state()["notices"].to_string();
        assert!(notices.contains("held"), "players are told: {notices}");
        self.terminal = Some(back);
    }

    /// The decision waits on the console with its rule and authority.
    async fn decision(&self, dies: Dies) -> u64 {
        let (rule, by, persons) = expected(self.table.book, dies);
        let sees = self.table.sees().await;
        let decisions = sees["decisions"].as_array().expect("decisions");
        let waits = decisions.iter().find(|d| d["question"] == "interrupted");
        let waits = waits.unwrap_or_else(|| panic!("{}: {decisions:?}", self.table.name));
        let shown = (&waits["rule"], &waits["by"], &waits["persons"]);
        assert_eq!(shown, (&json!(rule), &json!(by), &json!(persons)));
        has!(waits, {"round": self.round, "established": dies == Dies::DiceKeyed});
        // Nothing goes on before it is taken.
        let key = json!({"act": "key_dice", "dice": [6, 5, 1]});
        let said = self.table.staff.act("dealer", self.table.name, &key).await;
        said.coded("decision_pending");
        waits["pending"].as_u64().expect("its number")
    }

    async fn check_end(&mut self, dice: Option<[u8; 3]>, rule: &str) {
        self.account.ended(self.round, dice);
        let last = self.table.last().await;
        assert_eq!(last["number"], self.round);
        match dice {
            None => {
                assert!(last["result"].is_null());
                // Everyone is shown the document's own number.
                let shown = sicbo_rules::citation::public(rule);
                assert_eq!(last["why"]["rule"], json!(shown));
            }
            Some(mut dice) => {
                dice.sort_unstable();
                assert_eq!(last["result"]["dice"], json!(dice));
            }
        }
        if let Some(at) = &mut self.terminal {
            let round = self.round;
            at.until("the card", |t| t.cards.contains_key(&round)).await;
            assert_eq!(at.credit(), self.account.credit, "{}", self.table.name);
        } else {
            let path = format!("/api/tables/{}/rounds/{}", self.table.name, self.round);
            let parts = self.table.staff.of("dealer").get(&path).await;
            let won = parts[0]["card"]["returned"].as_i64().expect("returned")
                - parts[0]["card"]["staked"].as_i64().expect("staked");
            assert_eq!(won, self.account.credit, "{}", self.table.name);
        }
    }

    /// The decision is taken by whom the book names, and the round ends as it says.
    pub(crate) async fn resolve(&mut self, dies: Dies) {
        let (rule, by, persons) = expected(self.table.book, dies);
        let pending = self.decision(dies).await;
        let known = dies == Dies::DiceKeyed;
        let finishes = self.table.book == "quang-nam-table";
        let confirm = json!({"act": "confirm_interruption", "pending": pending,
            "dice_in_place": known || finishes});
        let staff = self.table.staff.clone();
        if by != "dealer" {
            let said = staff.act("dealer", self.table.name, &confirm).await;
            said.refuses(403, "not_authorised");
        }
        if persons == 2 {
            let said = staff.act(by, self.table.name, &confirm).await;
            said.coded("second_person_needed");
            let none = json!({});
            staff
                .two(by, "pit-supervisor", self.table.name, confirm, none)
                .await;
        } else {
            staff.must(by, self.table.name, confirm).await;
        }
        if !known && !finishes {
            return self.check_end(None, rule).await;
        }
        if !known {
            // Stopped where it stands until it is approved.
            self.resumed().await;
        }
        if dies == Dies::Betting {
            self.table.close().await;
        }
        if !known {
            self.table.to_visible().await;
        }
        // What was keyed before the lights went out is read again from the dice.
        let early = json!({"act": "confirm_result"});
        let said = staff.act("dealer", self.table.name, &early).await;
        said.coded("flat_first");
        self.table.settle_by([6, 5, 1]).await;
        self.check_end(Some([6, 5, 1]), rule).await;
        if finishes && known {
            self.resumed().await;
        }
    }

    /// 004 7.1: play stops until the head of operations approves.
    async fn resumed(&self) {
        let sees = self.table.sees().await;
        assert_eq!(sees["status"], "suspended");
        let staff = &self.table.staff;
        let resume = json!({"act": "resume"});
        let said = staff.act("director", self.table.name, &resume).await;
        assert_eq!(
            (said.status, said.rule().as_str()),
            (403, "quang-nam-table 7.1")
        );
        staff
            .must("head-of-operations", self.table.name, resume)
            .await;
    }
}

fn bets_of(mine: &Value) -> BTreeMap<String, i64> {
    let bets = mine["bets"].as_array().expect("bets").iter();
    bets.map(|b| {
        let section = b["section"].as_str().expect("a section").to_owned();
        (section, b["stake"].as_i64().expect("a stake"))
    })
    .collect()
}

async fn dies_and_comes_back(dies: Dies) {
    let site = Site::of(vec![
        TableSpec::by_hand("rws-etg", &[("c", 1)]),
        TableSpec::by_hand("mbs-etg", &[("rapid", 1)]),
        TableSpec::by_hand("rws-open-cover", &[("b", 1)]),
        TableSpec::by_hand("mbs-table", &[("a", 1)]),
        TableSpec::by_hand("quang-nam-table", &[("a", 1)]),
    ]);
    let house = site.start();
    let staff = site.staff(&house);
    let mut all = Vec::new();
    for spec in &site.tables {
        all.push(Played::begin(&site, &house, spec, &staff).await);
    }
    for played in &mut all {
        played.go_on(dies).await;
    }
    house.kill();

    let house = site.start();
    for played in &all {
        let told = format!("{}: a round was interrupted", played.table.name);
        assert!(house.said.iter().any(|line| line.contains(&told)), "{told}");
    }
    let staff = site.staff(&house);
    for played in &mut all {
        played.come_back(&house, &staff).await;
        played.resolve(dies).await;
        // Play goes on with the next round.
        let next = played.table.to_betting().await;
        assert_eq!(next, played.round + 1);
    }
    drop(all);
    house.stop();
    proof::clean(&site.data());
}

#[tokio::test]
async fn j_05_killed_during_betting_no_outcome_is_established() {
    dies_and_comes_back(Dies::Betting).await;
}

#[tokio::test]
async fn j_05_killed_during_the_close_covered_dice_are_no_outcome() {
    dies_and_comes_back(Dies::Closing).await;
}

#[tokio::test]
async fn j_05_killed_after_the_dice_are_keyed_the_round_is_concluded_from_the_dice() {
    dies_and_comes_back(Dies::DiceKeyed).await;
}
