//! Starts a house: opens its data, brings register and tables back, opens
//! tables that may open by themselves, and says what was found interrupted.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossbeam_channel::bounded;
use sha2::{Digest, Sha256};
use sicbo_house::backup::MONEY_FILE;
use sicbo_house::devices::acceptor::NoteAcceptor;
use sicbo_house::devices::printer::{ToFile, ToFolder, ToTcp};
use sicbo_house::devices::tumbler::Simulated;
use sicbo_house::history::History;
use sicbo_house::plan::{DealerPlan, HousePlan, LightsPlan, PrinterPlan, TablePlan, TumblerPlan};
use sicbo_house::register::enrolment::{EnrolmentId, Key, Role, TableName};
use sicbo_house::register::person::Person;
use sicbo_house::register::pin::{HashError, PinHasher};
use sicbo_house::register::secret::random;
use sicbo_house::register::set_up::{HandOver, SetUpError, set_up};
use sicbo_house::register::validation::VoucherSecret;
use sicbo_house::register::{self, Party, Register};
use sicbo_house::vouchers::VoucherDesk;
use sicbo_house::{
    Answer, Handle, LoopOptions, Machine, Recovered, RecoveryError, Runner, RunnerOptions, clock,
    now_ms, recover,
};
use sicbo_journal::{
    DataFolder, FolderError, KeyFolder, KeyFolderError, OpenError, Purpose, SaltKey, Store,
    StreamId,
};
use sicbo_rules::rulebook::words::Position;
use sicbo_table::actor::Actor;
use sicbo_table::ids::StationId;
use sicbo_table::station::{Link, StationKind};
use sicbo_table::table::Status;
use sicbo_table::{Act, Command, Fact, Table, codec};
use tokio::sync::{oneshot, watch};

use super::{Engine, Floor, Proposals, Seat, Started, TableAt, trial};
use crate::desk::{self, Desk, DeskReply, Printers, ToDesk};
use crate::driver::{AutomaticDealer, ByHand, CloseBlock, Driver, Trial, staff_by_position};
use crate::hub::{self, BoardTally, ROAD_LENGTH, Reply, Road, State};
use crate::limited::Limited;
use crate::lines::{self, Line, WithBinding, WithLights};
use crate::practice::Lessons;
use crate::secrets::{Secrets, write_private};
use crate::sessions::Sessions;
use crate::timed::Timed;
use crate::wire::staff::Files as _;
use sicbo_house::membership::{FileMembership, Membership, SimulatedMembership};

/// Tickets that may wait for the printers.
const PRINT_JOBS: usize = 256;
/// The list of members in the data folder, which another system keeps.
const MEMBERS: &str = "members.tsv";
/// PINs hashed at once: each takes 19 MiB.
const HASHED_AT_ONCE: usize = 4;
/// PINs that may wait to be hashed.
const HASHES_WAITING: usize = 64;
/// Journals read at once; each holds a thread.
const READ_AT_ONCE: usize = 8;
/// Questions that may wait for a journal to be read.
const READS_WAITING: usize = 256;
/// Reports made at once, and those that may wait.
const REPORTS_AT_ONCE: usize = 1;
const REPORTS_WAITING: usize = 7;
/// How long a network printer may take.
const PRINTER_WITHIN: Duration = Duration::from_secs(10);

/// Why a house could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The keys.
    #[error(transparent)]
    Keys(#[from] KeyFolderError),
    /// A journal.
    #[error("the journal {stream}: {error}")]
    Open {
        /// Which.
        stream: String,
        /// Why.
        error: OpenError,
    },
    /// A state could not be brought back.
    #[error("the journal {stream}: {error}")]
    Recovery {
        /// Which.
        stream: String,
        /// Why.
        error: RecoveryError,
    },
    /// A file or a thread.
    #[error("{what}: {error}")]
    Io {
        /// What was being done.
        what: String,
        /// Why not.
        error: std::io::Error,
    },
    /// PINs cannot be hashed.
    #[error(transparent)]
    Hash(#[from] HashError),
    /// The first start.
    #[error(transparent)]
    SetUp(#[from] SetUpError),
    /// A first act was refused.
    #[error("{what} was refused: {why}")]
    Refused {
        /// What.
        what: String,
        /// Why.
        why: String,
    },
    /// There are journals of tables but none of the house.
    #[error(
        "the house's own journal (house.sqlite) is missing while those of its tables are there; \
         restore it from a backup: without it vouchers and people are unknown"
    )]
    Lost,
    /// A table of the plan may not be.
    #[error("{0}")]
    Plan(String),
}

fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> StartError {
    let what = what.into();
    move |error| StartError::Io { what, error }
}

/// What is the same for every journal of the house.
struct Place {
    data: DataFolder,
    keys: KeyFolder,
    secrets: Secrets,
}

impl Place {
    fn open(path: &Path, purpose: Purpose) -> Result<Place, StartError> {
        let data = DataFolder::open_or_create_for(path, purpose)?;
        let streams = DataFolder::streams(path)?;
        let known = streams
            .iter()
            .any(|stream| stream.as_str() == register::STREAM);
        if !known && !streams.is_empty() {
            return Err(StartError::Lost);
        }
        // What a house has once had is read, never made anew: other secrets
        // would make every voucher unknown and every PIN wrong.
        let (keys, secrets) = match known {
            true => (
                KeyFolder::open(&data.keys_path())?,
                Secrets::open(&data.keys_path()),
            ),
            false => {
                let entropy: [u8; 32] = random().map_err(SetUpError::from)?;
                (
                    KeyFolder::open_or_create(&data.keys_path(), || entropy)?,
                    Secrets::open_or_create(&data.keys_path()),
                )
            }
        };
        let secrets = secrets.map_err(io("the house's secrets"))?;
        Ok(Place {
            data,
            keys,
            secrets,
        })
    }

    fn store(&self, name: &str, known: bool) -> Result<(StreamId, Box<dyn Store>), StartError> {
        let stream = StreamId::new(name)
            .map_err(|_| StartError::Plan(format!("{name:?} cannot be the name of a journal")))?;
        let store = match known {
            // A lost file must be noticed, not replaced by an empty one.
            true => self.data.open_stream(&stream),
            false => self.data.open_or_create_stream(&stream),
        };
        let store = store.map_err(|error| StartError::Open {
            stream: name.to_owned(),
            error,
        })?;
        Ok((stream, Box::new(Timed(Box::new(store)))))
    }

    fn recover<M: Machine, R>(
        &self,
        stream: &StreamId,
        store: &dyn Store,
    ) -> Result<Recovered<M, R>, StartError> {
        let salt = SaltKey::new(random().map_err(SetUpError::from)?);
        recover(store, stream, &salt, LoopOptions::default()).map_err(|error| {
            StartError::Recovery {
                stream: stream.to_string(),
                error,
            }
        })
    }

    fn run<M: Machine + Send + 'static, R: Send + 'static>(
        &self,
        recovered: Recovered<M, R>,
        store: Box<dyn Store>,
        ear: Box<dyn sicbo_house::Listener<M, R>>,
    ) -> Result<Runner<M, R>, StartError> {
        Runner::start(
            recovered.writer_loop,
            store,
            self.keys.current().clone(),
            self.keys.ring().house(),
            ear,
            RunnerOptions::default(),
        )
        .map_err(io("starting a loop"))
    }
}

