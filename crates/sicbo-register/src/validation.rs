//! Validation numbers: 18 digits that cannot be guessed, never stored.
//!
//! Sixteen digits are drawn with HMAC-SHA-256 from a secret of the house and
//! the voucher's id; two check digits (ISO 7064 MOD 97-10, as in a bank account
//! number) find every slip of one digit and every exchange of two. The register
//! keeps only a keyed digest, so neither the journal nor an export of it tells
//! a number that can still be paid (S-13, S-15).

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use sicbo_table::ids::VoucherId;
use zeroize::Zeroizing;

use super::play::member::MemberId;
use super::voucher::Voucher;

/// Digits of a validation number.
pub const DIGITS: usize = 18;

const PAYLOAD: u64 = 10_000_000_000_000_000;

/// A validation number whose check digits are right.
#[derive(Clone, Copy, PartialEq, Eq, derive_more::Debug)]
#[debug("Number({})", self.masked())]
pub struct Number(u64);

/// Why a text is not a validation number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadNumber {
    /// Not eighteen digits.
    #[error("a validation number has {DIGITS} digits")]
    NotDigits,
    /// The check digits say that it was misread.
    #[error("the check digits do not fit: read it again")]
    Misread,
}

impl Number {
    /// A payload of sixteen digits with its check digits.
    fn checked(payload: u64) -> Number {
        let hundreds = (payload % PAYLOAD) * 100;
        Number(hundreds + (98 - hundreds % 97))
    }

    /// Reads eighteen digits; spaces and hyphens between them are ignored.
    ///
    /// # Errors
    /// When it is no such number. A misread one is no guess and is not counted.
    pub fn parse(text: &str) -> Result<Number, BadNumber> {
        let mut digits: u64 = 0;
        let mut count = 0;
        for c in text.chars().filter(|c| !matches!(c, ' ' | '-')) {
            let digit = c.to_digit(10).ok_or(BadNumber::NotDigits)?;
            count += 1;
            if count > DIGITS {
                return Err(BadNumber::NotDigits);
            }
            digits = digits * 10 + u64::from(digit);
        }
        if count != DIGITS {
            return Err(BadNumber::NotDigits);
        }
        let check = digits % 100;
        if digits % 97 != 1 || !(2..=98).contains(&check) {
            return Err(BadNumber::Misread);
        }
        Ok(Number(digits))
    }

    /// The eighteen digits, as in a barcode.
    #[must_use]
    pub fn digits(&self) -> String {
        format!("{:018}", self.0)
    }

    /// As printed: `12-3456-7890-1234-5678`.
    #[must_use]
    pub fn grouped(&self) -> String {
        let digits = self.digits();
        let (head, rest) = digits.split_at(2);
        let mut grouped = head.to_owned();
        for at in (0..16).step_by(4) {
            grouped.push('-');
            grouped.push_str(&rest[at..at + 4]);
        }
        grouped
    }

    /// All but the last four digits hidden, for vouchers that can still be paid.
    #[must_use]
    pub fn masked(&self) -> String {
        format!("**-****-****-****-{:04}", self.0 % 10_000)
    }
}

/// The secret that validation numbers are drawn with.
#[derive(derive_more::Debug)]
#[debug("VoucherSecret(secret)")]
pub struct VoucherSecret {
    key: Zeroizing<[u8; 32]>,
    is_known: bool,
}

impl VoucherSecret {
    /// A secret of random bytes, kept beside the house's keys.
    #[must_use]
    pub fn new(secret: [u8; 32]) -> VoucherSecret {
        VoucherSecret {
            key: Zeroizing::new(secret),
            is_known: true,
        }
    }

    /// In place of one that is not at hand, as where journals are read without the house's secrets:
    /// no number is shown and no receipt opened with it.
    #[must_use]
    pub fn unknown() -> VoucherSecret {
        VoucherSecret {
            key: Zeroizing::default(),
            is_known: false,
        }
    }

    /// Whether numbers drawn with it are the house's.
    #[must_use]
    pub const fn is_known(&self) -> bool {
        self.is_known
    }

    fn mac(&self, label: &[u8], message: &[u8]) -> [u8; 32] {
        // A key of any length is taken, so this cannot fail.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&*self.key) else {
            unreachable!("HMAC takes keys of every length")
        };
        mac.update(label);
        mac.update(message);
        mac.finalize().into_bytes().into()
    }

    /// The number of a voucher; another one for each attempt.
    #[must_use]
    pub fn number(&self, voucher: VoucherId, attempt: u8) -> Number {
        let mut message = [0; 9];
        message[..8].copy_from_slice(&voucher.0.to_be_bytes());
        message[8] = attempt;
        let mac = self.mac(b"sicbo voucher number 1\0", &message);
        // 128 bits onto 16 digits: no digit is measurably likelier than another.
        let mut wide = [0; 16];
        wide.copy_from_slice(&mac[..16]);
        let payload = u128::from_be_bytes(wide) % u128::from(PAYLOAD);
        Number::checked(payload as u64)
    }

    /// What opens the receipt of a voucher, in the address that its paper leads to: twenty
    /// hexadecimal digits, from which its number does not follow.
    #[must_use]
    pub fn receipt_key(&self, voucher: VoucherId) -> String {
        let mac = self.mac(b"sicbo voucher receipt 1\0", &voucher.0.to_be_bytes());
        // Eighty bits cannot be tried out over a network.
        mac[..10].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether a key opens the receipt of a voucher. Every digit is compared.
    #[must_use]
    pub fn opens_receipt(&self, key: &str, voucher: VoucherId) -> bool {
        let right = self.receipt_key(voucher);
        let pairs = right.bytes().zip(key.bytes());
        let differ = pairs.fold(0, |sum, (a, b)| sum | (a ^ b));
        self.is_known && right.len() == key.len() && differ == 0
    }

    /// What the register knows a member by, who shows this card.
    #[must_use]
    pub fn member(&self, card: &str) -> MemberId {
        MemberId(self.mac(b"sicbo member card 1\0", card.as_bytes()))
    }

    /// What the register knows a number by.
    #[must_use]
    pub fn digest(&self, number: Number) -> [u8; 32] {
        self.mac(b"sicbo voucher digest 1\0", &number.0.to_be_bytes())
    }

    /// The number of an issued voucher as a person may see it now (S-13); empty where the secret is
    /// not known.
    #[must_use]
    pub fn shown(&self, id: VoucherId, voucher: &Voucher) -> String {
        if !self.is_known {
            return String::new();
        }
        let number = self.number(id, voucher.attempt);
        if voucher.state.number_may_be_shown() {
            number.grouped()
        } else {
            number.masked()
        }
    }
}
