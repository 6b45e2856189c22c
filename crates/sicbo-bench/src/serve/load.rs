//! A load of terminals: one process with thousands of connections and one
//! thread, told what to do line by line.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use mio::{Events, Interest, Poll, Token};

use super::bare::BareReader;
use super::orders::{Answer, Order, Play, Waits, now_us};
use super::terminal::{Terminal, Told};
use crate::{BenchError, failed};

/// Terminals that are connecting at once.
const CONNECTING: usize = 200;
/// Bare connections that are made at once: fewer than may wait to be accepted.
const BARE_AT_ONCE: usize = 50;
/// Notes of one terminal that may wait for their answer.
const NOTES_AT_ONCE: usize = 8;
/// Frames a terminal sends in one order, at once and then a second: less than
/// the house allows to one connection.
const ALLOWED_AT_ONCE: u64 = 100;
const ALLOWED_PER_SECOND: u64 = 180;
/// The load looks at its terminals this often, which is added to what it
/// measures. To be woken by each frame would take more of the machine than the
/// house takes to send it, and terminals are machines of their own on a floor.
const TURN: Duration = Duration::from_millis(1);
/// Terminals that wait for nothing are looked at this often.
const SWEEP_US: u64 = 20_000;
/// The whole of an order is done within this time.
const ORDER_WITHIN_US: u64 = 120_000_000;

/// The load of one process.
pub struct LoadArgs {
    /// The house's address.
    pub address: SocketAddr,
    /// A file with a terminal's token on each line.
    pub tokens: PathBuf,
    /// A stake as JSON on each line, on different sections.
    pub stakes: PathBuf,
    /// A note as the acceptor takes it.
    pub note: i64,
}

impl LoadArgs {
    /// Carries out the orders that come line by line, until there are no more.
    pub fn run(self) -> Result<(), BenchError> {
        let read = |path: &PathBuf| -> Result<Vec<String>, BenchError> {
            let text = std::fs::read_to_string(path);
            let text = text.map_err(BenchError::file("read", path))?;
            Ok(text.lines().map(str::to_owned).collect())
        };
        let poll = Poll::new()?;
        let (sender, orders) = mpsc::channel();
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines().map_while(Result::ok) {
                let Ok(order) = serde_json::from_str::<Order>(&line) else {
                    return;
                };
                if sender.send(order).is_err() {
                    return;
                }
            }
        });
        let mut running = Running {
            poll,
            address: self.address,
            tokens: read(&self.tokens)?,
            stakes: read(&self.stakes)?,
            note: self.note,
            terminals: Vec::new(),
            greeted: 0,
            round: 0,
            closing: 0,
            notes_done: 0,
            settled: BTreeMap::new(),
            counted: Counted::default(),
            failed: None,
            told: Vec::new(),
            room: vec![0; 256 * 1024],
            heard: Vec::new(),
            heard_bytes: 0,
            bare: None,
        };
        let mut events = Events::with_capacity(4_096);
        loop {
            match orders.try_recv() {
                Ok(order) => {
                    let mut answer = running.carry_out(&order, &mut events)?;
                    answer.failed = running.failed.take();
                    answer.connected = running.greeted;
                    let line = serde_json::to_string(&answer).map_err(failed)?;
                    let mut out = std::io::stdout().lock();
                    writeln!(out, "{line}")?;
                    out.flush()?;
                }
                Err(mpsc::TryRecvError::Empty) => {
                    running.turn(&mut events)?;
                }
                Err(mpsc::TryRecvError::Disconnected) => return Ok(()),
            }
        }
    }
}

/// What is counted while bets are placed.
#[derive(Default)]
struct Counted {
    from_us: u64,
    until_us: u64,
    registered: u64,
    refused: u64,
    waits: Waits,
}

struct Running {
    poll: Poll,
    address: SocketAddr,
    tokens: Vec<String>,
    stakes: Vec<String>,
    note: i64,
    terminals: Vec<Terminal>,
    /// Terminals that are connected.
    greeted: usize,
    /// The current round, as any terminal was told.
    round: u64,
    /// The last round whose close was shown.
    closing: u64,
    notes_done: usize,
    /// Terminals by the round their last settlement was of, and when it came.
    settled: BTreeMap<u64, (usize, u64)>,
    counted: Counted,
    failed: Option<String>,
    told: Vec<Told>,
    room: Vec<u8>,
    /// Terminals that were heard in this turn.
    heard: Vec<usize>,
    /// Bytes heard since an order began.
    heard_bytes: u64,
    /// Connections that are no terminals.
    bare: Option<BareReader>,
}

