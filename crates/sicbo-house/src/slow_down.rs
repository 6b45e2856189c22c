//! Slows down guessing of PINs: by where a try comes from and by the name it is for.
//!
//! Nothing here knows which names exist, so a name nobody has is treated like any other. A try
//! counts as failed from the moment it begins, so that many at once are no more than many in a
//! row. Tries at an enrolled place, or from a browser that has logged this person in before, are
//! counted by themselves: whoever guesses elsewhere makes nobody wait there. The tables have a
//! bound, and what was tried least gives way.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};
use sicbo_register::enrolment::EnrolmentId;
use sicbo_register::lockout::{FAILURES_ALLOWED, FAILURES_ANYWHERE, Lockout};
use sicbo_register::person::folded;

use crate::address::AddressBlock;

/// Failures from one address with all names together before tries from it are spaced out.
pub const FAILURES_BY_ADDRESS: u32 = 20;
/// The longest wait for one name from one address, in milliseconds.
pub const MAX_NAME_HERE_MS: i64 = 300_000;
/// The longest wait for any name from one address.
pub const MAX_ADDRESS_MS: i64 = 60_000;
/// The longest wait for one name from addresses that have never logged that person in.
pub const MAX_NAME_MS: i64 = 30_000;
/// Failures are forgotten after so long without another.
const FORGIVEN_MS: i64 = 3_600_000;
/// Whoever logs in makes up for so many failures from the same address, themselves included:
/// people mistype, and behind one address there may be many.
const FORGIVEN_EACH: u32 = 5;
/// Counts that are kept.
const MAX_COUNTS: usize = 10_000;

/// Where a try comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// An enrolled console, desk or window.
    Place(EnrolmentId),
    /// A browser that has logged this person in before, or in which they are logged in.
    Browser([u8; 16]),
    /// Any other.
    Address(AddressBlock),
    /// Any other, behind a proxy that hides the address.
    Anywhere,
}

/// A name, as far as tries are counted for it.
type Name = [u8; 16];

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Count {
    Here(Origin, Name),
    Address(AddressBlock),
    Name(Name),
}

impl Count {
    fn allowed(self) -> u32 {
        match self {
            Count::Here(..) => FAILURES_ALLOWED,
            Count::Address(_) => FAILURES_BY_ADDRESS,
            Count::Name(_) => FAILURES_ANYWHERE,
        }
    }

    fn longest_ms(self) -> i64 {
        match self {
            Count::Here(Origin::Address(_), _) => MAX_NAME_HERE_MS,
            Count::Here(..) => i64::MAX,
            Count::Address(_) => MAX_ADDRESS_MS,
            Count::Name(_) => MAX_NAME_MS,
        }
    }

    fn after(self, before: Lockout, now_ms: i64) -> Lockout {
        let after = before.after_failure_beyond(self.allowed(), now_ms, Some(FORGIVEN_MS));
        let longest = now_ms.saturating_add(self.longest_ms());
        Lockout {
            until_ms: after.until_ms.min(longest),
            ..after
        }
    }
}

/// A try that has begun.
#[derive(Debug)]
pub struct Try {
    counts: Vec<Count>,
    /// Until when the next one waits, should this one fail.
    pub wait_until_ms: Option<i64>,
}

/// All counts.
#[derive(Default)]
pub struct SlowDown {
    counts: Mutex<BTreeMap<Count, Lockout>>,
}

impl SlowDown {
    /// Begins a try; it has failed unless it is said to have succeeded.
    ///
    /// # Errors
    /// Until when nothing is tried.
    pub fn begin(&self, origin: Origin, name: &str, now_ms: i64) -> Result<Try, i64> {
        let name = name_of(name);
        let here = Count::Here(origin, name);
        let counts = match origin {
            Origin::Place(_) | Origin::Browser(_) => vec![here],
            Origin::Address(address) => vec![here, Count::Address(address), Count::Name(name)],
            // Nobody is told apart there: only the short wait of the name is right for all.
            Origin::Anywhere => vec![Count::Name(name)],
        };
        let mut kept = self.counts.lock();
        let waits = |count: &Count| kept.get(count)?.locked(now_ms);
        if let Some(until_ms) = counts.iter().filter_map(waits).max() {
            return Err(until_ms);
        }
        let mut wait_until_ms = None;
        for count in &counts {
            make_room(&mut kept, now_ms);
            let known = kept.entry(*count).or_default();
            *known = count.after(*known, now_ms);
            wait_until_ms = wait_until_ms.max(known.locked(now_ms));
        }
        Ok(Try {
            counts,
            wait_until_ms,
        })
    }

