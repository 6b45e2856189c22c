//! How a life begins: the register and the tables are read back from their
//! journals as a start of the program does it, and a table that has stopped is
//! started again alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use crossbeam_channel::bounded;
use futures_executor::LocalPool;
use parking_lot::Mutex;
use sicbo_clock::HouseClock;
use sicbo_devices::acceptor::NoteAcceptor;
use sicbo_house::clock::LastSet;
use sicbo_house::desk::{self, DeskReply, NewDesk, ToDesk, desk};
use sicbo_house::driver::{AutomaticDealer, CloseBlock, Driver, staff_by_position};
use sicbo_house::house::{House, TableAt};
use sicbo_house::hub::{self, BoardTally, NewHub, ROAD_LENGTH, Reply, Road, State, ToHub, hub};
use sicbo_house::look_ups::LookUps;
use sicbo_house::membership::SimulatedMembership;
use sicbo_house::proposals::Proposals;
use sicbo_house::service::{close_block, driver_of, first_acts, plays_at, restore_plays};
use sicbo_house::sessions::Sessions;
use sicbo_house::visits::Visits;
use sicbo_house::vouchers::VoucherDesk;
use sicbo_house::watch::Watch;
use sicbo_journal::{HouseKey, KeyRing, Store};
use sicbo_loop::Door as _;
use sicbo_plan::{DealerPlan, HousePlan, TablePlan};
use sicbo_proof::history::History;
use sicbo_proof::rounds::confirmed;
use sicbo_register::enrolment::TableName;
use sicbo_register::reached::Reached;
use sicbo_register::validation::VoucherSecret;
use sicbo_register::{self as register, Register};
use sicbo_rules::rulebook::words::Position;
use sicbo_table::actor::Actor;
use sicbo_table::ids::PersonId;
use sicbo_table::table::{ClocksParted, Status};
use sicbo_table::{Act, Command, Table};
use sicbo_wire::staff::Files as _;

use super::super::devices::WorldLine;
use super::super::host::WorldHost;
use super::super::shelf::Shelf;
use super::super::stream::{NotBack, Read, WorldDoor};
use super::{Life, TableLife, stream_of};

/// What the tumblers of these houses are drawn from.
const TUMBLERS: [u8; 32] = [9; 32];

/// What outlives a life.
pub(in super::super) struct Ground<'g> {
    pub(in super::super) plan: &'g HousePlan,
    pub(in super::super) shelf: &'g Shelf,
    pub(in super::super) clock: &'g Arc<HouseClock>,
    pub(in super::super) key: &'g HouseKey,
    pub(in super::super) lines: &'g BTreeMap<TableName, WorldLine>,
    /// Tables are told how much money staff may move, where the plan says so.
    pub(in super::super) money_bounds: bool,
    /// What the numbers of vouchers are drawn from.
    pub(in super::super) vouchers: [u8; 32],
}

/// A table as it was read back, before it runs.
struct Opened {
    read: Read<Table, Reply>,
    state: State,
    close: Option<CloseBlock>,
    acts: Vec<(i64, Act)>,
}

impl Opened {
    fn table(
        ground: &Ground<'_>,
        plan: &TablePlan,
        reached: &[Reached],
        (why, parted): (&str, Option<ClocksParted>),
    ) -> Result<Opened, NotBack> {
        let stream = stream_of(plan.name.as_str())?;
        let read: Read<Table, Reply> = Read::back(&stream, ground.shelf, ground.key, reached)?;
        let now_ms = {
            ground.clock.not_before(read.recovered.last_ms);
            ground.clock.now_ms()
        };
        let table = read.recovered.writer_loop.state();
        let store: &dyn Store = read.store.as_ref();
        let ring = KeyRing::new(ground.key.public());
        let rounds = confirmed(store, &ring, table, ROAD_LENGTH);
        let rounds = rounds.map_err(|error| error.to_string())?;
        if !rounds.refused.is_empty() {
            return Err(format!("{stream}: rounds {:?} not shown", rounds.refused).into());
        }
        let close = close_block(table, read.recovered.round_first, store);
        let past = (read.recovered.interrupted, read.recovered.last_ms);
        let mut acts = first_acts(table, past, why, parted, now_ms);
        let duties = ground.plan.duties.as_ref().filter(|_| ground.money_bounds);
        let duties = duties.map(|duties| duties.money_of(&plan.config));
        let known = table.money_duties.as_deref().copied();
        let duties = duties.filter(|duties| known != Some(*duties));
        acts.extend(duties.map(|duties| (now_ms, Act::SetMoneyDuties { duties })));
        let book = table.book().map(AsRef::as_ref);
        let state = State {
            version: read.recovered.writer_loop.durable(),
            block: store.tail().header_hash.0,
            table: table.clone(),
            road: Road::of(stream, &rounds.rows, book),
            tally: BoardTally::since(now_ms),
        };
        Ok(Opened {
            read,
            state,
            close,
            acts,
        })
    }
}

