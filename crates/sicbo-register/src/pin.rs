//! PINs: which are allowed, how they are hashed, verified and drawn.
//!
//! Outside the deterministic register, which only ever sees the PHC string.
//! The hash is Argon2id keyed with a secret of the house: who holds a copy of
//! the journal without that secret cannot try the few millions of PINs. Whose
//! PIN it is goes into the hash as associated data: copied to another person, a
//! hash lets nobody in.

use std::fmt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

#[cfg(any(test, feature = "testing"))]
use argon2::password_hash::PasswordHasher;
use argon2::password_hash::PasswordVerifier;
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, AssociatedData, Block, Params, ParamsBuilder, Version};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

/// Fewest digits of a PIN.
pub const FEWEST_DIGITS: usize = 6;
/// Most digits of a PIN.
pub const MAX_DIGITS: usize = 12;

/// PINs that are hashed at once, each in about 19 MiB that are kept.
pub const MAX_AREAS: usize = 4;

/// A PIN that may be used. Never shown by `Debug`, and overwritten when it is
/// dropped.
#[derive(Clone, PartialEq, Eq, derive_more::Debug)]
#[debug("Pin(secret)")]
pub struct Pin(Zeroizing<String>);

/// Why a PIN is not allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadPin {
    /// Not 6 to 12 digits.
    #[error("a PIN has {FEWEST_DIGITS} to {MAX_DIGITS} digits and nothing else")]
    NotDigits,
    /// Too easy to guess.
    #[error("that PIN is too easy to guess: no repeated digit, run, pattern or date")]
    Trivial,
}

impl Pin {
    /// A PIN of 6 to 12 digits that is not trivial.
    ///
    /// # Errors
    /// When it is not.
    pub fn new(digits: &str) -> Result<Pin, BadPin> {
        let long_enough = (FEWEST_DIGITS..=MAX_DIGITS).contains(&digits.len());
        if !long_enough || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(BadPin::NotDigits);
        }
        if is_trivial(digits.as_bytes()) {
            return Err(BadPin::Trivial);
        }
        Ok(Pin(Zeroizing::new(digits.to_owned())))
    }

    /// A one-time PIN of eight digits from random bytes: the first eight-digit
    /// stretch of them that is not trivial.
    #[must_use]
    pub fn one_time(random: [u8; 32]) -> Pin {
        let mut number = u64::from_le_bytes([
            random[0], random[1], random[2], random[3], random[4], random[5], random[6], random[7],
        ]);
        loop {
            let digits = Zeroizing::new(format!("{:08}", number % 100_000_000));
            if let Ok(pin) = Pin::new(&digits) {
                return pin;
            }
            // A step that visits every number, so that it ends.
            number = number.wrapping_add(12_345_677);
        }
    }

    /// A one-time PIN of twelve digits, of which two persons get one half each: nobody
    /// but its owner, who hears both, knows it.
    #[must_use]
    pub fn in_halves(random: [u8; 32]) -> Pin {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&random[..16]);
        let mut number = u128::from_le_bytes(bytes);
        loop {
            let digits = Zeroizing::new(format!("{:012}", number % 1_000_000_000_000));
            if let Ok(pin) = Pin::new(&digits) {
                return pin;
            }
            number = number.wrapping_add(123_456_789_012_347);
        }
    }

    /// The digits, to be printed once or compared.
    #[must_use]
    pub fn digits(&self) -> &str {
        &self.0
    }
}

/// One step repeated (111111, 123456, 987654, 135791), one short pattern
/// repeated (121212, 123123), or few digits in all, or a date.
fn is_trivial(digits: &[u8]) -> bool {
    let step = |pair: &[u8]| (i16::from(pair[1]) - i16::from(pair[0])).rem_euclid(10);
    let steps: Vec<i16> = digits.windows(2).map(step).collect();
    let one_step = steps.windows(2).all(|pair| pair[0] == pair[1]);
    let repeated = (1..=digits.len() / 2)
        .filter(|length| digits.len().is_multiple_of(*length))
        .any(|length| digits.chunks(length).all(|part| part == &digits[..length]));
    let mut kinds: Vec<u8> = digits.to_vec();
    kinds.sort_unstable();
    kinds.dedup();
    let mirrored = digits.iter().eq(digits.iter().rev());
    one_step || repeated || mirrored || kinds.len() < 3 || is_date(digits)
}

/// A date of birth or the like: DDMMYY, YYMMDD, DDMMYYYY, YYYYMMDD.
fn is_date(digits: &[u8]) -> bool {
    let two = |at: usize| (digits[at] - b'0') * 10 + digits[at + 1] - b'0';
    let day_month =
        |day: usize, month: usize| (1..=31).contains(&two(day)) && (1..=12).contains(&two(month));
    let century = |at: usize| matches!(two(at), 19 | 20);
    match digits.len() {
        6 => day_month(0, 2) || day_month(4, 2),
        8 => (day_month(0, 2) && century(4)) || (day_month(6, 4) && century(0)),
        _ => false,
    }
}

