//! A player of the simulated house: bets, pays in, cashes out, redeems what lies
//! in a printer, loses the line, comes back and says again what was not answered.
//! What players do is in `habits`.

mod habits;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sicbo_register::enrolment::{EnrolmentId, TableName};
use sicbo_table::ids::StationId;

use super::judges::{citations, privacy};
use super::life::Printed;
use super::story::words;
use super::trace::Trace;
use super::wire::{Link, Weather};
use crate::random::Random;

/// Numbers from here on are of messages that nobody honest would send.
const CHEATS_FROM: u64 = 1 << 40;

/// What was asked and not answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    Bet {
        round: u64,
        lines: Vec<(String, i64)>,
    },
    Remove {
        round: u64,
        lines: Vec<(String, i64)>,
    },
    Clear {
        round: u64,
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
    Call,
    Dispute {
        round: u64,
    },
}

impl Asked {
    /// A word for it.
    pub(super) const fn word(&self) -> &'static str {
        match self {
            Asked::Bet { .. } => "bet",
            Asked::Remove { .. } => "remove",
            Asked::Clear { .. } => "clear",
            Asked::Note { .. } => "note",
            Asked::CashOut { .. } => "cash-out",
            Asked::Redeem { .. } => "redeem",
            Asked::Call => "call",
            Asked::Dispute { .. } => "dispute",
        }
    }
}

/// What a player was told for good.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Told {
    pub(super) id: u64,
    pub(super) asked: Asked,
    /// The voucher that came of it.
    pub(super) voucher: Option<u64>,
}

/// What a player is there with, at one moment.
pub(super) struct Moment<'m> {
    pub(super) chance: &'m mut Random,
    pub(super) weather: &'m mut Weather,
    pub(super) now_ms: i64,
}

/// A player at a terminal.
pub(super) struct Player {
    pub(super) table: TableName,
    pub(super) station: StationId,
    pub(super) enrolment: EnrolmentId,
    pub(super) token: String,
    /// As the trace names them.
    pub(super) name: String,
    /// The book of their table.
    book: String,
    pub(super) sections: Vec<String>,
    pub(super) unit: i64,
    pub(super) note: i64,
    pub(super) link: Option<Link>,
    trace: Trace,
    /// The round that was last heard of.
    heard_round: u64,
    /// Betting, as the last frame had it: the round.
    betting: Option<u64>,
    /// A close to be shown.
    closing: Option<u64>,
    /// The last round that ended, as far as is known.
    ended: u64,
    credit: i64,
    /// Bets of the current round, as the house showed them last.
    lying: Vec<(String, i64)>,
    next: u64,
    cheats: u64,
    open: BTreeMap<u64, Asked>,
    /// Whether each request that was answered was done.
    answers: BTreeMap<u64, bool>,
    /// Yes, as the house said it.
    pub(super) done: Vec<Told>,
    /// No, as the house said it.
    pub(super) refused: Vec<(u64, Asked)>,
    /// Credit as it was shown, with the record it rests on.
    pub(super) shown: BTreeMap<u64, i64>,
    /// Bets as they were shown, sorted, with the record they rest on.
    pub(super) laid: BTreeMap<u64, Vec<(String, i64)>>,
    /// The most this player may stake; never cashes out, so that it holds.
    pub(super) limit: Option<i64>,
    pub(super) limit_asked: bool,
    /// How often each code was refused.
    pub(super) refusals: BTreeMap<String, u64>,
}

impl Player {
    pub(super) fn new(
        (table, station, book): (TableName, StationId, &str),
        (enrolment, token): (EnrolmentId, String),
        sections: Vec<String>,
        (unit, note): (i64, i64),
        limit: Option<i64>,
        trace: Trace,
    ) -> Player {
        Player {
            name: format!("{table} {}", station.0),
            book: book.to_owned(),
            table,
            station,
            enrolment,
            token,
            sections,
            unit,
            note,
            link: None,
            trace,
            betting: None,
            closing: None,
            ended: 0,
            heard_round: 0,
            credit: 0,
            lying: Vec::new(),
            next: 1,
            cheats: CHEATS_FROM,
            open: BTreeMap::new(),
            answers: BTreeMap::new(),
            done: Vec::new(),
            refused: Vec::new(),
            laid: BTreeMap::new(),
            shown: BTreeMap::new(),
            limit,
            limit_asked: false,
            refusals: BTreeMap::new(),
        }
    }

    /// The next request has this number.
    pub(super) fn number_from(&mut self, next: u64) {
        self.next = next;
    }

    /// The line is gone, and what was on it, but for what is on its way to the
    /// house.
    pub(super) fn cut(&mut self) -> Option<Link> {
        self.betting = None;
        self.closing = None;
        self.link.take()
    }

    /// Credit as last heard.
    pub(super) const fn credit(&self) -> i64 {
        self.credit
    }

    /// Nothing waits for an answer.
    pub(super) fn is_quiet(&self) -> bool {
        self.open.is_empty()
    }

    /// What waits for an answer, for people.
    pub(super) fn waits_for(&self) -> Option<String> {
        let (id, asked) = self.open.first_key_value()?;
        let asked = words::asked(asked);
        Some(format!(
            "the player at {} waits for an answer to request {id}: {asked}",
            self.name
        ))
    }

    fn say(&mut self, moment: &mut Moment<'_>, message: &Value) {
        self.say_text(moment, message.to_string());
    }

