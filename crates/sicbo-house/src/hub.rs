//! One table's hub: follows what its loop has made durable and tells everyone
//! who is connected.
//!
//! The hub owns a state of its own, made of published events only, because the
//! loop's is ahead of the disk. One public frame is encoded once for all; what
//! is a player's own goes in a small frame to that station alone. It never waits
//! for a reader.

mod acts;
mod by_station;
mod frames;
mod newest_round;
mod news;
mod quota;
mod reply;
mod road;
mod sittings;
mod tally;
mod walls;
mod work;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use futures_util::future::BoxFuture;
use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use sicbo_clock::HouseClock;
use sicbo_loop::{Answer, Door, Listener, Returned};
use sicbo_register::case::{MAX_REFUSED, RefusedBet};
use sicbo_register::enrolment::TableName;
use sicbo_register::play::clock::PlayClock;
use sicbo_register::play::{Play, Tally};
use sicbo_register::reached::Reached;
use sicbo_register::shift::Refused;
use sicbo_table::ids::{BetId, RoundNumber, SessionNumber, StationId};
use sicbo_table::{Command, Event, Refusal, Table};
use sicbo_wire::Frame;

use crate::allowance::Allowance;
use crate::connection::{ConnectionId, Outbox};
use crate::driver::Driver;

pub use acts::{ActName, Arrived, Claim, TerminalActs};
use newest_round::NewestRound;
use quota::Quotas;
pub use quota::{QUOTA_REACHED, RESERVE};
pub use reply::Reply;
pub use road::{ROAD_LENGTH, Road};
pub use sittings::{Known, STAYS_MS, Seated, Sittings};
pub use tally::{BoardTally, Report};
pub use work::{HubWork, Names, NewHub, RULING, hub};

/// What can wait for a hub. The loop waits when it is full; others try again.
const WAITING: usize = 1_024;
/// Messages taken together before frames are made.
pub const TOGETHER: usize = 512;
/// Public frames kept for clients that come back: all of them find room in a new
/// connection's box, with what else is said at its start.
const FRAMES_KEPT: usize = crate::connection::FRAMES_WAITING / 2;

/// Where the commands of a table go.
pub type TableDoor = Arc<dyn Door<Table, Reply>>;

/// What a hub is told.
pub enum ToHub {
    /// Durable events.
    Published {
        /// Sequence of the first.
        first_sequence: u64,
        /// Hash of the header of the block that holds them.
        block: [u8; 32],
        /// In order.
        events: Vec<Event>,
    },
    /// An answer to a command.
    Answered {
        /// Whose.
        reply: Reply,
        /// What.
        answer: Answer<Refusal>,
    },
    /// Answers that became due together, in order.
    AllAnswered(Vec<(Reply, Answer<Refusal>)>),
    /// The table's loop has stopped.
    Stopped(String),
    /// The table was read back from its journal and is about to run again.
    Recovered {
        /// As it was read.
        state: Box<State>,
        /// Whoever drives it from now on.
        driver: Box<dyn Driver>,
    },
    /// It runs again.
    Restarted {
        /// Commands go here.
        door: TableDoor,
        /// What the register knows of those who play there.
        plays: Vec<(StationId, Play)>,
        /// Told whether it is so.
        done: Sender<bool>,
    },
    /// A terminal has said hello.
    Terminal {
        /// Its connection.
        connection: ConnectionId,
        /// Its station.
        station: StationId,
        /// Where its frames go.
        outbox: Outbox,
        /// The last version it has seen.
        from: Option<u64>,
    },
    /// A wall or a console watches.
    Watcher {
        /// Its connection.
        connection: ConnectionId,
        /// What it may see.
        sees: Sees,
        /// Where its frames go.
        outbox: Outbox,
    },
    /// A connection is gone.
    Gone {
        /// Which.
        connection: ConnectionId,
        /// The station it was, if it was one.
        station: Option<StationId>,
    },
    /// A frame for one station, from elsewhere in the house.
    Tell {
        /// Which station.
        station: StationId,
        /// What.
        frame: Frame,
    },
    /// A frame for every console and pit desk.
    TellStaff(Frame),
    /// Ends every connection of a station, as when its key was revoked.
    Expel(StationId),
}

/// What a watcher may see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sees {
    /// What everyone in the room sees.
    Public,
    /// What staff see.
    Staff,
}

