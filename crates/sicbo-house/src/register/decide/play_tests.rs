//! P-078: a player's own limits, breaks and reality checks.

use sicbo_rules::Money;
use sicbo_table::ids::SessionNumber;

use crate::register::command::{Act, Party};
use crate::register::play::{NoPlay, Play, PlayLimits, PlayStep, Sitting, Tally};
use crate::register::testing::{CASHIER, DEALER, HEAD, House, SHIFT, STATION, WINDOW, place};

const HOUR_MS: i64 = 3_600_000;
const STATION_BY: Party = Party::Place(STATION);

fn money(minor: i64) -> Money {
    Money::from_minor(minor)
}

fn limits(loss: Option<i64>, spend: Option<i64>, minutes: Option<u32>) -> PlayLimits {
    PlayLimits {
        loss: loss.map(money),
        spend: spend.map(money),
        minutes,
    }
}

fn tally(staked: i64, returned: i64) -> Tally {
    Tally {
        staked: money(staked),
        returned: money(returned),
    }
}

struct Seat(House);

impl Seat {
    fn new() -> Seat {
        Seat(House::new())
    }

    fn by(&mut self, by: Party, session: u32, step: PlayStep) -> &'static str {
        let sitting = Sitting {
            session: SessionNumber(session),
            began_ms: 1_000,
            base: tally(5_000, 4_000),
        };
        let place = place("mbs-etg", 0);
        let act = Act::StepPlay {
            place,
            sitting,
            step,
        };
        self.0.code(by, act)
    }

    fn own(&mut self, step: PlayStep) {
        assert_eq!(self.by(STATION_BY, 1, step.clone()), "done", "{step:?}");
    }

    fn play(&self) -> &Play {
        &self.0.register.plays[&place("mbs-etg", 0)]
    }

    fn may(&self, meters: Tally, more: i64) -> Result<(), NoPlay> {
        self.play().may_stake(self.0.now_ms, &meters, money(more))
    }
}

#[test]
fn p_078_limits_on_loss_spend_and_time_hold_to_the_cent_and_the_millisecond() {
    let mut seat = Seat::new();
    seat.own(PlayStep::Limit {
        limits: limits(Some(300), Some(1_000), Some(60)),
    });
    // 5,000 had been staked and 4,000 had come back before the player came.
    assert_eq!(seat.may(tally(5_000, 4_000), 300), Ok(()));
    assert_eq!(seat.may(tally(5_000, 4_000), 301), Err(NoPlay::Loss));
    assert_eq!(seat.may(tally(5_200, 4_000), 100), Ok(()));
    assert_eq!(seat.may(tally(5_200, 4_000), 101), Err(NoPlay::Loss));
    // Winnings make room for losses, not for stakes.
    assert_eq!(seat.may(tally(5_700, 6_000), 300), Ok(()));
    assert_eq!(seat.may(tally(5_700, 6_000), 301), Err(NoPlay::Spend));
    seat.0.now_ms = 1_000 + HOUR_MS - 1;
    assert_eq!(seat.may(tally(5_000, 4_000), 1), Ok(()));
    seat.0.now_ms += 1;
    assert_eq!(seat.may(tally(5_000, 4_000), 1), Err(NoPlay::Time));
}

#[test]
fn p_078_a_stricter_limit_counts_at_once_and_a_looser_one_after_a_day() {
    let mut seat = Seat::new();
    let want = |loss, spend, minutes| PlayStep::Limit {
        limits: limits(loss, spend, minutes),
    };
    seat.own(want(Some(300), None, Some(90)));
    // One stricter, one looser, one that was not there.
    seat.own(want(Some(500), Some(700), Some(60)));
    let now = seat.0.now_ms;
    let expected = limits(Some(300), Some(700), Some(60));
    assert_eq!(seat.play().limits_at(now), expected);
    assert_eq!(seat.play().limits_at(now + 24 * HOUR_MS - 1), expected);
    let later = limits(Some(500), Some(700), Some(60));
    assert_eq!(seat.play().limits_at(now + 24 * HOUR_MS), later);
    // No limit is the loosest; asked for again, the day begins again.
    seat.0.now_ms = now + HOUR_MS;
    seat.own(want(None, Some(700), Some(60)));
    assert_eq!(seat.play().limits_at(now + 24 * HOUR_MS), expected);
    let none = limits(None, Some(700), Some(60));
    assert_eq!(seat.play().limits_at(now + 25 * HOUR_MS), none);
    for bad in [
        want(Some(-1), None, None),
        want(None, Some(-1), None),
        want(None, None, Some(0)),
        want(None, None, Some(1_441)),
    ] {
        assert_eq!(seat.by(STATION_BY, 1, bad), "limit_invalid");
    }
}

