//! One life of the simulated program: the same hubs, desk, loops and conversations
//! as in a server, each taking its turn when the world says so. All of it dies
//! with the power; the journals stay. How it begins is in `opening`.

mod opening;

use std::sync::Arc;

use crossbeam_channel::Receiver;
use futures_executor::LocalPool;
use futures_util::task::LocalSpawnExt as _;
use sicbo_clock::HouseClock;
use sicbo_devices::printer::{Paper, PrintFailure};
use sicbo_house::desk::{DeskReply, DeskWork, PrintJob, ToDesk};
use sicbo_house::house::House;
use sicbo_house::hub::{HubWork, Reply, ToHub};
use sicbo_journal::{HouseKey, KeyRing, StreamId, Tail};
use sicbo_register::Register;
use sicbo_register::enrolment::TableName;
use sicbo_table::Table;
use sicbo_table::ids::VoucherId;

pub(super) use self::opening::Ground;
use super::host::WorldHost;
use super::shelf::{Shelf, WriteFault};
use super::stream::Stream;
use crate::random::Random;

/// Messages that a hub or the desk takes at most in one turn.
const AT_ONCE: u64 = 8;

/// A table and its hub.
struct TableLife {
    name: TableName,
    id: StreamId,
    /// None while it is being started again.
    stream: Option<Stream<Table, Reply>>,
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

/// What a turn came to.
#[derive(Default)]
pub(super) struct Turn {
    pub(super) printed: Vec<Printed>,
    /// Writes that failed.
    pub(super) failed: Vec<String>,
    /// A write that was under way when the power went.
    pub(super) torn: bool,
}

/// What goes wrong in a turn.
pub(super) struct Trouble<'t> {
    pub(super) shelf: &'t Shelf,
    pub(super) chance: &'t mut Random,
    /// A write fails, so many times in a hundred thousand.
    pub(super) writes: u64,
    pub(super) printers: bool,
    /// A block that is on its way arrives later than it might, so many times in a thousand.
    pub(super) slow: u64,
    /// The medium only says that blocks are durable.
    pub(super) lost: bool,
    /// A write is about to fail.
    pub(super) planned: &'t mut bool,
}

impl Trouble<'_> {
    /// Plans that a write of this journal fails; true when the power goes with it.
    fn plan(&mut self, stream: &StreamId) -> bool {
        if self.writes == 0 || self.chance.below(100_000) >= self.writes {
            return false;
        }
        let all = [
            WriteFault::Lost,
            WriteFault::Kept,
            WriteFault::Full,
            WriteFault::Torn,
        ];
        let fault = *self.chance.pick(&all);
        *self.planned = true;
        self.shelf.fail_next(stream, fault, self.chance);
        fault == WriteFault::Torn
    }
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

