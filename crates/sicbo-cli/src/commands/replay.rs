//! `sicbo replay PATH [--round N]`: rounds told from their records; with `--serve`, a data folder
//! in the house's real screens, step by step.

use std::path::PathBuf;

use clap::Args;
use sicbo_journal::{Store, StreamId};
use sicbo_proof::bundle::tell;
use sicbo_proof::describe::Value;
use sicbo_proof::export;
use sicbo_proof::source::{HOUSE_STREAM, Journals, Source};
use sicbo_proof::story::{self, Story, StoryError, overview};
use sicbo_server::log;
use sicbo_server::replay::{self, Options, ReplayError};
use sicbo_server::serve::signalled;

use crate::failure::Failure;
use crate::journals::{self, Json, TrustArgs, source_failure};
use crate::output::Output;

#[derive(Args)]
#[command(after_help = "\
The same journal gives the same bytes on every machine. A bundle tells the one round it was made \
for; it is verified first. A journal is read against its chain; `sicbo verify` checks signatures \
too. People are named where the house's own journal is in the folder, and are numbers elsewhere.

With --serve the screens of the house are shown in a browser as they were: walls, terminals, \
consoles and surveillance, after each block of the journals in turn. A bar on every page says that \
it is a replay, and goes on or back. Nothing can be entered, nothing in the folder is changed, and \
only this machine can look: the browser that first opens the address which is printed.")]
pub(crate) struct Replay {
    /// A data folder, a journal file or a bundle
    path: PathBuf,
    /// The round to tell; without it, one line for each round
    #[arg(long)]
    round: Option<u64>,
    /// The stream, where there are several; `house` tells the house's own records
    #[arg(long)]
    stream: Option<String>,
    /// Show a data folder in the real screens, on this machine, one step after the other
    #[arg(long, conflicts_with_all = ["round", "key", "fingerprint"])]
    serve: bool,
    /// Address and port of --serve, on loopback; port 0 takes a free one
    #[arg(
        long,
        value_name = "ADDRESS",
        requires = "serve",
        default_value = "127.0.0.1:8421"
    )]
    listen: String,
    /// The step that --serve shows first; without it, the last
    #[arg(long, value_name = "N", requires = "serve")]
    step: Option<usize>,
    #[command(flatten)]
    trust: TrustArgs,
}

impl Replay {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        if self.serve {
            return self.serve(out);
        }
        let trust = self.trust.read()?;
        match journals::open(&self.path)? {
            Source::Bundle(bundle) => {
                if self.round.is_some_and(|round| round != bundle.round) {
                    return Err(Failure::input(format!(
                        "the bundle is of round {}",
                        bundle.round
                    )));
                }
                match tell(&bundle, &trust) {
                    Ok(proved) => print(&proved.story, out),
                    Err(fault) => faulty(&fault, out),
                }
            }
            Source::Case(case) => match case.check(&trust) {
                Ok(proved) => match &proved.round {
                    Some(round) => print(&round.story, out),
                    None => Err(Failure::input("the case names no round that has ended")),
                },
                Err(fault) => faulty(&fault, out),
            },
            Source::Journals(found) => match self.round {
                Some(round) => {
                    let one = found.table(self.stream.as_deref());
                    let (stream, store) = one.map_err(|error| source_failure(&error))?;
                    match story::tell_with(&store, &stream, round, found.people()) {
                        Ok(story) => print(&story, out),
                        Err(StoryError::NoSuchRound { .. }) => {
                            Err(Failure::input(format!("{stream}: no round {round} there")))
                        }
                        Err(error) => faulty(&error, out),
                    }
                }
                None => list(&found, self.stream.as_deref(), out),
            },
        }
    }
}

impl Replay {
    fn serve(self, out: &mut Output) -> Result<(), Failure> {
        let options = Options {
            data: self.path,
            listen: self.listen,
            stream: self.stream,
            step: self.step,
        };
        log::start(log::LogFormat::Text, log::LogLevel::Info);
        let mut said = Ok(());
        let shown = replay::run(&options, signalled(), |address, last| {
            said = out
                .line(format!("a replay of {last} steps, read only"))
                .and_then(|()| out.line(format!("listening on {address}")))
                .and_then(|()| out.flush());
            said.is_ok()
        });
        said?;
        shown.map_err(|error| match error {
            ReplayError::Listen(..) => Failure::World(error.to_string()),
            error => Failure::input(error.to_string()),
        })
    }
}

