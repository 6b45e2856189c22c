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
use sicbo_table::views::sent;
use ts_rs::TS;
use utoipa::ToSchema;

use super::acts::{About, TwoPersonAct};
use super::{Stake, clipped, schemas};

macro_rules! choice_of_act {
    ($(#[$meta:meta])* $name:ident => $to:ty { $($(#[$vmeta:meta])* $variant:ident,)+ }) => {
        choice! { $(#[$meta])* $name => $to { $($(#[$vmeta])* $variant,)+ } }
        impl AsAct<$to> for $name {
            fn act(&self) -> Result<$to, String> { Ok((*self).into()) }
        }
    };
}

choice_of_act! {
    /// What a seat bets with.
    ChipMeans => Means {
        /// Value chips of the house.
        CashChips,
        /// The colour issued to the seat.
        ColourChips,
    }
}
choice_of_act! {
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

/// Defines [`StaffAct`] from rows. A row has the fields of the table's act of the
/// same name, as JSON can say them; `(request)` is the number of what moves
/// money, and `=>` says the act where it is another or has other fields.
macro_rules! staff_acts {
    (
        ($files:ident, $second_dice:ident)
        $(
            $(#[$meta:meta])*
            $variant:ident $(($request:ident))? {
                $($(#[$about:meta])* $field:ident: $type:ty),* $(,)?
            } $(=> $act:expr)?,
        )+
    ) => {
        /// What staff ask of a table. What moves money carries a request number that
        /// who asks chooses: asked again under the same number, it is done once.
        #[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
        #[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
        #[expect(missing_docs, reason = "each is the table's act of the same name")]
        pub enum StaffAct {
            $($(#[$meta])* $variant {
                $(#[schema(minimum = 1)] $request: u64,)?
                $($(#[$about])* $field: $type,)*
            },)+
        }

        impl StaffAct {
            /// The number that who asks gives it, where it moves money: the same again
            /// is answered again and done once.
            #[must_use]
            pub fn request(&self) -> Option<u64> {
                match self {
                    $(StaffAct::$variant { $($request,)? .. } => staff_acts!(@given $($request)?),)+
                }
            }

            #[expect(unused_variables, reason = "rows that name no act")]
            fn as_act(
                &self,
                $files: &dyn Files,
                $second_dice: Option<[u8; 3]>,
            ) -> Result<Act, NoAct> {
                Ok(match self {$(
                    StaffAct::$variant { $($field,)* .. } => {
                        staff_acts!(@act [$($act)?] $variant $($field)*)
                    }
                )+})
            }
        }
    };
    (@given) => { None };
    (@given $request:ident) => { Some(*$request) };
    (@act [] $variant:ident $($field:ident)*) => { Act::$variant { $($field: $field.act()?),* } };
    (@act [$act:expr] $variant:ident $($field:ident)*) => { $act };
}

staff_acts! {
    (files, second_dice)
    ActivateTumbler {},
    ReportTumbles { #[schema(maximum = 255)] count: u8, all_dice_moved: bool },
    CallBets {},
    CloseBets {},
    PressDeal {},
    Uncover {},
    ConfirmFlat {},
    KeyDice { #[schema(schema_with = schemas::dice)] dice: [u8; 3] },
    ClearKeys {},
    ReadSecond { #[schema(schema_with = schemas::dice)] dice: [u8; 3] },
    ConfirmResult {},
    ReportLights { lit: bool },
    TakeAndPay {},
    DeclareVoid { #[schema(schema_with = schemas::cause)] cause: String },
    ReportDamage { note: String },
    FindDiceSound {
        /// The set that was inspected.
        dice_set: String,
        text: String,
    },
    RaiseIncident { kind: IncidentKind, note: String },
    Hold {
        what: String,
        /// Something no rule covers, unless it says otherwise.
        #[serde(default)] #[ts(optional)] about: Option<Held>,
    },
    /// A technical stop, in any phase and between rounds.
    DeclareTechnicalStop {
        what: String,
        #[serde(default)] #[ts(optional)] part: Option<Part>,
    } => Act::ReportDeviceFailure { what: what.act()?, part: part.act()? },
    /// The same, as earlier programs named it.
    ReportDeviceFailure { what: String, #[serde(default)] #[ts(optional)] part: Option<Part> },
    /// Whoever had to be told of a failure has read it.
    AcknowledgeNotice { notice: u64 },
    /// The dealer counts the tumbles of a tumbler on the line, or no longer.
    SwitchCounting { by_hand: bool },
    ConfirmInterruption { pending: u64, dice_in_place: bool },
    Rule { pending: u64, ruling: Ruling, reason: String },
    RuleVoid { reason: String },
    ResolveReadings { pending: u64, #[schema(schema_with = schemas::dice)] dice: [u8; 3] },
    CorrectResult {
        round: u64,
        #[schema(schema_with = schemas::dice)] dice: [u8; 3],
        evidence: String,
        /// Whether the round was conducted in accordance with the rules of the
        /// game, where the book asks it: both persons say so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        conducted: Option<bool>,
    } => Act::CorrectResult {
        record: files.record(RoundNumber(*round)).map_err(NoAct::Missing)?,
        dice: dice.act()?,
        // Alone, the first reading is offered as both, so that the table says
        // that it takes a second person.
        second_dice: second_dice.unwrap_or(*dice).act()?,
        evidence: evidence.act()?,
        conducted: *conducted,
    },
    VoidRounds {
        #[schema(max_items = 100)] rounds: Vec<u64>,
        /// The listed cause, as a stable word; without it, what no rule covers.
        #[serde(default)] #[ts(optional)] cause: Option<String>,
        /// The question about damaged dice that it answers.
        #[serde(default)] #[ts(optional)] pending: Option<u64>,
        reason: String,
    } => Act::VoidRounds {
        records: records(files, rounds)?,
        cause: cause.as_ref().map(AsAct::act).transpose()?,
        pending: pending.map(PendingId),
        reason: reason.act()?,
    },
    Recover(request) { recoverable: u64, amount: i64 },
    Waive(request) { recoverable: u64, reason: String },
    PayUnclaimed(request) { unclaimed: u64 },
    PlaceBets { station: u32, round: u64, bet: u64, means: ChipMeans, lines: Vec<Stake> },
    RemoveBets { station: u32, round: u64, bet: u64, means: ChipMeans, lines: Vec<Stake> },
    ClearBets { station: u32, round: u64, bet: u64 },
    CallBet { station: u32, round: u64, bet: u64, lines: Vec<Stake>, chips_present: bool },
    RecordPositions { station: u32, round: u64, bet: u64, means: ChipMeans, lines: Vec<Stake> },
    ObservePositions { station: u32, round: u64, means: ChipMeans, lines: Vec<Stake> },
    RecordLate { station: u32, round: u64, late: LateKind, means: ChipMeans, line: Stake },
    AttestPositions { pending: u64, lay_there: bool, bookmark: String },
    AnnounceLastRound {},
    /// Play goes on: the round that was announced is not the last.
    TakeBackLastRound {},
    CloseTable {},
    OpenTable {} => files.opening().map_err(NoAct::Missing)?,
    Suspend { reason: String },
    Resume {},
    ChangeDice { dice_set: String },
    ChangeLimits {
        limits: Vec<KindLimit>, station_maximum: i64, exposure_maximum: i64,
    } => changed(files, limits, *station_maximum, *exposure_maximum)?,
    AssignActing { person: u32, #[schema(schema_with = schemas::position)] position: String },
    EndActing { person: u32, #[schema(schema_with = schemas::position)] position: String },
    /// The cage counted what staff had moved.
    CountMoney { entry: u64, amount: i64 },
    BuyCredit(request) { station: u32, source: CreditFrom, amount: i64 },
    TransferOut(request) { station: u32, amount: i64 },
    HandPay(request) { station: u32, amount: i64 },
    MoveChips(request) { how: ChipMove, amount: i64, slip: String },
    AssignColour { station: u32, colour: String, value: i64 },
    ReleaseColour { station: u32 },
    MoveColour(request) { station: u32, how: ColourMove, amount: i64 },
    Adjust(request) { station: u32, amount: i64, reason: String },
    SettleCase(request) { case: u64, amount: i64, reason: String } => {
        // Whose case it is, the house's register says.
        return Err(NoAct::Missing("there is no such case here".to_owned()));
    },
    AddStation { name: String, terminal: bool, layout: String } => Act::AddStation {
        station: NewStation {
            name: name.act()?,
            kind: if *terminal { StationKind::Terminal } else { StationKind::Seat },
            layout: layout.act()?,
        },
    },
    RemoveStation { station: u32 },
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

/// A value of JSON as an act's.
trait AsAct<To> {
    fn act(&self) -> Result<To, String>;
}

macro_rules! as_act {
    ($($from:ty, $to:ty: |$it:ident| $value:expr;)+) => {$(
        impl AsAct<$to> for $from {
            fn act(&self) -> Result<$to, String> {
                let $it = self;
                $value
            }
        }
    )+};
}

as_act! {
    bool, bool: |it| Ok(*it);
    u64, u64: |it| Ok(*it);
    u8, u8: |it| Ok(*it);
    String, String: |it| Ok(it.clone());
    u32, StationId: |it| Ok(StationId(*it));
    u32, PersonId: |it| Ok(PersonId(*it));
    u64, RoundNumber: |it| Ok(RoundNumber(*it));
    u64, BetId: |it| Ok(BetId(*it));
    u64, PendingId: |it| Ok(PendingId(*it));
    u64, NoticeId: |it| Ok(NoticeId(*it));
    u64, RecoverableId: |it| Ok(RecoverableId(*it));
    u64, UnclaimedId: |it| Ok(UnclaimedId(*it));
    i64, Money: |it| Ok(Money::from_minor(*it));
    [u8; 3], Dice: |it| Dice::from_faces(*it).ok_or_else(|| "dice show 1 to 6".to_owned());
    String, Cause: |it| word(it, "cause of a void");
    String, Position: |it| word(it, "position");
    Stake, Line: |it| it.line();
    Vec<Stake>, Vec<Line>: |it| it.iter().map(Stake::line).collect();
    ChipMove, ChipMove: |it| Ok(*it);
    ColourMove, ColourMove: |it| Ok(*it);
    IncidentKind, IncidentKind: |it| Ok(*it);
    LateKind, LateKind: |it| Ok(*it);
    Ruling, Ruling: |it| Ok(it.clone());
    Option<Held>, Held: |it| Ok(it.unwrap_or(Held::Uncovered));
    Option<Part>, Part: |it| Ok(it.unwrap_or(Part::Other));
}

impl StaffAct {
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

    /// The table's act.
    ///
    /// # Errors
    /// What cannot be understood, in words.
    pub fn act(&self, files: &dyn Files, second_dice: Option<[u8; 3]>) -> Result<Act, NoAct> {
        if self.request() == Some(0) {
            return Err(NoAct::Words("a request's number is above zero".to_owned()));
        }
        self.as_act(files, second_dice)
    }
}

impl TwoPersonAct for StaffAct {
    fn word(&self) -> String {
        sent(&self.name())
    }

    /// Without dice that the second person must read themselves.
    fn told(&self) -> String {
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

    fn wants_second_dice(&self) -> bool {
        self.stated_dice().is_some()
    }

    fn request(&self) -> Option<u64> {
        StaffAct::request(self)
    }

    fn about(&self) -> About {
        About {
            rounds: match self {
                StaffAct::CorrectResult { round, .. } => vec![*round],
                StaffAct::VoidRounds { rounds, .. } => rounds.clone(),
                _ => Vec::new(),
            },
            station: match self {
                StaffAct::Adjust { station, .. }
                | StaffAct::HandPay { station, .. }
                | StaffAct::BuyCredit { station, .. }
                | StaffAct::TransferOut { station, .. } => Some(*station),
                _ => None,
            },
            amount: match self {
                StaffAct::Adjust { amount, .. }
                | StaffAct::SettleCase { amount, .. }
                | StaffAct::HandPay { amount, .. }
                | StaffAct::BuyCredit { amount, .. }
                | StaffAct::TransferOut { amount, .. }
                | StaffAct::MoveChips { amount, .. } => Some(*amount),
                _ => None,
            },
            ruling: match self {
                StaffAct::Rule { ruling, .. } => Some(sent(ruling.key())),
                StaffAct::ConfirmInterruption { dice_in_place, .. } => match dice_in_place {
                    true => Some("in_place".to_owned()),
                    false => Some("not_in_place".to_owned()),
                },
                _ => None,
            },
            cause: match self {
                StaffAct::DeclareVoid { cause } => Some(cause.clone()),
                StaffAct::VoidRounds { cause, .. } => cause.clone(),
                _ => None,
            },
            note: match self {
                StaffAct::CorrectResult { evidence: note, .. }
                | StaffAct::VoidRounds { reason: note, .. }
                | StaffAct::Adjust { reason: note, .. }
                | StaffAct::SettleCase { reason: note, .. }
                | StaffAct::Rule { reason: note, .. }
                | StaffAct::RuleVoid { reason: note }
                | StaffAct::FindDiceSound { text: note, .. }
                | StaffAct::ReportDamage { note }
                | StaffAct::ChangeDice { dice_set: note }
                | StaffAct::MoveChips { slip: note, .. } => Some(note.clone()),
                _ => None,
            },
            conducted: match self {
                StaffAct::CorrectResult { conducted, .. } => *conducted,
                _ => None,
            },
            counts: None,
        }
    }
}

fn records(files: &dyn Files, rounds: &[u64]) -> Result<Vec<Arc<RoundRecord>>, NoAct> {
    if rounds.len() > MAX_ROUNDS {
        let words = format!("at most {MAX_ROUNDS} rounds at once");
        return Err(NoAct::Words(words));
    }
    let records = rounds.iter().map(|round| files.record(RoundNumber(*round)));
    records
        .collect::<Result<_, String>>()
        .map_err(NoAct::Missing)
}

fn changed(
    files: &dyn Files,
    limits: &[KindLimit],
    station_maximum: i64,
    exposure_maximum: i64,
) -> Result<Act, NoAct> {
    let mut new = files.limits().map_err(NoAct::Missing)?;
    for row in limits {
        let kind = Kind::from_key(&row.kind)
            .ok_or_else(|| format!("{:?} is no kind of bet", clipped(&row.kind)))?;
        new.by_kind[kind as usize] = Limit {
            minimum: Money::from_minor(row.minimum),
            maximum: Money::from_minor(row.maximum),
            step: Money::from_minor(row.step),
        };
    }
    new.station_maximum = Money::from_minor(station_maximum);
    new.exposure_maximum = Money::from_minor(exposure_maximum);
    Ok(Act::ChangeLimits {
        limits: Box::new(new),
    })
}

/// Rounds that can be voided late at once.
pub const MAX_ROUNDS: usize = 100;
