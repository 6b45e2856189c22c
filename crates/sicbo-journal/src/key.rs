//! House keys: one Ed25519 pair, its public half, its name and its standard
//! text forms. Owns no file and no order among keys; see `key_folder` and
//! `key_ring`.

use std::sync::Arc;

use ed25519_dalek::pkcs8::KeypairBytes;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use zeroize::Zeroizing;

use crate::hash::Hash;

/// The name of a key: SHA-256 of its public half in SPKI DER form, so that
/// `openssl pkey -pubin -in public.pem -outform DER | sha256sum` prints it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, derive_more::Display)]
#[display("{_0}")]
pub struct KeyId(pub Hash);

/// A raw Ed25519 signature of 64 bytes.
pub type SignatureBytes = [u8; 64];

/// The first bytes of every Ed25519 public key in SPKI DER form (RFC 8410).
const SPKI_PREFIX: [u8; 12] = [0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0];

/// Signs with a secret that never comes here, such as a token's.
pub trait Signer: Send + Sync {
    /// The public half.
    fn public(&self) -> PublicKey;
    /// Signs the bytes as they are (plain Ed25519, RFC 8032).
    ///
    /// # Errors
    /// When the device does not sign, in its own words.
    fn sign(&self, message: &[u8]) -> Result<SignatureBytes, SignError>;
}

/// Why there is no signature.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the house's key did not sign: {0}")]
pub struct SignError(pub String);

/// A house's secret signing key.
#[derive(Clone, derive_more::Debug)]
#[debug("HouseKey({})", self.id())]
pub struct HouseKey(Kept);

#[derive(Clone)]
enum Kept {
    /// In memory, which is overwritten when the key is dropped.
    Here(Box<SigningKey>),
    Elsewhere(Arc<dyn Signer>),
}

impl HouseKey {
    /// Makes a key from 32 bytes that must come from the operating system's
    /// randomness (or, under simulation, from the seed).
    pub fn from_entropy(entropy: &[u8; 32]) -> HouseKey {
        HouseKey(Kept::Here(Box::new(SigningKey::from_bytes(entropy))))
    }

    /// A key whose secret is kept by a device.
    pub fn elsewhere(signer: Arc<dyn Signer>) -> HouseKey {
        HouseKey(Kept::Elsewhere(signer))
    }

    /// The public half.
    pub fn public(&self) -> PublicKey {
        match &self.0 {
            Kept::Here(key) => PublicKey(key.verifying_key()),
            Kept::Elsewhere(signer) => signer.public(),
        }
    }

    /// The key's name.
    pub fn id(&self) -> KeyId {
        self.public().id()
    }

    /// Signs the bytes as they are (plain Ed25519, RFC 8032).
    ///
    /// # Errors
    /// When the secret is a device's, and that does not sign or signs wrongly.
    pub fn sign(&self, message: &[u8]) -> Result<SignatureBytes, SignError> {
        match &self.0 {
            Kept::Here(key) => Ok(key.sign(message).to_bytes()),
            Kept::Elsewhere(signer) => {
                let signature = signer.sign(message)?;
                // A signature that nobody can verify must not be written down.
                if signer.public().verifies(message, &signature) {
                    Ok(signature)
                } else {
                    Err(SignError("what it signed does not verify".to_owned()))
                }
            }
        }
    }

    fn pair(&self) -> Result<KeypairBytes, KeyError> {
        match &self.0 {
            Kept::Here(key) => Ok(KeypairBytes {
                secret_key: key.to_bytes(),
                public_key: None,
            }),
            Kept::Elsewhere(_) => Err(KeyError::NotHere),
        }
    }

    /// PKCS#8 in PEM. Version 1, without the public half, is the form every
    /// tool reads.
    pub fn to_pem(&self) -> Result<Zeroizing<String>, KeyError> {
        let pem = self.pair()?.to_pkcs8_pem(LineEnding::LF);
        pem.map_err(|_| KeyError::Encoding)
    }

    /// Encrypted PKCS#8 in PEM: PBES2 with scrypt and AES-256, as
    /// `openssl pkey -in key.pem` reads it.
    #[cfg(feature = "files")]
    pub fn to_encrypted_pem(&self, passphrase: &Passphrase) -> Result<Zeroizing<String>, KeyError> {
        let pair = self.pair()?;
        let pem = pair.to_pkcs8_encrypted_pem(passphrase.text(), LineEnding::LF);
        pem.map_err(|_| KeyError::Encoding)
    }

    /// Reads PKCS#8 in PEM.
    pub fn from_pem(text: &str) -> Result<HouseKey, KeyError> {
        SigningKey::from_pkcs8_pem(text)
            .map(|key| HouseKey(Kept::Here(Box::new(key))))
            .map_err(|_| KeyError::NotAPrivateKey)
    }

    /// Whether a PEM text is of an encrypted key.
    pub fn is_encrypted_pem(text: &str) -> bool {
        text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----")
    }

    /// Reads encrypted PKCS#8 in PEM.
    #[cfg(feature = "files")]
    pub fn from_encrypted_pem(text: &str, passphrase: &Passphrase) -> Result<HouseKey, KeyError> {
        SigningKey::from_pkcs8_encrypted_pem(text, passphrase.text())
            .map(|key| HouseKey(Kept::Here(Box::new(key))))
            .map_err(|_| KeyError::Locked)
    }
}

/// What a key is encrypted with, or the PIN of a token. Overwritten when it is
/// dropped.
#[derive(Clone, derive_more::Debug)]
#[debug("Passphrase(secret)")]
pub struct Passphrase(Zeroizing<String>);

