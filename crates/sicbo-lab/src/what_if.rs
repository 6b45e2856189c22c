//! Cells of a pay table changed: the edge before and after, and the odds that
//! would give a wanted edge.

use num_traits::{One, Zero};
use serde::Serialize;
use sicbo_rules::Ratio;
use sicbo_rules::maths::approx;

use crate::LabError;
use crate::game::{Bet, Game, Loading, MAX_ODDS, odds_text};
use crate::simulate::rounded_percent;

/// A section's value under some odds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Value {
    /// Profit to 1 on each line: one, or three for a single die.
    pub odds: Vec<String>,
    /// The house's gain per unit staked, as a fraction.
    pub edge: String,
    /// The same in percent, rounded.
    pub edge_percent: f64,
    /// Standard deviation of the result per unit staked.
    pub deviation: f64,
    /// The player has the edge; a rule book would be refused for it.
    pub player_edge: bool,
}

/// Odds that can be paid, and the edge they give.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Payable {
    /// Profit to 1.
    pub odds: String,
    /// The edge at those odds.
    pub edge: String,
    /// The same in percent, rounded.
    pub edge_percent: f64,
}

/// The odds on one line that give a wanted edge, the other lines as they are.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Wanted {
    /// The line, counted from one: how often the number appears.
    pub line: usize,
    /// Winning outcomes of 216 on it.
    pub ways: u32,
    /// The exact odds, as a fraction; `null` when no odds give that edge.
    pub odds: Option<String>,
    /// The same as a number.
    pub odds_value: Option<f64>,
    /// The edges that odds on this line can give: from that of the highest odds
    /// to that of odds of nothing.
    pub possible: [String; 2],
    /// The next odds in halves at or below: an edge at least as high as wanted.
    pub payable_below: Option<Payable>,
    /// The next odds in halves above: a lower edge.
    pub payable_above: Option<Payable>,
}

/// What becomes of one section.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Change {
    /// The section.
    pub section: String,
    /// Winning outcomes of 216 by line.
    pub ways: Vec<u32>,
    /// As the book has it.
    pub before: Value,
    /// As asked; `null` when only an edge was asked for.
    pub after: Option<Value>,
    /// Odds that would give the wanted edge, line by line.
    pub wanted: Vec<Wanted>,
}

/// What changes would do.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WhatIf {
    /// The wanted edge, as a fraction.
    pub wanted_edge: Option<String>,
    /// Each section asked for.
    pub changes: Vec<Change>,
    /// The game with the new odds, for what is computed from it.
    #[serde(skip)]
    pub changed: Option<Game>,
}

/// A change as written: a bet and its new odds, if any were given.
#[derive(Clone, PartialEq, Debug)]
pub struct Asked {
    /// Position of the bet.
    pub at: usize,
    /// New odds by line.
    pub odds: Option<Vec<Ratio>>,
}

/// Reads `total:5=30`, `single:1=1/2/12`, `triple:*=180` or a section alone.
///
/// # Errors
/// When it names no section, or its odds are none.
pub fn parse_change(game: &Game, text: &str) -> Result<Vec<Asked>, LabError> {
    let refuse = LabError::OutOfRange;
    let (name, odds) = match text.split_once('=') {
        Some((name, odds)) => (name.trim(), Some(odds)),
        None => (text.trim(), None),
    };
    let found: Vec<usize> = match name.strip_suffix(":*") {
        Some(kind) => {
            let all = (0..game.bets.len()).filter(|at| game.bets[*at].kind == kind);
            all.collect()
        }
        None => vec![game.find(name).map_err(refuse)?],
    };
    if found.is_empty() {
        return Err(refuse(format!(
            "{} has no bet of the kind {name}",
            game.name()
        )));
    }
    let asked = |at: usize| {
        let bet = &game.bets[at];
        let odds = odds.map(|odds| parse_odds(bet, odds)).transpose()?;
        Ok(Asked { at, odds })
    };
    found.into_iter().map(asked).collect()
}

