//! A house's past in its real screens: `sicbo replay DIR --serve`. The journals are cut off after a
//! block, the house is shown as it stood there, and a bar on every page goes to the block before or
//! after. Nothing can be entered: what was written is read, and what the pages send is refused.
//!
//! What happens between two blocks nobody was ever shown, so a step is a block. Blocks of all
//! streams are stepped through in the order of their times.

mod entry;
mod page;
mod past;

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use sicbo_backup::increment;
use sicbo_clock as clock;
use sicbo_loop::guarded;
use tokio::net::TcpListener;
use tower::ServiceExt as _;

use crate::floor::still::{Still, still};
use crate::http;
use crate::problem::Problem;
use crate::runtimes::{Runtimes, Threads};
use entry::Entry;
use past::Past;

/// The largest form that a page of a replay sends.
const MAX_FORM: usize = 4 * 1024;

/// What is shown.
pub struct Options {
    /// The house's data folder, which is only read.
    pub data: PathBuf,
    /// Address and port on this machine.
    pub listen: String,
    /// Steps are those of this stream alone.
    pub stream: Option<String>,
    /// The step that is shown first; without it, the last.
    pub step: Option<usize>,
}

/// Why nothing is shown.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// It is no address in figures with a port.
    #[error("{0} is no address with a port: name an address such as 127.0.0.1:8421")]
    NoAddress(String),
    /// The address is not one of this machine alone.
    #[error("{0} is open to the network: a replay is shown on this machine only, e.g. 127.0.0.1:0")]
    Open(String),
    /// There is no such stream.
    #[error("there is no stream {asked} here; there is {there}")]
    NoStream {
        /// What was asked for.
        asked: String,
        /// What there is.
        there: String,
    },
    /// There are not so many steps.
    #[error("there is no step {0}: the last is {1}")]
    NoStep(usize, usize),
    /// The journals cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// It cannot listen.
    #[error("cannot listen on {0}: {1}")]
    Listen(String, io::Error),
}

fn unreadable(error: impl std::fmt::Display) -> ReplayError {
    ReplayError::Unreadable(error.to_string())
}

/// What is shown at one stop.
struct Shown {
    stop: usize,
    /// The house, or why it cannot be shown as its records say.
    house: Result<House, String>,
}

/// A house at one stop.
struct House {
    still: Still,
    service: Router,
}

impl Shown {
    fn stop_house(&self) {
        if let Ok(house) = &self.house {
            house.still.floor.stop();
        }
    }
}

/// A replay that is shown.
struct Replay {
    past: Past,
    entry: Entry,
    threads: Threads,
    /// Journals that end where the house is shown are kept here.
    folder: tempfile::TempDir,
    /// The last of them and its stop; held while somebody steps.
    cut: Mutex<Option<(PathBuf, usize)>>,
    shown: Mutex<Option<Arc<Shown>>>,
}

impl Replay {
    /// The journals up to a stop. A stop further on adds to what there is.
    fn cut(&self, stop: usize, cut: &mut Option<(PathBuf, usize)>) -> Result<PathBuf, String> {
        let told = |error: &dyn std::fmt::Display| error.to_string();
        let path = match cut.take() {
            Some((path, known)) if known <= stop => path,
            older => {
                if let Some((path, _)) = older {
                    std::fs::remove_dir_all(&path).map_err(|error| told(&error))?;
                }
                let path = tempfile::tempdir_in(self.folder.path());
                path.map_err(|error| told(&error))?.keep().join("data")
            }
        };
        *cut = Some((path.clone(), stop));
        let ends = self.past.ends(self.past.stops[stop]);
        increment::until(&self.past.data, &path, &ends).map_err(|error| told(&error))?;
        Ok(path)
    }

    /// The house is shown at another stop; its screens connect again. Records that cannot be read or
    /// cannot follow from each other are said for that stop, and the others can still be shown.
    fn go_to(&self, stop: usize) {
        let stop = stop.min(self.past.stops.len() - 1);
        let mut cut = self.cut.lock();
        let house = guarded(|| self.house_at(stop, &mut cut));
        let house = house.unwrap_or_else(|what| Err(format!("it cannot have happened: {what}")));
        if let Err(what) = &house {
            tracing::warn!(stop, what, "this step cannot be shown");
            // What is half there is not gone on from.
            let half = cut.take();
            let gone = half.map_or(Ok(()), |(path, _)| std::fs::remove_dir_all(path));
            if let Err(error) = gone {
                tracing::warn!(%error, "what was cut off for it stays until the end");
            }
        }
        let shown = Arc::new(Shown { stop, house });
        if let Some(old) = self.shown.lock().replace(shown) {
            old.stop_house();
        }
    }

    fn house_at(&self, stop: usize, cut: &mut Option<(PathBuf, usize)>) -> Result<House, String> {
        let data = self.cut(stop, cut)?;
        let time_ms = self.past.time_ms(self.past.stops[stop]);
        clock::house().go_on_from(time_ms);
        let still = still(&data, self.past.plan.clone())?;
        let service = http::service(Arc::clone(&still.floor), self.threads.clone());
        Ok(House { still, service })
    }

    fn shown(&self) -> Option<Arc<Shown>> {
        self.shown.lock().clone()
    }

