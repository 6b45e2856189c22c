//! The few byte shapes every format here is made of: variable-length whole
//! numbers and a cursor that never reads past its end. Owns no format.

/// Most bytes a 64-bit number takes: 7 bits a byte.
pub(crate) const MAX_VARINT: usize = 10;

/// Appends `value` in 7-bit groups, lowest first, high bit meaning "more".
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// How many bytes [`put_varint`] will write.
pub(crate) fn varint_len(value: u64) -> usize {
    (64 - (value | 1).leading_zeros() as usize).div_ceil(7)
}

/// Maps signed to unsigned so that small distances from zero stay short:
/// 0, -1, 1, -2 become 0, 1, 2, 3.
pub(crate) fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// Undoes [`zigzag`].
pub(crate) fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// Reads forward through bytes; `None` at the end or at a malformed number.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Cursor { rest: bytes }
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*taken)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_be_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_be_bytes)
    }

    /// Only the shortest form of a number is accepted, so that a value has
    /// one encoding.
    pub(crate) fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for at in 0..MAX_VARINT {
            let byte = *self.rest.get(at)?;
            let part = u64::from(byte & 0x7f);
            if at == MAX_VARINT - 1 && part > 1 {
                return None;
            }
            value |= part << (7 * at);
            if byte & 0x80 == 0 {
                if byte == 0 && at > 0 {
                    return None;
                }
                self.rest = &self.rest[at + 1..];
                return Some(value);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_read_back(value: u64, signed: i64) {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, value);
            prop_assert_eq!(bytes.len(), varint_len(value));
            prop_assert_eq!(Cursor::new(&bytes).varint(), Some(value));
            prop_assert_eq!(unzigzag(zigzag(signed)), signed);
        }

        #[test]
        fn what_is_read_is_the_only_encoding(bytes in prop::collection::vec(any::<u8>(), 0..12)) {
            let mut cursor = Cursor::new(&bytes);
            if let Some(value) = cursor.varint() {
                let mut again = Vec::new();
                put_varint(&mut again, value);
                prop_assert_eq!(&bytes[..bytes.len() - cursor.rest().len()], &again[..]);
            }
        }
    }

    #[test]
    fn the_ends_of_the_range_and_overlong_forms() {
        for value in [0, 127, 128, u64::MAX] {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, value);
            assert_eq!(bytes.len(), varint_len(value));
            assert_eq!(Cursor::new(&bytes).varint(), Some(value));
        }
        assert_eq!(Cursor::new(&[0x80, 0x00]).varint(), None);
        assert_eq!(Cursor::new(&[0xff; 11]).varint(), None);
        assert_eq!((zigzag(-1), unzigzag(u64::MAX)), (1, i64::MIN));
    }
}
