//! Decides on two-person proposals: their numbers, and how they end.

use super::{Decision, LONGEST_NAME, require, short};
use crate::Register;
use crate::command::Command;
use crate::event::Fact;
use crate::proposal::{MAX_OPEN, MAX_WORDS, NewProposal, ProposalEnd};
use crate::refusal::Reason;

/// Whether the person may propose this very act is decided where it will be
/// carried out; here everyone may who may act at all.
pub(super) fn propose(register: &Register, command: &Command, new: &NewProposal) -> Decision {
    require(register, command, |_| true)?;
    short(&new.act, LONGEST_NAME)?;
    short(&new.words, MAX_WORDS)?;
    if register.proposals.len() >= MAX_OPEN {
        return Err(Reason::TooManyProposals.into());
    }
    Ok(vec![Fact::ProposalMade {
        proposal: register.last_proposal + 1,
        new: new.clone(),
    }])
}

pub(super) fn end(register: &Register, proposal: u64, end: ProposalEnd) -> Decision {
    if !register.proposals.contains_key(&proposal) {
        return Err(Reason::UnknownProposal.into());
    }
    Ok(vec![Fact::ProposalEnded { proposal, end }])
}

pub(super) fn end_all(register: &Register) -> Vec<Fact> {
    let ended = |proposal: &u64| Fact::ProposalEnded {
        proposal: *proposal,
        end: ProposalEnd::Restarted,
    };
    register.proposals.keys().map(ended).collect()
}
