//! The bytes of a block: they read back, any damage is named, and format 1
//! stays what it was.

use crate::common::*;
use proptest::prelude::*;
use sicbo_journal::*;

#[test]
fn records_read_back_in_order_without_their_sequence_being_stored() {
    let blocks = blocks(&[1, 5, 64]);
    let mut expected = 1;
    for block in &blocks {
        let again = block.to_raw().decode().unwrap();
        assert_eq!(&again, block);
        for record in again.records() {
            assert_eq!(record.sequence, expected);
            assert_eq!(record.time_ms, START_MS + expected as i64);
            assert_eq!((record.kind, record.version), ((expected % 300) as u16, 1));
            assert_eq!(record.payload, payload(expected));
            expected += 1;
        }
    }
    assert_eq!(expected, 71);
}

#[test]
fn every_flipped_bit_of_a_body_names_the_record_it_is_in() {
    let block = &blocks(&[12])[0];
    let good = block.to_raw();
    // Where each entry ends, learnt by encoding ever more records.
    let mut writer = writer_after(&Tail::default());
    let ends: Vec<usize> = (1..=12)
        .map(|count| {
            writer = writer_after(&Tail::default());
            next_block(&mut writer, count).body().bytes().len()
        })
        .collect();
    for bit in 0..good.body.len() * 8 {
        let mut bad = good.clone();
        bad.body[bit / 8] ^= 1 << (bit % 8);
        let record = 1 + ends.iter().filter(|end| **end <= bit / 8).count() as u64;
        match bad.decode() {
            Err(
                BlockError::RecordChanged { sequence } | BlockError::RecordMalformed { sequence },
            ) => assert_eq!(sequence, record, "bit {bit}"),
            other => panic!("bit {bit}: {other:?}"),
        }
    }
}

/// The tag names honest damage; a forger recomputes it, and the root speaks.
#[test]
fn a_record_changed_with_its_tag_recomputed_does_not_lead_to_the_root() {
    let mut writer = writer_after(&Tail::default());
    for number in 0..3u8 {
        writer.push(0, 1, 1, &[number; 9]).unwrap();
    }
    let mut forged = writer.seal(0).unwrap().to_raw();
    let entry = forged.body.len() / 3;
    // Entry 1: a byte of length, four of tag, then salt and record.
    let (tag, salted) = (entry + 1..entry + 5, entry + 5..2 * entry);
    forged.body[2 * entry - 1] ^= 1;
    let leaf = Hash::of(&[&[0][..], &forged.body[salted]].concat());
    let mixed = u32::from_be_bytes(leaf.0[..4].try_into().unwrap()) ^ 1;
    forged.body[tag].copy_from_slice(&mixed.to_be_bytes());
    assert_eq!(
        forged.decode(),
        Err(BlockError::RootDiffers { first: 1, last: 3 })
    );
}

#[test]
fn every_flipped_bit_of_a_header_is_found() {
    let good = raw(&blocks(&[3, 4, 5]));
    let checkpoint = vec![checkpoint(&blocks(&[3, 4, 5])[2])];
    for which in 0..3 {
        for bit in 0..good[which].header.len() * 8 {
            let mut bad = good.clone();
            let mut header = bad[which].header.to_vec();
            header[bit / 8] ^= 1 << (bit % 8);
            bad[which].header = header.into();
            let fault = verify(bad, checkpoint.clone()).expect_err("a flipped bit");
            // A header that was changed to another well-formed one is noticed
            // at the latest where the next one names it.
            let next = good.get(which + 1).map_or(13, |next| next.filed_under);
            assert!(
                (good[which].filed_under..=next).contains(&fault.sequence),
                "block {which} bit {bit}: {fault}"
            );
        }
    }
}

#[test]
fn salts_differ_by_record_stream_epoch_and_key() {
    let seal = |name: &str, epoch: u64, key: u8| {
        let stream = StreamId::new(name).unwrap();
        let secret = WriterSecret::new([key; 32]);
        let mut writer = Writer::unsigned(stream, &Tail::default(), epoch, &secret).unwrap();
        writer.push(0, 1, 1, b"same").unwrap();
        writer.push(0, 1, 1, b"same").unwrap();
        let block = writer.seal(0).unwrap();
        // Entry: 1 byte of length, 4 of tag, 16 of salt, 7 of record.
        let body = block.body().bytes();
        assert_eq!(body.len(), 2 * 28);
        [body[5..21].to_vec(), body[33..49].to_vec()]
    };
    let mut salts: Vec<Vec<u8>> = [
        seal("house", 1, 1),
        seal("table-1", 1, 1),
        seal("house", 2, 1),
        seal("house", 1, 2),
    ]
    .concat();
    assert_eq!(
        seal("house", 1, 1),
        seal("house", 1, 1),
        "the same seed gives the same bytes"
    );
    salts.sort();
    salts.dedup();
    assert_eq!(salts.len(), 8);
}

