//! People, log-ins and enrolment, refusal by refusal.

use sicbo_rules::rulebook::words::Position;
use sicbo_table::ids::PersonId;

use sicbo_loop::Machine as _;
use sicbo_register::Register;
use sicbo_register::command::{Act, Party, PinRight};
use sicbo_register::enrolment::{EnrolmentId, Key, NewEnrolment, Role};
use sicbo_register::event::Fact;
use sicbo_register::person::{LogOutReason, SessionId};
use sicbo_register::refusal::Reason;
use sicbo_register::testing::*;

const MINUTE: i64 = 60_000;

fn by(person: PersonId) -> Party {
    Party::Person(person)
}

fn try_in(name: &str, right: Option<PersonId>) -> Act {
    let right = right.map(|person| PinRight {
        person,
        pin_version: 1,
    });
    Act::LogIn {
        name: name.to_owned(),
        right,
        place: None,
    }
}

fn kinds(facts: &[Fact]) -> Vec<&'static str> {
    facts
        .iter()
        .map(|fact| match fact {
            Fact::LoggedIn { .. } => "in",
            Fact::LogInFailed { .. } => "failed",
            Fact::LockedOut { .. } => "locked",
            Fact::LoggedOut { .. } => "out",
            _ => "other",
        })
        .collect()
}

#[test]
fn s_18_set_up_happens_once_by_the_house_with_someone_who_manages_people() {
    let mut house = House {
        register: Register::default(),
        now_ms: 0,
        commands: 0,
    };
    assert_eq!(house.code(by(DIRECTOR), set_up()), "not_authorised");
    assert_eq!(
        house.code(Party::House, Act::EndSessions),
        "house_not_set_up"
    );
    let with = |staff| match set_up() {
        Act::SetUp { terms, places, .. } => Act::SetUp {
            terms,
            staff,
            places,
        },
        _ => unreachable!(),
    };
    for (staff, code) in [
        (vec![], "no_administrator"),
        (
            vec![person("Ann Lee", Position::Dealer)],
            "no_administrator",
        ),
        (vec![person("admin", Position::Director)], "generic_name"),
        (vec![person("", Position::Director)], "name_invalid"),
        (
            vec![
                person("Ann Lee", Position::Director),
                person("ann  lee", Position::Dealer),
            ],
            "name_taken",
        ),
    ] {
        assert_eq!(house.code(Party::House, with(staff)), code);
    }
    assert_eq!(house.code(Party::House, set_up()), "done");
    assert_eq!(house.code(Party::House, set_up()), "house_already_set_up");
    assert!(house.register.people.values().all(|person| person.one_time));
}

#[test]
fn s_18_five_failures_lock_a_person_also_against_the_right_pin() {
    let mut house = House::new();
    for _ in 0..4 {
        assert_eq!(
            kinds(&house.ok(Party::House, try_in("ann lee", None))),
            ["failed"]
        );
    }
    let fifth = house.ok(Party::House, try_in("Ann Lee", None));
    assert_eq!(kinds(&fifth), ["failed", "locked"]);
    // Tries that were verified at the same time are decided one after the other.
    assert_eq!(
        house.code(Party::House, try_in("Ann Lee", Some(DEALER))),
        "locked_out"
    );
    assert_eq!(
        house.register.log_in_locked("ANN LEE", None, house.now_ms),
        Some(61_000)
    );
    house.now_ms += MINUTE;
    assert_eq!(
        house.register.log_in_locked("ANN LEE", None, house.now_ms),
        None
    );
    let sixth = house.ok(Party::House, try_in("Ann Lee", None));
    assert_eq!(kinds(&sixth), ["failed", "locked"]);
    house.now_ms += MINUTE;
    assert_eq!(
        house.code(Party::House, try_in("Ann Lee", Some(DEALER))),
        "locked_out"
    );
    house.now_ms += MINUTE;
    assert_eq!(
        kinds(&house.ok(Party::House, try_in("Ann Lee", Some(DEALER)))),
        ["in"]
    );
    assert_eq!(house.register.people[&DEALER].lockout.failures, 0);
    // Nobody else was touched.
    assert_eq!(
        kinds(&house.ok(Party::House, try_in("Rosa Alvarez", Some(CASHIER)))),
        ["in"]
    );
}

