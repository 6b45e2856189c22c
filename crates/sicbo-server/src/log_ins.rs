//! What log-ins need of the program: how far guessing is slowed down, browsers that are known,
//! and second factors, whose secrets are sealed with the house's own.

use std::collections::BTreeMap;

use aes_gcm::aead::{Aead as _, KeyInit as _, Payload};
use aes_gcm::{Aes256Gcm, Nonce};
use hmac::{Hmac, Mac as _};
use parking_lot::Mutex;
use sha2::Sha256;
use sicbo_clock::now_ms;
use sicbo_house::slow_down::SlowDown;
use sicbo_register::person::folded;
use sicbo_register::secret::{NoRandomness, random};
use sicbo_table::ids::PersonId;
use subtle::ConstantTimeEq as _;
use totp_rs::{Builder, Secret, Totp};
use zeroize::Zeroizing;

/// A factor that was offered is shown a code of within this time, by the steady clock.
const OFFER_MS: i64 = 600_000;
/// Bytes of a second factor's secret (RFC 4226).
const SECRET_BYTES: usize = 20;
const NONCE_BYTES: usize = 12;
/// A code is for so many seconds (RFC 6238).
const STEP_S: u64 = 30;
/// In front of what is sealed in this way.
const FORM: &str = "1.";

/// What log-ins need of the program.
pub struct LogIns {
    /// Who has to wait before the next try.
    pub slow_down: SlowDown,
    browsers: Zeroizing<[u8; 32]>,
    factors: Aes256Gcm,
    /// The step of the last code that each person used: a code opens once.
    used: Mutex<BTreeMap<PersonId, u64>>,
    /// When the program began: which codes were used before then is not known, so none of
    /// them opens.
    since_s: u64,
    /// Factors of which no code has been shown yet.
    offered: Mutex<BTreeMap<PersonId, Offered>>,
}

struct Offered {
    secret: Zeroizing<[u8; SECRET_BYTES]>,
    at_ms: i64,
}

/// A second factor to be put into an authenticator.
pub struct NewFactor {
    /// As it is typed.
    pub secret: String,
    /// As it is scanned.
    pub url: String,
}

impl LogIns {
    /// With the secret that keys the hashes of PINs, begun at this time of day.
    #[must_use]
    pub fn new(pins: &[u8; 32], now_s: u64) -> LogIns {
        let factors = derived(pins, b"sicbo second factor 1");
        LogIns {
            slow_down: SlowDown::default(),
            browsers: derived(pins, b"sicbo browser 1"),
            factors: Aes256Gcm::new((&*factors).into()),
            used: Mutex::default(),
            since_s: now_s,
            offered: Mutex::default(),
        }
    }

    /// What a browser keeps that has logged this person in.
    ///
    /// # Errors
    /// When there is no randomness.
    pub fn remember(&self, name: &str) -> Result<String, NoRandomness> {
        let drawn: [u8; 16] = random()?;
        let mac = self.browser_mac(&drawn, name);
        Ok(format!(
            "{}{}",
            sicbo_wire::hex(drawn),
            sicbo_wire::hex(mac)
        ))
    }

    /// The browser that presents this, when it has logged that person in before.
    #[must_use]
    pub fn remembered(&self, presented: &str, name: &str) -> Option<[u8; 16]> {
        let bytes = unhex(presented).filter(|bytes| bytes.len() == 32)?;
        let mut drawn = [0; 16];
        drawn.copy_from_slice(&bytes[..16]);
        let same = self.browser_mac(&drawn, name).ct_eq(&bytes[16..]);
        bool::from(same).then_some(drawn)
    }

    fn browser_mac(&self, drawn: &[u8; 16], name: &str) -> [u8; 16] {
        let whole = mac(&*self.browsers, &[drawn, folded(name).as_bytes()]);
        let mut half = [0; 16];
        half.copy_from_slice(&whole[..16]);
        half
    }

    /// Draws a factor for somebody; it is theirs once they show a code of it.
    ///
    /// # Errors
    /// When there is no randomness.
    pub fn offer(
        &self,
        person: PersonId,
        (site, name): (&str, &str),
        now_ms: i64,
    ) -> Result<NewFactor, NoRandomness> {
        let secret = Zeroizing::new(random::<SECRET_BYTES>()?);
        let text = Secret::new_stack(*secret).to_base32();
        let (site, name) = (escaped(site), escaped(name));
        let url = format!("otpauth://totp/{site}:{name}?secret={text}&issuer={site}");
        let offered = Offered {
            secret,
            at_ms: now_ms,
        };
        self.offered.lock().insert(person, offered);
        Ok(NewFactor { secret: text, url })
    }

