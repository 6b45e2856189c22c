//! What docs/journal-format.md promises: an auditor needs only `openssl`,
//! `sha256sum` and `sqlite3`. Each test is skipped with a note where the
//! program is not installed.
#![allow(
    clippy::unwrap_used,
    clippy::allow_attributes,
    reason = "a test that cannot go on should stop"
)]

use std::path::Path;
use std::process::Command;

use crate::common::*;
use sicbo_journal::*;

/// Runs a shell line in the folder; `None` when a program is missing.
fn shell(folder: &Path, programs: &[&str], line: &str) -> Option<(bool, String)> {
    for program in programs {
        let there = Command::new("sh")
            .args(["-c", &format!("command -v {program}")])
            .output();
        if !there.is_ok_and(|output| output.status.success()) {
            println!("skipped: {program} is not installed");
            return None;
        }
    }
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    Some((
        output.status.success(),
        String::from_utf8_lossy(&said).into_owned(),
    ))
}

const VERIFY: &str = "openssl pkeyutl -verify -pubin -inkey public.pem -rawin -in message \
                      -sigfile signature";

#[test]
fn openssl_alone_verifies_a_checkpoint_and_refuses_a_changed_one() {
    let folder = tempfile::tempdir().unwrap();
    let signed = checkpoint(&blocks(&[5])[0]);
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    put(
        "public.pem",
        house_key().public().to_pem().unwrap().as_bytes(),
    );
    put("message", signed.message().as_bytes());
    put("signature", signed.signature());
    let Some((good, said)) = shell(folder.path(), &["openssl"], VERIFY) else {
        return;
    };
    assert!(good && said.contains("Verified Successfully"), "{said}");
    put(
        "message",
        signed
            .message()
            .replace("sequence: 5", "sequence: 6")
            .as_bytes(),
    );
    let (good, said) = shell(folder.path(), &["openssl"], VERIFY).unwrap();
    assert!(!good, "{said}");
}

#[test]
fn openssl_and_sha256sum_alone_print_a_key_id() {
    let folder = tempfile::tempdir().unwrap();
    let pem = house_key().public().to_pem().unwrap();
    std::fs::write(folder.path().join("public.pem"), pem).unwrap();
    let line = "openssl pkey -pubin -in public.pem -outform DER | sha256sum";
    let Some((_, said)) = shell(folder.path(), &["openssl", "sha256sum"], line) else {
        return;
    };
    assert!(said.starts_with(&house_key().id().to_string()), "{said}");
}

#[test]
fn openssl_reads_the_secret_key_file() {
    let folder = tempfile::tempdir().unwrap();
    let keys = KeyFolder::open_or_create(&folder.path().join("keys"), || [5; 32]).unwrap();
    let line = "openssl pkey -in keys/1/key.pem -pubout";
    let Some((good, said)) = shell(folder.path(), &["openssl"], line) else {
        return;
    };
    assert!(
        good && said == keys.current().public().to_pem().unwrap(),
        "{said}"
    );
}

#[test]
fn openssl_alone_verifies_both_signatures_of_a_hand_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    KeyFolder::open_or_create(&path, || [5; 32])
        .unwrap()
        .rotate(&[6; 32], START_MS)
        .unwrap();
    for (key, signature) in [(1, "old"), (2, "new")] {
        let line = format!(
            "openssl pkeyutl -verify -pubin -inkey keys/{key}/public.pem -rawin \
             -in keys/2/hand-over.txt -sigfile keys/2/hand-over.{signature}.sig"
        );
        let Some((good, said)) = shell(folder.path(), &["openssl"], &line) else {
            return;
        };
        assert!(good, "{said}");
    }
}

#[test]
fn sqlite3_and_sha256sum_alone_lead_from_a_checkpoint_to_its_header() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("table-1.sqlite");
    let mut store = SqliteStore::create(&file, stream(), &SqliteOptions::default()).unwrap();
    let blocks = blocks(&[5, 4]);
    let signed = checkpoint(&blocks[1]);
    store.append(&blocks[0], Beside::default()).unwrap();
    let beside = Beside {
        rounds: &[],
        checkpoint: Some(&signed),
    };
    store.append(&blocks[1], beside).unwrap();
    let pem = house_key().public().to_pem().unwrap();
    std::fs::write(folder.path().join("public.pem"), pem).unwrap();
    // The house is still writing: the store stays open meanwhile.
    let line = format!(
        "sqlite3 table-1.sqlite \"SELECT writefile('message', message), \
         writefile('signature', signature) FROM checkpoints WHERE sequence = 9\" \
         && sqlite3 table-1.sqlite \"SELECT writefile('header', header) FROM blocks \
         WHERE last_sequence = 9\" \
         && grep header-sha256 message | cut -d' ' -f2 && sha256sum < header && {VERIFY}"
    );
    let programs = ["sqlite3", "openssl", "sha256sum"];
    let Some((good, said)) = shell(folder.path(), &programs, &line) else {
        return;
    };
    assert!(good, "{said}");
    let hash = blocks[1].header_hash().to_string();
    assert_eq!(said.matches(&hash).count(), 2, "{said}");
}
