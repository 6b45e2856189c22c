//! The web app as `make web` built it, inside the binary: its files by their
//! paths. Empty when it was not built.

/// Every file of the app by its path, in order of path.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/app_files.rs"));

/// A file of the app by its path.
#[must_use]
pub fn file(path: &str) -> Option<&'static [u8]> {
    let at = FILES.binary_search_by_key(&path, |(name, _)| *name).ok()?;
    Some(FILES[at].1)
}
