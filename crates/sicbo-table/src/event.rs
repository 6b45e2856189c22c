//! What has happened at a table. Facts are only ever added; applying one never fails.
//! What a row of the table of facts says is explained in `codec/facts.rs`.

use std::sync::Arc;

use sicbo_rules::rulebook::words::{Cause, LateAct, Position, Word as _};
use sicbo_rules::{Dice, Money, RuleBook};

use crate::actor::{Actor, Staff};
use crate::cash::MoneyDuties;
use crate::command::{
    Act, ChipMove, ColourMove, CreditSource, IncidentKind, LateKind, NewStation, Part, Ruling,
};
use crate::config::{Config, Limits};
use crate::grant::PlayGrant;
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

/// The number of a case's decision, where the record counts them.
fn counted(decision: &u32) -> Option<u32> {
    (*decision > 0).then_some(*decision)
}

crate::facts! {
    described with crate::describe::Names;

    // The table and its desk.
    /// A table opens, with its whole set-up and rule book.
    1 v 2 TableOpened {
        4 config: Box<Config>, 5 stations: Vec<NewStation> => Vec::len,
        6 rules as rules_revision: RulesRevision,
    } from OpenTable { config, stations }
    /// A station was added.
    2 v 1 StationAdded { 4 station: NewStation } from AddStation
    /// A station was removed.
    3 v 1 StationRemoved { 4 station: StationId } from RemoveStation
    /// The last round was announced.
    4 v 1 LastRoundAnnounced from AnnounceLastRound
    /// The table closed.
    5 v 1 TableClosed from CloseTable
    /// The table was suspended.
    6 v 1 TableSuspended { 4 reason: String } from Suspend
    /// The table goes on after a suspension.
    7 v 1 TableResumed from Resume
    /// Limits were changed; they hold from the next round on.
    8 v 1 LimitsScheduled { 4 limits: Box<Limits> } from ChangeLimits
    /// Another rule book was chosen; it holds from the next round on.
    9 v 1 RuleBookScheduled { 4 book: Arc<RuleBook> } from ChangeRuleBook
    /// Another set of dice is in the tumbler.
    10 v 1 DiceChanged { 4 dice_set: String } from ChangeDice
    /// A person acts in a higher position for the time being.
    11 v 1 ActingAssigned { 4 person: PersonId, 5 position: Position } from AssignActing
    /// A person no longer acts in it.
    12 v 1 ActingEnded { 4 person: PersonId, 5 position: Position } from EndActing
    /// A terminal is connected.
    13 v 1 Connected { 4 station: StationId } from Connect
    /// A terminal is no longer connected.
    14 v 1 Disconnected { 4 station: StationId } from Disconnect
    /// The tumbler reports over the line, or a person presses for it; and how long a tumble takes at least.
    15 v 1 TumblerBound { 4 line: bool, 5 shortest_ms: u32 } from BindTumbler
    /// Tumbles are counted by hand, or no longer.
    16 v 1 CountingSwitched { 4 by_hand: bool } from SwitchCounting
    /// What whoever is at a station may play for, by the register.
    17 v 2 PlayGranted { 4 station: StationId, 5 grant: PlayGrant } from GrantPlay
    /// No round is the last: play goes on.
    18 v 1 LastRoundTakenBack from TakeBackLastRound
    /// The machine's clock has parted from the house's: no round begins until
    /// somebody has looked.
    20 v 1 ClockParted { 4 machine_ms: i64 } from ReportClock
    /// Somebody has looked, and the house's clock was set: the one fact before
    /// which time may have run back.
    21 v 1 ClockSet { 4 was_ms: i64, 5 is_ms: i64 } from SetClock
    /// How much money staff may move from now on, alone and together.
    22 v 1 MoneyDutiesSet { 4 duties: MoneyDuties } from SetMoneyDuties

    // Money outside the round.
    /// Credit came onto a station.
    30 v 1 CreditBought {
        4 station: StationId, 5 source: CreditSource, 6 amount: Money, 7 session: SessionNumber,
    } from BuyCredit { station, source, amount }
    /// Credit left a station for a voucher.
    31 v 1 CashedOut { 4 station: StationId, 5 amount: Money, 6 voucher: VoucherId } from CashOut
    /// A cash-out whose voucher was not issued was taken back.
    32 v 1 CashOutReversed {
        4 station: StationId, 5 amount: Money, 6 voucher: VoucherId,
    } from ReverseCashOut
    /// Credit left a station for another place of the house.
    33 v 1 TransferredOut { 4 station: StationId, 5 amount: Money } from TransferOut
    /// An attendant paid credit by hand.
    34 v 1 HandPaid { 4 station: StationId, 5 amount: Money } from HandPay
    /// A voucher's step at this table is settled and no longer kept.
    35 v 1 VoucherForgotten { 4 voucher: VoucherId } from ForgetVoucher
    /// Chips came to the table or left it.
    36 v 1 ChipsMoved { 4 how: ChipMove, 5 amount: Money, 6 slip: String } from MoveChips
    /// A player was given a colour with its value.
    37 v 1 ColourAssigned {
        4 station: StationId, 5 colour: String, 6 value: Money, 7 session: SessionNumber,
    } from AssignColour { station, colour, value }
    /// A player gave a colour back.
    38 v 1 ColourReleased { 4 station: StationId } from ReleaseColour
    /// Colour chips were bought or exchanged.
    39 v 1 ColourMoved { 4 station: StationId, 5 how: ColourMove, 6 amount: Money } from MoveColour
    /// Two persons adjusted a station's credit.
    40 v 1 Adjusted { 4 station: StationId, 5 amount: Money, 6 reason: String } from Adjust
    /// A case was paid: in chips from the float, or as credit of its terminal.
    41 v 2 CasePaid {
        4 station: StationId, 5 case: u64, 6 round: Option<RoundNumber>, 7 amount: Money,
        8 reason: String,
        /// Which decision of the case, from 1; 0 in records of a program that
        /// did not count them.
        9 decision: u32 => counted,
        /// Kept for the cage: the player has left the terminal.
        10 unclaimed: Option<Unclaimed>,
    }
    /// A case found that too much had been paid.
    42 v 2 CaseOverpaid {
        4 case: u64, 5 recoverable: Recoverable, 6 reason: String,
        /// As of a payment.
        7 decision: u32 => counted,
    }
    /// The cage counted money that staff had moved; it is settled where the two agree.
    43 v 1 MoneyCounted { 4 entry: u64, 5 amount: Money } from CountMoney
        told "the cage counted {amount} against entry {entry}"

    // The round of play.
    /// A round begins: its number and what it is played with.
    50 v 2 RoundBegan {
        4 round: RoundNumber, 5 digests: Digests, 6 rules as rules_revision: RulesRevision,
    } told "round {round} begins"
    /// The tumbler was activated.
    51 v 1 TumblerActivated from ActivateTumbler told "the tumbler is activated"
    /// A tumble ended; whether it counts.
    52 v 1 TumbleEnded { 4 count: u8, 5 valid: bool }
    /// Bets were called for.
    53 v 1 BetsCalled from CallBets told "bets are called"
    // Bytes of this one are written by hand (`codec/bets.rs`).
    /// Bets were placed; laid out in a way of its own, see below.
    54 v 1 BetsPlaced {
        4 station: StationId, 5 bet: BetId, 6 means: Means, 7 lines as bets: Vec<Line>,
        8 called: bool,
    }
    /// Bets were taken back.
    55 v 1 BetsRemoved {
        4 station: StationId, 5 bet: BetId, 6 means: Means, 7 lines as bets: Vec<Line>, 8 all: bool,
    }
    /// No more bets: so many terminals have yet to show it.
    56 v 1 ClosingBegan { 4 awaiting: u32 } from CloseBets {}
    /// A terminal shows that bets are closed.
    57 v 1 CloseAcknowledged { 4 station: StationId } told "{station} shows no more bets"
    /// A terminal did not show it in time and is cut off.
    58 v 1 StationFenced { 4 station: StationId } from Fence
        told "{station} did not show it in time and is cut off"
    /// Bets are closed everywhere, with what was staked.
    59 v 1 BetsClosed { 4 staked: Money } told "bets are closed, {staked} staked"
    /// The deal button was pressed.
    60 v 1 DealPressed from PressDeal told "the deal button is pressed"
    /// Chips on the layout were recorded as bets.
    61 v 2 PositionsRecorded {
        4 station: StationId,
        /// None in records of a program that knew no name for it.
        8 bet: Option<BetId>,
        5 means: Means, 6 lines as bets: Vec<Line>, 7 dice_visible: bool,
    }
    /// Chips were seen on the layout as the bets closed.
    62 v 2 PositionsObserved { 4 station: StationId, 6 means: Means, 5 lines as bets: Vec<Line> }
    /// Somebody placed, raised or took back a bet too late, and what follows from it.
    63 v 2 LateActRecorded {
        4 station: StationId, 5 late: LateKind,
        /// None in records of a program that did not ask.
        9 means: Option<Means>,
        6 line: Line, 7 consequence: LateAct, 8 rule: String,
    }
    /// The dice were uncovered.
    64 v 1 Uncovered from Uncover told "the dice are uncovered"
    /// All three dice lie flat.
    65 v 1 FlatConfirmed from ConfirmFlat told "all three dice lie flat"
    /// The dice were read.
    66 v 1 DiceKeyed { 4 dice: Dice } from KeyDice told "the dice are read as {dice}"
    /// The reading was taken back.
    67 v 1 KeysCleared from ClearKeys told "the reading is taken back"
    /// A second person read the dice.
    68 v 1 SecondRead { 4 dice: Dice } from ReadSecond told "a second reading gives {dice}"
    /// Two readings agree.
    69 v 1 ReadingsAgreed { 4 dice: Dice } told "two persons agree on {dice}"
    /// The result was confirmed.
    70 v 1 ResultConfirmed { 4 dice: Dice } from ConfirmResult {}
        told "the result {dice} is confirmed"
    /// The lights show the result, or do not.
    71 v 1 LightsReported { 4 lit: bool } from ReportLights
    /// The round was settled: its dice, what was staked and returned, and the SHA-256 of all payments.
    72 v 1 RoundSettled {
        4 dice: Dice, 5 staked: Money, 6 returned: Money, 7 digest as payments_sha256: [u8; 32],
    } told "settled by {dice}, total {total}: {staked} staked, {returned} returned"
    /// The round became void and stakes were returned.
    73 v 1 RoundVoided {
        4 basis: VoidBasis, 5 rule: String, 6 staked as returned: Money,
        7 digest as payments_sha256: [u8; 32],
    }
    /// A simulated tumbler commits to a seed.
    74 v 1 TumbleCommitted { 4 round: RoundNumber, 5 commitment: [u8; 32] }
        from CommitTumble { commitment }
        told "the tumbler commits to {commitment} for round {round}"
    /// A simulated tumbler reveals its seed.
    75 v 1 TumbleRevealed { 4 round: RoundNumber, 5 seed: [u8; 32] } from RevealTumble
        told "the tumbler reveals the seed of round {round}: {seed}"
    /// Chips recorded only after the dice could be seen: they count when a
    /// second person attests them.
    76 v 1 PositionsClaimed {
        4 station: StationId, 5 bet: BetId, 6 means: Means, 7 lines as bets: Vec<Line>,
    }
    /// A second person attested them: they count.
    77 v 1 PositionsAttested {
        4 pending: PendingId, 5 station: StationId, 6 means: Means, 7 lines as bets: Vec<Line>,
        8 bookmark: String,
    }
    /// Nobody attested them: the chips go back to the player.
    78 v 1 PositionsReturned {
        4 pending: PendingId, 5 station: StationId, 6 means: Means, 7 lines as bets: Vec<Line>,
        8 bookmark: String,
    }
    /// A device on the line reports that the cover was opened, or closed. By the
    /// house: a device that had reported it open is gone, and no earlier report
    /// counts any more.
    79 v 1 CoverReported { 4 open: bool } from ReportCover

    // What goes wrong, and who decides.
    /// Somebody called for help or reported an incident.
    90 v 1 IncidentRaised { 4 kind: IncidentKind, 5 note: String } from RaiseIncident
    /// A part of the table failed.
    91 v 2 DeviceFailed {
        4 what: String, 5 inform: Option<Position>, 6 part: Part,
        /// The current round is finished by the dice before play stops (004
        /// 7.7); in records of an older reading it always was.
        7 by_dice as finished_by_dice: bool,
    } from ReportDeviceFailure { what, part }
    /// The round was interrupted.
    92 v 1 Interrupted { 4 what: String } from Interrupt
    /// A decision waits for a person.
    93 v 1 DecisionRaised { 4 pending: Pending }
    /// It was taken.
    94 v 1 DecisionTaken { 4 pending as decision: PendingId, 5 ruling: Ruling, 6 reason: String }
    /// A person has to be informed.
    95 v 1 NoticeRaised { 4 notice: Notice }
    /// They have been.
    96 v 1 NoticeAcknowledged { 4 notice: NoticeId } from AcknowledgeNotice

    // Dice said to be damaged.

    /// Dice in the tumbler are said to be damaged: they are out of play.
    100 v 1 DamageReported {
        4 dice_set: String,
        /// The current round.
        5 round: Option<RoundNumber>,
        6 note: String,
    } told "dice {dice_set} are said to be damaged and are out of play: {note}"
    /// Two persons inspected a set said to be damaged and found it sound.
    101 v 1 DiceFoundSound { 4 dice_set: String, 5 text: String } from FindDiceSound
        told "dice {dice_set} were inspected by two persons and found sound: {text}"

    // Rounds amended after they ended.
    /// The result of an ended round was corrected, with what that changes at each station.
    110 v 3 ResultCorrected {
        4 round: RoundNumber, 5 revision: u32, 6 from: Standing, 7 dice as to: Dice,
        8 evidence: String, 9 rule: String, 10 effects: Vec<Effect>,
        /// What both persons answered to whether the round was conducted in
        /// accordance with the rules of the game; none where nobody was asked.
        11 conducted: Option<bool>,
    }
    /// An ended round was made void, with what that changes at each station.
    111 v 3 RoundVoidedLate {
        4 round: RoundNumber, 5 revision: u32, 6 from: Standing, 7 reason: String, 8 rule: String,
        9 effects: Vec<Effect>,
        /// None where it is no cause that a book lists, but a ruling.
        10 cause: Option<Cause> => |cause| cause.map_or("ruling", Cause::key),
        /// The rule that lists the cause, where it was decided under another.
        11 ground: Option<String>,
    }
    /// An overpayment was recovered.
    112 v 1 OverpaymentRecovered { 4 recoverable: RecoverableId, 5 amount: Money } from Recover
    /// An overpayment was waived.
    113 v 1 OverpaymentWaived {
        4 recoverable: RecoverableId, 5 amount: Money, 6 reason: String,
    } from Waive { recoverable, reason }
    /// A credit kept for a departed player was paid.
    114 v 1 UnclaimedPaid { 4 unclaimed: UnclaimedId, 5 amount: Money }
        from PayUnclaimed { unclaimed }
}
