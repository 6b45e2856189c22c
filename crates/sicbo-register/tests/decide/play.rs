//! P-075, P-078: a player's own limits, breaks and reality checks.

use proptest::prelude::*;
use sicbo_rules::{Currency, Money};
use sicbo_table::ids::SessionNumber;

use sicbo_loop::Machine;
use sicbo_register::Register;
use sicbo_register::command::{Act, Party};
use sicbo_register::play::clock::PlayClock;
use sicbo_register::play::held::{Reading, Row};
use sicbo_register::play::limits::{LimitKey, Measure, Window};
use sicbo_register::play::member::{MAX_MEMBERS, Member, MemberId, spell_at};
use sicbo_register::play::{
    Card, Counted, NoPlay, PROOF_LASTS_MS, Play, PlayLimits, PlayStep, Proof, Seen, Sitting, Tally,
};
use sicbo_register::testing::{CASHIER, DEALER, HEAD, House, SHIFT, STATION, WINDOW, place};

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;
const STATION_BY: Party = Party::Place(STATION);
/// Singapore and Việt Nam keep their clocks so far east of UTC.
const EAST_MIN: i64 = 480;

fn money(minor: i64) -> Money {
    Money::from_minor(minor)
}

fn tally(staked: i64, returned: i64) -> Tally {
    Tally {
        staked: money(staked),
        returned: money(returned),
    }
}

fn key(window: Window, measure: Measure) -> LimitKey {
    LimitKey { window, measure }
}

fn set(window: Window, measure: Measure, most: Option<i64>) -> PlayStep {
    let key = key(window, measure);
    PlayStep::Set { key, most }
}

fn confirm(window: Window, measure: Measure) -> PlayStep {
    let key = key(window, measure);
    PlayStep::Confirm { key }
}

fn stop_for(reason: &str) -> PlayStep {
    let reason = reason.to_owned();
    PlayStep::Stop { reason }
}

fn resume_for(reason: &str) -> PlayStep {
    let reason = reason.to_owned();
    PlayStep::Resume { reason }
}

fn card(number: u8) -> PlayStep {
    PlayStep::Present {
        card: Card {
            member: MemberId([number; 32]),
            currency: Currency::SGD,
        },
    }
}

fn sitting(session: u32, base: Tally, seen: Option<Seen>) -> Sitting {
    Sitting {
        session: SessionNumber(session),
        began_ms: 1_000,
        base,
        seen,
    }
}

fn step_play(station: u32, sitting: Sitting, step: PlayStep) -> Act {
    Act::StepPlay {
        place: place("mbs-etg", station),
        sitting,
        step,
    }
}

/// One station with its meters and its clock of play.
struct Seat {
    house: House,
    session: u32,
    base: Tally,
    meters: Tally,
    clock: PlayClock,
    /// The house wants a reality check so often.
    check_min: u16,
    /// Played with the same card elsewhere and not yet counted.
    elsewhere: Tally,
}

impl Seat {
    fn new() -> Seat {
        Seat {
            house: House::new(),
            session: 1,
            // 5,000 had been staked and 4,000 had come back before the player came.
            base: tally(5_000, 4_000),
            meters: tally(5_000, 4_000),
            clock: PlayClock::default(),
            check_min: 60,
            elsewhere: Tally::default(),
        }
    }

    fn by(&mut self, by: Party, step: PlayStep) -> &'static str {
        let (check_min, clock) = (self.check_min, self.clock);
        let seen = Some(Seen { check_min, clock });
        let act = step_play(0, sitting(self.session, self.base, seen), step);
        self.house.code(by, act)
    }

    fn own(&mut self, step: PlayStep) {
        assert_eq!(self.by(STATION_BY, step.clone()), "done", "{step:?}");
    }

    fn refused(&mut self, step: PlayStep) -> &'static str {
        self.by(STATION_BY, step)
    }

    fn play(&self) -> &Play {
        &self.house.register.plays[&place("mbs-etg", 0)]
    }

    fn reading(&self) -> Reading {
        Reading {
            at_ms: self.house.now_ms,
            offset_min: EAST_MIN,
            meters: self.meters,
            clock: self.clock,
            elsewhere: self.elsewhere,
        }
    }

    fn may(&self, more: i64) -> Result<(), NoPlay> {
        let here = place("mbs-etg", 0);
        let held = self.house.register.held(&here, self.play());
        let now = self.reading();
        let said = held.may_stake(&now, money(more));
        // The table is granted what is left and no more, to the cent.
        let grant = held.grant(SessionNumber(self.session), &now);
        let within = |used: Money, to: Option<Money>| to.is_none_or(|to| used + money(more) <= to);
        let within =
            within(now.meters.staked, grant.staked_to) && within(now.meters.lost(), grant.lost_to);
        match said {
            Ok(()) => assert!(within, "{more} is let through, and granted {grant:?}"),
            Err(NoPlay::Limit(key)) if key.measure != Measure::Time => {
                assert!(!within, "{more} is refused, and granted {grant:?}");
            }
            Err(_) => {}
        }
        said
    }

    fn rows(&self) -> Vec<Row> {
        let here = place("mbs-etg", 0);
        let held = self.house.register.held(&here, self.play());
        held.rows(&self.reading())
    }

    fn most(&self, window: Window, measure: Measure) -> Option<i64> {
        let rows = self.rows();
        let row = rows.iter().find(|row| row.key == key(window, measure))?;
        row.limit.most
    }

    /// Stakes and gets back, as the table's meters show it.
    fn played(&mut self, staked: i64, returned: i64) {
        self.meters.staked += money(staked);
        self.meters.returned += money(returned);
        if staked > 0 {
            self.clock.wager(self.house.now_ms);
        }
    }

    fn count(&mut self) -> &'static str {
        let lines = vec![Counted {
            place: place("mbs-etg", 0),
            session: SessionNumber(self.session),
            meters: self.meters,
            clock: self.clock,
        }];
        let act = Act::CountPlays {
            offset_min: EAST_MIN,
            lines,
        };
        self.house.code(Party::House, act)
    }

    /// The player goes, and somebody comes with this card.
    fn comes_back(&mut self, number: u8) {
        self.next_session();
        self.own(card(number));
    }

    /// The player goes, and comes back or another comes.
    fn next_session(&mut self) {
        self.count();
        self.session += 1;
        self.base = self.meters;
        self.clock = PlayClock::default();
    }
}

