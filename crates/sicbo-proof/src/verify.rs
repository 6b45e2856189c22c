//! Verifies a table's journal from first record to last: the chain, every
//! signature, every record derived again from its command, the books after
//! every round, the round index and the snapshots. Names everything that is
//! wrong. The house's own stream is verified in [`house`].

mod blocks;
mod folder;
mod house;
mod snapshots;
mod threads;

use std::collections::BTreeSet;
use std::sync::Arc;

use sicbo_journal::{Fault, KeyRing, OpenError, ReadError, Report, SealedBlock, Store, StreamId};
use sicbo_rules::Money;
use sicbo_table::codec;
use sicbo_table::command::CreditSource;
use sicbo_table::derive::{Records, derive};
use sicbo_table::event::RulesRevision;
use sicbo_table::ids::{RoundNumber, StationId, VoucherId};
use sicbo_table::{Event, Fact, Table, apply};

use crate::RoundCode;
use crate::digests;
use crate::index::RoundIndex;
use crate::source;
use crate::tumbles::Tumbles;
use sicbo_loop::Machine;

use blocks::Faults;
pub use folder::{ExaminedFolder, Progress, StreamFault, examine_chains, examine_folder};
pub(crate) use house::{CaseTrail, Stamp};
pub use house::{HouseTrail, VerifiedHouse, examine_house, follow, verify_house};
use snapshots::Snapshots;
pub use threads::{OneThread, Threads};

/// What came of looking at a stream.
#[derive(Debug)]
pub struct Examined<V> {
    /// What it amounts to, as far as it could be followed.
    pub verified: V,
    /// Everything that is wrong, by record; at most a hundred.
    pub faults: Vec<VerifyError>,
}

impl<V> Examined<V> {
    fn first_fault(self) -> Result<V, VerifyError> {
        self.faults
            .into_iter()
            .next()
            .map_or(Ok(self.verified), Err)
    }
}

/// What a clean journal amounts to.
#[derive(Debug)]
pub struct Verified {
    /// Blocks, records, checkpoints.
    pub report: Report,
    /// The state after the last record.
    pub table: Table,
    /// Rounds that ended.
    pub rounds: u64,
    /// Of these, rounds played under an earlier reading of the rules: checked
    /// as far as the program that played them was, and not held to today's.
    pub earlier_rules: u64,
    /// Rounds whose dice are those of a seed committed to before the bets.
    pub tumbles_proved: u64,
    /// The last of them, with its verification code.
    pub last_round: Option<(u64, RoundCode)>,
    /// What moved between the table and vouchers, in order.
    pub vouchers: Vec<VoucherMove>,
    /// What was paid for cases, in order.
    pub cases: Vec<CasePayment>,
    /// The latest time of any record.
    pub last_ms: i64,
    /// Where time ran back.
    pub ran_back: RanBack,
}

/// Records whose time is more than a second before that of one before them,
/// although no clock was set: the clock that stamped them ran back.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RanBack {
    /// How many such records.
    pub times: u64,
    /// The first of them, and by how much.
    pub first: Option<(u64, i64)>,
    latest_ms: Option<i64>,
}

/// Commands that came in together may be written in another order.
const ORDER_MS: i64 = 1_000;

impl RanBack {
    /// Notes a record; `set` is where it says that the clock was set to.
    fn note(&mut self, sequence: u64, at_ms: i64, set: Option<i64>) {
        let latest_ms = self.latest_ms.unwrap_or(at_ms);
        let back = latest_ms.saturating_sub(at_ms);
        if let Some(is_ms) = set {
            self.latest_ms = Some(at_ms.min(is_ms));
        } else if back > ORDER_MS {
            self.times += 1;
            self.first.get_or_insert((sequence, back));
            // Each step back is told once.
            self.latest_ms = Some(at_ms);
        } else {
            self.latest_ms = Some(latest_ms.max(at_ms));
        }
    }
}

/// Credit that became a voucher, or a voucher that became credit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VoucherMove {
    /// Which voucher.
    pub voucher: VoucherId,
    /// At which station.
    pub station: StationId,
    /// How much.
    pub amount: Money,
    /// Which way.
    pub way: Way,
    /// The record.
    pub sequence: u64,
}

/// Which way credit moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Cashed out.
    Out,
    /// Back to the station, because no ticket could be printed.
    Back,
    /// Credited for a voucher.
    In,
}

