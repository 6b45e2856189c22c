//! A key in a real token: SoftHSM 2, which `scripts/setup` installs. A process
//! initialises a module once and SoftHSM reads its settings then, so all of this
//! is one test with a process of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use sicbo_journal::{Checkpoint, CheckpointReason, Hash, KeyFolder, KeyPlace, StreamId};
use sicbo_keys::{Address, Keys};

const PIN: &str = "48151623";
const CONFIG: &str = "SOFTHSM2_CONF";
const ME: &str = "token::a_house_signs_with_a_key_that_never_leaves_its_token";

fn module() -> Option<PathBuf> {
    let places = [
        "/usr/lib/softhsm/libsofthsm2.so",
        "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
        "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so",
        "/usr/lib64/pkcs11/libsofthsm2.so",
    ];
    places.into_iter().map(PathBuf::from).find(|at| at.exists())
}

#[test]
fn a_house_signs_with_a_key_that_never_leaves_its_token() {
    let module = module().expect("SoftHSM 2 is missing: run scripts/setup");
    if let Some(config) = std::env::var_os(CONFIG) {
        let folder = Path::new(&config).parent().unwrap().to_owned();
        return play(&module, &folder);
    }
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("softhsm2.conf");
    let tokens = folder.path().join("tokens");
    std::fs::create_dir(&tokens).unwrap();
    let text = format!("directories.tokendir = {}\n", tokens.display());
    std::fs::write(&config, text).unwrap();
    let made = Command::new("softhsm2-util")
        .args(["--init-token", "--free", "--label", "house"])
        .args(["--so-pin", "31415926", "--pin", PIN])
        .env(CONFIG, &config)
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    // The settings are there before the module is loaded.
    let played = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", ME, "--nocapture"])
        .env(CONFIG, &config)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&played.stderr);
    assert!(played.status.success(), "{said}");
}

fn play(module: &Path, folder: &Path) {
    let pin = folder.join("pin");
    std::fs::write(&pin, format!("{PIN}\n")).unwrap();
    let owner_only = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(&pin, owner_only).unwrap();
    let address = format!(
        "pkcs11:token=house;object=sicbo-1?module-path={}",
        module.display()
    );
    let address: Address = address.parse().unwrap();
    let unlock = Keys {
        passphrase: Some(pin.clone()),
        token: Some(address.clone()),
        ..Keys::default()
    };
    let path = folder.join("keys");
    let first = unlock.open_or_create(&path, &[0; 32]).unwrap();
    assert!(!path.join("1/key.pem").exists(), "no secret in a file");
    let written = std::fs::read_to_string(path.join("1/key.pkcs11")).unwrap();
    assert_eq!(written.trim(), address.to_string());
    assert!(!written.contains(PIN));

    // The address on record is enough to open it again.
    let unlock = Keys {
        token: None,
        ..unlock
    };
    let mut keys = KeyFolder::open_with(&path, &unlock).unwrap();
    assert_eq!(keys.current().id(), first.current().id());
    let checkpoint = |keys: &KeyFolder, time_ms| Checkpoint {
        house: keys.ring().house(),
        stream: StreamId::new("table-1").unwrap(),
        sequence: 9,
        header_hash: Hash::of(b"header"),
        time_ms,
        reason: CheckpointReason::RoundEnd,
    };
    let signed = checkpoint(&keys, 500).sign(keys.current()).unwrap();
    assert_eq!(signed.verify(keys.ring()), Ok(0));

    // A new key in the token, from the token's old one; then one in a file.
    let next = address.of_number(2);
    let (key, place) = unlock.made(&next).unwrap();
    keys.rotate_to(key, place, 1_000).unwrap();
    let mut keys = KeyFolder::open_with(&path, &unlock).unwrap();
    let signed = checkpoint(&keys, 1_500).sign(keys.current()).unwrap();
    assert_eq!(signed.verify(keys.ring()), Ok(1));
    assert!(unlock.made(&next).is_err(), "a key there is not replaced");
    let in_file = sicbo_journal::HouseKey::from_entropy(&[3; 32]);
    keys.rotate_to(in_file, KeyPlace::File, 2_000).unwrap();
    let keys = KeyFolder::open(&path).unwrap();
    assert_eq!(keys.ring().keys().count(), 3);
    let signed = checkpoint(&keys, 2_500).sign(keys.current()).unwrap();
    assert_eq!(signed.verify(keys.ring()), Ok(2));

    // What is wrong is said.
    let other = address.with_object("nobody");
    for (text, said) in [
        (other.to_string(), "no Ed25519 key"),
        (
            address.to_string().replace("token=house", "token=horse"),
            "no token",
        ),
        (
            "pkcs11:token=house;object=sicbo-1?module-path=/no/such.so".to_owned(),
            "/no/such.so",
        ),
    ] {
        let public = keys.ring().current().clone();
        let error = sicbo_journal::Unlock::token(&unlock, &text, &public).expect_err(said);
        assert!(error.contains(said), "{error}");
    }
    // Another key of the token than the one the house signs with.
    let public = keys.ring().current().clone();
    let error = sicbo_journal::Unlock::token(&unlock, &address.to_string(), &public);
    assert!(error.expect_err("not ours").contains("another one"));
}
