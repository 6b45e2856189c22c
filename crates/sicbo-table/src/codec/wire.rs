//! Values to CBOR and back: numbers, texts, lists, optional values.
//!
//! Every type has one spelling. Reading never trusts a length: a list reserves
//! no more places than there are bytes left. Public so that the house's own
//! register writes its records in the same spelling.

use std::collections::{BTreeMap, BTreeSet};

use minicbor::{Decoder, Encoder};

use super::{DecodeError, Forms};

/// Appends values to bytes. Writing to memory cannot fail.
pub struct Writer<'a>(Encoder<&'a mut Vec<u8>>);

impl<'a> Writer<'a> {
    /// Appends to `out`.
    #[must_use]
    pub fn new(out: &'a mut Vec<u8>) -> Writer<'a> {
        Writer(Encoder::new(out))
    }

    /// The head of a list.
    #[inline]
    pub fn array(&mut self, len: u64) {
        let _ = self.0.array(len);
    }

    /// A number from zero.
    #[inline]
    pub fn unsigned(&mut self, value: u64) {
        let _ = self.0.u64(value);
    }

    /// A number.
    #[inline]
    pub fn signed(&mut self, value: i64) {
        let _ = self.0.i64(value);
    }

    pub(crate) fn text(&mut self, text: &str) {
        let _ = self.0.str(text);
    }

    pub(crate) fn null(&mut self) {
        let _ = self.0.null();
    }

    /// A value already written as bytes.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.0.writer_mut().extend_from_slice(bytes);
    }
}

/// Takes values from bytes.
pub struct Reader<'b>(Decoder<'b>);

impl<'b> Reader<'b> {
    /// Reads from the first byte.
    #[must_use]
    pub fn new(bytes: &'b [u8]) -> Reader<'b> {
        Reader(Decoder::new(bytes))
    }

    /// What should have stood where the reader is.
    #[cold]
    #[must_use]
    pub fn expected(&self, expected: &'static str) -> DecodeError {
        DecodeError::Malformed {
            at: self.0.position(),
            expected,
        }
    }

    #[cold]
    fn failed(error: &minicbor::decode::Error, at: usize, expected: &'static str) -> DecodeError {
        if error.is_end_of_input() {
            DecodeError::Truncated
        } else {
            DecodeError::Malformed { at, expected }
        }
    }

    #[inline]
    fn take<T>(
        &mut self,
        expected: &'static str,
        read: impl FnOnce(&mut Decoder<'b>) -> Result<T, minicbor::decode::Error>,
    ) -> Result<T, DecodeError> {
        let at = self.0.position();
        read(&mut self.0).map_err(|error| Self::failed(&error, at, expected))
    }

    /// A number from zero.
    ///
    /// # Errors
    /// When something else stands there.
    #[inline]
    pub fn unsigned(&mut self) -> Result<u64, DecodeError> {
        self.take("a number from zero", Decoder::u64)
    }

    /// A number.
    ///
    /// # Errors
    /// When something else stands there.
    #[inline]
    pub fn signed(&mut self) -> Result<i64, DecodeError> {
        self.take("a number", Decoder::i64)
    }

    pub(crate) fn text(&mut self) -> Result<&'b str, DecodeError> {
        self.take("a text", Decoder::str)
    }

    /// The length of a list.
    ///
    /// # Errors
    /// When something else stands there.
    #[inline]
    pub fn array(&mut self) -> Result<u64, DecodeError> {
        let at = self.0.position();
        self.take("a list", Decoder::array)?
            .ok_or(DecodeError::Malformed {
                at,
                expected: "a list of known length",
            })
    }

    /// A list of exactly this length.
    ///
    /// # Errors
    /// When something else stands there.
    pub fn array_of(&mut self, len: u64) -> Result<(), DecodeError> {
        let at = self.0.position();
        if self.array()? == len {
            Ok(())
        } else {
            Err(DecodeError::Malformed {
                at,
                expected: "a list of another length",
            })
        }
    }

    fn next_byte(&self) -> Option<u8> {
        self.0.input().get(self.0.position()).copied()
    }

    fn is_null(&self) -> bool {
        self.next_byte() == Some(0xf6)
    }

    /// Takes nothing, if nothing comes next.
    pub(crate) fn take_null(&mut self) -> Result<bool, DecodeError> {
        let null = self.is_null();
        if null {
            self.take("nothing", Decoder::null)?;
        }
        Ok(null)
    }

    /// A list comes next.
    #[must_use]
    pub fn is_list(&self) -> bool {
        self.next_byte().is_some_and(|byte| byte >> 5 == 4)
    }

    /// The number zero comes next.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.next_byte() == Some(0)
    }