fn limit(window: Window, measure: Measure) -> Result<(), NoPlay> {
    Err(NoPlay::Limit(key(window, measure)))
}

#[test]
fn p_078_limits_on_loss_spend_and_time_hold_to_the_cent_and_the_millisecond() {
    let mut seat = Seat::new();
    seat.own(set(Window::Session, Measure::Loss, Some(300)));
    seat.own(set(Window::Session, Measure::Spend, Some(1_000)));
    seat.own(set(Window::Session, Measure::Time, Some(1)));
    assert_eq!(seat.may(300), Ok(()));
    assert_eq!(seat.may(301), limit(Window::Session, Measure::Loss));
    seat.meters = tally(5_200, 4_000);
    assert_eq!(seat.may(100), Ok(()));
    assert_eq!(seat.may(101), limit(Window::Session, Measure::Loss));
    // Winnings make room for losses, not for stakes.
    seat.meters = tally(5_700, 6_000);
    assert_eq!(seat.may(300), Ok(()));
    assert_eq!(seat.may(301), limit(Window::Session, Measure::Spend));
    seat.clock.wager(seat.house.now_ms);
    seat.house.now_ms += MINUTE_MS - 1;
    assert_eq!(seat.may(1), Ok(()));
    seat.house.now_ms += 1;
    assert_eq!(seat.may(1), limit(Window::Session, Measure::Time));
}

#[test]
fn p_075_the_clock_of_play_stops_two_minutes_after_the_last_wager() {
    let mut clock = PlayClock::default();
    assert_eq!(clock.at(50 * MINUTE_MS), 0, "it begins with a wager");
    clock.wager(50 * MINUTE_MS);
    assert_eq!(clock.at(51 * MINUTE_MS), MINUTE_MS);
    assert_eq!(clock.runs_until(51 * MINUTE_MS), Some(52 * MINUTE_MS));
    clock.wager(51 * MINUTE_MS);
    assert_eq!(clock.at(53 * MINUTE_MS), 3 * MINUTE_MS);
    assert_eq!(clock.at(5 * HOUR_MS), 3 * MINUTE_MS, "it stands");
    assert_eq!(clock.runs_until(53 * MINUTE_MS), None);
    clock.wager(5 * HOUR_MS);
    assert_eq!(clock.at(5 * HOUR_MS + 1), 3 * MINUTE_MS + 1);
    // A clock of the house that goes back gives no time back.
    clock.wager(4 * HOUR_MS);
    assert_eq!(clock.at(4 * HOUR_MS), 3 * MINUTE_MS);
    assert_eq!(clock.at(5 * HOUR_MS + 5), 3 * MINUTE_MS + 5);
}

#[test]
fn p_078_a_stricter_limit_counts_at_once_and_a_looser_one_after_a_day_and_a_second_word() {
    let mut seat = Seat::new();
    let spend = |most| set(Window::Session, Measure::Spend, most);
    let sure = || confirm(Window::Session, Measure::Spend);
    let now = seat.house.now_ms;
    assert_eq!(seat.refused(spend(None)), "already_done");
    assert_eq!(seat.refused(sure()), "already_done");
    seat.own(spend(Some(700)));
    assert_eq!(seat.refused(spend(Some(700))), "already_done");
    seat.own(spend(Some(500)));
    assert_eq!(seat.most(Window::Session, Measure::Spend), Some(500));
    seat.own(spend(Some(900)));
    assert_eq!(seat.most(Window::Session, Measure::Spend), Some(500));
    assert_eq!(seat.refused(sure()), "cooling_off");
    // Asked for again, it waits no longer and no shorter; another one waits anew.
    seat.house.now_ms = now + HOUR_MS;
    assert_eq!(seat.refused(spend(Some(900))), "already_done");
    seat.own(spend(None));
    seat.house.now_ms = now + DAY_MS + HOUR_MS - 1;
    assert_eq!(seat.refused(sure()), "cooling_off");
    seat.house.now_ms += 1;
    // Time alone loosens nothing.
    assert_eq!(seat.may(501), limit(Window::Session, Measure::Spend));
    seat.own(sure());
    assert_eq!(seat.may(501), Ok(()));
    assert_eq!(seat.most(Window::Session, Measure::Spend), None);
    // Wanting what holds takes back what waits.
    seat.own(spend(Some(500)));
    seat.own(spend(Some(600)));
    seat.own(spend(Some(500)));
    seat.house.now_ms += 2 * DAY_MS;
    assert_eq!(seat.refused(sure()), "already_done");
    for (window, measure, most) in [
        (Window::Session, Measure::Loss, -1),
        (Window::Session, Measure::Spend, -1),
        (Window::Session, Measure::Spend, i64::MAX),
        (Window::Session, Measure::Time, 0),
        (Window::Session, Measure::Time, 1_441),
    ] {
        let bad = set(window, measure, Some(most));
        assert_eq!(seat.refused(bad), "limit_invalid");
    }
}

