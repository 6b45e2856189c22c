//! Practice: what can be practised, a lesson, what the trainee says, and the
//! record of it. Only a practice house has tables here.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use sicbo_practice::{Lesson, Pack, Situation, Stated};
use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Word;

use super::{At, Body, Person, Problems};
use crate::floor::{Floor, TableAt};
use crate::problem::Problem;
use crate::secrets::write_private;
use crate::wire::practice::{
    Called, NewLesson, PracticeInfo, PracticeTable, ShownLesson, StatedPayment, compared, packs,
};
use crate::wire::staff::word;
use sicbo_house::practice::{Lessons, Standing};

/// Where the records of lessons are kept, in the data folder.
const FOLDER: &str = "certificates";

fn lessons<'f>(floor: &'f Floor, name: &str) -> Result<(&'f TableAt, &'f Lessons), Problem> {
    let at = floor.table_named(name)?;
    let lessons = at.practice.as_ref().ok_or_else(|| {
        Problem::conflict(
            "no_practice",
            "this is no table of practice: start a practice house with --practice",
        )
    })?;
    Ok((at, lessons))
}

fn no_lesson() -> Problem {
    Problem::conflict("no_lesson", "no lesson is under way at this table")
}

/// What can be practised, and what each book makes of each situation
#[utoipa::path(get, path = "/api/practice", tag = "practice",
    responses((status = 200, body = PracticeInfo), Problems))]
pub async fn info(State(floor): State<Arc<Floor>>) -> Json<PracticeInfo> {
    let tables = floor.tables().filter(|at| at.practice.is_some());
    let tables = tables.map(|at| {
        let book = &at.plan.config.book;
        let situations = Situation::of(book);
        PracticeTable {
            table: at.hub.name.to_string(),
            book: book.id().to_owned(),
            situations: situations.iter().map(|s| s.key().to_owned()).collect(),
        }
    });
    Json(PracticeInfo {
        practice: floor.plan.practice,
        packs: packs(),
        tables: tables.collect(),
        compared: compared(),
    })
}

/// The lesson under way, as its coach sees it; null when there is none
#[utoipa::path(get, path = "/api/practice/{table}", tag = "practice",
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 200, body = Option<ShownLesson>), Problems))]
pub async fn lesson(
    State(floor): State<Arc<Floor>>,
    At(name): At<String>,
) -> Result<Json<Option<ShownLesson>>, Problem> {
    let (at, lessons) = lessons(&floor, &name)?;
    let standing = lessons.standing();
    keep(&floor, &name, standing.as_ref());
    let Some(Standing {
        trainee, began_ms, ..
    }) = standing
    else {
        return Ok(Json(None));
    };
    let names: Vec<String> = {
        let state = at.hub.state();
        let stations = state.table.stations.iter();
        stations.map(|station| station.name.clone()).collect()
    };
    let station = |player: usize| names.get(player).cloned().unwrap_or_default();
    Ok(Json(lessons.look(|session| {
        ShownLesson::of(session, &trainee, began_ms, station)
    })))
}

/// Begins a lesson with the next round; one that is under way ends
#[utoipa::path(post, path = "/api/practice/{table}/lessons", tag = "practice",
    request_body = NewLesson,
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 204), Problems))]
pub async fn begin(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At(name): At<String>,
    Body(wanted): Body<NewLesson>,
) -> Result<StatusCode, Problem> {
    let (at, lessons) = lessons(&floor, &name)?;
    let book = &at.plan.config.book;
    let lesson = match (&wanted.situation, &wanted.pack) {
        (Some(situation), _) => {
            let situation: Situation = word(situation, "situation").map_err(Problem::input)?;
            Lesson::single(book, situation, wanted.seed).ok_or_else(|| {
                Problem::input(format!(
                    "{} does not arise in {}",
                    situation.key(),
                    book.id()
                ))
            })?
        }
        (None, pack) => {
            let pack = match pack {
                Some(pack) => word(pack, "pack").map_err(Problem::input)?,
                None => Pack::All,
            };
            Lesson::new(book, pack, wanted.seed)
        }
    };
    if at.hub.state().table.round.is_some() {
        return Err(Problem::conflict(
            "round_in_hand",
            "finish the current round first",
        ));
    }
    lessons.begin(lesson, person.name);
    Ok(StatusCode::NO_CONTENT)
}

fn stated(lessons: &Lessons, stated: Stated) -> Result<StatusCode, Problem> {
    if lessons.look(|_| ()).is_none() {
        return Err(no_lesson());
    }
    if !lessons.state(stated) {
        return Err(Problem::conflict(
            "not_asked",
            "this is not asked for, or was said already",
        ));
    }
    Ok(StatusCode::NO_CONTENT)
}

/// The trainee calls the result
#[utoipa::path(post, path = "/api/practice/{table}/call", tag = "practice",
    request_body = Called,
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 204), Problems))]
pub async fn call(
    State(floor): State<Arc<Floor>>,
    At(name): At<String>,
    Body(called): Body<Called>,
) -> Result<StatusCode, Problem> {
    let (_, lessons) = lessons(&floor, &name)?;
    stated(lessons, Stated::Call(called.dice, called.total))
}

/// The trainee says what a winning bet is paid
#[utoipa::path(post, path = "/api/practice/{table}/payments", tag = "practice",
    request_body = StatedPayment,
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 204), Problems))]
pub async fn payment(
    State(floor): State<Arc<Floor>>,
    At(name): At<String>,
    Body(paid): Body<StatedPayment>,
) -> Result<StatusCode, Problem> {
    let (_, lessons) = lessons(&floor, &name)?;
    let amount = Money::from_minor(paid.amount);
    stated(lessons, Stated::Payment(usize::from(paid.number), amount))
}

/// The record of the lesson, to keep or print
#[utoipa::path(get, path = "/api/practice/{table}/certificate", tag = "practice",
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 200, body = String, content_type = "application/json"), Problems))]
pub async fn certificate(
    State(floor): State<Arc<Floor>>,
    At(name): At<String>,
) -> Result<Response, Problem> {
    let (_, lessons) = lessons(&floor, &name)?;
    let standing = lessons.standing().ok_or_else(no_lesson)?;
    let text = standing.record.certificate(&standing.trainee);
    Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
}

/// Writes the record of a finished lesson beside the journals of practice.
fn keep(floor: &Floor, table: &str, standing: Option<&Standing>) {
    let Some(standing) = standing.filter(|standing| standing.record.over) else {
        return;
    };
    let folder = floor.data.join(FOLDER);
    let file = folder.join(format!("{table}-{}.json", standing.began_ms));
    let text = standing.record.certificate(&standing.trainee);
    if std::fs::read_to_string(&file).is_ok_and(|known| known == text) {
        return;
    }
    let kept =
        std::fs::create_dir_all(&folder).and_then(|()| write_private(&file, text.as_bytes()));
    if let Err(error) = kept {
        tracing::warn!(%error, "the record of a lesson was not kept");
    }
}
