//! What can be asked of a table. Every command says who acts, when, and carries an id.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sicbo_rules::rulebook::words::{Cause, Position};
use sicbo_rules::{Dice, Money, RuleBook};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::actor::{Actor, Staff};
use crate::cash::MoneyDuties;
use crate::config::{Config, Limits};
use crate::grant::PlayGrant;
use crate::ids::{
    BetId, NoticeId, PendingId, PersonId, RecoverableId, RoundNumber, SessionNumber, StationId,
    UnclaimedId, VoucherId,
};
use crate::positions::{Line, Means};
use crate::record::RoundRecord;
use crate::station::StationKind;

/// A command.
#[derive(Clone, PartialEq, Debug)]
pub struct Command {
    /// Chosen by the sender; comes back in the events.
    pub id: u64,
    /// When it was received, UTC milliseconds.
    pub at_ms: i64,
    /// Who acts.
    pub by: Actor,
    /// The second person of a two-person decision, present on a session of their own.
    pub second: Option<Staff>,
    /// What is asked.
    pub act: Act,
}

/// A station to be set up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewStation {
    /// Its name.
    pub name: String,
    /// Terminal or seat.
    pub kind: StationKind,
    /// Name of the layout within the book: `rapid`.
    pub layout: String,
}

/// Where credit comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CreditSource {
    /// Notes.
    Cash,
    /// A voucher redeemed by the house.
    Voucher(VoucherId),
    /// A transfer from the cage.
    Cage,
    /// Handed in by an attendant.
    Attendant,
}

/// How chips or money move at a physical table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "ChipMoveName")]
#[schema(as = ChipMoveName)]
pub enum ChipMove {
    /// Cash to the drop box, chips to the player.
    Bought,
    /// A player came with chips from elsewhere.
    Brought,
    /// A player left with chips.
    TakenAway,
    /// Chips from the cage to the rack.
    Fill,
    /// Chips from the rack to the cage.
    CreditSlip,
    /// A tip.
    Tip,
}

/// How colour chips change hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "ColourMoveName")]
#[schema(as = ColourMoveName)]
pub enum ColourMove {
    /// Cash to the drop box, colour chips to the player.
    BoughtWithCash,
    /// Cash chips for colour chips.
    ExchangedFromChips,
    /// Colour chips for cash chips, at this table only.
    ExchangedForChips,
}

/// A change to a bet after the close.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "LateName")]
#[schema(as = LateName)]
pub enum LateKind {
    /// A new bet.
    Placement,
    /// More on a bet.
    Increase,
    /// A bet taken away.
    Withdrawal,
}

/// What the console can report besides a void cause.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, TS, ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "IncidentName")]
#[schema(as = IncidentName)]
pub enum IncidentKind {
    /// Supervisor wanted.
    CallSupervisor,
    /// A player wants the attendant.
    CallAttendant,
    /// Suspected forgery, with UV check.
    Counterfeit,
    /// A player disputes something.
    Dispute,
    /// Anything else.
    Other,
}

/// A ruling on what waits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "RulingName")]
#[schema(as = RulingName)]
pub enum Ruling {
    /// The round is void.
    Void,
    /// The round goes on and is concluded from the dice.
    Conclude,
    /// The default that was shown stands.
    Accept,
    /// A late act: the chips as they lay at the close count (dealer, 004 4.6).
    AtClose,
    /// The chips as they lie now count. Taken only in records of earlier
    /// programs: what was placed late never counts, and what was withdrawn late
    /// still does (004 4.4, Q-39).
    AsTheyLie,
    /// A technical stop affects the continuation of the round.
    Affected,
    /// It does not, or there is no round: play goes on.
    NotAffected,
    /// The table need not wait for a correction any longer.
    Release,
}

/// Which part of the table's equipment failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "PartName")]
#[schema(as = PartName)]
pub enum Part {
    /// The tumbler, or the line it is heard on.
    Tumbler,
    /// The game console, but for its keys.
    Console,
    /// The keys the dice are entered with: no area can light (004 7.7).
    Keys,
    /// The lights of the winning areas.
    Lights,
    /// Anything else.
    Other,
}

impl Part {
    /// All of them.
    pub const ALL: [Part; 5] = [
        Part::Tumbler,
        Part::Console,
        Part::Keys,
        Part::Lights,
        Part::Other,
    ];
}

/// What play is held for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "HeldName")]
#[schema(as = HeldName)]
pub enum Held {
    /// Something no rule covers.
    Uncovered,
    /// What a rule means.
    Interpretation,
}

/// Who counts the tumbles of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counting {
    /// The tumbler where it can, else the dealer.
    Either,
    /// The tumbler on its line; the dealer cannot attest.
    Line,
    /// The dealer, because two persons switched the line off.
    Hand,
}

