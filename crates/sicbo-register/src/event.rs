//! What has happened in the register. Facts are only ever added; applying one never fails.
//! What a row of the table of facts says is explained in `codec/facts.rs` of `sicbo-table`.

use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Currency, Money};
use sicbo_table::describe::fingerprint;
use sicbo_table::ids::{PersonId, VoucherId};

use super::case::{CaseId, NewCase, Step};
use super::command::{Act, Party, Terms};
use super::dice::{DiceSet, DiceStep};
use super::duties::{Duties, Posts};
use super::enrolment::{EnrolmentId, NewEnrolment, TableName};
use super::identity::Identity;
use super::person::{LogOutReason, NewPerson, SessionId};
use super::play::{Counted, PlayStep, Sitting};
use super::proposal::{NewProposal, ProposalEnd};
use super::reached::Reached;
use super::security::SecurityNote;
use super::shift::{BoxCount, NewShift, Refused, ShiftEnd, ShiftId};
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

sicbo_table::facts! {
    described with crate::describe::RegisterNames;

    // The house.
    /// The house was set up with its first people and places.
    1 v 1 HouseSetUp {
        4 terms: Terms, 5 staff: Vec<NewPerson>, 6 places as enrolled: Vec<NewEnrolment>,
    }
    /// Terms of the house changed.
    2 v 1 TermsChanged { 4 terms: Terms } from ChangeTerms
    /// What the house calls its positions above the director, lowest first.
    3 v 1 PositionsNamed { 4 names as above_director: Vec<String> } from NamePositions
    /// What the house plays for, and check values of its secrets; once.
    4 v 1 HouseIdentified { 4 identity: Identity } from IdentifyHouse
    /// What its people are held to from now on.
    5 v 1 DutiesSet { 4 duties: Duties } from SetDuties
    /// PINs of the first start are good once, and for so many hours from now.
    6 v 1 FirstPinsLimited { 4 hours: u32 } from LimitFirstPins

    // People.
    /// A person was added.
    10 v 1 PersonAdded { 4 person: PersonId => |new| new.0, 5 new: NewPerson }
    /// A person has another position.
    11 v 1 PositionChanged { 4 person: PersonId, 5 from: Position, 6 to: Position }
    /// A person was given a one-time PIN.
    12 v 1 PinReset {
        4 person: PersonId, 5 pin as pin_fingerprint: String => fingerprint,
    } from ResetPin
    /// A person chose a PIN.
    13 v 1 PinChanged { 4 person: PersonId, 5 pin as pin_fingerprint: String => fingerprint }
    /// A person may no longer log in.
    14 v 1 PersonDisabled { 4 person: PersonId, 5 reason: String } from Disable
    /// A person may log in again, with a one-time PIN.
    15 v 1 PersonEnabled {
        4 person: PersonId, 5 pin as pin_fingerprint: String => fingerprint,
    } from Enable
    /// The lock after failed log-ins was lifted.
    16 v 1 LockLifted { 4 person: PersonId } from LiftLock
    /// Somebody else has seen them log in with a PIN of their own.
    17 v 1 LogInWitnessed { 4 person: PersonId } from WitnessLogIn
    /// The tables and windows they work at.
    18 v 1 Assigned { 4 person: PersonId, 5 posts: Posts } from Assign
    /// A person logged in.
    20 v 1 LoggedIn { 4 person: PersonId, 5 session: SessionId, 6 place: Option<EnrolmentId> }
    /// `person` when the name is somebody's; the name itself only when it reads
    /// like one, since people type PINs into the wrong field.
    21 v 1 LogInFailed { 4 person: Option<PersonId>, 5 name: String, 6 place: Option<EnrolmentId> }
    /// An alert: too many failures (S-18).
    22 v 1 LockedOut { 4 person: Option<PersonId>, 5 place: Option<EnrolmentId>, 6 until_ms: i64 }
    /// A person was logged out.
    23 v 1 LoggedOut { 4 person: PersonId, 5 session: SessionId, 6 why: LogOutReason }

    /// A wrong PIN or code. The next try from the same place or address waits until then, and
    /// nobody else's does (S-18).
    26 v 1 TryFailed {
        4 person: Option<PersonId>, 5 name: String, 6 place: Option<EnrolmentId>, 7 from: String,
        8 wait_until_ms: Option<i64>,
    } from NoteFailedTry
    /// A person set up a second factor.
    27 v 1 SecondFactorSet {
        4 person: PersonId, 5 sealed as second_factor_fingerprint: String => fingerprint,
    } from SetSecondFactor { sealed }
    /// A PIN became too old and must be changed.
    28 v 1 PinExpired { 4 person: PersonId } from ExpirePin
    /// An account that nobody used for too long was closed.
    29 v 1 AccountExpired { 4 person: PersonId } from ExpireAccount

    // What is enrolled.
    /// A terminal, console, display, device or desk was enrolled.
    30 v 1 Enrolled {
        4 enrolment: EnrolmentId => |new| new.0, 5 new: NewEnrolment,
    } from Enrol { new }
    /// An enrolment was revoked.
    31 v 1 Revoked { 4 enrolment: EnrolmentId, 5 reason: String } from Revoke

    // Vouchers.
    /// A voucher's number was reserved for a cash-out.
    50 v 1 VoucherReserved {
        4 voucher: VoucherId, 5 origin: Place => Place::fields, 6 station_name: String,
        8 amount: Money, 7 currency: Currency,
    } from ReserveVoucher { origin, station_name, currency, amount }
    /// A reservation was given up: nothing was cashed out.
    51 v 1 ReservationReleased { 4 voucher: VoucherId } from ReleaseReservation
    /// A voucher was issued.
    52 v 1 VoucherIssued {
        4 voucher: VoucherId, 5 amount: Money, 6 sequence as voucher_sequence: u32,
        7 digest as number_fingerprint: [u8; 32] => fingerprint, 8 attempt: u8, 9 expires_ms: i64,
    } from IssueVoucher { voucher, amount, digest, attempt }
    /// The first copy is the original, every further one a duplicate.
    53 v 1 PrintBegan { 4 voucher: VoucherId, 5 copy: u8 } from BeginPrint { voucher }
    /// A voucher was printed.
    54 v 1 VoucherPrinted { 4 voucher: VoucherId } from ReportPrinted
    /// Printing failed.
    55 v 1 PrintFailed { 4 voucher: VoucherId, 5 what: String } from ReportPrintFailed
    /// The credit of a voucher that was not printed went back to its station.
    56 v 1 VoucherReturned { 4 voucher: VoucherId } from FinishReturn
    /// A voucher is being redeemed.
    57 v 1 RedemptionBegan { 4 voucher: VoucherId, 5 request: u64, 6 to: Payee }
    /// A number was presented and not paid; flagged (S-14).
    58 v 1 RedemptionRefused {
        4 voucher: Option<VoucherId>, 5 request: u64, 6 to: Payee, 7 why: Unpaid,
    }
    /// An alert: too many numbers that do not exist at one place (S-15).
    59 v 1 RedemptionLocked { 4 to: Payee, 5 until_ms: i64 }
    /// A redemption was given up before anything was credited.
    60 v 1 RedemptionCancelled { 4 voucher: VoucherId, 5 why: String } from CancelRedeem
    /// A voucher was redeemed.
    61 v 1 VoucherRedeemed { 4 voucher: VoucherId, 5 request: u64, 6 to: Payee }
    /// A voucher was made void.
    62 v 1 VoucherVoided { 4 voucher: VoucherId, 5 reason: String } from VoidVoucher
    /// A voucher expired.
    63 v 1 VoucherExpired { 4 voucher: VoucherId } from ExpireVouchers {}
    /// A voucher that could not be printed is kept for the cage.
    64 v 1 VoucherKept { 4 voucher: VoucherId, 5 why: String } from KeepForCage

    // Cases.
    /// A case was opened.
    70 v 1 CaseOpened { 4 case: CaseId, 5 new: Box<NewCase> } from OpenCase { new }
    /// A step of a case.
    71 v 1 CaseStepped {
        4 case: CaseId,
        /// The position the person acted in at the table.
        5 acting: Option<Position>,
        6 step: Step,
    } from StepCase

    // Dice and shifts.
    /// A step in the custody of a set of dice.
    80 v 1 DiceStepped { 4 set as dice_set: DiceSet, 5 step: DiceStep } from StepDice
    /// A shift was opened at a table.
    85 v 3 ShiftOpened { 4 shift: ShiftId, 5 new: NewShift } from OpenShift { new }
    /// A shift was closed.
    86 v 3 ShiftClosed { 4 shift: ShiftId, 5 end: ShiftEnd }
    /// Bets that were refused in a shift, by reason.
    87 v 1 RefusalsCounted {
        4 shift: ShiftId, 5 refused: Vec<Refused> => |refused| Refused::words(refused),
    } from CountRefusals
    /// The soft count: the boxes of a shift that has ended were opened and counted.
    88 v 1 BoxesCounted { 4 shift: ShiftId, 5 counted: BoxCount } from CountBoxes

    // Responsible play.
    /// A step of a player's own limits.
    90 v 2 PlayChanged { 4 place: Place, 5 sitting: Sitting, 6 step: PlayStep } from StepPlay
    /// What was played at stations, for the limits of their players.
    91 v 1 PlaysCounted {
        4 offset_min as utc_offset_minutes: i64, 5 lines as stations: Vec<Counted>,
    } from CountPlays

    // Two-person proposals.
    /// An act that takes two persons was proposed.
    95 v 1 ProposalMade { 4 proposal: u64, 5 new: NewProposal } from Propose { new }
    /// A proposal ended.
    96 v 1 ProposalEnded { 4 proposal: u64, 5 end: ProposalEnd }

    // Tables out of service.
    /// A table out of service was started again.
    97 v 1 TableRestarted { 4 table: TableName, 5 reason: String } from RestartTable
    /// How far a table's journal had come, seen from the house's own.
    98 v 1 TableReached { 4 table: TableName, 5 reached: Reached } from NoteTable

    /// Two persons record why the house goes on although its data is older than what was
    /// witnessed: the blocks of its tree, those that were known, and the life that begins.
    99 v 1 WentOnAfterRollback {
        4 reason: String, 5 tree_size: u64, 6 known_size: u64, 7 life: u32,
    } from GoOnAfterRollback

    // The clock.

    /// An alert: the machine's clock has parted from the house's.
    120 v 1 ClockParted { 4 machine_ms: i64 } from ReportClock
    /// A person has looked at it, and the house's was set: the one fact before
    /// which time may have run back.
    121 v 1 ClockSet { 4 was_ms: i64, 5 is_ms: i64 } from SetClock

    /// What those who guard the house must know and no other record says.
    130 v 1 SecurityNoted {
        4 notes: Vec<SecurityNote> => |notes| SecurityNote::all_in_words(notes),
    } from NoteSecurity
}