#[test]
fn p_078_limits_set_all_together_are_limits_of_the_session() {
    let mut seat = Seat::new();
    let limits = |loss, minutes| PlayStep::Limit {
        limits: PlayLimits {
            loss: Some(money(loss)),
            spend: None,
            minutes: Some(minutes),
        },
    };
    seat.own(limits(300, 90));
    seat.own(limits(500, 60));
    assert_eq!(seat.most(Window::Session, Measure::Loss), Some(300));
    assert_eq!(seat.most(Window::Session, Measure::Time), Some(60));
    assert_eq!(seat.refused(limits(-1, 60)), "limit_invalid");
    assert_eq!(seat.refused(limits(300, 1_441)), "limit_invalid");
}

#[test]
fn p_078_limits_by_day_week_and_month_take_a_card_and_the_lowest_applies() {
    let mut seat = Seat::new();
    // Monday, 2 November 2026, 09:00 in Singapore.
    let monday = 1_793_581_200_000;
    seat.house.now_ms = monday;
    assert_eq!(
        seat.refused(set(Window::Day, Measure::Spend, Some(1))),
        "card_needed"
    );
    seat.own(card(1));
    assert_eq!(seat.refused(card(1)), "already_done");
    assert_eq!(seat.refused(card(2)), "other_card");
    for (window, most) in [
        (Window::Session, 400),
        (Window::Day, 600),
        (Window::Week, 900),
        (Window::Month, 1_300),
    ] {
        seat.own(set(window, Measure::Spend, Some(most)));
    }
    let spend = |window| limit(window, Measure::Spend);
    assert_eq!(seat.may(401), spend(Window::Session));
    seat.played(400, 100);
    assert_eq!(seat.may(1), spend(Window::Session));
    // Another session of the same day.
    seat.comes_back(1);
    assert_eq!(seat.may(200), Ok(()));
    assert_eq!(seat.may(201), spend(Window::Day));
    seat.played(200, 0);
    // Sunday, one minute before midnight in Singapore: still the same week.
    seat.comes_back(1);
    seat.house.now_ms = monday + 6 * DAY_MS + 15 * HOUR_MS - MINUTE_MS;
    assert_eq!(seat.may(300), Ok(()));
    assert_eq!(seat.may(301), spend(Window::Week));
    seat.played(300, 0);
    seat.count();
    assert_eq!(seat.may(1), spend(Window::Week));
    // Monday again; the month goes on.
    seat.house.now_ms += MINUTE_MS;
    seat.comes_back(1);
    assert_eq!(seat.may(400), Ok(()));
    assert_eq!(seat.may(401), spend(Window::Session));
    seat.played(400, 0);
    seat.comes_back(1);
    assert_eq!(seat.may(1), spend(Window::Month));
    // The first of December.
    seat.house.now_ms = monday + 29 * DAY_MS - 9 * HOUR_MS - 1;
    assert_eq!(seat.may(1), spend(Window::Month));
    seat.house.now_ms += 1;
    assert_eq!(seat.may(400), Ok(()));
    // Whoever has another card, or none, is not held to it.
    seat.comes_back(2);
    assert_eq!(seat.may(10_000), Ok(()));
}

#[test]
fn p_075_time_by_the_day_is_time_of_play_and_adds_up_over_sessions() {
    let mut seat = Seat::new();
    seat.house.now_ms = 1_793_581_200_000;
    seat.own(card(1));
    seat.own(set(Window::Day, Measure::Time, Some(10)));
    for _ in 0..3 {
        seat.played(1, 0);
        seat.house.now_ms += HOUR_MS;
        seat.comes_back(1);
    }
    // Three wagers an hour apart: two minutes each.
    let used = seat.rows()[0].used;
    assert_eq!(used, 6);
    for _ in 0..4 {
        assert_eq!(seat.may(1), Ok(()));
        seat.played(1, 0);
        seat.house.now_ms += MINUTE_MS;
    }
    assert_eq!(seat.may(1), limit(Window::Day, Measure::Time));
    seat.house.now_ms += DAY_MS;
    seat.comes_back(1);
    assert_eq!(seat.may(1), Ok(()));
}

