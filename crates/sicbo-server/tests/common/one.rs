//! One player with ten stakes at a table of any book, at a terminal or on a seat.

use serde_json::{Value, json};

use super::dealing::Table;
use super::house::{Program, Site, TableSpec};
use super::http::Http;
use super::people::Staff;
use super::proof::{self, Clean};
use super::terminal::{Terminal, stakes};

/// A house that runs, and its people.
pub struct Running {
    pub site: Site,
    pub program: Program,
    pub staff: Staff,
}

impl Running {
    /// Starts a planned house.
    pub fn of(site: Site) -> Running {
        let program = site.start();
        let staff = site.staff(&program);
        Running {
            site,
            program,
            staff,
        }
    }

    /// A house with a table of every book.
    pub fn every_book() -> Running {
        Running::of(site())
    }

    /// A player at one of its tables, which is opened.
    pub async fn one(&self, spec: &TableSpec) -> One {
        One::open(&self.site, &self.program, spec, &self.staff).await
    }

    /// Stopped, verified and audited.
    pub fn ends(self) -> Clean {
        self.program.stop();
        proof::clean(&self.site.data())
    }
}

/// A table with one player who has ten stakes.
pub struct One {
    pub table: Table,
    pub terminal: Option<Terminal>,
    pub unit: i64,
    bet: u64,
}

/// Who decides what no rule covers.
pub fn decider(book: &str) -> &'static str {
    match book {
        "quang-nam-table" => "director",
        _ => "shift-manager",
    }
}

impl One {
    pub async fn open(site: &Site, program: &Program, spec: &TableSpec, staff: &Staff) -> One {
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
    pub async fn purse(&mut self, amount: i64) {
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
    pub async fn stake(&mut self, round: u64) {
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
    pub async fn refused_stake(&mut self, round: u64) {
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

    pub async fn close(&mut self, round: u64) {
        self.table.close().await;
        if let Some(terminal) = &mut self.terminal {
            terminal.shown(round).await;
            terminal.phase(round, "closed").await;
        }
    }

    /// A round takes bets, with ten units on Big.
    pub async fn bets(&mut self) -> u64 {
        let round = self.table.to_betting().await;
        self.stake(round).await;
        round
    }

    /// The same, until bets are closed.
    pub async fn closes(&mut self) -> u64 {
        let round = self.bets().await;
        self.close(round).await;
        round
    }

    /// The same, until everyone can see the dice.
    pub async fn uncovers(&mut self) -> u64 {
        let round = self.closes().await;
        self.table.to_visible().await;
        round
    }

    /// The same, until the dice have been keyed.
    pub async fn deal_to_open_dice(&mut self, dice: [u8; 3]) -> u64 {
        let round = self.uncovers().await;
        self.table.key(dice).await;
        round
    }

    /// The same, to the end of the round.
    pub async fn round(&mut self, dice: [u8; 3]) -> u64 {
        let round = self.closes().await;
        self.table.finish(dice).await;
        round
    }

    pub async fn refused(&self, who: &str, act: &Value) -> String {
        self.table.refused(who, act).await
    }

    pub async fn by_two(&self, first: &str, second: &str, act: Value) {
        let staff = &self.table.staff;
        staff
            .two(first, second, self.table.name, act, json!({}))
            .await;
    }

    pub fn first_step(&self) -> Value {
        match self.table.before_bets().first() {
            Some(act) => act.clone(),
            None => json!({"act": "call_bets"}),
        }
    }
}

/// A house with a table of every book.
pub fn site() -> Site {
    Site::of(vec![
        TableSpec::by_hand("rws-etg", &[("a", 1)]),
        TableSpec::by_hand("rws-open-cover", &[("a", 1)]),
        TableSpec::by_hand("mbs-etg", &[("rapid", 1)]),
        TableSpec::by_hand("mbs-table", &[("a", 1)]),
        TableSpec::by_hand("quang-nam-table", &[("a", 1)]),
    ])
}

/// Proposed by one person, for another to confirm; the status and the answer.
pub async fn proposed(one: &One, who: &str, act: &Value) -> (u16, Value) {
    let path = format!("/api/tables/{}/proposals", one.table.name);
    let said = one.table.staff.post(who, &path, act).await;
    (said.status, said.json())
}

/// What anyone may ask about a round.
pub async fn shown(program: &Program, table: &str, round: u64) -> Value {
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
