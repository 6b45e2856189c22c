//! What `sicbo bench` measures. Nothing here reads arguments or prints.
//!
//! A benchmark and the limit beside it run in the same process, turn by turn,
//! so that a busy machine slows both alike and the ratio stays honest.

pub mod cluster;
pub mod journal;
pub mod serve;
pub mod settle;
pub mod simulate;
pub mod table;
mod table_run;
pub mod verify;

use std::io;
use std::path::{Path, PathBuf};

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The thing asked for cannot be measured.
    #[error("{0}")]
    Input(String),
    /// A part of what is measured has failed.
    #[error("{0}")]
    World(String),
    /// A file cannot be used: `cannot {action} {path}`.
    #[error("cannot {action} {}: {error}", path.display())]
    File {
        /// What was to be done with it: `read`, `write`.
        action: &'static str,
        /// Which.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The lab refused its part.
    #[error(transparent)]
    Lab(#[from] sicbo_lab::LabError),
}

impl BenchError {
    fn world(error: impl std::fmt::Display) -> BenchError {
        BenchError::World(error.to_string())
    }

    fn bug(what: impl std::fmt::Display) -> BenchError {
        BenchError::World(format!("{what}: this is a bug"))
    }

    fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> BenchError {
        let path = path.to_owned();
        move |error| BenchError::File {
            action,
            path,
            error,
        }
    }
}

/// A process or a connection has failed.
impl From<io::Error> for BenchError {
    fn from(error: io::Error) -> BenchError {
        failed(error)
    }
}

fn failed(what: impl std::fmt::Display) -> BenchError {
    BenchError::World(format!("the measurement failed: {what}"))
}

fn median<T: Copy>(figures: &mut [T], order: impl FnMut(&T, &T) -> std::cmp::Ordering) -> T {
    figures.sort_by(order);
    figures[figures.len() / 2]
}

fn thousandths(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// Runs a measurement in a folder of its own; whatever happens, the disk is
/// left as it was.
fn in_folder<T>(
    folder: &Path,
    measure: impl FnOnce() -> Result<T, BenchError>,
) -> Result<T, BenchError> {
    let measured = measure();
    let removed = std::fs::remove_dir_all(folder);
    let measured = measured?;
    removed.map_err(BenchError::file("remove", folder))?;
    Ok(measured)
}
