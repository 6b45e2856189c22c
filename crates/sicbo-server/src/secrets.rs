//! The house's own secrets, in files only their owner may read, beside its keys.

use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use sicbo_journal::rights::{RightsError, require_private};
use sicbo_register::identity::{HouseKind, Identity, SecretCheck};
use sicbo_register::secret::random;
use zeroize::Zeroizing;

/// Secrets that must outlive the program. Overwritten in memory when they are
/// dropped.
#[derive(Clone)]
pub struct Secrets {
    /// Keys the hashes of PINs.
    pub pins: Zeroizing<[u8; 32]>,
    /// Draws validation numbers.
    pub vouchers: Zeroizing<[u8; 32]>,
    /// Draws the seeds of simulated tumblers.
    pub tumblers: Zeroizing<[u8; 32]>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets")
    }
}

const PINS: &str = "pins.secret";
const VOUCHERS: &str = "vouchers.secret";
const TUMBLERS: &str = "tumblers.secret";

/// Why the house's secrets cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SecretsError {
    /// A file cannot be read or made.
    #[error("the house's secret {path}: {error}; restore it from a backup")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Somebody else may read one.
    #[error(transparent)]
    Rights(#[from] RightsError),
    /// A file is not the one the house has worked with.
    #[error(
        "{0} is not the secret this house has worked with: it was damaged or is another house's. \
         Restore it from a backup; with this one {1}"
    )]
    NotOurs(PathBuf, &'static str),
}

impl Secrets {
    /// Reads them, or makes them where there are none.
    ///
    /// # Errors
    /// When a file cannot be read or made, holds something else, or is open to
    /// others.
    pub fn open_or_create(folder: &Path) -> Result<Secrets, SecretsError> {
        Secrets::each(folder, |path| match path.exists() {
            true => known(path),
            false => {
                let make = || -> io::Result<Zeroizing<[u8; 32]>> {
                    let bytes = Zeroizing::new(random().map_err(io::Error::other)?);
                    write_private(path, &*bytes)?;
                    Ok(bytes)
                };
                make().map_err(|error| file(path, error))
            }
        })
    }

    /// Reads them; one that is missing was lost.
    ///
    /// # Errors
    /// When a file cannot be read, holds something else, or is open to others.
    pub fn open(folder: &Path) -> Result<Secrets, SecretsError> {
        Secrets::each(folder, known)
    }

    fn each(
        folder: &Path,
        secret: impl Fn(&Path) -> Result<Zeroizing<[u8; 32]>, SecretsError>,
    ) -> Result<Secrets, SecretsError> {
        Ok(Secrets {
            pins: secret(&folder.join(PINS))?,
            vouchers: secret(&folder.join(VOUCHERS))?,
            tumblers: secret(&folder.join(TUMBLERS))?,
        })
    }

    /// What the house is, with these secrets.
    #[must_use]
    pub fn identity(&self, kind: HouseKind) -> Identity {
        Identity {
            kind,
            pins: SecretCheck::of(PINS, &self.pins),
            vouchers: SecretCheck::of(VOUCHERS, &self.vouchers),
            tumblers: SecretCheck::of(TUMBLERS, &self.tumblers),
        }
    }

    /// Compares them with what the house's journal says of them.
    ///
    /// # Errors
    /// The file that holds another secret.
    pub fn check(&self, folder: &Path, known: &Identity) -> Result<(), SecretsError> {
        let own = self.identity(known.kind);
        for (name, same, harm) in [
            (PINS, own.pins == known.pins, "every PIN would be wrong"),
            (
                VOUCHERS,
                own.vouchers == known.vouchers,
                "every voucher would be unknown",
            ),
            (
                TUMBLERS,
                own.tumblers == known.tumblers,
                "tumblers that committed to a seed could not show it",
            ),
        ] {
            if !same {
                return Err(SecretsError::NotOurs(folder.join(name), harm));
            }
        }
        Ok(())
    }
}

fn file(path: &Path, error: io::Error) -> SecretsError {
    SecretsError::File {
        path: path.to_owned(),
        error,
    }
}

fn known(path: &Path) -> Result<Zeroizing<[u8; 32]>, SecretsError> {
    let lost = |error| file(path, error);
    let mut bytes = Zeroizing::new([0; 32]);
    std::fs::metadata(path).map_err(lost)?;
    require_private(path)?;
    let mut open = std::fs::File::open(path).map_err(lost)?;
    open.read_exact(&mut *bytes).map_err(lost)?;
    if open.read(&mut [0]).map_err(lost)? != 0 {
        let what = "it has more than its 32 bytes: it was changed";
        return Err(lost(io::Error::other(what)));
    }
    Ok(bytes)
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
