//! Which file each name of the one folder stands for, now and after a power cut.
//! A name that was made, replaced or removed is as it was before until the
//! folder is synced, whatever was synced of the file itself.

use std::collections::BTreeMap;

use crate::disk::Inode;

#[derive(Default)]
pub(crate) struct Names {
    live: BTreeMap<String, Inode>,
    durable: BTreeMap<String, Inode>,
    /// By the old name of a file, its new one: both changes arrive, or neither.
    renamed: BTreeMap<String, String>,
}

impl Names {
    pub(crate) fn get(&self, name: &str) -> Option<Inode> {
        self.live.get(name).copied()
    }

    pub(crate) fn all(&self) -> Vec<String> {
        self.live.keys().cloned().collect()
    }

    pub(crate) fn insert(&mut self, name: &str, inode: Inode) {
        self.live.insert(name.to_owned(), inode);
    }

    pub(crate) fn remove(&mut self, name: &str) -> Option<Inode> {
        self.live.remove(name)
    }

    pub(crate) fn rename(&mut self, from: &str, to: &str) -> Option<()> {
        let inode = self.live.remove(from)?;
        self.live.insert(to.to_owned(), inode);
        self.renamed.insert(from.to_owned(), to.to_owned());
        Some(())
    }

    /// What the name stands for is durable.
    pub(crate) fn sync_one(&mut self, name: &str) {
        match self.live.get(name) {
            Some(inode) => self.durable.insert(name.to_owned(), *inode),
            None => self.durable.remove(name),
        };
    }

    /// What every name stands for is durable.
    pub(crate) fn sync(&mut self) {
        self.durable = self.live.clone();
        self.renamed.clear();
    }

    /// A power cut: `lose` is asked of each change that was not synced, once for
    /// both names of a file that was renamed. Returns how many were lost.
    pub(crate) fn cut(&mut self, mut lose: impl FnMut() -> bool) -> u64 {
        let mut lost = 0;
        let renamed = std::mem::take(&mut self.renamed);
        let mut fates = BTreeMap::new();
        let names = self.live.keys().chain(self.durable.keys());
        let names: std::collections::BTreeSet<String> = names.cloned().collect();
        for name in names {
            let before = self.durable.get(&name).copied();
            if self.get(&name) == before {
                continue;
            }
            let change = renamed.get(&name).unwrap_or(&name).clone();
            if *fates.entry(change).or_insert_with(&mut lose) {
                lost += 1;
                match before {
                    Some(inode) => self.live.insert(name, inode),
                    None => self.live.remove(&name),
                };
            }
        }
        self.sync();
        lost
    }

    /// Whether a name stands for this file now.
    pub(crate) fn stand_for(&self, inode: Inode) -> bool {
        self.live.values().any(|named| *named == inode)
    }

    /// Whether one may stand for it after a power cut.
    pub(crate) fn may_stand_for(&self, inode: Inode) -> bool {
        self.stand_for(inode) || self.durable.values().any(|named| *named == inode)
    }
}
