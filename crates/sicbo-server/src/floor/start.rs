//! Starts a house: opens its data, brings register and tables back, opens
//! tables that may open by themselves, and says what was found interrupted.

mod place;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::bounded;
use futures_executor::block_on;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use sicbo_backup::backup::MONEY_FILE;
use sicbo_clock as clock;
use sicbo_devices::printer::{ToFile, ToFolder, ToTcp};
use sicbo_house::clock::LastSet;
use sicbo_house::desk::{self, Desk, DeskReply, NewDesk, Printers, ToDesk};
use sicbo_house::driver::staff_by_position;
use sicbo_house::house::{Host, House};
use sicbo_house::membership::{FileMembership, Membership, SimulatedMembership};
use sicbo_house::practice::Lessons;
use sicbo_house::proposals::Proposals;
use sicbo_house::service::restore_plays;
use sicbo_house::sessions::Sessions;
use sicbo_house::vouchers::VoucherDesk;
use sicbo_journal::{DataFolder, FolderError, KeyFolderError, OpenError, Purpose, StreamId};
use sicbo_loop::{Answer, Recovered, RecoveryError};
use sicbo_plan::{HousePlan, PrinterPlan, TablePlan};
use sicbo_register::enrolment::{EnrolmentId, Key, Role, TableName};
use sicbo_register::person::Person;
use sicbo_register::pin::{HashError, PinHasher};
use sicbo_register::set_up::{HandOver, SetUpError, set_up};
use sicbo_register::validation::VoucherSecret;
use sicbo_register::{self as register, Party, Register};
use sicbo_rules::rulebook::words::Position;
use sicbo_table::ids::StationId;
use sicbo_table::station::StationKind;
use tokio::sync::{broadcast, watch};

use super::tables::{Opened, read_all, start_table};
use super::tasks::Tasks;
use super::threads::drive_desk;
use super::{Engine, Floor, Seat, Started, trial};
use crate::limited::Limited;
use crate::secrets::write_private;

pub(super) use place::Place;

/// Tickets that may wait for the printers.
const PRINT_JOBS: usize = 256;
/// The list of members in the data folder, which another system keeps.
const MEMBERS: &str = "members.tsv";
/// Secrets of a first start in the folder of keys, until somebody has logged in.
const HAND_OVER: &str = "hand-over.txt";
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
/// Tables that may wait to be started again while another one is.
const RESTARTS_WAITING: usize = 15;
/// A house for money that was shut for longer does not trust the machine's clock
/// unseen: vouchers would expire by it.
const LONG_SHUT_MS: i64 = 24 * 3_600_000;
/// How long a network printer may take.
const PRINTER_TIMEOUT: Duration = Duration::from_secs(10);

/// One person for each position.
type ByPosition = BTreeMap<Position, sicbo_table::ids::PersonId>;

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
    /// A journal lacks records that were acknowledged.
    #[error(
        "the journal {stream} is an older copy: {what}. Put the newest file of this table back \
         and start the table again; if it is lost, keep what there is and see \"A journal that is \
         older\" in docs/operating.md"
    )]
    Older {
        /// Which.
        stream: String,
        /// How that is known.
        what: String,
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
    /// A house for real money is made only when that is asked for.
    #[error(
        "there is no house in {0}. If it has run before, its data is missing: mount the folder or \
         restore a backup, and start again. To make a new house for real money, say so: --new-house"
    )]
    NoHouse(PathBuf),
    /// There is a house where a new one was asked for.
    #[error("there is a house in {0}, and people have worked in it: start it without --new-house")]
    HouseThere(PathBuf),
    /// A table of the plan may not be.
    #[error("{0}")]
    Plan(String),
}

impl StartError {
    /// Whether bits that were read wrong could be the reason.
    fn may_be_misread(&self) -> bool {
        match self {
            StartError::Open { error, .. } => error.may_be_misread(),
            StartError::Recovery { error, .. } => error.may_be_misread(),
            StartError::Older { .. } => true,
            _ => false,
        }
    }
}

pub(super) fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> StartError {
    let what = what.into();
    move |error| StartError::Io { what, error }
}

