//! The staff of a simulated house: it is set up, and they log in.

use sicbo_house::desk::DeskReply;
use sicbo_house::house::Present;
use sicbo_house::sessions::LoggedIn;
use sicbo_journal::StreamId;
use sicbo_loop::Answer;
use sicbo_register as register;
use sicbo_register::command::PinRight;
use sicbo_register::duties::Posts;
use sicbo_register::enrolment::{EnrolmentId, NewEnrolment, Role, TableName};
use sicbo_register::person::NewPerson;
use sicbo_register::{Act, Fact, Party, Register};
use sicbo_rules::rulebook::words::Position;
use sicbo_table::actor::Staff;
use sicbo_table::ids::PersonId;

use super::crew::POSITIONS;
use super::life::{Ground, Life, stream_of};
use super::stream::{NotBack, Read};
use super::swarm::Part;
use super::{HouseFlaw, LAST_STEPS, PIN, Pair, World, key_of};

impl World {
    /// The program begins, settles the past, and its staff log in.
    pub(super) fn begin_when_due(&mut self) -> Result<(), String> {
        if self.time.steady_ms() < self.begins_ms {
            return Ok(());
        }
        if let Some(mut old) = self.old_register.take_if(|_| self.lives > 0) {
            self.shelf.swap(&stream_of(register::STREAM)?, &mut old);
        }
        let rotten = self.swarm.has(Part::RottenReads) && self.trouble.chance(300);
        let read = match rotten {
            true => self.shelf.spoil_a_read(false, &mut self.trouble),
            false => None,
        };
        let short = self.swarm.has(Part::ShortReads) && self.trouble.chance(300);
        let short_read = match short {
            true => self.shelf.spoil_a_read(true, &mut self.trouble),
            false => None,
        };
        let cut = self.swarm.has(Part::CutStarts) && self.trouble.chance(300);
        if cut {
            self.shelf.cut_a_start(&mut self.trouble);
        }
        let begun = self.begin_life();
        if short_read.is_some_and(|number| self.shelf.has_read(number)) {
            self.met("fault a start read too little", || {
                "a reading comes short".to_owned()
            });
        }
        if self.shelf.is_without_power() {
            return self.cut_while_starting(begun);
        }
        if read.is_some_and(|number| self.shelf.has_read(number)) {
            self.met("fault a start read a bit wrong", || {
                "a bit is read wrong".to_owned()
            });
        }
        self.shelf.mend();
        match begun {
            Ok(life) => self.life = Some(life),
            // What may be wrong on the disk is looked at once more.
            Err(what) if rotten || short => {
                let at_ms = self.clock.now_ms();
                self.trace
                    .tell(at_ms, || format!("the program does not start: {what}"));
                return Ok(());
            }
            Err(what) => return Err(format!("it does not come back: {what}")),
        }
        self.lives += 1;
        self.trace
            .tell(self.clock.now_ms(), || "the program begins".to_owned());
        if let Some(earlier) = self.earlier.filter(|_| self.lives == 1) {
            self.met("fault the program was upgraded", || {
                format!(
                    "its journals are those of an earlier program: {}",
                    earlier.name()
                )
            });
        }
        match self.settle_in() {
            // It died again at once; the next one settles in.
            Err(_) if self.life.is_none() => Ok(()),
            other => other,
        }
    }

    /// The power went before the start had come to its end.
    fn cut_while_starting(&mut self, begun: Result<Life, NotBack>) -> Result<(), String> {
        if let Ok(life) = begun {
            life.forget();
        }
        self.met("kill within a start", || {
            "the power goes while the program starts".to_owned()
        });
        if self.lives == 0 {
            // Journals are being made.
            self.results
                .lock()
                .reach("kill within a first start".to_owned());
        }
        self.lose_names();
        self.begins_ms = self.time.steady_ms() + self.trouble.between(100, 3_000);
        Ok(())
    }