    fn say_text(&mut self, moment: &mut Moment<'_>, text: String) {
        if let Some(link) = &mut self.link {
            self.trace.said(&self.name, &text);
            link.say(moment.weather, moment.now_ms, text);
        }
    }

    /// Reads every frame that has come. A line that is gone is given back.
    pub(super) fn listen(&mut self, moment: &mut Moment<'_>) -> Result<Option<Link>, String> {
        let Some(link) = &mut self.link else {
            return Ok(None);
        };
        let there = link.carry(moment.weather, moment.now_ms);
        while let Some(frame) = self.link.as_mut().and_then(|link| link.hear(moment.now_ms)) {
            self.trace.told(&self.name, &frame);
            let frame: Value = serde_json::from_str(&frame).map_err(|error| error.to_string())?;
            self.heard(&frame)?;
        }
        match there {
            true => Ok(None),
            false => Ok(self.cut()),
        }
    }

    fn heard(&mut self, frame: &Value) -> Result<(), String> {
        let number = |name: &str| frame[name].as_u64().unwrap_or(0);
        match frame["type"].as_str().unwrap_or("") {
            "table" => {
                privacy::public(&self.name, frame)?;
                let round = &frame["state"]["round"];
                let number = round["number"].as_u64();
                let phase = round["phase"].as_str().unwrap_or("");
                self.heard_round = number.unwrap_or(self.heard_round);
                self.betting = number.filter(|_| phase == "betting");
                self.closing = number.filter(|_| phase == "closing");
                let last = frame["state"]["last"]["number"].as_u64();
                self.ended = last.unwrap_or(self.ended);
            }
            "mine" => {
                let mine = &frame["mine"];
                let bets = mine["bets"].as_array().into_iter().flatten();
                let bets = bets.filter_map(|bet| {
                    let section = bet["section"].as_str()?.to_owned();
                    Some((section, bet["stake"].as_i64()?))
                });
                self.lying = bets.collect();
                let mut laid = self.lying.clone();
                laid.sort();
                self.laid.insert(number("version"), laid);
                self.shown(number("version"), &mine["credit"])?;
            }
            "settlement" | "amended" => self.shown(number("version"), &frame["credit"])?,
            "registered" => {
                self.credit = frame["credit"].as_i64().unwrap_or(0);
                return self.yes(number("id"), frame);
            }
            "done" | "voucher" => return self.yes(number("request"), frame),
            "refused" => {
                if let Some(rule) = frame["rule"].as_str()
                    && let Some(wrong) = citations::objection(&self.book, rule)
                {
                    return Err(format!("{} was refused under a rule: {wrong}", self.name));
                }
                return self.no(number("id"), frame);
            }
            "declined" => return self.no(number("request"), frame),
            _ => {}
        }
        Ok(())
    }

    /// Credit as it is shown, and which record it rests on.
    fn shown(&mut self, version: u64, credit: &Value) -> Result<(), String> {
        self.credit = credit.as_i64().unwrap_or(0);
        match self.shown.insert(version, self.credit) {
            Some(before) if before != self.credit => Err(format!(
                "{} was shown a credit of {before} after record {version}, and then {}",
                self.name, self.credit
            )),
            _ => Ok(()),
        }
    }

    fn yes(&mut self, id: u64, frame: &Value) -> Result<(), String> {
        if id >= CHEATS_FROM {
            return Err(format!("{} cheated, and was told {frame}", self.name));
        }
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
        if id >= CHEATS_FROM || id == 0 {
            *self.refusals.entry(code.to_owned()).or_default() += 1;
            return Ok(());
        }
        self.answered(id, false, frame)?;
        if let Some(asked) = self.open.remove(&id) {
            self.refused.push((id, asked));
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
    pub(super) fn again(&mut self, moment: &mut Moment<'_>) {
        for (id, asked) in self.open.clone() {
            self.ask(moment, id, &asked);
        }
    }

    fn ask(&mut self, moment: &mut Moment<'_>, id: u64, asked: &Asked) {
        let stakes = |lines: &[(String, i64)]| -> Vec<Value> {
            let lines = lines.iter();
            lines
                .map(|(section, stake)| json!({"section": section, "stake": stake}))
                .collect()
        };
        let message = match asked {
            Asked::Bet { round, lines } => {
                json!({"type": "bet", "id": id, "round": round, "lines": stakes(lines)})
            }
            Asked::Remove { round, lines } => {
                json!({"type": "remove", "id": id, "round": round, "lines": stakes(lines)})
            }
            Asked::Clear { round } => json!({"type": "clear", "id": id, "round": round}),
            Asked::Note { amount } => {
                json!({"type": "insert_note", "request": id, "amount": amount})
            }
            Asked::CashOut { amount } => {
                json!({"type": "cash_out", "request": id, "amount": amount})
            }
            Asked::Redeem { paper } => {
                json!({"type": "redeem", "request": id, "number": paper.number})
            }
            Asked::Call => json!({"type": "call_attendant", "request": id}),
            Asked::Dispute { round } => {
                json!({"type": "dispute", "request": id, "round": round, "note": "it was four"})
            }
        };
        self.say(moment, &message);
    }

    fn begin(&mut self, moment: &mut Moment<'_>, asked: Asked) {
        let id = self.next;
        self.next += 1;
        let (name, told) = (&self.name, &asked);
        self.trace.tell(moment.now_ms, || {
            format!("player at {name} {} (request {id})", words::asked(told))
        });
        self.open.insert(id, asked.clone());
        self.ask(moment, id, &asked);
    }
}