    /// The bar of a page leads to another stop.
    async fn stepped(self: Arc<Self>, request: Request) -> Response {
        let Some(shown) = self.shown() else {
            return Problem::not_found("step").into_response();
        };
        let Ok(form) = to_bytes(request.into_body(), MAX_FORM).await else {
            return Problem::input("the form is too long").into_response();
        };
        let asked = page::Asked::read(&form);
        let last = self.past.stops.len() - 1;
        let stop = match asked.to {
            page::To::Next => (shown.stop + 1).min(last),
            page::To::Previous => shown.stop.saturating_sub(1),
            page::To::Stop(stop) => stop.min(last),
            page::To::Same => shown.stop,
        };
        let replay = Arc::clone(&self);
        let went = tokio::task::spawn_blocking(move || replay.go_to(stop)).await;
        match went {
            Ok(()) => {
                let back = HeaderValue::from_str(&asked.back);
                let back = back.unwrap_or(HeaderValue::from_static("/replay"));
                (StatusCode::SEE_OTHER, [(header::LOCATION, back)]).into_response()
            }
            Err(error) => Problem::ours(&error).into_response(),
        }
    }

    /// What the house answers at this stop, to somebody in surveillance.
    async fn asked(&self, mut request: Request) -> Response {
        let Some(shown) = self.shown() else {
            return Problem::not_found("step").into_response();
        };
        let bar = page::Bar::of(&self.past, shown.stop, request.uri().path());
        let house = match &shown.house {
            Ok(house) => house,
            Err(what) => return page::not_shown(&bar, what),
        };
        if let Some(session) = &house.still.session
            && let Ok(cookie) = HeaderValue::from_str(&format!("{}={session}", http::COOKIE))
        {
            request.headers_mut().insert(header::COOKIE, cookie);
        }
        // Pages get their bar in: they are not sent as they were compressed.
        let is_page = !request.uri().path().starts_with("/assets/");
        if is_page {
            request.headers_mut().remove(header::ACCEPT_ENCODING);
        }
        let answer = house.service.clone().oneshot(request).await;
        let Ok(answer) = answer;
        let kind = answer.headers().get(header::CONTENT_TYPE);
        let is_html = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
        match is_html {
            true => page::with_bar(answer, &bar).await,
            false => answer,
        }
    }
}

/// Everything that a replay is asked.
async fn serve(State(replay): State<Arc<Replay>>, request: Request) -> Response {
    if let Err(problem) = http::is_meant(request.headers()) {
        return problem.into_response();
    }
    if let Some(answer) = replay.entry.answer(&request) {
        return answer;
    }
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    match (&method, path.as_str()) {
        (&Method::POST, page::PATH) => replay.stepped(request).await,
        (&Method::GET | &Method::HEAD, page::PATH) => match replay.shown() {
            Some(shown) => page::overview(&replay.past, &shown),
            None => Problem::not_found("step").into_response(),
        },
        (&Method::GET | &Method::HEAD, page::STYLE_PATH) => page::style(),
        (&Method::GET | &Method::HEAD, page::SCRIPT_PATH) => page::script(),
        (&Method::GET | &Method::HEAD, page::STEP_PATH) => match replay.shown() {
            Some(shown) => page::step(shown.stop),
            None => Problem::not_found("step").into_response(),
        },
        (&Method::GET | &Method::HEAD, _) => replay.asked(request).await,
        _ => Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "replay",
            "this is a replay of what was written: nothing can be entered",
        )
        .into_response(),
    }
}

/// The address of a replay: one of this machine alone.
fn address_of(listen: &str) -> Result<SocketAddr, ReplayError> {
    let address: Result<SocketAddr, _> = listen.parse();
    let address = address.map_err(|_| ReplayError::NoAddress(listen.to_owned()))?;
    match address.ip().is_loopback() {
        true => Ok(address),
        false => Err(ReplayError::Open(listen.to_owned())),
    }
}

/// Shows a house's past until it is told to stop. `up` is called once, with the address that
/// opens it to one browser and how many steps there are, when connections are accepted.
///
/// # Errors
/// When the journals cannot be read, or the address is not of this machine alone.
pub fn run(
    options: &Options,
    stop: impl Future<Output = ()> + Send + 'static,
    up: impl FnOnce(&str, usize) -> bool,
) -> Result<(), ReplayError> {
    let address = address_of(&options.listen)?;
    let past = Past::read(options)?;
    let last = past.stops.len() - 1;
    let first = options.step.unwrap_or(last);
    if first > last {
        return Err(ReplayError::NoStep(first, last));
    }
    let runtimes = Runtimes::start().map_err(unreadable)?;
    let runtime = runtimes.known();
    let listen = |error| ReplayError::Listen(options.listen.clone(), error);
    let listener = runtime.block_on(TcpListener::bind(address));
    let listener = listener.map_err(listen)?;
    let address = listener.local_addr().map_err(listen)?;
    let (entry, path) = Entry::new(address.port()).map_err(unreadable)?;
    let replay = Arc::new(Replay {
        past,
        entry,
        threads: runtimes.threads(),
        folder: tempfile::tempdir().map_err(unreadable)?,
        cut: Mutex::default(),
        shown: Mutex::default(),
    });
    let guard = runtime.enter();
    replay.go_to(first);
    drop(guard);
    if !up(&format!("http://{address}{path}"), last) {
        return Ok(());
    }
    let router = Router::new()
        .fallback(serve)
        .with_state(Arc::clone(&replay));
    let served = runtime.block_on(async {
        let served = axum::serve(listener, router).into_future();
        tokio::select! {
            served = served => served,
            () = stop => Ok(()),
        }
    });
    served.map_err(unreadable)?;
    if let Some(shown) = replay.shown() {
        shown.stop_house();
    }
    runtimes.end(std::time::Duration::from_secs(2));
    Ok(())
}

/// Where the journals of a replay are read from, for its page.
fn name_of(data: &Path) -> String {
    let name = data.file_name().unwrap_or(data.as_os_str());
    name.to_string_lossy().into_owned()
}
