//! What can be asked of the register. Every command says who acts, when, and carries an id.

use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Currency, Money};
use sicbo_table::ids::{PersonId, VoucherId};

use super::case::{CaseId, NewCase, Step};
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
use super::voucher::{Payee, Place};

/// A command.
#[derive(Clone, PartialEq, Debug)]
pub struct Command {
    /// Chosen by the sender; comes back in the events. What a log-in or a
    /// redemption came to is read from the events that carry it.
    pub id: u64,
    /// When it was received, UTC milliseconds.
    pub at_ms: i64,
    /// Who acts.
    pub by: Party,
    /// The second person of a two-person act, present on a session of their own.
    pub second: Option<PersonId>,
    /// What is asked.
    pub act: Act,
}

/// Who or what gives a command. What a person may do is the register's own
/// record, never part of the command.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Party {
    /// The house program itself.
    House,
    /// A person.
    Person(PersonId),
    /// Something enrolled, such as a player's station.
    Place(EnrolmentId),
}

/// The terms of the house.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The site as printed on vouchers.
    pub site: String,
    /// Vouchers are good for this many days.
    pub voucher_days: u16,
    /// Above these amounts no voucher is printed; an attendant pays by hand (P-080).
    pub hand_pay_above: Vec<(Currency, Money)>,
}

impl Terms {
    /// The largest voucher of a currency, if there is a bound.
    #[must_use]
    pub fn largest_voucher(&self, currency: Currency) -> Option<Money> {
        let mut bounds = self.hand_pay_above.iter();
        bounds
            .find(|(known, _)| *known == currency)
            .map(|(_, bound)| *bound)
    }
}

/// Whose PIN was found right, and which of the PINs they had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PinRight {
    /// Whose.
    pub person: PersonId,
    /// The [`super::person::Person::pin_version`] it was verified against.
    pub pin_version: u32,
}

/// What is asked.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "fields repeat what the act says")]
pub enum Act {
    /// The first start: terms, people with one-time PINs, and what is enrolled
    /// from the beginning. Once, by the house itself.
    SetUp {
        terms: Terms,
        staff: Vec<NewPerson>,
        places: Vec<NewEnrolment>,
    },
    /// Other terms.
    ChangeTerms { terms: Terms },

    /// What the house calls its positions above the director, lowest first
    /// as its plan says at every start. Before the house is set up, so
    /// that its first people may hold one.
    NamePositions { names: Vec<String> },

    /// What the house is, said at every start: written down at the first, and
    /// the same for ever. Before the house is set up, so that its first PINs are
    /// bound to their persons.
    IdentifyHouse { identity: Identity },

    /// What the people of the house are held to, as its plan says at every start.
    /// There is no act that ends it.
    SetDuties { duties: Duties },
    /// How long PINs of the first start are good, said at every start where duties are
    /// in force: those that have no end get one.
    LimitFirstPins { hours: u32 },

    /// Takes a person in.
    AddPerson { person: NewPerson },
    /// Another position.
    ChangePosition {
        person: PersonId,
        position: Position,
    },
    /// A new one-time PIN for someone.
    ResetPin { person: PersonId, pin: String },
    /// A person's own new PIN, after the old one was verified.
    ChangePin { old: PinRight, pin: String },
    /// May not log in any more.
    Disable { person: PersonId, reason: String },
    /// May log in again, with a new one-time PIN.
    Enable { person: PersonId, pin: String },
    /// Ends a lockout early.
    LiftLock { person: PersonId },
    /// Somebody has seen a new person, or one with a new PIN, log in: they are who
    /// they say, and may be one of two persons from now on.
    WitnessLogIn { person: PersonId },
    /// The tables and windows somebody works at.
    Assign { person: PersonId, posts: Posts },
    /// Someone gave a name and a PIN; `right` when the PIN was verified. The
    /// event says what came of it.
    LogIn {
        name: String,
        right: Option<PinRight>,
        place: Option<EnrolmentId>,
    },
    /// Someone gave a name and a PIN to say that it is they, as the second
    /// person at a window or before a new PIN. No session begins. It counts as a
    /// try like a log-in's, and no fact comes of a right one.
    ProvePin {
        name: String,
        right: Option<PinRight>,
        place: Option<EnrolmentId>,
    },
    /// Someone gave a name and a wrong PIN or code, at a place or from an address; the next
    /// try from there waits until then. Nobody else's does.
    NoteFailedTry {
        person: Option<PersonId>,
        name: String,
        place: Option<EnrolmentId>,
        from: String,
        wait_until_ms: Option<i64>,
    },
    /// A person's own second factor, sealed, after they have shown a code of it.
    SetSecondFactor { sealed: String },
    /// A PIN has become too old and must be changed.
    ExpirePin { person: PersonId },
    /// An account was not used for too long: its person may not log in any more.
    ExpireAccount { person: PersonId },
    /// A session ends.
    LogOut {
        session: SessionId,
        why: LogOutReason,
    },
    /// Every session ends, as after a restart.
    EndSessions,