impl Life {
    /// Everybody has a turn, in an order that chance decides.
    pub(super) fn turn(
        &mut self,
        chance: &mut Random,
        trouble: &mut Trouble<'_>,
    ) -> Result<Turn, String> {
        let house = KeyRing::new(self.key.public()).house();
        let clock = Arc::clone(&self.house.clock);
        let mut turn = Turn::default();
        for _ in 0..5 * self.tables.len() + 5 {
            let who = chance.below(self.tables.len() as u64 + 1) as usize;
            let what = chance.below(5);
            match (self.tables.get_mut(who), what) {
                (Some(table), 3) => {
                    for _ in 0..chance.below(AT_ONCE) + 1 {
                        let Ok(message) = table.queue.try_recv() else {
                            break;
                        };
                        table.work.take(message);
                    }
                    table.work.turn();
                }
                (Some(table), 4) => {
                    if let Ok(job) = table.tickets.try_recv() {
                        let told = print(&job, trouble, &mut turn.printed);
                        let _ = self.to_desk.try_send(told);
                    }
                }
                (Some(table), what) => {
                    if let Some(stream) = &mut table.stream {
                        let at = (&table.id, what);
                        drive(
                            stream,
                            at,
                            (&clock, chance),
                            trouble,
                            &mut turn,
                            |stream, lost| stream.write(&self.key, house, lost),
                        );
                    }
                }
                (None, 3) => {
                    for _ in 0..chance.below(AT_ONCE) + 1 {
                        let Ok(message) = self.desk_queue.try_recv() else {
                            break;
                        };
                        self.desk.take(message);
                    }
                    self.desk.turn();
                }
                (None, 4) => self.talk()?,
                (None, what) => {
                    let stream = stream_of(sicbo_register::STREAM)?;
                    let at = (&stream, what);
                    let register = &mut self.register;
                    drive(
                        register,
                        at,
                        (&clock, chance),
                        trouble,
                        &mut turn,
                        |stream, lost| stream.write(&self.key, house, lost),
                    );
                }
            }
            if turn.torn {
                break;
            }
        }
        if let Some(what) = turn.failed.first()
            && !*trouble.planned
        {
            return Err(format!("a write failed, and nothing was wrong: {what}"));
        }
        self.host.step();
        self.talk()?;
        Ok(turn)
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
            let stream = table.stream.as_ref();
            stream.is_some_and(|stream| stream.is_idle() && !stream.is_stopped())
                && table.queue.is_empty()
                && table.tickets.is_empty()
        };
        self.tables.iter().all(quiet) && self.register.is_idle() && self.desk_queue.is_empty()
    }

    /// The register's journal has failed: nothing is left but to begin anew.
    pub(super) fn register_stopped(&self) -> bool {
        self.register.is_stopped()
    }

    /// Tables whose journals have failed.
    pub(super) fn stopped(&self) -> Vec<usize> {
        let stopped = |table: &TableLife| {
            let told = self.house.table(&table.name);
            told.is_some_and(|hub| hub.stopped().is_some())
        };
        let tables = self.tables.iter().enumerate();
        tables
            .filter(|(_, table)| stopped(table))
            .map(|(at, _)| at)
            .collect()
    }

    /// Where the power would go now, for every stream.
    pub(super) fn points(&self) -> Vec<&'static str> {
        let tables = self.tables.iter().filter_map(|table| table.stream.as_ref());
        let tables = tables.map(Stream::point);
        tables.chain([self.register.point()]).collect()
    }

    /// The power goes. Blocks that were on their way arrived or did not.
    pub(super) fn end(mut self, chance: &mut Random, shelf: &Shelf) {
        let house = KeyRing::new(self.key.public()).house();
        let on_disk = matches!(shelf, Shelf::Disk(_));
        for table in &mut self.tables {
            if let Some(stream) = &mut table.stream {
                if !on_disk && stream.is_flying() && chance.chance(500) {
                    let _ = stream.write(&self.key, house, false);
                }
                stream.abandon();
            }
        }
        if !on_disk && self.register.is_flying() && chance.chance(500) {
            let _ = self.register.write(&self.key, house, false);
        }
        self.register.abandon();
        self.forget();
    }

    /// The program is gone, with everything that it had open.
    pub(super) fn forget(self) {
        let host = self.host.clone();
        drop(self);
        host.forget();
    }

    /// Records in all journals, and what each ends with.
    pub(super) fn tails(&self) -> (u64, Vec<[u8; 32]>) {
        let tables = self.tables.iter().filter_map(|table| table.stream.as_ref());
        let tables = tables.map(Stream::tail);
        let tails: Vec<Tail> = tables.chain([self.register.tail()]).collect();
        let records = tails.iter().map(|tail| tail.sequence).sum();
        (
            records,
            tails.iter().map(|tail| tail.header_hash.0).collect(),
        )
    }
}

/// A stream has its turn: it decides, writes or carries out.
fn drive<M: sicbo_loop::Machine, R: Send>(
    stream: &mut Stream<M, R>,
    (id, what): (&StreamId, u64),
    (clock, chance): (&HouseClock, &mut Random),
    trouble: &mut Trouble<'_>,
    turn: &mut Turn,
    write: impl Fn(&mut Stream<M, R>, bool) -> Option<sicbo_journal::AppendError>,
) {
    match what {
        0 => stream.decide(clock),
        1 if stream.is_flying() && trouble.slow > 0 && trouble.chance.chance(trouble.slow) => {}
        1 if stream.is_flying() => {
            let torn = trouble.plan(id);
            let failed = write(stream, trouble.lost);
            turn.torn |= torn;
            turn.failed
                .extend(failed.map(|error| format!("{id}: {error}")));
        }
        _ => stream.carry_out(chance.below(4) + 1),
    }
}

/// The printer's word on a ticket. What came out lies there for anybody.
fn print(job: &PrintJob, trouble: &mut Trouble<'_>, printed: &mut Vec<Printed>) -> ToDesk {
    let failure = |paper| PrintFailure {
        paper,
        what: "paper jam".to_owned(),
    };
    let failed = match trouble.chance.below(20) {
        0 if trouble.printers => Some(failure(Paper::None)),
        1 if trouble.printers => Some(failure(Paper::Unknown)),
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

pub(super) fn stream_of(name: &str) -> Result<StreamId, String> {
    StreamId::new(name).map_err(|error| error.to_string())
}

/// The journal of a table.
pub(super) fn table_stream(name: &TableName) -> Result<StreamId, String> {
    stream_of(name.as_str())
}
