//! Files that a command writes beside what it prints. What cannot be written
//! is found out before any long work.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use crate::failure::Failure;
use crate::lab::Origin;
use crate::output::Output;

/// A table of figures.
#[derive(Args)]
pub(crate) struct CsvFile {
    /// Write a table of figures for programs (CSV); - is standard output, and nothing else is
    /// printed then
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
}

/// A table of figures and a picture.
#[derive(Args)]
pub(crate) struct Files {
    #[command(flatten)]
    csv: CsvFile,
    /// Write a picture (SVG); - is standard output, and nothing else is printed then
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Where something is written.
enum Sink {
    Standard,
    Opened(PathBuf, File),
}

/// The files, open.
pub(crate) struct OpenFiles {
    csv: Option<Sink>,
    plot: Option<Sink>,
}

fn open(path: Option<&PathBuf>, extension: &str, what: &str) -> Result<Option<Sink>, Failure> {
    let Some(path) = path else {
        return Ok(None);
    };
    if path.as_os_str() == "-" {
        return Ok(Some(Sink::Standard));
    }
    // A device has no ending and takes anything.
    let given = path
        .extension()
        .map(|given| given.to_string_lossy().to_lowercase());
    if given.as_deref().is_some_and(|given| given != extension) {
        return Err(Failure::input(format!(
            "cannot write {}: {what}; name a file ending in .{extension}",
            path.display()
        )));
    }
    let file = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(false)
        .open(path)
        .map_err(|error| Failure::file("write", path, &error))?;
    Ok(Some(Sink::Opened(path.clone(), file)))
}

impl CsvFile {
    pub(crate) fn open(&self, out: &Output) -> Result<OpenFiles, Failure> {
        let files = OpenFiles {
            csv: open(self.csv.as_ref(), "csv", "tables are CSV")?,
            plot: None,
        };
        files.alone(out)
    }
}

impl Files {
    pub(crate) fn open(&self, out: &Output) -> Result<OpenFiles, Failure> {
        let files = OpenFiles {
            csv: open(self.csv.csv.as_ref(), "csv", "tables are CSV")?,
            plot: open(self.plot.as_ref(), "svg", "pictures are SVG")?,
        };
        files.alone(out)
    }
}

impl OpenFiles {
    /// Only one thing can go to standard output.
    fn alone(self, out: &Output) -> Result<OpenFiles, Failure> {
        let standard = |sink: &Option<Sink>| matches!(sink, Some(Sink::Standard));
        let wanted = [standard(&self.csv), standard(&self.plot), out.is_json()];
        if wanted.iter().filter(|wanted| **wanted).count() > 1 {
            return Err(Failure::input(
                "only one of --csv -, --plot - and --json can go to standard output",
            ));
        }
        Ok(self)
    }

    /// Writes those that were asked for; true when standard output is taken.
    pub(crate) fn write(
        self,
        origin: &Origin<'_>,
        out: &mut Output,
        csv: impl FnOnce() -> String,
        plot: impl FnOnce() -> String,
    ) -> Result<bool, Failure> {
        let mut taken = false;
        if let Some(sink) = self.csv {
            taken |= sink.put(&format!("{}{}", origin.comments(), csv()), out)?;
        }
        if let Some(sink) = self.plot {
            taken |= sink.put(&plot(), out)?;
        }
        Ok(taken)
    }
}

/// Writes the files of a result and shows it: as JSON, or for people with its
/// origin below; not at all when a file took standard output.
pub(crate) fn deliver<T: Serialize>(
    files: OpenFiles,
    origin: &Origin<'_>,
    out: &mut Output,
    result: &T,
    csv: impl FnOnce() -> String,
    plot: impl FnOnce() -> String,
    print: impl FnOnce(&mut Output) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if files.write(origin, out, csv, plot)? {
        return Ok(());
    }
    if out.is_json() {
        return origin.json(result, out);
    }
    print(out)?;
    out.line(origin.line())
}

impl Sink {
    fn put(self, text: &str, out: &mut Output) -> Result<bool, Failure> {
        match self {
            Sink::Standard => {
                out.text(text)?;
                Ok(true)
            }
            Sink::Opened(path, file) => {
                put(&path, file, text)?;
                Ok(false)
            }
        }
    }
}

fn put(path: &Path, mut file: File, text: &str) -> Result<(), Failure> {
    // Devices cannot be cut short and need not be.
    let regular = file.metadata().is_ok_and(|about| about.is_file());
    let cut = if regular { file.set_len(0) } else { Ok(()) };
    cut.and_then(|()| file.write_all(text.as_bytes()))
        .and_then(|()| file.flush())
        .map_err(|error| Failure::file("write", path, &error))
}
