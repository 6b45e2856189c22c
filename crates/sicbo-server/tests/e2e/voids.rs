//! Damaged dice and causes found late, over real connections at a table of
//! every book, with the money to the cent.

use serde_json::{Value, json};

use crate::common::dealing::Table;
use crate::common::house::{Program, Site, TableSpec};
use crate::common::http::Http;
use crate::common::people::{People, Staff};
use crate::common::proof;
use crate::common::terminal::{Terminal, stakes};

/// A table with one player who has ten stakes.
pub(crate) struct One {
    pub(crate) table: Table,
    pub(crate) terminal: Option<Terminal>,
    pub(crate) unit: i64,
    bet: u64,
}

/// Who decides what no rule covers.
pub(crate) fn decider(book: &str) -> &'static str {
    match book {
        "quang-nam-table" => "director",
        _ => "shift-manager",
    }
}

impl One {
    pub(crate) async fn open(
        site: &Site,
        program: &Program,
        spec: &TableSpec,
        staff: &Staff,
    ) -> One {
        let table = Table::new(spec, staff);
        table.open().await;
        let unit = if spec.book == "quang-nam-table" {
            10_000
        } else {
            100
        };
        let mut terminal = None;
        if spec.electronic() {
            let mut at = Terminal::connect(program.address, &site.token(spec.name, 0), None).await;
            at.insert_note(1, 5_000).await;
            at.until("the credit", |t| t.credit() == 5_000).await;
            terminal = Some(at);
        } else {
            let brought = json!({"act": "move_chips", "request": 1, "how": "brought",
                "amount": 50 * unit, "slip": "t"});
            table.deal(brought).await;
        }
        One {
            table,
            terminal,
            unit,
            bet: 0,
        }
    }

    /// What the player holds: credit, or chips on hand.
    pub(crate) async fn purse(&mut self, amount: i64) {
        match &mut self.terminal {
            Some(terminal) => {
                terminal.until("the credit", |t| t.credit() == amount).await;
            }
            None => {
                let sees = self.table.sees().await;
                assert_eq!(
                    sees["money"]["chips_outstanding"], amount,
                    "{}",
                    self.table.name
                );
            }
        }
    }

    /// Ten units on Big.
    pub(crate) async fn stake(&mut self, round: u64) {
        self.bet += 1;
        let lines = [("big", 10 * self.unit)];
        match &mut self.terminal {
            Some(terminal) => {
                terminal.phase(round, "betting").await;
                let answer = terminal.bet(self.bet, round, &lines).await;
                assert_eq!(answer["type"], "registered", "{answer}");
            }
            None => {
                let bet = json!({"act": "place_bets", "station": 0, "round": round,
                    "bet": self.bet, "means": "cash_chips", "lines": stakes(&lines)});
                self.table.deal(bet).await;
            }
        }
    }

    /// A further stake is refused: something holds the round.
    pub(crate) async fn refused_stake(&mut self, round: u64) {
        self.bet += 1;
        let lines = [("small", 10 * self.unit)];
        let code = match &mut self.terminal {
            Some(terminal) => terminal.bet(self.bet, round, &lines).await["code"].clone(),
            None => {
                let bet = json!({"act": "place_bets", "station": 0, "round": round,
                    "bet": self.bet, "means": "cash_chips", "lines": stakes(&lines)});
                self.refused("dealer", &bet).await.into()
            }
        };
        assert_eq!(code, "decision_pending", "{}", self.table.name);
    }

    pub(crate) async fn close(&mut self, round: u64) {
        self.table.close().await;
        if let Some(terminal) = &mut self.terminal {
            terminal.shown(round).await;
            terminal.phase(round, "closed").await;
        }
    }

    /// A round with ten units on Big.
    pub(crate) async fn round(&mut self, dice: [u8; 3]) -> u64 {
        let round = self.table.to_betting().await;
        self.stake(round).await;
        self.close(round).await;
        self.table.finish(dice).await;
        round
    }

    pub(crate) async fn refused(&self, who: &str, act: &Value) -> String {
        let said = self.table.staff.act(who, self.table.name, act).await;
        assert_ne!(said.status, 200, "{act} at {}", self.table.name);
        said.code()
    }

