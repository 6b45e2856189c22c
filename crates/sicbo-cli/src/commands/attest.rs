//! `sicbo attest --seed HEX`: the identity of this program, its rule books, a
//! plan and the web app, keyed with a seed and compared with a signed list.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use sicbo_journal::HouseKey;
use sicbo_plan::HousePlan;
use sicbo_server::attest::{self, AttestedPart};
use sicbo_witness::note::{Algorithm, Note, VerifierKey};

use super::serve::read_plan;
use crate::failure::Failure;
use crate::journals::world;
use crate::output::Output;

#[derive(Args)]
#[command(after_help = "\
The seed is drawn by whoever asks: a digest that is keyed with it cannot have been prepared. \
Asked with the same seed, a copy of the program that is known to be good gives the same digests, \
and so does the house's own screen of security.")]
pub(crate) struct Attest {
    /// 16 to 64 bytes that nobody could foresee, as hexadecimal digits
    #[arg(long, value_name = "HEX")]
    seed: String,
    /// The plan of a house (TOML); without it, the trial house
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// A signed list of what was approved
    #[arg(long, value_name = "FILE", requires = "key")]
    list: Option<PathBuf>,
    /// The key that signs such lists, as `--sign` prints it
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Print the list of this software instead, signed with this Ed25519 key (PEM)
    #[arg(long, value_name = "FILE", requires = "name", conflicts_with = "list")]
    sign: Option<PathBuf>,
    /// The name under which it is signed, e.g. lab.example/approved
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

#[derive(Serialize)]
struct Attested {
    seed: String,
    parts: Vec<AttestedPart>,
    /// Whether all is as listed; null where no list was given.
    as_listed: Option<bool>,
}

impl Attest {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let seed = attest::seed(&self.seed).ok_or_else(|| Failure::input(attest::SEED_FORM))?;
        let plan = match &self.config {
            Some(file) => read_plan(file)?,
            None => HousePlan::trial(),
        };
        let parts = attest::attest(&plan, &seed).map_err(|error| world(&error))?;
        if let (Some(file), Some(name)) = (&self.sign, &self.name) {
            return sign(&attest::list(&parts), file, name, out);
        }
        let compared = match &self.list {
            None => None,
            Some(file) => Some(compare(&parts, file, self.key.as_deref())?),
        };
        let as_listed = compared.as_ref().map(Result::is_ok);
        if out.is_json() {
            let seed = self.seed.trim().to_owned();
            out.json(&Attested {
                seed,
                parts,
                as_listed,
            })?;
        } else {
            for part in &parts {
                out.line(&part.part)?;
                out.line(format!("  sha256  {}", part.sha256))?;
                out.line(format!("  keyed   {}", part.keyed))?;
            }
            match &compared {
                Some(Ok(())) => out.line("all as listed")?,
                Some(Err(why)) => out.line(why)?,
                None => {}
            }
        }
        match as_listed {
            Some(false) => Err(Failure::Faulty),
            _ => Ok(()),
        }
    }
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(file).map_err(|error| Failure::file("read", file, &error))
}

fn compare(
    parts: &[AttestedPart],
    file: &Path,
    key: Option<&str>,
) -> Result<Result<(), String>, Failure> {
    let key = VerifierKey::parse(key.unwrap_or_default())
        .map_err(|error| Failure::input(format!("--key: {error}")))?;
    let compared = attest::compare(parts, &read(file)?, &key);
    Ok(compared.map_err(|why| why.to_string()))
}

/// The list as a signed note; the key that vouches for it goes to standard
/// error.
fn sign(list: &str, file: &Path, name: &str, out: &mut Output) -> Result<(), Failure> {
    let pem = String::from_utf8(read(file)?).unwrap_or_default();
    let wrong =
        |what: &dyn std::fmt::Display| Failure::input(format!("{}: {what}", file.display()));
    let key = HouseKey::from_pem(&pem).map_err(|error| wrong(&error))?;
    let note = Note::sign(list, name, &key).map_err(|error| wrong(&error))?;
    let verifier = VerifierKey::new(name, Algorithm::Ed25519, key.public());
    let verifier = verifier.map_err(|error| wrong(&error))?;
    // Beside the list, so that what is printed is the list and nothing else.
    let _ = writeln!(std::io::stderr(), "key {verifier}");
    out.text(&note.to_string())
}
