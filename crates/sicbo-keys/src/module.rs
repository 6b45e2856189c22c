//! Which PKCS#11 module may be loaded. Its code runs in the house and is given the
//! PIN, so whoever can write the data folder must not choose it: a module is named
//! on the command line, or it lies where the system's administrator installs
//! programs. Nobody else can change the file or a folder above it.

use std::path::{Path, PathBuf};

use sicbo_journal::rights::{RightsError, require_unwritable};

/// Where administrators install programs.
const SYSTEM: [&str; 5] = ["/usr", "/lib", "/lib64", "/opt", "/nix/store"];

/// Why a module is not loaded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ModuleError {
    /// The data folder names a module elsewhere.
    #[error(
        "the module {0} is named by the data folder, which many can write, and is not where programs are installed ({list}): \
         if it is the right one, name it with --key",
        list = SYSTEM.join(", ")
    )]
    NotInstalled(PathBuf),
    /// It is in a data folder.
    #[error("the module {0} is inside a data folder: install it where programs are")]
    InData(PathBuf),
    /// It cannot be found.
    #[error("the module {path}: {what}")]
    Missing {
        /// Where it should be.
        path: PathBuf,
        /// What the system said.
        what: String,
    },
    /// Somebody else can change it.
    #[error(transparent)]
    Rights(#[from] RightsError),
}

/// Who named a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NamedBy {
    /// Whoever started the program.
    CommandLine,
    /// A file of the data folder.
    Record,
}

/// The module's own path, if it may be loaded.
pub(crate) fn allowed(module: &Path, by: NamedBy) -> Result<PathBuf, ModuleError> {
    let path = std::fs::canonicalize(module).map_err(|error| ModuleError::Missing {
        path: module.to_owned(),
        what: error.to_string(),
    })?;
    let installed = SYSTEM.iter().any(|place| path.starts_with(place));
    if by == NamedBy::Record && !installed {
        return Err(ModuleError::NotInstalled(path));
    }
    let is_data = |folder: &Path| folder.join("journal").is_dir() && folder.join("keys").is_dir();
    if path.ancestors().skip(1).any(is_data) {
        return Err(ModuleError::InData(path));
    }
    require_unwritable(&path)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_module_is_installed_or_named_by_whoever_starts_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("module.so");
        std::fs::write(&file, "code").unwrap();
        let mode = |mode| {
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        mode(0o644);
        let own = std::fs::canonicalize(&file).unwrap();
        // The data folder names it: whatever its rights.
        assert_eq!(
            allowed(&file, NamedBy::Record),
            Err(ModuleError::NotInstalled(own.clone()))
        );
        // A link from where programs are leads to where it leads.
        let sneaky = Path::new("/usr/..").join(own.strip_prefix("/").unwrap());
        assert_eq!(
            allowed(&sneaky, NamedBy::Record),
            Err(ModuleError::NotInstalled(own.clone()))
        );
        assert_eq!(allowed(&file, NamedBy::CommandLine), Ok(own.clone()));
        mode(0o666);
        assert!(matches!(
            allowed(&file, NamedBy::CommandLine),
            Err(ModuleError::Rights(_))
        ));
        mode(0o644);
        // Inside a data folder, by whoever it is named.
        for part in ["journal", "keys/1"] {
            std::fs::create_dir_all(folder.path().join(part)).unwrap();
        }
        let inner = folder.path().join("keys/1/module.so");
        std::fs::copy(&file, &inner).unwrap();
        let inner = std::fs::canonicalize(inner).unwrap();
        assert_eq!(
            allowed(&inner, NamedBy::CommandLine),
            Err(ModuleError::InData(inner.clone()))
        );
        assert!(matches!(
            allowed(Path::new("/no/such.so"), NamedBy::CommandLine),
            Err(ModuleError::Missing { .. })
        ));
        // What the system has installed.
        let installed = Path::new("/usr/bin/env");
        assert!(allowed(installed, NamedBy::Record).is_ok());
    }
}