/// Starts a house as planned over its data. Blocks until every table is up.
/// With real money a house is made only as a `new_house`: a folder that is
/// missing or empty is more likely not mounted.
///
/// # Errors
/// When anything of it cannot be; nothing is left running then.
pub fn start(mut plan: HousePlan, path: &Path, new_house: bool) -> Result<Started, StartError> {
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
    let has_house = || {
        let streams = DataFolder::streams(path).unwrap_or_default();
        !streams.is_empty()
    };
    // Before anything is made there.
    if plan.real_money && !new_house && !has_house() {
        return Err(StartError::NoHouse(path.to_owned()));
    }
    let place = Place::open(
        path,
        match practice {
            true => Purpose::Practice,
            false => Purpose::House,
        },
    )?;
    same_money(path, plan.real_money)?;
    let hasher = Arc::new(PinHasher::new(place.secrets.pins, plan.pin_cost)?);

    let (store, recovered) = place.read_again(register::STREAM, || {
        let (stream, mut store) = place.store(register::STREAM, false)?;
        let recovered: Result<Recovered<Register, DeskReply>, _> =
            place.recover(&stream, store.as_ref());
        let recovered = recovered.inspect_err(|_| store.abandon())?;
        Ok((store, recovered))
    })?;
    let register_ms = recovered.last_ms;
    clock::house().not_before(register_ms);
    let register = recovered.writer_loop.state().clone();
    let first_start = register.terms.is_none();
    if first_start && plan.real_money && !new_house {
        return Err(StartError::NoHouse(path.to_owned()));
    }
    let worked_in = register.people.values();
    let worked_in = worked_in
        .clone()
        .any(|known| known.last_log_in_ms.is_some());
    if worked_in && new_house {
        return Err(StartError::HouseThere(path.to_owned()));
    }
    let (ear, desk_sender, desk_receiver) = desk::queue();
    let register_runner = place.run(recovered, store, Box::new(ear))?;
    let vouchers = VoucherDesk::new(VoucherSecret::new(place.secrets.vouchers), &register);
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
    let (news, _) = broadcast::channel(1_024);
    let heard = news.clone();
    let (desk, work) = desk::desk(NewDesk {
        register,
        door: Arc::new(register_runner.handle()),
        vouchers,
        printers: to_print,
        zone: plan.zone.clone(),
        // Nobody listening is no fault.
        news: Box::new(move |fact| drop(heard.send(fact.clone()))),
        clock: Arc::clone(clock::house()),
    });
    drive_desk(work, desk_receiver).map_err(io("starting the desk"))?;

    // Their journals are there before the house knows of its tables: one that
    // is missing later was lost.
    if first_start {
        for table in &plan.tables {
            place.store(table.name.as_str(), false)?;
        }
    }
    let opened = read_all(&place, &plan.tables, |table| {
        let noted = desk.register().reached.get(&table.name).copied();
        (!first_start && is_known(&desk, &table.name), noted)
    })?;
    if !first_start {
        let tables = opened.iter().flatten().map(Opened::last_ms);
        let last_ms = tables.fold(register_ms, i64::max);
        check_clock(&desk, last_ms, plan.real_money)?;
    }
    // Before anybody can hold one of them.
    let names = plan.above_director.clone();
    let what = "naming the positions above the director";
    enter(&desk, register::Act::NamePositions { names }, what)?;
    let hand_over = match first_start {
        true => Some(first_act(&plan, &hasher, &desk, &place.hand_over_file())?),
        false => {
            enter(&desk, register::Act::EndSessions, "ending old sessions")?;
            // Their acts were held by the program that was asked.
            let what = "ending old proposals";
            enter(&desk, register::Act::EndProposals, what)?;
            place.hand_over_again(worked_in)?
        }
    };
    if let Some(hand_over) = &hand_over
        && !plan.real_money
        && (first_start || !path.join(trial::FILE).exists())
    {
        let seats = trial_seats(&desk, hand_over);
        write_private(
            &path.join(trial::FILE),
            trial::Seats::file(&seats).as_bytes(),
        )
        .map_err(io("the trial's terminals"))?;
    }
    let (staff, last) = people_by_position(&desk.register());
    // Simulated people are others than those a trainee logs in as first.
    let lessons = practice.then_some(last);

    let mut tables = BTreeMap::new();
    let mut runners = BTreeMap::new();
    for (table, opened) in plan.tables.iter().zip(opened) {
        // Each table has a lesson of its own.
        let lessons = lessons.clone().map(Lessons::new);
        let people = (&staff, lessons);
        let table_at = (path, plan.terminal_quota);
        let (at, runner) = start_table(
            &place,
            table_at,
            (table, opened),
            people,
            (&desk, &desk_sender),
        )?;
        tables.insert(table.name.clone(), at);
        if let Some(runner) = runner {
            runners.insert(table.name.clone(), runner);
        }
    }
    desk.set_tables(
        tables
            .iter()
            .map(|(name, at)| (name.clone(), Arc::clone(&at.hub)))
            .collect(),
    );
    for table in tables.values() {
        restore_plays(&desk, &table.hub, clock::now_ms());
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
    let place = Arc::new(place);
    let runners = Arc::new(Mutex::new(runners));
    let host = Arc::new(Tasks::new(Limited::new(READ_AT_ONCE, READS_WAITING)));
    let house = Arc::new(House {
        desk: Arc::clone(&desk),
        tables,
        sessions: Sessions::new(plan.idle_log_out_minutes),
        voucher_secret: VoucherSecret::new(place.secrets.vouchers),
        proposals: Mutex::new(Proposals::new(Arc::clone(clock::house()))),
        proposing: futures_util::lock::Mutex::default(),
        membership,
        clock: Arc::clone(clock::house()),
        clock_set: LastSet::default(),
        host: Arc::clone(&host) as Arc<dyn Host>,
        plan,
    });
    let floor = Arc::new(Floor {
        house,
        hasher,
        data: path.to_owned(),
        program,
        news,
        host,
        hashing: Limited::new(HASHED_AT_ONCE, HASHES_WAITING),
        restarting: Limited::new(1, RESTARTS_WAITING),
        reporting: Limited::new(REPORTS_AT_ONCE, REPORTS_WAITING),
        seats: Mutex::new(trial::Seats::read(path)),
        seat_file: Mutex::default(),
        stop,
        place: Arc::downgrade(&place),
        runners: Arc::clone(&runners),
    });
    Ok(Started {
        floor,
        engine: Engine {
            desk,
            register: register_runner,
            tables: runners,
            _place: place,
        },
        hand_over,
    })
}

/// Time neither runs back nor jumps far ahead while the house is shut without
/// somebody looking at it: where the machine's clock ran back, the house goes on
/// from its last record; where it is long after that record, the house follows
/// the machine's. A house that plays for nothing is not kept shut by a pause.
fn check_clock(desk: &Desk, last_ms: i64, real_money: bool) -> Result<(), StartError> {
    let house = clock::house();
    house.not_before(last_ms);
    let say = |machine_ms| {
        let act = register::Act::ReportClock { machine_ms };
        enter(desk, act, "saying that the clocks have parted")
    };
    let (machine_ms, steady_ms) = (house.now_ms(), house.steady_ms());
    let shut_ms = machine_ms.saturating_sub(last_ms);
    if real_money && shut_ms > LONG_SHUT_MS {
        let hours = shut_ms / 3_600_000;
        tracing::warn!(
            "the last record is {hours} hours old: no round begins until a supervisor has looked \
             at the machine's clock"
        );
        // On record with the time of the last record beside the machine's.
        house.go_on_from(last_ms);
        say(machine_ms)?;
        house.go_on_from(machine_ms + house.steady_ms() - steady_ms);
    } else if let Some((_, machine_ms)) = house.apart() {
        say(machine_ms)?;
    }
    Ok(())
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
pub(super) fn is_known(desk: &Desk, name: &TableName) -> bool {
    let register = desk.register();
    let mut enrolled = register.enrolments.values();
    enrolled.any(|known| known.role.table() == Some(name))
}

/// Who holds which position among those who may act: the first of them, and
/// the last.
pub(super) fn people_by_position(register: &Register) -> (ByPosition, ByPosition) {
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
    let entered = block_on(desk.ask(Party::House, None, act));
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
fn first_act(
    plan: &HousePlan,
    hasher: &PinHasher,
    desk: &Desk,
    file: &Path,
) -> Result<HandOver, StartError> {
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
    // Before the house is set up: killed in between, it would be a house that
    // nobody can log in to.
    write_private(file, hand_over.to_text().as_bytes()).map_err(io("keeping the first PINs"))?;
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
        let mut printer: Box<dyn sicbo_devices::printer::Printer> = match &table.printer {
            PrinterPlan::Folder(folder) => Box::new(ToFolder::new(&in_data(data, folder))?),
            PrinterPlan::File(file) => Box::new(ToFile::new(file)),
            PrinterPlan::Tcp(address) => Box::new(ToTcp::new(*address, PRINTER_TIMEOUT)),
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
