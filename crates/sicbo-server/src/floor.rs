//! The running house: its register, its tables, who is logged in, and how it
//! is stopped.

mod start;
pub(crate) mod still;
mod tables;
mod tasks;
mod threads;
pub mod tree;
mod trial;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use sicbo_house::desk::{Desk, DeskReply};
use sicbo_house::house::House;
use sicbo_house::hub::{BoardTally, State};
use sicbo_journal::{
    DataFolder, KeyFolder, KeyId, PublicKey, SignatureBytes, SqliteStore, Store as _, StreamId,
};
use sicbo_loop::Door as _;
use sicbo_proof::{Trust, bundle, source};
use sicbo_register::case::NewCase;
use sicbo_register::enrolment::TableName;
use sicbo_register::pin::PinHasher;
use sicbo_register::reached::Reached;
use sicbo_register::set_up::HandOver;
use sicbo_register::shift::{Ledger, SignedTo};
use sicbo_register::{self as register, Fact, Register};
use sicbo_report::{Followed, Slips};
use sicbo_runner::Runner;
use sicbo_table::{Event, Table};
use tokio::sync::{broadcast, watch};

use crate::attest::SelfCheck;
use crate::http::receipts::CheckPage;
use crate::limited::Limited;
use crate::log_ins::LogIns;
use crate::problem::Problem;
use crate::storage::Storage;

pub use sicbo_house::house::TableAt;
pub(crate) use start::stream_of;
pub use start::{Start, StartError, start, start_with};
pub use tables::NotRestarted;
use tasks::Tasks;
pub(crate) use tree::LeafTold;
pub use trial::Seat;

/// The running house with what only a program has: files, threads, secrets.
pub struct Floor {
    /// The house.
    pub house: Arc<House>,
    /// Hashes and verifies PINs.
    pub hasher: Arc<PinHasher>,
    /// Where everything is kept.
    pub data: PathBuf,
    /// SHA-256 of the running program (S-16).
    pub program: [u8; 32],
    /// The files the house was started from.
    pub self_check: SelfCheck,
    /// Facts that sessions must know of.
    news: broadcast::Sender<Fact>,
    /// Does for the house what only a program can.
    host: Arc<Tasks>,
    /// Who has to wait, and what log-ins take beside PINs.
    pub log_ins: LogIns,
    /// PINs being hashed.
    pub hashing: Limited,
    /// Ended rounds that anyone may ask for: staff do not wait for them.
    pub public_reading: Limited,
    /// The page that checks receipts, once the house has signed it.
    pub check_page: OnceLock<CheckPage>,
    /// When it began, by the clock that only goes forward.
    pub began_ms: i64,
    /// Tables being started again: nobody's report makes them wait.
    pub restarting: Limited,
    /// Reports being made: few at once, so that play is not disturbed.
    pub reporting: Limited,
    /// Secrets in halves that wait for the two who had them made.
    pub claims: Mutex<crate::claims::Claims>,
    /// Held while visits are written down.
    visit_file: Mutex<()>,
    stop: watch::Sender<bool>,
    /// What tables are started from; gone when the house has stopped.
    place: Weak<start::Place>,
    /// The loops of the tables that run.
    runners: Arc<tables::Runners>,
    /// The house's tree; practice has none.
    tree: Option<tree::Watch>,
    /// What is measured of its journals.
    pub(crate) storage: Arc<Storage>,
}

impl std::ops::Deref for Floor {
    type Target = House;

    fn deref(&self) -> &House {
        &self.house
    }
}

/// What must be stopped when the house stops.
pub struct Engine {
    desk: Arc<Desk>,
    register: Runner<Register, DeskReply>,
    tables: Arc<tables::Runners>,
    tree: Option<tree::Running>,
    /// The folder is this process's until the loops have stopped.
    _place: Arc<start::Place>,
}

/// A house that was started.
pub struct Started {
    /// The house.
    pub floor: Arc<Floor>,
    /// Its loops.
    pub engine: Engine,
    /// Secrets of a first start, to be handed over once.
    pub hand_over: Option<HandOver>,
}

impl Engine {
    /// Finishes what was accepted and stops. Waits.
    pub fn stop(self) {
        // Tables first: what they finish may still be of interest to the register.
        let tables = {
            let mut tables = self.tables.lock();
            std::mem::take(&mut *tables)
        };
        let register = self.register.handle();
        for (table, runner) in tables {
            let Some((_, store)) = runner.stop() else {
                continue;
            };
            let tail = store.tail();
            if tail.sequence == 0 {
                // It was never opened: there is nothing to hold it to.
                continue;
            }
            let reached = Reached {
                sequence: tail.sequence,
                header_hash: tail.header_hash.0,
            };
            // A register that has no room or has failed knows an older mark.
            let _ = register.submit(DeskReply::Nobody, self.desk.noting(table, reached));
        }
        let _ = self.register.stop();
        // Last: everything that was accepted is durable and in it.
        if let Some(tree) = self.tree {
            tree.stop();
        }
    }
}

