//! A house's past in its real screens: `sicbo replay DIR --serve`. The journals are cut off after a
//! block, the house is shown as it stood there, and a bar on every page goes to the block before or
//! after. Nothing can be entered: what was written is read, and what the pages send is refused.
//!
//! What happens between two blocks nobody was ever shown, so a step is a block. Blocks of all
//! streams are stepped through in the order of their times.

mod page;

use std::collections::BTreeMap;
use std::io;
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
use sicbo_journal::{Header, Store as _, StreamId};
use sicbo_loop::replay;
use sicbo_plan::{DealerPlan, HousePlan, LightsPlan, TablePlan, TumblerPlan};
use sicbo_proof::source::{self, HOUSE_STREAM, Journals};
use sicbo_register::enrolment::TableName;
use sicbo_table::Table;
use tokio::net::TcpListener;
use tower::ServiceExt as _;

use crate::floor::still::{Still, still};
use crate::http;
use crate::problem::Problem;
use crate::runtimes::{Runtimes, Threads};

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

/// One block of one stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    stream: usize,
    first: u64,
    last: u64,
    time_ms: i64,
}

/// The journals of a house, block by block.
struct Past {
    data: PathBuf,
    streams: Vec<(StreamId, PathBuf)>,
    steps: Vec<Step>,
    /// Where somebody can stop: all steps, or those of one stream. 0 is before the first.
    stops: Vec<usize>,
    plan: HousePlan,
}

impl Past {
    fn read(options: &Options) -> Result<Past, ReplayError> {
        let journals = Journals::folder(&options.data).map_err(unreadable)?;
        let streams: Vec<_> = journals.tables_first().cloned().collect();
        let mut blocks = Vec::new();
        let mut tables = Vec::new();
        for (number, (stream, path)) in streams.iter().enumerate() {
            let store = source::open(stream, path).map_err(unreadable)?;
            let mut own = Vec::new();
            for raw in store.headers_from(1) {
                let header = Header::decode(&raw.map_err(unreadable)?.header);
                let header = header.map_err(|error| unreadable(format!("{stream}: {error}")))?;
                own.push(Step {
                    stream: number,
                    first: header.first_sequence,
                    last: header.last_sequence,
                    time_ms: header.time_ms,
                });
            }
            blocks.push(own.into_iter().peekable());
            if stream.as_str() != HOUSE_STREAM {
                let (table, _) = replay::<Table>(&store, stream, None).map_err(unreadable)?;
                tables.extend(planned(stream, &table));
            }
        }
        let mut steps = Vec::new();
        // Each stream stays in its own order, whatever its clock did; the register comes first.
        loop {
            let next = blocks.iter_mut().enumerate().rev();
            let next = next.filter_map(|(at, own)| Some((own.peek()?.time_ms, at)));
            let Some((_, at)) = next.min_by_key(|(time_ms, _)| *time_ms) else {
                break;
            };
            steps.extend(blocks[at].next());
        }
        let stops = stops(&steps, &streams, options.stream.as_deref())?;
        let mut plan = HousePlan::trial();
        plan.tables = tables;
        plan.tls = sicbo_plan::Tls::None;
        plan.listen.clone_from(&options.listen);
        Ok(Past {
            data: options.data.clone(),
            streams,
            steps,
            stops,
            plan,
        })
    }

    /// Where each stream ends after so many steps.
    fn ends(&self, steps: usize) -> BTreeMap<StreamId, u64> {
        let taken = self.steps.iter().take(steps);
        taken
            .map(|step| (self.streams[step.stream].0.clone(), step.last))
            .collect()
    }

    /// The house's time after so many steps.
    fn time_ms(&self, steps: usize) -> i64 {
        let taken = self.steps.iter().take(steps.max(1));
        taken.map(|step| step.time_ms).max().unwrap_or_default()
    }
}

fn stops(
    steps: &[Step],
    streams: &[(StreamId, PathBuf)],
    wanted: Option<&str>,
) -> Result<Vec<usize>, ReplayError> {
    let own = wanted.map(|wanted| {
        let mut known = streams.iter();
        let found = known.position(|(stream, _)| stream.as_str() == wanted);
        found.ok_or_else(|| ReplayError::NoStream {
            asked: wanted.to_owned(),
            there: {
                let names: Vec<&str> = streams.iter().map(|(stream, _)| stream.as_str()).collect();
                names.join(", ")
            },
        })
    });
    let own = own.transpose()?;
    let ends = (1..).zip(steps);
    let ends = ends.filter(|(_, step)| own.is_none_or(|own| step.stream == own));
    Ok([0].into_iter().chain(ends.map(|(end, _)| end)).collect())
}

/// A table as a house would plan it: everything else of it is in its journal.
fn planned(stream: &StreamId, table: &Table) -> Option<TablePlan> {
    let name = TableName::new(stream.as_str())?;
    let mut trial = HousePlan::trial().tables;
    let own = trial.iter().position(|known| known.name == name);
    let mut plan = trial.swap_remove(own.unwrap_or(0));
    if let Some(config) = &table.config {
        plan.config = config.as_ref().clone();
    }
    plan.name = name;
    plan.dealer = DealerPlan::Person;
    plan.tumbler = TumblerPlan::Manual;
    plan.lights = LightsPlan::None;
    plan.camera = None;
    plan.device_listen = None;
    Some(plan)
}

