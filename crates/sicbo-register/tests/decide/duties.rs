//! Nobody alone: rights, places and log-ins where duties are in force.

use sicbo_register::command::{Act, Party, PinRight};
use sicbo_register::duties::{Duties, Posts, fits, looks};
use sicbo_register::enrolment::{EnrolmentId, Key, NewEnrolment, Role, TableName};
use sicbo_register::event::Fact;
use sicbo_register::refusal::Refusal;
use sicbo_register::testing::{
    CASHIER, DEALER, DIRECTOR, HASH, HEAD, House, NEWCOMER, SHIFT, TECHNICIAN, WINDOW, person,
    station,
};
use sicbo_register::voucher::Payee;
use sicbo_rules::Currency;
use sicbo_rules::rulebook::words::{Position, Word as _};
use sicbo_table::ids::PersonId;

const DAY_MS: i64 = 24 * 3_600_000;

fn by(id: PersonId) -> Party {
    Party::Person(id)
}

fn code(said: Result<Vec<Fact>, Refusal>) -> &'static str {
    match said {
        Ok(_) => "done",
        Err(refusal) => refusal.code(),
    }
}

fn add(name: &str, position: Position) -> Act {
    Act::AddPerson {
        person: person(name, position),
    }
}

fn reset(person: PersonId) -> Act {
    Act::ResetPin {
        person,
        pin: HASH.to_owned(),
    }
}

fn void(house: &mut House, first: PersonId, second: PersonId) -> &'static str {
    // Any act of two persons will do: who they are is asked before what it is about.
    let act = Act::VoidVoucher {
        voucher: sicbo_table::ids::VoucherId(9),
        reason: "said".to_owned(),
    };
    code(house.two(by(first), Some(second), act))
}

/// A second director, taken in by two and logged in with a PIN of their own.
fn newcomer(house: &mut House) -> PersonId {
    let act = add("Kwan Li", Position::Director);
    house.two(by(DIRECTOR), Some(SHIFT), act).unwrap();
    let id = *house.register.people.last_key_value().unwrap().0;
    let desk = house.place_of(&Role::PitDesk);
    house.log_in(id, Some(desk)).unwrap();
    house.own_pin(id);
    id
}

#[test]
fn a_director_alone_is_not_two_persons() {
    let mut house = House::new().with_duties();
    for act in [
        add("Kwan Li", Position::Director),
        reset(HEAD),
        Act::ChangePosition {
            person: DEALER,
            position: Position::Director,
        },
    ] {
        assert_eq!(house.code(by(DIRECTOR), act), "second_person_needed");
    }
    // Two persons, and neither is the one it is about.
    for (second, about, said) in [
        (SHIFT, SHIFT, "own_rights"),
        (SHIFT, DIRECTOR, "own_rights"),
        (DIRECTOR, HEAD, "same_person_twice"),
        (DEALER, HEAD, "not_authorised"),
        (SHIFT, HEAD, "done"),
    ] {
        let two = house.two(by(DIRECTOR), Some(second), reset(about));
        assert_eq!(code(two), said, "{second} {about}");
    }
}

#[test]
fn whoever_was_given_a_pin_is_nobodys_second_until_another_manager_has_seen_them() {
    let mut house = House::new().with_duties();
    let id = newcomer(&mut house);
    assert_eq!(void(&mut house, DIRECTOR, id), "not_witnessed");
    assert_eq!(void(&mut house, id, SHIFT), "not_witnessed");
    let again = house.two(by(DIRECTOR), Some(id), reset(DEALER));
    assert_eq!(code(again), "not_witnessed");
    let witness = Act::WitnessLogIn { person: id };
    for took_part in [DIRECTOR, SHIFT] {
        assert_eq!(
            house.code(by(took_part), witness.clone()),
            "witness_took_part"
        );
    }
    assert_eq!(house.code(by(id), witness.clone()), "not_witnessed");
    assert_eq!(house.code(by(DEALER), witness.clone()), "not_authorised");
    assert_eq!(house.code(by(HEAD), witness.clone()), "done");
    assert_eq!(house.code(by(HEAD), witness), "already_done");
    assert_eq!(void(&mut house, DIRECTOR, id), "unknown_voucher");
}

