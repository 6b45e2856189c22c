//! Refusals: an expected no, with a stable code, the reason in words and the rule where there is one.
//!
//! The variants of [`Reason`] stand in order of precedence: when several apply,
//! the first is given.

use sicbo_rules::rulebook::words::{Cause, Position};
use sicbo_rules::{Money, Section};

use crate::ids::{PendingId, RoundNumber};
use crate::station::StationKind;

/// An expected no.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{reason}{}", .rule.as_ref().map(|rule| format!(" ({rule})")).unwrap_or_default())]
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

/// Refuses when a condition holds: the checks of a decision, one after the other.
#[macro_export]
macro_rules! refuse_if {
    ($condition:expr, $reason:expr $(,)?) => {
        if $condition {
            return Err($reason.into());
        }
    };
}

/// The reasons of a refusal with their codes and words, for this crate and the
/// register. After the words stands what they need beside the fields.
#[doc(hidden)]
#[macro_export]
macro_rules! reasons {
    ($($(#[$meta:meta])* $variant:ident $({ $($field:ident: $type:ty),+ })?
        = $code:literal, $words:literal $(, $more:expr)*;)+) => {
        /// Why something is refused, in order of precedence.
        #[derive(Clone, PartialEq, Eq, Debug)]
        #[expect(missing_docs, reason = "each says its words")]
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

        impl std::fmt::Display for Reason {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Reason::$variant $({ $($field),+ })? => write!(f, $words $(, $more)*),)+
                }
            }
        }
    };
}

