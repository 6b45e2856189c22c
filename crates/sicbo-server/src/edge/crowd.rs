//! Who holds how many of the house's connections, and how often one address asks.
//!
//! A connection is a stranger's until what it asks shows a terminal's token or a person's
//! session. Strangers of one address have a bound of their own, and all strangers together
//! leave a reserve that only those who are known can take, or whoever comes from an address
//! where somebody was known lately: so that no crowd keeps a terminal from coming back.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use sicbo_clock::steady_ms;
use sicbo_house::address::AddressBlock;
use sicbo_house::allowance::Allowance;
use tokio::sync::Notify;

/// One place in so many is kept for those who are known.
const RESERVE: usize = 4;
/// Requests and connections at once, in seconds of those allowed.
const BURST_S: u32 = 10;
/// Where somebody is known, so many times as many strangers may be connected: they may be
/// terminals that have not said who they are yet.
const KNOWN_FACTOR: usize = 10;
/// An address where somebody was known is remembered for so long.
const KNOWN_MS: i64 = 86_400_000;
/// Addresses that are kept although nobody is connected from there.
const MAX_ADDRESSES: usize = 20_000;

/// Why a connection or a request was refused, for the figures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Refused {
    /// Every place is taken.
    Full,
    /// Those that are left are kept for terminals and staff.
    Reserve,
    /// The address holds as many as it may.
    Address,
    /// The address asks or connects too often.
    TooOften,
}

impl Refused {
    /// Counts it.
    pub fn count(self, what: &'static str) {
        let why: &'static str = self.into();
        metrics::counter!("sicbo_refused_total", "what" => what, "why" => why).increment(1);
    }
}

/// What one address may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Connections in all.
    pub places: usize,
    /// Connections of strangers at one address.
    pub by_address: usize,
    /// Requests of strangers at one address a second.
    pub requests: u32,
}

/// What is known of an address.
struct Address {
    strangers: usize,
    known: usize,
    /// When somebody was last known there.
    known_ms: Option<i64>,
    seen_ms: i64,
    requests: Allowance,
    connections: Allowance,
}

impl Address {
    fn is_known(&self, now_ms: i64) -> bool {
        self.known > 0 || self.known_ms.is_some_and(|at| now_ms - at <= KNOWN_MS)
    }
}

#[derive(Default)]
struct Held {
    strangers: usize,
    known: usize,
    addresses: BTreeMap<AddressBlock, Address>,
}

/// Every connection.
pub struct Crowd {
    bounds: Bounds,
    held: Mutex<Held>,
    /// Told when the last connection has gone.
    emptied: Notify,
}

/// The place of one connection among all; given back when the connection ends.
pub struct Place {
    crowd: Arc<Crowd>,
    address: AddressBlock,
    known: AtomicBool,
    /// Told when somebody is recognised.
    news: Notify,
}

impl Crowd {
    /// Nobody yet.
    #[must_use]
    pub fn new(bounds: Bounds) -> Arc<Crowd> {
        Arc::new(Crowd {
            bounds,
            held: Mutex::default(),
            emptied: Notify::new(),
        })
    }

    /// A place for a new connection, which is a stranger's.
    ///
    /// # Errors
    /// Why there is none.
    pub fn come(self: &Arc<Crowd>, from: AddressBlock) -> Result<Arc<Place>, Refused> {
        self.come_at(from, steady_ms())
    }

    fn come_at(self: &Arc<Crowd>, from: AddressBlock, now_ms: i64) -> Result<Arc<Place>, Refused> {
        let bounds = self.bounds;
        let mut held = self.held.lock();
        let all = held.strangers + held.known;
        let free = bounds.places - bounds.places / RESERVE;
        let address = held.at(from, bounds, now_ms);
        // A floor of terminals behind one address comes back at once, and staff whose
        // browser opens one connection after the other are known between two of them.
        let known = address.is_known(now_ms);
        if !known && !address.connections.take(now_ms) {
            return Err(Refused::TooOften);
        }
        let at_once = match known {
            true => bounds.by_address * KNOWN_FACTOR,
            false => bounds.by_address,
        };
        if address.strangers >= at_once {
            return Err(Refused::Address);
        }
        if all >= bounds.places {
            return Err(Refused::Full);
        }
        if all >= free && !address.is_known(now_ms) {
            return Err(Refused::Reserve);
        }
        address.strangers += 1;
        held.strangers += 1;
        Ok(Arc::new(Place {
            crowd: Arc::clone(self),
            address: from,
            known: AtomicBool::new(false),
            news: Notify::new(),
        }))
    }

    /// Connections that are open.
    #[must_use]
    pub fn connections(&self) -> usize {
        let held = self.held.lock();
        held.strangers + held.known
    }

    /// Returns when nobody is connected.
    pub async fn empty(&self) {
        loop {
            let emptied = self.emptied.notified();
            if self.connections() == 0 {
                return;
            }
            emptied.await;
        }
    }
}

