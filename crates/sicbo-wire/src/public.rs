//! What everyone in the room may see of a table: frames for terminals, walls
//! and the lobby alike, encoded once for all of them.

use std::collections::BTreeMap;

use serde::Serialize;
use sicbo_rules::rulebook::words::{Cover, TumbleStep, Word as _};
use sicbo_rules::{Money, citation};
use sicbo_table::Table;
use sicbo_table::round::{CoverState, Phase, Tumble};
use sicbo_table::table::Status;
use sicbo_table::views::{
    self, LastRound, LimitView, LitLayout, Notice, ResultView, RoundView, Side,
};
use ts_rs::TS;
use utoipa::ToSchema;

use super::hex;

/// Small, big, or neither.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SideName {
    /// Total 4 to 10.
    Small,
    /// Total 11 to 17.
    Big,
    /// Three alike: neither side.
    Triple,
}

/// A result as it is called: lowest to highest, then the total.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownResult {
    /// From lowest to highest.
    pub dice: [u8; 3],
    /// Their sum.
    pub total: u8,
    /// Small, big or triple.
    pub side: SideName,
    /// The total is odd; null for a triple, and where the book has no such bet.
    pub odd: Option<bool>,
}

impl ShownResult {
    /// As it is shown.
    #[must_use]
    pub fn of(result: ResultView) -> ShownResult {
        ShownResult {
            dice: result.dice.faces(),
            total: result.total,
            side: match result.side {
                Side::Small => SideName::Small,
                Side::Big => SideName::Big,
                Side::Triple => SideName::Triple,
            },
            odd: result.odd,
        }
    }
}

/// Where a round stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseName {
    /// Begun by the tumble, bets not yet called.
    Prepared,
    /// Bets are taken.
    Betting,
    /// No more bets: terminals are being told.
    Closing,
    /// No more bets anywhere.
    Closed,
}

/// How the tumble stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TumbleState {
    /// Not yet.
    None,
    /// The tumbler runs.
    Activated,
    /// Enough tumbles.
    Valid,
    /// Too few, or a die did not move.
    Invalid,
}

/// How the cover stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CoverName {
    /// The dice cannot be seen.
    Covered,
    /// The cover was lifted.
    Uncovered,
    /// There is no cover.
    Open,
}

/// The current round, as everyone may know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownRound {
    /// Its number.
    pub number: u64,
    /// Where it stands.
    pub phase: PhaseName,
    /// When bets were called.
    pub opened_ms: Option<i64>,
    /// When the betting clock ends.
    pub closes_ms: Option<i64>,
    /// When *no more bets* was called.
    pub closing_ms: Option<i64>,
    /// The tumble.
    pub tumble: TumbleState,
    /// Tumbles counted, once the tumbler has come to rest.
    pub tumbles: Option<u8>,
    /// The cover.
    pub cover: CoverName,
    /// The result, once it is confirmed.
    pub result: Option<ShownResult>,
    /// SHA-256 of the simulated tumbler's seed, published before betting.
    pub commitment: Option<String>,
}

impl ShownRound {
    /// As it is shown.
    #[must_use]
    pub fn of(round: &RoundView) -> ShownRound {
        let (tumble, tumbles) = match round.tumble {
            Tumble::None => (TumbleState::None, None),
            Tumble::Activated => (TumbleState::Activated, None),
            Tumble::Valid { count } => (TumbleState::Valid, Some(count)),
            Tumble::Invalid { count } => (TumbleState::Invalid, Some(count)),
        };
        ShownRound {
            number: round.number.0,
            phase: match round.phase {
                Phase::Prepared => PhaseName::Prepared,
                Phase::Betting => PhaseName::Betting,
                Phase::Closing => PhaseName::Closing,
                Phase::Closed => PhaseName::Closed,
            },
            opened_ms: round.opened_ms,
            closes_ms: round
                .opened_ms
                .map(|opened| opened + i64::from(round.window_ms)),
            closing_ms: round.closing_ms,
            tumble,
            tumbles,
            cover: match round.cover {
                CoverState::Covered => CoverName::Covered,
                CoverState::Uncovered => CoverName::Uncovered,
                CoverState::Open => CoverName::Open,
            },
            result: round.result.map(ShownResult::of),
            commitment: round.commitment.map(hex),
        }
    }
}

