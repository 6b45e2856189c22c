//! What players do, and what cheats try.

use std::collections::BTreeMap;

use serde_json::json;

use super::super::life::Printed;
use super::super::swarm::Part;
use super::{Asked, Moment, Player};

/// How often a player wishes for something, of a thousand moments.
const WISHES: u64 = 250;

impl Player {
    /// Does something, or nothing.
    pub(in super::super) fn act(&mut self, moment: &mut Moment<'_>, papers: &[Printed]) {
        if self.link.is_none() {
            return;
        }
        if let Some(round) = self.closing.take()
            && moment.chance.chance(900)
        {
            self.say(moment, &json!({"type": "shown", "round": round}));
        }
        if moment.weather.swarm.has(Part::Cheats) && moment.chance.chance(20) {
            self.cheat(moment);
        }
        if self.open.len() > 4 {
            return;
        }
        if self.credit < self.unit * 5 {
            let mut notes = self.open.values();
            let paid = notes.any(|asked| matches!(asked, Asked::Note { .. }));
            if !paid && moment.chance.chance(300) {
                let amount = self.note;
                self.begin(moment, Asked::Note { amount });
            }
            return;
        }
        // With a limit to be set, nothing is staked before it holds.
        if self.limit.is_some() && !self.limit_asked {
            return;
        }
        if moment.chance.chance(WISHES) {
            self.wish(moment, papers);
        }
        if moment.weather.swarm.has(Part::Repeats) && moment.chance.chance(40) {
            self.again(moment);
        }
    }

    fn wish(&mut self, moment: &mut Moment<'_>, papers: &[Printed]) {
        let has = |part, moment: &Moment<'_>| moment.weather.swarm.has(part);
        match moment.chance.below(100) {
            0..50 => {
                if let Some(round) = self.betting {
                    let some = moment.chance.below(3) + 1;
                    let lines = (0..some).map(|_| {
                        let section = moment.chance.pick(&self.sections).clone();
                        (section, self.unit * moment.chance.between(1, 4))
                    });
                    let lines = lines.collect::<BTreeMap<_, _>>();
                    let lines = lines.into_iter().collect();
                    self.begin(moment, Asked::Bet { round, lines });
                }
            }
            50..55 if has(Part::Removals, moment) => {
                if let (Some(round), Some(bet)) = (self.betting, self.lying.first().cloned()) {
                    let lines = vec![bet];
                    let asked = match moment.chance.chance(300) {
                        true => Asked::Clear { round },
                        false => Asked::Remove { round, lines },
                    };
                    self.begin(moment, asked);
                }
            }
            55..60 if has(Part::Vouchers, moment) && self.limit.is_none() => {
                // Some leave, and take all of it.
                let most = (self.credit / self.unit).max(1);
                let amount = match moment.chance.chance(200) {
                    true => self.credit,
                    false => self.unit * moment.chance.between(1, most),
                };
                self.begin(moment, Asked::CashOut { amount });
            }
            60..66 if has(Part::Vouchers, moment) && !papers.is_empty() => {
                // Papers stay in the world: some are tried again and again.
                let paper = moment.chance.pick(papers).clone();
                self.begin(moment, Asked::Redeem { paper });
            }
            66 if has(Part::Calls, moment) => {
                let asked = match moment.chance.chance(500) {
                    true => Asked::Call,
                    false => Asked::Dispute { round: self.ended },
                };
                self.begin(moment, asked);
            }
            _ => {}
        }
    }

    /// Says what must never be done, each under a number of its own.
    fn cheat(&mut self, moment: &mut Moment<'_>) {
        self.cheats += 1;
        let (id, unit) = (self.cheats, self.unit);
        let round = self.betting.unwrap_or(self.ended + 1);
        let section = moment.chance.pick(&self.sections).clone();
        let bet = |round: u64, section: &str, stake: i64| {
            let lines = json!([{"section": section, "stake": stake}]);
            json!({"type": "bet", "id": id, "round": round, "lines": lines})
        };
        let message = match moment.chance.below(24) {
            0 => bet(round, &section, -unit),
            1 => bet(round, &section, 0),
            2 => bet(round, &section, i64::MAX),
            3 => bet(round, &section, unit + 1),
            4 => bet(round, "total:19", unit),
            5 => bet(round + 5, &section, unit),
            6 => bet(0, &section, unit),
            7 => json!({"type": "cash_out", "request": id, "amount": -unit}),
            8 => json!({"type": "cash_out", "request": id, "amount": i64::MAX}),
            9 => json!({"type": "cash_out", "request": id, "amount": 0}),
            10 => json!({"type": "redeem", "request": id, "number": "00-0000-0000-0000-0000"}),
            11 => json!({"type": "redeem", "request": id, "number": format!("{id:018}")}),
            12 => json!({"type": "insert_note", "request": id, "amount": 7}),
            13 => json!({"type": "insert_note", "request": id, "amount": -unit}),
            14 => {
                let lines = json!([{"section": section, "stake": unit}]);
                json!({"type": "remove", "id": id, "round": round + 3, "lines": lines})
            }
            15 => json!({"type": "bet", "id": id, "round": round, "lines": []}),
            16 => {
                let line = json!({"section": section, "stake": unit});
                let lines = vec![line; 400];
                json!({"type": "bet", "id": id, "round": round, "lines": lines})
            }
            17 => {
                let all = ["odd", "three-single:126", "double-single:113", "four:6543"];
                let lacks = |one: &&&str| !self.sections.iter().any(|known| known == **one);
                match all.iter().find(lacks) {
                    Some(section) => bet(round, section, unit),
                    None => bet(round, "total:18", unit),
                }
            }
            18..=20 if self.limit.is_none() => return self.beyond(moment),
            _ => {
                let nonsense = ["", "{", "[]", "null", "{\"type\":\"settle\"}", "\u{0}"];
                let text = (*moment.chance.pick(&nonsense)).to_owned();
                self.say_text(moment, text);
                return;
            }
        };
        self.say(moment, &message);
    }

    /// Bets after the close, or more than there may be: the house says what becomes
    /// of it, and the auditor whether that was right.
    fn beyond(&mut self, moment: &mut Moment<'_>) {
        let (round, stake) = match self.betting {
            Some(round) => (round, self.credit / 50 / self.unit * self.unit + self.unit),
            None => (self.heard_round, self.unit),
        };
        let some = match self.betting {
            Some(_) => 60,
            None => 1,
        };
        let first = moment.chance.below(self.sections.len() as u64) as usize;
        let sections = self.sections.iter().cycle().skip(first).take(some);
        let lines: BTreeMap<_, _> = sections.map(|section| (section.clone(), stake)).collect();
        let lines = lines.into_iter().collect();
        self.begin(moment, Asked::Bet { round, lines });
    }
}