fn print(story: &Story, out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        out.json(&Json(&story.value()))?;
    } else {
        out.text(&story.text())?;
    }
    if story.agrees() {
        Ok(())
    } else {
        out.flush()?;
        Err(Failure::Faulty)
    }
}

/// What was examined has a fault: said where the result would have been.
fn faulty(fault: &dyn std::fmt::Display, out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        let fault = Value::Fields(vec![("fault", fault.to_string().into())]);
        out.json(&Json(&fault))?;
    } else {
        out.line(format!("NOT what was written: {fault}"))?;
    }
    out.flush()?;
    Err(Failure::Faulty)
}

fn list(found: &Journals, stream: Option<&str>, out: &mut Output) -> Result<(), Failure> {
    let names: Vec<String> = match stream {
        Some(name) => vec![name.to_owned()],
        None => found
            .streams
            .iter()
            .map(|(id, _)| id.to_string())
            .filter(|name| name != HOUSE_STREAM)
            .collect(),
    };
    let mut all = Vec::new();
    for name in names {
        let one = found.one(Some(&name));
        let (id, store) = one.map_err(|error| source_failure(&error))?;
        let told = if name == HOUSE_STREAM {
            house(&store, &id, out)?
        } else {
            rounds(&store, &id, out)?
        };
        match told {
            Some(lines) => all.push(lines),
            None => {
                out.flush()?;
                return Err(Failure::Faulty);
            }
        }
    }
    if out.is_json() {
        out.json(&Json(&Value::List(all)))?;
    }
    Ok(())
}

/// Prints the house's own records, or gives them as a value; nothing on a fault.
fn house(store: &dyn Store, stream: &StreamId, out: &mut Output) -> Result<Option<Value>, Failure> {
    let mut records = Vec::new();
    let mut failed = None;
    let json = out.is_json();
    let mut put = |fields: Vec<(&'static str, Value)>| {
        if json {
            records.push(Value::Fields(fields));
            return true;
        }
        failed = out.line(record_line(&fields)).err();
        failed.is_none()
    };
    let told = export::house(store, stream, 1..=u64::MAX, &mut put);
    if let Some(failure) = failed {
        return Err(failure);
    }
    match told {
        Ok(()) => Ok(Some(Value::Fields(vec![
            ("stream", stream.as_str().into()),
            ("records", Value::List(records)),
        ]))),
        Err(error) => match faulty(&error, out) {
            Err(Failure::Faulty) | Ok(()) => Ok(None),
            Err(other) => Err(other),
        },
    }
}

/// One record of the house in one line.
fn record_line(fields: &[(&'static str, Value)]) -> String {
    let get = |name: &str| fields.iter().find(|(key, _)| *key == name).map(|(_, v)| v);
    let text = |name: &str| get(name).map_or_else(String::new, ToString::to_string);
    let second = get("second").map_or_else(String::new, |second| format!(" with {second}"));
    let mut what = text("event");
    if let Some(Value::Fields(fields)) = get("fields") {
        for (name, value) in fields {
            what += &format!("  {name} {value}");
        }
    }
    format!(
        "{:>7}  {}  {}{second}: {what}",
        format!("#{}", text("sequence")),
        text("time"),
        text("by")
    )
}

/// Prints one table's rounds, or gives them as a value; nothing on a fault.
fn rounds(
    store: &dyn Store,
    stream: &StreamId,
    out: &mut Output,
) -> Result<Option<Value>, Failure> {
    let lines = match overview(store, stream) {
        Ok(lines) => lines,
        Err(error) => {
            let said = faulty(&error, out);
            return match said {
                Err(Failure::Faulty) | Ok(()) => Ok(None),
                Err(other) => Err(other),
            };
        }
    };
    if !out.is_json() {
        out.line(format!("{stream}: {} rounds; times are UTC", lines.len()))?;
        for line in &lines {
            out.line(line.text())?;
        }
    }
    let lines = lines.iter().map(story::RoundLine::value).collect();
    Ok(Some(Value::Fields(vec![
        ("stream", stream.as_str().into()),
        ("rounds", Value::List(lines)),
    ])))
}
