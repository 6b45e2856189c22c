//! Refusals: an expected no, with a stable code, the reason in words and the rule where there is one.
//!
//! The variants of [`Reason`] stand in order of precedence: when several apply,
//! the first is given.

use std::fmt;

use sicbo_rules::rulebook::words::{Cause, Position};
use sicbo_rules::{Money, Section};

use crate::ids::{PendingId, RoundNumber};
use crate::station::StationKind;

/// An expected no.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// The rule, as cited to people: `mbs-etg 5.7`.
    pub rule: Option<String>,
}

impl Refusal {
    /// A stable word for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.reason.code()
    }
}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Refusal {
        Refusal { reason, rule: None }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.reason)?;
        match &self.rule {
            Some(rule) => write!(f, " ({rule})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}

/// Refuses when a condition holds: the checks of a decision, one after the other.
#[macro_export]
macro_rules! refuse_if {
    ($condition:expr, $reason:expr $(,)?) => {
        if $condition {
            return Err($reason.into());
        }
    };
}

/// The reasons of a refusal with their codes, for this crate and the register.
#[doc(hidden)]
#[macro_export]
macro_rules! reasons {
    ($($(#[$meta:meta])* $variant:ident $({ $($field:ident: $type:ty),+ })? = $code:literal;)+) => {
        /// Why something is refused, in order of precedence.
        #[derive(Clone, PartialEq, Eq, Debug)]
        #[expect(missing_docs, reason = "each says its words below")]
        pub enum Reason { $($variant $({ $($field: $type),+ })?,)+ }

        impl Reason {
            /// A stable word for programs.
            #[must_use]
            pub fn code(&self) -> &'static str {
                match self { $(Reason::$variant $({ $($field: _),+ })? => $code,)+ }
            }

            /// Every code, in order of precedence.
            pub const CODES: &'static [&'static str] = &[$($code),+];
        }
    };
}

reasons! {
    // What was asked before.
    RequestReused = "request_reused";
    /// A number below all that are remembered.
    RequestTooOld = "request_too_old";
    // The table and what is named.
    TableNotOpen = "table_not_open";
    TableAlreadyOpen = "table_already_open";
    NotSuspended = "not_suspended";
    UnknownStation = "unknown_station";
    NotATerminal = "not_a_terminal";
    NotASeat = "not_a_seat";
    // Who asks, and why.
    NotYourStation = "not_your_station";
    NotAuthorised { needed: Position, or_above: bool } = "not_authorised";
    SecondPersonNeeded { needed: Position } = "second_person_needed";
    SamePersonTwice = "same_person_twice";
    ReasonNeeded = "reason_needed";
    TextTooLong { allowed: usize } = "text_too_long";
    // What the game does not have.
    NoLights = "no_lights";
    NoDealButton = "no_deal_button";
    NoCover = "no_cover";
    NoSimulatedTumbler = "no_simulated_tumbler";
    LayoutMissing { layout: String } = "layout_missing";
    StationDoesNotFit { kind: StationKind } = "station_does_not_fit";
    ConfigFaulty { faults: Vec<String> } = "config_faulty";
    // Whether there is, or may be, a round.
    TableSuspended = "table_suspended";
    TableClosing = "table_closing";
    NoSuchDecision = "no_such_decision";
    NoSuchNotice = "no_such_notice";
    RulingDoesNotFit = "ruling_does_not_fit";
    NoRound = "no_round";
    WrongRound { given: RoundNumber, current: Option<RoundNumber> } = "wrong_round";
    /// The round is over and there was no such bet in it.
    NotRegistered { round: RoundNumber } = "not_registered";
    /// The round is over, and the station has done more since than is remembered.
    TooOldToSay { round: RoundNumber } = "too_old_to_say";
    RoundInHand = "round_in_hand";
    LastRoundNotAnnounced = "last_round_not_announced";
    DiceChangeNeeded = "dice_change_needed";
    /// The dice are not said to be damaged.
    NothingToInspect = "nothing_to_inspect";
    ClockParted = "clock_parted";
    BetIdReused = "bet_id_reused";
    // Where the round stands.
    StationFenced = "station_fenced";
    DecisionPending { pending: PendingId } = "decision_pending";
    OnlyVoidPossible { cause: Cause } = "only_void_possible";
    CauseNotInBook { cause: Cause } = "cause_not_in_book";
    CauseDoesNotFit { cause: Cause } = "cause_does_not_fit";
    BetsClosed = "bets_closed";
    LateActNotAllowed = "late_act_not_allowed";
    WrongPhase { phase: &'static str, needed: &'static str } = "wrong_phase";
    TumbleFirst = "tumble_first";
    NoTumblerLine = "no_tumbler_line";
    CountedByLine = "counted_by_line";
    CountedTooSoon { shortest_ms: u32 } = "counted_too_soon";
    DealFirst = "deal_first";
    UncoverFirst = "uncover_first";
    FlatFirst = "flat_first";
    AlreadyDone = "already_done";
    TumblerLocked = "tumbler_locked";
    TooLateToCommit = "too_late_to_commit";
    NothingCommitted = "nothing_committed";
    SeedDoesNotFit = "seed_does_not_fit";
    DiceFirst = "dice_first";
    SecondReadingNeeded = "second_reading_needed";
    LightsFirst = "lights_first";
    // What is bet. Bets of one command are looked at one after the other.
    TooManyActs { allowed: usize } = "too_many_acts";
    NoColourChipsHere = "no_colour_chips_here";
    NoColourIssued = "no_colour_issued";
    WrongMeans = "wrong_means";
    ChipsNeeded = "chips_needed";
    NoLines = "no_lines";
    TooManyLines { allowed: usize } = "too_many_lines";
    NotOffered { section: Section } = "not_offered";
    StakeNotPositive = "stake_not_positive";
    StakeOffStep { step: Money } = "stake_off_step";
    StakeBelowMinimum { section: Section, minimum: Money } = "stake_below_minimum";
    StakeAboveMaximum { section: Section, maximum: Money, already: Money } = "stake_above_maximum";
    NotThatMuchThere { section: Section, there: Money } = "not_that_much_there";
    NothingToClear = "nothing_to_clear";
    StationMaximum { maximum: Money, already: Money } = "station_maximum";
    SpendLimitReached = "spend_limit_reached";
    LossLimitReached = "loss_limit_reached";
    // Ended rounds.
    NoRecords = "no_records";
    RecordNotEnded = "record_not_ended";
    RecordOutdated { known: u32 } = "record_outdated";
    RecordNotOurs { what: &'static str } = "record_not_ours";
    RecordRepeated = "record_repeated";
    /// The question is about other dice than those the round was played with.
    PlayedWithOtherDice { round: RoundNumber } = "played_with_other_dice";
    RoundIsVoid = "round_is_void";
    /// A round is being played with dice that would be condemned.
    DamageNotReported = "damage_not_reported";
    ReadingsDiffer = "readings_differ";
    ResultUnchanged = "result_unchanged";
    /// Whether the round was conducted by the rules was not answered.
    ConductUnanswered = "conduct_unanswered";
    /// It was not, or that is still open: the round is void under its cause.
    VoidInstead = "void_instead";
    TooManyAmended { allowed: usize } = "too_many_amended";
    NoSuchRecoverable = "no_such_recoverable";
    NoSuchUnclaimed = "no_such_unclaimed";
    // Money.
    VoucherUsed = "voucher_used";
    NoSuchVoucher = "no_such_voucher";
    AmountNotPositive = "amount_not_positive";
    AmountTooLarge { maximum: Money } = "amount_too_large";
    AmountOffUnit { unit: Money } = "amount_off_unit";
    ColourInUse = "colour_in_use";
    /// The case was paid before, or its overpayment noted.
    CaseSettled = "case_settled";
    PlayerHasLeft = "player_has_left";
    InsufficientCredit { free: Money } = "insufficient_credit";
    ExposureAboveMaximum { maximum: Money, would_be: Money } = "exposure_above_maximum";
    StationNotEmpty = "station_not_empty";
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minor = |amount: &Money| amount.minor();
        match self {
            Reason::RequestReused => f.write_str("this request number was used for something else"),
            Reason::RequestTooOld => f.write_str(
                "this request number is older than those remembered; numbers of a station only go up",
            ),
            Reason::TableNotOpen => f.write_str("the table is not open"),
            Reason::TableAlreadyOpen => f.write_str("the table is open already"),
            Reason::ConfigFaulty { faults } => {
                write!(f, "the set-up has faults: {}", faults.join("; "))
            }
            Reason::UnknownStation => f.write_str("there is no such station"),
            Reason::NotYourStation => {
                f.write_str("this can only be asked by the station itself or by staff")
            }
            Reason::NotATerminal => f.write_str("the station is not a terminal"),
            Reason::NotASeat => f.write_str("the station is not a seat"),
            Reason::NotAuthorised { needed, or_above } => {
                write!(
                    f,
                    "this is for the {needed}{}",
                    if *or_above { " or above" } else { "" }
                )
            }
            Reason::SecondPersonNeeded { needed } => {
                write!(f, "this takes a second person: a {needed} or above")
            }
            Reason::SamePersonTwice => f.write_str("the two persons must be different"),
            Reason::TableSuspended => f.write_str("the table is suspended"),
            Reason::TableClosing => f.write_str("the last round has been played"),
            Reason::NoRound => f.write_str("no round is being played"),
            Reason::WrongRound {
                given,
                current: Some(current),
            } => {
                write!(f, "this names {given}, but {current} is being played")
            }
            Reason::WrongRound {
                given,
                current: None,
            } => write!(f, "this names {given}, but no round is being played"),
            Reason::NotRegistered { round } => write!(
                f,
                "{round} is over and this was not registered in it; nothing was charged"
            ),
            Reason::TooOldToSay { round } => write!(
                f,
                "{round} is too long ago to say whether this was registered; see the statement of play"
            ),
            Reason::RoundInHand => f.write_str("a round is being played"),
            Reason::BetIdReused => f.write_str("this id was used in this round for something else"),
            Reason::DecisionPending { pending } => write!(f, "{pending} must be taken first"),
            Reason::NoSuchNotice => f.write_str("no such notice waits"),
            Reason::NoSuchDecision => f.write_str("no such decision waits"),
            Reason::RulingDoesNotFit => f.write_str("this ruling does not answer what is asked"),
            Reason::OnlyVoidPossible { cause } => {
                write!(f, "the round can only be declared void: {cause}")
            }
            Reason::BetsClosed => f.write_str("no more bets"),
            Reason::StationFenced => {
                f.write_str("the station was cut off and takes no part until the next round")
            }
            Reason::WrongPhase { phase, needed } => {
                write!(f, "the round is {phase}; this needs {needed}")
            }
            Reason::TumblerLocked => f.write_str("the tumbler may not run now"),
            Reason::TumbleFirst => f.write_str("the dice must have tumbled first"),
            Reason::AlreadyDone => f.write_str("this was done already"),
            Reason::NoTumblerLine => f.write_str("this table has no tumbler on a line"),
            Reason::CountedByLine => f.write_str(
                "the tumbler on the line counts here: two persons may switch to hand counts between rounds",
            ),
            Reason::CountedTooSoon { shortest_ms } => write!(
                f,
                "a tumble takes at least {} seconds: count it to its end",
                f64::from(*shortest_ms) / 1_000.0
            ),
            Reason::DealFirst => f.write_str("the deal button must be pressed first"),
            Reason::UncoverFirst => f.write_str("the dice must be uncovered first"),
            Reason::FlatFirst => f.write_str("the dice must be seen to lie flat first"),
            Reason::DiceFirst => f.write_str("the dice must be read first"),
            Reason::SecondReadingNeeded => f.write_str("a second reading of the dice is needed"),
            Reason::LightsFirst => {
                f.write_str("the winning areas must be lit, or reported not to be, first")
            }
            Reason::NoLights => f.write_str("this game's layout does not light up"),
            Reason::NoDealButton => f.write_str("this game has no deal button"),
            Reason::NoCover => f.write_str("this game has no cover"),
            Reason::NoSimulatedTumbler => {
                f.write_str("a table that plays for money has no simulated tumbler")
            }
            Reason::TooLateToCommit => {
                f.write_str("a bet is registered or the tumbler has run: too late to commit")
            }
            Reason::NothingCommitted => {
                f.write_str("nothing was committed to for that round, or it is too long ago")
            }
            Reason::SeedDoesNotFit => f.write_str("the seed is not the one committed to"),
            Reason::NoLines => f.write_str("there is no bet in it"),
            Reason::TooManyLines { allowed } => write!(f, "at most {allowed} bets at once"),
            Reason::TooManyActs { allowed } => {
                write!(f, "at most {allowed} acts of betting in a round")
            }
            Reason::NotOffered { section } => write!(f, "{section} is not offered on this layout"),
            Reason::StakeNotPositive => f.write_str("a stake must be above zero"),
            Reason::StakeOffStep { step } => {
                write!(f, "stakes must be multiples of {} minor units", minor(step))
            }
            Reason::StakeBelowMinimum { section, minimum } => {
                write!(
                    f,
                    "the minimum on {section} is {} minor units",
                    minor(minimum)
                )
            }
            Reason::StakeAboveMaximum {
                section,
                maximum,
                already,
            } => write!(
                f,
                "the maximum on {section} is {} minor units, {} are there already",
                minor(maximum),
                minor(already)
            ),
            Reason::StationMaximum { maximum, already } => write!(
                f,
                "the station's maximum for a round is {} minor units, {} are staked already",
                minor(maximum),
                minor(already)
            ),
            Reason::SpendLimitReached => {
                f.write_str("this would go beyond what the player wanted to stake")
            }
            Reason::LossLimitReached => {
                f.write_str("this could lose more than the player wanted to lose")
            }
            Reason::NotThatMuchThere { section, there } => {
                write!(f, "only {} minor units are on {section}", minor(there))
            }
            Reason::NothingToClear => f.write_str("there is no bet to take back"),
            Reason::InsufficientCredit { free } => {
                write!(f, "only {} minor units are free", minor(free))
            }
            Reason::ExposureAboveMaximum { maximum, would_be } => write!(
                f,
                "the house could lose {} minor units, more than its limit of {}",
                minor(would_be),
                minor(maximum)
            ),
            Reason::ChipsNeeded => f.write_str("a spoken bet needs its chips"),
            Reason::NoColourChipsHere => f.write_str("no colour chips are issued at this table"),
            Reason::NoColourIssued => f.write_str("no colour chips are issued to this seat"),
            Reason::ColourInUse => {
                f.write_str("colour chips are still out, or the colour is another's")
            }
            Reason::WrongMeans => f.write_str("terminals bet with credit, seats with chips"),
            Reason::LateActNotAllowed => {
                f.write_str("bets are not closed yet: change them in the ordinary way")
            }
            Reason::CauseNotInBook { cause } => write!(f, "the rule book does not list {cause}"),
            Reason::CauseDoesNotFit { cause } => {
                write!(f, "{cause} is not what the table has seen")
            }
            Reason::RecordOutdated { known } => write!(
                f,
                "the round was amended since; revision {known} is current"
            ),
            Reason::RecordNotEnded => f.write_str("that round has not ended"),
            Reason::RecordRepeated => f.write_str("a round is named twice"),
            Reason::ResultUnchanged => f.write_str("the round stands on these dice already"),
            Reason::ConductUnanswered => f.write_str(
                "both persons must answer whether the round was conducted in accordance with \
                 the rules of the game",
            ),
            Reason::VoidInstead => f.write_str(
                "the dice prevail only if the round was conducted in accordance with the rules of \
                 the game: where a void cause is found or still open, the round is void under \
                 that cause instead",
            ),
            Reason::RoundIsVoid => f.write_str("the round is void and has no result"),
            Reason::ReadingsDiffer => f.write_str("the two persons state different dice"),
            Reason::NoRecords => f.write_str("no round is named"),
            Reason::NoSuchRecoverable => f.write_str("there is no such overpayment"),
            Reason::PlayerHasLeft => f.write_str("the player it concerns has left the station"),
            Reason::NoSuchUnclaimed => f.write_str("there is no such unclaimed credit"),
            Reason::AmountNotPositive => f.write_str("the amount must be above zero"),
            Reason::AmountOffUnit { unit } => write!(
                f,
                "the amount must be a multiple of {} minor units",
                minor(unit)
            ),
            Reason::AmountTooLarge { maximum } => write!(
                f,
                "the amount may be at most {} minor units",
                minor(maximum)
            ),
            Reason::CaseSettled => {
                f.write_str("this case was settled at the table before: a case is paid once")
            }
            Reason::VoucherUsed => f.write_str("that voucher was credited or issued here already"),
            Reason::NoSuchVoucher => {
                f.write_str("no voucher of that number and amount was issued at this station")
            }
            Reason::StationNotEmpty => f.write_str("the station still has credit or bets"),
            Reason::LastRoundNotAnnounced => {
                f.write_str("the last round must be announced before it is played")
            }
            Reason::NotSuspended => f.write_str("the table is not suspended"),
            Reason::DiceChangeNeeded => f.write_str(
                "the dice are out of play: put another set in, or have them found sound by two persons",
            ),
            Reason::NothingToInspect => {
                f.write_str("these dice are not said to be damaged")
            }
            Reason::ClockParted => f.write_str(
                "the machine's clock has parted from the house's: no round begins until a \
                 supervisor has looked at it",
            ),
            Reason::ReasonNeeded => f.write_str("say why"),
            Reason::StationDoesNotFit { kind } => f.write_str(match kind {
                StationKind::Terminal => "this game is played with chips, not at terminals",
                StationKind::Seat => "this game is played at terminals, not with chips",
            }),
            Reason::PlayedWithOtherDice { round } => write!(
                f,
                "{round} was played with other dice than those said to be damaged",
            ),
            Reason::DamageNotReported => f.write_str(
                "a round is being played with these dice: report the damage first, which makes \
                 that round void",
            ),
            Reason::RecordNotOurs { what } => {
                write!(f, "that record is of no round played here: {what}")
            }
            Reason::TooManyAmended { allowed } => write!(
                f,
                "{allowed} rounds of this table were amended already; settle this one by hand"
            ),
            Reason::LayoutMissing { layout } => write!(f, "the book has no layout {layout:?}"),
            Reason::TextTooLong { allowed } => write!(f, "texts may have at most {allowed} bytes"),
        }
    }
}
