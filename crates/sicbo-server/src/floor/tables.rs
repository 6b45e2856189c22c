//! Brings tables into service: at the start of the house, and one alone while
//! the others play.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crossbeam_channel::bounded;
use futures_channel::oneshot;
use futures_executor::block_on;
use parking_lot::Mutex;
use sicbo_clock::now_ms;
use sicbo_devices::acceptor::NoteAcceptor;
use sicbo_house::backing::ahead_of;
use sicbo_house::desk::{Desk, ToDesk};
use sicbo_house::devices::Line;
use sicbo_house::driver::{AutomaticDealer, ByHand, CloseBlock, Driver};
use sicbo_house::hub::{
    self, BoardTally, NewHub, ROAD_LENGTH, Reply, Road, State, TableDoor, ToHub,
};
use sicbo_house::practice::Lessons;
use sicbo_house::proposals::Proposals;
use sicbo_house::receipts::ReceiptKeys;
use sicbo_house::service::{self, NotHeld, close_block, driver_of, first_acts, plays_at, unknown};
use sicbo_journal::{DataFolder, Hash, Store, StreamId, Tail};
use sicbo_loop::{Answer, ClosedDoor, Door as _, Recovered};
use sicbo_plan::{DealerPlan, HousePlan, TablePlan, Tls, TumblerPlan};
use sicbo_proof::history::History;
use sicbo_proof::rounds::confirmed;
use sicbo_proof::source;
use sicbo_register::reached::Reached;
use sicbo_register::{self as register, Party, Register};
use sicbo_rules::rulebook::words::Position;
use sicbo_runner::{Handle, Runner};
use sicbo_table::actor::Actor;
use sicbo_table::cash::MoneyDuties;
use sicbo_table::ids::PersonId;
use sicbo_table::refusal::Reason;
use sicbo_table::table::{ClocksParted, Status};
use sicbo_table::{Act, Command, Table};

use super::start::{Place, StartError, io, is_known, people_by_position};
use super::threads::{Until, drive_hub};
use super::{Floor, TableAt};
use crate::lines;
use crate::wire::staff::Files as _;

/// The acceptor at a table's terminals, if it has one, and the notes it takes in minor units.
pub(super) fn acceptor_of(plan: &TablePlan) -> (Option<NoteAcceptor>, Vec<i64>) {
    let acceptor = match plan.note_acceptor {
        true => NoteAcceptor::new(plan.config.currency, Vec::new()).ok(),
        false => None,
    };
    let notes = acceptor.as_ref().map_or_else(Vec::new, |acceptor| {
        acceptor.notes().iter().map(|note| note.minor()).collect()
    });
    (acceptor, notes)
}

/// The loops of the tables that run.
pub(super) type Runners = Mutex<BTreeMap<super::TableName, Runner<Table, Reply>>>;

/// People who deal by themselves at a trial, and the lesson of a practice table.
pub(super) type Hands<'h> = (&'h BTreeMap<Position, PersonId>, Option<Lessons>);

/// A table as it was read back from its journal, before it runs.
pub(super) struct Opened {
    store: Box<dyn Store>,
    recovered: Recovered<Table, Reply>,
    road: Road,
    close: Option<CloseBlock>,
}

impl Opened {
    /// Reads a table back. Its journal must hold every record in `reached`.
    fn read(
        place: &Place,
        plan: &TablePlan,
        known: bool,
        reached: &[Reached],
    ) -> Result<Opened, StartError> {
        place.read_again(plan.name.as_str(), || {
            Opened::read_once(place, plan, known, reached)
        })
    }

