//! `sicbo backup PATH DEST`: a verified copy, also while the house runs.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use sicbo_backup::backup::{BackupError, backup};
use sicbo_backup::increment::add;
use sicbo_journal::{Store, verify_chain};
use sicbo_proof::source::{self, HOUSE_STREAM, Journals};
use sicbo_proof::{Trust, verify};

use crate::failure::Failure;
use crate::journals::{progress, world};
use crate::output::Output;

#[derive(Args)]
#[command(after_help = "\
Each stream is copied as it is at one moment. The copy is verified whole, as by `sicbo verify`. \
Secret keys stay where they are unless --with-secret-keys is given: without them the copy can be \
verified and read, and cannot sign. With --add only what is new since an earlier backup is read and \
written: each new block is verified against the chain of that backup and the house's signatures, then \
read back from the backup and verified again; the backup stays a data folder that `sicbo verify` verifies whole.")]
pub(crate) struct Backup {
    /// The data folder
    path: PathBuf,
    /// The new folder; there must be nothing yet. With --add, an earlier backup
    dest: PathBuf,
    /// Add what is new to an earlier backup of the same house
    #[arg(long)]
    add: bool,
    /// Copy the secret halves of the house's keys too
    #[arg(long)]
    with_secret_keys: bool,
}

#[derive(Serialize)]
struct Done {
    dest: String,
    streams: Vec<Stream>,
    keys: usize,
    with_secret_keys: bool,
    verified: bool,
}

#[derive(Serialize)]
struct Stream {
    stream: String,
    last_sequence: u64,
}

impl Backup {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        if self.add {
            return self.add_to(out);
        }
        let copied =
            backup(&self.path, &self.dest, self.with_secret_keys).map_err(|error| match error {
                BackupError::Exists { .. } => Failure::input(error),
                _ => world(&error),
            })?;
        let verified = verify_copy(&self.dest)?;
        let done = Done {
            dest: self.dest.display().to_string(),
            streams: copied
                .streams
                .iter()
                .map(|(stream, last)| Stream {
                    stream: stream.to_string(),
                    last_sequence: *last,
                })
                .collect(),
            keys: copied.keys,
            with_secret_keys: copied.with_secrets,
            verified,
        };
        if out.is_json() {
            return out.json(&done);
        }
        for stream in &done.streams {
            out.line(format!(
                "{}: copied to record {}",
                stream.stream, stream.last_sequence
            ))?;
        }
        let secrets = if done.with_secret_keys {
            "with their secret halves: keep the copy as safe as the house"
        } else {
            "public halves only"
        };
        out.line(format!("{} keys, {secrets}", done.keys))?;
        out.line(if done.verified {
            "the copy is verified"
        } else {
            "there are no keys: the copy could not be verified"
        })
    }
}

#[derive(Serialize)]
struct AddedTo {
    dest: String,
    streams: Vec<AddedStream>,
    verified: bool,
}

#[derive(Serialize)]
struct AddedStream {
    stream: String,
    before_sequence: u64,
    last_sequence: u64,
    signatures: u64,
}

impl Backup {
    fn add_to(&self, out: &mut Output) -> Result<(), Failure> {
        let added =
            add(&self.path, &self.dest, self.with_secret_keys).map_err(|error| match error {
                BackupError::AnotherHouse { .. } => Failure::input(error),
                _ => world(&error),
            })?;
        let done = AddedTo {
            dest: self.dest.display().to_string(),
            streams: added
                .streams
                .iter()
                .map(|one| AddedStream {
                    stream: one.stream.to_string(),
                    before_sequence: one.before,
                    last_sequence: one.last,
                    signatures: one.signed,
                })
                .collect(),
            verified: added.signatures,
        };
        if out.is_json() {
            return out.json(&done);
        }
        for one in &done.streams {
            out.line(if one.before_sequence == one.last_sequence {
                format!(
                    "{}: nothing new after record {}",
                    one.stream, one.last_sequence
                )
            } else {
                format!(
                    "{}: records {} to {} added, {} signatures verified",
                    one.stream,
                    one.before_sequence + 1,
                    one.last_sequence,
                    one.signatures
                )
            })?;
        }
        out.line(if done.verified {
            "what is new follows what was there and is verified as read back; `sicbo verify` \
             verifies the whole"
        } else {
            "what is new follows what was there, as read back; there are no keys: its signatures \
             could not be verified"
        })
    }
}

/// Verifies a copy that was just made; false when there are no keys to do it with.
pub(crate) fn verify_copy(dest: &Path) -> Result<bool, Failure> {
    let journals = Journals::folder(dest).map_err(|error| world(&error))?;
    let bad = |what: String| {
        Failure::World(format!(
            "the copy does not verify ({what}): keep the original, verify it, and do not use {}",
            dest.display()
        ))
    };
    let Some(ring) = &journals.ring else {
        return Ok(false);
    };
    Trust::Anyone.check(ring).map_err(|e| bad(e.to_string()))?;
    for (stream, path) in &journals.streams {
        let store = source::open(stream, path).map_err(|e| bad(e.to_string()))?;
        if stream.as_str() == HOUSE_STREAM {
            let checkpoints = store.checkpoints().map_err(|e| bad(e.to_string()))?;
            verify_chain(stream.clone(), store.read_from(1), checkpoints, ring)
                .map_err(|e| bad(e.to_string()))?;
            continue;
        }
        let bar = progress(stream.as_str(), store.tail().sequence);
        verify(&store, stream, ring, &mut |at| bar.set_position(at))
            .map_err(|e| bad(e.to_string()))?;
        bar.finish_and_clear();
    }
    Ok(true)
}
