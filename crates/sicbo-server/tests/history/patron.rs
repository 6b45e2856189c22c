//! A player whose line breaks and whose house dies, and who writes everything
//! down: what was asked, under which number, and what was answered.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::common::SOON;
use crate::common::house::Site;
use crate::common::terminal::{bet, stakes};
use crate::history::kills::Phase;
use sicbo_testkit::random::Random;

const NOTE: i64 = 100_000;
const LEAST_CREDIT: i64 = 20_000;
const CASH_OUT: i64 = 5_000;
const SECTIONS: [&str; 12] = [
    "big",
    "small",
    "odd",
    "even",
    "any-triple",
    "triple:3",
    "double:4",
    "total:11",
    "pair:3-4",
    "single:4",
    "four:6543",
    "three-single:126",
];

/// How a bet was answered.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Answer {
    Registered,
    Refused(String),
}

impl Answer {
    /// The bet is older than the house remembers: no answer at all to who has none.
    fn is_forgotten(&self) -> bool {
        *self == Answer::Refused("too_old_to_say".to_owned())
    }

    /// Both say that the bet counts, or both that it does not.
    fn agrees(&self, other: &Answer) -> bool {
        (*self == Answer::Registered) == (*other == Answer::Registered)
    }
}

/// A bet that was sent, once or more often.
pub(crate) struct AskedBet {
    pub(crate) round: u64,
    pub(crate) lines: Vec<(&'static str, i64)>,
    pub(crate) answer: Option<Answer>,
}

/// What moves money besides bets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum MoneyAct {
    Note,
    CashOut,
}

/// Such an act that was sent, once or more often.
pub(crate) struct AskedMoney {
    pub(crate) act: MoneyAct,
    pub(crate) amount: i64,
    pub(crate) answer: Option<Value>,
}

/// A player at one terminal.
pub(crate) struct Patron {
    pub(crate) table: &'static str,
    pub(crate) layout: &'static str,
    /// As the house calls the station.
    pub(crate) name: String,
    token: String,
    random: Random,
    next: u64,
    pub(crate) bets: BTreeMap<u64, AskedBet>,
    pub(crate) money: BTreeMap<u64, AskedMoney>,
    /// Bets and requests without an answer.
    open_bets: BTreeSet<u64>,
    open_money: BTreeSet<u64>,
    /// As the house last showed it.
    pub(crate) credit: i64,
    pub(crate) at_risk: i64,
    /// Answers that contradict earlier ones.
    pub(crate) contradictions: Vec<String>,
}

/// The line, and what was seen on it.
struct Line {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The round that takes bets now.
    betting: Option<u64>,
    bet_in: u64,
    shown: u64,
    knows_itself: bool,
}

impl Line {
    async fn send(&mut self, message: Value) -> bool {
        let text = Message::text(message.to_string());
        self.socket.send(text).await.is_ok()
    }