    /// Brings a life back from what there is.
    pub(super) fn begin_life(&self) -> Result<Life, NotBack> {
        Life::begin(&Ground {
            plan: &self.plan,
            shelf: &self.shelf,
            clock: &self.clock,
            key: &self.key,
            lines: &self.lines,
            money_bounds: self.flaw != HouseFlaw::NoMoneyDuties,
            vouchers: self.vouchers,
        })
    }

    /// How far a table has come, as the register knows.
    pub(super) fn noted(&self, stream: &StreamId) -> Result<u64, String> {
        let register = stream_of(register::STREAM)?;
        let read: Result<Read<Register, DeskReply>, NotBack> =
            Read::back(&register, &self.shelf, &self.key, &[]);
        let read = read.map_err(|error| error.to_string())?;
        let table = TableName::new(stream.as_str()).ok_or("no table")?;
        let reached = &read.recovered.writer_loop.state().reached;
        Ok(reached.get(&table).map_or(0, |reached| reached.sequence))
    }

    fn settle_in(&mut self) -> Result<(), String> {
        let names = Act::NamePositions { names: Vec::new() };
        self.enter(Party::House, names)?;
        let duties = self.plan.duties.as_ref().map(|duties| duties.register);
        if let Some(duties) = duties.filter(|_| self.flaw != HouseFlaw::NoDuties) {
            self.enter(Party::House, Act::SetDuties { duties })?;
        }
        if self.life()?.house.desk.register().terms.is_none() {
            self.set_up()?;
            self.begin_again()?;
        }
        self.change_pins()?;
        for act in [Act::EndSessions, Act::EndProposals] {
            self.enter(Party::House, act)?;
        }
        if duties.is_none() {
            for position in POSITIONS {
                let present = self.log_in(position)?;
                self.present.insert(position, present);
            }
            let find = |position| self.present.get(&position).cloned();
            let both = (find(Position::ShiftManager), find(Position::Director));
            if let (Some(first), Some(second)) = both {
                self.pair = Some(Pair { first, second });
            }
        }
        Ok(())
    }

    /// A house that was just set up is begun anew: who deals at a table is known
    /// when the table begins.
    fn begin_again(&mut self) -> Result<(), String> {
        for _ in 0..LAST_STEPS {
            if self.life()?.is_idle() {
                break;
            }
            self.pass(5);
            self.turn(false)?;
        }
        if let Some(life) = self.life.take() {
            life.forget();
        }
        let begun = self.begin_life();
        self.life = Some(begun.map_err(|what| format!("it does not begin again: {what}"))?);
        Ok(())
    }

    /// Where staff work in a house with duties, as its first start enrols them.
    fn posts(&self) -> Vec<NewEnrolment> {
        let Some(duties) = &self.plan.duties else {
            return Vec::new();
        };
        let consoles = self.plan.tables.iter().map(|table| {
            let role = Role::Console {
                table: table.name.clone(),
            };
            (role, format!("{} console", table.name))
        });
        let desks = [Role::PitDesk, Role::TechnicianDesk, Role::AuditDesk];
        let desks = desks.map(|role| (role, "a desk".to_owned()));
        let windows = duties.windows.iter();
        let windows = windows.map(|name| (Role::Cage, name.clone()));
        let all = consoles.chain(desks).chain(windows);
        let first = self.players.len() as u32 + 1;
        let all = (first..)
            .zip(all)
            .map(|(number, (role, name))| NewEnrolment {
                role,
                name,
                key: key_of(EnrolmentId(number)).digest(),
            });
        all.collect()
    }

    /// Everybody works at every table and window: what somebody does is bounded by more than that.
    fn assign(&mut self, count: u32) -> Result<(), String> {
        let cage = self.desks.iter().filter(|(role, _)| *role == Role::Cage);
        let posts = Posts {
            tables: self.plan.tables.iter().map(|at| at.name.clone()).collect(),
            windows: cage.map(|(_, place)| *place).collect(),
        };
        for person in (1..=count).map(PersonId) {
            let posts = posts.clone();
            self.enter(Party::House, Act::Assign { person, posts })?;
        }
        Ok(())
    }

