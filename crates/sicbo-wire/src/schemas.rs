//! How the API document writes closed lists and dice, so that a client can
//! tell what is allowed before asking.

use sicbo_rules::rulebook::words::{Cause, Position, Word};
use sicbo_rules::{Currency, Kind};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Type};
use utoipa::openapi::{Array, Object};

fn list(words: impl IntoIterator<Item = String>) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(words))
        .build()
}

fn keys<W: Word>() -> Object {
    list(W::all().iter().map(|word| word.key().to_owned()))
}

/// A position of the ladder.
#[must_use]
pub fn position() -> Object {
    keys::<Position>()
}

/// A cause of a void.
#[must_use]
pub fn cause() -> Object {
    keys::<Cause>()
}

/// A kind of bet.
#[must_use]
pub fn kind() -> Object {
    list(Kind::ALL.iter().map(|kind| kind.key().to_owned()))
}

/// A currency.
#[must_use]
pub fn currency() -> Object {
    list(Currency::KNOWN.iter().map(|known| known.code().to_owned()))
}

/// Three dice.
#[must_use]
pub fn dice() -> Array {
    let face = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(1))
        .maximum(Some(6));
    ArrayBuilder::new()
        .items(face)
        .min_items(Some(3))
        .max_items(Some(3))
        .build()
}
