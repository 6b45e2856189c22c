//! What the doctor says of houses that were broken on purpose.

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use sicbo_keys::Keys;
use sicbo_server::doctor::{self, Finding, Weight};
use sicbo_server::secrets::write_private;
use tempfile::TempDir;

use super::house::{House, TABLE, plan};
use super::tls::certify;
use super::vouchers::issue;

/// A house that was played in and stopped, with a plan and a certificate beside its data.
fn played() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    certify(folder.path());
    write_private(&folder.path().join("m.token"), b"a-token-for-figures").expect("a token");
    let text = format!("{}\n{CERTIFIED}{METRICS}", plan(""));
    std::fs::write(folder.path().join("house.toml"), plan("")).expect("the plan");
    let house = House::start(folder);
    house.session("Goh Boon Keng");
    // A voucher: the register notes how far the table has come.
    issue(&house, 1, 2_000);
    let (status, folder) = house.stop();
    assert!(status.success());
    std::fs::write(folder.path().join("house.toml"), text).expect("the plan");
    folder
}

const CERTIFIED: &str = "[tls]\nuse = \"files\"\ncert = \"house.pem\"\nkey = \"house.key\"\n";
const METRICS: &str = "[metrics]\nlisten = \"127.0.0.1:0\"\ntoken_file = \"m.token\"\n";

/// A place in which something is broken.
struct Broken(TempDir);

impl Broken {
    fn data(&self) -> PathBuf {
        self.0.path().join("data")
    }

    fn config(&self) -> PathBuf {
        self.0.path().join("house.toml")
    }

    fn remove(&self, file: &str) {
        std::fs::remove_file(self.0.path().join(file)).expect("it was there");
    }

    fn write(&self, file: &str, text: &str) {
        std::fs::write(self.0.path().join(file), text).expect("written");
    }

    fn rights(&self, file: &str, mode: u32) {
        let rights = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(self.0.path().join(file), rights).expect("set");
    }

    fn replan(&self, from: &str, to: &str) {
        let text = std::fs::read_to_string(self.config()).expect("the plan");
        assert!(text.contains(from), "{from}");
        self.write("house.toml", &text.replacen(from, to, 1));
    }

    fn certificate(&self, from: (i32, u8), until: (i32, u8)) {
        let mut params = CertificateParams::new(vec!["localhost".to_owned()]).expect("names");
        params.not_before = date_time_ymd(from.0, from.1, 1);
        params.not_after = date_time_ymd(until.0, until.1, 1);
        let key = KeyPair::generate().expect("a key");
        let made = params.self_signed(&key).expect("signed");
        self.remove("house.key");
        let file = self.0.path().join("house.key");
        write_private(&file, key.serialize_pem().as_bytes()).expect("written");
        self.write("house.pem", &made.pem());
    }

    fn findings(&self) -> Vec<Finding> {
        doctor::folder(&self.data(), Some(&self.config()), &Keys::default())
    }
}

type Breaks = fn(&Broken);

/// Everything of a folder, with the rights it has.
fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp")
        .arg("-a")
        .arg(from.join("."))
        .arg(to)
        .status();
    assert!(copied.expect("cp").success());
}

