//! What lies on the disk, through the real binary: locked keys and sealed backups.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use age::secrecy::ExposeSecret as _;
use sicbo_journal::{DataFolder, KeyFolder};

use crate::cli::binary::{broken, command, good, json, refused, run};
use crate::cli::journal::{fingerprint, golden, shortened, text, there};
use crate::cli::played::{Played, TABLE, comes, plan};

/// A new place for a test's files.
fn place(name: &str) -> PathBuf {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    place
}

fn private(path: &Path, words: &str) {
    std::fs::write(path, words).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
}

/// A recipient, with the file of the key that opens what is sealed for them.
fn recipient(place: &Path, name: &str) -> (String, PathBuf) {
    let key = age::x25519::Identity::generate();
    let file = place.join(name);
    let secret = key.to_string();
    private(&file, &format!("# a key\n{}\n", secret.expose_secret()));
    (key.to_public().to_string(), file)
}

#[test]
fn keys_are_locked_rotated_and_opened_again() {
    let place = place("locked-keys");
    let (folder, words) = (place.join("data"), place.join("words"));
    let data = DataFolder::create(&folder).unwrap();
    KeyFolder::open_or_create(&data.keys_path(), || [7; 32]).unwrap();
    let (path, file) = (text(&folder), text(&words));
    std::fs::write(&words, "correct horse\n").unwrap();
    std::fs::set_permissions(&words, std::fs::Permissions::from_mode(0o644)).unwrap();
    refused(&["key", "encrypt", path, "--passphrase", file], "chmod");
    private(&words, "correct horse\n");
    refused(&["key", "encrypt", path, "--passphrase", file], "in use");
    drop(data);
    let locked = json(&["key", "encrypt", path, "--passphrase", file]);
    assert_eq!(
        (&locked["keys"], &locked["encrypted"]),
        (&1.into(), &true.into())
    );
    refused(&["key", "rotate", path], "--key-passphrase");
    let rotated = json(&["key", "rotate", path, "--key-passphrase", file]);
    assert_eq!(rotated["house"], fingerprint());
    let secret = |number| std::fs::read_to_string(folder.join(format!("keys/{number}/key.pem")));
    for number in [1, 2] {
        assert!(
            secret(number).unwrap().contains("ENCRYPTED"),
            "key {number}"
        );
    }
    let other = place.join("other");
    private(&other, "correct horsf\n");
    refused(
        &["key", "decrypt", path, "--key-passphrase", text(&other)],
        "does not open",
    );
    good(&["key", "decrypt", path, "--key-passphrase", file]);
    for number in [1, 2] {
        assert!(
            !secret(number).unwrap().contains("ENCRYPTED"),
            "key {number}"
        );
    }
    refused(
        &["key", "rotate", path, "--to", "pkcs11:token=a;object=b"],
        "module-path is missing",
    );
}

/// Starts a trial and stops it again once it listens; what it said on standard error otherwise.
fn serve(data: &Path, more: &[&str], credentials: Option<&Path>) -> Result<(), String> {
    let mut serve = command();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--data", text(data)]);
    serve.args(more).env_remove("CREDENTIALS_DIRECTORY");
    serve.envs(credentials.map(|folder| ("CREDENTIALS_DIRECTORY", folder)));
    serve.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut house = serve.spawn().unwrap();
    let mut said = BufReader::new(house.stdout.take().unwrap()).lines();
    let listens = said.any(|line| line.unwrap().contains("listening on"));
    if listens {
        let id = house.id().to_string();
        let told = Command::new("kill").args(["-TERM", &id]).status();
        assert!(told.unwrap().success());
    }
    let ended = house.wait_with_output().unwrap();
    match listens {
        true => {
            assert!(ended.status.success());
            Ok(())
        }
        false => Err(String::from_utf8_lossy(&ended.stderr).into_owned()),
    }
}

/// How large a core file of a process may ever be, while it waits for what it reads.
#[cfg(target_os = "linux")]
fn core_size_of(arguments: &[&str]) -> String {
    let mut child = command()
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Opening a pipe that nobody writes to waits; this process may dump until it is told not to.
    let limits = format!("/proc/{}/limits", child.id());
    let size = comes("no limit", || {
        assert!(child.try_wait().unwrap().is_none(), "{arguments:?} ended");
        let text = std::fs::read_to_string(&limits).ok()?;
        let line = text
            .lines()
            .find(|line| line.starts_with("Max core file size"))?;
        let size = line.split_whitespace().nth(5)?.to_owned();
        (size == "0").then_some(size)
    });
    child.kill().unwrap();
    child.wait().unwrap();
    size
}