#[test]
fn s_18_wrong_pins_at_one_place_lock_the_name_there_and_nowhere_else() {
    let mut house = House::new();
    let at = |place, right: Option<PersonId>| match try_in("Ann Lee", right) {
        Act::LogIn { name, right, .. } => Act::LogIn { name, right, place },
        other => other,
    };
    let window = Some(WINDOW);
    for _ in 0..5 {
        house.ok(Party::House, at(None, None));
    }
    let right = Some(DEALER);
    assert_eq!(house.code(Party::House, at(None, right)), "locked_out");
    assert_eq!(
        kinds(&house.ok(Party::House, at(window, right))),
        ["in"],
        "a colleague cannot lock her out of her own window"
    );
    // That she came in elsewhere unlocks nothing where the wrong PINs were.
    assert_eq!(house.code(Party::House, at(None, right)), "locked_out");
    assert_eq!(
        house.register.locked_somewhere(DEALER, house.now_ms),
        Some(61_000)
    );
    house.ok(by(DIRECTOR), Act::LiftLock { person: DEALER });
    assert_eq!(kinds(&house.ok(Party::House, at(None, right))), ["in"]);
    assert_eq!(
        house.code(by(DIRECTOR), Act::LiftLock { person: DEALER }),
        "already_done"
    );
}

#[test]
fn s_18_a_pin_that_is_only_shown_counts_like_a_log_in_and_opens_no_session() {
    let mut house = House::new();
    let show = |right: Option<PersonId>| match try_in("Ann Lee", right) {
        Act::LogIn { name, right, place } => Act::ProvePin { name, right, place },
        other => other,
    };
    let sessions = house.register.sessions.len();
    assert_eq!(house.ok(Party::House, show(Some(DEALER))), []);
    assert_eq!(house.register.sessions.len(), sessions);
    for _ in 0..2 {
        assert_eq!(kinds(&house.ok(Party::House, show(None))), ["failed"]);
        assert_eq!(
            kinds(&house.ok(Party::House, try_in("Ann Lee", None))),
            ["failed"]
        );
    }
    // A right one in between forgives nothing: only a log-in does.
    assert_eq!(house.ok(Party::House, show(Some(DEALER))), []);
    assert_eq!(
        kinds(&house.ok(Party::House, show(None))),
        ["failed", "locked"]
    );
    assert_eq!(house.code(Party::House, show(Some(DEALER))), "locked_out");
    // A PIN that was changed since it was verified is none.
    house.now_ms += MINUTE;
    house.register.people.get_mut(&DEALER).unwrap().pin_version = 2;
    assert_eq!(
        kinds(&house.ok(Party::House, show(Some(DEALER)))),
        ["failed", "locked"]
    );
}

#[test]
fn s_18_a_name_tried_too_often_anywhere_is_locked_everywhere() {
    let mut house = House::new();
    let mut failures = 0;
    let mut wait_ms = 0;
    // Somebody who waits out every cool-down at one place.
    while house.register.people[&DEALER]
        .lockout
        .locked(house.now_ms)
        .is_none()
    {
        house.ok(Party::House, try_in("Ann Lee", None));
        failures += 1;
        let until = house.register.log_in_locked("Ann Lee", None, house.now_ms);
        let guard = house.register.people[&DEALER].lockout.locked(house.now_ms);
        if let (Some(until), None) = (until, guard) {
            wait_ms += until - house.now_ms;
            house.now_ms = until;
        }
    }
    assert_eq!(failures, 50);
    assert!(wait_ms > 24 * 3_600_000, "after more than a day: {wait_ms}");
    let right = match try_in("Ann Lee", Some(DEALER)) {
        Act::LogIn { name, right, .. } => Act::LogIn {
            name,
            right,
            place: Some(WINDOW),
        },
        other => other,
    };
    assert_eq!(house.code(Party::House, right), "locked_out");
}