#[test]
fn p_075_what_the_clock_ran_before_midnight_is_of_that_day() {
    let mut seat = Seat::new();
    // 23:50 in Singapore.
    seat.house.now_ms = 1_793_581_200_000 + 14 * HOUR_MS + 50 * MINUTE_MS;
    seat.own(card(1));
    seat.own(set(Window::Day, Measure::Time, Some(9)));
    seat.own(set(Window::Week, Measure::Time, Some(90)));
    let used = |seat: &Seat| [seat.rows()[0].used, seat.rows()[1].used];
    seat.played(1, 0);
    seat.count();
    seat.house.now_ms += HOUR_MS;
    assert_eq!(used(&seat), [0, 2], "a new day of the same week");
    seat.played(1, 0);
    seat.house.now_ms += MINUTE_MS;
    assert_eq!(used(&seat), [1, 3]);
    seat.count();
    assert_eq!(used(&seat), [1, 3]);
}

#[test]
fn p_078_a_looser_limit_of_a_card_waits_wherever_the_card_is_used() {
    let mut seat = Seat::new();
    seat.own(card(1));
    seat.own(set(Window::Month, Measure::Loss, Some(100)));
    seat.own(set(Window::Month, Measure::Loss, None));
    seat.comes_back(1);
    assert_eq!(seat.may(101), limit(Window::Month, Measure::Loss));
    let sure = || confirm(Window::Month, Measure::Loss);
    assert_eq!(seat.refused(sure()), "cooling_off");
    seat.house.now_ms += DAY_MS;
    assert_eq!(seat.may(101), limit(Window::Month, Measure::Loss));
    seat.own(sure());
    assert_eq!(seat.may(101), Ok(()));
    // What a player set before they showed the card holds beside the card's.
    seat.next_session();
    seat.own(set(Window::Session, Measure::Spend, Some(50)));
    seat.own(card(1));
    assert_eq!(seat.may(51), limit(Window::Session, Measure::Spend));
    seat.own(set(Window::Session, Measure::Spend, Some(40)));
    assert_eq!(seat.may(41), limit(Window::Session, Measure::Spend));
    seat.own(set(Window::Session, Measure::Spend, Some(60)));
    seat.house.now_ms += DAY_MS;
    seat.own(confirm(Window::Session, Measure::Spend));
    assert_eq!(seat.most(Window::Session, Measure::Spend), Some(60));
}

#[test]
fn p_075_a_card_is_used_at_one_station_at_a_time() {
    let mut seat = Seat::new();
    seat.own(card(1));
    seat.own(PlayStep::Break { minutes: 5 });
    let there = place("mbs-etg", 1);
    // The other station is enrolled as the house would.
    let enrol = Act::Enrol {
        new: sicbo_register::testing::station("mbs-etg", 1, 9),
    };
    seat.house
        .ok(Party::Person(sicbo_register::testing::TECHNICIAN), enrol);
    let act = step_play(1, sitting(1, Tally::default(), None), card(1));
    let station = Party::Place(sicbo_register::enrolment::EnrolmentId(3));
    assert_eq!(seat.house.code(station, act), "done");
    let register = &seat.house.register;
    let held = register.held(&there, &register.plays[&there]);
    // The break goes with the card.
    let reading = seat.reading();
    assert_eq!(held.may_stake(&reading, money(1)), Err(NoPlay::Break));
    seat.house.now_ms += 5 * MINUTE_MS;
    assert_eq!(seat.may(1), Err(NoPlay::CardElsewhere));
    seat.own(card(1));
    assert_eq!(seat.may(1), Ok(()));
}

#[test]
fn p_078_a_reality_check_must_be_seen_before_the_next_bet() {
    let mut seat = Seat::new();
    let check = |minutes| PlayStep::Check { minutes };
    assert_eq!(seat.refused(check(Some(0))), "limit_invalid");
    assert_eq!(seat.refused(check(Some(241))), "limit_invalid");
    assert_eq!(seat.refused(check(Some(61))), "limit_invalid");
    // J-01: unless the player wants another interval, it is an hour.
    seat.own(PlayStep::Break { minutes: 1 });
    assert_eq!(seat.play().check_min, Some(60));
    seat.house.now_ms += MINUTE_MS;
    seat.own(check(Some(30)));
    for _ in 0..30 {
        assert_eq!(seat.may(1), Ok(()));
        seat.played(1, 0);
        seat.house.now_ms += MINUTE_MS;
    }
    assert_eq!(seat.may(1), Err(NoPlay::CheckDue));
    seat.count();
    // Another interval, or none, does not take its place.
    assert_eq!(seat.refused(check(Some(60))), "reality_check_due");
    assert_eq!(seat.refused(check(None)), "reality_check_due");
    assert_eq!(seat.may(1), Err(NoPlay::CheckDue));
    seat.own(PlayStep::Acknowledge);
    assert_eq!(seat.may(1), Ok(()));
    assert_eq!(seat.play().next_check_ms(), Some(HOUR_MS));
    // Nobody can do without, and one that is not due cannot be put off.
    assert_eq!(seat.refused(check(None)), "limit_invalid");
    for _ in 0..29 {
        seat.played(1, 0);
        seat.house.now_ms += MINUTE_MS;
        assert_eq!(seat.refused(PlayStep::Acknowledge), "already_done");
    }
    seat.played(1, 0);
    seat.house.now_ms += MINUTE_MS;
    assert_eq!(seat.may(1), Err(NoPlay::CheckDue));
}

