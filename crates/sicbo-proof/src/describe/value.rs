//! A value of a described field, and how it reads as plain words.

use std::fmt;

/// A value of a described field.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Words.
    Text(String),
    /// A whole number.
    Number(i64),
    /// Yes or no.
    Flag(bool),
    /// Nothing there.
    Nothing,
    /// Several.
    List(Vec<Value>),
    /// Named values, in order.
    Fields(Vec<(&'static str, Value)>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Value {
        Value::Flag(flag)
    }
}

macro_rules! numbers {
    ($($type:ty),+) => {$(
        impl From<$type> for Value {
            fn from(number: $type) -> Value {
                i64::try_from(number).map_or_else(|_| Value::Text(number.to_string()), Value::Number)
            }
        }
    )+};
}
numbers!(u8, u32, u64, usize, i64);

impl fmt::Display for Value {
    /// Plain words: lists with commas, named values in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => f.write_str(text),
            Value::Number(number) => write!(f, "{number}"),
            Value::Flag(flag) => f.write_str(if *flag { "yes" } else { "no" }),
            Value::Nothing => f.write_str("none"),
            Value::List(values) => {
                for (i, value) in values.iter().enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    write!(f, "{comma}{value}")?;
                }
                Ok(())
            }
            Value::Fields(fields) => {
                f.write_str("(")?;
                for (i, (name, value)) in fields.iter().enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    write!(f, "{comma}{name} {value}")?;
                }
                f.write_str(")")
            }
        }
    }
}
