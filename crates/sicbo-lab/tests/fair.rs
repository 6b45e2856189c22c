//! The dice tests: fair dice pass, each kind of unfair dice fails the test made for it.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use sicbo_lab::fair::{DiceOrder, Fairness, read, test};
use sicbo_rules::Dice;

use crate::fresh_seed;

/// Dice from a plain generator that shares no code with the lab's.
struct Toy(u64);

impl Toy {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
    fn face(&mut self) -> u8 {
        self.below(6) as u8 + 1
    }
    /// Six comes up so many times more often than another face.
    fn loaded(&mut self, heavier: f64) -> u8 {
        let uniform = (self.below(1 << 53)) as f64 / (1u64 << 53) as f64;
        let six = (1.0 + heavier) / 6.0;
        if uniform < six {
            6
        } else {
            ((uniform - six) / (1.0 - six) * 5.0).min(4.0) as u8 + 1
        }
    }
    fn loaded_dice(&mut self, heavier: f64) -> Dice {
        Dice::from_faces([0; 3].map(|_| self.loaded(heavier))).unwrap()
    }
    fn dice(&mut self) -> Dice {
        Dice::from_faces([self.face(), self.face(), self.face()]).unwrap()
    }
}

fn doubted(fairness: &Fairness, name: &str) -> bool {
    fairness
        .tests
        .iter()
        .any(|test| test.name == name && test.doubtful)
}

#[test]
fn fair_dice_are_seldom_doubted() {
    let doubts = (0..200)
        .filter(|seed| {
            let mut toy = Toy(*seed * 1_000_003);
            let results: Vec<Dice> = (0..3000).map(|_| toy.dice()).collect();
            test(&results, 0.05).doubtful
        })
        .count();
    // One in twenty expected, so ten of 200.
    assert!((1..=22).contains(&doubts), "{doubts}");
}

#[test]
fn every_kind_of_unfair_dice_is_seen_by_its_test() {
    let rounds = 20_000;
    let mut toy = Toy(7);
    // A loaded die in the second position: six a quarter more often than it should.
    let loaded: Vec<Dice> = (0..rounds)
        .map(|_| {
            let second = if toy.below(20) == 0 { 6 } else { toy.face() };
            Dice::from_faces([toy.face(), second, toy.face()]).unwrap()
        })
        .collect();
    let found = test(&loaded, 0.01);
    assert!(doubted(&found, "die 2") && doubted(&found, "faces"));
    assert!(!doubted(&found, "die 1") && !doubted(&found, "die 3"));

    // Dice that stick together: each fair alone.
    let sticky: Vec<Dice> = (0..rounds)
        .map(|_| {
            let first = toy.face();
            let third = if toy.below(20) == 0 {
                first
            } else {
                toy.face()
            };
            Dice::from_faces([first, toy.face(), third]).unwrap()
        })
        .collect();
    let found = test(&sticky, 0.01);
    assert!(doubted(&found, "combinations"));
    assert!(!doubted(&found, "faces"));

    // A tumbler that sometimes does not tumble: the last result again.
    let mut last = toy.dice();
    let stuck: Vec<Dice> = (0..rounds)
        .map(|_| {
            if toy.below(10) != 0 {
                last = toy.dice();
            }
            last
        })
        .collect();
    let found = test(&stuck, 0.01);
    for name in ["high-low runs", "odd-even runs", "serial 1"] {
        assert!(doubted(&found, name), "{name}");
    }
    assert!(!doubted(&found, "serial 3"));
}

#[test]
fn small_records_leave_out_what_cannot_be_tested() {
    let one = test(&["1,2,3".parse().unwrap()], 0.01);
    assert!(one.tests.is_empty());
    assert_eq!(one.left_out.len(), 11);
    assert!(!one.doubtful);
    let mut toy = Toy(1);
    let some: Vec<Dice> = (0..5000).map(|_| toy.dice()).collect();
    let all = test(&some, 0.01);
    assert_eq!(all.left_out.len(), 0);
    let degrees: Vec<Option<u32>> = all.tests.iter().take(6).map(|t| t.degrees).collect();
    assert_eq!(degrees, [5, 5, 5, 5, 15, 55].map(Some));
}