#[test]
fn a_log_in_is_witnessed_while_it_lasts_and_with_a_pin_of_their_own() {
    let mut house = House::new().with_duties();
    let act = add("Kwan Li", Position::PitManager);
    house.two(by(DIRECTOR), Some(SHIFT), act).unwrap();
    let id = *house.register.people.last_key_value().unwrap().0;
    let witness = Act::WitnessLogIn { person: id };
    assert_eq!(house.code(by(HEAD), witness.clone()), "not_logged_in");
    let desk = house.place_of(&Role::PitDesk);
    house.log_in(id, Some(desk)).unwrap();
    assert_eq!(house.code(by(HEAD), witness.clone()), "not_logged_in");
    house.own_pin(id);
    assert_eq!(house.code(by(HEAD), witness), "done");
}

#[test]
fn where_nobody_else_could_one_of_the_two_witnesses() {
    let mut house = House::new().with_duties();
    let id = newcomer(&mut house);
    let act = Act::Disable {
        person: HEAD,
        reason: "left".to_owned(),
    };
    house.ok(by(DIRECTOR), act);
    let witness = Act::WitnessLogIn { person: id };
    // Sent away a moment ago, they still count as there.
    assert_eq!(house.code(by(SHIFT), witness.clone()), "witness_took_part");
    house.now_ms += DAY_MS;
    assert!(house.register.exceptions.is_empty());
    assert_eq!(house.code(by(SHIFT), witness), "done");
    let known = house.register.exceptions.last().expect("an exception");
    assert!(known.witnessed && known.by == SHIFT && known.person == id);
}

#[test]
fn s_18_a_one_time_pin_is_good_once_and_for_its_hours() {
    let mut house = House::new().with_duties();
    let desk = Some(house.place_of(&Role::PitDesk));
    house.two(by(DIRECTOR), Some(SHIFT), reset(HEAD)).unwrap();
    let logged_in = |facts: &[Fact]| matches!(facts.last(), Some(Fact::LoggedIn { .. }));
    assert!(logged_in(&house.log_in(HEAD, desk).unwrap()));
    let again = house.log_in(HEAD, desk).unwrap();
    assert!(matches!(again[..], [Fact::LogInFailed { .. }]), "{again:?}");
    // Changed in that session, where the old one is asked for, the new one is theirs.
    let known = &house.register.people[&HEAD];
    let right = Some(PinRight {
        person: HEAD,
        pin_version: known.pin_version,
    });
    let name = known.name.clone();
    let place = desk;
    let proved = house.ok(Party::House, Act::ProvePin { name, right, place });
    assert!(proved.is_empty(), "{proved:?}");
    house.own_pin(HEAD);
    assert!(logged_in(&house.log_in(HEAD, desk).unwrap()));
    assert!(logged_in(&house.log_in(HEAD, desk).unwrap()));
    // A PIN that nobody used in time is over.
    house.two(by(DIRECTOR), Some(SHIFT), reset(HEAD)).unwrap();
    house.now_ms += DAY_MS;
    let late = house.log_in(HEAD, desk).unwrap();
    assert!(matches!(late[..], [Fact::LogInFailed { .. }]), "{late:?}");
}

#[test]
fn one_director_left_takes_the_next_in_rank_and_nobody_is_sent_away_for_it() {
    let mut house = House::new().with_duties();
    let send_away = |person| Act::Disable {
        person,
        reason: "left".to_owned(),
    };
    house.ok(by(DIRECTOR), send_away(HEAD));
    house.ok(by(DIRECTOR), send_away(SHIFT));
    let act = add("Kwan Li", Position::ShiftManager);
    // Those who led the house a moment ago still count.
    let soon = house.two(by(DIRECTOR), Some(DEALER), act.clone());
    assert_eq!(code(soon), "not_authorised");
    house.now_ms += DAY_MS;
    assert_eq!(
        house.code(by(DIRECTOR), act.clone()),
        "second_person_needed"
    );
    let later = house.two(by(DIRECTOR), Some(DEALER), act);
    assert_eq!(code(later), "done");
    let known = house.register.exceptions.last().expect("an exception");
    assert_eq!((known.by, known.second), (DIRECTOR, Some(DEALER)));
    // The last director's own PIN: the two next in rank, and never the director.
    let own = house.two(by(DIRECTOR), Some(DEALER), reset(DIRECTOR));
    assert_eq!(code(own), "own_rights");
}

