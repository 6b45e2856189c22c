//! Systems against sessions worked out by hand, and against the law that none changes the edge.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use sicbo_lab::game::{Game, Loading};
use sicbo_lab::strategy::{
    DAlembert, End, Flat, Labouchere, Martingale, Paroli, Plan, Progression, Report, Returns,
    Session, Staking, System, exact, play,
};
use sicbo_lab::{LabError, Run, Seed};
use sicbo_rules::rulebook::find_layout;
use sicbo_rules::{Dice, Money};

use crate::fresh_seed;

fn game(name: &str) -> Game {
    let (book, layout) = find_layout(name).unwrap();
    Game::of(book, layout)
}

fn open_cover() -> Game {
    game("rws-open-cover/c")
}

fn run(game: &Game, plan: &Plan, setup: &Run, sessions: u64) -> Result<Vec<Session>, LabError> {
    sicbo_lab::strategy::run(game, plan, &Loading::fair(), setup, sessions, &|_| ())
}

fn report(game: &Game, plan: &Plan, setup: &Run, sessions: &[Session]) -> Report {
    Report::of(game, plan, &Loading::fair(), setup, sessions)
}

fn money(units: i64) -> Money {
    Money::from_minor(units * 100)
}

fn plan(system: System) -> Plan {
    Plan {
        bets: vec![(open_cover().position("big").unwrap(), 1)],
        system: Staking::Named(system),
        base: money(5),
        bankroll: money(100),
        least: money(5),
        most: money(40),
        unit: money(1),
        target: None,
        rounds: 1000,
    }
}

/// A session on a row of results: `w` is 5-5-6, which big wins, `l` is 1-1-2.
fn session(plan: &Plan, progression: impl Progression, results: &str) -> Session {
    let dice = |text: &str| text.parse::<Dice>().unwrap().outcome().index() as u8;
    let (won, lost) = (dice("5-5-6"), dice("1-1-2"));
    let mut results = results.chars();
    let plan = Plan {
        rounds: results.clone().count() as u32,
        ..plan.clone()
    };
    play(
        &plan,
        &Returns::of(&open_cover(), &plan.bets),
        progression,
        || {
            if results.next() == Some('w') {
                won
            } else {
                lost
            }
        },
    )
}

#[test]
fn a_martingale_is_cut_at_the_maximum_and_ends_in_ruin() {
    let plan = plan(System::Martingale);
    // 5 + 10 + 20 + 40 lost: 25 are left, and the next stake of 80 is cut to them.
    let got = session(&plan, Martingale::new(500), "lllll");
    assert_eq!(
        got,
        Session {
            result_minor: -10_000,
            staked_minor: 10_000,
            drawdown_minor: 10_000,
            greatest_minor: 4000,
            rounds: 5,
            cut: true,
            end: End::Ruined,
        }
    );
    // 5 and 10 lost, 20 won: 5 ahead; then 5 won.
    let got = session(&plan, Martingale::new(500), "llww");
    assert_eq!((got.result_minor, got.drawdown_minor), (1000, 1500));
    assert_eq!((got.end, got.cut), (End::Finished, false));
}

#[test]
fn drawdown_counts_from_the_highest_point() {
    // Up to 115, then down to 105, up to 110: the deepest fall is 10.
    let got = session(&plan(System::Flat), Flat::new(500), "wwwllw");
    assert_eq!((got.result_minor, got.drawdown_minor), (1000, 1000));
}

#[test]
fn a_target_ends_the_session() {
    let plan = Plan {
        target: Some(money(15)),
        ..plan(System::Paroli)
    };
    let got = session(&plan, Paroli::new(500), "wwww");
    assert_eq!(
        (got.result_minor, got.rounds, got.end),
        (1500, 2, End::Target)
    );
}

#[test]
fn the_last_chips_are_played_and_less_than_the_minimum_is_ruin() {
    let plan = Plan {
        bankroll: money(12),
        ..plan(System::DAlembert)
    };
    // 5 lost, 7 left; 10 wanted, cut to 7; won: 14; back to 5.
    let got = session(&plan, DAlembert::new(500), "lw");
    assert_eq!(
        (got.result_minor, got.staked_minor, got.cut),
        (200, 1200, true)
    );
    // 5 lost, 7 lost: nothing left.
    let got = session(&plan, DAlembert::new(500), "ll");
    assert_eq!((got.end, got.rounds), (End::Ruined, 2));
}