reasons! {
    // What was asked before.
    RequestReused = "request_reused", "this request number was used for something else";
    /// A number below all that are remembered.
    RequestTooOld = "request_too_old",
        "this request number is older than those remembered; numbers of a station only go up";
    // The table and what is named.
    TableNotOpen = "table_not_open", "the table is not open";
    TableAlreadyOpen = "table_already_open", "the table is open already";
    NotSuspended = "not_suspended", "the table is not suspended";
    UnknownStation = "unknown_station", "there is no such station";
    NotATerminal = "not_a_terminal", "the station is not a terminal";
    NotASeat = "not_a_seat", "the station is not a seat";
    // Who asks, and why.
    NotYourStation = "not_your_station", "this can only be asked by the station itself or by staff";
    NotAuthorised { needed: Position, or_above: bool } = "not_authorised",
        "this is for the {needed}{}", if *or_above { " or above" } else { "" };
    SecondPersonNeeded { needed: Position } = "second_person_needed",
        "this takes a second person: a {needed} or above";
    SamePersonTwice = "same_person_twice", "the two persons must be different";
    ReasonNeeded = "reason_needed", "say why";
    TextTooLong { allowed: usize } = "text_too_long", "texts may have at most {allowed} bytes";
    // What the game does not have.
    NoLights = "no_lights", "this game's layout does not light up";
    NoDealButton = "no_deal_button", "this game has no deal button";
    NoCover = "no_cover", "this game has no cover";
    NoSimulatedTumbler = "no_simulated_tumbler",
        "a table that plays for money has no simulated tumbler";
    LayoutMissing { layout: String } = "layout_missing", "the book has no layout {layout:?}";
    StationDoesNotFit { kind: StationKind } = "station_does_not_fit", "this game is played {}",
        match kind {
            StationKind::Terminal => "with chips, not at terminals",
            StationKind::Seat => "at terminals, not with chips",
        };
    ConfigFaulty { faults: Vec<String> } = "config_faulty",
        "the set-up has faults: {}", faults.join("; ");
    // Whether there is, or may be, a round.
    TableSuspended = "table_suspended", "the table is suspended";
    TableClosing = "table_closing", "the last round has been played";
    NoSuchDecision = "no_such_decision", "no such decision waits";
    NoSuchNotice = "no_such_notice", "no such notice waits";
    NoSuchEntry = "no_such_entry", "no such entry waits to be counted";
    RulingDoesNotFit = "ruling_does_not_fit", "this ruling does not answer what is asked";
    NoRound = "no_round", "no round is being played";
    WrongRound { given: RoundNumber, current: Option<RoundNumber> } = "wrong_round",
        "this names {given}, but {} is being played",
        current.map_or_else(|| "no round".to_owned(), |round| round.to_string());
    /// The round is over and there was no such bet in it.
    NotRegistered { round: RoundNumber } = "not_registered",
        "{round} is over and this was not registered in it; nothing was charged";
    /// The round is over, and the station has done more since than is remembered.
    TooOldToSay { round: RoundNumber } = "too_old_to_say",
        "{round} is too long ago to say whether this was registered; see the statement of play";
    RoundInHand = "round_in_hand", "a round is being played";
    LastRoundNotAnnounced = "last_round_not_announced",
        "the last round must be announced before it is played";
    DiceChangeNeeded = "dice_change_needed",
        "the dice are out of play: put another set in, or have them found sound by two persons";
    /// The dice are not said to be damaged.
    NothingToInspect = "nothing_to_inspect", "these dice are not said to be damaged";
    ClockParted = "clock_parted",
        "the machine's clock has parted from the house's: no round begins until a supervisor \
         has looked at it";
    BetIdReused = "bet_id_reused", "this id was used in this round for something else";
    // Where the round stands.
    StationFenced = "station_fenced",
        "the station was cut off and takes no part until the next round";
    DecisionPending { pending: PendingId } = "decision_pending", "{pending} must be taken first";
    OnlyVoidPossible { cause: Cause } = "only_void_possible",
        "the round can only be declared void: {cause}";
    CauseNotInBook { cause: Cause } = "cause_not_in_book", "the rule book does not list {cause}";
    CauseDoesNotFit { cause: Cause } = "cause_does_not_fit",
        "{cause} is not what the table has seen";
    BetsClosed = "bets_closed", "no more bets";
    LateActNotAllowed = "late_act_not_allowed",
        "bets are not closed yet: change them in the ordinary way";
    WrongPhase { phase: &'static str, needed: &'static str } = "wrong_phase",
        "the round is {phase}; this needs {needed}";
    TumbleFirst = "tumble_first", "the dice must have tumbled first";
    NoTumblerLine = "no_tumbler_line", "this table has no tumbler on a line";
    CountedByLine = "counted_by_line",
        "the tumbler on the line counts here: two persons may switch to hand counts between rounds";
    CountedTooSoon { shortest_ms: u32 } = "counted_too_soon",
        "a tumble takes at least {} seconds: count it to its end",
        f64::from(*shortest_ms) / 1_000.0;
    DealFirst = "deal_first", "the deal button must be pressed first";
    UncoverFirst = "uncover_first", "the dice must be uncovered first";
    FlatFirst = "flat_first", "the dice must be seen to lie flat first";
    AlreadyDone = "already_done", "this was done already";
    TumblerLocked = "tumbler_locked", "the tumbler may not run now";
    TooLateToCommit = "too_late_to_commit",
        "a bet is registered or the tumbler has run: too late to commit";
    NothingCommitted = "nothing_committed",
        "nothing was committed to for that round, or it is too long ago";
    SeedDoesNotFit = "seed_does_not_fit", "the seed is not the one committed to";
    DiceFirst = "dice_first", "the dice must be read first";
    SecondReadingNeeded = "second_reading_needed", "a second reading of the dice is needed";
    LightsFirst = "lights_first", "the winning areas must be lit, or reported not to be, first";
    // What is bet. Bets of one command are looked at one after the other.
    TooManyActs { allowed: usize } = "too_many_acts",
        "at most {allowed} acts of betting in a round";
    NoColourChipsHere = "no_colour_chips_here", "no colour chips are issued at this table";
    NoColourIssued = "no_colour_issued", "no colour chips are issued to this seat";
    WrongMeans = "wrong_means", "terminals bet with credit, seats with chips";
    ChipsNeeded = "chips_needed", "a spoken bet needs its chips";
    NoLines = "no_lines", "there is no bet in it";
    TooManyLines { allowed: usize } = "too_many_lines", "at most {allowed} bets at once";
    NotOffered { section: Section } = "not_offered", "{section} is not offered on this layout";
    StakeNotPositive = "stake_not_positive", "a stake must be above zero";
    StakeOffStep { step: Money } = "stake_off_step",
        "stakes must be multiples of {} minor units", step.minor();
    StakeBelowMinimum { section: Section, minimum: Money } = "stake_below_minimum",
        "the minimum on {section} is {} minor units", minimum.minor();
    StakeAboveMaximum { section: Section, maximum: Money, already: Money } = "stake_above_maximum",
        "the maximum on {section} is {} minor units, {} are there already",
        maximum.minor(), already.minor();
    NotThatMuchThere { section: Section, there: Money } = "not_that_much_there",
        "only {} minor units are on {section}", there.minor();
    NothingToClear = "nothing_to_clear", "there is no bet to take back";
    StationMaximum { maximum: Money, already: Money } = "station_maximum",
        "the station's maximum for a round is {} minor units, {} are staked already",
        maximum.minor(), already.minor();
    PlayStopped = "play_stopped", "play was stopped here: ask an attendant";
    OnABreak = "on_a_break", "the player takes a break";
    CardElsewhere = "card_elsewhere", "the player's card is in use at another station";
    RealityCheckDue = "reality_check_due", "the player must look at how they stand first";
    TimeLimitReached = "time_limit_reached", "the player's own limit on time is reached";
    SpendLimitReached = "spend_limit_reached",
        "this would go beyond what the player wanted to stake";
    LossLimitReached = "loss_limit_reached", "this could lose more than the player wanted to lose";
    // Ended rounds.
    NoRecords = "no_records", "no round is named";
    RecordNotEnded = "record_not_ended", "that round has not ended";
    RecordOutdated { known: u32 } = "record_outdated",
        "the round was amended since; revision {known} is current";
    RecordNotOurs { what: &'static str } = "record_not_ours",
        "that record is of no round played here: {what}";
    RecordRepeated = "record_repeated", "a round is named twice";
    /// The question is about other dice than those the round was played with.
    PlayedWithOtherDice { round: RoundNumber } = "played_with_other_dice",
        "{round} was played with other dice than those said to be damaged";
    RoundIsVoid = "round_is_void", "the round is void and has no result";
    /// A round is being played with dice that would be condemned.
    DamageNotReported = "damage_not_reported",
        "a round is being played with these dice: report the damage first, which makes that \
         round void";
    ReadingsDiffer = "readings_differ", "the two persons state different dice";
    ResultUnchanged = "result_unchanged", "the round stands on these dice already";
    /// Whether the round was conducted by the rules was not answered.
    ConductUnanswered = "conduct_unanswered",
        "both persons must answer whether the round was conducted in accordance with the rules \
         of the game";
    /// It was not, or that is still open: the round is void under its cause.
    VoidInstead = "void_instead",
        "the dice prevail only if the round was conducted in accordance with the rules of the \
         game: where a void cause is found or still open, the round is void under that cause \
         instead";
    TooManyAmended { allowed: usize } = "too_many_amended",
        "{allowed} rounds of this table were amended already; settle this one by hand";
    NoSuchRecoverable = "no_such_recoverable", "there is no such overpayment";
    NoSuchUnclaimed = "no_such_unclaimed", "there is no such unclaimed credit";
    // Money.
    VoucherUsed = "voucher_used", "that voucher was credited or issued here already";
    NoSuchVoucher = "no_such_voucher",
        "no voucher of that number and amount was issued at this station";
    AmountNotPositive = "amount_not_positive", "the amount must be above zero";
    AmountTooLarge { maximum: Money } = "amount_too_large",
        "the amount may be at most {} minor units", maximum.minor();
    AmountOffUnit { unit: Money } = "amount_off_unit",
        "the amount must be a multiple of {} minor units", unit.minor();
    ColourInUse = "colour_in_use", "colour chips are still out, or the colour is another's";
    /// The case was paid before, or its overpayment noted.
    CaseSettled = "case_settled", "this case was settled at the table before: a case is paid once";
    PlayerHasLeft = "player_has_left", "the player it concerns has left the station";
    InsufficientCredit { free: Money } = "insufficient_credit",
        "only {} minor units are free", free.minor();
    ExposureAboveMaximum { maximum: Money, would_be: Money } = "exposure_above_maximum",
        "the house could lose {} minor units, more than its limit of {}",
        would_be.minor(), maximum.minor();
    StationNotEmpty = "station_not_empty", "the station still has credit or bets";
}
