//! The house's own register: its people, what is enrolled, its vouchers,
//! its cases, its dice and its shifts.
//!
//! A second deterministic [`Machine`] beside the table, run by the same loop
//! over the stream `house`. [`Register`] is changed only by events; commands
//! are decided against it. It knows no clock, no randomness and no secret:
//! PINs, keys and validation numbers reach it as digests made in [`pin`],
//! [`enrolment`] and [`validation`].
//!
//! What a log-in or a redemption came to is a fact, also when it failed, and
//! is read from the published events that carry the command's id; a refusal
//! changes nothing and is not in the journal.
#![deny(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::float_arithmetic
)]

mod apply;
pub mod case;
pub mod codec;
pub mod command;
pub mod credential;
mod decide;
pub mod derive;
pub mod describe;
pub mod dice;
pub mod duties;
pub mod enrolment;
pub mod event;
pub mod identity;
pub mod lockout;
pub mod person;
pub mod pin;
pub mod play;
pub mod positions;
pub mod proposal;
pub mod reached;
pub mod recall;
pub mod refusal;
pub mod secret;
pub mod security;
pub mod set_up;
pub mod settled;
pub mod shift;
mod snapshot;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod testing;
pub mod validation;
pub mod voucher;
pub mod zone;

use std::collections::{BTreeMap, BTreeSet};

use sicbo_journal::CheckpointReason;
use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Currency, Money};
use sicbo_table::codec::DecodeError;
use sicbo_table::ids::{PersonId, VoucherId};
use sicbo_table::table::ClocksParted;

pub use command::{Act, Command, Party, Terms};
pub use event::{Event, Fact};
pub use refusal::{Reason, Refusal};
pub use snapshot::FORMAT as SNAPSHOT_FORMAT;

use case::{Case, CaseId};
use credential::Credentials;
use dice::{Dice, DiceSet};
use duties::{Duties, Posts, RightsException};
use enrolment::{Enrolment, EnrolmentId, Key, TableName};
use identity::Identity;
use lockout::Lockout;
use person::{Person, Session, SessionId, folded};
use play::Play;
use play::member::{Member, MemberId};
use proposal::Recorded;
use reached::Reached;
use settled::Mark;
use shift::{Shift, ShiftId};
use sicbo_loop::{Machine, Notes};
use voucher::{Flag, Guesses, Payee, Place, Recent, State, Totals, Voucher};

/// Name of the house's own stream.
pub const STREAM: &str = "house";