/// Hashes and verifies the PINs of one house.
#[derive(derive_more::Debug)]
#[debug("PinHasher(secret)")]
pub struct PinHasher {
    secret: Zeroizing<[u8; 32]>,
    cost: PinCost,
    /// Verified instead of a hash when nobody has the name, so that both take
    /// the same time.
    nobody: String,
    /// Memory for hashing, taken once and used again and again: so many areas and no more,
    /// however many PINs are tried.
    areas: Areas,
}

/// A PIN could not be hashed.
#[derive(Debug, thiserror::Error)]
#[error("a PIN could not be hashed: {0}")]
pub struct HashError(String);

/// The work of hashing one PIN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PinCost {
    /// Memory in KiB.
    pub memory_kib: u32,
    /// Passes over it.
    pub passes: u32,
}

impl PinCost {
    /// As OWASP advises for Argon2id. Every house that is served has it.
    pub const OWASP: PinCost = PinCost {
        memory_kib: 19 * 1024,
        passes: 2,
    };
    /// Next to nothing, for the houses of tests.
    pub const LOW: PinCost = PinCost {
        memory_kib: 64,
        passes: 1,
    };
}

impl PinHasher {
    /// A hasher with the house's own secret.
    ///
    /// # Errors
    /// When the cost is not accepted.
    pub fn new(secret: [u8; 32], cost: PinCost) -> Result<PinHasher, HashError> {
        let params = Params::new(cost.memory_kib, cost.passes, 1, None).map_err(failed)?;
        let mut hasher = PinHasher {
            secret: Zeroizing::new(secret),
            cost,
            nobody: String::new(),
            areas: Areas::new(params.block_count()),
        };
        let nobody = Pin(Zeroizing::new("no such person".to_owned()));
        hasher.nobody = hasher.hash("", &nobody, [7; 16])?;
        Ok(hasher)
    }

    fn argon2(&self, params: Params) -> Result<Argon2<'_>, HashError> {
        Argon2::new_with_secret(&*self.secret, Algorithm::Argon2id, Version::V0x13, params)
            .map_err(failed)
    }

    /// The PHC string of the PIN of the person of this name, with a random salt.
    ///
    /// # Errors
    /// When hashing fails.
    pub fn hash(&self, name: &str, pin: &Pin, salt: [u8; 16]) -> Result<String, HashError> {
        let owner = AssociatedData::new(&owner(name)).map_err(failed)?;
        let params = ParamsBuilder::new()
            .m_cost(self.cost.memory_kib)
            .t_cost(self.cost.passes)
            .p_cost(1)
            .data(owner)
            .build()
            .map_err(failed)?;
        let argon2 = self.argon2(params)?;
        let mut made = [0; Params::DEFAULT_OUTPUT_LEN];
        self.areas
            .with(|memory| {
                let given = pin.0.as_bytes();
                argon2.hash_password_into_with_memory(given, &salt, &mut made, memory)
            })
            .map_err(failed)?;
        let salt = Salt::new(&salt).map_err(failed)?;
        let hash = PasswordHash {
            algorithm: Algorithm::Argon2id.ident(),
            version: Some(Version::V0x13.into()),
            params: ParamsString::try_from(argon2.params()).map_err(failed)?,
            salt: Some(salt),
            hash: Some(Output::new(&made).map_err(failed)?),
        };
        Ok(hash.to_string())
    }

    /// Whether `given` is the PIN of a person, by their name and the PHC string
    /// kept for them; `None` for a name nobody has, which takes as long and is
    /// always wrong.
    ///
    /// A hash from before hashes were bound names nobody and is taken for
    /// whoever has it, until they choose another PIN.
    #[must_use]
    pub fn verify(&self, known: Option<(&str, &str)>, given: &str) -> bool {
        let (name, phc) = known.unwrap_or(("", &self.nobody));
        let Ok(hash) = PasswordHash::new(phc) else {
            return false;
        };
        let Ok(params) = Params::try_from(&hash) else {
            return false;
        };
        let theirs = params.data().is_empty() || params.data() == owner(name);
        let Ok(argon2) = self.argon2(params) else {
            return false;
        };
        // Longer texts than any PIN are not worth hashing.
        let given = if given.len() <= MAX_DIGITS { given } else { "" };
        let right = match self.again(&argon2, &hash, given) {
            Some(right) => right,
            // Hashed at another cost than this house's.
            None => argon2.verify_password(given.as_bytes(), &hash).is_ok(),
        };
        right && theirs && known.is_some()
    }

    /// Whether hashing `given` again comes to the same, in memory that is kept;
    /// nothing when the hash was made at another cost.
    fn again(&self, argon2: &Argon2<'_>, hash: &PasswordHash, given: &str) -> Option<bool> {
        let params = argon2.params();
        let cost = (params.m_cost(), params.t_cost(), params.p_cost());
        let (salt, wanted) = (hash.salt.as_ref()?, hash.hash.as_ref()?);
        let mut made = [0; Params::DEFAULT_OUTPUT_LEN];
        if cost != (self.cost.memory_kib, self.cost.passes, 1) || wanted.len() != made.len() {
            return None;
        }
        let (given, salt) = (given.as_bytes(), salt.as_ref());
        let hashed = self
            .areas
            .with(|memory| argon2.hash_password_into_with_memory(given, salt, &mut made, memory));
        Some(hashed.is_ok() && bool::from(made[..].ct_eq(wanted.as_ref())))
    }
}

