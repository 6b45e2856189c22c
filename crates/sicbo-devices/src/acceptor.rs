//! Where credit comes from at a terminal: a simulated note acceptor. Says
//! which amounts are taken, and as what; moves no money.

use sicbo_rules::{Currency, Money};
use sicbo_table::Act;
use sicbo_table::actor::{Actor, Device};
use sicbo_table::command::CreditSource;
use sicbo_table::ids::StationId;

sicbo_rules::worded! {
    /// Why an amount is not taken. A stable code each.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
    pub enum NotTaken: code {
        /// No such note.
        #[error("there is no such note, or it is not taken here")]
        NoSuchNote = "no_such_note",
        /// No notes of this currency are known.
        #[error("no notes of this currency are taken here")]
        NoSuchCurrency = "no_such_currency",
        /// Nothing, or less.
        #[error("the amount must be above zero")]
        Nothing = "nothing",
        /// More than the cage sends at once.
        #[error("the cage sends no such amount at once")]
        TooMuch = "too_much",
    }
}

/// Notes in circulation, in whole units of the currency. Coins and what has
/// been withdrawn are not taken.
fn notes(currency: Currency) -> Option<&'static [i64]> {
    Some(match currency {
        Currency::SGD => &[2, 5, 10, 50, 100, 1_000],
        Currency::VND => &[10_000, 20_000, 50_000, 100_000, 200_000, 500_000],
        Currency::USD => &[1, 2, 5, 10, 20, 50, 100],
        Currency::HKD => &[10, 20, 50, 100, 500, 1_000],
        Currency::MOP => &[10, 20, 50, 100, 500, 1_000],
        _ => return None,
    })
}

/// A simulated note acceptor at a terminal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoteAcceptor {
    currency: Currency,
    refused: Vec<Money>,
}

impl NoteAcceptor {
    /// Takes every note of a currency but those refused.
    ///
    /// # Errors
    /// When no notes of the currency are known.
    pub fn new(currency: Currency, refused: Vec<Money>) -> Result<NoteAcceptor, NotTaken> {
        notes(currency).ok_or(NotTaken::NoSuchCurrency)?;
        Ok(NoteAcceptor { currency, refused })
    }

    /// The notes it takes, smallest first.
    #[must_use]
    pub fn notes(&self) -> Vec<Money> {
        let scale = 10_i64.pow(u32::from(self.currency.decimals()));
        let whole = notes(self.currency).unwrap_or_default().iter();
        whole
            .map(|note| Money::from_minor(note * scale))
            .filter(|note| !self.refused.contains(note))
            .collect()
    }

    /// The act that credits a note put in at a station, and who acts.
    ///
    /// # Errors
    /// When it is no note that is taken.
    pub fn insert(&self, station: StationId, note: Money) -> Result<(Actor, Act), NotTaken> {
        if !self.notes().contains(&note) {
            return Err(NotTaken::NoSuchNote);
        }
        let act = Act::BuyCredit {
            station,
            source: CreditSource::Cash,
            amount: note,
        };
        Ok((Actor::Device(Device::NoteAcceptor), act))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: StationId = StationId(2);

    #[test]
    fn p_080_notes_are_taken_by_their_denominations_only() {
        let refused = vec![Money::from_minor(100_000)];
        let acceptor = NoteAcceptor::new(Currency::SGD, refused).unwrap();
        let (by, act) = acceptor.insert(HERE, Money::from_minor(5_000)).unwrap();
        assert_eq!(by, Actor::Device(Device::NoteAcceptor));
        let Act::BuyCredit { source, amount, .. } = act else {
            panic!("{act:?}");
        };
        assert_eq!((source, amount.minor()), (CreditSource::Cash, 5_000));
        for minor in [
            0,
            -5_000,
            1,
            100,
            2_000,
            4_999,
            100_000,
            1_000_000,
            i64::MAX,
        ] {
            let note = acceptor.insert(HERE, Money::from_minor(minor));
            assert_eq!(note, Err(NotTaken::NoSuchNote), "{minor}");
        }
        // đồng have no decimals.
        let acceptor = NoteAcceptor::new(Currency::VND, Vec::new()).unwrap();
        assert!(acceptor.insert(HERE, Money::from_minor(500_000)).is_ok());
        assert!(acceptor.insert(HERE, Money::from_minor(5_000)).is_err());
        for currency in Currency::KNOWN {
            let acceptor = NoteAcceptor::new(currency, Vec::new()).unwrap();
            assert!(acceptor.notes().is_sorted() && acceptor.notes().len() > 5);
        }
        let other = Currency::new("EUR", 2).unwrap();
        assert_eq!(
            NoteAcceptor::new(other, Vec::new()),
            Err(NotTaken::NoSuchCurrency)
        );
    }
}