#[cfg(target_os = "linux")]
#[test]
fn commands_that_hold_secrets_leave_no_core_file() {
    let place = place("no-core");
    let pipe = |name: &str| {
        let path = place.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let made = Command::new("mkfifo")
            .args(["-m", "600"])
            .arg(&path)
            .status();
        assert!(made.unwrap().success());
        path
    };
    pipe("data/data-folder.txt");
    let data = place.join("data");
    let data = text(&data);
    pipe("sealed/sealed-backup.txt");
    let sealed = place.join("sealed");
    let (_, key) = recipient(&place, "key.txt");
    let witness = pipe("witness.toml");
    let to = place.join("to");
    let to = text(&to);
    for arguments in [
        &["key", "show", data][..],
        &["key", "rotate", data],
        &["backup", data, to],
        &["restore", text(&sealed), to, "--identity", text(&key)],
        &["witness", "serve", text(&witness)],
        &["witness", "key", text(&witness)],
    ] {
        assert_eq!(core_size_of(arguments), "0", "{arguments:?}");
    }
}

#[test]
fn a_house_with_a_locked_key_starts_with_its_passphrase_only() {
    let place = place("locked-house");
    let (data, words) = (place.join("data"), place.join("sicbo-key-passphrase"));
    private(&words, "correct horse\n");
    let given = ["--key-passphrase", text(&words)];
    serve(&data, &given, None).unwrap();
    let key = std::fs::read_to_string(data.join("keys/1/key.pem")).unwrap();
    assert!(key.contains("ENCRYPTED"), "made locked");
    let error = serve(&data, &[], None).expect_err("no passphrase");
    assert!(error.contains("--key-passphrase"), "{error}");
    // As a service manager hands it over.
    serve(&data, &[], Some(&place)).unwrap();
    private(&words, "correct horsf\n");
    let error = serve(&data, &given, None).expect_err("another passphrase");
    assert!(error.contains("does not open"), "{error}");
}

/// A list whose first stream is said to end one record earlier.
fn changed_list(list: &str) -> String {
    let line = list.lines().find(|line| line.starts_with("reached: "));
    let line = line.expect("a stream");
    let words: Vec<&str> = line.split(' ').collect();
    let sequence: u64 = words[2].parse().unwrap();
    let changed = format!("{} {} {} {}", words[0], words[1], sequence - 1, words[3]);
    list.replacen(line, &changed, 1)
}

/// How far the last part of a sealed backup says that a stream goes.
fn reaches(sealed: &Path, stream: &str) -> u64 {
    let list = std::fs::read_to_string(sealed.join("sealed-backup.txt")).unwrap();
    let start = format!("reached: {stream} ");
    let last = list.lines().filter_map(|line| line.strip_prefix(&start));
    let sequences = last.map(|line| line.split(' ').next().unwrap().parse::<u64>().unwrap());
    sequences.max().expect("the stream")
}

#[test]
fn a_house_that_runs_is_sealed_in_parts_with_its_register() {
    let place = place("sealed-running");
    let (recipient, key) = recipient(&place, "owner.key");
    let (data, sealed, dest) = (place.join("data"), place.join("sealed"), place.join("back"));
    let (from, to) = (text(&data), text(&sealed));
    plan(&place, "");
    let house = Played::start(&place);
    house.rounds(1);
    json(&["backup", from, to, "--encrypt-to", &recipient]);
    let first = (reaches(&sealed, "house"), reaches(&sealed, TABLE));
    house.rounds(3);
    // While it runs; what it has written since comes along.
    json(&["backup", from, to, "--add", "--encrypt-to", &recipient]);
    assert!(reaches(&sealed, TABLE) > first.1);
    house.stop();
    // A start and a stop are records of the register.
    let house = Played::start(&place);
    house.rounds(4);
    house.stop();
    let added = json(&["backup", from, to, "--add", "--encrypt-to", &recipient]);
    assert_eq!(added["part"], 3);
    assert!(reaches(&sealed, "house") > first.0, "the register grows");
    let done = json(&["restore", to, text(&dest), "--identity", text(&key)]);
    assert_eq!(
        (&done["parts"], &done["verified"]),
        (&3.into(), &true.into())
    );
    let records = |data: &str| {
        let verified: serde_json::Value =
            serde_json::from_str(&run(&["verify", data, "--json"]).stdout).unwrap();
        let streams = verified["streams"].as_array().unwrap().clone();
        let ends = streams
            .iter()
            .map(|one| (one["stream"].clone(), one["records"].clone()));
        ends.collect::<Vec<_>>()
    };
    assert_eq!(records(text(&dest)), records(from));
}

