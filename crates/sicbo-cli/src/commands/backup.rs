//! `sicbo backup PATH DEST`: a verified copy, also while the house runs.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use sicbo_backup::backup::{BackupError, backup};
use sicbo_backup::increment::add;
use sicbo_backup::sealed::{Recipients, add_sealed, is_sealed, seal};
use sicbo_proof::source::Journals;

use super::restore::seal_failure;
use super::verify::examine_shown;
use crate::failure::Failure;
use crate::journals::world;
use crate::output::Output;

#[derive(Args)]
#[command(after_help = "\
Each stream is copied as it is at one moment. The copy is verified whole, as by `sicbo verify`. \
Secret keys stay where they are unless --with-secret-keys is given: without them the copy can be \
verified and read, and cannot sign. With --add only what is new since an earlier backup is read and \
written: each new block is verified against the chain of that backup and the house's signatures, then \
read back from the backup and verified again; the backup stays a data folder that `sicbo verify` verifies whole. \
With --encrypt-to the backup is sealed in the age format: a folder of parts that only the holders of the \
named keys can open, here with `sicbo restore` or anywhere with age and tar. The copy is made and verified \
inside the data folder before it is sealed, which takes as much room again for that time. With --add a part \
is added; nobody needs a secret key for that.")]
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
    /// Seal the backup for the holder of this age public key; may be given more than once
    #[arg(long, value_name = "RECIPIENT")]
    encrypt_to: Vec<String>,
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
        if !self.encrypt_to.is_empty() {
            return self.sealed(out);
        }
        if self.add && is_sealed(&self.dest) {
            return Err(Failure::input(format!(
                "{} is a sealed backup: say with --encrypt-to who may open what is added",
                self.dest.display()
            )));
        }
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
struct SealedBackup {
    dest: String,
    part: u32,
    bytes: u64,
    recipients: usize,
    with_secret_keys: bool,
    streams: Vec<AddedStream>,
}

impl Backup {
    fn sealed(&self, out: &mut Output) -> Result<(), Failure> {
        let to = Recipients::read(&self.encrypt_to).map_err(|error| seal_failure(&error))?;
        let secrets = self.with_secret_keys;
        let sealed = match self.add {
            true => add_sealed(&self.path, &self.dest, &to, secrets),
            false => seal(
                &self.path,
                &self.dest,
                &to,
                secrets,
                |copy| match verified(copy)? {
                    true => Ok(()),
                    false => Err("there are no keys".to_owned()),
                },
            ),
        };
        let sealed = sealed.map_err(|error| seal_failure(&error))?;
        let done = SealedBackup {
            dest: self.dest.display().to_string(),
            part: sealed.part,
            bytes: sealed.bytes,
            recipients: self.encrypt_to.len(),
            with_secret_keys: secrets,
            streams: sealed
                .streams
                .iter()
                .map(|(stream, before, last)| AddedStream {
                    stream: stream.to_string(),
                    before_sequence: *before,
                    last_sequence: *last,
                    signatures: None,
                })
                .collect(),
        };
        if out.is_json() {
            return out.json(&done);
        }
        for one in &done.streams {
            out.line(format!(
                "{}: records {} to {}",
                one.stream,
                one.before_sequence + 1,
                one.last_sequence
            ))?;
        }
        out.line(format!(
            "part {} of {}: {} bytes, sealed for {} keys",
            done.part, done.dest, done.bytes, done.recipients
        ))
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
    #[serde(skip_serializing_if = "Option::is_none")]
    signatures: Option<u64>,
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
                    signatures: Some(one.signed),
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
                    one.signatures.unwrap_or_default()
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
    verified(dest).map_err(|what| {
        Failure::World(format!(
            "the copy does not verify ({what}): keep the original, verify it, and do not use {}",
            dest.display()
        ))
    })
}

/// Whether there were keys to verify a copy with, or what is wrong with it.
fn verified(dest: &Path) -> Result<bool, String> {
    let journals = Journals::folder(dest).map_err(|error| error.to_string())?;
    let Some(ring) = &journals.ring else {
        return Ok(false);
    };
    let examined = examine_shown(&journals, ring).map_err(|error| error.to_string())?;
    examined.first_fault().map_err(|fault| fault.to_string())?;
    Ok(true)
}