#[test]
fn p_078_a_reality_check_must_be_seen_before_the_next_bet() {
    let mut seat = Seat::new();
    let check = |minutes| PlayStep::Check { minutes };
    assert_eq!(
        seat.by(STATION_BY, 1, PlayStep::Acknowledge),
        "already_done"
    );
    assert_eq!(seat.by(STATION_BY, 1, check(Some(45))), "limit_invalid");
    seat.own(check(Some(30)));
    let due = seat.0.now_ms + HOUR_MS / 2;
    seat.0.now_ms = due - 1;
    assert_eq!(seat.may(tally(5_000, 4_000), 1), Ok(()));
    seat.0.now_ms = due;
    assert_eq!(seat.may(tally(5_000, 4_000), 1), Err(NoPlay::CheckDue));
    seat.own(PlayStep::Acknowledge);
    assert_eq!(seat.may(tally(5_000, 4_000), 1), Ok(()));
    assert_eq!(seat.play().next_check_ms(), Some(due + HOUR_MS / 2));
    seat.own(check(None));
    assert_eq!(seat.play().next_check_ms(), None);
}

#[test]
fn p_078_a_break_locks_and_cannot_be_cut_short() {
    let mut seat = Seat::new();
    let pause = |minutes| PlayStep::Break { minutes };
    seat.own(pause(60));
    assert_eq!(seat.may(tally(5_000, 4_000), 1), Err(NoPlay::Break));
    assert_eq!(seat.by(STATION_BY, 1, pause(10)), "limit_invalid");
    assert_eq!(seat.by(STATION_BY, 1, pause(0)), "limit_invalid");
    seat.0.now_ms += HOUR_MS;
    assert_eq!(seat.may(tally(5_000, 4_000), 1), Ok(()));
}

#[test]
fn p_075_the_house_stops_play_and_only_a_shift_manager_lets_it_go_on() {
    let mut seat = Seat::new();
    let stop = || PlayStep::Stop {
        reason: "on the exclusion list".to_owned(),
    };
    let resume = || PlayStep::Resume {
        reason: "another person".to_owned(),
    };
    for (by, code) in [
        (STATION_BY, "not_authorised"),
        (Party::Person(DEALER), "not_authorised"),
        (Party::Person(CASHIER), "not_authorised"),
        (Party::House, "done"),
        (Party::Person(SHIFT), "already_done"),
    ] {
        assert_eq!(seat.by(by, 1, stop()), code, "{by:?}");
    }
    assert_eq!(seat.may(tally(5_000, 4_000), 0), Err(NoPlay::Stopped));
    for (by, code) in [
        (STATION_BY, "not_authorised"),
        (Party::House, "not_authorised"),
        (Party::Person(HEAD), "not_authorised"),
        (Party::Person(SHIFT), "done"),
    ] {
        assert_eq!(seat.by(by, 1, resume()), code, "{by:?}");
    }
    assert_eq!(seat.may(tally(5_000, 4_000), 1), Ok(()));
    // A player sets what is their own, at their own station.
    let check = || PlayStep::Check { minutes: Some(60) };
    assert_eq!(
        seat.by(Party::Place(WINDOW), 1, check()),
        "not_your_station"
    );
    assert_eq!(seat.by(Party::Person(SHIFT), 1, check()), "not_authorised");
    // Whoever comes next begins with nothing set.
    seat.own(PlayStep::Break { minutes: 60 });
    assert_eq!(seat.by(STATION_BY, 2, check()), "done");
    assert_eq!(seat.play().session, SessionNumber(2));
    assert_eq!(seat.may(tally(5_000, 4_000), 1), Ok(()));
}
