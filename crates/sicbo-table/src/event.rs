//! What has happened at a table. Facts are only ever added; applying one never fails.

use std::sync::Arc;

use sicbo_rules::rulebook::words::{Cause, LateAct, Position};
use sicbo_rules::{Dice, Money, RuleBook};

use crate::actor::{Actor, Staff};
use crate::command::{
    ChipMove, ColourMove, CreditSource, IncidentKind, LateKind, NewStation, Part, Ruling,
};
use crate::config::{Config, Limits};
use crate::ids::{
    BetId, NoticeId, PendingId, PersonId, RecoverableId, RoundNumber, SessionNumber, StationId,
    UnclaimedId, VoucherId,
};
use crate::pending::{Notice, Pending, Recoverable, Unclaimed};
use crate::positions::{Line, Means};
use crate::record::Standing;

/// A fact with who made it, when, and by which command.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// Who.
    pub by: Actor,
    /// The second person, where it took two.
    pub second: Option<Staff>,
    /// The command it answers.
    pub command: u64,
    /// What.
    pub fact: Fact,
}

/// Why a round became void.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VoidBasis {
    /// A cause the book lists.
    Listed(Cause),
    /// A ruling, with its reason.
    Ruling(String),
}

/// Digests that say what a round was played with (S-16).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digests {
    /// The program.
    pub program: [u8; 32],
    /// The rule book.
    pub book: [u8; 32],
    /// The table's set-up.
    pub config: [u8; 32],
}

/// How this program reads the approved documents. Raised when a reading is
/// corrected; a record is only ever held to the revision it was made under.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RulesRevision(pub u16);

impl RulesRevision {
    /// Records of programs that named no revision.
    pub const FIRST: RulesRevision = RulesRevision(1);
    /// The revision this program plays by.
    pub const CURRENT: RulesRevision = RulesRevision(3);
}

/// What an amendment of an ended round does to one station.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effect {
    /// Which station.
    pub station: StationId,
    /// What had been returned.
    pub was: Money,
    /// What should have been.
    pub is: Money,
    /// Credited now to the station.
    pub credited: Money,
    /// Handed out in chips now, at a seat.
    pub paid_in_chips: Money,
    /// Taken off an earlier overpayment of the same round.
    pub netted: Vec<(RecoverableId, Money)>,
    /// Set against an overpayment of the same round that was waived.
    pub waiver_netted: Money,
    /// Kept again by an earlier waiver that had been set against what was owed.
    pub waiver_restored: Money,
    /// Taken off a credit of the same round that nobody has claimed yet.
    pub unclaimed_netted: Vec<(UnclaimedId, Money)>,
    /// Owed to someone who has left.
    pub unclaimed: Option<Unclaimed>,
    /// Paid too much.
    pub recoverable: Option<Recoverable>,
}

/// What has happened.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "fields repeat what the fact says")]
pub enum Fact {
    TableOpened {
        config: Box<Config>,
        stations: Vec<NewStation>,
        rules: RulesRevision,
    },
    StationAdded {
        station: NewStation,
    },
    StationRemoved {
        station: StationId,
    },
    LastRoundAnnounced,
    TableClosed,
    TableSuspended {
        reason: String,
    },
    TableResumed,
    LimitsScheduled {
        limits: Box<Limits>,
    },
    RuleBookScheduled {
        book: Arc<RuleBook>,
    },
    DiceChanged {
        dice_set: String,
    },
    ActingAssigned {
        person: PersonId,
        position: Position,
    },
    ActingEnded {
        person: PersonId,
        position: Position,
    },

    Connected {
        station: StationId,
    },
    Disconnected {
        station: StationId,
    },
    /// The machine's clock has parted from the house's: no round begins until
    /// somebody has looked.
    ClockParted {
        machine_ms: i64,
    },
    /// Somebody has looked, and the house's clock was set: the one fact before
    /// which time may have run back.
    ClockSet {
        was_ms: i64,
        is_ms: i64,
    },

    CreditBought {
        station: StationId,
        source: CreditSource,
        amount: Money,
        session: SessionNumber,
    },
    CashedOut {
        station: StationId,
        amount: Money,
        voucher: VoucherId,
    },
    CashOutReversed {
        station: StationId,
        amount: Money,
        voucher: VoucherId,
    },
    TransferredOut {
        station: StationId,
        amount: Money,
    },
    HandPaid {
        station: StationId,
        amount: Money,
    },
    VoucherForgotten {
        voucher: VoucherId,
    },
    ChipsMoved {
        how: ChipMove,
        amount: Money,
        slip: String,
    },
    ColourAssigned {
        station: StationId,
        colour: String,
        value: Money,
        session: SessionNumber,
    },
    ColourReleased {
        station: StationId,
    },
    ColourMoved {
        station: StationId,
        how: ColourMove,
        amount: Money,
    },
    Adjusted {
        station: StationId,
        amount: Money,
        reason: String,
    },
    /// A case was paid: in chips from the float, or as credit of its terminal.
    CasePaid {
        station: StationId,
        case: u64,
        round: Option<RoundNumber>,
        amount: Money,
        reason: String,
        /// Which decision of the case, from 1; 0 in records of a program that
        /// did not count them.
        decision: u32,
        /// Kept for the cage: the player has left the terminal.
        unclaimed: Option<Unclaimed>,
    },
    /// A case found that too much had been paid.
    CaseOverpaid {
        case: u64,
        recoverable: Recoverable,
        reason: String,
        /// As of a payment.
        decision: u32,
    },

