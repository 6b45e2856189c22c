//! The record of a lesson: marks by skill and what the coach said, round by
//! round. It can be written down as a certificate; the same lesson, acts and
//! statements give the same record.

use serde::Serialize;
use sicbo_rules::rulebook::words::Word;

use super::grade::{Marks, Remark, Skill, Verdict};
use super::lesson::Exercise;
use super::session::{Session, Track};
use super::situation::{Response, Situation};

/// One round as it went.
#[derive(Clone, PartialEq, Debug)]
pub struct ExerciseRecord {
    /// What was practised.
    pub situation: Situation,
    /// The round has ended.
    pub ended: bool,
    /// From its first act to its end.
    pub took_ms: i64,
    /// Marks, in the order of the skills.
    pub marks: Vec<(Skill, Marks)>,
    /// What the coach says.
    pub remarks: Vec<Remark>,
}

/// A whole lesson as it went.
#[derive(Clone, PartialEq, Debug)]
pub struct LessonRecord {
    /// The book.
    pub book: String,
    /// SHA-256 of its text.
    pub book_sha256: String,
    /// What was practised.
    pub pack: &'static str,
    /// What it was drawn from.
    pub seed: u64,
    /// Every round has been played.
    pub over: bool,
    /// When its last round ended; 0 before.
    pub ended_ms: i64,
    /// Rounds that have begun.
    pub exercises: Vec<ExerciseRecord>,
    /// Marks over all of them.
    pub marks: Vec<(Skill, Marks)>,
    /// Of a hundred, over all skills alike.
    pub percent: u32,
}

/// A certificate as it is written to a file.
#[derive(Serialize)]
struct Certificate<'r> {
    practice: bool,
    trainee: &'r str,
    book: &'r str,
    book_sha256: &'r str,
    pack: &'r str,
    seed: u64,
    over: bool,
    ended_ms: i64,
    percent: u32,
    marks: Vec<CertifiedMarks>,
    rounds: Vec<CertifiedRound<'r>>,
}

#[derive(Serialize)]
struct CertifiedMarks {
    skill: &'static str,
    right: u32,
    of: u32,
}

#[derive(Serialize)]
struct CertifiedRound<'r> {
    situation: &'static str,
    marks: Vec<CertifiedMarks>,
    faults: Vec<CertifiedFault<'r>>,
}

#[derive(Serialize)]
struct CertifiedFault<'r> {
    skill: &'static str,
    fault: &'static str,
    expected: &'r str,
    done: &'r str,
    rule: &'r str,
}

fn certified(marks: &[(Skill, Marks)]) -> Vec<CertifiedMarks> {
    let all = marks.iter().map(|(skill, marks)| CertifiedMarks {
        skill: skill.key(),
        right: marks.right,
        of: marks.of,
    });
    all.collect()
}

impl LessonRecord {
    /// How a lesson went so far.
    #[must_use]
    pub fn of(session: &Session) -> LessonRecord {
        let rounds = session.lesson.exercises.iter().zip(&session.tracks);
        let exercises: Vec<ExerciseRecord> = rounds
            .map(|(exercise, track)| of_round(session, exercise, track))
            .collect();
        let marks: Vec<(Skill, Marks)> = Skill::all()
            .iter()
            .map(|skill| {
                let mut sum = Marks::default();
                for (_, marks) in exercises
                    .iter()
                    .flat_map(|exercise| &exercise.marks)
                    .filter(|(of, _)| of == skill)
                {
                    sum.right += marks.right;
                    sum.of += marks.of;
                }
                (*skill, sum)
            })
            .collect();
        let graded: Vec<u32> = marks
            .iter()
            .filter(|(_, marks)| marks.of > 0)
            .map(|(_, marks)| marks.percent())
            .collect();
        let percent = graded
            .iter()
            .sum::<u32>()
            .checked_div(graded.len() as u32)
            .unwrap_or(0);
        let book = &session.lesson.book;
        LessonRecord {
            book: book.id().to_owned(),
            book_sha256: book.sha256_hex(),
            pack: session.lesson.pack.key(),
            seed: session.lesson.seed,
            over: session.is_over(),
            ended_ms: session.track().and_then(|t| t.ended_ms).unwrap_or(0),
            exercises,
            marks,
            percent,
        }
    }

