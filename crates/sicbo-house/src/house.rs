//! The house: its register, its tables and who is logged in, as a machine.
//!
//! Nothing here has a thread, a socket or a clock of its own. Loops are given as
//! doors, time as the house's clock, and what a running program alone can do is
//! asked of its [`Host`]: a server answers with threads and sockets, a simulator
//! with a seed. Conversations that wait for an answer are futures that any
//! executor can run.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_channel::oneshot;
use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use sicbo_clock::HouseClock;
use sicbo_devices::acceptor::NoteAcceptor;
use sicbo_plan::{HousePlan, TablePlan};
use sicbo_proof::history::History;
use sicbo_proof::receipt::Receipts;
use sicbo_register::enrolment::{EnrolmentId, Key, Role, TableName};
use sicbo_register::person::SessionId;
use sicbo_register::play::{Seen as SeenPlay, Sitting};
use sicbo_register::security::SecurityKind;
use sicbo_register::validation::{Number, VoucherSecret};
use sicbo_register::voucher::Place;
use sicbo_rules::Money;
use sicbo_table::Act;
use sicbo_table::actor::Staff;
use sicbo_table::config::Limits;
use sicbo_table::ids::{RoundNumber, StationId};
use sicbo_table::record::RoundRecord;
use sicbo_wire::Frame;
use sicbo_wire::pit::HouseAct;
use sicbo_wire::problem::Problem;
use sicbo_wire::staff::Files;

use crate::clock::LastSet;
use crate::desk::Desk;
use crate::devices::Line;
use crate::driver::AutomaticDealer;
use crate::hub::{Hub, Seated};
use crate::look_ups::LookUps;
use crate::membership::Membership;
use crate::practice::Lessons;
use crate::proposals::Proposals;
use crate::sessions::{Sessions, Token};
use crate::visits::Visits;
use crate::watch::{Seen, Watch};

/// Carries work out to its end, whoever waits for it.
pub type Carry = Box<dyn FnOnce(BoxFuture<'static, ()>) + Send>;

/// What a house needs of the program it runs in.
pub trait Host: Send + Sync {
    /// A moment's wait, until a full queue may have room.
    fn pause(&self) -> BoxFuture<'static, ()>;

    /// Room for work that must not be left half done; none when too much is
    /// being done.
    fn room(&self) -> Option<Carry>;

    /// Does work that may take long, such as reading a journal, where it holds
    /// nobody up. It is done when the future ends.
    fn read(&self, work: Box<dyn FnOnce() + Send>) -> BoxFuture<'static, Result<(), Problem>>;
}

/// A person who is logged in and does something, at some place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Present {
    /// Who, in which position.
    pub staff: Staff,
    /// Their name.
    pub name: String,
    /// Their session.
    pub session: SessionId,
    /// The enrolled place they are at.
    pub place: Option<EnrolmentId>,
}

/// A table of the house.
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
    pub acceptor: Option<NoteAcceptor>,
    /// Where its devices connect, when any does.
    pub line: Line,
    /// Two-person acts that wait.
    pub proposals: Mutex<Proposals>,
    /// Its ended rounds, while they can be read.
    pub history: Mutex<Option<History>>,
    /// Makes receipts of its rounds for players.
    pub receipts: Mutex<Receipts>,
}

/// The house.
pub struct House {
    /// The register.
    pub desk: Arc<Desk>,
    /// The tables.
    pub tables: BTreeMap<TableName, TableAt>,
    /// Who is logged in.
    pub sessions: Sessions,
    /// As it was planned.
    pub plan: HousePlan,
    /// By which vouchers and cards are known.
    pub voucher_secret: VoucherSecret,
    /// Two-person acts for the house that wait.
    pub proposals: Mutex<Proposals<HouseAct>>,
    /// Held while a proposal is put on record.
    pub proposing: futures_util::lock::Mutex<()>,
    /// Held while one person moves money alone.
    pub moving: futures_util::lock::Mutex<()>,
    /// Who was handed which terminal, where they play for nothing.
    pub visits: Visits,
    /// The list of members, and of those who may not play.
    pub membership: Box<dyn Membership>,
    /// How often it may still be asked.
    pub look_ups: LookUps,
    /// What the security log must know.
    pub watch: Watch,
    /// The web app it serves, by the name of its script.
    pub app: Option<String>,
    /// The house's clock.
    pub clock: Arc<HouseClock>,
    /// When it was last set.
    pub clock_set: LastSet,
    /// The program this house runs in.
    pub host: Arc<dyn Host>,
}

impl House {
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

    /// A table with its plan, by a name that a client gave.
    ///
    /// # Errors
    /// When there is no such table.
    pub fn table_named(&self, name: &str) -> Result<&TableAt, Problem> {
        self.table_at(name)
            .ok_or_else(|| Problem::not_found("table"))
    }

    /// Every table, in order of name.
    pub fn tables(&self) -> impl Iterator<Item = &TableAt> {
        self.tables.values()
    }

    /// Whether a browser's token still opens something: the register has the
    /// last word. Looking does not count as doing something.
    #[must_use]
    pub fn is_logged_in(&self, token: &Token) -> bool {
        let known = self.sessions.peek(token);
        known.is_some_and(|known| self.desk.register().sessions.contains_key(&known.session))
    }

    /// The station a token opens: the one it is enrolled with, or that of
    /// whoever visits it.
    #[must_use]
    pub fn station_of(&self, token: &str) -> Option<(EnrolmentId, TableName, StationId)> {
        let (id, key) = Key::from_token(token)?;
        let (enrolled, place) = {
            let register = self.desk.register();
            let known = register.enrolled(id)?;
            let Role::Station { table, station } = &known.role else {
                return None;
            };
            let (table, station) = (table.clone(), *station);
            (known.is_key(&key), Place { table, station })
        };
        (enrolled || self.visits.opens(&place, &key)).then_some((id, place.table, place.station))
    }

    /// Whether a terminal says that it runs another web app than the one this
    /// house serves; that is told to those who guard the house.
    #[must_use]
    pub fn is_another_app(&self, app: Option<&str>, enrolment: EnrolmentId) -> bool {
        let (Some(app), Some(own)) = (app, self.app.as_deref()) else {
            return false;
        };
        if app == own {
            return false;
        }
        // What it says is its own word: only whether it is the house's is noted.
        let seen = Seen {
            place: Some(enrolment),
            ..Seen::of(SecurityKind::AppUnknown, "GET /ws/terminal")
        };
        self.watch.see(seen, self.clock.now_ms());
        true
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
        let seen = SeenPlay {
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

    /// Frames of the two-person acts that wait at these tables.
    #[must_use]
    pub fn proposals_shown(&self, hubs: &[Arc<Hub>]) -> Vec<Frame> {
        let tables = hubs.iter().filter_map(|hub| self.tables.get(&hub.name));
        tables.map(|at| at.proposals_frame(self)).collect()
    }

    /// Does work that reads journals where it holds nobody up.
    ///
    /// # Errors
    /// When too much is waiting, or the work broke off.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let (sender, receiver) = oneshot::channel();
        let work = move || {
            // Whoever asked may have gone.
            let _ = sender.send(work());
        };
        self.host.read(Box::new(work)).await?;
        receiver.await.map_err(|_| Problem::ours(&"work broke off"))
    }
}

impl TableAt {
    /// Looks at the table's ended rounds.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn with_history<T>(
        &self,
        look: impl FnOnce(&mut History) -> Result<T, String>,
    ) -> Result<T, String> {
        let mut history = self.history.lock();
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
