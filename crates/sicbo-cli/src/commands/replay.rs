//! `sicbo replay PATH [--round N]`: rounds told from their records.

use std::path::PathBuf;

use clap::Args;
use sicbo_house::describe::Value;
use sicbo_house::source::{HOUSE_STREAM, Journals, Source};
use sicbo_house::story::{self, Story, StoryError, overview};
use sicbo_journal::{Store, StreamId};

use crate::failure::Failure;
use crate::journals::{self, Json, TrustArgs, source_failure};
use crate::output::Output;

#[derive(Args)]
#[command(after_help = "\
The same journal gives the same bytes on every machine. A bundle tells the one round it was made \
for; it is verified first. A journal is read against its chain; `sicbo verify` checks signatures \
too.")]
pub(crate) struct Replay {
    /// A data folder, a journal file or a bundle
    path: PathBuf,
    /// The round to tell; without it, one line for each round
    #[arg(long)]
    round: Option<u64>,
    /// The table's stream, where there are several
    #[arg(long)]
    stream: Option<String>,
    #[command(flatten)]
    trust: TrustArgs,
}

impl Replay {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let trust = self.trust.read()?;
        match journals::open(&self.path)? {
            Source::Bundle(bundle) => {
                if self.round.is_some_and(|round| round != bundle.round()) {
                    return Err(Failure::input(format!(
                        "the bundle is of round {}",
                        bundle.round()
                    )));
                }
                match bundle.check(&trust) {
                    Ok(proved) => print(&proved.story, out),
                    Err(fault) => faulty(&fault, out),
                }
            }
            Source::Journals(found) => match self.round {
                Some(round) => {
                    let one = found.one(self.stream.as_deref());
                    let (stream, store) = one.map_err(|error| source_failure(&error))?;
                    match story::tell(&store, &stream, round) {
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
        match rounds(&store, &id, out)? {
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
