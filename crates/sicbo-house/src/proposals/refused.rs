//! Why a proposal is not added or not confirmed, as a client is told.

use sicbo_wire::problem::Problem;

/// Why a proposal was not added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotAdded {
    /// Too many wait.
    TooMany,
    /// Its request number is that of another proposal.
    RequestReused,
}

/// Why a proposal cannot be confirmed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotConfirmed {
    /// No such proposal waits.
    Unknown,
    /// The confirmation is for another act than this one.
    OtherAct,
}

impl NotAdded {
    /// As a client is told.
    #[must_use]
    pub fn problem(self) -> Problem {
        let (code, words) = match self {
            NotAdded::TooMany => (
                "too_many_proposals",
                "too many proposals wait: confirm or withdraw some",
            ),
            NotAdded::RequestReused => (
                "request_reused",
                "this request number was used for something else",
            ),
        };
        Problem::conflict(code, words)
    }
}

impl NotConfirmed {
    /// As a client is told; `restarted` when a restart has ended the proposal.
    #[must_use]
    pub fn problem(self, restarted: bool) -> Problem {
        match self {
            NotConfirmed::OtherAct => Problem::conflict(
                "other_act",
                "this confirmation carries the digest of another act: nothing was done; look at \
                 what is proposed and confirm what you see",
            ),
            NotConfirmed::Unknown if restarted => Problem::conflict(
                "proposal_ended",
                "this proposal ended when the house was started again: propose anew",
            ),
            NotConfirmed::Unknown => Problem::not_found("proposal"),
        }
    }
}