#[test]
fn names_that_look_alike_are_refused_with_the_name_they_resemble() {
    let mut house = House::new().with_duties();
    for (name, like) in [
        ("Тan Wei Ming", "Tan Wei Ming"), // Cyrillic
        ("Tan Wei\u{2009}Ming", "name_invalid"),
        ("TanWei Ming", "Tan Wei Ming"),
        ("Аnn Lее", "Ann Lee"),
        ("Rosa A1varez", "Rosa Alvarez"),
        ("Ann Leigh", "done"),
    ] {
        let act = add(name, Position::Dealer);
        let said = house.two(by(DIRECTOR), Some(SHIFT), act);
        let said = match said {
            Ok(_) => "done".to_owned(),
            Err(refusal) if refusal.code() == "name_resembles" => refusal.to_string(),
            Err(refusal) => refusal.code().to_owned(),
        };
        assert!(said.ends_with(like), "{name}: {said}");
    }
    assert_ne!(looks("Nguyễn Thị Lan"), looks("Nguyen Thi Lan"));
}

#[test]
fn s_17_a_technician_alone_enrols_nothing() {
    let mut house = House::new().with_duties();
    let laptop = |role, key| Act::Enrol {
        new: NewEnrolment {
            role,
            name: "laptop".to_owned(),
            key: Key::new([key; 32]).digest(),
        },
    };
    for role in [Role::Cage, Role::PitDesk, station("mbs-etg", 3, 1).role] {
        let said = house.code(by(TECHNICIAN), laptop(role.clone(), 77));
        assert_eq!(said, "second_person_needed", "{role:?}");
    }
    // The program itself enrols the first desk of a kind, and no further one.
    assert_eq!(
        house.code(Party::House, laptop(Role::PitDesk, 78)),
        "already_enrolled"
    );
    let console = Role::Console {
        table: TableName::new("mbs-etg").unwrap(),
    };
    assert_eq!(
        house.code(Party::House, laptop(console, 79)),
        "not_authorised"
    );
    // A station holds credit: its key is not replaced by one person.
    let revoke = Act::Revoke {
        enrolment: EnrolmentId(1),
        reason: "lost".to_owned(),
    };
    assert_eq!(
        house.code(by(TECHNICIAN), revoke.clone()),
        "second_person_needed"
    );
    let two = house.two(by(TECHNICIAN), Some(SHIFT), revoke);
    assert_eq!(code(two), "done");
}

#[test]
fn staff_log_in_at_a_place_that_fits_and_where_they_are_posted() {
    let mut house = House::new().with_duties();
    house.own_pin(NEWCOMER);
    let consoles = ["mbs-etg", "other"].map(|table| house.enrol_console(table));
    let desk = house.place_of(&Role::PitDesk);
    let technicians = house.place_of(&Role::TechnicianDesk);
    let audit = house.place_of(&Role::AuditDesk);
    let places = [WINDOW, desk, technicians, audit, consoles[0], consoles[1]];
    house.post(DEALER, &["mbs-etg"], &[]);
    house.post(CASHIER, &[], &[WINDOW]);
    for (who, may) in [
        (DIRECTOR, &[WINDOW, desk, consoles[0], consoles[1]][..]),
        (HEAD, &[desk]),
        (SHIFT, &[WINDOW, desk, consoles[0], consoles[1]]),
        (CASHIER, &[WINDOW]),
        (TECHNICIAN, &[technicians]),
        (DEALER, &[consoles[0]]),
        (NEWCOMER, &[]),
    ] {
        assert_eq!(code(house.log_in(who, None)), "place_needed", "{who}");
        for at in places {
            let said = code(house.log_in(who, Some(at)));
            let expected = match may.contains(&at) {
                true => "done",
                false if who == NEWCOMER && consoles.contains(&at) => "not_posted",
                false if who == DEALER && at == consoles[1] => "not_posted",
                false => "place_does_not_fit",
            };
            assert_eq!(said, expected, "{who} at {at:?}");
        }
    }
    // Sent to another table, the dealer is logged out of the first.
    let posts = Posts {
        tables: vec![TableName::new("other").unwrap()],
        windows: Vec::new(),
    };
    let act = Act::Assign {
        person: DEALER,
        posts,
    };
    let moved = house.ok(by(SHIFT), act);
    assert!(
        matches!(moved[..], [Fact::Assigned { .. }, Fact::LoggedOut { .. }]),
        "{moved:?}"
    );
    assert_eq!(code(house.log_in(DEALER, Some(consoles[0]))), "not_posted");
}

