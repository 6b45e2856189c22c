//! `sicbo archive PATH DEST`: what is older than so many days, with its proof.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use sicbo_backup::archive::{ArchiveError, ArchivedStream, archive};
use sicbo_clock::now_ms;
use sicbo_plan::{HousePlan, LEAST_RETENTION_DAYS, files_beside};
use sicbo_proof::text;

use super::backup::verify_copy;
use crate::books;
use crate::failure::Failure;
use crate::journals::world;
use crate::output::Output;

/// Milliseconds of a day.
const DAY_MS: i64 = 86_400_000;

#[derive(Args)]
#[command(after_help = "\
The archive is a data folder of its own: every record from the first to the last checkpoint that was \
signed before that age, with the signatures and the public keys. `sicbo verify` verifies it whole, \
`sicbo bundle` proves a round of it, `sicbo export` and `sicbo report` read it. The original is only \
read, also while the house runs: nothing is ever deleted from a journal. Records must be kept for \
180 days at least, which is also the age without --older-than or --config.")]
pub(crate) struct Archive {
    /// The data folder
    path: PathBuf,
    /// The new folder; there must be nothing yet
    dest: PathBuf,
    /// Whatever was signed at least so many days ago
    #[arg(long, value_name = "DAYS", conflicts_with = "config",
          value_parser = clap::value_parser!(u16).range(0..=36_500))]
    older_than: Option<u16>,
    /// The plan of the house, whose `retention_days` is the age
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

#[derive(Serialize)]
struct Done {
    dest: String,
    older_than_days: u16,
    streams: Vec<Stream>,
    verified: bool,
}

#[derive(Serialize)]
struct Stream {
    stream: String,
    last_sequence: u64,
    signed_ms: i64,
    fingerprint: String,
    first_round: Option<u64>,
    last_round: Option<u64>,
}

impl Stream {
    fn of(one: &ArchivedStream) -> Stream {
        let mut fingerprint = one.header_hash.to_string();
        fingerprint.truncate(sicbo_proof::FINGERPRINT_DIGITS);
        Stream {
            stream: one.stream.to_string(),
            last_sequence: one.last_sequence,
            signed_ms: one.signed_ms,
            fingerprint,
            first_round: one.rounds.map(|(first, _)| first),
            last_round: one.rounds.map(|(_, last)| last),
        }
    }
}

impl Archive {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let days = self.days()?;
        let before = now_ms().saturating_sub(i64::from(days) * DAY_MS);
        let archived = archive(&self.path, &self.dest, before).map_err(|error| match error {
            ArchiveError::Exists { .. } | ArchiveError::Nothing => Failure::input(error),
            _ => world(&error),
        })?;
        let done = Done {
            dest: self.dest.display().to_string(),
            older_than_days: days,
            streams: archived.iter().map(Stream::of).collect(),
            verified: verify_copy(&self.dest)?,
        };
        if out.is_json() {
            return out.json(&done);
        }
        for stream in &done.streams {
            let rounds = match (stream.first_round, stream.last_round) {
                (Some(first), Some(last)) => format!(", rounds {first} to {last}"),
                _ => String::new(),
            };
            out.line(format!(
                "{}: records 1 to {}{rounds}, signed {} UTC as {}",
                stream.stream,
                stream.last_sequence,
                text::time(stream.signed_ms),
                stream.fingerprint
            ))?;
        }
        out.line(if done.verified {
            "the archive is verified; the original is as it was"
        } else {
            "there are no keys: the archive could not be verified"
        })
    }

    fn days(&self) -> Result<u16, Failure> {
        if let Some(days) = self.older_than {
            return Ok(days);
        }
        let Some(path) = &self.config else {
            return Ok(LEAST_RETENTION_DAYS);
        };
        let text = books::read_text(path)?;
        let folder = path.parent().unwrap_or(Path::new("."));
        let plan = HousePlan::parse(&text, &files_beside(folder));
        let plan = plan.map_err(|_| {
            let words = format!("{} has faults: see `sicbo check`", path.display());
            Failure::input(words)
        })?;
        Ok(plan.retention_days)
    }
}