/// The register. Read its maps freely; only [`Machine::apply`] changes them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Register {
    /// The terms; none before the house is set up.
    pub terms: Option<Terms>,
    /// What the house is; none in a journal that is older than this fact.
    pub identity: Option<Identity>,
    /// What the house calls its positions above the director, lowest first.
    pub above_director: Vec<String>,
    /// What its people are held to; none before it was said.
    pub duties: Option<Duties>,
    /// Where people work, once they were assigned.
    pub posts: BTreeMap<PersonId, Posts>,
    /// Exceptions to them, the newest last.
    pub exceptions: Vec<RightsException>,
    /// People by number, from 1.
    pub people: BTreeMap<PersonId, Person>,
    /// What belongs to people's log-ins beside their PINs.
    pub credentials: Credentials,
    /// Log-ins that have not ended.
    pub sessions: BTreeMap<SessionId, Session>,
    /// The last session that began.
    pub last_session: SessionId,
    /// Failed log-ins of a person at one place, since the last success there.
    pub tried: BTreeMap<(PersonId, Option<EnrolmentId>), Lockout>,
    /// Failed log-ins with names nobody has, by place.
    pub strangers: BTreeMap<Option<EnrolmentId>, Lockout>,
    /// What is or was enrolled, by number, from 1.
    pub enrolments: BTreeMap<EnrolmentId, Enrolment>,
    /// Vouchers by number, as long as they are kept whole (see [`settled`]).
    pub vouchers: BTreeMap<VoucherId, Voucher>,
    /// Number of the last voucher reserved; zero before the first.
    pub last_voucher: u64,
    /// The last vouchers of each station.
    pub recent: BTreeMap<Place, Recent>,
    /// Wrong numbers by the place they were presented at.
    pub guesses: BTreeMap<Payee, Guesses>,
    /// The last numbers that were presented and not paid, newest last.
    pub flags: Vec<Flag>,
    /// What vouchers came to, by currency code.
    pub totals: BTreeMap<String, Totals>,
    /// What vouchers that are no longer whole came to; part of the totals.
    pub past: BTreeMap<String, Totals>,
    /// What is left of them.
    pub marks: BTreeMap<VoucherId, Mark>,
    /// Settled vouchers up to this one may be forgotten altogether.
    pub forgotten: u64,
    /// Cases by number: those that are open, and the last that were closed.
    pub cases: BTreeMap<CaseId, Case>,
    /// Number of the last case; zero before the first.
    pub last_case: u64,
    /// Sets of dice by number.
    pub dice: BTreeMap<DiceSet, Dice>,
    /// Shifts by number: those that go on, and the last that were closed.
    pub shifts: BTreeMap<ShiftId, Shift>,
    /// Number of the last shift; zero before the first.
    pub last_shift: u64,
    /// What players asked to be held to, by station.
    pub plays: BTreeMap<Place, Play>,
    /// What members asked to be held to, wherever they play.
    pub members: BTreeMap<MemberId, Member>,
    /// The machine's clock has parted from the house's, and nobody has looked:
    /// no voucher expires and no table begins a round.
    pub clock_parted: Option<ClocksParted>,
    /// Number of the last two-person proposal; zero before the first.
    pub last_proposal: u64,
    /// Proposals that wait, by number.
    pub proposals: BTreeMap<u64, Recorded>,
    /// The last that a restart has ended, by number.
    pub ended_proposals: BTreeMap<u64, Recorded>,
    /// How far each table's journal is known to have come.
    pub reached: BTreeMap<TableName, Reached>,
    /// How often the house went on after a rollback.
    pub rollbacks: u32,
    /// Until when settled vouchers are kept whole in any case.
    fading: BTreeSet<(i64, VoucherId)>,
    /// Marks by number. Follows from the marks.
    marked_numbers: BTreeMap<u64, VoucherId>,
    /// Digests of validation numbers. Follows from the vouchers.
    numbers: BTreeMap<[u8; 32], VoucherId>,
    /// Vouchers that wait for a step of the house. Follows from the vouchers.
    unsettled: BTreeSet<VoucherId>,
}

impl Register {
    /// Which life of the house it is, from 1: each rollback that it went on after began another.
    #[must_use]
    pub fn life(&self) -> u32 {
        self.rollbacks + 1
    }

    /// A person who may act.
    #[must_use]
    pub fn person(&self, id: PersonId) -> Option<&Person> {
        self.people.get(&id).filter(|person| !person.disabled)
    }

    /// A person by name, whether or not they may act.
    #[must_use]
    pub fn person_named(&self, name: &str) -> Option<(PersonId, &Person)> {
        let name = folded(name);
        let mut people = self.people.iter();
        people
            .find(|(_, person)| folded(&person.name) == name)
            .map(|(id, person)| (*id, person))
    }

    /// Until when nobody may try a name at a place, if so: ask before a PIN is
    /// verified, so that a locked name costs no hashing.
    #[must_use]
    pub fn log_in_locked(
        &self,
        name: &str,
        place: Option<EnrolmentId>,
        now_ms: i64,
    ) -> Option<i64> {
        match self.person_named(name) {
            Some((id, person)) => {
                let here = self.tried.get(&(id, place));
                let here = here.and_then(|lockout| lockout.locked(now_ms));
                here.max(person.lockout.locked(now_ms))
            }
            None => self.strangers.get(&place)?.locked(now_ms),
        }
    }

    /// Until when a person cannot log in somewhere, if there is such a place.
    #[must_use]
    pub fn locked_somewhere(&self, id: PersonId, now_ms: i64) -> Option<i64> {
        let places = self.tried.iter().filter(|((tried, _), _)| *tried == id);
        let here = places.filter_map(|(_, lockout)| lockout.locked(now_ms));
        let everywhere = self.people.get(&id)?.lockout.locked(now_ms);
        here.max().max(everywhere)
    }