    /// It was the right PIN.
    pub fn succeeded(&self, tried: &Try) {
        let mut kept = self.counts.lock();
        for count in &tried.counts {
            match count {
                Count::Here(..) => drop(kept.remove(count)),
                Count::Address(_) => take_back(&mut kept, *count, FORGIVEN_EACH),
                Count::Name(_) => take_back(&mut kept, *count, 1),
            }
        }
    }

    /// The PIN was never looked at, as when there was no room to hash it.
    pub fn not_tried(&self, tried: &Try) {
        let mut kept = self.counts.lock();
        for count in &tried.counts {
            take_back(&mut kept, *count, 1);
        }
    }

    /// Somebody who may has lifted what holds a name up.
    pub fn forgive(&self, name: &str) {
        let name = name_of(name);
        let is_theirs = |count: &Count| match count {
            Count::Here(_, theirs) | Count::Name(theirs) => *theirs == name,
            Count::Address(_) => false,
        };
        self.counts.lock().retain(|count, _| !is_theirs(count));
    }

    /// Until when a name waits somewhere, if it does.
    #[must_use]
    pub fn waits_somewhere(&self, name: &str, now_ms: i64) -> Option<i64> {
        let name = name_of(name);
        let kept = self.counts.lock();
        let theirs = kept.iter().filter(|(count, _)| match count {
            Count::Here(_, theirs) | Count::Name(theirs) => *theirs == name,
            Count::Address(_) => false,
        });
        theirs.filter_map(|(_, count)| count.locked(now_ms)).max()
    }
}

/// Failures that were none, or are made up for.
fn take_back(kept: &mut BTreeMap<Count, Lockout>, count: Count, many: u32) {
    if let Some(known) = kept.get_mut(&count) {
        known.failures = known.failures.saturating_sub(many);
        known.until_ms = 0;
        if known.failures == 0 {
            kept.remove(&count);
        }
    }
}

/// Drops what is forgiven, and then what was tried least and longest ago.
fn make_room(kept: &mut BTreeMap<Count, Lockout>, now_ms: i64) {
    if kept.len() < MAX_COUNTS {
        return;
    }
    kept.retain(|_, known| now_ms - known.last_ms.max(known.until_ms) <= FORGIVEN_MS);
    if kept.len() < MAX_COUNTS {
        return;
    }
    let mut tried: Vec<(u32, i64, Count)> = kept
        .iter()
        .map(|(count, known)| (known.failures, known.last_ms, *count))
        .collect();
    // A tenth at once, so that the next ones find room without looking.
    let (gone, ..) = tried.select_nth_unstable(MAX_COUNTS / 10);
    for (_, _, count) in gone {
        kept.remove(count);
    }
}

