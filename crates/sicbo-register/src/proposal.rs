//! Two-person acts on record: what was proposed, by whom, and how it ended.
//!
//! The act itself is held by the program that was asked, and a restart ends
//! what it held. The register gives every proposal a number that is never used
//! again, so that a confirmation cannot meet another act than the one that was
//! shown (P-031).

use sicbo_table::ids::PersonId;

use super::enrolment::TableName;

/// Proposals that may wait in the whole house; more than all tables hold.
pub const MAX_OPEN: usize = 4_096;
/// Proposals ended by a restart that are remembered for the people they
/// concern.
pub const MAX_ENDED: usize = 64;
/// Longest description of a proposed act, in bytes.
pub const MAX_WORDS: usize = 500;

/// A proposal to be put on record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewProposal {
    /// The table it is for; none when it is for the house.
    pub table: Option<TableName>,
    /// The act's stable word, e.g. `hand_pay`.
    pub act: String,
    /// In words, as the second person is shown it.
    pub words: String,
    /// SHA-256 over the whole act.
    pub digest: [u8; 32],
}

sicbo_rules::worded! {
    /// How a proposal ended.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ProposalEnd: word {
        /// Confirmed by a second person, and carried out.
        Confirmed {
            /// Who.
            second: PersonId,
        } = "confirmed",
        /// Taken back by the person who made it.
        Withdrawn = "withdrawn",
        /// Nobody confirmed it in time.
        Lapsed = "lapsed",
        /// The two persons stated different dice.
        ReadingsDiffer = "readings_differ",
        /// The house was started again while it waited.
        Restarted = "restarted",
    }
}

/// A proposal on record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// What was proposed.
    pub new: NewProposal,
    /// By whom.
    pub by: PersonId,
    /// When it was made; when it ended, once a restart has ended it.
    pub at_ms: i64,
}