    fn read_once(
        place: &Place,
        plan: &TablePlan,
        known: bool,
        reached: &[Reached],
    ) -> Result<Opened, StartError> {
        let (stream, mut store) = place.store(plan.name.as_str(), known)?;
        let read = || -> Result<_, StartError> {
            for mark in reached {
                check_holds(&stream, store.as_ref(), mark)?;
            }
            let recovered: Recovered<Table, Reply> = place.recover(&stream, store.as_ref())?;
            let table = recovered.writer_loop.state();
            let rounds = confirmed(store.as_ref(), place.ring(), table, ROAD_LENGTH);
            let rounds = rounds.map_err(|error| StartError::Recovery {
                stream: stream.to_string(),
                error: error.into(),
            })?;
            Ok((recovered, rounds))
        };
        let (recovered, rounds) = match read() {
            Ok(read) => read,
            Err(error) => {
                store.abandon();
                return Err(error);
            }
        };
        let table = recovered.writer_loop.state();
        if let Some(first) = rounds.refused.first() {
            tracing::warn!(
                "{stream}: the index names other records for {} of the last rounds, round {first} \
                 the first; they are not shown. Run `sicbo verify`",
                rounds.refused.len()
            );
        }
        let close = close_block(table, recovered.round_first, store.as_ref());
        let road = Road::of(stream, &rounds.rows, table.book().map(AsRef::as_ref))
            .with_receipts(ReceiptKeys::new(&place.secrets.vouchers));
        Ok(Opened {
            store,
            recovered,
            road,
            close,
        })
    }

    /// What the house itself does at the table first.
    fn first_acts(
        &self,
        why: &str,
        parted: Option<ClocksParted>,
        duties: Option<MoneyDuties>,
    ) -> Vec<(i64, Act)> {
        let table = self.recovered.writer_loop.state();
        let past = (self.recovered.interrupted, self.last_ms());
        let mut acts = first_acts(table, past, why, parted, now_ms());
        let known = table.money_duties.as_deref().copied();
        let news = duties.filter(|duties| known != Some(*duties));
        acts.extend(news.map(|duties| (now_ms(), Act::SetMoneyDuties { duties })));
        acts
    }

    /// The time of its last record.
    pub(super) fn last_ms(&self) -> i64 {
        self.recovered.last_ms
    }

    fn state(&self) -> State {
        State {
            version: self.recovered.writer_loop.durable(),
            block: self.store.tail().header_hash.0,
            table: self.recovered.writer_loop.state().clone(),
            road: self.road.clone(),
            tally: BoardTally::since(now_ms()),
        }
    }
}

/// As [`service::check_holds`], of a named journal.
fn check_holds(stream: &StreamId, store: &dyn Store, mark: &Reached) -> Result<(), StartError> {
    // A table that had written nothing yet, noted by an earlier program.
    if mark.sequence == 0 {
        return Ok(());
    }
    let stream = stream.to_string();
    service::check_holds(store, mark).map_err(|error| match error {
        NotHeld::Older(what) => StartError::Older { stream, what },
        NotHeld::Read(error) => StartError::Recovery {
            stream,
            error: error.into(),
        },
    })
}

/// A table's journal, or why it cannot be used.
pub(super) type Read = Result<Opened, String>;

/// Reads the journals of all tables back, several at once: a house of many
/// tables is open again as soon as its longest journal is read.
pub(super) fn read_all(
    place: &Place,
    tables: &[TablePlan],
    known: impl Fn(&TablePlan) -> (bool, Vec<Reached>) + Sync,
) -> Result<Vec<Read>, StartError> {
    // Reading waits for the disk: two are worth while on one processor too.
    let at_once = std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2));
    let next = AtomicUsize::new(0);
    let found = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..at_once.min(tables.len()) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(table) = tables.get(at) else { return };
                    let (known, reached) = known(table);
                    let read = Opened::read(place, table, known, &reached);
                    let mut found = found.lock();
                    found.insert(at, read);
                }
            });
        }
    });
    let found = found.into_inner();
    let usable = |read| match read {
        Ok(opened) => Ok(Ok(opened)),
        Err(
            error @ (StartError::Open { .. }
            | StartError::Recovery { .. }
            | StartError::Unapplied { .. }
            | StartError::Older { .. }),
        ) => Ok(Err(error.to_string())),
        Err(error) => Err(error),
    };
    found.into_values().map(usable).collect()
}

