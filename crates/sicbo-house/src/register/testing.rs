//! A set-up register and short ways to act on it, for tests.

use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Currency, Money};
use sicbo_table::ids::{PersonId, StationId};

use super::command::{Act, Command, Party, Terms};
use super::enrolment::{EnrolmentId, Key, NewEnrolment, Role, TableName};
use super::event::Fact;
use super::person::NewPerson;
use super::refusal::Refusal;
use super::voucher::Place;
use super::{Machine, Register};

pub(crate) const HASH: &str = "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g";

pub(crate) const DIRECTOR: PersonId = PersonId(1);
pub(crate) const HEAD: PersonId = PersonId(2);
pub(crate) const SHIFT: PersonId = PersonId(3);
pub(crate) const CASHIER: PersonId = PersonId(4);
pub(crate) const TECHNICIAN: PersonId = PersonId(5);
pub(crate) const DEALER: PersonId = PersonId(6);
/// Has not changed the one-time PIN yet.
pub(crate) const NEWCOMER: PersonId = PersonId(7);

pub(crate) const STATION: EnrolmentId = EnrolmentId(1);
pub(crate) const WINDOW: EnrolmentId = EnrolmentId(2);

pub(crate) fn person(name: &str, position: Position) -> NewPerson {
    NewPerson {
        name: name.to_owned(),
        position,
        pin: HASH.to_owned(),
    }
}

pub(crate) fn place(table: &str, station: u32) -> Place {
    Place {
        table: TableName::new(table).unwrap(),
        station: StationId(station),
    }
}

pub(crate) fn station(table: &str, number: u32, key: u8) -> NewEnrolment {
    let Place { table, station } = place(table, number);
    NewEnrolment {
        role: Role::Station { table, station },
        name: format!("T{number}"),
        key: Key::new([key; 32]).digest(),
    }
}

pub(crate) fn terms() -> Terms {
    Terms {
        site: "Sông Hoài Casino".to_owned(),
        voucher_days: 30,
        hand_pay_above: vec![(Currency::SGD, Money::from_minor(500_000))],
    }
}

pub(crate) fn set_up() -> Act {
    Act::SetUp {
        terms: terms(),
        staff: vec![
            person("Tan Wei Ming", Position::Director),
            person("Lim Ah Hock", Position::HeadOfOperations),
            person("Nguyễn Thị Lan", Position::ShiftManager),
            person("Rosa Alvarez", Position::Cashier),
            person("Jan Novak", Position::Technician),
            person("Ann Lee", Position::Dealer),
            person("New Comer", Position::Dealer),
        ],
        places: vec![
            station("mbs-etg", 0, 1),
            NewEnrolment {
                role: Role::Cage,
                name: "Window 1".to_owned(),
                key: Key::new([2; 32]).digest(),
            },
        ],
    }
}

/// A register with its clock.
pub(crate) struct House {
    pub(crate) register: Register,
    pub(crate) now_ms: i64,
    /// Numbers of commands given out.
    pub(crate) commands: u64,
}

impl House {
    /// Set up, with everybody but the newcomer past their one-time PIN.
    pub(crate) fn new() -> House {
        let mut house = House {
            register: Register::default(),
            now_ms: 1_000,
            commands: 0,
        };
        house.ok(Party::House, set_up());
        for id in 1..=6 {
            house
                .register
                .people
                .get_mut(&PersonId(id))
                .unwrap()
                .one_time = false;
        }
        house
    }

    pub(crate) fn two(
        &mut self,
        by: Party,
        second: Option<PersonId>,
        act: Act,
    ) -> Result<Vec<Fact>, Refusal> {
        self.commands += 1;
        let command = Command {
            id: self.commands,
            at_ms: self.now_ms,
            by,
            second,
            act,
        };
        let events = self.register.decide(&command)?;
        for event in &events {
            self.register.apply(event);
        }
        self.register.check().unwrap();
        // What is kept of a register is all of it.
        let kept = Register::from_snapshot(&self.register.snapshot()).unwrap();
        assert_eq!(kept, self.register);
        Ok(events.into_iter().map(|event| event.fact).collect())
    }

    pub(crate) fn ask(&mut self, by: Party, act: Act) -> Result<Vec<Fact>, Refusal> {
        self.two(by, None, act)
    }

    pub(crate) fn ok(&mut self, by: Party, act: Act) -> Vec<Fact> {
        self.ask(by, act).unwrap()
    }

    /// The code of the refusal, or `done`.
    pub(crate) fn code(&mut self, by: Party, act: Act) -> &'static str {
        match self.ask(by, act) {
            Ok(_) => "done",
            Err(refusal) => refusal.code(),
        }
    }
}