/// What is asked.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "fields repeat what the act says")]
pub enum Act {
    /// Opens the table.
    OpenTable {
        config: Box<Config>,
        stations: Vec<NewStation>,
    },
    /// Adds a station.
    AddStation { station: NewStation },
    /// Takes a station out of use; it must be empty.
    RemoveStation { station: StationId },
    /// Tells everyone that one more round will be played.
    AnnounceLastRound,
    /// Play goes on after all: no round is the last.
    TakeBackLastRound,
    /// Closes the table.
    CloseTable,
    /// Stops play after the current round.
    Suspend { reason: String },
    /// Play goes on.
    Resume,
    /// New limits from the next round.
    ChangeLimits { limits: Box<Limits> },
    /// Another rule book from the next round.
    ChangeRuleBook { book: Arc<RuleBook> },
    /// Other dice, between rounds.
    ChangeDice { dice_set: String },
    /// A person acts in a position.
    AssignActing {
        person: PersonId,
        position: Position,
    },
    /// No longer.
    EndActing {
        person: PersonId,
        position: Position,
    },

    /// A station can be heard.
    Connect { station: StationId },
    /// A station cannot be heard.
    Disconnect { station: StationId },
    /// What the register lets whoever is at a station play for.
    GrantPlay {
        station: StationId,
        grant: PlayGrant,
    },
    /// The machine's clock has parted from the house's: it says `machine_ms`.
    ReportClock { machine_ms: i64 },
    /// Somebody has looked at the clocks: the house's own was at `was_ms` and
    /// is set to `is_ms`.
    SetClock { was_ms: i64, is_ms: i64 },

    /// How much money staff may move, alone and together, as the plan says at every
    /// start; also before the table is first opened.
    SetMoneyDuties { duties: MoneyDuties },
    /// The cage counted what staff had moved.
    CountMoney { entry: u64, amount: Money },
    /// Credit for a terminal.
    BuyCredit {
        station: StationId,
        source: CreditSource,
        amount: Money,
    },
    /// Free credit to a named voucher.
    CashOut {
        station: StationId,
        amount: Money,
        voucher: VoucherId,
    },
    /// The voucher could not be printed and nobody has it: the credit goes back.
    ReverseCashOut {
        station: StationId,
        voucher: VoucherId,
        amount: Money,
    },
    /// Free credit to the cage.
    TransferOut { station: StationId, amount: Money },
    /// Free credit paid by hand.
    HandPay { station: StationId, amount: Money },
    /// The house has finished with a voucher credited here.
    ForgetVoucher { voucher: VoucherId },
    /// Chips or cash at a physical table.
    MoveChips {
        how: ChipMove,
        amount: Money,
        slip: String,
    },
    /// Colour chips get an owner and a value.
    AssignColour {
        station: StationId,
        colour: String,
        value: Money,
    },
    /// Nobody owns the colour any more.
    ReleaseColour { station: StationId },
    /// Colour chips change hands.
    MoveColour {
        station: StationId,
        how: ColourMove,
        amount: Money,
    },
    /// A manual change of a station's credit, either way.
    Adjust {
        station: StationId,
        amount: Money,
        reason: String,
    },

    /// What a decision of a case is worth at its station: paid in chips from the
    /// float or as credit, or an overpayment to be recovered where it is
    /// negative. Decisions of a case are counted from 1.
    SettleCase {
        station: StationId,
        session: SessionNumber,
        case: u64,
        decision: u32,
        round: Option<RoundNumber>,
        amount: Money,
        reason: String,
    },

    /// Bets, all or none.
    PlaceBets {
        station: StationId,
        round: RoundNumber,
        bet: BetId,
        means: Means,
        lines: Vec<Line>,
    },
    /// Takes bets, or parts of them, back.
    RemoveBets {
        station: StationId,
        round: RoundNumber,
        bet: BetId,
        means: Means,
        lines: Vec<Line>,
    },
    /// Takes all bets back.
    ClearBets {
        station: StationId,
        round: RoundNumber,
        bet: BetId,
    },
    /// A spoken bet, with its chips (004 4.2).
    CallBet {
        station: StationId,
        round: RoundNumber,
        bet: BetId,
        lines: Vec<Line>,
        chips_present: bool,
    },
    /// Chips that lay on the layout when betting closed, written down afterwards.
    RecordPositions {
        station: StationId,
        round: RoundNumber,
        bet: BetId,
        means: Means,
        lines: Vec<Line>,
    },
    /// All chips of one means as they lie once the dice can be seen (004 4.5, Q-60).
    ObservePositions {
        station: StationId,
        round: RoundNumber,
        means: Means,
        lines: Vec<Line>,
    },
    /// A change made after the close.
    RecordLate {
        station: StationId,
        round: RoundNumber,
        late: LateKind,
        means: Means,
        line: Line,
    },
    /// A second person says whether chips recorded after the dice could be seen
    /// lay there at the announcement, with where a camera shows it.
    AttestPositions {
        pending: PendingId,
        lay_there: bool,
        bookmark: String,
    },