#[test]
fn labouchere_is_cut_at_the_maximum() {
    let plan = Plan {
        bankroll: money(1000),
        most: money(26),
        ..plan(System::Labouchere)
    };
    // 5 10 15 20: 25 lost; 30 wanted, cut to 26, lost; list 5 10 15 20 25 26:
    // 31 wanted, cut to 26, won; 10 15 20 25: 35, cut to 26, won.
    let got = session(&plan, Labouchere::new(500), "llww");
    assert_eq!(got.result_minor, -2500 - 2600 + 2600 + 2600);
    assert!(got.cut);
}

#[test]
fn no_stake_is_ever_off_the_unit_or_outside_the_limits() {
    struct Watch<P> {
        inner: P,
    }
    impl<P: Progression> Progression for Watch<P> {
        fn stake(&self) -> i64 {
            self.inner.stake()
        }
        fn won(&mut self, staked: i64) {
            assert!(
                (500..=4000).contains(&staked) && staked % 100 == 0,
                "{staked}"
            );
            self.inner.won(staked);
        }
        fn lost(&mut self, staked: i64) {
            assert!(
                (500..=4000).contains(&staked) && staked % 100 == 0,
                "{staked}"
            );
            self.inner.lost(staked);
        }
    }
    // Total 11 pays 6 1/2 here, so bankrolls off the unit do come up.
    let game = game("mbs-etg/rapid");
    let plan = Plan {
        bets: vec![(game.position("total:11").unwrap(), 1)],
        rounds: 5000,
        ..plan(System::Labouchere)
    };
    let mut state = 1u64;
    for _ in 0..200 {
        let dice = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 33) % 216) as u8
        };
        play(
            &plan,
            &Returns::of(&game, &plan.bets),
            Watch {
                inner: Labouchere::new(500),
            },
            dice,
        );
    }
}

#[test]
fn no_system_changes_the_edge() {
    for system in System::ALL {
        let plan = Plan {
            bankroll: money(500),
            most: money(200),
            rounds: 300,
            ..plan(system)
        };
        let setup = Run::new(Seed(11));
        let game = open_cover();
        let sessions = run(&game, &plan, &setup, 4000).unwrap();
        let report = report(&game, &plan, &setup, &sessions);
        assert!(
            report.standard_errors_from_exact.abs() < 4.0,
            "{system}: {}",
            report.standard_errors_from_exact
        );
        assert_eq!(report.edge, "1/36");
        assert_eq!(
            report
                .result_minor
                .bins
                .iter()
                .map(|bin| bin.count)
                .sum::<u64>(),
            4000
        );
        assert!(
            report.ruined.low <= report.ruined.share && report.ruined.share <= report.ruined.high
        );
    }
}

#[test]
fn threads_change_nothing() {
    let plan = plan(System::Fibonacci);
    let play = |threads| {
        let setup = Run {
            threads: Some(threads),
            ..Run::new(Seed(3))
        };
        run(&open_cover(), &plan, &setup, 1000).unwrap()
    };
    assert_eq!(play(1), play(2));
}

#[test]
fn a_flat_player_is_ruined_as_often_as_theory_says() {
    // Ruin before doubling, at chance p of winning evens, from 10 stakes:
    // 1 / (1 + (p / q)^10).
    let plan = Plan {
        bankroll: money(50),
        target: Some(money(50)),
        rounds: 1_000_000,
        ..plan(System::Flat)
    };
    let setup = Run::new(Seed(8));
    let game = open_cover();
    let sessions = run(&game, &plan, &setup, 20_000).unwrap();
    let report = report(&game, &plan, &setup, &sessions);
    let exact = 1.0 / (1.0 + (105.0f64 / 111.0).powi(10));
    let error = (exact * (1.0 - exact) / 20_000.0).sqrt();
    assert!(
        (report.ruined.share - exact).abs() < 4.0 * error,
        "{}",
        report.ruined.share
    );
    assert_eq!(
        report.ruined.sessions + report.target.as_ref().unwrap().sessions,
        20_000
    );
}

#[test]
fn a_plan_that_cannot_be_played_says_everything_that_is_wrong() {
    let bad = Plan {
        base: Money::from_minor(550),
        bankroll: money(2),
        least: money(50),
        ..plan(System::Flat)
    };
    let error = run(&open_cover(), &bad, &Run::new(Seed(1)), 10)
        .unwrap_err()
        .to_string();
    for hint in [
        "the base stake of 5.50 must be a multiple of the chip unit 1.00",
        "the minimum must not be above the maximum",
        "between the minimum and the maximum",
        "the bankroll must cover",
    ] {
        assert!(error.contains(hint), "{hint}: {error}");
    }
    let error = run(&open_cover(), &plan(System::Flat), &Run::new(Seed(1)), 0).unwrap_err();
    assert!(error.to_string().contains("1 to 10000000"));
}

