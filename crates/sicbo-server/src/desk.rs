//! The register's hub: follows what the house's own loop has made durable,
//! answers those who wait, and moves vouchers from step to step.
//!
//! Like a table's hub it owns a state made of published events only. Printing
//! waits for a device and is done on a thread of its own.

mod plays;
mod vouchers;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use sicbo_clock::now_ms;
use sicbo_devices::printer::PrintFailure;
use sicbo_house::vouchers::VoucherDesk;
use sicbo_loop::{Answer, Machine};
use sicbo_plan::Zone;
use sicbo_register::enrolment::TableName;
use sicbo_register::reached::Reached;
use sicbo_register::{Act, Command, Event, Fact, Party, Refusal, Register};
use sicbo_runner::{Handle, Listener};
use sicbo_table::Table;
use sicbo_table::ids::{PersonId, StationId, VoucherId};
use sicbo_table::table::Issued;
use tokio::sync::{broadcast, oneshot};

use crate::connection::ConnectionId;
use crate::hub::Hub;
use crate::stakes::Stakes;

pub use vouchers::{PrintJob, Printer, Printers, print_jobs};

/// What can wait for the desk.
const WAITING: usize = 4_096;
/// How far tables have come is noted this often, beside what vouchers need.
const NOTE_EVERY: Duration = Duration::from_secs(60);
/// How soon a step that found no room is tried again.
const AGAIN: Duration = Duration::from_millis(5);
/// What a terminal hears whose request was under way when a journal failed.
const HOUSE_STOPPED: &str = "the house's journal has failed; what became of this is known after \
                             the restart: call the attendant";
const TABLE_STOPPED: &str = "the table has stopped; what became of this is known when it is \
                             started again: call the attendant";

/// What the desk is told.
pub enum ToDesk {
    /// Durable events of the register.
    Published(Vec<Event>),
    /// An answer of the register.
    Answered {
        /// Whose.
        reply: DeskReply,
        /// What.
        answer: Answer<Refusal>,
    },
    /// The register's loop has stopped.
    Stopped(String),
    /// A table is out of service: what it holds is not known before it runs
    /// again.
    TableStopped {
        /// The table.
        table: TableName,
    },
    /// Which vouchers a table holds.
    TableVouchers {
        /// The table.
        table: TableName,
        /// Credited there and not yet forgotten.
        taken: BTreeSet<VoucherId>,
        /// Given out there and not yet forgotten.
        given: BTreeMap<VoucherId, Issued>,
    },
    /// A round has ended at a table, so that its players' play can be counted.
    MetersMoved {
        /// The table.
        table: TableName,
    },
    /// What a table said to a step of a voucher.
    TableAnswered {
        /// The voucher.
        voucher: VoucherId,
        /// What.
        answer: Answer<sicbo_table::Refusal>,
    },
    /// What the printer said.
    Printed {
        /// The voucher.
        voucher: VoucherId,
        /// Why it is not out, or not known to be.
        failed: Option<PrintFailure>,
    },
}

/// A request of a terminal about a voucher.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Its table.
    pub table: TableName,
    /// Its station.
    pub station: StationId,
    /// Its connection.
    pub connection: ConnectionId,
    /// The request's number.
    pub request: u64,
    /// The house's own number of the request: the same one again is not done twice.
    pub own: u64,
}

/// Whom the register's answer goes to.
pub enum DeskReply {
    /// Nobody waits for it.
    Nobody,
    /// A step of a voucher.
    Step(VoucherId),
    /// A terminal wants a voucher, or presents one.
    Terminal {
        /// The command, whose facts say what came of it.
        command: u64,
        /// Which terminal.
        asked: Asked,
    },
    /// Someone who waits.
    Waiter {
        /// The command, whose facts go with the answer.
        command: u64,
        /// Where the answer goes.
        sender: oneshot::Sender<Entered>,
    },
}

/// The register's answer with the facts the command made.
pub struct Entered {
    /// The answer.
    pub answer: Answer<Refusal>,
    /// What happened.
    pub facts: Vec<Fact>,
}

/// The register as the rest of the server sees it.
pub struct Desk {
    register: RwLock<Register>,
    handle: Handle<Register, DeskReply>,
    tables: OnceLock<BTreeMap<TableName, Arc<Hub>>>,
    /// Facts that sessions and sockets must know of.
    news: broadcast::Sender<Fact>,
    stopped: OnceLock<String>,
    /// Stakes of players with limits that are on their way.
    pub stakes: Stakes,
}

