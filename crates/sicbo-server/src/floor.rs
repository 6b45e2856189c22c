//! The running house: its register, its tables, who is logged in, and how it
//! is stopped.

mod carrying;
mod corrections;
mod proposals;
mod rounds;
mod start;
mod tables;
mod trial;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use sha2::{Digest, Sha256};
use sicbo_devices::acceptor::NoteAcceptor;
use sicbo_house::membership::Membership;
use sicbo_journal::{DataFolder, KeyFolder, Store as _, StreamId};
use sicbo_plan::{HousePlan, TablePlan};
use sicbo_proof::{Trust, bundle, source};
use sicbo_register::case::NewCase;
use sicbo_register::enrolment::{EnrolmentId, TableName};
use sicbo_register::pin::PinHasher;
use sicbo_register::play::{Seen, Sitting};
use sicbo_register::reached::Reached;
use sicbo_register::set_up::HandOver;
use sicbo_register::shift::SignedTo;
use sicbo_register::validation::{Number, VoucherSecret};
use sicbo_register::{self as register, Register};
use sicbo_report::Slips;
use sicbo_rules::Money;
use sicbo_runner::Runner;
use sicbo_table::Act;
use sicbo_table::config::Limits;
use sicbo_table::ids::RoundNumber;
use sicbo_table::record::RoundRecord;
use tokio::sync::watch;

use crate::clock::LastSet;
use crate::desk::{Desk, DeskReply, note_table};
use crate::driver::AutomaticDealer;
use crate::hub::{Hub, Seated};
use crate::limited::Limited;
use crate::lines::Line;
use crate::practice::Lessons;
use crate::sessions::{Sessions, Token};
use crate::wire::pit::HouseAct;
use crate::wire::staff::Files;

pub use carrying::Carrying;
pub use proposals::{Confirming, NotAdded, NotConfirmed, Numbered, Proposal, Proposals, Proposer};
pub use rounds::{OwnRound, RoundShown};
pub(crate) use start::stream_of;
pub use start::{StartError, start};
pub use tables::NotRestarted;
pub use trial::Seat;

/// A table of the floor.
pub struct TableAt {
    /// Its hub.
    pub hub: Arc<Hub>,
    /// As it was planned.
    pub plan: TablePlan,
    /// The automatic dealer, where there is one.
    pub dealer: Option<AutomaticDealer>,
    /// The lesson of a practice table.
    pub practice: Option<Lessons>,
    /// Its simulated note acceptor.
    acceptor: Option<NoteAcceptor>,
    /// Where its devices connect, when any does.
    pub line: Line,
    /// Two-person acts that wait.
    pub proposals: Mutex<Proposals>,
    history: Mutex<Option<sicbo_proof::history::History>>,
}

/// The running house.
pub struct Floor {
    /// The register.
    pub desk: Arc<Desk>,
    tables: BTreeMap<TableName, TableAt>,
    /// Who is logged in.
    pub sessions: Sessions,
    /// Hashes and verifies PINs.
    pub hasher: Arc<PinHasher>,
    /// As it was planned.
    pub plan: HousePlan,
    /// Where everything is kept.
    pub data: PathBuf,
    /// SHA-256 of the running program (S-16).
    pub program: [u8; 32],
    voucher_secret: VoucherSecret,
    /// Two-person acts for the house that wait.
    pub proposals: Mutex<Proposals<HouseAct>>,
    /// Held while a proposal is put on record.
    proposing: tokio::sync::Mutex<()>,
    /// What two persons have confirmed and is being done.
    pub carrying: Carrying,
    /// The list of members, and of those who may not play.
    pub membership: Box<dyn Membership>,
    /// PINs being hashed.
    pub hashing: Limited,
    /// When the house's clock was last set.
    pub clock: LastSet,
    /// Journals being read.
    pub reading: Limited,
    /// Tables being started again: nobody's report makes them wait.
    pub restarting: Limited,
    /// Reports being made: few at once, so that play is not disturbed.
    pub reporting: Limited,
    seats: Mutex<trial::Seats>,
    /// Held by who writes them down.
    seat_file: Mutex<()>,
    stop: watch::Sender<bool>,
    /// What tables are started from; gone when the house has stopped.
    place: Weak<start::Place>,
    /// The loops of the tables that run.
    runners: Arc<tables::Runners>,
}

