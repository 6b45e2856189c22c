//! `sicbo witness`: a witness is set up with what a house prints, serves the
//! public protocol and remembers; a house is set up with what the witness prints.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use sicbo_journal::{DataFolder, KeyFolder};
use sicbo_witness::head::{TreeHead, origin};
use sicbo_witness::note::{Algorithm, Note, VerifierKey};
use sicbo_witness::witness::request;

use crate::cli::binary::{command, folder, good, json, refused, run};
use crate::cli::journal::copy;
use crate::cli::whole_folder::live as lived;

pub(crate) fn fresh(name: &str) -> PathBuf {
    let folder = folder("witness").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A data folder with a key of its own, and no house in it yet.
fn house(folder: &Path) -> (PathBuf, KeyFolder) {
    let data = folder.join("data");
    let made = DataFolder::create(&data).unwrap();
    let keys = KeyFolder::open_or_create(&made.keys_path(), || [9; 32]).unwrap();
    (data, keys)
}

pub(crate) fn settings(folder: &Path, logs: &str) -> String {
    let file = folder.join("witness.toml");
    let text = format!(
        "listen = \"127.0.0.1:0\"\nname = \"witness.example/w1\"\nkey = \"witness.pem\"\n{logs}"
    );
    std::fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

/// A running witness; killed when it goes out of scope.
pub(crate) struct Served {
    child: Child,
    pub(crate) address: String,
}

impl Served {
    pub(crate) fn start(file: &str) -> Served {
        let mut child = command()
            .args(["witness", "serve", file])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let mut lines = out.lines().map(Result::unwrap);
        let line = lines.find(|line| line.starts_with("listening on "));
        let line = line.expect("it listens");
        let address = line.trim_start_matches("listening on http://").to_owned();
        Served { child, address }
    }

    fn post(&self, body: &str) -> String {
        let mut line = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        let head = format!(
            "POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nConnection: close\r\n\
             Content-Length: {length}\r\n\r\n"
        );
        line.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let mut answer = String::new();
        line.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_house_and_a_witness_are_set_up_with_what_the_other_prints() {
    let folder = fresh("set-up");
    let (data, keys) = house(&folder);
    let data = data.to_str().unwrap();
    let printed = good(&["witness", "log", data]);
    let file = settings(&folder, &printed);
    let key = good(&["witness", "key", &file]);
    let key = VerifierKey::parse(key.trim()).unwrap();
    assert_eq!(good(&["witness", "key", &file]).trim(), key.to_string());

    let log = json(&["witness", "log", data]);
    let head = TreeHead {
        origin: log["origin"].as_str().unwrap().to_owned(),
        size: 3,
        root: sicbo_journal::Hash::of(b"any"),
    };
    let note = head.sign(keys.current()).unwrap();
    let signer = VerifierKey::parse(log["keys"][0].as_str().unwrap()).unwrap();
    assert!(note.is_signed_by(&signer));

    let refused_latest = ["witness", "latest", &file, &head.origin];
    refused(&refused_latest, "nothing was cosigned");
    {
        let served = Served::start(&file);
        let said = served.post(&request(0, &[], &note));
        assert!(said.starts_with("HTTP/1.1 200 "), "{said}");
    }
    // Killed, it has kept what it said.
    let kept = good(&["witness", "latest", &file, &head.origin]);
    let kept = Note::parse(kept.as_bytes()).unwrap();
    assert!(kept.cosigned_by(&key).is_some());
    let served = Served::start(&file);
    let said = served.post(&request(0, &[], &note));
    assert!(
        said.starts_with("HTTP/1.1 409 ") && said.ends_with("\n3\n"),
        "{said}"
    );
}

#[test]
fn what_is_wrong_in_a_witness_s_file_is_said_at_once() {
    let folder = fresh("faults");
    let logs = "[[log]]\norigin = \"x\"\nkeys = []\n[[log]]\norigin = \"x\"\nkeys = [\"y\"]\n";
    let file = settings(&folder, logs);
    for words in ["has no keys", "is there twice", "a verifier key is"] {
        refused(&["witness", "serve", &file], words);
    }
    let missing = folder.join("none.toml");
    refused(
        &["witness", "key", missing.to_str().unwrap()],
        "cannot be read",
    );
    refused(&["witness", "log", folder.to_str().unwrap()], "keys");
}

/// Runs a trial house on a folder for a moment.
fn live(data: &str) {
    lived(Path::new(data), &[]);
}

#[test]
fn verify_holds_a_folder_to_its_witness_and_finds_an_older_copy() {
    let folder = fresh("verify");
    let (data, older) = (folder.join("data"), folder.join("older"));
    let (data, older) = (data.to_str().unwrap(), older.to_str().unwrap());
    live(data);
    copy(Path::new(data), Path::new(older));
    live(data);

    let file = settings(&folder, &good(&["witness", "log", data]));
    let key = good(&["witness", "key", &file]);
    let key = key.trim();
    let served = Served::start(&file);
    let url = format!("http://{}", served.address);
    let held = |data: &str, witness: &str| {
        run(&["verify", data, "--witness", witness, "--witness-key", key])
    };
    // The older copy is whole, and nobody knows better yet.
    assert_eq!(run(&["verify", older]).code, 0);
    let said = held(data, &url);
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stdout.contains("cosigned by witness.example/w1"),
        "{}",
        said.stdout
    );
    // Now the witness knows, and so does whoever has what it cosigned.
    let said = held(older, &url);
    assert_eq!(said.code, 1, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stdout.contains("it is an older copy"),
        "{}",
        said.stdout
    );
    let log = json(&["witness", "log", data]);
    let origin = log["origin"].as_str().unwrap();
    let kept = folder.join("cosigned.txt");
    std::fs::write(&kept, good(&["witness", "latest", &file, origin])).unwrap();
    let kept = kept.to_str().unwrap();
    assert_eq!(held(data, kept).code, 0);
    let said = held(older, kept);
    assert_eq!(said.code, 1, "{}{}", said.stdout, said.stderr);
    // One journal alone put back: the tree misses its blocks.
    let mixed = folder.join("mixed");
    copy(Path::new(data), &mixed);
    let journal = |data: &Path| data.join("journal/house.sqlite");
    for log in ["house.sqlite-wal", "house.sqlite-shm"] {
        let _ = std::fs::remove_file(mixed.join("journal").join(log));
    }
    std::fs::copy(journal(Path::new(older)), journal(&mixed)).unwrap();
    let said = run(&["verify", mixed.to_str().unwrap()]);
    assert_eq!(said.code, 1, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stdout.contains("the tree has records"),
        "{}",
        said.stdout
    );
    // More is written, and not cosigned yet.
    live(data);
    let said = held(data, kept);
    assert_eq!(said.code, 3, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("NOT COSIGNED"), "{}", said.stdout);
    refused(&["verify", data, "--witness", kept], "--witness-key");
}

#[test]
fn verify_says_that_the_witness_knows_a_later_life_of_the_house() {
    let folder = fresh("later-life");
    let data = folder.join("data");
    let data = data.to_str().unwrap();
    live(data);
    let keys = KeyFolder::open(&folder.join("data/keys")).unwrap();
    let second = origin(keys.ring().house(), 2);
    let key = VerifierKey::new(&second, Algorithm::Ed25519, keys.current().public()).unwrap();
    let mut logs = good(&["witness", "log", data]);
    logs += &format!("[[log]]\norigin = \"{second}\"\nkeys = [\"{key}\"]\n");
    let file = settings(&folder, &logs);
    let key = good(&["witness", "key", &file]);
    let served = Served::start(&file);
    let url = format!("http://{}", served.address);
    let held = || {
        let key = key.trim();
        run(&["verify", data, "--witness", &url, "--witness-key", key])
    };
    let said = held();
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    // Elsewhere the house went on, and the witness has seen it.
    let head = TreeHead {
        origin: second.clone(),
        size: 3,
        root: sicbo_journal::Hash::of(b"any"),
    };
    let note = head.sign(keys.current()).unwrap();
    let answer = served.post(&request(0, &[], &note));
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    let said = held();
    assert_eq!(said.code, 1, "{}{}", said.stdout, said.stderr);
    let words = format!("a later life of this house, {second}");
    assert!(said.stdout.contains(&words), "{}", said.stdout);
    // Nor does the witness give an auditor what it once cosigned.
    let first = origin(keys.ring().house(), 1);
    refused(&["witness", "latest", &file, &first], "is over");
    good(&["witness", "latest", &file, &second]);
}
