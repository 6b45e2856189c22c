//! The voucher as a ticket: everything S-12 asks for, as ESC/POS bytes for a
//! printer, as SVG and as PDF.
//!
//! A ticket is made of a voucher when it is about to be printed and is never
//! stored: it carries the whole validation number.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod codes;
mod drawing;
mod escpos;
mod language;
pub mod pdf;
mod svg;
pub mod words;

use jiff::Timestamp;
use jiff::tz::Offset;
use sicbo_rules::{Currency, Money};
use sicbo_table::ids::VoucherId;

use sicbo_register::Register;
use sicbo_register::validation::{Number, VoucherSecret};
use sicbo_register::voucher::Voucher;
use sicbo_register::zone::Zone;

pub use language::Language;
pub use pdf::PdfError;

/// What a ticket says.
#[derive(Clone, PartialEq, Debug)]
pub struct Ticket {
    /// The site.
    pub site: String,
    /// The table.
    pub table: String,
    /// The station.
    pub station: String,
    /// When it was issued, local time with its offset.
    pub issued: String,
    /// Good before this.
    pub expires: String,
    /// The currency.
    pub currency: Currency,
    /// The amount.
    pub amount: Money,
    /// Counts the vouchers of the station.
    pub sequence: u32,
    /// Its validation number.
    pub number: Number,
    /// Not the first copy.
    pub duplicate: bool,
    /// Where its receipt is checked, for a phone: the number is not in it.
    pub check: Option<String>,
    /// What it is read in.
    pub languages: [Language; 2],
}

impl Ticket {
    /// The ticket of an issued voucher, with times of the house's zone; none where the secret of its
    /// number is not known. `house` is where guests reach the house.
    #[must_use]
    pub fn of(
        register: &Register,
        secret: &VoucherSecret,
        id: VoucherId,
        copy: u8,
        zone: &Zone,
        house: Option<&str>,
    ) -> Option<Ticket> {
        let voucher: &Voucher = register.vouchers.get(&id)?;
        if voucher.sequence == 0 || !secret.is_known() {
            return None;
        }
        Some(Ticket {
            site: register.terms.as_ref()?.site.clone(),
            table: voucher.origin.table.to_string(),
            station: voucher.station_name.clone(),
            issued: local(voucher.issued_ms, zone.offset_minutes(voucher.issued_ms))?,
            expires: local(voucher.expires_ms, zone.offset_minutes(voucher.expires_ms))?,
            currency: voucher.currency,
            amount: voucher.amount,
            sequence: voucher.sequence,
            number: secret.number(id, voucher.attempt),
            duplicate: copy > 1,
            // Behind the `#`, which browsers keep to themselves.
            check: house
                .map(|house| format!("{house}/check#v/{}/{}", id.0, secret.receipt_key(id))),
            languages: [Language::English, Language::Vietnamese],
        })
    }

    /// `SGD 1,234.50`.
    #[must_use]
    pub fn figures(&self) -> String {
        let plain = self.currency.format(self.amount);
        let (whole, decimals) = match plain.split_once('.') {
            Some((whole, decimals)) => (whole, format!(".{decimals}")),
            None => (plain.as_str(), String::new()),
        };
        let mut grouped = String::new();
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        format!("{} {grouped}{decimals}", self.currency.code())
    }

    /// The same in the language of the rule book and, beside it, the player's;
    /// where they are one, English or Vietnamese stands beside it.
    #[must_use]
    pub fn in_languages(self, book: Language, player: Language) -> Ticket {
        let beside = match (book, player) {
            (book, player) if book != player => player,
            (Language::English, _) => Language::Vietnamese,
            _ => Language::English,
        };
        Ticket {
            languages: [book, beside],
            ..self
        }
    }

    /// A language whose letters printers and their fonts lack gives way to one they have.
    fn printable(&self) -> Ticket {
        let [book, beside] = self.languages.map(|language| match language.is_printed() {
            true => language,
            false => Language::English,
        });
        self.clone().in_languages(book, beside)
    }

    /// A label in both languages.
    fn both(&self, label: impl Fn(&language::Labels) -> &'static str) -> String {
        let [one, other] = self.languages.map(|language| label(language.labels()));
        format!("{one} / {other}")
    }

    /// Names and values of what stands below the amount.
    fn rows(&self) -> [(String, String); 5] {
        let values = [
            self.table.clone(),
            self.station.clone(),
            self.issued.clone(),
            self.expires.clone(),
            format!("{:06}", self.sequence),
        ];
        let mut at = 0;
        values.map(|value| {
            let name = self.both(|labels| labels.rows[at]);
            at += 1;
            (name, value)
        })
    }
}

/// `2026-10-21 14:05:09 +08:00`.
fn local(at_ms: i64, offset_minutes: i16) -> Option<String> {
    let offset = Offset::from_seconds(i32::from(offset_minutes) * 60).ok()?;
    let at = offset.to_datetime(Timestamp::from_millisecond(at_ms).ok()?);
    let sign = if offset_minutes < 0 { '-' } else { '+' };
    let minutes = offset_minutes.unsigned_abs();
    Some(format!(
        "{} {sign}{:02}:{:02}",
        at.strftime("%Y-%m-%d %H:%M:%S"),
        minutes / 60,
        minutes % 60
    ))
}

#[cfg(test)]
mod tests;
