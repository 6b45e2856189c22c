//! A scripted terminal: what it knows from the house, what it asks for, and
//! what it says again after its connection broke.

use std::collections::BTreeMap;

use sicbo_rules::{Layout, Section};
use sicbo_table::Act;
use sicbo_table::command::CreditSource;
use sicbo_table::ids::{BetId, RoundNumber, StationId, VoucherId};
use sicbo_table::positions::{Line, Means};

use crate::plan::Manner;
use crate::random::Random;
use crate::translate::minor;

/// What a terminal says.
#[derive(Clone, Debug)]
pub(crate) enum TerminalToHouse {
    /// A new connection.
    Hello,
    /// A request; said again, it keeps its number.
    Ask { request: u64, act: Box<Act> },
}

/// What a terminal hears.
#[derive(Clone, Copy, Debug)]
pub(crate) enum HouseToTerminal {
    /// How things stand, after `Hello`.
    Welcome {
        betting: Option<u64>,
        closing: Option<u64>,
        credit: i64,
    },
    /// Bets are taken.
    Called { round: u64 },
    /// No more bets.
    NoMoreBets { round: u64 },
    /// The round is over.
    Ended,
    /// The player's credit.
    Credit { minor: i64 },
    /// An answer.
    Answer { request: u64, reply: Reply },
}

/// An answer as a terminal understands it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reply {
    Done,
    Refused,
    Busy,
    Stopped,
}

/// What a terminal wants to do after it heard something.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wish {
    /// Show the close of a round after so long, and say so.
    Show { round: u64, after_ms: i64 },
    /// Say a request again after so long.
    Again { request: u64, after_ms: i64 },
}

/// One terminal.
#[derive(Debug)]
pub(crate) struct Terminal {
    station: usize,
    sections: Vec<Section>,
    step: i64,
    manner: Manner,
    /// Its open connection.
    pub(crate) connection: Option<u32>,
    pub(crate) connections: u32,
    welcomed: bool,
    betting: Option<u64>,
    shown: Option<u64>,
    credit: i64,
    pub(crate) unanswered: BTreeMap<u64, Act>,
    requests: u64,
    said: Vec<Act>,
}

impl Terminal {
    pub(crate) fn new(station: usize, layout: &Layout, step: i64, manner: Manner) -> Terminal {
        Terminal {
            station,
            sections: layout.sections().collect(),
            step,
            manner,
            connection: None,
            connections: 0,
            welcomed: false,
            betting: None,
            shown: None,
            credit: 0,
            unanswered: BTreeMap::new(),
            requests: 0,
            said: Vec::new(),
        }
    }

    fn id(&self) -> StationId {
        StationId(self.station as u32)
    }

    /// Its connection is gone.
    pub(crate) fn cut(&mut self) {
        self.connection = None;
        self.welcomed = false;
        self.betting = None;
    }

    /// Takes in what it hears.
    pub(crate) fn hear(&mut self, message: HouseToTerminal, random: &mut Random) -> Vec<Wish> {
        match message {
            HouseToTerminal::Welcome {
                betting,
                closing,
                credit,
            } => {
                self.welcomed = true;
                self.credit = credit;
                self.betting = betting.filter(|round| self.shown != Some(*round));
                // What was asked and not answered is asked again, by the same name.
                let mut wishes: Vec<Wish> = self
                    .unanswered
                    .keys()
                    .map(|request| Wish::Again {
                        request: *request,
                        after_ms: 0,
                    })
                    .collect();
                if let Some(round) = closing {
                    wishes.push(self.show(round, random));
                }
                wishes
            }
            HouseToTerminal::Called { round } => {
                self.betting = Some(round);
                Vec::new()
            }
            HouseToTerminal::NoMoreBets { round } => vec![self.show(round, random)],
            HouseToTerminal::Ended => {
                self.betting = None;
                Vec::new()
            }
            HouseToTerminal::Credit { minor } => {
                self.credit = minor;
                Vec::new()
            }
            HouseToTerminal::Answer { request, reply } => match reply {
                Reply::Done | Reply::Refused => {
                    self.unanswered.remove(&request);
                    Vec::new()
                }
                Reply::Busy if self.unanswered.contains_key(&request) => vec![Wish::Again {
                    request,
                    after_ms: random.between(20, 400),
                }],
                Reply::Busy | Reply::Stopped => Vec::new(),
            },
        }
    }

