//! A house as it stood at one moment, for somebody to look at: register and tables are read from
//! journals that end there, every door is closed and no loop runs. Nothing is ever written.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock, Weak};

use parking_lot::Mutex;
use sicbo_clock as clock;
use sicbo_clock::now_ms;
use sicbo_house::clock::LastSet;
use sicbo_house::desk::{self, Desk, NewDesk, ToDesk};
use sicbo_house::devices::Line;
use sicbo_house::driver::ByHand;
use sicbo_house::house::{Host, House};
use sicbo_house::hub::{self, BoardTally, NewHub, ROAD_LENGTH, Road, State};
use sicbo_house::look_ups::LookUps;
use sicbo_house::membership::SimulatedMembership;
use sicbo_house::proposals::Proposals;
use sicbo_house::service::unknown;
use sicbo_house::sessions::{LoggedIn, Sessions};
use sicbo_house::visits::Visits;
use sicbo_house::vouchers::VoucherDesk;
use sicbo_house::watch::Watch;
use sicbo_journal::{DataFolder, Store as _, StreamId};
use sicbo_loop::{ClosedDoor, replay};
use sicbo_plan::{HousePlan, TablePlan};
use sicbo_proof::history::History;
use sicbo_proof::rounds::confirmed;
use sicbo_proof::source::{self, Journals};
use sicbo_register::enrolment::{EnrolmentId, Key, Role, TableName};
use sicbo_register::person::{Session, SessionId};
use sicbo_register::pin::PinHasher;
use sicbo_register::validation::VoucherSecret;
use sicbo_register::voucher::Place as Terminal;
use sicbo_register::{self as register, Register};
use sicbo_rules::rulebook::words::Position;
use sicbo_table::Table;
use sicbo_table::ids::PersonId;
use tokio::sync::{broadcast, watch};

use super::tables::{Runners, acceptor_of};
use super::tasks::Tasks;
use super::threads::{Until, drive_desk, drive_hub};
use super::{Floor, TableAt};
use crate::attest::SelfCheck;
use crate::limited::Limited;
use crate::log_ins::{LogIns, now_s};
use crate::storage::Storage;

/// Nothing of the past is signed, hashed or drawn again.
const NO_SECRET: [u8; 32] = [0; 32];
/// Whoever looks is logged in with this: it opens a house in which nothing can be done.
const VIEWER_KEY: [u8; 32] = [0x10; 32];
/// No session of a house has this number.
const VIEWER_SESSION: SessionId = SessionId(u64::MAX);
/// Journals read at once, and questions that may wait.
const AT_ONCE: usize = 2;
const WAITING: usize = 64;

/// A house at one moment, and what opens its screens.
pub(crate) struct Still {
    /// The house.
    pub(crate) floor: Arc<Floor>,
    /// The session of somebody in surveillance, where there is such a person.
    pub(crate) session: Option<String>,
    /// Each terminal with a token that opens it here.
    pub(crate) terminals: Vec<(Terminal, String)>,
    /// Its threads end with it.
    _alive: Arc<()>,
}

/// What became of a stream by the end of its journal; as new where there is none.
fn read<M: sicbo_loop::Machine + Default>(
    data: &Path,
    stream: &StreamId,
) -> Result<Option<(M, sicbo_journal::SqliteStore)>, String> {
    let path = DataFolder::stream_path(data, stream);
    if !path.exists() {
        return Ok(None);
    }
    let told = |error: &dyn std::fmt::Display| format!("{stream}: {error}");
    let store = source::open(stream, &path).map_err(|error| told(&error))?;
    let (state, _) = replay::<M>(&store, stream, None).map_err(|error| told(&error))?;
    Ok(Some((state, store)))
}