#[test]
fn every_form_of_record_is_read() {
    let expected: Vec<Dice> = ["4,3,4", "1,1,6"]
        .map(|text| text.parse().unwrap())
        .to_vec();
    for text in [
        "4,3,4\n1,1,6\n",
        "# dice\n\n4-3-4\r\n1-1-6",
        "4 3 4\n1 1 6",
        "[4,3,4]\n{\"dice\":[1,1,6],\"round\":2}\n",
        "first,second,third\n4,3,4\n1,1,6\n",
        "round,die1,die2,die3,total\n1,4,3,4,11\n2,1,1,6,8\n",
        "round;Die 1;Die 2;Die 3\n1;4;3;4\n2;1;1;6\n",
        "\u{feff}4,3,4\n1,1,6\n",
    ] {
        assert_eq!(read(text).unwrap(), expected, "{text:?}");
    }
}

#[test]
fn bad_records_name_the_line() {
    for (text, hint) in [
        ("", "there are no results"),
        ("# only a remark\n", "there are no results"),
        ("4,3,4\n4,3,7\n", "line 2: \"4,3,7\""),
        ("4,3,4\n\n4,3\n", "line 3:"),
        ("4,3,4\nhello\n", "line 2:"),
        ("[4,3,4]\n[4,3]\n", "line 2:"),
        ("[4,3,9]\n", "each face 1 to 6"),
        ("{\"dice\":\"x\"}\n", "line 1:"),
        ("round,die1,die2,die3\n1,4,3\n", "line 2:"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(hint), "{text:?}: {error}");
    }
    let many = "x1\n".repeat(100);
    assert_eq!(read(&many).unwrap_err().faults.len(), 21);
}

/// Totals were centred at 10.5: 100,000 independent rolls with a heavy six
/// were called dependent at z of 4 to 5, and the tumbler blamed for it.
#[test]
fn independent_biased_dice_are_not_called_dependent() {
    let seed = fresh_seed();
    let mut toy = Toy(seed);
    let mut beyond = 0;
    for _ in 0..20 {
        let results: Vec<Dice> = (0..20_000).map(|_| toy.loaded_dice(0.3)).collect();
        let found = test(&results, 0.01);
        assert!(doubted(&found, "faces"), "seed {seed}");
        for one in found
            .tests
            .iter()
            .filter(|one| one.name.starts_with("serial"))
        {
            // Beyond 6.5 standard errors in 8e-11 of tests.
            assert!(
                one.statistic.abs() < 6.5,
                "{}: {}, seed {seed}",
                one.name,
                one.statistic
            );
            beyond += usize::from(one.statistic.abs() > 1.96);
        }
    }
    // One in twenty of 60; more than 20 in fewer than 1e-10 of runs.
    assert!(beyond <= 20, "{beyond} of 60 beyond 1.96, seed {seed}");
}

#[test]
fn false_alarms_keep_to_the_level() {
    let seed = fresh_seed();
    let mut toy = Toy(seed);
    let (mut doubts, mut alarms) = (0, 0);
    for _ in 0..400 {
        let results: Vec<Dice> = (0..200).map(|_| toy.dice()).collect();
        let found = test(&results, 0.05);
        doubts += usize::from(found.doubtful);
        alarms += usize::from(found.evidence.alarmed.is_some());
    }
    // At most twenty of 400 expected; more than 54 in fewer than 1e-10 of runs.
    assert!(doubts <= 54, "{doubts}, seed {seed}");
    assert!(alarms <= 54, "{alarms}, seed {seed}");
}

/// Fair dice written sorted were doubted at chi-squares of 1500.
#[test]
fn dice_written_in_order_are_not_doubted_for_it() {
    let seed = fresh_seed();
    let mut toy = Toy(seed);
    let sorted: Vec<Dice> = (0..2000).map(|_| toy.dice().sorted()).collect();
    let found = test(&sorted, 1e-9);
    assert_eq!(found.order, DiceOrder::Sorted);
    assert!(
        !found.doubtful && found.evidence.alarmed.is_none(),
        "seed {seed}"
    );
    let left: Vec<&str> = found.left_out.iter().map(|one| one.name).collect();
    assert_eq!(left, ["die 1", "die 2", "die 3"]);
    assert!(found.left_out[0].reason.contains("written in order"));
    // One result out of order does not bring the false doubt back.
    let mut nearly = sorted;
    nearly[7] = "6,1,3".parse().unwrap();
    assert_eq!(test(&nearly, 0.01).order, DiceOrder::PartlySorted);
    let read: Vec<Dice> = (0..2000).map(|_| toy.dice()).collect();
    assert_eq!(test(&read, 0.01).order, DiceOrder::AsRead);
}

