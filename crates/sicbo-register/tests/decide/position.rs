//! Positions above the director: who names them, who may hold one, and that the
//! journal alone says so.

use sicbo_rules::rulebook::words::Position;

use sicbo_loop::Machine;
use sicbo_register::Register;
use sicbo_register::command::{Act, Command, Party};
use sicbo_register::derive::derive;
use sicbo_register::event::{Event, Fact};
use sicbo_register::testing::{DEALER, DIRECTOR, HEAD, House, person, set_up};

fn names(names: &[&str]) -> Act {
    Act::NamePositions {
        names: names.iter().map(|name| (*name).to_owned()).collect(),
    }
}

fn add(name: &str, position: Position) -> Act {
    Act::AddPerson {
        person: person(name, position),
    }
}

#[test]
fn r_200_nobody_holds_a_position_above_the_director_that_the_house_has_not_named() {
    let mut house = House::new();
    let director = Party::Person(DIRECTOR);
    let to = |position| Act::ChangePosition {
        person: DEALER,
        position,
    };
    let (first, second) = (Position::AboveDirector1, Position::AboveDirector2);
    assert_eq!(
        house.code(director, add("Ada Yap", first)),
        "position_not_named"
    );
    assert_eq!(house.code(director, to(first)), "position_not_named");

    house.ok(Party::House, names(&["Vice President"]));
    assert_eq!(house.register.position_name(first), Some("Vice President"));
    assert_eq!(house.code(director, to(first)), "done");
    assert_eq!(house.code(director, add("Ada Yap", first)), "done");
    assert_eq!(
        house.code(director, add("Bao Lim", second)),
        "position_not_named"
    );

    // Nor among the first people of a house.
    let with = |position| match set_up() {
        Act::SetUp {
            terms,
            mut staff,
            places,
        } => {
            staff.push(person("Ada Yap", position));
            Act::SetUp {
                terms,
                staff,
                places,
            }
        }
        _ => unreachable!(),
    };
    let mut new = House {
        register: Register::default(),
        now_ms: 0,
        commands: 0,
    };
    assert_eq!(new.code(Party::House, with(first)), "position_not_named");
    new.ok(Party::House, names(&["Vice President"]));
    assert_eq!(new.code(Party::House, with(second)), "position_not_named");
    assert_eq!(new.code(Party::House, with(first)), "done");
}

#[test]
fn r_200_a_position_above_the_director_has_no_right_over_people() {
    let mut house = House::new();
    house.name_positions();
    house.ok(
        Party::Person(DIRECTOR),
        add("Ada Yap", Position::AboveDirector4),
    );
    let (ada, known) = house.register.people.last_key_value().unwrap();
    assert!(!known.manages_people());
    let ada = *ada;
    house.register.people.get_mut(&ada).unwrap().one_time = false;
    for act in [
        add("Bao Lim", Position::Dealer),
        Act::ChangePosition {
            person: DEALER,
            position: Position::Director,
        },
        Act::Disable {
            person: DIRECTOR,
            reason: "as said".to_owned(),
        },
    ] {
        assert_eq!(house.code(Party::Person(ada), act), "not_authorised");
    }
    // They do not count among those who manage people either.
    let director = Party::Person(DIRECTOR);
    for (by, who, code) in [(director, HEAD, "done"), (director, DIRECTOR, "own_rights")] {
        let act = Act::ChangePosition {
            person: who,
            position: Position::AboveDirector1,
        };
        assert_eq!(house.code(by, act), code);
    }
}

#[test]
fn r_200_names_keep_their_places_and_those_held_stay_named() {
    let mut house = House::new();
    for (list, code) in [
        (&["A1", "B1", "C1", "D1", "E1"][..], "positions_faulty"),
        (&["Director"], "positions_faulty"),
        (&["VP", "vp"], "positions_faulty"),
        (&["\u{7}\u{7}"], "positions_faulty"),
        (&["VP", "COO"], "done"),
        // The same again is no news, another spelling is.
        (&["VP", "COO"], "done"),
        (&["Vice President", "COO"], "done"),
        (&["COO", "Vice President"], "positions_faulty"),
        (&["SVP", "Vice President", "COO"], "positions_faulty"),
        (&["Vice President", "COO", "CEO"], "done"),
    ] {
        assert_eq!(house.code(Party::House, names(list)), code, "{list:?}");
    }
    let director = Party::Person(DIRECTOR);
    assert_eq!(house.code(director, names(&["VP"])), "not_authorised");
    house.ok(director, add("Ada Yap", Position::AboveDirector2));
    let why = house
        .ask(Party::House, names(&["Vice President"]))
        .unwrap_err();
    assert!(why.to_string().contains("somebody holds"), "{why}");
    // Nobody holds the third: it may go.
    house.ok(Party::House, names(&["Vice President", "COO"]));
    assert!(
        house
            .ok(Party::House, names(&["Vice President", "COO"]))
            .is_empty()
    );
}

#[test]
fn r_200_a_holder_follows_from_the_journal_only_after_the_name() {
    let mut house = House::new();
    let at = |by, act| Command {
        id: 90,
        at_ms: 2_000,
        by,
        second: None,
        act,
    };
    let named = house
        .register
        .decide(&at(Party::House, names(&["VP"])))
        .unwrap();
    assert_eq!(derive(&house.register, &named), Ok(1));
    let held = Event {
        by: Party::Person(DIRECTOR),
        fact: Fact::PositionChanged {
            person: DEALER,
            from: Position::Dealer,
            to: Position::AboveDirector1,
        },
        ..named[0].clone()
    };
    let why = derive(&house.register, std::slice::from_ref(&held)).unwrap_err();
    assert!(why.contains("position_not_named"), "{why}");
    house.register.apply(&named[0]);
    assert_eq!(derive(&house.register, &[held]), Ok(1));
}
