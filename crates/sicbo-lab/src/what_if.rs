//! One cell of a pay table changed: the edge before and after, and the odds
//! that would give a wanted edge.

use serde::Serialize;
use sicbo_rules::maths::approx;
use sicbo_rules::{Layout, Odds, Ratio, Section};

use crate::LabError;

/// A section's value under some odds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Value {
    /// Profit to 1 on each line: one, or three for a single die.
    pub odds: Vec<String>,
    /// The house's gain per unit staked, as a fraction.
    pub edge: String,
    /// The same in percent.
    pub edge_percent: f64,
    /// Standard deviation of the result per unit staked.
    pub deviation: f64,
}

/// The odds on one line that give a wanted edge, the other lines as they are.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Wanted {
    /// The line, counted from one: how often the number appears.
    pub line: usize,
    /// Winning outcomes of 216 on it.
    pub ways: u32,
    /// The exact odds, as a fraction; negative when no odds are low enough.
    pub odds: String,
    /// The same as a number.
    pub odds_value: f64,
    /// The nearest odds that can be paid, in halves; `null` when there are none.
    pub payable: Option<String>,
    /// The edge at those.
    pub payable_edge: Option<String>,
    /// The same in percent.
    pub payable_edge_percent: Option<f64>,
}

/// What a change would do.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WhatIf {
    /// Full name of the layout.
    pub layout: String,
    /// The section.
    pub section: String,
    /// Winning outcomes of 216 by line.
    pub ways: Vec<u32>,
    /// As the book has it.
    pub before: Value,
    /// As asked; the same as before when only an edge was asked for.
    pub after: Value,
    /// The wanted edge, as a fraction.
    pub wanted_edge: Option<String>,
    /// Odds that would give it, line by line.
    pub wanted: Vec<Wanted>,
}

/// A change as written: `total:5=30`, `single:1=1/2/12`, or a section alone.
///
/// # Errors
/// When it names no section, or its odds are none.
pub fn parse_change(text: &str) -> Result<(Section, Option<Vec<Odds>>), LabError> {
    let refuse = |problem: String| LabError::OutOfRange(problem);
    let (section, odds) = match text.split_once('=') {
        Some((section, odds)) => (section, Some(odds)),
        None => (text, None),
    };
    let section: Section = section.trim().parse().map_err(|e| refuse(format!("{e}")))?;
    let Some(odds) = odds else {
        return Ok((section, None));
    };
    let lines = odds
        .split('/')
        .map(|line| {
            line.trim()
                .parse::<Odds>()
                .map_err(|e| refuse(format!("{section}: {e}")))
        })
        .collect::<Result<Vec<Odds>, LabError>>()?;
    let steps = section.kind().steps();
    if lines.len() == steps {
        Ok((section, Some(lines)))
    } else if steps == 1 {
        Err(refuse(format!(
            "{section} pays on one line: write {section}=30"
        )))
    } else {
        Err(refuse(format!(
            "{section} pays on three lines, for once, twice and three times: write {section}=1/2/12"
        )))
    }
}

/// An edge as written: `5%`, `0.05` or `-1/36`.
///
/// # Errors
/// When it is no number, or no edge below 100 %.
pub fn parse_edge(text: &str) -> Result<Ratio, LabError> {
    let refuse = || {
        LabError::OutOfRange(format!(
            "{:?} is no edge: write a percentage such as 5% or 2.78%, a decimal such as 0.05 or a fraction such as 1/36, from -1000% to below 100%",
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
            if *below.numer() == 0 {
                return Err(refuse());
            }
            above / below
        }
        None => decimal(number).ok_or_else(refuse)?,
    } / Ratio::from_integer(percent);
    if ratio < Ratio::from_integer(1) && ratio >= Ratio::from_integer(-10) {
        Ok(ratio)
    } else {
        Err(refuse())
    }
}

fn decimal(text: &str) -> Option<Ratio> {
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

fn edge_of(odds: &[Ratio], ways: &[u32]) -> Ratio {
    let one = Ratio::from_integer(1);
    let back: Ratio = odds
        .iter()
        .zip(ways)
        .map(|(odds, ways)| (odds + one) * Ratio::new(i128::from(*ways), 216))
        .sum();
    one - back
}

fn value(odds: &[Odds], ways: &[u32]) -> Value {
    let ratios: Vec<Ratio> = odds.iter().map(|odds| odds.ratio()).collect();
    let edge = edge_of(&ratios, ways);
    let one = Ratio::from_integer(1);
    let back = one - edge;
    let squares: Ratio = ratios
        .iter()
        .zip(ways)
        .map(|(odds, ways)| (odds + one) * (odds + one) * Ratio::new(i128::from(*ways), 216))
        .sum();
    Value {
        odds: odds.iter().map(Odds::to_string).collect(),
        edge: edge.to_string(),
        edge_percent: approx(edge) * 100.0,
        deviation: approx(squares - back * back).sqrt(),
    }
}

/// The odds on one line that give `edge` when the others stay.
fn wanted(odds: &[Odds], ways: &[u32], line: usize, edge: Ratio) -> Wanted {
    let mut ratios: Vec<Ratio> = odds.iter().map(|odds| odds.ratio()).collect();
    let share = Ratio::new(i128::from(ways[line]), 216);
    let exact = ratios[line] + (edge_of(&ratios, ways) - edge) / share;
    let halves = (exact * Ratio::from_integer(2)).round().to_integer();
    let payable = u16::try_from(halves.max(1))
        .ok()
        .and_then(Odds::from_halves);
    let payable_edge = payable.map(|odds| {
        ratios[line] = odds.ratio();
        edge_of(&ratios, ways)
    });
    Wanted {
        line: line + 1,
        ways: ways[line],
        odds: exact.to_string(),
        odds_value: approx(exact),
        payable: payable.map(|odds| odds.to_string()),
        payable_edge: payable_edge.map(|edge| edge.to_string()),
        payable_edge_percent: payable_edge.map(|edge| approx(edge) * 100.0),
    }
}

/// What other odds would do to a section of a layout.
///
/// # Errors
/// When the layout does not offer the section, or nothing was asked.
pub fn what_if(
    name: &str,
    layout: &Layout,
    section: Section,
    odds: Option<Vec<Odds>>,
    edge: Option<Ratio>,
) -> Result<WhatIf, LabError> {
    let pays = layout.pays(section).ok_or_else(|| {
        LabError::OutOfRange(format!("the layout {name} has no section {section}"))
    })?;
    if odds.is_none() && edge.is_none() {
        return Err(LabError::OutOfRange(format!(
            "nothing is changed: write {section}=ODDS, or give --edge"
        )));
    }
    let before: Vec<Odds> = pays.lines().iter().map(|line| line.is).collect();
    let ways = section.ways()[..before.len()].to_vec();
    let after = odds.unwrap_or_else(|| before.clone());
    Ok(WhatIf {
        layout: name.to_owned(),
        section: section.to_string(),
        before: value(&before, &ways),
        after: value(&after, &ways),
        wanted_edge: edge.map(|edge| edge.to_string()),
        wanted: edge
            .map(|edge| {
                (0..after.len())
                    .map(|line| wanted(&after, &ways, line, edge))
                    .collect()
            })
            .unwrap_or_default(),
        ways,
    })
}