#[test]
fn a_writer_bounds_records_payloads_and_blocks() {
    let mut writer = writer_after(&Tail::default());
    assert!(writer.seal(0).is_none(), "an empty block is not sealed");
    let long = vec![0; MAX_PAYLOAD + 1];
    let refused = writer.push(0, 1, 1, &long);
    assert_eq!(
        refused,
        Err(PushError::PayloadTooLong {
            length: MAX_PAYLOAD + 1
        })
    );
    while writer.push(0, 1, 1, &long[1..]).is_ok() {}
    assert_eq!(writer.push(0, 1, 1, &long[1..]), Err(PushError::BlockFull));
    let block = writer.seal(0).unwrap();
    assert!(block.body().bytes().len() <= MAX_BODY);
    assert!(block.to_raw().decode().is_ok());
    let next = writer.push(0, 1, 1, b"").unwrap();
    assert_eq!(next, block.header().last_sequence + 1);
    while writer.pending() < MAX_RECORDS {
        writer.push(0, 1, 1, b"").unwrap();
    }
    assert_eq!(writer.push(0, 1, 1, b""), Err(PushError::BlockFull));
    assert!(writer.seal(0).unwrap().to_raw().decode().is_ok());
}

#[test]
fn a_writer_must_have_a_newer_epoch_than_the_tail() {
    let tail = Tail {
        epoch: 3,
        ..Tail::default()
    };
    for (epoch, good) in [(2, false), (3, false), (4, true), (u64::MAX, false)] {
        let writer = Writer::resume(stream(), &tail, epoch, &signatory());
        assert_eq!(writer.is_ok(), good, "{epoch}");
    }
}

/// What the golden blocks hold.
fn golden_block(mut writer: Writer) -> String {
    writer.push(START_MS, 1, 1, b"opened").expect("room");
    writer.push(START_MS + 5, 300, 2, &[0; 3]).expect("room");
    writer.push(-1, u16::MAX, u16::MAX, b"").expect("room");
    let block = writer.seal(START_MS + 9).expect("a block");
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    format!(
        "header {}\nbody {}\nheader-sha256 {}\n",
        hex(block.header_bytes()),
        hex(block.body().bytes()),
        block.header_hash()
    )
}

/// The golden block of format 1, which earlier programs wrote.
#[test]
fn format_1_golden_block_keeps_its_bytes() {
    let secret = WriterSecret::new([9; 32]);
    let writer = Writer::unsigned(stream(), &Tail::default(), 1, &secret).unwrap();
    assert_eq!(
        golden_block(writer),
        include_str!("golden/format-1-block.hex")
    );
}

/// The golden block of format 2. If this fails, the format has changed: old
/// journals must still decode, so a new format number is needed.
#[test]
fn format_2_golden_block_keeps_its_bytes() {
    let found = golden_block(writer_after(&Tail::default()));
    assert_eq!(found, include_str!("golden/format-2-block.hex"));
}

proptest! {
    #[test]
    fn any_bytes_give_a_block_or_an_error(
        header in prop::collection::vec(any::<u8>(), 0..160),
        body in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        let _ = RawBlock { filed_under: 1, header: header.into(), body }.decode();
    }

    /// The root is fixed up after the damage, so that the walk through the
    /// body itself is what is tried.
    #[test]
    fn any_body_under_a_fitting_header_gives_a_block_or_an_error(
        body in prop::collection::vec(any::<u8>(), 0..400), count in 1u64..40,
    ) {
        let header = Header {
            stream: stream(),
            first_sequence: 1,
            last_sequence: count,
            epoch: 1,
            time_ms: 0,
            previous: Hash::ZERO,
            root: Hash::ZERO,
            body_len: body.len() as u32,
            seal: None,
        };
        let raw = RawBlock { filed_under: 1, header: header.encode().into(), body };
        prop_assert!(raw.decode().is_err());
    }

    #[test]
    fn whatever_is_pushed_reads_back(
        records in prop::collection::vec(
            (any::<i64>(), any::<u16>(), any::<u16>(), prop::collection::vec(any::<u8>(), 0..300)),
            1..40,
        ),
    ) {
        let mut writer = writer_after(&Tail::default());
        for (time_ms, kind, version, payload) in &records {
            writer.push(*time_ms, *kind, *version, payload).unwrap();
        }
        let block = writer.seal(1).unwrap().to_raw().decode().unwrap();
        let again: Vec<_> =
            block.records().map(|r| (r.time_ms, r.kind, r.version, r.payload.to_vec())).collect();
        prop_assert_eq!(again, records);
    }
}
