//! What one station must have, computed from registered bets, dice and the
//! odds of the documents; nothing here is the engine's.

use std::collections::BTreeMap;

use sicbo_auditor::odds::returned;

/// Bets by section.
pub type Bets = BTreeMap<String, i64>;

/// An ended round of a station.
#[derive(Clone)]
struct Past {
    bets: Bets,
    /// None when it is void.
    dice: Option<[u8; 3]>,
    overpaid: i64,
}

/// The money of one station.
#[derive(Clone)]
pub struct Account {
    book: String,
    layout: String,
    /// Free credit, or at a seat what was won less what was lost.
    pub credit: i64,
    /// Registered in the round in hand.
    pub bets: Bets,
    past: BTreeMap<u64, Past>,
}

impl Account {
    pub fn new(book: &str, layout: &str) -> Account {
        Account {
            book: book.to_owned(),
            layout: layout.to_owned(),
            credit: 0,
            bets: Bets::new(),
            past: BTreeMap::new(),
        }
    }

    /// At risk.
    pub fn at_risk(&self) -> i64 {
        self.bets.values().sum()
    }

    /// Bets were registered.
    pub fn placed(&mut self, lines: &[(&str, i64)]) {
        for (section, stake) in lines {
            *self.bets.entry((*section).to_owned()).or_default() += stake;
            self.credit -= stake;
        }
    }

    /// Bets were taken back.
    pub fn removed(&mut self, lines: &[(&str, i64)]) {
        for (section, stake) in lines {
            let on = self.bets.get_mut(*section).expect("a bet that is there");
            *on -= stake;
            assert!(*on >= 0);
            self.credit += stake;
        }
        self.bets.retain(|_, stake| *stake > 0);
    }

    /// What comes back for these bets.
    pub fn returns(&self, bets: &Bets, dice: Option<[u8; 3]>) -> i64 {
        let one = |(section, stake): (&String, &i64)| match dice {
            None => *stake,
            Some(dice) => returned(&self.book, &self.layout, section, *stake, dice)
                .unwrap_or_else(|| panic!("{section} is paid exactly on {}", self.layout)),
        };
        bets.iter().map(one).sum()
    }

    /// The round ended with these dice, or void.
    pub fn ended(&mut self, round: u64, dice: Option<[u8; 3]>) {
        let bets = std::mem::take(&mut self.bets);
        self.credit += self.returns(&bets, dice);
        let past = Past {
            bets,
            dice,
            overpaid: 0,
        };
        self.past.insert(round, past);
    }

    /// An ended round was amended: what is owed is credited less what was
    /// overpaid before; what was paid too much is owed to the house.
    /// Returns what came back before and what comes back now.
    pub fn amended(&mut self, round: u64, dice: Option<[u8; 3]>) -> (i64, i64) {
        let mut past = self.past.remove(&round).expect("a round it played");
        let was = self.returns(&past.bets, past.dice);
        let is = self.returns(&past.bets, dice);
        past.overpaid += was - is;
        if past.overpaid < 0 {
            self.credit -= past.overpaid;
            past.overpaid = 0;
        }
        past.dice = dice;
        self.past.insert(round, past);
        (was, is)
    }

    /// What was paid too much in a round and not taken back.
    pub fn overpaid(&self, round: u64) -> i64 {
        self.past.get(&round).map_or(0, |past| past.overpaid)
    }

    /// So much of what was paid too much was taken back.
    pub fn recovered(&mut self, round: u64, amount: i64) {
        let past = self.past.get_mut(&round).expect("a round it played");
        assert!(amount <= past.overpaid, "no more than was overpaid");
        past.overpaid -= amount;
        self.credit -= amount;
    }

    /// What the house won from this station by the results that stand, whether
    /// it has it all or not.
    pub fn house_win(&self) -> i64 {
        let one =
            |past: &Past| past.bets.values().sum::<i64>() - self.returns(&past.bets, past.dice);
        self.past.values().map(one).sum()
    }
}
