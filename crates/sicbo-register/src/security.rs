//! What those who guard the house must know and no other record says: from
//! which address somebody logged in or failed to, what was refused to whom, and
//! what the house runs on.
//!
//! Who logged in, whose rights changed and what was enrolled stand in records
//! of their own. Events that repeat are one note with a count. No note holds a
//! PIN, a token, or a name that was typed.

use sicbo_table::ids::PersonId;

use crate::enrolment::EnrolmentId;

/// Notes in one record.
pub const MAX_NOTES: usize = 64;
/// Longest text of a note, in bytes.
pub const LONGEST_WHAT: usize = 300;
/// Longest address, in bytes.
pub const LONGEST_ADDRESS: usize = 45;

sicbo_rules::worded! {
    /// What a note is of.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum SecurityKind: word, ALL {
        /// Somebody logged in, from this address.
        LogIn = "log-in",
        /// A log-in failed.
        LogInFailed = "log-in-failed",
        /// Somebody did what they may not do.
        Refused = "refused",
        /// A token or session opened nothing.
        NotKnown = "not-known",
        /// Too much was asked, and no more is answered for a while.
        TooMany = "too-many",
        /// A card was presented and not shown to be the member's.
        CardNotProved = "card-not-proved",
        /// Somebody logged in from outside the house's networks.
        RemoteAccess = "remote-access",
        /// The house started: on which program, plan and books.
        Started = "started",
        /// What the house runs on was read anew while it ran.
        Reloaded = "reloaded",
        /// A terminal runs a web app that this house did not serve.
        AppUnknown = "app-unknown",
        /// Files on the disk are not those the house was started from.
        SelfCheckFailed = "self-check-failed",
        /// Somebody had the software's identity attested.
        Attested = "attested",
    }
}

/// A note, with how often the same was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SecurityNote {
    /// Of what.
    pub kind: SecurityKind,
    /// Who, where they were logged in.
    pub person: Option<PersonId>,
    /// The enrolled place.
    pub place: Option<EnrolmentId>,
    /// The address it came from.
    pub address: Option<String>,
    /// What was asked for, or found.
    pub what: String,
    /// How often.
    pub count: u32,
    /// The first time.
    pub first_ms: i64,
    /// The last time.
    pub last_ms: i64,
}

impl SecurityNote {
    /// Whether it can be written.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.count > 0
            && self.first_ms <= self.last_ms
            && self.what.len() <= LONGEST_WHAT
            && self
                .address
                .as_ref()
                .is_none_or(|address| address.len() <= LONGEST_ADDRESS)
    }

    /// In words.
    #[must_use]
    pub fn words(&self) -> String {
        let mut words = format!("{} ×{}", self.kind.word(), self.count);
        if let Some(person) = self.person {
            words += &format!(" person {person}");
        }
        if let Some(place) = self.place {
            words += &format!(" enrolment {}", place.0);
        }
        if let Some(address) = &self.address {
            words += &format!(" from {address}");
        }
        if !self.what.is_empty() {
            words += &format!(": {}", self.what);
        }
        words
    }

    pub(crate) fn all_in_words(notes: &[SecurityNote]) -> String {
        let words: Vec<String> = notes.iter().map(SecurityNote::words).collect();
        words.join("; ")
    }
}
