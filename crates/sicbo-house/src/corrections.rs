//! A proposed correction holds its table.
//!
//! The proposal waits in the program; the hold is a fact of the table. Only a
//! proposal that is withdrawn lets the table go by itself. One that lapses, that
//! a restart ends or whose readings differ leaves the dice in dispute: the table
//! stays held until the round is corrected, or a person with authority lets it
//! go on record.

use parking_lot::MutexGuard;
use sicbo_loop::Answer;
use sicbo_register::proposal::ProposalEnd;
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::ids::RoundNumber;
use sicbo_table::pending::Question;
use sicbo_table::{Act, Command};

use crate::house::{House, TableAt};
use crate::proposals::{Numbered, Proposals};
use sicbo_wire::problem::Problem;
use sicbo_wire::staff::StaffAct;

impl House {
    /// The table waits for the second person of a proposed correction. Where it
    /// cannot be made to wait, the proposal is taken back.
    ///
    /// # Errors
    /// Why the table does not take the hold.
    pub async fn hold_for(
        &self,
        at: &TableAt,
        act: &StaffAct,
        proposed: Numbered,
        by: Staff,
    ) -> Result<(), Problem> {
        let StaffAct::CorrectResult { round, .. } = act else {
            return Ok(());
        };
        let hold = Act::HoldForCorrection {
            round: RoundNumber(*round),
            proposal: proposed.number,
            by: by.person,
        };
        if !proposals(at).begin_hold(proposed.number) {
            return Ok(());
        }
        let held = Problem::unless_done(self.by_house(at, hold).await);
        proposals(at).end_hold(proposed.number);
        if let Err(problem) = held {
            proposals(at).remove(proposed.number, ProposalEnd::Withdrawn);
            self.record_ended_at(at).await;
            return Err(problem);
        }
        // Withdrawn while the table was being asked.
        self.let_go(at).await;
        Ok(())
    }

    /// Puts what has ended at a table on record, lets the table go where a
    /// correction was withdrawn, and tells everyone who waits there.
    pub async fn record_ended_at(&self, at: &TableAt) {
        let ended = self.record_ended(&at.proposals).await;
        self.let_go(at).await;
        if !ended.is_empty() {
            self.tell_proposals(at).await;
        }
    }

    /// Lets the table go where a correction was withdrawn. Compared with what the
    /// table holds: a busy table is asked again.
    async fn let_go(&self, at: &TableAt) {
        for proposal in withdrawn(at) {
            self.by_house(at, Act::EndCorrection { proposal }).await;
        }
    }

    /// Done by the house itself at the table.
    async fn by_house(&self, at: &TableAt, act: Act) -> Answer<sicbo_table::Refusal> {
        let command = Command {
            id: 0,
            at_ms: self.clock.now_ms(),
            by: Actor::House,
            second: None,
            act,
        };
        at.hub.ask(command).await
    }
}

fn proposals(at: &TableAt) -> MutexGuard<'_, Proposals> {
    at.proposals.lock()
}

/// Proposals that hold the table and were withdrawn.
fn withdrawn(at: &TableAt) -> Vec<u64> {
    // Locked first: a hold is then on its way, or seen in the table's state.
    let mut proposals = proposals(at);
    let held: Vec<u64> = {
        let state = at.hub.state();
        let held = state.table.pending.iter();
        held.filter_map(|pending| match pending.question {
            Question::CorrectionProposed { proposal, .. } => Some(proposal),
            _ => None,
        })
        .collect()
    };
    proposals.withdrawn(&held)
}
