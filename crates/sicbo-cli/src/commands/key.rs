//! `sicbo key`: the house's keys, and what ordinary tools need to check them.

mod adopt;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Serialize;
use sicbo_clock::now_ms;
use sicbo_journal::{
    AdoptError, DataFolder, KeyFolder, KeyPlace, KeyRing, SqliteStore, Store, StreamId,
    Unlock as _, take_over, unsigned_end,
};
use sicbo_keys::{Address, Keys};
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
    /// Encrypt the secret keys with a passphrase
    ///
    /// The house must not be running. Its next start needs the passphrase.
    Encrypt(Encrypt),
    /// Take the passphrase off the secret keys again
    Decrypt(Decrypt),
    /// Write public keys, a checkpoint and its signature for openssl and sha256sum
    Export(Export),
    /// Show the records that an earlier program left unsigned, and sign them
    Adopt(adopt::Adopt),
}

#[derive(Args)]
pub(crate) struct Show {
    /// The data folder
    path: PathBuf,
}

#[derive(Args)]
#[command(after_help = "\
The new key is kept as the old one is: in its file, encrypted with the same passphrase, or in the \
same token. With --to it is made in that token.")]
pub(crate) struct Rotate {
    /// The data folder
    path: PathBuf,
    #[command(flatten)]
    keys: KeyArgs,
    /// Make the new key in a token, at this PKCS#11 address
    #[arg(long, value_name = "ADDRESS")]
    to: Option<Address>,
    /// A file with the PIN of that token, where it is not the one of --key-passphrase
    #[arg(long, value_name = "FILE", requires = "to")]
    to_pin: Option<PathBuf>,
}

#[derive(Args)]
#[command(after_help = "\
The files are PKCS#8 encrypted with scrypt and AES-256, which `openssl pkey -in key.pem` reads. What \
stood on the disk before may still be found there: rotate the key afterwards where that matters.")]
pub(crate) struct Encrypt {
    /// The data folder
    path: PathBuf,
    /// A file with the new passphrase, readable by its owner only
    #[arg(long, value_name = "FILE")]
    passphrase: PathBuf,
    #[command(flatten)]
    keys: KeyArgs,
}

#[derive(Args)]
pub(crate) struct Decrypt {
    /// The data folder
    path: PathBuf,
    #[command(flatten)]
    keys: KeyArgs,
}

/// How the house's key is opened.
#[derive(Args)]
pub(crate) struct KeyArgs {
    /// A file with the passphrase of the house's key or the PIN of its token, readable by its
    /// owner only. Unless given, the credential sicbo-key-passphrase is taken where the service
    /// manager hands one over
    #[arg(long, value_name = "FILE")]
    key_passphrase: Option<PathBuf>,
    /// The token of the house's key, as a PKCS#11 address
    /// (pkcs11:token=NAME;object=KEY?module-path=FILE): for a first key, or where a token has moved
    #[arg(long = "key", value_name = "ADDRESS")]
    token: Option<Address>,
}

impl KeyArgs {
    /// With what the service manager has handed over.
    pub(crate) fn keys(&self) -> Keys {
        Keys {
            passphrase: self.key_passphrase.clone(),
            credentials: std::env::var_os("CREDENTIALS_DIRECTORY").map(PathBuf::from),
            token: self.token.clone(),
        }
    }
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
            Key::Encrypt(encrypt) => encrypt.run(out),
            Key::Decrypt(decrypt) => decrypt.run(out),
            Key::Export(export) => export.run(out),
            Key::Adopt(adopt) => adopt.run(out),
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
        let unlock = self.keys.keys();
        let keys = KeyFolder::open_with(&folder.keys_path(), &unlock);
        let mut keys = keys.map_err(|error| world(&error))?;
        let mut streams = verified_ends(&folder, keys.ring())?;
        let to = match (&self.to, keys.kept()) {
            (Some(address), _) => Some(address.clone()),
            (None, KeyPlace::Token(address)) => {
                let address: Address = address.parse().map_err(Failure::input)?;
                Some(address.of_number(keys.ring().keys().count() + 1))
            }
            (None, _) => None,
        };
        let rotated = match to {
            Some(address) => {
                let pin = Keys {
                    passphrase: self.to_pin.or(unlock.passphrase),
                    ..unlock
                };
                let (key, place) = pin.made(&address).map_err(Failure::World)?;
                keys.rotate_to(key, place, now_ms())
            }
            None => {
                let mut entropy = zeroize::Zeroizing::new([0; 32]);
                getrandom::fill(&mut *entropy).map_err(|error| {
                    Failure::World(format!("no randomness for a new key: {error}"))
                })?;
                keys.rotate(&entropy, now_ms())
            }
        };
        rotated.map_err(|error| world(&error))?;
        // The old key may still lie somewhere: after these it signs nothing.
        for (stream, store) in &mut streams {
            take_over(store, stream, keys.current(), keys.ring(), now_ms())
                .map_err(|error| Failure::World(format!("{stream}: {error}")))?;
        }
        print(&shown(&self.path)?, out)
    }
}

/// All journals, each verified to be signed to its end: a new key signs for
/// nothing that the old one did not.
fn verified_ends(
    folder: &DataFolder,
    ring: &KeyRing,
) -> Result<Vec<(StreamId, SqliteStore)>, Failure> {
    let mut found = Vec::new();
    for stream in DataFolder::streams(folder.path()).map_err(|error| world(&error))? {
        let store = folder.open_stream(&stream).map_err(|error| world(&error))?;
        let failed =
            |error: AdoptError| Failure::World(format!("{stream}: {error}; the key is as it was"));
        if let Some(unsigned) = unsigned_end(&store, &stream, ring).map_err(failed)? {
            return Err(Failure::World(format!(
                "{stream}: records {} to {} are not signed: look at them with `sicbo key adopt`; \
                 the key is as it was",
                unsigned.start(),
                unsigned.end()
            )));
        }
        found.push((stream, store));
    }
    Ok(found)
}

#[derive(Serialize)]
struct Kept {
    keys: usize,
    encrypted: bool,
}

/// Writes the secret keys of a house that does not run anew.
fn keep(path: &Path, unlock: &Keys, place: &KeyPlace, out: &mut Output) -> Result<(), Failure> {
    let folder = DataFolder::open(path).map_err(|error| world(&error))?;
    let keys = KeyFolder::open_with(&folder.keys_path(), unlock);
    let mut keys = keys.map_err(|error| world(&error))?;
    if matches!(keys.kept(), KeyPlace::Token(_)) {
        return Err(Failure::input(
            "the house's key is in a token, which keeps it by itself",
        ));
    }
    let count = keys.keep_as(place, unlock).map_err(|error| world(&error))?;
    let encrypted = matches!(place, KeyPlace::Encrypted(_));
    let kept = Kept {
        keys: count,
        encrypted,
    };
    if out.is_json() {
        return out.json(&kept);
    }
    out.line(match encrypted {
        true => format!("{count} secret keys are encrypted; a start needs --key-passphrase"),
        false => format!("{count} secret keys lie open in their files, for their owner only"),
    })
}

impl Encrypt {
    fn run(self, out: &mut Output) -> Result<(), Failure> {
        let new = Keys {
            passphrase: Some(self.passphrase),
            ..Keys::default()
        };
        let passphrase = new.passphrase().map_err(Failure::input)?;
        let place = KeyPlace::Encrypted(passphrase);
        keep(&self.path, &self.keys.keys(), &place, out)
    }
}

impl Decrypt {
    fn run(self, out: &mut Output) -> Result<(), Failure> {
        keep(&self.path, &self.keys.keys(), &KeyPlace::File, out)
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
