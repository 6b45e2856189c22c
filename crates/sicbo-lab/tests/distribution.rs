//! Exact distributions against brute force, against moments, and against each other.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use std::collections::BTreeMap;

use num_bigint::BigUint;
use sicbo_lab::distribution::{Distribution, Method};
use sicbo_lab::game::{Game, Loading, Profile};
use sicbo_lab::stakes::Rules;
use sicbo_lab::{Run, Seed};
use sicbo_rules::rulebook::find_layout;
use sicbo_rules::{Currency, Money};

use crate::fresh_seed;

fn profile(layout: &str, stakes: &str) -> Profile {
    weighted(layout, stakes, &Loading::fair())
}

fn weighted(layout: &str, stakes: &str, loading: &Loading) -> Profile {
    let (book, layout) = find_layout(layout).unwrap();
    let game = Game::of(book, layout);
    let rules = Rules {
        game: &game,
        currency: Currency::SGD,
        unit: Money::from_minor(50),
    };
    game.profile(&rules.read(stakes).unwrap(), loading).unwrap()
}

fn cases() -> Vec<Profile> {
    vec![
        profile("rws-open-cover/c", "big 10"),
        profile("mbs-etg/rapid", "total:11 5"),
        profile("mbs-etg/rapid", "small 10\nbig 10"),
        profile("rws-etg/a", "single:3 2\nany-triple 1\nodd 7.50"),
        profile("quang-nam-table/a", "single:1 1\npair:1-2 3\ntriple:6 1"),
    ]
}

/// All 216^N sequences of outcomes, one by one.
fn brute_force(profile: &Profile, rounds: u32) -> BTreeMap<i128, u64> {
    let mut ways = BTreeMap::new();
    let results: Vec<i128> = profile.by_outcome.iter().map(|r| i128::from(*r)).collect();
    let mut sequence = vec![0usize; rounds as usize];
    loop {
        let sum: i128 = sequence.iter().map(|outcome| results[*outcome]).sum();
        *ways.entry(sum).or_insert(0) += 1;
        let Some(place) = sequence.iter().position(|outcome| *outcome < 215) else {
            return ways;
        };
        sequence[place] += 1;
        sequence[..place].fill(0);
    }
}

#[test]
fn small_cases_equal_brute_force() {
    for profile in cases() {
        for rounds in 1..=3 {
            // 216^3 is ten million: once is enough for three rounds.
            if rounds == 3 && profile != cases()[3] {
                continue;
            }
            let expected = brute_force(&profile, rounds);
            let all = 216f64.powi(rounds as i32);
            for method in [Method::Exact, Method::Direct, Method::Fourier] {
                let got = Distribution::by(&profile, u64::from(rounds), Some(method)).unwrap();
                for (position, probability) in got.probability.iter().enumerate() {
                    let ways = expected
                        .get(&got.result_minor(position))
                        .copied()
                        .unwrap_or(0);
                    if let Some(exact) = &got.ways {
                        assert_eq!(exact[position], BigUint::from(ways));
                    }
                    assert!(
                        (probability - ways as f64 / all).abs() < 2e-14,
                        "{method:?} {rounds}"
                    );
                }
                assert!(got.checks.agree, "{method:?}");
            }
        }
    }
}

#[test]
fn a_coin_like_bet_gives_the_binomial_distribution() {
    // Big wins 105 of 216 at evens; the ways of k wins are known in closed form.
    let got = Distribution::of(&profile("rws-open-cover/c", "big 1"), 1000).unwrap();
    assert_eq!(got.method, Method::Exact);
    let ways = got.ways.as_ref().unwrap();
    let mut binomial = BigUint::from(1u32);
    for player_losses in 0..=1000u32 {
        let expected = &binomial
            * BigUint::from(111u32).pow(player_losses)
            * BigUint::from(105u32).pow(1000 - player_losses);
        assert_eq!(ways[player_losses as usize], expected);
        binomial = binomial * (1000 - player_losses) / (player_losses + 1);
    }
    assert_eq!(got.result_minor(0), -100_000);
    assert_eq!(got.step_minor, 200);
}

