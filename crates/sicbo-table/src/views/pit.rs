//! What the pit desk shows: how the table stands, its money, and every
//! decision that waits with its rule, who may decide, the default and what
//! each way would do to each station (P-030, P-031).

use sicbo_rules::exposure::combinations;
use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Money, RuleBook};

use super::console::offline;
use super::{LastRound, RoundView};
use crate::command::Ruling;
use crate::ids::{PendingId, RoundNumber, StationId};
use crate::legal::{LegalAct, default_ruling, offered_acts};
use crate::pending::{Notice, Pending, Question, Recoverable, Unclaimed};
use crate::round::StationRound;
use crate::table::{ClocksParted, Status, Table};

/// The table's money.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MoneyView {
    /// Staked in the current round.
    pub staked: Money,
    /// The most the house can lose on it.
    pub worst_loss: Money,
    /// What the house has won since the table was set up.
    pub house_win: Money,
    /// Cash that came in.
    pub drop: Money,
    /// Free credit of all stations.
    pub credit: Money,
    /// Vouchers given out and not taken here.
    pub vouchers: Money,
    /// Chips in players' hands.
    pub chips_outstanding: Money,
    /// Overpayments neither recovered nor waived.
    pub recoverable: Money,
    /// Owed to players who have left.
    pub unclaimed: Money,
    /// Staked in all settled rounds.
    pub handle: Money,
}

/// What a decision would do at one station.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StationEffect {
    /// Which station.
    pub station: StationId,
    /// What it has staked.
    pub staked: Money,
    /// What comes back if the round is void.
    pub if_void: Money,
    /// The least that can come back if the round is concluded by the dice.
    pub concluded_least: Money,
    /// The most.
    pub concluded_most: Money,
    /// What it would have staked if the chips were attested.
    pub if_attested: Option<Money>,
}

/// A decision that waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecisionView {
    /// Its number.
    pub id: PendingId,
    /// The round it concerns.
    pub round: Option<RoundNumber>,
    /// What is asked.
    pub question: Question,
    /// The rule, as cited to people.
    pub rule: String,
    /// Who may decide.
    pub by: Position,
    /// What the book calls them.
    pub title: Option<String>,
    /// Anyone above may as well.
    pub or_above: bool,
    /// How many persons it takes.
    pub persons: u8,
    /// What it comes to if nobody decides otherwise.
    pub default: Option<Ruling>,
    /// What it would do, by station that takes part.
    pub effects: Vec<StationEffect>,
}

/// What the pit desk shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PitView {
    /// The table's name.
    pub table: String,
    /// The rule book's name.
    pub book: String,
    /// Whether it plays.
    pub status: Status,
    /// The current round.
    pub round: Option<RoundView>,
    /// Money.
    pub money: MoneyView,
    /// Decisions that wait.
    pub decisions: Vec<DecisionView>,
    /// Overpayments.
    pub recoverables: Vec<Recoverable>,
    /// Credits nobody has claimed.
    pub unclaimed: Vec<Unclaimed>,
    /// Terminals that cannot be heard.
    pub offline: Vec<StationId>,
    /// How many stations are in use.
    pub stations: usize,
    /// Everything a person may do now that is no single station's.
    pub acts: Vec<LegalAct>,
    /// The last round.
    pub last: Option<LastRound>,
    /// The dice must be changed before a round can begin.
    pub dice_condemned: bool,
    /// The clocks have parted: no round begins until somebody has looked.
    pub clock_parted: Option<ClocksParted>,
    /// Play stopped, or will, because a device failed.
    pub device_failed: bool,
    /// Word of failures, newest last, acknowledged ones included.
    pub notices: Vec<Notice>,
}