/// The house at one stop.
struct Shown {
    stop: usize,
    still: Still,
    service: Router,
}

/// A replay that is shown.
struct Replay {
    past: Past,
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
        let ends = self.past.ends(self.past.stops[stop]);
        increment::until(&self.past.data, &path, &ends).map_err(|error| told(&error))?;
        *cut = Some((path.clone(), stop));
        Ok(path)
    }

    /// The house is shown at another stop; its screens connect again.
    fn go_to(&self, stop: usize) -> Result<(), String> {
        let stop = stop.min(self.past.stops.len() - 1);
        let mut cut = self.cut.lock();
        let data = self.cut(stop, &mut cut)?;
        let time_ms = self.past.time_ms(self.past.stops[stop]);
        clock::house().go_on_from(time_ms);
        let still = still(&data, self.past.plan.clone())?;
        let service = http::service(Arc::clone(&still.floor), self.threads.clone());
        let shown = Arc::new(Shown {
            stop,
            still,
            service,
        });
        if let Some(old) = self.shown.lock().replace(shown) {
            old.still.floor.stop();
        }
        Ok(())
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
        };
        let replay = Arc::clone(&self);
        let went = tokio::task::spawn_blocking(move || replay.go_to(stop)).await;
        match went {
            Ok(Ok(())) => {
                let back = HeaderValue::from_str(&asked.back);
                let back = back.unwrap_or(HeaderValue::from_static("/replay"));
                (StatusCode::SEE_OTHER, [(header::LOCATION, back)]).into_response()
            }
            Ok(Err(what)) => Problem::ours(&what).into_response(),
            Err(error) => Problem::ours(&error).into_response(),
        }
    }

    /// What the house answers at this stop, to somebody in surveillance.
    async fn asked(&self, mut request: Request) -> Response {
        let Some(shown) = self.shown() else {
            return Problem::not_found("step").into_response();
        };
        let bar = page::Bar::of(&self.past, shown.stop, request.uri().path());
        if let Some(session) = &shown.still.session
            && let Ok(cookie) = HeaderValue::from_str(&format!("{}={session}", http::COOKIE))
        {
            request.headers_mut().insert(header::COOKIE, cookie);
        }
        // Pages get their bar in: they are not sent as they were compressed.
        let is_page = !request.uri().path().starts_with("/assets/");
        if is_page {
            request.headers_mut().remove(header::ACCEPT_ENCODING);
        }
        let answer = shown.service.clone().oneshot(request).await;
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
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    match (&method, path.as_str()) {
        (&Method::POST, page::PATH) => replay.stepped(request).await,
        (&Method::GET | &Method::HEAD, page::PATH) => match replay.shown() {
            Some(shown) => page::overview(&replay.past, &shown),
            None => Problem::not_found("step").into_response(),
        },
        (&Method::GET | &Method::HEAD, page::STYLE_PATH) => page::style(),
        (&Method::GET | &Method::HEAD, _) => replay.asked(request).await,
        _ => Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "replay",
            "this is a replay of what was written: nothing can be entered",
        )
        .into_response(),
    }
}

fn is_loopback(listen: &str) -> bool {
    let address: Result<std::net::SocketAddr, _> = listen.parse();
    address.is_ok_and(|address| address.ip().is_loopback())
}

/// Shows a house's past until it is told to stop. `up` is called once, with the address and how many
/// steps there are, when connections are accepted.
///
/// # Errors
/// When the journals cannot be read, or the address is not of this machine alone.
pub fn run(
    options: &Options,
    stop: impl Future<Output = ()> + Send + 'static,
    up: impl FnOnce(&str, usize) -> bool,
) -> Result<(), ReplayError> {
    if !is_loopback(&options.listen) {
        return Err(ReplayError::Open(options.listen.clone()));
    }
    let past = Past::read(options)?;
    let last = past.stops.len() - 1;
    let first = options.step.unwrap_or(last);
    if first > last {
        return Err(ReplayError::NoStep(first, last));
    }
    let runtimes = Runtimes::start().map_err(unreadable)?;
    let replay = Arc::new(Replay {
        past,
        threads: runtimes.threads(),
        folder: tempfile::tempdir().map_err(unreadable)?,
        cut: Mutex::default(),
        shown: Mutex::default(),
    });
    let runtime = runtimes.known();
    let guard = runtime.enter();
    replay.go_to(first).map_err(ReplayError::Unreadable)?;
    drop(guard);
    let listen = |error| ReplayError::Listen(options.listen.clone(), error);
    let listener = runtime.block_on(TcpListener::bind(&options.listen));
    let listener = listener.map_err(listen)?;
    let address = listener.local_addr().map_err(listen)?;
    if !up(&format!("http://{address}{}", page::PATH), last) {
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
        shown.still.floor.stop();
    }
    runtimes.end(std::time::Duration::from_secs(2));
    Ok(())
}

/// Where the journals of a replay are read from, for its page.
fn name_of(data: &Path) -> String {
    let name = data.file_name().unwrap_or(data.as_os_str());
    name.to_string_lossy().into_owned()
}
