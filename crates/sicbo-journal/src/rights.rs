//! Who besides its owner may read a file or folder. Everything here is about
//! Unix modes; on other systems a file has the rights of its folder.

use std::io;
use std::path::{Path, PathBuf};

/// Group and all others.
const NOT_OWNER: u32 = 0o077;
/// All who are neither the owner nor in the file's group.
const STRANGERS: u32 = 0o007;
/// Of a folder: what is in it only its owner can rename or remove.
#[cfg(unix)]
const STICKY: u32 = 0o1000;

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
    /// It is a pipe, a folder or a device: reading it could wait for ever.
    #[error("{path} is no ordinary file: put the file itself there")]
    NotAFile {
        /// What stands there.
        path: PathBuf,
    },
    /// It is somebody else's.
    #[error(
        "{path} belongs to another user (number {owner}), who could change it: give it to the \
         user that the house runs as, and replace it if anyone could have read it"
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The user.
        owner: u32,
    },
    /// Others may write it, or a folder above it.
    #[error(
        "others may write {path} (mode {mode:03o}), and what is in it would run in the house: run \
         `chmod go-w {path}`"
    )]
    Writable {
        /// The file or folder.
        path: PathBuf,
        /// Its rights.
        mode: u32,
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

/// Checks that a secret is an ordinary file that only its owner may use, and that
/// the owner is the user this program runs as, the system's, or the owner of the
/// folder it is in. Asked before the file is opened: a pipe would hold whoever
/// opens it.
///
/// # Errors
/// When somebody else may use it, or the rights cannot be read.
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

/// Checks that nobody but the system's user and the one this program runs as can
/// change a file whose code is to run here: neither the file nor a folder above it.
///
/// # Errors
/// When somebody else can, or the rights cannot be read.
pub fn require_unwritable(path: &Path) -> Result<(), RightsError> {
    let unknown = unknown(path);
    let path = std::fs::canonicalize(path).map_err(&unknown)?;
    if !std::fs::metadata(&path).map_err(&unknown)?.is_file() {
        return Err(RightsError::NotAFile { path });
    }
    #[cfg(unix)]
    for (at, part) in path.ancestors().enumerate() {
        use std::os::unix::fs::MetadataExt as _;
        let found = std::fs::metadata(part).map_err(&unknown)?;
        let (owner, mode) = (found.uid(), found.mode() & 0o7777);
        let path = part.to_owned();
        if owner != 0 && user().is_some_and(|user| user != owner) {
            return Err(RightsError::Foreign { path, owner });
        }
        // What is in a folder such as /tmp only its owner can replace.
        let kept = at > 0 && mode & STICKY != 0;
        if mode & 0o022 != 0 && !kept {
            return Err(RightsError::Writable { path, mode });
        }
    }
    Ok(())
}

/// The user this program runs as, where that can be known.
#[cfg(unix)]
fn user() -> Option<u32> {
    #[cfg(target_os = "linux")]
    return Some(rustix::process::geteuid().as_raw());
    #[cfg(not(target_os = "linux"))]
    None
}

fn unknown(path: &Path) -> impl Fn(io::Error) -> RightsError + use<> {
    let path = path.to_owned();
    move |error| RightsError::Unknown {
        path: path.clone(),
        what: error.to_string(),
    }
}

/// An ordinary file, and whose.
fn require_own(path: &Path) -> Result<(), RightsError> {
    let found = std::fs::metadata(path).map_err(unknown(path))?;
    if !found.is_file() {
        return Err(RightsError::NotAFile {
            path: path.to_owned(),
        });
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let owner = found.uid();
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = std::fs::metadata(folder.unwrap_or(Path::new("."))).map_err(unknown(path))?;
        let known = owner == 0 || owner == folder.uid();
        if !known && user().is_some_and(|user| user != owner) {
            return Err(RightsError::Foreign {
                path: path.to_owned(),
                owner,
            });
        }
    }
    Ok(())
}

fn require(path: &Path, forbidden: u32, wanted: &'static str) -> Result<(), RightsError> {
    require_own(path)?;
    let mode = mode(path).map_err(unknown(path))?;
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
    fn a_secret_is_an_ordinary_file_of_this_user() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe.secret");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        set(&pipe, 0o600);
        for path in [pipe.as_path(), folder.path()] {
            let said = require_private(path).unwrap_err();
            assert!(matches!(said, RightsError::NotAFile { .. }), "{said}");
        }
        let file = folder.path().join("pins.secret");
        create_private_file(&file).unwrap();
        require_private(&file).unwrap();
        // Only the system's user can give a file away.
        if user() == Some(0) {
            std::os::unix::fs::chown(&file, Some(12_345), None).unwrap();
            let said = require_private(&file).unwrap_err().to_string();
            assert!(said.contains("another user (number 12345)"), "{said}");
            // A folder of that user's is looked after by somebody else on purpose.
            std::os::unix::fs::chown(folder.path(), Some(12_345), None).unwrap();
            require_private(&file).unwrap();
        }
    }

    #[test]
    fn code_that_runs_here_is_written_by_nobody_else() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("lib");
        std::fs::create_dir(&inner).unwrap();
        let file = inner.join("module.so");
        create_private_file(&file).unwrap();
        set(&file, 0o755);
        require_unwritable(&file).unwrap();
        for (loose, tight, path) in [
            (0o775, 0o755, file.as_path()),
            (0o757, 0o755, &inner),
            (0o777, 0o700, folder.path()),
        ] {
            set(path, loose);
            let said = require_unwritable(&file).unwrap_err();
            assert!(
                matches!(&said, RightsError::Writable { path: at, .. } if at.ends_with(path.file_name().unwrap())),
                "{said}"
            );
            set(path, tight);
            require_unwritable(&file).unwrap();
        }
        let said = require_unwritable(&inner).unwrap_err();
        assert!(matches!(said, RightsError::NotAFile { .. }), "{said}");
        if user() == Some(0) {
            std::os::unix::fs::chown(&inner, Some(12_345), None).unwrap();
            let said = require_unwritable(&file).unwrap_err();
            assert!(matches!(said, RightsError::Foreign { .. }), "{said}");
        }
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
