//! The list of parts of a sealed backup, in the clear: it says how far each
//! stream goes, which is what the next part needs to know, and nothing about
//! anybody. The house knows its own list by a code that only it can make; who
//! opens the backup holds the list to what the parts hold.
//!
//! ```text
//! sicbo sealed backup, format 2
//! house: 3f9a…
//! part: 1 184320 9c1e…
//! reached: house 12 77de…
//! reached: table-1 905 01c2…
//! code: 5d20…
//! ```
//!
//! Lists of format 1 have no code: they can be opened, and not added to.

use std::collections::BTreeMap;
use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use sicbo_journal::Hash;
use sicbo_journal::rights::{create_private_file, require_private};
use sicbo_register::secret::random;
use zeroize::Zeroizing;

use super::SealError;
use crate::backup::{BackupError, sync};

/// The file of the list.
pub const LIST_FILE: &str = "sealed-backup.txt";

const FIRST_LINE: &str = "sicbo sealed backup, format 2";
const FORMAT_1: &str = "sicbo sealed backup, format 1";

/// In the house's data folder: what the codes of its lists are made with.
const SECRET_FILE: &str = "backup.secret";

/// Makes and knows the codes of one house's lists.
pub(super) struct ListKey(Zeroizing<[u8; 32]>);

impl ListKey {
    /// The key of a house, made with its first sealed backup.
    pub(super) fn of(house: &Path) -> Result<ListKey, SealError> {
        let path = house.join(SECRET_FILE);
        let damaged = |what: String| SealError::Damaged {
            path: path.clone(),
            what,
        };
        if !path.exists() {
            use std::io::Write as _;
            let new: [u8; 32] = random().map_err(|error| damaged(error.to_string()))?;
            let put = || {
                let mut file = create_private_file(&path)?;
                file.write_all(&new)?;
                file.sync_all()?;
                sync(Some(house))
            };
            put().map_err(BackupError::io(&path))?;
        }
        require_private(&path).map_err(|error| damaged(error.to_string()))?;
        let bytes = Zeroizing::new(std::fs::read(&path).map_err(BackupError::io(&path))?);
        let key = <[u8; 32]>::try_from(bytes.as_slice());
        let key = key.map_err(|_| damaged("it has not 32 bytes".to_owned()))?;
        Ok(ListKey(Zeroizing::new(key)))
    }

    fn mac(&self, text: &str) -> Hmac<Sha256> {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&*self.0) else {
            unreachable!("HMAC takes keys of every length")
        };
        mac.update(text.as_bytes());
        mac
    }
}

/// Where a stream of a part ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reach {
    pub(super) stream: String,
    pub(super) sequence: u64,
    pub(super) header_hash: Hash,
}

/// One part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) number: u32,
    pub(super) bytes: u64,
    pub(super) sha256: [u8; 32],
    pub(super) reached: Vec<Reach>,
}

impl Part {
    pub(super) fn file(&self) -> String {
        format!("{:04}.age", self.number)
    }
}

/// The parts of a sealed backup, the first one first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PartList {
    pub(super) house: String,
    pub(super) parts: Vec<Part>,
    /// The code it was found with.
    code: Option<Hash>,
}

impl PartList {
    pub(super) fn new(house: String) -> PartList {
        let parts = Vec::new();
        let code = None;
        PartList { house, parts, code }
    }

    /// Whether the house that has this key wrote it.
    pub(super) fn is_by(&self, key: &ListKey) -> bool {
        let verified = self
            .code
            .map(|code| key.mac(&self.text()).verify_slice(&code.0));
        verified.is_some_and(|verified| verified.is_ok())
    }

    /// Where each stream ends with the last part that has something of it.
    pub(super) fn reached(&self) -> BTreeMap<&str, &Reach> {
        let all = self.parts.iter().flat_map(|part| &part.reached);
        // A later part stands in place of an earlier one; a stream of which a
        // part has nothing is not in it.
        all.filter(|one| one.sequence > 0)
            .map(|one| (one.stream.as_str(), one))
            .collect()
    }

    fn text(&self) -> String {
        let mut text = format!("{FIRST_LINE}\nhouse: {}\n", self.house);
        for part in &self.parts {
            let digest = Hash(part.sha256);
            text += &format!("part: {} {} {digest}\n", part.number, part.bytes);
            for one in &part.reached {
                text += &format!(
                    "reached: {} {} {}\n",
                    one.stream, one.sequence, one.header_hash
                );
            }
        }
        text
    }