/// Starts a house as planned over its data. Blocks until every table is up.
///
/// # Errors
/// When anything of it cannot be; nothing is left running then.
pub fn start(mut plan: HousePlan, path: &Path) -> Result<Started, StartError> {
    // S-04: nobody is spoken to before the self-test has passed.
    for table in &plan.tables {
        for layout in &table.config.book.layouts {
            let test = sicbo_rules::SelfTest::of(layout);
            if let Some(fault) = test.disagreements.first() {
                let name = table.config.book.layout_name(layout);
                let what = format!("the self-test of {name} failed: {fault}");
                return Err(StartError::Plan(what));
            }
        }
    }
    let program = program_digest().map_err(io("reading the running program"))?;
    for table in &mut plan.tables {
        table.config.program = program;
    }
    let practice = plan.practice;
    if practice && (plan.real_money || plan.tables.iter().any(|at| at.config.real_money)) {
        let what = "practice is never played for money (P-068)".to_owned();
        return Err(StartError::Plan(what));
    }
    let place = Place::open(
        path,
        match practice {
            true => Purpose::Practice,
            false => Purpose::House,
        },
    )?;
    same_money(path, plan.real_money)?;
    let hasher = Arc::new(PinHasher::new(place.secrets.pins)?);

    let (stream, store) = place.store(register::STREAM, false)?;
    let recovered: Recovered<Register, DeskReply> = place.recover(&stream, store.as_ref())?;
    clock::house().not_before(recovered.last_ms);
    let register = recovered.writer_loop.state().clone();
    let (ear, desk_sender, desk_receiver) = desk::queue();
    let register_runner = place.run(recovered, store, Box::new(ear))?;
    let vouchers = VoucherDesk::new(VoucherSecret::new(place.secrets.vouchers), &register);
    let first_start = register.terms.is_none();
    let mut to_print = BTreeMap::new();
    for (name, printer) in printers(&plan, path).map_err(io("the printers"))? {
        // Each on a thread of its own: one without paper delays no other.
        let (jobs, receiver) = bounded(PRINT_JOBS);
        let for_desk = desk_sender.clone();
        std::thread::Builder::new()
            .name(format!("printer {name}"))
            .spawn(move || desk::print_jobs(printer, &receiver, &for_desk))
            .map_err(io("starting a printer"))?;
        to_print.insert(name, jobs);
    }
    let (desk, _) = desk::start(
        register,
        register_runner.handle(),
        desk_receiver,
        vouchers,
        to_print,
        plan.zone.clone(),
    )
    .map_err(io("starting the desk"))?;

    // Their journals are there before the house knows of its tables: one that
    // is missing later was lost.
    if first_start {
        for table in &plan.tables {
            place.store(table.name.as_str(), false)?;
        }
    }
    let hand_over = match first_start {
        true => Some(first_act(&plan, &hasher, &desk)?),
        false => {
            enter(&desk, register::Act::EndSessions, "ending old sessions")?;
            None
        }
    };
    if let Some(hand_over) = &hand_over
        && !plan.real_money
    {
        let seats = trial_seats(&desk, hand_over);
        write_private(
            &path.join(trial::FILE),
            trial::Seats::file(&seats).as_bytes(),
        )
        .map_err(io("the trial's terminals"))?;
    }
    let (staff, last) = {
        let register = desk.register();
        let people = register.people.iter();
        let may = |person: &Person| !person.disabled;
        let people = people
            .filter(|(_, person)| may(person))
            .map(|(id, person)| (*id, person.position));
        let people: Vec<_> = people.collect();
        (
            staff_by_position(people.iter().copied()),
            staff_by_position(people.iter().rev().copied()),
        )
    };
    // Simulated people are others than those a trainee logs in as first.
    let lessons = practice.then_some(last);

    let found = recover_tables(&place, &plan.tables, |table| {
        !first_start && is_known(&desk, &table.name)
    })?;
    // Time does not run back while the house is shut: where the machine's clock
    // did, the house goes on from its last record, and somebody looks.
    for journal in &found {
        clock::house().not_before(journal.recovered.last_ms);
    }
    if let Some((_, machine_ms)) = clock::house().apart() {
        let act = register::Act::ReportClock { machine_ms };
        enter(&desk, act, "saying that the clocks have parted")?;
    }
    let mut tables = BTreeMap::new();
    let mut runners = Vec::new();
    for (table, found) in plan.tables.iter().zip(found) {
        // Each table has a lesson of its own.
        let lessons = lessons.clone().map(Lessons::new);
        let people = (&staff, lessons);
        let (at, runner) =
            start_table(&place, path, (table, found), people, (&desk, &desk_sender))?;
        tables.insert(table.name.clone(), at);
        runners.push(runner);
    }
    desk.set_tables(
        tables
            .iter()
            .map(|(name, at)| (name.clone(), Arc::clone(&at.hub)))
            .collect(),
    );
    // Before anybody is served, so that nobody's play begins anew.
    let plays = desk.register().plays.clone();
    for (at, play) in &plays {
        if let Some(table) = tables.get(&at.table) {
            table.hub.restore(at.station, play, sicbo_house::now_ms());
        }
    }
    // What was played and not counted before the program last stopped.
    for table in tables.keys() {
        let table = table.clone();
        // The desk has room for more than all tables; what is lost is counted
        // when the next round has ended.
        let _ = desk_sender.try_send(ToDesk::MetersMoved { table });
    }
    let members = path.join(MEMBERS);
    // A house for money asks its own list, or nobody's card is known.
    let membership: Box<dyn Membership> = match plan.real_money || members.exists() {
        true => Box::new(FileMembership::at(&members)),
        false => Box::new(SimulatedMembership),
    };
    let (stop, _) = watch::channel(false);
    let floor = Arc::new(Floor {
        desk,
        tables,
        sessions: Sessions::new(plan.idle_log_out_minutes),
        hasher,
        data: path.to_owned(),
        program,
        voucher_secret: VoucherSecret::new(place.secrets.vouchers),
        clock: crate::clock::LastSet::default(),
        hashing: Limited::new(HASHED_AT_ONCE, HASHES_WAITING),
        reading: Limited::new(READ_AT_ONCE, READS_WAITING),
        proposals: Mutex::new(Proposals::default()),
        carrying: super::Carrying::default(),
        membership,
        reporting: Limited::new(REPORTS_AT_ONCE, REPORTS_WAITING),
        seats: Mutex::new(trial::Seats::read(path)),
        seat_file: Mutex::default(),
        plan,
        stop,
    });
    Ok(Started {
        floor,
        engine: Engine {
            register: register_runner,
            tables: runners,
            _data: place.data,
        },
        hand_over,
    })
}