    /// Enrols a station, console, display, device or window.
    Enrol { new: NewEnrolment },
    /// Its key opens nothing any more.
    Revoke {
        enrolment: EnrolmentId,
        reason: String,
    },

    /// A number for a voucher, before any credit leaves the table.
    ReserveVoucher {
        origin: Place,
        station_name: String,
        currency: Currency,
        amount: Money,
    },
    /// The table gave no credit for it.
    ReleaseReservation { voucher: VoucherId },
    /// The table gave the credit: the voucher is worth it. `digest` is the
    /// keyed digest of its validation number, `attempt` how often one was drawn.
    IssueVoucher {
        voucher: VoucherId,
        amount: Money,
        digest: [u8; 32],
        attempt: u8,
    },
    /// Bytes are about to go to the printer.
    BeginPrint { voucher: VoucherId },
    /// The printer says the ticket is out.
    ReportPrinted { voucher: VoucherId },
    /// It is not, and nobody has it: worthless from now on, the credit goes back.
    ReportPrintFailed { voucher: VoucherId, what: String },
    /// The table has the credit back.
    FinishReturn { voucher: VoucherId },
    /// The table does not take it back, as when the player has left: the cage
    /// keeps it for whoever can show that it is theirs.
    KeepForCage { voucher: VoucherId, why: String },
    /// Someone presents a validation number. The event says what came of it.
    BeginRedeem {
        /// Chosen by the presenter: the same request again is the same redemption.
        request: u64,
        /// Keyed digest of the number presented.
        digest: [u8; 32],
        /// Who is to be paid.
        to: Payee,
        /// The currency they are paid in.
        currency: Currency,
        /// The amount on the paper, where it was keyed.
        claimed: Option<Money>,
    },
    /// The table has credited it.
    FinishRedeem { voucher: VoucherId },
    /// The table cannot credit it: the voucher is good again.
    CancelRedeem { voucher: VoucherId, why: String },
    /// A voucher is made worthless by two persons.
    VoidVoucher { voucher: VoucherId, reason: String },
    /// Vouchers whose time has passed are no longer good.
    ExpireVouchers,

    /// Opens a case.
    OpenCase { new: Box<NewCase> },
    /// A step of a case. `acting` is the position the person acts in at the
    /// case's table, where it was assigned there.
    StepCase {
        case: CaseId,
        acting: Option<Position>,
        step: Step,
    },

    /// A step of custody of a set of dice, by two persons.
    StepDice { set: DiceSet, step: DiceStep },
    /// A shift of a table begins, by two persons.
    OpenShift { new: NewShift },
    /// Bets that were refused in it, as the house counted them.
    CountRefusals {
        shift: ShiftId,
        refused: Vec<Refused>,
    },
    /// It ends; the outgoing and the incoming manager sign. The next one begins at once, with what
    /// they counted and after the same record, where the table plays on.
    CloseShift {
        shift: ShiftId,
        end: ShiftEnd,
        next: Option<Box<NewShift>>,
    },
    /// The boxes of a shift that has ended are counted, by two who did not sign for it.
    CountBoxes { shift: ShiftId, counted: BoxCount },

    /// A change of what holds for the player at a station.
    StepPlay {
        place: Place,
        sitting: Sitting,
        step: PlayStep,
    },
    /// Meters and clocks of play were read, by a clock so many minutes east of
    /// UTC.
    CountPlays {
        offset_min: i64,
        lines: Vec<Counted>,
    },

    /// The machine's clock has parted from the house's: it says `machine_ms`.
    ReportClock { machine_ms: i64 },
    /// Somebody has looked at it: the house's was at `was_ms` and is set to
    /// `is_ms`, the same where the two agree again.
    SetClock { was_ms: i64, is_ms: i64 },
    /// Puts a two-person act on record before it waits for its second person.
    Propose { new: NewProposal },
    /// It waits no longer.
    EndProposal { proposal: u64, end: ProposalEnd },
    /// Every proposal that waits ends, as after a restart.
    EndProposals,

    /// A table that is out of service is to be started again, alone.
    RestartTable { table: TableName, reason: String },
    /// A table's journal is durable up to this record, which ends a block with
    /// this header: an older copy of that journal is never played on.
    NoteTable { table: TableName, reached: Reached },
    /// What those who guard the house must know.
    NoteSecurity { notes: Vec<SecurityNote> },
    /// The house's data is older than what its witness or its mark knows: two
    /// persons say why it goes on all the same, under a new life.
    GoOnAfterRollback {
        reason: String,
        tree_size: u64,
        known_size: u64,
        life: u32,
    },
}