impl VoucherMove {
    /// What a record moved, if it moved anything.
    #[must_use]
    pub fn of(sequence: u64, event: &Event) -> Option<VoucherMove> {
        let (voucher, station, amount, way) = match &event.fact {
            Fact::CashedOut {
                station,
                amount,
                voucher,
            } => (*voucher, *station, *amount, Way::Out),
            Fact::CashOutReversed {
                station,
                amount,
                voucher,
            } => (*voucher, *station, *amount, Way::Back),
            Fact::CreditBought {
                station,
                source: CreditSource::Voucher(voucher),
                amount,
                ..
            } => (*voucher, *station, *amount, Way::In),
            _ => return None,
        };
        Some(VoucherMove {
            voucher,
            station,
            amount,
            way,
            sequence,
        })
    }
}

/// What a table paid, or noted as owed back, for a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CasePayment {
    /// Which case.
    pub case: u64,
    /// At which station.
    pub station: StationId,
    /// How much; negative where it is an overpayment.
    pub amount: Money,
    /// By which decision of the case, from 1; 0 where a program wrote it that
    /// did not count them.
    pub decision: u32,
    /// The reading of the rules it was made under.
    pub rules: RulesRevision,
    /// The record.
    pub sequence: u64,
}

impl CasePayment {
    pub(crate) fn of(sequence: u64, event: &Event, rules: RulesRevision) -> Option<CasePayment> {
        let (case, station, amount, decision) = match &event.fact {
            Fact::CasePaid {
                station,
                case,
                amount,
                decision,
                ..
            } => (*case, *station, *amount, *decision),
            Fact::CaseOverpaid {
                case,
                recoverable,
                decision,
                ..
            } => (*case, recoverable.station, -recoverable.amount, *decision),
            _ => return None,
        };
        Some(CasePayment {
            case,
            station,
            amount,
            decision,
            rules,
            sequence,
        })
    }

    /// Records of earlier programs were held to less: they named no decision,
    /// and a case could be paid that was not decided.
    pub(crate) fn is_of_earlier_rules(&self) -> bool {
        self.decision == 0 && self.rules < RulesRevision(3)
    }
}

/// Something that is wrong.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The store could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A journal's file could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Chain or signature.
    #[error("{0}")]
    Chain(#[from] Fault),
    /// A record that cannot be understood or does not follow.
    #[error("record {sequence}: {what}")]
    Record {
        /// Which.
        sequence: u64,
        /// What is wrong with it.
        what: String,
    },
    /// A row of the round index is wrong.
    #[error("record {sequence}: round {round} in the table `rounds`: {what}")]
    Index {
        /// Which round.
        round: u64,
        /// Its first record.
        sequence: u64,
        /// What is wrong with its row.
        what: String,
    },
    /// A table and the house do not agree about a voucher.
    #[error("voucher {}: {what} ({})", voucher.0, records(table.as_ref(), *house))]
    Voucher {
        /// Which.
        voucher: VoucherId,
        /// What does not agree.
        what: String,
        /// The table's stream and its record, where there is one.
        table: Option<(String, u64)>,
        /// The house's record, where there is one.
        house: Option<u64>,
    },
    /// A table and the house do not agree about a case.
    #[error("case {case}: {what} ({})", records(table.as_ref(), *house))]
    Case {
        /// Which.
        case: u64,
        /// What does not agree.
        what: String,
        /// The table's stream and its record, where there is one.
        table: Option<(String, u64)>,
        /// The house's record, where there is one.
        house: Option<u64>,
    },
    /// A stream that the house knows is not there.
    #[error("the journal of {stream} is missing")]
    MissingStream {
        /// Its name.
        stream: String,
    },
    /// A journal does not hold what the house wrote down of it.
    #[error("record {sequence} is not there as the house noted it: {what}")]
    NotReached {
        /// The record that was noted.
        sequence: u64,
        /// How the journal differs.
        what: String,
    },
    /// There is nothing in it.
    #[error("{what}")]
    Empty {
        /// What is empty.
        what: String,
    },
    /// Every voucher agrees and their sum does not.
    #[error("{what}")]
    VoucherSum {
        /// What does not agree.
        what: String,
    },
}