    /// What is enrolled under a token, when its key is right and not revoked.
    #[must_use]
    pub fn recognise(&self, token: &str) -> Option<(EnrolmentId, &Enrolment)> {
        let (id, key) = Key::from_token(token)?;
        let enrolment = self.enrolments.get(&id)?;
        enrolment.is_key(&key).then_some((id, enrolment))
    }

    /// An enrolment that is not revoked.
    #[must_use]
    pub fn enrolled(&self, id: EnrolmentId) -> Option<&Enrolment> {
        self.enrolments
            .get(&id)
            .filter(|enrolment| enrolment.revoked_ms.is_none())
    }

    /// Cases that are not closed, in order.
    pub fn open_cases(&self) -> impl Iterator<Item = (CaseId, &Case)> + '_ {
        let open = self.cases.iter().filter(|(_, case)| case.is_open());
        open.map(|(id, case)| (*id, case))
    }

    /// The shifts of a table at hand, in order.
    pub fn shifts_of<'r, 't>(
        &'r self,
        table: &'t TableName,
    ) -> impl DoubleEndedIterator<Item = (ShiftId, &'r Shift)> + use<'r, 't> {
        let shifts = self.shifts.iter().map(|(id, shift)| (*id, shift));
        shifts.filter(move |(_, shift)| shift.table == *table)
    }

    /// The shift of a table that goes on.
    #[must_use]
    pub fn open_shift(&self, table: &TableName) -> Option<(ShiftId, &Shift)> {
        let last = self.shifts_of(table).next_back();
        last.filter(|(_, shift)| shift.is_open())
    }

    /// The steps of a case that somebody who holds, or acts in, these positions
    /// may take now, as stable words.
    #[must_use]
    pub fn case_steps(
        &self,
        case: &Case,
        positions: &[Position],
        now_ms: i64,
    ) -> Vec<&'static str> {
        decide::offered(case, positions, now_ms)
    }

    /// Vouchers that wait for a step of the house, in order.
    pub fn unsettled(&self) -> impl Iterator<Item = VoucherId> + '_ {
        self.unsettled.iter().copied()
    }

    /// The voucher of a validation number, by the number's keyed digest.
    #[must_use]
    pub fn voucher_numbered(&self, digest: &[u8; 32]) -> Option<(VoucherId, &Voucher)> {
        let id = self.numbers.get(digest)?;
        self.vouchers.get(id).map(|voucher| (*id, voucher))
    }

    /// The voucher that this command asked for at a station, unless its credit
    /// went back: then the same request may try again.
    #[must_use]
    pub fn voucher_asked(&self, origin: &Place, command: u64) -> Option<VoucherId> {
        let issued = self.recent.get(origin).map(|recent| recent.issued.iter());
        let issued = issued.into_iter().flatten().copied();
        self.unsettled().chain(issued).find(|id| {
            self.vouchers.get(id).is_some_and(|voucher| {
                voucher.asked == command
                    && voucher.origin == *origin
                    && !matches!(voucher.state, State::Returning | State::Returned)
            })
        })
    }

    /// What stands on a voucher's paper: the digest of its number, its currency
    /// and its amount.
    pub(crate) fn presented(&self, id: VoucherId) -> Option<([u8; 32], Currency, Money)> {
        if let Some(mark) = self.marks.get(&id) {
            return Some((mark.digest(), Currency::SGD, Money::ZERO));
        }
        let voucher = self.vouchers.get(&id)?;
        Some((voucher.digest, voucher.currency, voucher.amount))
    }

    fn next_person(&self) -> PersonId {
        let last = self.people.last_key_value();
        PersonId(last.map_or(1, |(id, _)| id.0 + 1))
    }

    fn next_enrolment(&self) -> EnrolmentId {
        let last = self.enrolments.last_key_value();
        EnrolmentId(last.map_or(1, |(id, _)| id.0 + 1))
    }

    /// Keeps what follows from a voucher in step with it.
    fn index(&mut self, id: VoucherId) {
        let Some(voucher) = self.vouchers.get(&id) else {
            return;
        };
        if voucher.state.is_unsettled() {
            self.unsettled.insert(id);
        } else {
            self.unsettled.remove(&id);
        }
        if voucher.sequence > 0 {
            self.numbers.insert(voucher.digest, id);
        }
    }

    fn index_all(&mut self) {
        let ids: Vec<VoucherId> = self.vouchers.keys().copied().collect();
        for id in ids {
            self.index(id);
        }
        let numbers = self.marks.iter().map(|(id, mark)| (mark.number, *id));
        self.marked_numbers = numbers.collect();
    }

    /// Totals of every currency, added up from the vouchers themselves and
    /// what those that were let go came to.
    fn totals_by_voucher(&self) -> BTreeMap<String, Totals> {
        let mut totals = self.past.clone();
        for voucher in self
            .vouchers
            .values()
            .filter(|voucher| voucher.sequence > 0)
        {
            let sums = totals
                .entry(voucher.currency.code().to_owned())
                .or_default();
            sums.issued += voucher.amount;
            *account(sums, &voucher.state) += voucher.amount;
        }
        totals
    }
}