#[test]
fn p_078_a_check_that_was_seen_is_seen_though_the_clock_was_read_before() {
    let mut seat = Seat::new();
    seat.own(PlayStep::Check { minutes: Some(30) });
    for _ in 0..29 {
        seat.played(1, 0);
        seat.house.now_ms += MINUTE_MS;
    }
    seat.played(1, 0);
    seat.count();
    // The clock ran on after it was read, and nothing was wagered.
    seat.house.now_ms += MINUTE_MS;
    assert_eq!(seat.may(1), Err(NoPlay::CheckDue));
    seat.own(PlayStep::Acknowledge);
    assert_eq!(seat.may(1), Ok(()));
    assert_eq!(seat.play().checked_ms, 30 * MINUTE_MS);
}

#[test]
fn p_075_the_interval_of_the_house_holds_whatever_comes_first_on_record() {
    for first in [
        card(1),
        PlayStep::Break { minutes: 1 },
        set(Window::Session, Measure::Spend, Some(9_000)),
    ] {
        let mut seat = Seat::new();
        seat.check_min = 20;
        seat.own(first.clone());
        assert_eq!(seat.play().check_min, Some(20), "{first:?}");
    }
    let mut seat = Seat::new();
    seat.check_min = 20;
    let stop = stop_for("asked to leave");
    assert_eq!(seat.by(Party::Person(SHIFT), stop), "done");
    assert_eq!(seat.play().check_min, Some(20));
    assert!(!seat.play().answered, "the player has said nothing");
    // A member who never spoke of checks has the house's, wherever they play.
    let mut seat = Seat::new();
    seat.check_min = 20;
    seat.own(card(1));
    assert!(!seat.play().answered);
    seat.own(set(Window::Day, Measure::Loss, Some(9_000)));
    seat.comes_back(1);
    assert_eq!(seat.play().check_min, Some(20));
    // One who wanted half of it has that, and one who wants more than a
    // stricter house has the house's.
    seat.own(PlayStep::Check { minutes: Some(10) });
    seat.comes_back(1);
    assert_eq!(seat.play().check_min, Some(10));
    seat.check_min = 5;
    seat.comes_back(1);
    assert_eq!(seat.play().check_min, Some(5));
}

/// What is known of the play of a session at the seat.
fn play_in(seat: &Seat, session: u32) -> Play {
    let sitting = sitting(session, seat.base, None);
    let here = place("mbs-etg", 0);
    seat.house.register.play_of(&here, &sitting).into_owned()
}

#[test]
fn p_075_what_was_recorded_in_a_visit_holds_to_its_end() {
    let mut seat = Seat::new();
    // The visit began with session 1; a record of its third session is of it.
    seat.session = 3;
    seat.own(PlayStep::Break { minutes: 60 });
    seat.session = 1;
    let held_here = |seat: &Seat, session| {
        let play = play_in(seat, session);
        let held = seat.house.register.held(&place("mbs-etg", 0), &play);
        held.may_stake(&seat.reading(), money(1))
    };
    assert_eq!(held_here(&seat, 1), Err(NoPlay::Break));
    assert_eq!(
        seat.refused(PlayStep::Break { minutes: 5 }),
        "limit_invalid"
    );
    assert_eq!(held_here(&seat, 4), Ok(()), "another visit");
}

#[test]
fn p_075_a_stop_holds_at_the_station_until_it_is_lifted() {
    let mut seat = Seat::new();
    let stop = || stop_for("asked to leave");
    let resume = || resume_for("has left the house");
    seat.own(card(1));
    seat.own(PlayStep::Break { minutes: 60 });
    assert_eq!(seat.by(Party::Person(SHIFT), stop()), "done");
    // All credit was taken out. Whoever comes is still stopped, and is held to
    // nothing else.
    seat.next_session();
    let play = play_in(&seat, seat.session);
    assert_eq!(play.still_stopped.as_deref(), Some("asked to leave"));
    assert_eq!((play.card, play.break_until_ms), (None, i64::MIN));
    // Another's card is not stopped by it elsewhere.
    seat.own(card(2));
    assert_eq!(seat.may(1), Err(NoPlay::Stopped));
    let member = |seat: &Seat, number| {
        let member = &seat.house.register.members[&MemberId([number; 32])];
        member.stopped.is_some()
    };
    assert_eq!((member(&seat, 1), member(&seat, 2)), (true, false));
    seat.next_session();
    seat.own(PlayStep::Check { minutes: Some(60) });
    assert_eq!(seat.may(1), Err(NoPlay::Stopped));
    assert_eq!(seat.by(STATION_BY, resume()), "not_authorised");
    assert_eq!(seat.by(Party::Person(SHIFT), resume()), "done");
    assert_eq!(seat.by(Party::Person(SHIFT), resume()), "already_done");
    assert_eq!(seat.may(1), Ok(()));
    // The card that was in use then is still stopped, wherever it is shown.
    seat.own(card(1));
    assert_eq!(seat.may(1), Err(NoPlay::Stopped));
    seat.next_session();
    seat.own(PlayStep::Check { minutes: Some(60) });
    assert_eq!(
        seat.may(1),
        Ok(()),
        "the card has gone, and its stop with it"
    );
}

