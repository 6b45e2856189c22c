//! A house key in a PKCS#11 token: it signs there and never leaves it.

use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::error::{Error, RvError};
use cryptoki::mechanism::Mechanism;
use cryptoki::mechanism::eddsa::{EddsaParams, EddsaSignatureScheme};
use cryptoki::object::{Attribute, AttributeType, KeyType, ObjectClass, ObjectHandle};
use cryptoki::session::{Session, UserType};
use cryptoki::types::AuthPin;
use parking_lot::Mutex;
use sicbo_journal::{Passphrase, PublicKey, SignError, SignatureBytes, Signer};

use crate::address::Address;

/// The curve, as tokens name it: the printable string `edwards25519`.
const ED25519: &[u8] = b"\x13\x0cedwards25519";
/// A point of the curve as tokens give it: an octet string of 32 bytes.
const POINT: [u8; 2] = [0x04, 0x20];
/// What comes before the point in SPKI form (RFC 8410).
const SPKI: [u8; 12] = [0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0];

/// Why a token cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The module or the token said no.
    #[error("the token at {address}: {error}")]
    Said {
        /// Which.
        address: Address,
        /// What.
        error: Error,
    },
    /// There is no such token.
    #[error("there is no token for {0}: plug it in, or check the address")]
    NoToken(Address),
    /// There is no such key, or no Ed25519 one.
    #[error("the token has no Ed25519 key for {0}: check the address")]
    NoKey(Address),
    /// There is one where a new one was to be made.
    #[error("the token has a key for {0} already: name another object")]
    KeyThere(Address),
}

/// A key in a token.
pub struct Token {
    address: Address,
    pin: Passphrase,
    module: Pkcs11,
    public: PublicKey,
    /// None after the token has failed: the next signature opens another, so
    /// that a token that was unplugged for a moment is used again.
    open: Mutex<Option<Open>>,
}

struct Open {
    session: Session,
    secret: ObjectHandle,
}

impl Token {
    /// The key at an address.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn open(address: Address, pin: Passphrase) -> Result<Token, TokenError> {
        let module = module(&address)?;
        let session = log_in(&module, &address, &pin)?;
        let secret = find(&session, &address, ObjectClass::PRIVATE_KEY)?;
        let public = find(&session, &address, ObjectClass::PUBLIC_KEY)?;
        let (Some(secret), Some(public)) = (secret, public) else {
            return Err(TokenError::NoKey(address));
        };
        let Some(public) = point(&session, &address, public)? else {
            return Err(TokenError::NoKey(address));
        };
        Ok(Token {
            address,
            pin,
            module,
            public,
            open: Mutex::new(Some(Open { session, secret })),
        })
    }

    /// Makes a new key in the token, which cannot be taken out of it.
    ///
    /// # Errors
    /// When there is such a key, or the token does not make one.
    pub fn generate(address: Address, pin: Passphrase) -> Result<Token, TokenError> {
        let said = said(&address);
        let module = module(&address)?;
        let session = log_in(&module, &address, &pin)?;
        if find(&session, &address, ObjectClass::PRIVATE_KEY)?.is_some() {
            return Err(TokenError::KeyThere(address));
        }
        let label = Attribute::Label(address.object().as_bytes().to_vec());
        let id = Attribute::Id(address.object().as_bytes().to_vec());
        let public = [
            Attribute::Token(true),
            Attribute::Private(false),
            Attribute::Verify(true),
            Attribute::EcParams(ED25519.to_vec()),
            label.clone(),
            id.clone(),
        ];
        let secret = [
            Attribute::Token(true),
            Attribute::Private(true),
            Attribute::Sensitive(true),
            Attribute::Extractable(false),
            Attribute::Sign(true),
            label,
            id,
        ];
        session
            .generate_key_pair(&Mechanism::EccEdwardsKeyPairGen, &public, &secret)
            .map_err(&said)?;
        drop(session);
        Token::open(address, pin)
    }

    fn signed(&self, message: &[u8]) -> Result<Vec<u8>, TokenError> {
        let mut open = self.open.lock();
        let now = match open.take() {
            Some(now) => now,
            None => {
                let session = log_in(&self.module, &self.address, &self.pin)?;
                let secret = find(&session, &self.address, ObjectClass::PRIVATE_KEY)?;
                let Some(secret) = secret else {
                    return Err(TokenError::NoKey(self.address.clone()));
                };
                Open { session, secret }
            }
        };
        let scheme = EddsaParams::new(EddsaSignatureScheme::Ed25519);
        let signature = now
            .session
            .sign(&Mechanism::Eddsa(scheme), now.secret, message)
            .map_err(said(&self.address))?;
        *open = Some(now);
        Ok(signature)
    }
}

