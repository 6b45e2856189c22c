//! `sicbo key`: the house's keys, and what ordinary tools need to check them.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Serialize;
use sicbo_clock::now_ms;
use sicbo_journal::{DataFolder, KeyFolder, Store};
use sicbo_proof::source::Journals;

use crate::failure::Failure;
use crate::journals::{source_failure, world};
use crate::output::Output;

#[derive(Subcommand)]
pub(crate) enum Key {
    /// The house's fingerprint and every key it has signed with
    Show(Show),
    /// Make a new key and sign the hand-over with the old and the new one
    ///
    /// The house must not be running: its next start signs with the new key.
    Rotate(Rotate),
    /// Write public keys, a checkpoint and its signature for openssl and sha256sum
    Export(Export),
}

#[derive(Args)]
pub(crate) struct Show {
    /// The data folder
    path: PathBuf,
}

#[derive(Args)]
pub(crate) struct Rotate {
    /// The data folder
    path: PathBuf,
}

#[derive(Args)]
pub(crate) struct Export {
    /// The data folder
    path: PathBuf,
    /// The new folder for the files
    dest: PathBuf,
    /// The table's stream, where there are several
    #[arg(long)]
    stream: Option<String>,
    /// The first checkpoint at or after this record; the newest unless given
    #[arg(long, value_name = "SEQ")]
    at: Option<u64>,
}

#[derive(Serialize)]
struct Shown {
    house: String,
    keys: Vec<OneKey>,
}

#[derive(Serialize)]
struct OneKey {
    number: usize,
    key: String,
    current: bool,
    public_pem: String,
}

#[derive(Serialize)]
struct Exported {
    folder: String,
    files: Vec<String>,
    sequence: u64,
    key: String,
}

impl Key {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        match self {
            Key::Show(show) => print(&shown(&show.path)?, out),
            Key::Rotate(rotate) => rotate.run(out),
            Key::Export(export) => export.run(out),
        }
    }
}

fn shown(path: &Path) -> Result<Shown, Failure> {
    let found = Journals::folder(path).map_err(|error| source_failure(&error))?;
    let ring = found.ring.ok_or_else(|| {
        Failure::World(format!(
            "{} has no keys yet: they are made when the house first starts",
            path.display()
        ))
    })?;
    let count = ring.keys().count();
    let keys = ring.keys().enumerate().map(|(at, key)| {
        let public_pem = key.to_pem().map_err(|error| world(&error))?;
        Ok(OneKey {
            number: at + 1,
            key: key.id().to_string(),
            current: at + 1 == count,
            public_pem,
        })
    });
    Ok(Shown {
        house: ring.house().to_string(),
        keys: keys.collect::<Result<_, Failure>>()?,
    })
}

fn print(shown: &Shown, out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        return out.json(shown);
    }
    out.line(format!("house {}", shown.house))?;
    out.line(format!("short {}", &shown.house[..16]))?;
    for key in &shown.keys {
        let now = if key.current { ", signs now" } else { "" };
        out.line(format!("key {} {}{now}", key.number, key.key))?;
        out.text(&key.public_pem)?;
    }
    Ok(())
}

impl Rotate {
    fn run(self, out: &mut Output) -> Result<(), Failure> {
        // Whoever runs the house holds the lock and the old key.
        let folder = DataFolder::open(&self.path).map_err(|error| world(&error))?;
        let mut keys = KeyFolder::open(&folder.keys_path()).map_err(|error| world(&error))?;
        let mut entropy = [0; 32];
        getrandom::fill(&mut entropy)
            .map_err(|error| Failure::World(format!("no randomness for a new key: {error}")))?;
        keys.rotate(&entropy, now_ms())
            .map_err(|error| world(&error))?;
        print(&shown(&self.path)?, out)
    }
}

impl Export {
    fn run(self, out: &mut Output) -> Result<(), Failure> {
        let found = Journals::folder(&self.path).map_err(|error| source_failure(&error))?;
        let (first, hand_overs) =
            KeyFolder::read_hand_overs(&self.path.join("keys")).map_err(|error| world(&error))?;
        let one = found.one(self.stream.as_deref());
        let (stream, store) = one.map_err(|error| source_failure(&error))?;
        let checkpoints = store.checkpoints().map_err(|error| world(&error))?;
        let chosen = match self.at {
            Some(at) => checkpoints
                .iter()
                .find(|signed| signed.checkpoint().sequence >= at),
            None => checkpoints.last(),
        };
        let signed = chosen.ok_or_else(|| {
            Failure::input(format!(
                "{stream} has no checkpoint there: give an earlier --at"
            ))
        })?;
        let checkpoint = signed.checkpoint();
        let block = store
            .read_from(checkpoint.sequence)
            .next()
            .ok_or_else(|| Failure::World("the signed block is missing".to_owned()))?
            .map_err(|error| world(&error))?;
        std::fs::create_dir(&self.dest)
            .map_err(|error| Failure::file("make", &self.dest, &error))?;
        let mut files = Vec::new();
        let mut put = |name: String, bytes: &[u8]| -> Result<(), Failure> {
            let path = self.dest.join(&name);
            std::fs::File::create_new(&path)
                .and_then(|mut file| file.write_all(bytes))
                .map_err(|error| Failure::file("write", &path, &error))?;
            files.push(name);
            Ok(())
        };
        let keys = std::iter::once(&first).chain(hand_overs.iter().map(|to| to.to_key()));
        let mut signer = String::new();
        for (at, key) in keys.enumerate() {
            let name = format!("key-{}.pem", at + 1);
            if key.id() == signed.key_id() {
                signer.clone_from(&name);
            }
            let pem = key.to_pem().map_err(|error| world(&error))?;
            put(name, pem.as_bytes())?;
        }
        for (at, hand_over) in hand_overs.iter().enumerate() {
            let name = format!("hand-over-{}", at + 2);
            put(format!("{name}.txt"), hand_over.message().as_bytes())?;
            put(format!("{name}.old.sig"), hand_over.signature_by_old())?;
            put(format!("{name}.new.sig"), hand_over.signature_by_new())?;
        }
        put("checkpoint.txt".to_owned(), signed.message().as_bytes())?;
        put("checkpoint.sig".to_owned(), signed.signature())?;
        put("header.bin".to_owned(), &block.header)?;
        let exported = Exported {
            folder: self.dest.display().to_string(),
            files,
            sequence: checkpoint.sequence,
            key: signer,
        };
        if out.is_json() {
            return out.json(&exported);
        }
        out.line(format!("{}: {}", exported.folder, exported.files.join(" ")))?;
        out.line("check the signature, then that the header is the one it names:")?;
        out.line(format!(
            "  openssl pkeyutl -verify -pubin -inkey {} -rawin -in checkpoint.txt -sigfile checkpoint.sig",
            exported.key
        ))?;
        out.line("  sha256sum header.bin    # header-sha256 in checkpoint.txt")
    }
}
