//! What belongs to a person's log-in beside the PIN's hash: a second factor, and since when the
//! PIN is theirs.

use std::collections::BTreeMap;

use sicbo_table::ids::PersonId;

use super::person::Person;

/// Longest sealed secret, in bytes.
pub const MAX_SEALED: usize = 400;
/// Longest note of where a try came from.
pub const MAX_FROM: usize = 64;
/// A day of expiry.
const DAY_MS: i64 = 86_400_000;

/// What the register keeps for a person's log-in.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Credential {
    /// The secret of the second factor, sealed by the house. Not to be shown to anyone.
    pub second_factor: Option<String>,
    /// Since when the PIN is theirs; zero in records of programs that did not keep it.
    pub pin_since_ms: i64,
}

/// Credentials of all people.
pub type Credentials = BTreeMap<PersonId, Credential>;

/// Whether a person's PIN is older than so many days.
#[must_use]
pub fn pin_expired(
    credentials: &Credentials,
    id: PersonId,
    person: &Person,
    days: u16,
    now_ms: i64,
) -> bool {
    let changed = credentials.get(&id).map_or(0, |known| known.pin_since_ms);
    let since = changed.max(person.since_ms);
    !person.one_time && is_past(since, days, now_ms)
}

/// Whether nobody has logged in as this person for so many days.
#[must_use]
pub fn account_expired(person: &Person, days: u16, now_ms: i64) -> bool {
    let used = person.last_log_in_ms.unwrap_or(0).max(person.since_ms);
    !person.disabled && is_past(used, days, now_ms)
}

/// Never with zero days.
fn is_past(since_ms: i64, days: u16, now_ms: i64) -> bool {
    days > 0 && now_ms.saturating_sub(since_ms) > i64::from(days) * DAY_MS
}
