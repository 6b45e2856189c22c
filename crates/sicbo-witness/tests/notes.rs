//! Notes, keys, checkpoints and cosignatures against published ones.

use proptest::prelude::*;
use sicbo_journal::{Hash, HouseKey};
use sicbo_witness::head::{HeadError, TreeHead, origin};
use sicbo_witness::note::{Algorithm, Note, NoteError, VerifierKey, cosign};

/// The example key and note of c2sp.org/signed-note.
const SPEC_KEY: &str = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const SPEC_NOTE: &str = "This is an example message.\n\n— example.com/foo \
    Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";

/// Keys, text and lines of golang.org/x/mod/sumdb/note, `note_test.go` and its examples.
const PETER: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const PETER_SECRET: &str = "810a1402d5146c8d84f2443330f54080ebf98ee17d9c74f6252fc5d5c7283173";
const ENOCH: &str = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop";
const TEXT: &str = "If you think cryptography is the answer to your problem,\n\
    then you don't know what your problem is.\n";
const BY_PETER: &str = "— PeterNeumann \
    x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
const BY_ENOCH: &str = "— EnochRoot \
    rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n";

/// A checkpoint of a public log with the cosignatures of four public witnesses,
/// whose keys are published at transparency.dev/witnesses and at their own pages.
const PUBLIC: &str = "arche2025h1.staging.ct.transparency.dev\n1432088532\n\
    U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=\n\n\
    — arche2025h1.staging.ct.transparency.dev zTM8sQAAAZ5W0WdjBAMARjBEAiBjW5IQf9pvsYLfQFX6hoGREPMHbdQ3urbllzalApkptQIgIpwtEroeW2BXaHAI4kJXFbon5Ch9MNL5zRNZ55lvGt0=\n\
    — arche2025h1.staging.ct.transparency.dev ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=\n\
    — transparency.dev/DEV:witness-little-garden 2AQqhwAAAABqEiEgzgFIqqhbUoDwjMWE6UP8nd8/KYTzwZ2rhIgcqoXHAwVkjZr4AscylP3v7sEodkRAErumC2q44vdgJY096st5BQ==\n\
    — witness1.smartit.nu/witness1 pIyCDwAAAABqEiEghIp82KWebrw7/oHQwlTAm3g2RKS4+eebl8eO0WH+/iEcxZ75W3u5hNI7TOQtmJbqmNWVuE0tgh0XwzdZsDsUAQ==\n\
    — remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==\n\
    — witness.stagemole.eu Z/euoAAAAABqEiEgw0i+7g2ENfDAWHmtRzCfKTHSDwYDJA2NmKeGi9Y8FtEyOUvVr+AJmIY/2TUFucgKi7lI7cUiOvKFYe/TmN9DAg==\n";
const PUBLIC_LOG: &str =
    "arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f";
const PUBLIC_WITNESSES: [&str; 4] = [
    "transparency.dev/DEV:witness-little-garden+d8042a87+BCtusOxINQNUTN5Oj8HObRkh2yHf/MwYaGX4CPdiVEPM",
    "witness1.smartit.nu/witness1+a48c820f+BPSFWg9G6KPiO7QPryYO5Xq4oYJJ+kAvLKLSimDhoxMO",
    "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2",
    "witness.stagemole.eu+67f7aea0+BEqSG3yu9YrmcM3BHvQYTxwFj3uSWakQepafafpUqklv",
];

fn key(text: &str) -> VerifierKey {
    VerifierKey::parse(text).unwrap()
}

fn note(text: &str) -> Note {
    Note::parse(text.as_bytes()).unwrap()
}

#[test]
fn the_example_of_the_specification_verifies() {
    assert!(note(SPEC_NOTE).is_signed_by(&key(SPEC_KEY)));
    assert_eq!(note(SPEC_NOTE).to_string(), SPEC_NOTE);
    assert_eq!(key(SPEC_KEY).to_string(), SPEC_KEY);
    let other = SPEC_NOTE.replace("example message", "exampl3 message");
    assert!(!note(&other).is_signed_by(&key(SPEC_KEY)));
}

#[test]
fn the_notes_of_the_go_library_are_read_and_made_byte_for_byte() {
    let secret = Hash::from_hex(PETER_SECRET).unwrap();
    let peter = HouseKey::from_entropy(secret.as_bytes());
    let made = Note::sign(TEXT, "PeterNeumann", &peter).unwrap();
    let published = format!("{TEXT}\n{BY_PETER}");
    assert_eq!(made.to_string(), published);
    let both = note(&format!("{published}{BY_ENOCH}"));
    assert!(both.is_signed_by(&key(PETER)));
    assert!(
        !both.is_signed_by(&key(SPEC_KEY)),
        "a key that did not sign"
    );
    assert!(both.is_signed_by(&key(ENOCH)));
    // Two lines by one key of which one is bad spoil it.
    let bad = BY_PETER.replace("x08go/ZJ", "x08go/ZK");
    let spoilt = note(&format!("{published}{bad}"));
    assert!(!spoilt.is_signed_by(&key(PETER)));
}

