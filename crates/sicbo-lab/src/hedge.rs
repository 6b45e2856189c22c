//! Bets beside one another: covariances of sections, and the mix of stakes
//! with the smallest variance.
//!
//! Covariances are exact. The mix is found in floating point, pair by pair,
//! until the gap to what no mix can beat is below what is stated.

use serde::Serialize;
use sicbo_rules::Ratio;
use sicbo_rules::maths::approx;

use crate::LabError;
use crate::game::{Game, Loading};
use crate::simulate::rounded_percent;

/// Covariance of two sections' results per unit staked, house side.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Covariance {
    /// The first section.
    pub first: String,
    /// The second.
    pub second: String,
    /// Exact, as a fraction.
    pub covariance: String,
    /// The nearest number.
    pub covariance_value: f64,
    /// Correlation.
    pub correlation: f64,
}

/// A section's part of a mix.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Part {
    /// The section.
    pub section: String,
    /// Its share of all that is staked.
    pub share: f64,
}

/// The mix with the smallest variance.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Hedge {
    /// Sections with more than a millionth of the stakes, largest first.
    pub parts: Vec<Part>,
    /// The house's edge on the mix, as a share of all that is staked.
    pub edge: f64,
    /// Standard deviation of a round's result per unit staked.
    pub deviation: f64,
    /// Variance of a round's result per unit staked.
    pub variance: f64,
    /// No mix has a variance lower than this one's by more than this.
    pub gap: f64,
    /// The least the house takes in a round, whatever falls, per unit staked;
    /// above zero the player loses for certain.
    pub worst_for_house: f64,
    /// The most the player can win in a round, per unit staked.
    pub best_for_player: f64,
}

/// What some sections are to each other.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MixReport {
    /// The sections looked at.
    pub sections: Vec<MixSection>,
    /// Each pair of them once, a section with itself included.
    pub covariances: Vec<Covariance>,
    /// The mix of them with the smallest variance.
    pub hedge: Hedge,
    /// The largest edge the mix may have, as a fraction; `null` without a limit.
    pub max_edge: Option<String>,
}

/// One section of the mix.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MixSection {
    /// The section.
    pub section: String,
    /// Its exact edge.
    pub edge: String,
    /// The same in percent, rounded.
    pub edge_percent: f64,
    /// Standard deviation per unit staked.
    pub deviation: f64,
}

/// Steps of the search.
const MAX_STEPS: usize = 200_000;
/// The gap at which it ends.
const GOAL: f64 = 1e-12;

/// Covariances of sections and their best mix.
///
/// # Errors
/// When no section has an edge as low as `max_edge`.
pub fn mix(
    game: &Game,
    loading: &Loading,
    sections: &[usize],
    max_edge: Option<Ratio>,
) -> Result<MixReport, LabError> {
    let profiles: Vec<_> = sections
        .iter()
        .map(|at| game.unit_profile(*at, loading))
        .collect();
    let units: Vec<Ratio> = profiles
        .iter()
        .map(|profile| Ratio::from_integer(i128::from(profile.staked.minor())))
        .collect();
    let exact = |i: usize, j: usize| profiles[i].covariance(&profiles[j]) / (units[i] * units[j]);
    let edges: Vec<Ratio> = (0..sections.len())
        .map(|i| profiles[i].mean() / units[i])
        .collect();
    let lowest = edges.iter().min().copied();
    if let (Some(limit), Some(lowest)) = (max_edge, lowest)
        && lowest > limit
    {
        return Err(LabError::OutOfRange(format!(
            "no mix has an edge of at most {limit}: the lowest edge of these sections is {lowest}"
        )));
    }
    let count = sections.len();
    let pairs = (0..count).flat_map(|i| (i..count).map(move |j| (i, j)));
    let covariances: Vec<(usize, usize, Ratio)> = pairs.map(|(i, j)| (i, j, exact(i, j))).collect();
    let mut matrix = vec![vec![0.0; count]; count];
    for (i, j, covariance) in &covariances {
        matrix[*i][*j] = approx(*covariance);
        matrix[*j][*i] = approx(*covariance);
    }
    let name = |i: usize| game.bets[sections[i]].name.clone();
    let deviation = |i: usize| matrix[i][i].sqrt();
    let means: Vec<f64> = edges.iter().map(|edge| approx(*edge)).collect();
    let (weights, gap) = search(&matrix, &means, max_edge.map(approx));
    let results: Vec<f64> = (0..sicbo_rules::Outcome::COUNT)
        .filter(|outcome| loading.weights()[*outcome] > 0)
        .map(|outcome| {
            let one =
                |i: usize| profiles[i].by_outcome[outcome] as f64 / approx(units[i]) * weights[i];
            (0..count).map(one).sum()
        })
        .collect();
    let worst = results.iter().copied().fold(f64::INFINITY, f64::min);
    let variance = quadratic(&matrix, &weights);
    let mut parts: Vec<Part> = (0..count)
        .filter(|i| weights[*i] > 1e-6)
        .map(|i| Part {
            section: name(i),
            share: weights[i],
        })
        .collect();
    parts.sort_by(|a, b| b.share.total_cmp(&a.share));
    Ok(MixReport {
        sections: (0..count)
            .map(|i| MixSection {
                section: name(i),
                edge: edges[i].to_string(),
                edge_percent: rounded_percent(edges[i]),
                deviation: deviation(i),
            })
            .collect(),
        hedge: Hedge {
            parts,
            edge: means.iter().zip(&weights).map(|(m, w)| m * w).sum(),
            deviation: variance.max(0.0).sqrt(),
            variance: variance.max(0.0),
            gap,
            worst_for_house: worst,
            best_for_player: -worst,
        },
        covariances: covariances
            .into_iter()
            .map(|(i, j, covariance)| Covariance {
                first: name(i),
                second: name(j),
                covariance: covariance.to_string(),
                covariance_value: approx(covariance),
                correlation: approx(covariance) / (deviation(i) * deviation(j)),
            })
            .collect(),
        max_edge: max_edge.map(|edge| edge.to_string()),
    })
}

