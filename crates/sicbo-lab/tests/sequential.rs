//! Evidence against dice: fair in the mean, soon where dice are not.

use sicbo_lab::sequential::{Evidence, Finding, Loaded, Test, TooOften, measure};
use sicbo_rules::{Dice, Outcome};

const FAIR: Loaded = Loaded {
    heavier: 0.0,
    dice: 0,
};

/// Fair dice make the bet fair: whatever came before, the mean of the evidence
/// over the 216 next results is what it was.
#[test]
fn the_evidence_stays_what_it_is_in_the_mean_of_all_next_outcomes() {
    let tests = [
        Test::OneFace,
        Test::OneFaceOfOneDie,
        Test::Faces,
        Test::Totals,
        Test::Combinations,
        Test::HighLowRuns,
        Test::OddEvenRuns,
        Test::Repeats,
    ];
    let figures = |evidence: &Evidence| -> Vec<f64> {
        let each = tests.map(|test| evidence.log_of(test).exp());
        each.into_iter().chain([evidence.log().exp()]).collect()
    };
    for history in [
        "",
        "6-6-6",
        "1-2-3 1-2-3",
        "4-3-4 6-1-1 1-6-1 2-2-5",
        "6-6-6 6-6-6 5-6-6",
    ] {
        let mut before = Evidence::default();
        for dice in history.split_whitespace() {
            before.add(dice.parse().unwrap());
        }
        let mut sums = [0.0; 9];
        for next in Outcome::all() {
            let mut evidence = before.clone();
            evidence.add(next.dice());
            for (sum, e) in sums.iter_mut().zip(figures(&evidence)) {
                *sum += e / 216.0;
            }
        }
        for (at, (mean, was)) in sums.iter().zip(figures(&before)).enumerate() {
            assert!(
                (mean / was - 1.0).abs() < 1e-9,
                "{history} {at}: {mean} {was}"
            );
        }
    }
    // And of what happens too often, whatever its chance.
    for chance in [0.1, 0.5, 105.0 / 216.0] {
        let e = |happened: [bool; 2]| {
            let mut evidence = TooOften::default();
            happened.iter().for_each(|is| evidence.add(chance, *is));
            let weight = happened.map(|is| if is { chance } else { 1.0 - chance });
            evidence.e() * weight[0] * weight[1]
        };
        let both = [[true, true], [true, false], [false, true], [false, false]];
        let mean: f64 = both.map(e).into_iter().sum();
        assert!((mean - 1.0).abs() < 1e-12, "{mean}");
    }
}

/// Bounded: `sicbo bench fair` measures the same at length.
#[test]
fn p_067_a_face_a_tenth_heavier_is_found_and_fair_dice_are_left_alone() {
    let heavy = Loaded {
        heavier: 0.1,
        dice: 3,
    };
    let found = measure(heavy, 0.01, 20, (8_000, 200), 1);
    assert!(found.alarms >= 18, "{found:?}");
    assert!(found.half_by.is_some_and(|by| by <= 5_000), "{found:?}");
    let fair = measure(FAIR, 0.01, 60, (2_000, 50), 2);
    // At most one in a hundred expected: three of sixty would be most unlikely.
    assert!(fair.alarms <= 2, "{fair:?}");
}

#[test]
fn the_finding_says_what_it_saw_and_how_sure_it_is() {
    let mut numbers = 7u64;
    let mut below = |bound: u64| {
        numbers ^= numbers << 13;
        numbers ^= numbers >> 7;
        numbers ^= numbers << 17;
        numbers % bound
    };
    let mut face = || below(6) as u8 + 1;
    let sixes: Vec<Dice> = (0..300)
        .map(|_| Dice::from_faces([face(), face(), 6]).unwrap())
        .collect();
    let finding = Finding::of(sixes.into_iter(), 0.001);
    assert!(
        finding.alarmed.is_some_and(|after| after < 100),
        "{finding:?}"
    );
    assert!(finding.peak >= 1_000.0 && finding.saw.starts_with("face 6 came "));
    // A tumbler that does not tumble.
    let mut last = Dice::from_faces([1, 2, 3]).unwrap();
    let stuck: Vec<Dice> = (0..600)
        .map(|at| {
            if at % 5 != 0 {
                last = Dice::from_faces([face(), face(), face()]).unwrap();
            }
            last
        })
        .collect();
    let finding = Finding::of(stuck.into_iter(), 0.001);
    assert_eq!(finding.test, "repeats");
    assert!(finding.alarmed.is_some(), "{finding:?}");
    let fair = Finding::of(
        (0..500).map(|_| Dice::from_faces([face(), face(), face()]).unwrap()),
        0.001,
    );
    assert_eq!(fair.alarmed, None);
}
