//! One table's hub: follows what its loop has made durable and tells everyone
//! who is connected.
//!
//! The hub owns a state of its own, made of published events only, because the
//! loop's is ahead of the disk. One public frame is encoded once for all; what
//! is a player's own goes in a small frame to that station alone. It never waits
//! for a reader.

mod frames;
mod quota;
mod reply;
mod road;
mod sittings;
mod tally;
mod walls;

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use futures_util::future::BoxFuture;
use sicbo_clock::HouseClock;
use sicbo_loop::{Answer, Door, Listener, Returned};
use sicbo_plan::TerminalQuota;
use sicbo_register::case::{MAX_REFUSED, RefusedBet};
use sicbo_register::enrolment::TableName;
use sicbo_register::play::clock::PlayClock;
use sicbo_register::play::{Play, Tally};
use sicbo_register::reached::Reached;
use sicbo_register::shift::Refused;
use sicbo_table::actor::Actor;
use sicbo_table::ids::{BetId, PersonId, RoundNumber, SessionNumber, StationId};
use sicbo_table::{Act, Command, Event, Fact, Refusal, Table, apply};
use sicbo_wire::Frame;

use crate::allowance::Allowance;
use crate::connection::{Bye, ConnectionId, Outbox};
use crate::desk::ToDesk;
use crate::driver::{Driver, Now};

use quota::Quotas;
pub use quota::{QUOTA_REACHED, RESERVE};
pub use reply::Reply;
pub use road::{ROAD_LENGTH, Road};
pub use sittings::{Known, STAYS_MS, Seated, Sittings};
pub use tally::{BoardTally, Report};
use walls::Walls;

