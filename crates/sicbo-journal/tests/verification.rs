//! What verification finds: reordering, dropping, repeating, truncation, wrong
//! keys; and proofs of single records.

use crate::common::*;
use proptest::prelude::*;
use sicbo_journal::*;

#[test]
fn a_whole_stream_verifies_and_says_how_far_it_is_signed() {
    let blocks = blocks(&[3, 1, 20, 2]);
    let report = verify(
        raw(&blocks),
        vec![checkpoint(&blocks[0]), checkpoint(&blocks[2])],
    );
    let report = report.unwrap();
    assert_eq!(
        (report.blocks, report.records, report.checkpoints),
        (4, 26, 2)
    );
    assert_eq!(report.signed_to, 26, "each block is signed by its writer");
    assert_eq!(report.tail.header_hash, blocks[3].header_hash());
}

#[test]
fn an_empty_stream_verifies() {
    assert_eq!(verify(vec![], vec![]), Ok(Report::default()));
}

/// Runs the change on a stream of five blocks of four records, all signed.
fn fault_after(change: impl FnOnce(&mut Vec<RawBlock>)) -> Fault {
    let blocks = blocks(&[4; 5]);
    let mut raw = raw(&blocks);
    change(&mut raw);
    verify(raw, vec![checkpoint(&blocks[4])]).expect_err("a changed stream")
}

#[test]
fn a_dropped_block_is_named() {
    let fault = fault_after(|raw| drop(raw.remove(2)));
    assert_eq!(
        fault,
        Fault {
            sequence: 9,
            what: FaultKind::Missing { next_found: 13 }
        }
    );
}

#[test]
fn swapped_blocks_are_named() {
    let fault = fault_after(|raw| raw.swap(1, 2));
    assert_eq!(
        fault,
        Fault {
            sequence: 5,
            what: FaultKind::Missing { next_found: 9 }
        }
    );
}

#[test]
fn a_repeated_block_is_named() {
    let fault = fault_after(|raw| raw.insert(3, raw[2].clone()));
    assert_eq!(
        fault,
        Fault {
            sequence: 9,
            what: FaultKind::Repeated
        }
    );
}

#[test]
fn a_block_filed_under_another_number_is_named() {
    let fault = fault_after(|raw| {
        raw[2] = RawBlock {
            filed_under: 9,
            ..raw[1].clone()
        }
    });
    assert_eq!(fault.sequence, 9);
    assert_eq!(
        fault.what,
        FaultKind::Block(BlockError::FiledElsewhere { stated: 5 })
    );
}

#[test]
fn a_truncation_below_a_checkpoint_is_named() {
    for keep in 0..5 {
        let fault = fault_after(|raw| raw.truncate(keep));
        let what = FaultKind::Truncated { signed_to: 20 };
        assert_eq!(
            fault,
            Fault {
                sequence: keep as u64 * 4 + 1,
                what
            }
        );
    }
}

#[test]
fn a_block_sealed_anew_with_other_records_does_not_fit_the_next() {
    let forged = {
        let honest = blocks(&[4; 2]);
        let tail = Tail {
            sequence: 4,
            header_hash: honest[0].header_hash(),
            epoch: 1,
        };
        let mut writer = writer_after(&tail);
        for _ in 0..4 {
            writer.push(0, 1, 1, b"forged").unwrap();
        }
        writer.seal(0).unwrap().to_raw()
    };
    let fault = fault_after(|raw| raw[1] = forged);
    assert_eq!(
        fault,
        Fault {
            sequence: 9,
            what: FaultKind::DoesNotFollow
        }
    );
}

#[test]
fn a_stream_sealed_anew_to_its_end_does_not_fit_the_checkpoint() {
    let honest = blocks(&[4; 5]);
    let mut writer = writer_after(&Tail::default());
    let forged: Vec<_> = (0..5)
        .map(|i| next_block(&mut writer, if i == 1 { 3 } else { 4 }))
        .collect();
    let fault = verify(raw(&forged), vec![checkpoint(&honest[4])]).expect_err("forged");
    assert_eq!(
        fault,
        Fault {
            sequence: 20,
            what: FaultKind::Truncated { signed_to: 20 }
        }
        .clone()
    );
    let fault = verify(raw(&forged), vec![checkpoint(&honest[3])]).expect_err("forged");
    assert_eq!(
        fault,
        Fault {
            sequence: 16,
            what: FaultKind::CheckpointDisagrees
        }
    );
}

#[test]
fn records_reordered_dropped_or_repeated_within_a_block_are_named() {
    // Records of equal length, so that whole entries can be moved about.
    let mut writer = writer_after(&Tail::default());
    for i in 0..6u8 {
        writer.push(0, 1, 1, &[i; 9]).unwrap();
    }
    let good = writer.seal(0).unwrap().to_raw();
    let entry = good.body.len() / 6;
    let check = |change: &dyn Fn(&mut Vec<Vec<u8>>), sequence| {
        let mut entries: Vec<Vec<u8>> = good.body.chunks(entry).map(<[u8]>::to_vec).collect();
        change(&mut entries);
        let bad = RawBlock {
            body: entries.concat(),
            ..good.clone()
        };
        let fault = verify(vec![bad], vec![]).expect_err("moved records");
        let what = FaultKind::Block(BlockError::RecordChanged { sequence });
        assert_eq!(fault, Fault { sequence, what });
    };
    check(&|e| e.swap(1, 4), 2);
    check(&|e| e[3] = e[2].clone(), 4);
    check(
        &|e| {
            e.remove(2);
            e.push(e[4].clone())
        },
        3,
    );
}