/// Where the amount of an issued voucher stands.
fn account<'t>(totals: &'t mut Totals, state: &State) -> &'t mut Money {
    match state {
        State::Redeemed {
            to: Payee::Cage { .. },
            ..
        } => &mut totals.redeemed_at_cage,
        State::Redeemed { .. } => &mut totals.redeemed_at_tables,
        State::Returned => &mut totals.returned,
        State::Void => &mut totals.voided,
        State::Expired => &mut totals.expired,
        _ => &mut totals.outstanding,
    }
}

impl Machine for Register {
    type Command = Command;
    type Event = Event;
    type Refusal = Refusal;

    fn decide(&self, command: &Command) -> Result<Vec<Event>, Refusal> {
        decide::decide(self, command)
    }

    fn apply(&mut self, event: &Event) {
        apply::apply(self, event);
    }

    fn received_ms(command: &Command) -> i64 {
        command.at_ms
    }

    fn happened_ms(event: &Event) -> i64 {
        event.at_ms
    }

    fn clock_after_ms(event: &Event) -> i64 {
        match event.fact {
            Fact::ClockSet { is_ms, .. } => is_ms,
            _ => event.at_ms,
        }
    }

    fn encode(event: &Event, bytes: &mut Vec<u8>) -> (u16, u16) {
        codec::encode(event, bytes)
    }

    fn decode(kind: u16, version: u16, payload: &[u8]) -> Result<Event, DecodeError> {
        codec::decode(kind, version, payload)
    }

    /// What a case may be judged by is signed at once.
    fn notes(&self, event: &Event, _: u64, _: &mut u64) -> Notes {
        let checkpoint = match &event.fact {
            Fact::CaseOpened { .. } | Fact::CaseStepped { .. } => Some(CheckpointReason::Minute),
            Fact::ShiftClosed { .. } => Some(CheckpointReason::ShiftEnd),
            _ => None,
        };
        Notes {
            checkpoint,
            ..Notes::default()
        }
    }

    /// Nothing happens by itself: a voucher expires when it is presented.
    fn deadline_ms(&self) -> Option<i64> {
        None
    }

    fn due(&self, _: i64) -> Vec<Command> {
        Vec::new()
    }

    fn snapshot(&self) -> Vec<u8> {
        snapshot::encode(self)
    }

    fn from_snapshot(bytes: &[u8]) -> Option<Register> {
        snapshot::decode(bytes).ok()
    }

    fn empty() -> Register {
        Register::default()
    }

    fn check(&self) -> Result<(), String> {
        if self.terms.is_some() && !self.people.values().any(decide::is_administrator) {
            return Err("nobody can manage people".to_owned());
        }
        if self.totals != self.totals_by_voucher() {
            return Err("the voucher totals are not the sum of the vouchers".to_owned());
        }
        let session = self
            .sessions
            .values()
            .find(|s| self.person(s.person).is_none());
        if let Some(session) = session {
            return Err(format!("{} has a session and may not act", session.person));
        }
        let named: BTreeSet<String> = self.people.values().map(|p| folded(&p.name)).collect();
        if named.len() != self.people.len() {
            return Err("two people have the same name".to_owned());
        }
        Ok(())
    }

    fn round_in_hand(&self) -> Option<u64> {
        None
    }
}
