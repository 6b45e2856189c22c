//! Published pay tables beside published edges, files with faults, covariances
//! and hedges.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use sicbo_lab::game::{Game, Loading, Mix, PayTableError};
use sicbo_lab::hedge::mix;
use sicbo_lab::hold::HoldRange;
use sicbo_rules::rulebook::find_layout;
use sicbo_rules::{Money, Ratio, RuleBook};

fn published(name: &str) -> Game {
    let path = format!(
        "{}/../../docs/examples/pay-tables/{name}.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    Game::parse(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn edge_percent(game: &Game, bet: &str) -> f64 {
    let edge = game.bet(bet).unwrap().par(&Loading::fair()).edge();
    sicbo_rules::maths::approx(edge) * 100.0
}

/// Edges as printed by the sources that the files name, to the digits printed there.
#[test]
fn published_edges_are_reproduced() {
    // wizardofodds.com/games/sic-bo, onlinesicbo.org/odds, high-rollercasinos.com/sic-bo.
    for (name, edges) in [
        (
            "macau",
            &[
                ("small", "2.78"),
                ("total:4", "29.17"),
                ("total:5", "47.22"),
                ("total:6", "30.56"),
                ("triple:3", "30.09"),
                ("double:5", "33.33"),
                ("pair:1-2", "16.67"),
                ("single:6", "7.87"),
            ][..],
        ),
        (
            "atlantic-city",
            &[
                ("big", "2.78"),
                ("total:17", "15.28"),
                ("total:16", "13.89"),
                ("triple:1", "16.20"),
                ("double:1", "18.52"),
                ("single:1", "7.87"),
            ],
        ),
        (
            "australia",
            &[
                ("total:4", "12.50"),
                ("total:5", "11.11"),
                ("small", "2.78"),
            ],
        ),
    ] {
        let game = published(name);
        for (bet, printed) in edges {
            assert_eq!(
                format!("{:.2}", edge_percent(&game, bet)),
                *printed,
                "{name} {bet}"
            );
        }
    }
    // tokyo3.org/forums/holiday/topics/3392 prints whole percents, some cut off.
    let game = published("australia");
    for (bet, printed) in [
        ("triple:6", 16.0),
        ("any-triple", 11.0),
        ("four:6543", 11.0),
        ("three-single:126", 14.0),
        ("double-single:225", 29.0),
        ("total:4", 12.0),
        ("total:5", 11.0),
        ("total:6", 12.0),
        ("total:7", 10.0),
        ("total:8", 12.0),
        ("total:9", 7.0),
        ("total:10", 12.0),
    ] {
        let edge = edge_percent(&game, bet);
        assert!((edge - printed).abs() <= 0.6, "{bet}: {edge}");
    }
}

/// Of New Zealand and GameTwist the odds are published and no edge is at hand
/// to compare with: these edges are counted by hand from the odds.
#[test]
fn edges_of_tables_with_no_published_edge_are_those_counted_by_hand() {
    let edge = |game: &str, bet: &str| {
        let par = published(game).bet(bet).unwrap().par(&Loading::fair());
        par.edge().to_string()
    };
    assert_eq!(published("new-zealand").bets.len(), 30 + 20 + 4);
    for (game, bet, by_hand, derivation) in [
        // Odds: New Zealand Gazette 2001 No. 132, page 3390, rule 4.10 as amended.
        (
            "new-zealand",
            "double-single:112",
            "11/72",
            "1 - 3 x 61 / 216",
        ),
        (
            "new-zealand",
            "double-single:665",
            "11/72",
            "1 - 3 x 61 / 216",
        ),
        (
            "new-zealand",
            "three-single:123",
            "5/36",
            "1 - 6 x 31 / 216",
        ),
        ("new-zealand", "four:6532", "1/9", "1 - 4 x 6 x 8 / 216"),
        // Odds: gametwist.com/Casino/Sic-Bo/Rules.html.
        ("gametwist", "small", "1/36", "1 - 105 x 2 / 216"),
        ("gametwist", "any-triple", "1/36", "1 - 6 x 35 / 216"),
        ("gametwist", "triple:4", "1/27", "1 - 208 / 216"),
        ("gametwist", "double:2", "1/27", "1 - 16 x 13 / 216"),
        ("gametwist", "pair:1-2", "1/36", "1 - 30 x 7 / 216"),
        ("gametwist", "total:4", "1/36", "1 - 3 x 70 / 216"),
        ("gametwist", "total:5", "1/36", "1 - 6 x 35 / 216"),
        ("gametwist", "total:6", "1/36", "1 - 10 x 21 / 216"),
        ("gametwist", "total:7", "1/36", "1 - 15 x 14 / 216"),
        ("gametwist", "total:8", "1/36", "1 - 21 x 10 / 216"),
        ("gametwist", "total:9", "2/27", "1 - 25 x 8 / 216"),
        ("gametwist", "total:10", "1/8", "1 - 27 x 7 / 216"),
        (
            "gametwist",
            "single:3",
            "5/216",
            "1 - (75 x 2 + 15 x 3 + 16) / 216",
        ),
    ] {
        assert_eq!(edge(game, bet), by_hand, "{game} {bet}: {derivation}");
    }
}

/// A book that a section and a pattern both describe gives the same game.
#[test]
fn a_layout_and_a_file_of_the_same_odds_are_one_game() {
    let (book, layout) = find_layout("quang-nam-table/a").unwrap();
    let (own, file) = (Game::of(book, layout), published("macau"));
    assert_eq!(own.bets.len(), file.bets.len());
    for bet in &own.bets {
        let other = file.bet(&bet.name).unwrap();
        assert_eq!(
            bet.par(&Loading::fair()),
            other.par(&Loading::fair()),
            "{}",
            bet.name
        );
    }
}

const HEAD: &str =
    "format = 1\npay_table_only = true\nid = \"x\"\ntitle = \"X\"\nsource = \"nowhere\"\n";

#[test]
fn thirds_commission_for_one_and_own_patterns_can_be_written() {
    let game = Game::parse(&format!(
        "{HEAD}row = [\n\
         {{ bets = [\"total:3\", \"total:18\"], pays = \"180 for 1\" }},\n\
         {{ bets = [\"four:*\"], pays = \"7/3\" }},\n\
         {{ bets = [\"any-double\"], pays = \"1 1/4\" }},\n\
         {{ bets = [\"big\"], pays = \"1\", commission = \"5%\" }},\n\
         {{ bets = [\"totals:odd\"], pays = \"0.9\" }},\n\
         {{ name = \"field\", wins = [\"dice:111,666\", \"totals:5-8,13-16\"], pays = [\"10\", \"1\"] }},\n]"
    ))
    .unwrap();
    let edge = |bet: &str| {
        game.bet(bet)
            .unwrap()
            .par(&Loading::fair())
            .edge()
            .to_string()
    };
    assert_eq!(edge("total:18"), "1/6"); // 1 - 180/216
    assert_eq!(edge("four:6521"), "17/27"); // 1 - 24 x 10/3 / 216
    assert_eq!(edge("any-double"), "1/16"); // 1 - 90 x 9/4 / 216
    assert_eq!(edge("big"), "5/96"); // 1 - 105 x 1.95 / 216
    assert_eq!(edge("totals:odd"), "1/20"); // 1 - 108 x 1.9 / 216
    // 2 x 11 and 6+10+15+21 on either side, twice over, at 2: (22 + 208) of 216 and no triple lost.
    let field = game.bet("field").unwrap().par(&Loading::fair());
    assert_eq!(field.ways_by_line, [2, 104]);
    assert_eq!(field.returned.to_string(), "115/108");
    assert_eq!(game.denominator() % 12, 0);
    // What cannot be paid exactly is refused, what can is paid.
    let at = game.position("four:6521").unwrap();
    assert!(
        game.profile(&Mix::one(at, Money::from_minor(100)), &Loading::fair())
            .is_err()
    );
    assert!(
        game.profile(&Mix::one(at, Money::from_minor(300)), &Loading::fair())
            .is_ok()
    );
}

#[test]
fn a_pay_table_with_faults_says_all_of_them_and_no_house_takes_one() {
    let text = format!(
        "{HEAD}currency = \"XXX\"\nrow = [\n\
         {{ bets = [\"total:2\"], pays = \"1\" }},\n\
         {{ bets = [\"big\"], pays = \"a lot\" }},\n\
         {{ bets = [\"small\", \"small\"], pays = \"1\" }},\n\
         {{ bets = [\"single:1\"], pays = \"1\" }},\n\
         {{ bets = [\"odd\"], pays = \"1\", commission = \"200%\" }},\n]"
    );
    let Err(PayTableError::Faults(faults)) = Game::parse(&text) else {
        panic!("it has faults");
    };
    let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
    for hint in [
        "XXX",
        "3 to 18",
        "not odds",
        "small is repeated",
        "single:1 pays on 3 lines",
        "not a share",
    ] {
        assert!(
            all.iter().any(|fault| fault.contains(hint)),
            "{hint}: {all:#?}"
        );
    }
    let good = format!("{HEAD}row = [{{ bets = [\"big\"], pays = \"1\" }}]");
    let error = RuleBook::parse(&good).unwrap_err();
    let sicbo_rules::rulebook::RuleBookError::Faults(faults) = error else {
        panic!("it is TOML");
    };
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(
        faults[0].to_string().contains("pay table only"),
        "{}",
        faults[0]
    );
}

#[test]
fn covariances_are_exact_and_the_best_hedge_is_found() {
    let (book, layout) = find_layout("rws-etg/a").unwrap();
    let game = Game::of(book, layout);
    let at = |name: &str| game.position(name).unwrap();
    let report = mix(&game, &Loading::fair(), &[at("small"), at("big")], None).unwrap();
    // House results: ±1 each; small and big never win together: E = -1 x 210/216 + 6/216.
    let pair = report
        .covariances
        .iter()
        .find(|one| one.first != one.second)
        .unwrap();
    assert_eq!(
        pair.covariance,
        (Ratio::new(-204, 216) - Ratio::new(1, 36).pow(2)).to_string()
    );
    let hedge = &report.hedge;
    assert!(
        (hedge.parts[0].share - 0.5).abs() < 1e-9 && hedge.gap < 1e-11,
        "{hedge:?}"
    );
    assert!((hedge.edge - 1.0 / 36.0).abs() < 1e-9);
    // All three: 33 units on small, 33 on big and 2 on any triple (32 to 1) return 66 on whatever falls.
    let all = [at("small"), at("big"), at("any-triple")];
    let hedge = mix(&game, &Loading::fair(), &all, None).unwrap().hedge;
    assert!(hedge.variance < 1e-11, "{hedge:?}");
    assert!(
        (hedge.worst_for_house - 2.0 / 68.0).abs() < 1e-5,
        "{hedge:?}"
    );
    // A limit on the edge is kept, and one that no section meets is refused.
    let kept = mix(&game, &Loading::fair(), &all, Some(Ratio::new(1, 36)))
        .unwrap()
        .hedge;
    assert!(kept.edge <= 1.0 / 36.0 + 1e-9, "{kept:?}");
    assert!(mix(&game, &Loading::fair(), &all, Some(Ratio::new(1, 100))).is_err());
}

#[test]
fn hold_ranges_narrow_around_the_edge() {
    let (book, layout) = find_layout("rws-etg/a").unwrap();
    let game = Game::of(book, layout);
    let at = game.position("big").unwrap();
    let profile = game
        .profile(&Mix::one(at, Money::from_minor(100)), &Loading::fair())
        .unwrap();
    let mut last = f64::INFINITY;
    for rounds in [1_000, 10_000, 1_000_000] {
        let range = HoldRange::of(&profile, rounds, 0.9);
        assert!(
            range.low < 1.0 / 36.0 && 1.0 / 36.0 < range.high,
            "{range:?}"
        );
        let width = range.high - range.low;
        // Twice 1.645 deviations of 0.9996 over the root of the rounds.
        let expected = 2.0 * 1.644_854 * 0.999_614 / (rounds as f64).sqrt();
        assert!((width / expected - 1.0).abs() < 0.05, "{range:?}");
        assert!(width < last);
        last = width;
    }
}
