//! The house's own secrets, in files only their owner may read, beside its keys.

use std::io::{self, Read as _, Write as _};
use std::path::Path;

use sicbo_register::secret::random;

/// Secrets that must outlive the program.
#[derive(Clone)]
pub struct Secrets {
    /// Keys the hashes of PINs.
    pub pins: [u8; 32],
    /// Draws validation numbers.
    pub vouchers: [u8; 32],
    /// Draws the seeds of simulated tumblers.
    pub tumblers: [u8; 32],
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets")
    }
}

impl Secrets {
    /// Reads them, or makes them where there are none.
    ///
    /// # Errors
    /// When a file cannot be read or made, or holds something else.
    pub fn open_or_create(folder: &Path) -> io::Result<Secrets> {
        Ok(Secrets {
            pins: secret(&folder.join("pins.secret"))?,
            vouchers: secret(&folder.join("vouchers.secret"))?,
            tumblers: secret(&folder.join("tumblers.secret"))?,
        })
    }

    /// Reads them; one that is missing was lost.
    ///
    /// # Errors
    /// When a file cannot be read or holds something else.
    pub fn open(folder: &Path) -> io::Result<Secrets> {
        let read = |name: &str| {
            let path = folder.join(name);
            known(&path).map_err(|error| {
                let words = format!("{}: {error}; restore it from a backup", path.display());
                io::Error::new(error.kind(), words)
            })
        };
        Ok(Secrets {
            pins: read("pins.secret")?,
            vouchers: read("vouchers.secret")?,
            tumblers: read("tumblers.secret")?,
        })
    }
}

fn known(path: &Path) -> io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    std::fs::File::open(path)?.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn secret(path: &Path) -> io::Result<[u8; 32]> {
    match known(path) {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let bytes: [u8; 32] = random().map_err(io::Error::other)?;
            write_private(path, &bytes)?;
            Ok(bytes)
        }
        Err(error) => Err(error),
    }
}

/// Writes a file that only its owner may read, whole or not at all.
///
/// # Errors
/// When it cannot be written.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // No other file's part is called the same.
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&part, path)?;
    if let (true, Some(folder)) = (cfg!(unix), path.parent()) {
        let here = folder.as_os_str().is_empty();
        let folder = if here { Path::new(".") } else { folder };
        std::fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}