/// Somebody in surveillance looks, whose duties bind them to no place.
fn log_in_viewer(register: &mut Register) -> Option<PersonId> {
    register.duties = None;
    let people = register.people.iter_mut();
    let mut watching = people.filter(|(_, known)| known.position == Position::Surveillance);
    let (person, known) = watching.find(|(_, known)| !known.disabled)?;
    known.one_time = false;
    let person = *person;
    let session = Session {
        person,
        place: None,
        since_ms: now_ms(),
    };
    register.sessions.insert(VIEWER_SESSION, session);
    Some(person)
}

/// A key of its own for every terminal.
fn terminals(register: &Register) -> Vec<(Terminal, EnrolmentId, Key)> {
    let enrolled = register.enrolments.iter();
    let stations = enrolled.filter_map(|(id, known)| match &known.role {
        Role::Station { table, station } if register.enrolled(*id).is_some() => {
            let mut key = VIEWER_KEY;
            key[..4].copy_from_slice(&id.0.to_be_bytes());
            let place = Terminal {
                table: table.clone(),
                station: *station,
            };
            Some((place, *id, Key::new(key)))
        }
        _ => None,
    });
    stations.collect()
}

/// A house as its journals in `data` end.
pub(crate) fn still(data: &Path, plan: HousePlan) -> Result<Still, String> {
    let told = |error: &dyn std::fmt::Display| error.to_string();
    let alive = Arc::new(());
    let house = StreamId::new(register::STREAM).map_err(|error| told(&error))?;
    let mut known = read::<Register>(data, &house)?.map_or_else(Register::default, |(it, _)| it);
    let person = log_in_viewer(&mut known);
    let seats = terminals(&known);
    let (_, to_desk, queue) = desk::queue();
    let clock = clock::house();
    let (desk, work) = desk::desk(NewDesk {
        vouchers: VoucherDesk::new(VoucherSecret::unknown(), &known),
        register: known,
        door: Arc::new(ClosedDoor),
        printers: BTreeMap::new(),
        zone: plan.zone.clone(),
        address: None,
        news: Box::new(|_| {}),
        clock: Arc::clone(clock),
    });
    drive_desk(work, queue, Until::dropped(&alive)).map_err(|error| told(&error))?;
    let mut tables = BTreeMap::new();
    for table in &plan.tables {
        let until = Until::dropped(&alive);
        let at = table_at(data, &plan, table, (&desk, &to_desk), until)?;
        tables.insert(table.name.clone(), at);
    }
    let hubs = tables.iter();
    let hubs = hubs.map(|(name, at): (&TableName, &TableAt)| (name.clone(), Arc::clone(&at.hub)));
    desk.set_tables(hubs.collect());
    let floor = floor_of(data, plan, desk, tables, visits(&seats))?;
    let session = person.map(|person| {
        let logged_in = LoggedIn::new(VIEWER_SESSION, person, None, clock::steady_ms());
        floor.sessions.begin(logged_in, VIEWER_KEY)
    });
    let terminals = seats.into_iter();
    let terminals = terminals.map(|(place, id, key)| {
        let token = key.token(id);
        (place, token)
    });
    Ok(Still {
        floor,
        session,
        terminals: terminals.collect(),
        _alive: alive,
    })
}

/// Whoever looks visits every terminal.
fn visits(seats: &[(Terminal, EnrolmentId, Key)]) -> Visits {
    let lines = seats.iter().map(|(place, _, key)| {
        let digest = crate::wire::hex(key.digest());
        format!("{} {} {digest}\n", place.table, place.station.0)
    });
    Visits::read(&lines.collect::<String>(), now_ms())
}