const TOKEN_PIN: &str = "48151623";

#[test]
fn a_house_whose_key_is_in_a_token_is_served_rotated_and_verified() {
    let place = place("token-house");
    let (config, tokens) = (place.join("softhsm2.conf"), place.join("tokens"));
    std::fs::create_dir(&tokens).unwrap();
    std::fs::write(
        &config,
        format!("directories.tokendir = {}\n", text(&tokens)),
    )
    .unwrap();
    let made = Command::new("softhsm2-util")
        .args(["--init-token", "--free", "--label", "house"])
        .args(["--so-pin", "31415926", "--pin", TOKEN_PIN])
        .env("SOFTHSM2_CONF", &config)
        .output()
        .expect("SoftHSM 2 is missing: run scripts/setup token");
    assert!(made.status.success(), "{made:?}");
    let module = [
        "/usr/lib/softhsm/libsofthsm2.so",
        "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
        "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so",
        "/usr/lib64/pkcs11/libsofthsm2.so",
    ];
    let module = module
        .into_iter()
        .find(|at| Path::new(at).exists())
        .unwrap();
    let address = |object: &str| format!("pkcs11:token=house;object={object}?module-path={module}");
    let pin = place.join("pin");
    private(&pin, &format!("{TOKEN_PIN}\n"));
    let with_token = |arguments: &[&str]| {
        let run = command()
            .args(arguments)
            .env("SOFTHSM2_CONF", &config)
            .output()
            .unwrap();
        let said = [run.stdout, run.stderr].concat();
        (
            run.status.code(),
            String::from_utf8_lossy(&said).into_owned(),
        )
    };
    let played = |rounds: u64, more: &[&str]| {
        let house = Played::start_with(&place, |serve| {
            serve.args(["--key-passphrase", text(&pin)]).args(more);
            serve.env("SOFTHSM2_CONF", &config);
        });
        house.rounds(rounds);
        house.stop();
    };
    plan(&place, "");
    let data = place.join("data");
    // The first key is made in the token, and its address is on record from then on.
    played(1, &["--key", &address("sicbo-1")]);
    assert!(!data.join("keys/1/key.pem").exists(), "no secret in a file");
    assert!(data.join("keys/1/key.pkcs11").exists());
    played(2, &[]);
    let house = json(&["key", "show", text(&data)])["house"].clone();
    // A new key in the token: the next start signs with it, and all of it verifies.
    let to = address("sicbo-2");
    let unlock = ["--key-passphrase", text(&pin)];
    let rotate = ["key", "rotate", text(&data), "--to", &to];
    let (code, said) = with_token(&[&rotate[..], &unlock].concat());
    assert_eq!(code, Some(0), "{said}");
    assert!(data.join("keys/2/key.pkcs11").exists() && !data.join("keys/2/key.pem").exists());
    played(3, &[]);
    let verified = json(&[
        "verify",
        text(&data),
        "--fingerprint",
        house.as_str().unwrap(),
    ]);
    assert_eq!(
        (&verified["ok"], &verified["signed"]),
        (&true.into(), &true.into())
    );
    let header =
        "SELECT hex(substr(header, -164, 4)) FROM blocks ORDER BY first_sequence DESC LIMIT 1";
    let file = rusqlite::Connection::open(data.join(format!("journal/{TABLE}.sqlite"))).unwrap();
    let by: String = file.query_row(header, [], |row| row.get(0)).unwrap();
    assert_eq!(by, "00000002", "certified by the second key");
    // Another PIN, and a token that is gone.
    private(&pin, "11112222\n");
    let serve = ["serve", "--data", text(&data), "--config"];
    let plan = place.join("house.toml");
    let serve = [&serve[..], &[text(&plan)], &unlock].concat();
    let (code, said) = with_token(&serve);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("PIN"), "{said}");
    private(&pin, &format!("{TOKEN_PIN}\n"));
    std::fs::rename(&tokens, place.join("away")).unwrap();
    std::fs::create_dir(&tokens).unwrap();
    let (code, said) = with_token(&serve);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("no token"), "{said}");
}

