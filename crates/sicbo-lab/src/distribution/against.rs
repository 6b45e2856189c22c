//! The exact distribution beside really drawn rounds.

use num_traits::ToPrimitive;
use rayon::prelude::*;
use serde::Serialize;
use sicbo_rules::maths::approx;

use super::Distribution;
use crate::LabError;
use crate::game::Profile;
use crate::simulate::Run;
use crate::stats::{chi_square_tail, two_sided};

/// The exact distribution beside really drawn rounds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Against {
    /// How many times the rounds were played.
    pub sessions: usize,
    /// Share of them that the house lost.
    pub loss: f64,
    /// Mean of the house's result, in minor units.
    pub mean_minor: f64,
    /// Standard errors that this mean lies above the exact one.
    pub mean_z: f64,
    /// Chance of a mean as far off or further.
    pub mean_p: f64,
    /// Largest distance between the two cumulative distributions; it has no
    /// chance of its own, for results lie on a lattice.
    pub distance: f64,
    /// Chi-square of the results, pooled into cells of like probability.
    pub chi_square: Option<f64>,
    /// Its degrees of freedom.
    pub degrees: Option<u32>,
    /// Chance of a chi-square as large or larger; `null` with too few sessions.
    pub p: Option<f64>,
    /// The results, in rising order, in minor units.
    #[serde(skip)]
    pub results_minor: Vec<i64>,
}

/// No more cells than this; fewer where a cell would be expected less than
/// [`MIN_EXPECTED`] times.
const MAX_CELLS: f64 = 50.0;
const MIN_EXPECTED: f64 = 10.0;

impl Distribution {
    /// Plays the rounds so many times. Each session has a stream of its own.
    ///
    /// # Errors
    /// When threads cannot be started, or there are too many rounds.
    pub fn against(
        &self,
        profile: &Profile,
        run: &Run,
        sessions: usize,
    ) -> Result<Against, LabError> {
        let rounds = u32::try_from(self.rounds)
            .ok()
            .filter(|rounds| *rounds <= 1 << 31)
            .ok_or_else(|| LabError::OutOfRange("too many rounds to simulate".to_owned()))?;
        let session = |index: u64| -> i64 {
            let counted = run.stream_of(index, &profile.loading, rounds);
            let results = profile.by_outcome.iter().zip(counted.counts());
            results
                .map(|(result, count)| result * count.cast_signed())
                .sum()
        };
        let mut results: Vec<i64> =
            run.on_threads(|| (0..sessions as u64).into_par_iter().map(session).collect())?;
        results.sort_unstable();
        Ok(self.compare(profile, results))
    }

    /// Results beside the distribution; they are sorted and there is at least one.
    fn compare(&self, profile: &Profile, results: Vec<i64>) -> Against {
        let sessions = results.len();
        let share = |count: usize| count as f64 / sessions as f64;
        let least = (sessions as f64 / MAX_CELLS).max(MIN_EXPECTED) / sessions as f64;
        let mut distance: f64 = 0.0;
        let (mut sum, mut seen) = (0.0, 0);
        // Probability and count of the cells, the open one last.
        let mut cells: Vec<(f64, usize)> = vec![(0.0, 0)];
        for (position, probability) in self.probability.iter().enumerate() {
            sum += probability;
            let result = self.result_minor(position);
            let before = seen;
            while results
                .get(seen)
                .is_some_and(|next| i128::from(*next) <= result)
            {
                seen += 1;
            }
            distance = distance.max((sum - share(seen)).abs());
            if let Some(open) = cells.last_mut() {
                *open = (open.0 + probability, open.1 + seen - before);
                if open.0 >= least && 1.0 - sum >= least {
                    cells.push((0.0, 0));
                }
            }
        }
        // What lies beyond the listed results belongs to the last cell.
        if let Some(last) = cells.last_mut() {
            *last = (last.0 + (1.0 - sum).max(0.0), last.1 + sessions - seen);
        }
        let chi_square = (cells.len() >= 2
            && sessions as f64 * least >= MIN_EXPECTED - 1e-9
            && cells
                .iter()
                .all(|cell| cell.0 * sessions as f64 >= MIN_EXPECTED / 2.0))
        .then(|| {
            let off = |(share, count): &(f64, usize)| {
                let expected = share * sessions as f64;
                (*count as f64 - expected).powi(2) / expected
            };
            cells.iter().map(off).sum::<f64>()
        });
        let degrees = (cells.len() - 1) as u32;
        let total: i128 = results.iter().map(|result| i128::from(*result)).sum();
        let mean = total.to_f64().unwrap_or(f64::NAN) / sessions as f64;
        let rounds = self.rounds as f64;
        let error = (approx(profile.variance()) * rounds / sessions as f64).sqrt();
        let z = if error > 0.0 {
            (mean - approx(profile.mean()) * rounds) / error
        } else {
            0.0
        };
        Against {
            sessions,
            loss: share(results.partition_point(|result| *result < 0)),
            mean_minor: mean,
            mean_z: z,
            mean_p: two_sided(z),
            distance,
            chi_square,
            degrees: chi_square.map(|_| degrees),
            p: chi_square.map(|statistic| chi_square_tail(statistic, degrees)),
            results_minor: results,
        }
    }
}
