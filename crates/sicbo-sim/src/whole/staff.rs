//! The staff of a simulated house: it is set up, and they log in.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use sicbo_house::house::Present;
use sicbo_house::sessions::LoggedIn;
use sicbo_loop::Answer;
use sicbo_register as register;
use sicbo_register::command::PinRight;
use sicbo_register::enrolment::{NewEnrolment, Role};
use sicbo_register::person::NewPerson;
use sicbo_register::{Act, Fact, Party};
use sicbo_rules::rulebook::words::Position;
use sicbo_table::actor::Staff;
use sicbo_table::ids::PersonId;

use super::life::{Ground, Life, stream_of};
use super::{LAST_STEPS, PIN, Pair, World, key_of};

impl World {
    /// The program begins, settles the past, and its staff log in.
    pub(super) fn begin_when_due(&mut self) -> Result<(), String> {
        if self.clock.steady_ms() < self.begins_ms {
            return Ok(());
        }
        if let Some(old) = self.old_register.take_if(|_| self.lives > 0) {
            self.disks.insert(stream_of(register::STREAM)?, old);
        }
        let ground = Ground {
            plan: &self.plan,
            disks: &self.disks,
            clock: &self.clock,
            key: &self.key,
        };
        self.life = Some(Life::begin(&ground)?);
        self.lives += 1;
        let names = Act::NamePositions { names: Vec::new() };
        self.enter(Party::House, names)?;
        if self.life()?.house.desk.register().terms.is_none() {
            self.set_up()?;
        }
        for act in [Act::EndSessions, Act::EndProposals] {
            self.enter(Party::House, act)?;
        }
        let first = self.log_in(Position::ShiftManager)?;
        let second = self.log_in(Position::Director)?;
        self.pair = Some(Pair { first, second });
        Ok(())
    }

    /// Something is entered in the register, while everybody has their turns.
    fn enter(&mut self, by: Party, act: Act) -> Result<Vec<Fact>, String> {
        let house = Arc::clone(&self.life()?.house);
        let told = format!("{act:?}");
        let mut asked = pin!(house.desk.ask(by, None, act));
        for _ in 0..LAST_STEPS {
            let mut context = Context::from_waker(Waker::noop());
            match asked.as_mut().poll(&mut context) {
                Poll::Ready(entered) => {
                    return match entered.answer {
                        Answer::Done { .. } => Ok(entered.facts),
                        other => Err(format!("{told} is answered {other:?}")),
                    };
                }
                Poll::Pending => {
                    self.pass(5);
                    self.turn(false)?;
                }
            }
        }
        Err(format!("{told} is never answered"))
    }

    fn set_up(&mut self) -> Result<(), String> {
        let staff = self.plan.staff.iter().map(|(name, position)| NewPerson {
            name: name.clone(),
            position: *position,
            pin: PIN.to_owned(),
        });
        let staff: Vec<NewPerson> = staff.collect();
        let count = staff.len() as u32;
        let places = self.players.iter().map(|player| NewEnrolment {
            role: Role::Station {
                table: player.table.clone(),
                station: player.station,
            },
            name: format!("{} {}", player.table, player.station.0),
            key: key_of(player.enrolment).digest(),
        });
        let act = Act::SetUp {
            terms: self.plan.terms(),
            staff,
            places: places.collect(),
        };
        self.enter(Party::House, act)?;
        // Nobody acts with the PIN they were given.
        for person in (1..=count).map(PersonId) {
            let known = self
                .life()?
                .house
                .desk
                .register()
                .people
                .get(&person)
                .cloned();
            let version = known.ok_or("a person is missing")?.pin_version;
            let old = PinRight {
                person,
                pin_version: version,
            };
            let pin = PIN.to_owned();
            self.enter(Party::Person(person), Act::ChangePin { old, pin })?;
        }
        Ok(())
    }

    /// Somebody who holds a position logs in.
    fn log_in(&mut self, position: Position) -> Result<Present, String> {
        let found = {
            let register = self.life()?.house.desk.register();
            let mut people = register.people.iter();
            let found = people.find(|(_, person)| person.position == position);
            found.map(|(id, person)| (*id, person.name.clone(), person.pin_version))
        };
        let (person, name, pin_version) = found.ok_or("nobody holds a position")?;
        let act = Act::LogIn {
            name: name.clone(),
            right: Some(PinRight {
                person,
                pin_version,
            }),
            place: None,
        };
        let facts = self.enter(Party::House, act)?;
        let mut sessions = facts.iter().filter_map(|fact| match fact {
            Fact::LoggedIn { session, .. } => Some(*session),
            _ => None,
        });
        let session = sessions.next().ok_or("a log-in without a session")?;
        let used_ms = self.clock.steady_ms();
        let mut secret = [0; 32];
        secret[..4].copy_from_slice(&person.0.to_be_bytes());
        let logged_in = LoggedIn::new(session, person, None, used_ms);
        drop(self.life()?.house.sessions.begin(logged_in, secret));
        Ok(Present {
            staff: Staff { person, position },
            name,
            session,
            place: None,
        })
    }
}
