//! A player of the simulated house: bets, pays in, cashes out, redeems what lies
//! in a printer, loses the line, comes back and says again what was not answered.

use std::collections::BTreeMap;

use futures_channel::mpsc::UnboundedSender;
use serde_json::{Value, json};
use sicbo_house::connection::Inbox;
use sicbo_register::enrolment::{EnrolmentId, TableName};
use sicbo_table::ids::StationId;

use super::life::Printed;
use crate::random::Random;

/// A line to the house.
pub(super) struct Link {
    pub(super) says: UnboundedSender<String>,
    pub(super) hears: Inbox,
}

/// What was asked and not answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    Bet {
        round: u64,
        lines: Vec<(String, i64)>,
    },
    Note {
        amount: i64,
    },
    CashOut {
        amount: i64,
    },
    Redeem {
        paper: Printed,
    },
}

/// What a player was told for good.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Told {
    pub(super) id: u64,
    pub(super) asked: Asked,
    /// The voucher that came of it.
    pub(super) voucher: Option<u64>,
}

/// A player at a terminal.
pub(super) struct Player {
    pub(super) table: TableName,
    pub(super) station: StationId,
    pub(super) enrolment: EnrolmentId,
    pub(super) token: String,
    pub(super) sections: Vec<String>,
    pub(super) unit: i64,
    pub(super) note: i64,
    pub(super) link: Option<Link>,
    /// Betting, as the last frame had it: the round.
    betting: Option<u64>,
    /// A close to be shown.
    closing: Option<u64>,
    credit: i64,
    next: u64,
    open: BTreeMap<u64, Asked>,
    /// Whether each request that was answered was done.
    answers: BTreeMap<u64, bool>,
    /// Yes, as the house said it.
    pub(super) done: Vec<Told>,
    /// The most this player may stake; never cashes out, so that it holds.
    pub(super) limit: Option<i64>,
    pub(super) limit_asked: bool,
    /// How often each code was refused.
    pub(super) refusals: BTreeMap<String, u64>,
}

impl Player {
    pub(super) fn new(
        (table, station): (TableName, StationId),
        (enrolment, token): (EnrolmentId, String),
        sections: Vec<String>,
        (unit, note): (i64, i64),
        limit: Option<i64>,
    ) -> Player {
        Player {
            table,
            station,
            enrolment,
            token,
            sections,
            unit,
            note,
            link: None,
            betting: None,
            closing: None,
            credit: 0,
            next: 1,
            open: BTreeMap::new(),
            answers: BTreeMap::new(),
            done: Vec::new(),
            limit,
            limit_asked: false,
            refusals: BTreeMap::new(),
        }
    }

    /// The line is gone, and what was on it.
    pub(super) fn cut(&mut self) {
        self.link = None;
        self.betting = None;
        self.closing = None;
    }

    /// Credit as last heard.
    pub(super) const fn credit(&self) -> i64 {
        self.credit
    }

    /// Nothing waits for an answer.
    pub(super) fn is_quiet(&self) -> bool {
        self.open.is_empty()
    }

    fn say(&mut self, message: &Value) {
        let sent = self
            .link
            .as_ref()
            .map(|link| link.says.unbounded_send(message.to_string()));
        if !matches!(sent, Some(Ok(()))) {
            self.cut();
        }
    }

    /// Reads every frame that has come.
    pub(super) fn listen(&mut self) -> Result<(), String> {
        loop {
            let Some(link) = &mut self.link else {
                return Ok(());
            };
            let Some(frame) = link.hears.waiting() else {
                if link.hears.end().is_some() {
                    self.cut();
                }
                return Ok(());
            };
            let frame: Value = serde_json::from_str(&frame).map_err(|error| error.to_string())?;
            self.heard(&frame)?;
        }
    }

    fn heard(&mut self, frame: &Value) -> Result<(), String> {
        let number = |name: &str| frame[name].as_u64().unwrap_or(0);
        match frame["type"].as_str().unwrap_or("") {
            "table" => {
                let round = &frame["state"]["round"];
                let number = round["number"].as_u64();
                let phase = round["phase"].as_str().unwrap_or("");
                self.betting = number.filter(|_| phase == "betting");
                self.closing = number.filter(|_| phase == "closing");
            }
            "mine" => self.credit = frame["mine"]["credit"].as_i64().unwrap_or(0),
            "settlement" => self.credit = frame["credit"].as_i64().unwrap_or(0),
            "registered" => {
                self.credit = frame["credit"].as_i64().unwrap_or(0);
                return self.yes(number("id"), frame);
            }
            "done" | "voucher" => return self.yes(number("request"), frame),
            "refused" => return self.no(number("id"), frame),
            "declined" => return self.no(number("request"), frame),
            _ => {}
        }
        Ok(())
    }