/// What the house itself does at a table, before anybody else is let in.
fn hand_in(
    door: &WorldDoor<Table, Reply>,
    acts: impl IntoIterator<Item = (i64, Act)>,
) -> Result<(), String> {
    for (at_ms, act) in acts {
        let command = Command {
            id: 0,
            at_ms,
            by: Actor::House,
            second: None,
            act,
        };
        let asked = door.submit(Reply::Nobody, command);
        asked.map_err(|_| "no room for what the house does first")?;
    }
    Ok(())
}

/// The first opening of a table that deals by itself.
fn opening(at: &TableAt, status: &Status, now_ms: i64) -> Result<Option<(i64, Act)>, String> {
    let by_itself = matches!(at.plan.dealer, DealerPlan::Automatic { .. });
    let opens = (*status == Status::Closed && by_itself).then(|| at.opening());
    Ok(opens.transpose()?.map(|act| (now_ms, act)))
}

fn driver(
    plan: &TablePlan,
    at: (Option<&AutomaticDealer>, &sicbo_house::devices::Line),
    people: &BTreeMap<Position, PersonId>,
    close: Option<CloseBlock>,
) -> Box<dyn Driver> {
    driver_of(TUMBLERS, plan, (at.0, None, at.1), people, close)
}

fn people(register: &Register) -> BTreeMap<Position, PersonId> {
    let people = register.people.iter();
    staff_by_position(people.map(|(id, person)| (*id, person.position)))
}

fn marks(register: &Register, table: &TableName) -> Vec<Reached> {
    register.reached.get(table).copied().into_iter().collect()
}

impl Life {
    /// Brings the house back from its journals, as a start of the program does.
    pub(in super::super) fn begin(ground: &Ground<'_>) -> Result<Life, NotBack> {
        let Ground {
            plan, shelf, clock, ..
        } = ground;
        let house_stream = stream_of(register::STREAM)?;
        let (ear, to_desk, desk_queue) = desk::queue();
        let read: Read<Register, DeskReply> = Read::back(&house_stream, shelf, ground.key, &[])?;
        clock.not_before(read.recovered.last_ms);
        let known = read.recovered.writer_loop.state().clone();
        let parted = known.clock_parted;
        let marked: BTreeMap<TableName, Vec<Reached>> = plan
            .tables
            .iter()
            .map(|table| (table.name.clone(), marks(&known, &table.name)))
            .collect();
        let secret = || VoucherSecret::new(ground.vouchers);
        let vouchers = VoucherDesk::new(secret(), &known);
        let mut printers = BTreeMap::new();
        let mut tickets = BTreeMap::new();
        for table in &plan.tables {
            let (jobs, queue) = bounded(256);
            printers.insert(table.name.clone(), jobs);
            tickets.insert(table.name.clone(), queue);
        }
        let people = people(&known);
        let (desk, desk_work) = desk(NewDesk {
            register: known,
            door: Arc::clone(&read.door) as desk::RegisterDoor,
            vouchers,
            printers,
            zone: plan.zone.clone(),
            address: plan.address_for_guests(),
            news: Box::new(|_| {}),
            clock: Arc::clone(clock),
        });
        let register = read.run(Box::new(ear));
        let (mut tables, mut lives) = (BTreeMap::new(), Vec::new());
        for table in &plan.tables {
            let stream = stream_of(table.name.as_str())?;
            let why = ("the program came back", parted);
            let opened = Opened::table(ground, table, &marked[&table.name], why)?;
            let status = opened.state.table.status.clone();
            let deals = matches!(table.dealer, DealerPlan::Automatic { .. });
            let dealer = deals.then(|| AutomaticDealer::new(true));
            let line = sicbo_house::devices::Line::default();
            if let Some(world) = ground.lines.get(&table.name) {
                world.opened(&line);
            }
            let driver = driver(table, (dealer.as_ref(), &line), &people, opened.close);
            let acceptor = NoteAcceptor::new(table.config.currency, Vec::new()).ok();
            let notes = acceptor.as_ref().map_or_else(Vec::new, |acceptor| {
                acceptor.notes().iter().map(|note| note.minor()).collect()
            });
            let (ear, sender, queue) = hub::queue();
            let door = Arc::clone(&opened.read.door);
            let (hub, work) = hub(NewHub {
                name: table.name.clone(),
                state: opened.state,
                door: Arc::clone(&door) as hub::TableDoor,
                sender,
                desk: to_desk.clone(),
                names: Box::new(|_| None),
                driver,
                notes,
                quota: plan.terminal_quota,
                stopped: None,
                clock: Arc::clone(clock),
            });
            lives.push(TableLife {
                name: table.name.clone(),
                id: stream.clone(),
                stream: Some(opened.read.run(Box::new(ear))),
                queue,
                work,
                tickets: tickets
                    .remove(&table.name)
                    .ok_or_else(|| "a table without printer".to_owned())?,
            });
            let history = History::over(&stream, shelf.read(&stream)?);
            let at = TableAt {
                hub,
                plan: table.clone(),
                dealer,
                practice: None,
                acceptor,
                line,
                proposals: Mutex::new(Proposals::new(Arc::clone(clock))),
                history: Mutex::new(Some(history)),
                receipts: Mutex::default(),
            };
            let opens = opening(&at, &status, clock.now_ms())?;
            hand_in(&door, opened.acts.into_iter().chain(opens))?;
            tables.insert(table.name.clone(), at);
        }
        let hubs = tables.iter();
        let hubs = hubs.map(|(name, at)| (name.clone(), Arc::clone(&at.hub)));
        desk.set_tables(hubs.collect());
        for at in tables.values() {
            restore_plays(&desk, &at.hub, clock.now_ms());
            let table = at.hub.name.clone();
            let _ = to_desk.try_send(ToDesk::MetersMoved { table });
        }
        let host = WorldHost::default();
        let house = Arc::new(House {
            desk,
            tables,
            sessions: Sessions::new(
                plan.idle_log_out_minutes,
                plan.log_in.longest_session_minutes,
            ),
            plan: (*plan).clone(),
            voucher_secret: secret(),
            proposals: Mutex::new(Proposals::new(Arc::clone(clock))),
            proposing: futures_util::lock::Mutex::default(),
            moving: futures_util::lock::Mutex::default(),
            visits: Visits::new(clock.now_ms()),
            membership: Box::new(SimulatedMembership),
            look_ups: LookUps::default(),
            watch: Watch::new(clock.steady_ms()),
            app: None,
            clock: Arc::clone(clock),
            clock_set: LastSet::default(),
            host: Arc::new(host.clone()),
        });
        Ok(Life {
            house,
            tables: lives,
            register,
            to_desk,
            desk_queue,
            desk: desk_work,
            host,
            pool: LocalPool::new(),
            key: ground.key.clone(),
        })
    }

