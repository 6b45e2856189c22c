use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use sicbo_journal::{KeyFolder, KeyFolderError, KeyPlace, Unlock as _};
use sicbo_keys::{CREDENTIAL, Keys};

fn put(path: &Path, text: &str, mode: u32) {
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn from_file(path: &Path) -> Keys {
    Keys {
        passphrase: Some(path.to_owned()),
        ..Keys::default()
    }
}

#[test]
fn a_key_made_with_a_passphrase_opens_with_it_and_is_read_by_openssl() {
    let folder = tempfile::tempdir().unwrap();
    let (words, keys) = (folder.path().join("words"), folder.path().join("keys"));
    put(&words, "correct horse\n", 0o600);
    let unlock = from_file(&words);
    let mut made = unlock.open_or_create(&keys, &[7; 32]).unwrap();
    assert!(matches!(made.kept(), KeyPlace::Encrypted(_)));
    // It rotates, and the new key is kept the same way.
    made.rotate(&[8; 32], 1_000).unwrap();
    let again = KeyFolder::open_with(&keys, &unlock).unwrap();
    assert_eq!(again.current().id(), made.current().id());
    let Err(KeyFolderError::Locked { what, .. }) = KeyFolder::open(&keys) else {
        panic!("it opens without a passphrase");
    };
    assert!(what.contains("no passphrase"), "{what}");
    put(&words, "correct horsf\n", 0o600);
    let wrong = KeyFolder::open_with(&keys, &unlock).expect_err("another passphrase");
    assert!(wrong.to_string().contains("does not open"), "{wrong}");

    for number in ["1", "2"] {
        let key = keys.join(number).join("key.pem");
        let read = |pass: &str| {
            let mut openssl = Command::new("openssl");
            let read = openssl.args(["pkey", "-pubout", "-passin", pass, "-in"]);
            read.arg(&key).output().unwrap()
        };
        let public = std::fs::read(keys.join(number).join("public.pem")).unwrap();
        assert_eq!(read("pass:correct horse").stdout, public);
        assert!(!read("pass:correct horsf").status.success());
    }
}

#[test]
fn keys_are_encrypted_and_decrypted_where_they_lie_old_ones_too() {
    let folder = tempfile::tempdir().unwrap();
    let (words, keys) = (folder.path().join("words"), folder.path().join("keys"));
    put(&words, "correct horse", 0o600);
    let unlock = from_file(&words);
    let mut plain = KeyFolder::open_or_create(&keys, || [1; 32]).unwrap();
    plain.rotate(&[2; 32], 1_000).unwrap();
    let secret = |number: &str| {
        let file = keys.join(number).join("key.pem");
        assert_eq!(
            std::fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o600
        );
        std::fs::read_to_string(file).unwrap()
    };
    let place = KeyPlace::Encrypted(unlock.passphrase().unwrap());
    assert_eq!(plain.keep_as(&place, &unlock).unwrap(), 2);
    for number in ["1", "2"] {
        assert!(secret(number).contains("ENCRYPTED"));
    }
    let mut locked = KeyFolder::open_with(&keys, &unlock).unwrap();
    assert_eq!(locked.current().id(), plain.current().id());
    assert_eq!(locked.keep_as(&KeyPlace::File, &unlock).unwrap(), 2);
    assert!(!secret("1").contains("ENCRYPTED") && !secret("2").contains("ENCRYPTED"));
    assert!(KeyFolder::open(&keys).is_ok());
}

#[test]
fn a_passphrase_that_others_may_read_is_refused_and_a_credential_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(CREDENTIAL);
    put(&file, "correct horse\n", 0o640);
    let said = from_file(&file).passphrase().expect_err("a group may");
    assert!(said.contains("chmod"), "{said}");
    // A service manager's access list looks like rights of the group.
    let credentials = Keys {
        credentials: Some(folder.path().to_owned()),
        ..Keys::default()
    };
    assert_eq!(credentials.passphrase().unwrap().text(), "correct horse");
    put(&file, "correct horse\n", 0o644);
    assert!(credentials.passphrase().is_err());
    put(&file, "\n", 0o600);
    let said = credentials.passphrase().expect_err("nothing in it");
    assert!(said.contains("is empty"), "{said}");
    std::fs::remove_file(&file).unwrap();
    let said = credentials.passphrase().expect_err("none");
    assert!(said.contains("--key-passphrase"), "{said}");
}