#[test]
fn an_older_writers_block_is_named() {
    let first = {
        let mut writer = Writer::resume(stream(), &Tail::default(), 5, &signatory()).unwrap();
        next_block(&mut writer, 2)
    };
    let tail = Tail {
        sequence: 2,
        header_hash: first.header_hash(),
        epoch: 3,
    };
    let second = next_block(&mut writer_after(&tail), 1);
    let fault = verify(raw(&[first, second]), vec![]).expect_err("epoch 4 after 5");
    assert_eq!(
        fault,
        Fault {
            sequence: 3,
            what: FaultKind::EpochWentBack
        }
    );
}

#[test]
fn another_streams_block_is_named() {
    let fault = verify_chain(
        StreamId::new("table-2").unwrap(),
        raw(&blocks(&[2])).into_iter().map(Ok),
        [],
        &ring(),
    );
    let what = FaultKind::AnotherStream { found: stream() };
    assert_eq!(fault, Err(Fault { sequence: 1, what }));
}

#[test]
fn a_stream_of_another_house_is_refused() {
    let blocks = blocks(&[2]);
    let theirs = HouseKey::from_entropy(&[8; 32]);
    let signed = checkpoint_over(&blocks[0], &theirs, theirs.id());
    let fault = verify(raw(&blocks), vec![signed]).expect_err("another house");
    let what = FaultKind::Checkpoint(CheckpointError::AnotherHouse);
    assert_eq!(fault, Fault { sequence: 2, what });
}

#[test]
fn after_a_rotation_the_new_key_signs_and_the_old_no_more() {
    let blocks = blocks(&[2, 2, 2]);
    let (old, new) = (house_key(), HouseKey::from_entropy(&[8; 32]));
    let mut ring = ring();
    let rotated_ms = blocks[2].header().time_ms;
    ring.accept(&HandOver::sign(&ring, &old, &new, rotated_ms).unwrap())
        .unwrap();
    let verify = |signed: Vec<SignedCheckpoint>| {
        verify_chain(stream(), raw(&blocks).into_iter().map(Ok), signed, &ring)
    };
    let house = old.id();
    let by_old = checkpoint_over(&blocks[0], &old, house);
    let by_new = checkpoint_over(&blocks[2], &new, house);
    let both_in_time = checkpoint_over(&blocks[2], &old, house);
    assert_eq!(
        verify(vec![by_old.clone(), by_new.clone()])
            .unwrap()
            .checkpoints,
        2
    );
    let fault = verify(vec![by_old, by_new, both_in_time]).expect_err("retired");
    assert_eq!(
        fault,
        Fault {
            sequence: 6,
            what: FaultKind::RetiredKey
        }
    );
    let too_early = checkpoint_over(&blocks[0], &new, house);
    let what = FaultKind::Checkpoint(CheckpointError::KeyOutOfTime { key: new.id() });
    assert_eq!(verify(vec![too_early]), Err(Fault { sequence: 2, what }));
}

#[test]
fn one_record_is_proved_up_to_a_checkpoint_without_the_others() {
    let blocks = blocks(&[5, 13, 2, 4]);
    let signed = checkpoint(&blocks[3]);
    let segment = HeaderSegment::of(&blocks[1..]);
    let segment = HeaderSegment::from_bytes(&segment.to_bytes()).unwrap();
    let headers = segment.verify(&signed, &ring()).unwrap();
    let prover = Prover::new(&blocks[1]);
    for sequence in 6..=18 {
        let proof = prover.prove(sequence).unwrap();
        let proof = Proof::from_bytes(&proof.to_bytes()).unwrap();
        let record = proof.verify(&headers[0]).unwrap();
        assert_eq!(
            (record.sequence, record.payload),
            (sequence, &payload(sequence)[..])
        );
        assert_eq!(proof.verify(&headers[1]), Err(ProofError::NotInBlock));
    }
    assert_eq!((prover.prove(5), prover.prove(19)), (None, None));
}

#[test]
fn every_flipped_bit_of_a_proof_or_segment_is_refused() {
    let blocks = blocks(&[5, 13, 2]);
    let signed = checkpoint(&blocks[2]);
    let good = Prover::new(&blocks[1]).prove(9).unwrap().to_bytes();
    let record = payload(9);
    for bit in 0..good.len() * 8 {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        let held = Proof::from_bytes(&bad).and_then(|p| {
            p.verify(blocks[1].header())
                .map(|r| (r.sequence, r.payload.to_vec()))
        });
        assert!(held.is_err(), "bit {bit}: {held:?} for {record:?}");
    }
    let good = HeaderSegment::of(&blocks[1..]).to_bytes();
    for bit in 0..good.len() * 8 {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        let held = HeaderSegment::from_bytes(&bad).and_then(|s| s.verify(&signed, &ring()));
        assert!(held.is_err(), "bit {bit}");
    }
    let short = HeaderSegment::of(&blocks[1..2]);
    assert_eq!(short.verify(&signed, &ring()), Err(ProofError::NotChained));
    let none = HeaderSegment::of([]);
    assert_eq!(none.verify(&signed, &ring()), Err(ProofError::NotChained));
}

proptest! {
    #[test]
    fn any_bytes_give_a_proof_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(proof) = Proof::from_bytes(&bytes) {
            let _ = proof.verify(blocks(&[3])[0].header());
        }
        let _ = HeaderSegment::from_bytes(&bytes);
    }
}
