//! The work of a hub: taking what it is told, driving its table, telling the
//! desk. Frames are made in `frames`.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crossbeam_channel::{Sender, TrySendError};
use parking_lot::{Mutex, RwLock};
use sicbo_clock::HouseClock;
use sicbo_loop::Answer;
use sicbo_plan::TerminalQuota;
use sicbo_register::enrolment::TableName;
use sicbo_register::play::Play;
use sicbo_rules::rulebook::words::{Cause, Word as _};
use sicbo_table::actor::Actor;
use sicbo_table::event::VoidBasis;
use sicbo_table::ids::{PersonId, StationId};
use sicbo_table::round::Round;
use sicbo_table::{Act, Command, Event, Fact, apply};
use sicbo_wire::Frame;
use sicbo_wire::public::{PublicState, TableInfo};

use super::newest_round::NewestRound;
use super::news::News;
use super::quota::Quotas;
use super::walls::{self, Walls};
use super::{Hub, Reply, Sittings, State, TableDoor, TerminalActs, ToHub};
use crate::connection::{Bye, ConnectionId, Outbox};
use crate::desk::ToDesk;
use crate::driver::{Driver, Now};

/// A console is told of bets at most this often.
const CONSOLE_EVERY_MS: i64 = 100;
/// The longest a hub with nothing to do waits.
const LONGEST_WAIT_MS: i64 = 500;
/// What found no room is tried again after so long.
const AGAIN_MS: i64 = 5;

/// The name of a person by the house's register, looked up without waiting for
/// the desk's work.
pub type Names = Box<dyn Fn(PersonId) -> Option<String> + Send>;

/// A station's connection.
pub(super) struct Seat {
    pub(super) connection: ConnectionId,
    pub(super) outbox: Outbox,
}