fn records(table: Option<&(String, u64)>, house: Option<u64>) -> String {
    let table = table.map(|(stream, sequence)| format!("{stream} record {sequence}"));
    let house = house.map(|sequence| format!("house record {sequence}"));
    match (table, house) {
        (Some(table), Some(house)) => format!("{table}, {house}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "no record".to_owned(),
    }
}

impl VerifyError {
    pub(crate) fn record(sequence: u64, what: impl std::fmt::Display) -> VerifyError {
        VerifyError::Record {
            sequence,
            what: what.to_string(),
        }
    }

    /// The record it is about, where one can be named.
    #[must_use]
    pub fn sequence(&self) -> Option<u64> {
        match self {
            VerifyError::Open(error) => source::damaged_record(error),
            VerifyError::Read(ReadError::Damaged { sequence, .. }) => Some(*sequence),
            VerifyError::Read(ReadError::Failed { .. })
            | VerifyError::Voucher { .. }
            | VerifyError::Case { .. }
            | VerifyError::MissingStream { .. }
            | VerifyError::Empty { .. }
            | VerifyError::VoucherSum { .. } => None,
            VerifyError::Chain(fault) => Some(fault.sequence),
            VerifyError::Record { sequence, .. }
            | VerifyError::Index { sequence, .. }
            | VerifyError::NotReached { sequence, .. } => Some(*sequence),
        }
    }

    /// The world is at fault (a disk that cannot be read), not the journal.
    #[must_use]
    pub fn is_of_the_world(&self) -> bool {
        match self {
            // A file that is there and is not what it should be was damaged or
            // tampered with; one that the system does not give was not.
            VerifyError::Open(error) => !matches!(
                error,
                OpenError::Damaged { .. }
                    | OpenError::Altered { .. }
                    | OpenError::NotAJournal { .. }
                    | OpenError::AnotherStream { .. }
                    | OpenError::NewerFormat { .. }
                    | OpenError::Missing { .. }
            ),
            other => matches!(other, VerifyError::Read(ReadError::Failed { .. })),
        }
    }
}

/// Verifies a journal. `progress` is told the sequence reached now and then.
///
/// # Errors
/// The first thing that is wrong, by record.
pub fn verify(
    store: &dyn Store,
    stream: &StreamId,
    ring: &KeyRing,
    progress: &mut dyn FnMut(u64),
) -> Result<Verified, VerifyError> {
    examine(store, stream, ring, progress)?.first_fault()
}

/// Looks at a whole journal and tells everything that is wrong with it.
///
/// # Errors
/// When it cannot be read.
pub fn examine(
    store: &dyn Store,
    stream: &StreamId,
    ring: &KeyRing,
    progress: &mut dyn FnMut(u64),
) -> Result<Examined<Verified>, VerifyError> {
    examine_with(&OneThread, store, stream, ring, progress)
}

/// As [`examine`], with reading and deriving beside each other where there are
/// threads for both.
///
/// # Errors
/// When it cannot be read.
pub fn examine_with(
    threads: &dyn Threads,
    store: &dyn Store,
    stream: &StreamId,
    ring: &KeyRing,
    progress: &mut dyn FnMut(u64),
) -> Result<Examined<Verified>, VerifyError> {
    // Only rounds that are amended later need their records kept. The index
    // says which; if it does not, the records are read once more to find out.
    let hint = RoundIndex::read(store)?
        .amended()
        .map(RoundNumber)
        .collect();
    let mut look = Look {
        threads,
        store,
        stream,
        ring,
        amended: hint,
        every_seal: false,
    };
    loop {
        match look.attempt(progress)? {
            Attempt::Examined(examined) => return Ok(*examined),
            Attempt::Unprepared(round) if look.amended.contains(&round) => {
                return Err(VerifyError::record(0, "the journal changed meanwhile"));
            }
            Attempt::Unprepared(_) => look.amended = amended_rounds(store)?,
            Attempt::WrongSeal => look.every_seal = true,
        }
    }
}

/// How a journal is looked at.
struct Look<'a> {
    threads: &'a dyn Threads,
    store: &'a dyn Store,
    stream: &'a StreamId,
    ring: &'a KeyRing,
    amended: BTreeSet<RoundNumber>,
    every_seal: bool,
}

enum Attempt {
    Examined(Box<Examined<Verified>>),
    /// A round was amended whose record was not kept.
    Unprepared(RoundNumber),
    /// A signature is wrong; every one must be looked at to say which.
    WrongSeal,
}

impl Look<'_> {
    fn attempt(&self, progress: &mut dyn FnMut(u64)) -> Result<Attempt, VerifyError> {
        let snapshots = Snapshots::read(self.store, self.stream, self.ring)?;
        let mut replay = Replay::new(&self.amended, RoundIndex::read(self.store)?, snapshots);
        let mut read = |take: &mut dyn FnMut(SealedBlock) -> bool| {
            let every_seal = self.every_seal;
            blocks::read(self.store, self.stream, self.ring, every_seal, |block| {
                let reached = block.header().last_sequence;
                let taken = take(block);
                progress(reached);
                taken
            })
        };
        // Each block is derived once its bytes are known to be good.
        let mut derive = |block: &SealedBlock| {
            replay.block_or_stop(block);
            !replay.is_done()
        };
        let hashed = threads::hand_over(self.threads, &mut read, &mut derive);
        let (report, faults) = hashed?;
        if let Some(round) = replay.unprepared {
            return Ok(Attempt::Unprepared(round));
        }
        if faults.has_seal() && !self.every_seal {
            return Ok(Attempt::WrongSeal);
        }
        Ok(Attempt::Examined(Box::new(replay.finish(report, faults))))
    }
}

