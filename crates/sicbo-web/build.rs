//! Puts the built web app, when there is one, into the binary.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let out = std::env::var_os("OUT_DIR").map(PathBuf::from);
    let (Some(manifest), Some(out)) = (manifest, out) else {
        return;
    };
    let dist = manifest.join("../../web/dist");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", dist.display());
    let mut files = Vec::new();
    collect(&dist, &dist, &mut files);
    files.sort();
    let mut text = String::from("&[\n");
    for (name, path) in files {
        let _ = writeln!(
            text,
            "    ({name:?}, include_bytes!({:?}) as &[u8]),",
            path.display().to_string()
        );
    }
    text.push_str("]\n");
    if let Err(error) = std::fs::write(out.join("app_files.rs"), text) {
        println!("cargo::error=the web app's list of files cannot be written: {error}");
    }
}

/// Every file below a folder, by its path from the root of the app.
fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(root, &path, files);
        } else if let (Ok(name), Ok(whole)) = (path.strip_prefix(root), path.canonicalize()) {
            files.push((format!("/{}", name.display()), whole));
        }
    }
}