    /// Starts the tumbler.
    ActivateTumbler,
    /// The tumbler has come to rest.
    ReportTumbles { count: u8, all_dice_moved: bool },
    /// A simulated tumbler commits to the seed of the next round, or of the one
    /// in hand as long as nothing rests on it.
    CommitTumble { commitment: [u8; 32] },
    /// It shows the seed once the round has ended.
    RevealTumble { round: RoundNumber, seed: [u8; 32] },
    /// Calls for bets.
    CallBets,
    /// No more bets.
    CloseBets,
    /// A terminal has shown it.
    AcknowledgeClose {
        station: StationId,
        round: RoundNumber,
    },
    /// A terminal has not, in time.
    Fence { station: StationId },
    /// The deal button.
    PressDeal,
    /// Lifts the cover.
    Uncover,
    /// All three dice lie flat.
    ConfirmFlat,
    /// The dice, as read.
    KeyDice { dice: Dice },
    /// Takes the keys back.
    ClearKeys,
    /// A second, independent reading.
    ReadSecond { dice: Dice },
    /// The result stands; pays at once unless the layout must light first.
    ConfirmResult,
    /// The winning areas are lit, or not.
    ReportLights { lit: bool },
    /// Takes and pays once the lights have been seen to.
    TakeAndPay,

    /// A cause the book lists.
    DeclareVoid { cause: Cause },
    /// Dice in the tumbler are damaged, seen at any time.
    ReportDamage { note: String },
    /// Two persons inspected dice said to be damaged and found them sound.
    FindDiceSound { dice_set: String, text: String },
    /// Something happened.
    RaiseIncident { kind: IncidentKind, note: String },
    /// Something no rule covers, or that a rule leaves unclear, has stopped play,
    /// in a round or between two.
    Hold { what: String, about: Held },
    /// A technical stop: equipment of the table failed. Declared by the table's
    /// staff in any phase, or reported by a device or its line.
    ReportDeviceFailure { what: String, part: Part },
    /// Whoever had to be told of a failure has read it (004 7.1).
    AcknowledgeNotice { notice: NoticeId },
    /// How the tumbler of this table is bound, and the least time a tumble takes
    /// that a person counts, in milliseconds; said by the house when it opens.
    BindTumbler { line: bool, shortest_ms: u32 },
    /// From the next round the dealer counts the tumbles of a tumbler on the
    /// line, or no longer; two persons.
    SwitchCounting { by_hand: bool },
    /// A device on the line says that the cover was opened, or closed; or the
    /// house, that a device which had reported it open is gone.
    ReportCover { open: bool },
    /// The house program came back after an interruption.
    Interrupt { what: String },
    /// What was found after an interruption; a supervisor is witness.
    ConfirmInterruption {
        pending: PendingId,
        dice_in_place: bool,
    },
    /// A ruling on what waits.
    Rule {
        pending: PendingId,
        ruling: Ruling,
        reason: String,
    },
    /// A ruling that the current round is void though no listed cause applies.
    RuleVoid { reason: String },
    /// Two persons agree on the dice after two readings disagreed.
    ResolveReadings { pending: PendingId, dice: Dice },

    /// The result of an ended round was registered wrongly.
    CorrectResult {
        record: Arc<RoundRecord>,
        dice: Dice,
        second_dice: Dice,
        evidence: String,
        /// Whether the round was conducted in accordance with the rules of the
        /// game, as both persons answer it; asked where the book makes the
        /// correction depend on it (002 6.3, Q-47).
        conducted: Option<bool>,
    },
    /// A correction of an ended round was proposed: play waits until it is
    /// carried out, withdrawn, or somebody with authority lets the table go.
    /// Said by the house, which keeps proposals.
    HoldForCorrection {
        round: RoundNumber,
        proposal: u64,
        by: PersonId,
    },
    /// The person who proposed it has withdrawn it.
    EndCorrection { proposal: u64 },
    /// A cause of a void was found only after these rounds had ended.
    VoidRounds {
        records: Vec<Arc<RoundRecord>>,
        /// A cause the book lists; none for what no rule covers.
        cause: Option<Cause>,
        /// The question about damaged dice that it answers.
        pending: Option<PendingId>,
        reason: String,
    },
    /// An overpayment is taken back, up to free credit.
    Recover {
        recoverable: RecoverableId,
        amount: Money,
    },
    /// An overpayment is let go.
    Waive {
        recoverable: RecoverableId,
        reason: String,
    },
    /// An unclaimed credit is paid through the cage.
    PayUnclaimed { unclaimed: UnclaimedId },
}
