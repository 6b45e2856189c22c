//! The last vouchers of a station, as a person may see them (S-13).

use sicbo_rules::{Currency, Money};
use sicbo_table::ids::VoucherId;

use super::Register;
use super::validation::VoucherSecret;
use super::voucher::Place;

/// A voucher recalled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recalled {
    /// Which.
    pub voucher: VoucherId,
    /// Counts the vouchers of the station that issued it.
    pub sequence: u32,
    /// When it was issued.
    pub issued_ms: i64,
    /// Its currency.
    pub currency: Currency,
    /// Its amount.
    pub amount: Money,
    /// How it stands, in a word.
    pub state: &'static str,
    /// Its number: whole only when it can no longer be paid.
    pub number: String,
}

/// The last 35 vouchers issued and the last 35 accepted at a station, newest first.
#[must_use]
pub fn recall(
    register: &Register,
    secret: &VoucherSecret,
    place: &Place,
) -> (Vec<Recalled>, Vec<Recalled>) {
    let Some(recent) = register.recent.get(place) else {
        return (Vec::new(), Vec::new());
    };
    let shown = |id: &VoucherId| {
        let voucher = register.vouchers.get(id)?;
        Some(Recalled {
            voucher: *id,
            sequence: voucher.sequence,
            issued_ms: voucher.issued_ms,
            currency: voucher.currency,
            amount: voucher.amount,
            state: voucher.state.word(),
            number: secret.shown(*id, voucher),
        })
    };
    let newest_first = |ids: &[VoucherId]| ids.iter().rev().filter_map(shown).collect();
    (newest_first(&recent.issued), newest_first(&recent.accepted))
}
