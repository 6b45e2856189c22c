//! What the trainee did, held against what was due.

use sicbo_rules::rulebook::words::Cause;
use sicbo_table::command::IncidentKind;
use sicbo_table::event::VoidBasis;
use sicbo_table::ids::StationId;
use sicbo_table::legal::Step;
use sicbo_table::{Event, Fact};

use super::super::grade::{Remark, Skill, Verdict};
use super::super::ruling::ruled;
use super::super::situation::Response;
use super::{Due, Session, WITHIN_MS, act_of};

impl Session {
    /// Compares an act of the trainee with what was due.
    pub(super) fn judge(&mut self, event: &Event) {
        let Some(done) = act_of(&self.table, &event.fact) else {
            return;
        };
        let due = self.due.clone();
        if let Due::Respond(response, rule) = &due
            && self.answers(*response, &event.fact)
        {
            self.in_time(event.at_ms, &due, &done);
            if let Some(track) = self.tracks.last_mut() {
                track.answered = true;
                track.order.add(true);
            }
            let expected = due.key();
            self.remark(Remark {
                skill: Skill::Rule,
                verdict: Verdict::DealtWith,
                expected,
                done,
                rule: rule.clone(),
            });
            return;
        }
        match &event.fact {
            Fact::RoundVoided { basis, rule, .. } => self.judge_void(basis, rule, &due, &done),
            Fact::DecisionRaised { .. } => {
                let rule = due.rule().to_owned();
                self.err(Verdict::Unfounded, due.key(), &done, rule);
            }
            Fact::BetsPlaced { .. } => {
                let situation = self.exercise().map(|exercise| exercise.situation);
                let rule = situation.map_or_else(String::new, |s| ruled(self.book(), s).rule);
                self.err(Verdict::BetWronglyTaken, due.key(), &done, rule);
            }
            // Said without need, or a correction of one's own.
            Fact::IncidentRaised { .. }
            | Fact::DeviceFailed { .. }
            | Fact::LateActRecorded { .. }
            | Fact::KeysCleared => {}
            _ => self.judge_order(event.at_ms, &due, done),
        }
    }

    fn judge_void(&mut self, basis: &VoidBasis, rule: &str, due: &Due, done: &str) {
        // What an interruption comes to follows from its confirmation.
        let VoidBasis::Listed(cause) = basis else {
            return;
        };
        if *cause == Cause::TechnicalInterruption {
            return;
        }
        match due {
            Due::Respond(Response::DeclareVoid(_), right) => {
                self.err(Verdict::WrongCause, due.key(), done, right.clone());
            }
            _ => {
                let right = match due.rule() {
                    "" => rule,
                    right => right,
                };
                self.err(Verdict::Unfounded, due.key(), done, right.to_owned());
            }
        }
    }

    fn judge_order(&mut self, at_ms: i64, due: &Due, done: String) {
        if *due == Due::Nothing && done == Step::CloseBets.key() {
            return;
        }
        let right = matches!(due, Due::Step(step, _) if *step == done);
        if right {
            self.in_time(at_ms, due, &done);
        }
        if let Some(track) = self.tracks.last_mut() {
            track.order.add(right);
        }
        if !right {
            self.remark(Remark {
                skill: Skill::Order,
                verdict: Verdict::OutOfOrder,
                expected: due.key(),
                done,
                rule: due.rule().to_owned(),
            });
        }
    }

    /// Players need their time before the close, and nobody is hurried into a round.
    fn in_time(&mut self, at_ms: i64, due: &Due, done: &str) {
        let unhurried = self.table.round.is_none() || done == Step::CloseBets.key();
        let Some(track) = self.tracks.last_mut() else {
            return;
        };
        if unhurried || at_ms == track.began_ms {
            return;
        }
        let waited_ms = at_ms - self.due_since_ms;
        let right = waited_ms <= WITHIN_MS;
        track.speed.add(right);
        if !right {
            let remark = Remark {
                skill: Skill::Speed,
                verdict: Verdict::Slow,
                expected: due.key(),
                done: (waited_ms / 1_000).to_string(),
                rule: due.rule().to_owned(),
            };
            self.remark(remark);
        }
    }

    fn answers(&self, response: Response, fact: &Fact) -> bool {
        let Some(exercise) = self.exercise() else {
            return false;
        };
        match (response, fact) {
            (Response::DeclareVoid(due), Fact::RoundVoided { basis, .. }) => {
                *basis == VoidBasis::Listed(due)
            }
            (Response::Hold, Fact::DecisionRaised { .. })
            | (Response::ConfirmInterruption, Fact::DecisionTaken { .. })
            | (Response::ReportDeviceFailure, Fact::DeviceFailed { .. })
            | (Response::ReportLightsWrong, Fact::LightsReported { lit: false })
            | (Response::KeyAgain, Fact::KeysCleared) => true,
            (Response::KeyAgain, Fact::DiceKeyed { dice }) => {
                dice.sorted() == exercise.dice.sorted()
            }
            (
                Response::PlaceSpokenBet,
                Fact::BetsPlaced {
                    station,
                    lines,
                    called: true,
                    ..
                },
            ) => *station == StationId(0) && lines[..] == [exercise.special],
            (Response::RecordLate(due), Fact::LateActRecorded { late, station, .. }) => {
                due == *late && *station == StationId(0)
            }
            // A dispute is the supervisor's first (P-070, 004 8.1): calling is enough.
            (Response::Raise(IncidentKind::Dispute), Fact::IncidentRaised { kind, .. }) => {
                matches!(kind, IncidentKind::Dispute | IncidentKind::CallSupervisor)
            }
            (Response::Raise(due), Fact::IncidentRaised { kind, .. }) => due == *kind,
            _ => false,
        }
    }
}