/// A folder is one house's for ever, for money or for play: vouchers and credit
/// of the one are worth nothing in the other.
fn same_money(path: &Path, real_money: bool) -> Result<(), StartError> {
    let word = |real: bool| if real { "real money" } else { "play money" };
    let file = path.join(MONEY_FILE);
    match std::fs::read_to_string(&file) {
        Ok(known) if known.trim() == word(real_money) => Ok(()),
        Ok(known) => Err(StartError::Plan(format!(
            "{} is a house for {}, and this plan is for {}: name another data folder",
            path.display(),
            known.trim(),
            word(real_money)
        ))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            write_private(&file, format!("{}\n", word(real_money)).as_bytes())
                .map_err(io("noting what the house plays for"))
        }
        Err(error) => Err(io("reading what the house plays for")(error)),
    }
}

/// The journal of a table.
pub(crate) fn stream_of(table: &TablePlan) -> StreamId {
    match StreamId::new(table.name.as_str()) {
        Ok(stream) => stream,
        Err(_) => unreachable!("a table's name is a journal's"),
    }
}

/// Whether the register knows of a table: a console was enrolled at it, be it
/// revoked since.
fn is_known(desk: &Desk, name: &TableName) -> bool {
    let register = desk.register();
    let mut enrolled = register.enrolments.values();
    enrolled.any(|known| known.role.table() == Some(name))
}

/// SHA-256 of the file this program runs from (S-16).
fn program_digest() -> std::io::Result<[u8; 32]> {
    let mut file = std::fs::File::open(std::env::current_exe()?)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = std::io::Read::read(&mut file, &mut buffer)?;
        if read == 0 {
            return Ok(hash.finalize().into());
        }
        hash.update(&buffer[..read]);
    }
}