    pub(crate) async fn by_two(&self, first: &str, second: &str, act: Value) {
        let staff = &self.table.staff;
        staff
            .two(first, second, self.table.name, act, json!({}))
            .await;
    }

    pub(crate) fn first_step(&self) -> Value {
        match self.table.before_bets().first() {
            Some(act) => act.clone(),
            None => json!({"act": "call_bets"}),
        }
    }
}

pub(crate) fn site() -> Site {
    Site::of(vec![
        TableSpec::by_hand("rws-etg", &[("a", 1)]),
        TableSpec::by_hand("rws-open-cover", &[("a", 1)]),
        TableSpec::by_hand("mbs-etg", &[("rapid", 1)]),
        TableSpec::by_hand("mbs-table", &[("a", 1)]),
        TableSpec::by_hand("quang-nam-table", &[("a", 1)]),
    ])
}

pub(crate) async fn log_in(site: &Site, program: &Program) -> Staff {
    let positions = ["dealer", "pit-supervisor", "shift-manager", "director"];
    People::default()
        .log_in(site, program.address, &positions)
        .await
}

/// What anyone may ask about a round.
pub(crate) async fn shown(program: &Program, table: &str, round: u64) -> Value {
    let anyone = Http::anyone(program.address);
    let rounds = anyone
        .get(&format!("/api/tables/{table}/rounds?n=60"))
        .await;
    let rounds = rounds.as_array().expect("a list").clone();
    rounds
        .into_iter()
        .find(|one| one["number"] == round)
        .expect("the round")
}

#[tokio::test]
async fn r_156_damaged_dice_hold_the_table_and_void_what_they_affected() {
    let site = site();
    let program = site.start();
    let staff = log_in(&site, &program).await;
    for spec in &site.tables {
        let mut one = One::open(&site, &program, spec, &staff).await;
        let (unit, name) = (one.unit, spec.name);
        let won = one.round([6, 5, 1]).await;
        let lost = one.round([1, 1, 2]).await;
        one.purse(50 * unit).await;
        // Round n + 2 is in hand when a die is seen to be chipped.
        let in_hand = one.table.to_betting().await;
        one.stake(in_hand).await;
        one.purse(40 * unit).await;
        let report = json!({"act": "report_damage", "note": "a chip on the 4"});
        one.table.deal(report.clone()).await;
        one.purse(50 * unit).await;
        let last = shown(&program, name, in_hand).await;
        assert_eq!(last["why"]["cause"], "dice-damaged", "{name}: {last}");
        assert_eq!(one.refused("dealer", &report).await, "already_done");
        // Nothing is played with that set.
        let begin = one.first_step();
        assert_eq!(one.refused("dealer", &begin).await, "dice_change_needed");
        // The question of earlier rounds was raised by itself.
        let sees = one.table.sees().await;
        let asked = sees["decisions"].as_array().expect("a list").iter();
        let asked = asked
            .filter(|one| one["question"] == "affected-rounds")
            .collect::<Vec<_>>();
        assert_eq!(asked.len(), 1, "{name}: {sees}");
        assert_eq!(asked[0]["by"], decider(spec.book), "{name}");
        let affected = staff
            .of(decider(spec.book))
            .get(&format!("/api/tables/{name}/dice/affected"))
            .await;
        let proposed = affected["rounds"].as_array().expect("rounds").iter();
        let proposed: Vec<u64> = proposed.filter_map(|r| r["number"].as_u64()).collect();
        assert!(
            proposed.contains(&won) && proposed.contains(&lost),
            "{name}"
        );
        let void = json!({"act": "void_rounds", "rounds": [won, lost], "cause": "dice-damaged",
            "pending": asked[0]["pending"], "reason": "chipped since the last inspection"});
        one.by_two(decider(spec.book), "pit-supervisor", void).await;
        // The lost stake came back; what was won is recoverable.
        let sees = one.table.sees().await;
        let owed = &sees["recoverables"][0];
        assert_eq!(owed["amount"], 10 * unit, "{name}: {sees}");
        assert_eq!(owed["round"], won, "{name}");
        // At quang-nam no later round had commenced: its chips are handed
        // over at once.
        if spec.book == "mbs-table" {
            assert_eq!(sees["unclaimed"][0]["amount"], 10 * unit, "{name}");
        } else {
            one.purse(60 * unit).await;
        }
        assert!(
            sees["decisions"].as_array().expect("a list").is_empty(),
            "{name}"
        );
        let why = shown(&program, name, lost).await["why"].clone();
        assert_eq!(why["cause"], "dice-damaged", "{name}");
        // The document's own number, where it has one.
        if spec.book.starts_with("rws") {
            let rule = why["rule"].as_str().expect("a rule");
            assert!(rule.contains("5.4"), "{name}: {why}");
        }
        // Another set is in the tumbler: play goes on, and is paid.
        assert_eq!(one.refused("dealer", &begin).await, "dice_change_needed");
        let change = json!({"act": "change_dice", "dice_set": "D-0002"});
        one.by_two("pit-supervisor", "dealer", change).await;
        one.round([6, 5, 1]).await;
        let sees = one.table.sees().await;
        assert_eq!(
            sees["last"]["result"]["total"], 12,
            "{name}: {}",
            sees["last"]
        );
        // Between rounds too; and an inspection by two lets the set play again.
        one.table.deal(report).await;
        assert_eq!(one.refused("dealer", &begin).await, "dice_change_needed");
        let sound = json!({"act": "find_dice_sound", "dice_set": "D-0002", "text": "measured"});
        assert_eq!(
            one.refused("pit-supervisor", &sound).await,
            "second_person_needed"
        );
        one.by_two("pit-supervisor", "dealer", sound).await;
        one.table.deal(begin).await;
    }
    program.stop();
    proof::clean(&site.data());
}

