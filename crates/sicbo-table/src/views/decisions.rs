//! Every decision that waits, with its rule, who may decide, the default and
//! what each way would do to each station (P-030, P-031).

use serde::Serialize;
use sicbo_rules::RuleBook;
use sicbo_rules::exposure::combinations;
use sicbo_rules::rulebook::words::Word as _;
use ts_rs::TS;
use utoipa::ToSchema;

use super::{Stake, sent, stakes, title};
use crate::ids::StationId;
use crate::legal::default_ruling;
use crate::pending::{Pending, Question};
use crate::positions::Means;
use crate::round::StationRound;
use crate::table::Table;

/// What a decision would do at one station.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownEffect {
    /// Which station.
    pub station: u32,
    /// What it staked.
    pub staked: i64,
    /// What comes back if the round is void.
    pub if_void: i64,
    /// The least that comes back if it is concluded.
    pub concluded_least: i64,
    /// The most.
    pub concluded_most: i64,
    /// What it would have staked if its chips were attested.
    pub if_attested: Option<i64>,
}

/// A decision that waits (P-031).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownDecision {
    /// Its number.
    pub pending: u64,
    /// The round it is about.
    pub round: Option<u64>,
    /// What is asked: a stable word.
    pub question: String,
    /// In words, where a person wrote them.
    pub what: Option<String>,
    /// The station it is about.
    pub station: Option<u32>,
    /// Chips that wait to be attested, and whether they are in colour.
    pub chips: Vec<Stake>,
    /// They are colour chips.
    pub colour: bool,
    /// An outcome was established before the interruption.
    pub established: Option<bool>,
    /// The proposal it waits for, where it is a proposed correction.
    pub proposal: Option<u64>,
    /// The rule.
    pub rule: String,
    /// Who decides.
    pub by: String,
    /// As the book calls them.
    pub title: Option<String>,
    /// Or anyone above.
    pub or_above: bool,
    /// How many persons it takes.
    pub persons: u8,
    /// What it comes to if nobody has a reason to decide otherwise.
    pub default: Option<String>,
    /// What it would do, station by station; the first 200.
    pub effects: Vec<ShownEffect>,
}

impl ShownDecision {
    pub(super) fn of(table: &Table, pending: &Pending) -> ShownDecision {
        let (mut what, mut station, mut established) = (None, None, None);
        let (mut chips, mut colour) = (Vec::new(), false);
        let mut proposal = None;
        match &pending.question {
            Question::Interrupted {
                established: is, ..
            } => established = Some(*is),
            Question::Uncovered { what: words } | Question::Interpretation { what: words } => {
                what = Some(words.clone());
            }
            Question::TechnicalStop {
                what: words,
                established: is,
            } => {
                what = Some(words.clone());
                established = Some(*is);
            }
            Question::TerminalOpenCase { station: id } | Question::BetStatus { station: id } => {
                station = Some(id.0);
            }
            Question::ChipsUnrecorded {
                station: id,
                means,
                lines,
                ..
            } => {
                station = Some(id.0);
                chips = stakes(lines);
                colour = *means == Means::ColourChips;
            }
            Question::AffectedRounds { dice_set, .. } => what = Some(dice_set.clone()),
            Question::CorrectionProposed {
                proposal: number, ..
            } => proposal = Some(*number),
            Question::DiceNotInPlace
            | Question::ReadingsDisagree
            | Question::DeviceFailure
            | Question::DamagedRound { .. } => {}
        }
        ShownDecision {
            pending: pending.id.0,
            round: pending.round.map(|round| round.0),
            question: pending.question.key().to_owned(),
            what,
            station,
            chips,
            colour,
            established,
            proposal,
            rule: pending.rule.clone(),
            by: pending.by.key().to_owned(),
            title: title(table, pending.by),
            or_above: pending.or_above,
            persons: pending.persons,
            default: default_ruling(table, pending).map(|ruling| sent(ruling.key())),
            effects: effects(table, pending),
        }
    }
}

/// What the decision would do at the stations it touches, the first 200.
fn effects(table: &Table, pending: &Pending) -> Vec<ShownEffect> {
    let (Some(round), Some(book)) = (table.round.as_deref(), table.book()) else {
        return Vec::new();
    };
    if pending.round != Some(round.number) {
        return Vec::new();
    }
    let (only, claimed) = match &pending.question {
        Question::TerminalOpenCase { station } | Question::BetStatus { station } => {
            (Some(*station), None)
        }
        Question::ChipsUnrecorded { station, lines, .. } => {
            let claimed: i64 = lines.iter().map(|line| line.stake.minor()).sum();
            (Some(*station), Some(claimed))
        }
        _ => (None, None),
    };
    let parts = (0u32..).map(StationId).zip(&round.stations);
    parts
        .zip(&table.stations)
        .filter(|((station, part), _)| {
            only.map_or_else(|| part.takes_part(), |only| only == *station)
        })
        .take(200)
        .map(|((station, part), at)| {
            let staked = part.staked().minor();
            let (concluded_least, concluded_most) = returns(book, at.layout, part);
            ShownEffect {
                station: station.0,
                staked,
                if_void: staked,
                concluded_least,
                concluded_most,
                if_attested: claimed.map(|claimed| staked + claimed),
            }
        })
        .collect()
}

/// The least and the most that can come back, over all results.
fn returns(book: &RuleBook, layout: usize, part: &StationRound) -> (i64, i64) {
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
    (least / 2, most / 2)
}