    /// Starts a table that has stopped again, alone, from its journal as it is
    /// now; the others play on.
    pub(in super::super) fn restart(
        &mut self,
        ground: &Ground<'_>,
        number: usize,
    ) -> Result<(), NotBack> {
        let (house, table) = (&self.house, &mut self.tables[number]);
        // What the old loop had still to say comes first.
        while let Ok(message) = table.queue.try_recv() {
            table.work.take(message);
        }
        let at = house.tables.get(&table.name);
        let at = at.ok_or_else(|| "a table is missing".to_owned())?;
        // The old loop lets go of the file, and its reader too.
        table.stream = None;
        *at.history.lock() = None;
        let reached = {
            let shown = at.hub.state().reached();
            let mut reached = marks(&house.desk.register(), &table.name);
            reached.extend(shown);
            reached
        };
        let parted = house.desk.register().clock_parted;
        let why = ("the table was started again", parted);
        let opened = Opened::table(ground, &at.plan, &reached, why)?;
        let status = opened.state.table.status.clone();
        let people = people(&house.desk.register());
        let drives = (at.dealer.as_ref(), &at.line);
        let driver = driver(&at.plan, drives, &people, opened.close);
        let state = Box::new(opened.state);
        table.work.take(ToHub::Recovered { state, driver });
        let door = Arc::clone(&opened.read.door);
        table.stream = Some(opened.read.run(Box::new(at.hub.ear())));
        let opens = opening(at, &status, ground.clock.now_ms())?;
        hand_in(&door, opened.acts.into_iter().chain(opens))?;
        *at.history.lock() = Some(History::over(&table.id, ground.shelf.read(&table.id)?));
        let (done, is_done) = bounded(1);
        let plays = plays_at(&house.desk, &table.name);
        table.work.take(ToHub::Restarted { door, plays, done });
        match is_done.try_recv() {
            Ok(true) => Ok(()),
            _ => Err("the table did not take its restart".to_owned().into()),
        }
    }
}
