//! How large a bias a record could have shown: without it, "no evidence of
//! bias" after three results reads like a pass.

use serde::Serialize;

use crate::stats::{chi_square_critical, noncentral_chi_square_tail};

/// The share of such records in which the bias would have been found.
const FOUND: f64 = 0.9;

/// How large a bias the test of faces would have found.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Power {
    /// Found in this share of such records.
    pub found: f64,
    /// A face of all three dice that comes up so much more often than one in
    /// six, e.g. 0.3 for 30 %; `null` when no bias could be found.
    pub heavier_on_all_dice: Option<f64>,
    /// The same when only one of the three dice is biased.
    pub heavier_on_one_die: Option<f64>,
}

/// A face that always comes up is five times heavier than it should be.
const HEAVIEST: f64 = 5.0;

impl Power {
    /// Of the test of faces over `results`, one of `tests` held to `level` together.
    #[must_use]
    pub fn of(results: u64, tests: usize, level: f64) -> Power {
        let critical = chi_square_critical(5, level / tests.max(1) as f64);
        let least = |part: f64| {
            // The chi-square test of faces needs five of each.
            if results * 3 < 30 {
                return None;
            }
            let found = |heavier: f64| chance(results, heavier * part, critical) >= FOUND;
            if !found(HEAVIEST) {
                return None;
            }
            let (mut low, mut high) = (0.0, HEAVIEST);
            for _ in 0..60 {
                let middle = (low + high) / 2.0;
                if found(middle) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            Some(high)
        };
        Power {
            found: FOUND,
            heavier_on_all_dice: least(1.0),
            heavier_on_one_die: least(1.0 / 3.0),
        }
    }

    /// In a sentence.
    #[must_use]
    pub fn words(&self, results: u64) -> String {
        match (self.heavier_on_all_dice, self.heavier_on_one_die) {
            (Some(all), Some(one)) => format!(
                "Power: with {} results a face {} more often on all three dice is found 9 times in 10, on one die of three if {} more often",
                crate::plot::group(&results.to_string()),
                percent(all),
                percent(one),
            ),
            (Some(all), None) => format!(
                "Power: with {} results a face {} more often on all three dice is found 9 times in 10; on one die of three no bias is",
                crate::plot::group(&results.to_string()),
                percent(all),
            ),
            (None, _) => format!(
                "Power: {} results are too few to find any bias 9 times in 10",
                crate::plot::group(&results.to_string())
            ),
        }
    }
}

/// A bias in percent, rounded up: what is promised is found.
fn percent(heavier: f64) -> String {
    let percent = heavier * 100.0;
    if percent < 9.95 {
        format!("{:.1} %", (percent * 10.0).ceil() / 10.0)
    } else {
        format!("{:.0} %", percent.ceil())
    }
}

/// Chance that the chi-square of faces exceeds the critical value when one
/// face is `heavier` and the other five share what is left.
fn chance(results: u64, heavier: f64, critical: f64) -> f64 {
    // Sum of squared distances over expected shares: d^2/6 and five times (d/5)^2/6, times six.
    let noncentrality = 3.0 * results as f64 * heavier * heavier * 1.2 / 6.0;
    noncentral_chi_square_tail(critical, 5, noncentrality)
}
