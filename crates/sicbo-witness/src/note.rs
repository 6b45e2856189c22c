//! Signed notes (c2sp.org/signed-note): a text, and under it lines that each
//! carry one key's signature. Owns the bytes of notes, of verifier keys and of
//! cosignatures (c2sp.org/tlog-cosignature); what a text means is not known here.

use std::fmt;

use base64ct::{Base64, Encoding};
use sicbo_journal::{Hash, HouseKey, PublicKey, SignError};

/// Longest note that is read at all.
pub const MAX_NOTE: usize = 64 * 1024;
/// Most signature lines that are read. The specification asks for at least 16.
const MAX_SIGNATURES: usize = 64;
/// What every signature line begins with: an em dash and a space.
const SIGNATURE_START: &str = "— ";
/// The first bytes of every Ed25519 public key in SPKI DER form (RFC 8410).
const SPKI_PREFIX: [u8; 12] = [0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0];

/// What a key signs, by its byte in the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// `0x01`: Ed25519 over the text.
    Ed25519,
    /// `0x04`: Ed25519 over the text and a time, as a witness cosigns.
    CosignatureV1,
}

impl Algorithm {
    fn byte(self) -> u8 {
        match self {
            Algorithm::Ed25519 => 0x01,
            Algorithm::CosignatureV1 => 0x04,
        }
    }
}

/// A public key with its name, as people exchange it, e.g.
/// `witness.example/w1+4f1e8c2a+BPm…`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifierKey {
    name: String,
    algorithm: Algorithm,
    key: PublicKey,
}

impl VerifierKey {
    /// Names a key.
    ///
    /// # Errors
    /// When the name is empty or has a space or a plus.
    pub fn new(name: &str, algorithm: Algorithm, key: PublicKey) -> Result<VerifierKey, NoteError> {
        if !is_key_name(name) {
            return Err(NoteError::KeyName);
        }
        let name = name.to_owned();
        Ok(VerifierKey {
            name,
            algorithm,
            key,
        })
    }

    /// Reads a key from its text form.
    ///
    /// # Errors
    /// When it is no such text, or its parts do not belong together.
    pub fn parse(text: &str) -> Result<VerifierKey, NoteError> {
        // The base64 may have a plus of its own: only the first two part it.
        let mut parts = text.splitn(3, '+');
        let (Some(name), Some(id), Some(encoded)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(NoteError::KeyForm);
        };
        let is_id = id.len() == 8 && id.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let bytes = Base64::decode_vec(encoded).map_err(|_| NoteError::KeyForm)?;
        let (&[algorithm], raw) = bytes.split_at_checked(1).ok_or(NoteError::KeyForm)? else {
            return Err(NoteError::KeyForm);
        };
        let algorithm = match algorithm {
            0x01 => Algorithm::Ed25519,
            0x04 => Algorithm::CosignatureV1,
            found => return Err(NoteError::KeyAlgorithm { found }),
        };
        let der = [&SPKI_PREFIX[..], raw].concat();
        let key = PublicKey::from_spki_der(&der).map_err(|_| NoteError::KeyForm)?;
        let key = VerifierKey::new(name, algorithm, key)?;
        if !is_id || format!("{:08x}", key.id()) != id {
            return Err(NoteError::KeyId);
        }
        Ok(key)
    }

    /// Who signs with it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it signs.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The first four bytes of SHA-256 over name, line feed, algorithm and key.
    pub fn id(&self) -> u32 {
        let named = [
            self.name.as_bytes(),
            b"\n",
            &[self.algorithm.byte()],
            self.raw(),
        ]
        .concat();
        let [a, b, c, d, ..] = Hash::of(&named).0;
        u32::from_be_bytes([a, b, c, d])
    }

    fn raw(&self) -> &[u8] {
        self.key.as_bytes()
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encoded = [&[self.algorithm.byte()], self.raw()].concat();
        let encoded = Base64::encode_string(&encoded);
        write!(f, "{}+{:08x}+{encoded}", self.name, self.id())
    }
}

