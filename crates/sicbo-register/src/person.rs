//! People of the house: named users, their positions, PINs and sessions.
//!
//! There is no generic account and no default PIN (S-18): a person has a name
//! of their own, and the first PIN is a random one that must be changed at the
//! first log-in.

use sicbo_rules::rulebook::words::Position;

use super::duties::Standing;
use super::enrolment::EnrolmentId;
use super::lockout::Lockout;
use sicbo_table::ids::PersonId;

/// Longest name, in characters.
pub const LONGEST_NAME: usize = 60;
/// Sessions one person may have at a time; the oldest gives way.
pub const SESSIONS_PER_PERSON: usize = 4;

/// Names that are no person's.
const GENERIC: &[&str] = &[
    "admin",
    "administrator",
    "anonymous",
    "auditor",
    "casino",
    "cashier",
    "dealer",
    "default",
    "demo",
    "director",
    "guest",
    "house",
    "manager",
    "operator",
    "password",
    "player",
    "regulator",
    "root",
    "service",
    "shift",
    "staff",
    "supervisor",
    "support",
    "surveillance",
    "sysadmin",
    "system",
    "technician",
    "temp",
    "test",
    "trainer",
    "user",
];

/// A person to be taken in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewPerson {
    /// The name they log in with.
    pub name: String,
    /// The position they hold.
    pub position: Position,
    /// PHC string of a one-time PIN.
    pub pin: String,
}

/// A person of the house.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Person {
    /// The name they log in with.
    pub name: String,
    /// The position they hold.
    pub position: Position,
    /// PHC string of their PIN. Not to be shown to anyone.
    pub pin: String,
    /// Counts the PINs they had: a verdict about an older one counts for nothing.
    pub pin_version: u32,
    /// The PIN was given to them and must be changed before anything else.
    pub one_time: bool,
    /// A one-time PIN is good before this; none where it does not end.
    pub one_time_until_ms: Option<i64>,
    /// Somebody has logged in with a one-time PIN that is good once.
    pub one_time_used: bool,
    /// Whether they were seen to be who they are.
    pub standing: Standing,
    /// May not log in.
    pub disabled: bool,
    /// Since when, where they may not.
    pub disabled_ms: Option<i64>,
    /// When they were taken in.
    pub since_ms: i64,
    /// When they last logged in.
    pub last_log_in_ms: Option<i64>,
    /// Failed log-ins at all places together, since the last success.
    pub lockout: Lockout,
}

impl Person {
    pub(crate) fn new(new: &NewPerson, at_ms: i64) -> Person {
        Person {
            name: new.name.clone(),
            position: new.position,
            pin: new.pin.clone(),
            pin_version: 1,
            one_time: true,
            one_time_until_ms: None,
            one_time_used: false,
            standing: Standing::Seen,
            disabled: false,
            disabled_ms: None,
            since_ms: at_ms,
            last_log_in_ms: None,
            lockout: Lockout::default(),
        }
    }

    /// May be one of two persons.
    #[must_use]
    pub fn is_seen(&self) -> bool {
        self.standing == Standing::Seen
    }

    /// The one-time PIN is no longer good.
    #[must_use]
    pub fn is_one_time_over(&self, now_ms: i64) -> bool {
        let late = self.one_time_until_ms.is_some_and(|until| now_ms >= until);
        self.one_time && (late || self.one_time_used)
    }

    /// Still has the PIN they were taken in with.
    #[must_use]
    pub fn has_first_pin(&self) -> bool {
        self.one_time && self.pin_version == 1
    }

    /// May manage people and their rights.
    #[must_use]
    pub fn manages_people(&self) -> bool {
        manages_people(self.position)
    }
}

/// Positions that manage people and their rights.
#[must_use]
pub fn manages_people(position: Position) -> bool {
    matches!(position, Position::Director | Position::HeadOfOperations)
}

/// A log-in that has not ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// Who.
    pub person: PersonId,
    /// Where, when it was at an enrolled place.
    pub place: Option<EnrolmentId>,
    /// Since when.
    pub since_ms: i64,
}

/// Number of a session, from 1 for as long as the house exists. The secret a
/// browser holds for it is the edge's and never comes here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct SessionId(pub u64);

/// Why a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum LogOutReason {
    /// The person asked.
    Asked,
    /// Nothing was done for too long.
    Idle,
    /// The person logged in elsewhere once too often.
    TooMany,
    /// The person's rights or PIN changed.
    RightsChanged,
    /// The house program restarted.
    Restart,
    /// The place it was at was revoked.
    PlaceRevoked,
    /// The person has logged in again elsewhere.
    LoggedInAgain,
    /// It had lasted as long as a session may.
    TooLong,
}

/// How a name is compared: without case and outer or repeated spaces.
#[must_use]
pub fn folded(name: &str) -> String {
    name.to_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// A name that can be told apart and read: 2 to 60 characters, letters among
/// them, nothing invisible.
#[must_use]
pub fn is_name(name: &str) -> bool {
    is_readable(name, LONGEST_NAME, " .-'’")
}

/// At least 2 characters, letters among them, and nothing beside letters and
/// digits but these signs.
pub(crate) fn is_readable(name: &str, longest: usize, signs: &str) -> bool {
    let length = name.chars().count();
    (2..=longest).contains(&length)
        && name.trim() == name
        && name.chars().any(char::is_alphabetic)
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || signs.contains(c))
}

/// A name that belongs to nobody in particular, such as `admin` or `dealer 2` (S-18).
#[must_use]
pub fn is_generic(name: &str) -> bool {
    let letters: String = folded(name).chars().filter(|c| c.is_alphabetic()).collect();
    GENERIC.contains(&letters.as_str())
}
