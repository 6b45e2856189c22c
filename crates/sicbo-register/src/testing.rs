//! A set-up register and short ways to act on it, for tests.
#![expect(
    clippy::unwrap_used,
    clippy::new_without_default,
    reason = "a test that cannot go on has failed"
)]

use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Currency, Money};
use sicbo_table::ids::{PersonId, StationId, VoucherId};

use super::command::{Act, Command, Party, PinRight, Terms};
use super::duties::{Duties, Posts};
use super::enrolment::{Enrolment, EnrolmentId, Key, NewEnrolment, Role, TableName};
use super::event::Fact;
use super::identity::{HouseKind, Identity, SecretCheck};
use super::person::NewPerson;
use super::play::limits::LimitKey;
use super::play::member::MemberId;
use super::refusal::Refusal;
use super::voucher::{Place, State};
use super::{Machine, Register};

pub const HASH: &str = "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g";

pub const DIRECTOR: PersonId = PersonId(1);
pub const HEAD: PersonId = PersonId(2);
pub const SHIFT: PersonId = PersonId(3);
pub const CASHIER: PersonId = PersonId(4);
pub const TECHNICIAN: PersonId = PersonId(5);
pub const DEALER: PersonId = PersonId(6);
/// Has not changed the one-time PIN yet.
pub const NEWCOMER: PersonId = PersonId(7);

pub const STATION: EnrolmentId = EnrolmentId(1);
pub const WINDOW: EnrolmentId = EnrolmentId(2);

pub fn person(name: &str, position: Position) -> NewPerson {
    NewPerson {
        name: name.to_owned(),
        position,
        pin: HASH.to_owned(),
    }
}

pub fn place(table: &str, station: u32) -> Place {
    Place {
        table: TableName::new(table).unwrap(),
        station: StationId(station),
    }
}

pub fn station(table: &str, number: u32, key: u8) -> NewEnrolment {
    let Place { table, station } = place(table, number);
    NewEnrolment {
        role: Role::Station { table, station },
        name: format!("T{number}"),
        key: Key::new([key; 32]).digest(),
    }
}

pub fn identity() -> Identity {
    let check = |name| SecretCheck::of(name, &[7; 32]);
    Identity {
        kind: HouseKind::RealMoney,
        pins: check("pins.secret"),
        vouchers: check("vouchers.secret"),
        tumblers: check("tumblers.secret"),
    }
}

pub fn terms() -> Terms {
    Terms {
        site: "Sông Hoài Casino".to_owned(),
        voucher_days: 30,
        hand_pay_above: vec![(Currency::SGD, Money::from_minor(500_000))],
    }
}

pub fn set_up() -> Act {
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
pub struct House {
    pub register: Register,
    pub now_ms: i64,
    /// Numbers of commands given out.
    pub commands: u64,
}

impl House {
    /// Before the first record.
    pub fn empty() -> House {
        House {
            register: Register::default(),
            now_ms: 1_000,
            commands: 0,
        }
    }

    /// Set up, with everybody but the newcomer past their one-time PIN.
    pub fn new() -> House {
        let mut house = House::empty();
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

    /// Names as many positions above the director as a house may have.
    pub fn name_positions(&mut self) {
        let names = ["Vice President", "Senior Vice President", "COO", "CEO"];
        let names = names.map(str::to_owned).to_vec();
        self.ok(Party::House, Act::NamePositions { names });
    }

    /// What a house for real money holds its people to is in force.
    pub fn with_duties(mut self) -> House {
        let duties = Duties::default();
        self.ok(Party::House, Act::SetDuties { duties });
        self.enrol_desks();
        self
    }

    /// A place of each kind where staff log in, that is not there yet.
    pub fn enrol_desks(&mut self) {
        for (key, role) in [
            (101, Role::PitDesk),
            (102, Role::TechnicianDesk),
            (103, Role::AuditDesk),
        ] {
            let name = format!("{role:?}");
            let key = Key::new([key; 32]).digest();
            let new = NewEnrolment { role, name, key };
            self.ok(Party::House, Act::Enrol { new });
        }
    }

    /// A table's console, enrolled by two persons.
    pub fn enrol_console(&mut self, table: &str) -> EnrolmentId {
        let new = NewEnrolment {
            role: Role::Console {
                table: TableName::new(table).unwrap(),
            },
            name: format!("{table} console"),
            key: Key::new([u8::try_from(120 + self.register.enrolments.len()).unwrap(); 32])
                .digest(),
        };
        let by = Party::Person(TECHNICIAN);
        self.two(by, Some(SHIFT), Act::Enrol { new }).unwrap();
        *self.register.enrolments.last_key_value().unwrap().0
    }

    /// The house assigns somebody.
    pub fn post(&mut self, person: PersonId, tables: &[&str], windows: &[EnrolmentId]) {
        let posts = Posts {
            tables: tables
                .iter()
                .filter_map(|name| TableName::new(name))
                .collect(),
            windows: windows.to_vec(),
        };
        self.ok(Party::House, Act::Assign { person, posts });
    }

    /// The first place of a role that is not revoked.
    pub fn place_of(&self, role: &Role) -> EnrolmentId {
        let mut places = self.register.enrolments.iter();
        let live = |known: &Enrolment| known.role == *role && known.revoked_ms.is_none();
        *places.find(|(_, known)| live(known)).unwrap().0
    }

    /// Somebody logs in with the right PIN at a place.
    pub fn log_in(
        &mut self,
        id: PersonId,
        place: Option<EnrolmentId>,
    ) -> Result<Vec<Fact>, Refusal> {
        let known = &self.register.people[&id];
        let right = PinRight {
            person: id,
            pin_version: known.pin_version,
        };
        let name = known.name.clone();
        let right = Some(right);
        self.ask(Party::House, Act::LogIn { name, right, place })
    }

    /// Somebody who is logged in chooses a PIN of their own.
    pub fn own_pin(&mut self, person: PersonId) {
        let pin_version = self.register.people[&person].pin_version;
        let old = PinRight {
            person,
            pin_version,
        };
        let pin = HASH.to_owned();
        self.ok(Party::Person(person), Act::ChangePin { old, pin });
    }

    pub fn two(
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

    pub fn ask(&mut self, by: Party, act: Act) -> Result<Vec<Fact>, Refusal> {
        self.two(by, None, act)
    }

    pub fn ok(&mut self, by: Party, act: Act) -> Vec<Fact> {
        self.ask(by, act).unwrap()
    }

    /// The code of the refusal, or `done`.
    pub fn code(&mut self, by: Party, act: Act) -> &'static str {
        match self.ask(by, act) {
            Ok(_) => "done",
            Err(refusal) => refusal.code(),
        }
    }

    /// A voucher stands in any state, whatever led to it.
    pub fn put_voucher(&mut self, id: VoucherId, state: State, copies: u8) {
        let known = self.register.vouchers.get_mut(&id).unwrap();
        known.state = state;
        known.copies = copies;
        self.register.totals = self.register.totals_by_voucher();
        self.register.index(id);
    }

    /// A member wants a limit on their time, as if they had asked for it.
    pub fn want_time(&mut self, member: MemberId, key: LimitKey, minutes: i64) {
        let now_ms = self.now_ms;
        let member = self.register.members.get_mut(&member).unwrap();
        member.time.want(now_ms, key, Some(minutes));
    }
}
