//! A tree that cannot be written or signed, what its age is counted from, and a
//! mark that cannot be written.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use sicbo_journal::{
    Beside, KeyFolder, PublicKey, SignError, Signatory, SignatureBytes, Signer, Writer,
    WriterSecret,
};

use super::super::{TreeStands, TreeWatch, queue};
use super::*;

const AGO_MS: i64 = 4_000_000;

/// A data folder with one table, which writes a block at a time.
struct Written {
    folder: tempfile::TempDir,
    keys: KeyFolder,
    stream: StreamId,
    store: SqliteStore,
}

impl Written {
    fn begin() -> Written {
        let folder = tempfile::tempdir().expect("a folder");
        let data = DataFolder::create(folder.path()).expect("a data folder");
        let keys = KeyFolder::open_or_create(&data.keys_path(), || [3; 32]).expect("keys");
        let stream = StreamId::new("table-1").expect("a name");
        let store = data.create_stream(&stream).expect("a journal");
        Written {
            folder,
            keys,
            stream,
            store,
        }
    }

    fn write(&mut self, at_ms: i64) {
        let keys = &self.keys;
        let secret = WriterSecret::new([7; 32]);
        let signatory = Signatory::new(keys.current().clone(), keys.ring().clone(), secret);
        let tail = self.store.tail();
        let writer = Writer::resume(self.stream.clone(), &tail, tail.epoch + 1, &signatory);
        let mut writer = writer.expect("a writer");
        writer.push(at_ms, 7, 1, b"x").expect("room");
        let block = writer.seal(at_ms).expect("a block");
        self.store.append(&block, Beside::default()).expect("kept");
    }

    /// The tree of what is written.
    fn tree(&self) -> HouseTree {
        let found = HouseTree::open(self.folder.path()).expect("a file");
        let mut tree =
            found.unwrap_or_else(|| HouseTree::create(self.folder.path(), 1).expect("a tree"));
        let streams = BTreeSet::from([self.stream.clone()]);
        read(self.folder.path(), &streams, &mut tree).expect("written");
        tree
    }

    /// Runs a keeper, which looks as soon as it runs, and once more as it stops.
    fn keep(&self, tree: HouseTree, key: HouseKey, mark: Option<PathBuf>) -> Arc<TreeWatch> {
        let (_, to, from) = queue(false);
        let house = self.keys.ring().house();
        let stands = TreeStands {
            origin: origin(house, 1),
            ..TreeStands::default()
        };
        let watch = Arc::new(TreeWatch::new(stands, to.clone(), 300));
        let keeper = Keeper {
            data: self.folder.path().to_owned(),
            house,
            key,
            tree: Some(tree),
            witness: None,
            mark,
            lives_asked: false,
            opened: BTreeSet::from([self.stream.clone()]),
            watch: Arc::clone(&watch),
        };
        start_keeper(keeper, to, from).expect("a thread").stop();
        watch
    }
}

#[track_caller]
fn is_as_old(watch: &TreeWatch, ago_ms: i64) {
    let waits_s = watch.unwritten_s().expect("longer than it may be");
    let ago_s = ago_ms / 1_000;
    assert!((ago_s..ago_s + 60).contains(&waits_s), "{waits_s}");
}

#[test]
fn a_tree_that_is_not_written_is_as_old_as_the_oldest_block_outside_it() {
    let mut house = Written::begin();
    // The tree has the first block; the second is durable when the tree fails.
    house.write(now_ms() - 2 * AGO_MS);
    let tree = house.tree();
    assert_eq!(tree.size(), 1);
    house.write(now_ms() - AGO_MS);
    house.write(now_ms());
    let file = HouseTree::path_in(house.folder.path());
    let other = rusqlite::Connection::open(file).expect("the tree");
    let stop = "CREATE TRIGGER z BEFORE INSERT ON leaves BEGIN SELECT raise(abort, 'x'); END";
    other.execute_batch(stop).expect("a trigger");
    let watch = house.keep(tree, house.keys.current().clone(), None);
    is_as_old(&watch, AGO_MS);
}

