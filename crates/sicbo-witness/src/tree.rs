//! The append-only Merkle tree of RFC 6962, over nodes that somebody else keeps:
//! appending, roots, proofs that a leaf is in a tree and that one tree begins
//! another, and the check of both. Pure; knows neither blocks nor files.

use sicbo_journal::{Hash, node_hash, root_from_path};

/// Most hashes in a proof of a tree that can be counted.
pub const MAX_PROOF: usize = 63;

/// Where the complete nodes of a tree are kept. Level 0 holds the leaf hashes;
/// node `place` of level `n` is over the leaves from `place << n`.
pub trait Nodes {
    /// Why a node cannot be had.
    type Error;
    /// A node that the tree has.
    ///
    /// # Errors
    /// When it cannot be read.
    fn node(&self, level: u32, place: u64) -> Result<Hash, Self::Error>;
}

/// A node that an append completed: its level, its place there, its hash.
pub type NewNode = (u32, u64, Hash);

/// The growing edge of a tree: its size and the roots of its complete subtrees,
/// largest first, one for each bit set in the size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    size: u64,
    peaks: Vec<Hash>,
}

impl Edge {
    /// The edge of a tree whose nodes are kept.
    ///
    /// # Errors
    /// When a node cannot be read.
    pub fn of<N: Nodes>(nodes: &N, size: u64) -> Result<Edge, N::Error> {
        let mut peaks = Vec::new();
        let mut from = 0;
        for level in (0..64).rev().filter(|level| size >> level & 1 == 1) {
            peaks.push(nodes.node(level, from >> level)?);
            from += 1 << level;
        }
        Ok(Edge { size, peaks })
    }

    /// How many leaves the tree has.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Appends a leaf hash and tells every node that is complete now, the leaf's
    /// own first.
    pub fn push(&mut self, leaf: Hash, mut completed: impl FnMut(NewNode)) {
        let (mut hash, mut level, mut place) = (leaf, 0, self.size);
        completed((level, place, hash));
        while place & 1 == 1 {
            let Some(left) = self.peaks.pop() else { break };
            hash = node_hash(&left, &hash);
            level += 1;
            place >>= 1;
            completed((level, place, hash));
        }
        self.peaks.push(hash);
        self.size += 1;
        debug_assert_eq!(self.peaks.len(), self.size.count_ones() as usize);
    }

    /// The root. That of no leaves is the hash of nothing.
    pub fn root(&self) -> Hash {
        let peaks = self.peaks.iter().rev().copied();
        let root = peaks.reduce(|right, left| node_hash(&left, &right));
        root.unwrap_or_else(|| Hash::of(b""))
    }
}

/// The root of the tree when it had so many leaves.
///
/// # Errors
/// When a node cannot be read.
pub fn root_at<N: Nodes>(nodes: &N, size: u64) -> Result<Hash, N::Error> {
    Ok(Edge::of(nodes, size)?.root())
}

/// Where RFC 6962 parts a tree: the largest power of two below its size.
fn split(size: u64) -> u64 {
    debug_assert!(size > 1, "a tree of one leaf is not parted");
    1 << (63 - (size - 1).leading_zeros())
}

/// The hash over the leaves `from..to`, which are a subtree of the definition.
fn subtree<N: Nodes>(nodes: &N, from: u64, to: u64) -> Result<Hash, N::Error> {
    let size = to - from;
    if size.is_power_of_two() {
        let level = size.trailing_zeros();
        return nodes.node(level, from >> level);
    }
    let middle = from + split(size);
    Ok(node_hash(
        &subtree(nodes, from, middle)?,
        &subtree(nodes, middle, to)?,
    ))
}

/// The audit path of a leaf in the tree of `size` leaves (RFC 6962 2.1.1), from
/// the leaf's sibling up. The leaf must be in that tree.
///
/// # Errors
/// When a node cannot be read.
pub fn inclusion_proof<N: Nodes>(nodes: &N, place: u64, size: u64) -> Result<Vec<Hash>, N::Error> {
    assert!(place < size, "leaf {place} is not in a tree of {size}");
    let (mut from, mut to) = (0, size);
    let mut path = Vec::new();
    while to - from > 1 {
        let middle = from + split(to - from);
        if place < middle {
            path.push(subtree(nodes, middle, to)?);
            to = middle;
        } else {
            path.push(subtree(nodes, from, middle)?);
            from = middle;
        }
    }
    path.reverse();
    Ok(path)
}