#[tokio::test]
async fn r_163_causes_found_late_keep_their_name() {
    let site = site();
    let program = site.start();
    let staff = log_in(&site, &program).await;
    for spec in &site.tables {
        let mut one = One::open(&site, &program, spec, &staff).await;
        let (unit, name) = (one.unit, spec.name);
        // Miscounted, found when the dice can be seen: with a supervisor.
        let round = one.table.to_betting().await;
        one.stake(round).await;
        one.close(round).await;
        one.table.to_visible().await;
        one.table.key([6, 5, 1]).await;
        let void = json!({"act": "declare_void", "cause": "too-few-tumbles"});
        assert_eq!(one.refused("dealer", &void).await, "second_person_needed");
        one.by_two("dealer", "pit-supervisor", void).await;
        one.purse(50 * unit).await;
        let why = shown(&program, name, round).await["why"].clone();
        assert_eq!(why["cause"], "too-few-tumbles", "{name}");
        let own = match spec.book {
            "rws-etg" | "rws-open-cover" => "5.3.1",
            "mbs-etg" | "mbs-table" => "5.1",
            _ => "7.2",
        };
        assert!(
            why["rule"].as_str().expect("a rule").contains(own),
            "{name}: {why}"
        );
        // Found after settlement: by whoever decides such matters, and never as damage.
        let settled = one.round([6, 5, 1]).await;
        let late = json!({"act": "void_rounds", "rounds": [settled], "cause": "too-few-tumbles",
            "reason": "camera 4 shows two tumbles"});
        assert_eq!(one.refused("dealer", &late).await, "not_authorised");
        one.by_two(decider(spec.book), "pit-supervisor", late).await;
        let why = shown(&program, name, settled).await["why"].clone();
        assert_eq!(why["cause"], "too-few-tumbles", "{name}");
        let (rule, ground) = (&why["rule"], &why["ground"]);
        if spec.book.starts_with("rws") {
            assert!(
                rule.as_str().expect("a rule").contains("5.10"),
                "{name}: {why}"
            );
            assert!(
                ground.as_str().expect("a ground").contains("5.3.1"),
                "{name}: {why}"
            );
        } else {
            assert!(
                rule.as_str().expect("a rule").contains(own),
                "{name}: {why}"
            );
            assert!(ground.is_null(), "{name}: {why}");
        }
        let sees = one.table.sees().await;
        assert_eq!(sees["recoverables"][0]["amount"], 10 * unit, "{name}");
        // The dice are not to blame.
        assert_eq!(sees["dice_condemned"], false, "{name}");
        assert_eq!(sees["last"]["why"]["cause"], "too-few-tumbles", "{name}");
        one.round([1, 1, 2]).await;
    }
    program.stop();
    proof::clean(&site.data());
}