    RoundBegan {
        round: RoundNumber,
        digests: Digests,
        rules: RulesRevision,
    },
    TumbleCommitted {
        round: RoundNumber,
        commitment: [u8; 32],
    },
    TumbleRevealed {
        round: RoundNumber,
        seed: [u8; 32],
    },
    TumblerActivated,
    TumbleEnded {
        count: u8,
        valid: bool,
    },
    BetsCalled,
    BetsPlaced {
        station: StationId,
        bet: BetId,
        means: Means,
        lines: Vec<Line>,
        called: bool,
    },
    BetsRemoved {
        station: StationId,
        bet: BetId,
        means: Means,
        lines: Vec<Line>,
        all: bool,
    },
    ClosingBegan {
        awaiting: u32,
    },
    CloseAcknowledged {
        station: StationId,
    },
    StationFenced {
        station: StationId,
    },
    BetsClosed {
        staked: Money,
    },
    DealPressed,
    PositionsRecorded {
        station: StationId,
        /// None in records of a program that knew no name for it.
        bet: Option<BetId>,
        means: Means,
        lines: Vec<Line>,
        dice_visible: bool,
    },
    PositionsObserved {
        station: StationId,
        means: Means,
        lines: Vec<Line>,
    },
    /// Chips recorded only after the dice could be seen: they count when a
    /// second person attests them.
    PositionsClaimed {
        station: StationId,
        bet: BetId,
        means: Means,
        lines: Vec<Line>,
    },
    /// A second person attested them: they count.
    PositionsAttested {
        pending: PendingId,
        station: StationId,
        means: Means,
        lines: Vec<Line>,
        bookmark: String,
    },
    /// Nobody attested them: the chips go back to the player.
    PositionsReturned {
        pending: PendingId,
        station: StationId,
        means: Means,
        lines: Vec<Line>,
        bookmark: String,
    },
    LateActRecorded {
        station: StationId,
        late: LateKind,
        /// None in records of a program that did not ask.
        means: Option<Means>,
        line: Line,
        consequence: LateAct,
        rule: String,
    },
    Uncovered,
    FlatConfirmed,
    DiceKeyed {
        dice: Dice,
    },
    KeysCleared,
    SecondRead {
        dice: Dice,
    },
    ReadingsAgreed {
        dice: Dice,
    },
    ResultConfirmed {
        dice: Dice,
    },
    LightsReported {
        lit: bool,
    },
    RoundSettled {
        dice: Dice,
        staked: Money,
        returned: Money,
        digest: [u8; 32],
    },
    RoundVoided {
        basis: VoidBasis,
        rule: String,
        staked: Money,
        digest: [u8; 32],
    },

    IncidentRaised {
        kind: IncidentKind,
        note: String,
    },
    DeviceFailed {
        what: String,
        inform: Option<Position>,
        part: Part,
        /// The round in hand is finished by the dice before play stops (004
        /// 7.7); in records of an older reading it always was.
        by_dice: bool,
    },
    NoticeRaised {
        notice: Notice,
    },
    NoticeAcknowledged {
        notice: NoticeId,
    },
    TumblerBound {
        line: bool,
        shortest_ms: u32,
    },
    CountingSwitched {
        by_hand: bool,
    },
    /// A device on the line reports that the cover was opened, or closed. By the
    /// house: a device that had reported it open is gone, and no earlier report
    /// counts any more.
    CoverReported {
        open: bool,
    },
    Interrupted {
        what: String,
    },
    /// Dice in the tumbler are said to be damaged: they are out of play.
    DamageReported {
        dice_set: String,
        /// The round in hand.
        round: Option<RoundNumber>,
        note: String,
    },
    /// Two persons inspected a set said to be damaged and found it sound.
    DiceFoundSound {
        dice_set: String,
        text: String,
    },
    DecisionRaised {
        pending: Pending,
    },
    DecisionTaken {
        pending: PendingId,
        ruling: Ruling,
        reason: String,
    },

    ResultCorrected {
        round: RoundNumber,
        revision: u32,
        from: Standing,
        dice: Dice,
        evidence: String,
        rule: String,
        effects: Vec<Effect>,
        /// What both persons answered to whether the round was conducted in
        /// accordance with the rules of the game; none where nobody was asked.
        conducted: Option<bool>,
    },
    RoundVoidedLate {
        round: RoundNumber,
        revision: u32,
        from: Standing,
        reason: String,
        rule: String,
        effects: Vec<Effect>,
        /// None where it is no cause that a book lists, but a ruling.
        cause: Option<Cause>,
        /// The rule that lists the cause, where it was decided under another.
        ground: Option<String>,
    },
    OverpaymentRecovered {
        recoverable: RecoverableId,
        amount: Money,
    },
    OverpaymentWaived {
        recoverable: RecoverableId,
        amount: Money,
        reason: String,
    },
    UnclaimedPaid {
        unclaimed: UnclaimedId,
        amount: Money,
    },
}