/// Whether a key may be called so.
fn is_key_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '+')
}

/// One line under a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    name: String,
    id: u32,
    bytes: Vec<u8>,
}

impl Signature {
    /// Reads one line, without its line feed.
    ///
    /// # Errors
    /// When it is no signature line.
    pub fn parse(line: &str) -> Result<Signature, NoteError> {
        let rest = line
            .strip_prefix(SIGNATURE_START)
            .ok_or(NoteError::SignatureLine)?;
        let (name, encoded) = rest.split_once(' ').ok_or(NoteError::SignatureLine)?;
        let bytes = Base64::decode_vec(encoded).map_err(|_| NoteError::SignatureLine)?;
        let (id, bytes) = bytes
            .split_first_chunk::<4>()
            .ok_or(NoteError::SignatureLine)?;
        if !is_key_name(name) || bytes.is_empty() {
            return Err(NoteError::SignatureLine);
        }
        Ok(Signature {
            name: name.to_owned(),
            id: u32::from_be_bytes(*id),
            bytes: bytes.to_owned(),
        })
    }

    /// Who is said to have signed.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn is_by(&self, key: &VerifierKey) -> bool {
        self.name == key.name && self.id == key.id()
    }
}

impl fmt::Display for Signature {
    /// The line without its line feed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encoded = [&self.id.to_be_bytes()[..], &self.bytes].concat();
        let encoded = Base64::encode_string(&encoded);
        write!(f, "{SIGNATURE_START}{} {encoded}", self.name)
    }
}

/// A text with the signatures under it. None of them is believed before it
/// was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    text: String,
    signatures: Vec<Signature>,
}

impl Note {
    /// Signs a text with a plain Ed25519 signature.
    ///
    /// # Errors
    /// When the text cannot be a note's, or the name no key's.
    pub fn sign(text: &str, name: &str, key: &HouseKey) -> Result<Note, NoteError> {
        check_text(text)?;
        let verifier = VerifierKey::new(name, Algorithm::Ed25519, key.public())?;
        let signature = Signature {
            name: verifier.name.clone(),
            id: verifier.id(),
            bytes: key.sign(text.as_bytes())?.to_vec(),
        };
        Ok(Note {
            text: text.to_owned(),
            signatures: vec![signature],
        })
    }

    /// Reads a note. Its signatures are verified by [`Note::is_signed_by`].
    ///
    /// # Errors
    /// When it is no note.
    pub fn parse(bytes: &[u8]) -> Result<Note, NoteError> {
        if bytes.len() > MAX_NOTE {
            return Err(NoteError::TooLong);
        }
        let note = std::str::from_utf8(bytes).map_err(|_| NoteError::Text)?;
        // The last empty line parts the text from the signatures.
        let at = note.rfind("\n\n").ok_or(NoteError::NoSignatures)?;
        let (text, lines) = (&note[..=at], &note[at + 2..]);
        check_text(text)?;
        let lines = lines.strip_suffix('\n').ok_or(NoteError::NoSignatures)?;
        let lines: Vec<&str> = lines.split('\n').collect();
        if lines.len() > MAX_SIGNATURES {
            return Err(NoteError::TooLong);
        }
        let signatures: Result<Vec<Signature>, NoteError> =
            lines.into_iter().map(Signature::parse).collect();
        Ok(Note {
            text: text.to_owned(),
            signatures: signatures?,
        })
    }

    /// The text with its last line feed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lines under it.
    pub fn signatures(&self) -> &[Signature] {
        &self.signatures
    }

    /// Adds a line, in place of one by the same key.
    pub fn add(&mut self, signature: Signature) {
        let same = |known: &Signature| known.name == signature.name && known.id == signature.id;
        self.signatures.retain(|known| !same(known));
        self.signatures.push(signature);
    }