/// What must be stopped when the house stops.
pub struct Engine {
    register: Runner<Register, DeskReply>,
    tables: Arc<tables::Runners>,
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
            let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *tables)
        };
        let register = self.register.handle();
        for (table, runner) in tables {
            let Some((_, store)) = runner.stop() else {
                continue;
            };
            let tail = store.tail();
            let reached = Reached {
                sequence: tail.sequence,
                header_hash: tail.header_hash.0,
            };
            // A register that has no room or has failed knows an older mark.
            let _ = register.submit(DeskReply::Nobody, note_table(table, reached));
        }
        let _ = self.register.stop();
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
    /// A table by name.
    #[must_use]
    pub fn table(&self, name: &TableName) -> Option<Arc<Hub>> {
        self.tables.get(name).map(|at| Arc::clone(&at.hub))
    }

    /// A table with its plan.
    #[must_use]
    pub fn table_at(&self, name: &str) -> Option<&TableAt> {
        self.tables.get(&TableName::new(name)?)
    }

    /// Every table, in order of name.
    pub fn tables(&self) -> impl Iterator<Item = &TableAt> {
        self.tables.values()
    }

    /// To be told when the house is to stop.
    #[must_use]
    pub fn stopping(&self) -> Stopping {
        Stopping(self.stop.subscribe())
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

    /// Whether a browser's token still opens something: the register has the
    /// last word. Looking does not count as doing something.
    #[must_use]
    pub fn is_logged_in(&self, token: &Token) -> bool {
        let known = self.sessions.peek(token);
        known.is_some_and(|known| self.desk.register().sessions.contains_key(&known.session))
    }

    /// A simulated acceptor at this table takes such a note.
    #[must_use]
    pub fn takes_note(&self, table: &TableName, amount: i64) -> bool {
        let acceptor = self.tables.get(table).and_then(|at| at.acceptor.as_ref());
        acceptor.is_some_and(|acceptor| acceptor.notes().contains(&Money::from_minor(amount)))
    }

    /// The keyed digest of a presented number.
    #[must_use]
    pub fn voucher_digest(&self, number: Number) -> [u8; 32] {
        self.voucher_secret.digest(number)
    }

    /// Whoever sits at a station, as the register is told of them.
    #[must_use]
    pub fn sitting(&self, seated: &Seated) -> Sitting {
        let seen = Seen {
            check_min: self.plan.reality_check_minutes,
            clock: seated.clock,
        };
        Sitting {
            seen: Some(seen),
            ..seated.sitting
        }
    }

    /// Minutes between reality checks that a player can choose.
    #[must_use]
    pub fn check_choices(&self) -> [u16; 2] {
        let most = self.plan.reality_check_minutes;
        [most / 2, most]
    }

    /// The whole ticket of a voucher, for a simulated printer's screen, and what
    /// cards are known by.
    #[must_use]
    pub fn voucher_secret(&self) -> &VoucherSecret {
        &self.voucher_secret
    }

    /// A terminal's own number for a request, made unique in the house: two
    /// terminals that chose the same number ask for two things.
    #[must_use]
    pub fn request_of(&self, enrolment: EnrolmentId, request: u64) -> u64 {
        let mut hash = Sha256::new();
        hash.update(b"sicbo redemption 1\0");
        hash.update(enrolment.0.to_be_bytes());
        hash.update(request.to_be_bytes());
        let digest = hash.finalize();
        let mut first = [0; 8];
        first.copy_from_slice(&digest[..8]);
        u64::from_be_bytes(first)
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
        let open = |name: &str| {
            let stream = StreamId::new(name).map_err(|error| words(&error))?;
            let path = DataFolder::stream_path(&self.data, &stream);
            let store = source::open(&stream, &path).map_err(|error| words(&error))?;
            Ok::<_, String>((stream, store))
        };
        let round = match case.round {
            None => None,
            Some(round) => {
                let (stream, store) = open(case.table.as_str())?;
                match bundle::make(&store, &stream, keys()?, round.0, None) {
                    Ok(bundle) => Some(bundle),
                    // A round in hand proves nothing yet.
                    Err(bundle::MakeError::NotEnded { .. }) => None,
                    Err(error) => return Err(words(&error)),
                }
            }
        };
        let (_, store) = open(register::STREAM)?;
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
        let stream = StreamId::new(table.as_str()).map_err(|error| error.to_string())?;
        let path = DataFolder::stream_path(&self.data, &stream);
        let store = source::open(&stream, &path).map_err(|error| error.to_string())?;
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

    /// What the slips in a stretch of a table's journal add up to.
    ///
    /// # Errors
    /// When its journal cannot be read.
    pub fn slips(&self, table: &TableName, from: u64, to: u64) -> Result<Slips, String> {
        let stream = StreamId::new(table.as_str()).map_err(|error| error.to_string())?;
        let path = DataFolder::stream_path(&self.data, &stream);
        let store = source::open(&stream, &path).map_err(|error| error.to_string())?;
        Slips::read(&store, from, to).map_err(|error| error.to_string())
    }

    /// Frames of the two-person acts that wait at these tables.
    #[must_use]
    pub fn proposals_shown(&self, hubs: &[Arc<Hub>]) -> Vec<Utf8Bytes> {
        let tables = hubs.iter().filter_map(|hub| self.tables.get(&hub.name));
        tables.map(|at| at.proposals_frame(self)).collect()
    }
}

impl TableAt {
    fn with_history<T>(
        &self,
        look: impl FnOnce(&mut sicbo_proof::history::History) -> Result<T, String>,
    ) -> Result<T, String> {
        let mut history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        match history.as_mut() {
            Some(history) => look(history),
            None => Err("this table's history cannot be read".to_owned()),
        }
    }
}

impl Files for TableAt {
    fn record(&self, round: RoundNumber) -> Result<Arc<RoundRecord>, String> {
        let last = self.hub.state().table.last_record.clone();
        if let Some(last) = last.filter(|last| last.number == round) {
            return Ok(last);
        }
        self.with_history(|history| {
            let record = history.record(round.0).map_err(|error| error.to_string())?;
            record.ok_or_else(|| format!("round {} has not been played", round.0))
        })
    }

    fn opening(&self) -> Result<Act, String> {
        let state = self.hub.state();
        let known = |name: &str| state.table.station_named(name).is_some();
        let new = self.plan.stations.iter().filter(|s| !known(&s.name));
        let mut config = self.plan.config.clone();
        // Opening a table again changes no dice: two persons do that (P-035).
        if let Some(now) = state.table.config.as_deref() {
            config.dice_set.clone_from(&now.dice_set);
        }
        Ok(Act::OpenTable {
            config: Box::new(config),
            stations: new.cloned().collect(),
        })
    }

    fn limits(&self) -> Result<Limits, String> {
        let state = self.hub.state();
        let config = state.table.config.as_deref();
        config
            .map(|config| config.limits.clone())
            .ok_or_else(|| "the table has not been opened".to_owned())
    }
}
