//! What travels between the house and its clients: messages, made and read here
//! and nowhere else. What they show of a table are its own views.
//!
//! Message enums say their direction. Amounts are whole minor units, far
//! inside what a JavaScript number holds exactly; sections are written in the
//! one notation (`total:11`); times are UTC milliseconds. `version` is the
//! sequence of the last durable record a frame rests on.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

/// One of several words, each of which is one of `$to`.
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident => $to:ty { $($(#[$vmeta:meta])* $variant:ident,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vmeta])* $variant,)+ }
        impl From<$name> for $to {
            fn from(choice: $name) -> $to { match choice { $($name::$variant => <$to>::$variant,)+ } }
        }
    };
}

/// The same, told back as well.
macro_rules! both_ways {
    ($(#[$meta:meta])* $name:ident <=> $to:ty { $($(#[$vmeta:meta])* $variant:ident,)+ }) => {
        choice! { $(#[$meta])* $name => $to { $($(#[$vmeta])* $variant,)+ } }
        impl From<$to> for $name {
            fn from(known: $to) -> $name { match known { $(<$to>::$variant => $name::$variant,)+ } }
        }
    };
}

pub mod acts;
pub mod attest;
pub mod cage;
pub mod cases;
pub mod console;
pub mod people;
pub mod pit;
pub mod places;
pub mod play;
pub mod practice;
pub mod problem;
pub mod public;
pub mod rounds;
pub mod rules;
pub mod schemas;
pub mod session;
pub mod staff;
pub mod terminal;

pub use hex::encode as hex;
pub use sicbo_table::views::{Stake, clipped, stakes};

use bytestring::ByteString;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use zeroize::Zeroizing;

/// A message as it is sent: a text that is shared, not copied, by all who get it.
pub type Frame = ByteString;

/// A message as a frame.
#[must_use]
pub fn frame<T: Serialize>(message: &T) -> Frame {
    match serde_json::to_string(message) {
        Ok(text) => text.into(),
        // Our own types hold nothing that JSON cannot say.
        Err(error) => unreachable!("a message of ours is JSON: {error}"),
    }
}

/// The protocol this house speaks. A client of another one is told so.
pub const PROTOCOL: u32 = 1;

/// A PIN, a token or a validation number as given: in no log and in no error,
/// and overwritten in memory when it is dropped.
#[derive(Clone, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, max_length = 200)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// What was given.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Secret, D::Error> {
        // What is no text is not repeated in the answer: it may be the secret.
        match serde_json::Value::deserialize(from)? {
            serde_json::Value::String(text) => Ok(Secret(Zeroizing::new(text))),
            _ => Err(serde::de::Error::custom(
                "a PIN, token or number is written as a text",
            )),
        }
    }
}