    /// The offered factor, sealed, when this is a code of it.
    ///
    /// # Errors
    /// When there is no randomness.
    pub fn accept(
        &self,
        person: PersonId,
        name: &str,
        code: &str,
        (now_s, now_ms): (u64, i64),
    ) -> Result<Option<String>, NoRandomness> {
        let mut offered = self.offered.lock();
        let fresh = offered
            .get(&person)
            .filter(|offer| now_ms - offer.at_ms <= OFFER_MS);
        let Some(offer) = fresh else {
            return Ok(None);
        };
        // Nobody used a code of a secret that was drawn by this program before it began.
        if !self.is_unused(person, &offer.secret, code, (now_s, 0)) {
            return Ok(None);
        }
        let sealed = self.seal(name, &*offer.secret)?;
        offered.remove(&person);
        Ok(Some(sealed))
    }

    /// Whether this is a code of the person's factor that was not used before.
    #[must_use]
    pub fn is_right(
        &self,
        person: PersonId,
        name: &str,
        sealed: &str,
        code: &str,
        now_s: u64,
    ) -> bool {
        let secret = self.unseal(name, sealed);
        let times = (now_s, self.since_s);
        secret.is_some_and(|secret| self.is_unused(person, &secret, code, times))
    }

    fn is_unused(
        &self,
        person: PersonId,
        secret: &Zeroizing<[u8; SECRET_BYTES]>,
        code: &str,
        (now_s, since_s): (u64, u64),
    ) -> bool {
        let Some(step) = totp(secret).and_then(|totp| totp.check(code, now_s)) else {
            return false;
        };
        let mut used = self.used.lock();
        let last = used.entry(person).or_default();
        let unused = step > *last && step > since_s / STEP_S;
        *last = step.max(*last);
        unused
    }

    fn seal(&self, name: &str, secret: &[u8]) -> Result<String, NoRandomness> {
        let nonce: [u8; NONCE_BYTES] = random()?;
        let aad = folded(name);
        let payload = Payload {
            msg: secret,
            aad: aad.as_bytes(),
        };
        let sealed = self.factors.encrypt(&Nonce::from(nonce), payload);
        // Twenty bytes are never too long to be sealed.
        let sealed = sealed.unwrap_or_default();
        let (nonce, sealed) = (sicbo_wire::hex(nonce), sicbo_wire::hex(&sealed));
        Ok(format!("{FORM}{nonce}{sealed}"))
    }

    fn unseal(&self, name: &str, sealed: &str) -> Option<Zeroizing<[u8; SECRET_BYTES]>> {
        let bytes = unhex(sealed.strip_prefix(FORM)?)?;
        let (nonce, sealed) = bytes.split_at_checked(NONCE_BYTES)?;
        let nonce: [u8; NONCE_BYTES] = nonce.try_into().ok()?;
        let aad = folded(name);
        let payload = Payload {
            msg: sealed,
            aad: aad.as_bytes(),
        };
        let opened = self.factors.decrypt(&Nonce::from(nonce), payload).ok()?;
        let opened = Zeroizing::new(opened);
        let mut secret = Zeroizing::new([0; SECRET_BYTES]);
        (opened.len() == SECRET_BYTES).then(|| secret.copy_from_slice(&opened))?;
        Some(secret)
    }
}

/// The time of day, in seconds since 1970.
pub(crate) fn now_s() -> u64 {
    u64::try_from(now_ms() / 1_000).unwrap_or_default()
}

fn totp(secret: &Zeroizing<[u8; SECRET_BYTES]>) -> Option<Totp> {
    let secret = Secret::new_stack(**secret);
    Builder::new().with_secret(secret).build().ok()
}

fn mac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    // A key of any length is taken.
    let Ok(mut mac) = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(key) else {
        unreachable!("HMAC takes keys of any length")
    };
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