fn name_of(name: &str) -> Name {
    let mut hash = Sha256::new();
    hash.update(b"sicbo name tried 1\0");
    hash.update(folded(name));
    let mut name = [0; 16];
    name.copy_from_slice(&hash.finalize()[..16]);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> Origin {
        Origin::Address(AddressBlock::of([10, 0, 0, last].into()))
    }

    #[test]
    fn s_18_five_wrong_pins_make_one_name_wait_at_one_address_and_longer_each_time() {
        let slow = SlowDown::default();
        let mut now = 0;
        let mut waits = Vec::new();
        for _ in 0..5 {
            let tried = slow.begin(address(1), "Ann Lee", now).expect("no wait");
            waits.push(tried.wait_until_ms);
        }
        assert_eq!(waits, [None, None, None, None, Some(60_000)]);
        assert_eq!(slow.begin(address(1), "  ANN lee", now).err(), Some(60_000));
        assert!(slow.begin(address(1), "Bob Tan", now).is_ok());
        assert!(slow.begin(address(2), "Ann Lee", now).is_ok());
        let mut longest = 0;
        for _ in 0..10 {
            now = slow.waits_somewhere("Ann Lee", now).unwrap_or(now);
            let tried = slow.begin(address(1), "Ann Lee", now).expect("waited");
            let wait = tried.wait_until_ms.expect("a wait") - now;
            assert!(wait >= longest, "{wait}");
            longest = wait;
        }
        assert_eq!(longest, MAX_NAME_HERE_MS);
    }

    #[test]
    fn s_18_a_place_or_a_browser_that_knows_the_person_waits_for_nobody_elses_guesses() {
        let slow = SlowDown::default();
        let place = Origin::Place(EnrolmentId(7));
        let browser = Origin::Browser([3; 16]);
        // A thousand tries from a hundred addresses, each for the same name.
        for last in 0..100 {
            for at in 0..10 {
                let _ = slow.begin(address(last), "Ann Lee", at);
            }
        }
        assert!(slow.begin(address(200), "Ann Lee", 20).is_err(), "by name");
        for origin in [place, browser] {
            let tried = slow.begin(origin, "Ann Lee", 20).expect("no wait");
            slow.succeeded(&tried);
        }
        // And those who are guessed for wait at most half a minute anywhere new.
        let until = slow.begin(address(200), "Ann Lee", 20).expect_err("waits");
        assert!(until <= 20 + MAX_NAME_MS, "{until}");
        slow.forgive("Ann Lee");
        assert!(slow.begin(address(200), "Ann Lee", 20).is_ok());
    }

    #[test]
    fn s_18_one_address_that_tries_everybody_makes_only_itself_wait() {
        let slow = SlowDown::default();
        let tries = (0..200).map(|at| slow.begin(address(1), &format!("Name {at}"), 0));
        let taken = tries.filter(Result::is_ok).count();
        assert_eq!(taken, FAILURES_BY_ADDRESS as usize);
        assert_eq!(
            slow.begin(address(1), "Ann Lee", 0).err(),
            Some(MAX_ADDRESS_MS)
        );
        assert!(slow.begin(address(2), "Ann Lee", 0).is_ok());
        // After the wait it has one try at a time, and a right one still opens.
        let tried = slow
            .begin(address(1), "Ann Lee", MAX_ADDRESS_MS)
            .expect("waited");
        slow.succeeded(&tried);
    }

    #[test]
    fn s_18_behind_a_proxy_a_guess_makes_one_name_wait_shortly_and_no_other() {
        let slow = SlowDown::default();
        for at in 0..200 {
            let _ = slow.begin(Origin::Anywhere, &format!("Name {at}"), 0);
            let _ = slow.begin(Origin::Anywhere, "Ann Lee", 0);
        }
        let until = slow.begin(Origin::Anywhere, "Ann Lee", 0);
        assert!(until.expect_err("waits") <= MAX_NAME_MS);
        assert!(slow.begin(Origin::Anywhere, "Bob Tan", 0).is_ok());
        assert!(slow.begin(Origin::Browser([3; 16]), "Ann Lee", 0).is_ok());
    }

    #[test]
    fn tables_keep_their_bound_and_those_who_were_tried_most() {
        let slow = SlowDown::default();
        for _ in 0..5 {
            let _ = slow.begin(Origin::Place(EnrolmentId(1)), "Ann Lee", 0);
        }
        for at in 0..30_000_u32 {
            let [_, a, b, c] = at.to_be_bytes();
            let from = Origin::Address(AddressBlock::of([10, a, b, c].into()));
            let _ = slow.begin(from, &format!("Name {at}"), 1);
        }
        assert!(slow.counts.lock().len() <= MAX_COUNTS);
        assert!(
            slow.begin(Origin::Place(EnrolmentId(1)), "Ann Lee", 1)
                .is_err()
        );
    }

    #[test]
    fn what_was_never_looked_at_does_not_count() {
        let slow = SlowDown::default();
        for _ in 0..50 {
            let tried = slow.begin(address(1), "Ann Lee", 0).expect("no wait");
            slow.not_tried(&tried);
        }
        assert!(slow.counts.lock().is_empty());
    }
}