/// The pit's view.
#[must_use]
pub fn pit(table: &Table) -> PitView {
    let config = table.config.as_deref();
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    PitView {
        table: text(config.map(|config| config.name.as_str())),
        book: text(config.map(|config| config.book.id())),
        status: table.status.clone(),
        round: table.round.as_deref().map(|r| RoundView::of(table, r)),
        money: money(table),
        decisions: table.pending.iter().map(|p| decision(table, p)).collect(),
        recoverables: table.recoverables.values().cloned().collect(),
        unclaimed: table.unclaimed.values().cloned().collect(),
        offline: offline(table),
        stations: table.stations.iter().filter(|s| !s.removed).count(),
        acts: offered_acts(table),
        last: table
            .last_record
            .as_deref()
            .map(|last| LastRound::of(table, last)),
        dice_condemned: table.dice_condemned,
        clock_parted: table.clock_parted,
        device_failed: table.device_failed,
        notices: table.notices.clone(),
    }
}

fn money(table: &Table) -> MoneyView {
    let stations = || table.stations.iter();
    let exposure = table.round.as_deref().map(|round| &round.exposure);
    let staked = exposure.map_or(Money::ZERO, |exposure| exposure.staked());
    let settled: Money = stations()
        .map(|s| s.meters.staked - s.meters.void_returned)
        .sum();
    MoneyView {
        staked,
        worst_loss: exposure.map_or(Money::ZERO, |exposure| exposure.worst_loss()),
        house_win: table.books.house_win(),
        drop: -table.books.drop,
        credit: stations().map(|s| s.credit).sum(),
        vouchers: table.books.vouchers,
        chips_outstanding: table.books.chips_outstanding,
        recoverable: -table.books.recoverable,
        unclaimed: table.books.unclaimed,
        handle: settled - staked,
    }
}

fn decision(table: &Table, pending: &Pending) -> DecisionView {
    DecisionView {
        id: pending.id,
        round: pending.round,
        question: pending.question.clone(),
        rule: pending.rule.clone(),
        by: pending.by,
        title: table
            .book()
            .and_then(|book| book.title(pending.by))
            .map(|title| title.title.is.clone()),
        or_above: pending.or_above,
        persons: pending.persons,
        default: default_ruling(table, pending),
        effects: effects(table, pending),
    }
}

/// What the decision would do at the stations it touches.
fn effects(table: &Table, pending: &Pending) -> Vec<StationEffect> {
    let (Some(round), Some(book)) = (table.round.as_deref(), table.book()) else {
        return Vec::new();
    };
    if pending.round != Some(round.number) {
        return Vec::new();
    }
    let only = match pending.question {
        Question::TerminalOpenCase { station }
        | Question::BetStatus { station }
        | Question::ChipsUnrecorded { station, .. } => Some(station),
        _ => None,
    };
    let claimed: Option<Money> = match &pending.question {
        Question::ChipsUnrecorded { lines, .. } => Some(lines.iter().map(|line| line.stake).sum()),
        _ => None,
    };
    let parts = (0u32..).map(StationId).zip(&round.stations);
    parts
        .zip(&table.stations)
        .filter(|((station, part), _)| {
            only.map_or_else(|| part.takes_part(), |only| only == *station)
        })
        .map(|((station, part), at)| {
            let (least, most) = returns(book, at.layout, part);
            StationEffect {
                station,
                staked: part.staked(),
                if_void: part.staked(),
                concluded_least: least,
                concluded_most: most,
                if_attested: claimed.map(|claimed| part.staked() + claimed),
            }
        })
        .collect()
}

/// The least and the most that can come back, over all results.
fn returns(book: &RuleBook, layout: usize, part: &StationRound) -> (Money, Money) {
    let settlement = book.layouts[layout].settlement();
    let twice = combinations().iter().map(|dice| {
        let row = settlement.row(*dice);
        let lines = part.positions.lines().iter();
        lines
            .chain(part.colour_positions.lines())
            .map(|line| line.stake.minor() * i64::from(row[line.section.index()]))
            .sum::<i64>()
    });
    let (least, most) = twice.fold((i64::MAX, 0), |(least, most), twice| {
        (least.min(twice), most.max(twice))
    });
    (Money::from_minor(least / 2), Money::from_minor(most / 2))
}