/// The code, what is broken, and a word of the advice.
const BROKEN: [(&str, Breaks, &str); 30] = [
    (
        "no-folder",
        |at| std::fs::rename(at.data(), at.0.path().join("elsewhere")).expect("moved"),
        "mount",
    ),
    (
        "not-a-folder",
        |at| {
            std::fs::remove_dir_all(at.data()).expect("gone");
            at.write("data", "a file");
        },
        "data-folder.txt",
    ),
    (
        "empty-folder",
        |at| {
            std::fs::remove_dir_all(at.data()).expect("gone");
            std::fs::create_dir(at.data()).expect("made");
        },
        "--new-house",
    ),
    (
        "not-a-data-folder",
        |at| at.remove("data/data-folder.txt"),
        "path",
    ),
    (
        "newer-format",
        |at| at.write("data/data-folder.txt", "sicbo data folder, format 99\n"),
        "newer program",
    ),
    (
        "archive",
        |at| at.write("data/data-folder.txt", "sicbo archive folder, format 1\n"),
        "data folder of the house",
    ),
    (
        "open-to-others",
        |at| at.rights("data/journal", 0o755),
        "chmod",
    ),
    (
        "key-open-to-others",
        |at| at.rights("data/keys/1/key.pem", 0o644),
        "chmod",
    ),
    (
        "key-missing",
        |at| at.remove("data/keys/1/key.pem"),
        "restore",
    ),
    (
        "key-damaged",
        |at| at.write("data/keys/1/public.pem", "nonsense"),
        "restore",
    ),
    (
        "secret-missing",
        |at| at.remove("data/keys/pins.secret"),
        "restore",
    ),
    (
        "secret-open-to-others",
        |at| at.rights("data/keys/vouchers.secret", 0o644),
        "chmod",
    ),
    (
        "another-secret",
        |at| {
            at.remove("data/keys/pins.secret");
            write_private(&at.data().join("keys/pins.secret"), &[7; 32]).expect("written");
        },
        "backup",
    ),
    (
        "other-money",
        |at| at.write("data/money.txt", "real money\n"),
        "who changed it",
    ),
    (
        "register-missing",
        |at| at.remove("data/journal/house.sqlite"),
        "newest backup",
    ),
    (
        "journal-missing",
        |at| at.remove("data/journal/mbs-etg.sqlite"),
        "put its newest file back",
    ),
    (
        "damaged-journal",
        |at| {
            let journal = at.data().join("journal/mbs-etg.sqlite");
            let file = std::fs::File::options()
                .write(true)
                .open(journal)
                .expect("there");
            file.set_len(5_000).expect("cut");
        },
        "restore a backup",
    ),
    (
        "renamed-journal",
        |at| {
            let journal = at.data().join("journal");
            std::fs::copy(journal.join("mbs-etg.sqlite"), journal.join("other.sqlite"))
                .expect("copied");
        },
        "own name",
    ),
    (
        "tree-missing",
        |at| at.remove("data/tree/tree.sqlite"),
        "put tree/ back",
    ),
    ("no-plan", |at| at.remove("house.toml"), "sicbo init"),
    (
        "plan-not-toml",
        |at| at.write("house.toml", "site = \"half\nlisten"),
        "sicbo check",
    ),
    (
        "plan-fault",
        |at| at.replan("currency = \"SGD\"", "currency = \"SGB\""),
        "SGD",
    ),
    (
        "certificate-ended",
        |at| at.certificate((2019, 1), (2020, 1)),
        "new one",
    ),
    (
        "certificate-unusable",
        |at| {
            let pem = std::fs::read_to_string(at.0.path().join("house.pem")).expect("one");
            certify(at.0.path());
            at.write("house.pem", &pem);
        },
        "belong together",
    ),
    (
        "certificate-key-open",
        |at| at.rights("house.key", 0o644),
        "chmod",
    ),
    (
        "address-not-here",
        |at| at.replan("listen = \"127.0.0.1:0\"", "listen = \"203.0.113.9:8420\""),
        "address of this machine",
    ),
    (
        "printer-unreachable",
        |at| {
            let free = TcpListener::bind("127.0.0.1:0")
                .expect("a port")
                .local_addr()
                .expect("one");
            at.replan(
                "{ folder = \"vouchers\" }",
                &format!("{{ tcp = \"{free}\" }}"),
            );
        },
        "switch it on",
    ),
    ("metrics-token", |at| at.write("m.token", "short"), "16"),
    (
        "table-not-planned",
        |at| at.replan("name = \"mbs-etg\"", "name = \"mbs-etg-2\""),
        "record",
    ),
    (
        "other-plan",
        |at| at.write("data/money.txt", "real money\n"),
        "its own plan",
    ),
];

/// A finding is one plain line that says what is wrong and what to do.
fn is_plain(finding: &Finding) {
    for text in [&finding.what, &finding.advice] {
        assert!(text.len() > 3 && !text.contains('\n'), "{finding:?}");
        assert!(
            !text.contains("Error(") && !text.contains("Some("),
            "{finding:?}"
        );
    }
    let words = finding.advice.split(' ').count();
    assert!((2..40).contains(&words), "{finding:?}");
}

