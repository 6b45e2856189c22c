//! Applies the facts of two-person proposals.

use sicbo_table::must;

use crate::Register;
use crate::command::Party;
use crate::event::Event;
use crate::proposal::{MAX_ENDED, NewProposal, ProposalEnd, Recorded};

pub(super) fn made(register: &mut Register, event: &Event, proposal: u64, new: &NewProposal) {
    register.last_proposal = proposal;
    let Party::Person(by) = event.by else {
        panic!("only a person proposes");
    };
    let recorded = Recorded {
        new: new.clone(),
        by,
        at_ms: event.at_ms,
    };
    register.proposals.insert(proposal, recorded);
}

pub(super) fn ended(register: &mut Register, at_ms: i64, proposal: u64, end: ProposalEnd) {
    let mut recorded = must(register.proposals.remove(&proposal), "no such proposal");
    if end == ProposalEnd::Restarted {
        recorded.at_ms = at_ms;
        register.ended_proposals.insert(proposal, recorded);
        while register.ended_proposals.len() > MAX_ENDED {
            register.ended_proposals.pop_first();
        }
    }
}
