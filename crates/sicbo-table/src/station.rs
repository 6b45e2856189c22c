//! A station: where a player plays, with its own credit and meters.

#[cfg(target_pointer_width = "64")]
use std::mem::offset_of;

use sicbo_rules::Money;

use crate::grant::PlayGrant;
use crate::ids::SessionNumber;
use crate::notes::Notes;
use crate::past::PastActs;
use crate::visit::Visit;

/// What kind of station.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StationKind {
    /// Has its own screen and credit.
    Terminal,
    /// At a physical table, with chips.
    Seat,
}

/// Whether a station can be heard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    /// Connected.
    Online,
    /// Not connected.
    Offline,
}

/// The colour chips of one player (P-027).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Colour {
    /// Which colour.
    pub name: String,
    /// What one chip is worth.
    pub value: Money,
}

/// Everything that ever went through a station; reconciles with its credit after every event.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(C)]
pub struct Meters {
    /// Staked in rounds that were settled or are open.
    pub staked: Money,
    /// Came back at settlement, stakes included.
    pub returned: Money,
    /// Rounds taken part in that were settled.
    pub rounds: u64,
    /// Notes taken, and at a seat cash for chips.
    pub cash_in: Money,
    /// Vouchers taken.
    pub voucher_in: Money,
    /// From the cage or an attendant, and chips exchanged for colour.
    pub transfer_in: Money,
    /// Vouchers given out.
    pub voucher_out: Money,
    /// Paid by hand.
    pub hand_pay: Money,
    /// To the cage, and colour exchanged back.
    pub transfer_out: Money,
    /// Came back because a round was void.
    pub void_returned: Money,
    /// Credited by corrections and late voids.
    pub corrected_in: Money,
    /// Debited to recover overpayments.
    pub recovered: Money,
    /// Adjusted by hand, either way.
    pub adjusted: Money,
    /// Rounds taken part in that were void.
    pub voids: u64,
}

/// A station's state. What betting touches stands in one line of the
/// processor's cache, from credit to the first meters; the end of a round reads
/// the two lines before it as well, and neither the rest.
#[derive(Clone, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct Station {
    /// Who plays here.
    pub session: SessionNumber,
    /// Its newest acts of betting, for whoever asks after their round.
    pub past: PastActs,
    /// Its newest notes, so that none is credited twice.
    pub notes: Notes,
    /// Whether it can be heard.
    pub link: Link,
    /// Free credit; at a seat, the value of colour chips in the player's hands.
    pub credit: Money,
    /// Staked in the open round.
    pub at_risk: Money,
    /// Which of the book's layouts it shows.
    pub layout: usize,
    /// What the register lets somebody play for here. Looked at with every bet,
    /// and nearly always nothing: what there is stands elsewhere.
    pub grant: Option<Box<PlayGrant>>,
    /// Terminal or seat.
    pub kind: StationKind,
    /// No longer in use.
    pub removed: bool,
    /// Meters.
    pub meters: Meters,
    /// Colour chips issued here.
    pub colour: Option<Colour>,
    /// Its name.
    pub name: String,
    /// Who has come and not left.
    pub visit: Visit,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(offset_of!(Station, credit) == 128);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(offset_of!(Station, meters.cash_in) == 192);

impl Station {
    /// What the meters say the credit is; at a seat, chips that come from and
    /// go to the player's own pocket are not credit.
    #[must_use]
    pub fn credit_by_meters(&self) -> Money {
        let m = &self.meters;
        let inward = m.cash_in + m.voucher_in + m.transfer_in + m.corrected_in + m.adjusted;
        let outward = m.voucher_out + m.hand_pay + m.transfer_out + m.recovered;
        inward - outward - m.staked + m.returned + m.void_returned
    }
}
