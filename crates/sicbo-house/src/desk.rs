//! The register's hub: follows what the house's own loop has made durable,
//! answers those who wait, and moves vouchers from step to step.
//!
//! Like a table's hub it owns a state made of published events only. Printing
//! waits for a device: tickets leave by a queue.

mod plays;
mod requests;
mod vouchers;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crossbeam_channel::{Receiver, Sender, bounded};
use futures_channel::oneshot;
use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use sicbo_clock::HouseClock;
use sicbo_devices::printer::PrintFailure;
use sicbo_loop::{Answer, Door, Listener, Machine};
use sicbo_paper::Language;
use sicbo_plan::Zone;
use sicbo_register::enrolment::TableName;
use sicbo_register::reached::Reached;
use sicbo_register::voucher::Place;
use sicbo_register::{Act, Command, Event, Fact, Party, Refusal, Register};
use sicbo_table::Table;
use sicbo_table::ids::{PersonId, VoucherId};
use sicbo_table::table::Issued;
use sicbo_wire::problem::Problem;
use sicbo_wire::terminal::HouseToTerminal;
use sicbo_wire::{Frame, frame};

use crate::hub::Hub;
use crate::vouchers::VoucherDesk;

use requests::{Arrived, Requests};

pub use vouchers::{PrintJob, Printer, Printers, print_jobs};

/// What can wait for the desk.
const WAITING: usize = 4_096;
/// How far tables have come is noted this often, beside what vouchers need.
const NOTE_EVERY_MS: i64 = 60_000;
/// How soon a step that found no room is tried again.
const AGAIN_MS: u64 = 5;
/// The longest a desk with nothing to do waits.
const LONGEST_WAIT_MS: u64 = 500;
/// Messages taken together before something is made of them.
pub const TOGETHER: usize = 256;
/// The code of an answer that leaves open what becomes of a request: sent again
/// under the same number, it is looked at anew.
pub const STOPPED: &str = "stopped";
/// Likewise, where there was no room for the request.
pub const BUSY: &str = "busy";
/// What a terminal hears whose request was under way when a journal failed.
const HOUSE_STOPPED: &str = "the house's journal has failed; what became of this is known after \
                             the restart: call the attendant";
const TABLE_STOPPED: &str = "the table has stopped; what became of this is known when it is \
                             started again: call the attendant";

pub(crate) const TOO_MUCH_WAITS: &str = "too much is waiting; try again";

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

/// What a terminal wants of a voucher.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Credit becomes one.
    CashOut,
    /// One becomes credit.
    Redemption,
}

/// A request of a terminal about a voucher.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// What it wants.
    pub wanted: Wanted,
    /// Its table and station.
    pub place: Place,
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
    door: RegisterDoor,
    clock: Arc<HouseClock>,
    /// The number of the next command, for as long as the program runs.
    next_command: AtomicU64,
    tables: OnceLock<BTreeMap<TableName, Arc<Hub>>>,
    requests: Mutex<Requests>,
    /// What players read, where their terminals have said so.
    languages: Mutex<BTreeMap<Place, Language>>,
    stopped: OnceLock<String>,
}

impl Desk {
    /// The durable register, to be looked at briefly.
    pub fn register(&self) -> RwLockReadGuard<'_, Register> {
        self.register.read()
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

    /// The number of a new command.
    fn next_command(&self) -> u64 {
        self.next_command.fetch_add(1, Ordering::Relaxed)
    }

    /// A command of the house itself.
    #[must_use]
    pub fn by_house(&self, act: Act) -> Command {
        Command {
            id: self.next_command(),
            at_ms: self.clock.now_ms(),
            by: Party::House,
            second: None,
            act,
        }
    }

