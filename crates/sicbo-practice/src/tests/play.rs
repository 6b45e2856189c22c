//! A practice table in memory with a scripted trainee.

use std::sync::Arc;

use sicbo_rules::rulebook::words::{Cause, Position};
use sicbo_rules::{Dice, RuleBook};
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::command::{Held, IncidentKind, Part};
use sicbo_table::ids::{BetId, PersonId, StationId};
use sicbo_table::legal::{self, Step};
use sicbo_table::pending::{Pending, Question};
use sicbo_table::positions::Means;
use sicbo_table::{Act, Command, Refusal, Table, apply, decide};

use crate::{
    Cast, Due, Lesson, LessonRecord, Response, Session, Situation, Stated, TABLE_PREFIX, house_plan,
};
use sicbo_dealer::{self as dealer, Pace, Seen};

/// The one who learns; not of the cast.
pub(super) const TRAINEE: Staff = Staff {
    person: PersonId(900),
    position: Position::Dealer,
};

/// What a trainee does wrong, always.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Habit {
    /// Nothing.
    Right,
    /// Deals with nothing that happens and goes on.
    Blind,
    /// Declares every void for another cause.
    WrongCause,
    /// Says nothing: no call, no payments.
    Silent,
    /// Calls as the dice lie, pays without counting.
    Careless,
    /// Thinks for half a minute.
    Slow,
}

pub(super) struct Room {
    pub(super) table: Table,
    pub(super) session: Session,
    cast: Cast,
    now_ms: i64,
}

impl Room {
    pub(super) fn new(lesson: Lesson) -> Room {
        let plan = house_plan();
        let name = format!("{TABLE_PREFIX}{}", lesson.book.id());
        let at = plan.tables.iter().find(|t| t.name.as_str() == name);
        let at = at.unwrap().clone();
        let mut table = Table::default();
        let open = Command {
            id: 0,
            at_ms: 1,
            by: Actor::House,
            second: None,
            act: Act::OpenTable {
                config: Box::new(at.config),
                stations: at.stations,
            },
        };
        for event in decide(&table, &open).unwrap() {
            apply(&mut table, &event);
        }
        let people = plan.staff.iter().zip(1..);
        let people = people.map(|((_, position), person)| (*position, PersonId(person)));
        Room {
            session: Session::new(lesson, table.clone(), 1),
            table,
            cast: Cast {
                people: people.collect(),
            },
            now_ms: 1_000,
        }
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), Refusal> {
        let events = decide(&self.table, command)?;
        for event in &events {
            apply(&mut self.table, event);
            self.table.check().unwrap();
            self.session.observe(event);
        }
        Ok(())
    }

    /// Everyone else acts until it is the trainee's turn.
    fn world(&mut self) {
        for _ in 0..200 {
            self.now_ms += 10;
            let Some(command) = self.session.world(&self.cast, self.now_ms) else {
                return;
            };
            let done = self.carry_out(&command);
            let late = matches!(command.act, Act::PlaceBets { bet: BetId(2), .. });
            assert_eq!(done.is_err(), late, "{done:?} {command:?}");
        }
        panic!("the world never rests");
    }

    pub(super) fn act(&mut self, act: Act) -> Result<(), Refusal> {
        self.act_with(act, None)
    }

    fn takes_two(&self, act: &Act) -> bool {
        let command = Command {
            id: 0,
            at_ms: self.now_ms,
            by: Actor::Staff(TRAINEE),
            second: None,
            act: act.clone(),
        };
        let refused = decide(&self.table, &command).err();
        refused.is_some_and(|refusal| refusal.reason.code() == "second_person_needed")
    }

    fn act_with(&mut self, act: Act, second: Option<Position>) -> Result<(), Refusal> {
        let name = format!("{act:?}");
        let command = Command {
            id: 0,
            at_ms: self.now_ms,
            by: Actor::Staff(TRAINEE),
            second: second.and_then(|position| self.cast.staff(position)),
            act,
        };
        let done = self.carry_out(&command);
        if let Err(refusal) = &done {
            self.session.refused(&name, refusal);
        }
        done
    }

    fn other_cause(&self, cause: Cause) -> Cause {
        let acts = legal::table_acts(&self.table);
        let causes = acts.iter().filter_map(|act| match act.step {
            Step::DeclareVoid { cause } => Some(cause),
            _ => None,
        });
        causes.into_iter().find(|c| *c != cause).unwrap()
    }