#[test]
fn s_18_unknown_names_are_counted_by_place_and_a_typed_pin_is_not_written_down() {
    let mut house = House::new();
    let facts = house.ok(Party::House, try_in("739182", None));
    assert!(matches!(&facts[0], Fact::LogInFailed { person: None, name, .. } if name.is_empty()));
    for _ in 0..3 {
        house.ok(Party::House, try_in("Nobody Here", None));
    }
    let fifth = house.ok(Party::House, try_in("Someone Else", None));
    assert_eq!(kinds(&fifth), ["failed", "locked"]);
    assert_eq!(
        house.code(Party::House, try_in("Third Name", None)),
        "locked_out"
    );
    assert_eq!(
        house.code(Party::House, try_in("Ann Lee", Some(DEALER))),
        "done"
    );
}

#[test]
fn a_verdict_about_an_older_pin_or_another_person_counts_for_nothing() {
    let mut house = House::new();
    assert_eq!(
        kinds(&house.ok(Party::House, try_in("Ann Lee", Some(CASHIER)))),
        ["failed"]
    );
    house.ok(
        by(DIRECTOR),
        Act::ResetPin {
            person: DEALER,
            pin: HASH.to_owned(),
        },
    );
    assert_eq!(
        kinds(&house.ok(Party::House, try_in("Ann Lee", Some(DEALER)))),
        ["failed"]
    );
    assert_eq!(
        house.code(by(DEALER), try_in("Ann Lee", Some(DEALER))),
        "not_authorised"
    );
}

#[test]
fn s_18_a_one_time_pin_must_be_changed_before_anything_else() {
    let mut house = House::new();
    house.register.people.get_mut(&NEWCOMER).unwrap().position = Position::Director;
    let add = Act::AddPerson {
        person: person("Eve Ng", Position::Dealer),
    };
    assert_eq!(house.code(by(NEWCOMER), add.clone()), "must_change_pin");
    let change = |person, pin_version| Act::ChangePin {
        old: PinRight {
            person,
            pin_version,
        },
        pin: HASH.to_owned(),
    };
    assert_eq!(
        house.code(by(DEALER), change(NEWCOMER, 1)),
        "not_authorised"
    );
    assert_eq!(
        house.code(by(NEWCOMER), change(NEWCOMER, 2)),
        "pin_outdated"
    );
    assert_eq!(house.code(by(NEWCOMER), change(NEWCOMER, 1)), "done");
    assert_eq!(house.code(by(NEWCOMER), add), "done");
}

