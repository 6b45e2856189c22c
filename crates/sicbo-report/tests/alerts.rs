//! What stands out is found, with its figure; what is as it should be is not.

use sicbo_journal::{SqliteStore, Store};
use sicbo_report::Asked;
use sicbo_report::alerts::{Alert, alerts};
use sicbo_report::events::{EventQuery, events};
use sicbo_rules::Dice;
use sicbo_table::Act;
use sicbo_table::ids::{PersonId, StationId};
use sicbo_table::legal::{Step, next_step};
use sicbo_table::round::Phase;

use crate::report::{few_tumbles, script, stream};
use sicbo_testkit::random::Xorshift;
use sicbo_testkit::script::Script;

fn found(script: &Script<SqliteStore>, code: &str) -> Vec<Alert> {
    let all = alerts(&script.store, &stream(), Asked::default()).expect("alerts");
    all.alerts.into_iter().filter(|a| a.code == code).collect()
}

#[test]
fn p_034_whoever_bets_near_the_close_and_wins_too_often_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut script = script(&folder.path().join("house"), "rws-open-cover", 3);
    let mut numbers = Xorshift(21);
    for _ in 0..40 {
        let dice = Dice::from_faces(numbers.dice()).expect("dice");
        let big = (11..=17).contains(&dice.total()) && !dice.is_triple();
        script.until(Phase::Betting, dice);
        // The second bets on what will come, but early; the first only at the end.
        script.bet(1, if big { "big" } else { "small" }, 500);
        script.wait(20_000);
        script.bet(0, if big { "big" } else { "small" }, 500);
        script.bet(2, "odd", 500);
        script.finish(dice);
    }
    let late = found(&script, "late-winner");
    assert_eq!(late.len(), 1, "{late:?}");
    let alert = &late[0];
    assert_eq!(alert.station.as_deref(), Some("T1"));
    assert!(alert.saw.contains("in 40 rounds and won"), "{}", alert.saw);
    // 105 of 216 each time.
    assert!(
        alert.saw.contains("where 19.4 were to be expected"),
        "{}",
        alert.saw
    );
    assert!(alert.chance.is_some_and(|chance| chance < 0.001));
}

#[test]
fn j_03_two_failed_tumbles_in_ten_rounds_raise_an_alert() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut script = script(&folder.path().join("house"), "rws-open-cover", 2);
    few_tumbles(&mut script, &[(0, "big", 500)]);
    assert_eq!(found(&script, "tumbler").len(), 0);
    for _ in 0..9 {
        script.round(&[(0, "big", 500)], [1, 2, 4]);
    }
    // Round 11 is the eleventh after round 1: not among ten.
    few_tumbles(&mut script, &[]);
    assert_eq!(found(&script, "tumbler").len(), 0);
    for _ in 0..8 {
        script.round(&[(0, "big", 500)], [1, 2, 4]);
    }
    few_tumbles(&mut script, &[]);
    let tumbler = found(&script, "tumbler");
    assert_eq!(tumbler.len(), 1);
    assert_eq!(tumbler[0].round, Some(20));
    assert!(tumbler[0].saw.contains("round 11 and again in round 20"));
}

#[test]
fn p_034_corrections_and_leaving_when_dice_can_be_seen_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut script = script(&folder.path().join("house"), "rws-etg", 2);
    let dice = Dice::from_faces([1, 2, 4]).expect("dice");
    let round = script.round(&[(0, "big", 500)], [1, 2, 4]);
    let leave = |script: &mut Script<SqliteStore>, station: u32| {
        let station = StationId(station);
        assert!(script.done(Act::Disconnect { station }));
        assert!(script.done(Act::Connect { station }));
    };
    // Between rounds, and with the dice covered: nothing to see.
    leave(&mut script, 0);
    script.take_bets(&[(0, "big", 500)], dice);
    assert!(found(&script, "left-when-visible").is_empty());
    while next_step(script.table()) != Some(Step::KeyDice) {
        assert!(script.step(dice));
    }
    leave(&mut script, 1);
    assert!(
        found(&script, "left-when-visible").is_empty(),
        "no bet at risk"
    );
    leave(&mut script, 0);
    script.finish(dice);
    let left = found(&script, "left-when-visible");
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].station.as_deref(), Some("T1"));
    assert!(
        left[0].saw.contains("2 times, 1 of them"),
        "{}",
        left[0].saw
    );
    assert!(script.correct(round, [4, 4, 6]));
    let corrected = found(&script, "result-corrected");
    assert_eq!(corrected.len(), 1);
    assert!(corrected[0].saw.contains("1-2-4 became 4-4-6"));
}