    /// Marks in one skill.
    #[must_use]
    pub fn skill(&self, skill: Skill) -> Marks {
        let found = self.marks.iter().find(|(of, _)| *of == skill);
        found.map_or_else(Marks::default, |(_, marks)| *marks)
    }

    /// The certificate, as JSON.
    #[must_use]
    pub fn certificate(&self, trainee: &str) -> String {
        let rounds = self.exercises.iter().map(|exercise| CertifiedRound {
            situation: exercise.situation.key(),
            marks: certified(&exercise.marks),
            faults: exercise
                .remarks
                .iter()
                .filter(|remark| !remark.verdict.is_right())
                .map(|remark| CertifiedFault {
                    skill: remark.skill.key(),
                    fault: remark.verdict.key(),
                    expected: &remark.expected,
                    done: &remark.done,
                    rule: &remark.rule,
                })
                .collect(),
        });
        let certificate = Certificate {
            practice: true,
            trainee,
            book: &self.book,
            book_sha256: &self.book_sha256,
            pack: self.pack,
            seed: self.seed,
            over: self.over,
            ended_ms: self.ended_ms,
            percent: self.percent,
            marks: certified(&self.marks),
            rounds: rounds.collect(),
        };
        match serde_json::to_string_pretty(&certificate) {
            Ok(text) => text,
            Err(error) => unreachable!("texts and numbers are JSON: {error}"),
        }
    }
}

fn of_round(session: &Session, exercise: &Exercise, track: &Track) -> ExerciseRecord {
    let book = &session.lesson.book;
    let ended = track.ended_ms.is_some();
    let mut remarks = track.remarks.clone();
    let mut rule = Marks::default();
    let mut call = Marks::default();
    let mut payments = Marks::default();
    let response = exercise.situation.response(book);
    // What never showed itself is not held against anyone.
    if ended && (track.cue_ms.is_some() || track.erred || response == Response::GoOn) {
        rule.add(!track.erred && (track.answered || response == Response::GoOn));
    }
    if ended && track.settled {
        let sorted = exercise.dice.sorted();
        let right = track.call == Some((sorted.faces(), sorted.total()));
        call.add(right);
        let called = track.call.map_or_else(String::new, |(dice, total)| {
            format!("{}-{}-{} = {total}", dice[0], dice[1], dice[2])
        });
        let [a, b, c] = sorted.faces();
        remarks.push(Remark {
            skill: Skill::Call,
            verdict: match right {
                true => Verdict::CallRight,
                false => Verdict::CallWrong,
            },
            expected: format!("{a}-{b}-{c} = {}", sorted.total()),
            done: called,
            rule: book.play.flat_check.cite.full(book.id()),
        });
        let currency = super::lesson::stakes_of(book).0;
        for (asked, stated) in exercise.asked.iter().zip(&track.payments) {
            let right = *stated == Some(asked.pays);
            payments.add(right);
            remarks.push(Remark {
                skill: Skill::Payments,
                verdict: match right {
                    true => Verdict::PaymentRight,
                    false => Verdict::PaymentWrong,
                },
                expected: currency.format(asked.pays),
                done: stated.map_or_else(String::new, |stated| currency.format(stated)),
                rule: asked.rule.clone(),
            });
        }
    }
    ExerciseRecord {
        situation: exercise.situation,
        ended,
        took_ms: track.ended_ms.map_or(0, |end| end - track.began_ms),
        marks: vec![
            (Skill::Order, track.order),
            (Skill::Rule, rule),
            (Skill::Call, call),
            (Skill::Payments, payments),
            (Skill::Speed, track.speed),
        ],
        remarks,
    }
}
