//! `sicbo restore SEALED DEST`: a sealed backup becomes a data folder again.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use sicbo_backup::backup::BackupError;
use sicbo_backup::sealed::{Identities, SealError, restore, restore_as_far};

use super::backup::verify_copy;
use crate::failure::Failure;
use crate::journals::world;
use crate::output::Output;

#[derive(Args)]
#[command(after_help = "\
A backup that was made without --encrypt-to is a data folder already and needs no restoring. Every \
part is opened, added to the ones before and verified; then the whole is, as by `sicbo verify`. \
Without the secret keys of the house (--with-secret-keys when the backup was made) the folder can be \
verified and read, and no house can be run in it.")]
pub(crate) struct Restore {
    /// The sealed backup
    sealed: PathBuf,
    /// The new data folder; there must be nothing yet
    dest: PathBuf,
    /// A file with the secret age key, readable by its owner only
    #[arg(long, value_name = "FILE")]
    identity: PathBuf,
}

#[derive(Serialize)]
struct Restored {
    dest: String,
    parts: u32,
    verified: bool,
}

impl Restore {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let keys = Identities::read(&self.identity).map_err(|error| seal_failure(&error))?;
        let parts =
            restore(&self.sealed, &self.dest, &keys).map_err(|error| seal_failure(&error))?;
        let done = Restored {
            dest: self.dest.display().to_string(),
            parts,
            verified: verify_copy(&self.dest)?,
        };
        if out.is_json() {
            return out.json(&done);
        }
        out.line(format!("{}: restored from {} parts", done.dest, done.parts))?;
        out.line(if done.verified {
            "the copy is verified"
        } else {
            "there are no keys: the copy could not be verified"
        })
    }
}

/// A sealed backup, opened into a folder of its own for as long as that is held.
/// One that is damaged is opened as far as it goes, with what is wrong with it.
pub(crate) fn opened_backup(
    sealed: &Path,
    identity: &Path,
) -> Result<(tempfile::TempDir, Option<SealError>), Failure> {
    let keys = Identities::read(identity).map_err(|error| seal_failure(&error))?;
    let place = tempfile::tempdir()?;
    let opened = opened_path(&place);
    match restore_as_far(sealed, &opened, &keys) {
        Ok((_, wrong)) => Ok((place, wrong)),
        Err(error) if error.is_of_the_backup() => Ok((place, Some(error))),
        Err(error) => Err(seal_failure(&error)),
    }
}

/// Where in its folder an opened backup is.
pub(crate) fn opened_path(place: &tempfile::TempDir) -> PathBuf {
    place.path().join("data")
}

/// What a person can set right is wrong input; a backup that is not whole is what
/// was looked at; all else is the world's.
pub(crate) fn seal_failure(error: &SealError) -> Failure {
    match error {
        SealError::Recipient(_)
        | SealError::Identity { .. }
        | SealError::Backup(BackupError::Exists { .. } | BackupError::AnotherHouse { .. }) => {
            Failure::input(error)
        }
        error if error.is_of_the_backup() => Failure::Broken(error.to_string()),
        error => world(error),
    }
}
