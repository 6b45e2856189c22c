//! How far the hold strays from the edge over a number of rounds: quantiles of
//! the house's result, exactly where the distribution can be found.

use serde::Serialize;
use sicbo_rules::maths::approx;

use crate::distribution::{Distribution, Method};
use crate::game::Profile;
use crate::stats::normal_width;

/// The hold over so many rounds of the same stakes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HoldRange {
    /// Rounds.
    pub rounds: u64,
    /// The middle share of all such stretches of play that the range holds, e.g. 0.9.
    pub confidence: f64,
    /// Lower end, as a share of all that is staked.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// How the distribution was found; `null` where only its normal
    /// approximation was within reach.
    pub method: Option<Method>,
}

/// The stretches of play a par sheet shows.
pub const ROUNDS: [u64; 5] = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];

impl HoldRange {
    /// The range over so many rounds.
    #[must_use]
    pub fn of(profile: &Profile, rounds: u64, confidence: f64) -> HoldRange {
        let staked = profile.staked.minor() as f64 * rounds as f64;
        let risk = (1.0 - confidence) / 2.0;
        // An error of 1e-12 moves no quantile that is printed, and a par sheet
        // has some hundred of these.
        match Distribution::by(profile, rounds, Some(Method::Fourier)) {
            Ok(exact) => HoldRange {
                rounds,
                confidence,
                low: exact.quantile(risk) as f64 / staked,
                high: exact.quantile(1.0 - risk) as f64 / staked,
                method: Some(exact.method),
            },
            Err(_) => {
                let n = rounds as f64;
                let half = normal_width(confidence) * (approx(profile.variance()) * n).sqrt();
                let mean = approx(profile.mean()) * n;
                HoldRange {
                    rounds,
                    confidence,
                    low: (mean - half) / staked,
                    high: (mean + half) / staked,
                    method: None,
                }
            }
        }
    }
}

/// Volatility index: half the width of the hold's range after one round, in
/// units staked, at this confidence; over N rounds it falls with the root of N.
#[must_use]
pub fn volatility_index(profile: &Profile, confidence: f64) -> f64 {
    normal_width(confidence) * approx(profile.variance()).sqrt() / profile.staked.minor() as f64
}
