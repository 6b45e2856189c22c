//! The ways to a disk's files of careless stores, for canaries: one takes what
//! it finds in the log for durable, one writes pages of the database back as it
//! happened to read them, and one never syncs the folder of its files.

use std::io;
use std::path::Path;

use sicbo_fault_vfs::FaultDisk;
use sicbo_journal::{FileIdentity, Files, RawFile};

use crate::canary::Canary;

/// The files of a store with a flaw.
#[derive(Debug)]
pub(crate) struct CarelessFiles {
    pub(crate) disk: FaultDisk,
    pub(crate) flaw: Option<Canary>,
}

impl Files for CarelessFiles {
    fn open(&self, path: &Path) -> io::Result<Option<Box<dyn RawFile>>> {
        let Some(file) = Files::open(&self.disk, path)? else {
            return Ok(None);
        };
        let is_log = path.to_string_lossy().ends_with("-wal");
        Ok(Some(match self.flaw {
            Some(Canary::TrustsTheLog) => Box::new(Untouched(file)),
            Some(Canary::WritesPagesBack) if !is_log => {
                write_back(file.as_ref())?;
                file
            }
            _ => file,
        }))
    }

    fn identity(&self, path: &Path) -> io::Result<Option<FileIdentity>> {
        self.disk.identity(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        Files::rename(&self.disk, from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        Files::remove(&self.disk, path)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        match self.flaw {
            // Leaves the names of files to chance.
            Some(Canary::ForgetsTheFolder) => Ok(()),
            _ => self.disk.sync_folder(folder),
        }
    }
}

/// Every page of a database once more, as it is read.
fn write_back(file: &dyn RawFile) -> io::Result<()> {
    let mut page = [0; 8192];
    for at in (0..file.length()?).step_by(page.len()) {
        file.read_at(at, &mut page)?;
        file.write_at(at, &page)?;
    }
    file.sync()
}

/// A file that is read, and never written again.
struct Untouched(Box<dyn RawFile>);

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