    fn yes(&mut self, id: u64, frame: &Value) -> Result<(), String> {
        self.answered(id, true, frame)?;
        if let Some(asked) = self.open.remove(&id) {
            let voucher = frame["voucher"].as_u64();
            self.done.push(Told { id, asked, voucher });
        }
        Ok(())
    }

    fn no(&mut self, id: u64, frame: &Value) -> Result<(), String> {
        let code = frame["code"].as_str().unwrap_or("");
        // Not a no: what became of it is not known yet, or no longer.
        if matches!(code, "busy" | "stopped" | "too_old_to_say") {
            return Ok(());
        }
        self.answered(id, false, frame)?;
        if self.open.remove(&id).is_some() {
            *self.refusals.entry(code.to_owned()).or_default() += 1;
        }
        Ok(())
    }

    /// A request has one answer, however often it was sent.
    fn answered(&mut self, id: u64, done: bool, frame: &Value) -> Result<(), String> {
        match self.answers.insert(id, done) {
            Some(before) if before != done => {
                let (table, station) = (&self.table, self.station.0);
                Err(format!(
                    "station {station} of {table} was told of its request {id} that it was \
                     {}, and then {frame}",
                    if before { "done" } else { "not done" }
                ))
            }
            _ => Ok(()),
        }
    }

    /// Says again what has no answer, as a terminal does when it is back.
    pub(super) fn again(&mut self) {
        for (id, asked) in self.open.clone() {
            self.ask(id, &asked);
        }
    }

    fn ask(&mut self, id: u64, asked: &Asked) {
        let message = match asked {
            Asked::Bet { round, lines } => {
                let lines: Vec<Value> = lines
                    .iter()
                    .map(|(section, stake)| json!({"section": section, "stake": stake}))
                    .collect();
                json!({"type": "bet", "id": id, "round": round, "lines": lines})
            }
            Asked::Note { amount } => {
                json!({"type": "insert_note", "request": id, "amount": amount})
            }
            Asked::CashOut { amount } => {
                json!({"type": "cash_out", "request": id, "amount": amount})
            }
            Asked::Redeem { paper } => {
                json!({"type": "redeem", "request": id, "number": paper.number})
            }
        };
        self.say(&message);
    }

    fn begin(&mut self, asked: Asked) {
        let id = self.next;
        self.next += 1;
        self.open.insert(id, asked.clone());
        self.ask(id, &asked);
    }

    /// Does something, or nothing.
    pub(super) fn act(&mut self, chance: &mut Random, papers: &[Printed]) {
        if self.link.is_none() {
            return;
        }
        if let Some(round) = self.closing.take()
            && chance.chance(900)
        {
            self.say(&json!({"type": "shown", "round": round}));
        }
        if self.open.len() > 4 {
            return;
        }
        if self.credit < self.unit * 5 {
            let notes = self
                .open
                .values()
                .filter(|asked| matches!(asked, Asked::Note { .. }));
            if notes.count() == 0 && chance.chance(300) {
                let amount = self.note;
                self.begin(Asked::Note { amount });
            }
            return;
        }
        // With a limit to be set, nothing is staked before it holds.
        if self.limit.is_some() && !self.limit_asked {
            return;
        }
        match chance.below(100) {
            0..55 => {
                if let Some(round) = self.betting {
                    let some = chance.below(3) + 1;
                    let lines = (0..some)
                        .map(|_| {
                            let section = chance.pick(&self.sections).clone();
                            (section, self.unit * chance.between(1, 4))
                        })
                        .collect::<BTreeMap<_, _>>();
                    let lines = lines.into_iter().collect();
                    self.begin(Asked::Bet { round, lines });
                }
            }
            55..60 if self.limit.is_none() => {
                let amount = self.unit * chance.between(1, (self.credit / self.unit).max(1));
                self.begin(Asked::CashOut { amount });
            }
            60..66 if !papers.is_empty() => {
                // Papers stay in the world: some are tried again and again.
                let paper = chance.pick(papers).clone();
                self.begin(Asked::Redeem { paper });
            }
            _ => {}
        }
    }
}