/// Waits until the house is to stop.
#[derive(Clone)]
pub struct Stopping(watch::Receiver<bool>);

impl Stopping {
    /// Returns when it is to stop.
    pub async fn asked(&mut self) {
        // A sender that is gone has stopped as well.
        let _ = self.0.wait_for(|stop| *stop).await;
    }
}

impl Floor {
    /// The house's tree; practice has none.
    #[must_use]
    pub fn tree(&self) -> Option<&tree::TreeWatch> {
        self.tree.as_deref()
    }

    /// Whether the house does not play because its data is older than what is known.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        self.tree().is_some_and(tree::TreeWatch::is_behind)
    }

    /// Whether nothing is paid or dealt, because the data is older than what is
    /// known or because its loss could not be noticed.
    #[must_use]
    pub fn is_halted(&self) -> bool {
        let unwritten = |tree: &tree::TreeWatch| tree.is_behind() || tree.unwritten_s().is_some();
        self.tree().is_some_and(unwritten)
    }

    /// Why the house does not play, when its data is older than what is known.
    #[must_use]
    pub fn behind(&self) -> Option<tree::Behind> {
        self.tree()?.behind()
    }

    /// Two persons have put on record that the house goes on with older data: a
    /// new life begins, and nothing is held to what the last one knew. Waits.
    ///
    /// # Errors
    /// Why it could not, in words.
    pub fn go_on(&self, life: u32) -> Result<(), String> {
        let tree = self.tree().ok_or("practice has no tree")?;
        if let Some(place) = self.place.upgrade() {
            place.reached.lock().clear();
        }
        tree.go_on(life)
    }

    /// Facts of the register as they become durable.
    pub fn news(&self) -> broadcast::Receiver<Fact> {
        self.news.subscribe()
    }

    /// Waits until nothing that two persons have confirmed is being carried out;
    /// from then on there is no room for more.
    pub async fn carried_out(&self) {
        self.host.ended().await;
    }

    /// Journals being read.
    #[must_use]
    pub fn reading(&self) -> &Limited {
        &self.host.reading
    }

    /// Reads what a table has written, not on a thread that serves others.
    ///
    /// # Errors
    /// When there is no such table, or too much is being read.
    pub async fn read_at<R: Send + 'static>(
        self: &Arc<Floor>,
        table: &str,
        read: impl FnOnce(&TableAt) -> R + Send + 'static,
    ) -> Result<R, Problem> {
        let (floor, table) = (Arc::clone(self), table.to_owned());
        let work = move || floor.table_named(&table).map(read);
        self.reading().run(work).await?
    }

    /// The journal of a stream, to be read.
    fn open(&self, name: &str) -> Result<(StreamId, SqliteStore), String> {
        let stream = StreamId::new(name).map_err(|error| error.to_string())?;
        let path = DataFolder::stream_path(&self.data, &stream);
        let store = source::open(&stream, &path).map_err(|error| error.to_string())?;
        Ok((stream, store))
    }

    /// To be told when the house is to stop.
    #[must_use]
    pub fn stopping(&self) -> Stopping {
        Stopping(self.stop.subscribe())
    }

    /// Whether the house is to stop.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        *self.stop.borrow()
    }

    /// Somebody has logged in: the secrets of the first start have arrived.
    pub fn handed_over(&self) {
        if let Some(place) = self.place.upgrade() {
            place.forget_hand_over();
        }
    }

    /// Begins no further round and waits until those that go on have ended, at
    /// most for so long: a round that waits for a person does not keep the
    /// house from stopping.
    pub async fn end_rounds(&self, within: Duration) {
        let by = tokio::time::Instant::now() + within;
        for at in self.tables() {
            at.hub.end_rounds();
        }
        while tokio::time::Instant::now() < by && self.tables().any(|at| at.hub.in_round()) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Tells everyone that the house stops.
    pub fn stop(&self) {
        self.stop.send_replace(true);
    }

    /// Signs with the house's key.
    ///
    /// # Errors
    /// When the house is stopping, or the key's device does not sign.
    pub fn sign(&self, message: &[u8]) -> Result<SignatureBytes, Problem> {
        let place = self.place.upgrade();
        let place = place.ok_or_else(|| Problem::ours(&"the house is stopping"))?;
        let signed = place.signer().1.sign(message);
        signed.map_err(|error| Problem::ours(&error))
    }

    /// The house's name and the public half of the key that signs now.
    ///
    /// # Errors
    /// When the house is stopping.
    pub fn signing_key(&self) -> Result<(KeyId, PublicKey), Problem> {
        let place = self.place.upgrade();
        let place = place.ok_or_else(|| Problem::ours(&"the house is stopping"))?;
        let (house, key) = place.signer();
        Ok((house, key.public()))
    }

    /// The file of a case, with the bundle of its round when that has ended.
    /// What is handed out is what was checked.
    ///
    /// # Errors
    /// Why there is none, in words: as when the newest record is not signed yet.
    pub fn case_bundle(&self, number: u64, case: &NewCase) -> Result<Vec<u8>, String> {
        let words = |error: &dyn std::fmt::Display| error.to_string();
        let keys = || {
            let keys = KeyFolder::read_hand_overs(&self.data.join("keys"));
            keys.map_err(|error| words(&error))
        };
        let round = match case.round {
            None => None,
            Some(round) => {
                let (stream, store) = self.open(case.table.as_str())?;
                match bundle::make(&store, &stream, keys()?, round.0, None) {
                    Ok(bundle) => Some(bundle),
                    // A round in hand proves nothing yet.
                    Err(bundle::MakeError::NotEnded { .. }) => None,
                    Err(error) => return Err(words(&error)),
                }
            }
        };
        let (_, store) = self.open(register::STREAM)?;
        let made = bundle::case::make(&store, keys()?, number, round);
        let made = made.map_err(|error| words(&error))?;
        let checked = made.check(&Trust::Anyone);
        checked.map_err(|fault| format!("it does not verify: {fault}"))?;
        Ok(made.to_bytes())
    }

    /// The newest checkpoint of a table that covers no record after this one.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn signed_to(&self, table: &TableName, last: u64) -> Result<Option<SignedTo>, String> {
        let (_, store) = self.open(table.as_str())?;
        let checkpoints = store.checkpoints().map_err(|error| error.to_string())?;
        let signed = checkpoints.iter().map(|signed| signed.checkpoint());
        let newest = signed
            .filter(|checkpoint| checkpoint.sequence <= last)
            .max_by_key(|checkpoint| checkpoint.sequence);
        Ok(newest.map(|checkpoint| SignedTo {
            sequence: checkpoint.sequence,
            header_hash: checkpoint.header_hash.0,
        }))
    }

    /// What a table's books said after a record of its journal.
    ///
    /// # Errors
    /// When its journal cannot be read.
    pub fn ledger_at(&self, table: &TableName, record: u64) -> Result<Ledger, String> {
        let (stream, store) = self.open(table.as_str())?;
        let state = sicbo_report::state_at(&store, &stream, record);
        let state = state.map_err(|error| error.to_string())?;
        Ok(crate::wire::pit::ledger(record, &state))
    }

    /// Has the pit's board count the shift of a table that goes on, from its first record (P-030):
    /// when one begins, and after a start.
    ///
    /// # Errors
    /// When its journal cannot be read.
    pub fn count_shift(&self, table: &TableName) -> Result<(), String> {
        let Some(at) = self.table_at(table.as_str()) else {
            return Ok(());
        };
        let open = {
            let register = self.desk.register();
            let open = register.open_shift(table);
            open.map(|(id, shift)| (id.0, shift.from_sequence, shift.opened_at))
        };
        let Some((shift, from, since_ms)) = open else {
            let none = |_: &State| Ok::<_, String>(BoardTally::since(self.clock.now_ms()));
            return at.hub.count_anew(none);
        };
        // Before a reader looks where the journal ends.
        let to = at.hub.state().version;
        let (stream, store) = self.open(table.as_str())?;
        let mut tally = BoardTally {
            shift: Some(shift),
            ..BoardTally::since(since_ms)
        };
        let mut note = |before: &Table, event: &Event| tally.note(before, event);
        let followed = Followed::shift(&store, &stream, (from, to), &mut note);
        let mut followed = followed.map_err(|error| error.to_string())?;
        tally.before = followed.round_before();
        // What came since, while the table still publishes.
        let now = at.hub.state().version;
        let mut note = |before: &Table, event: &Event| tally.note(before, event);
        let caught_up = followed.up_to(&store, now, &mut note);
        caught_up.map_err(|error| error.to_string())?;
        at.hub.count_anew(|state| {
            // A later shift was counted meanwhile.
            if state.tally.shift > Some(shift) {
                return Ok(state.tally.clone());
            }
            let mut note = |before: &Table, event: &Event| tally.note(before, event);
            let since = followed.up_to(&store, state.version, &mut note);
            since.map_err(|error| error.to_string())?;
            Ok(tally)
        })
    }

    /// What the slips in a stretch of a table's journal add up to.
    ///
    /// # Errors
    /// When its journal cannot be read.
    pub fn slips(&self, table: &TableName, from: u64, to: u64) -> Result<Slips, String> {
        let (_, store) = self.open(table.as_str())?;
        Slips::read(&store, from, to).map_err(|error| error.to_string())
    }
}