#[test]
fn a_sealed_backup_is_opened_by_each_of_its_recipients_and_nobody_else() {
    let place = place("sealed");
    let full = golden("sealed-house");
    let earlier = shortened(&full, "sealed-earlier");
    let (first, first_key) = recipient(&place, "first.key");
    let (second, second_key) = recipient(&place, "second.key");
    let (_, stranger) = recipient(&place, "stranger.key");
    let sealed = place.join("sealed");
    let to = text(&sealed);
    let both = ["--encrypt-to", &first, "--encrypt-to", &second];
    refused(
        &["backup", text(&earlier), to, "--encrypt-to", "me"],
        "age1",
    );
    let made = json(&[&["backup", text(&earlier), to][..], &both].concat());
    assert_eq!((&made["part"], &made["recipients"]), (&1.into(), &2.into()));
    refused(
        &[&["backup", text(&full), to][..], &both].concat(),
        "there already",
    );
    refused(&["backup", text(&full), to, "--add"], "--encrypt-to");
    // Another folder that calls itself the house, and a list that somebody has changed.
    broken(
        &[&["backup", text(&full), to, "--add"][..], &both].concat(),
        "not as this house wrote it",
    );
    let ours = "backup.secret";
    std::fs::copy(earlier.join(ours), full.join(ours)).unwrap();
    let list = sealed.join("sealed-backup.txt");
    let written = std::fs::read_to_string(&list).unwrap();
    private(&list, &changed_list(&written));
    broken(
        &[&["backup", text(&full), to, "--add"][..], &both].concat(),
        "not as this house wrote it",
    );
    private(&list, &written);
    // What the house has written since, and once more when there is nothing.
    for part in [2, 3] {
        let added = json(&[&["backup", text(&full), to, "--add"][..], &both].concat());
        assert_eq!(added["part"], part);
    }
    assert!(
        !full.join("backup-staging").exists(),
        "nothing is left lying"
    );
    for entry in std::fs::read_dir(&sealed).unwrap() {
        let file = entry.unwrap().path();
        let bytes = std::fs::read(&file).unwrap();
        assert!(!bytes.windows(6).any(|part| part == b"SQLite"), "{file:?}");
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file:?}");
    }
    for (name, key) in [("one", &first_key), ("two", &second_key)] {
        let dest = place.join(name);
        let done = json(&["restore", to, text(&dest), "--identity", text(key)]);
        assert_eq!(
            (&done["parts"], &done["verified"]),
            (&3.into(), &true.into())
        );
        let whole = json(&["verify", text(&dest), "--fingerprint", &fingerprint()]);
        let house = json(&["verify", text(&full), "--fingerprint", &fingerprint()]);
        assert_eq!(whole, house, "all of it, as the house has it");
    }
    let opened = json(&["verify", to, "--identity", text(&first_key)]);
    assert_eq!(opened["ok"], true, "{opened}");
    let dest = place.join("three");
    let open = ["restore", to, text(&dest), "--identity", text(&stranger)];
    refused(&open, "cannot be opened with these keys");
    std::fs::set_permissions(&first_key, std::fs::Permissions::from_mode(0o644)).unwrap();
    let open = ["restore", to, text(&dest), "--identity", text(&first_key)];
    refused(&open, "chmod");
    private(&first_key, &std::fs::read_to_string(&first_key).unwrap());
    // A part without this program.
    if there("age") && there("tar") {
        let line = format!("age -d -i {} {to}/0001.age | tar -t", text(&first_key));
        let listed = Command::new("sh").args(["-c", &line]).output().unwrap();
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        assert!(listed.contains("journal/mbs-etg.sqlite"), "{listed}");
    }
    // A part that is damaged, and one that is gone.
    let part = sealed.join("0002.age");
    let whole = std::fs::read(&part).unwrap();
    let mut bytes = whole.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&part, &bytes).unwrap();
    broken(&open, "not the part that the list names");
    assert!(!dest.exists(), "nothing that is not whole is left");
    let verify = ["verify", to, "--identity", text(&first_key)];
    let add = [&["backup", text(&full), to, "--add"][..], &both].concat();
    let opened_as_far = |words: &str| {
        let said = run(&verify);
        assert_eq!(said.code, 1, "{}{}", said.stdout, said.stderr);
        let named = said.stdout.contains("0002.age") && said.stdout.contains(words);
        assert!(named, "{words}: {}", said.stdout);
        let examined = said.stdout.contains("mbs-etg: ");
        assert!(examined, "the part before is examined: {}", said.stdout);
    };
    opened_as_far("not the part that the list names");
    std::fs::write(&part, &whole[..middle]).unwrap();
    broken(&add, "0002.age: it has ");
    std::fs::remove_file(&part).unwrap();
    broken(&open, "0002.age is missing");
    broken(&add, "0002.age is missing");
    opened_as_far("is missing");
    assert!(!sealed.join("0004.age").exists(), "nothing was added");
    std::fs::write(&part, whole).unwrap();
    // A list that says something else than its parts.
    let written = std::fs::read_to_string(&list).unwrap();
    private(&list, &changed_list(&written));
    broken(&open, "something else than part 1 holds");
    private(&list, &written);
    good(&open);
}