    /// Whether this key signed the text. A line that claims to be the key's and
    /// is not spoils the note.
    pub fn is_signed_by(&self, key: &VerifierKey) -> bool {
        let mut own = self.signatures.iter().filter(|line| line.is_by(key));
        let good = |line: &Signature| match key.algorithm {
            Algorithm::Ed25519 => match line.bytes.as_slice().try_into() {
                Ok(signature) => key.key.verifies(self.text.as_bytes(), signature),
                Err(_) => false,
            },
            Algorithm::CosignatureV1 => cosigned(&self.text, line, key).is_some(),
        };
        let Some(first) = own.next() else {
            return false;
        };
        good(first) && own.all(good)
    }

    /// When this witness cosigned the text, in seconds of UTC since 1970.
    pub fn cosigned_by(&self, key: &VerifierKey) -> Option<u64> {
        if key.algorithm != Algorithm::CosignatureV1 || !self.is_signed_by(key) {
            return None;
        }
        let own = self.signatures.iter().filter(|line| line.is_by(key));
        own.filter_map(|line| cosigned(&self.text, line, key)).max()
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        self.signatures
            .iter()
            .try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// Cosigns the text of a checkpoint as a witness of this name, at this time in
/// seconds of UTC since 1970.
///
/// # Errors
/// When the name is no key's.
pub fn cosign(text: &str, name: &str, key: &HouseKey, time_s: u64) -> Result<Signature, NoteError> {
    let verifier = VerifierKey::new(name, Algorithm::CosignatureV1, key.public())?;
    let signature = key.sign(cosigned_message(text, time_s).as_bytes())?;
    Ok(Signature {
        name: verifier.name.clone(),
        id: verifier.id(),
        bytes: [&time_s.to_be_bytes()[..], &signature].concat(),
    })
}

fn cosigned_message(text: &str, time_s: u64) -> String {
    format!("cosignature/v1\ntime {time_s}\n{text}")
}

/// When the line's witness cosigned the text, if it did.
fn cosigned(text: &str, line: &Signature, key: &VerifierKey) -> Option<u64> {
    let (time, signature) = line.bytes.split_first_chunk::<8>()?;
    let time_s = u64::from_be_bytes(*time);
    let signature = signature.try_into().ok()?;
    let message = cosigned_message(text, time_s);
    // The specification ends time there.
    let in_time = i64::try_from(time_s).is_ok();
    (in_time && key.key.verifies(message.as_bytes(), signature)).then_some(time_s)
}

fn check_text(text: &str) -> Result<(), NoteError> {
    let plain = !text.contains(|c: char| c < ' ' && c != '\n');
    if plain && text.ends_with('\n') {
        Ok(())
    } else {
        Err(NoteError::Text)
    }
}

/// Why something is no note or no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    /// The key did not sign.
    #[error(transparent)]
    NotSigned(#[from] SignError),
    /// Not a note's text.
    #[error("a note is UTF-8 text that ends with a line feed and has no other control character")]
    Text,
    /// Nothing under the text.
    #[error("a note ends with an empty line and one or more signature lines")]
    NoSignatures,
    /// A line under the text is no signature.
    #[error("a signature line is an em dash, a key's name and base64 of its id and signature")]
    SignatureLine,
    /// Longer than any note of ours.
    #[error(
        "the note is longer than {MAX_NOTE} bytes or has more than {MAX_SIGNATURES} signatures"
    )]
    TooLong,
    /// Not a verifier key.
    #[error("a verifier key is NAME+8 HEXADECIMAL DIGITS+BASE64 of an Ed25519 key")]
    KeyForm,
    /// A name that no key has.
    #[error("the name of a key is not empty and has neither a space nor a plus")]
    KeyName,
    /// Another algorithm.
    #[error(
        "the key has algorithm {found:#04x}; 0x01 (Ed25519) and 0x04 (cosignature/v1) are known"
    )]
    KeyAlgorithm {
        /// The byte found.
        found: u8,
    },
    /// The id is another key's.
    #[error("the key's id does not belong to its name and key: copy the whole line again")]
    KeyId,
}