impl Passphrase {
    /// The text, without the line end a file has after it; none when nothing
    /// is left.
    pub fn new(text: Zeroizing<String>) -> Option<Passphrase> {
        let bare = text.trim_end_matches(['\n', '\r']);
        (!bare.is_empty()).then(|| Passphrase(Zeroizing::new(bare.to_owned())))
    }

    /// The text, to be used and not kept.
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// A house's public key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// The key's name.
    pub fn id(&self) -> KeyId {
        KeyId(Hash::of(&self.to_spki_der()))
    }

    /// Whether this key made the signature over exactly these bytes.
    pub fn verifies(&self, message: &[u8], signature: &SignatureBytes) -> bool {
        // The strict form refuses weak keys and second encodings of a
        // signature, so that a signature has one set of bytes.
        self.0
            .verify_strict(message, &Signature::from_bytes(signature))
            .is_ok()
    }

    /// The 32 bytes of RFC 8032.
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// SubjectPublicKeyInfo in DER: 44 bytes.
    pub fn to_spki_der(&self) -> [u8; 44] {
        let mut der = [0; 44];
        der[..12].copy_from_slice(&SPKI_PREFIX);
        der[12..].copy_from_slice(self.0.as_bytes());
        der
    }

    /// Reads SubjectPublicKeyInfo in DER.
    pub fn from_spki_der(der: &[u8]) -> Result<PublicKey, KeyError> {
        VerifyingKey::from_public_key_der(der)
            .map(PublicKey)
            .map_err(|_| KeyError::NotAPublicKey)
    }

    /// SubjectPublicKeyInfo in PEM.
    pub fn to_pem(&self) -> Result<String, KeyError> {
        self.0
            .to_public_key_pem(LineEnding::LF)
            .map_err(|_| KeyError::Encoding)
    }

    /// Reads SubjectPublicKeyInfo in PEM.
    pub fn from_pem(text: &str) -> Result<PublicKey, KeyError> {
        VerifyingKey::from_public_key_pem(text)
            .map(PublicKey)
            .map_err(|_| KeyError::NotAPublicKey)
    }
}

/// Why a key could not be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Not a private key in the expected form.
    #[error("this is not an Ed25519 private key in PKCS#8 PEM form")]
    NotAPrivateKey,
    /// Not a public key in the expected form.
    #[error("this is not an Ed25519 public key in SPKI form")]
    NotAPublicKey,
    /// The passphrase is wrong, or the encrypted text is damaged.
    #[error(
        "the passphrase does not open this key: give the one it was encrypted with, or restore the \
         file from a backup"
    )]
    Locked,
    /// The secret is in a device and does not leave it.
    #[error("the key is in a token, which never gives its secret out")]
    NotHere,
    /// The key could not be put into its text form.
    #[error("the key could not be encoded")]
    Encoding,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_read_back_from_their_standard_forms() {
        let key = HouseKey::from_entropy(&[7; 32]);
        let again = HouseKey::from_pem(&key.to_pem().unwrap()).unwrap();
        assert_eq!(again.id(), key.id());
        let public = key.public();
        assert_eq!(
            PublicKey::from_pem(&public.to_pem().unwrap()),
            Ok(public.clone())
        );
        assert_eq!(PublicKey::from_spki_der(&public.to_spki_der()), Ok(public));
        assert!(HouseKey::from_pem("no key").is_err());
        assert!(PublicKey::from_spki_der(&[1, 2, 3]).is_err());
    }

    #[test]
    fn an_encrypted_key_opens_with_its_passphrase_only() {
        let words = |text: &str| Passphrase::new(Zeroizing::new(text.to_owned())).unwrap();
        let key = HouseKey::from_entropy(&[7; 32]);
        let pem = key.to_encrypted_pem(&words("correct horse\n")).unwrap();
        assert!(HouseKey::is_encrypted_pem(&pem));
        assert!(!HouseKey::is_encrypted_pem(&key.to_pem().unwrap()));
        let open = |text: &str| HouseKey::from_encrypted_pem(&pem, &words(text));
        assert_eq!(open("correct horse").unwrap().id(), key.id());
        assert_eq!(open("correct horsf").unwrap_err(), KeyError::Locked);
        assert!(HouseKey::from_pem(&pem).is_err(), "not without one");
        assert!(Passphrase::new(Zeroizing::new("\n".to_owned())).is_none());
        let again = key.to_encrypted_pem(&words("correct horse")).unwrap();
        assert_ne!(again, pem, "a salt of its own");
    }

    /// A device that signs what it likes.
    struct Faulty(HouseKey);

    impl Signer for Faulty {
        fn public(&self) -> PublicKey {
            self.0.public()
        }

        fn sign(&self, message: &[u8]) -> Result<SignatureBytes, SignError> {
            self.0.sign(&message[1..])
        }
    }

    #[test]
    fn a_device_whose_signature_does_not_verify_has_not_signed() {
        let device = Arc::new(Faulty(HouseKey::from_entropy(&[7; 32])));
        let key = HouseKey::elsewhere(device);
        assert!(key.sign(b"a checkpoint").is_err());
        assert_eq!(key.to_pem().unwrap_err(), KeyError::NotHere);
    }

    #[test]
    fn rfc_8032_7_1_test_2_signs_to_the_published_bytes() {
        let secret =
            Hash::from_hex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
        let key = HouseKey::from_entropy(secret.unwrap().as_bytes());
        let signature = key.sign(&[0x72]).unwrap();
        assert_eq!(hex::encode(&signature[..8]), "92a009a9f0d4cab8");
        assert!(key.public().verifies(&[0x72], &signature));
        assert!(!key.public().verifies(&[0x73], &signature));
        assert!(
            !HouseKey::from_entropy(&[1; 32])
                .public()
                .verifies(&[0x72], &signature)
        );
    }
}