/// What can wait for a hub. The loop waits when it is full; others try again.
const WAITING: usize = 1_024;
/// Messages taken together before frames are made.
pub const TOGETHER: usize = 512;
/// A console is told of bets at most this often.
const CONSOLE_EVERY_MS: i64 = 100;
/// The longest a hub with nothing to do waits.
const LONGEST_WAIT_MS: i64 = 500;
/// What found no room is tried again after so long.
const AGAIN_MS: i64 = 5;
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
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nobody holds the state at this moment.
    pub fn nobody_looks(&self) -> bool {
        self.state.try_write().is_ok()
    }

    /// Whether a station may call for staff now; it counts as a call.
    pub fn may_call(&self, station: StationId) -> bool {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let allowance = calls.entry(station);
        let now = self.clock.steady_ms();
        allowance
            .or_insert_with(|| Allowance::of_calls(now))
            .take(now)
    }

    /// Whether a station may connect now; it counts as a connection.
    pub fn may_connect(&self, station: StationId) -> bool {
        let mut links = self
            .connecting
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let allowance = links.entry(station);
        let now = self.clock.steady_ms();
        allowance
            .or_insert_with(|| Allowance::of_connections(now))
            .take(now)
    }

    /// Counts what the register is asked for by a station.
    pub fn note_asked(&self, station: StationId) {
        let round = self.state().table.last_round;
        self.quotas
            .note_money(round, station, self.clock.steady_ms());
    }

    /// Why a station may have no more written in this round, if so; `reserve`
    /// acts more are let through.
    pub fn quota_reached(&self, station: StationId, reserve: u32) -> Option<String> {
        let round = self.state().table.last_round;
        self.quotas
            .reached(station, round, reserve, self.clock.steady_ms())
    }

    /// Why the table is out of service, while it is.
    pub fn stopped(&self) -> Option<String> {
        let stopped = self.stopped.read();
        stopped.unwrap_or_else(PoisonError::into_inner).clone()
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
    #[expect(clippy::result_large_err, reason = "the reply comes back to be used")]
    pub fn submit(&self, reply: Reply, command: Command) -> Result<(), (Reply, Answer<Refusal>)> {
        self.door().submit(reply, command)
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
        self.door.read().unwrap_or_else(PoisonError::into_inner)
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
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
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
        let round = self.state().table.last_round;
        let bet = RefusedBet {
            bet: BetId(bet),
            at_ms: self.clock.now_ms(),
            code: code.to_owned(),
        };
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let own = refused.entry(station).or_default();
        if own.len() >= MAX_REFUSED {
            own.pop_front();
        }
        own.push_back((round, bet));
        drop(refused);
        let mut counted = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        *counted.entry(code.to_owned()).or_default() += 1;
    }

    /// How many bets were refused for each reason since they were last taken down.
    pub fn refusals(&self) -> Vec<Refused> {
        let counted = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        let refused = |(code, count): (&String, &u64)| Refused {
            code: code.clone(),
            count: *count,
        };
        counted.iter().map(refused).collect()
    }

    /// They were taken down: from now on only what is refused after.
    pub fn refusals_taken(&self, taken: &[Refused]) {
        let mut counted = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
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

/// The name of a person by the house's register, looked up without waiting for
/// the desk's work.
pub type Names = Box<dyn Fn(PersonId) -> Option<String> + Send>;

/// A station's connection.
struct Seat {
    connection: ConnectionId,
    outbox: Outbox,
}

/// The work of a hub: what it is told goes in by [`HubWork::take`], and what
/// follows from it and from the time by [`HubWork::turn`]. Frames leave by the
/// boxes of connections, commands by the table's door, and what the desk must
/// know by the desk's queue.
pub struct HubWork {
    hub: Arc<Hub>,
    desk: Sender<ToDesk>,
    names: Names,
    driver: Box<dyn Driver>,
    stations: Vec<Option<Seat>>,
    /// Staff who look on.
    staff: BTreeMap<ConnectionId, Outbox>,
    walls: Walls,
    walls_told_ms: i64,
    /// Public frames kept, each with its version.
    kept: std::collections::VecDeque<(u64, Frame)>,
    /// Version of the newest frame that was let go.
    let_go: u64,
    /// The public state of the newest frame.
    shown: Option<sicbo_wire::public::PublicState>,
    info: Option<sicbo_wire::public::TableInfo>,
    notes: Vec<i64>,
    /// What the desk must still be told. The hub never waits for the desk,
    /// which may be waiting for the hub; a voucher has one step at a time, so
    /// this stays short.
    for_desk: std::collections::VecDeque<ToDesk>,
    /// Stations whose link the table must still be told of.
    links: BTreeMap<StationId, bool>,
    /// The loop has stopped since the table was last read back.
    failed: bool,
    /// Staff have not seen the newest state.
    staff_due: bool,
    staff_told_ms: i64,
}

/// What a new hub is made of.
pub struct NewHub {
    /// The table's name.
    pub name: TableName,
    /// Its durable state.
    pub state: State,
    /// Where its commands go.
    pub door: TableDoor,
    /// This hub's own queue.
    pub sender: Sender<ToHub>,
    /// The desk's queue.
    pub desk: Sender<ToDesk>,
    /// Names of people.
    pub names: Names,
    /// Whoever drives the table.
    pub driver: Box<dyn Driver>,
    /// The notes its acceptors take.
    pub notes: Vec<i64>,
    /// What a terminal may have written in a round.
    pub quota: TerminalQuota,
    /// Why the table is out of service, where it is.
    pub stopped: Option<String>,
    /// The house's clock.
    pub clock: Arc<HouseClock>,
}

/// The hub of a table, and its work, which whoever drives the house does.
#[must_use]
pub fn hub(new: NewHub) -> (Arc<Hub>, HubWork) {
    let let_go = new.state.version;
    let told_ms = new.clock.steady_ms();
    let hub = Arc::new(Hub {
        name: new.name,
        state: RwLock::new(new.state),
        door: RwLock::new(new.door),
        clock: new.clock,
        sender: new.sender,
        stopped: RwLock::new(new.stopped),
        ending: AtomicBool::new(false),
        refused: Mutex::new(BTreeMap::new()),
        refusals: Mutex::new(BTreeMap::new()),
        sittings: Sittings::default(),
        calls: Mutex::default(),
        connecting: Mutex::default(),
        quotas: Quotas::new(new.quota),
    });
    let mut work = HubWork {
        hub: Arc::clone(&hub),
        desk: new.desk,
        names: new.names,
        driver: new.driver,
        stations: Vec::new(),
        staff: BTreeMap::new(),
        walls: Walls::default(),
        walls_told_ms: told_ms,
        kept: std::collections::VecDeque::new(),
        let_go,
        shown: None,
        info: None,
        notes: new.notes,
        for_desk: std::collections::VecDeque::new(),
        links: BTreeMap::new(),
        failed: false,
        staff_due: false,
        staff_told_ms: told_ms,
    };
    // What a table that cannot be read holds is not known.
    if hub.stopped().is_none() {
        work.tell_desk();
    }
    work.refresh();
    (hub, work)
}

impl HubWork {
    /// The table's name.
    #[must_use]
    pub fn table(&self) -> &TableName {
        &self.hub.name
    }

    /// Does what is due now, after some messages were taken, or after a wait.
    pub fn turn(&mut self) {
        self.flush_desk();
        self.link();
        self.drive();
        let now = self.hub.clock.steady_ms();
        if self.staff_due && now - self.staff_told_ms >= CONSOLE_EVERY_MS {
            self.tell_staff();
        }
        if self.walls.waits() && now - self.walls_told_ms >= walls::PAUSE_MS {
            self.walls_told_ms = now;
            self.walls.tell_some();
        }
    }

    /// How many milliseconds nothing need be done.
    #[must_use]
    pub fn wait_ms(&self) -> u64 {
        let now = self.hub.clock.steady_ms();
        let mut wait = LONGEST_WAIT_MS;
        if self.walls.waits() {
            wait = walls::PAUSE_MS - (now - self.walls_told_ms);
        }
        if self.staff_due {
            wait = wait.min(CONSOLE_EVERY_MS - (now - self.staff_told_ms));
        }
        if !self.links.is_empty() || !self.for_desk.is_empty() {
            wait = wait.min(AGAIN_MS);
        }
        if self.may_drive()
            && let Some(due_ms) = self.driver.due_ms(now)
        {
            wait = wait.min(due_ms - now);
        }
        wait.clamp(0, LONGEST_WAIT_MS).unsigned_abs()
    }

    /// Deals with one message.
    pub fn take(&mut self, message: ToHub) {
        match message {
            ToHub::Published {
                first_sequence,
                block,
                events,
            } => self.published(first_sequence, block, &events),
            ToHub::Answered { reply, answer } => self.answered(reply, answer),
            ToHub::AllAnswered(answers) => {
                for (reply, answer) in answers {
                    self.answered(reply, answer);
                }
            }
            ToHub::Stopped(what) => {
                tracing::error!(table = %self.hub.name, what, "the table has stopped");
                self.stop(what);
            }
            ToHub::Recovered { state, driver } => self.recovered(*state, driver),
            ToHub::Restarted { door, done } => {
                // Whoever waited may have gone.
                let _ = done.try_send(self.restarted(door));
            }
            ToHub::Terminal {
                connection,
                station,
                outbox,
                from,
            } => self.terminal(connection, station, outbox, from),
            ToHub::Watcher {
                connection,
                sees,
                outbox,
            } => self.watcher(connection, sees, outbox),
            ToHub::Gone {
                connection,
                station,
            } => self.gone(connection, station),
            ToHub::Tell { station, frame } => self.tell(station, frame),
            ToHub::TellStaff(frame) => self.tell_all_staff(&frame),
            ToHub::Expel(station) => {
                if let Some(seat) = self.stations.get_mut(station.0 as usize)
                    && let Some(seat) = seat.take()
                {
                    seat.outbox.end(Bye::NotEnrolled);
                    self.links.insert(station, false);
                }
            }
        }
    }

    fn published(&mut self, first_sequence: u64, block: [u8; 32], events: &[Event]) {
        let version = first_sequence + events.len() as u64 - 1;
        let mut news = frames::News::default();
        let mut counts = Counts::default();
        let steady_ms = self.hub.clock.steady_ms();
        {
            let mut state = self
                .hub
                .state
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            for event in events {
                news.note(&state.table, event);
                let State {
                    table, road, tally, ..
                } = &mut *state;
                tally.note(table, event);
                self.hub.sittings.note(table, event);
                apply(table, event);
                self.hub.sittings.follow(table, event);
                self.hub.quotas.note(table.last_round, event, steady_ms);
                road.note(table, event);
                counts.note(event);
            }
            (state.version, state.block) = (version, block);
        }
        counts.tell(&self.hub.name);
        self.driver.published(block, events);
        self.tell_everyone(version, &news);
        if news.vouchers {
            self.tell_desk();
        }
        if events.iter().any(moves_meters) {
            let waits = |message: &ToDesk| matches!(message, ToDesk::MetersMoved { .. });
            // Said once it is said for all rounds before it.
            if !self.for_desk.iter().any(waits) {
                let table = self.hub.name.clone();
                self.for_desk.push_back(ToDesk::MetersMoved { table });
            }
            self.flush_desk();
        }
    }

    /// The table is out of service: whoever plays or looks on is told and cut
    /// off; staff are told and stay, since they mend it.
    fn stop(&mut self, what: String) {
        self.failed = true;
        *self
            .hub
            .stopped
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Some(what);
        for seat in self.stations.iter_mut().filter_map(Option::take) {
            seat.outbox.end(Bye::TableStopped);
        }
        self.walls.end(Bye::TableStopped);
        if let Some(told) = self.stopped_frame() {
            self.tell_all_staff(&told);
        }
        // Nothing is asked of the table before it runs again.
        self.links.clear();
        let table = self.hub.name.clone();
        self.for_desk.push_back(ToDesk::TableStopped { table });
        self.flush_desk();
    }

    /// Takes up the table as it was read back from its journal.
    fn recovered(&mut self, state: State, driver: Box<dyn Driver>) {
        self.failed = false;
        self.let_go = state.version;
        *self
            .hub
            .state
            .write()
            .unwrap_or_else(PoisonError::into_inner) = state;
        self.driver = driver;
        self.kept.clear();
        self.shown = None;
        self.refresh();
    }

    /// Takes the table into service again. Staff who look on begin anew, so
    /// that they see it as it is. False when the new loop has failed already:
    /// the table stays out of service.
    fn restarted(&mut self, door: TableDoor) -> bool {
        if self.failed {
            return false;
        }
        let hub = &self.hub;
        *hub.door.write().unwrap_or_else(PoisonError::into_inner) = door;
        *hub.stopped.write().unwrap_or_else(PoisonError::into_inner) = None;
        self.end_all(Bye::Restarted);
        self.tell_desk();
        tracing::warn!(table = %self.hub.name, "the table was started again");
        true
    }

    /// Tells the desk which vouchers the table holds.
    fn tell_desk(&mut self) {
        let news = {
            let state = self.hub.state();
            ToDesk::TableVouchers {
                table: self.hub.name.clone(),
                taken: state.table.vouchers_in.clone(),
                given: state.table.vouchers_out.clone(),
            }
        };
        self.for_desk.push_back(news);
        self.flush_desk();
    }

    fn flush_desk(&mut self) {
        while let Some(message) = self.for_desk.pop_front() {
            if let Err(TrySendError::Full(back)) = self.desk.try_send(message) {
                self.for_desk.push_front(back);
                return;
            }
        }
    }

    /// Tells the table of stations that came or went; what finds no room is
    /// told later.
    fn link(&mut self) {
        while let Some((station, online)) = self.links.pop_first() {
            let act = match online {
                true => Act::Connect { station },
                false => Act::Disconnect { station },
            };
            let command = Command {
                id: 0,
                at_ms: self.hub.clock.now_ms(),
                by: Actor::House,
                second: None,
                act,
            };
            if let Err((_, Answer::Busy)) = self.hub.submit(Reply::Nobody, command) {
                self.links.insert(station, online);
                return;
            }
        }
    }

    /// Whether the driver is asked for its next step: not while the table is out
    /// of service, and about to stop, the house finishes its rounds and begins
    /// none.
    fn may_drive(&self) -> bool {
        self.hub.stopped().is_none()
            && !(self.hub.ends_rounds() && self.hub.state().table.round.is_none())
    }

    /// Lets whoever drives the table take the next step.
    fn drive(&mut self) {
        if !self.may_drive() {
            return;
        }
        // Its pauses are by the steady clock; what it does is stamped like
        // everybody else's.
        let clock = Arc::clone(&self.hub.clock);
        let now = Now {
            steady_ms: clock.steady_ms(),
            now_ms: clock.now_ms(),
        };
        let command = {
            let state = self.hub.state();
            self.driver.next(&state.table, now)
        };
        let command = command.map(|command| Command {
            at_ms: now.now_ms,
            ..command
        });
        if let Some(command) = command
            && let Err((_, answer)) = self.hub.submit(Reply::Driver, command)
        {
            self.driver.answered(&answer, now.steady_ms);
        }
    }

    fn end_all(&mut self, bye: Bye) {
        for seat in self.stations.iter_mut().filter_map(Option::take) {
            seat.outbox.end(bye);
        }
        for outbox in std::mem::take(&mut self.staff).into_values() {
            outbox.end(bye);
        }
        self.walls.end(bye);
    }
}

/// A round has ended, or one that had ended stands otherwise now, or somebody
/// may have left.
fn moves_meters(event: &Event) -> bool {
    matches!(
        event.fact,
        Fact::CashedOut { .. }
            | Fact::TransferredOut { .. }
            | Fact::HandPaid { .. }
            | Fact::RoundSettled { .. }
            | Fact::RoundVoided { .. }
            | Fact::ResultCorrected { .. }
            | Fact::RoundVoidedLate { .. }
    )
}

/// What happened, counted for the metrics.
#[derive(Default)]
struct Counts {
    bets: u64,
    settled: u64,
    void: u64,
}

impl Counts {
    fn note(&mut self, event: &Event) {
        match &event.fact {
            Fact::BetsPlaced { lines, .. } => self.bets += lines.len() as u64,
            Fact::RoundSettled { .. } => self.settled += 1,
            Fact::RoundVoided { .. } => self.void += 1,
            _ => {}
        }
    }

    fn tell(&self, table: &TableName) {
        let table = || table.as_str().to_owned();
        if self.bets > 0 {
            metrics::counter!("sicbo_bets_total", "table" => table()).increment(self.bets);
        }
        for (end, count) in [("settled", self.settled), ("void", self.void)] {
            if count > 0 {
                metrics::counter!("sicbo_rounds_total", "table" => table(), "end" => end)
                    .increment(count);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sicbo_journal::StreamId;
    use sicbo_loop::ClosedDoor;

    use super::*;
    use crate::driver::ByHand;

    fn state() -> State {
        let stream = StreamId::new("table-1").expect("a name");
        State {
            version: 0,
            block: [0; 32],
            table: Table::default(),
            road: Road::of(stream, &[], None),
            tally: BoardTally::since(0),
        }
    }

    #[test]
    fn a_table_whose_new_loop_failed_while_it_was_started_stays_out_of_service() {
        let (_, sender, _receiver) = queue();
        let (desk, _at_desk) = bounded(64);
        let closed = || -> TableDoor { Arc::new(ClosedDoor) };
        let (hub, mut work) = hub(NewHub {
            name: TableName::new("table-1").expect("a name"),
            state: state(),
            door: closed(),
            sender,
            desk,
            names: Box::new(|_| None),
            driver: Box::new(ByHand),
            notes: Vec::new(),
            quota: TerminalQuota::default(),
            stopped: None,
            clock: Arc::clone(sicbo_clock::house()),
        });
        work.take(ToHub::Stopped("the disk failed".to_owned()));
        let mut restart = |fails: bool| {
            let (state, driver) = (Box::new(state()), Box::new(ByHand));
            work.take(ToHub::Recovered { state, driver });
            if fails {
                work.take(ToHub::Stopped("it failed again".to_owned()));
            }
            let (done, is_done) = bounded(1);
            let door = closed();
            work.take(ToHub::Restarted { door, done });
            (is_done.try_recv().expect("told"), hub.stopped())
        };
        let again = Some("it failed again".to_owned());
        assert_eq!(restart(true), (false, again));
        assert_eq!(restart(false), (true, None));
    }
}