impl Running {
    fn carry_out(&mut self, order: &Order, events: &mut Events) -> Result<Answer, BenchError> {
        let mut answer = Answer::default();
        self.heard_bytes = 0;
        let within_us = now_us() + ORDER_WITHIN_US;
        match order {
            Order::Connect { terminals } => {
                let wanted = (*terminals).min(self.tokens.len());
                while self.greeted < wanted && self.goes_on(within_us) {
                    while self.terminals.len() < wanted
                        && self.terminals.len() - self.greeted < CONNECTING
                    {
                        self.connect()?;
                    }
                    self.turn(events)?;
                }
            }
            Order::Notes { terminals, each } => {
                let all = (*terminals).min(self.terminals.len());
                self.notes_done = 0;
                let mut sent = 0;
                while self.notes_done < all * each && self.goes_on(within_us) {
                    // Laps of all terminals, a few notes of each at once.
                    while sent < all * each && sent - self.notes_done < all * NOTES_AT_ONCE {
                        let text = format!(
                            r#"{{"type":"insert_note","request":{sent},"amount":{}}}"#,
                            self.note
                        );
                        let terminal = &mut self.terminals[sent % all];
                        terminal.text(&text);
                        terminal.flush()?;
                        sent += 1;
                    }
                    self.turn(events)?;
                }
            }
            Order::BetOnce { terminals } => {
                let all = (*terminals).min(self.terminals.len());
                self.count(0, u64::MAX);
                self.wait_for_round(events, within_us)?;
                for at in 0..all {
                    let (round, line) = (self.round, &self.stakes[at % self.stakes.len()]);
                    self.terminals[at].bet(round, line, now_us());
                    self.terminals[at].flush()?;
                }
                let all = all as u64;
                while self.counted.registered < all && self.goes_on(within_us) {
                    self.turn(events)?;
                }
                answer.registered = self.counted.registered;
            }
            Order::Settle { terminals, round } => {
                let all = (*terminals).min(self.terminals.len());
                let there = |running: &Running| running.settled.get(round).copied();
                while there(self).is_none_or(|(count, _)| count < all) && self.goes_on(within_us) {
                    self.turn(events)?;
                }
                answer.last_us = there(self).map_or(0, |(_, last_us)| last_us);
                answer.heard_bytes = self.heard_bytes;
                self.settled.clear();
            }
            Order::Play(play) => {
                self.wait_for_round(events, within_us)?;
                self.play(play, events)?;
                answer.registered = self.counted.registered;
                answer.refused = self.counted.refused;
                answer.waits = self.counted.waits.list();
            }
            Order::BareConnect {
                address,
                connections,
            } => {
                let mut reader = BareReader::new()?;
                let mut left = *connections;
                while left > 0 {
                    let some = left.min(BARE_AT_ONCE);
                    reader.connect(*address, some)?;
                    left -= some;
                    // The terminals say that they are there meanwhile.
                    self.turn(events)?;
                }
                self.bare = Some(reader);
            }
            Order::BareRead { bytes } => {
                let mut bare = self.bare.take();
                if let Some(bare) = &mut bare {
                    bare.await_each(*bytes);
                    while bare.waiting() && self.goes_on(within_us) {
                        // The terminals say that they are there meanwhile.
                        self.turn(events)?;
                        bare.look(events, &mut self.room)?;
                    }
                    answer.last_us = bare.last_us();
                }
                self.bare = bare;
            }
            Order::BareClose => self.bare = None,
        }
        if now_us() >= within_us {
            self.failed
                .get_or_insert_with(|| format!("not done in time: {order:?}"));
        }
        Ok(answer)
    }

    fn goes_on(&self, within_us: u64) -> bool {
        self.failed.is_none() && now_us() < within_us
    }

    fn wait_for_round(&mut self, events: &mut Events, within_us: u64) -> Result<(), BenchError> {
        while self.round <= self.closing && self.goes_on(within_us) {
            self.turn(events)?;
        }
        Ok(())
    }

    fn count(&mut self, from_us: u64, until_us: u64) {
        self.counted = Counted {
            from_us,
            until_us,
            ..Counted::default()
        };
    }

    fn connect(&mut self) -> Result<(), BenchError> {
        let at = self.terminals.len();
        let mut terminal = Terminal::connect(self.address, self.tokens[at].clone())?;
        self.poll.registry().register(
            &mut terminal.stream,
            Token(at),
            Interest::READABLE | Interest::WRITABLE,
        )?;
        self.terminals.push(terminal);
        Ok(())
    }

