//! The house's tree in a copy. It is copied before the journals and put in place
//! after them: a tree may be behind its journals, and ahead of them it would say
//! that the copy was rolled back.

use std::path::{Path, PathBuf};

use sicbo_journal::SqliteStore;
use sicbo_journal::rights::create_private_folder;

use crate::backup::{BackupError, sync};

const FOLDER: &str = "tree";
const TREE: &str = "tree.sqlite";
/// A copy that waits for its journals.
const WAITS: &str = "tree.copy";
/// Trees of the house's earlier lives begin so.
const EARLIER: &str = "earlier-";

/// A tree that was copied and is not in its place yet; without that it is gone
/// again when this is dropped.
pub(crate) struct Waiting {
    /// The folder of the tree in the copy; none where the house has no tree.
    folder: Option<PathBuf>,
}

/// Copies the tree of a house, where it has one, beside that of a copy.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<Waiting, BackupError> {
    let (from, to) = (from.join(FOLDER), to.join(FOLDER));
    if !from.join(TREE).exists() {
        return Ok(Waiting { folder: None });
    }
    let io = BackupError::io(&to);
    create_private_folder(&to).map_err(io)?;
    let waits = to.join(WAITS);
    if waits.exists() {
        std::fs::remove_file(&waits).map_err(io)?;
    }
    SqliteStore::copy_database(&from.join(TREE), &waits)?;
    let waiting = Waiting {
        folder: Some(to.clone()),
    };
    for entry in std::fs::read_dir(&from).map_err(BackupError::io(&from))? {
        let entry = entry.map_err(BackupError::io(&from))?;
        let name = entry.file_name();
        let is_earlier = name.to_str().is_some_and(|name| name.starts_with(EARLIER));
        if is_earlier && !to.join(&name).exists() {
            SqliteStore::copy_database(&entry.path(), &to.join(&name))?;
        }
    }
    Ok(waiting)
}

impl Waiting {
    /// Puts the tree into its place, once the journals are there.
    pub(crate) fn put(mut self) -> Result<(), BackupError> {
        let Some(folder) = self.folder.take() else {
            return Ok(());
        };
        let io = BackupError::io(&folder);
        std::fs::rename(folder.join(WAITS), folder.join(TREE)).map_err(io)?;
        sync(Some(&folder)).map_err(io)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            let _ = std::fs::remove_file(folder.join(WAITS));
        }
    }
}