/// A loss above the edge was shown with a minus here and with a plus in `simulate`.
#[test]
fn a_loss_above_the_edge_has_a_plus() {
    let game = open_cover();
    let setup = Run::new(Seed(11));
    let plan = plan(System::Flat);
    let sessions = run(&game, &plan, &setup, 2000).unwrap();
    let report = report(&game, &plan, &setup, &sessions);
    let above = report.loss_per_unit_staked * 100.0 - report.edge_percent;
    assert!(above != 0.0);
    assert_eq!(above > 0.0, report.standard_errors_from_exact > 0.0);
}

#[test]
fn exact_ruin_is_the_gamblers_ruin_of_the_books() {
    // Evens at 105 of 216 from ten stakes to twenty, and no end of rounds.
    let plan = Plan {
        bankroll: money(50),
        target: Some(money(50)),
        rounds: 20_000,
        ..plan(System::Flat)
    };
    let got = exact(&open_cover(), &plan, &Loading::fair()).unwrap();
    let expected = 1.0 / (1.0 + (105.0f64 / 111.0).powi(10));
    assert!((got.ruined - expected).abs() < 1e-12, "{}", got.ruined);
    assert!((got.ruined + got.target.unwrap() - 1.0).abs() < 1e-12);
    // Duration: (ten - twenty times the chance of the target) / (q - p).
    let duration = (10.0 - 20.0 * (1.0 - expected)) / (6.0 / 216.0);
    assert!(
        (got.mean_rounds - duration).abs() < 1e-8,
        "{}",
        got.mean_rounds
    );
    assert!(got.agree);
}

#[test]
fn exact_and_simulated_sessions_agree() {
    let seed = fresh_seed();
    for system in System::ALL {
        let plan = Plan {
            bankroll: money(200),
            most: money(80),
            rounds: 200,
            target: Some(money(100)),
            ..plan(system)
        };
        let game = open_cover();
        let setup = Run::new(Seed(seed));
        let sessions = run(&game, &plan, &setup, 20_000).unwrap();
        let report = report(&game, &plan, &setup, &sessions);
        let Some(exact) = &report.exact else {
            assert_eq!(system, System::Labouchere);
            assert!(report.exact_left_out.unwrap().contains("simulated only"));
            continue;
        };
        assert!(exact.agree, "{system}: {exact:?}");
        // Beyond 6.5 standard errors in 8e-11 of runs.
        let near = |simulated: f64, exact: f64| {
            let error = (exact * (1.0 - exact) / 20_000.0).sqrt();
            assert!(
                (simulated - exact).abs() <= 6.5 * error + 1e-9,
                "{system}: {simulated} {exact}, seed {seed}"
            );
        };
        near(report.ruined.share, exact.ruined);
        near(report.target.as_ref().unwrap().share, exact.target.unwrap());
        near(report.ahead.share, exact.ahead);
        let length = &report.length;
        assert!(
            (length.mean - exact.mean_rounds).abs() < 6.5 * length.standard_error + 1e-9,
            "{system}, seed {seed}"
        );
        if let (Some(time), Some(ruined)) = (&exact.ruin_time, &report.length_ruined) {
            assert!(
                (time.mean - ruined.mean).abs() < 6.5 * ruined.standard_error + 1e-9,
                "{system}, seed {seed}"
            );
        }
    }
}

#[test]
fn several_sections_share_the_stake() {
    let game = open_cover();
    let at = |name: &str| game.position(name).unwrap();
    let plan = Plan {
        bets: vec![(at("big"), 3), (at("any-triple"), 1)],
        unit: money(4),
        base: money(8),
        least: money(8),
        most: money(80),
        bankroll: money(200),
        ..plan(System::Flat)
    };
    let returns = Returns::of(&game, &plan.bets);
    let index = |text: &str| text.parse::<Dice>().unwrap().outcome().index() as u8;
    // Six of eight on big at evens; two on any triple at 31 to 1.
    assert_eq!(returns.back(800, index("5-5-6")), 1200);
    assert_eq!(returns.back(800, index("4-4-4")), 6400);
    assert_eq!(returns.back(800, index("1-2-3")), 0);
    let setup = Run::new(Seed(fresh_seed()));
    let sessions = run(&game, &plan, &setup, 4000).unwrap();
    let report = report(&game, &plan, &setup, &sessions);
    // (3 x 1/36 + 1/9) / 4.
    assert_eq!(report.edge, "7/144");
    assert!(report.standard_errors_from_exact.abs() < 6.5);
    assert!(report.exact.unwrap().agree);
    let error = Plan {
        target: Some(Money::ZERO),
        ..plan
    }
    .faults(&game, game.currency);
    assert!(
        error
            .iter()
            .any(|fault| fault.contains("target must be more"))
    );
}