/// Something the house itself enters into the register.
fn enter(desk: &Desk, act: register::Act, what: &str) -> Result<Vec<register::Fact>, StartError> {
    let entered = desk.ask_waiting(Party::House, act);
    match entered.answer {
        Answer::Done { .. } => Ok(entered.facts),
        Answer::Refused(refusal) => Err(StartError::Refused {
            what: what.to_owned(),
            why: refusal.to_string(),
        }),
        other => Err(StartError::Refused {
            what: what.to_owned(),
            why: format!("{other:?}"),
        }),
    }
}

/// Sets the house up: its people with one-time PINs, its terminals and
/// consoles with keys of their own.
fn first_act(plan: &HousePlan, hasher: &PinHasher, desk: &Desk) -> Result<HandOver, StartError> {
    let mut places = Vec::new();
    for table in &plan.tables {
        for (number, station) in (0..).zip(&table.stations) {
            if station.kind == StationKind::Terminal {
                let role = Role::Station {
                    table: table.name.clone(),
                    station: StationId(number),
                };
                places.push((role, format!("{} {}", table.name, station.name)));
            }
        }
        let role = Role::Console {
            table: table.name.clone(),
        };
        places.push((role, format!("{} console", table.name)));
    }
    let staff: Vec<(&str, Position)> = plan
        .staff
        .iter()
        .map(|(name, position)| (name.as_str(), *position))
        .collect();
    let (act, hand_over) = set_up(hasher, plan.terms(), &staff, places)?;
    enter(desk, act, "setting the house up")?;
    Ok(hand_over)
}

/// The terminals of a play-money house with their tokens.
fn trial_seats(desk: &Desk, hand_over: &HandOver) -> Vec<Seat> {
    let register = desk.register();
    let seats = hand_over.tokens.iter().filter_map(|(_, token)| {
        let (id, _): (EnrolmentId, Key) = Key::from_token(token)?;
        match &register.enrolments.get(&id)?.role {
            Role::Station { table, station } => Some(Seat {
                table: table.clone(),
                station: *station,
                token: token.clone(),
            }),
            _ => None,
        }
    });
    seats.collect()
}

fn printers(plan: &HousePlan, data: &Path) -> std::io::Result<Printers> {
    let mut printers = Printers::new();
    for table in &plan.tables {
        let mut printer: Box<dyn sicbo_house::devices::printer::Printer> = match &table.printer {
            PrinterPlan::Folder(folder) => Box::new(ToFolder::new(&in_data(data, folder))?),
            PrinterPlan::File(file) => Box::new(ToFile::new(file)),
            PrinterPlan::Tcp(address) => Box::new(ToTcp::new(*address, PRINTER_WITHIN)),
        };
        printers.insert(
            table.name.clone(),
            Box::new(move |voucher, ticket| printer.print(voucher, ticket)),
        );
    }
    Ok(printers)
}

fn in_data(data: &Path, folder: &Path) -> PathBuf {
    match folder.is_absolute() {
        true => folder.to_owned(),
        false => data.join(folder),
    }
}

/// A table's journal, read back.
struct Found {
    stream: StreamId,
    store: Box<dyn Store>,
    recovered: Recovered<Table, Reply>,
}

/// Reads the journals of all tables back, several at once: a house of many
/// tables is open again as soon as its longest journal is read.
fn recover_tables(
    place: &Place,
    tables: &[TablePlan],
    known: impl Fn(&TablePlan) -> bool + Sync,
) -> Result<Vec<Found>, StartError> {
    let at_once = std::thread::available_parallelism().map_or(1, usize::from);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let found = Mutex::new(BTreeMap::new());
    let read = |table: &TablePlan| -> Result<Found, StartError> {
        let (stream, store) = place.store(table.name.as_str(), known(table))?;
        let recovered = place.recover(&stream, store.as_ref())?;
        Ok(Found {
            stream,
            store,
            recovered,
        })
    };
    std::thread::scope(|scope| {
        for _ in 0..at_once.min(tables.len()) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(table) = tables.get(at) else { return };
                    let read = read(table);
                    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                    found.insert(at, read);
                }
            });
        }
    });
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.into_values().collect()
}

