//! The HTTP side: sessions, enrolment, staff actions, history, vouchers,
//! health, metrics, the API document, and the doors of the sockets.
//!
//! Every route stands in one table with who may use it ([`access::ROUTES`]);
//! what is not in the table is refused to everyone.

pub mod access;
pub mod acts;
mod app;
pub mod attest;
pub mod board;
pub mod cage;
pub mod camera;
pub mod cases;
pub mod clock;
mod compressed;
mod document;
pub mod enrolments;
pub mod exceptions;
mod extract;
pub mod health;
pub mod house;
pub mod people;
pub mod pit;
pub mod play;
pub mod practice;
pub mod preview;
pub mod receipts;
pub mod reload;
pub mod reports;
mod request_ids;
pub mod rules;
pub mod security;
pub mod session;
mod site;
mod sockets;
pub mod station;
pub mod stations;
pub mod tables;
pub mod tree;
pub mod trial;
mod tried;
pub mod uncounted;
mod watched;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::floor::Floor;
use crate::problem::Problem;
use crate::runtimes::Threads;
use compressed::Compressor;

pub use extract::{Ask, At, Body, Caller, Person, Terminal};
pub(crate) use extract::{COOKIE, bearer, cookie_named};
pub(crate) use site::is_meant;

/// The largest body of a request.
const LARGEST_BODY: usize = 64 * 1024;
/// A request is answered within this time.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// What every route can answer with, beside its own.
#[derive(utoipa::IntoResponses)]
pub enum Problems {
    /// It cannot be understood.
    #[response(status = 400, content_type = "application/problem+json")]
    Bad(Problem),
    /// Nobody is logged in, or no token was given.
    #[response(status = 401, content_type = "application/problem+json")]
    Unauthorised(Problem),
    /// The one who asks may not.
    #[response(status = 403, content_type = "application/problem+json")]
    Forbidden(Problem),
    /// There is no such thing.
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(Problem),
    /// The body did not come in time.
    #[response(status = 408, content_type = "application/problem+json")]
    TooSlow(Problem),
    /// Refused, with the stable code and the rule.
    #[response(status = 409, content_type = "application/problem+json")]
    Refused(Problem),
    /// Too large.
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(Problem),
    /// Not JSON.
    #[response(status = 415, content_type = "application/problem+json")]
    NotJson(Problem),
    /// Understood, but not possible.
    #[response(status = 422, content_type = "application/problem+json")]
    Unprocessable(Problem),
    /// Too many attempts.
    #[response(status = 429, content_type = "application/problem+json")]
    TooMany(Problem),
    /// The house is busy, or a journal has stopped.
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(Problem),
}

