//! `sicbo bundle PATH --round N`: one file that proves one round.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use sicbo_journal::KeyFolder;
use sicbo_proof::Trust;
use sicbo_proof::bundle::{MakeError, make};

use crate::failure::Failure;
use crate::journals::{self, source_failure, world};
use crate::output::Output;

#[derive(Args)]
#[command(after_help = "\
Without --station the bundle is for a regulator and holds every record of the round. With it the \
bundle holds what everyone could see and that station's own bets, and nobody else's. \
`sicbo verify` and `sicbo replay` work on the file alone.")]
pub(crate) struct Bundle {
    /// A data folder, or a journal file that lies in one
    path: PathBuf,
    /// The round
    #[arg(long)]
    round: u64,
    /// Only what concerns this station
    #[arg(long, value_name = "NAME")]
    station: Option<String>,
    /// The table's stream, where there are several
    #[arg(long)]
    stream: Option<String>,
    /// The new file; round-N.bundle unless given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Serialize)]
struct Made {
    file: String,
    bytes: usize,
    round: u64,
    station: Option<String>,
    records: usize,
    house: String,
}

impl Bundle {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let found = journals::open_journals(&self.path)?;
        let one = found.table(self.stream.as_deref());
        let (stream, store) = one.map_err(|error| source_failure(&error))?;
        let keys = if found.is_folder {
            self.path.join("keys")
        } else {
            let folder = store.path().parent().and_then(std::path::Path::parent);
            folder.map(|folder| folder.join("keys")).unwrap_or_default()
        };
        let keys = KeyFolder::read_hand_overs(&keys).map_err(|error| world(&error))?;
        let bundle =
            make(&store, &stream, keys, self.round, self.station.as_deref()).map_err(|error| {
                match error {
                    MakeError::Journal(_) => Failure::World(format!(
                        "{error}; run `sicbo verify` and keep the journal as it is"
                    )),
                    _ => Failure::input(error),
                }
            })?;
        // What is handed out is what was checked.
        let proved = bundle
            .check(&Trust::Anyone)
            .map_err(|fault| Failure::World(format!("the bundle does not verify: {fault}")))?;
        let bytes = bundle.to_bytes();
        let name = format!("round-{}.bundle", self.round);
        let path = self.out.unwrap_or_else(|| PathBuf::from(name));
        let mut file = std::fs::File::create_new(&path)
            .map_err(|error| Failure::file("make", &path, &error))?;
        file.write_all(&bytes)
            .and_then(|()| file.sync_all())
            .map_err(|error| Failure::file("write", &path, &error))?;
        let made = Made {
            file: path.display().to_string(),
            bytes: bytes.len(),
            round: self.round,
            station: self.station,
            records: proved.records,
            house: proved.house.to_string(),
        };
        if out.is_json() {
            return out.json(&made);
        }
        out.line(format!(
            "{}: round {}, {} records, {} bytes",
            made.file, made.round, made.records, made.bytes
        ))?;
        out.line(format!("house {}", made.house))
    }
}