/// Why a round is void, or was corrected.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Why {
    /// The listed cause, as a stable word; null for a ruling.
    pub cause: Option<String>,
    /// The rule of the document; null where it does not speak.
    pub rule: Option<String>,
    /// The rule that lists the cause, where it was decided under another.
    pub ground: Option<String>,
    /// The reason of a ruling, or of a void found late.
    pub reason: Option<String>,
    /// The result a correction replaced.
    pub from: Option<ShownResult>,
}

/// How a round ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownEnd {
    /// Its number.
    pub number: u64,
    /// The result; null when it was void.
    pub result: Option<ShownResult>,
    /// It was changed after it ended.
    pub amended: bool,
    /// Why it was void or corrected, where known.
    pub why: Option<Why>,
    /// SHA-256 of the simulated tumbler's seed, published before betting.
    pub commitment: Option<String>,
    /// The seed, published after the round.
    pub seed: Option<String>,
}

impl ShownEnd {
    /// As it is shown.
    #[must_use]
    pub fn of(last: &LastRound) -> ShownEnd {
        ShownEnd {
            number: last.number.0,
            result: last.result.map(ShownResult::of),
            amended: last.amended,
            why: why(last),
            commitment: last.tumble.map(|tumble| hex(tumble.commitment)),
            seed: last.tumble.and_then(|tumble| tumble.seed).map(hex),
        }
    }
}

/// Why a round is void, or under which rule it was corrected.
fn why(last: &LastRound) -> Option<Why> {
    let void = last.void.as_ref().map(|void| Why {
        cause: void.cause.map(|cause| cause.key().to_owned()),
        rule: citation::public(&void.rule),
        ground: void.ground.as_deref().and_then(citation::public),
        reason: void.reason.clone(),
        from: None,
    });
    void.or_else(|| {
        last.corrected.as_ref().map(|corrected| Why {
            cause: None,
            rule: citation::public(&corrected.rule),
            ground: None,
            reason: None,
            from: Some(ShownResult::of(corrected.from)),
        })
    })
}

/// A notice for everyone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ShownNotice {
    /// One more round will be played.
    LastRound,
    /// Play has stopped.
    Suspended,
    /// The table is not open.
    Closed,
    /// The round waits for a decision.
    Held {
        /// Under this rule of the document; null where it does not speak.
        rule: Option<String>,
    },
    /// The round will be declared void.
    RoundLost,
    /// Other limits from the next round.
    LimitsChange,
    /// Another rule book from the next round.
    RuleBookChanges,
    /// The last round was void: all bets were returned.
    LastRoundVoid,
    /// The result of the last round was corrected.
    LastResultCorrected,
}

impl ShownNotice {
    fn of(notice: &Notice) -> ShownNotice {
        match notice {
            Notice::LastRound => ShownNotice::LastRound,
            Notice::Suspended => ShownNotice::Suspended,
            Notice::Closed => ShownNotice::Closed,
            Notice::Held { rule } => ShownNotice::Held {
                rule: citation::public(rule),
            },
            Notice::RoundLost => ShownNotice::RoundLost,
            Notice::LimitsChange => ShownNotice::LimitsChange,
            Notice::RuleBookChanges => ShownNotice::RuleBookChanges,
            Notice::LastRoundVoid => ShownNotice::LastRoundVoid,
            Notice::LastResultCorrected => ShownNotice::LastResultCorrected,
        }
    }
}

/// Whether a table plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatusName {
    /// Not open.
    Closed,
    /// Open.
    Open,
    /// Stopped for a while.
    Suspended,
}