#[test]
fn every_position_has_a_place_and_no_player_device_is_one() {
    let table = TableName::new("t1").unwrap();
    let roles = [
        Role::Console {
            table: table.clone(),
        },
        Role::PitDesk,
        Role::Cage,
        Role::TechnicianDesk,
        Role::AuditDesk,
    ];
    for position in Position::all() {
        assert!(roles.iter().any(|role| fits(*position, role)), "{position}");
        assert!(!fits(*position, &station("t1", 0, 1).role));
        assert!(!fits(*position, &Role::Display { table: None }));
    }
}

#[test]
fn p_081_the_cage_pays_at_a_window_only() {
    let mut house = House::new().with_duties();
    let redeem = Act::BeginRedeem {
        request: 1,
        digest: [3; 32],
        to: Payee::Cage { cashier: SHIFT },
        currency: Currency::SGD,
        claimed: None,
    };
    let desk = house.place_of(&Role::PitDesk);
    house.log_in(SHIFT, Some(desk)).unwrap();
    assert_eq!(house.code(by(SHIFT), redeem.clone()), "place_does_not_fit");
    house.log_in(SHIFT, Some(WINDOW)).unwrap();
    assert_eq!(house.code(by(SHIFT), redeem), "done");
}

/// A house for real money at its first start, with nobody logged in yet.
fn first_start() -> House {
    let mut house = House::empty();
    let duties = Duties::default();
    house.ok(Party::House, Act::SetDuties { duties });
    house.ok(Party::House, sicbo_register::testing::set_up());
    house.enrol_desks();
    house
}

fn desk_log_in(house: &mut House, id: PersonId) -> bool {
    let desk = house.place_of(&Role::PitDesk);
    let facts = house.log_in(id, Some(desk)).unwrap();
    facts
        .iter()
        .any(|fact| matches!(fact, Fact::LoggedIn { .. }))
}

#[test]
fn s_18_a_pin_of_the_first_start_is_good_once_and_for_its_hours() {
    let limit = Act::LimitFirstPins { hours: 24 };
    let mut house = first_start();
    assert_eq!(house.ok(Party::House, limit.clone()).len(), 1);
    assert!(
        house.ok(Party::House, limit.clone()).is_empty(),
        "said once"
    );
    assert!(desk_log_in(&mut house, DIRECTOR));
    assert!(!desk_log_in(&mut house, DIRECTOR), "it was used");
    house.now_ms += DAY_MS - 60_000;
    assert!(desk_log_in(&mut house, SHIFT));
    house.own_pin(SHIFT);
    house.now_ms += 60_000;
    assert!(!desk_log_in(&mut house, HEAD), "its hours are over");
    // One person cannot give another a PIN: the house is started again.
    assert_eq!(house.ok(Party::House, limit.clone()).len(), 1);
    assert!(desk_log_in(&mut house, DIRECTOR));
    house.own_pin(DIRECTOR);
    assert!(
        desk_log_in(&mut house, SHIFT),
        "a PIN of one's own does not end"
    );
    // Two can, and from then on a start changes nothing.
    house.now_ms += DAY_MS;
    assert!(house.ok(Party::House, limit).is_empty());
    assert!(!desk_log_in(&mut house, HEAD));
    house.two(by(DIRECTOR), Some(SHIFT), reset(HEAD)).unwrap();
    assert!(desk_log_in(&mut house, HEAD));
}

#[test]
fn first_pins_are_limited_by_the_house_where_duties_are_in_force() {
    let limit = |hours| Act::LimitFirstPins { hours };
    let mut house = House::empty();
    house.ok(Party::House, sicbo_register::testing::set_up());
    assert!(house.ok(Party::House, limit(24)).is_empty(), "no duties");
    let mut house = first_start();
    assert_eq!(house.code(by(DIRECTOR), limit(24)), "not_authorised");
    assert_eq!(house.code(Party::House, limit(0)), "terms_faulty");
    assert_eq!(house.code(Party::House, limit(745)), "terms_faulty");
}

#[test]
fn duties_are_the_houses_and_are_never_ended() {
    let mut house = House::new();
    let longer = Duties {
        one_time_hours: 48,
        ..Duties::default()
    };
    let set = |duties| Act::SetDuties { duties };
    assert_eq!(house.code(by(DIRECTOR), set(longer)), "not_authorised");
    assert_eq!(house.ok(Party::House, set(longer)).len(), 1);
    assert!(house.ok(Party::House, set(longer)).is_empty(), "said once");
    let none = Duties {
        one_time_hours: 0,
        ..longer
    };
    assert_eq!(house.code(Party::House, set(none)), "terms_faulty");
}
