//! `sicbo key adopt`: records that an earlier program left unsigned, shown, and
//! signed with the house's key when whoever has it says so.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use sicbo_clock::now_ms;
use sicbo_journal::{
    AdoptError, DataFolder, KeyFolder, SqliteStore, StreamId, adopt, unsigned_end,
};
use sicbo_proof::export;
use sicbo_proof::source::{self, HOUSE_STREAM};

use super::KeyArgs;
use crate::failure::Failure;
use crate::journals::world;
use crate::output::Output;

#[derive(Args)]
#[command(after_help = "\
Programs before block format 2 signed the end of a journal when they were stopped in good order. \
Where one was killed, its last records are chained and not signed, and the house does not start: \
anybody who can write the folder could have put them there. Look at them, compare them with what \
people remember, and then let the house's key sign them with --sign. A rotation that was cut off leaves \
journals whose end the new key has not signed; they are shown and signed in the same way.")]
pub(crate) struct Adopt {
    /// The data folder
    path: PathBuf,
    /// Sign them
    #[arg(long)]
    sign: bool,
    #[command(flatten)]
    keys: KeyArgs,
}

#[derive(Serialize)]
struct Unsigned {
    stream: String,
    from: u64,
    to: u64,
    records: Vec<Row>,
    signed: bool,
}

#[derive(Serialize)]
struct Row {
    sequence: String,
    time: String,
    event: String,
    by: String,
}

/// The most records of a stream that are shown.
const SHOWN: usize = 1_000;

impl Adopt {
    pub(super) fn run(self, out: &mut Output) -> Result<(), Failure> {
        // Whoever runs the house holds the lock.
        let folder = DataFolder::open(&self.path).map_err(|error| world(&error))?;
        let keys = KeyFolder::open_with(&folder.keys_path(), &self.keys.keys());
        let keys = keys.map_err(|error| world(&error))?;
        let mut found = Vec::new();
        for stream in DataFolder::streams(&self.path).map_err(|error| world(&error))? {
            let path = DataFolder::stream_path(&self.path, &stream);
            let store = source::open(&stream, &path).map_err(|error| world(&error))?;
            let failed = |error: AdoptError| Failure::World(format!("{stream}: {error}"));
            let unsigned = unsigned_end(&store, &stream, keys.ring()).map_err(failed)?;
            let Some((from, to)) = unsigned.map(RangeInclusive::into_inner) else {
                continue;
            };
            let records = rows(&store, &stream, from, to)?;
            if self.sign {
                drop(store);
                let mut store = folder.open_stream(&stream).map_err(|error| world(&error))?;
                let (key, ring) = (keys.current(), keys.ring());
                adopt(&mut store, &stream, key, ring, now_ms()).map_err(failed)?;
            }
            found.push(Unsigned {
                stream: stream.to_string(),
                from,
                to,
                records,
                signed: self.sign,
            });
        }
        print(&found, out)
    }
}

fn rows(store: &SqliteStore, stream: &StreamId, from: u64, to: u64) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    let mut put = |fields: sicbo_table::describe::Fields| {
        let get = |name: &str| {
            let found = fields.iter().find(|(key, _)| *key == name);
            found.map_or_else(String::new, |(_, value)| value.to_string())
        };
        rows.push(Row {
            sequence: get("sequence"),
            time: get("time"),
            event: get("event"),
            by: get("by"),
        });
        rows.len() < SHOWN
    };
    let exported = if stream.as_str() == HOUSE_STREAM {
        export::house(store, stream, from..=to, &mut put)
    } else {
        export::table(store, stream, from..=to, &mut put)
    };
    exported.map_err(|error| Failure::World(format!("{stream}: {error}; nothing was signed")))?;
    Ok(rows)
}

fn print(found: &[Unsigned], out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        return out.json(&found);
    }
    if found.is_empty() {
        return out.line("every record is signed");
    }
    for one in found {
        let Unsigned {
            stream, from, to, ..
        } = one;
        let done = if one.signed { ", signed now" } else { "" };
        out.line(format!(
            "{stream}: records {from} to {to} are not signed{done}"
        ))?;
        for row in &one.records {
            out.line(format!(
                "  {} {} {} {}",
                row.sequence, row.time, row.event, row.by
            ))?;
        }
        if (to - from + 1) as usize > one.records.len() {
            out.line(format!("  and more, to record {to}"))?;
        }
    }
    if found.iter().any(|one| !one.signed) {
        out.line("sign them with --sign when they are what happened")?;
    }
    Ok(())
}