#[test]
fn cosignatures_of_public_witnesses_verify_with_their_time() {
    let found = note(PUBLIC);
    assert_eq!(found.to_string(), PUBLIC);
    assert!(found.is_signed_by(&key(PUBLIC_LOG)));
    assert_eq!(
        found.cosigned_by(&key(PUBLIC_LOG)),
        None,
        "a log is no witness"
    );
    for witness in PUBLIC_WITNESSES {
        assert_eq!(key(witness).to_string(), witness);
        assert_eq!(
            found.cosigned_by(&key(witness)),
            Some(0x6a12_2120),
            "{witness}"
        );
    }
    let head = TreeHead::parse(found.text()).unwrap();
    assert_eq!(
        (head.size, head.text().as_str()),
        (1_432_088_532, found.text())
    );
    for other in [
        PUBLIC.replace("1432088532", "1432088533"),
        PUBLIC.replace("2net5wAAAABqEiEg", "2net5wAAAABqEiEh"),
    ] {
        assert_eq!(note(&other).cosigned_by(&key(PUBLIC_WITNESSES[2])), None);
    }
}

#[test]
fn no_part_and_no_change_of_a_key_is_a_key() {
    for text in [PETER, SPEC_KEY, PUBLIC_WITNESSES[0]] {
        for from in 0..text.len() {
            for to in from + 1..=text.len() {
                let part = &text[from..to];
                assert_eq!(VerifierKey::parse(part).is_ok(), part == text, "{part}");
            }
        }
        for at in 0..text.len() {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] ^= 1;
            if let Ok(changed) = std::str::from_utf8(&bytes) {
                assert!(VerifierKey::parse(changed).is_err(), "{changed}");
            }
        }
    }
}

#[test]
fn what_is_no_note_is_said_to_be_none() {
    let line = BY_PETER;
    for (bad, why) in [
        (String::new(), NoteError::NoSignatures),
        (TEXT.to_owned(), NoteError::NoSignatures),
        (format!("{TEXT}\n"), NoteError::NoSignatures),
        (
            format!("{TEXT}\n{}", line.trim_end()),
            NoteError::NoSignatures,
        ),
        (format!("{TEXT}\nno line\n"), NoteError::SignatureLine),
        (format!("{TEXT}\n{line}\tx\n"), NoteError::SignatureLine),
        (format!("a\tb\n\n{line}"), NoteError::Text),
        (format!("{TEXT}\n{}", line.repeat(65)), NoteError::TooLong),
        ("x".repeat(70_000), NoteError::TooLong),
        (
            format!("{TEXT}\n{}", line.replace('=', "")),
            NoteError::SignatureLine,
        ),
        (
            format!("{TEXT}\n— A+B {}", &line[17..]),
            NoteError::SignatureLine,
        ),
    ] {
        assert_eq!(Note::parse(bad.as_bytes()), Err(why), "{bad:?}");
    }
    assert_eq!(Note::parse(b"\xff\n\nx\n"), Err(NoteError::Text));
}

#[test]
fn heads_have_one_text() {
    let root = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";
    let good = format!("example.com/behind-the-sofa\n20852163\n{root}\n");
    let head = TreeHead::parse(&good).unwrap();
    assert_eq!(head.text(), good);
    // Extensions of other logs are allowed; they are not ours.
    assert_eq!(TreeHead::parse(&format!("{good}more\n")), Ok(head));
    for bad in [
        good.replace("20852163", "020852163"),
        good.replace("20852163", "-1"),
        good.replace("20852163", "+1"),
        good.replace("20852163", "9223372036854775808"),
        good.replace("20852163", ""),
        good.replace(root, &root[..40]),
        good.replace(root, "Csw="),
        good.replace("example.com/behind-the-sofa", ""),
        format!("{good}\n"),
        good.trim_end().to_owned(),
        String::new(),
    ] {
        assert_eq!(TreeHead::parse(&bad), Err(HeadError), "{bad:?}");
    }
    let house = HouseKey::from_entropy(&[3; 32]).id();
    let named = origin(house, 2);
    assert_eq!(named, format!("sicbo.house/{}/2", &house.to_string()[..32]));
}

proptest! {
    #[test]
    fn any_bytes_are_a_note_or_none(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        if let Ok(note) = Note::parse(&bytes) {
            prop_assert_eq!(note.to_string().into_bytes(), bytes);
        }
    }

    #[test]
    fn a_cosignature_is_for_one_text_one_time_and_one_key(
        seed in any::<[u8; 32]>(), other in any::<[u8; 32]>(), time in 0_u64..1 << 40,
        size in 0_u64..1 << 50,
    ) {
        prop_assume!(seed != other);
        let (signer, stranger) = (HouseKey::from_entropy(&seed), HouseKey::from_entropy(&other));
        let head = TreeHead { origin: "a.example/1".to_owned(), size, root: Hash::of(&seed) };
        let mut note = head.sign(&stranger).unwrap();
        note.add(cosign(note.text(), "w.example", &signer, time).unwrap());
        let known = |key: &HouseKey| {
            VerifierKey::new("w.example", Algorithm::CosignatureV1, key.public()).unwrap()
        };
        prop_assert_eq!(note.cosigned_by(&known(&signer)), Some(time));
        prop_assert_eq!(note.cosigned_by(&known(&stranger)), None);
        let again = Note::parse(note.to_string().as_bytes()).unwrap();
        prop_assert_eq!(again, note);
    }
}
