//! How often cards may be looked up: by one station, from one address, and how
//! often one card may be presented wrongly anywhere.
//!
//! Strangers who try numbers are slowed down where they are. A card that is
//! tried again and again is not looked up for a while; whoever uses it already
//! plays on.

use std::collections::BTreeMap;
use std::net::IpAddr;

use parking_lot::Mutex;
use sicbo_register::play::member::MemberId;
use sicbo_register::voucher::Place;

use crate::address::AddressBlock;
use crate::allowance::Allowance;

/// Stations, addresses and cards that are remembered, each.
const MAX_REMEMBERED: usize = 4_096;

/// Who looks up what.
#[derive(Clone, Debug)]
pub struct LookUp {
    /// Where the card is presented.
    pub place: Place,
    /// From which address.
    pub address: Option<IpAddr>,
    /// Whose card it would be.
    pub member: MemberId,
}

/// How often cards may still be looked up.
#[derive(Default)]
pub struct LookUps(Mutex<Left>);

#[derive(Default)]
struct Left {
    stations: BTreeMap<Place, Allowance>,
    addresses: BTreeMap<AddressBlock, Allowance>,
    cards: BTreeMap<MemberId, Allowance>,
}

/// The allowance of one of them. Where too many are remembered, those who have
/// used nothing of theirs are forgotten first, and then nobody new is let in.
fn of<K: Ord>(
    map: &mut BTreeMap<K, Allowance>,
    key: K,
    fresh: fn(i64) -> Allowance,
    now_ms: i64,
) -> Option<&mut Allowance> {
    if map.len() >= MAX_REMEMBERED && !map.contains_key(&key) {
        map.retain(|_, allowance| !allowance.is_full(now_ms));
        if map.len() >= MAX_REMEMBERED {
            return None;
        }
    }
    Some(map.entry(key).or_insert_with(|| fresh(now_ms)))
}

impl LookUps {
    /// Takes one look-up; false when there were too many.
    pub fn take(&self, asked: &LookUp, now_ms: i64) -> bool {
        let mut left = self.0.lock();
        let left = &mut *left;
        let station = of(
            &mut left.stations,
            asked.place.clone(),
            Allowance::of_look_ups,
            now_ms,
        );
        if !station.is_some_and(|left| left.take(now_ms)) {
            return false;
        }
        if let Some(address) = asked.address {
            let allowance = of(
                &mut left.addresses,
                AddressBlock::of(address),
                Allowance::of_look_ups_from_an_address,
                now_ms,
            );
            if !allowance.is_some_and(|left| left.take(now_ms)) {
                return false;
            }
        }
        // Wrong until it is shown to be right: many at once are no more than many in a row.
        let cards = &mut left.cards;
        let card = of(cards, asked.member, Allowance::of_wrong_pins, now_ms);
        card.is_some_and(|left| left.take(now_ms))
    }

    /// The card was not presented wrongly.
    pub fn not_wrong(&self, asked: &LookUp) {
        if let Some(card) = self.0.lock().cards.get_mut(&asked.member) {
            card.give_back();
        }
    }
}

#[cfg(test)]
mod tests {
    use sicbo_register::enrolment::TableName;
    use sicbo_table::ids::StationId;

    use super::*;

    fn asked(station: u32, address: &str, card: u8) -> LookUp {
        LookUp {
            place: Place {
                table: TableName::new("t1").unwrap(),
                station: StationId(station),
            },
            address: Some(address.parse().unwrap()),
            member: MemberId([card; 32]),
        }
    }

    fn low(at: u32) -> u8 {
        at.to_be_bytes()[3]
    }

    fn until_refused(look_ups: &LookUps, asks: impl Fn(u32) -> LookUp) -> u32 {
        let taken = (0..1_000).take_while(|at| look_ups.take(&asks(*at), 0));
        taken.count().try_into().unwrap()
    }

    #[test]
    fn p_075_numbers_cannot_be_tried_by_the_hundred() {
        let look_ups = LookUps::default();
        assert_eq!(until_refused(&look_ups, |_| asked(1, "10.0.0.1", 1)), 6);
        // The station next to it is not kept from its own.
        assert!(look_ups.take(&asked(2, "10.0.0.2", 1), 0));
        assert!(!look_ups.take(&asked(1, "10.0.0.1", 1), 19_999));
        assert!(look_ups.take(&asked(1, "10.0.0.1", 1), 20_000));
        // One machine that speaks for many stations is bounded as a whole.
        let look_ups = LookUps::default();
        let one = |at: u32| asked(at, "10.0.0.1", low(at));
        assert_eq!(until_refused(&look_ups, one), 60);
        assert!(!look_ups.take(&asked(99, "::ffff:10.0.0.1", 1), 0));
        // Of IPv6 anybody has as many addresses as they like.
        let look_ups = LookUps::default();
        let many = |at: u32| asked(at, &format!("2001:db8:0:1::{at:x}"), low(at));
        assert_eq!(until_refused(&look_ups, many), 60);
        // A card is not tried from everywhere.
        let look_ups = LookUps::default();
        let tries = (0..100).take_while(|at| {
            let asked = asked(*at, &format!("10.0.1.{at}"), 7);
            look_ups.take(&asked, 0)
        });
        assert_eq!(tries.count(), 10);
        // One that is right counts for nothing.
        let look_ups = LookUps::default();
        for at in 0..100 {
            let asked = asked(at, &format!("10.0.1.{at}"), 7);
            assert!(look_ups.take(&asked, 0));
            look_ups.not_wrong(&asked);
        }
        assert!(look_ups.take(&asked(200, "10.0.2.1", 8), 0), "another card");
    }

    #[test]
    fn what_is_remembered_has_a_bound() {
        let look_ups = LookUps::default();
        let many = u32::try_from(MAX_REMEMBERED).unwrap() + 10;
        for at in 0..many {
            let low = at.to_be_bytes();
            let address = format!("10.{}.{}.{}", low[1], low[2], low[3]);
            let _ = look_ups.take(&asked(at, &address, 1), 0);
        }
        assert_eq!(look_ups.0.lock().stations.len(), MAX_REMEMBERED);
        assert!(!look_ups.take(&asked(many, "10.9.9.9", 1), 0), "no room");
        // Who has tried nothing for a while is forgotten.
        assert!(look_ups.take(&asked(many, "10.9.9.9", 1), 3_600_000));
    }
}