    /// Places to reserve for a list that says it has `len` entries: never more
    /// than there are bytes left, since an entry takes at least one.
    #[must_use]
    pub fn room_for(&self, len: u64) -> usize {
        let left = self.0.input().len().saturating_sub(self.0.position());
        usize::try_from(len).map_or(left, |len| len.min(left))
    }

    /// The bytes of the next value, whatever it is.
    pub(crate) fn raw(&mut self) -> Result<&'b [u8], DecodeError> {
        let from = self.0.position();
        self.take("a value", Decoder::skip)?;
        let input = self.0.input();
        input
            .get(from..self.0.position())
            .ok_or(DecodeError::Truncated)
    }

    /// Nothing may follow.
    ///
    /// # Errors
    /// When something does.
    pub fn end(&self) -> Result<(), DecodeError> {
        let at = self.0.position();
        if at == self.0.input().len() {
            Ok(())
        } else {
            Err(DecodeError::Trailing { at })
        }
    }
}

/// A value with one spelling in CBOR.
pub trait Wire: Sized {
    /// Appends it.
    fn put(&self, to: &mut Writer<'_>);
    /// Takes it.
    ///
    /// # Errors
    /// When the bytes are no such value.
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError>;
    /// How it is spelled, in words. What stands in snapshots only says nothing.
    fn form(_: &mut Forms) -> String {
        String::new()
    }
}

macro_rules! unsigned {
    ($($type:ty, $read:ident;)+) => {$(
        impl Wire for $type {
            #[inline]
            fn put(&self, to: &mut Writer<'_>) {
                to.unsigned(u64::from(*self));
            }
            #[inline]
            fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
                from.take(concat!("a number that fits ", stringify!($type)), Decoder::$read)
            }
            fn form(_: &mut Forms) -> String {
                "number".to_owned()
            }
        }
    )+};
}

unsigned! {
    u8, u8;
    u16, u16;
    u32, u32;
    u64, u64;
}

impl Wire for i64 {
    fn put(&self, to: &mut Writer<'_>) {
        to.signed(*self);
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        from.signed()
    }
    fn form(_: &mut Forms) -> String {
        "signed number".to_owned()
    }
}

/// Positions in lists, far below what 32 bits hold.
impl Wire for usize {
    fn put(&self, to: &mut Writer<'_>) {
        to.unsigned(*self as u64);
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        u32::get(from).map(|at| at as usize)
    }
    fn form(_: &mut Forms) -> String {
        "number".to_owned()
    }
}

impl Wire for bool {
    fn put(&self, to: &mut Writer<'_>) {
        let _ = to.0.bool(*self);
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        from.take("true or false", Decoder::bool)
    }
    fn form(_: &mut Forms) -> String {
        "true or false".to_owned()
    }
}

impl Wire for String {
    fn put(&self, to: &mut Writer<'_>) {
        to.text(self);
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        from.text().map(str::to_owned)
    }
    fn form(_: &mut Forms) -> String {
        "text".to_owned()
    }
}

