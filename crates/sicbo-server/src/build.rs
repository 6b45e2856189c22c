//! What this program was built from, as far as the build knew.

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