/// Odds for each line of a bet, with `/` between the lines.
fn parse_odds(bet: &Bet, text: &str) -> Result<Vec<Ratio>, LabError> {
    let name = &bet.name;
    let refuse = LabError::OutOfRange;
    let bad = |line: &str| {
        refuse(format!(
            "{name}: {:?} is not odds: give the profit to 1 from 0 to {MAX_ODDS}, e.g. 64, 8.5 or (7/3)",
            line.chars().take(40).collect::<String>()
        ))
    };
    // A fraction stands in brackets, for a stroke parts the lines.
    let mut lines = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() || lines.is_empty() {
        let (line, after) = if let Some(inner) = rest.strip_prefix('(') {
            let (line, after) = inner.split_once(')').ok_or_else(|| bad(rest))?;
            (line, after.strip_prefix('/').unwrap_or(after))
        } else {
            rest.split_once('/').unwrap_or((rest, ""))
        };
        let number = match line.split_once('/') {
            Some((above, below)) => decimal(above)
                .zip(decimal(below).filter(|below| !below.is_zero()))
                .map(|(above, below)| above / below),
            None => decimal(line.trim()),
        };
        let most = Ratio::from_integer(i128::from(MAX_ODDS));
        lines.push(
            number
                .filter(|odds| *odds >= Ratio::zero() && *odds <= most)
                .ok_or_else(|| bad(line))?,
        );
        rest = after;
    }
    match (bet.lines.len(), lines.len()) {
        (wanted, given) if wanted == given => Ok(lines),
        (1, _) => Err(refuse(format!("{name} pays on one line: write {name}=30"))),
        (3, _) => Err(refuse(format!(
            "{name} pays on three lines, for once, twice and three times: write {name}=1/2/12"
        ))),
        (wanted, _) => Err(refuse(format!(
            "{name} pays on {wanted} lines: give odds for each"
        ))),
    }
}

/// An edge as written: `5%`, `0.05` or `-1/36`.
///
/// # Errors
/// When it is no number, or no edge below 100 %.
pub fn parse_edge(text: &str) -> Result<Ratio, LabError> {
    let refuse = || {
        LabError::OutOfRange(format!(
            "{:?} is not a valid edge: write a percentage such as 5% or 2.78%, a decimal such as 0.05 or a fraction such as 1/36, from -1000% to below 100%",
            text.chars().take(40).collect::<String>()
        ))
    };
    let trimmed = text.trim();
    let (number, percent) = match trimmed.strip_suffix('%') {
        Some(number) => (number.trim(), 100),
        None => (trimmed, 1),
    };
    let ratio = match number.split_once('/') {
        Some((above, below)) => {
            let (above, below) = (
                decimal(above).ok_or_else(refuse)?,
                decimal(below).ok_or_else(refuse)?,
            );
            if below.is_zero() {
                return Err(refuse());
            }
            above / below
        }
        None => decimal(number).ok_or_else(refuse)?,
    } / Ratio::from_integer(percent);
    if ratio < Ratio::one() && ratio >= Ratio::from_integer(-10) {
        Ok(ratio)
    } else {
        Err(refuse())
    }
}

/// A decimal number, exactly.
pub(crate) fn decimal(text: &str) -> Option<Ratio> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    if all.is_empty() || all.len() > 18 || !all.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let number: i128 = all.parse().ok()?;
    Some(Ratio::new(
        sign * number,
        10_i128.pow(fraction.len() as u32),
    ))
}

fn value(bet: &Bet, loading: &Loading) -> Value {
    let par = bet.par(loading);
    Value {
        odds: bet.pays(),
        edge: par.edge().to_string(),
        edge_percent: rounded_percent(par.edge()),
        deviation: par.deviation(),
        player_edge: par.edge() < Ratio::zero(),
    }
}

