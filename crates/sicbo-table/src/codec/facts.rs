//! The table of facts: one row is all that a fact is, and everything else that
//! only repeats its fields follows from it.
//!
//! ```text
//! /// Two persons inspected a set said to be damaged and found it sound.
//! 101 v 1 DiceFoundSound { 4 dice_set: String, 5 text: String } from FindDiceSound
//!     told "dice {dice_set} were inspected by two persons and found sound: {text}"
//! ```
//!
//! - The comment says what happened, for `docs/record-kinds.md` too; every row has one.
//! - `101 v 1`: the stable number of its kind, and the version written today. To
//!   add a fact, take a new number; to change the fields of one, raise its
//!   version and add an upcaster. A number is never used again.
//! - `4 dice_set: String`: fields in the order people read them. Bytes have them
//!   in the order of their numbers; 0 to 3 are the time, who, the second person
//!   and the command. `as` gives a field another name in exports, `=>` another
//!   value: what may not be shown is told by a fingerprint.
//! - `from`: the act that makes it, with the fields of the act where the fact has
//!   more. An act with fields of its own is named in `derive/acts.rs`.
//! - `told`: a sentence for people, if name and fields are not enough.

/// Fields before those of the fact: time, who, second person, command.
pub const ENVELOPE: u64 = 4;

/// Field numbers are positions: each from `first` on stands there once.
#[must_use]
pub const fn are_positions(first: u64, numbers: &[u64]) -> bool {
    let mut position = first;
    while position < first + numbers.len() as u64 {
        let (mut at, mut times) = (0, 0);
        while at < numbers.len() {
            if numbers[at] == position {
                times += 1;
            }
            at += 1;
        }
        if times != 1 {
            return false;
        }
        position += 1;
    }
    true
}

/// How many bytes the key of a name takes: one more for each word after the first.
#[must_use]
pub const fn key_len(name: &str) -> usize {
    let (mut at, mut len) = (1, name.len());
    while at < name.len() {
        if name.as_bytes()[at].is_ascii_uppercase() {
            len += 1;
        }
        at += 1;
    }
    len
}

/// The key of a name: `dice-found-sound` of `DiceFoundSound`.
#[must_use]
pub const fn key<const LEN: usize>(name: &str) -> [u8; LEN] {
    let mut key = [b'-'; LEN];
    let (mut at, mut to) = (0, 0);
    while at < name.len() {
        let letter = name.as_bytes()[at];
        if letter.is_ascii_uppercase() && at > 0 {
            to += 1;
        }
        key[to] = letter.to_ascii_lowercase();
        at += 1;
        to += 1;
    }
    key
}

