//! Why a house could not be started.

use std::path::PathBuf;

use sicbo_journal::{FolderError, KeyFolderError, OpenError};
use sicbo_loop::RecoveryError;
use sicbo_proof::TrustError;
use sicbo_register::pin::HashError;
use sicbo_register::set_up::SetUpError;

use crate::secrets::SecretsError;

/// Why a house could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The keys.
    #[error(transparent)]
    Keys(#[from] KeyFolderError),
    /// The secrets beside the keys.
    #[error(transparent)]
    Secrets(#[from] SecretsError),
    /// An old folder that no longer says what it plays for.
    #[error(
        "{0} is missing, and the journal of this house is older than the record of what it plays \
         for: restore the file from a backup (it says \"real money\" or \"play money\")"
    )]
    MoneyUnknown(PathBuf),
    /// A record does not fit those before it.
    #[error(
        "the journal {stream} holds a record that does not follow from those before it: {what}. \
         Keep it as it is, run `sicbo verify`, and restore the newest backup"
    )]
    Unapplied {
        /// Which.
        stream: String,
        /// What the check in the program says.
        what: String,
    },
    /// A journal.
    #[error("the journal {stream}: {error}")]
    Open {
        /// Which.
        stream: String,
        /// Why.
        error: OpenError,
    },
    /// A state could not be brought back.
    #[error("the journal {stream}: {error}")]
    Recovery {
        /// Which.
        stream: String,
        /// Why.
        error: RecoveryError,
    },
    /// A journal lacks records that were acknowledged.
    #[error(
        "the journal {stream} is an older copy: {what}. Put the newest file of this table back \
         and start the table again; if it is lost, keep what there is and see \"A journal that is \
         older\" in docs/operating.md"
    )]
    Older {
        /// Which.
        stream: String,
        /// How that is known.
        what: String,
    },
    /// A file or a thread.
    #[error("{what}: {error}")]
    Io {
        /// What was being done.
        what: String,
        /// Why not.
        error: std::io::Error,
    },
    /// PINs cannot be hashed.
    #[error(transparent)]
    Hash(#[from] HashError),
    /// The first start.
    #[error(transparent)]
    SetUp(#[from] SetUpError),
    /// A first act was refused.
    #[error("{what} was refused: {why}")]
    Refused {
        /// What.
        what: String,
        /// Why.
        why: String,
    },
    /// There are journals of tables but none of the house.
    #[error(
        "the house's own journal (house.sqlite) is missing while those of its tables are there; \
         restore it from a backup: without it vouchers and people are unknown"
    )]
    Lost,
    /// A house for real money is made only when that is asked for.
    #[error(
        "there is no house in {0}. If it has run before, its data is missing: mount the folder or \
         restore a backup, and start again. To make a new house for real money, say so: --new-house"
    )]
    NoHouse(PathBuf),
    /// There is a house where a new one was asked for.
    #[error("there is a house in {0}, and people have worked in it: start it without --new-house")]
    HouseThere(PathBuf),
    /// The folder is of another house than the one that was asked for.
    #[error(
        "{0}: {1}. Nothing was started: name the folder of that house, or restore its keys and \
         journals"
    )]
    AnotherHouse(PathBuf, TrustError),
    /// A table of the plan may not be.
    #[error("{0}")]
    Plan(String),
    /// The start waited for the witness and was told to stop.
    #[error("the house was stopped while it waited for its witness")]
    Stopped,
}

impl StartError {
    /// Whether bits that were read wrong could be the reason.
    pub(super) fn may_be_misread(&self) -> bool {
        match self {
            StartError::Open { error, .. } => error.may_be_misread(),
            StartError::Recovery { error, .. } => error.may_be_misread(),
            StartError::Older { .. } => true,
            _ => false,
        }
    }
}