/// Whether a leaf hash is at this place of the tree with this size and root.
pub fn is_included(leaf: Hash, place: u64, size: u64, path: &[Hash], root: Hash) -> bool {
    root_from_path(leaf, place, size, path) == Some(root)
}

/// The proof that the tree of `old` leaves begins that of `new` (RFC 6962 2.1.2).
/// Nothing is to be proved of an empty or an equal tree.
///
/// # Errors
/// When a node cannot be read.
pub fn consistency_proof<N: Nodes>(nodes: &N, old: u64, new: u64) -> Result<Vec<Hash>, N::Error> {
    assert!(
        old <= new,
        "a tree of {new} leaves does not begin with {old}"
    );
    let mut proof = Vec::new();
    if old == 0 || old == new {
        return Ok(proof);
    }
    let (mut from, mut to) = (0, new);
    // Down to the subtree that ends where the old tree ends. Its root is known
    // to whoever knows the old root only if it begins at the first leaf.
    while to != old {
        let middle = from + split(to - from);
        if old <= middle {
            proof.push(subtree(nodes, middle, to)?);
            to = middle;
        } else {
            proof.push(subtree(nodes, from, middle)?);
            from = middle;
        }
    }
    if from != 0 {
        proof.push(subtree(nodes, from, to)?);
    }
    proof.reverse();
    Ok(proof)
}

