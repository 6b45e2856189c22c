//! `sicbo attest`: the identity of the software under a seed, and against a
//! signed list.

use sicbo_journal::HouseKey;

use crate::cli::binary::{command, folder, good, json, refused};

const SEED: &str = "00112233445566778899aabbccddeeff";

#[test]
fn s_16_the_software_is_attested_and_held_to_a_signed_list() {
    let shown = json(&["attest", "--seed", SEED]);
    let parts = shown["parts"].as_array().unwrap();
    assert_eq!(parts[0]["part"], "program");
    assert_eq!(shown["as_listed"], serde_json::Value::Null);
    let other = json(&["attest", "--seed", &SEED.replace("00", "01")]);
    assert_eq!(parts[0]["sha256"], other["parts"][0]["sha256"]);
    assert_ne!(parts[0]["keyed"], other["parts"][0]["keyed"]);
    refused(&["attest", "--seed", "0011"], "16 to 64 bytes");

    let folder = folder("attest");
    let (pem, list) = (folder.join("lab.pem"), folder.join("approved.txt"));
    let signer = HouseKey::from_entropy(&[7; 32]);
    std::fs::write(&pem, signer.to_pem().unwrap().as_str()).unwrap();
    let sign = [
        "--sign",
        pem.to_str().unwrap(),
        "--name",
        "lab.example/approved",
    ];
    let signed = command()
        .args(["attest", "--seed", SEED])
        .args(sign)
        .output()
        .unwrap();
    assert!(signed.status.success());
    std::fs::write(&list, &signed.stdout).unwrap();
    let said = String::from_utf8(signed.stderr).unwrap();
    let key = said.trim().strip_prefix("key ").unwrap();
    let held = [
        "attest",
        "--seed",
        SEED,
        "--list",
        list.to_str().unwrap(),
        "--key",
        key,
    ];
    assert!(good(&held).ends_with("all as listed\n"));
    // Another program was approved.
    let text = String::from_utf8(signed.stdout).unwrap();
    let digest = parts[0]["sha256"].as_str().unwrap();
    let altered = text.replacen(digest, &"0".repeat(64), 1);
    std::fs::write(&list, altered).unwrap();
    let said = command().args(held).output().unwrap();
    assert_eq!(said.status.code(), Some(1));
    assert!(
        String::from_utf8(said.stdout)
            .unwrap()
            .contains("not signed by")
    );
}
