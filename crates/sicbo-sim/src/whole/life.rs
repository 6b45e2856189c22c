//! One life of the program that runs the simulated house: everything a real one
//! starts, without its threads. It ends with the power; the journals stay.

use std::collections::BTreeMap;
use std::sync::Arc;

use crossbeam_channel::{Receiver, bounded};
use futures_executor::LocalPool;
use futures_util::task::LocalSpawnExt as _;
use parking_lot::Mutex;
use sicbo_clock::HouseClock;
use sicbo_devices::acceptor::NoteAcceptor;
use sicbo_devices::printer::{Paper, PrintFailure};
use sicbo_house::clock::LastSet;
use sicbo_house::desk::{self, DeskReply, DeskWork, NewDesk, PrintJob, ToDesk, desk};
use sicbo_house::devices::Line;
use sicbo_house::driver::{AutomaticDealer, staff_by_position};
use sicbo_house::house::{House, TableAt};
use sicbo_house::hub::{
    self, BoardTally, HubWork, NewHub, ROAD_LENGTH, Reply, Road, State, ToHub, hub,
};
use sicbo_house::look_ups::LookUps;
use sicbo_house::membership::SimulatedMembership;
use sicbo_house::proposals::Proposals;
use sicbo_house::service::{close_block, driver_of, first_acts, restore_plays};
use sicbo_house::sessions::Sessions;
use sicbo_house::visits::Visits;
use sicbo_house::vouchers::VoucherDesk;
use sicbo_house::watch::Watch;
use sicbo_journal::{HouseKey, KeyRing, MemoryDisk, MemoryStore, Store as _, StreamId, Tail};
use sicbo_loop::Door as _;
use sicbo_plan::HousePlan;
use sicbo_proof::history::History;
use sicbo_proof::rounds::confirmed;
use sicbo_register::enrolment::TableName;
use sicbo_register::validation::VoucherSecret;
use sicbo_register::{self as register, Register};
use sicbo_table::actor::Actor;
use sicbo_table::ids::VoucherId;
use sicbo_table::table::Status;
use sicbo_table::{Act, Command, Table};
use sicbo_wire::staff::Files as _;

use super::host::WorldHost;
use super::stream::{Read, Stream};
use crate::random::Random;

/// Messages that a hub or the desk takes at most in one turn.
const AT_ONCE: u64 = 8;

/// A table and its hub.
struct TableLife {
    stream: Stream<Table, Reply>,
    queue: Receiver<ToHub>,
    work: HubWork,
    tickets: Receiver<PrintJob>,
}

/// A paper that came out of a printer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Printed {
    pub(super) voucher: VoucherId,
    pub(super) number: String,
}

/// One life.
pub(super) struct Life {
    pub(super) house: Arc<House>,
    tables: Vec<TableLife>,
    register: Stream<Register, DeskReply>,
    to_desk: crossbeam_channel::Sender<ToDesk>,
    desk_queue: Receiver<ToDesk>,
    desk: DeskWork,
    host: WorldHost,
    pub(super) pool: LocalPool,
    key: HouseKey,
}

/// What outlives a life.
pub(super) struct Ground<'g> {
    pub(super) plan: &'g HousePlan,
    pub(super) disks: &'g BTreeMap<StreamId, MemoryDisk>,
    pub(super) clock: &'g Arc<HouseClock>,
    pub(super) key: &'g HouseKey,
    /// Tables are told how much money staff may move, where the plan says so.
    pub(super) money_bounds: bool,
}

