//! Requests of staff that move money: asked twice, done once.
//!
//! Whoever sends a command by which money moves gives it a number of their own.
//! When the answer is lost and the command is sent again, the table remembers
//! that it was done and does nothing more; the same number for something else
//! is refused. The number stands in the event as its command, so what is
//! remembered is made again from the journal. Zero is no number.

use std::collections::VecDeque;

use sicbo_rules::{Money, broken};

use crate::actor::Actor;
use crate::codec::{DecodeError, Reader, Wire, Writer};
use crate::command::{Act, Command, CreditSource};
use crate::event::{Event, Fact};
use crate::ids::PersonId;
use crate::refusal::{Reason, Refusal};
use crate::table::Table;

/// Requests a table remembers; the oldest are forgotten first. A client that
/// asks again does so within minutes.
pub const REMEMBERED: usize = 1_000;

/// A request that was carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Request {
    person: PersonId,
    id: u64,
    content: u64,
}

/// The newest requests that were carried out, in their order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Requests(VecDeque<Request>);

impl Requests {
    fn content(&self, person: PersonId, id: u64) -> Option<u64> {
        let mut newest = self.0.iter().rev();
        newest
            .find(|known| known.person == person && known.id == id)
            .map(|known| known.content)
    }

    /// How many are remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// None is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Whether a command was carried out before.
///
/// # Errors
/// When its number was used for something else.
pub(crate) fn done_before(table: &Table, command: &Command) -> Result<bool, Refusal> {
    let Actor::Staff(staff) = command.by else {
        return Ok(false);
    };
    if command.id == 0 || broken("table:request-once") {
        return Ok(false);
    }
    let Some(content) = moved_by(&command.act).map(|moved| moved.digest()) else {
        return Ok(false);
    };
    match table.requests.content(staff.person, command.id) {
        None => Ok(false),
        Some(known) if known == content => Ok(true),
        Some(_) => Err(Reason::RequestReused.into()),
    }
}

/// Remembers what an event has done.
pub(crate) fn note(table: &mut Table, event: &Event) {
    let Actor::Staff(staff) = event.by else {
        return;
    };
    if event.command == 0 {
        return;
    }
    let Some(moved) = moved_in(&event.fact) else {
        return;
    };
    let known = &mut table.requests.0;
    if known.len() >= REMEMBERED {
        known.pop_front();
    }
    known.push_back(Request {
        person: staff.person,
        id: event.command,
        content: moved.digest(),
    });
}

/// What money moves, as an act asks for it and as an event says it happened.
struct Moved<'a> {
    kind: u64,
    /// The station, or the number of what is owed.
    what: u64,
    /// How, where there are several ways.
    how: u64,
    amount: Option<Money>,
    text: &'a str,
}

impl Moved<'_> {
    fn digest(&self) -> u64 {
        let mix = |sum: u64, value: u64| {
            let mixed = (sum ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ (mixed >> 31)
        };
        let amount = self.amount.map_or(0, |amount| amount.minor() as u64);
        let figures = [self.kind, self.what, self.how, amount];
        let sum = figures.into_iter().fold(0x51cb_0a5c, mix);
        let bytes = self.text.bytes();
        bytes.fold(sum, |sum, byte| mix(sum, u64::from(byte) + 1))
    }
}

fn source(source: CreditSource) -> u64 {
    match source {
        CreditSource::Cash => 0,
        CreditSource::Voucher(voucher) => voucher.0.wrapping_add(16),
        CreditSource::Cage => 1,
        CreditSource::Attendant => 2,
    }
}

fn moved(kind: u64, what: u64, how: u64, amount: Option<Money>, text: &str) -> Moved<'_> {
    Moved {
        kind,
        what,
        how,
        amount,
        text,
    }
}

fn moved_by(act: &Act) -> Option<Moved<'_>> {
    Some(match act {
        Act::BuyCredit {
            station,
            source: from,
            amount,
        } => moved(1, station.0.into(), source(*from), Some(*amount), ""),
        Act::TransferOut { station, amount } => moved(2, station.0.into(), 0, Some(*amount), ""),
        Act::HandPay { station, amount } => moved(3, station.0.into(), 0, Some(*amount), ""),
        Act::MoveChips { how, amount, slip } => moved(4, 0, *how as u64, Some(*amount), slip),
        Act::MoveColour {
            station,
            how,
            amount,
        } => moved(5, station.0.into(), *how as u64, Some(*amount), ""),
        Act::Adjust {
            station,
            amount,
            reason,
        } => moved(6, station.0.into(), 0, Some(*amount), reason),
        Act::Recover {
            recoverable,
            amount,
        } => moved(7, recoverable.0, 0, Some(*amount), ""),
        Act::Waive {
            recoverable,
            reason,
        } => moved(8, recoverable.0, 0, None, reason),
        Act::PayUnclaimed { unclaimed } => moved(9, unclaimed.0, 0, None, ""),
        Act::SettleCase {
            station,
            case,
            amount,
            reason,
            ..
        } => moved(10, station.0.into(), *case, Some(*amount), reason),
        _ => return None,
    })
}

fn moved_in(fact: &Fact) -> Option<Moved<'_>> {
    Some(match fact {
        Fact::CreditBought {
            station,
            source: from,
            amount,
            ..
        } => moved(1, station.0.into(), source(*from), Some(*amount), ""),
        Fact::TransferredOut { station, amount } => {
            moved(2, station.0.into(), 0, Some(*amount), "")
        }
        Fact::HandPaid { station, amount } => moved(3, station.0.into(), 0, Some(*amount), ""),
        Fact::ChipsMoved { how, amount, slip } => moved(4, 0, *how as u64, Some(*amount), slip),
        Fact::ColourMoved {
            station,
            how,
            amount,
        } => moved(5, station.0.into(), *how as u64, Some(*amount), ""),
        Fact::Adjusted {
            station,
            amount,
            reason,
        } => moved(6, station.0.into(), 0, Some(*amount), reason),
        Fact::OverpaymentRecovered {
            recoverable,
            amount,
        } => moved(7, recoverable.0, 0, Some(*amount), ""),
        Fact::OverpaymentWaived {
            recoverable,
            reason,
            ..
        } => moved(8, recoverable.0, 0, None, reason),
        Fact::UnclaimedPaid { unclaimed, .. } => moved(9, unclaimed.0, 0, None, ""),
        Fact::CasePaid {
            station,
            case,
            amount,
            reason,
            ..
        } => moved(10, station.0.into(), *case, Some(*amount), reason),
        Fact::CaseOverpaid {
            case,
            recoverable,
            reason,
            ..
        } => moved(
            10,
            recoverable.station.0.into(),
            *case,
            Some(-recoverable.amount),
            reason,
        ),
        _ => return None,
    })
}

/// In their order, oldest first.
impl Wire for Requests {
    fn put(&self, to: &mut Writer<'_>) {
        to.array(self.0.len() as u64);
        for request in &self.0 {
            (request.person, (request.id, request.content)).put(to);
        }
    }

    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let len = from.array()?;
        if len > REMEMBERED as u64 {
            return Err(from.expected("no more requests than are remembered"));
        }
        let mut requests = VecDeque::new();
        for _ in 0..len {
            let (person, (id, content)) = <(PersonId, (u64, u64))>::get(from)?;
            requests.push_back(Request {
                person,
                id,
                content,
            });
        }
        Ok(Requests(requests))
    }
}
