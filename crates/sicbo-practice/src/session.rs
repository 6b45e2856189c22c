//! A lesson under way: follows the table's events, says what is due, and notes
//! what the trainee did right and wrong.

mod judge;

use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Dice, Money, RuleBook};
use sicbo_table::actor::Actor;
use sicbo_table::event::VoidBasis;
use sicbo_table::legal::{self, Step};
use sicbo_table::pending::Question;
use sicbo_table::round::{CoverState, Phase, Tumble};
use sicbo_table::{Command, Event, Fact, Refusal, Table, apply};

use super::grade::{Marks, Remark, Skill, Verdict};
use super::lesson::{Exercise, Lesson};
use super::ruling::ruled;
use super::situation::{Response, Situation};
use super::world::{self, Cast, SIMULATED};

/// An act that is due should come within this time.
const WITHIN_MS: i64 = 15_000;
/// Remarks kept for one round: more are no help.
const MAX_REMARKS: usize = 32;

/// What the trainee has to do now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Due {
    /// Nothing: others act, or the lesson is over.
    Nothing,
    /// The next step of the book's order, with its rule.
    Step(&'static str, String),
    /// Deal with what has happened.
    Respond(Response, String),
}

impl Due {
    /// A stable word; empty when nothing is due.
    #[must_use]
    pub fn key(&self) -> String {
        match self {
            Due::Nothing => String::new(),
            Due::Step(step, _) => (*step).to_owned(),
            Due::Respond(Response::DeclareVoid(cause), _) => format!("declare-void {cause}"),
            Due::Respond(response, _) => response.key().to_owned(),
        }
    }

    /// The rule it rests on.
    #[must_use]
    pub fn rule(&self) -> &str {
        match self {
            Due::Nothing => "",
            Due::Step(_, rule) | Due::Respond(_, rule) => rule,
        }
    }
}

/// The result as the trainee called it, or what they would pay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stated {
    /// Dice in the order called, and the total.
    Call([u8; 3], u8),
    /// The payment of this number, as asked.
    Payment(usize, Money),
}

/// How one round went.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Track {
    /// When the round began.
    pub began_ms: i64,
    /// When it ended.
    pub ended_ms: Option<i64>,
    /// It ended with a result.
    pub settled: bool,
    /// When the situation showed itself.
    pub cue_ms: Option<i64>,
    /// What goes wrong by itself has been set going.
    pub shown: bool,
    /// It has happened: there is something to deal with.
    pub struck: bool,
    /// The trainee has dealt with it.
    pub answered: bool,
    /// Something was decided against the rule.
    pub erred: bool,
    /// The order of the acts so far.
    pub order: Marks,
    /// Their speed.
    pub speed: Marks,
    /// What the trainee called.
    pub call: Option<([u8; 3], u8)>,
    /// What the trainee would pay, as asked.
    pub payments: Vec<Option<Money>>,
    /// What the coach noted on the way.
    pub remarks: Vec<Remark>,
}

/// A lesson under way.
pub struct Session {
    /// What it is.
    pub lesson: Lesson,
    /// Round by round, as far as it has come.
    pub tracks: Vec<Track>,
    pub(super) table: Table,
    pub(super) chips_bought: bool,
    due: Due,
    due_since_ms: i64,
}

impl Session {
    /// A lesson at a table as it stands; its first round is the next that begins.
    #[must_use]
    pub fn new(lesson: Lesson, table: Table, now_ms: i64) -> Session {
        let mut session = Session {
            lesson,
            tracks: Vec::new(),
            table,
            chips_bought: false,
            due: Due::Nothing,
            due_since_ms: now_ms,
        };
        session.due = session.find_due();
        session
    }

    /// The current round, or the last one.
    #[must_use]
    pub fn track(&self) -> Option<&Track> {
        self.tracks.last()
    }

    /// What is practised in it.
    #[must_use]
    pub fn exercise(&self) -> Option<&Exercise> {
        let at = self.tracks.len().checked_sub(1)?;
        self.lesson.exercises.get(at)
    }

    /// What the trainee has to do now.
    #[must_use]
    pub fn due(&self) -> &Due {
        &self.due
    }

    /// What has happened can be seen: the situation of the current round.
    #[must_use]
    pub fn cue(&self) -> Option<Situation> {
        let shown = self.track()?.shown;
        shown.then(|| self.exercise().map(|e| e.situation))?
    }

