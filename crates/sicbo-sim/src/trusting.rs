//! The way to a disk's files of a careless store: it takes what it finds in the
//! log for durable, and writes nothing of it again. For a canary.

use std::io;
use std::path::Path;

use sicbo_fault_vfs::FaultDisk;
use sicbo_journal::{FileIdentity, Files, RawFile};

/// Reads as usual, writes and syncs nothing.
#[derive(Debug)]
pub(crate) struct Trusting(pub(crate) FaultDisk);

struct Untouched(Box<dyn RawFile>);

impl Files for Trusting {
    fn open(&self, path: &Path) -> io::Result<Option<Box<dyn RawFile>>> {
        let opened = Files::open(&self.0, path)?;
        Ok(opened.map(|file| Box::new(Untouched(file)) as Box<dyn RawFile>))
    }

    fn identity(&self, path: &Path) -> io::Result<Option<FileIdentity>> {
        self.0.identity(path)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.0.sync_folder(folder)
    }
}

impl RawFile for Untouched {
    fn length(&self) -> io::Result<u64> {
        self.0.length()
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.0.read_at(at, into)
    }

    fn write_at(&self, _: u64, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}