    /// The house's own note of how far a table's journal has come.
    #[must_use]
    pub fn noting(&self, table: TableName, reached: Reached) -> Command {
        self.by_house(Act::NoteTable { table, reached })
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

    /// Asks the register and waits for the facts that were entered.
    ///
    /// # Errors
    /// Why none were.
    pub async fn enter(
        &self,
        by: Party,
        second: Option<PersonId>,
        act: Act,
    ) -> Result<Vec<Fact>, Problem> {
        let entered = self.ask(by, second, act).await;
        Problem::unless_entered(entered.answer)?;
        Ok(entered.facts)
    }

    fn submit(
        &self,
        by: Party,
        second: Option<PersonId>,
        act: Act,
    ) -> Result<oneshot::Receiver<Entered>, Entered> {
        let id = self.next_command();
        let command = Command {
            id,
            at_ms: self.clock.now_ms(),
            by,
            second,
            act,
        };
        let (sender, receiver) = oneshot::channel();
        let reply = DeskReply::Waiter {
            command: id,
            sender,
        };
        match self.door.submit(reply, command) {
            Ok(()) => Ok(receiver),
            Err((_, answer)) => Err(Entered {
                answer,
                facts: Vec::new(),
            }),
        }
    }

    /// Asks for a terminal once, however often its request arrives, and answers
    /// at once where that can be. The same request again has the same answer;
    /// one under way is answered to the station, whichever line it has by then.
    pub fn once(
        &self,
        asked: Asked,
        ask: impl FnOnce(Asked) -> Result<(), (&'static str, String)>,
    ) -> Option<Frame> {
        let (request, place, own) = (asked.request, asked.place.clone(), asked.own);
        // Held until it is known whether it was taken: a copy on another line
        // finds it either under way or answered.
        let mut requests = self.requests.lock();
        match requests.arrived(&place, own, request) {
            Arrived::New => {
                let (code, words) = ask(asked).err()?;
                let answer = declined(request, code, &words);
                requests.declined(&place, own, code, &answer);
                Some(answer)
            }
            Arrived::UnderWay => None,
            Arrived::Answered(answer) => Some(answer),
            Arrived::TooMany => Some(declined(request, BUSY, TOO_MUCH_WAITS)),
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
            at_ms: self.clock.now_ms(),
            by,
            second: None,
            act,
        };
        let reply = DeskReply::Terminal { command: id, asked };
        self.door
            .submit(reply, command)
            .map_err(|(_, answer)| answer)
    }
}

/// A request was not done, and why.
pub(crate) fn declined(request: u64, code: &str, words: &str) -> Frame {
    frame(&HouseToTerminal::Declined {
        request,
        code: code.to_owned(),
        words: words.to_owned(),
        rule: None,
    })
}

/// The loop's ear: passes everything on to the desk.
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

/// The work of the desk: what it is told goes in by [`DeskWork::take`], and what
/// follows from it by [`DeskWork::turn`].
pub struct DeskWork {
    desk: Arc<Desk>,
    vouchers: VoucherDesk,
    /// What tables hold, in the shape the voucher desk looks at.
    shadows: BTreeMap<TableName, Table>,
    printers: BTreeMap<TableName, Sender<PrintJob>>,
    zone: Zone,
    address: Option<String>,
    /// Hears of facts as they become durable.
    news: News,
    /// Events of the newest block: answers to its commands follow it.
    newest: Vec<Event>,
    /// Terminals that wait for a voucher to be out, or to be credited.
    asked: BTreeMap<VoucherId, Asked>,
    /// Tables whose players' play is to be counted.
    to_count: BTreeSet<TableName>,
    /// When it was last noted how far the tables have come.
    noted_ms: i64,
    /// A step found no room.
    again: bool,
}

/// Where the commands of the register go.
pub type RegisterDoor = Arc<dyn Door<Register, DeskReply>>;

/// Hears of events as they become durable: sessions, sockets and the feed of
/// the security log must know of some.
pub type News = Box<dyn Fn(&Event) + Send>;

/// What a new desk is made of.
pub struct NewDesk {
    /// The register's durable state.
    pub register: Register,
    /// Where its commands go.
    pub door: RegisterDoor,
    /// Vouchers on their way.
    pub vouchers: VoucherDesk,
    /// Where tickets leave, table by table.
    pub printers: BTreeMap<TableName, Sender<PrintJob>>,
    /// The house's time zone.
    pub zone: Zone,
    /// Where guests reach the house, for what is printed.
    pub address: Option<String>,
    /// Hears of facts.
    pub news: News,
    /// The house's clock.
    pub clock: Arc<HouseClock>,
}

/// The desk of a register, and its work, which whoever drives the house does.
#[must_use]
pub fn desk(new: NewDesk) -> (Arc<Desk>, DeskWork) {
    let noted_ms = new.clock.steady_ms();
    let desk = Arc::new(Desk {
        register: RwLock::new(new.register),
        door: new.door,
        clock: new.clock,
        next_command: AtomicU64::new(1),
        tables: OnceLock::new(),
        requests: Mutex::default(),
        languages: Mutex::default(),
        stopped: OnceLock::new(),
    });
    let work = DeskWork {
        desk: Arc::clone(&desk),
        vouchers: new.vouchers,
        shadows: BTreeMap::new(),
        printers: new.printers,
        zone: new.zone,
        address: new.address,
        news: new.news,
        newest: Vec::new(),
        asked: BTreeMap::new(),
        to_count: BTreeSet::new(),
        noted_ms,
        again: false,
    };
    (desk, work)
}

impl Desk {
    /// A terminal says what its player reads.
    pub fn reads(&self, place: &Place, language: Language) {
        self.languages.lock().insert(place.clone(), language);
    }

    /// The language of a table's rule book and that of whoever plays there, as far as it is known.
    #[must_use]
    pub fn languages_at(&self, place: &Place) -> (Language, Language) {
        let hub = self
            .tables
            .get()
            .and_then(|tables| tables.get(&place.table));
        let book = hub.and_then(|hub| {
            let state = hub.state();
            Language::of_tag(&state.table.book()?.identity.language)
        });
        let book = book.unwrap_or(Language::English);
        let player = self.languages.lock().get(place).copied();
        (book, player.unwrap_or(book))
    }
}

impl DeskWork {
    /// Does what is due now, after some messages were taken, or after a wait.
    pub fn turn(&mut self) {
        self.move_vouchers();
        self.count_plays();
        let now = self.desk.clock.steady_ms();
        if now - self.noted_ms >= NOTE_EVERY_MS {
            self.noted_ms = now;
            self.note_tables();
        }
    }

    /// How many milliseconds nothing need be done.
    #[must_use]
    pub const fn wait_ms(&self) -> u64 {
        match self.again {
            true => AGAIN_MS,
            false => LONGEST_WAIT_MS,
        }
    }

    /// Deals with one message.
    pub fn take(&mut self, message: ToDesk) {
        match message {
            ToDesk::Published(events) => self.published(events),
            ToDesk::Answered { reply, answer } => self.answered(reply, answer),
            ToDesk::Stopped(what) => {
                tracing::error!(what, "the register has stopped");
                let _ = self.desk.stopped.set(what);
                self.decline_waiting(|_| true, HOUSE_STOPPED);
                self.give_up_requests();
            }
            ToDesk::TableStopped { table } => {
                self.shadows.remove(&table);
                {
                    let register = self.desk.register();
                    self.vouchers.table_stopped(&register, &table);
                }
                self.decline_waiting(|asked| asked.place.table == table, TABLE_STOPPED);
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
        let note = self.desk.noting(hub.name.clone(), reached);
        let sent = self.desk.door.submit(DeskReply::Nobody, note);
        sent.map_err(|(_, answer)| answer)
    }

    fn published(&mut self, events: Vec<Event>) {
        {
            let mut register = self.desk.register.write();
            for event in &events {
                register.apply(event);
            }
        }
        for event in &events {
            self.tell_terminal(&event.fact);
            self.tell_play(&event.fact);
            (self.news)(event);
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
