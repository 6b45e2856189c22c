//! House keys: one Ed25519 pair, its public half, its name and its standard
//! text forms. Owns no file and no order among keys; see `key_folder` and
//! `key_ring`.

use ed25519_dalek::pkcs8::KeypairBytes;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

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

/// A house's secret signing key.
#[derive(Clone, derive_more::Debug)]
#[debug("HouseKey({})", self.id())]
pub struct HouseKey(SigningKey);

impl HouseKey {
    /// Makes a key from 32 bytes that must come from the operating system's
    /// randomness (or, under simulation, from the seed).
    pub fn from_entropy(entropy: &[u8; 32]) -> HouseKey {
        HouseKey(SigningKey::from_bytes(entropy))
    }

    /// The public half.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// The key's name.
    pub fn id(&self) -> KeyId {
        self.public().id()
    }

    /// Signs the bytes as they are (plain Ed25519, RFC 8032).
    pub fn sign(&self, message: &[u8]) -> SignatureBytes {
        self.0.sign(message).to_bytes()
    }

    /// PKCS#8 in PEM. Version 1, without the public half, is the form every
    /// tool reads.
    pub fn to_pem(&self) -> Result<String, KeyError> {
        let pair = KeypairBytes {
            secret_key: self.0.to_bytes(),
            public_key: None,
        };
        let pem = pair
            .to_pkcs8_pem(LineEnding::LF)
            .map_err(|_| KeyError::Encoding)?;
        Ok(pem.as_str().to_owned())
    }

    /// Reads PKCS#8 in PEM.
    pub fn from_pem(text: &str) -> Result<HouseKey, KeyError> {
        SigningKey::from_pkcs8_pem(text)
            .map(HouseKey)
            .map_err(|_| KeyError::NotAPrivateKey)
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
    fn rfc_8032_7_1_test_2_signs_to_the_published_bytes() {
        let secret =
            Hash::from_hex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
        let key = HouseKey::from_entropy(secret.unwrap().as_bytes());
        let signature = key.sign(&[0x72]);
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
