//! The house's keys on disk. One numbered folder for each key, put in place
//! whole; the secret half readable by its owner only. Owns the files; who may
//! sign when is the ring's business.
//!
//! ```text
//! keys/1/key.pem           secret, PKCS#8, plain or encrypted, owner only
//! keys/1/key.pkcs11        instead of it: where in a token the secret is
//! keys/1/public.pem        what auditors get
//! keys/2/key.pem           after a rotation
//! keys/2/public.pem
//! keys/2/hand-over.txt     signed by key 1 and key 2
//! keys/2/hand-over.old.sig
//! keys/2/hand-over.new.sig
//! ```

use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::folder::{sync_folder, write_durably};
use crate::key::{HouseKey, KeyError, Passphrase, PublicKey};
use crate::key_ring::{HandOver, HandOverError, KeyRing};
use crate::rights::{RightsError, create_private_folder, require_private};

/// No file here is longer; one that is, is not ours.
const MAX_FILE: u64 = 4096;

/// The secret half as a file.
const SECRET: &str = "key.pem";
/// The address of a secret that is in a token.
const ADDRESS: &str = "key.pkcs11";

/// How a house keeps the secret half of its key.
#[derive(Clone, Debug)]
pub enum KeyPlace {
    /// In a file that only its owner may read.
    File,
    /// In such a file, encrypted.
    Encrypted(Passphrase),
    /// In a token, at this address (a PKCS#11 URI, RFC 7512, without a PIN).
    Token(String),
}

/// What opens keys that do not lie open in their file.
pub trait Unlock {
    /// The passphrase of an encrypted key.
    ///
    /// # Errors
    /// Why there is none, in words.
    fn passphrase(&self) -> Result<Passphrase, String>;

    /// The key at an address, whose public half is this.
    ///
    /// # Errors
    /// Why it cannot be used, in words.
    fn token(&self, address: &str, public: &PublicKey) -> Result<HouseKey, String>;
}

/// Opens plain keys only.
#[derive(Clone, Copy, Debug)]
pub struct NoUnlock;

impl Unlock for NoUnlock {
    fn passphrase(&self) -> Result<Passphrase, String> {
        Err("the key is encrypted, and no passphrase was given".to_owned())
    }

    fn token(&self, _: &str, _: &PublicKey) -> Result<HouseKey, String> {
        Err("the key is in a token, which cannot be used here".to_owned())
    }
}

/// The house's keys: the current secret one, and the ring of all public ones.
#[derive(Debug)]
pub struct KeyFolder {
    path: PathBuf,
    current: HouseKey,
    kept: KeyPlace,
    ring: KeyRing,
}

impl KeyFolder {
    /// Opens the keys, or makes the first one. `entropy` is called only then
    /// and must give 32 bytes of the operating system's randomness.
    pub fn open_or_create(
        path: &Path,
        entropy: impl FnOnce() -> [u8; 32],
    ) -> Result<KeyFolder, KeyFolderError> {
        if !KeyFolder::is_there(path) {
            let key = HouseKey::from_entropy(&entropy());
            KeyFolder::create(path, &key, &KeyPlace::File)?;
        }
        KeyFolder::open(path)
    }

    /// Whether a first key was made.
    pub fn is_there(path: &Path) -> bool {
        path.join("1").exists()
    }

    /// Puts the first key in place.
    pub fn create(path: &Path, key: &HouseKey, place: &KeyPlace) -> Result<(), KeyFolderError> {
        create_private_folder(path).map_err(|error| io(path, &error))?;
        put_key(path, 1, (key, place), None)
    }

    /// Opens plain keys for signing. Refuses a secret that others may read.
    pub fn open(path: &Path) -> Result<KeyFolder, KeyFolderError> {
        KeyFolder::open_with(path, &NoUnlock)
    }

    /// Opens the keys for signing, wherever the secret is.
    pub fn open_with(path: &Path, unlock: &dyn Unlock) -> Result<KeyFolder, KeyFolderError> {
        let (ring, count) = read_ring(path)?;
        let folder = path.join(count.to_string());
        let (current, kept) = open_secret(&folder, ring.current(), unlock)?;
        if current.public() != *ring.current() {
            return Err(KeyFolderError::Mismatch {
                path: folder.join(SECRET),
            });
        }
        Ok(KeyFolder {
            path: path.to_owned(),
            current,
            kept,
            ring,
        })
    }