impl StatusName {
    /// As it is shown.
    #[must_use]
    pub fn of(status: &Status) -> StatusName {
        match status {
            Status::Closed => StatusName::Closed,
            Status::Open => StatusName::Open,
            Status::Suspended => StatusName::Suspended,
        }
    }
}

/// The public state of a table. Whole in every frame, so a client that has the
/// newest one has missed nothing that still matters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct PublicState {
    /// Whether it plays.
    pub status: StatusName,
    /// The current round.
    pub round: Option<ShownRound>,
    /// What the book has displayed or announced in this phase, as printed.
    pub words: Option<String>,
    /// What is lit, by layout: the confirmed result of the current round, or
    /// else of the last.
    pub lit: BTreeMap<String, Vec<String>>,
    /// How the last round ended.
    pub last: Option<ShownEnd>,
    /// Notices.
    pub notices: Vec<ShownNotice>,
}

impl PublicState {
    /// The public state of a table; nothing before it is first opened.
    #[must_use]
    pub fn of(table: &Table) -> Option<PublicState> {
        let wall = views::wall(table)?;
        Some(PublicState {
            status: StatusName::of(&table.status),
            round: wall.round.as_ref().map(ShownRound::of),
            words: wall.words,
            lit: lit(&wall.lit),
            last: wall.last.as_ref().map(ShownEnd::of),
            notices: wall.notices.iter().map(ShownNotice::of).collect(),
        })
    }
}

/// Winning sections by layout.
#[must_use]
pub fn lit(layouts: &[LitLayout]) -> BTreeMap<String, Vec<String>> {
    layouts
        .iter()
        .map(|lit| {
            let sections = lit.sections.iter().map(ToString::to_string);
            (lit.layout.clone(), sections.collect())
        })
        .collect()
}

/// The limits of one kind of bet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownLimit {
    /// The kind: `total`, `any-triple`.
    pub kind: String,
    /// As the layout calls it.
    pub name: String,
    /// Least stake.
    pub minimum: i64,
    /// Most.
    pub maximum: i64,
    /// Whole multiples of it.
    pub step: i64,
}

impl ShownLimit {
    fn of(limit: &LimitView) -> ShownLimit {
        ShownLimit {
            kind: limit.kind.key().to_owned(),
            name: limit.name.clone(),
            minimum: limit.minimum.minor(),
            maximum: limit.maximum.minor(),
            step: limit.step.minor(),
        }
    }
}

/// A currency.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownCurrency {
    /// `SGD`.
    pub code: String,
    /// Digits after the point.
    pub decimals: u8,
}

/// When the dice tumble: the order of play in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TumbleOrder {
    /// Tumble first, then bets.
    BeforeBets,
    /// The dice tumble while bets are taken.
    DuringBets,
    /// Bets close first, then the dice tumble.
    AfterClose,
}

/// What a table is: all that changes only between rounds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct TableInfo {
    /// Its name.
    pub table: String,
    /// The rule book's name.
    pub book: String,
    /// The game's title as printed.
    pub title: String,
    /// Another printed name.
    pub also_known_as: Option<String>,
    /// The operator as printed.
    pub operator: String,
    /// The version as printed; null when the document lost it.
    pub book_version: Option<String>,
    /// In force since; null when the document lost it.
    pub effective: Option<String>,
    /// SHA-256 of the rule book.
    pub book_sha256: String,
    /// Language of the document: `en`, `vi`.
    pub language: String,
    /// The currency.
    pub currency: ShownCurrency,
    /// Played at terminals; otherwise with chips at a table.
    pub electronic: bool,
    /// When the dice tumble.
    pub tumble: TumbleOrder,
    /// The dice are under a cover while bets are taken.
    pub covered: bool,
    /// Fewest tumbles that count.
    pub minimum_tumbles: u8,
    /// Players play for money.
    pub real_money: bool,
    /// How long bets are taken.
    pub window_ms: u32,
    /// The smallest chip.
    pub chip_unit: i64,
    /// Chips offered, from the smallest.
    pub chips: Vec<i64>,
    /// Limits of every kind any layout in use offers.
    pub limits: Vec<ShownLimit>,
    /// Most that one station may stake in a round.
    pub station_maximum: i64,
    /// Layouts in use, by their names within the book.
    pub layouts: Vec<String>,
    /// The dice in the tumbler.
    pub dice_set: String,
}

