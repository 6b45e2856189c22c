//! What has happened in the register. Facts are only ever added; applying one never fails.

use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Currency, Money};
use sicbo_table::ids::{PersonId, VoucherId};

use super::case::{CaseId, NewCase, Step};
use super::command::{Party, Terms};
use super::dice::{DiceSet, DiceStep};
use super::enrolment::{EnrolmentId, NewEnrolment, TableName};
use super::person::{LogOutReason, NewPerson, SessionId};
use super::play::{Counted, PlayStep, Sitting};
use super::proposal::{NewProposal, ProposalEnd};
use super::reached::Reached;
use super::shift::{NewShift, Refused, ShiftEnd, ShiftId};
use super::voucher::{Payee, Place, Unpaid};

/// A fact with who made it, when, and by which command.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// Who.
    pub by: Party,
    /// The second person, where it took two.
    pub second: Option<PersonId>,
    /// The command it answers.
    pub command: u64,
    /// What.
    pub fact: Fact,
}

/// What has happened.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "fields repeat what the fact says")]
pub enum Fact {
    HouseSetUp {
        terms: Terms,
        staff: Vec<NewPerson>,
        places: Vec<NewEnrolment>,
    },
    TermsChanged {
        terms: Terms,
    },

    /// What the house calls its positions above the director, lowest first.
    PositionsNamed {
        names: Vec<String>,
    },

    PersonAdded {
        person: PersonId,
        new: NewPerson,
    },
    PositionChanged {
        person: PersonId,
        from: Position,
        to: Position,
    },
    PinReset {
        person: PersonId,
        pin: String,
    },
    PinChanged {
        person: PersonId,
        pin: String,
    },
    PersonDisabled {
        person: PersonId,
        reason: String,
    },
    PersonEnabled {
        person: PersonId,
        pin: String,
    },
    LockLifted {
        person: PersonId,
    },
    LoggedIn {
        person: PersonId,
        session: SessionId,
        place: Option<EnrolmentId>,
    },
    /// `person` when the name is somebody's; the name itself only when it reads
    /// like one, since people type PINs into the wrong field.
    LogInFailed {
        person: Option<PersonId>,
        name: String,
        place: Option<EnrolmentId>,
    },
    /// An alert: too many failures (S-18).
    LockedOut {
        person: Option<PersonId>,
        place: Option<EnrolmentId>,
        until_ms: i64,
    },
    LoggedOut {
        person: PersonId,
        session: SessionId,
        why: LogOutReason,
    },

    Enrolled {
        enrolment: EnrolmentId,
        new: NewEnrolment,
    },
    Revoked {
        enrolment: EnrolmentId,
        reason: String,
    },

    VoucherReserved {
        voucher: VoucherId,
        origin: Place,
        station_name: String,
        currency: Currency,
        amount: Money,
    },
    ReservationReleased {
        voucher: VoucherId,
    },
    VoucherIssued {
        voucher: VoucherId,
        amount: Money,
        sequence: u32,
        digest: [u8; 32],
        attempt: u8,
        expires_ms: i64,
    },
    /// The first copy is the original, every further one a duplicate.
    PrintBegan {
        voucher: VoucherId,
        copy: u8,
    },
    VoucherPrinted {
        voucher: VoucherId,
    },
    PrintFailed {
        voucher: VoucherId,
        what: String,
    },
    VoucherReturned {
        voucher: VoucherId,
    },
    VoucherKept {
        voucher: VoucherId,
        why: String,
    },
    RedemptionBegan {
        voucher: VoucherId,
        request: u64,
        to: Payee,
    },
    /// A number was presented and not paid; flagged (S-14).
    RedemptionRefused {
        voucher: Option<VoucherId>,
        request: u64,
        to: Payee,
        why: Unpaid,
    },
    /// An alert: too many numbers that do not exist at one place (S-15).
    RedemptionLocked {
        to: Payee,
        until_ms: i64,
    },
    RedemptionCancelled {
        voucher: VoucherId,
        why: String,
    },
    VoucherRedeemed {
        voucher: VoucherId,
        request: u64,
        to: Payee,
    },
    VoucherVoided {
        voucher: VoucherId,
        reason: String,
    },
    VoucherExpired {
        voucher: VoucherId,
    },

    CaseOpened {
        case: CaseId,
        new: Box<NewCase>,
    },
    CaseStepped {
        case: CaseId,
        /// The position the person acted in at the table.
        acting: Option<Position>,
        step: Step,
    },

    DiceStepped {
        set: DiceSet,
        step: DiceStep,
    },

    ShiftOpened {
        shift: ShiftId,
        new: NewShift,
    },
    RefusalsCounted {
        shift: ShiftId,
        refused: Vec<Refused>,
    },
    ShiftClosed {
        shift: ShiftId,
        end: ShiftEnd,
    },

    PlayChanged {
        place: Place,
        sitting: Sitting,
        step: PlayStep,
    },
    PlaysCounted {
        offset_min: i64,
        lines: Vec<Counted>,
    },

    /// An alert: the machine's clock has parted from the house's.
    ClockParted {
        machine_ms: i64,
    },
    /// A person has looked at it, and the house's was set: the one fact before
    /// which time may have run back.
    ClockSet {
        was_ms: i64,
        is_ms: i64,
    },
    ProposalMade {
        proposal: u64,
        new: NewProposal,
    },
    ProposalEnded {
        proposal: u64,
        end: ProposalEnd,
    },
    TableRestarted {
        table: TableName,
        reason: String,
    },
    /// How far a table's journal had come, seen from the house's own.
    TableReached {
        table: TableName,
        reached: Reached,
    },
}
