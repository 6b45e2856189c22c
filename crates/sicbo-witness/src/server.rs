//! The witness as a program: its settings, its key, and the small HTTP server
//! around its judgement. Listens where it is told and serves one route, to so many
//! connections at once and for so long each.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde::Deserialize;
use sicbo_journal::rights::{create_private_file, require_private};
use sicbo_journal::{HouseKey, KeyError};
use tokio::task::JoinSet;

use crate::house_tree::sync_folder;
use crate::note::{Algorithm, NoteError, VerifierKey};
use crate::witness::{Answer, KnownLog, MAX_REQUEST, Witness, WitnessError};

/// A request that is not whole after this time is given up.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
/// Requests that are judged or waited for at once.
const AT_ONCE: usize = 64;
/// How long a request that is under way is waited for at a stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);
/// A listener that failed, for want of files perhaps, is asked again after this time.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Longest file of settings.
const MAX_SETTINGS: u64 = 1 << 20;

/// What a witness is told in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Address and port.
    pub listen: SocketAddr,
    /// Its name, as cosignatures carry it.
    pub name: String,
    /// The file of its key.
    pub key: PathBuf,
    /// The file of its memory.
    pub memory: PathBuf,
    /// The logs it cosigns for.
    pub logs: Vec<(String, Vec<VerifierKey>)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    listen: String,
    name: String,
    key: PathBuf,
    #[serde(default)]
    memory: Option<PathBuf>,
    #[serde(default)]
    log: Vec<WrittenLog>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLog {
    origin: String,
    keys: Vec<String>,
}

impl Settings {
    /// Reads the settings of a file; paths in it are relative to its folder.
    ///
    /// # Errors
    /// Everything that is wrong, at once.
    pub fn read(path: &Path) -> Result<Settings, SettingsError> {
        let io = |error: std::io::Error| SettingsError::Faults {
            path: path.to_owned(),
            faults: vec![format!("it cannot be read: {error}")],
        };
        let mut text = String::new();
        let file = std::fs::File::open(path).map_err(io)?;
        file.take(MAX_SETTINGS)
            .read_to_string(&mut text)
            .map_err(io)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Settings::parse(&text, folder).map_err(|faults| SettingsError::Faults {
            path: path.to_owned(),
            faults,
        })
    }

    /// Reads settings from a text.
    ///
    /// # Errors
    /// Everything that is wrong, at once.
    pub fn parse(text: &str, folder: &Path) -> Result<Settings, Vec<String>> {
        let written: Written = toml::from_str(text).map_err(|error| vec![error.to_string()])?;
        let mut faults = Vec::new();
        let listen = written.listen.parse().map_err(|_| {
            let given = &written.listen;
            faults.push(format!(
                "listen: {given:?} is no address; give one such as \"127.0.0.1:8431\""
            ));
        });
        // The name is held to the rule of keys with any key.
        let probe = HouseKey::from_entropy(&[1; 32]).public();
        if let Err(error) = VerifierKey::new(&written.name, Algorithm::CosignatureV1, probe) {
            faults.push(format!("name: {error}"));
        }
        let mut logs = Vec::new();
        let mut known = BTreeSet::new();
        for (at, log) in (1..).zip(written.log) {
            if !known.insert(log.origin.clone()) {
                let origin = &log.origin;
                faults.push(format!("log {at}: origin {origin:?} is there twice"));
            }
            if log.keys.is_empty() {
                faults.push(format!(
                    "log {at}: it has no keys; give what `sicbo witness log` prints"
                ));
            }
            let mut keys = Vec::new();
            for key in &log.keys {
                match VerifierKey::parse(key) {
                    Ok(key) if key.algorithm() == Algorithm::Ed25519 => keys.push(key),
                    Ok(_) => {
                        faults.push(format!("log {at}: {key:?} is a witness's key, not a log's"))
                    }
                    Err(error) => faults.push(format!("log {at}: {key:?}: {error}")),
                }
            }
            logs.push((log.origin, keys));
        }
        let Ok(listen) = listen else {
            return Err(faults);
        };
        if !faults.is_empty() {
            return Err(faults);
        }
        let memory = written.memory.unwrap_or_else(|| "witness.sqlite".into());
        Ok(Settings {
            listen,
            name: written.name,
            key: folder.join(written.key),
            memory: folder.join(memory),
            logs,
        })
    }