    /// One act of the trainee. False when nothing can be done.
    fn trainee(&mut self, habit: Habit) -> bool {
        if habit == Habit::Slow {
            self.now_ms += 30_000;
        }
        let exercise = self.session.exercise().cloned();
        let due = self.session.due().clone();
        let situation = exercise.as_ref().map(|exercise| exercise.situation);
        if let (Due::Respond(response, _), Some(exercise)) = (&due, &exercise)
            && (habit != Habit::Blind || *response == Response::ConfirmInterruption)
        {
            let number = self.table.last_round;
            let act = match response {
                Response::DeclareVoid(cause) if habit == Habit::WrongCause => Act::DeclareVoid {
                    cause: self.other_cause(*cause),
                },
                Response::DeclareVoid(cause) => Act::DeclareVoid { cause: *cause },
                Response::Hold => Act::Hold {
                    what: "not covered".to_owned(),
                    about: Held::Uncovered,
                },
                Response::ConfirmInterruption => {
                    let asked =
                        |waits: &&Pending| matches!(waits.question, Question::Interrupted { .. });
                    let waits = self.table.pending.iter().find(asked).unwrap();
                    let act = Act::ConfirmInterruption {
                        pending: waits.id,
                        dice_in_place: true,
                    };
                    let second = (waits.persons == 2).then_some(Position::PitSupervisor);
                    self.act_with(act, second).unwrap();
                    return true;
                }
                Response::ReportDeviceFailure => Act::ReportDeviceFailure {
                    what: "the keys are dead".to_owned(),
                    part: Part::Keys,
                },
                Response::ReportLightsWrong => Act::ReportLights { lit: false },
                Response::KeyAgain => Act::ClearKeys,
                Response::PlaceSpokenBet => Act::CallBet {
                    station: StationId(0),
                    round: number,
                    bet: BetId(9),
                    lines: vec![exercise.special],
                    chips_present: true,
                },
                Response::RecordLate(late) => Act::RecordLate {
                    station: StationId(0),
                    round: number,
                    late: *late,
                    means: Means::CashChips,
                    line: exercise.special,
                },
                Response::Raise(kind) => Act::RaiseIncident {
                    kind: *kind,
                    note: String::new(),
                },
                Response::GoOn => unreachable!("nothing to respond to"),
            };
            // A cause found late takes a supervisor too.
            let second = self.takes_two(&act).then_some(Position::PitSupervisor);
            self.act_with(act, second).unwrap();
            return true;
        }
        if habit == Habit::Blind
            && situation == Some(Situation::SpokenBet)
            && self.session.cue().is_some()
            && self.table.round.as_ref().is_some_and(|round| {
                round.station(StationId(0)).unwrap().seen.len() == 1
                    && round.phase == sicbo_table::round::Phase::Betting
            })
        {
            let exercise = exercise.unwrap();
            let act = Act::CallBet {
                station: StationId(0),
                round: self.table.last_round,
                bet: BetId(9),
                lines: vec![exercise.special],
                chips_present: true,
            };
            self.act(act).unwrap();
            return true;
        }
        self.go_on(exercise.map_or(Dice::from_faces([1, 2, 3]).unwrap(), |e| e.dice))
    }

    /// The next step by the book's order, as the automatic dealer takes it.
    fn go_on(&mut self, dice: Dice) -> bool {
        let step = dealer::next_step(&self.table, &Pace::NONE, Seen::default());
        let act = match step {
            dealer::Step::Act {
                act,
                by: Position::Dealer,
                ..
            } => act,
            dealer::Step::ReadDice { .. } => Act::KeyDice { dice },
            _ if legal::next_step(&self.table) == Some(Step::CloseBets) => Act::CloseBets,
            _ => return false,
        };
        self.act(act).unwrap();
        true
    }

    /// States the call and the payments once the round has ended.
    fn state(&mut self, habit: Habit) {
        let Some(exercise) = self.session.exercise().cloned() else {
            return;
        };
        if habit == Habit::Silent {
            return;
        }
        let careless = habit == Habit::Careless;
        let mut faces = exercise.dice.sorted().faces();
        if careless {
            faces.reverse();
        }
        let total = exercise.dice.total() + u8::from(careless);
        self.session.state(Stated::Call(faces, total));
        for (number, asked) in exercise.asked.iter().enumerate() {
            let pays = if careless {
                asked.line.stake + asked.pays
            } else {
                asked.pays
            };
            self.session.state(Stated::Payment(number, pays));
        }
    }

    /// Plays the whole lesson.
    pub(super) fn play(&mut self, habit: Habit) -> LessonRecord {
        for _ in 0..5_000 {
            self.world();
            let ended = self.session.track().is_some_and(|t| t.ended_ms.is_some());
            if ended {
                self.state(habit);
            }
            if self.session.is_over() {
                return LessonRecord::of(&self.session);
            }
            if !self.trainee(habit) {
                let waits = self.table.pending.iter().map(|p| p.question.key());
                let interrupted = self
                    .table
                    .pending
                    .iter()
                    .any(|pending| matches!(pending.question, Question::Interrupted { .. }));
                // A shift manager whom nobody has called does not come.
                if habit == Habit::Blind && interrupted {
                    let kind = IncidentKind::CallSupervisor;
                    let note = String::new();
                    self.act(Act::RaiseIncident { kind, note }).unwrap();
                    continue;
                }
                panic!(
                    "{habit:?} stands still: {:?} due {:?} waiting {:?}",
                    self.session.exercise().map(|e| e.situation),
                    self.session.due(),
                    waits.collect::<Vec<_>>()
                );
            }
        }
        panic!("the lesson never ends");
    }
}

pub(super) fn lesson(book: &str, situation: Situation) -> Lesson {
    let book: &Arc<RuleBook> = RuleBook::named(book).unwrap();
    Lesson::single(book, situation, 7).unwrap()
}
