//! What is kept of a voucher that is settled: all of it while somebody may
//! look at it, a mark while somebody may still present its paper, then nothing.
//!
//! *Whole* for a day, so that a repeated request is answered as the first was,
//! and for as long as it is among the last 35 of a station (S-13). *A mark*
//! until 90 days after it expires: a number that was paid is then still told
//! apart from one that never was (S-14), and no new voucher gets it (S-15).
//! After that only the journal knows it, the paper itself says that it is
//! long expired, and presenting it is answered like any unknown number.
//!
//! A mark is about 80 bytes with its index, a whole voucher about 350. A house
//! that prints 5,000 vouchers a day good for 30 days keeps 600,000 marks, 48 MB;
//! one that prints 1,000 keeps 10 MB, whatever its age. The sums of what is no
//! longer whole are kept, so totals stay exact.

use sha2::{Digest, Sha256};
use sicbo_table::ids::VoucherId;

use super::voucher::{Payee, Place, State, Unpaid, Voucher};
use super::{Register, account};

/// A settled voucher is kept whole for this long.
pub const WHOLE_FOR_MS: i64 = 86_400_000;
/// Its mark is kept for this long after it expired.
pub const MARKED_FOR_MS: i64 = 90 * 86_400_000;
/// Vouchers looked at with one event: more than one event can settle on
/// average, few enough that no event is slow.
const AT_ONCE: usize = 512;

/// What became of a voucher.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Paid.
    Paid,
    /// Made worthless, or never printed.
    Void,
    /// Not claimed in time.
    Expired,
}

/// What is kept of a voucher for whoever presents its paper too late.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The first bytes of the digest of its number.
    pub number: u64,
    /// The first bytes of a digest of the station it came from.
    pub origin: u64,
    /// What became of it.
    pub end: End,
    /// Not kept from then on.
    pub until_ms: i64,
}

impl Mark {
    fn of(voucher: &Voucher) -> Option<Mark> {
        let end = match voucher.state {
            State::Redeemed { .. } => End::Paid,
            State::Returned | State::Void => End::Void,
            State::Expired => End::Expired,
            _ => return None,
        };
        Some(Mark {
            number: first_bytes(&voucher.digest),
            origin: place_mark(&voucher.origin),
            end,
            until_ms: voucher.expires_ms.saturating_add(MARKED_FOR_MS),
        })
    }

    /// Whether the voucher came from this station.
    #[must_use]
    pub fn is_from(&self, place: &Place) -> bool {
        self.origin == place_mark(place)
    }

    /// Why its number is not paid.
    #[must_use]
    pub const fn unpaid(&self) -> Unpaid {
        match self.end {
            End::Paid => Unpaid::AlreadyPaid,
            End::Void => Unpaid::Void,
            End::Expired => Unpaid::Expired,
        }
    }

    /// A digest that finds this mark again.
    pub(super) fn digest(&self) -> [u8; 32] {
        let mut digest = [0; 32];
        digest[..8].copy_from_slice(&self.number.to_be_bytes());
        digest
    }
}

/// What a mark keeps of a digest. Among a million marks one in 18 million
/// million unknown numbers is taken for one of them.
pub(super) fn first_bytes(digest: &[u8; 32]) -> u64 {
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    u64::from_be_bytes(first)
}

fn place_mark(place: &Place) -> u64 {
    let digest = Sha256::new()
        .chain_update(place.table.as_str())
        .chain_update([0])
        .chain_update(place.station.0.to_be_bytes())
        .finalize();
    first_bytes(&digest.into())
}

impl Register {
    /// Whether a settled voucher's day has not passed yet.
    fn is_fading(&self, voucher: &Voucher, id: VoucherId) -> bool {
        self.fading
            .contains(&(voucher.settled_ms.saturating_add(WHOLE_FOR_MS), id))
    }

    /// The mark of a settled voucher that is no longer kept whole, by the
    /// keyed digest of its number.
    #[must_use]
    pub fn mark_numbered(&self, digest: &[u8; 32]) -> Option<(VoucherId, Mark)> {
        let id = self.marked_numbers.get(&first_bytes(digest))?;
        self.marks.get(id).map(|mark| (*id, *mark))
    }

    /// A voucher was settled.
    pub(super) fn settled(&mut self, id: VoucherId, at_ms: i64) {
        self.fading.insert((at_ms.saturating_add(WHOLE_FOR_MS), id));
    }

    /// Lets go of what its time has passed for.
    pub(super) fn let_go(&mut self, now_ms: i64) {
        for _ in 0..AT_ONCE {
            let Some((due_ms, id)) = self.fading.first().copied() else {
                break;
            };
            if due_ms > now_ms {
                break;
            }
            self.fading.remove(&(due_ms, id));
            self.let_go_of(id);
        }
        // In the order of their numbers, so that whatever is not known below
        // `forgotten` was known once.
        for _ in 0..AT_ONCE {
            match self.marks.first_key_value() {
                Some((id, mark)) if mark.until_ms <= now_ms => {
                    let (id, number) = (*id, mark.number);
                    self.marks.remove(&id);
                    if self.marked_numbers.get(&number) == Some(&id) {
                        self.marked_numbers.remove(&number);
                    }
                    self.forgotten = id.0;
                }
                _ => break,
            }
        }
    }

    /// Keeps only a mark of a voucher that nobody needs whole any more.
    pub(super) fn let_go_of(&mut self, id: VoucherId) {
        let Some(voucher) = self.vouchers.get(&id) else {
            return;
        };
        let Some(mark) = Mark::of(voucher) else {
            return;
        };
        let recent = |place: &Place| self.recent.get(place);
        let issued = recent(&voucher.origin).is_some_and(|recent| recent.issued.contains(&id));
        let accepted = match &voucher.state {
            State::Redeemed {
                to: Payee::Station(place),
                ..
            } => recent(place).is_some_and(|recent| recent.accepted.contains(&id)),
            _ => false,
        };
        if issued || accepted || self.is_fading(voucher, id) {
            return;
        }
        if let Some(voucher) = self.vouchers.remove(&id) {
            let code = voucher.currency.code().to_owned();
            let sums = self.past.entry(code).or_default();
            sums.issued += voucher.amount;
            *account(sums, &voucher.state) += voucher.amount;
            self.numbers.remove(&voucher.digest);
            self.marked_numbers.insert(mark.number, id);
            self.marks.insert(id, mark);
        }
    }
}
