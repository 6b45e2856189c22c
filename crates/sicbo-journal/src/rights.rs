//! Who besides its owner may read a file or folder. Everything here is about
//! Unix modes; on other systems a file has the rights of its folder.

use std::io;
use std::path::{Path, PathBuf};

/// Group and all others.
const NOT_OWNER: u32 = 0o077;
/// All who are neither the owner nor in the file's group.
const STRANGERS: u32 = 0o007;

/// A secret that somebody else may read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RightsError {
    /// Somebody besides its owner may read, write or enter it.
    #[error(
        "others may use the secret {path} (mode {mode:03o}): run `chmod {wanted} {path}`, and \
         replace it if anyone could have read it"
    )]
    Loose {
        /// The file.
        path: PathBuf,
        /// Its rights.
        mode: u32,
        /// What they should be, as `chmod` takes it.
        wanted: &'static str,
    },
    /// Its rights are not known.
    #[error("the rights of {path} cannot be read: {what}")]
    Unknown {
        /// The file.
        path: PathBuf,
        /// What the system said.
        what: String,
    },
}

/// Checks that only the owner may use a secret file.
///
/// # Errors
/// When somebody else may, or the rights cannot be read.
pub fn require_private(path: &Path) -> Result<(), RightsError> {
    require(path, NOT_OWNER, "go=")
}

/// Checks that a secret file is closed to strangers. Its group may read it: TLS
/// keys are handed to services by group, and an access list of a system
/// credential shows up as group rights.
///
/// # Errors
/// When strangers may use it, or the rights cannot be read.
pub fn require_no_strangers(path: &Path) -> Result<(), RightsError> {
    require(path, STRANGERS, "o=")
}

fn require(path: &Path, forbidden: u32, wanted: &'static str) -> Result<(), RightsError> {
    let mode = mode(path).map_err(|error| RightsError::Unknown {
        path: path.to_owned(),
        what: error.to_string(),
    })?;
    match mode {
        Some(mode) if mode & forbidden != 0 => Err(RightsError::Loose {
            path: path.to_owned(),
            mode,
            wanted,
        }),
        _ => Ok(()),
    }
}

/// Makes a folder, and those above it where they are missing. Only its owner may
/// enter the folder itself. One that is there stays as it is.
///
/// # Errors
/// When it cannot be made.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let mut folder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    match folder.create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        made => made,
    }
}

/// Makes an empty file that only its owner may use.
///
/// # Errors
/// When it is there already or cannot be made.
pub fn create_private_file(path: &Path) -> io::Result<std::fs::File> {
    let mut options = std::fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Takes the rights of everybody but the owner away; gives the mode that was
/// there, if it was too loose.
///
/// # Errors
/// When the rights cannot be read or changed.
pub fn tighten(path: &Path) -> io::Result<Option<u32>> {
    let Some(loose) = mode(path)?.filter(|mode| mode & NOT_OWNER != 0) else {
        return Ok(None);
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let tight = std::fs::Permissions::from_mode(loose & !NOT_OWNER);
        std::fs::set_permissions(path, tight)?;
    }
    Ok(Some(loose))
}

/// The mode of what a path leads to; none where there are no modes.
fn mode(path: &Path) -> io::Result<Option<u32>> {
    let found = std::fs::metadata(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        Ok(Some(found.permissions().mode() & 0o777))
    }
    #[cfg(not(unix))]
    {
        let _ = found;
        Ok(None)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn set(path: &Path, mode: u32) {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("set");
    }

    #[test]
    fn every_mode_is_judged_by_who_may_use_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pins.secret");
        create_private_file(&file).unwrap();
        assert_eq!(mode(&file).unwrap(), Some(0o600));
        for bits in 0..0o1000 {
            // The owner keeps reading it, or the test could not.
            let bits = bits | 0o400;
            set(&file, bits);
            assert_eq!(
                require_private(&file).is_ok(),
                bits & 0o077 == 0,
                "{bits:o}"
            );
            assert_eq!(
                require_no_strangers(&file).is_ok(),
                bits & 0o007 == 0,
                "{bits:o}"
            );
        }
        set(&file, 0o640);
        let said = require_private(&file).unwrap_err().to_string();
        assert!(
            said.contains("pins.secret (mode 640): run `chmod go= "),
            "{said}"
        );
    }

    #[test]
    fn tightening_leaves_the_owner_what_they_had() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("above/journal");
        create_private_folder(&inner).unwrap();
        assert_eq!(mode(&inner).unwrap(), Some(0o700));
        assert_eq!(tighten(&inner).unwrap(), None);
        set(&inner, 0o755);
        assert_eq!(tighten(&inner).unwrap(), Some(0o755));
        assert_eq!(mode(&inner).unwrap(), Some(0o700));
        assert!(require_private(&folder.path().join("missing")).is_err());
    }
}