impl Signer for Token {
    fn public(&self) -> PublicKey {
        self.public.clone()
    }

    fn sign(&self, message: &[u8]) -> Result<SignatureBytes, SignError> {
        let signature = self.signed(message).map_err(|error| {
            // The house plays on without this signature: somebody must know.
            tracing::error!(%error, "the house's key did not sign");
            SignError(error.to_string())
        })?;
        let length = signature.len();
        signature
            .try_into()
            .map_err(|_| SignError(format!("its signature has {length} bytes instead of 64")))
    }
}

fn said(address: &Address) -> impl Fn(Error) -> TokenError + use<> {
    let address = address.clone();
    move |error| TokenError::Said {
        address: address.clone(),
        error,
    }
}

fn module(address: &Address) -> Result<Pkcs11, TokenError> {
    let said = said(address);
    let module = Pkcs11::new(address.module()).map_err(&said)?;
    match module.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK)) {
        // Once for a process; another key of this house may have been first.
        Ok(()) | Err(Error::Pkcs11(RvError::CryptokiAlreadyInitialized, _)) => Ok(module),
        Err(error) => Err(said(error)),
    }
}

fn log_in(module: &Pkcs11, address: &Address, pin: &Passphrase) -> Result<Session, TokenError> {
    let said = said(address);
    let mut slot = None;
    for candidate in module.get_slots_with_token().map_err(&said)? {
        // A reader whose token has just been pulled is none of ours.
        let info = module.get_token_info(candidate);
        if info.is_ok_and(|info| info.label() == address.token()) {
            slot = Some(candidate);
        }
    }
    let Some(slot) = slot else {
        return Err(TokenError::NoToken(address.clone()));
    };
    let session = module.open_rw_session(slot).map_err(&said)?;
    let pin = AuthPin::from(pin.text().to_owned());
    match session.login(UserType::User, Some(&pin)) {
        // A process logs in to a token once, whatever its sessions.
        Ok(()) | Err(Error::Pkcs11(RvError::UserAlreadyLoggedIn, _)) => Ok(session),
        Err(error) => Err(said(error)),
    }
}

fn find(
    session: &Session,
    address: &Address,
    class: ObjectClass,
) -> Result<Option<ObjectHandle>, TokenError> {
    let wanted = [
        Attribute::Class(class),
        Attribute::KeyType(KeyType::EC_EDWARDS),
        Attribute::Label(address.object().as_bytes().to_vec()),
    ];
    let found = session.find_objects(&wanted).map_err(said(address))?;
    Ok(found.first().copied())
}

/// The public half, if it is of Ed25519.
fn point(
    session: &Session,
    address: &Address,
    object: ObjectHandle,
) -> Result<Option<PublicKey>, TokenError> {
    let attributes = session
        .get_attributes(object, &[AttributeType::EcPoint])
        .map_err(said(address))?;
    let point = attributes
        .into_iter()
        .find_map(|attribute| match attribute {
            Attribute::EcPoint(point) => Some(point),
            _ => None,
        });
    let Some(point) = point else {
        return Ok(None);
    };
    // Some tokens give the bytes alone.
    let bare = point.strip_prefix(&POINT[..]).unwrap_or(&point);
    let der = [&SPKI[..], bare].concat();
    Ok(PublicKey::from_spki_der(&der).ok())
}
