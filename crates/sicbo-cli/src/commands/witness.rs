//! `sicbo witness`: a small server outside the house that cosigns what it has
//! written, and what both sides tell each other to set it up.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use serde::Serialize;
use sicbo_clock::now_ms;
use sicbo_journal::KeyFolder;
use sicbo_server::log;
use sicbo_server::serve::signalled;
use sicbo_witness::head::origin;
use sicbo_witness::house_tree::HouseTree;
use sicbo_witness::note::{Algorithm, VerifierKey};
use sicbo_witness::server::{self, Settings, SettingsError};

use crate::failure::Failure;
use crate::journals::world;
use crate::output::Output;

#[derive(Subcommand)]
pub(crate) enum WitnessCommand {
    /// Run a witness until it is told to stop
    ///
    /// It keeps the last checkpoint of each log it knows and cosigns a new one only
    /// when it continues that: whoever puts an older copy of a house back cannot
    /// have it cosigned. It speaks tlog-witness of c2sp.org and sees roots only.
    Serve(Serve),
    /// Print the witness's key, for the plan of a house
    Key(KeyOf),
    /// Print a house's origin and keys, for the file of a witness
    Log(Log),
    /// Print the last checkpoint that the witness cosigned for a log
    Latest(Latest),
}

#[derive(Args)]
pub(crate) struct Serve {
    /// The witness's file (TOML): listen, name, key, and a [[log]] for each house
    config: PathBuf,
}

#[derive(Args)]
pub(crate) struct KeyOf {
    /// The witness's file (TOML); its key is made where there is none
    config: PathBuf,
}

#[derive(Args)]
pub(crate) struct Log {
    /// The house's data folder
    data: PathBuf,
}

#[derive(Args)]
pub(crate) struct Latest {
    /// The witness's file (TOML)
    config: PathBuf,
    /// The log's origin, e.g. sicbo.house/0f1e2d3c4b5a69788796a5b4c3d2e1f0/1
    origin: String,
}

#[derive(Serialize)]
struct ShownLog {
    origin: String,
    keys: Vec<String>,
}

impl WitnessCommand {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        match self {
            WitnessCommand::Serve(serve) => serve.run(out),
            WitnessCommand::Key(key) => {
                let settings = read(&key.config)?;
                let key = settings.verifier_key(entropy()?).map_err(failed)?;
                out.line(key.to_string())
            }
            WitnessCommand::Log(log) => log.run(out),
            WitnessCommand::Latest(latest) => {
                let settings = read(&latest.config)?;
                let witness = settings.open(entropy()?).map_err(failed)?;
                let later = witness.later_life(&latest.origin);
                if let Some(later) = later.map_err(|error| world(&error))? {
                    return Err(Failure::World(format!(
                        "{} is over: {later} is a later life of the same house, and its data is \
                         held to that",
                        latest.origin
                    )));
                }
                let note = witness.latest_note(&latest.origin);
                match note.map_err(|error| world(&error))? {
                    Some(note) => out.text(&note),
                    None => Err(Failure::World(format!(
                        "nothing was cosigned for {}",
                        latest.origin
                    ))),
                }
            }
        }
    }
}

/// Randomness for a first key, drawn before it is known whether it is needed.
fn entropy() -> Result<impl FnOnce() -> [u8; 32], Failure> {
    let mut entropy = [0; 32];
    getrandom::fill(&mut entropy)
        .map_err(|error| Failure::World(format!("no randomness for a new key: {error}")))?;
    Ok(move || entropy)
}

fn read(path: &Path) -> Result<Settings, Failure> {
    Settings::read(path).map_err(failed)
}

fn failed(error: SettingsError) -> Failure {
    match error {
        SettingsError::Faults { .. } => Failure::input(error.to_string()),
        error => world(&error),
    }
}

impl Serve {
    fn run(self, out: &mut Output) -> Result<(), Failure> {
        log::start(log::LogFormat::Text, log::LogLevel::Info);
        let settings = read(&self.config)?;
        let witness = Arc::new(settings.open(entropy()?).map_err(failed)?);
        let key = witness.verifier_key().map_err(|error| world(&error))?;
        let now_s = Arc::new(|| u64::try_from(now_ms() / 1_000).unwrap_or(0));
        let mut said = Ok(());
        let served = server::run(settings.listen, witness, now_s, signalled(), |address| {
            said = say(out, &key, settings.logs.len(), address);
            said.is_ok()
        });
        said?;
        served.map_err(|error| {
            Failure::World(format!("cannot listen on {}: {error}", settings.listen))
        })
    }
}

fn say(
    out: &mut Output,
    key: &VerifierKey,
    logs: usize,
    address: SocketAddr,
) -> Result<(), Failure> {
    out.line(format!("key {key}"))?;
    out.line(format!("logs {logs}"))?;
    out.line(format!("listening on http://{address}"))?;
    // Whoever started us waits for that line.
    out.flush()
}

impl Log {
    fn run(self, out: &mut Output) -> Result<(), Failure> {
        let ring = KeyFolder::read_ring(&self.data.join("keys")).map_err(|error| world(&error))?;
        let tree = HouseTree::open_to_read(&self.data).map_err(|error| world(&error))?;
        let life = tree.map_or(1, |tree| tree.life());
        let origin = origin(ring.house(), life);
        let keys = ring.keys().map(|key| {
            let key = VerifierKey::new(&origin, Algorithm::Ed25519, key.clone());
            key.map(|key| key.to_string())
                .map_err(|error| world(&error))
        });
        let keys = keys.collect::<Result<Vec<String>, Failure>>()?;
        let shown = ShownLog { origin, keys };
        if out.is_json() {
            return out.json(&shown);
        }
        let keys: Vec<String> = shown.keys.iter().map(|key| format!("{key:?}")).collect();
        out.line("[[log]]")?;
        out.line(format!("origin = {:?}", shown.origin))?;
        out.line(format!("keys = [{}]", keys.join(", ")))
    }
}