    /// Every round has been played.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.tracks.len() >= self.lesson.exercises.len()
            && self.track().is_none_or(|track| track.ended_ms.is_some())
    }

    /// The dice as somebody who stands there sees them, and after the round
    /// as they lay.
    #[must_use]
    pub fn seen(&self) -> Option<Dice> {
        let shown = match self.table.round.as_deref() {
            Some(round) => {
                let covered = round.cover == CoverState::Covered;
                matches!(round.tumble, Tumble::Valid { .. }) && !covered
            }
            None => self.track()?.settled,
        };
        shown.then(|| self.exercise().map(|exercise| exercise.dice))?
    }

    /// What the others do next; none while it is the trainee's turn.
    pub fn world(&mut self, cast: &Cast, now_ms: i64) -> Option<Command> {
        world::next(self, cast, now_ms)
    }

    /// What goes wrong by itself is set going: with a command of the world, or
    /// there is nothing but what can be seen.
    pub(super) fn show(&mut self, by_command: bool, now_ms: i64) {
        if let Some(track) = self.tracks.last_mut() {
            track.shown = true;
            track.struck = !by_command;
        }
        self.refresh(now_ms);
    }

    fn refresh(&mut self, now_ms: i64) {
        let due = self.find_due();
        if due != self.due {
            self.due = due;
            self.due_since_ms = now_ms;
        }
    }

    /// The last command of the world found no room and comes again.
    pub fn again(&mut self) {
        if let Some(track) = self.tracks.last_mut()
            && track.ended_ms.is_none()
        {
            track.shown = false;
        }
    }

    /// Follows one event of the table.
    pub fn observe(&mut self, event: &Event) {
        if let Fact::RoundBegan { .. } = event.fact
            && self.tracks.len() < self.lesson.exercises.len()
        {
            let asked = self.lesson.exercises[self.tracks.len()].asked.len();
            self.tracks.push(Track {
                began_ms: event.at_ms,
                payments: vec![None; asked],
                ..Track::default()
            });
        }
        let began = matches!(event.fact, Fact::RoundBegan { .. });
        self.chips_bought |= matches!(event.fact, Fact::ChipsMoved { .. });
        let trainee = event.command != SIMULATED && matches!(event.by, Actor::Staff(_));
        if trainee && self.in_hand() {
            self.judge(event);
        }
        self.note_end(event);
        apply(&mut self.table, event);
        if let Some(track) = self.tracks.last_mut()
            && event.command == SIMULATED
        {
            track.struck |= track.shown;
        }
        let reached = self
            .exercise()
            .is_some_and(|exercise| world::reached(&self.table, exercise));
        if let Some(track) = self.tracks.last_mut()
            && track.cue_ms.is_none()
            && track.ended_ms.is_none()
            && reached
        {
            track.cue_ms = Some(event.at_ms);
        }
        // The first act of a round is two events; it was due before the first.
        if !began {
            self.refresh(event.at_ms);
        }
    }

    /// Notes that the table refused an act of the trainee.
    pub fn refused(&mut self, act: &str, refusal: &Refusal) {
        if !self.in_hand() {
            return;
        }
        let remark = Remark {
            skill: Skill::Order,
            verdict: Verdict::Refused,
            expected: self.due.key(),
            done: format!("{act} {}", refusal.code()),
            rule: refusal
                .rule
                .clone()
                .unwrap_or_else(|| self.due.rule().to_owned()),
        };
        if let Some(track) = self.tracks.last_mut() {
            track.order.add(false);
        }
        self.remark(remark);
    }

    /// Takes what the trainee says. False when it is not asked for.
    pub fn state(&mut self, stated: Stated) -> bool {
        let Some(track) = self.tracks.last_mut() else {
            return false;
        };
        match stated {
            Stated::Call(dice, total) => {
                let first = track.call.is_none();
                if first {
                    track.call = Some((dice, total));
                }
                first
            }
            Stated::Payment(number, amount) => match track.payments.get_mut(number) {
                Some(asked @ None) => {
                    *asked = Some(amount);
                    true
                }
                _ => false,
            },
        }
    }

    fn in_hand(&self) -> bool {
        self.track().is_some_and(|track| track.ended_ms.is_none())
    }

    fn book(&self) -> &RuleBook {
        &self.lesson.book
    }

    fn remark(&mut self, remark: Remark) {
        if let Some(track) = self.tracks.last_mut()
            && track.remarks.len() < MAX_REMARKS
        {
            track.remarks.push(remark);
        }
    }

    fn note_end(&mut self, event: &Event) {
        let settled = match &event.fact {
            Fact::RoundSettled { dice, .. } => Some(*dice),
            Fact::RoundVoided { .. } => None,
            _ => return,
        };
        let (Some(exercise), true) = (self.exercise().cloned(), self.in_hand()) else {
            return;
        };
        let ruled = ruled(self.book(), exercise.situation);
        let response = exercise.situation.response(self.book());
        let unanswered = self
            .track()
            .is_some_and(|track| track.cue_ms.is_some() && !track.answered && !track.erred);
        if unanswered && response != Response::GoOn {
            self.err(
                Verdict::Missed,
                Due::Respond(response, ruled.rule.clone()).key(),
                "",
                ruled.rule,
            );
        }
        if let Some(dice) = settled
            && dice.sorted() != exercise.dice.sorted()
        {
            let wrong = &self.book().corrections.wrong_result;
            let rule = wrong.cite.full(self.book().id());
            self.err(
                Verdict::WrongResult,
                exercise.dice.sorted().to_string(),
                &dice.sorted().to_string(),
                rule,
            );
        }
        if let Some(track) = self.tracks.last_mut() {
            track.ended_ms = Some(event.at_ms);
            track.settled = settled.is_some();
        }
    }

    /// A decision against the rule.
    fn err(&mut self, verdict: Verdict, expected: String, done: &str, rule: String) {
        if let Some(track) = self.tracks.last_mut() {
            track.erred = true;
        }
        self.remark(Remark {
            skill: Skill::Rule,
            verdict,
            expected,
            done: done.to_owned(),
            rule,
        });
    }

    fn find_due(&self) -> Due {
        if self.is_over() {
            return Due::Nothing;
        }
        if let (Some(exercise), Some(track)) = (self.exercise(), self.track())
            && track.cue_ms.is_some()
            && track.ended_ms.is_none()
            && !track.answered
        {
            let response = exercise.situation.response(self.book());
            if response != Response::GoOn && !track.struck {
                return Due::Nothing;
            }
            if response != Response::GoOn {
                return Due::Respond(response, ruled(self.book(), exercise.situation).rule);
            }
        }
        let Some(step) = trainee_step(&self.table) else {
            return Due::Nothing;
        };
        // Nobody is told to close before the players have had their turn.
        if step == Step::CloseBets
            && self.in_hand()
            && !self
                .exercise()
                .is_none_or(|exercise| world::everyone_bet(&self.table, exercise))
        {
            return Due::Nothing;
        }
        let acts = legal::table_acts(&self.table);
        let rule = acts.into_iter().find(|act| act.step == step);
        let rule = rule.and_then(|act| act.rule).unwrap_or_default();
        Due::Step(step.key(), rule)
    }
}

