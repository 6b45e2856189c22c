//! Verifies the house's own stream: chain, signatures, every record derived
//! again from a command, and the register's invariants. Keeps of each voucher
//! what a table's journal must agree with.

use std::collections::BTreeMap;

use sicbo_journal::{Fault, KeyRing, Report, Store, StreamId, Verifier};
use sicbo_rules::{Currency, Money};
use sicbo_table::ids::{StationId, VoucherId};

use super::{RanBack, VerifyError};
use sicbo_loop::Machine;
use sicbo_register::case::{Outcome, Step};
use sicbo_register::derive::derive;
use sicbo_register::voucher::{Payee, Place};
use sicbo_register::{Event, Fact, Register, codec};

/// The invariants are added up over everything kept, so not after each record.
const CHECK_EVERY: u64 = 4_096;

/// What a clean house stream amounts to.
#[derive(Debug)]
pub struct VerifiedHouse {
    /// Blocks, records, checkpoints.
    pub report: Report,
    /// The state after the last record.
    pub register: Register,
    /// Where time ran back.
    pub ran_back: RanBack,
    /// Every voucher's way through the house.
    pub(crate) trails: BTreeMap<VoucherId, HouseTrail>,
    /// What the house wrote about every case, as far as a table must agree.
    pub(crate) cases: BTreeMap<u64, CaseTrail>,
}

/// What the house wrote about a case.
#[derive(Clone, Debug)]
pub(crate) struct CaseTrail {
    pub(crate) opened: Stamp,
    pub(crate) table: String,
    pub(crate) station: Option<StationId>,
    /// Decisions in order.
    pub(crate) decided: Vec<(Stamp, Outcome)>,
    /// Records of the table that carried it out, with their amounts.
    pub(crate) linked: Vec<(Stamp, u64, Money)>,
}

/// A record, and when it was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamp {
    pub(crate) sequence: u64,
    pub(crate) at_ms: i64,
}

/// What the house wrote about a voucher, as far as a table must agree.
#[derive(Clone, Debug)]
pub struct HouseTrail {
    pub(crate) reserved: Stamp,
    pub(crate) origin: Place,
    pub(crate) currency: Currency,
    pub(crate) amount: Money,
    pub(crate) released: Option<Stamp>,
    pub(crate) issued: Option<(Stamp, Money)>,
    pub(crate) print_failed: Option<Stamp>,
    pub(crate) returned: Option<Stamp>,
    pub(crate) kept: Option<Stamp>,
    /// Taken for a station, and not cancelled.
    pub(crate) taken: Option<(Stamp, Place)>,
    pub(crate) redeemed: Option<(Stamp, Payee)>,
}

/// Verifies the house's own stream. `progress` is told the sequence reached
/// now and then.
///
/// # Errors
/// The first thing that is wrong, by record.
pub fn verify_house(
    store: &dyn Store,
    stream: &StreamId,
    ring: &KeyRing,
    progress: &mut dyn FnMut(u64),
) -> Result<VerifiedHouse, VerifyError> {
    let mut verifier = Verifier::new(stream.clone(), ring, store.checkpoints()?);
    let mut register = Register::default();
    let (mut trails, mut cases) = (BTreeMap::new(), BTreeMap::new());
    let (mut next, mut checked) = (1, 0);
    let mut ran_back = RanBack::default();
    for raw in store.read_from(1) {
        let raw = raw.map_err(|error| VerifyError::Chain(Fault::unreadable(next, error)))?;
        let block = verifier.accept(raw).map_err(VerifyError::Chain)?;
        let mut events = Vec::new();
        for record in block.records() {
            let wrong = |what: String| VerifyError::record(record.sequence, what);
            let event = codec::decode(record.kind, record.version, record.payload)
                .map_err(|error| wrong(error.to_string()))?;
            if record.time_ms != event.at_ms {
                return Err(wrong("its time is not its event's".to_owned()));
            }
            events.push(event);
        }
        let mut rest = events.as_slice();
        while !rest.is_empty() {
            let made = derive(&register, rest).map_err(|what| VerifyError::record(next, what))?;
            let (these, others) = rest.split_at(made);
            for event in these {
                follow(&mut trails, next, event);
                follow_case(&mut cases, next, event);
                let set = match event.fact {
                    Fact::ClockSet { is_ms, .. } => Some(is_ms),
                    _ => None,
                };
                ran_back.note(next, event.at_ms, set);
                register.apply(event);
                next += 1;
            }
            rest = others;
        }
        if next - checked >= CHECK_EVERY {
            checked = next;
            let unbalanced = |what| VerifyError::record(next - 1, what);
            register.check().map_err(unbalanced)?;
        }
        progress(next - 1);
    }
    let report = verifier.finish().map_err(VerifyError::Chain)?;
    register
        .check()
        .map_err(|what| VerifyError::record(next - 1, what))?;
    Ok(VerifiedHouse {
        report,
        register,
        ran_back,
        trails,
        cases,
    })
}

