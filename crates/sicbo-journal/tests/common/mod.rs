//! What several test files need: a small stream made from nothing but numbers.
#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    reason = "each test file is its own program and uses a part of this"
)]

use std::path::Path;

use sicbo_fault_vfs::FaultDisk;
use sicbo_journal::*;

/// A time all tests begin at: 2026-11-15 20:00 UTC.
pub(crate) const START_MS: i64 = 1_794_772_800_000;

pub(crate) fn stream() -> StreamId {
    StreamId::new("table-1").unwrap()
}

pub(crate) fn house_key() -> HouseKey {
    HouseKey::from_entropy(&[7; 32])
}

pub(crate) fn ring() -> KeyRing {
    KeyRing::new(house_key().public())
}

pub(crate) fn signatory() -> Signatory {
    Signatory::of_first_key(house_key(), WriterSecret::new([9; 32]))
}

pub(crate) fn writer_after(tail: &Tail) -> Writer {
    Writer::resume(stream(), tail, tail.epoch + 1, &signatory()).unwrap()
}

/// Where the journal lies on a disk that fails.
pub(crate) const PATH: &str = "table-1.sqlite";

pub(crate) fn options(disk: &FaultDisk) -> SqliteOptions {
    SqliteOptions {
        upkeep: WalUpkeep::Inline,
        vfs: disk.vfs(),
        ..SqliteOptions::default()
    }
}

pub(crate) fn open(disk: &FaultDisk) -> Result<SqliteStore, OpenError> {
    SqliteStore::open(Path::new(PATH), stream(), &options(disk))
}

/// Payload of the record with this sequence: its length and bytes vary.
pub(crate) fn payload(sequence: u64) -> Vec<u8> {
    let length = [0, 3, 20, 40, 130, 300][sequence as usize % 6];
    (0..length)
        .map(|at| (sequence as u8).wrapping_mul(31).wrapping_add(at as u8))
        .collect()
}

/// Seals one block of `count` records.
pub(crate) fn next_block(writer: &mut Writer, count: u32) -> SealedBlock {
    for _ in 0..count {
        let sequence = writer.next_sequence();
        let time_ms = START_MS + sequence as i64;
        writer
            .push(time_ms, (sequence % 300) as u16, 1, &payload(sequence))
            .unwrap();
    }
    writer
        .seal(START_MS + writer.next_sequence() as i64)
        .unwrap()
}

/// Blocks with these many records each, from the stream's start.
pub(crate) fn blocks(counts: &[u32]) -> Vec<SealedBlock> {
    let mut writer = writer_after(&Tail::default());
    counts
        .iter()
        .map(|count| next_block(&mut writer, *count))
        .collect()
}

pub(crate) fn checkpoint_over(
    block: &SealedBlock,
    key: &HouseKey,
    house: KeyId,
) -> SignedCheckpoint {
    let header = block.header();
    let checkpoint = Checkpoint {
        house,
        stream: header.stream.clone(),
        sequence: header.last_sequence,
        header_hash: block.header_hash(),
        time_ms: header.time_ms,
        reason: CheckpointReason::RoundEnd,
    };
    checkpoint.sign(key).unwrap()
}

pub(crate) fn checkpoint(block: &SealedBlock) -> SignedCheckpoint {
    checkpoint_over(block, &house_key(), house_key().id())
}

/// Verifies raw blocks with the test house's ring.
pub(crate) fn verify(
    blocks: Vec<RawBlock>,
    checkpoints: Vec<SignedCheckpoint>,
) -> Result<Report, Fault> {
    verify_chain(stream(), blocks.into_iter().map(Ok), checkpoints, &ring())
}

pub(crate) fn raw(blocks: &[SealedBlock]) -> Vec<RawBlock> {
    blocks.iter().map(SealedBlock::to_raw).collect()
}
