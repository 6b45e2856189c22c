//! The doors of the sockets.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::access;
use super::{At, Person};
use crate::floor::Floor;
use crate::hub::Sees;
use crate::problem::Problem;
use crate::socket;

/// The sockets' routes.
pub(super) fn router(floor: &Arc<Floor>) -> Router<Arc<Floor>> {
    Router::new()
        .route("/ws/terminal", get(terminal))
        .route("/ws/wall/{table}", get(wall))
        .route("/ws/console/{table}", get(console))
        .route("/ws/pit", get(pit))
        .route_layer(middleware::from_fn_with_state(
            Arc::clone(floor),
            access::enforce,
        ))
}

async fn terminal(State(floor): State<Arc<Floor>>, upgrade: WebSocketUpgrade) -> Response {
    socket::bounded(upgrade).on_upgrade(move |socket| socket::terminal::serve(floor, socket))
}

async fn wall(
    State(floor): State<Arc<Floor>>,
    At(name): At<String>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(at) = floor.table_at(&name) else {
        return Problem::not_found("table").into_response();
    };
    let hubs = vec![Arc::clone(&at.hub)];
    socket::bounded(upgrade)
        .on_upgrade(move |socket| socket::watcher::serve(floor, socket, hubs, Sees::Public, None))
}

async fn console(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At(name): At<String>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(at) = floor.table_at(&name) else {
        return Problem::not_found("table").into_response();
    };
    let hubs = vec![Arc::clone(&at.hub)];
    socket::bounded(upgrade).on_upgrade(move |socket| {
        socket::watcher::serve(floor, socket, hubs, Sees::Staff, Some(person.token))
    })
}

async fn pit(
    State(floor): State<Arc<Floor>>,
    person: Person,
    upgrade: WebSocketUpgrade,
) -> Response {
    let hubs = floor.tables().map(|at| Arc::clone(&at.hub)).collect();
    socket::bounded(upgrade).on_upgrade(move |socket| {
        socket::watcher::serve(floor, socket, hubs, Sees::Staff, Some(person.token))
    })
}
