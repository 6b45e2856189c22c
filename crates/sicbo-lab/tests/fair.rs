//! The dice tests: fair dice pass, each kind of unfair dice fails the test made for it.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use sicbo_lab::fair::{Fairness, read, test};
use sicbo_rules::Dice;

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