#[test]
fn p_078_a_break_with_a_card_is_not_cut_short_at_another_station() {
    let mut seat = Seat::new();
    seat.own(card(1));
    let until = |seat: &Seat| {
        let member = &seat.house.register.members[&MemberId([1; 32])];
        member.break_until_ms
    };
    // Taken where the card was used before; this station knows nothing of it.
    let until_ms = seat.house.now_ms + HOUR_MS;
    let members = &mut seat.house.register.members;
    members.get_mut(&MemberId([1; 32])).unwrap().break_until_ms = until_ms;
    assert_eq!(seat.may(1), Err(NoPlay::Break));
    assert_eq!(
        seat.refused(PlayStep::Break { minutes: 5 }),
        "limit_invalid"
    );
    assert_eq!(until(&seat), until_ms);
    seat.own(PlayStep::Break { minutes: 90 });
    assert_eq!(until(&seat), until_ms + 30 * MINUTE_MS);
    // And a stop of the card holds here though it was made elsewhere.
    seat.house.now_ms += 2 * HOUR_MS;
    assert_eq!(seat.may(1), Ok(()));
    let members = &mut seat.house.register.members;
    members.get_mut(&MemberId([1; 32])).unwrap().stopped = Some("elsewhere".to_owned());
    assert_eq!(seat.may(1), Err(NoPlay::Stopped));
}

#[test]
fn p_078_what_was_played_elsewhere_counts_before_it_is_counted() {
    let mut seat = Seat::new();
    seat.own(card(1));
    seat.own(set(Window::Day, Measure::Spend, Some(500)));
    seat.own(set(Window::Session, Measure::Spend, Some(600)));
    seat.elsewhere = tally(300, 100);
    assert_eq!(seat.may(200), Ok(()));
    assert_eq!(seat.may(201), limit(Window::Day, Measure::Spend));
    seat.own(set(Window::Day, Measure::Loss, Some(450)));
    seat.own(set(Window::Day, Measure::Spend, Some(400)));
    assert_eq!(seat.may(101), limit(Window::Day, Measure::Spend));
    // It is no play of this session.
    assert_eq!(seat.rows().last().map(|row| row.used), Some(200));
    let session = seat
        .rows()
        .into_iter()
        .find(|row| row.key.window == Window::Session);
    assert_eq!(session.map(|row| row.used), Some(0));
}

#[test]
fn a_break_of_version_1_never_shortens_a_members_break() {
    let mut seat = Seat::new();
    seat.own(card(1));
    let until_ms = seat.house.now_ms + HOUR_MS;
    let member = MemberId([1; 32]);
    let members = &mut seat.house.register.members;
    members.get_mut(&member).unwrap().break_until_ms = until_ms;
    let pause = PlayStep::Break { minutes: 5 };
    let act = step_play(0, sitting(1, seat.base, None), pause);
    // It could be done then, so it can be derived; it does no harm.
    assert_eq!(seat.house.code(STATION_BY, act), "done");
    assert_eq!(
        seat.house.register.members[&member].break_until_ms,
        until_ms
    );
    assert_eq!(seat.may(1), Err(NoPlay::Break));
}

#[test]
fn p_078_a_break_locks_and_cannot_be_cut_short() {
    let mut seat = Seat::new();
    let pause = |minutes| PlayStep::Break { minutes };
    seat.own(pause(60));
    assert_eq!(seat.may(1), Err(NoPlay::Break));
    assert_eq!(seat.refused(pause(10)), "limit_invalid");
    assert_eq!(seat.refused(pause(0)), "limit_invalid");
    seat.house.now_ms += HOUR_MS;
    assert_eq!(seat.may(1), Ok(()));
}

#[test]
fn p_075_the_house_stops_play_and_only_a_shift_manager_lets_it_go_on() {
    let mut seat = Seat::new();
    let stop = || stop_for("on the exclusion list");
    let resume = || resume_for("another person");
    for (by, code) in [
        (STATION_BY, "not_authorised"),
        (Party::Person(DEALER), "not_authorised"),
        (Party::Person(CASHIER), "not_authorised"),
        (Party::House, "done"),
        (Party::Person(SHIFT), "already_done"),
    ] {
        assert_eq!(seat.by(by, stop()), code, "{by:?}");
    }
    assert_eq!(seat.may(0), Err(NoPlay::Stopped));
    for (by, code) in [
        (STATION_BY, "not_authorised"),
        (Party::House, "not_authorised"),
        (Party::Person(HEAD), "not_authorised"),
        (Party::Person(SHIFT), "done"),
    ] {
        assert_eq!(seat.by(by, resume()), code, "{by:?}");
    }
    assert_eq!(seat.may(1), Ok(()));
    // A player sets what is their own, at their own station.
    let check = || PlayStep::Check { minutes: Some(60) };
    assert_eq!(seat.by(Party::Place(WINDOW), check()), "not_your_station");
    assert_eq!(seat.by(Party::Person(SHIFT), check()), "not_authorised");
    // Whoever comes next without a card begins with nothing set.
    seat.own(PlayStep::Break { minutes: 60 });
    seat.next_session();
    assert_eq!(seat.by(STATION_BY, check()), "done");
    assert_eq!(seat.play().session, SessionNumber(2));
    assert_eq!(seat.may(1), Ok(()));
    // A member who was stopped is stopped wherever the card is read.
    seat.own(card(1));
    assert_eq!(seat.by(Party::Person(SHIFT), stop()), "done");
    seat.comes_back(1);
    assert_eq!(seat.may(1), Err(NoPlay::Stopped));
    assert_eq!(seat.by(Party::Person(SHIFT), resume()), "done");
    assert_eq!(seat.may(1), Ok(()));
}