#[test]
fn the_methods_agree_and_match_moments_known_independently() {
    for profile in cases() {
        for rounds in [1, 2, 17, 100] {
            let exact = Distribution::by(&profile, rounds, Some(Method::Exact)).unwrap();
            assert!(exact.checks.agree);
            let sum: BigUint = exact.ways.as_ref().unwrap().iter().sum();
            assert_eq!(sum, BigUint::from(216u32).pow(rounds as u32));
            for method in [Method::Direct, Method::Fourier] {
                let other = Distribution::by(&profile, rounds, Some(method)).unwrap();
                assert!(other.checks.agree, "{method:?} {rounds} {:?}", other.checks);
                let offset =
                    (other.lowest_minor - exact.lowest_minor) / i128::from(exact.step_minor);
                for (a, b) in exact
                    .probability
                    .iter()
                    .skip(offset as usize)
                    .zip(&other.probability)
                {
                    match method {
                        Method::Direct => assert!((a - b).abs() <= a * 1e-12 + 1e-300, "{a} {b}"),
                        _ => assert!((a - b).abs() < 1e-13, "{a} {b}"),
                    }
                }
            }
        }
    }
}

#[test]
fn many_rounds_are_done_by_fourier_and_too_many_refused() {
    let big = profile("rws-open-cover/c", "big 1");
    let got = Distribution::of(&big, 200_000).unwrap();
    assert_eq!(got.method, Method::Fourier);
    assert!(got.checks.agree, "{:?}", got.checks);
    // Against the normal law, which fits to about one part in the root of the rounds.
    let billion = Distribution::of(&big, 1_000_000_000).unwrap();
    assert!(billion.checks.agree, "{:?}", billion.checks);
    let deviation = (1e9 * (1.0 - (6.0f64 / 216.0).powi(2))).sqrt() * 100.0;
    let median = 1e9 * 600.0 / 216.0;
    assert!((billion.quantile(0.5) as f64 - median).abs() < 300.0);
    assert!((billion.quantile(0.975) as f64 - median - 1.959_964 * deviation).abs() < 400.0);
    let refused = Distribution::of(&big, 1_000_000_000_000).err().unwrap();
    let text = refused.to_string();
    assert!(text.contains("rounds are possible"), "{text}");
    assert!(Distribution::of(&big, 0).is_err());
}

#[test]
fn quantiles_and_loss_are_those_of_one_round() {
    let one = Distribution::of(&profile("rws-open-cover/c", "big 10"), 1).unwrap();
    assert!((one.chance(|result| result < 0) - 105.0 / 216.0).abs() < 1e-15);
    assert_eq!(one.quantile(0.01), -1000);
    assert_eq!(one.quantile(105.0 / 216.0), -1000);
    assert_eq!(one.quantile(0.5), 1000);
    assert_eq!(one.quantile(1.0), 1000);
    let certain = Distribution::of(&profile("mbs-etg/rapid", "small 10"), 1).unwrap();
    assert!(
        certain
            .csv()
            .starts_with("result_minor,probability,cumulative,error_bound,ways\n-1000,")
    );
}

#[test]
fn really_drawn_rounds_follow_the_exact_distribution() {
    for profile in cases() {
        let exact = Distribution::of(&profile, 50).unwrap();
        let drawn = exact.against(&profile, &Run::new(Seed(5)), 4000).unwrap();
        assert!(drawn.p.unwrap() > 1e-3, "{drawn:?}");
        // A wrong distribution is seen: that of one round more.
        let other = Distribution::of(&profile, 51).unwrap();
        assert!(other.checks.agree);
    }
    let big = profile("rws-open-cover/c", "big 10");
    let lie = profile("rws-open-cover/c", "total:4 10");
    let drawn = Distribution::of(&lie, 50)
        .unwrap()
        .against(&big, &Run::new(Seed(5)), 4000)
        .unwrap();
    assert!(drawn.p.unwrap() < 1e-9);
}

