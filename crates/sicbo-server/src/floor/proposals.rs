//! Two-person acts that wait for their second person, on a session of their own.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use axum::extract::ws::Utf8Bytes;
use sicbo_house::now_ms;
use sicbo_house::register::person::SessionId;
use sicbo_table::actor::Staff;

use super::TableAt;
use crate::connection::frame;
use crate::wire::console::{HouseToStaff, ShownProposal};
use crate::wire::staff::StaffAct;

/// A proposal lapses after this long.
const LAPSES_MS: i64 = 5 * 60_000;
/// Proposals that may wait at one table.
const MOST: usize = 16;

/// A two-person act.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// What is proposed.
    pub act: StaffAct,
    /// By whom.
    pub by: Staff,
    /// Their name.
    pub name: String,
    /// On which session.
    pub session: SessionId,
    /// When it lapses.
    pub until_ms: i64,
}

/// The proposals of one table.
#[derive(Default)]
pub struct Proposals {
    last: u64,
    open: BTreeMap<u64, Proposal>,
}

impl Proposals {
    fn lapse(&mut self) {
        let now = now_ms();
        self.open.retain(|_, proposal| proposal.until_ms > now);
    }

    /// Adds one; nothing when too many wait.
    pub fn add(
        &mut self,
        act: StaffAct,
        by: Staff,
        name: String,
        session: SessionId,
    ) -> Option<u64> {
        self.lapse();
        if self.open.len() >= MOST {
            return None;
        }
        self.last += 1;
        let proposal = Proposal {
            act,
            by,
            name,
            session,
            until_ms: now_ms() + LAPSES_MS,
        };
        self.open.insert(self.last, proposal);
        Some(self.last)
    }

    /// One that has not lapsed.
    pub fn get(&mut self, number: u64) -> Option<&Proposal> {
        self.lapse();
        self.open.get(&number)
    }

    /// Takes one out.
    pub fn remove(&mut self, number: u64) -> Option<Proposal> {
        self.open.remove(&number)
    }

    /// Puts one back that could not be carried out.
    pub fn put_back(&mut self, number: u64, proposal: Proposal) {
        self.open.insert(number, proposal);
    }

    /// As they are shown.
    pub fn shown(&mut self) -> Vec<ShownProposal> {
        self.lapse();
        self.open
            .iter()
            .map(|(number, proposal)| ShownProposal {
                proposal: *number,
                act: proposal.act.word(),
                words: proposal.act.told(),
                by: proposal.name.clone(),
                person: proposal.by.person.0,
                rounds: proposal.act.ended_rounds(),
                station: proposal.act.station(),
                amount: proposal.act.amount(),
                ruling: proposal.act.ruling().map(str::to_owned),
                note: proposal.act.note().map(str::to_owned),
                dice_wanted: proposal.act.wants_second_dice(),
                until_ms: proposal.until_ms,
            })
            .collect()
    }
}

impl TableAt {
    /// The proposals that wait, as a frame for staff.
    #[must_use]
    pub fn proposals_frame(&self) -> Utf8Bytes {
        let mut proposals = self
            .proposals
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        frame(&HouseToStaff::Proposals {
            table: self.hub.name.to_string(),
            proposals: proposals.shown(),
        })
    }
}
