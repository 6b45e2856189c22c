//! Bytes that are no event: always a typed error, never a panic, never much memory.

use proptest::prelude::*;
use sicbo_table::codec::{DecodeError, KINDS, decode, encode};

use crate::codec::samples;

/// Decodes; what decodes must be written again and read the same.
fn check(kind: u16, version: u16, bytes: &[u8]) {
    if let Ok(event) = decode(kind, version, bytes) {
        let mut again = Vec::new();
        let (kind, version) = encode(&event, &mut again);
        assert_eq!(decode(kind, version, &again).as_ref(), Ok(&event));
    }
}

#[test]
fn unknown_kinds_and_versions_are_named() {
    for kind in (0..=u16::MAX).filter(|kind| KINDS.iter().all(|info| info.kind != *kind)) {
        assert_eq!(decode(kind, 1, b""), Err(DecodeError::UnknownKind { kind }));
    }
    for info in KINDS {
        for version in [0, info.version + 1, u16::MAX] {
            assert_eq!(
                decode(info.kind, version, b""),
                Err(DecodeError::UnknownVersion {
                    kind: info.kind,
                    version,
                    newest: info.version
                })
            );
        }
    }
}

/// A rule book takes long to parse; its text is cut and changed at fewer places.
fn stride(bytes: &[u8]) -> usize {
    if bytes.len() > 5_000 { 1_009 } else { 1 }
}

fn refuses_every_cut(kind: u16, version: u16, bytes: &[u8]) {
    for len in (0..bytes.len()).step_by(stride(bytes)) {
        assert_eq!(
            decode(kind, version, &bytes[..len]),
            Err(DecodeError::Truncated)
        );
    }
}

#[test]
fn a_replaced_layout_cut_short_or_changed_is_refused_and_never_panics() {
    let newest = |kind| KINDS.iter().find(|info| info.kind == kind).unwrap().version;
    let old = crate::codec::golden::records(1).into_iter();
    let old: Vec<_> = old
        .filter(|(kind, version, _)| newest(*kind) > *version)
        .collect();
    assert!(!old.is_empty());
    for (kind, version, bytes) in old {
        assert!(decode(kind, version, &bytes).is_ok());
        refuses_every_cut(kind, version, &bytes);
        for at in (0..bytes.len()).step_by(stride(&bytes)) {
            for value in [
                0x00, 0x1b, 0x3b, 0x5f, 0x7f, 0x80, 0x9b, 0x9f, 0xbf, 0xf6, 0xff,
            ] {
                let mut changed = bytes.clone();
                changed[at] = value;
                check(kind, version, &changed);
            }
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(decode(kind, version, &longer).is_err());
    }
}

#[test]
fn every_record_cut_short_or_lengthened_is_refused() {
    for number in 0..samples::FACTS {
        let event = (0..40)
            .map(|seed| samples::event(number, seed))
            .min_by_key(|event| {
                let mut bytes = Vec::new();
                encode(event, &mut bytes);
                bytes.len()
            })
            .unwrap();
        let mut bytes = Vec::new();
        let (kind, version) = encode(&event, &mut bytes);
        refuses_every_cut(kind, version, &bytes);
        bytes.push(0);
        assert!(matches!(
            decode(kind, version, &bytes),
            Err(DecodeError::Trailing { .. })
        ));
    }
}

#[test]
fn a_list_that_claims_to_be_endless_asks_for_no_memory() {
    for info in KINDS {
        for head in [0x9b, 0xbb, 0x5b, 0x7b, 0x9f, 0x5f, 0x7f, 0xbf] {
            let mut bytes = vec![head];
            bytes.extend([0xff; 8]);
            bytes.extend([0u8; 64]);
            check(info.kind, info.version, &bytes);
            // The same inside a record, at every place a value can begin.
            for before in 1..12 {
                let mut inside = vec![0x80 + before + 1];
                inside.extend(vec![0u8; usize::from(before)]);
                inside.extend(&bytes);
                check(info.kind, info.version, &inside);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn any_bytes_give_an_event_or_an_error(
        info in 0..KINDS.len(),
        bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        check(KINDS[info].kind, KINDS[info].version, &bytes);
    }

    #[test]
    fn a_record_with_changed_bytes_gives_an_event_or_an_error(
        number in 0..samples::FACTS,
        seed in 0u64..500,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        as_kind in prop::option::of(0..KINDS.len()),
    ) {
        let mut bytes = Vec::new();
        let (mut kind, version) = encode(&samples::event(number, seed), &mut bytes);
        // Near the head, where structure is; a rule book's text is mostly text.
        let reach = bytes.len().min(400);
        for (at, value) in changes {
            bytes[at.index(reach)] = value;
        }
        if let Some(other) = as_kind {
            kind = KINDS[other].kind;
        }
        check(kind, version, &bytes);
    }
}
