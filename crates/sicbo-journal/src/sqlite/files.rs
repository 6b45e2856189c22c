//! The few file operations the store needs beside SQLite's own: writing a file's
//! bytes again, syncing it and its folder, and telling whether a name still
//! stands for the same file. Owns the operating system's side; a test brings its
//! own, so that its disk can fail here too.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Which file a name stands for, whatever its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileIdentity {
    /// The disk.
    pub device: u64,
    /// The file on it.
    pub inode: u64,
}

/// Files by name.
pub trait Files: Send + Sync + fmt::Debug {
    /// Opens a file for reading and writing; `None` when there is none.
    fn open(&self, path: &Path) -> io::Result<Option<Box<dyn RawFile>>>;

    /// Opens a log for reading only; `None` when there is none.
    fn open_log(&self, path: &Path) -> io::Result<Option<Box<dyn RawFile>>> {
        self.open(path)
    }

    /// Which file the name stands for now; `None` when there is none.
    fn identity(&self, path: &Path) -> io::Result<Option<FileIdentity>>;

    /// Gives a file another name, which nothing may have; else the error is `AlreadyExists`.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file; none is as well.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes new, renamed and removed names in a folder durable.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// An open file.
pub trait RawFile {
    /// Its length in bytes.
    fn length(&self) -> io::Result<u64>;
    /// Fills the buffer from a place on; fails when the file is shorter.
    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()>;
    /// Writes at a place.
    fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()>;
    /// Returns when everything written is on the disk.
    fn sync(&self) -> io::Result<()>;
    /// Lets go of what the system keeps of the file in its memory, where it can.
    fn forget_cached(&self) -> io::Result<()> {
        Ok(())
    }
}

/// The operating system's files.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SystemFiles;

/// Database files this process has opened here. They stay open until it ends:
/// closing any descriptor of a file takes away every POSIX lock the process
/// holds on it, those of SQLite's own connections included. One descriptor for
/// each journal is the price.
static HELD: Mutex<BTreeMap<FileIdentity, Arc<File>>> = Mutex::new(BTreeMap::new());

impl Files for SystemFiles {
    fn open(&self, path: &Path) -> io::Result<Option<Box<dyn RawFile>>> {
        // SQLite never locks the log, only the database and the log's index.
        let is_log = path.as_os_str().to_string_lossy().ends_with("-wal");
        let Some(identity) = self.identity(path)? else {
            return Ok(None);
        };
        let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = held.get(&identity) {
            return Ok(Some(Box::new(Arc::clone(file))));
        }
        let file = Arc::new(File::options().read(true).write(true).open(path)?);
        if !is_log {
            held.insert(identity_of(&file.metadata()?), Arc::clone(&file));
        }
        Ok(Some(Box::new(file)))
    }

    fn open_log(&self, path: &Path) -> io::Result<Option<Box<dyn RawFile>>> {
        match File::open(path) {
            Ok(file) => Ok(Some(Box::new(Arc::new(file)))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn identity(&self, path: &Path) -> io::Result<Option<FileIdentity>> {
        match std::fs::metadata(path) {
            Ok(found) => Ok(Some(identity_of(&found))),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        rename_new(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        crate::folder::sync_folder(folder)
    }
}

/// Renames where nothing has the new name, in one step of the file system where it can.
#[cfg(target_os = "linux")]
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // File systems of networks know no such step.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => link_new(from, to),
        done => Ok(done?),
    }
}

#[cfg(not(target_os = "linux"))]
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    link_new(from, to)
}

/// As [`rename_new`] in two steps; a power cut between them leaves both names.
fn link_new(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::hard_link(from, to)?;
    std::fs::remove_file(from)
}

#[cfg(unix)]
fn identity_of(found: &std::fs::Metadata) -> FileIdentity {
    use std::os::unix::fs::MetadataExt;
    FileIdentity {
        device: found.dev(),
        inode: found.ino(),
    }
}

/// Other systems do not let a file be removed while it is open.
#[cfg(not(unix))]
fn identity_of(_: &std::fs::Metadata) -> FileIdentity {
    FileIdentity {
        device: 0,
        inode: 0,
    }
}

impl RawFile for Arc<File> {
    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self.as_ref(), into, at)
    }

    #[cfg(unix)]
    fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(self.as_ref(), bytes, at)
    }

    #[cfg(not(unix))]
    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        use std::io::{Read, Seek};
        let mut file = self.as_ref();
        file.seek(io::SeekFrom::Start(at))?;
        file.read_exact(into)
    }

    #[cfg(not(unix))]
    fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        use std::io::{Seek, Write};
        let mut file = self.as_ref();
        file.seek(io::SeekFrom::Start(at))?;
        file.write_all(bytes)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }

    #[cfg(target_os = "linux")]
    fn forget_cached(&self) -> io::Result<()> {
        let advice = rustix::fs::Advice::DontNeed;
        Ok(rustix::fs::fadvise(self.as_ref(), 0, None, advice)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_something_has_is_not_taken() {
        for rename in [rename_new, link_new] {
            let place = tempfile::tempdir().unwrap();
            let [made, known] = ["made", "known"].map(|name| place.path().join(name));
            std::fs::write(&made, "new").unwrap();
            std::fs::write(&known, "old").unwrap();
            let refused = rename(&made, &known).unwrap_err();
            assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
            assert_eq!(std::fs::read(&known).unwrap(), b"old");
            std::fs::remove_file(&known).unwrap();
            rename(&made, &known).unwrap();
            assert_eq!(std::fs::read(&known).unwrap(), b"new");
            assert!(!made.exists());
        }
    }
}