impl Held {
    /// What is known of an address; the longest unseen of those without a
    /// connection give way.
    fn at(&mut self, from: AddressBlock, bounds: Bounds, now_ms: i64) -> &mut Address {
        if !self.addresses.contains_key(&from) && self.addresses.len() >= MAX_ADDRESSES {
            let idle = |address: &Address| address.strangers + address.known == 0;
            let mut unseen: Vec<(bool, i64, AddressBlock)> = self
                .addresses
                .iter()
                .filter(|(_, address)| idle(address))
                .map(|(block, address)| (address.is_known(now_ms), address.seen_ms, *block))
                .collect();
            unseen.sort_unstable();
            // A tenth at once, so that the next ones find room without looking.
            for (_, _, block) in unseen.iter().take(MAX_ADDRESSES / 10) {
                self.addresses.remove(block);
            }
        }
        let address = self.addresses.entry(from).or_insert_with(|| Address {
            strangers: 0,
            known: 0,
            known_ms: None,
            seen_ms: now_ms,
            requests: Allowance::a_second(bounds.requests, BURST_S, now_ms),
            connections: Allowance::a_second(bounds.requests, BURST_S, now_ms),
        });
        address.seen_ms = now_ms;
        address
    }
}

impl Place {
    /// Somebody was recognised on this connection: it counts among those of
    /// strangers no longer.
    pub fn recognised(&self) {
        if self.known.swap(true, Ordering::Relaxed) {
            return;
        }
        let now_ms = steady_ms();
        let mut held = self.crowd.held.lock();
        held.strangers -= 1;
        held.known += 1;
        let address = held.at(self.address, self.crowd.bounds, now_ms);
        address.strangers = address.strangers.saturating_sub(1);
        address.known += 1;
        address.known_ms = Some(now_ms);
        drop(held);
        self.news.notify_one();
    }

    /// Whether somebody was recognised on this connection.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.known.load(Ordering::Relaxed)
    }

    /// Returns when somebody is recognised on this connection; for the one task that serves it.
    pub async fn known(&self) {
        while !self.is_known() {
            self.news.notified().await;
        }
    }

    /// Whether one more request is answered.
    #[must_use]
    pub fn may_ask(&self) -> bool {
        if self.is_known() {
            return true;
        }
        let now_ms = steady_ms();
        let mut held = self.crowd.held.lock();
        let address = held.at(self.address, self.crowd.bounds, now_ms);
        address.requests.take(now_ms)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let known = self.is_known();
        let mut held = self.crowd.held.lock();
        if let Some(address) = held.addresses.get_mut(&self.address) {
            let count = match known {
                true => &mut address.known,
                false => &mut address.strangers,
            };
            *count = count.saturating_sub(1);
        }
        match known {
            true => held.known -= 1,
            false => held.strangers -= 1,
        }
        if held.strangers + held.known == 0 {
            self.crowd.emptied.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds {
        places: 100,
        by_address: 10,
        requests: 1_000,
    };

    fn at(last: u8) -> AddressBlock {
        AddressBlock::of([10, 0, 0, last].into())
    }

    #[test]
    fn one_address_takes_its_bound_and_no_crowd_takes_the_reserve() {
        let crowd = Crowd::new(BOUNDS);
        crowd.come(at(1)).expect("a terminal").recognised();
        assert_eq!(crowd.connections(), 0);
        let mut held = Vec::new();
        for last in 2..=30 {
            let here = (0..50).map_while(|_| crowd.come(at(last)).ok());
            let before = held.len();
            held.extend(here);
            assert!(held.len() - before <= 10, "more than its bound at {last}");
        }
        assert_eq!(crowd.connections(), 75, "a quarter is kept");
        assert_eq!(crowd.come(at(2)).err(), Some(Refused::Address));
        assert_eq!(crowd.come(at(31)).err(), Some(Refused::Reserve));
        // From where a terminal was known, one may come back at any time.
        let back = crowd.come(at(1)).expect("known there lately");
        back.recognised();
        let more: Vec<_> = (0..24).map_while(|_| crowd.come(at(1)).ok()).collect();
        assert_eq!(crowd.connections(), 100);
        assert_eq!(crowd.come(at(1)).err(), Some(Refused::Full));
        drop((held, back, more));
        assert_eq!(crowd.connections(), 0);
    }

    #[test]
    fn who_connects_or_asks_too_often_is_refused_and_who_is_known_is_not() {
        let bounds = Bounds {
            requests: 20,
            ..BOUNDS
        };
        let crowd = Crowd::new(bounds);
        let place = crowd.come(at(1)).expect("a place");
        let asked = (0..1_000).take_while(|_| place.may_ask()).count();
        assert!((200..260).contains(&asked), "{asked}");
        place.recognised();
        assert!((0..1_000).all(|_| place.may_ask()));
        assert!((0..1_000).all(|_| crowd.come(at(1)).is_ok()));
        let came = (0..1_000).take_while(|_| crowd.come(at(2)).is_ok()).count();
        assert!((200..260).contains(&came), "{came}");
        assert_eq!(crowd.come(at(2)).err(), Some(Refused::TooOften));
        assert!(crowd.come(at(3)).is_ok());
    }

    #[test]
    fn addresses_that_are_remembered_have_a_bound() {
        let crowd = Crowd::new(BOUNDS);
        for number in 0..(MAX_ADDRESSES as u32 + 5_000) {
            let [_, a, b, c] = number.to_be_bytes();
            drop(crowd.come(AddressBlock::of([10, a, b, c].into())));
        }
        assert!(crowd.held.lock().addresses.len() <= MAX_ADDRESSES);
    }
}
