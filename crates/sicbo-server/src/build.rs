//! What this program was built from, as far as the build knew.

use std::io::{self, Read as _};

use sha2::{Digest as _, Sha256};
use sicbo_rules::RuleBook;

/// Version and commit.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// The version of the release.
    pub version: &'static str,
    /// The commit, or `unknown` where the build was told none.
    pub commit: &'static str,
}

/// What this program was built from. The commit comes from `SICBO_COMMIT` of the build alone
/// (`make package` sets it): a build that asked git would differ with the state of its folder.
#[must_use]
pub const fn known() -> Build {
    Build {
        version: env!("CARGO_PKG_VERSION"),
        commit: match option_env!("SICBO_COMMIT") {
            Some(commit) => commit,
            None => "unknown",
        },
    }
}

/// SHA-256 of the file this program runs from (S-16).
///
/// # Errors
/// When it cannot be read.
pub fn program_digest() -> io::Result<[u8; 32]> {
    let mut file = std::fs::File::open(std::env::current_exe()?)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(hash.finalize().into());
        }
        hash.update(&buffer[..read]);
    }
}

/// SHA-256 over the rule books that the program carries, in their order.
#[must_use]
pub fn books_digest() -> [u8; 32] {
    let mut hash = Sha256::new();
    for book in RuleBook::all() {
        hash.update(book.source());
    }
    hash.finalize().into()
}