#[test]
fn readings_count_once_and_only_the_house_reads() {
    let mut seat = Seat::new();
    seat.own(card(1));
    seat.own(set(Window::Day, Measure::Spend, Some(500)));
    seat.played(100, 0);
    let used = |seat: &Seat| seat.rows()[0].used;
    assert_eq!(used(&seat), 100);
    assert_eq!(seat.count(), "done");
    assert_eq!(seat.count(), "already_done");
    assert_eq!(used(&seat), 100);
    // Of another session, or by another party, it is nothing.
    seat.session = 9;
    assert_eq!(seat.count(), "already_done");
    let act = Act::CountPlays {
        offset_min: EAST_MIN,
        lines: Vec::new(),
    };
    assert_eq!(seat.house.code(STATION_BY, act), "not_authorised");
    let act = Act::CountPlays {
        offset_min: 841,
        lines: Vec::new(),
    };
    assert_eq!(seat.house.code(Party::House, act), "limit_invalid");
}

#[test]
fn members_are_bounded_and_those_with_nothing_set_are_let_go_of_first() {
    let mut seat = Seat::new();
    let now = seat.house.now_ms;
    let idle = (0..MAX_MEMBERS as u64).map(|number| {
        let mut id = [0; 32];
        id[..8].copy_from_slice(&number.to_be_bytes());
        (MemberId(id), Member::new(now))
    });
    seat.house.register.members = idle.collect();
    assert_eq!(seat.refused(card(7)), "too_many_members");
    // Who has a limit is not forgotten, however long they stay away.
    let first = MemberId([0; 32]);
    seat.house
        .want_time(first, key(Window::Day, Measure::Time), 30);
    seat.house.now_ms += 32 * DAY_MS;
    seat.own(card(7));
    let left: Vec<MemberId> = seat.house.register.members.keys().copied().collect();
    assert_eq!(left, [first, MemberId([7; 32])]);
}

#[test]
fn days_weeks_and_months_begin_where_the_house_says() {
    // Sunday, 1 November 2026, 00:00 in Singapore.
    let first = 1_793_462_400_000;
    for (window, first_ms) in [
        (Window::Day, first),
        (Window::Month, first),
        (Window::Week, first + DAY_MS),
    ] {
        let at = |ms| spell_at(window, ms, EAST_MIN);
        assert_eq!(at(first_ms - 1) + 1, at(first_ms), "{window:?}");
    }
    // Elsewhere it is another day.
    assert_ne!(
        spell_at(Window::Day, first, 0),
        spell_at(Window::Day, first, EAST_MIN)
    );
    assert_eq!(spell_at(Window::Month, i64::MAX, 0), 0);
}

/// What a player does next.
#[derive(Clone, Debug)]
enum Move {
    Wait(i64),
    Stake(i64, i64),
    Want(LimitKey, Option<i64>),
    Confirm(LimitKey),
    Leave,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    // Few enough that a limit is wanted and confirmed in one story.
    let keys = vec![
        key(Window::Session, Measure::Spend),
        key(Window::Day, Measure::Loss),
        key(Window::Week, Measure::Spend),
        key(Window::Month, Measure::Loss),
        key(Window::Day, Measure::Time),
    ];
    let key = || proptest::sample::select(keys.clone());
    let one = prop_oneof![
        2 => (1..3 * DAY_MS).prop_map(Move::Wait),
        2 => (1..5 * MINUTE_MS).prop_map(Move::Wait),
        6 => (1i64..300, 0i64..400).prop_map(|(stake, back)| Move::Stake(stake, back)),
        3 => (key(), proptest::option::weighted(0.8, 1i64..900))
            .prop_map(|(key, most)| Move::Want(key, most)),
        3 => key().prop_map(Move::Confirm),
        1 => Just(Move::Leave),
    ];
    proptest::collection::vec(one, 1..60)
}

