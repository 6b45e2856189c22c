//! Practice on the wire: the packs, what each book makes of each situation,
//! and a lesson as its coach sees it.

use serde::{Deserialize, Serialize};
use sicbo_practice::{
    Consequence, LessonRecord, Marks, Pack, Remark, Response, Ruled, Session, Situation, Skill,
    Verdict, under_all,
};
use sicbo_rules::rulebook::words::{Cause, Word};
use ts_rs::TS;
use utoipa::ToSchema;

use super::Stake;

/// A practice table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct PracticeTable {
    /// Its name.
    pub table: String,
    /// Its rule book.
    pub book: String,
    /// What can be practised there.
    pub situations: Vec<String>,
}

/// What one book makes of a situation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownRuling {
    /// The book.
    pub book: String,
    /// What becomes of it: `void`, `decided` …
    pub consequence: String,
    /// The cause, where the round is void for a listed one.
    pub cause: Option<String>,
    /// The rule.
    pub rule: String,
    /// Who decides or confirms.
    pub by: Option<String>,
}

/// One situation under every book.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Compared {
    /// What happens.
    pub situation: String,
    /// Book by book.
    pub rulings: Vec<ShownRuling>,
}

/// What practice offers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct PracticeInfo {
    /// This is a house of practice.
    pub practice: bool,
    /// The packs.
    pub packs: Vec<String>,
    /// Tables to practise at.
    pub tables: Vec<PracticeTable>,
    /// Every situation under every book.
    pub compared: Vec<Compared>,
}

/// A lesson that is asked for.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewLesson {
    /// What it is drawn from: the same seed is the same lesson.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub seed: u64,
    /// The pack: `all`, `voids` …
    #[serde(default)]
    #[ts(optional)]
    pub pack: Option<String>,
    /// One situation alone, instead of a pack.
    #[serde(default)]
    #[ts(optional)]
    pub situation: Option<String>,
}

/// The result as the trainee calls it.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Called {
    /// In the order called.
    #[schema(schema_with = super::schemas::dice)]
    pub dice: [u8; 3],
    /// Their total.
    #[schema(minimum = 0, maximum = 255)]
    pub total: u8,
}

/// What the trainee would pay.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StatedPayment {
    /// Which of the payments asked for, from 0.
    #[schema(minimum = 0, maximum = 255)]
    pub number: u8,
    /// What is added to the stake, in minor units.
    pub amount: i64,
}

/// Marks in one skill.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownMarks {
    /// The skill: `order`, `rule`, `call`, `payments`, `speed`.
    pub skill: String,
    /// Got.
    pub right: u32,
    /// To be had.
    pub of: u32,
}

/// Something the coach says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownRemark {
    /// Which skill it is about.
    pub skill: String,
    /// What was right or wrong.
    pub verdict: String,
    /// It was right.
    pub right: bool,
    /// What was due.
    pub expected: String,
    /// What was done.
    pub done: String,
    /// The rule.
    pub rule: String,
}

/// One round of a lesson as it went.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownExercise {
    /// What was practised; empty until the round has ended.
    pub situation: String,
    /// It has ended.
    pub ended: bool,
    /// From its first act to its end.
    pub took_ms: i64,
    /// Marks by skill.
    pub marks: Vec<ShownMarks>,
    /// What the coach says.
    pub remarks: Vec<ShownRemark>,
}

/// A payment the trainee is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownAsked {
    /// At which station.
    pub station: String,
    /// The bet.
    pub bet: Stake,
    /// What the trainee said, if anything.
    pub stated: Option<i64>,
}

/// A lesson as its coach sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownLesson {
    /// Who is taught.
    pub trainee: String,
    /// The book.
    pub book: String,
    /// The pack.
    pub pack: String,
    /// What it was drawn from.
    pub seed: u64,
    /// When it began.
    pub began_ms: i64,
    /// Rounds in all.
    pub rounds: u32,
    /// Every round has been played.
    pub over: bool,
    /// What has happened in the current round and can be seen, if anything.
    pub cue: Option<String>,
    /// The bet it is about, at the first station.
    pub cue_bet: Option<Stake>,
    /// The dice as somebody who stands there sees them.
    #[schema(schema_with = super::schemas::dice)]
    pub dice: Option<[u8; 3]>,
    /// What is due: a step, or what to do about what happened; empty when others act.
    pub due: String,
    /// Its rule.
    pub due_rule: String,
    /// The result of the last round must still be called.
    pub call_due: bool,
    /// Payments of the last round, once it is settled.
    pub asked: Vec<ShownAsked>,
    /// Rounds that have begun.
    pub exercises: Vec<ShownExercise>,
    /// Marks over all.
    pub marks: Vec<ShownMarks>,
    /// Of a hundred.
    pub percent: u32,
}

fn marks(all: &[(Skill, Marks)]) -> Vec<ShownMarks> {
    let shown = all.iter().map(|(skill, marks)| ShownMarks {
        skill: skill.key().to_owned(),
        right: marks.right,
        of: marks.of,
    });
    shown.collect()
}

impl ShownRemark {
    fn of(remark: &Remark) -> ShownRemark {
        ShownRemark {
            skill: remark.skill.key().to_owned(),
            verdict: remark.verdict.key().to_owned(),
            right: remark.verdict.is_right(),
            expected: remark.expected.clone(),
            done: remark.done.clone(),
            rule: remark.rule.clone(),
        }
    }
}

