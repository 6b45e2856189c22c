//! A tree that cannot be written, and what its age is counted from.

use std::sync::Arc;

use sicbo_journal::{Beside, KeyFolder, Signatory, Writer, WriterSecret};

use super::super::{TreeStands, TreeWatch, queue};
use super::*;

const AGO_MS: i64 = 4_000_000;

#[test]
fn a_tree_that_is_not_written_is_as_old_as_the_oldest_block_outside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = DataFolder::create(folder.path()).expect("a data folder");
    let keys = KeyFolder::open_or_create(&data.keys_path(), || [3; 32]).expect("keys");
    let stream = StreamId::new("table-1").expect("a name");
    let mut store = data.create_stream(&stream).expect("a journal");
    let secret = WriterSecret::new([7; 32]);
    let signatory = Signatory::new(keys.current().clone(), keys.ring().clone(), secret);
    let mut write = |at_ms| {
        let tail = store.tail();
        let mut writer =
            Writer::resume(stream.clone(), &tail, tail.epoch + 1, &signatory).expect("a writer");
        writer.push(at_ms, 7, 1, b"x").expect("room");
        let block = writer.seal(at_ms).expect("a block");
        store.append(&block, Beside::default()).expect("kept");
    };
    // The tree has the first block; the second is durable when the tree fails.
    write(now_ms() - 2 * AGO_MS);
    let mut tree = HouseTree::create(folder.path(), 1).expect("a tree");
    read(folder.path(), &BTreeSet::from([stream.clone()]), &mut tree).expect("written");
    assert_eq!(tree.size(), 1);
    write(now_ms() - AGO_MS);
    write(now_ms());
    let other = rusqlite::Connection::open(HouseTree::path_in(folder.path())).expect("the tree");
    let stop = "CREATE TRIGGER z BEFORE INSERT ON leaves BEGIN SELECT raise(abort, 'x'); END";
    other.execute_batch(stop).expect("a trigger");
    let (_, to, from) = queue(false);
    let watch = Arc::new(TreeWatch::new(TreeStands::default(), to.clone(), 300));
    let keeper = Keeper {
        data: folder.path().to_owned(),
        house: keys.ring().house(),
        key: keys.current().clone(),
        tree: Some(tree),
        witness: None,
        mark: None,
        lives_asked: false,
        opened: BTreeSet::from([stream]),
        watch: Arc::clone(&watch),
    };
    // It looks as soon as it runs, and once more as it stops.
    start_keeper(keeper, to, from).expect("a thread").stop();
    let waits_s = watch.unwritten_s().expect("longer than it may be");
    let ago_s = AGO_MS / 1_000;
    assert!((ago_s..ago_s + 60).contains(&waits_s), "{waits_s}");
}