    /// Something is entered in the register, while everybody has their turns.
    fn enter(&mut self, by: Party, act: Act) -> Result<Vec<Fact>, String> {
        let house = self.house()?;
        let told = format!("{act:?}");
        // Within the program: nobody else may hold the house when the power goes.
        let (answers, answer) = crossbeam_channel::bounded(1);
        self.spawn(async move {
            let entered = house.desk.ask(by, None, act).await;
            let _ = answers.try_send(entered);
        })?;
        for _ in 0..LAST_STEPS {
            self.pass(5);
            self.turn(false)?;
            self.life()?;
            let Ok(entered) = answer.try_recv() else {
                continue;
            };
            return match entered.answer {
                Answer::Done { .. } => Ok(entered.facts),
                other => {
                    if self.planned {
                        self.power_cut()?;
                    }
                    Err(format!("{told} is answered {other:?}"))
                }
            };
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
        let mut places: Vec<NewEnrolment> = places.collect();
        let posts = self.posts();
        let numbers = (places.len() as u32 + 1..).map(EnrolmentId);
        let desks = posts.iter().map(|new| new.role.clone()).zip(numbers);
        self.desks = desks.collect();
        places.extend(posts);
        let act = Act::SetUp {
            terms: self.plan.terms(),
            staff,
            places,
        };
        self.enter(Party::House, act)?;
        if self.plan.duties.is_some() {
            self.assign(count)?;
        }
        Ok(())
    }

    /// Nobody acts with the PIN they were given; a start that died on the way may
    /// have left some with it.
    fn change_pins(&mut self) -> Result<(), String> {
        let given: Vec<PinRight> = {
            let register = self.life()?.house.desk.register();
            let people = register.people.iter().filter(|(_, known)| known.one_time);
            let rights = people.map(|(person, known)| PinRight {
                person: *person,
                pin_version: known.pin_version,
            });
            rights.collect()
        };
        for old in given {
            let pin = PIN.to_owned();
            self.enter(Party::Person(old.person), Act::ChangePin { old, pin })?;
        }
        Ok(())
    }

    /// Somebody who holds a position logs in.
    fn log_in(&mut self, position: Position) -> Result<Present, String> {
        let found = {
            let register = self.life()?.house.desk.register();
            let mut people = register.people.iter();
            let found = people.find(|(_, person)| person.position == position);
            found.map(|(id, _)| *id)
        };
        self.log_in_at(found.ok_or("nobody holds a position")?, None)
    }

    /// A person logs in at a place.
    pub(super) fn log_in_at(
        &mut self,
        person: PersonId,
        place: Option<EnrolmentId>,
    ) -> Result<Present, String> {
        let known = {
            let register = self.life()?.house.desk.register();
            register.people.get(&person).cloned()
        };
        let known = known.ok_or("nobody of that number")?;
        let act = Act::LogIn {
            name: known.name.clone(),
            right: Some(PinRight {
                person,
                pin_version: known.pin_version,
            }),
            place,
        };
        let facts = self.enter(Party::House, act)?;
        let mut sessions = facts.iter().filter_map(|fact| match fact {
            Fact::LoggedIn { session, .. } => Some(*session),
            _ => None,
        });
        let session = sessions.next().ok_or("a log-in without a session")?;
        let mut secret = [0; 32];
        secret[..4].copy_from_slice(&person.0.to_be_bytes());
        let logged_in = LoggedIn::new(session, person, place, self.clock.steady_ms());
        drop(self.life()?.house.sessions.begin(logged_in, secret));
        Ok(Present {
            staff: Staff {
                person,
                position: known.position,
            },
            name: known.name,
            session,
            place,
        })
    }
}