/// `dist` printed noise as figures: 3.38e-15 for a loss over 100,000 rounds of
/// big whose chance is 7.5e-19, and 113,431 CSV rows below the stated error.
#[test]
fn figures_below_the_error_are_left_out_and_tails_are_tilted() {
    let big = profile("rws-open-cover/c", "big 10");
    let got = Distribution::by(&big, 100_000, Some(Method::Fourier)).unwrap();
    for line in got.csv().lines().skip(1) {
        let p: f64 = line.split(',').nth(1).unwrap().parse().unwrap();
        assert!(p >= got.error_bound, "{line}");
    }
    let loss = got.at_most(-1);
    // Σ C(n,k) p^k q^(n-k) over k > n/2, with p = 105/216: summed by logarithms.
    let truth = binomial_upper(100_000, 50_001, 105.0 / 216.0);
    assert!(
        (loss.probability / truth - 1.0).abs() < 1e-7,
        "{} {truth}",
        loss.probability
    );
    assert!(
        (loss.probability - truth).abs() <= loss.error_bound + truth * 2e-9,
        "{loss:?} {truth}"
    );
    assert!((7.5e-19..7.6e-19).contains(&loss.probability), "{loss:?}");
    // A mix over 10,000 rounds, at the depths the review looked at.
    let mix = profile("rws-open-cover/c", "big 10\ntotal:11 5\nsingle:3 2");
    let got = Distribution::of(&mix, 10_000).unwrap();
    assert_eq!(got.method, Method::Fourier);
    let rows = got.csv().lines().count() - 1;
    assert_eq!(rows, got.listed().count());
    assert!(rows < 60_000, "{rows}");
    let deep = got.at_most(-5_000_000);
    assert!(
        deep.probability > 0.0 && deep.probability < 1e-130,
        "{deep:?}"
    );
    assert!(deep.error_bound < deep.probability * 1e-3, "{deep:?}");
}

/// Chance of at least k of n, summed from its largest term down.
fn binomial_upper(n: u64, from: u64, p: f64) -> f64 {
    let ln = |k: u64| libm_lgamma(k as f64 + 1.0);
    let term = |k: u64| {
        (ln(n) - ln(k) - ln(n - k) + k as f64 * p.ln() + (n - k) as f64 * (1.0 - p).ln()).exp()
    };
    (from..=(from + 4000).min(n)).map(term).sum()
}

/// Stirling's series: full precision for large arguments.
fn libm_lgamma(x: f64) -> f64 {
    let y = x - 1.0;
    (y + 0.5) * y.ln() - y + 0.5 * (2.0 * std::f64::consts::PI).ln() + 1.0 / (12.0 * y)
        - 1.0 / (360.0 * y.powi(3))
        + 1.0 / (1260.0 * y.powi(5))
}

#[test]
fn tilted_tails_equal_exact_ones() {
    for profile in cases() {
        let exact = Distribution::by(&profile, 300, Some(Method::Exact)).unwrap();
        let other = Distribution::by(&profile, 300, Some(Method::Fourier)).unwrap();
        let last = exact.probability.len() - 1;
        for share in [0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98] {
            let at = exact.result_minor((last as f64 * share) as usize);
            for (a, b) in [
                (exact.at_most(at), other.at_most(at)),
                (exact.at_least(at), other.at_least(at)),
                (exact.exactly(at), other.exactly(at)),
            ] {
                let near = (a.probability - b.probability).abs();
                assert!(
                    near <= b.error_bound + 1e-12 * a.probability,
                    "{share}: {a:?} {b:?}"
                );
                assert!(
                    near <= 1e-9 * a.probability + 1e-300,
                    "{share}: {a:?} {b:?}"
                );
            }
        }
        for share in [1e-40, 1e-20, 1e-9, 0.3] {
            assert_eq!(exact.quantile(share), other.quantile(share), "{share}");
        }
    }
}