/// Numbers the register's commands for as long as the program runs.
fn next_command() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Desk {
    /// The durable register, to be looked at briefly.
    pub fn register(&self) -> RwLockReadGuard<'_, Register> {
        self.register.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// A person's name.
    pub fn name_of(&self, person: PersonId) -> Option<String> {
        let register = self.register();
        let known = register.people.get(&person);
        known.map(|person| person.name.to_string())
    }

    /// Why the register has stopped, if it has.
    pub fn stopped(&self) -> Option<&str> {
        self.stopped.get().map(String::as_str)
    }

    /// Tells the desk which tables run; once.
    pub fn set_tables(&self, tables: BTreeMap<TableName, Arc<Hub>>) {
        // Set once, at the start; a second time nothing would change.
        let _ = self.tables.set(tables);
    }

    /// Facts as they become durable.
    pub fn news(&self) -> broadcast::Receiver<Fact> {
        self.news.subscribe()
    }

    /// As [`Desk::ask`], from a thread that may wait.
    pub fn ask_waiting(&self, by: Party, act: Act) -> Entered {
        let stopped = || Entered {
            answer: Answer::Stopped,
            facts: Vec::new(),
        };
        match self.submit(by, None, act) {
            Ok(receiver) => receiver.blocking_recv().unwrap_or_else(|_| stopped()),
            Err(entered) => entered,
        }
    }

    /// Asks the register and waits for what came of it.
    pub async fn ask(&self, by: Party, second: Option<PersonId>, act: Act) -> Entered {
        let stopped = || Entered {
            answer: Answer::Stopped,
            facts: Vec::new(),
        };
        match self.submit(by, second, act) {
            Ok(receiver) => receiver.await.unwrap_or_else(|_| stopped()),
            Err(entered) => entered,
        }
    }

    fn submit(
        &self,
        by: Party,
        second: Option<PersonId>,
        act: Act,
    ) -> Result<oneshot::Receiver<Entered>, Entered> {
        let id = next_command();
        let command = Command {
            id,
            at_ms: now_ms(),
            by,
            second,
            act,
        };
        let (sender, receiver) = oneshot::channel();
        let reply = DeskReply::Waiter {
            command: id,
            sender,
        };
        match self.handle.submit(reply, command) {
            Ok(()) => Ok(receiver),
            Err((_, answer)) => Err(Entered {
                answer,
                facts: Vec::new(),
            }),
        }
    }

    /// Asks for a terminal, which is told what came of it when it is known.
    ///
    /// # Errors
    /// When the register has no room.
    pub fn ask_for(&self, asked: Asked, by: Party, act: Act) -> Result<(), Answer<Refusal>> {
        let id = asked.own;
        let command = Command {
            id,
            at_ms: now_ms(),
            by,
            second: None,
            act,
        };
        let reply = DeskReply::Terminal { command: id, asked };
        self.handle
            .submit(reply, command)
            .map_err(|(_, answer)| answer)
    }
}

/// The house's own note of how far a table's journal has come.
#[must_use]
pub fn note_table(table: TableName, reached: Reached) -> Command {
    Command {
        id: next_command(),
        at_ms: now_ms(),
        by: Party::House,
        second: None,
        act: Act::NoteTable { table, reached },
    }
}

/// The loop's ear: passes everything on to the desk's thread.
pub struct Ear(Sender<ToDesk>);

impl Listener<Register, DeskReply> for Ear {
    fn answer(&mut self, reply: DeskReply, answer: Answer<Refusal>) {
        let _ = self.0.send(ToDesk::Answered { reply, answer });
    }

    fn publish(&mut self, _: u64, _: sicbo_journal::Hash, events: Vec<Event>) {
        let _ = self.0.send(ToDesk::Published(events));
    }

    fn stopped(&mut self, what: &str) {
        let _ = self.0.send(ToDesk::Stopped(what.to_owned()));
    }
}

/// The two ends of the desk's queue, before the register runs.
#[must_use]
pub fn queue() -> (Ear, Sender<ToDesk>, Receiver<ToDesk>) {
    let (sender, receiver) = bounded(WAITING);
    (Ear(sender.clone()), sender, receiver)
}

/// The desk's thread.
struct Running {
    desk: Arc<Desk>,
    vouchers: VoucherDesk,
    /// What tables hold, in the shape the voucher desk looks at.
    shadows: BTreeMap<TableName, Table>,
    printers: BTreeMap<TableName, Sender<PrintJob>>,
    zone: Zone,
    /// Events of the newest block: answers to its commands follow it.
    newest: Vec<Event>,
    /// Terminals that wait for a voucher to be out, or to be credited.
    asked: BTreeMap<VoucherId, Asked>,
    /// Tables whose players' play is to be counted.
    to_count: BTreeSet<TableName>,
    /// When it was last noted how far the tables have come.
    noted: Instant,
    /// A step found no room.
    again: bool,
}