impl Life {
    /// Brings the house back from its journals, as a start of the program does.
    pub(super) fn begin(ground: &Ground<'_>) -> Result<Life, String> {
        let Ground {
            plan,
            disks,
            clock,
            key,
            money_bounds,
        } = ground;
        let house_stream = stream_of(register::STREAM)?;
        let (ear, to_desk, desk_queue) = desk::queue();
        let read: Read<Register, DeskReply> =
            Read::back(&house_stream, &disks[&house_stream], key)?;
        let known = read.recovered.writer_loop.state().clone();
        let ring = KeyRing::new(key.public());
        let secret = || VoucherSecret::new([3; 32]);
        let vouchers = VoucherDesk::new(secret(), &known);
        let mut printers = BTreeMap::new();
        let mut tickets = BTreeMap::new();
        for table in &plan.tables {
            let (jobs, queue) = bounded(256);
            printers.insert(table.name.clone(), jobs);
            tickets.insert(table.name.clone(), queue);
        }
        let (people, _) = (staff_by_position(people(&known)), ());
        let (desk, desk_work) = desk(NewDesk {
            register: known,
            door: Arc::clone(&read.door) as desk::RegisterDoor,
            vouchers,
            printers,
            zone: plan.zone.clone(),
            news: Box::new(|_| {}),
            clock: Arc::clone(clock),
        });
        let register = read.run(Box::new(ear));
        let (mut tables, mut lives) = (BTreeMap::new(), Vec::new());
        for table in &plan.tables {
            let stream = stream_of(table.name.as_str())?;
            let read: Read<Table, Reply> = Read::back(&stream, &disks[&stream], key)?;
            let state = read.recovered.writer_loop.state();
            let rounds = confirmed(&read.store, &ring, state, ROAD_LENGTH);
            let rounds = rounds.map_err(|error| error.to_string())?;
            if !rounds.refused.is_empty() {
                return Err(format!("{stream}: rounds {:?} not shown", rounds.refused));
            }
            let close = close_block(state, read.recovered.round_first, &read.store);
            let past = (read.recovered.interrupted, read.recovered.last_ms);
            let acts = first_acts(state, past, "the program came back", None, clock.now_ms());
            let duties = plan.duties.as_ref().filter(|_| *money_bounds);
            let duties = duties.map(|duties| duties.money_of(&table.config));
            let known = state.money_duties.as_deref().copied();
            let duties = duties.filter(|duties| known != Some(*duties));
            let duties = duties.map(|duties| Act::SetMoneyDuties { duties });
            let status = state.status.clone();
            let shown = State {
                version: read.recovered.writer_loop.durable(),
                block: read.store.tail().header_hash.0,
                table: state.clone(),
                road: Road::of(
                    stream.clone(),
                    &rounds.rows,
                    state.book().map(AsRef::as_ref),
                ),
                tally: BoardTally::since(clock.now_ms()),
            };
            let dealer = Some(AutomaticDealer::new(true));
            let line = Line::default();
            let drives = (dealer.as_ref(), None, &line);
            let driver = driver_of([9; 32], table, drives, &people, close);
            let acceptor = NoteAcceptor::new(table.config.currency, Vec::new()).ok();
            let notes = acceptor.as_ref().map_or_else(Vec::new, |acceptor| {
                acceptor.notes().iter().map(|note| note.minor()).collect()
            });
            let (ear, sender, queue) = hub::queue();
            let (hub, work) = hub(NewHub {
                name: table.name.clone(),
                state: shown,
                door: Arc::clone(&read.door) as hub::TableDoor,
                sender,
                desk: to_desk.clone(),
                names: Box::new(|_| None),
                driver,
                notes,
                quota: plan.terminal_quota,
                stopped: None,
                clock: Arc::clone(clock),
            });
            let door = Arc::clone(&read.door);
            lives.push(TableLife {
                stream: read.run(Box::new(ear)),
                queue,
                work,
                tickets: tickets
                    .remove(&table.name)
                    .ok_or("a table without printer")?,
            });
            let history = History::over(
                &stream,
                Box::new(MemoryStore::open(stream.clone(), &disks[&stream])),
            );
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
            let opening = (status == Status::Closed)
                .then(|| at.opening())
                .transpose()?;
            let opening = duties.into_iter().chain(opening);
            let opening = opening.map(|act| (clock.now_ms(), act));
            for (at_ms, act) in acts.into_iter().chain(opening) {
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
            tables.insert(table.name.clone(), at);
        }
        let hubs = tables
            .iter()
            .map(|(name, at)| (name.clone(), Arc::clone(&at.hub)));
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
            key: (*key).clone(),
        })
    }

    /// Everybody has a turn, in an order that chance decides.
    pub(super) fn turn(&mut self, chance: &mut Random, lost: bool) -> Result<Vec<Printed>, String> {
        let house = KeyRing::new(self.key.public()).house();
        let clock = Arc::clone(&self.house.clock);
        let mut printed = Vec::new();
        for _ in 0..4 * self.tables.len() + 4 {
            let who = chance.below(self.tables.len() as u64 + 1) as usize;
            let what = chance.below(4);
            match (self.tables.get_mut(who), what) {
                (Some(table), 0) => table.stream.decide(&clock),
                (Some(table), 1) => table.stream.write(&self.key, house, lost)?,
                (Some(table), 2) => {
                    for _ in 0..chance.below(AT_ONCE) + 1 {
                        let Ok(message) = table.queue.try_recv() else {
                            break;
                        };
                        table.work.take(message);
                    }
                    table.work.turn();
                }
                (Some(table), _) => {
                    if let Ok(job) = table.tickets.try_recv() {
                        let told = print(&job, chance, &mut printed);
                        let _ = self.to_desk.try_send(told);
                    }
                }
                (None, 0) => self.register.decide(&clock),
                (None, 1) => self.register.write(&self.key, house, lost)?,
                (None, 2) => {
                    for _ in 0..chance.below(AT_ONCE) + 1 {
                        let Ok(message) = self.desk_queue.try_recv() else {
                            break;
                        };
                        self.desk.take(message);
                    }
                    self.desk.turn();
                }
                (None, _) => self.talk()?,
            }
        }
        self.host.step();
        self.talk()?;
        Ok(printed)
    }

    /// Conversations go on as far as they can.
    fn talk(&mut self) -> Result<(), String> {
        for work in self.host.carried() {
            let spawned = self.pool.spawner().spawn_local(work);
            spawned.map_err(|error| error.to_string())?;
        }
        self.pool.run_until_stalled();
        Ok(())
    }

    /// Nothing is on its way anywhere.
    pub(super) fn is_idle(&self) -> bool {
        let quiet = |table: &TableLife| {
            table.stream.is_idle() && table.queue.is_empty() && table.tickets.is_empty()
        };
        self.tables.iter().all(quiet) && self.register.is_idle() && self.desk_queue.is_empty()
    }

    /// Blocks that were on their way when the power went: each arrived or did
    /// not.
    pub(super) fn end(mut self, chance: &mut Random) -> Result<(), String> {
        let house = KeyRing::new(self.key.public()).house();
        for table in &mut self.tables {
            if table.stream.is_flying() && chance.chance(500) {
                table.stream.write(&self.key, house, false)?;
            }
        }
        if self.register.is_flying() && chance.chance(500) {
            self.register.write(&self.key, house, false)?;
        }
        Ok(())
    }

    /// Records in all journals, and what each ends with.
    pub(super) fn tails(&self) -> (u64, Vec<[u8; 32]>) {
        let tables = self.tables.iter().map(|table| table.stream.tail());
        let tails: Vec<Tail> = tables.chain([self.register.tail()]).collect();
        let records = tails.iter().map(|tail| tail.sequence).sum();
        (
            records,
            tails.iter().map(|tail| tail.header_hash.0).collect(),
        )
    }
}