/// A key in a token that does not sign the first so many times.
struct Unplugged {
    key: HouseKey,
    fails: AtomicU32,
}

impl Unplugged {
    fn failing(key: &HouseKey, times: u32) -> HouseKey {
        HouseKey::elsewhere(Arc::new(Unplugged {
            key: key.clone(),
            fails: AtomicU32::new(times),
        }))
    }
}

impl Signer for Unplugged {
    fn public(&self) -> PublicKey {
        self.key.public()
    }

    fn sign(&self, message: &[u8]) -> Result<SignatureBytes, SignError> {
        let left = self.fails.load(Ordering::SeqCst);
        if left > 0 {
            self.fails.store(left - 1, Ordering::SeqCst);
            return Err(SignError("the token is gone".to_owned()));
        }
        self.key.sign(message)
    }
}

#[test]
fn a_head_that_is_not_signed_is_as_old_as_the_oldest_block_under_none() {
    let mut house = Written::begin();
    let key = house.keys.current().clone();
    house.write(now_ms() - 2 * AGO_MS);
    let watch = house.keep(house.tree(), key.clone(), None);
    assert_eq!((watch.stands().signed_size, watch.unwritten_s()), (1, None));
    // Written down before the token is gone: leaves are never what is missing.
    house.write(now_ms() - AGO_MS);
    house.write(now_ms());
    let watch = house.keep(house.tree(), Unplugged::failing(&key, u32::MAX), None);
    is_as_old(&watch, AGO_MS);
    assert_eq!(watch.stands().size, 3);
    let told = watch.unwritten().expect("in words");
    assert!(
        told.contains("not signed") && told.contains("the token is gone"),
        "{told}"
    );
    // It ends by itself as soon as the token signs.
    let watch = house.keep(house.tree(), Unplugged::failing(&key, 1), None);
    assert_eq!((watch.stands().signed_size, watch.unwritten_s()), (3, None));
    assert_eq!(watch.stands().problems(), None);
}

#[test]
fn a_head_that_is_not_kept_counts_though_leaves_are_written() {
    for on in ["heads", "tails"] {
        let mut house = Written::begin();
        let key = house.keys.current().clone();
        house.write(now_ms() - 2 * AGO_MS);
        house.keep(house.tree(), key.clone(), None);
        let tree = house.tree();
        let file = HouseTree::path_in(house.folder.path());
        let other = rusqlite::Connection::open(file).expect("the tree");
        // Swallowed without an error.
        let stop =
            format!("CREATE TRIGGER z BEFORE INSERT ON {on} BEGIN SELECT raise(ignore); END");
        other.execute_batch(&stop).expect("a trigger");
        house.write(now_ms() - AGO_MS);
        let watch = house.keep(tree, key, None);
        assert_eq!(watch.stands().size, 2, "leaves are written");
        is_as_old(&watch, AGO_MS);
        let told = watch.unwritten().expect("in words");
        let named = format!("the trigger z on {on} is foreign");
        assert!(told.contains(&named), "{told}");
    }
}

#[test]
fn a_mark_that_is_not_written_is_told_and_stops_nothing() {
    let mut house = Written::begin();
    let key = house.keys.current().clone();
    house.write(now_ms() - AGO_MS);
    let no_folder = house.folder.path().join("marks");
    std::fs::write(&no_folder, "a file").expect("written");
    let mark = Some(no_folder.join("house.mark"));
    let watch = house.keep(house.tree(), key.clone(), mark.clone());
    let (_, told) = watch.mark_problem().expect("told");
    assert!(told.contains("the mark"), "{told}");
    assert_eq!((watch.stands().signed_size, watch.unwritten_s()), (1, None));
    std::fs::remove_file(&no_folder).expect("removed");
    let watch = house.keep(house.tree(), key, mark);
    assert_eq!(watch.mark_problem(), None);
}
