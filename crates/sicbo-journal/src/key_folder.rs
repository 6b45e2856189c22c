//! The house's keys on disk. One numbered folder for each key, put in place
//! whole; the secret half readable by its owner only. Owns the files; who may
//! sign when is the ring's business.
//!
//! ```text
//! keys/1/key.pem           secret, PKCS#8, owner only
//! keys/1/public.pem        what auditors get
//! keys/2/key.pem           after a rotation
//! keys/2/public.pem
//! keys/2/hand-over.txt     signed by key 1 and key 2
//! keys/2/hand-over.old.sig
//! keys/2/hand-over.new.sig
//! ```

use std::path::{Path, PathBuf};

use crate::folder::{sync_folder, write_durably};
use crate::key::{HouseKey, KeyError, PublicKey};
use crate::key_ring::{HandOver, HandOverError, KeyRing};

/// No file here is longer; one that is, is not ours.
const MAX_FILE: u64 = 4096;

/// The house's keys: the current secret one, and the ring of all public ones.
#[derive(Debug)]
pub struct KeyFolder {
    path: PathBuf,
    current: HouseKey,
    ring: KeyRing,
}

impl KeyFolder {
    /// Opens the keys, or makes the first one. `entropy` is called only then
    /// and must give 32 bytes of the operating system's randomness.
    pub fn open_or_create(
        path: &Path,
        entropy: impl FnOnce() -> [u8; 32],
    ) -> Result<KeyFolder, KeyFolderError> {
        if !path.join("1").exists() {
            let key = HouseKey::from_entropy(&entropy());
            std::fs::create_dir_all(path).map_err(|error| io(path, &error))?;
            put_key(path, 1, &key, None)?;
        }
        KeyFolder::open(path)
    }

    /// Opens the keys for signing. Refuses a secret that others may read.
    pub fn open(path: &Path) -> Result<KeyFolder, KeyFolderError> {
        let (ring, count) = read_ring(path)?;
        let secret = path.join(count.to_string()).join("key.pem");
        check_rights(&secret)?;
        let text = read_text(&secret)?;
        let current = HouseKey::from_pem(&text).map_err(|error| key_error(&secret, error))?;
        if current.public() != *ring.current() {
            return Err(KeyFolderError::Mismatch { path: secret });
        }
        Ok(KeyFolder {
            path: path.to_owned(),
            current,
            ring,
        })
    }

    /// Reads the public keys only, for verifying. Whoever verifies for others
    /// compares [`KeyRing::house`] with what the house has published.
    pub fn read_ring(path: &Path) -> Result<KeyRing, KeyFolderError> {
        read_ring(path).map(|(ring, _)| ring)
    }

    /// Reads the first public key and every hand-over from it, for whoever
    /// hands them on. They are checked as for [`KeyFolder::read_ring`].
    pub fn read_hand_overs(path: &Path) -> Result<(PublicKey, Vec<HandOver>), KeyFolderError> {
        let (first, hand_overs, _) = read_keys(path)?;
        Ok((first, hand_overs))
    }

    /// The key that signs now.
    pub fn current(&self) -> &HouseKey {
        &self.current
    }

    /// All public keys.
    pub fn ring(&self) -> &KeyRing {
        &self.ring
    }

    /// Hands over to a new key made from this entropy. Checkpoints are signed
    /// with it as soon as this returns.
    pub fn rotate(&mut self, entropy: &[u8; 32], time_ms: i64) -> Result<(), KeyFolderError> {
        let new = HouseKey::from_entropy(entropy);
        let hand_over = HandOver::sign(&self.ring, &self.current, &new, time_ms)?;
        let number = self.ring.keys().count() + 1;
        put_key(&self.path, number, &new, Some(&hand_over))?;
        self.ring.accept(&hand_over)?;
        self.current = new;
        Ok(())
    }
}

