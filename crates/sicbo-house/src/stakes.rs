//! Stakes that are on their way: looked at against a player's limits and not
//! yet answered by the table.
//!
//! A limit is looked at against what is durable. Bets of one player can come
//! by several connections, or at two stations while a card goes from one to
//! the other; so what was let through counts from then on until it was
//! answered. Only who has a limit is ever in here.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_channel::oneshot;
use sicbo_register::play::member::MemberId;
use sicbo_register::voucher::Place;

/// Whose stakes count together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Holder {
    /// Of whoever has this card, wherever they play.
    Member(MemberId),
    /// Of whoever plays there without one.
    Place(Place),
}

/// Everything that is on its way, in minor units.
#[derive(Clone, Default)]
pub struct Stakes(Arc<Mutex<BTreeMap<Holder, i64>>>);

/// What is on its way while somebody looks at it: nobody else does.
pub struct Looking<'s> {
    all: &'s Stakes,
    map: MutexGuard<'s, BTreeMap<Holder, i64>>,
}

/// A stake on its way, until it is dropped.
pub struct OnTheWay {
    all: Stakes,
    holder: Holder,
    minor: i64,
}

impl Stakes {
    fn map(&self) -> MutexGuard<'_, BTreeMap<Holder, i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at what is on its way. Whatever is read of tables and register to
    /// judge a stake is read while this is held, so that a stake that arrives
    /// in the meantime is counted twice rather than not at all.
    pub fn look(&self) -> Looking<'_> {
        Looking {
            all: self,
            map: self.map(),
        }
    }
}

impl Looking<'_> {
    /// What is on its way of one holder.
    #[must_use]
    pub fn of(&self, holder: &Holder) -> i64 {
        self.map.get(holder).copied().unwrap_or(0)
    }

    /// Lets a stake go on its way.
    #[must_use]
    pub fn send(mut self, holder: Holder, minor: i64) -> OnTheWay {
        let sum = self.map.entry(holder.clone()).or_default();
        *sum = sum.saturating_add(minor);
        OnTheWay {
            all: self.all.clone(),
            holder,
            minor,
        }
    }
}

impl Drop for OnTheWay {
    fn drop(&mut self) {
        let mut map = self.all.map();
        if let Some(sum) = map.get_mut(&self.holder) {
            *sum = sum.saturating_sub(self.minor);
            if *sum <= 0 {
                map.remove(&self.holder);
            }
        }
    }
}

/// Who waits for the answer to a stake on its way.
pub struct Arrival {
    stake: OnTheWay,
    sender: oneshot::Sender<()>,
}

impl Arrival {
    /// Somebody waits for it.
    pub fn new(stake: OnTheWay) -> (Arrival, oneshot::Receiver<()>) {
        let (sender, receiver) = oneshot::channel();
        (Arrival { stake, sender }, receiver)
    }

    /// It was answered: what the table holds now says the rest. Whether
    /// whoever waited is still there.
    pub fn send(self, (): ()) -> bool {
        drop(self.stake);
        self.sender.send(()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(number: u8) -> Holder {
        Holder::Member(MemberId([number; 32]))
    }

    #[test]
    fn p_078_what_is_on_its_way_counts_until_it_was_answered() {
        let stakes = Stakes::default();
        let one = stakes.look().send(member(1), 300);
        let two = stakes.look().send(member(1), 200);
        assert_eq!(stakes.look().of(&member(1)), 500);
        assert_eq!(stakes.look().of(&member(2)), 0);
        drop(one);
        assert_eq!(stakes.look().of(&member(1)), 200);
        // Whoever waited has gone; it was answered all the same.
        let (arrival, receiver) = Arrival::new(two);
        drop(receiver);
        assert!(!arrival.send(()));
        assert_eq!(stakes.look().of(&member(1)), 0);
        assert!(stakes.map().is_empty(), "nothing is kept of it");
    }

    #[test]
    fn p_078_ten_bets_at_once_do_not_go_beyond_one_limit() {
        let stakes = Stakes::default();
        let within = || {
            let looking = stakes.look();
            (looking.of(&member(1)) + 100 <= 500).then(|| looking.send(member(1), 100))
        };
        let sent: Vec<Option<OnTheWay>> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..10).map(|_| scope.spawn(within)).collect();
            let joined = all.into_iter().map(|one| one.join().expect("no panic"));
            joined.collect()
        });
        assert_eq!(sent.iter().flatten().count(), 5);
    }
}
