//! The values of the game and of the house: ids, money, sections, dice, rule books.

use std::sync::Arc;

use sicbo_rules::{Currency, Dice, Money, RuleBook, Section};

use super::{DecodeError, Forms, Reader, Wire, Writer};
use crate::event::RulesRevision;
use crate::ids::{
    BetId, NoticeId, PendingId, PersonId, RecoverableId, RoundNumber, SessionNumber, StationId,
    UnclaimedId, VoucherId,
};

/// What is one value in a type of its own, as that value.
#[doc(hidden)]
#[macro_export]
macro_rules! wire_ids {
    ($($name:ident)+) => {$(
        impl $crate::codec::Wire for $name {
            #[inline]
            fn put(&self, to: &mut $crate::codec::Writer<'_>) {
                self.0.put(to);
            }
            #[inline]
            fn get(
                from: &mut $crate::codec::Reader<'_>,
            ) -> Result<Self, $crate::codec::DecodeError> {
                $crate::codec::Wire::get(from).map($name)
            }
            fn form(forms: &mut $crate::codec::Forms) -> String {
                forms.define::<Self>(stringify!($name), |forms| {
                    vec![$crate::codec::form_of(|it: &Self| &it.0, forms)]
                })
            }
        }
    )+};
}

wire_ids! {
    StationId RoundNumber PersonId BetId VoucherId SessionNumber PendingId RecoverableId
    UnclaimedId RulesRevision NoticeId
}

/// In minor units.
impl Wire for Money {
    #[inline]
    fn put(&self, to: &mut Writer<'_>) {
        to.signed(self.minor());
    }
    #[inline]
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        from.signed().map(Money::from_minor)
    }
    fn form(forms: &mut Forms) -> String {
        forms.define::<Self>("Money", |_| {
            vec!["signed number of minor units (cents)".to_owned()]
        })
    }
}

/// By its stable position among all sections.
impl Wire for Section {
    #[inline]
    fn put(&self, to: &mut Writer<'_>) {
        to.unsigned(self.index() as u64);
    }
    #[inline]
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let index = from.unsigned()?;
        usize::try_from(index)
            .ok()
            .and_then(Section::from_index)
            .ok_or_else(|| from.expected("the number of a section"))
    }
    fn form(forms: &mut Forms) -> String {
        forms.define::<Self>("Section", |_| {
            vec!["number: the place of the section among the 104".to_owned()]
        })
    }
}

/// As the three digits in the order read: 434.
impl Wire for Dice {
    #[inline]
    fn put(&self, to: &mut Writer<'_>) {
        let [first, second, third] = self.faces().map(u64::from);
        to.unsigned(first * 100 + second * 10 + third);
    }
    #[inline]
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let digits = from.unsigned()?;
        let face = |digit: u64| (digit % 10) as u8;
        Some(digits)
            .filter(|digits| *digits < 1000)
            .and_then(|n| Dice::from_faces([face(n / 100), face(n / 10), face(n)]))
            .ok_or_else(|| from.expected("three dice, such as 434"))
    }
    fn form(forms: &mut Forms) -> String {
        forms.define::<Self>("Dice", |_| {
            vec!["number of three digits, a die each in the order read, such as 434".to_owned()]
        })
    }
}

impl Wire for Currency {
    #[inline]
    fn put(&self, to: &mut Writer<'_>) {
        to.array(2);
        to.text(self.code());
        self.decimals().put(to);
    }
    #[inline]
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        from.array_of(2)?;
        let (code, decimals) = (from.text()?, u8::get(from)?);
        Currency::new(code, decimals).ok_or_else(|| from.expected("a currency"))
    }
    fn form(forms: &mut Forms) -> String {
        forms.define::<Self>("Currency", |_| {
            vec!["list: 0 code: text; 1 decimals: number".to_owned()]
        })
    }
}

/// As the whole text of its file, so that a record needs nothing beside it.
impl Wire for Arc<RuleBook> {
    #[inline]
    fn put(&self, to: &mut Writer<'_>) {
        to.text(self.source());
    }
    #[inline]
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let source = from.text()?;
        // The same text is the same book: the built-in ones are parsed already.
        if let Some(known) = RuleBook::all().iter().find(|book| book.source() == source) {
            return Ok(Arc::clone(known));
        }
        Ok(Arc::new(RuleBook::recorded(source)?))
    }
    fn form(forms: &mut Forms) -> String {
        forms.define::<Self>("RuleBook", |_| {
            vec!["text: the whole file of the rule book".to_owned()]
        })
    }
}
