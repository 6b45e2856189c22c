//! Secrets that two persons had made, one half for each of them.
//!
//! Whoever proposed it fetches the first half and whoever confirmed it the second,
//! each once: the person or the device it is for needs both, and neither of the two
//! knows enough to be that person. Nothing of it is written down; what nobody has
//! fetched when the house stops is made anew.

use std::collections::BTreeMap;

use serde::Serialize;
use sicbo_table::ids::PersonId;
use ts_rs::TS;
use utoipa::ToSchema;
use zeroize::Zeroizing;

/// Claims that wait at once; the oldest is forgotten.
const MAX_CLAIMS: usize = 256;

/// One half of a secret.
#[derive(Serialize, TS, ToSchema)]
pub struct Claimed {
    /// `pin`, or `token`.
    pub what: &'static str,
    /// For whom, or for which place.
    pub name: String,
    /// Which half: 1 comes first.
    pub part: u8,
    /// The half, shown once.
    pub half: String,
}

/// A secret in halves.
pub struct Claim {
    /// `pin`, or `token`.
    pub what: &'static str,
    /// For whom, or for which place.
    pub name: String,
    halves: [(PersonId, Option<Zeroizing<String>>); 2],
}

impl Claim {
    /// A secret for these two.
    #[must_use]
    pub fn new(what: &'static str, name: String, secret: &str, both: [PersonId; 2]) -> Claim {
        let (first, second) = secret.split_at(secret.len() / 2);
        let half = |text: &str| Some(Zeroizing::new(text.to_owned()));
        Claim {
            what,
            name,
            halves: [(both[0], half(first)), (both[1], half(second))],
        }
    }

    fn take(&mut self, who: PersonId) -> Option<Claimed> {
        let parts = (1..).zip(&mut self.halves);
        let (part, (_, half)) = parts.into_iter().find(|(_, (whose, _))| *whose == who)?;
        Some(Claimed {
            what: self.what,
            name: self.name.clone(),
            part,
            half: half.take()?.to_string(),
        })
    }
}

/// The claims of a house, by the number of the proposal they come from.
#[derive(Default)]
pub struct Claims(BTreeMap<u64, Claim>);

impl Claims {
    /// Keeps one until both halves are fetched.
    pub fn keep(&mut self, proposal: u64, claim: Claim) {
        while self.0.len() >= MAX_CLAIMS {
            self.0.pop_first();
        }
        self.0.insert(proposal, claim);
    }

    /// The half of one of the two, once.
    pub fn take(&mut self, proposal: u64, who: PersonId) -> Option<Claimed> {
        let claim = self.0.get_mut(&proposal)?;
        let half = claim.take(who);
        if claim.halves.iter().all(|(_, half)| half.is_none()) {
            self.0.remove(&proposal);
        }
        half
    }
}

#[cfg(test)]
mod tests {
    use super::{Claim, Claims, PersonId};

    #[test]
    fn each_of_two_gets_their_own_half_once_and_nobody_else_any() {
        let (one, two, three) = (PersonId(1), PersonId(2), PersonId(3));
        let mut claims = Claims::default();
        let claim = Claim::new("pin", "Lan".to_owned(), "123456789012", [one, two]);
        claims.keep(7, claim);
        let mut half = |who| {
            claims
                .take(7, who)
                .map(|claimed| (claimed.part, claimed.half))
        };
        assert_eq!(half(three), None);
        assert_eq!(half(two), Some((2, "789012".to_owned())));
        assert_eq!(half(two), None);
        assert_eq!(half(one), Some((1, "123456".to_owned())));
        assert_eq!(half(one), None);
        assert!(claims.0.is_empty());
    }
}