fn table_at(
    data: &Path,
    house: &HousePlan,
    plan: &TablePlan,
    (desk, to_desk): (&Arc<Desk>, &crossbeam_channel::Sender<ToDesk>),
    until: Until,
) -> Result<TableAt, String> {
    let stream = super::stream_of(plan);
    let (_, sender, queue) = hub::queue();
    let (state, history) = match read::<Table>(data, &stream)? {
        None => (unknown(&stream, now_ms()), None),
        Some((table, store)) => {
            let told = |error: &dyn std::fmt::Display| format!("{stream}: {error}");
            let ring = Journals::folder(data).map_err(|error| told(&error))?.ring;
            let rows = match ring {
                Some(ring) => {
                    let rounds = confirmed(&store, &ring, &table, ROAD_LENGTH);
                    rounds.map_err(|error| told(&error))?.rows
                }
                None => Vec::new(),
            };
            let book = table.book().map(AsRef::as_ref);
            let road = Road::of(stream.clone(), &rows, book);
            let tail = store.tail();
            let state = State {
                version: tail.sequence,
                block: tail.header_hash.0,
                table,
                road,
                tally: BoardTally::since(now_ms()),
            };
            (state, Some(History::over(&stream, Box::new(store))))
        }
    };
    let (acceptor, notes) = acceptor_of(plan);
    let people = Arc::downgrade(desk);
    let (hub, work) = hub::hub(NewHub {
        name: plan.name.clone(),
        state,
        door: Arc::new(ClosedDoor),
        sender,
        desk: to_desk.clone(),
        names: Box::new(move |person| people.upgrade()?.name_of(person)),
        driver: Box::new(ByHand),
        notes,
        quota: house.terminal_quota,
        stopped: None,
        clock: Arc::clone(clock::house()),
    });
    drive_hub(work, queue, until).map_err(|error| error.to_string())?;
    Ok(TableAt {
        hub,
        plan: plan.clone(),
        dealer: None,
        practice: None,
        acceptor,
        line: Line::default(),
        proposals: Mutex::new(Proposals::new(Arc::clone(clock::house()))),
        history: Mutex::new(history),
        receipts: Mutex::default(),
    })
}

fn floor_of(
    data: &Path,
    plan: HousePlan,
    desk: Arc<Desk>,
    tables: BTreeMap<TableName, TableAt>,
    visits: Visits,
) -> Result<Arc<Floor>, String> {
    let told = |error: &dyn std::fmt::Display| error.to_string();
    let hasher = PinHasher::new(NO_SECRET, plan.pin_cost).map_err(|error| told(&error))?;
    let host = Arc::new(Tasks::new(Limited::new(AT_ONCE, WAITING)));
    let clock = clock::house();
    let house = Arc::new(House {
        desk,
        tables,
        sessions: Sessions::new(u16::MAX, u16::MAX),
        voucher_secret: VoucherSecret::unknown(),
        proposals: Mutex::new(Proposals::new(Arc::clone(clock))),
        proposing: futures_util::lock::Mutex::default(),
        moving: futures_util::lock::Mutex::default(),
        visits,
        membership: Box::new(SimulatedMembership),
        look_ups: LookUps::default(),
        watch: Watch::new(clock::steady_ms()),
        app: sicbo_web::build(),
        clock: Arc::clone(clock),
        clock_set: LastSet::default(),
        host: Arc::clone(&host) as Arc<dyn Host>,
        plan,
    });
    let self_check = SelfCheck::new(NO_SECRET, &house.plan);
    let (news, _) = broadcast::channel(1);
    let (stop, _) = watch::channel(false);
    Ok(Arc::new(Floor {
        house,
        self_check,
        hasher: Arc::new(hasher),
        data: data.to_owned(),
        program: NO_SECRET,
        news,
        host,
        log_ins: LogIns::new(&NO_SECRET, now_s()),
        hashing: Limited::new(1, 0),
        public_reading: Limited::new(AT_ONCE, WAITING),
        check_page: OnceLock::new(),
        began_ms: clock::steady_ms(),
        restarting: Limited::new(1, 0),
        reporting: Limited::new(1, WAITING),
        claims: Mutex::default(),
        visit_file: Mutex::default(),
        stop,
        place: Weak::new(),
        runners: Arc::new(Runners::default()),
        tree: None,
        storage: Arc::new(Storage::new(data)),
    }))
}
