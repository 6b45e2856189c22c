//! What staff ask of a table over HTTP, as JSON, and its meaning.
//!
//! There is no act here by which credit could leave to a voucher, a terminal
//! could be made to seem connected, or a result could enter but by a reading
//! of the dice: those are not staff's to ask.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sicbo_rules::rulebook::words::{Cause, Position, Word};
use sicbo_rules::{Dice, Kind, Money};
use sicbo_table::Act;
use sicbo_table::command::{
    ChipMove, ColourMove, CreditSource, Held, IncidentKind, LateKind, NewStation, Part, Ruling,
};
use sicbo_table::config::{Limit, Limits};
use sicbo_table::ids::{
    BetId, NoticeId, PendingId, PersonId, RecoverableId, RoundNumber, StationId, UnclaimedId,
};
use sicbo_table::positions::{Line, Means};
use sicbo_table::record::RoundRecord;
use sicbo_table::station::StationKind;
use ts_rs::TS;
use utoipa::ToSchema;

use super::{Stake, clipped, schemas};

macro_rules! choice {
    ($(#[$meta:meta])* $name:ident => $to:ty { $($(#[$vmeta:meta])* $variant:ident,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vmeta])* $variant,)+ }
        impl From<$name> for $to {
            fn from(choice: $name) -> $to { match choice { $($name::$variant => <$to>::$variant,)+ } }
        }
    };
}

choice! {
    /// What a seat bets with.
    ChipMeans => Means {
        /// Value chips of the house.
        CashChips,
        /// The colour issued to the seat.
        ColourChips,
    }
}
choice! {
    /// A ruling on what waits.
    RulingName => Ruling {
        /// The round is void.
        Void,
        /// It goes on and is concluded from the dice.
        Conclude,
        /// The default that was shown stands.
        Accept,
        /// The chips as they lay at the close count.
        AtClose,
        /// The chips as they lie now count.
        AsTheyLie,
        /// A technical stop affects the continuation of the round.
        Affected,
        /// It does not: play goes on.
        NotAffected,
        /// The table need not wait for a correction any longer.
        Release,
    }
}
choice! {
    /// Which part of the table's equipment failed.
    PartName => Part {
        /// The tumbler, or its line.
        Tumbler,
        /// The game console, but for its keys.
        Console,
        /// The keys the dice are entered with.
        Keys,
        /// The lights of the winning areas.
        Lights,
        /// Anything else.
        Other,
    }
}
choice! {
    /// What play is held for.
    HeldName => Held {
        /// Something no rule covers.
        Uncovered,
        /// What a rule means.
        Interpretation,
    }
}
choice! {
    /// A change to a bet after the close.
    LateName => LateKind {
        /// A new bet.
        Placement,
        /// More on a bet.
        Increase,
        /// A bet taken away.
        Withdrawal,
    }
}
choice! {
    /// What the console can report besides a void cause.
    IncidentName => IncidentKind {
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
}
choice! {
    /// How chips or money move at a physical table.
    ChipMoveName => ChipMove {
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
}
choice! {
    /// How colour chips change hands.
    ColourMoveName => ColourMove {
        /// Cash to the drop box, colour chips to the player.
        BoughtWithCash,
        /// Cash chips for colour chips.
        ExchangedFromChips,
        /// Colour chips for cash chips.
        ExchangedForChips,
    }
}
choice! {
    /// Where credit given by staff comes from.
    CreditFrom => CreditSource {
        /// Notes.
        Cash,
        /// A transfer from the cage.
        Cage,
        /// Handed in by an attendant.
        Attendant,
    }
}

/// Limits of one kind of bet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KindLimit {
    /// The kind: `total`.
    #[schema(schema_with = schemas::kind)]
    pub kind: String,
    /// Least stake.
    pub minimum: i64,
    /// Most.
    pub maximum: i64,
    /// Whole multiples of it.
    pub step: i64,
}

/// What staff ask of a table. What moves money carries a request number that
/// who asks chooses: asked again under the same number, it is done once.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "each is the table's act of the same name")]
pub enum StaffAct {
    ActivateTumbler {},
    ReportTumbles {
        #[schema(maximum = 255)]
        count: u8,
        all_dice_moved: bool,
    },
    CallBets {},
    CloseBets {},
    PressDeal {},
    Uncover {},
    ConfirmFlat {},
    KeyDice {
        #[schema(schema_with = schemas::dice)]
        dice: [u8; 3],
    },
    ClearKeys {},
    ReadSecond {
        #[schema(schema_with = schemas::dice)]
        dice: [u8; 3],
    },
    ConfirmResult {},
    ReportLights {
        lit: bool,
    },
    TakeAndPay {},
    DeclareVoid {
        #[schema(schema_with = schemas::cause)]
        cause: String,
    },
    ReportDamage {
        note: String,
    },
    FindDiceSound {
        /// The set that was inspected.
        dice_set: String,
        text: String,
    },
    RaiseIncident {
        kind: IncidentName,
        note: String,
    },
    Hold {
        what: String,
        /// Something no rule covers, unless it says otherwise.
        #[serde(default)]
        #[ts(optional)]
        about: Option<HeldName>,
    },
    /// A technical stop, in any phase and between rounds.
    DeclareTechnicalStop {
        what: String,
        #[serde(default)]
        #[ts(optional)]
        part: Option<PartName>,
    },
    /// The same, as earlier programs named it.
    ReportDeviceFailure {
        what: String,
        #[serde(default)]
        #[ts(optional)]
        part: Option<PartName>,
    },
    /// Whoever had to be told of a failure has read it.
    AcknowledgeNotice {
        notice: u64,
    },
    /// The dealer counts the tumbles of a tumbler on the line, or no longer.
    SwitchCounting {
        by_hand: bool,
    },
    ConfirmInterruption {
        pending: u64,
        dice_in_place: bool,
    },
    Rule {
        pending: u64,
        ruling: RulingName,
        reason: String,
    },
    RuleVoid {
        reason: String,
    },
    ResolveReadings {
        pending: u64,
        #[schema(schema_with = schemas::dice)]
        dice: [u8; 3],
    },
    CorrectResult {
        round: u64,
        #[schema(schema_with = schemas::dice)]
        dice: [u8; 3],
        evidence: String,
        /// Whether the round was conducted in accordance with the rules of the
        /// game, where the book asks it: both persons say so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        conducted: Option<bool>,
    },
    VoidRounds {
        #[schema(max_items = 100)]
        rounds: Vec<u64>,
        /// The listed cause, as a stable word; without it, what no rule covers.
        #[serde(default)]
        #[ts(optional)]
        cause: Option<String>,
        /// The question about damaged dice that it answers.
        #[serde(default)]
        #[ts(optional)]
        pending: Option<u64>,
        reason: String,
    },
    Recover {
        #[schema(minimum = 1)]
        request: u64,
        recoverable: u64,
        amount: i64,
    },
    Waive {
        #[schema(minimum = 1)]
        request: u64,
        recoverable: u64,
        reason: String,
    },
    PayUnclaimed {
        #[schema(minimum = 1)]
        request: u64,
        unclaimed: u64,
    },
    PlaceBets {
        station: u32,
        round: u64,
        bet: u64,
        means: ChipMeans,
        lines: Vec<Stake>,
    },
    RemoveBets {
        station: u32,
        round: u64,
        bet: u64,
        means: ChipMeans,
        lines: Vec<Stake>,
    },
    ClearBets {
        station: u32,
        round: u64,
        bet: u64,
    },
    CallBet {
        station: u32,
        round: u64,
        bet: u64,
        lines: Vec<Stake>,
        chips_present: bool,
    },
    RecordPositions {
        station: u32,
        round: u64,
        bet: u64,
        means: ChipMeans,
        lines: Vec<Stake>,
    },
    ObservePositions {
        station: u32,
        round: u64,
        means: ChipMeans,
        lines: Vec<Stake>,
    },
    RecordLate {
        station: u32,
        round: u64,
        late: LateName,
        means: ChipMeans,
        line: Stake,
    },
    AttestPositions {
        pending: u64,
        lay_there: bool,
        bookmark: String,
    },
    AnnounceLastRound {},
    CloseTable {},
    OpenTable {},
    Suspend {
        reason: String,
    },
    Resume {},
    ChangeDice {
        dice_set: String,
    },
    ChangeLimits {
        limits: Vec<KindLimit>,
        station_maximum: i64,
        exposure_maximum: i64,
    },
    AssignActing {
        person: u32,
        #[schema(schema_with = schemas::position)]
        position: String,
    },
    EndActing {
        person: u32,
        #[schema(schema_with = schemas::position)]
        position: String,
    },
    BuyCredit {
        #[schema(minimum = 1)]
        request: u64,
        station: u32,
        source: CreditFrom,
        amount: i64,
    },
    TransferOut {
        #[schema(minimum = 1)]
        request: u64,
        station: u32,
        amount: i64,
    },
    HandPay {
        #[schema(minimum = 1)]
        request: u64,
        station: u32,
        amount: i64,
    },
    MoveChips {
        #[schema(minimum = 1)]
        request: u64,
        how: ChipMoveName,
        amount: i64,
        slip: String,
    },
    AssignColour {
        station: u32,
        colour: String,
        value: i64,
    },
    ReleaseColour {
        station: u32,
    },
    MoveColour {
        #[schema(minimum = 1)]
        request: u64,
        station: u32,
        how: ColourMoveName,
        amount: i64,
    },
    Adjust {
        #[schema(minimum = 1)]
        request: u64,
        station: u32,
        amount: i64,
        reason: String,
    },
    SettleCase {
        #[schema(minimum = 1)]
        request: u64,
        case: u64,
        amount: i64,
        reason: String,
    },
    AddStation {
        name: String,
        terminal: bool,
        layout: String,
    },
    RemoveStation {
        station: u32,
    },
}

/// Why what staff ask is no act of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoAct {
    /// A word of it means nothing.
    Words(String),
    /// What it is about is not there.
    Missing(String),
}

impl From<String> for NoAct {
    fn from(words: String) -> NoAct {
        NoAct::Words(words)
    }
}

/// What an act needs that only the house can give.
pub trait Files {
    /// The record of an ended round.
    ///
    /// # Errors
    /// When there is none, in words.
    fn record(&self, round: RoundNumber) -> Result<Arc<RoundRecord>, String>;
    /// The opening of the table as it was planned.
    ///
    /// # Errors
    /// When it cannot be opened from here, in words.
    fn opening(&self) -> Result<Act, String>;
    /// The limits in force.
    ///
    /// # Errors
    /// Before the table is first opened.
    fn limits(&self) -> Result<Limits, String>;
}

fn dice(faces: [u8; 3]) -> Result<Dice, String> {
    Dice::from_faces(faces).ok_or_else(|| "dice show 1 to 6".to_owned())
}

/// A word of a closed list.
///
/// # Errors
/// Which words there are.
pub fn word<W: Word>(given: &str, what: &str) -> Result<W, String> {
    W::from_key(given).ok_or_else(|| {
        let known: Vec<&str> = W::all().iter().map(|word| word.key()).collect();
        format!("{:?} is no {what}: {}", clipped(given), known.join(", "))
    })
}

fn lines(stakes: &[Stake]) -> Result<Vec<Line>, String> {
    stakes.iter().map(Stake::line).collect()
}

impl StaffAct {
    /// The act's word, for a list of proposals.
    #[must_use]
    pub fn word(&self) -> String {
        let text = format!("{self:?}");
        let name = text.split([' ', '{']).next().unwrap_or_default();
        let mut word = String::new();
        for (at, letter) in name.chars().enumerate() {
            if letter.is_uppercase() && at > 0 {
                word.push('_');
            }
            word.extend(letter.to_lowercase());
        }
        word
    }

    /// Its name, as the steps of play are named: `close-bets`.
    #[must_use]
    pub fn name(&self) -> String {
        let told = format!("{self:?}");
        let mut name = String::new();
        for letter in told.chars().take_while(char::is_ascii_alphanumeric) {
            if letter.is_ascii_uppercase() && !name.is_empty() {
                name.push('-');
            }
            name.push(letter.to_ascii_lowercase());
        }
        name
    }

    /// The number that who asks gives it, where it moves money: the same again
    /// is answered again and done once.
    #[must_use]
    pub fn request(&self) -> Option<u64> {
        match self {
            StaffAct::Recover { request, .. }
            | StaffAct::Waive { request, .. }
            | StaffAct::PayUnclaimed { request, .. }
            | StaffAct::BuyCredit { request, .. }
            | StaffAct::TransferOut { request, .. }
            | StaffAct::HandPay { request, .. }
            | StaffAct::MoveChips { request, .. }
            | StaffAct::MoveColour { request, .. }
            | StaffAct::Adjust { request, .. }
            | StaffAct::SettleCase { request, .. } => Some(*request),
            _ => None,
        }
    }

    /// The second person must state the dice themselves.
    #[must_use]
    pub fn wants_second_dice(&self) -> bool {
        matches!(
            self,
            StaffAct::CorrectResult { .. } | StaffAct::ResolveReadings { .. }
        )
    }

    /// The dice the first person states.
    #[must_use]
    pub fn stated_dice(&self) -> Option<[u8; 3]> {
        match self {
            StaffAct::CorrectResult { dice, .. } | StaffAct::ResolveReadings { dice, .. } => {
                Some(*dice)
            }
            _ => None,
        }
    }

    /// Ended rounds it amends.
    #[must_use]
    pub fn ended_rounds(&self) -> Vec<u64> {
        match self {
            StaffAct::CorrectResult { round, .. } => vec![*round],
            StaffAct::VoidRounds { rounds, .. } => rounds.clone(),
            _ => Vec::new(),
        }
    }

    /// What the first person says to whether the round was conducted by the rules.
    #[must_use]
    pub fn conducted(&self) -> Option<bool> {
        match self {
            StaffAct::CorrectResult { conducted, .. } => *conducted,
            _ => None,
        }
    }

    /// The station whose money it moves.
    #[must_use]
    pub fn station(&self) -> Option<u32> {
        match self {
            StaffAct::Adjust { station, .. } | StaffAct::HandPay { station, .. } => Some(*station),
            _ => None,
        }
    }

    /// How much money it moves.
    #[must_use]
    pub fn amount(&self) -> Option<i64> {
        match self {
            StaffAct::Adjust { amount, .. }
            | StaffAct::SettleCase { amount, .. }
            | StaffAct::HandPay { amount, .. }
            | StaffAct::MoveChips { amount, .. } => Some(*amount),
            _ => None,
        }
    }

    /// What it rules.
    #[must_use]
    pub fn ruling(&self) -> Option<&'static str> {
        match self {
            StaffAct::Rule { ruling, .. } => Some(super::console::ruling_word(&(*ruling).into())),
            StaffAct::ConfirmInterruption { dice_in_place, .. } => Some(match dice_in_place {
                true => "in_place",
                false => "not_in_place",
            }),
            _ => None,
        }
    }

    /// The cause for which it makes a round or rounds void.
    #[must_use]
    pub fn cause(&self) -> Option<&str> {
        match self {
            StaffAct::DeclareVoid { cause } => Some(cause),
            StaffAct::VoidRounds { cause, .. } => cause.as_deref(),
            _ => None,
        }
    }

    /// What the first person gives as reason or evidence.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        match self {
            StaffAct::CorrectResult { evidence: note, .. }
            | StaffAct::VoidRounds { reason: note, .. }
            | StaffAct::Adjust { reason: note, .. }
            | StaffAct::SettleCase { reason: note, .. }
            | StaffAct::Rule { reason: note, .. }
            | StaffAct::RuleVoid { reason: note }
            | StaffAct::FindDiceSound { text: note, .. }
            | StaffAct::ReportDamage { note }
            | StaffAct::ChangeDice { dice_set: note }
            | StaffAct::MoveChips { slip: note, .. } => Some(note),
            _ => None,
        }
    }

    /// What is proposed, for the second person; without dice they must read themselves.
    #[must_use]
    pub fn told(&self) -> String {
        match self {
            StaffAct::CorrectResult {
                round,
                evidence,
                conducted,
                ..
            } => {
                let conducted = match conducted {
                    Some(true) => "; conducted in accordance with the rules of the game",
                    Some(false) => "; not conducted in accordance with the rules of the game",
                    None => "",
                };
                format!("round {round}: the registered result is wrong ({evidence}){conducted}")
            }
            StaffAct::ResolveReadings { .. } => "the two readings disagree".to_owned(),
            StaffAct::VoidRounds {
                rounds,
                cause,
                reason,
                ..
            } => {
                let rounds: Vec<String> = rounds.iter().map(ToString::to_string).collect();
                let cause = cause.as_deref().unwrap_or("no listed cause");
                format!("rounds {} void ({cause}): {reason}", rounds.join(", "))
            }
            StaffAct::SettleCase {
                case,
                amount,
                reason,
                ..
            } => format!("case {case}: {amount} minor units ({reason})"),
            StaffAct::Adjust {
                station,
                amount,
                reason,
                ..
            } => format!("station {station}: {amount} minor units ({reason})"),
            StaffAct::Rule { ruling, reason, .. } => format!("{ruling:?}: {reason}"),
            other => format!("{other:?}"),
        }
    }

    /// The table's act.
    ///
    /// # Errors
    /// What cannot be understood, in words.
    pub fn act(&self, files: &dyn Files, second_dice: Option<[u8; 3]>) -> Result<Act, NoAct> {
        if self.request() == Some(0) {
            return Err(NoAct::Words("a request's number is above zero".to_owned()));
        }
        let station = |number: &u32| StationId(*number);
        let money = |minor: &i64| Money::from_minor(*minor);
        Ok(match self {
            StaffAct::ActivateTumbler {} => Act::ActivateTumbler,
            StaffAct::ReportTumbles {
                count,
                all_dice_moved,
            } => Act::ReportTumbles {
                count: *count,
                all_dice_moved: *all_dice_moved,
            },
            StaffAct::CallBets {} => Act::CallBets,
            StaffAct::CloseBets {} => Act::CloseBets,
            StaffAct::PressDeal {} => Act::PressDeal,
            StaffAct::Uncover {} => Act::Uncover,
            StaffAct::ConfirmFlat {} => Act::ConfirmFlat,
            StaffAct::KeyDice { dice: faces } => Act::KeyDice {
                dice: dice(*faces)?,
            },
            StaffAct::ClearKeys {} => Act::ClearKeys,
            StaffAct::ReadSecond { dice: faces } => Act::ReadSecond {
                dice: dice(*faces)?,
            },
            StaffAct::ConfirmResult {} => Act::ConfirmResult,
            StaffAct::ReportLights { lit } => Act::ReportLights { lit: *lit },
            StaffAct::TakeAndPay {} => Act::TakeAndPay,
            StaffAct::DeclareVoid { cause } => Act::DeclareVoid {
                cause: word::<Cause>(cause, "cause of a void")?,
            },
            StaffAct::ReportDamage { note } => Act::ReportDamage { note: note.clone() },
            StaffAct::FindDiceSound { dice_set, text } => Act::FindDiceSound {
                dice_set: dice_set.clone(),
                text: text.clone(),
            },
            StaffAct::RaiseIncident { kind, note } => Act::RaiseIncident {
                kind: (*kind).into(),
                note: note.clone(),
            },
            StaffAct::Hold { what, about } => Act::Hold {
                what: what.clone(),
                about: about.map_or(Held::Uncovered, Held::from),
            },
            StaffAct::DeclareTechnicalStop { what, part }
            | StaffAct::ReportDeviceFailure { what, part } => Act::ReportDeviceFailure {
                what: what.clone(),
                part: part.map_or(Part::Other, Part::from),
            },
            StaffAct::AcknowledgeNotice { notice } => Act::AcknowledgeNotice {
                notice: NoticeId(*notice),
            },
            StaffAct::SwitchCounting { by_hand } => Act::SwitchCounting { by_hand: *by_hand },
            StaffAct::ConfirmInterruption {
                pending,
                dice_in_place,
            } => Act::ConfirmInterruption {
                pending: PendingId(*pending),
                dice_in_place: *dice_in_place,
            },
            StaffAct::Rule {
                pending,
                ruling,
                reason,
            } => Act::Rule {
                pending: PendingId(*pending),
                ruling: (*ruling).into(),
                reason: reason.clone(),
            },
            StaffAct::RuleVoid { reason } => Act::RuleVoid {
                reason: reason.clone(),
            },
            StaffAct::ResolveReadings {
                pending,
                dice: faces,
            } => Act::ResolveReadings {
                pending: PendingId(*pending),
                dice: dice(*faces)?,
            },
            StaffAct::CorrectResult {
                round,
                dice: faces,
                evidence,
                conducted,
            } => Act::CorrectResult {
                record: files.record(RoundNumber(*round)).map_err(NoAct::Missing)?,
                dice: dice(*faces)?,
                // Alone, the first reading is offered as both, so that the
                // table says that it takes a second person.
                second_dice: dice(second_dice.unwrap_or(*faces))?,
                evidence: evidence.clone(),
                conducted: *conducted,
            },
            StaffAct::VoidRounds {
                rounds,
                cause,
                pending,
                reason,
            } => {
                if rounds.len() > MAX_ROUNDS {
                    let words = format!("at most {MAX_ROUNDS} rounds at once");
                    return Err(NoAct::Words(words));
                }
                let records: Result<_, String> = rounds
                    .iter()
                    .map(|round| files.record(RoundNumber(*round)))
                    .collect();
                Act::VoidRounds {
                    records: records.map_err(NoAct::Missing)?,
                    cause: match cause {
                        Some(cause) => Some(word::<Cause>(cause, "cause of a void")?),
                        None => None,
                    },
                    pending: pending.map(PendingId),
                    reason: reason.clone(),
                }
            }
            StaffAct::Recover {
                recoverable,
                amount,
                ..
            } => Act::Recover {
                recoverable: RecoverableId(*recoverable),
                amount: money(amount),
            },
            StaffAct::Waive {
                recoverable,
                reason,
                ..
            } => Act::Waive {
                recoverable: RecoverableId(*recoverable),
                reason: reason.clone(),
            },
            StaffAct::PayUnclaimed { unclaimed, .. } => Act::PayUnclaimed {
                unclaimed: UnclaimedId(*unclaimed),
            },
            StaffAct::PlaceBets {
                station: at,
                round,
                bet,
                means,
                lines: stakes,
            } => Act::PlaceBets {
                station: station(at),
                round: RoundNumber(*round),
                bet: BetId(*bet),
                means: (*means).into(),
                lines: lines(stakes)?,
            },
            StaffAct::RemoveBets {
                station: at,
                round,
                bet,
                means,
                lines: stakes,
            } => Act::RemoveBets {
                station: station(at),
                round: RoundNumber(*round),
                bet: BetId(*bet),
                means: (*means).into(),
                lines: lines(stakes)?,
            },
            StaffAct::ClearBets {
                station: at,
                round,
                bet,
            } => Act::ClearBets {
                station: station(at),
                round: RoundNumber(*round),
                bet: BetId(*bet),
            },
            StaffAct::CallBet {
                station: at,
                round,
                bet,
                lines: stakes,
                chips_present,
            } => Act::CallBet {
                station: station(at),
                round: RoundNumber(*round),
                bet: BetId(*bet),
                lines: lines(stakes)?,
                chips_present: *chips_present,
            },
            StaffAct::RecordPositions {
                station: at,
                round,
                bet,
                means,
                lines: stakes,
            } => Act::RecordPositions {
                station: station(at),
                round: RoundNumber(*round),
                bet: BetId(*bet),
                means: (*means).into(),
                lines: lines(stakes)?,
            },
            StaffAct::ObservePositions {
                station: at,
                round,
                means,
                lines: stakes,
            } => Act::ObservePositions {
                station: station(at),
                round: RoundNumber(*round),
                means: (*means).into(),
                lines: lines(stakes)?,
            },
            StaffAct::RecordLate {
                station: at,
                round,
                late,
                means,
                line,
            } => Act::RecordLate {
                station: station(at),
                round: RoundNumber(*round),
                late: (*late).into(),
                means: (*means).into(),
                line: line.line()?,
            },
            StaffAct::AttestPositions {
                pending,
                lay_there,
                bookmark,
            } => Act::AttestPositions {
                pending: PendingId(*pending),
                lay_there: *lay_there,
                bookmark: bookmark.clone(),
            },
            // Whose case it is, the house's register says.
            StaffAct::SettleCase { .. } => {
                return Err(NoAct::Missing("there is no such case here".to_owned()));
            }
            StaffAct::AnnounceLastRound {} => Act::AnnounceLastRound,
            StaffAct::CloseTable {} => Act::CloseTable,
            StaffAct::OpenTable {} => files.opening().map_err(NoAct::Missing)?,
            StaffAct::Suspend { reason } => Act::Suspend {
                reason: reason.clone(),
            },
            StaffAct::Resume {} => Act::Resume,
            StaffAct::ChangeDice { dice_set } => Act::ChangeDice {
                dice_set: dice_set.clone(),
            },
            StaffAct::ChangeLimits {
                limits,
                station_maximum,
                exposure_maximum,
            } => {
                let mut new = files.limits().map_err(NoAct::Missing)?;
                for row in limits {
                    let kind = Kind::from_key(&row.kind)
                        .ok_or_else(|| format!("{:?} is no kind of bet", clipped(&row.kind)))?;
                    new.by_kind[kind as usize] = Limit {
                        minimum: money(&row.minimum),
                        maximum: money(&row.maximum),
                        step: money(&row.step),
                    };
                }
                new.station_maximum = money(station_maximum);
                new.exposure_maximum = money(exposure_maximum);
                Act::ChangeLimits {
                    limits: Box::new(new),
                }
            }
            StaffAct::AssignActing { person, position } => Act::AssignActing {
                person: PersonId(*person),
                position: word::<Position>(position, "position")?,
            },
            StaffAct::EndActing { person, position } => Act::EndActing {
                person: PersonId(*person),
                position: word::<Position>(position, "position")?,
            },
            StaffAct::BuyCredit {
                station: at,
                source,
                amount,
                ..
            } => Act::BuyCredit {
                station: station(at),
                source: (*source).into(),
                amount: money(amount),
            },
            StaffAct::TransferOut {
                station: at,
                amount,
                ..
            } => Act::TransferOut {
                station: station(at),
                amount: money(amount),
            },
            StaffAct::HandPay {
                station: at,
                amount,
                ..
            } => Act::HandPay {
                station: station(at),
                amount: money(amount),
            },
            StaffAct::MoveChips {
                how, amount, slip, ..
            } => Act::MoveChips {
                how: (*how).into(),
                amount: money(amount),
                slip: slip.clone(),
            },
            StaffAct::AssignColour {
                station: at,
                colour,
                value,
            } => Act::AssignColour {
                station: station(at),
                colour: colour.clone(),
                value: money(value),
            },
            StaffAct::ReleaseColour { station: at } => Act::ReleaseColour {
                station: station(at),
            },
            StaffAct::MoveColour {
                station: at,
                how,
                amount,
                ..
            } => Act::MoveColour {
                station: station(at),
                how: (*how).into(),
                amount: money(amount),
            },
            StaffAct::Adjust {
                station: at,
                amount,
                reason,
                ..
            } => Act::Adjust {
                station: station(at),
                amount: money(amount),
                reason: reason.clone(),
            },
            StaffAct::AddStation {
                name,
                terminal,
                layout,
            } => Act::AddStation {
                station: NewStation {
                    name: name.clone(),
                    kind: match terminal {
                        true => StationKind::Terminal,
                        false => StationKind::Seat,
                    },
                    layout: layout.clone(),
                },
            },
            StaffAct::RemoveStation { station: at } => Act::RemoveStation {
                station: station(at),
            },
        })
    }
}

/// Rounds that can be voided late at once.
pub const MAX_ROUNDS: usize = 100;