/// Writes one key's folder under another name, then puts it in place: after a
/// crash it is there whole or not at all.
fn put_key(
    path: &Path,
    number: usize,
    key: &HouseKey,
    hand_over: Option<&HandOver>,
) -> Result<(), KeyFolderError> {
    let (unfinished, place) = (
        path.join(format!("{number}.unfinished")),
        path.join(number.to_string()),
    );
    let encode = |error| key_error(&place, error);
    let (secret, public) = (
        key.to_pem().map_err(encode)?,
        key.public().to_pem().map_err(encode)?,
    );
    let put = || -> std::io::Result<()> {
        if unfinished.exists() {
            std::fs::remove_dir_all(&unfinished)?;
        }
        let mut folder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o755);
        folder.create(&unfinished)?;
        write_durably(&unfinished.join("key.pem"), secret.as_bytes(), 0o600)?;
        write_durably(&unfinished.join("public.pem"), public.as_bytes(), 0o644)?;
        if let Some(hand_over) = hand_over {
            for (name, bytes) in [
                ("hand-over.txt", hand_over.message().as_bytes()),
                ("hand-over.old.sig", hand_over.signature_by_old()),
                ("hand-over.new.sig", hand_over.signature_by_new()),
            ] {
                write_durably(&unfinished.join(name), bytes, 0o644)?;
            }
        }
        std::fs::rename(&unfinished, &place)?;
        sync_folder(path)
    };
    put().map_err(|error| io(&place, &error))
}

fn read_ring(path: &Path) -> Result<(KeyRing, usize), KeyFolderError> {
    let (_, hand_overs, ring) = read_keys(path)?;
    Ok((ring, hand_overs.len() + 1))
}

fn read_keys(path: &Path) -> Result<(PublicKey, Vec<HandOver>, KeyRing), KeyFolderError> {
    let public = |number: usize| {
        let file = path.join(number.to_string()).join("public.pem");
        let text = read_text(&file)?;
        PublicKey::from_pem(&text).map_err(|error| key_error(&file, error))
    };
    let first = public(1)?;
    let mut ring = KeyRing::new(first.clone());
    let mut hand_overs = Vec::new();
    while path.join((hand_overs.len() + 2).to_string()).exists() {
        let count = hand_overs.len() + 2;
        let folder = path.join(count.to_string());
        let message = read_text(&folder.join("hand-over.txt"))?;
        let by_old = read_bytes(&folder.join("hand-over.old.sig"))?;
        let by_new = read_bytes(&folder.join("hand-over.new.sig"))?;
        let hand_over = HandOver::from_parts(&message, &by_old, &by_new)?;
        ring.accept(&hand_over)?;
        hand_overs.push(hand_over);
        if public(count)? != *ring.current() {
            return Err(KeyFolderError::Mismatch {
                path: folder.join("public.pem"),
            });
        }
    }
    Ok((first, hand_overs, ring))
}

#[cfg(unix)]
fn check_rights(path: &Path) -> Result<(), KeyFolderError> {
    use std::os::unix::fs::PermissionsExt;
    let found = std::fs::metadata(path).map_err(|error| io(path, &error))?;
    let mode = found.permissions().mode() & 0o777;
    if mode & 0o077 == 0 {
        Ok(())
    } else {
        Err(KeyFolderError::OthersMayRead {
            path: path.to_owned(),
            mode,
        })
    }
}

#[cfg(not(unix))]
fn check_rights(_path: &Path) -> Result<(), KeyFolderError> {
    Ok(())
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, KeyFolderError> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| io(path, &error))?;
    file.take(MAX_FILE)
        .read_to_end(&mut bytes)
        .map_err(|error| io(path, &error))?;
    Ok(bytes)
}

fn read_text(path: &Path) -> Result<String, KeyFolderError> {
    String::from_utf8(read_bytes(path)?).map_err(|_| KeyFolderError::Malformed {
        path: path.to_owned(),
        what: "not a text".into(),
    })
}

fn io(path: &Path, error: &std::io::Error) -> KeyFolderError {
    KeyFolderError::Io {
        path: path.to_owned(),
        what: error.to_string(),
    }
}

fn key_error(path: &Path, error: KeyError) -> KeyFolderError {
    KeyFolderError::Malformed {
        path: path.to_owned(),
        what: error.to_string(),
    }
}

/// Why the house's keys could not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyFolderError {
    /// Group or others may read the secret.
    #[error(
        "others may read the secret key {path} (mode {mode:03o}): `chmod 600` it, and rotate the \
         key if anyone could have"
    )]
    OthersMayRead {
        /// The file.
        path: PathBuf,
        /// Its rights.
        mode: u32,
    },
    /// A file is not what it should be.
    #[error("{path}: {what}; restore it from a backup")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A key is not the one the hand-over names.
    #[error("{path} is not the key that the house handed over to; restore it from a backup")]
    Mismatch {
        /// The file.
        path: PathBuf,
    },
    /// A hand-over does not hold.
    #[error(transparent)]
    HandOver(#[from] HandOverError),
    /// The operating system said no.
    #[error("{path} could not be read or written: {what}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        what: String,
    },
}
