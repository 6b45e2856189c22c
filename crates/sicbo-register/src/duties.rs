//! Separation of duties: no one person changes rights, becomes two persons, or
//! works from a device of their own.
//!
//! In force from the record that says so ([`super::Fact::DutiesSet`]), which a house
//! for real money enters at its first start under this program; journals from
//! before, and houses that play for nothing, know none of it. Who decides with whom
//! is told here and asked in `decide`.

use sicbo_rules::rulebook::words::Position;
use sicbo_table::ids::PersonId;

use super::Register;
use super::enrolment::{EnrolmentId, Role, TableName};
use super::person::{Person, manages_people};

/// What a house for real money holds its people to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Duties {
    /// A one-time PIN is good for so many hours, and once.
    pub one_time_hours: u16,
    /// Somebody who may not act any more still counts as there for so many hours:
    /// nobody becomes the last one left by sending the others away.
    pub absence_hours: u16,
}

impl Default for Duties {
    fn default() -> Duties {
        Duties {
            one_time_hours: 24,
            absence_hours: 24,
        }
    }
}

pub(crate) const HOUR_MS: i64 = 3_600_000;

impl Duties {
    /// For how long a one-time PIN is good.
    #[must_use]
    pub fn one_time_ms(&self) -> i64 {
        i64::from(self.one_time_hours) * HOUR_MS
    }

    fn absence_ms(&self) -> i64 {
        i64::from(self.absence_hours) * HOUR_MS
    }
}

/// Whether a person is known to be who they say they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Taken in at the first start or before duties were in force, or seen to log in.
    Seen,
    /// Given a PIN by these two, and nobody has seen them log in with one of their own.
    Unseen {
        /// Who proposed it.
        by: PersonId,
        /// Who confirmed it.
        second: Option<PersonId>,
    },
}

/// Exceptions that are remembered.
pub const MAX_EXCEPTIONS: usize = 200;

/// Rights that were changed otherwise than by those who do it, because nobody else was
/// there: somebody looks at it later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RightsException {
    /// When.
    pub at_ms: i64,
    /// The person changed.
    pub person: PersonId,
    /// Who did it.
    pub by: PersonId,
    /// With whom.
    pub second: Option<PersonId>,
    /// One who had a part in it saw the person log in; otherwise the second person
    /// stood in for one who leads the house.
    pub witnessed: bool,
}

/// The tables and the windows somebody works at.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Posts {
    /// Tables whose consoles they may use.
    pub tables: Vec<TableName>,
    /// Windows of the cage they may use.
    pub windows: Vec<EnrolmentId>,
}

/// Positions that lead a house: the second of two who change rights.
#[must_use]
pub fn leads(position: Position) -> bool {
    manages_people(position) || position.is_at_least(Position::ShiftManager)
}

/// Positions that may see a new person log in.
#[must_use]
pub fn witnesses(position: Position) -> bool {
    manages_people(position) || position.is_at_least(Position::PitManager)
}

/// How near a position is to changing rights as the first of two, nearest at zero.
fn first_tier(position: Position) -> u8 {
    match position {
        held if manages_people(held) => 0,
        held => 1 + second_tier(held),
    }
}

/// How near a position is to confirming it.
fn second_tier(position: Position) -> u8 {
    match position {
        held if leads(held) => 0,
        held if held.is_at_least(Position::PitManager) => 1,
        held if held.is_at_least(Position::PitSupervisor) => 2,
        _ => 3,
    }
}

/// Whether somebody in a position may log in at such a place.
#[must_use]
pub fn fits(position: Position, role: &Role) -> bool {
    match role {
        Role::Console { .. } => {
            position == Position::Dealer || position.is_at_least(Position::PitSupervisor)
        }
        Role::PitDesk => {
            position.is_at_least(Position::PitSupervisor)
                || matches!(position, Position::HeadOfOperations | Position::Trainer)
        }
        Role::Cage => position == Position::Cashier || position.is_at_least(Position::ShiftManager),
        Role::TechnicianDesk => position == Position::Technician,
        Role::AuditDesk => matches!(
            position,
            Position::Surveillance | Position::Auditor | Position::Regulator
        ),
        Role::Station { .. } | Role::Display { .. } | Role::Device { .. } => false,
    }
}

impl Register {
    pub(crate) fn note_exception(&mut self, exception: RightsException) {
        if self.exceptions.len() >= MAX_EXCEPTIONS {
            self.exceptions.remove(0);
        }
        self.exceptions.push(exception);
    }

    /// Whether two persons are those who change rights when everybody is there.
    pub(crate) fn is_usual_pair(&self, by: PersonId, second: Option<PersonId>) -> bool {
        let held = |id| self.people.get(&id).map(|person| person.position);
        let (Some(one), Some(other)) = (held(by), second.and_then(held)) else {
            return false;
        };
        (manages_people(one) && leads(other)) || (manages_people(other) && leads(one))
    }

