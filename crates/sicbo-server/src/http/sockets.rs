//! The doors of the sockets.

use std::sync::Arc;

use axum::extract::State;
use axum::middleware;
use axum::response::Response;
use axum::{Extension, Router};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{At, Person, Problems};
use super::{access, watched};
use crate::certificates::PlaceCertificate;
use crate::edge::crowd::Place;
use crate::floor::Floor;
use crate::problem::Problem;
use crate::runtimes::Threads;
use crate::socket::{self, Upgrade};
use sicbo_house::hub::{Hub, Sees};

/// The sockets' routes with their description.
pub(super) fn described() -> OpenApiRouter<Arc<Floor>> {
    OpenApiRouter::new()
        .routes(routes!(terminal))
        .routes(routes!(wall))
        .routes(routes!(console))
        .routes(routes!(pit))
}

/// The sockets' routes.
pub(super) fn router(floor: &Arc<Floor>, threads: Threads) -> Router<Arc<Floor>> {
    Router::from(described())
        .route_layer(middleware::from_fn_with_state(
            Arc::clone(floor),
            access::enforce,
        ))
        .route_layer(middleware::from_fn_with_state(
            Arc::clone(floor),
            watched::watched,
        ))
        .layer(Extension(threads))
}

/// A player's terminal: `hello` with its token first
#[utoipa::path(get, path = "/ws/terminal", tag = "sockets",
    responses((status = 101), NoSocket, Problems))]
async fn terminal(
    State(floor): State<Arc<Floor>>,
    place: Option<Extension<Arc<Place>>>,
    certificate: Option<Extension<PlaceCertificate>>,
    upgrade: Upgrade,
) -> Result<Response, Problem> {
    let line = socket::terminal::From {
        place: place.map(|Extension(place)| place),
        certificate: certificate
            .map(|Extension(shown)| shown)
            .unwrap_or_default(),
    };
    let known = upgrade.threads.known.clone();
    // A stranger's until it has said its token.
    Ok(upgrade.on_upgrade(
        |threads| &threads.strangers,
        async move |socket| {
            if let Some(greeted) = socket::terminal::greet(&floor, socket, line).await {
                known.spawn(socket::terminal::serve(floor, greeted));
            }
        },
    ))
}

/// What a socket's route answers with beside the rest; only described.
#[derive(utoipa::IntoResponses)]
#[expect(dead_code, reason = "describes answers, is never made")]
enum NoSocket {
    /// The line cannot become a socket.
    #[response(status = 426, content_type = "application/problem+json")]
    UpgradeRequired(Problem),
}

fn hub(floor: &Floor, name: &str) -> Result<Arc<Hub>, Problem> {
    let at = floor.table_at(name);
    let at = at.ok_or_else(|| Problem::not_found("table"))?;
    Ok(Arc::clone(&at.hub))
}

/// What everyone may see of a table, as it happens
#[utoipa::path(get, path = "/ws/wall/{table}", tag = "sockets",
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 101), NoSocket, Problems))]
async fn wall(
    State(floor): State<Arc<Floor>>,
    At(name): At<String>,
    upgrade: Upgrade,
) -> Result<Response, Problem> {
    let hubs = vec![hub(&floor, &name)?];
    Ok(upgrade.on_upgrade(
        |threads| &threads.walls,
        move |socket| socket::watcher::serve(floor, socket, hubs, Sees::Public, None),
    ))
}

/// What staff see of a table, as it happens
#[utoipa::path(get, path = "/ws/console/{table}", tag = "sockets",
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 101), NoSocket, Problems))]
async fn console(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At(name): At<String>,
    upgrade: Upgrade,
) -> Result<Response, Problem> {
    let hubs = vec![hub(&floor, &name)?];
    Ok(watched_by_staff(floor, person, hubs, upgrade))
}

/// What staff see of every table, as it happens
#[utoipa::path(get, path = "/ws/pit", tag = "sockets",
    responses((status = 101), NoSocket, Problems))]
async fn pit(
    State(floor): State<Arc<Floor>>,
    person: Person,
    upgrade: Upgrade,
) -> Result<Response, Problem> {
    let hubs = floor.tables().map(|at| Arc::clone(&at.hub)).collect();
    Ok(watched_by_staff(floor, person, hubs, upgrade))
}

fn watched_by_staff(
    floor: Arc<Floor>,
    person: Person,
    hubs: Vec<Arc<Hub>>,
    upgrade: Upgrade,
) -> Response {
    upgrade.on_upgrade(
        |threads| &threads.known,
        move |socket| socket::watcher::serve(floor, socket, hubs, Sees::Staff, Some(person.token)),
    )
}
