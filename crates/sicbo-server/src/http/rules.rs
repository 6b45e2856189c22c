//! Rule books for screens.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use sicbo_rules::RuleBook;

use super::{At, Problems};
use crate::floor::Floor;
use crate::problem::Problem;
use crate::wire::rules::{BookInfo, LayoutInfo};

/// The rule books in force at the tables, and the built-in ones.
fn books(floor: &Floor) -> Vec<Arc<RuleBook>> {
    let mut books: Vec<Arc<RuleBook>> = Vec::new();
    let in_force = floor
        .tables()
        .filter_map(|at| at.hub.state().table.book().cloned());
    for book in in_force.chain(RuleBook::all().iter().cloned()) {
        if books.iter().all(|known| known.id() != book.id()) {
            books.push(book);
        }
    }
    books.sort_by(|one, other| one.id().cmp(other.id()));
    books
}

fn named(floor: &Floor, name: &str) -> Result<Arc<RuleBook>, Problem> {
    books(floor)
        .into_iter()
        .find(|book| book.id() == name)
        .ok_or_else(|| Problem::not_found("rule book"))
}

/// The rule books
#[utoipa::path(get, path = "/api/rulebooks", tag = "rules",
    responses((status = 200, body = [BookInfo]), Problems))]
pub async fn books_list(State(floor): State<Arc<Floor>>) -> Json<Vec<BookInfo>> {
    Json(
        books(&floor)
            .iter()
            .map(|book| BookInfo::of(book))
            .collect(),
    )
}

/// A rule book
#[utoipa::path(get, path = "/api/rulebooks/{book}", tag = "rules",
    params(("book" = String, Path, description = "Its name")),
    responses((status = 200, body = BookInfo), Problems))]
pub async fn book(
    State(floor): State<Arc<Floor>>,
    At(name): At<String>,
) -> Result<Json<BookInfo>, Problem> {
    Ok(Json(BookInfo::of(&*named(&floor, &name)?)))
}

/// A betting layout with its drawing and its odds
#[utoipa::path(get, path = "/api/rulebooks/{book}/layouts/{layout}", tag = "rules",
    params(("book" = String, Path, description = "The rule book's name"),
           ("layout" = String, Path, description = "The layout's name within the book")),
    responses((status = 200, body = LayoutInfo), Problems))]
pub async fn layout(
    State(floor): State<Arc<Floor>>,
    At((name, layout)): At<(String, String)>,
) -> Result<Json<LayoutInfo>, Problem> {
    let book = named(&floor, &name)?;
    let layout = book
        .layout(&layout)
        .ok_or_else(|| Problem::not_found("layout"))?;
    Ok(Json(LayoutInfo::of(&book, layout, &floor.plan.site)))
}