/// Defines `Fact` and its kinds from rows. Whoever uses it has `Event` and `Act`
/// in scope and names the trait that a description needs.
#[doc(hidden)]
#[macro_export]
macro_rules! facts {
    (
        described with $names:path;
        $(
            $(#[doc = $doc:literal])*
            $kind:literal v $version:literal $fact:ident $({
                $(
                    $(#[doc = $about:literal])*
                    $number:literal $field:ident $(as $shown:ident)? : $type:ty $(=> $how:expr)?
                ),* $(,)?
            })? $(from $act:ident $({ $($same:ident),* })?)? $(told $words:literal)?
        )+
    ) => {
        /// What has happened.
        #[derive(Clone, PartialEq, Debug)]
        #[expect(missing_docs, reason = "fields repeat what the fact says")]
        pub enum Fact {
            $($(#[doc = $doc])* $fact $({ $($(#[doc = $about])* $field: $type),* })?,)+
        }

        $(const _: () = assert!($crate::codec::are_positions(
            $crate::codec::ENVELOPE,
            &[$($($number),*)?],
        ));)+

        impl Fact {
            /// Every kind, in the order of their numbers.
            pub const KINDS: &[$crate::codec::KindInfo] = &[$($crate::codec::KindInfo {
                kind: $kind,
                version: $version,
                name: stringify!($fact),
                key: {
                    const NAME: &str = stringify!($fact);
                    const KEY: [u8; $crate::codec::key_len(NAME)] = $crate::codec::key(NAME);
                    match std::str::from_utf8(&KEY) {
                        Ok(key) => key,
                        Err(_) => panic!("names are ASCII"),
                    }
                },
                told: $crate::facts!(@optional $($words)?),
            },)+];

            /// Its number, version, names and sentence.
            #[must_use]
            pub fn kind(&self) -> &'static $crate::codec::KindInfo {
                let number: u16 = match self {
                    $(Fact::$fact { .. } => $kind,)+
                };
                let at = Self::KINDS.partition_point(|info| info.kind < number);
                &Self::KINDS[at]
            }

            /// Its fields, named and in the order people read them.
            #[must_use]
            pub fn fields<N: $names>(&self, names: &N) -> $crate::describe::Fields {
                let mut to = Vec::new();
                match self {$(
                    Fact::$fact { $($($field),*)? } => {
                        $($($crate::facts!(@describe
                            ($field, $crate::facts!(@name $field $($shown)?), names, &mut to)
                            $($how)?
                        );)*)?
                    }
                )+}
                to
            }

            /// How every kind is laid out, and of what; see `codec/forms.rs`.
            #[must_use]
            pub fn layouts(
                forms: &mut $crate::codec::Forms,
            ) -> Vec<$crate::codec::KindLayout> {
                let mut layouts = Vec::new();
                $({
                    let mut fields = vec![$($($crate::codec::FieldLayout {
                        number: $number,
                        name: stringify!($field),
                        form: <$type as $crate::codec::Wire>::form(forms),
                        about: concat!($($about),*),
                    }),*)?];
                    fields.sort_by_key(|field: &$crate::codec::FieldLayout| field.number);
                    layouts.push($crate::codec::KindLayout {
                        info: &Self::KINDS[layouts.len()],
                        about: concat!($($doc),*),
                        fields,
                    });
                })+
                layouts
            }

            /// The act that makes it, where its fields are all there.
            #[expect(unused_variables, reason = "facts that no act says alone")]
            pub(crate) fn act(&self) -> Option<Act> {
                match self {$(
                    Fact::$fact { $($($field),*)? } => {
                        $crate::facts!(@act [$($act $({ $($same),* })?)?] $($($field),*)?)
                    }
                )+}
            }
        }

        impl Event {
            pub(crate) fn put(&self, to: &mut $crate::codec::Writer<'_>) -> (u16, u16) {
                use $crate::codec::{ENVELOPE, Wire};
                match &self.fact {$(
                    Fact::$fact { $($($field),*)? } => {
                        let numbers: &[u64] = &[$($($number),*)?];
                        let len = ENVELOPE + numbers.len() as u64;
                        to.array(len);
                        self.at_ms.put(to);
                        self.by.put(to);
                        self.second.put(to);
                        self.command.put(to);
                        for number in ENVELOPE..len {
                            match number {
                                $($($number => $field.put(to),)*)?
                                _ => unreachable!("fields are numbered without a gap"),
                            }
                        }
                        ($kind, $version)
                    }
                )+}
            }

            pub(crate) fn get(
                kind: u16,
                from: &mut $crate::codec::Reader<'_>,
            ) -> Result<Event, $crate::codec::DecodeError> {
                use $crate::codec::{DecodeError, ENVELOPE, Wire};
                let len = from.array()?;
                let at_ms = Wire::get(from)?;
                let by = Wire::get(from)?;
                let second = Wire::get(from)?;
                let command = Wire::get(from)?;
                let fact = match kind {
                    $($kind => {
                        let numbers: &[u64] = &[$($($number),*)?];
                        if len != ENVELOPE + numbers.len() as u64 {
                            return Err(from.expected(
                                concat!("the fields of ", stringify!($fact)),
                            ));
                        }
                        $($(let mut $field = None;)*)?
                        for number in ENVELOPE..len {
                            match number {
                                $($($number => $field = Some(Wire::get(from)?),)*)?
                                _ => unreachable!("fields are numbered without a gap"),
                            }
                        }
                        Fact::$fact { $($($field: $field.ok_or(DecodeError::Truncated)?),*)? }
                    })+
                    _ => return Err(DecodeError::UnknownKind { kind }),
                };
                Ok(Event { at_ms, by, second, command, fact })
            }
        }
    };

    (@optional) => { None };
    (@optional $words:literal) => { Some($words) };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $shown:ident) => { stringify!($shown) };
    (@describe ($field:ident, $name:expr, $names:ident, $to:expr)) => {
        $crate::describe::Describe::describe($field, $name, $names, $to)
    };
    (@describe ($field:ident, $name:expr, $names:ident, $to:expr) $how:expr) => {
        $crate::describe::told($field, $name, $how, $to)
    };
    (@act [] $($field:ident),*) => { None };
    (@act [$act:ident] $($field:ident),*) => {
        $crate::facts!(@act [$act { $($field),* }])
    };
    (@act [$act:ident { $($same:ident),* }] $($field:ident),*) => {
        Some(Act::$act { $($same: $same.clone()),* })
    };
}