#[test]
fn every_broken_set_up_is_named_in_one_plain_line_with_what_to_do() {
    let whole = played();
    let well = doctor::folder(
        &whole.path().join("data"),
        Some(&whole.path().join("house.toml")),
        &Keys::default(),
    );
    assert_eq!(well, [], "a house that is well");
    let codes: BTreeSet<&str> = BROKEN.iter().map(|(code, ..)| *code).collect();
    assert_eq!(codes.len(), BROKEN.len(), "each once");
    assert!(codes.len() >= 20);
    let mut missed = Vec::new();
    for (code, breaks, advice) in BROKEN {
        let folder = TempDir::new().expect("a folder");
        copy(whole.path(), folder.path());
        let at = Broken(folder);
        breaks(&at);
        let found = at.findings();
        found.iter().for_each(is_plain);
        let named = found
            .iter()
            .any(|one| one.code == code && one.advice.contains(advice));
        if !named {
            missed.push(format!("{code} ({advice}): {found:#?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    // Nobody has logged in to a house that was only started.
    let (status, folder) = House::quick().stop();
    assert!(status.success());
    let found = doctor::folder(&folder.path().join("data"), None, &Keys::default());
    assert_eq!(found.len(), 1, "{found:?}");
    has_one(&found, "nobody-logged-in", Weight::Warning);
}

#[track_caller]
fn has_one(found: &[Finding], code: &str, weight: Weight) {
    found.iter().for_each(is_plain);
    let named = found
        .iter()
        .any(|one| one.code == code && one.weight == weight);
    assert!(named, "{code}: {found:#?}");
}

#[test]
fn a_running_house_is_asked_over_the_network() {
    let ask = |url: &str, ca: Option<&str>| doctor::url(url, ca);
    let house = House::quick();
    let url = format!("http://{}", house.address);
    assert_eq!(ask(&url, None), []);
    has_one(
        &ask(&format!("https://{}", house.address), None),
        "not-encrypted",
        Weight::Problem,
    );
    has_one(&ask("sicbo.example", None), "bad-address", Weight::Problem);
    let (_, folder) = house.stop();
    has_one(&ask(&url, None), "nobody-listens", Weight::Problem);
    // A table whose journal is damaged: the others would play.
    let cut = folder.path().join(format!("data/journal/{TABLE}.sqlite"));
    let _ = std::fs::remove_file(format!("{}-wal", cut.display()));
    let file = std::fs::File::options()
        .write(true)
        .open(&cut)
        .expect("there");
    file.set_len(5_000).expect("cut");
    let root = certify(folder.path());
    let text = format!("{}\n{CERTIFIED}", plan(""));
    std::fs::write(folder.path().join("house.toml"), text).expect("the plan");
    let house = House::start(folder);
    let port = house.address.port();
    has_one(
        &ask(&format!("http://localhost:{port}"), None),
        "encrypted",
        Weight::Problem,
    );
    let url = format!("https://localhost:{port}");
    let pem = std::fs::read_to_string(house.folder.path().join("house.pem")).expect("one");
    let found = ask(&url, Some(&pem));
    has_one(&found, "part-unwell", Weight::Problem);
    assert!(found[0].what.starts_with(TABLE), "{found:?}");
    let other = TempDir::new().expect("a folder");
    certify(other.path());
    let other = std::fs::read_to_string(other.path().join("house.pem")).expect("one");
    has_one(
        &ask(&url, Some(&other)),
        "certificate-not-trusted",
        Weight::Problem,
    );
    drop((house, root));
    // Something else that speaks HTTP.
    let stranger = TcpListener::bind("127.0.0.1:0").expect("a port");
    let at = stranger.local_addr().expect("its address");
    let answers = std::thread::spawn(move || {
        let (mut line, _) = stranger.accept().expect("asked");
        let mut asked = [0; 512];
        let _ = std::io::Read::read(&mut line, &mut asked);
        let answer = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";
        std::io::Write::write_all(&mut line, answer).expect("told");
    });
    has_one(
        &ask(&format!("http://{at}"), None),
        "not-a-house",
        Weight::Problem,
    );
    answers.join().expect("asked once");
}
