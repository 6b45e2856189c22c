//! How far a table's journal had come when the house wrote something that rests
//! on it. A table's file that ends before that, or holds other records there, is
//! an older copy: playing on it would give back credit whose vouchers are out.

/// The end of a block in a table's journal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached {
    /// The last record of the block.
    pub sequence: u64,
    /// Hash of the block's header.
    pub header_hash: [u8; 32],
}