/// Rounds that some later record amends, found by reading everything.
fn amended_rounds(store: &dyn Store) -> Result<BTreeSet<RoundNumber>, VerifyError> {
    let mut amended = BTreeSet::new();
    for raw in store.read_from(1) {
        // What cannot be read here is reported, with its name, by the pass that follows.
        let Ok(block) = raw?.decode() else { break };
        for record in block.records().filter(|record| amends(record.kind)) {
            let event = codec::decode(record.kind, record.version, record.payload);
            amended.extend(event.ok().and_then(|event| amended_by(&event)));
        }
    }
    Ok(amended)
}

/// The ended round an event changes.
#[must_use]
pub fn amended_by(event: &Event) -> Option<RoundNumber> {
    match &event.fact {
        Fact::ResultCorrected { round, .. } | Fact::RoundVoidedLate { round, .. } => Some(*round),
        _ => None,
    }
}

/// Records of this kind change a round that has ended.
#[must_use]
pub fn amends(kind: u16) -> bool {
    let names = ["ResultCorrected", "RoundVoidedLate"];
    codec::KINDS
        .iter()
        .any(|info| info.kind == kind && names.contains(&info.name))
}

struct Replay<'a> {
    table: Table,
    records: Records,
    amended: &'a BTreeSet<RoundNumber>,
    index: RoundIndex,
    /// First record of the current round.
    first: u64,
    rounds: u64,
    earlier_rules: u64,
    last_round: Option<(u64, RoundCode)>,
    vouchers: Vec<VoucherMove>,
    cases: Vec<CasePayment>,
    last_ms: i64,
    ran_back: RanBack,
    tumbles: Tumbles,
    snapshots: Snapshots,
    faults: Faults,
    /// A round was amended whose record was not kept.
    unprepared: Option<RoundNumber>,
    /// A record could not be applied: what the state is now nobody knows.
    lost: bool,
    /// The record that is being looked at.
    at: u64,
}