fn start_table(
    place: &Place,
    path: &Path,
    (plan, found): (&TablePlan, Found),
    (staff, practice): (
        &BTreeMap<Position, sicbo_table::ids::PersonId>,
        Option<Lessons>,
    ),
    (desk, to_desk): (&Arc<Desk>, &crossbeam_channel::Sender<desk::ToDesk>),
) -> Result<(TableAt, Runner<Table, Reply>), StartError> {
    let Found {
        stream,
        store,
        recovered,
    } = found;
    let table = recovered.writer_loop.state().clone();
    let version = recovered.writer_loop.durable();
    let interrupted = recovered.interrupted;
    let from = table
        .last_round
        .0
        .saturating_sub(ROAD_LENGTH as u64 - 1)
        .max(1);
    let rows = store
        .rounds(from, ROAD_LENGTH)
        .map_err(|error| StartError::Recovery {
            stream: stream.to_string(),
            error: error.into(),
        })?;
    let road = Road::of(stream.clone(), &rows, table.book().map(AsRef::as_ref));
    let close = close_block(&table, &rows, store.as_ref());
    let (ear, sender, receiver) = hub::queue();
    let runner = place.run(recovered, store, Box::new(ear))?;
    let dealer = match plan.dealer {
        DealerPlan::Automatic { .. } => Some(AutomaticDealer::new(true)),
        DealerPlan::Person if plan.tumbler == TumblerPlan::Simulated => {
            Some(AutomaticDealer::new(false))
        }
        DealerPlan::Person => None,
    };
    let driver: Box<dyn Driver> = match (&dealer, plan.tumbler) {
        _ if practice.is_some() => match &practice {
            Some(lessons) => Box::new(lessons.driver()),
            None => Box::new(ByHand),
        },
        (Some(dealer), TumblerPlan::Simulated) => Box::new(Trial::new(
            plan.name.clone(),
            Box::new(Simulated::new(place.secrets.tumblers, plan.name.clone())),
            dealer.clone(),
            match plan.dealer {
                DealerPlan::Automatic { pace } => pace,
                DealerPlan::Person => sicbo_house::dealer::Pace::USUAL,
            },
            staff.clone(),
            close,
        )),
        _ => Box::new(ByHand),
    };
    let line = Line::default();
    let driver: Box<dyn Driver> = match plan.lights {
        LightsPlan::None => driver,
        lights => Box::new(WithLights::new(driver, lights, Arc::clone(&line))),
    };
    let on_line = matches!(plan.tumbler, TumblerPlan::Line { .. });
    let driver: Box<dyn Driver> = match practice {
        // A lesson's tumbler speaks for itself.
        Some(_) => driver,
        None => Box::new(WithBinding::new(driver, on_line, plan.shortest_tumble_ms)),
    };
    let acceptor = match plan.note_acceptor {
        true => NoteAcceptor::new(plan.config.currency, Vec::new()).ok(),
        false => None,
    };
    let notes = acceptor.as_ref().map_or_else(Vec::new, |acceptor| {
        acceptor.notes().iter().map(|note| note.minor()).collect()
    });
    let online: Vec<StationId> = table
        .stations
        .iter()
        .enumerate()
        .filter(|(_, station)| station.link == Link::Online && !station.removed)
        .filter_map(|(at, _)| Some(StationId(u32::try_from(at).ok()?)))
        .collect();
    let status = table.status.clone();
    let opened = table.config.is_some();
    let (hub, _) = hub::start(
        plan.name.clone(),
        State {
            version,
            table,
            road,
            tally: BoardTally::default(),
        },
        runner.handle(),
        (sender.clone(), receiver),
        to_desk.clone(),
        driver,
        notes,
    )
    .map_err(io("starting a hub"))?;
    if let Some(address) = plan.device_listen {
        let opened = lines::open(
            address,
            plan.name.clone(),
            Arc::clone(desk),
            runner.handle(),
            sender,
            on_line,
        )
        .map_err(io(format!(
            "the devices' line of {} on {address}",
            plan.name
        )))?;
        // Set once, here.
        let _ = line.set(opened);
    }
    let history = History::open(&stream, &DataFolder::stream_path(path, &stream)).ok();
    let at = TableAt {
        hub,
        plan: plan.clone(),
        dealer,
        practice,
        acceptor,
        line,
        proposals: Mutex::new(Proposals::default()),
        history: Mutex::new(history),
    };
    let by_house = |act: Act| commands(&runner.handle(), [act]);
    if interrupted && status != Status::Closed {
        by_house(Act::Interrupt {
            what: "the house program was restarted".to_owned(),
        })?;
    }
    // Nobody is connected to a program that has just started.
    let gone = online
        .into_iter()
        .map(|station| Act::Disconnect { station });
    commands(&runner.handle(), gone)?;
    // Before anything deals: a table that was never opened is told later.
    let parted = desk.register().clock_parted;
    if let Some(parted) = parted.filter(|_| opened) {
        by_house(Act::ReportClock {
            machine_ms: parted.machine_ms,
        })?;
    }
    // A trial deals by itself and practice is always open; a real table is
    // opened by its supervisor.
    let by_itself = at.practice.is_some() || matches!(plan.dealer, DealerPlan::Automatic { .. });
    if status == Status::Closed && by_itself {
        let opening = at.opening().map_err(StartError::Plan)?;
        by_house(opening)?;
    }
    Ok((at, runner))
}