/// The work of a hub: what it is told goes in by [`HubWork::take`], and what
/// follows from it and from the time by [`HubWork::turn`]. Frames leave by the
/// boxes of connections, commands by the table's door, and what the desk must
/// know by the desk's queue.
pub struct HubWork {
    pub(super) hub: Arc<Hub>,
    pub(super) desk: Sender<ToDesk>,
    pub(super) names: Names,
    pub(super) driver: Box<dyn Driver>,
    pub(super) stations: Vec<Option<Seat>>,
    /// Staff who look on.
    pub(super) staff: BTreeMap<ConnectionId, Outbox>,
    pub(super) walls: Walls,
    pub(super) walls_told_ms: i64,
    /// Public frames kept, each with its version.
    pub(super) kept: VecDeque<(u64, Frame)>,
    /// Version of the newest frame that was let go.
    pub(super) let_go: u64,
    /// The public state of the newest frame.
    pub(super) shown: Option<PublicState>,
    pub(super) info: Option<TableInfo>,
    pub(super) notes: Vec<i64>,
    /// What the desk must still be told. The hub never waits for the desk,
    /// which may be waiting for the hub; a voucher has one step at a time, so
    /// this stays short.
    pub(super) for_desk: VecDeque<ToDesk>,
    /// Stations whose link the table must still be told of.
    pub(super) links: BTreeMap<StationId, bool>,
    /// The loop has stopped since the table was last read back.
    pub(super) failed: bool,
    /// Staff have not seen the newest state.
    pub(super) staff_due: bool,
    pub(super) staff_told_ms: i64,
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
        newest: NewestRound::of(&new.state.table),
        state: RwLock::new(new.state),
        door: RwLock::new(new.door),
        clock: new.clock,
        sender: new.sender,
        stopped: RwLock::new(new.stopped),
        ending: AtomicBool::new(false),
        refused: Mutex::new(BTreeMap::new()),
        acts: TerminalActs::default(),
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
        kept: VecDeque::new(),
        let_go,
        shown: None,
        info: None,
        notes: new.notes,
        for_desk: VecDeque::new(),
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
            ToHub::Restarted { door, plays, done } => {
                // Whoever waited may have gone.
                let _ = done.try_send(self.restarted(door, &plays));
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
        let mut news = News::default();
        let mut counts = Counts::default();
        let steady_ms = self.hub.clock.steady_ms();
        {
            let mut state = self.hub.state.write();
            for event in events {
                news.note(&state.table, event);
                counts.note(state.table.round.as_deref(), event);
                let State {
                    table, road, tally, ..
                } = &mut *state;
                tally.note(table, event);
                self.hub.sittings.note(table, event);
                apply(table, event);
                self.hub.sittings.follow(table, event);
                self.hub.quotas.note(table.last_round, event, steady_ms);
                road.note(table, event);
            }
            (state.version, state.block) = (version, block);
            self.hub.newest.follow(&state.table);
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
        *self.hub.stopped.write() = Some(what);
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
        self.hub.acts.give_up();
        self.let_go = state.version;
        {
            let mut known = self.hub.state.write();
            *known = state;
            self.hub.newest.follow(&known.table);
        }
        self.driver = driver;
        self.kept.clear();
        self.shown = None;
        self.refresh();
    }

    /// Takes the table into service again. Staff who look on begin anew, so
    /// that they see it as it is. False when the new loop has failed already:
    /// the table stays out of service.
    fn restarted(&mut self, door: TableDoor, plays: &[(StationId, Play)]) -> bool {
        if self.failed {
            return false;
        }
        let hub = &self.hub;
        // Before anybody is served: a bet must not slip by what its player asked
        // to be held to.
        let now_ms = hub.clock.now_ms();
        for (station, play) in plays {
            hub.restore(*station, play, now_ms);
        }
        *hub.door.write() = door;
        *hub.stopped.write() = None;
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

/// The cause of a void that no book lists.
pub const RULING: &str = "ruling";

fn cause_word(basis: &VoidBasis) -> &'static str {
    match basis {
        VoidBasis::Listed(cause) => cause.key(),
        VoidBasis::Ruling(_) => RULING,
    }
}

/// What happened, counted for the metrics.
#[derive(Default)]
struct Counts {
    bets: u64,
    /// Rounds that were settled.
    settled: Vec<u64>,
    /// Rounds that became void: number, cause and rule.
    void: Vec<(u64, &'static str, String)>,
    /// The same of rounds that had ended.
    void_late: Vec<(u64, &'static str, String)>,
}

impl Counts {
    /// Notes an event that is about to be applied, while `round` is the current round.
    fn note(&mut self, round: Option<&Round>, event: &Event) {
        let round = round.map_or(0, |round| round.number.0);
        match &event.fact {
            Fact::BetsPlaced { lines, .. } => self.bets += lines.len() as u64,
            Fact::RoundSettled { .. } => self.settled.push(round),
            Fact::RoundVoided { basis, rule, .. } => {
                self.void.push((round, cause_word(basis), rule.clone()));
            }
            Fact::RoundVoidedLate {
                round, cause, rule, ..
            } => {
                let cause = cause.map_or(RULING, Cause::key);
                self.void_late.push((round.0, cause, rule.clone()));
            }
            _ => {}
        }
    }

    /// Writes the log and counts. Never while the state is held: a log may keep its writer waiting.
    pub(super) fn tell(&self, name: &TableName) {
        for round in &self.settled {
            tracing::debug!(table = %name, round, "the round was settled");
        }
        for (round, cause, rule) in &self.void {
            tracing::info!(table = %name, round, cause, rule, "the round became void");
        }
        for (round, cause, rule) in &self.void_late {
            tracing::info!(table = %name, round, cause, rule, "an ended round became void");
        }
        let table = || name.as_str().to_owned();
        if self.bets > 0 {
            metrics::counter!("sicbo_bets_total", "table" => table()).increment(self.bets);
        }
        for (when, causes) in [("round", &self.void), ("late", &self.void_late)] {
            for (_, cause, _) in causes {
                metrics::counter!("sicbo_voids_total",
                    "table" => table(), "cause" => *cause, "when" => when)
                .increment(1);
            }
        }
        for (end, count) in [("settled", self.settled.len()), ("void", self.void.len())] {
            if count > 0 {
                metrics::counter!("sicbo_rounds_total", "table" => table(), "end" => end)
                    .increment(count as u64);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::bounded;
    use sicbo_journal::StreamId;
    use sicbo_loop::ClosedDoor;
    use sicbo_table::Table;

    use super::super::{BoardTally, Road, queue};
    use super::*;
    use crate::driver::ByHand;

    pub(super) fn state() -> State {
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
            let plays = Vec::new();
            work.take(ToHub::Restarted { door, plays, done });
            (is_done.try_recv().expect("told"), hub.stopped())
        };
        let again = Some("it failed again".to_owned());
        assert_eq!(restart(true), (false, again));
        assert_eq!(restart(false), (true, None));
    }

    #[test]
    fn p_078_a_table_is_not_in_service_before_it_knows_what_its_players_asked_for() {
        let plan = sicbo_plan::HousePlan::trial();
        let opened = || {
            let mut state = state();
            let command = Command {
                id: 0,
                at_ms: 0,
                by: Actor::House,
                second: None,
                act: Act::OpenTable {
                    config: Box::new(plan.tables[0].config.clone()),
                    stations: plan.tables[0].stations.clone(),
                },
            };
            for event in sicbo_table::decide(&state.table, &command).expect("opened") {
                apply(&mut state.table, &event);
            }
            state
        };
        let (_, sender, _receiver) = queue();
        let (desk, _at_desk) = bounded(64);
        let (hub, mut work) = hub(NewHub {
            name: TableName::new("table-1").expect("a name"),
            state: opened(),
            door: Arc::new(ClosedDoor),
            sender,
            desk,
            names: Box::new(|_| None),
            driver: Box::new(ByHand),
            notes: Vec::new(),
            quota: TerminalQuota::default(),
            stopped: Some("the disk failed".to_owned()),
            clock: Arc::clone(sicbo_clock::house()),
        });
        let here = StationId(0);
        let (state, driver) = (Box::new(opened()), Box::new(ByHand));
        work.take(ToHub::Recovered { state, driver });
        assert!(hub.stopped().is_some() && !hub.asks(here, 0).1);
        let sitting = hub.seated(here, 0).expect("a station").0.sitting;
        let (done, is_done) = bounded(1);
        work.take(ToHub::Restarted {
            door: Arc::new(ClosedDoor),
            plays: vec![(here, Play::new(&sitting))],
            done,
        });
        assert_eq!((is_done.try_recv(), hub.stopped()), (Ok(true), None));
        // The first bet is looked at like every other.
        assert!(hub.asks(here, 0).1, "something is on record");
    }
}
