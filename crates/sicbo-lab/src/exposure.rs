//! Exposure: what the house can lose on the stakes now on the layout, outcome
//! by outcome, and what limits would keep the worst case under a sum.

use serde::Serialize;
use sicbo_rules::maths::approx;
use sicbo_rules::{Dice, Money, Outcome};

use crate::LabError;
use crate::game::{Bet, Game, Loading, Mix, Profile};

/// The house's result on one combination of dice, whatever their order.
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

/// A stake that the same proportions allow.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Scaled {
    /// The section.
    pub section: String,
    /// The stake, in minor units.
    pub stake_minor: i64,
}

/// Limits that keep the worst case under a sum.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Limits {
    /// The most the house is ready to lose in a round, in minor units.
    pub worst_minor: i64,
    /// By how much all stakes could be multiplied, as a fraction; `null` when they can never lose.
    pub factor: Option<String>,
    /// The stakes multiplied as far as whole chips allow, in the same proportions.
    pub scaled: Option<Vec<Scaled>>,
    /// One limit for every section alike, so that no mix of stakes whatever exceeds the sum.
    pub any_mix_minor: i64,
    /// The combinations that any mix is worst on.
    pub any_mix_dice: Vec<String>,
    /// The most for each section alone.
    pub alone: Vec<SectionLimit>,
}

/// The exposure of a mix of stakes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Exposure {
    /// All stakes together, in minor units.
    pub staked_minor: i64,
    /// The worst result, in minor units.
    pub worst_minor: i64,
    /// The chance of the worst result, as a fraction.
    pub worst_chance: String,
    /// The combinations that give it.
    pub worst_dice: Vec<String>,
    /// The most that is paid out in a round, stakes included, in minor units.
    pub largest_payout_minor: i64,
    /// The best result, in minor units.
    pub best_minor: i64,
    /// The average result, in minor units, as a fraction.
    pub mean_exact_minor: String,
    /// The same as the nearest number.
    pub mean_minor: f64,
    /// Standard deviation of the result, in minor units.
    pub deviation_minor: f64,
    /// How many of the 216 outcomes cost the house money.
    pub losing_ways: u32,
    /// The chance that the round costs the house money, as a fraction.
    pub losing_chance: String,
    /// The 56 combinations, worst first.
    pub lines: Vec<Line>,
    /// All 216 outcomes, 1-1-1 to 6-6-6.
    pub outcomes: Vec<Point>,
    /// Limits, when a sum was given.
    pub limits: Option<Limits>,
}

impl Exposure {
    /// The exposure of stakes; with limits when `most_lost` is given.
    ///
    /// # Errors
    /// When a stake cannot be paid exactly.
    pub fn of(
        game: &Game,
        mix: &Mix,
        loading: &Loading,
        unit: Money,
        most_lost: Option<Money>,
    ) -> Result<Exposure, LabError> {
        let profile = game.profile(mix, loading)?;
        let house = |outcome: Outcome| profile.by_outcome[outcome.index()];
        let mut lines: Vec<Line> = combinations()
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
        let worst = lines.first().map_or(0, |line| line.house_minor);
        let chance = |is: &dyn Fn(i64) -> bool| {
            loading
                .chance(|index| is(profile.by_outcome[index]))
                .to_string()
        };
        Ok(Exposure {
            staked_minor: profile.staked.minor(),
            worst_minor: worst,
            worst_chance: chance(&|result| result == worst),
            worst_dice: lines
                .iter()
                .take_while(|line| line.house_minor == worst)
                .map(|line| line.dice.clone())
                .collect(),
            largest_payout_minor: profile.staked.minor() - worst,
            best_minor: lines.last().map_or(0, |line| line.house_minor),
            mean_exact_minor: profile.mean().to_string(),
            mean_minor: approx(profile.mean()),
            deviation_minor: approx(profile.variance()).sqrt(),
            losing_ways: lines
                .iter()
                .filter(|line| line.house_minor < 0)
                .map(|line| line.ways)
                .sum(),
            losing_chance: chance(&|result| result < 0),
            limits: most_lost.map(|most| limits(game, mix, &profile, unit, most)),
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

/// One outcome of each of the 56 combinations.
fn combinations() -> impl Iterator<Item = Outcome> {
    Outcome::all().filter(|outcome| outcome.dice() == outcome.dice().sorted())
}

/// In how many orders these dice can be read.
fn orders(dice: Dice) -> u32 {
    Outcome::all()
        .filter(|other| other.dice().sorted() == dice.sorted())
        .count() as u32
}

/// What the house pays beyond the stake for a stake of the common denominator;
/// nothing on a lost bet.
fn profit(bet: &Bet, common: i64, outcome: Outcome) -> i64 {
    let gross = bet.back()[outcome.index()] * (common / bet.denominator());
    (gross - common).max(0)
}

fn limits(game: &Game, mix: &Mix, profile: &Profile, unit: Money, most: Money) -> Limits {
    let lost = -profile.worst_minor();
    let common = game.denominator();
    // Rounded down to whole chips.
    let chips = |profit: i64| {
        let allowed = match profit {
            0 => i128::from(most.minor()),
            profit => i128::from(most.minor()) * i128::from(common) / i128::from(profit),
        };
        (allowed / i128::from(unit.minor()) * i128::from(unit.minor())) as i64
    };
    let all_winners = |outcome: Outcome| -> i64 {
        let profits = game.bets.iter().map(|bet| profit(bet, common, outcome));
        profits.sum()
    };
    // The worst any players could do is to stand on exactly what wins.
    let costliest = combinations().map(all_winners).max().unwrap_or(0);
    // The smallest stakes in these proportions that chips can make.
    let parts = mix
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
            mix.iter()
                .map(|(at, stake)| Scaled {
                    section: game.bets[at].name.clone(),
                    stake_minor: scale(stake),
                })
                .collect()
        }),
        any_mix_minor: chips(costliest),
        any_mix_dice: combinations()
            .filter(|outcome| all_winners(*outcome) == costliest)
            .map(|outcome| outcome.dice().to_string())
            .collect(),
        alone: game
            .bets
            .iter()
            .map(|bet| SectionLimit {
                section: bet.name.clone(),
                alone_minor: chips(
                    Outcome::all()
                        .map(|outcome| profit(bet, common, outcome))
                        .max()
                        .unwrap_or(0),
                ),
            })
            .collect(),
    }
}