/// The routes with their description.
fn described() -> OpenApiRouter<Arc<Floor>> {
    OpenApiRouter::with_openapi(document::Document::openapi())
        .routes(routes!(house::house))
        .routes(routes!(session::whoami, session::log_in, session::log_out))
        .routes(routes!(session::change_pin))
        .routes(routes!(session::prove))
        .routes(routes!(session::offer_factor))
        .routes(routes!(session::accept_factor))
        .routes(routes!(people::list, people::add))
        .routes(routes!(people::change))
        .routes(routes!(enrolments::list, enrolments::enrol))
        .routes(routes!(enrolments::revoke))
        .routes(routes!(tables::table))
        .routes(routes!(camera::file))
        .routes(routes!(tables::call))
        .routes(routes!(tables::restart))
        .routes(routes!(tables::rounds))
        .routes(routes!(tables::round))
        .routes(routes!(tables::staff))
        .routes(routes!(acts::act))
        .routes(routes!(preview::preview))
        .routes(routes!(board::pit))
        .routes(routes!(tree::tree))
        .routes(routes!(clock::clock, clock::looked))
        .routes(routes!(stations::stations))
        .routes(routes!(acts::proposals, acts::propose))
        .routes(routes!(acts::withdraw))
        .routes(routes!(acts::outcome))
        .routes(routes!(acts::confirm))
        .routes(routes!(reports::report))
        .routes(routes!(reports::alerts))
        .routes(routes!(exceptions::exceptions))
        .routes(routes!(reports::events))
        .routes(routes!(reports::bundle))
        .routes(routes!(receipts::receipt))
        .routes(routes!(receipts::voucher))
        .routes(routes!(receipts::page))
        .routes(routes!(reports::meters))
        .routes(routes!(reports::vouchers))
        .routes(routes!(security::log))
        .routes(routes!(attest::attest))
        .routes(routes!(reload::again))
        .routes(routes!(station::rounds))
        .routes(routes!(station::vouchers))
        .routes(routes!(station::ticket))
        .routes(routes!(cage::redeem))
        .routes(routes!(cage::look_up))
        .routes(routes!(cage::vouchers))
        .routes(routes!(cage::flags))
        .routes(routes!(uncounted::uncounted))
        .routes(routes!(uncounted::boxes))
        .routes(routes!(cage::void))
        .routes(routes!(cage::pay_kept))
        .routes(routes!(cases::dispute))
        .routes(routes!(cases::own))
        .routes(routes!(cases::answer))
        .routes(routes!(cases::list, cases::open))
        .routes(routes!(cases::one))
        .routes(routes!(cases::step))
        .routes(routes!(cases::bundle))
        .routes(routes!(pit::proposals, pit::propose))
        .routes(routes!(pit::ended_proposals))
        .routes(routes!(pit::withdraw))
        .routes(routes!(pit::confirm))
        .routes(routes!(pit::claim))
        .routes(routes!(pit::dice))
        .routes(routes!(pit::affected))
        .routes(routes!(pit::shifts))
        .routes(routes!(play::show, play::set))
        .routes(routes!(play::card))
        .routes(routes!(play::stop))
        .routes(routes!(rules::books_list))
        .routes(routes!(rules::book))
        .routes(routes!(rules::layout))
        .routes(routes!(practice::info))
        .routes(routes!(practice::lesson))
        .routes(routes!(practice::begin))
        .routes(routes!(practice::call))
        .routes(routes!(practice::payment))
        .routes(routes!(practice::certificate))
        .routes(routes!(trial::seat))
        .routes(routes!(trial::staff))
        .routes(routes!(trial::dealer))
        .routes(routes!(health::health))
        .routes(routes!(health::live))
        .routes(routes!(health::ready))
        .routes(routes!(health::metrics))
        .routes(routes!(document::document))
}

/// The API document.
#[must_use]
pub fn document() -> serde_json::Value {
    let sockets = sockets::described().into_openapi();
    document::complete(described().into_openapi().merge_from(sockets))
}

/// The whole service. Sockets are served by the threads they belong to.
pub fn service(floor: Arc<Floor>, threads: Threads) -> Router {
    // A certificate made for a trial is nothing a browser should insist on.
    let encrypted = matches!(floor.plan.tls, sicbo_plan::Tls::Files { .. });
    let policy = camera::policy(&floor.plan);
    let router: Router<Arc<Floor>> = described().into();
    let header = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    router
        .route_layer(middleware::from_fn_with_state(
            Arc::clone(&floor),
            access::enforce,
        ))
        .route_layer(middleware::from_fn_with_state(
            Arc::clone(&floor),
            watched::watched,
        ))
        // A socket lives long; the bounds on requests are not for it.
        .layer(middleware::from_fn(in_time))
        .merge(sockets::router(&floor, threads))
        .fallback(app::serve)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(
            Arc::clone(&floor),
            site::own,
        ))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn_with_state(
            Compressor::start(),
            compressed::answers,
        ))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CONTENT_SECURITY_POLICY,
            policy,
        ))
        .layer(header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(header::REFERRER_POLICY, "no-referrer"))
        .layer(header(header::X_FRAME_OPTIONS, "SAMEORIGIN"))
        .layer(header(
            HeaderName::from_static("permissions-policy"),
            "camera=(), microphone=(), geolocation=()",
        ))
        .layer(header(
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ))
        .layer(header(header::CACHE_CONTROL, "no-store"))
        .layer(middleware::from_fn(request_ids::numbered))
        .layer(tower::util::option_layer(encrypted.then(|| {
            header(
                header::STRICT_TRANSPORT_SECURITY,
                "max-age=31536000; includeSubDomains",
            )
        })))
        .with_state(floor)
}

/// A request that is not answered in time is told so; what it asked for may
/// still happen, as with a line that breaks.
async fn in_time(request: Request, next: Next) -> Response {
    match tokio::time::timeout(ANSWER_TIMEOUT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "no_answer",
            "the house did not answer in time; whether this was done is known by asking",
        )
        .into_response(),
    }
}

async fn wrong_method(method: Method) -> Response {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "wrong_method",
        format!("{method} is not allowed here"),
    )
    .into_response()
}