/// A table as the rest of the server sees it.
pub struct Hub {
    /// Its name.
    pub name: TableName,
    state: RwLock<State>,
    /// Of the state.
    newest: NewestRound,
    /// Where commands go; another when the table was started again.
    door: RwLock<TableDoor>,
    clock: Arc<HouseClock>,
    sender: Sender<ToHub>,
    /// Why the table is out of service, while it is.
    stopped: RwLock<Option<String>>,
    /// No further round is begun: the house is about to stop.
    ending: AtomicBool,
    /// The last bets each station was refused, for a dispute about them: a
    /// refusal changes nothing and is in no journal.
    refused: Mutex<BTreeMap<StationId, VecDeque<(RoundNumber, RefusedBet)>>>,
    /// Bets and notes that have no answer yet, or were refused.
    pub acts: TerminalActs,
    /// How many bets were refused for each reason since they were last taken
    /// down.
    refusals: Mutex<BTreeMap<String, u64>>,
    /// Who sits where since when, as far as this program has seen them come.
    sittings: Sittings,
    /// How often stations may still call for staff.
    calls: Mutex<BTreeMap<StationId, Allowance>>,
    /// How often each station may still connect.
    connecting: Mutex<BTreeMap<StationId, Allowance>>,
    /// How much stations had written in this round.
    quotas: Quotas,
}

/// What has become durable.
pub struct State {
    /// Sequence of the last record in it.
    pub version: u64,
    /// Hash of the header of the block that ends with that record; zero before
    /// the first.
    pub block: [u8; 32],
    /// The table.
    pub table: Table,
    /// Ended rounds.
    pub road: Road,
    /// What the pit's board counts.
    pub tally: BoardTally,
}

impl State {
    /// The newest record that may have been acknowledged; nothing for a table
    /// of which nothing is known.
    pub fn reached(&self) -> Option<Reached> {
        (self.version > 0).then_some(Reached {
            sequence: self.version,
            header_hash: self.block,
        })
    }
}