/// The Kolmogorov law of continuous data gave a median p of 0.9996 with one
/// round, and almost never less than 0.05.
#[test]
fn the_p_of_a_comparison_is_uniform_when_the_dice_are_fair() {
    let big = profile("rws-open-cover/c", "big 10");
    let mix = profile("rws-open-cover/c", "big 10\ntotal:11 5\nsingle:3 2");
    let seed = fresh_seed();
    for (profile, rounds) in [(&big, 1), (&big, 10), (&mix, 20)] {
        let exact = Distribution::of(profile, rounds).unwrap();
        let times = 300;
        let ps: Vec<f64> = (0..times)
            .map(|at| {
                let run = Run {
                    threads: Some(1),
                    ..Run::new(Seed(seed.wrapping_add(at)))
                };
                exact.against(profile, &run, 500).unwrap().p.unwrap()
            })
            .collect();
        let below = |share: f64| ps.iter().filter(|p| **p < share).count();
        // Binomial counts of 300: each bound fails by chance in under 1e-9 of runs.
        assert!(
            below(0.05) <= 45,
            "{rounds}: {} below 0.05, seed {seed}",
            below(0.05)
        );
        assert!(
            (90..=210).contains(&below(0.5)),
            "{rounds}: {} below 0.5, seed {seed}",
            below(0.5)
        );
        assert!(
            below(0.2) >= 15,
            "{rounds}: {} below 0.2, seed {seed}",
            below(0.2)
        );
    }
}

/// `House loses -0.0000000000 %`, and `"loss": -0.0` in JSON.
#[test]
fn nothing_is_never_minus_nothing() {
    let level = Distribution::of(&profile("rws-etg/a", "big 10\nsmall 10"), 100).unwrap();
    for zero in [
        level.chance(|result| result < 0),
        level.at_most(-1).probability,
    ] {
        assert!(zero == 0.0 && zero.is_sign_positive());
    }
}

#[test]
fn weighted_dice_are_exact_as_well() {
    let loading = Loading::of(["1,1,1,1,1,1.1".parse().unwrap(); 3]);
    let one = weighted("rws-etg/a", "single:6 10", &loading);
    // 61 parts of which six has 11: the chance of none is (50/61)^3.
    let got = Distribution::of(&one, 1).unwrap();
    let none = (50.0f64 / 61.0).powi(3);
    assert!((got.chance(|result| result > 0) - none).abs() < 1e-15);
    for rounds in [2, 40] {
        let exact = Distribution::by(&one, rounds, Some(Method::Exact)).unwrap();
        let direct = Distribution::by(&one, rounds, Some(Method::Direct)).unwrap();
        assert!(exact.checks.agree && direct.checks.agree);
        for (a, b) in exact.probability.iter().zip(&direct.probability) {
            assert!((a - b).abs() <= 1e-12 * a, "{a} {b}");
        }
    }
}

/// Two results of one unit each way: all figures have closed forms.
#[test]
fn skewness_kurtosis_and_volatility_are_those_worked_out_by_hand() {
    let big = profile("rws-open-cover/c", "big 10");
    let (p, q) = (105.0 / 216.0_f64, 111.0 / 216.0);
    let (skewness, kurtosis) = big.shape();
    assert!(
        (skewness - (p - q) / (p * q).sqrt()).abs() < 1e-12,
        "{skewness}"
    );
    assert!(
        (kurtosis - (1.0 - 6.0 * p * q) / (p * q)).abs() < 1e-12,
        "{kurtosis}"
    );
    let index = sicbo_lab::hold::volatility_index(&big, 0.9);
    let deviation = 2.0 * (p * q).sqrt();
    assert!((index - 1.644_853_627 * deviation).abs() < 1e-8, "{index}");
}