#[tokio::test]
async fn r_163_a_broken_dome_or_die_found_once_dice_can_be_seen_needs_a_supervisor() {
    let site = site();
    let program = site.start();
    let staff = log_in(&site, &program).await;
    for spec in &site.tables {
        let (causes, rule): (&[&str], &str) = match spec.book {
            "mbs-table" => (&["dome-broken", "dice-broken"], "mbs-table 5.5"),
            "mbs-etg" => (&["dome-broken", "dice-broken"], "mbs-etg 5.5"),
            "quang-nam-table" => (&["dome-broken"], "quang-nam-table 7.6"),
            _ => continue,
        };
        let mut one = One::open(&site, &program, spec, &staff).await;
        let unit = one.unit;
        for cause in causes {
            let round = one.table.to_betting().await;
            one.stake(round).await;
            one.close(round).await;
            one.table.to_visible().await;
            let void = json!({"act": "declare_void", "cause": cause});
            let said = one.refused("dealer", &void).await;
            assert_eq!(said, "second_person_needed", "{} {cause}", spec.name);
            one.purse(40 * unit).await;
            one.by_two("dealer", "pit-supervisor", void).await;
            one.purse(50 * unit).await;
            let why = one.table.last().await["why"].clone();
            assert_eq!(why["cause"], *cause, "{}: {why}", spec.name);
            let cited = why["rule"].as_str().expect("a rule");
            assert!(cited.starts_with(rule), "{}: {why}", spec.name);
        }
    }
    program.stop();
    proof::clean(&site.data());
}

#[tokio::test]
async fn r_156_damage_voids_no_round_that_was_played_with_other_dice() {
    let site = site();
    let program = site.start();
    let staff = log_in(&site, &program).await;
    for spec in &site.tables {
        let mut one = One::open(&site, &program, spec, &staff).await;
        let (unit, name, by) = (one.unit, spec.name, decider(spec.book));
        let sound = one.round([6, 5, 1]).await;
        let change = json!({"act": "change_dice", "dice_set": "D-0002"});
        one.by_two("pit-supervisor", "dealer", change).await;
        let spoilt = one.round([6, 5, 1]).await;
        one.purse(70 * unit).await;
        one.table
            .deal(json!({"act": "report_damage", "note": "a chip on the 4"}))
            .await;
        let sees = one.table.sees().await;
        let asked = sees["decisions"].as_array().expect("a list").iter();
        let asked = asked
            .clone()
            .find(|one| one["question"] == "affected-rounds");
        let pending = asked.expect("the question")["pending"].clone();
        let void = |rounds: &[u64]| {
            json!({"act": "void_rounds", "rounds": rounds, "cause": "dice-damaged",
                "pending": pending, "reason": "chipped since the last inspection"})
        };
        let path = format!("/api/tables/{name}/proposals");
        for rounds in [&[sound][..], &[sound, spoilt][..]] {
            let said = staff.of(by).post(&path, &void(rounds)).await;
            assert_eq!(
                said.code(),
                "played_with_other_dice",
                "{name}: {}",
                said.text
            );
        }
        one.by_two(by, "pit-supervisor", void(&[spoilt])).await;
        // Ten units won with the damaged dice are owed back; the others stand.
        let sees = one.table.sees().await;
        let owed = sees["recoverables"].as_array().expect("a list");
        assert_eq!(owed.len(), 1, "{name}: {sees}");
        assert_eq!(
            (&owed[0]["amount"], &owed[0]["round"]),
            (&json!(10 * unit), &json!(spoilt))
        );
        assert!(
            shown(&program, name, sound).await["why"].is_null(),
            "{name}"
        );
        one.purse(70 * unit).await;
    }
    program.stop();
    proof::clean(&site.data());
}
