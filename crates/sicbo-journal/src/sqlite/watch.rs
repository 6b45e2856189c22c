//! Whether the files under the writer are still the files under their names.
//!
//! A removed or replaced file goes on taking writes and syncs as if nothing had
//! happened, and is gone with the process. So the names are looked at after
//! every commit and before its acknowledgement: two questions to the file
//! system, which cost a few microseconds beside a sync.

use std::path::{Path, PathBuf};

use super::files::FileIdentity;
use super::open::OpenError;
use super::vfs::{Vfs, log_path};
use crate::store::AppendError;

/// The files of an open journal.
#[derive(Debug)]
pub(super) struct Watch {
    vfs: Vfs,
    files: [(PathBuf, FileIdentity); 2],
}

impl Watch {
    /// Notes which files they are, once SQLite has opened them.
    pub(super) fn start(path: &Path, vfs: &Vfs) -> Result<Watch, OpenError> {
        let identify = |path: PathBuf| match vfs.files().identity(&path) {
            Ok(Some(identity)) => Ok((path, identity)),
            Ok(None) => Err(OpenError::Missing { path }),
            Err(error) => Err(OpenError::from_io(&path, &error)),
        };
        Ok(Watch {
            files: [identify(path.to_owned())?, identify(log_path(path))?],
            vfs: vfs.clone(),
        })
    }

    /// Fails when a name stands for another file, or for none.
    pub(super) fn check(&self) -> Result<(), AppendError> {
        for (path, identity) in &self.files {
            let what = match self.vfs.files().identity(path) {
                Ok(Some(found)) if found == *identity => continue,
                Ok(Some(_)) => "replaced by another file".to_owned(),
                Ok(None) => "removed".to_owned(),
                Err(error) => format!("made unreachable ({error})"),
            };
            let path = path.display().to_string();
            return Err(AppendError::Gone { path, what });
        }
        Ok(())
    }
}
