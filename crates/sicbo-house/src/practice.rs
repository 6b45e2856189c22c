//! A lesson at a table of a practice house: what the hub's thread drives and
//! what the doors ask about. The rules of it are in `sicbo_practice`.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use sicbo_loop::Answer;
use sicbo_practice::{Cast, Lesson, LessonRecord, Session, Stated};
use sicbo_rules::Dice;
use sicbo_rules::rulebook::words::Position;
use sicbo_table::actor::Staff;
use sicbo_table::ids::PersonId;
use sicbo_table::{Command, Event, Refusal, Table};

use crate::driver::{Driver, Now, visible};

/// After a refusal, the world is asked again this much later.
const ASK_AGAIN_MS: i64 = 250;
/// Between two acts of the simulated people, so that a trainee can follow.
const PAUSE_MS: i64 = 60;

/// A lesson that was asked for.
struct Wanted {
    lesson: Lesson,
    trainee: String,
}

#[derive(Default)]
struct Inner {
    wanted: Option<Wanted>,
    session: Option<Session>,
    trainee: String,
    began_ms: i64,
}

/// The lesson of one table, shared by its driver and its doors.
#[derive(Clone, Default)]
pub struct Lessons {
    inner: Arc<Mutex<Inner>>,
    cast: Cast,
}

/// A lesson as it stands.
pub struct Standing {
    /// Who is taught.
    pub trainee: String,
    /// When it began.
    pub began_ms: i64,
    /// How it went so far.
    pub record: LessonRecord,
}

impl Lessons {
    /// With these people to play the others.
    #[must_use]
    pub fn new(people: BTreeMap<Position, PersonId>) -> Lessons {
        Lessons {
            inner: Arc::default(),
            cast: Cast { people },
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock()
    }

    /// Begins a lesson with the next round. What was under way ends.
    pub fn begin(&self, lesson: Lesson, trainee: String) {
        let mut inner = self.inner();
        inner.wanted = Some(Wanted { lesson, trainee });
        inner.session = None;
    }

    /// Looks at the lesson under way.
    pub fn look<T>(&self, look: impl FnOnce(&Session) -> T) -> Option<T> {
        self.inner().session.as_ref().map(look)
    }

    /// How the lesson went so far.
    #[must_use]
    pub fn standing(&self) -> Option<Standing> {
        let inner = self.inner();
        let record = LessonRecord::of(inner.session.as_ref()?);
        Some(Standing {
            trainee: inner.trainee.clone(),
            began_ms: inner.began_ms,
            record,
        })
    }

    /// Takes what the trainee says. False when it is not asked for.
    #[must_use]
    pub fn state(&self, stated: Stated) -> bool {
        let mut inner = self.inner();
        inner.session.as_mut().is_some_and(|s| s.state(stated))
    }

    /// Notes that the table refused an act of the trainee.
    pub fn refused(&self, act: &str, refusal: &Refusal) {
        // What takes two is proposed next; that is no fault.
        if refusal.code() == "second_person_needed" {
            return;
        }
        if let Some(session) = self.inner().session.as_mut() {
            session.refused(act, refusal);
        }
    }

    /// A simulated supervisor who is witness to what takes two.
    #[must_use]
    pub fn witness(&self) -> Option<Staff> {
        self.cast.staff(Position::PitSupervisor)
    }

    /// The driver of the table.
    #[must_use]
    pub fn driver(&self) -> Practice {
        Practice {
            lessons: self.clone(),
            waiting: false,
            not_before_ms: 0,
        }
    }
}

/// Drives a practice table: everyone but the trainee.
pub struct Practice {
    lessons: Lessons,
    waiting: bool,
    not_before_ms: i64,
}

impl Driver for Practice {
    fn due_ms(&self, now_ms: i64) -> Option<i64> {
        (!self.waiting).then_some(self.not_before_ms).filter(|due| {
            // Nothing is due once the pause is over and nothing has happened.
            *due > now_ms
        })
    }

    fn published(&mut self, _: [u8; 32], events: &[Event]) {
        if let Some(session) = self.lessons.inner().session.as_mut() {
            for event in events {
                session.observe(event);
            }
        }
    }

    fn next(&mut self, table: &Table, now: Now) -> Option<Command> {
        if self.waiting || now.steady_ms < self.not_before_ms || table.config.is_none() {
            return None;
        }
        let mut inner = self.lessons.inner();
        // A lesson is told in times of day, like the events it is graded by.
        let now_ms = now.now_ms;
        // Begun here, on the hub's thread, so that no event is missed or seen twice.
        if let Some(wanted) = inner.wanted.take() {
            inner.session = Some(Session::new(wanted.lesson, table.clone(), now_ms));
            inner.trainee = wanted.trainee;
            inner.began_ms = now_ms;
        }
        let command = inner.session.as_mut()?.world(&self.lessons.cast, now_ms);
        self.waiting = command.is_some();
        command
    }

    fn answered(&mut self, answer: &Answer<Refusal>, now_ms: i64) {
        self.waiting = false;
        self.not_before_ms = now_ms + PAUSE_MS;
        match answer {
            Answer::Done { .. } => {}
            Answer::Refused(refusal) => {
                // A late bet is meant to be refused.
                tracing::debug!(%refusal, "practice");
                self.not_before_ms = now_ms + ASK_AGAIN_MS;
            }
            _ => {
                if let Some(session) = self.lessons.inner().session.as_mut() {
                    session.again();
                }
                self.not_before_ms = now_ms + ASK_AGAIN_MS;
            }
        }
    }

    fn seen(&self, table: &Table) -> Option<Dice> {
        let inner = self.lessons.inner();
        let dice = inner.session.as_ref()?.seen();
        visible(table).then_some(dice).flatten()
    }
}
