//! What a start or a command was told about the house's key: where its
//! passphrase is, and in which token it is.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sicbo_journal::rights::{require_no_strangers, require_private};
use sicbo_journal::{HouseKey, KeyFolder, KeyFolderError, KeyPlace, Passphrase, PublicKey, Unlock};
use zeroize::Zeroizing;

use crate::address::Address;
use crate::module::{NamedBy, allowed};
use crate::token::Token;

/// The name of the credential that a service manager may hand over.
pub const CREDENTIAL: &str = "sicbo-key-passphrase";

/// The longest passphrase that is read.
const MAX_PASSPHRASE: u64 = 4096;

/// What is known about the house's key.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    /// A file with the passphrase, or with the PIN of the token.
    pub passphrase: Option<PathBuf>,
    /// The folder in which the service manager hands credentials over
    /// (`$CREDENTIALS_DIRECTORY`), asked when there is no file.
    pub credentials: Option<PathBuf>,
    /// The token of a first key; and where a key that is in a token is found,
    /// when the address on record has changed.
    pub token: Option<Address>,
}

impl Keys {
    /// Opens a house's keys, or makes the first one: in the token, if one was
    /// named, or in a file, encrypted if there is a passphrase.
    ///
    /// # Errors
    /// When they cannot be opened or made.
    pub fn open_or_create(
        &self,
        path: &Path,
        entropy: &[u8; 32],
    ) -> Result<KeyFolder, KeyFolderError> {
        if !KeyFolder::is_there(path) {
            let locked = |what| KeyFolderError::Locked {
                path: path.to_owned(),
                what,
            };
            let (key, place) = match &self.token {
                Some(address) => self.made(address).map_err(locked)?,
                None => {
                    let place = match self.source() {
                        Some(_) => KeyPlace::Encrypted(self.passphrase().map_err(locked)?),
                        None => KeyPlace::File,
                    };
                    (HouseKey::from_entropy(entropy), place)
                }
            };
            KeyFolder::create(path, &key, &place)?;
        }
        KeyFolder::open_with(path, self)
    }

    /// Makes a key in a token.
    ///
    /// # Errors
    /// Why not, in words.
    pub fn made(&self, address: &Address) -> Result<(HouseKey, KeyPlace), String> {
        let by = match &self.token {
            Some(named) if named.module() == address.module() => NamedBy::CommandLine,
            _ => NamedBy::Record,
        };
        let found = of_module(address, by)?;
        let token = Token::generate(found, self.passphrase()?);
        let token = token.map_err(|error| error.to_string())?;
        let place = KeyPlace::Token(address.to_string());
        Ok((HouseKey::elsewhere(Arc::new(token)), place))
    }

    /// The file that has the passphrase, and whether a service manager put it
    /// there.
    fn source(&self) -> Option<(PathBuf, bool)> {
        if let Some(file) = &self.passphrase {
            return Some((file.clone(), false));
        }
        let file = self.credentials.as_ref()?.join(CREDENTIAL);
        file.exists().then_some((file, true))
    }
}

/// The address with the module's own path, if the module may be loaded.
fn of_module(address: &Address, by: NamedBy) -> Result<Address, String> {
    let module = allowed(address.module(), by).map_err(|error| error.to_string())?;
    Ok(address.with_module(module))
}

impl Unlock for Keys {
    fn passphrase(&self) -> Result<Passphrase, String> {
        let Some((file, credential)) = self.source() else {
            return Err(format!(
                "the key is locked: give its passphrase with --key-passphrase FILE, or as the \
                 credential {CREDENTIAL}"
            ));
        };
        let rights = match credential {
            true => require_no_strangers(&file),
            false => require_private(&file),
        };
        rights.map_err(|error| error.to_string())?;
        let read = || -> std::io::Result<Zeroizing<String>> {
            use std::io::Read as _;
            let mut text = Zeroizing::new(String::with_capacity(MAX_PASSPHRASE as usize));
            std::fs::File::open(&file)?
                .take(MAX_PASSPHRASE)
                .read_to_string(&mut text)?;
            Ok(text)
        };
        let text = read().map_err(|error| format!("{}: {error}", file.display()))?;
        let words = Passphrase::new(text);
        words.ok_or_else(|| format!("{} is empty: write the passphrase into it", file.display()))
    }

    fn token(&self, address: &str, public: &PublicKey) -> Result<HouseKey, String> {
        let known: Address = address.parse().map_err(|bad| format!("{bad}"))?;
        // The token may have moved; which of its keys signs is on record.
        let moved = self.token.as_ref();
        let address = match moved {
            Some(at) => of_module(&at.with_object(known.object()), NamedBy::CommandLine)?,
            // Anybody who can write the folder may have written the record.
            None => of_module(&known, NamedBy::Record)?,
        };
        let token = Token::open(address, self.passphrase()?).map_err(|error| error.to_string())?;
        let key = HouseKey::elsewhere(Arc::new(token));
        if key.public() == *public {
            Ok(key)
        } else {
            Err("the key in the token is another one than the house signs with".to_owned())
        }
    }
}