    /// Looks what has happened since the last turn, and deals with it.
    fn turn(&mut self, events: &mut Events) -> Result<(), BenchError> {
        std::thread::sleep(TURN);
        match self.poll.poll(events, Some(Duration::ZERO)) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        self.heard.clear();
        for event in &*events {
            let at = event.token().0;
            let Some(terminal) = self.terminals.get_mut(at) else {
                continue;
            };
            if event.is_readable() {
                self.heard_bytes += terminal.hear(&mut self.room, &mut self.told)?;
                self.heard.push(at);
                let now = now_us();
                let mut told = std::mem::take(&mut self.told);
                for news in told.drain(..) {
                    self.news(at, news, now);
                }
                self.told = told;
            }
            if let Some(terminal) = self.terminals.get_mut(at) {
                terminal.flush()?;
            }
        }
        Ok(())
    }

    fn news(&mut self, at: usize, news: Told, now: u64) {
        match news {
            Told::Mine => self.greeted += 1,
            Told::Round { number, closing } => {
                self.round = self.round.max(number);
                if closing {
                    self.closing = self.closing.max(number);
                    let shown = format!(r#"{{"type":"shown","round":{number}}}"#);
                    self.terminals[at].text(&shown);
                }
            }
            Told::Registered { sent_us } => {
                let counted = &mut self.counted;
                if (counted.from_us..counted.until_us).contains(&now) {
                    counted.registered += 1;
                    counted.waits.add(now.saturating_sub(sent_us), 1);
                }
            }
            Told::Refused(text) => {
                self.counted.refused += 1;
                self.failed.get_or_insert(text);
            }
            Told::Done => self.notes_done += 1,
            Told::Settlement { round } => {
                let (count, last_us) = self.settled.entry(round).or_default();
                *count += 1;
                *last_us = now;
            }
            Told::Bye(why) => {
                self.failed.get_or_insert(why);
            }
        }
    }

    fn play(&mut self, play: &Play, events: &mut Events) -> Result<(), BenchError> {
        let all = play.terminals.min(self.terminals.len()).max(1);
        let frames: Vec<String> = (0..self.stakes.len())
            .map(|first| {
                let lines = (0..play.lines).map(|n| &*self.stakes[(first + n) % self.stakes.len()]);
                lines.collect::<Vec<&str>>().join(",")
            })
            .collect();
        let start = now_us();
        let from = start + play.warm_ms * 1_000;
        let until = from + play.measured_ms * 1_000;
        self.count(from, until);
        let mut placed: u64 = 0;
        let round = self.round;
        let mut sent = vec![0; all];
        let mut sweep_us = 0;
        while now_us() < until && self.failed.is_none() {
            let Some(rate) = play.rate else {
                let now = now_us();
                let mut heard = std::mem::take(&mut self.heard);
                // Now and then all of them, also those that were held back.
                if now >= sweep_us {
                    sweep_us = now + SWEEP_US;
                    heard.clear();
                    heard.extend(0..all);
                }
                let allowed = ALLOWED_AT_ONCE + (now - start) * ALLOWED_PER_SECOND / 1_000_000;
                for at in heard.iter().copied().filter(|at| *at < all) {
                    let terminal = &mut self.terminals[at];
                    while terminal.unanswered() < play.window && sent[at] < allowed {
                        let lines = &frames[placed as usize % frames.len()];
                        terminal.bet(round, lines, now);
                        sent[at] += 1;
                        placed += 1;
                    }
                    terminal.flush()?;
                }
                self.heard = heard;
                self.turn(events)?;
                continue;
            };
            let due = ((now_us() - start) as f64 * rate / 1e6) as u64;
            while placed < due {
                let at = (placed % all as u64) as usize;
                let due_us = start + (placed as f64 * 1e6 / rate) as u64;
                let lines = &frames[placed as usize % frames.len()];
                self.terminals[at].bet(round, lines, due_us);
                self.terminals[at].flush()?;
                placed += 1;
            }
            self.turn(events)?;
        }
        // What is still under way does not belong to the next order.
        let within = now_us() + 10_000_000;
        let busy = |t: &Terminal| t.unanswered() > 0;
        while self.terminals[..all].iter().any(busy) && now_us() < within {
            self.turn(events)?;
        }
        self.terminals[..all].iter_mut().for_each(Terminal::forget);
        Ok(())
    }
}