fn derived(secret: &[u8; 32], purpose: &[u8]) -> Zeroizing<[u8; 32]> {
    Zeroizing::new(mac(secret, &[purpose]))
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    let pairs = digits.chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).ok().filter(|p| p.len() == 2)?;
        u8::from_str_radix(pair, 16).ok()
    });
    pairs.collect()
}

/// A part of an address, with everything but letters and digits escaped.
fn escaped(part: &str) -> String {
    let escape = |byte: u8| match byte.is_ascii_alphanumeric() {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    part.bytes().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: PersonId = PersonId(7);

    fn code(secret: &str, at_s: u64) -> String {
        let secret = Secret::try_from_base32(secret).expect("base 32");
        let totp = Builder::new()
            .with_secret(secret)
            .build()
            .expect("a factor");
        totp.generate(at_s).to_string()
    }

    #[test]
    fn s_18_a_code_opens_once_and_only_for_the_person_it_was_sealed_for() {
        let log_ins = LogIns::new(&[5; 32], 0);
        let new = log_ins
            .offer(ANN, ("Riverside", "Ann Lee"), 0)
            .expect("drawn");
        assert!(
            new.url
                .starts_with("otpauth://totp/Riverside:Ann%20Lee?secret=")
        );
        let at = 1_700_000_000;
        let first = code(&new.secret, at);
        let accepted = |code: &str, now_ms| {
            let sealed = log_ins.accept(ANN, "Ann Lee", code, (at, now_ms));
            sealed.expect("drawn")
        };
        assert_eq!(accepted("000000", 1).filter(|_| first != "000000"), None);
        assert_eq!(accepted(&first, OFFER_MS + 1), None, "offered too long ago");
        let sealed = accepted(&first, OFFER_MS).expect("a code of it");
        let is_right =
            |name: &str, code: &str, at_s| log_ins.is_right(ANN, name, &sealed, code, at_s);
        assert!(!is_right("Ann Lee", &first, at), "it was used");
        let next = code(&new.secret, at + 30);
        assert!(!is_right("Bob Tan", &next, at + 30), "sealed for another");
        assert!(is_right("ann lee", &next, at + 30));
        assert!(!is_right("Ann Lee", &next, at + 31));
        assert!(!is_right(
            "Ann Lee",
            &code(&new.secret, at + 3_600),
            at + 60
        ));
        let other = LogIns::new(&[6; 32], 0);
        let last = code(&new.secret, at + 90);
        assert!(!other.is_right(ANN, "Ann Lee", &sealed, &last, at + 90));
    }

    #[test]
    fn s_18_a_code_from_before_the_program_began_opens_nothing() {
        let at = 1_700_000_010;
        let before = LogIns::new(&[5; 32], at - 60);
        let new = before.offer(ANN, ("Riverside", "Ann Lee"), 0);
        let secret = new.expect("drawn").secret;
        // A factor that was just drawn is taken at once.
        let first = code(&secret, at - 60);
        let sealed = before.accept(ANN, "Ann Lee", &first, (at - 60, 1));
        let sealed = sealed.expect("drawn").expect("a code of it");
        let used = code(&secret, at);
        assert!(before.is_right(ANN, "Ann Lee", &sealed, &used, at));
        // Started again, the program has forgotten that it was used.
        let after = LogIns::new(&[5; 32], at + 5);
        assert!(!after.is_right(ANN, "Ann Lee", &sealed, &used, at + 6));
        let next = code(&secret, at + 30);
        assert!(after.is_right(ANN, "Ann Lee", &sealed, &next, at + 30));
    }

    #[test]
    fn a_browser_is_known_for_the_person_it_logged_in_and_no_other() {
        let log_ins = LogIns::new(&[5; 32], 0);
        let kept = log_ins.remember("Ann Lee").expect("drawn");
        assert!(log_ins.remembered(&kept, " ann  LEE ").is_some());
        for (kept, name) in [
            (kept.as_str(), "Bob Tan"),
            (&kept[1..], "Ann Lee"),
            ("", "Ann Lee"),
            (&"0".repeat(64), "Ann Lee"),
            ("ä", "Ann Lee"),
        ] {
            assert_eq!(log_ins.remembered(kept, name), None, "{kept} {name}");
        }
        let other = LogIns::new(&[6; 32], 0);
        assert_eq!(other.remembered(&kept, "Ann Lee"), None);
    }
}