impl Hub {
    /// The durable state, to be looked at briefly.
    pub fn state(&self) -> RwLockReadGuard<'_, State> {
        self.state.read()
    }

    /// Has the pit's board count something else from now on: `count` makes the tally as of the
    /// state it is shown. Who deals and what was reported stay.
    pub fn count_anew<E>(
        &self,
        count: impl FnOnce(&State) -> Result<BoardTally, E>,
    ) -> Result<(), E> {
        let mut state = self.state.write();
        let mut tally = count(&state)?;
        tally.dealer = tally.dealer.or(state.tally.dealer);
        tally.reports = std::mem::take(&mut state.tally.reports);
        state.tally = tally;
        Ok(())
    }

    /// The number of the newest round, without waiting for the state.
    pub fn newest_round(&self) -> RoundNumber {
        self.newest.number()
    }

    /// Whether a round is over, without waiting for the state; see [`Table::is_over`].
    pub fn is_over(&self, round: RoundNumber) -> bool {
        self.newest.is_over(round)
    }

    /// Whether nobody holds the state at this moment.
    pub fn nobody_looks(&self) -> bool {
        self.state.try_write().is_some()
    }

    /// Whether a station may call for staff now; it counts as a call.
    pub fn may_call(&self, station: StationId) -> bool {
        let mut calls = self.calls.lock();
        let allowance = calls.entry(station);
        let now = self.clock.steady_ms();
        allowance
            .or_insert_with(|| Allowance::of_calls(now))
            .take(now)
    }

    /// Whether a station may connect now; it counts as a connection.
    pub fn may_connect(&self, station: StationId) -> bool {
        let mut links = self.connecting.lock();
        let allowance = links.entry(station);
        let now = self.clock.steady_ms();
        allowance
            .or_insert_with(|| Allowance::of_connections(now))
            .take(now)
    }

    /// Counts what the register is asked for by a station.
    pub fn note_asked(&self, station: StationId) {
        let round = self.newest.number();
        self.quotas
            .note_money(round, station, self.clock.steady_ms());
    }

    /// Why a station may have no more written in this round, if so; `reserve`
    /// acts more are let through.
    pub fn quota_reached(&self, station: StationId, reserve: u32) -> Option<String> {
        let round = self.newest.number();
        self.quotas
            .reached(station, round, reserve, self.clock.steady_ms())
    }

    /// Why the table is out of service, while it is.
    pub fn stopped(&self) -> Option<String> {
        self.stopped.read().clone()
    }

    /// Rounds are begun again: the house goes on after all.
    pub fn begin_rounds(&self) {
        self.ending.store(false, Ordering::Relaxed);
    }

    /// No further round is begun from now on.
    pub fn end_rounds(&self) {
        self.ending.store(true, Ordering::Relaxed);
    }

    /// No further round is begun: the house is about to stop.
    pub fn ends_rounds(&self) -> bool {
        self.ending.load(Ordering::Relaxed)
    }

    /// A round goes on that can still come to its end.
    pub fn in_round(&self) -> bool {
        self.stopped().is_none() && {
            let state = self.state();
            state.table.round.is_some() && state.table.holding().is_none()
        }
    }

    /// Hands a command in; see [`Door::submit`].
    ///
    /// # Errors
    /// The reply token with `Busy` or `Stopped`.
    pub fn submit(&self, reply: Reply, command: Command) -> Result<(), (Reply, Answer<Refusal>)> {
        self.door().submit(reply, command)
    }

    /// Hands a command in and waits for its answer.
    pub async fn ask(&self, command: Command) -> Answer<Refusal> {
        let (sender, receiver) = futures_channel::oneshot::channel();
        match self.submit(Reply::Waiter(sender), command) {
            Ok(()) => receiver.await.unwrap_or(Answer::Stopped),
            Err((_, answer)) => answer,
        }
    }

    /// Hands a command in and gives it back when it is not taken; see
    /// [`Door::offer`].
    ///
    /// # Errors
    /// The reply token and the command, with `Busy` or `Stopped`.
    #[expect(
        clippy::result_large_err,
        reason = "the command comes back to be tried again"
    )]
    pub fn offer(&self, reply: Reply, command: Command) -> Result<(), Returned<Table, Reply>> {
        self.door().offer(reply, command)
    }

    /// Commands that wait.
    pub fn waiting(&self) -> usize {
        self.door().waiting()
    }

    fn door(&self) -> RwLockReadGuard<'_, TableDoor> {
        self.door.read()
    }

    /// The loop's end of this hub's queue, for a table that is started again.
    pub fn ear(&self) -> Ear {
        Ear {
            hub: self.sender.clone(),
            answers: Vec::new(),
        }
    }

    /// Bets that a station was refused in a round, as far as they are remembered.
    pub fn refused_bets(&self, station: StationId, round: RoundNumber) -> Vec<RefusedBet> {
        let refused = self.refused.lock();
        let own = refused.get(&station).into_iter().flatten();
        let of_round = own.filter(|(known, _)| *known == round);
        of_round.map(|(_, bet)| bet.clone()).collect()
    }

    /// What the table knows of a station.
    pub fn known(&self, station: StationId) -> Option<Known> {
        self.state().table.station(station).map(Known::of)
    }

    /// Who sits at a station, and how it stands.
    pub fn seated(&self, station: StationId, now_ms: i64) -> Option<(Seated, Known)> {
        let known = self.known(station)?;
        Some((self.sittings.at(station, &known, now_ms), known))
    }

    /// The session whose rounds and cases are those of whoever is at a station;
    /// none when they have not played there yet.
    pub fn own_session(&self, station: StationId) -> Option<SessionNumber> {
        let (seated, _) = self.seated(station, self.clock.now_ms())?;
        let session = self.state().table.station(station)?.session;
        // Somebody came after the last one had lost everything: the session is
        // still the other's, until the next buy-in.
        (session >= seated.sitting.session).then_some(session)
    }

    /// The meters and the clock of whoever a play is of: as they stand, or as
    /// they stood when that person left.
    pub fn figures(
        &self,
        station: StationId,
        session: SessionNumber,
        now_ms: i64,
    ) -> Option<(Tally, PlayClock)> {
        let known = self.known(station)?;
        self.sittings.figures(station, session, &known, now_ms)
    }

    /// How long whoever sits at a station has played, and whether anything is
    /// on record for the station: cheap to ask.
    pub fn asks(&self, station: StationId, now_ms: i64) -> (i64, bool) {
        self.sittings.asks(station, now_ms)
    }

    /// Something was entered in the register for whoever sits at a station.
    pub fn entered(&self, station: StationId, now_ms: i64) {
        if let Some(known) = self.known(station) {
            self.sittings.entered(station, &known, now_ms);
        }
    }

    /// Somebody else has come to a station, when it is empty.
    pub fn begin(&self, station: StationId, now_ms: i64) -> bool {
        let known = self.known(station).filter(|known| known.empty);
        if let Some(known) = &known {
            self.sittings.begin(station, known, now_ms);
        }
        known.is_some()
    }

    /// Takes up what the register knew of a player, before anybody is served.
    pub fn restore(&self, station: StationId, play: &Play, now_ms: i64) {
        if let Some(known) = self.known(station) {
            self.sittings.restore(station, play, &known, now_ms);
        }
    }

    /// Remembers a bet that was refused, for a dispute about it and for the
    /// shift's report.
    pub fn note_refused(&self, station: StationId, bet: u64, code: &str) {
        let round = self.newest.number();
        let bet = RefusedBet {
            bet: BetId(bet),
            at_ms: self.clock.now_ms(),
            code: code.to_owned(),
        };
        let mut refused = self.refused.lock();
        let own = refused.entry(station).or_default();
        if own.len() >= MAX_REFUSED {
            own.pop_front();
        }
        own.push_back((round, bet));
        drop(refused);
        let mut counted = self.refusals.lock();
        *counted.entry(code.to_owned()).or_default() += 1;
    }

    /// How many bets were refused for each reason since they were last taken down.
    pub fn refusals(&self) -> Vec<Refused> {
        let counted = self.refusals.lock();
        let refused = |(code, count): (&String, &u64)| Refused {
            code: code.clone(),
            count: *count,
        };
        counted.iter().map(refused).collect()
    }

    /// They were taken down: from now on only what is refused after.
    pub fn refusals_taken(&self, taken: &[Refused]) {
        let mut counted = self.refusals.lock();
        for one in taken {
            if let Some(count) = counted.get_mut(&one.code) {
                *count = count.saturating_sub(one.count);
            }
        }
        counted.retain(|_, count| *count > 0);
    }

    /// Tells the hub; while it has no room, pauses as the host says.
    pub async fn tell(&self, message: ToHub, pause: impl Fn() -> BoxFuture<'static, ()>) {
        let mut message = message;
        loop {
            match self.sender.try_send(message) {
                Ok(()) | Err(TrySendError::Disconnected(_)) => return,
                Err(TrySendError::Full(back)) => {
                    message = back;
                    pause().await;
                }
            }
        }
    }

    /// Tells the hub what may be lost when it has no room.
    pub fn try_tell(&self, message: ToHub) {
        let _ = self.sender.try_send(message);
    }

    /// Tells the hub from a thread that may wait.
    pub fn tell_waiting(&self, message: ToHub) {
        // A hub that is gone has nobody to tell.
        let _ = self.sender.send(message);
    }

    /// Hands a command in, waiting while the queue is full: for what must not
    /// be lost, such as an acknowledgement of the close.
    pub async fn submit_waiting(
        &self,
        reply: Reply,
        command: Command,
        pause: impl Fn() -> BoxFuture<'static, ()>,
    ) {
        let (mut reply, mut command) = (reply, command);
        loop {
            match self.offer(reply, command) {
                Ok(()) => return,
                Err((r, c, Answer::Busy)) => {
                    (reply, command) = (r, c);
                    pause().await;
                }
                Err((reply, _, answer)) => {
                    self.tell(ToHub::Answered { reply, answer }, pause).await;
                    return;
                }
            }
        }
    }
}