impl ShownRuling {
    fn of(book: &str, ruled: &Ruled) -> ShownRuling {
        ShownRuling {
            book: book.to_owned(),
            consequence: ruled.consequence.key().to_owned(),
            cause: match ruled.consequence {
                Consequence::Void(cause) => Some(cause.key().to_owned()),
                _ => None,
            },
            rule: ruled.rule.clone(),
            by: ruled.by.map(|by| by.key().to_owned()),
        }
    }
}

/// Every situation under every book.
#[must_use]
pub fn compared() -> Vec<Compared> {
    let all = Situation::all().iter().map(|situation| Compared {
        situation: situation.key().to_owned(),
        rulings: under_all(*situation)
            .iter()
            .map(|(book, ruled)| ShownRuling::of(book, ruled))
            .collect(),
    });
    all.collect()
}

/// The packs by name.
#[must_use]
pub fn packs() -> Vec<String> {
    Pack::all()
        .iter()
        .map(|pack| pack.key().to_owned())
        .collect()
}

impl ShownLesson {
    /// As it stands. `station` gives the name of a player's station.
    #[must_use]
    pub fn of(
        session: &Session,
        trainee: &str,
        began_ms: i64,
        station: impl Fn(usize) -> String,
    ) -> ShownLesson {
        let record = LessonRecord::of(session);
        let track = session.track();
        let exercise = session.exercise();
        let settled = track.is_some_and(|track| track.settled);
        let cue = session.cue();
        let newest = record.exercises.len();
        let exercises = (1..)
            .zip(&record.exercises)
            .map(|(at, exercise)| ShownExercise {
                situation: match exercise.ended {
                    true => exercise.situation.key().to_owned(),
                    false => String::new(),
                },
                ended: exercise.ended,
                took_ms: exercise.took_ms,
                marks: marks(&exercise.marks),
                // What can still be said is not given away.
                remarks: exercise
                    .remarks
                    .iter()
                    .filter(|remark| at != newest || !still_asked(remark))
                    .map(ShownRemark::of)
                    .collect(),
            });
        let asked = exercise.zip(track).filter(|_| settled);
        let asked = asked.into_iter().flat_map(|(exercise, track)| {
            let pairs = exercise.asked.iter().zip(&track.payments);
            pairs.map(|(asked, stated)| ShownAsked {
                station: station(asked.player),
                bet: Stake::of(&asked.line),
                stated: stated.map(sicbo_rules::Money::minor),
            })
        });
        ShownLesson {
            trainee: trainee.to_owned(),
            book: record.book.clone(),
            pack: record.pack.to_owned(),
            seed: record.seed,
            began_ms,
            rounds: session.lesson.exercises.len() as u32,
            over: record.over,
            cue: cue.map(|cue| cue.key().to_owned()),
            cue_bet: exercise
                .filter(|_| cue.is_some_and(speaks_of_a_bet))
                .map(|exercise| Stake::of(&exercise.special)),
            dice: session.seen().map(sicbo_rules::Dice::faces),
            due: session.due().key(),
            due_rule: session.due().rule().to_owned(),
            call_due: settled && track.is_some_and(|track| track.call.is_none()),
            asked: asked.collect(),
            exercises: exercises.collect(),
            marks: marks(&record.marks),
            percent: record.percent,
        }
    }
}

fn still_asked(remark: &Remark) -> bool {
    let stated = matches!(remark.skill, Skill::Call | Skill::Payments);
    stated && remark.done.is_empty()
}

fn speaks_of_a_bet(situation: Situation) -> bool {
    matches!(
        situation,
        Situation::SpokenBet
            | Situation::SpokenBetWithChips
            | Situation::LateBet
            | Situation::LateIncrease
            | Situation::LateWithdrawal
    )
}

/// Every stable word of practice, for the web app's messages.
#[must_use]
pub fn words() -> Vec<(&'static str, Vec<String>)> {
    fn keys<W: Word>() -> Vec<String> {
        W::all().iter().map(|word| word.key().to_owned()).collect()
    }
    use sicbo_table::command::{IncidentKind, LateKind};
    let responses = [
        Response::GoOn,
        Response::DeclareVoid(Cause::DieNotFlat),
        Response::Hold,
        Response::ConfirmInterruption,
        Response::ReportDeviceFailure,
        Response::ReportLightsWrong,
        Response::KeyAgain,
        Response::PlaceSpokenBet,
        Response::RecordLate(LateKind::Placement),
        Response::Raise(IncidentKind::Dispute),
        Response::Raise(IncidentKind::Counterfeit),
        Response::Raise(IncidentKind::CallSupervisor),
    ];
    let consequences = compared();
    let mut consequences: Vec<String> = consequences
        .iter()
        .flat_map(|row| row.rulings.iter().map(|ruling| ruling.consequence.clone()))
        .collect();
    consequences.sort();
    consequences.dedup();
    vec![
        ("situation", keys::<Situation>()),
        ("pack", keys::<Pack>()),
        ("skill", keys::<Skill>()),
        ("verdict", keys::<Verdict>()),
        (
            "response",
            responses.iter().map(|r| r.key().to_owned()).collect(),
        ),
        ("consequence", consequences),
    ]
}