/// What the tables have written that the register does not know, in words.
pub(super) fn unknown_to_register(
    register: &Register,
    tables: &[TablePlan],
    opened: &[Read],
) -> Result<Option<String>, StartError> {
    for (table, opened) in tables.iter().zip(opened) {
        let Ok(opened) = opened else { continue };
        let found = ahead_of(register, &table.name, opened.store.as_ref());
        let found = found.map_err(|error| StartError::Recovery {
            stream: table.name.to_string(),
            error: error.into(),
        })?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Nothing is played on after all, for this reason.
pub(super) fn leave_all(opened: &mut [Read], why: &str) {
    for read in opened {
        if let Ok(opened) = read {
            opened.store.abandon();
        }
        *read = Err(why.to_owned());
    }
}

/// Starts a table. One whose journal cannot be read is there and out of
/// service, and says why: it keeps no other table shut.
pub(super) fn start_table(
    place: &Place,
    (path, house): (&Path, &HousePlan),
    (plan, opened): (&TablePlan, Read),
    (staff, practice): Hands<'_>,
    (desk, to_desk): (&Arc<Desk>, &crossbeam_channel::Sender<ToDesk>),
) -> Result<(TableAt, Option<Runner<Table, Reply>>), StartError> {
    let quota = house.terminal_quota;
    let stream = super::start::stream_of(plan);
    let (ear, sender, receiver) = hub::queue();
    let dealer = match plan.dealer {
        DealerPlan::Automatic { .. } => Some(AutomaticDealer::new(true)),
        DealerPlan::Person if plan.tumbler == TumblerPlan::Simulated => {
            Some(AutomaticDealer::new(false))
        }
        DealerPlan::Person => None,
    };
    let line = Line::default();
    let (acceptor, notes) = acceptor_of(plan);
    let (state, driver, stopped, runs, history) = match opened {
        Ok(opened) => {
            let history = whole_history(path, plan);
            let state = opened.state();
            let close = opened.close;
            let duties = house.duties.as_ref();
            let duties = duties.map(|duties| duties.money_of(&plan.config));
            let drives = (dealer.as_ref(), practice.as_ref(), &line);
            let driver = driver_of(*place.secrets.tumblers, plan, drives, staff, close);
            let acts = opened.first_acts(
                "the house program was restarted",
                desk.register().clock_parted,
                duties,
            );
            let runner = place.run(opened.recovered, opened.store, Box::new(ear))?;
            (state, driver, None, Some((runner, acts)), history)
        }
        Err(why) => {
            tracing::error!(table = %plan.name, why, "the table is out of service");
            let by_hand: Box<dyn Driver> = Box::new(ByHand);
            let mark = desk.register().reached.get(&plan.name).copied();
            let history = acknowledged_history(path, plan, mark);
            (
                unknown(&stream, now_ms()),
                by_hand,
                Some(why),
                None,
                history,
            )
        }
    };
    let status = state.table.status.clone();
    let door: TableDoor = match &runs {
        Some((runner, _)) => Arc::new(runner.handle()),
        None => Arc::new(ClosedDoor),
    };
    // The desk knows the hubs; they must not keep it.
    let people = Arc::downgrade(desk);
    let names = move |person| people.upgrade()?.name_of(person);
    let (hub, work) = hub::hub(NewHub {
        name: plan.name.clone(),
        state,
        door,
        sender,
        desk: to_desk.clone(),
        names: Box::new(names),
        driver,
        notes,
        quota,
        stopped,
        clock: Arc::clone(sicbo_clock::house()),
    });
    drive_hub(work, receiver, Until::QueueGone).map_err(io("starting a hub"))?;
    if let Some(address) = plan.device_listen {
        let opened = lines::open(
            address,
            plan.name.clone(),
            Arc::clone(desk),
            Arc::clone(&hub),
            &line,
            match plan.device_tls {
                true => &house.tls,
                false => &Tls::None,
            },
        );
        opened.map_err(io(format!(
            "the devices' line of {} on {address}",
            plan.name
        )))?;
    }
    let at = TableAt {
        hub,
        plan: plan.clone(),
        dealer,
        practice,
        acceptor,
        line,
        proposals: Mutex::new(Proposals::new(Arc::clone(sicbo_clock::house()))),
        history: Mutex::new(history),
        receipts: Mutex::default(),
    };
    let Some((runner, acts)) = runs else {
        return Ok((at, None));
    };
    let shift_is_open = desk.register().open_shift(&plan.name).is_some();
    let suspended = service::suspended_without_a_shift(house.real_money, &status, shift_is_open);
    let suspended = suspended.map(|act| (now_ms(), act));
    commands(&runner.handle(), acts.into_iter().chain(suspended))?;
    open_by_itself(&at, &status, &runner.handle())?;
    Ok((at, Some(runner)))
}

/// The ended rounds of a journal whose records are all durable.
fn whole_history(data: &Path, plan: &TablePlan) -> Option<History> {
    let stream = super::start::stream_of(plan);
    History::open(&stream, &DataFolder::stream_path(data, &stream)).ok()
}

/// The ended rounds of a journal that could not be started from, up to the last
/// record that is known to have been acknowledged; nothing where none is, or the
/// file does not hold it.
fn acknowledged_history(data: &Path, plan: &TablePlan, mark: Option<Reached>) -> Option<History> {
    let (stream, mark) = (super::start::stream_of(plan), mark?);
    let store = source::open(&stream, &DataFolder::stream_path(data, &stream)).ok()?;
    check_holds(&stream, &store, &mark).ok()?;
    let tail = Tail {
        sequence: mark.sequence,
        header_hash: Hash(mark.header_hash),
        ..Tail::default()
    };
    Some(History::up_to(&stream, Box::new(store), tail))
}

/// A trial deals by itself and practice is always open; a real table is opened
/// by its supervisor.
fn open_by_itself(
    at: &TableAt,
    status: &Status,
    handle: &Handle<Table, Reply>,
) -> Result<(), StartError> {
    let by_itself = at.practice.is_some() || matches!(at.plan.dealer, DealerPlan::Automatic { .. });
    if *status == Status::Closed && by_itself {
        let opening = at.opening().map_err(StartError::Plan)?;
        commands(handle, [(now_ms(), opening)])?;
    }
    Ok(())
}

/// Why a table was not started again.
#[derive(Debug, thiserror::Error)]
pub enum NotRestarted {
    /// It runs.
    #[error("the table is in service")]
    Runs,
    /// The house's data is older than what is known.
    #[error("{0}")]
    Behind(Box<super::tree::Behind>),
    /// The house is about to stop.
    #[error("the house is being stopped")]
    Stopping,
    /// It still cannot be.
    #[error(transparent)]
    Start(#[from] StartError),
    /// It could be read and stopped again at once.
    #[error("the table's journal failed again at once")]
    FailedAgain,
}

impl Floor {
    /// Starts a table that is out of service again, alone, from its journal as
    /// it is on the disk now. Waits; other tables play on.
    ///
    /// # Errors
    /// When it is in service, or its journal still cannot be used.
    pub fn restart_table(&self, at: &TableAt, why: &str) -> Result<(), NotRestarted> {
        let name = &at.hub.name;
        if let Some(behind) = self.behind() {
            return Err(NotRestarted::Behind(Box::new(behind)));
        }
        // One at a time.
        let mut runners = self.runners.lock();
        if at.hub.stopped().is_none() {
            return Err(NotRestarted::Runs);
        }
        let place = self.place.upgrade().ok_or(NotRestarted::Stopping)?;
        // The old loop lets go of the file first.
        if let Some(old) = runners.remove(name) {
            let _ = old.stop();
        }
        // Its reader too, which would keep a file that was replaced open.
        *at.history.lock() = None;
        let restarted = self.run_again(&place, at, why);
        if restarted.is_err() {
            // Ended rounds can be read although the table does not play, as far
            // as anybody was told of them: what a start could not make durable
            // may be readable and on no disk.
            let shown = at.hub.state().reached();
            let mark = shown.or_else(|| self.desk.register().reached.get(name).copied());
            self.keep_history(at, acknowledged_history(&self.data, &at.plan, mark));
        }
        let runner = restarted?;
        runners.insert(name.clone(), runner);
        Ok(())
    }

    /// Notes in the register how far every table that runs has come: what they
    /// wrote before a new life began is known to it from then on. Waits.
    pub fn note_tables(&self) {
        for at in self.tables() {
            let Some(reached) = at.hub.state().reached() else {
                continue;
            };
            let table = at.hub.name.clone();
            let act = register::Act::NoteTable { table, reached };
            // One that finds no room is noted with the desk's own notes.
            let _ = block_on(self.desk.ask(Party::House, None, act));
        }
    }

    fn keep_history(&self, at: &TableAt, history: Option<History>) {
        *at.history.lock() = history;
    }

    /// Reads the table's journal and runs it.
    fn run_again(
        &self,
        place: &Place,
        at: &TableAt,
        why: &str,
    ) -> Result<Runner<Table, Reply>, NotRestarted> {
        let name = &at.hub.name;
        let known = is_known(&self.desk, name);
        let shown = at.hub.state().reached();
        let noted = self.desk.register().reached.get(name).copied();
        let mut reached: Vec<Reached> = shown.into_iter().chain(noted).collect();
        reached.extend(place.reached(name));
        let opened = Opened::read(place, &at.plan, known, &reached)?;
        let staff = people_by_position(&self.desk.register()).0;
        let drives = (at.dealer.as_ref(), at.practice.as_ref(), &at.line);
        let driver = driver_of(
            *place.secrets.tumblers,
            &at.plan,
            drives,
            &staff,
            opened.close,
        );
        let state = Box::new(opened.state());
        let status = state.table.status.clone();
        let acts = {
            let duties = self.plan.duties.as_ref();
            let duties = duties.map(|duties| duties.money_of(&at.plan.config));
            opened.first_acts(why, self.desk.register().clock_parted, duties)
        };
        // Before the loop can publish anything.
        at.hub.tell_waiting(ToHub::Recovered { state, driver });
        let runner = place.run(opened.recovered, opened.store, Box::new(at.hub.ear()))?;
        let began = commands(&runner.handle(), acts)
            .and_then(|()| open_by_itself(at, &status, &runner.handle()));
        if let Err(error) = began {
            let _ = runner.stop();
            return Err(error.into());
        }
        self.keep_history(at, whole_history(&self.data, &at.plan));
        let (done, is_done) = bounded(1);
        let door = Arc::new(runner.handle());
        let plays = plays_at(&self.desk, name);
        at.hub.tell_waiting(ToHub::Restarted { door, plays, done });
        if !is_done.recv().unwrap_or(false) {
            let _ = runner.stop();
            return Err(NotRestarted::FailedAgain);
        }
        Ok(runner)
    }
}

/// Commands of the house itself, carried out before anyone is let in; they
/// share their syncs.
fn commands(
    handle: &Handle<Table, Reply>,
    acts: impl IntoIterator<Item = (i64, Act)>,
) -> Result<(), StartError> {
    let mut asked = VecDeque::new();
    for (at_ms, act) in acts {
        let what = format!("{act:?}").chars().take(40).collect::<String>();
        let command = Command {
            id: 0,
            at_ms,
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
                        was_done(what, block_on(receiver).unwrap_or(Answer::Stopped))?;
                    }
                }
                Err((_, answer)) => return was_done(what, answer),
            }
        }
    }
    for (what, receiver) in asked {
        was_done(what, block_on(receiver).unwrap_or(Answer::Stopped))?;
    }
    Ok(())
}

fn was_done(what: String, answer: Answer<sicbo_table::Refusal>) -> Result<(), StartError> {
    let why = match answer {
        Answer::Done { .. } => return Ok(()),
        // An interruption may have stopped play by itself: it need not be stopped again.
        Answer::Refused(refusal) if refusal.reason == Reason::AlreadyDone => return Ok(()),
        Answer::Refused(refusal) => refusal.to_string(),
        other => format!("{other:?}"),
    };
    Err(StartError::Refused { what, why })
}

#[cfg(test)]
mod tests;
