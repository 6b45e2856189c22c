//! The Merkle tree of RFC 6962 over SHA-256: roots, audit paths and their
//! check. Knows nothing of records or salts; a leaf is a hash handed in.

use sha2::block_api::compress256;
use sha2::{Digest, Sha256};

use crate::hash::Hash;

/// Hash of a leaf: `SHA-256(0x00 ‖ data)`. The prefix keeps a leaf from ever
/// being mistaken for a node.
pub fn leaf_hash(data: &[u8]) -> Hash {
    // A record with its salt is nearly always shorter than this (three hash
    // blocks less prefix and padding), and one contiguous input lets us call
    // the compression function directly.
    const SHORT: usize = 3 * 64 - 1 - 9;
    if data.len() <= SHORT {
        let mut padded = [0u8; 192];
        padded[1..=data.len()].copy_from_slice(data);
        let length = data.len() + 1;
        padded[length] = 0x80;
        // Padding needs one byte of 0x80 and eight of length.
        let blocks = (length + 9).div_ceil(64);
        let end = blocks * 64;
        padded[end - 8..end].copy_from_slice(&(length as u64 * 8).to_be_bytes());
        return compress(&padded[..end]);
    }
    Hash(
        Sha256::new()
            .chain_update([0x00])
            .chain_update(data)
            .finalize()
            .into(),
    )
}

/// Hash of an inner node: `SHA-256(0x01 ‖ left ‖ right)`.
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    let mut padded = [0u8; 128];
    padded[0] = 0x01;
    padded[1..33].copy_from_slice(&left.0);
    padded[33..65].copy_from_slice(&right.0);
    padded[65] = 0x80;
    padded[120..].copy_from_slice(&(65u64 * 8).to_be_bytes());
    compress(&padded)
}

/// SHA-256 of a message that is already padded to whole 64-byte blocks. The
/// general interface buffers its input; half the time of a short hash is lost
/// there, and a block of 1,024 records makes more than 2,000 of them.
pub(crate) fn compress(padded: &[u8]) -> Hash {
    let mut state: [u32; 8] = [
        0x6a09_e667,
        0xbb67_ae85,
        0x3c6e_f372,
        0xa54f_f53a,
        0x510e_527f,
        0x9b05_688c,
        0x1f83_d9ab,
        0x5be0_cd19,
    ];
    let (blocks, rest) = padded.as_chunks::<64>();
    debug_assert!(rest.is_empty(), "the caller pads to whole blocks");
    compress256(&mut state, blocks);
    let mut out = [0u8; 32];
    for (slot, word) in out.chunks_exact_mut(4).zip(state) {
        slot.copy_from_slice(&word.to_be_bytes());
    }
    Hash(out)
}

/// Builds a root leaf by leaf, keeping one hash for each level only.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeBuilder {
    /// Roots of complete subtrees, largest first: one for each bit set in
    /// `leaves`.
    peaks: Vec<Hash>,
    leaves: u64,
}

impl TreeBuilder {
    pub(crate) fn push(&mut self, leaf: Hash) {
        let mut hash = leaf;
        let mut carry = self.leaves;
        while carry & 1 == 1 {
            let Some(left) = self.peaks.pop() else { break };
            hash = node_hash(&left, &hash);
            carry >>= 1;
        }
        self.peaks.push(hash);
        self.leaves += 1;
    }

    /// The root of what was pushed; the tree is empty again afterwards. The
    /// root of no leaves is the hash of nothing, as RFC 6962 says.
    pub(crate) fn take_root(&mut self) -> Hash {
        self.leaves = 0;
        let root = self
            .peaks
            .drain(..)
            .rev()
            .reduce(|right, left| node_hash(&left, &right));
        root.unwrap_or_else(|| Hash::of(b""))
    }
}

/// The root over the leaves, in order.
#[cfg(test)]
pub(crate) fn root(leaves: &[Hash]) -> Hash {
    let mut tree = TreeBuilder::default();
    leaves.iter().for_each(|leaf| tree.push(*leaf));
    tree.take_root()
}

