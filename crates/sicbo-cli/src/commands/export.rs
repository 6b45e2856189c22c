//! `sicbo export PATH`: a journal's records as JSON lines, CSV or Parquet, one by one.

mod parquet;

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sicbo_proof::describe::Value;
use sicbo_proof::source::HOUSE_STREAM;
use sicbo_proof::{VerifyError, csv, export};

use crate::failure::Failure;
use crate::journals::{self, Json, source_failure, world};
use crate::output::Output;
use parquet::Parquet;

#[derive(Args)]
pub(crate) struct Export {
    /// A data folder or a journal file
    path: PathBuf,
    /// The form of the records
    #[arg(long, value_enum, default_value_t = Format::Jsonl)]
    format: Format,
    /// The stream, where there are several
    #[arg(long)]
    stream: Option<String>,
    /// First record
    #[arg(long, value_name = "SEQ", default_value_t = 1)]
    from: u64,
    /// Last record
    #[arg(long, value_name = "SEQ")]
    to: Option<u64>,
    /// Write to this new file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One JSON object per line
    Jsonl,
    /// A file of typed columns for DuckDB and the like; needs --out
    Parquet,
    /// A head line, then one record per line; fields that differ by event are JSON in the last column
    Csv,
}

const COLUMNS: [&str; 7] = [
    "sequence", "time", "time_ms", "event", "by", "second", "command",
];

impl Export {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let found = journals::open_journals(&self.path)?;
        let one = found.one(self.stream.as_deref());
        let (stream, store) = one.map_err(|error| source_failure(&error))?;
        let range = self.from..=self.to.unwrap_or(u64::MAX);
        let mut file = match &self.out {
            Some(path) => {
                let file = std::fs::File::create_new(path)
                    .map_err(|error| Failure::file("make", path, &error))?;
                Some(BufWriter::new(file))
            }
            None => None,
        };
        if self.format == Format::Parquet && file.is_none() {
            return Err(Failure::input(
                "a Parquet file is written to a file: give --out",
            ));
        }
        let mut table = match (self.format, file.take()) {
            (Format::Parquet, Some(sink)) => {
                let made = Parquet::new(sink, stream.as_str());
                Some(made.map_err(|error| Failure::World(error.to_string()))?)
            }
            (_, other) => {
                file = other;
                None
            }
        };
        let mut failed = None;
        let result = {
            let sink: &mut dyn Write = match &mut file {
                Some(file) => file,
                None => out.writer(),
            };
            if self.format == Format::Csv {
                writeln!(sink, "{},fields", COLUMNS.join(","))?;
            }
            let mut put = |fields: Vec<(&'static str, Value)>| {
                let written = match self.format {
                    Format::Jsonl => json_line(sink, &Value::Fields(fields)),
                    Format::Csv => csv_line(sink, &fields),
                    Format::Parquet => {
                        let put = table.as_mut().map(|table| table.put(&fields));
                        put.unwrap_or(Ok(())).map_err(std::io::Error::other)
                    }
                };
                match written {
                    Ok(()) => true,
                    Err(error) => {
                        failed = Some(error);
                        false
                    }
                }
            };
            if stream.as_str() == HOUSE_STREAM {
                export::house(&store, &stream, range, &mut put)
            } else {
                export::table(&store, &stream, range, &mut put)
            }
        };
        if let Some(error) = failed {
            return Err(error.into());
        }
        if let Some(table) = table {
            table.finish().map_err(std::io::Error::other)?;
        }
        if let Some(mut file) = file {
            file.flush()?;
        }
        match result {
            Ok(()) => Ok(()),
            Err(error @ VerifyError::Read(_)) if error.is_of_the_world() => Err(world(&error)),
            Err(error) => {
                out.flush()?;
                eprintln!("sicbo: the journal is not what was written: {error}");
                Err(Failure::Faulty)
            }
        }
    }
}

fn json_line(sink: &mut dyn Write, value: &Value) -> std::io::Result<()> {
    serde_json::to_writer(&mut *sink, &Json(value)).map_err(std::io::Error::from)?;
    sink.write_all(b"\n")
}

fn csv_line(sink: &mut dyn Write, fields: &[(&'static str, Value)]) -> std::io::Result<()> {
    let get = |name: &str| fields.iter().find(|(key, _)| *key == name).map(|(_, v)| v);
    for name in COLUMNS {
        let text = get(name).map_or_else(String::new, ToString::to_string);
        write!(sink, "{},", csv::cell(&text))?;
    }
    let rest = get("fields").unwrap_or(&Value::Nothing);
    let json = serde_json::to_string(&Json(rest)).map_err(std::io::Error::from)?;
    writeln!(sink, "{}", csv::cell(&json))
}
