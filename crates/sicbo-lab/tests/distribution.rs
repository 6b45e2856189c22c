//! Exact distributions against brute force, against moments, and against each other.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use std::collections::BTreeMap;

use num_bigint::BigUint;
use sicbo_lab::distribution::{Distribution, Method};
use sicbo_lab::stakes::Rules;
use sicbo_lab::{Run, Seed};
use sicbo_rules::rulebook::find_layout;
use sicbo_rules::{Currency, Money, Profile};

fn profile(layout: &str, stakes: &str) -> Profile {
    let layout = find_layout(layout).unwrap().1;
    let rules = Rules {
        layout,
        currency: Currency::SGD,
        unit: Money::from_minor(50),
    };
    Profile::of(layout, &rules.read(stakes).unwrap()).unwrap()
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
    let results: Vec<i128> = profile
        .by_outcome
        .iter()
        .map(|r| i128::from(r.minor()))
        .collect();
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
                        (probability - ways as f64 / all).abs() < 1e-14,
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
                for (a, b) in exact.probability.iter().zip(&other.probability) {
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
            .starts_with("result_minor,probability,cumulative,ways\n-1000,")
    );
}

#[test]
fn really_drawn_rounds_follow_the_exact_distribution() {
    for profile in cases() {
        let exact = Distribution::of(&profile, 50).unwrap();
        let drawn = exact.against(&profile, &Run::new(Seed(5)), 4000).unwrap();
        assert!(drawn.p > 1e-3, "{drawn:?}");
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
    assert!(drawn.p < 1e-9);
}