/// The loop's ear: passes everything on to the hub, answers of one block
/// together.
pub struct Ear {
    hub: Sender<ToHub>,
    answers: Vec<(Reply, Answer<Refusal>)>,
}

impl Ear {
    fn tell(&mut self, message: ToHub) {
        // A hub that is gone has nobody to tell.
        let _ = self.hub.send(message);
    }
}

impl Listener<Table, Reply> for Ear {
    fn answer(&mut self, reply: Reply, answer: Answer<Refusal>) {
        // Nobody waits for these; they are not worth a place in the queue.
        if matches!(reply, Reply::Nobody) && matches!(answer, Answer::Done { .. }) {
            return;
        }
        self.answers.push((reply, answer));
    }

    fn publish(&mut self, first_sequence: u64, block: sicbo_journal::Hash, events: Vec<Event>) {
        // In the order they came: an answer never overtakes what it rests on.
        self.rest();
        self.tell(ToHub::Published {
            first_sequence,
            block: block.0,
            events,
        });
    }

    fn stopped(&mut self, what: &str) {
        self.rest();
        self.tell(ToHub::Stopped(what.to_owned()));
    }

    fn rest(&mut self) {
        if !self.answers.is_empty() {
            let room = Vec::with_capacity(self.answers.len());
            let answers = std::mem::replace(&mut self.answers, room);
            self.tell(ToHub::AllAnswered(answers));
        }
    }
}

/// The two ends of a hub's queue, before its table runs.
#[must_use]
pub fn queue() -> (Ear, Sender<ToHub>, Receiver<ToHub>) {
    let (sender, receiver) = bounded(WAITING);
    let ear = Ear {
        hub: sender.clone(),
        answers: Vec::new(),
    };
    (ear, sender, receiver)
}
