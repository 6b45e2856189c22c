//! PINs: which are allowed, how they are hashed, verified and drawn.
//!
//! Outside the deterministic register, which only ever sees the PHC string.
//! The hash is Argon2id keyed with a secret of the house: who holds a copy of
//! the journal without that secret cannot try the few millions of PINs.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use subtle::ConstantTimeEq as _;

/// Fewest digits of a PIN.
pub const FEWEST_DIGITS: usize = 6;
/// Most digits of a PIN.
pub const MAX_DIGITS: usize = 12;

/// A PIN that may be used. Never shown by `Debug`.
#[derive(Clone, PartialEq, Eq, derive_more::Debug)]
#[debug("Pin(secret)")]
pub struct Pin(String);

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
        Ok(Pin(digits.to_owned()))
    }

    /// A one-time PIN of eight digits from random bytes: the first eight-digit
    /// stretch of them that is not trivial.
    #[must_use]
    pub fn one_time(random: [u8; 32]) -> Pin {
        let mut number = u64::from_le_bytes([
            random[0], random[1], random[2], random[3], random[4], random[5], random[6], random[7],
        ]);
        loop {
            let digits = format!("{:08}", number % 100_000_000);
            if let Ok(pin) = Pin::new(&digits) {
                return pin;
            }
            // A step that visits every number, so that it ends.
            number = number.wrapping_add(12_345_677);
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
    secret: [u8; 32],
    params: Params,
    /// Verified instead of a hash when nobody has the name, so that both take
    /// the same time.
    nobody: String,
    /// Memory for hashing, used again and again: handed back to the system
    /// after each PIN, the threads' allocators would keep many times as much.
    memory: Mutex<Vec<Vec<Block>>>,
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
            secret,
            params,
            nobody: String::new(),
            memory: Mutex::default(),
        };
        hasher.nobody = hasher.hash(&Pin("no such person".to_owned()), [7; 16])?;
        Ok(hasher)
    }

    fn argon2(&self) -> Result<Argon2<'_>, HashError> {
        Argon2::new_with_secret(
            &self.secret,
            Algorithm::Argon2id,
            Version::V0x13,
            self.params.clone(),
        )
        .map_err(failed)
    }

    /// The PHC string of a PIN with a random salt.
    ///
    /// # Errors
    /// When hashing fails.
    pub fn hash(&self, pin: &Pin, salt: [u8; 16]) -> Result<String, HashError> {
        let hash: PasswordHash = self
            .argon2()?
            .hash_password_with_salt(pin.0.as_bytes(), &salt)
            .map_err(failed)?;
        Ok(hash.to_string())
    }

    /// Whether `given` is the PIN of a PHC string; `None` for a name nobody
    /// has, which takes as long and is always wrong.
    #[must_use]
    pub fn verify(&self, phc: Option<&str>, given: &str) -> bool {
        let known = phc.is_some();
        let phc = phc.unwrap_or(&self.nobody);
        let (Ok(hash), Ok(argon2)) = (PasswordHash::new(phc), self.argon2()) else {
            return false;
        };
        // Longer texts than any PIN are not worth hashing.
        let given = if given.len() <= MAX_DIGITS { given } else { "" };
        let right = match self.again(&argon2, &hash, given) {
            Some(right) => right,
            // Hashed at another cost than this house's.
            None => argon2.verify_password(given.as_bytes(), &hash).is_ok(),
        };
        right && known
    }

    /// Whether hashing `given` again comes to the same, in memory that is kept;
    /// nothing when the hash was made at another cost.
    fn again(&self, argon2: &Argon2<'_>, hash: &PasswordHash, given: &str) -> Option<bool> {
        let params = Params::try_from(hash).ok()?;
        let cost = |params: &Params| (params.m_cost(), params.t_cost(), params.p_cost());
        let (salt, wanted) = (hash.salt.as_ref()?, hash.hash.as_ref()?);
        let mut made = [0; Params::DEFAULT_OUTPUT_LEN];
        if cost(&params) != cost(&self.params) || wanted.len() != made.len() {
            return None;
        }
        let kept = || self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let memory = kept().pop();
        let mut memory =
            memory.unwrap_or_else(|| vec![Block::default(); self.params.block_count()]);
        let (given, salt) = (given.as_bytes(), salt.as_ref());
        let hashed = argon2.hash_password_into_with_memory(given, salt, &mut made, &mut memory);
        // As many are kept as were ever in use at once, which is bounded.
        kept().push(memory);
        Some(hashed.is_ok() && bool::from(made[..].ct_eq(wanted.as_ref())))
    }
}

fn failed(error: impl fmt::Display) -> HashError {
    HashError(error.to_string())
}