/// Whether the proof leads from the old tree to the new one (RFC 9162 2.1.4.2).
pub fn is_consistent(
    (old, old_root): (u64, Hash),
    (new, new_root): (u64, Hash),
    proof: &[Hash],
) -> bool {
    if old > new {
        return false;
    }
    if old == new {
        return proof.is_empty() && old_root == new_root;
    }
    if old == 0 {
        return proof.is_empty();
    }
    let mut rest = proof.iter();
    let first = match old.is_power_of_two() {
        true => Some(&old_root),
        false => rest.next(),
    };
    let Some(first) = first else { return false };
    let (mut at, mut last) = (old - 1, new - 1);
    let up = at.trailing_ones();
    (at, last) = (at >> up, last >> up);
    let (mut from_old, mut from_new) = (*first, *first);
    for hash in rest {
        if last == 0 {
            return false;
        }
        if at & 1 == 1 || at == last {
            from_old = node_hash(hash, &from_old);
            from_new = node_hash(hash, &from_new);
            while at & 1 == 0 && at != 0 {
                (at, last) = (at >> 1, last >> 1);
            }
        } else {
            from_new = node_hash(&from_new, hash);
        }
        (at, last) = (at >> 1, last >> 1);
    }
    last == 0 && from_old == old_root && from_new == new_root
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::convert::Infallible;

    use proptest::prelude::*;
    use sicbo_journal::leaf_hash;

    use super::*;

    #[derive(Default)]
    struct Kept(BTreeMap<(u32, u64), Hash>);

    impl Nodes for Kept {
        type Error = Infallible;
        fn node(&self, level: u32, place: u64) -> Result<Hash, Infallible> {
            Ok(self.0[&(level, place)])
        }
    }

    fn grown(leaves: &[Hash]) -> (Edge, Kept) {
        let (mut edge, mut kept) = (Edge::default(), Kept::default());
        for leaf in leaves {
            edge.push(*leaf, |(level, place, hash)| {
                assert_eq!(kept.0.insert((level, place), hash), None, "made once");
            });
        }
        (edge, kept)
    }

    /// RFC 6962 2.1, as it stands there and slow.
    fn naive_root(leaves: &[Hash]) -> Hash {
        match leaves {
            [] => Hash::of(b""),
            [one] => *one,
            _ => {
                let (left, right) = leaves.split_at(split(leaves.len() as u64) as usize);
                node_hash(&naive_root(left), &naive_root(right))
            }
        }
    }

    /// RFC 6962 2.1.1, likewise.
    fn naive_path(leaves: &[Hash], place: usize) -> Vec<Hash> {
        if leaves.len() == 1 {
            return Vec::new();
        }
        let at = split(leaves.len() as u64) as usize;
        let (left, right) = leaves.split_at(at);
        let (mut path, other) = match place < at {
            true => (naive_path(left, place), right),
            false => (naive_path(right, place - at), left),
        };
        path.push(naive_root(other));
        path
    }

    /// RFC 6962 2.1.2, likewise.
    fn naive_proof(leaves: &[Hash], old: usize, whole: bool) -> Vec<Hash> {
        if old == leaves.len() {
            return match whole {
                true => Vec::new(),
                false => vec![naive_root(leaves)],
            };
        }
        let at = split(leaves.len() as u64) as usize;
        let (left, right) = leaves.split_at(at);
        let (mut proof, other) = match old <= at {
            true => (naive_proof(left, old, whole), right),
            false => (naive_proof(right, old - at, false), left),
        };
        proof.push(naive_root(other));
        proof
    }

    fn leaves(count: u64) -> Vec<Hash> {
        (0..count).map(|at| leaf_hash(&at.to_be_bytes())).collect()
    }

    #[test]
    fn every_tree_to_70_agrees_with_the_definition_and_proves_itself() {
        let all = leaves(70);
        let (_, kept) = grown(&all);
        for new in 1..=all.len() {
            let tree = &all[..new];
            let root = naive_root(tree);
            assert_eq!(root_at(&kept, new as u64), Ok(root));
            assert_eq!(grown(tree).0.root(), root);
            for place in 0..new {
                let path = inclusion_proof(&kept, place as u64, new as u64).unwrap();
                assert_eq!(path, naive_path(tree, place));
                for other in 0..new {
                    let found = is_included(tree[place], other as u64, new as u64, &path, root);
                    assert_eq!(found, other == place);
                }
            }
            for old in 1..=new {
                let proof = consistency_proof(&kept, old as u64, new as u64).unwrap();
                assert_eq!(proof, naive_proof(tree, old, true), "{old} {new}");
                let from = (old as u64, naive_root(&all[..old]));
                assert!(
                    is_consistent(from, (new as u64, root), &proof),
                    "{old} {new}"
                );
            }
        }
    }

    #[test]
    fn the_public_test_vector_of_certificate_transparency() {
        // Entries and roots of the reference implementation, as in
        // transparency-dev/merkle `testonly/constants.go`.
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
        let roots = [
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
        ];
        let mut edge = Edge::default();
        for (entry, root) in entries.into_iter().zip(roots) {
            edge.push(leaf_hash(entry), |_| {});
            assert_eq!(edge.root().to_string(), root);
        }
    }

    proptest! {
        #[test]
        fn a_changed_proof_size_or_root_proves_nothing(
            new in 2_u64..600,
            old in 1_u64..600,
            at in 0_usize..64,
            bit in 0_usize..256,
        ) {
            let old = 1 + old % (new - 1);
            let all = leaves(new);
            let (edge, kept) = grown(&all);
            let from = (old, root_at(&kept, old).unwrap());
            let to = (new, edge.root());
            let proof = consistency_proof(&kept, old, new).unwrap();
            prop_assert!(proof.len() <= MAX_PROOF);
            prop_assert!(is_consistent(from, to, &proof));
            let flip = |hash: &mut Hash| hash.0[bit / 8] ^= 1 << (bit % 8);
            let mut other = proof.clone();
            let at = at % other.len();
            flip(&mut other[at]);
            prop_assert!(!is_consistent(from, to, &other));
            let mut other = from;
            flip(&mut other.1);
            prop_assert!(!is_consistent(other, to, &proof));
            let mut other = to;
            flip(&mut other.1);
            prop_assert!(!is_consistent(from, other, &proof));
            prop_assert!(!is_consistent(to, from, &proof));
            prop_assert!(is_consistent(to, to, &[]) && !is_consistent(to, (new, from.1), &[]));
            prop_assert!(!is_consistent(from, to, &proof[1..]));
            let longer = [&proof[..], &[to.1]].concat();
            prop_assert!(!is_consistent(from, to, &longer));
        }

        #[test]
        fn the_edge_of_kept_nodes_goes_on_as_if_it_had_never_stopped(
            size in 0_u64..300, more in 1_u64..50,
        ) {
            let all = leaves(size + more);
            let (mut edge, kept) = grown(&all[..size as usize]);
            let mut again = Edge::of(&kept, size).unwrap();
            prop_assert_eq!(&again, &edge);
            for leaf in &all[size as usize..] {
                edge.push(*leaf, |_| {});
                again.push(*leaf, |_| {});
            }
            prop_assert_eq!(again.root(), naive_root(&all));
        }
    }
}
