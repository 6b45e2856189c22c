//! Which file system a store lives on: SQLite's name for it, and the store's
//! own way to the same files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::{Files, SystemFiles};

/// A file system; the default is the operating system's. Tests put a failing
/// one here.
#[derive(Clone, Debug)]
pub struct Vfs {
    name: Option<String>,
    files: Arc<dyn Files>,
}

impl Default for Vfs {
    fn default() -> Self {
        Vfs {
            name: None,
            files: Arc::new(SystemFiles),
        }
    }
}

impl Vfs {
    /// One that is registered with SQLite under this name.
    pub fn named(name: &str, files: Arc<dyn Files>) -> Vfs {
        Vfs {
            name: Some(name.to_owned()),
            files,
        }
    }

    /// The name SQLite knows it by; `None` is the operating system's.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub(super) fn is_system(&self) -> bool {
        self.name.is_none()
    }

    pub(super) fn files(&self) -> &dyn Files {
        self.files.as_ref()
    }
}

/// Where SQLite keeps a file's write-ahead log.
pub(super) fn log_path(path: &Path) -> PathBuf {
    beside(path, "-wal")
}

/// Where SQLite keeps the index of that log.
pub(super) fn log_index_path(path: &Path) -> PathBuf {
    beside(path, "-shm")
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