#[test]
fn p_034_a_person_who_always_counts_three_and_dice_that_show_one_face_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut script = script(&folder.path().join("house"), "rws-open-cover", 2);
    let mut numbers = Xorshift(22);
    for _ in 0..40 {
        // The script's dealer always reports three; a third die is always a six.
        let [a, b, _] = numbers.dice();
        script.round(&[], [a, b, 6]);
    }
    let three = found(&script, "exactly-three");
    assert_eq!(three.len(), 1);
    assert!(
        three[0].saw.contains("in 40 of 40 rounds"),
        "{}",
        three[0].saw
    );
    let drift = found(&script, "dice-drift");
    assert!(
        drift
            .iter()
            .any(|alert| alert.saw.starts_with("dice-set dice 1: face 6")),
        "{drift:?}"
    );
}

#[test]
fn p_033_events_come_in_order_in_pages_and_by_what_is_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut script = script(&folder.path().join("house"), "rws-etg", 2);
    let first = script.round(&[(0, "big", 500), (1, "small", 500)], [1, 2, 4]);
    let second = script.round(&[(1, "odd", 700)], [1, 2, 4]);
    assert!(script.correct(first, [4, 4, 6]));
    let last = script.store.tail().sequence;
    let ask = |query: &EventQuery| events(&script.store, script.table(), query).expect("a page");
    // Page by page, everything once.
    let mut after = 0;
    let mut all = Vec::new();
    loop {
        let page = ask(&EventQuery {
            after,
            limit: 7,
            ..EventQuery::default()
        });
        assert!(page.events.len() <= 7);
        assert_eq!(page.last, last);
        all.extend(page.events);
        match page.next {
            Some(next) => after = next,
            None => break,
        }
    }
    let sequences: Vec<u64> = all.iter().map(|event| event.sequence).collect();
    assert_eq!(sequences, (1..=last).collect::<Vec<u64>>());
    let everything = EventQuery {
        limit: 500,
        ..EventQuery::default()
    };
    assert_eq!(ask(&everything).events, all);
    // The newest first, page by page: the same the other way round.
    let (mut before, mut back) = (0, Vec::new());
    loop {
        let page = ask(&EventQuery {
            newest_before: Some(before),
            limit: 7,
            ..EventQuery::default()
        });
        back.extend(page.events);
        match page.next {
            Some(next) => before = next,
            None => break,
        }
    }
    back.reverse();
    assert_eq!(back, all);
    // A round with its amendment, whichever page it is asked from.
    let of_first = ask(&EventQuery {
        round: Some(first),
        ..everything.clone()
    });
    let expected: Vec<u64> = all
        .iter()
        .filter(|event| event.round == Some(first))
        .map(|event| event.sequence)
        .collect();
    let got: Vec<u64> = of_first.events.iter().map(|event| event.sequence).collect();
    assert_eq!(got, expected);
    assert_eq!(of_first.events.first().expect("some").event, "round-began");
    assert_eq!(
        of_first.events.last().expect("some").event,
        "result-corrected"
    );
    let middle = ask(&EventQuery {
        after: got[3],
        round: Some(first),
        ..everything.clone()
    });
    assert_eq!(middle.events[..], of_first.events[4..]);
    let of_second = ask(&EventQuery {
        round: Some(second),
        kinds: vec!["bets-placed".to_owned()],
        ..everything.clone()
    });
    assert_eq!(of_second.events.len(), 1);
    assert_eq!(of_second.events[0].station.as_deref(), Some("T2"));
    assert_eq!(of_second.next, None);
    // By person, the second person included, and by station.
    let by = ask(&EventQuery {
        person: Some(PersonId(2)),
        ..everything.clone()
    });
    assert!(
        by.events
            .iter()
            .any(|event| event.event == "result-corrected")
    );
    assert!(by.events.iter().all(|event| event.person == Some(2)
        || event.second.as_deref() == Some("pit-supervisor person 2")));
    let own = ask(&EventQuery {
        station: Some(StationId(1)),
        ..everything.clone()
    });
    assert!(
        own.events
            .iter()
            .all(|e| e.station.as_deref() != Some("T1"))
    );
    assert_eq!(
        own.events
            .iter()
            .filter(|e| e.event == "bets-placed")
            .count(),
        2
    );
    assert!(own.events.iter().any(|e| e.event == "result-corrected"));
    let none = ask(&EventQuery {
        round: Some(99),
        ..everything
    });
    assert!(none.events.is_empty() && none.next.is_none());
}