/// The printer's word on a ticket. What came out lies there for anybody.
fn print(job: &PrintJob, chance: &mut Random, printed: &mut Vec<Printed>) -> ToDesk {
    let failure = |paper| PrintFailure {
        paper,
        what: "paper jam".to_owned(),
    };
    let failed = match chance.below(20) {
        0 => Some(failure(Paper::None)),
        1 => Some(failure(Paper::Unknown)),
        _ => None,
    };
    let none = failed
        .as_ref()
        .is_some_and(|failed| failed.paper == Paper::None);
    if !none {
        printed.push(Printed {
            voucher: job.voucher,
            number: job.ticket.number.digits(),
        });
    }
    ToDesk::Printed {
        voucher: job.voucher,
        failed,
    }
}

fn people(
    register: &Register,
) -> impl Iterator<
    Item = (
        sicbo_table::ids::PersonId,
        sicbo_rules::rulebook::words::Position,
    ),
> + '_ {
    register
        .people
        .iter()
        .map(|(id, person)| (*id, person.position))
}

pub(super) fn stream_of(name: &str) -> Result<StreamId, String> {
    StreamId::new(name).map_err(|error| error.to_string())
}

/// The journal of a table.
pub(super) fn table_stream(name: &TableName) -> Result<StreamId, String> {
    stream_of(name.as_str())
}