#[test]
fn rights_are_changed_by_director_or_head_of_operations_and_never_ones_own() {
    let to = |person, position| Act::ChangePosition { person, position };
    let off = |person| Act::Disable {
        person,
        reason: "left".to_owned(),
    };
    let reset = |person| Act::ResetPin {
        person,
        pin: HASH.to_owned(),
    };
    for (who, act, code) in [
        (SHIFT, to(DEALER, Position::PitSupervisor), "not_authorised"),
        (DEALER, to(DEALER, Position::Director), "not_authorised"),
        (TECHNICIAN, reset(DEALER), "not_authorised"),
        (
            DIRECTOR,
            to(PersonId(99), Position::Dealer),
            "unknown_person",
        ),
        (PersonId(99), to(DEALER, Position::Dealer), "unknown_person"),
        (
            DIRECTOR,
            to(DIRECTOR, Position::HeadOfOperations),
            "own_rights",
        ),
        (DIRECTOR, reset(DIRECTOR), "own_rights"),
        (DIRECTOR, off(DIRECTOR), "own_rights"),
        (DIRECTOR, to(DEALER, Position::Dealer), "already_done"),
        (DIRECTOR, to(DEALER, Position::PitSupervisor), "done"),
        (HEAD, off(DEALER), "done"),
        (HEAD, off(DEALER), "already_done"),
        (DEALER, reset(CASHIER), "person_disabled"),
        (HEAD, reset(DEALER), "person_disabled"),
        (HEAD, off(DIRECTOR), "done"),
    ] {
        let mut house = House::new();
        if code == "person_disabled" || code == "already_done" && act == off(DEALER) {
            house.ok(by(HEAD), off(DEALER));
        }
        assert_eq!(house.code(by(who), act.clone()), code, "{who} {act:?}");
    }
    // Somebody who can manage people always remains.
    let mut house = House::new();
    house.ok(by(DIRECTOR), off(HEAD));
    house.register.people.get_mut(&SHIFT).unwrap().position = Position::Director;
    house.ok(by(SHIFT), off(DIRECTOR));
    assert_eq!(house.code(by(DIRECTOR), off(SHIFT)), "person_disabled");
    assert!(house.register.check().is_ok());
}

#[test]
fn the_last_one_who_manages_people_stays() {
    let mut house = House::new();
    house.ok(
        by(DIRECTOR),
        Act::ChangePosition {
            person: HEAD,
            position: Position::Auditor,
        },
    );
    // A second administrator acts on the only other one.
    let command = Act::Disable {
        person: DIRECTOR,
        reason: "left".to_owned(),
    };
    assert_eq!(house.code(by(HEAD), command), "not_authorised");
    assert_eq!(
        house.register.another_administrator(DIRECTOR),
        Err(Reason::LastAdministrator.into())
    );
}

#[test]
fn s_18_a_change_of_rights_ends_every_session_and_log_outs_are_on_record() {
    let mut house = House::new();
    for _ in 0..5 {
        house.ok(Party::House, try_in("Ann Lee", Some(DEALER)));
    }
    let sessions: Vec<u64> = house.register.sessions.keys().map(|s| s.0).collect();
    assert_eq!(sessions, [2, 3, 4, 5], "the oldest gave way");
    let out = |session, why| Act::LogOut {
        session: SessionId(session),
        why,
    };
    assert_eq!(
        house.code(by(CASHIER), out(2, LogOutReason::Asked)),
        "not_authorised"
    );
    assert_eq!(
        house.code(by(DEALER), out(2, LogOutReason::Idle)),
        "not_authorised"
    );
    assert_eq!(house.code(by(DEALER), out(2, LogOutReason::Asked)), "done");
    assert_eq!(
        house.code(by(DEALER), out(2, LogOutReason::Asked)),
        "unknown_session"
    );
    assert_eq!(house.code(Party::House, out(3, LogOutReason::Idle)), "done");
    let facts = house.ok(
        by(DIRECTOR),
        Act::Disable {
            person: DEALER,
            reason: "left".to_owned(),
        },
    );
    assert_eq!(kinds(&facts), ["out", "out", "other"]);
    // Right or wrong, who is disabled fails and is not told why.
    assert_eq!(
        kinds(&house.ok(Party::House, try_in("Ann Lee", Some(DEALER)))),
        ["failed"]
    );
    house.ok(Party::House, try_in("Rosa Alvarez", Some(CASHIER)));
    assert_eq!(kinds(&house.ok(Party::House, Act::EndSessions)), ["out"]);
    assert!(house.register.sessions.is_empty());
}

#[test]
fn a_lock_is_lifted_by_a_shift_manager_and_only_for_others() {
    let mut house = House::new();
    for _ in 0..5 {
        house.ok(Party::House, try_in("Ann Lee", None));
    }
    let lift = |person| Act::LiftLock { person };
    assert_eq!(house.code(by(CASHIER), lift(DEALER)), "not_authorised");
    assert_eq!(house.code(by(SHIFT), lift(SHIFT)), "own_rights");
    assert_eq!(house.code(by(SHIFT), lift(DEALER)), "done");
    assert_eq!(house.code(by(SHIFT), lift(DEALER)), "already_done");
    assert_eq!(
        kinds(&house.ok(Party::House, try_in("Ann Lee", Some(DEALER)))),
        ["in"]
    );
}