    /// People whose PIN of the first start has no end yet. Until two persons who can change
    /// rights have PINs of their own, also those whose PIN is over: nobody could give
    /// them another, so a house that was not entered in time is started again.
    #[must_use]
    pub fn first_pins(&self, now_ms: i64) -> Vec<PersonId> {
        if self.duties.is_none() {
            return Vec::new();
        }
        let own = |held: fn(Position) -> bool| {
            let people = self.people.values();
            let able = people.filter(|known| !known.disabled && known.pin_version > 1);
            able.filter(|known| held(known.position)).count()
        };
        let entered = own(leads) >= 2 && own(manages_people) >= 1;
        let first = self.people.iter().filter(|(_, known)| {
            let lapsed = !entered && known.is_one_time_over(now_ms);
            known.has_first_pin() && (known.one_time_until_ms.is_none() || lapsed)
        });
        first.map(|(id, _)| *id).collect()
    }

    /// People who count as being there: those who may act, and for some hours those
    /// who were sent away.
    fn there(&self, now_ms: i64) -> impl Iterator<Item = (PersonId, &Person)> + '_ {
        let absence = self.duties.map_or(0, |duties| duties.absence_ms());
        let counts = move |person: &Person| {
            let since = person.disabled_ms.filter(|_| person.disabled);
            !person.disabled || since.is_some_and(|since| now_ms - since < absence)
        };
        let all = self.people.iter().map(|(id, person)| (*id, person));
        all.filter(move |(_, person)| counts(person))
    }

    /// Whether these two may change the rights of a person, or take one in: one who
    /// manages people, and one who leads the house. Where there is no such person
    /// besides, the next position in rank stands in; that is an exception, and
    /// reported as one.
    #[must_use]
    pub fn may_change_rights(
        &self,
        (first, second): (PersonId, PersonId),
        subject: Option<PersonId>,
        now_ms: i64,
    ) -> bool {
        let tier = |id: PersonId, of: fn(Position) -> u8| {
            let person = self.people.get(&id);
            person.map(|person| of(person.position))
        };
        let best = |of: fn(Position) -> u8, besides: &[Option<PersonId>]| {
            let there = self.there(now_ms);
            let others = there.filter(|(id, _)| !besides.contains(&Some(*id)));
            others.map(|(_, person)| of(person.position)).min()
        };
        tier(first, first_tier) == best(first_tier, &[subject])
            && tier(second, second_tier) == best(second_tier, &[subject, Some(first)])
    }

    /// Whether somebody besides these could see a new person log in.
    #[must_use]
    pub fn another_witness(&self, besides: &[PersonId], now_ms: i64) -> bool {
        let mut there = self.there(now_ms);
        there.any(|(id, person)| {
            !besides.contains(&id) && witnesses(person.position) && person.is_seen()
        })
    }

    /// Whether a person's post is at this place: dealers work at the tables, and
    /// cashiers at the windows, that they were assigned to.
    #[must_use]
    pub fn is_posted(
        &self,
        id: PersonId,
        position: Position,
        at: EnrolmentId,
        role: &Role,
    ) -> bool {
        let posts = self.posts.get(&id);
        match (position, role) {
            (Position::Dealer, Role::Console { table }) => {
                posts.is_some_and(|posts| posts.tables.contains(table))
            }
            (Position::Cashier, Role::Cage) => {
                posts.is_some_and(|posts| posts.windows.contains(&at))
            }
            _ => true,
        }
    }

    /// The person is logged in at a window of the cage.
    #[must_use]
    pub fn is_at_window(&self, id: PersonId) -> bool {
        let mut sessions = self.sessions.values();
        sessions.any(|session| {
            let place = session.place.and_then(|place| self.enrolled(place));
            session.person == id && place.is_some_and(|place| place.role == Role::Cage)
        })
    }

    /// The person whose name a new one could be taken for.
    #[must_use]
    pub fn resembled(&self, name: &str) -> Option<&Person> {
        let look = looks(name);
        let mut people = self.people.values();
        people.find(|person| looks(&person.name) == look)
    }
}

/// How a name looks to a hurried reader: without case and spaces, and with one letter
/// for all that are drawn alike (Unicode UTS #39).
#[must_use]
pub fn looks(name: &str) -> String {
    let skeleton = |text: &str| -> String { unicode_security::skeleton(text).collect() };
    let joined: String = name.split_whitespace().collect();
    // Capitals may look like other letters than their small forms do.
    skeleton(&skeleton(&joined).to_lowercase())
}
