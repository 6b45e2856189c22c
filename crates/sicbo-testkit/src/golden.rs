//! The golden data folder of the tables, which tests may read a copy of.

use std::path::Path;

/// Its first signing key.
pub const FIRST_KEY: [u8; 32] = [7; 32];

/// A copy of the newest golden folder that a test may do anything to.
#[must_use]
pub fn copy() -> tempfile::TempDir {
    let to = tempfile::tempdir().expect("a folder");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sicbo-proof/tests/golden/house");
    copy_folder(&from, to.path());
    to
}

/// Copies a folder with all that is in it.
pub fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("made");
    for entry in std::fs::read_dir(from).expect("listed") {
        let entry = entry.expect("listed");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("copied");
        }
    }
}