impl TableInfo {
    /// What a table is; nothing before it is first opened.
    #[must_use]
    pub fn of(table: &Table) -> Option<TableInfo> {
        use sicbo_rules::rulebook::words::Form;
        let config = table.config.as_deref()?;
        let wall = views::wall(table)?;
        let book = &config.book;
        let mut layouts: Vec<String> = Vec::new();
        for station in table.stations.iter().filter(|station| !station.removed) {
            if let Some(layout) = table.layout_of(station)
                && !layouts.contains(&layout.id)
            {
                layouts.push(layout.id.clone());
            }
        }
        layouts.sort();
        Some(TableInfo {
            table: config.name.clone(),
            book: book.id().to_owned(),
            title: wall.title,
            also_known_as: (book.identity.also_known_as.as_ref()).map(|name| name.is.clone()),
            operator: book.identity.operator.is.clone(),
            book_version: book.identity.version.known().cloned(),
            effective: book.identity.effective.known().cloned(),
            book_sha256: book.sha256_hex(),
            language: book.identity.language.clone(),
            currency: ShownCurrency {
                code: config.currency.code().to_owned(),
                decimals: config.currency.decimals(),
            },
            electronic: book.play.form.is == Form::Electronic,
            tumble: match config.tumble {
                TumbleStep::BeforeOpen => TumbleOrder::BeforeBets,
                TumbleStep::DuringBetting => TumbleOrder::DuringBets,
                TumbleStep::AfterClose => TumbleOrder::AfterClose,
            },
            covered: book.play.cover.is != Cover::Open,
            minimum_tumbles: book.play.minimum_tumbles.is,
            real_money: config.real_money,
            window_ms: config.window_ms,
            chip_unit: config.chip_unit.minor(),
            chips: chips(
                config.chip_unit,
                wall.limits.iter().map(|l| l.maximum).max(),
            ),
            limits: wall.limits.iter().map(ShownLimit::of).collect(),
            station_maximum: config.limits.station_maximum.minor(),
            layouts,
            dice_set: config.dice_set.clone(),
        })
    }
}

/// Chips from the smallest up, in the steps 1, 2, 5, 10 … of the unit, none
/// above the largest stake: every one is payable exactly (P-011).
fn chips(unit: Money, largest: Option<Money>) -> Vec<i64> {
    let largest = largest.map_or(0, Money::minor);
    let steps = [
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000,
    ];
    steps
        .into_iter()
        .filter_map(|step: i64| unit.minor().checked_mul(step))
        .filter(|chip| *chip <= largest)
        .take(8)
        .collect()
}

/// One ended round on a road.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct RoadRound {
    /// Its number.
    pub number: u64,
    /// The result; null when it was void.
    pub result: Option<ShownResult>,
    /// It was changed after it ended.
    pub amended: bool,
}

/// House to anyone who watches a table: walls and the lobby.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HouseToWall {
    /// First, and again when what the table is has changed.
    Info {
        /// The table.
        info: Box<TableInfo>,
        /// The house's clock.
        server_ms: i64,
    },
    /// Ended rounds, the oldest first; whole, also when an older one changed.
    Road {
        /// Up to 200 of them.
        rounds: Vec<RoadRound>,
    },
    /// The public state.
    Table {
        /// Sequence it rests on.
        version: u64,
        /// The house's clock.
        server_ms: i64,
        /// The state.
        state: Box<PublicState>,
    },
    /// The house is there.
    Heartbeat {
        /// The house's clock.
        server_ms: i64,
    },
    /// The connection ends.
    Bye {
        /// A stable word.
        code: String,
        /// In words.
        words: String,
    },
}