impl Wire for [u8; 32] {
    fn put(&self, to: &mut Writer<'_>) {
        let _ = to.0.bytes(self);
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let wrong = from.expected("32 bytes");
        let bytes = from.take("32 bytes", Decoder::bytes)?;
        bytes.try_into().map_err(|_| wrong)
    }
    fn form(_: &mut Forms) -> String {
        "32 bytes".to_owned()
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, to: &mut Writer<'_>) {
        match self {
            Some(value) => value.put(to),
            None => to.null(),
        }
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        if from.take_null()? {
            Ok(None)
        } else {
            T::get(from).map(Some)
        }
    }
    fn form(forms: &mut Forms) -> String {
        format!("{} or null", T::form(forms))
    }
}

fn put_all<'a, T: Wire + 'a>(values: impl ExactSizeIterator<Item = &'a T>, to: &mut Writer<'_>) {
    to.array(values.len() as u64);
    for value in values {
        value.put(to);
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, to: &mut Writer<'_>) {
        put_all(self.iter(), to);
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let len = from.array()?;
        let mut values = Vec::with_capacity(from.room_for(len).min(1 << 12));
        for _ in 0..len {
            values.push(T::get(from)?);
        }
        Ok(values)
    }
    fn form(forms: &mut Forms) -> String {
        format!("list of {}", T::form(forms))
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn put(&self, to: &mut Writer<'_>) {
        to.array(2);
        self.0.put(to);
        self.1.put(to);
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        from.array_of(2)?;
        Ok((A::get(from)?, B::get(from)?))
    }
    fn form(forms: &mut Forms) -> String {
        format!("[{}, {}]", A::form(forms), B::form(forms))
    }
}

impl<A: Wire, B: Wire, C: Wire> Wire for (A, B, C) {
    fn put(&self, to: &mut Writer<'_>) {
        to.array(3);
        self.0.put(to);
        self.1.put(to);
        self.2.put(to);
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        from.array_of(3)?;
        Ok((A::get(from)?, B::get(from)?, C::get(from)?))
    }
    fn form(forms: &mut Forms) -> String {
        let [a, b, c] = [A::form(forms), B::form(forms), C::form(forms)];
        format!("[{a}, {b}, {c}]")
    }
}

/// As a list of pairs in the order of their keys, each key once.
impl<K: Wire + Ord + Copy, V: Wire> Wire for BTreeMap<K, V> {
    fn put(&self, to: &mut Writer<'_>) {
        to.array(self.len() as u64);
        for (key, value) in self {
            to.array(2);
            key.put(to);
            value.put(to);
        }
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let mut map = BTreeMap::new();
        let mut last = None;
        for _ in 0..from.array()? {
            let (key, value) = <(K, V)>::get(from)?;
            if last.is_some_and(|last| last >= key) {
                return Err(from.expected("keys in order, each once"));
            }
            last = Some(key);
            map.insert(key, value);
        }
        Ok(map)
    }
    fn form(forms: &mut Forms) -> String {
        format!("list of [{}, {}]", K::form(forms), V::form(forms))
    }
}

/// As a list in order, each once.
impl<T: Wire + Ord> Wire for BTreeSet<T> {
    fn put(&self, to: &mut Writer<'_>) {
        put_all(self.iter(), to);
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let mut set = BTreeSet::new();
        for _ in 0..from.array()? {
            let value = T::get(from)?;
            if set.last().is_some_and(|last| *last >= value) {
                return Err(from.expected("values in order, each once"));
            }
            set.insert(value);
        }
        Ok(set)
    }
    fn form(forms: &mut Forms) -> String {
        format!("list of {}", T::form(forms))
    }
}

impl<T: Wire> Wire for Box<T> {
    fn put(&self, to: &mut Writer<'_>) {
        T::put(self, to);
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        T::get(from).map(Box::new)
    }
    fn form(forms: &mut Forms) -> String {
        T::form(forms)
    }
}

/// Field numbers are positions: they must count up from zero.
#[must_use]
pub const fn counts_from(first: u64, numbers: &[u64]) -> bool {
    let mut i = 0;
    while i < numbers.len() {
        if numbers[i] != first + i as u64 {
            return false;
        }
        i += 1;
    }
    true
}

/// Structs as lists: `Type { 0 first, 1 second }`, where the number is the position.
#[doc(hidden)]
#[macro_export]
macro_rules! wire_records {
    ($($type:ty { $($number:literal $field:ident),+ $(,)? })+) => {$(
        const _: () = assert!($crate::codec::counts_from(0, &[$($number),+]));
        impl $crate::codec::Wire for $type {
            fn put(&self, to: &mut $crate::codec::Writer<'_>) {
                to.array(const { [$($number),+].len() as u64 });
                $(self.$field.put(to);)+
            }
            fn get(
                from: &mut $crate::codec::Reader<'_>,
            ) -> Result<Self, $crate::codec::DecodeError> {
                from.array_of(const { [$($number),+].len() as u64 })?;
                Ok(Self { $($field: $crate::codec::Wire::get(from)?),+ })
            }
            fn form(forms: &mut $crate::codec::Forms) -> String {
                forms.define::<Self>(stringify!($type), |forms| {
                    let fields = [$(format!(
                        concat!(stringify!($number), " ", stringify!($field), ": {}"),
                        $crate::codec::form_of(|it: &Self| &it.$field, forms),
                    )),+];
                    vec![format!("list: {}", fields.join("; "))]
                })
            }
        }
    )+};
}

/// Enums with content as lists `[number, content…]`.
#[doc(hidden)]
#[macro_export]
macro_rules! wire_choices {
    ($($type:ident {
        $($number:literal $variant:ident $({ $($field:ident),+ })? $(( $($place:ident),+ ))?),+ $(,)?
    })+) => {$(
        impl $crate::codec::Wire for $type {
            fn put(&self, to: &mut $crate::codec::Writer<'_>) {
                match self {$(
                    $type::$variant $({ $($field),+ })? $(( $($place),+ ))? => {
                        to.array(1 $($(+ { let _ = $field; 1 })+)? $($(+ { let _ = $place; 1 })+)?);
                        to.unsigned($number);
                        $($($field.put(to);)+)?
                        $($($place.put(to);)+)?
                    }
                )+}
            }
            fn get(
                from: &mut $crate::codec::Reader<'_>,
            ) -> Result<Self, $crate::codec::DecodeError> {
                let len = from.array()?;
                let number = from.unsigned()?;
                match number {
                    $($number => {
                        let fields: &[&str] = &[
                            $($(stringify!($field)),+)? $($(stringify!($place)),+)?
                        ];
                        if len != 1 + fields.len() as u64 {
                            return Err(from.expected("a list of another length"));
                        }
                        $($(let $place = $crate::codec::Wire::get(from)?;)+)?
                        Ok($type::$variant
                            $({ $($field: $crate::codec::Wire::get(from)?),+ })?
                            $(( $($place),+ ))?)
                    })+
                    _ => Err(from.expected(concat!("the number of a ", stringify!($type)))),
                }
            }
            fn form(forms: &mut $crate::codec::Forms) -> String {
                forms.define::<Self>(stringify!($type), |forms| vec![$({
                    // A list whose variants carry nothing has no further forms.
                    let _ = &*forms;
                    let parts: &[String] = &[
                        stringify!($number).to_owned(),
                        $($(format!(
                            concat!(stringify!($field), ": {}"),
                            $crate::codec::form_in(|it: &Self| match it {
                                Self::$variant { $field, .. } => Some($field),
                                _ => None,
                            }, forms),
                        ),)+)?
                        $(format!(
                            concat!($(stringify!($place)),+, ": {}"),
                            $crate::codec::form_in(|it: &Self| match it {
                                Self::$variant($($place),+) => Some($($place),+),
                                _ => None,
                            }, forms),
                        ),)?
                    ];
                    format!("[{}] {}", parts.join(", "), stringify!($variant))
                }),+])
            }
        }
    )+};
}

pub use {wire_choices as choices, wire_records as records};
