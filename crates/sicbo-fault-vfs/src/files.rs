//! The journal's own way to the files of a simulated disk, with the same faults
//! as SQLite's.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use sicbo_journal::{FileIdentity, Files, RawFile, Vfs};

use crate::disk::{DiskError, FaultDisk, Open};

impl FaultDisk {
    /// The disk as a store is opened with it.
    pub fn vfs(&self) -> Vfs {
        Vfs::named(self.vfs_name(), Arc::new(self.clone()))
    }
}

impl std::fmt::Debug for FaultDisk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("FaultDisk").field(&self.vfs_name()).finish()
    }
}

impl From<DiskError> for io::Error {
    fn from(error: DiskError) -> io::Error {
        match error {
            DiskError::Full => io::ErrorKind::StorageFull.into(),
            DiskError::ReadOnly => io::ErrorKind::ReadOnlyFilesystem.into(),
            DiskError::NotFound => io::ErrorKind::NotFound.into(),
            DiskError::Exists => io::ErrorKind::AlreadyExists.into(),
            DiskError::Down => io::Error::other("the disk is down"),
            DiskError::SyncFailed => io::Error::other("the sync failed"),
        }
    }
}

struct OpenFile {
    disk: FaultDisk,
    open: Mutex<Open>,
    inode: u64,
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        self.disk.disk().close(self.inode);
    }
}

impl RawFile for OpenFile {
    fn length(&self) -> io::Result<u64> {
        Ok(self.disk.disk().length(self.inode)? as u64)
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let count = self.disk.disk().read(self.inode, at as usize, into)?;
        if count == into.len() {
            Ok(())
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }

    fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        Ok(self.disk.disk().write(self.inode, at as usize, bytes)?)
    }

    fn sync(&self) -> io::Result<()> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(self.disk.disk().sync(&mut open)?)
    }
}

impl Files for FaultDisk {
    fn open(&self, path: &Path) -> io::Result<Option<Box<dyn RawFile>>> {
        let opened = self.disk().open(&path.to_string_lossy(), false);
        match opened {
            Ok(open) => Ok(Some(Box::new(OpenFile {
                disk: self.clone(),
                open: Mutex::new(open),
                inode: open.inode,
            }))),
            Err(DiskError::NotFound) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn identity(&self, path: &Path) -> io::Result<Option<FileIdentity>> {
        Ok(self
            .inode(path)
            .map(|inode| FileIdentity { device: 0, inode }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (from, to) = (from.to_string_lossy(), to.to_string_lossy());
        Ok(self.disk().rename(&from, &to)?)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut disk = self.disk();
        let name = path.to_string_lossy();
        match disk.exists(&name) {
            true => Ok(disk.delete(&name, false)?),
            false => Ok(()),
        }
    }

    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        // The disk has one folder.
        Ok(self.disk().sync_folder()?)
    }
}