    /// Opens the witness. Its key is made on the first start, from 32 bytes of
    /// the operating system's randomness.
    ///
    /// # Errors
    /// When its key or its memory cannot be opened.
    pub fn open(&self, entropy: impl FnOnce() -> [u8; 32]) -> Result<Witness, SettingsError> {
        let key = self.key(entropy)?;
        let logs = self.logs.iter().cloned();
        let logs = logs.map(|(origin, keys)| KnownLog { origin, keys });
        Ok(Witness::open(
            &self.name,
            key,
            logs.collect(),
            &self.memory,
        )?)
    }

    /// The key by which its cosignatures are known; made on the first start.
    ///
    /// # Errors
    /// When its key cannot be opened.
    pub fn verifier_key(
        &self,
        entropy: impl FnOnce() -> [u8; 32],
    ) -> Result<VerifierKey, SettingsError> {
        let key = self.key(entropy)?.public();
        Ok(VerifierKey::new(&self.name, Algorithm::CosignatureV1, key)?)
    }

    fn key(&self, entropy: impl FnOnce() -> [u8; 32]) -> Result<HouseKey, SettingsError> {
        let path = &self.key;
        let io = |error: std::io::Error| SettingsError::KeyFile {
            path: path.clone(),
            what: error.to_string(),
        };
        let bad = |error: KeyError| SettingsError::KeyFile {
            path: path.clone(),
            what: error.to_string(),
        };
        if !path.exists() {
            // A witness that remembers and has lost its key must not make another
            // one unasked: nobody would know its cosignatures.
            if self.memory.exists() {
                return Err(SettingsError::KeyLost { path: path.clone() });
            }
            let pem = HouseKey::from_entropy(&entropy()).to_pem().map_err(bad)?;
            write_secret(path, pem.as_bytes()).map_err(io)?;
        }
        require_private(path).map_err(|error| io(std::io::Error::other(error)))?;
        let text = std::fs::read_to_string(path).map_err(io)?;
        HouseKey::from_pem(&text).map_err(bad)
    }
}

fn write_secret(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write as _;
    let mut file = create_private_file(path)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    sync_folder(folder.unwrap_or(Path::new(".")))
}

/// Why a witness could not be started.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// Its file has faults.
    #[error("{path}: {}", .faults.join("\n  "))]
    Faults {
        /// The file.
        path: PathBuf,
        /// All of them.
        faults: Vec<String>,
    },
    /// Its key.
    #[error("the witness's key {path}: {what}")]
    KeyFile {
        /// The file.
        path: PathBuf,
        /// Why not.
        what: String,
    },
    /// Its key is gone and its memory is not.
    #[error(
        "the witness's key {path} is gone, and it has cosigned before: restore the key; with \
         another one it is another witness, which begins in another folder"
    )]
    KeyLost {
        /// The file.
        path: PathBuf,
    },
    /// Its name.
    #[error(transparent)]
    Note(#[from] NoteError),
    /// Its memory.
    #[error(transparent)]
    Witness(#[from] WitnessError),
}

/// Gives the time in seconds of UTC since 1970.
pub type Seconds = Arc<dyn Fn() -> u64 + Send + Sync>;

#[derive(Clone)]
struct Serving {
    witness: Arc<Witness>,
    now_s: Seconds,
    room: Arc<tokio::sync::Semaphore>,
}

/// The witness's routes.
pub fn router(witness: Arc<Witness>, now_s: Seconds) -> Router {
    let room = Arc::new(tokio::sync::Semaphore::new(AT_ONCE));
    let serving = Serving {
        witness,
        now_s,
        room,
    };
    Router::new()
        .route("/add-checkpoint", post(add_checkpoint))
        .layer(DefaultBodyLimit::max(MAX_REQUEST))
        .layer(axum::middleware::from_fn_with_state(
            serving.clone(),
            in_bounds,
        ))
        .with_state(serving)
}

/// What strangers may take of a witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Connections at once. Others wait until one has ended.
    pub connections: usize,
    /// How long the head of a request may take to arrive.
    pub head_timeout: Duration,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            connections: 256,
            head_timeout: Duration::from_secs(5),
        }
    }
}

