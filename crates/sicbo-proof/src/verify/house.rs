//! Verifies the house's own stream: chain, signatures, every record derived
//! again from a command, and the register's invariants. Keeps of each voucher
//! what a table's journal must agree with.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use sicbo_journal::{KeyRing, Report, SealedBlock, Store, StreamId};
use sicbo_rules::{Currency, Money};
use sicbo_table::ids::{StationId, VoucherId};

use super::blocks::{self, Faults};
use super::snapshots::Snapshots;
use super::{Examined, RanBack, VerifyError};
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
    examine_house(store, stream, ring, progress)?.first_fault()
}

/// Looks at the house's own stream and tells everything that is wrong with it.
///
/// # Errors
/// When it cannot be read.
pub fn examine_house(
    store: &dyn Store,
    stream: &StreamId,
    ring: &KeyRing,
    progress: &mut dyn FnMut(u64),
) -> Result<Examined<VerifiedHouse>, VerifyError> {
    let examined = attempt(store, stream, ring, false, progress)?;
    // A signature is wrong: every one is looked at, to say which is the first.
    let (examined, faults) = match examined {
        (_, faults) if faults.has_seal() => attempt(store, stream, ring, true, progress)?,
        done => done,
    };
    Ok(Examined {
        verified: examined,
        faults: faults.found,
    })
}

fn attempt(
    store: &dyn Store,
    stream: &StreamId,
    ring: &KeyRing,
    every_seal: bool,
    progress: &mut dyn FnMut(u64),
) -> Result<(VerifiedHouse, Faults), VerifyError> {
    let mut replay = Replay {
        snapshots: Snapshots::read(store, stream, ring)?,
        register: Register::default(),
        trails: BTreeMap::new(),
        cases: BTreeMap::new(),
        ran_back: RanBack::default(),
        faults: Faults::default(),
        checked: 0,
        at: 0,
    };
    let (report, chain) = blocks::read(store, stream, ring, every_seal, |block| {
        let derived = catch_unwind(AssertUnwindSafe(|| replay.block(&block)));
        if derived.is_err() {
            let what = "it cannot follow from the records before it; what comes after it was not \
                        derived again";
            replay.faults.push(VerifyError::record(replay.at, what));
            return false;
        }
        progress(block.header().last_sequence);
        !replay.faults.is_full()
    })?;
    replay.check();
    if !replay.faults.is_full() {
        for fault in replay.snapshots.left_over(report.tail.sequence) {
            replay.faults.push(fault);
        }
    }
    let verified = VerifiedHouse {
        report,
        register: replay.register,
        ran_back: replay.ran_back,
        trails: replay.trails,
        cases: replay.cases,
    };
    Ok((verified, chain.and(replay.faults)))
}

struct Replay {
    register: Register,
    trails: BTreeMap<VoucherId, HouseTrail>,
    cases: BTreeMap<u64, CaseTrail>,
    ran_back: RanBack,
    snapshots: Snapshots,
    faults: Faults,
    /// The record after which the invariants were last added up.
    checked: u64,
    /// The record that is being looked at.
    at: u64,
}

impl Replay {
    fn block(&mut self, block: &SealedBlock) {
        let mut events = Vec::new();
        for record in block.records() {
            self.at = record.sequence;
            match codec::decode(record.kind, record.version, record.payload) {
                Ok(event) => {
                    if record.time_ms != event.at_ms {
                        let what = "its time is not its event's";
                        self.faults.push(VerifyError::record(record.sequence, what));
                    }
                    events.push((record.sequence, event));
                }
                Err(error) => {
                    self.commands(std::mem::take(&mut events));
                    self.faults
                        .push(VerifyError::record(record.sequence, error));
                }
            }
        }
        self.commands(events);
        let last = block.header().last_sequence;
        if let Err(what) = self.snapshots.compare(last, &self.register) {
            self.faults.push(VerifyError::record(last, what));
        }
        if last.abs_diff(self.checked) >= CHECK_EVERY {
            self.checked = last;
            self.check();
        }
    }

    /// Derives events that follow each other, command by command.
    fn commands(&mut self, events: Vec<(u64, Event)>) {
        let (sequences, events): (Vec<u64>, Vec<Event>) = events.into_iter().unzip();
        let mut next = 0;
        while next < events.len() && !self.faults.is_full() {
            self.at = sequences[next];
            let made = derive(&self.register, &events[next..]).unwrap_or_else(|what| {
                self.faults.push(VerifyError::record(sequences[next], what));
                // What follows is held to what is there, right or wrong.
                1
            });
            for (sequence, event) in sequences[next..].iter().zip(&events[next..]).take(made) {
                self.at = *sequence;
                self.take(*sequence, event);
            }
            next += made;
        }
    }

    fn take(&mut self, sequence: u64, event: &Event) {
        follow(&mut self.trails, sequence, event);
        follow_case(&mut self.cases, sequence, event);
        let set = match event.fact {
            Fact::ClockSet { is_ms, .. } => Some(is_ms),
            _ => None,
        };
        self.ran_back.note(sequence, event.at_ms, set);
        self.register.apply(event);
    }

    fn check(&mut self) {
        if let Err(what) = self.register.check() {
            self.faults.push(VerifyError::record(self.at, what));
        }
    }
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