impl<'a> Replay<'a> {
    fn new(
        amended: &'a BTreeSet<RoundNumber>,
        index: RoundIndex,
        snapshots: Snapshots,
    ) -> Replay<'a> {
        Replay {
            table: Table::default(),
            records: Records::new(),
            amended,
            index,
            first: 0,
            rounds: 0,
            earlier_rules: 0,
            last_round: None,
            vouchers: Vec::new(),
            cases: Vec::new(),
            last_ms: i64::MIN,
            ran_back: RanBack::default(),
            tumbles: Tumbles::default(),
            snapshots,
            faults: Faults::default(),
            unprepared: None,
            lost: false,
            at: 0,
        }
    }

    fn is_done(&self) -> bool {
        self.lost || self.unprepared.is_some() || self.faults.is_full()
    }

    fn finish(mut self, report: Report, chain: Faults) -> Examined<Verified> {
        if !self.is_done() {
            if let Some((sequence, what)) = self.tumbles.fault() {
                self.faults.push(VerifyError::Record { sequence, what });
            }
            if let Err(fault) = self.index.check() {
                self.faults.push(fault);
            }
            for fault in self.snapshots.left_over(report.tail.sequence) {
                self.faults.push(fault);
            }
        }
        Examined {
            faults: chain.and(self.faults).found,
            verified: Verified {
                report,
                table: self.table,
                rounds: self.rounds,
                earlier_rules: self.earlier_rules,
                last_round: self.last_round,
                vouchers: self.vouchers,
                cases: self.cases,
                last_ms: self.last_ms,
                ran_back: self.ran_back,
                tumbles_proved: self.tumbles.proved(),
            },
        }
    }

    /// Derives a block's records. Events that were decided always apply; one
    /// that was forged need not, and then nothing after it can be derived.
    fn block_or_stop(&mut self, block: &SealedBlock) {
        let derived = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.block(block)));
        if derived.is_err() {
            let what = "it cannot follow from the records before it; what comes after it was not \
                        derived again";
            self.faults.push(VerifyError::record(self.at, what));
            self.lost = true;
        }
    }

    /// Derives a block's records, command by command.
    fn block(&mut self, block: &SealedBlock) {
        let mut events = Vec::new();
        let mut payloads = Vec::new();
        for record in block.records() {
            self.at = record.sequence;
            let wrong = |what: String| VerifyError::record(record.sequence, what);
            let event = match codec::decode(record.kind, record.version, record.payload) {
                Ok(event) => event,
                Err(error) => {
                    // What comes before a record that cannot be read is looked at first.
                    self.commands(block, &events, &payloads);
                    (events, payloads) = (Vec::new(), Vec::new());
                    self.faults.push(wrong(error.to_string()));
                    continue;
                }
            };
            if record.time_ms != event.at_ms {
                self.faults
                    .push(wrong("its time is not its event's".to_owned()));
            }
            if let Some(round) = amended_by(&event)
                && !self.amended.contains(&round)
            {
                self.unprepared = Some(round);
                return;
            }
            events.push(event);
            payloads.push((record.sequence, record.payload));
        }
        self.commands(block, &events, &payloads);
        if let Err(what) = self
            .snapshots
            .compare(block.header().last_sequence, &self.table)
        {
            let last = block.header().last_sequence;
            self.faults.push(VerifyError::record(last, what));
        }
    }

    fn commands(&mut self, block: &SealedBlock, events: &[Event], payloads: &[(u64, &[u8])]) {
        let mut next = 0;
        while next < events.len() && !self.faults.is_full() {
            self.at = payloads[next].0;
            let rest = &events[next..];
            let made = match derive(&self.table, rest, &self.records) {
                Ok(made) => made,
                Err(departure) => {
                    let sequence = payloads[next + departure.at].0;
                    self.faults
                        .push(VerifyError::record(sequence, departure.what));
                    // What follows is held to what is there, right or wrong.
                    departure.at + 1
                }
            };
            for (event, (sequence, payload)) in rest[..made].iter().zip(&payloads[next..]) {
                self.at = *sequence;
                if let Err(fault) = self.take(block, *sequence, payload, event) {
                    self.faults.push(fault);
                }
            }
            next += made;
        }
    }

    /// Takes in a record that follows.
    fn take(
        &mut self,
        block: &SealedBlock,
        sequence: u64,
        payload: &[u8],
        event: &Event,
    ) -> Result<(), VerifyError> {
        let wrong = |what: String| VerifyError::Record { sequence, what };
        if let Fact::RoundBegan { digests, .. } = &event.fact {
            digests::check(&self.table, digests).map_err(wrong)?;
        }
        let notes = self.table.notes(event, sequence, &mut self.first);
        if let Some(change) = notes.round {
            self.index.follow(sequence, change);
        }
        let header_hash = block.header_hash();
        self.tumbles
            .before(&self.table, sequence, event, header_hash.as_bytes());
        apply(&mut self.table, event);
        self.last_ms = self.last_ms.max(event.at_ms);
        let set = match event.fact {
            Fact::ClockSet { is_ms, .. } => Some(is_ms),
            _ => None,
        };
        self.ran_back.note(sequence, event.at_ms, set);
        self.vouchers.extend(VoucherMove::of(sequence, event));
        let rules = self.table.rules;
        self.cases.extend(CasePayment::of(sequence, event, rules));
        if matches!(
            event.fact,
            Fact::RoundSettled { .. } | Fact::RoundVoided { .. }
        ) {
            self.rounds += 1;
            self.earlier_rules += u64::from(self.table.rules < RulesRevision::CURRENT);
            let round = self.table.last_round.0;
            let code = RoundCode::of(&block.header().stream, round, payload);
            self.last_round = Some((round, code));
            self.table.check().map_err(wrong)?;
            if let Some(last) = &self.table.last_record
                && self.amended.contains(&last.number)
            {
                self.records.insert(last.number, Arc::clone(last));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::RanBack;

    #[test]
    fn time_that_runs_back_is_named_unless_a_clock_was_set() {
        let mut ran_back = RanBack::default();
        for (sequence, at_ms, set) in [
            (1, 10_000, None),
            // Written in another order.
            (2, 9_200, None),
            (3, 12_000, None),
            // Set on record, an hour back.
            (4, 12_010, Some(-3_588_000)),
            (5, -3_587_900, None),
            (6, -3_580_000, None),
        ] {
            ran_back.note(sequence, at_ms, set);
        }
        assert_eq!((ran_back.times, ran_back.first), (0, None));
        ran_back.note(7, -3_590_000, None);
        ran_back.note(8, -3_589_999, None);
        ran_back.note(9, -3_600_000, None);
        assert_eq!((ran_back.times, ran_back.first), (2, Some((7, 10_000))));
    }
}