/// Notes what a record says of a case.
fn follow_case(cases: &mut BTreeMap<u64, CaseTrail>, sequence: u64, event: &Event) {
    let at = Stamp {
        sequence,
        at_ms: event.at_ms,
    };
    match &event.fact {
        Fact::CaseOpened { case, new } => {
            let trail = CaseTrail {
                opened: at,
                table: new.table.to_string(),
                station: new.station,
                decided: Vec::new(),
                linked: Vec::new(),
            };
            cases.insert(case.0, trail);
        }
        Fact::CaseStepped { case, step, .. } => {
            let Some(trail) = cases.get_mut(&case.0) else {
                return;
            };
            match step {
                Step::Decide { outcome, .. } | Step::DecideOnEach { outcome, .. } => {
                    trail.decided.push((at, *outcome));
                }
                Step::LinkAdjustment { sequence, amount } => {
                    trail.linked.push((at, *sequence, *amount));
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// Notes what a record says of a voucher.
pub fn follow(trails: &mut BTreeMap<VoucherId, HouseTrail>, sequence: u64, event: &Event) {
    let at = Stamp {
        sequence,
        at_ms: event.at_ms,
    };
    let mut on = |voucher: &VoucherId, note: &mut dyn FnMut(&mut HouseTrail)| {
        if let Some(trail) = trails.get_mut(voucher) {
            note(trail);
        }
    };
    match &event.fact {
        Fact::VoucherReserved {
            voucher,
            origin,
            currency,
            amount,
            ..
        } => {
            let trail = HouseTrail {
                reserved: at,
                origin: origin.clone(),
                currency: *currency,
                amount: *amount,
                released: None,
                issued: None,
                print_failed: None,
                returned: None,
                kept: None,
                taken: None,
                redeemed: None,
            };
            trails.insert(*voucher, trail);
        }
        Fact::ReservationReleased { voucher } => on(voucher, &mut |t| t.released = Some(at)),
        Fact::VoucherIssued {
            voucher, amount, ..
        } => on(voucher, &mut |t| t.issued = Some((at, *amount))),
        Fact::PrintFailed { voucher, .. } => on(voucher, &mut |t| t.print_failed = Some(at)),
        Fact::VoucherReturned { voucher } => on(voucher, &mut |t| t.returned = Some(at)),
        Fact::VoucherKept { voucher, .. } => on(voucher, &mut |t| t.kept = Some(at)),
        Fact::RedemptionBegan {
            voucher,
            to: Payee::Station(place),
            ..
        } => on(voucher, &mut |t| t.taken = Some((at, place.clone()))),
        Fact::RedemptionCancelled { voucher, .. } => on(voucher, &mut |t| t.taken = None),
        Fact::VoucherRedeemed { voucher, to, .. } => {
            on(voucher, &mut |t| t.redeemed = Some((at, to.clone())));
        }
        _ => {}
    }
}