/// The odds on one line that give `edge` when the others stay.
fn wanted(bet: &Bet, loading: &Loading, line: usize, edge: Ratio) -> Result<Wanted, LabError> {
    let refuse = LabError::OutOfRange;
    let odds: Vec<Ratio> = bet.lines.iter().map(|line| line.odds).collect();
    let at = |value: Ratio| -> Result<Ratio, LabError> {
        let mut odds = odds.clone();
        odds[line] = value;
        let bet = bet.paying(&odds).map_err(refuse)?;
        Ok(bet.par(loading).edge())
    };
    let highest = Ratio::from_integer(i128::from(MAX_ODDS));
    // The edge falls evenly as the odds rise.
    let (most, least) = (at(Ratio::zero())?, at(highest)?);
    let slope = (most - least) / highest;
    let exact = (!slope.is_zero()).then(|| (most - edge) / slope);
    let possible = exact.filter(|odds| *odds >= Ratio::zero() && *odds <= highest);
    let two = Ratio::from_integer(2);
    let payable = |halves: Ratio| -> Result<Option<Payable>, LabError> {
        let odds = halves / two;
        if odds < Ratio::new(1, 2) || odds > highest {
            return Ok(None);
        }
        let edge = at(odds)?;
        Ok(Some(Payable {
            odds: odds_text(odds),
            edge: edge.to_string(),
            edge_percent: rounded_percent(edge),
        }))
    };
    let below = possible.map(|odds| (odds * two).floor());
    let above = possible.map(|odds| (odds * two).floor() + Ratio::one());
    Ok(Wanted {
        line: line + 1,
        ways: bet.par(loading).ways_by_line[line],
        odds: possible.map(|odds| odds.to_string()),
        odds_value: possible.map(approx),
        possible: [least.to_string(), most.to_string()],
        payable_below: below.map(&payable).transpose()?.flatten(),
        payable_above: above.map(&payable).transpose()?.flatten(),
    })
}

/// What other odds would do to sections of a game.
///
/// # Errors
/// When nothing was asked, or no odds of any line give the wanted edge.
pub fn what_if(
    game: &Game,
    loading: &Loading,
    asked: &[Asked],
    edge: Option<Ratio>,
) -> Result<WhatIf, LabError> {
    let refuse = LabError::OutOfRange;
    let mut changed = game.clone();
    let mut changes = Vec::new();
    for one in asked {
        let bet = &game.bets[one.at];
        if one.odds.is_none() && edge.is_none() {
            return Err(refuse(format!(
                "nothing is changed: write {}=ODDS, or give --edge",
                bet.name
            )));
        }
        let after = match &one.odds {
            Some(odds) => Some(bet.paying(odds).map_err(refuse)?),
            None => None,
        };
        let now = after.as_ref().unwrap_or(bet);
        let wanted: Vec<Wanted> = match edge {
            Some(edge) => (0..now.lines.len())
                .map(|line| wanted(now, loading, line, edge))
                .collect::<Result<_, _>>()?,
            None => Vec::new(),
        };
        if let (Some(edge), Some(first)) = (edge, wanted.first())
            && wanted.iter().all(|line| line.odds.is_none())
        {
            let percent = |text: &str| {
                let (above, below) = text.split_once('/').unwrap_or((text, "1"));
                let parse = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
                format!("{:.4} %", 100.0 * parse(above) / parse(below))
            };
            return Err(refuse(format!(
                "{}: no odds give an edge of {edge}: from {MAX_ODDS} to 1 down to 0 to 1 it goes from {} to {} = {}",
                bet.name,
                percent(&first.possible[0]),
                first.possible[1],
                percent(&first.possible[1]),
            )));
        }
        changes.push(Change {
            section: bet.name.clone(),
            ways: bet.par(loading).ways_by_line,
            before: value(bet, loading),
            after: after.as_ref().map(|bet| value(bet, loading)),
            wanted,
        });
        if let Some(after) = after {
            changed.bets[one.at] = after;
        }
    }
    Ok(WhatIf {
        wanted_edge: edge.map(|edge| edge.to_string()),
        changed: asked
            .iter()
            .any(|one| one.odds.is_some())
            .then_some(changed),
        changes,
    })
}