    /// The next frame; none when the line is gone.
    async fn frame(&mut self) -> Option<Value> {
        loop {
            match self.socket.next().await? {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }
}

impl Patron {
    pub(crate) fn new(site: &Site, table: &'static str, station: u32, seed: usize) -> Patron {
        Patron {
            table,
            layout: site.layout(table, station),
            name: String::new(),
            token: site.token(table, station),
            random: Random(seed as u64),
            next: 1,
            bets: BTreeMap::new(),
            money: BTreeMap::new(),
            open_bets: BTreeSet::new(),
            open_money: BTreeSet::new(),
            credit: 0,
            at_risk: 0,
            contradictions: Vec::new(),
        }
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    async fn connect(&self, address: SocketAddr) -> Option<Line> {
        let url = format!("ws://{address}/ws/terminal");
        let opened = timeout(SOON, tokio_tungstenite::connect_async(url)).await;
        let (socket, _) = opened.ok()?.ok()?;
        let mut line = Line {
            socket,
            betting: None,
            bet_in: 0,
            shown: 0,
            knows_itself: false,
        };
        let hello = json!({"type": "hello", "protocol": 1, "token": self.token});
        line.send(hello).await.then_some(line)
    }

    /// Writes a frame down.
    fn note(&mut self, line: &mut Line, frame: &Value) {
        let number = |key: &str| frame[key].as_u64().expect("a number");
        match frame["type"].as_str().expect("a type") {
            "welcome" => {
                let name = frame["station"]["name"].as_str().expect("a name");
                name.clone_into(&mut self.name);
            }
            "table" => {
                let round = &frame["state"]["round"];
                let open = round["phase"] == "betting";
                line.betting = round["number"].as_u64().filter(|_| open);
            }
            "mine" => {
                self.credit = frame["mine"]["credit"].as_i64().expect("credit");
                self.at_risk = frame["mine"]["at_risk"].as_i64().expect("at risk");
                line.knows_itself = true;
            }
            "registered" => {
                self.credit = frame["credit"].as_i64().expect("credit");
                self.at_risk = frame["at_risk"].as_i64().expect("at risk");
                self.answered(number("id"), Answer::Registered);
            }
            "refused" => {
                let code = frame["code"].as_str().expect("a code").to_owned();
                self.answered(number("id"), Answer::Refused(code));
            }
            "settlement" => {
                self.credit = frame["credit"].as_i64().expect("credit");
                self.at_risk = 0;
            }
            // Not an answer: what becomes of it is open, and it is asked again.
            "declined" if frame["code"] == "busy" || frame["code"] == "stopped" => {}
            "done" | "declined" | "voucher" => {
                let request = number("request");
                let asked = self.money.get_mut(&request).expect("a request of ours");
                if let Some(before) = &asked.answer
                    && (before["type"] != frame["type"] || before["voucher"] != frame["voucher"])
                {
                    let what = format!("request {request}: {before} and then {frame}");
                    self.contradictions.push(what);
                }
                asked.answer = Some(frame.clone());
                self.open_money.remove(&request);
            }
            _ => {}
        }
    }

    fn answered(&mut self, id: u64, answer: Answer) {
        let asked = self.bets.get_mut(&id).expect("a bet of ours");
        match &asked.answer {
            // Old bets are asked again now and then, also such as are forgotten by now.
            Some(_) if answer.is_forgotten() => {}
            Some(before) if !before.agrees(&answer) => {
                let what = format!("bet {id}: {before:?} and then {answer:?}");
                self.contradictions.push(what);
            }
            Some(_) => {}
            None if answer.is_forgotten() => {
                let what = format!("bet {id}: forgotten before it was answered");
                self.contradictions.push(what);
            }
            None => {
                asked.answer = Some(answer);
                self.open_bets.remove(&id);
            }
        }
    }

    fn bet_again(&self, id: u64) -> Value {
        let asked = &self.bets[&id];
        bet(id, asked.round, &asked.lines)
    }

    fn money_again(&self, request: u64) -> Value {
        let asked = &self.money[&request];
        let kind = match asked.act {
            MoneyAct::Note => "insert_note",
            MoneyAct::CashOut => "cash_out",
        };
        json!({"type": kind, "request": request, "amount": asked.amount})
    }

    /// Sends again whatever was never answered, in any order.
    async fn ask_again(&mut self, line: &mut Line) -> bool {
        let bets = self.open_bets.iter().map(|id| self.bet_again(*id));
        let money = self.open_money.iter();
        let money = money.map(|request| self.money_again(*request));
        let mut again: Vec<Value> = bets.chain(money).collect();
        self.random.shuffle(&mut again);
        for message in again {
            if !line.send(message).await {
                return false;
            }
        }
        true
    }

    fn moves(&mut self, act: MoneyAct, amount: i64) -> Value {
        let request = self.number();
        let asked = AskedMoney {
            act,
            amount,
            answer: None,
        };
        self.money.insert(request, asked);
        self.open_money.insert(request);
        self.money_again(request)
    }

    /// New bets in a round that takes them, and now and then an old one again.
    fn bets_for(&mut self, round: u64) -> Vec<Value> {
        let mut messages = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let id = self.number();
            let lines = (0..1 + self.random.below(3))
                .map(|_| {
                    let stake = 100 * (1 + self.random.below(5) as i64);
                    (self.random.pick(&SECTIONS), stake)
                })
                .collect();
            let asked = AskedBet {
                round,
                lines,
                answer: None,
            };
            self.bets.insert(id, asked);
            self.open_bets.insert(id);
            messages.push(self.bet_again(id));
        }
        if self.random.one_in(8) {
            // Requests and bets share their numbers.
            let one = 2 + self.random.below(self.next as usize - 1) as u64;
            let known = self.bets.range(..=one).next_back();
            messages.extend(known.map(|(id, _)| self.bet_again(*id)));
        }
        messages
    }

    /// Plays until the line ends, and says which phases it is shown. False when
    /// the house cannot be reached.
    pub(crate) async fn play(
        &mut self,
        address: SocketAddr,
        seen: &watch::Sender<Option<Phase>>,
    ) -> bool {
        let Some(mut line) = self.connect(address).await else {
            return false;
        };
        let mut asked_again = false;
        while let Some(frame) = line.frame().await {
            self.note(&mut line, &frame);
            if frame["type"] == "table" {
                seen.send_replace(Some(Phase::shown(&frame)));
            }
            if line.knows_itself && !asked_again {
                asked_again = true;
                if !self.ask_again(&mut line).await {
                    return true;
                }
            }
            if frame["type"] == "table" && !self.follow(&mut line, &frame).await {
                return true;
            }
        }
        true
    }

    /// Does what a player does at this state of the table; false ends the line.
    async fn follow(&mut self, line: &mut Line, frame: &Value) -> bool {
        let round = &frame["state"]["round"];
        if round["phase"] == "closing"
            && let Some(number) = round["number"].as_u64().filter(|n| *n > line.shown)
        {
            line.shown = number;
            return line.send(json!({"type": "shown", "round": number})).await;
        }
        let Some(round) = line.betting.filter(|round| *round > line.bet_in) else {
            return true;
        };
        line.bet_in = round;
        let mut messages = Vec::new();
        if self.credit < LEAST_CREDIT {
            messages.push(self.moves(MoneyAct::Note, NOTE));
        } else if self.random.one_in(25) {
            messages.push(self.moves(MoneyAct::CashOut, CASH_OUT));
        }
        messages.extend(self.bets_for(round));
        for message in messages {
            if !line.send(message).await {
                return false;
            }
        }
        // Some lines break before the answer comes.
        !self.random.one_in(30)
    }

    /// Asks again whatever was not answered and waits until all of it is, and
    /// until nothing is at risk any more.
    pub(crate) async fn finish(&mut self, address: SocketAddr) {
        let wait = async {
            let mut line = self.connect(address).await.expect("the house is up");
            let mut asked_again = false;
            loop {
                let frame = line.frame().await.expect("the line holds");
                self.note(&mut line, &frame);
                if line.knows_itself && !asked_again {
                    asked_again = true;
                    assert!(self.ask_again(&mut line).await, "the line holds");
                }
                let round = &frame["state"]["round"];
                if frame["type"] == "table" && round["phase"] == "closing" {
                    let shown = json!({"type": "shown", "round": round["number"]});
                    assert!(line.send(shown).await, "the line holds");
                }
                if asked_again && self.at_risk == 0 && self.unanswered().is_empty() {
                    return;
                }
            }
        };
        if timeout(SOON, wait).await.is_err() {
            panic!(
                "{} at {}: {} at risk, unanswered {:?}",
                self.name,
                self.table,
                self.at_risk,
                self.unanswered()
            );
        }
    }

    /// Sees its own state once more.
    pub(crate) async fn look(&mut self, address: SocketAddr) {
        let mut line = self.connect(address).await.expect("the house is up");
        while !line.knows_itself {
            let frame = timeout(SOON, line.frame()).await.expect("in time");
            self.note(&mut line, &frame.expect("the line holds"));
        }
    }

    fn unanswered(&self) -> Vec<Value> {
        let bets = self.open_bets.iter().map(|id| {
            let lines = stakes(&self.bets[id].lines);
            json!({"bet": id, "lines": lines})
        });
        let money = self.open_money.iter().map(|request| {
            let act = format!("{:?}", self.money[request].act);
            json!({"request": request, "act": act})
        });
        bets.chain(money).collect()
    }
}
