//! Houses of a few streams, written with the real journal.

use std::path::Path;

use sicbo_journal::{
    Beside, DataFolder, HouseKey, KeyFolder, Signatory, SqliteStore, Store, StreamId, Writer,
    WriterSecret,
};
use sicbo_witness::house_tree::HouseTree;

pub(crate) const TIME_MS: i64 = 1_794_772_800_000;

/// A data folder with keys and some streams.
pub(crate) struct Folder {
    pub(crate) data: DataFolder,
    pub(crate) keys: KeyFolder,
    pub(crate) streams: Vec<(StreamId, SqliteStore)>,
    epoch: u64,
}

impl Folder {
    pub(crate) fn create(path: &Path, names: &[&str], seed: u8) -> Folder {
        let data = DataFolder::create(path).unwrap();
        let keys = KeyFolder::open_or_create(&data.keys_path(), || [seed; 32]).unwrap();
        let streams = names.iter().map(|name| {
            let stream = StreamId::new(name).unwrap();
            let store = data.create_stream(&stream).unwrap();
            (stream, store)
        });
        let streams = streams.collect();
        Folder {
            data,
            keys,
            streams,
            epoch: 1,
        }
    }

    pub(crate) fn key(&self) -> &HouseKey {
        self.keys.current()
    }

    /// Appends a block of so many records to a stream.
    pub(crate) fn write(&mut self, at: usize, records: u64, time_ms: i64) {
        let (stream, store) = &mut self.streams[at];
        let tail = store.tail();
        self.epoch += 1;
        let key = HouseKey::from_entropy(&[7; 32]);
        let signatory = Signatory::of_first_key(key, WriterSecret::new([7; 32]));
        let mut writer = Writer::resume(stream.clone(), &tail, self.epoch, &signatory).unwrap();
        for record in 0..records {
            let payload = format!("{stream} {} {record}", tail.sequence);
            writer.push(time_ms, 7, 1, payload.as_bytes()).unwrap();
        }
        let block = writer.seal(time_ms).unwrap();
        store.append(&block, Beside::default()).unwrap();
    }

    pub(crate) fn catch_up(&self, tree: &mut HouseTree) -> u64 {
        let streams: Vec<(StreamId, &dyn Store)> = self
            .streams
            .iter()
            .map(|(stream, store)| (stream.clone(), store as &dyn Store))
            .collect();
        tree.catch_up(&streams).unwrap()
    }

    pub(crate) fn path(&self) -> &Path {
        self.data.path()
    }
}