/// The next step of the order of play, where it is the dealer's.
fn trainee_step(table: &Table) -> Option<Step> {
    let step = legal::next_step(table)?;
    let mine = match &step {
        Step::ReportTumbles
        | Step::ChangeDice
        | Step::Resume
        | Step::CloseTable
        | Step::RuleVoid
        | Step::ReadSecond
        | Step::ResolveReadings { .. } => false,
        Step::Rule { pending, .. } | Step::ConfirmInterruption { pending } => table
            .pending
            .iter()
            .any(|waits| waits.id == *pending && waits.by == Position::Dealer),
        _ => true,
    };
    mine.then_some(step)
}

/// The step an event is the trace of; none for what only follows from another.
fn act_of(table: &Table, fact: &Fact) -> Option<String> {
    let step = match fact {
        Fact::TumblerActivated => Step::ActivateTumbler,
        Fact::TumbleEnded { .. } => Step::ReportTumbles,
        Fact::BetsCalled => Step::CallBets,
        Fact::ClosingBegan { .. } => Step::CloseBets,
        Fact::BetsClosed { .. } if table.phase() == Some(Phase::Betting) => Step::CloseBets,
        Fact::DealPressed => Step::PressDeal,
        Fact::Uncovered => Step::Uncover,
        Fact::FlatConfirmed => Step::ConfirmFlat,
        Fact::DiceKeyed { .. } => Step::KeyDice,
        Fact::KeysCleared => Step::ClearKeys,
        Fact::ResultConfirmed { .. } => Step::ConfirmResult,
        Fact::LightsReported { .. } => Step::ReportLights,
        Fact::RoundSettled { .. } if table.round.as_ref()?.confirmed.is_some() => Step::TakeAndPay,
        Fact::RoundSettled { .. } => Step::ConfirmResult,
        Fact::RoundVoided {
            basis: VoidBasis::Listed(cause),
            ..
        } => {
            return Some(format!(
                "{} {cause}",
                Step::DeclareVoid { cause: *cause }.key()
            ));
        }
        Fact::RoundVoided { .. } => Step::RuleVoid,
        Fact::DecisionRaised { pending }
            if matches!(pending.question, Question::Uncovered { .. }) =>
        {
            Step::Hold
        }
        Fact::DecisionTaken {
            pending, ruling, ..
        } => {
            let interrupted = table.pending.iter().any(|waits| {
                waits.id == *pending && matches!(waits.question, Question::Interrupted { .. })
            });
            match interrupted {
                true => Step::ConfirmInterruption { pending: *pending },
                false => Step::Rule {
                    pending: *pending,
                    ruling: ruling.clone(),
                },
            }
        }
        Fact::LateActRecorded { station, .. } => Step::RecordLate { station: *station },
        Fact::BetsPlaced {
            called: true,
            station,
            ..
        } => Step::PlaceBets { station: *station },
        Fact::DeviceFailed { .. } => return Some(Response::ReportDeviceFailure.key().to_owned()),
        Fact::IncidentRaised { kind, .. } => return Some(Response::Raise(*kind).key().to_owned()),
        _ => return None,
    };
    Some(step.key().to_owned())
}