/// Work areas of Argon2: a fixed number, each made when it is first needed.
struct Areas {
    blocks: usize,
    free: Mutex<Free>,
    one_is_free: Condvar,
}

/// Areas that nobody uses, and how many there are in all.
#[derive(Default)]
struct Free {
    areas: Vec<Vec<Block>>,
    made: usize,
}

impl Areas {
    fn new(blocks: usize) -> Areas {
        Areas {
            blocks,
            free: Mutex::default(),
            one_is_free: Condvar::new(),
        }
    }

    /// Works in an area, once one is free.
    fn with<T>(&self, work: impl FnOnce(&mut [Block]) -> T) -> T {
        let mut area = self.take();
        let done = work(&mut area);
        self.free().areas.push(area);
        self.one_is_free.notify_one();
        done
    }

    fn take(&self) -> Vec<Block> {
        let mut free = self.free();
        loop {
            if let Some(area) = free.areas.pop() {
                return area;
            }
            if free.made < MAX_AREAS {
                free.made += 1;
                break;
            }
            let waited = self.one_is_free.wait(free);
            free = waited.unwrap_or_else(PoisonError::into_inner);
        }
        drop(free);
        vec![Block::default(); self.blocks]
    }

    fn free(&self) -> MutexGuard<'_, Free> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whose PIN a hash is: the name, which is one person's and never changes.
fn owner(name: &str) -> [u8; 16] {
    let mut hash = Sha256::new();
    hash.update(b"sicbo owner of a pin 1\0");
    hash.update(name.as_bytes());
    let mut owner = [0; 16];
    owner.copy_from_slice(&hash.finalize()[..16]);
    owner
}

/// Memory of a hash that another system made, in KiB, at most.
const MAX_MEMORY_KIB: u32 = 64 * 1024;

/// Whether a text is an Argon2 hash in PHC form that can be checked here.
#[must_use]
pub fn is_phc(text: &str) -> bool {
    let params = PasswordHash::new(text).map(|hash| {
        let bounded = |params: Params| params.m_cost() <= MAX_MEMORY_KIB && params.t_cost() <= 10;
        hash.hash.is_some() && Params::try_from(&hash).is_ok_and(bounded)
    });
    params.unwrap_or(false)
}

/// Whether a PIN is the one of a hash that another system made, without a
/// secret of this house.
#[must_use]
pub fn is_right(phc: &str, given: &str) -> bool {
    if !is_phc(phc) || given.len() > MAX_DIGITS {
        return false;
    }
    let Ok(hash) = PasswordHash::new(phc) else {
        return false;
    };
    let Ok(params) = Params::try_from(&hash) else {
        return false;
    };
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    argon2.verify_password(given.as_bytes(), &hash).is_ok()
}

/// Hashes a PIN as another system would, at next to no cost.
///
/// # Errors
/// When hashing fails.
#[cfg(any(test, feature = "testing"))]
pub fn phc(pin: &str, salt: [u8; 16]) -> Result<String, HashError> {
    let params = Params::new(64, 1, 1, None).map_err(failed)?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let hash: PasswordHash = argon2
        .hash_password_with_salt(pin.as_bytes(), &salt)
        .map_err(failed)?;
    Ok(hash.to_string())
}

/// Whether a PHC string says that it is of the PIN of the person of this name.
pub(crate) fn is_bound_to(phc: &str, name: &str) -> bool {
    let Ok(hash) = PasswordHash::new(phc) else {
        return false;
    };
    Params::try_from(&hash).is_ok_and(|params| params.data() == owner(name))
}

fn failed(error: impl fmt::Display) -> HashError {
    HashError(error.to_string())
}
