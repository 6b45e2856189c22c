//! Starts a house: opens its data, brings register and tables back, opens
//! tables that may open by themselves, and says what was found interrupted.

mod error;
mod place;
mod posts;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crossbeam_channel::bounded;
use futures_executor::block_on;
use parking_lot::Mutex;
use sicbo_clock as clock;
use sicbo_devices::printer::{ToFile, ToFolder, ToTcp, ToTls};
use sicbo_house::clock::LastSet;
use sicbo_house::desk::{self, Desk, DeskReply, NewDesk, Printers, ToDesk};
use sicbo_house::driver::staff_by_position;
use sicbo_house::house::{Host, House};
use sicbo_house::look_ups::LookUps;
use sicbo_house::membership::{FileMembership, Membership, SimulatedMembership};
use sicbo_house::practice::Lessons;
use sicbo_house::proposals::Proposals;
use sicbo_house::service::restore_plays;
use sicbo_house::sessions::Sessions;
use sicbo_house::vouchers::VoucherDesk;
use sicbo_house::watch::Watch;
use sicbo_journal::{DataFolder, KeyFolder, Purpose, StreamId};
use sicbo_keys::Keys;
use sicbo_loop::{Answer, Recovered};
use sicbo_plan::{HousePlan, PrinterPlan, TablePlan};
use sicbo_proof::Trust;
use sicbo_register::enrolment::{EnrolmentId, Key, Role, TableName};
use sicbo_register::identity::HouseKind;
use sicbo_register::person::Person;
use sicbo_register::pin::{MAX_AREAS, PinHasher};
use sicbo_register::set_up::{HandOver, set_up};
use sicbo_register::validation::VoucherSecret;
use sicbo_register::{self as register, Party, Register};
use sicbo_rules::rulebook::words::Position;
use sicbo_table::ids::StationId;
use sicbo_table::station::StationKind;
use tokio::sync::{broadcast, watch};

use super::tables::{Opened, leave_all, read_all, start_table, unknown_to_register};
use super::tasks::Tasks;
use super::threads::{Until, drive_desk};
use super::tree::{self, MarkPlace};
use super::{Engine, Floor, Seat, Started, trial};
use crate::attest::SelfCheck;
use crate::limited::Limited;
use crate::log_ins::{LogIns, now_s};
use crate::printing::PrinterWatch;
use crate::secrets::write_private;
use crate::{build, security};

pub use error::StartError;
pub(super) use place::Place;

/// Tickets that may wait for the printers.
const PRINT_JOBS: usize = 256;
/// The list of members in the data folder, which another system keeps.
const MEMBERS: &str = "members.tsv";
/// Secrets of a first start in the folder of keys, until somebody has logged in.
const HAND_OVER: &str = "hand-over.txt";
/// PINs that may wait to be hashed.
const HASHES_WAITING: usize = 64;
/// Journals read at once; each holds a thread.
const READ_AT_ONCE: usize = 8;
/// Questions that may wait for a journal to be read.
const READS_WAITING: usize = 256;
/// Reads for anyone at once, and those that may wait.
const PUBLIC_READS_AT_ONCE: usize = 1;
const PUBLIC_READS_WAITING: usize = 31;
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

pub(super) fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> StartError {
    let what = what.into();
    move |error| StartError::Io { what, error }
}

/// How a house is started.
#[derive(Default)]
pub struct Start {
    /// Make a new house: with real money none is made unasked.
    pub new_house: bool,
    /// Where the newest head is kept outside the data folder.
    pub mark: MarkPlace,
    /// What opens the house's key.
    pub keys: Keys,
    /// Which house it must be.
    pub house: Trust,
    /// Set when the house is to stop while it starts.
    pub stopped: Arc<AtomicBool>,
}

/// Starts a house without a mark outside its folder.
///
/// # Errors
/// As [`start_with`].
pub fn start(
    plan: HousePlan,
    path: &Path,
    new_house: bool,
    keys: &Keys,
) -> Result<Started, StartError> {
    let how = Start {
        new_house,
        keys: keys.clone(),
        ..Start::default()
    };
    start_with(plan, path, &how)
}

