//! Exact maths over the 216 outcomes: the par values of a section, and the
//! profile of the house's result for a mix of stakes.
//!
//! Everything is an exact ratio; a float appears only when a number is printed.

use std::collections::BTreeMap;

use num_traits::Zero;

use crate::Ratio;
use crate::dice::Outcome;
use crate::layout::Layout;
use crate::money::Money;
use crate::pay_table::Pays;
use crate::section::Section;
use crate::settlement::Inexact;

/// The par values of one section on one layout, per unit staked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Par {
    /// The section.
    pub section: Section,
    /// Winning outcomes by line of odds.
    pub ways_by_line: Vec<u32>,
    /// What comes back on average, stake included.
    pub returned: Ratio,
    /// Variance of the result.
    pub variance: Ratio,
}

impl Par {
    /// Par values, or `None` when the layout does not offer the section.
    #[must_use]
    pub fn of(layout: &Layout, section: Section) -> Option<Par> {
        Some(Par::of_pays(section, layout.pays(section)?))
    }

    /// Par values of a section at these odds.
    #[must_use]
    pub fn of_pays(section: Section, pays: &Pays) -> Par {
        let lines = pays.lines();
        let ways_by_line: Vec<u32> = section.ways()[..lines.len()].to_vec();
        let mut returned = Ratio::zero();
        let mut squared = Ratio::zero();
        for (line, ways) in lines.iter().zip(&ways_by_line) {
            let gross = line.is.ratio() + Ratio::from_integer(1);
            let weight = Ratio::new(i128::from(*ways), 216);
            returned += gross * weight;
            squared += gross * gross * weight;
        }
        Par {
            section,
            ways_by_line,
            returned,
            variance: squared - returned * returned,
        }
    }

    /// Winning outcomes of 216.
    #[must_use]
    pub fn ways(&self) -> u32 {
        self.ways_by_line.iter().sum()
    }

    /// Chance that the bet wins anything.
    #[must_use]
    pub fn chance(&self) -> Ratio {
        Ratio::new(i128::from(self.ways()), 216)
    }

    /// The house's average gain per unit staked; negative favours the player.
    #[must_use]
    pub fn edge(&self) -> Ratio {
        Ratio::from_integer(1) - self.returned
    }

    /// Standard deviation, for printing.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        approx(self.variance).sqrt()
    }
}

/// The nearest float to an exact ratio, for printing only.
#[must_use]
pub fn approx(ratio: Ratio) -> f64 {
    *ratio.numer() as f64 / *ratio.denom() as f64
}

/// Stakes on the sections of one layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stakes {
    by_section: Vec<Money>,
}

impl Default for Stakes {
    fn default() -> Self {
        Stakes {
            by_section: vec![Money::ZERO; Section::COUNT],
        }
    }
}

impl Stakes {
    /// Adds to the stake on a section. `None` beyond what money can hold; nothing is changed then.
    #[must_use]
    pub fn add(&mut self, section: Section, stake: Money) -> Option<()> {
        let sum = self.by_section[section.index()].checked_add(stake)?;
        self.by_section[section.index()] = sum;
        Some(())
    }

    /// The stake on a section.
    #[must_use]
    pub fn on(&self, section: Section) -> Money {
        self.by_section[section.index()]
    }

    /// Sections with a stake, in stable order.
    pub fn iter(&self) -> impl Iterator<Item = (Section, Money)> + '_ {
        Section::ALL
            .into_iter()
            .map(|section| (section, self.on(section)))
            .filter(|(_, stake)| *stake != Money::ZERO)
    }

    /// All stakes together.
    #[must_use]
    pub fn total(&self) -> Money {
        self.by_section.iter().copied().sum()
    }
}

/// The house's result for one mix of stakes over all 216 outcomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    /// All stakes together.
    pub staked: Money,
    /// House result by outcome, in the order of [`Outcome::all`]; negative where the house pays.
    pub by_outcome: Vec<Money>,
}

impl Profile {
    /// The profile of `stakes` under a layout.
    ///
    /// # Errors
    /// When a stake could not be paid exactly.
    pub fn of(layout: &Layout, stakes: &Stakes) -> Result<Profile, Inexact> {
        let staked = stakes.total();
        let by_outcome = Outcome::all()
            .map(|outcome| {
                let mut returned = Money::ZERO;
                for (section, stake) in stakes.iter() {
                    returned += layout
                        .settlement()
                        .returned(outcome.dice(), section, stake)?;
                }
                Ok(staked - returned)
            })
            .collect::<Result<Vec<Money>, Inexact>>()?;
        Ok(Profile { staked, by_outcome })
    }

    /// Adds another layout's profile: one round settles under several pay tables.
    pub fn merge(&mut self, other: &Profile) {
        self.staked += other.staked;
        for (mine, theirs) in self.by_outcome.iter_mut().zip(&other.by_outcome) {
            *mine += *theirs;
        }
    }

    /// Average house result of a round, in minor units.
    #[must_use]
    pub fn mean(&self) -> Ratio {
        let sum: i128 = self
            .by_outcome
            .iter()
            .map(|result| i128::from(result.minor()))
            .sum();
        Ratio::new(sum, 216)
    }

    /// Variance of the house result of a round, in squared minor units.
    #[must_use]
    pub fn variance(&self) -> Ratio {
        let squares: i128 = self
            .by_outcome
            .iter()
            .map(|result| i128::from(result.minor()).pow(2))
            .sum();
        let mean = self.mean();
        Ratio::new(squares, 216) - mean * mean
    }

    /// The worst result for the house and the outcomes that give it.
    #[must_use]
    pub fn worst(&self) -> (Money, Vec<Outcome>) {
        let worst = self.by_outcome.iter().copied().min().unwrap_or(Money::ZERO);
        let outcomes = Outcome::all()
            .filter(|outcome| self.by_outcome[outcome.index()] == worst)
            .collect();
        (worst, outcomes)
    }

    /// The exact distribution: each possible house result and its ways of 216, worst first.
    #[must_use]
    pub fn distribution(&self) -> BTreeMap<Money, u32> {
        let mut ways = BTreeMap::new();
        for result in &self.by_outcome {
            *ways.entry(*result).or_insert(0) += 1;
        }
        ways
    }
}