/// Starts the desk of a register whose durable state is `register`.
///
/// # Errors
/// When the system gives no thread.
pub fn start(
    register: Register,
    handle: Handle<Register, DeskReply>,
    receiver: Receiver<ToDesk>,
    vouchers: VoucherDesk,
    printers: BTreeMap<TableName, Sender<PrintJob>>,
    zone: Zone,
) -> std::io::Result<(Arc<Desk>, std::thread::JoinHandle<()>)> {
    let (news, _) = broadcast::channel(1_024);
    let desk = Arc::new(Desk {
        register: RwLock::new(register),
        handle,
        tables: OnceLock::new(),
        news,
        stopped: OnceLock::new(),
        stakes: Stakes::default(),
    });
    let mut running = Running {
        desk: Arc::clone(&desk),
        vouchers,
        shadows: BTreeMap::new(),
        printers,
        zone,
        newest: Vec::new(),
        asked: BTreeMap::new(),
        to_count: BTreeSet::new(),
        noted: Instant::now(),
        again: false,
    };
    let thread = std::thread::Builder::new()
        .name("desk".to_owned())
        .spawn(move || running.run(&receiver))?;
    Ok((desk, thread))
}

impl Running {
    fn run(&mut self, receiver: &Receiver<ToDesk>) {
        loop {
            let wait = if self.again {
                AGAIN
            } else {
                Duration::from_millis(500)
            };
            match receiver.recv_timeout(wait) {
                Ok(message) => {
                    self.take(message);
                    for message in receiver.try_iter().take(256) {
                        self.take(message);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.move_vouchers();
            self.count_plays();
            if self.noted.elapsed() >= NOTE_EVERY {
                self.noted = Instant::now();
                self.note_tables();
            }
        }
    }

    fn take(&mut self, message: ToDesk) {
        match message {
            ToDesk::Published(events) => self.published(events),
            ToDesk::Answered { reply, answer } => self.answered(reply, answer),
            ToDesk::Stopped(what) => {
                tracing::error!(what, "the register has stopped");
                let _ = self.desk.stopped.set(what);
                self.decline_waiting(|_| true, HOUSE_STOPPED);
            }
            ToDesk::TableStopped { table } => {
                self.shadows.remove(&table);
                {
                    let register = self.desk.register();
                    self.vouchers.table_stopped(&register, &table);
                }
                self.decline_waiting(|asked| asked.table == table, TABLE_STOPPED);
            }
            ToDesk::TableVouchers {
                table,
                taken,
                given,
            } => {
                self.vouchers.table_runs(&table);
                let shadow = self.shadows.entry(table).or_default();
                shadow.vouchers_in = taken;
                shadow.vouchers_out = given;
            }
            ToDesk::MetersMoved { table } => drop(self.to_count.insert(table)),
            ToDesk::TableAnswered { voucher, answer } => self.table_answered(voucher, answer),
            ToDesk::Printed { voucher, failed } => self.printed(voucher, failed),
        }
    }

    /// Notes how far every table has come. What finds no room is noted the
    /// next time.
    fn note_tables(&self) {
        for hub in self.desk.tables.get().into_iter().flat_map(|t| t.values()) {
            let _ = self.note_table(hub);
        }
    }

    /// Notes how far a table has come, when that is news.
    fn note_table(&self, hub: &Hub) -> Result<(), Answer<Refusal>> {
        let Some(reached) = hub.state().reached() else {
            return Ok(());
        };
        let known = self.desk.register().reached.get(&hub.name).copied();
        if known.is_some_and(|known| known.sequence >= reached.sequence) {
            return Ok(());
        }
        let note = note_table(hub.name.clone(), reached);
        let sent = self.desk.handle.submit(DeskReply::Nobody, note);
        sent.map_err(|(_, answer)| answer)
    }

    fn published(&mut self, events: Vec<Event>) {
        {
            let mut register = self
                .desk
                .register
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            for event in &events {
                register.apply(event);
            }
        }
        for event in &events {
            self.tell_terminal(&event.fact);
            self.tell_play(&event.fact);
            // Nobody listening is no fault.
            let _ = self.desk.news.send(event.fact.clone());
        }
        self.newest = events;
    }

    /// The facts a command made, when they are in the newest block.
    fn facts(&self, command: u64) -> Vec<Fact> {
        let made = self.newest.iter().filter(|event| event.command == command);
        made.map(|event| event.fact.clone()).collect()
    }

    fn answered(&mut self, reply: DeskReply, answer: Answer<Refusal>) {
        match reply {
            DeskReply::Nobody => {}
            DeskReply::Step(voucher) => self.step_answered(voucher, answer),
            DeskReply::Terminal { command, asked } => {
                let facts = self.facts(command);
                self.terminal_answered(asked, answer, &facts);
            }
            DeskReply::Waiter { command, sender } => {
                let facts = self.facts(command);
                // Whoever waited may have gone.
                let _ = sender.send(Entered { answer, facts });
            }
        }
    }
}