/// Starts a house as planned over its data. Blocks until every table is up.
/// With real money a house is made only as a `new_house`: a folder that is
/// missing or empty is more likely not mounted.
///
/// A house whose data is older than what its tree, its mark or its witness know
/// starts with its tables out of service, for two persons to look at it.
///
/// # Errors
/// When anything of it cannot be; nothing is left running then.
pub fn start_with(mut plan: HousePlan, path: &Path, how: &Start) -> Result<Started, StartError> {
    let new_house = how.new_house;
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
    let program = build::program_digest().map_err(io("reading the running program"))?;
    for table in &mut plan.tables {
        table.config.program = program;
    }
    let practice = plan.practice;
    if practice && (plan.real_money || plan.tables.iter().any(|at| at.config.real_money)) {
        let what = "practice is never played for money (P-068)".to_owned();
        return Err(StartError::Plan(what));
    }
    // Before anything is opened: whoever replaced the keys made another house.
    if how.house.is_given() {
        let ring = KeyFolder::read_ring(&path.join("keys"))?;
        let found = how.house.check(&ring);
        found.map_err(|error| StartError::AnotherHouse(path.to_owned(), error))?;
    }
    let has_house = || {
        let streams = DataFolder::streams(path).unwrap_or_default();
        !streams.is_empty()
    };
    // Before anything is made there.
    if plan.real_money && !new_house && !has_house() {
        return Err(StartError::NoHouse(path.to_owned()));
    }
    let (leaves, to_tree, tree_queue) = tree::queue(practice);
    let place = Place::open(
        path,
        match practice {
            true => Purpose::Practice,
            false => Purpose::House,
        },
        leaves,
        &how.keys,
    )?;
    let hasher = Arc::new(PinHasher::new(*place.secrets.pins, plan.pin_cost)?);

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
    let kind = match (practice, plan.real_money) {
        (true, _) => HouseKind::Practice,
        (false, true) => HouseKind::RealMoney,
        (false, false) => HouseKind::PlayMoney,
    };
    let identity = place.identify(&register, kind)?;
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
    // Before anything is written: an older copy is looked at, not added to.
    let mut looked = match practice {
        true => None,
        false => {
            let (id, key) = place.signer();
            let house = tree::LookedAt {
                data: path,
                plan: &plan,
                id,
                key,
                life: register.life(),
                store: store.as_ref(),
                mark: &how.mark,
            };
            Some(tree::look(&house, &|| how.stopped.load(Ordering::Relaxed))?)
        }
    };
    let behind = looked
        .as_ref()
        .and_then(|looked| looked.stands.behind.clone());
    if let Some(looked) = &looked {
        place.reached.lock().clone_from(&looked.reached);
    }
    let (ear, desk_sender, desk_receiver) = desk::queue();
    let register_runner = place.run(recovered, store, Box::new(ear))?;
    let vouchers = VoucherDesk::new(VoucherSecret::new(*place.secrets.vouchers), &register);
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
    let (fed, feed) = security::queue(&plan.security);
    let (desk, work) = desk::desk(NewDesk {
        register,
        door: Arc::new(register_runner.handle()),
        vouchers,
        printers: to_print,
        zone: plan.zone.clone(),
        address: plan.address_for_guests(),
        // Nobody listening is no fault.
        news: Box::new(move |event| {
            let _ = heard.send(event.fact.clone());
            fed.hear(event);
        }),
        clock: Arc::clone(clock::house()),
    });
    drive_desk(work, desk_receiver, Until::QueueGone).map_err(io("starting the desk"))?;
    security::feed(&plan.security, Arc::downgrade(&desk), feed)
        .map_err(io("the feed of the security log"))?;

    // Their journals are there before the house knows of its tables: one that
    // is missing later was lost.
    if first_start {
        for table in &plan.tables {
            place.store(table.name.as_str(), false)?;
        }
    }
    let mut opened = match &behind {
        // Nothing is played on until two persons have looked.
        Some(behind) => {
            tracing::error!("{behind}");
            plan.tables
                .iter()
                .map(|_| Err(behind.to_string()))
                .collect()
        }
        None => read_all(&place, &plan.tables, |table| {
            let noted = desk.register().reached.get(&table.name).copied();
            let mut reached = place.reached(&table.name);
            reached.extend(noted);
            (!first_start && is_known(&desk, &table.name), reached)
        })?,
    };
    // The register is held to its tables as well: what they did rests on it.
    if let Some(looked) = &mut looked
        && behind.is_none()
        && let Some(unknown) = unknown_to_register(&desk.register(), &plan.tables, &opened)?
    {
        let found = tree::Behind::of_register(looked.stands.size, unknown);
        tracing::error!("{found}");
        leave_all(&mut opened, &found.to_string());
        looked.stands.behind = Some(found);
    }
    let opened_streams = plan.tables.iter().zip(&opened);
    let opened_streams = opened_streams.filter(|(_, opened)| opened.is_ok());
    let mut opened_streams: BTreeSet<StreamId> =
        opened_streams.map(|(table, _)| stream_of(table)).collect();
    opened_streams.extend(StreamId::new(register::STREAM));
    if !first_start {
        let tables = opened.iter().flatten().map(Opened::last_ms);
        let last_ms = tables.fold(register_ms, i64::max);
        check_clock(&desk, last_ms, plan.real_money)?;
    }
    // Before the first PINs, which are bound to their persons from then on.
    let what = "saying what the house is";
    enter(&desk, register::Act::IdentifyHouse { identity }, what)?;
    // Before anybody can hold one of them.
    let names = plan.above_director.clone();
    let what = "naming the positions above the director";
    enter(&desk, register::Act::NamePositions { names }, what)?;
    // Before anybody works in it, so that everything is held to them.
    if let Some(duties) = &plan.duties {
        let act = register::Act::SetDuties {
            duties: duties.register,
        };
        enter(&desk, act, "saying what people are held to")?;
    }
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
    if let Some(duties) = &plan.duties {
        let hours = u32::from(duties.first_pin_hours);
        let act = register::Act::LimitFirstPins { hours };
        enter(&desk, act, "limiting the first PINs")?;
    }
    let hand_over = posts::enter_posts(&plan, &desk, &place.hand_over_file(), hand_over)?;
    if let Some(hand_over) = &hand_over
        && !plan.real_money
        && (first_start || !path.join(trial::FILE).exists())
    {
        let seats = trial_seats(&desk, hand_over);
        write_private(&path.join(trial::FILE), trial::file(&seats).as_bytes())
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
        let table_at = (path, &plan);
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
    let (tree_watch, tree_running) = match looked {
        None => (None, None),
        Some(looked) => {
            let (watch, running) = tree::keep(
                &place,
                &plan,
                path,
                looked,
                opened_streams,
                (to_tree, tree_queue),
            )?;
            (Some(watch), Some(running))
        }
    };
    let (stop, _) = watch::channel(false);
    let place = Arc::new(place);
    let runners = Arc::new(Mutex::new(runners));
    let host = Arc::new(Tasks::new(Limited::new(READ_AT_ONCE, READS_WAITING)));
    let house = Arc::new(House {
        desk: Arc::clone(&desk),
        tables,
        sessions: Sessions::new(
            plan.idle_log_out_minutes,
            plan.log_in.longest_session_minutes,
        ),
        voucher_secret: VoucherSecret::new(*place.secrets.vouchers),
        proposals: Mutex::new(Proposals::new(Arc::clone(clock::house()))),
        proposing: futures_util::lock::Mutex::default(),
        moving: futures_util::lock::Mutex::default(),
        visits: trial::visits(path, clock::now_ms()),
        membership,
        look_ups: LookUps::default(),
        watch: Watch::new(clock::steady_ms()),
        app: sicbo_web::build(),
        clock: Arc::clone(clock::house()),
        clock_set: LastSet::default(),
        host: Arc::clone(&host) as Arc<dyn Host>,
        plan,
    });
    let self_check = SelfCheck::new(program, &house.plan);
    let floor = Arc::new(Floor {
        house,
        self_check,
        hasher,
        data: path.to_owned(),
        program,
        news,
        host,
        log_ins: LogIns::new(&place.secrets.pins, now_s()),
        hashing: Limited::new(MAX_AREAS, HASHES_WAITING),
        public_reading: Limited::new(PUBLIC_READS_AT_ONCE, PUBLIC_READS_WAITING),
        check_page: OnceLock::new(),
        began_ms: clock::steady_ms(),
        restarting: Limited::new(1, RESTARTS_WAITING),
        reporting: Limited::new(REPORTS_AT_ONCE, REPORTS_WAITING),
        claims: Mutex::default(),
        visit_file: Mutex::default(),
        stop,
        place: Arc::downgrade(&place),
        runners: Arc::clone(&runners),
        tree: tree_watch,
        storage: place.storage(),
    });
    Ok(Started {
        floor,
        engine: Engine {
            desk,
            register: register_runner,
            tables: runners,
            tree: tree_running,
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
    places.extend(posts::desks(plan));
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
            PrinterPlan::Tls { address, name, ca } => {
                let tcp = ToTcp::new(*address, PRINTER_TIMEOUT);
                Box::new(ToTls::new(tcp, name, ca)?)
            }
        };
        let mut watched = PrinterWatch::new(&table.name);
        printers.insert(
            table.name.clone(),
            Box::new(move |voucher, ticket| {
                let printed = printer.print(voucher, ticket);
                watched.printed(&printed);
                printed
            }),
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