proptest! {
    /// From the text of P-078 and its template, with books of its own: no bet
    /// is taken that goes beyond a limit then in force, every bet that stays
    /// within all of them is taken, and a limit gets looser only by a second
    /// word a day after the first.
    #[test]
    fn p_078_no_bet_goes_beyond_the_lowest_limit_and_none_within_is_refused(moves in moves()) {
        let mut seat = Seat::new();
        seat.house.now_ms = 1_793_581_200_000;
        seat.own(card(1));
        // Stakes and returns with their times and sessions; the limits; what waits.
        let mut ledger: Vec<(i64, u32, i64, i64)> = Vec::new();
        let mut wagers: Vec<(i64, u32)> = Vec::new();
        let mut holds = std::collections::BTreeMap::<LimitKey, i64>::new();
        let mut waits = std::collections::BTreeMap::<LimitKey, (i64, Option<i64>)>::new();
        for one in moves {
            let now = seat.house.now_ms;
            match one {
                Move::Wait(ms) => {
                    seat.count();
                    seat.house.now_ms += ms;
                }
                Move::Leave => {
                    seat.comes_back(1);
                }
                Move::Want(key, most) => {
                    let done = seat.refused(PlayStep::Set { key, most }) == "done";
                    let now_most = holds.get(&key).copied();
                    let looser = now_most.is_some_and(|now| most.is_none_or(|most| most > now));
                    if looser {
                        if waits.get(&key).map(|(_, most)| *most) != Some(most) {
                            prop_assert!(done);
                            waits.insert(key, (now + DAY_MS, most));
                        }
                    } else {
                        prop_assert_eq!(done, most != now_most || waits.contains_key(&key));
                        waits.remove(&key);
                        if let Some(most) = most { holds.insert(key, most); }
                    }
                }
                Move::Confirm(key) => {
                    let may = waits.get(&key).is_some_and(|(from, _)| now >= *from);
                    prop_assert_eq!(seat.refused(PlayStep::Confirm { key }) == "done", may);
                    if may {
                        match waits.remove(&key) {
                            Some((_, Some(most))) => holds.insert(key, most),
                            _ => holds.remove(&key),
                        };
                    }
                }
                Move::Stake(stake, back) => {
                    if seat.may(stake) == Err(NoPlay::CheckDue) {
                        seat.own(PlayStep::Acknowledge);
                    }
                    let local = |ms: i64| {
                        let at = jiff::Timestamp::from_millisecond(ms).unwrap();
                        jiff::tz::Offset::constant(8).to_datetime(at).date()
                    };
                    let within = |window: Window, at: i64, session: u32| match window {
                        Window::Session => session == seat.session,
                        Window::Day => local(at) == local(now),
                        Window::Week => {
                            let monday = |ms| {
                                let date = local(ms);
                                let since = i64::from(date.weekday().to_monday_zero_offset());
                                date.checked_sub(jiff::Span::new().days(since)).unwrap()
                            };
                            monday(at) == monday(now)
                        }
                        Window::Month => local(at).first_of_month() == local(now).first_of_month(),
                    };
                    let within_all = holds.iter().filter(|(key, _)| key.measure != Measure::Time);
                    let within_all = within_all.filter(|(key, most)| {
                        let of = ledger.iter().filter(|(at, session, ..)| within(key.window, *at, *session));
                        let used: i64 = of.map(|(_, _, stake, back)| match key.measure {
                            Measure::Spend => *stake,
                            _ => stake - back,
                        }).sum();
                        used + stake > **most
                    });
                    let beyond: Vec<LimitKey> = within_all.map(|(key, _)| *key).collect();
                    let said = seat.may(stake);
                    match said {
                        Ok(()) => prop_assert_eq!(beyond, Vec::new()),
                        Err(NoPlay::Limit(key)) if key.measure == Measure::Time => {
                            // Within one window no more can have run than two
                            // minutes for each wager.
                            let of = wagers.iter().filter(|(at, session)| {
                                within(key.window, *at, *session)
                            });
                            let most_ms = of.count() as i64 * 2 * MINUTE_MS;
                            prop_assert!(most_ms >= holds[&key] * MINUTE_MS, "{:?}", key);
                        }
                        Err(NoPlay::Limit(key)) => prop_assert!(beyond.contains(&key)),
                        Err(other) => prop_assert!(false, "{other:?}"),
                    }
                    if said.is_ok() {
                        seat.played(stake, back);
                        ledger.push((now, seat.session, stake, back));
                        wagers.push((now, seat.session));
                        // A round has ended.
                        seat.count();
                    }
                }
            }
            let kept = Register::from_snapshot(&seat.house.register.snapshot()).unwrap();
            prop_assert_eq!(&kept, &seat.house.register);
        }
    }
}

#[test]
fn p_075_what_binds_a_member_needs_the_member_a_while_ago_at_most() {
    let mut seat = Seat::new();
    let whose = Card {
        member: MemberId([1; 32]),
        currency: Currency::SGD,
    };
    let prove = |proof| PlayStep::Prove { card: whose, proof };
    let day = |most| set(Window::Day, Measure::Spend, Some(most));
    seat.own(prove(Proof::Pin));
    let proved_ms = seat.house.now_ms;
    seat.own(day(900));
    seat.house.now_ms = proved_ms + PROOF_LASTS_MS;
    seat.own(day(800));
    // Whoever stands there later cannot bind the member.
    seat.house.now_ms += 1;
    let binding = [
        day(700),
        confirm(Window::Day, Measure::Spend),
        PlayStep::Check { minutes: Some(30) },
        PlayStep::Break { minutes: 600 },
    ];
    for step in binding {
        assert_eq!(seat.refused(step.clone()), "proof_needed", "{step:?}");
    }
    assert_eq!(seat.may(800), Ok(()), "the member is bound to nothing new");
    // Shown again, the card is the member's again; another's is refused.
    let other = PlayStep::Prove {
        card: Card {
            member: MemberId([2; 32]),
            ..whose
        },
        proof: Proof::Read,
    };
    assert_eq!(seat.refused(other), "other_card");
    seat.own(prove(Proof::Read));
    seat.own(PlayStep::Break { minutes: 600 });
    assert_eq!(seat.may(1), Err(NoPlay::Break));
    // Without a card nobody is bound beyond the visit, and nothing is asked.
    let mut seat = Seat::new();
    seat.house.now_ms += PROOF_LASTS_MS * 10;
    seat.own(PlayStep::Break { minutes: 600 });
}