    fn show(&self, round: u64, random: &mut Random) -> Wish {
        let after_ms = match self.manner {
            Manner::Prompt | Manner::Rogue => random.between(0, 60),
            Manner::Slow => *random.pick(&[10, 900, 1_990, 2_000, 2_010, 4_000]),
        };
        Wish::Show { round, after_ms }
    }

    /// It has shown the close of that round.
    pub(crate) fn has_shown(&self, round: u64) -> bool {
        self.shown == Some(round)
    }

    /// Shows *no more bets* and says so.
    pub(crate) fn show_close(&mut self, round: u64) -> (u64, Act) {
        self.betting = None;
        self.shown = Some(round);
        self.ask(Act::AcknowledgeClose {
            station: self.id(),
            round: RoundNumber(round),
        })
    }

    fn ask(&mut self, act: Act) -> (u64, Act) {
        self.requests += 1;
        // Only what has a name of its own, or changes nothing twice, may be said again.
        if matches!(
            act,
            Act::PlaceBets { .. }
                | Act::RemoveBets { .. }
                | Act::ClearBets { .. }
                | Act::AcknowledgeClose { .. }
        ) {
            self.unanswered.insert(self.requests, act.clone());
        }
        (self.requests, act)
    }

    /// What the player does now, if anything.
    pub(crate) fn play(&mut self, random: &mut Random) -> Option<(u64, Act)> {
        if !self.welcomed {
            return None;
        }
        if self.credit < self.step * 10 && random.chance(500) {
            let amount = minor(self.step * random.between(20, 300));
            return Some(self.ask(Act::BuyCredit {
                station: self.id(),
                source: CreditSource::Cash,
                amount,
            }));
        }
        if self.credit > 0 && random.chance(20) {
            let amount = if random.chance(500) {
                self.credit
            } else {
                random.between(1, self.credit)
            };
            let voucher = VoucherId(self.station as u64 * 1_000_000 + self.requests);
            return Some(self.ask(Act::CashOut {
                station: self.id(),
                amount: minor(amount),
                voucher,
            }));
        }
        match (self.betting, self.shown) {
            (Some(round), _) => {
                let act = self.bet(round, random);
                Some(self.ask(act))
            }
            (None, Some(round)) if self.manner == Manner::Rogue && random.chance(400) => {
                let act = self.place(round, random);
                Some(self.ask(act))
            }
            _ => None,
        }
    }

    fn bet(&mut self, round: u64, random: &mut Random) -> Act {
        let (station, bet) = (self.id(), BetId(self.requests + 1));
        let number = RoundNumber(round);
        match random.below(40) {
            0 => Act::ClearBets {
                station,
                round: number,
                bet,
            },
            1 | 2 => Act::RemoveBets {
                station,
                round: number,
                bet,
                means: Means::Credit,
                lines: vec![self.line(random)],
            },
            // A name used again for something else, and a round that is not in hand.
            3 => match self.said.last().cloned() {
                Some(Act::PlaceBets { bet, .. }) => Act::PlaceBets {
                    station,
                    round: number,
                    bet,
                    means: Means::Credit,
                    lines: vec![self.line(random)],
                },
                _ => self.place(round + 1, random),
            },
            // The very same act under the same name, asked anew.
            4 | 5 => self
                .said
                .last()
                .cloned()
                .unwrap_or_else(|| self.place(round, random)),
            _ => self.place(round, random),
        }
    }

    fn place(&mut self, round: u64, random: &mut Random) -> Act {
        let count = random.between(1, 3);
        let act = Act::PlaceBets {
            station: self.id(),
            round: RoundNumber(round),
            bet: BetId(self.requests + 1),
            means: Means::Credit,
            lines: (0..count).map(|_| self.line(random)).collect(),
        };
        self.said.push(act.clone());
        if self.said.len() > 4 {
            self.said.remove(0);
        }
        act
    }

    fn line(&self, random: &mut Random) -> Line {
        let odd = i64::from(random.chance(20));
        Line {
            section: *random.pick(&self.sections),
            stake: minor(self.step * random.between(1, 12) + odd),
        }
    }
}
