//! An address of its own for what watches the house: figures and health, and nothing else.
//!
//! Where the plan says so, a token or a certificate is asked for. What is asked here takes no
//! place at the house's own doors.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use sicbo_journal::rights::require_no_strangers;
use sicbo_plan::{MetricsPlan, Tls};
use subtle::ConstantTimeEq as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;
use zeroize::Zeroizing;

use crate::certificates::{Certificates, PlaceCertificate};
use crate::edge::{EdgeError, connection, handshake};
use crate::floor::Floor;
use crate::http::bearer;
use crate::http::health;
use crate::problem::Problem;

/// Connections at a time: a Prometheus or two, and somebody who looks.
const MAX_CONNECTIONS: usize = 32;
/// A connection that could not be accepted is tried again after so long.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// Fewest letters of a token.
const MIN_TOKEN: usize = 16;

/// Its listener, opened before the house is.
pub struct MetricsDoor {
    listener: TcpListener,
    tls: Option<Certificates>,
    lock: Lock,
}

/// What is asked for.
#[derive(Clone)]
struct Lock {
    token_file: Option<PathBuf>,
    /// A certificate of the plan's authority.
    certificate: bool,
}

impl MetricsDoor {
    /// Opens it.
    ///
    /// # Errors
    /// When the address, the certificate or the token cannot be used.
    pub async fn open(plan: &MetricsPlan) -> Result<MetricsDoor, EdgeError> {
        let listening = TcpListener::bind(plan.listen).await;
        let listener = listening.map_err(|error| EdgeError::Listen {
            address: plan.listen.to_string(),
            error,
        })?;
        let tls = Certificates::open_for(&plan.tls, "metrics").map_err(EdgeError::Certificate)?;
        if let Some(file) = &plan.token_file {
            // A house that nobody could watch is told of now.
            token(file).map_err(EdgeError::Token)?;
        }
        let certificate = matches!(
            plan.tls,
            Tls::Files {
                client_ca: Some(_),
                ..
            }
        );
        Ok(MetricsDoor {
            listener,
            tls,
            lock: Lock {
                token_file: plan.token_file.clone(),
                certificate,
            },
        })
    }

    /// Where figures are, where the system says it.
    #[must_use]
    pub fn url(&self) -> Option<String> {
        let at = self.listener.local_addr().ok()?;
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        Some(format!("{scheme}://{at}/metrics"))
    }

    /// Answers until the house is to stop.
    pub async fn serve(self, floor: Arc<Floor>) {
        let router = Router::new()
            .route("/metrics", get(figures))
            .route("/health", get(health::health))
            .route("/health/live", get(health::live))
            .route("/health/ready", get(health::ready))
            .layer(middleware::from_fn_with_state(self.lock, unlocked))
            .with_state(Arc::clone(&floor));
        let room = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        let mut stopping = floor.stopping();
        loop {
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                () = stopping.asked() => return,
            };
            let stream = match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::warn!(%error, "a connection for figures could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            };
            // Without room it is closed: whoever watches asks again.
            let Ok(place) = Arc::clone(&room).try_acquire_owned() else {
                continue;
            };
            let acceptor = self.tls.as_ref().map(|tls| TlsAcceptor::from(tls.now()));
            let (router, stopping) = (router.clone(), stopping.clone());
            tokio::spawn(async move {
                serve_one(stream, acceptor, router, stopping).await;
                drop(place);
            });
        }
    }
}

async fn serve_one(
    stream: TcpStream,
    acceptor: Option<TlsAcceptor>,
    router: Router,
    stopping: crate::floor::Stopping,
) {
    use tower::ServiceExt as _;
    let service = |certificate: PlaceCertificate| {
        TowerToHyperService::new(router.map_request(
            move |mut request: hyper::Request<hyper::body::Incoming>| {
                request.extensions_mut().insert(certificate.clone());
                request
            },
        ))
    };
    match acceptor {
        None => {
            let service = service(PlaceCertificate::default());
            connection(TokioIo::new(stream), service, stopping).await;
        }
        Some(acceptor) => {
            if let Some(stream) = handshake(&acceptor, stream).await {
                let shown = PlaceCertificate::shown(stream.get_ref().1.peer_certificates());
                connection(TokioIo::new(stream), service(shown), stopping).await;
            }
        }
    }
}

async fn figures(State(floor): State<Arc<Floor>>) -> Response {
    health::figures(&floor)
}

/// Lets a request through that has the token and the certificate the plan asks for.
async fn unlocked(State(lock): State<Lock>, request: Request, next: Next) -> Response {
    let refused = |code: &'static str, words: &str| {
        let problem = Problem::new(StatusCode::UNAUTHORIZED, code, words);
        let mut answer = problem.into_response();
        let scheme = HeaderValue::from_static("Bearer");
        answer
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, scheme);
        answer
    };
    let certificate = request.extensions().get::<PlaceCertificate>();
    if lock.certificate && !certificate.is_some_and(PlaceCertificate::is_shown) {
        return refused("certificate_needed", "a certificate is needed for figures");
    }
    if let Some(file) = &lock.token_file {
        // Read anew, so that a token is changed without a restart.
        let known = match token(file) {
            Ok(known) => known,
            Err(error) => {
                tracing::error!(error, "the token for figures cannot be read");
                return refused("not_known", "the house has no token for figures now");
            }
        };
        let given = bearer(request.headers())
            .map(Zeroizing::new)
            .unwrap_or_default();
        if !bool::from(given.as_bytes().ct_eq(known.as_bytes())) {
            return refused("not_known", "figures are given for the house's token only");
        }
    }
    next.run(request).await
}

/// The token of its file.
pub(crate) fn token(file: &Path) -> Result<Zeroizing<String>, String> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    require_no_strangers(file).map_err(|error| error.to_string())?;
    let text = std::fs::read_to_string(file).map_err(|error| named(&error))?;
    let text = Zeroizing::new(text);
    let token = text.trim();
    match token.len() >= MIN_TOKEN && token.bytes().all(|byte| byte.is_ascii_graphic()) {
        true => Ok(Zeroizing::new(token.to_owned())),
        false => Err(named(&format!(
            "a token is at least {MIN_TOKEN} letters and digits on one line"
        ))),
    }
}