#[test]
fn a_bias_is_found_as_often_as_the_power_says() {
    let seed = fresh_seed();
    let mut toy = Toy(seed);
    for rounds in [300, 1500] {
        let fair: Vec<Dice> = (0..rounds).map(|_| toy.dice()).collect();
        let power = test(&fair, 0.01).power;
        let heavier = power.heavier_on_all_dice.unwrap();
        let found = (0..200)
            .filter(|_| {
                let results: Vec<Dice> = (0..rounds).map(|_| toy.loaded_dice(heavier)).collect();
                doubted(&test(&results, 0.01), "faces")
            })
            .count();
        // 180 of 200 expected; below 148 in fewer than 1e-9 of runs.
        assert!(
            (148..=200).contains(&found),
            "{rounds}: {found} of 200 at {heavier}, seed {seed}"
        );
        assert!(power.heavier_on_one_die.unwrap() > 2.9 * heavier);
    }
    let few = test(&["1,2,3".parse().unwrap(), "4,5,6".parse().unwrap()], 0.01);
    assert!(!few.tested && few.power.heavier_on_all_dice.is_none());
    assert!(few.power.words(2).contains("too few"));
}

/// "Too few results for: high-low runs" on 500 results that were all high.
#[test]
fn a_test_that_is_left_out_says_why() {
    let high: Vec<Dice> = (0..500).map(|_| "5,5,6".parse().unwrap()).collect();
    let found = test(&high, 0.01);
    let why = |name: &str| {
        found
            .left_out
            .iter()
            .find(|one| one.name == name)
            .unwrap()
            .reason
    };
    assert!(why("high-low runs").contains("one side"));
    assert!(why("serial 1").contains("all totals are the same"));
    assert!(why("die 1").contains("written in order"));
}

#[test]
fn records_of_a_journal_are_read_with_corrections_and_voids() {
    let line = |event: &str, fields: &str| {
        format!("{{\"sequence\":1,\"event\":\"{event}\",\"fields\":{{{fields}}}}}\n")
    };
    let text = [
        line("table-opened", "\"table\":\"t\""),
        line("round-began", "\"round\":1"),
        line("dice-keyed", "\"dice\":\"3-4-1\""),
        line("round-settled", "\"dice\":\"3-4-1\",\"total\":8"),
        line("round-began", "\"round\":2"),
        line("round-settled", "\"dice\":\"2-3-3\""),
        line("round-began", "\"round\":3"),
        line("round-voided", ""),
        line("round-began", "\"round\":4"),
        line("round-settled", "\"dice\":\"6-6-5\""),
        line("result-corrected", "\"round\":1,\"to\":\"3-4-2\""),
        line("round-voided-late", "\"round\":2"),
    ]
    .concat();
    let expected: Vec<Dice> = ["3,4,2", "6,6,5"]
        .map(|text| text.parse().unwrap())
        .to_vec();
    assert_eq!(read(&text).unwrap(), expected);
    let csv = "sequence,time,time_ms,event,by,second,command,fields\n\
        3,t,1,round-began,dealer,,0,\"{\"\"round\"\":1}\"\n\
        4,t,1,round-settled,dealer,,0,\"{\"\"dice\"\":\"\"3-4-2\"\",\"\"total\"\":9}\"\n\
        5,t,1,bets-called,dealer,,0,{}\n\
        6,t,1,round-began,dealer,,0,\"{\"\"round\"\":2}\"\n\
        7,t,1,round-settled,dealer,,0,\"{\"\"dice\"\":\"\"6-6-5\"\"}\"\n";
    assert_eq!(read(csv).unwrap(), expected);
}