fn quadratic(matrix: &[Vec<f64>], weights: &[f64]) -> f64 {
    let row = |row: &Vec<f64>| -> f64 { row.iter().zip(weights).map(|(a, w)| a * w).sum() };
    matrix.iter().zip(weights).map(|(r, w)| w * row(r)).sum()
}

/// Shares that sum to one with the smallest variance, and a bound on what is
/// left to gain. With a limit on the edge, the price of edge is raised until
/// the mix keeps it.
fn search(matrix: &[Vec<f64>], means: &[f64], limit: Option<f64>) -> (Vec<f64>, f64) {
    let free = descend(matrix, means, 0.0);
    let edge = |weights: &[f64]| -> f64 { means.iter().zip(weights).map(|(m, w)| m * w).sum() };
    let Some(limit) = limit.filter(|limit| edge(&free.0) > *limit + 1e-12) else {
        return free;
    };
    let (mut low, mut high) = (0.0, 1.0);
    while edge(&descend(matrix, means, high).0) > limit + 1e-12 && high < 1e9 {
        high *= 4.0;
    }
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if edge(&descend(matrix, means, middle).0) > limit + 1e-12 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let (weights, gap) = descend(matrix, means, high);
    // What the price of edge still leaves between this mix and the limit.
    let slack = 2.0 * high * (limit - edge(&weights)).max(0.0);
    (weights, gap + slack)
}

/// Smallest variance plus twice `price` times the edge, over shares that sum to
/// one: stakes move from the section where they cost most to where they cost least.
fn descend(matrix: &[Vec<f64>], means: &[f64], price: f64) -> (Vec<f64>, f64) {
    let count = means.len();
    let mut weights = vec![0.0; count];
    let first = (0..count).min_by(|a, b| {
        let cost = |i: usize| matrix[i][i] + 2.0 * price * means[i];
        cost(*a).total_cmp(&cost(*b))
    });
    let Some(first) = first else {
        return (weights, 0.0);
    };
    weights[first] = 1.0;
    let gradient_of = |weights: &[f64]| -> Vec<f64> {
        (0..count)
            .map(|i| {
                let row: f64 = matrix[i].iter().zip(weights).map(|(a, w)| a * w).sum();
                2.0 * row + 2.0 * price * means[i]
            })
            .collect()
    };
    let mut gradient = gradient_of(&weights);
    let mut gap = f64::INFINITY;
    for step in 0..MAX_STEPS {
        if step % 1024 == 1023 {
            // Rounding adds up in the running gradient.
            gradient = gradient_of(&weights);
        }
        let to = (0..count).min_by(|a, b| gradient[*a].total_cmp(&gradient[*b]));
        let from = (0..count)
            .filter(|i| weights[*i] > 0.0)
            .max_by(|a, b| gradient[*a].total_cmp(&gradient[*b]));
        let (Some(to), Some(from)) = (to, from) else {
            break;
        };
        let average: f64 = gradient.iter().zip(&weights).map(|(g, w)| g * w).sum();
        gap = (average - gradient[to]).max(0.0);
        if gap <= GOAL || from == to {
            break;
        }
        let curve = 2.0 * (matrix[to][to] + matrix[from][from] - 2.0 * matrix[to][from]);
        let wanted = (gradient[from] - gradient[to]) / curve.max(1e-300);
        let moved = wanted.min(weights[from]);
        weights[to] += moved;
        weights[from] = if wanted >= weights[from] {
            0.0
        } else {
            weights[from] - moved
        };
        for (g, row) in gradient.iter_mut().zip(matrix) {
            *g += 2.0 * moved * (row[to] - row[from]);
        }
    }
    (weights, gap)
}