    /// Reads the public keys only, for verifying. Whoever verifies for others
    /// compares [`KeyRing::house`] with what the house has published.
    pub fn read_ring(path: &Path) -> Result<KeyRing, KeyFolderError> {
        read_ring(path).map(|(ring, _)| ring)
    }

    /// Reads the public keys as far as they hold, for whoever examines a folder,
    /// and says what is wrong with the first that does not.
    pub fn examine_ring(path: &Path) -> (Option<KeyRing>, Option<KeyFolderError>) {
        let mut found = None;
        let wrong = read_keys_into(path, &mut found).err();
        (found.map(|(_, _, ring)| ring), wrong)
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

    /// How its secret half is kept.
    pub fn kept(&self) -> &KeyPlace {
        &self.kept
    }

    /// All public keys.
    pub fn ring(&self) -> &KeyRing {
        &self.ring
    }

    /// Hands over to a new key made from this entropy, kept as the old one is.
    /// Checkpoints are signed with it as soon as this returns.
    pub fn rotate(&mut self, entropy: &[u8; 32], time_ms: i64) -> Result<(), KeyFolderError> {
        let place = self.kept.clone();
        self.rotate_to(HouseKey::from_entropy(entropy), place, time_ms)
    }

    /// Hands over to this key, kept there.
    pub fn rotate_to(
        &mut self,
        new: HouseKey,
        place: KeyPlace,
        time_ms: i64,
    ) -> Result<(), KeyFolderError> {
        let hand_over = HandOver::sign(&self.ring, &self.current, &new, time_ms)?;
        let number = self.ring.keys().count() + 1;
        put_key(&self.path, number, (&new, &place), Some(&hand_over))?;
        self.ring.accept(&hand_over)?;
        (self.current, self.kept) = (new, place);
        Ok(())
    }

    /// Writes every secret half that is in a file anew: the current one and
    /// those that were handed over from. Gives how many there were.
    pub fn keep_as(
        &mut self,
        place: &KeyPlace,
        unlock: &dyn Unlock,
    ) -> Result<usize, KeyFolderError> {
        let count = self.ring.keys().count();
        let mut written = 0;
        // The current key last: until it is written, the passphrase of before
        // opens all that is needed.
        for (number, public) in (1..=count).zip(self.ring.keys()) {
            let folder = self.path.join(number.to_string());
            if !folder.join(SECRET).exists() {
                continue;
            }
            let (key, _) = open_secret(&folder, public, unlock)?;
            if key.public() != *public {
                return Err(KeyFolderError::Mismatch {
                    path: folder.join(SECRET),
                });
            }
            let (name, text) = secret_file(&folder, &key, place)?;
            let (unfinished, file) = (folder.join("key.unfinished"), folder.join(name));
            let put = || -> std::io::Result<()> {
                if unfinished.exists() {
                    std::fs::remove_file(&unfinished)?;
                }
                write_durably(&unfinished, text.as_bytes(), 0o600)?;
                std::fs::rename(&unfinished, &file)?;
                sync_folder(&folder)
            };
            put().map_err(|error| io(&file, &error))?;
            written += 1;
        }
        self.kept = place.clone();
        Ok(written)
    }
}

/// The secret half in a key's folder, and how it is kept.
fn open_secret(
    folder: &Path,
    public: &PublicKey,
    unlock: &dyn Unlock,
) -> Result<(HouseKey, KeyPlace), KeyFolderError> {
    let (secret, address) = (folder.join(SECRET), folder.join(ADDRESS));
    let locked = |path: &Path| {
        let path = path.to_owned();
        move |what| KeyFolderError::Locked { path, what }
    };
    if !secret.exists() && address.exists() {
        let text = read_text(&address)?.trim().to_owned();
        let key = unlock.token(&text, public).map_err(locked(&address))?;
        return Ok((key, KeyPlace::Token(text)));
    }
    if secret.exists() {
        require_private(&secret)?;
    }
    let text = Zeroizing::new(read_text(&secret)?);
    if !HouseKey::is_encrypted_pem(&text) {
        let key = HouseKey::from_pem(&text).map_err(|error| key_error(&secret, error))?;
        return Ok((key, KeyPlace::File));
    }
    let passphrase = unlock.passphrase().map_err(locked(&secret))?;
    let key = HouseKey::from_encrypted_pem(&text, &passphrase)
        .map_err(|error| locked(&secret)(error.to_string()))?;
    Ok((key, KeyPlace::Encrypted(passphrase)))
}

/// The file that holds a secret half, or says where it is.
fn secret_file(
    folder: &Path,
    key: &HouseKey,
    place: &KeyPlace,
) -> Result<(&'static str, Zeroizing<String>), KeyFolderError> {
    let text = match place {
        KeyPlace::File => key.to_pem(),
        KeyPlace::Encrypted(passphrase) => key.to_encrypted_pem(passphrase),
        KeyPlace::Token(address) => return Ok((ADDRESS, Zeroizing::new(format!("{address}\n")))),
    };
    let text = text.map_err(|error| key_error(&folder.join(SECRET), error))?;
    Ok((SECRET, text))
}

/// Writes one key's folder under another name, then puts it in place: after a
/// crash it is there whole or not at all.
fn put_key(
    path: &Path,
    number: usize,
    (key, kept): (&HouseKey, &KeyPlace),
    hand_over: Option<&HandOver>,
) -> Result<(), KeyFolderError> {
    let (unfinished, place) = (
        path.join(format!("{number}.unfinished")),
        path.join(number.to_string()),
    );
    let encode = |error| key_error(&place, error);
    let (name, secret) = secret_file(&place, key, kept)?;
    let public = key.public().to_pem().map_err(encode)?;
    let put = || -> std::io::Result<()> {
        if unfinished.exists() {
            std::fs::remove_dir_all(&unfinished)?;
        }
        let mut folder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        folder.create(&unfinished)?;
        write_durably(&unfinished.join(name), secret.as_bytes(), 0o600)?;
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

/// The first key, every hand-over, and the ring they make.
type Introduced = (PublicKey, Vec<HandOver>, KeyRing);

fn read_keys(path: &Path) -> Result<Introduced, KeyFolderError> {
    let mut found = None;
    read_keys_into(path, &mut found)?;
    found.ok_or_else(|| KeyFolderError::Missing {
        path: path.to_owned(),
    })
}

/// Reads the keys one by one; those before the first that does not hold stay.
fn read_keys_into(path: &Path, found: &mut Option<Introduced>) -> Result<(), KeyFolderError> {
    let public = |number: usize| {
        let file = path.join(number.to_string()).join("public.pem");
        let text = read_text(&file)?;
        PublicKey::from_pem(&text).map_err(|error| key_error(&file, error))
    };
    let first = public(1)?;
    let ring = KeyRing::new(first.clone());
    let (_, hand_overs, ring) = found.insert((first, Vec::new(), ring));
    while path.join((hand_overs.len() + 2).to_string()).exists() {
        let count = hand_overs.len() + 2;
        let folder = path.join(count.to_string());
        let message = read_text(&folder.join("hand-over.txt"))?;
        let by_old = read_bytes(&folder.join("hand-over.old.sig"))?;
        let by_new = read_bytes(&folder.join("hand-over.new.sig"))?;
        let hand_over = HandOver::from_parts(&message, &by_old, &by_new)?;
        let mut longer = ring.clone();
        longer.accept(&hand_over)?;
        if public(count)? != *longer.current() {
            return Err(KeyFolderError::Mismatch {
                path: folder.join("public.pem"),
            });
        }
        *ring = longer;
        hand_overs.push(hand_over);
    }
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
    let path = path.to_owned();
    match error.kind() {
        std::io::ErrorKind::NotFound => KeyFolderError::Missing { path },
        _ => KeyFolderError::Io {
            path,
            what: error.to_string(),
        },
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
    #[error(transparent)]
    Rights(#[from] RightsError),
    /// A file is not what it should be.
    #[error("{path}: {what}; restore it from a backup")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The secret half is there and does not open.
    #[error("{path}: {what}")]
    Locked {
        /// The file.
        path: PathBuf,
        /// Why.
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
    /// A file that a key needs is not there.
    #[error("{path} is missing; restore it from a backup")]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The operating system said no.
    #[error("{path} could not be read or written: {what}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        what: String,
    },
}