#[test]
fn s_17_enrolment_is_a_technicians_act_and_one_station_has_one_key() {
    let mut house = House::new();
    let enrol = |new| Act::Enrol { new };
    assert_eq!(
        house.code(by(DIRECTOR), enrol(station("mbs-etg", 1, 7))),
        "not_authorised"
    );
    assert_eq!(
        house.code(Party::House, enrol(station("mbs-etg", 1, 7))),
        "not_authorised"
    );
    assert_eq!(
        house.code(by(TECHNICIAN), enrol(station("mbs-etg", 0, 7))),
        "already_enrolled"
    );
    assert_eq!(
        house.code(by(TECHNICIAN), enrol(station("mbs-etg", 1, 1))),
        "key_taken"
    );
    let nameless = NewEnrolment {
        name: " ".to_owned(),
        ..station("mbs-etg", 1, 7)
    };
    assert_eq!(house.code(by(TECHNICIAN), enrol(nameless)), "name_invalid");
    assert_eq!(
        house.code(by(TECHNICIAN), enrol(station("mbs-etg", 1, 7))),
        "done"
    );
    let token = Key::new([7; 32]).token(EnrolmentId(3));
    let (id, found) = house.register.recognise(&token).unwrap();
    assert_eq!(
        (id, &found.role),
        (EnrolmentId(3), &station("mbs-etg", 1, 7).role)
    );
    // A right key under another number is wrong.
    assert!(
        house
            .register
            .recognise(&Key::new([7; 32]).token(STATION))
            .is_none()
    );

    let revoke = |enrolment, reason: &str| Act::Revoke {
        enrolment,
        reason: reason.to_owned(),
    };
    assert_eq!(
        house.code(by(CASHIER), revoke(id_3(), "stolen")),
        "not_authorised"
    );
    assert_eq!(house.code(by(SHIFT), revoke(id_3(), " ")), "reason_needed");
    assert_eq!(
        house.code(by(SHIFT), revoke(EnrolmentId(9), "stolen")),
        "unknown_enrolment"
    );
    assert_eq!(house.code(by(SHIFT), revoke(id_3(), "stolen")), "done");
    assert_eq!(
        house.code(by(SHIFT), revoke(id_3(), "stolen")),
        "enrolment_revoked"
    );
    assert!(house.register.recognise(&token).is_none());
    assert_eq!(
        house.code(by(TECHNICIAN), enrol(station("mbs-etg", 1, 8))),
        "done"
    );
    assert_eq!(house.register.enrolments.len(), 4);
}

fn id_3() -> EnrolmentId {
    EnrolmentId(3)
}

#[test]
fn revoking_a_place_ends_the_sessions_there() {
    let mut house = House::new();
    let there = Act::LogIn {
        name: "Rosa Alvarez".to_owned(),
        right: Some(PinRight {
            person: CASHIER,
            pin_version: 1,
        }),
        place: Some(WINDOW),
    };
    house.ok(Party::House, there.clone());
    house.ok(Party::House, try_in("Rosa Alvarez", Some(CASHIER)));
    assert_eq!(house.register.enrolled(WINDOW).unwrap().role, Role::Cage);
    let facts = house.ok(
        by(TECHNICIAN),
        Act::Revoke {
            enrolment: WINDOW,
            reason: "moved".to_owned(),
        },
    );
    assert_eq!(kinds(&facts), ["out", "other"]);
    assert_eq!(house.register.sessions.len(), 1);
    assert_eq!(house.code(Party::House, there), "enrolment_revoked");
}
