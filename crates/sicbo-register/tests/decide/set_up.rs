//! Setting up a house with more places than one record can hold.

use sicbo_loop::Machine;
use sicbo_register::Register;
use sicbo_register::command::{Act, Command, Party};
use sicbo_register::derive::derive;
use sicbo_register::enrolment::{EnrolmentId, Key, NewEnrolment};
use sicbo_register::event::{Event, Fact};
use sicbo_register::testing::{set_up, station};

const PLACES: u32 = 10_000;

fn places() -> Vec<NewEnrolment> {
    let one = |number: u32| {
        let mut key = [0; 32];
        key[..4].copy_from_slice(&number.to_be_bytes());
        NewEnrolment {
            key: Key::new(key).digest(),
            ..station("mbs-etg", number, 0)
        }
    };
    (0..PLACES).map(one).collect()
}

fn command(places: Vec<NewEnrolment>) -> Command {
    let act = match set_up() {
        Act::SetUp { terms, staff, .. } => Act::SetUp {
            terms,
            staff,
            places,
        },
        _ => unreachable!(),
    };
    Command {
        id: 1,
        at_ms: 1_000,
        by: Party::House,
        second: None,
        act,
    }
}

fn events() -> Vec<Event> {
    Register::default().decide(&command(places())).unwrap()
}

#[test]
fn ten_thousand_terminals_are_enrolled_in_records_that_fit() {
    let (events, mut register) = (events(), Register::default());
    let mut bytes = Vec::new();
    for event in &events {
        bytes.clear();
        Register::encode(event, &mut bytes);
        assert!(bytes.len() <= sicbo_journal::MAX_PAYLOAD, "{}", bytes.len());
        register.apply(event);
    }
    assert_eq!(register.enrolments.len(), PLACES as usize);
    // Numbered in the order given, whichever record enrols them.
    for (number, new) in (1..).zip(places()) {
        let known = &register.enrolments[&EnrolmentId(number)];
        assert_eq!((&known.role, known.key), (&new.role, new.key));
    }
    assert_eq!(derive(&Register::default(), &events), Ok(events.len()));
}

#[test]
fn a_place_left_out_or_put_in_does_not_follow_from_the_set_up() {
    let mut short = events();
    short.remove(3);
    assert!(derive(&Register::default(), &short).is_err());
    let few = places()[..10].to_vec();
    let mut more = Register::default().decide(&command(few)).unwrap();
    let new = places()[11].clone();
    more.push(Event {
        fact: Fact::Enrolled {
            enrolment: EnrolmentId(11),
            new,
        },
        ..more[0].clone()
    });
    assert_ne!(derive(&Register::default(), &more), Ok(2));
}

#[test]
fn the_same_key_or_station_twice_is_refused_among_many() {
    for (at, code) in [(0, "key_taken"), (1, "already_enrolled")] {
        let mut places = places();
        let first = places[0].clone();
        match at {
            0 => places[9_999].key = first.key,
            _ => places[9_999].role = first.role,
        }
        let refused = Register::default().decide(&command(places)).unwrap_err();
        assert_eq!(refused.code(), code);
    }
}