    fn parse(text: &str) -> Option<PartList> {
        let mut lines = text.lines();
        let first = lines.next()?;
        (first == FIRST_LINE || first == FORMAT_1).then_some(())?;
        let mut list = PartList::new(lines.next()?.strip_prefix("house: ")?.to_owned());
        for line in lines {
            let (word, rest) = line.split_once(": ")?;
            list.code.is_none().then_some(())?;
            if word == "code" {
                list.code = Some(Hash::from_hex(rest)?);
                continue;
            }
            let [first, second, third] = rest.split(' ').collect::<Vec<_>>().try_into().ok()?;
            match word {
                "part" => list.parts.push(Part {
                    number: first.parse().ok()?,
                    bytes: second.parse().ok()?,
                    sha256: Hash::from_hex(third)?.0,
                    reached: Vec::new(),
                }),
                "reached" => list.parts.last_mut()?.reached.push(Reach {
                    stream: first.to_owned(),
                    sequence: second.parse().ok()?,
                    header_hash: Hash::from_hex(third)?,
                }),
                _ => return None,
            }
        }
        let numbered = list
            .parts
            .iter()
            .map(|part| part.number)
            .eq(1..=list.parts.len() as u32);
        (numbered && !list.parts.is_empty()).then_some(list)
    }

    pub(super) fn read(folder: &Path) -> Result<PartList, SealError> {
        let file = folder.join(LIST_FILE);
        let text = std::fs::read_to_string(&file).map_err(|error| SealError::Damaged {
            path: file.clone(),
            what: format!("{error}; name the folder of a sealed backup"),
        })?;
        PartList::parse(&text).ok_or_else(|| SealError::Damaged {
            path: file,
            what: "this is no list of the parts of a sealed backup".to_owned(),
        })
    }

    /// Puts the list in place whole: a part that is not on it was cut off.
    pub(super) fn write(&self, folder: &Path, key: &ListKey) -> Result<(), SealError> {
        use std::io::Write as _;
        let file = folder.join(LIST_FILE);
        let unfinished = folder.join(format!("{LIST_FILE}.unfinished"));
        let put = || -> std::io::Result<()> {
            if unfinished.exists() {
                std::fs::remove_file(&unfinished)?;
            }
            let mut new = create_private_file(&unfinished)?;
            let text = self.text();
            let code = Hash(key.mac(&text).finalize().into_bytes().into());
            new.write_all(format!("{text}code: {code}\n").as_bytes())?;
            new.sync_all()?;
            std::fs::rename(&unfinished, &file)?;
            sync(Some(folder))
        };
        put()
            .map_err(BackupError::io(&file))
            .map_err(SealError::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_reads_back_and_a_later_part_says_how_far_it_goes() {
        let reach = |stream: &str, sequence| Reach {
            stream: stream.to_owned(),
            sequence,
            header_hash: Hash([sequence as u8; 32]),
        };
        let part = |number, reached| Part {
            number,
            bytes: 100,
            sha256: [number as u8; 32],
            reached,
        };
        let list = PartList {
            house: "ab".to_owned(),
            parts: vec![
                part(1, vec![reach("house", 5), reach("table-1", 9)]),
                part(2, vec![reach("house", 7), reach("table-1", 0)]),
            ],
            code: None,
        };
        let text = list.text();
        assert_eq!(PartList::parse(&text), Some(list.clone()));
        let ends: Vec<_> = list.reached().values().map(|one| one.sequence).collect();
        assert_eq!(ends, [7, 9]);
        assert_eq!(PartList::parse(&text.replace("part: 2", "part: 3")), None);
        assert_eq!(PartList::parse(&text.replace("format 2", "format 3")), None);
        // An earlier program's list is read, and nobody's.
        let key = ListKey(Zeroizing::new([7; 32]));
        let earlier = PartList::parse(&text.replace("format 2", "format 1")).unwrap();
        assert!(!earlier.is_by(&key));
        let code = Hash(key.mac(&text).finalize().into_bytes().into());
        let coded = format!("{text}code: {code}\n");
        assert!(PartList::parse(&coded).unwrap().is_by(&key));
        for (is, was) in [("house: ac", "house: ab"), ("table-1 8", "table-1 9")] {
            let changed = PartList::parse(&coded.replace(was, is)).unwrap();
            assert!(!changed.is_by(&key), "{is}");
        }
        assert_eq!(
            PartList::parse(&format!("{coded}reached: a 1 {code}\n")),
            None
        );
    }
}