/// Serves a witness until `stop`. A connection carries one request.
pub async fn serve(
    listener: tokio::net::TcpListener,
    witness: Arc<Witness>,
    now_s: Seconds,
    bounds: Bounds,
    stop: impl Future<Output = ()> + Send + 'static,
) {
    let routes = TowerToHyperService::new(router(witness, now_s));
    let room = Arc::new(tokio::sync::Semaphore::new(bounds.connections));
    let mut lines = JoinSet::new();
    tokio::pin!(stop);
    loop {
        let next = async {
            // Nobody closes it.
            let permit = Arc::clone(&room).acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, line) = tokio::select! {
            () = &mut stop => break,
            (permit, accepted) = next => match accepted {
                Ok((line, _)) => (permit, line),
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            },
        };
        let mut http = hyper::server::conn::http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(bounds.head_timeout)
            .keep_alive(false);
        let line = http.serve_connection(TokioIo::new(line), routes.clone());
        lines.spawn(async move {
            // However the rest of it is sent or read.
            let longest = bounds.head_timeout + REQUEST_TIMEOUT;
            let _ = tokio::time::timeout(longest, line).await;
            drop(permit);
        });
        while lines.try_join_next().is_some() {}
    }
    let ended = async { while lines.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(STOP_TIMEOUT, ended).await;
}

/// Runs a witness until `stop`. `up` is called once with the address, when
/// connections are accepted; the witness stops again where it says no.
///
/// # Errors
/// When it cannot listen.
pub fn run(
    listen: SocketAddr,
    witness: Arc<Witness>,
    now_s: Seconds,
    stop: impl Future<Output = ()> + Send + 'static,
    up: impl FnOnce(SocketAddr) -> bool,
) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(listen).await?;
        if up(listener.local_addr()?) {
            serve(listener, witness, now_s, Bounds::default(), stop).await;
        }
        Ok(())
    })
}

/// Bounds how many requests there are and how long one may take to arrive.
async fn in_bounds(
    State(serving): State<Serving>,
    request: axum::extract::Request,
    next: axum::middleware::Next,
) -> Response {
    let Ok(_room) = serving.room.try_acquire() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "busy; ask again\n").into_response();
    };
    match tokio::time::timeout(REQUEST_TIMEOUT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => (StatusCode::REQUEST_TIMEOUT, "too slow\n").into_response(),
    }
}

async fn add_checkpoint(State(serving): State<Serving>, body: Bytes) -> Response {
    let judged = tokio::task::spawn_blocking(move || {
        serving.witness.add_checkpoint(&body, (serving.now_s)())
    });
    match judged.await {
        Ok(answer) => answer.into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        match self {
            Answer::Cosigned(line) => (StatusCode::OK, line).into_response(),
            Answer::Malformed(why) => (StatusCode::BAD_REQUEST, format!("{why}\n")).into_response(),
            Answer::NotSigned => (
                StatusCode::FORBIDDEN,
                "no known key of this log signed the checkpoint\n",
            )
                .into_response(),
            Answer::UnknownLog => {
                (StatusCode::NOT_FOUND, "this origin is not known here\n").into_response()
            }
            Answer::Conflict { size } => (
                StatusCode::CONFLICT,
                [(header::CONTENT_TYPE, "text/x.tlog.size")],
                format!("{size}\n"),
            )
                .into_response(),
            Answer::Retired { by } => (StatusCode::GONE, format!("{by}\n")).into_response(),
            Answer::NotConsistent => (
                StatusCode::UNPROCESSABLE_ENTITY,
                "the proof does not lead from the last checkpoint to this one\n",
            )
                .into_response(),
            Answer::Failed(why) => {
                // The cause is logged, not sent.
                tracing::error!(why, "a checkpoint was not cosigned");
                (StatusCode::INTERNAL_SERVER_ERROR, "not now\n").into_response()
            }
        }
    }
}
