//! What the journal tools share: opening a path, whose key is trusted, the
//! progress bar, and described values as JSON.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use sicbo_journal::PublicKey;
use sicbo_proof::Trust;
use sicbo_proof::describe::Value;
use sicbo_proof::source::{Journals, Source, SourceError};

use crate::failure::Failure;

/// Whose journal it must be.
#[derive(Args)]
pub(crate) struct TrustArgs {
    /// The house's first public key (PEM): a journal of another house is refused
    #[arg(long, value_name = "FILE", conflicts_with = "fingerprint")]
    key: Option<PathBuf>,
    /// The house's fingerprint, or at least its first 16 digits, to the same end
    #[arg(long, value_name = "HEX")]
    fingerprint: Option<String>,
}

impl TrustArgs {
    pub(crate) fn read(&self) -> Result<Trust, Failure> {
        if let Some(path) = &self.key {
            let text = std::fs::read_to_string(path)
                .map_err(|error| Failure::file("read", path, &error))?;
            let key = PublicKey::from_pem(&text)
                .map_err(|error| Failure::World(format!("{}: {error}", path.display())))?;
            return Ok(Trust::Key(key));
        }
        match &self.fingerprint {
            Some(text) => Trust::fingerprint(text).map_err(Failure::input),
            None => Ok(Trust::Anyone),
        }
    }
}

/// Opens what is at a path.
pub(crate) fn open(path: &Path) -> Result<Source, Failure> {
    Source::open(path).map_err(|error| world(&error))
}

/// Opens what must be a data folder or a journal.
pub(crate) fn open_journals(path: &Path) -> Result<Journals, Failure> {
    match open(path)? {
        Source::Journals(journals) => Ok(journals),
        Source::Bundle(_) | Source::Case(_) => Err(Failure::input(format!(
            "{} is a bundle; give a data folder or a journal",
            path.display()
        ))),
    }
}

/// Something in the world that cannot be used.
pub(crate) fn world(error: &dyn std::fmt::Display) -> Failure {
    Failure::World(error.to_string())
}

/// A wrong choice is input, the rest is the world.
pub(crate) fn source_failure(error: &SourceError) -> Failure {
    match error {
        SourceError::NoStream { .. } | SourceError::WhichStream { .. } => Failure::input(error),
        _ => world(error),
    }
}

/// A bar on standard error, only where a person sees it.
pub(crate) fn progress(what: &str, total: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() || total == 0 {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total);
    let style = "{msg} {bar:40} {pos}/{len} records, {per_sec}, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar.set_message(what.to_owned());
    bar
}

/// A described value as JSON, its fields in the order they have.
pub(crate) struct Json<'v>(pub(crate) &'v Value);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Text(text) => serializer.serialize_str(text),
            Value::Number(number) => serializer.serialize_i64(*number),
            Value::Flag(flag) => serializer.serialize_bool(*flag),
            Value::Nothing => serializer.serialize_none(),
            Value::List(values) => {
                let mut list = serializer.serialize_seq(Some(values.len()))?;
                for value in values {
                    list.serialize_element(&Json(value))?;
                }
                list.end()
            }
            Value::Fields(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, value) in fields {
                    map.serialize_entry(name, &Json(value))?;
                }
                map.end()
            }
        }
    }
}