/// The audit path of one leaf, from the leaf's sibling up (RFC 6962 2.1.1).
pub(crate) fn audit_path(leaves: &[Hash], index: usize) -> Vec<Hash> {
    let mut path = Vec::new();
    let (mut row, mut at) = (leaves.to_vec(), index);
    while row.len() > 1 {
        if let Some(sibling) = row.get(at ^ 1) {
            path.push(*sibling);
        }
        // A last hash without a partner rises unchanged.
        row = row
            .chunks(2)
            .map(|pair| {
                if let [left, right] = pair {
                    node_hash(left, right)
                } else {
                    pair[0]
                }
            })
            .collect();
        at /= 2;
    }
    path
}

/// The root that a leaf and its audit path lead to, or `None` when the path
/// has the wrong length for that place in a tree of `count` leaves.
pub fn root_from_path(leaf: Hash, index: u64, count: u64, path: &[Hash]) -> Option<Hash> {
    if index >= count {
        return None;
    }
    let (mut at, mut last) = (index, count - 1);
    let mut hash = leaf;
    let mut path = path.iter();
    while last > 0 {
        if at & 1 == 1 {
            hash = node_hash(path.next()?, &hash);
        } else if at < last {
            hash = node_hash(&hash, path.next()?);
        }
        at /= 2;
        last /= 2;
    }
    path.next().is_none().then_some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition of RFC 6962 2.1, written as it stands there and slow.
    fn root_by_definition(entries: &[Vec<u8>]) -> Hash {
        match entries {
            [] => Hash::of(b""),
            [one] => Hash::of(&[&[0u8][..], one].concat()),
            _ => {
                let split = entries.len().next_power_of_two() / 2;
                let left = root_by_definition(&entries[..split]);
                let right = root_by_definition(&entries[split..]);
                Hash::of(&[&[1u8][..], &left.0, &right.0].concat())
            }
        }
    }

    #[test]
    fn rfc_6962_roots_agree_with_the_definition_for_every_size_to_130() {
        let entries: Vec<Vec<u8>> = (0..130u32).map(|i| vec![i as u8; i as usize * 3]).collect();
        let leaves: Vec<Hash> = entries.iter().map(|e| leaf_hash(e)).collect();
        for size in 0..=entries.len() {
            assert_eq!(
                root(&leaves[..size]),
                root_by_definition(&entries[..size]),
                "{size}"
            );
        }
    }

    #[test]
    fn rfc_6962_known_root_of_the_public_test_vector() {
        // Test vector of the Certificate Transparency reference code: eight
        // entries of growing length.
        let entries: [&[u8]; 8] = [
            b"",
            b"\x00",
            b"\x10",
            b"\x20\x21",
            b"\x30\x31",
            b"\x40\x41\x42\x43",
            b"\x50\x51\x52\x53\x54\x55\x56\x57",
            b"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
        ];
        let leaves: Vec<Hash> = entries.iter().map(|e| leaf_hash(e)).collect();
        assert_eq!(
            root(&leaves).to_string(),
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
        );
    }

    #[test]
    fn every_path_of_every_tree_to_40_leads_to_the_root_and_to_no_other_place() {
        let leaves: Vec<Hash> = (0..40u8).map(|i| leaf_hash(&[i])).collect();
        for count in 1..=leaves.len() {
            let tree = &leaves[..count];
            let expected = root(tree);
            for index in 0..count {
                let path = audit_path(tree, index);
                for claimed in 0..count {
                    let found = root_from_path(tree[index], claimed as u64, count as u64, &path);
                    assert_eq!(found == Some(expected), claimed == index);
                }
                let longer = [&path[..], &[expected]].concat();
                assert_eq!(
                    root_from_path(tree[index], index as u64, count as u64, &longer),
                    None
                );
            }
        }
    }
}
