//! Exposure: what the house can lose on the stakes now on the layout, outcome
//! by outcome, and what limits would keep the worst case under a sum.

use serde::Serialize;
use sicbo_rules::{Dice, Layout, Money, Outcome, Profile, Section, Stakes};

use crate::LabError;

/// The house's result on one kind of dice, whatever their order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// The dice from lowest to highest: `1-1-6`.
    pub dice: String,
    /// How many of the 216 outcomes show them.
    pub ways: u32,
    /// The house's result, in minor units; negative where it pays.
    pub house_minor: i64,
}

/// One of the 216 outcomes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Point {
    /// The dice in order.
    pub dice: String,
    /// The house's result, in minor units; negative where it pays.
    pub house_minor: i64,
}

/// The limit for one section.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SectionLimit {
    /// The section.
    pub section: String,
    /// The most that may stand on it when nothing else is staked, in minor units.
    pub alone_minor: i64,
}

/// Limits that keep the worst case under a sum.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Limits {
    /// The most the house is ready to lose in a round, in minor units.
    pub worst_minor: i64,
    /// By how much all stakes could be multiplied, as a fraction; `null` when they can never lose.
    pub factor: Option<String>,
    /// The stakes multiplied as far as whole chips allow, in the same proportions.
    pub scaled: Option<Vec<(String, i64)>>,
    /// The most that may stand on each section so that no mix of stakes whatever exceeds the sum.
    pub any_mix_minor: i64,
    /// The outcome that any mix is worst on.
    pub any_mix_dice: String,
    /// The most for each section alone.
    pub alone: Vec<SectionLimit>,
}

/// The exposure of a mix of stakes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Exposure {
    /// Full name of the layout.
    pub layout: String,
    /// All stakes together, in minor units.
    pub staked_minor: i64,
    /// The worst result, in minor units.
    pub worst_minor: i64,
    /// The best result, in minor units.
    pub best_minor: i64,
    /// The average result, in minor units, as a fraction.
    pub mean_minor: String,
    /// How many of the 216 outcomes cost the house money.
    pub losing_ways: u32,
    /// The 56 kinds of dice, worst first.
    pub lines: Vec<Line>,
    /// All 216 outcomes, 1-1-1 to 6-6-6.
    pub outcomes: Vec<Point>,
    /// Limits, when a sum was given.
    pub limits: Option<Limits>,
}

impl Exposure {
    /// The exposure of stakes on a layout; with limits when `most_lost` is given.
    ///
    /// # Errors
    /// When a stake cannot be paid exactly.
    pub fn of(
        name: &str,
        layout: &Layout,
        stakes: &Stakes,
        unit: Money,
        most_lost: Option<Money>,
    ) -> Result<Exposure, LabError> {
        let profile = Profile::of(layout, stakes)?;
        let house = |outcome: Outcome| profile.by_outcome[outcome.index()].minor();
        let mut lines: Vec<Line> = Outcome::all()
            .filter(|outcome| outcome.dice() == outcome.dice().sorted())
            .map(|outcome| Line {
                dice: outcome.dice().to_string(),
                ways: orders(outcome.dice()),
                house_minor: house(outcome),
            })
            .collect();
        lines.sort_by_key(|line| line.house_minor);
        let outcomes = Outcome::all()
            .map(|outcome| Point {
                dice: outcome.dice().to_string(),
                house_minor: house(outcome),
            })
            .collect();
        Ok(Exposure {
            layout: name.to_owned(),
            staked_minor: profile.staked.minor(),
            worst_minor: lines.first().map_or(0, |line| line.house_minor),
            best_minor: lines.last().map_or(0, |line| line.house_minor),
            mean_minor: profile.mean().to_string(),
            losing_ways: lines
                .iter()
                .filter(|line| line.house_minor < 0)
                .map(|line| line.ways)
                .sum(),
            limits: most_lost.map(|most| limits(layout, stakes, &profile, unit, most)),
            lines,
            outcomes,
        })
    }

    /// The whole profile as CSV, with a header.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = String::from("dice,house_minor\n");
        for point in &self.outcomes {
            text.push_str(&format!("{},{}\n", point.dice, point.house_minor));
        }
        text
    }
}

/// In how many orders these dice can be read.
fn orders(dice: Dice) -> u32 {
    Outcome::all()
        .filter(|other| other.dice().sorted() == dice.sorted())
        .count() as u32
}

/// What the house pays beyond the stake, in halves of it; nothing on a lost bet.
fn profit_halves(layout: &Layout, dice: Dice, section: Section) -> i64 {
    (i64::from(layout.settlement().row(dice)[section.index()]) - 2).max(0)
}

fn limits(layout: &Layout, stakes: &Stakes, profile: &Profile, unit: Money, most: Money) -> Limits {
    let (worst, _) = profile.worst();
    let lost = -worst.minor();
    // Rounded down to whole chips: twice the sum, over twice the odds.
    let chips = |halves: i64| match halves {
        0 => most.minor() / unit.minor() * unit.minor(),
        halves => 2 * most.minor() / halves / unit.minor() * unit.minor(),
    };
    let all_winners = |outcome: Outcome| -> i64 {
        layout
            .sections()
            .map(|section| profit_halves(layout, outcome.dice(), section))
            .sum()
    };
    // The worst any players could do is to stand on exactly what wins.
    let costliest =
        Outcome::all().max_by_key(|outcome| (all_winners(*outcome), 216 - outcome.index()));
    // The smallest stakes in these proportions that chips can make.
    let parts = stakes
        .iter()
        .map(|(_, stake)| stake.minor() / unit.minor())
        .fold(0, num_integer::gcd);
    Limits {
        worst_minor: most.minor(),
        factor: (lost > 0).then(|| {
            sicbo_rules::Ratio::new(i128::from(most.minor()), i128::from(lost)).to_string()
        }),
        scaled: (lost > 0 && parts > 0).then(|| {
            let times = i128::from(most.minor()) * i128::from(parts) / i128::from(lost);
            let scale = |stake: Money| (i128::from(stake.minor() / parts) * times) as i64;
            stakes
                .iter()
                .map(|(section, stake)| (section.to_string(), scale(stake)))
                .collect()
        }),
        any_mix_minor: chips(costliest.map_or(0, all_winners)),
        any_mix_dice: costliest
            .map_or_else(String::new, |outcome| outcome.dice().sorted().to_string()),
        alone: layout
            .sections()
            .map(|section| SectionLimit {
                section: section.to_string(),
                alone_minor: chips(
                    Outcome::all()
                        .map(|outcome| profit_halves(layout, outcome.dice(), section))
                        .max()
                        .unwrap_or(0),
                ),
            })
            .collect(),
    }
}