/// Commands of the house itself, carried out before anyone is let in; they
/// share their syncs.
fn commands(
    handle: &Handle<Table, Reply>,
    acts: impl IntoIterator<Item = Act>,
) -> Result<(), StartError> {
    let mut asked = VecDeque::new();
    for act in acts {
        let what = format!("{act:?}").chars().take(40).collect::<String>();
        let mut command = Command {
            id: 0,
            at_ms: now_ms(),
            by: Actor::House,
            second: None,
            act,
        };
        loop {
            let (sender, receiver) = oneshot::channel();
            match handle.submit(Reply::Waiter(sender), command.clone()) {
                Ok(()) => {
                    asked.push_back((what, receiver));
                    break;
                }
                // The inbox is full of what was asked before: some of it is waited for.
                Err((_, Answer::Busy)) if !asked.is_empty() => {
                    if let Some((what, receiver)) = asked.pop_front() {
                        was_done(what, receiver.blocking_recv().unwrap_or(Answer::Stopped))?;
                    }
                    command.at_ms = now_ms();
                }
                Err((_, answer)) => return was_done(what, answer),
            }
        }
    }
    for (what, receiver) in asked {
        was_done(what, receiver.blocking_recv().unwrap_or(Answer::Stopped))?;
    }
    Ok(())
}

fn was_done(what: String, answer: Answer<sicbo_table::Refusal>) -> Result<(), StartError> {
    let why = match answer {
        Answer::Done { .. } => return Ok(()),
        Answer::Refused(refusal) => refusal.to_string(),
        other => format!("{other:?}"),
    };
    Err(StartError::Refused { what, why })
}

/// The block that closed the bets of the round in hand, if they are closed.
fn close_block(
    table: &Table,
    rows: &[sicbo_journal::RoundRow],
    store: &dyn Store,
) -> Option<CloseBlock> {
    let round = table.round.as_deref()?.number.0;
    let row = rows.iter().find(|row| row.round == round)?;
    for raw in store.read_from(row.first_sequence) {
        let block = raw.ok()?.decode().ok()?;
        for record in block.records() {
            let event = codec::decode(record.kind, record.version, record.payload).ok()?;
            if matches!(event.fact, Fact::BetsClosed { .. })
                && record.sequence >= row.first_sequence
            {
                return Some(CloseBlock {
                    round,
                    hash: block.header_hash().0,
                });
            }
        }
    }
    Some(CloseBlock {
        round,
        hash: [0; 32],
    })
}
