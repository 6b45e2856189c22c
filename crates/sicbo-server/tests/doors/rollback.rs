//! Older copies of a house's data, put back: refused by the witness, by the mark
//! and by the house's own tree; never a voucher paid twice; until two persons
//! record why the house goes on.

use std::io::{Read as _, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sicbo_journal::{DataFolder, HouseKey, KeyFolder, SqliteStore, Store as _, StreamId, Vfs};
use sicbo_testkit::golden::copy_folder;
use sicbo_witness::check::{Demand, check_tree};
use sicbo_witness::head::origin;
use sicbo_witness::note::{Algorithm, Note, VerifierKey};
use sicbo_witness::server;
use sicbo_witness::witness::{KnownLog, Witness};
use tempfile::TempDir;
use tokio_rustls::rustls;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use super::house::{House, TABLE};
use super::http::{get, post};
use super::proof;
use super::stopped::{OTHER, deals, health, round, terminal_with_credit, two_brisk_tables};
use super::vouchers::{digits, redeem};
use super::ws::Socket;
use crate::common::comes;
use crate::common::program::Program;

pub(super) const NAME: &str = "witness.example/test";

/// A witness of this test that knows one house's first two lives.
pub(super) struct Served {
    folder: TempDir,
    logs: Vec<KnownLog>,
    pub(super) address: SocketAddr,
    stop: Option<(
        tokio::sync::oneshot::Sender<()>,
        std::thread::JoinHandle<()>,
    )>,
}

fn witness_key() -> HouseKey {
    HouseKey::from_entropy(&[77; 32])
}

pub(super) fn verifier() -> VerifierKey {
    let key = witness_key().public();
    VerifierKey::new(NAME, Algorithm::CosignatureV1, key).expect("a name")
}

impl Served {
    /// A witness of the house in a data folder, not yet serving.
    fn of(data: &Path) -> Served {
        let ring = KeyFolder::read_ring(&data.join("keys")).expect("keys");
        let log = |life| {
            let origin = origin(ring.house(), life);
            let key = ring.current().clone();
            let key = VerifierKey::new(&origin, Algorithm::Ed25519, key).expect("a name");
            let keys = vec![key];
            KnownLog { origin, keys }
        };
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        Served {
            folder: TempDir::new().expect("a folder"),
            logs: vec![log(1), log(2)],
            address: free.local_addr().expect("its address"),
            stop: None,
        }
    }

    fn open(&self) -> Witness {
        let memory = self.folder.path().join("witness.sqlite");
        Witness::open(NAME, witness_key(), self.logs.clone(), &memory).expect("a witness")
    }

    pub(super) fn start(&mut self) {
        let (witness, address) = (Arc::new(self.open()), self.address);
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let until = async move { drop(stopped.await) };
            let now = Arc::new(|| 1_794_772_800);
            let up = |_| tell.send(()).is_ok();
            server::run(address, witness, now, until, up).expect("it serves");
        });
        told.recv().expect("it listens");
        self.stop = Some((stop, thread));
    }

    pub(super) fn stop(&mut self) {
        if let Some((stop, thread)) = self.stop.take() {
            drop(stop);
            let _ = thread.join();
        }
    }

    /// The last checkpoint it cosigned in the house's first life.
    fn latest(&self) -> Note {
        let note = self.open().latest_note(&self.logs[0].origin);
        let note = note.expect("its memory").expect("a checkpoint");
        Note::parse(note.as_bytes()).expect("a note")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop();
    }
}

pub(super) fn data(folder: &TempDir) -> PathBuf {
    folder.path().join("data")
}

/// A house that was set up, and its witness, which serves.
pub(super) fn witnessed(unreachable: &str) -> (TempDir, Served) {
    witnessed_house(&two_brisk_tables(), unreachable)
}

pub(super) fn witnessed_house(plan: &str, unreachable: &str) -> (TempDir, Served) {
    let (status, folder) = House::of(plan).stop();
    assert!(status.success());
    let mut served = Served::of(&data(&folder));
    served.start();
    let plan = folder.path().join("house.toml");
    let mut text = std::fs::read_to_string(&plan).expect("the plan");
    let address = served.address;
    let key = verifier();
    text += &format!(
        "\n[witness]\nurl = \"http://{address}\"\nkey = \"{key}\"\nunreachable = \"{unreachable}\"\n\
         alarm_after_s = 300\n"
    );
    std::fs::write(&plan, text).expect("the plan");
    (folder, served)
}

/// A player cashes 50.00 out; the number on the paper.
pub(super) fn voucher(house: &House) -> String {
    let mut player = terminal_with_credit(house, TABLE);
    player.say(&json!({"type": "cash_out", "request": 2, "amount": 5_000}));
    let voucher = player.until("voucher");
    digits(house, 1, voucher["voucher"].as_u64().expect("a number"))
}

pub(super) fn tree(house: &House) -> Value {
    health(house).1["tree"].clone()
}

/// Waits until everything that was written so far is cosigned.
pub(super) fn is_cosigned(house: &House) {
    let size = tree(house)["size"].as_u64().expect("a size");
    comes(format!("{size} blocks are not cosigned"), || {
        let cosigned = tree(house)["cosigned_size"].as_u64();
        cosigned.filter(|cosigned| *cosigned >= size)
    });
}

pub(super) fn stopped(house: House) -> TempDir {
    let (status, folder) = house.stop();
    assert!(status.success(), "{status}");
    folder
}

/// Copies a folder aside, or puts a copy in its place.
pub(super) fn copy(from: &Path, to: &Path) {
    if to.exists() {
        std::fs::remove_dir_all(to).expect("removed");
    }
    copy_folder(from, to);
}

/// A voucher was made, and a copy of everything taken.
pub(super) fn copied_with_a_voucher(folder: TempDir) -> (TempDir, PathBuf, String) {
    let house = House::start(folder);
    house.staff("shift-manager");
    house.staff("pit-supervisor");
    let number = voucher(&house);
    let folder = stopped(house);
    let older = folder.path().join("older");
    copy(&data(&folder), &older);
    (folder, older, number)
}

/// The same, and the voucher was paid after that.
pub(super) fn paid_after_the_copy(folder: TempDir) -> (TempDir, PathBuf, String) {
    let (folder, older, number) = copied_with_a_voucher(folder);
    let house = House::start(folder);
    let cashier = house.session("Chua Mei Fong");
    redeem(&house, &cashier, 1, &number, Value::Null).is(200);
    deals(&house, TABLE);
    (stopped(house), older, number)
}

/// The same in a house without a witness, and a copy of its newest data.
pub(super) fn without_a_witness() -> (TempDir, PathBuf, PathBuf, String) {
    let (status, folder) = House::of(&two_brisk_tables()).stop();
    assert!(status.success());
    let (folder, older, number) = paid_after_the_copy(folder);
    let newest = folder.path().join("newest");
    copy(&data(&folder), &newest);
    (folder, older, newest, number)
}

/// A house without a witness whose tables have dealt.
pub(super) fn dealt() -> TempDir {
    let (status, folder) = House::of(&two_brisk_tables()).stop();
    assert!(status.success());
    let house = House::start(folder);
    deals(&house, TABLE);
    stopped(house)
}

/// The first table is out of service for this reason, and the other one deals.
pub(super) fn is_out_alone(house: &House, why: &str) {
    let (status, seen) = health(house);
    assert_eq!(status, 503, "{seen}");
    for part in seen["parts"].as_array().expect("parts") {
        let well = part["part"] != TABLE;
        assert_eq!(part["well"], well, "{part}");
        if !well {
            let fault = part["fault"].as_str().expect("a fault");
            assert!(fault.contains(why), "{fault}");
        }
    }
    deals(house, OTHER);
}

/// The house says that it does not play, pays nothing and deals nothing.
pub(super) fn does_not_play(house: &House, words: &[&str], number: &str) {
    let said = house.program.said.join("\n");
    for word in words.iter().chain(&["NOT PLAYING"]) {
        assert!(said.contains(word), "{word}: {said}");
    }
    let (status, seen) = health(house);
    assert_eq!(
        (status, seen["ready"].clone()),
        (503, json!(false)),
        "{seen}"
    );
    let cashier = house.session("Chua Mei Fong");
    redeem(house, &cashier, 9, number, Value::Null).refuses(503, "house_behind");
    let manager = house.staff("shift-manager");
    let path = format!("/api/tables/{TABLE}/restart");
    let again = json!({"reason": "it should play"});
    post(house, &path, &[&manager], &again).refuses(503, "house_behind");
    let Err(refused) = Socket::open(house.line(), "/ws/terminal", &[]) else {
        panic!("a terminal is let in");
    };
    refused.refuses(503, "house_behind");
    let act = json!({"act": "open_shift", "table": TABLE, "opener": 0});
    post(house, "/api/proposals", &[&manager], &act).refuses(503, "house_behind");
    let shown = get(house, "/api/tree", &[&manager]).is(200).json();
    assert!(shown["behind"]["told"].is_string(), "{shown}");
}

/// With the newest data it plays, and the voucher is known to be paid.
pub(super) fn plays_with_the_newest(folder: TempDir, newest: &Path, number: &str) -> TempDir {
    copy(newest, &data(&folder));
    let house = House::start(folder);
    let cashier = house.session("Chua Mei Fong");
    redeem(&house, &cashier, 5, number, Value::Null).refuses(409, "voucher_already_paid");
    deals(&house, TABLE);
    let folder = stopped(house);
    proof::clean(&data(&folder));
    folder
}

#[test]
fn s_14_everything_put_back_with_its_tree_and_its_mark_is_behind_the_witness() {
    let (folder, served) = witnessed("play");
    let (folder, older, number) = paid_after_the_copy(folder);
    let newest = folder.path().join("newest");
    copy(&data(&folder), &newest);
    let ring = KeyFolder::read_ring(&newest.join("keys")).expect("keys");
    let (latest, verifier) = (served.latest(), verifier());
    let demand = Demand::Continues(&latest, &verifier);
    let report = check_tree(&newest, &ring, demand).expect("a folder");
    assert_eq!((report.faults, report.uncovered.blocks), (Vec::new(), 0));

    // Somebody who can write every file of the machine, and has no key.
    copy(&older, &data(&folder));
    std::fs::remove_dir_all(folder.path().join("marks")).expect("the mark goes too");
    let report = check_tree(&data(&folder), &ring, demand).expect("a folder");
    let told: Vec<String> = report.faults.iter().map(ToString::to_string).collect();
    assert!(
        told.iter().any(|fault| fault.contains("an older copy")),
        "{told:?}"
    );
    let house = House::start(folder);
    does_not_play(&house, &["blocks behind its witness", NAME], &number);
    let folder = stopped(house);
    plays_with_the_newest(folder, &newest, &number);
}

/// Deletes the rows of a journal that an older copy does not have, and what was
/// signed over them, as somebody does who knows its schema.
fn newest_rows_deleted(data: &Path, older: &Path, stream: &str) {
    let stream = StreamId::new(stream).expect("a name");
    let old = DataFolder::stream_path(older, &stream);
    let old = SqliteStore::open_read_only(&old, stream.clone(), &Vfs::default());
    let last = i64::try_from(old.expect("a journal").tail().sequence).expect("few");
    let file = DataFolder::stream_path(data, &stream);
    let file = rusqlite::Connection::open(file).expect("a journal");
    let guards = "SELECT coalesce(group_concat(sql, '; '), ''), \
                  coalesce(group_concat('DROP TRIGGER ' || name, '; '), '') \
                  FROM sqlite_schema WHERE type = 'trigger'";
    let both = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let (guards, drops): (String, String) = file.query_row(guards, [], both).expect("triggers");
    file.execute_batch(&drops).expect("nobody guards");
    let mut blocks = 0;
    for (table, column) in [
        ("blocks", "last_sequence"),
        ("checkpoints", "sequence"),
        ("snapshots", "sequence"),
        ("rounds", "last_sequence"),
    ] {
        let sql = format!("DELETE FROM {table} WHERE {column} > ?1");
        let gone = file.execute(&sql, [last]).expect("deleted");
        blocks += if table == "blocks" { gone } else { 0 };
    }
    assert!(blocks > 0, "{stream} has nothing newer");
    file.execute_batch(&guards).expect("as it was");
}

#[test]
fn s_14_newest_rows_deleted_with_all_that_was_signed_over_them_are_missed() {
    let (folder, _served) = witnessed("play");
    let (mut folder, older, number) = paid_after_the_copy(folder);
    let newest = folder.path().join("newest");
    copy(&data(&folder), &newest);
    let cases: [(&[&str], bool, &str); 3] = [
        (&["house"], false, "its own tree"),
        (&["house", TABLE], false, "its own tree"),
        (&["house", TABLE], true, "blocks behind its witness"),
    ];
    for (streams, with_tree, said) in cases {
        copy(&newest, &data(&folder));
        for stream in streams {
            newest_rows_deleted(&data(&folder), &older, stream);
        }
        if with_tree {
            copy(&older.join("tree"), &data(&folder).join("tree"));
        }
        let _ = std::fs::remove_dir_all(folder.path().join("marks"));
        let house = House::start(folder);
        does_not_play(&house, &[said], &number);
        folder = stopped(house);
    }
    plays_with_the_newest(folder, &newest, &number);
}

#[test]
fn without_a_witness_the_mark_catches_everything_put_back() {
    let (folder, older, newest, number) = without_a_witness();
    copy(&older, &data(&folder));
    let house = House::start(folder);
    let words = [
        "its mark outside",
        "accidents, not attackers",
        "house ends with record",
    ];
    does_not_play(&house, &words, &number);
    let folder = stopped(house);
    plays_with_the_newest(folder, &newest, &number);
}

#[test]
fn the_house_s_own_journal_put_back_alone_is_behind_its_tree() {
    let (folder, older, newest, number) = without_a_witness();
    std::fs::remove_dir_all(folder.path().join("marks")).expect("no mark");
    let file = "journal/house.sqlite";
    std::fs::copy(older.join(file), data(&folder).join(file)).expect("put back");
    let house = House::start(folder);
    does_not_play(&house, &["its own tree", "house ends with record"], &number);
    let folder = stopped(house);
    plays_with_the_newest(folder, &newest, &number);
}

#[test]
fn a_table_put_back_with_the_tree_is_out_of_service_by_the_mark_and_the_others_play() {
    let folder = dealt();
    let older = folder.path().join("older");
    copy(&data(&folder), &older);
    let house = House::start(folder);
    deals(&house, TABLE);
    // Killed: the register has noted nothing of it, the mark has.
    comes("no mark", || {
        let mark = std::fs::read_dir(house.folder.path().join("marks"));
        let mark = mark.ok()?.next()?.ok()?;
        let text = std::fs::read_to_string(mark.path()).ok()?;
        let size = text.lines().find_map(|line| line.strip_prefix("size: "))?;
        let size: u64 = size.parse().ok()?;
        (size >= tree(&house)["size"].as_u64()?).then_some(())
    });
    house.program.signal("-KILL");
    let (_, folder) = house.stop_asked();
    let journal = data(&folder).join(format!("journal/{TABLE}.sqlite"));
    for end in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", journal.display()));
    }
    let file = format!("journal/{TABLE}.sqlite");
    std::fs::copy(older.join(&file), data(&folder).join(&file)).expect("put back");
    copy(&older.join("tree"), &data(&folder).join("tree"));
    let house = House::start(folder);
    is_out_alone(&house, "is an older copy");
}

#[test]
fn two_persons_record_why_a_restored_house_goes_on_and_a_new_life_is_cosigned() {
    let (folder, served) = witnessed("play");
    let (folder, older, number) = paid_after_the_copy(folder);
    copy(&older, &data(&folder));
    let house = House::start(folder);
    does_not_play(&house, &["behind its"], &number);
    let (manager, supervisor) = (house.staff("shift-manager"), house.staff("pit-supervisor"));
    let dealer = house.staff("dealer");
    let act = json!({"act": "go_on_after_rollback", "reason": "the disk was lost: backup of noon"});
    let none = json!({"act": "go_on_after_rollback", "reason": " "});
    post(&house, "/api/proposals", &[&manager], &none).refuses(409, "reason_needed");
    post(&house, "/api/proposals", &[&dealer], &act).is(403);
    let made = post(&house, "/api/proposals", &[&manager], &act)
        .is(201)
        .json();
    let path = format!("/api/proposals/{}/confirm", made["proposal"]);
    let digest = json!({"digest": made["digest"]});
    post(&house, &path, &[&dealer], &digest).refuses(403, "not_authorised");
    post(&house, &path, &[&supervisor], &digest).is(200);
    let shown = get(&house, "/api/tree", &[&manager]).json();
    has!(shown, {"life": 2, "behind": null});
    assert_eq!(health(&house).0, 200, "{}", health(&house).1);
    deals(&house, TABLE);
    is_cosigned(&house);
    // What was paid after the backup is not known: that is what they answer for.
    let cashier = house.session("Chua Mei Fong");
    redeem(&house, &cashier, 1, &number, Value::Null).is(200);
    post(&house, "/api/proposals", &[&manager], &act).refuses(409, "house_not_behind");
    let folder = stopped(house);
    proof::clean(&data(&folder));
    assert!(data(&folder).join("tree/earlier-1.sqlite").exists());
    // It starts again in its new life, and the old one cannot be put back.
    let house = House::start(folder);
    deals(&house, TABLE);
    let folder = stopped(house);
    copy(&older, &data(&folder));
    let house = House::start(folder);
    assert!(house.program.said.join("").contains("NOT PLAYING"));
    drop((house, served));
}

#[test]
fn a_witness_that_goes_is_missed_with_its_age_and_an_alarm_and_play_goes_on() {
    let (folder, mut served) = witnessed("play");
    let house = House::start(folder);
    is_cosigned(&house);
    assert_eq!(tree(&house)["alarm"], false);
    served.stop();
    deals(&house, TABLE);
    comes("nobody misses the witness", || {
        let shown = get(&house, "/metrics", &[]).body;
        shown.contains("sicbo_witness_alarm 0").then_some(())
    });
    let manager = house.staff("shift-manager");
    comes("why", || {
        let shown = get(&house, "/api/tree", &[&manager]).json();
        shown["problem"].is_string().then_some(())
    });
    assert_eq!(tree(&house)["alarm"], false);
    house.skip(Duration::from_secs(400));
    comes("no alarm", || (tree(&house)["alarm"] == true).then_some(()));
    let age = tree(&house)["cosigned_age_s"].as_i64().expect("an age");
    assert!(age >= 400, "{age}");
    assert_eq!(health(&house).0, 200, "it plays on");
    let manager = house.staff("shift-manager");
    let alerts = get(&house, &format!("/api/tables/{TABLE}/alerts"), &[&manager]);
    let alerts = alerts.is(200).json();
    has!(alerts["alerts"][0], {"code": "witness-silent"});
    let figures = get(&house, "/metrics", &[]).body;
    assert!(figures.contains("sicbo_witness_alarm 1"), "{figures}");
    deals(&house, TABLE);
    // The same witness comes back, with what it remembers.
    served.start();
    comes("the alarm stays", || {
        (tree(&house)["alarm"] == false).then_some(())
    });
    is_cosigned(&house);
    house.ends_clean();
}

#[test]
fn a_start_waits_for_its_witness_where_the_plan_says_so() {
    let (folder, mut served) = witnessed("wait");
    served.stop();
    // It can be told to stop while it waits.
    let mut child = Program::spawn(folder.path());
    comes("it does not ask", || {
        let log = std::fs::read_to_string(folder.path().join("log.txt")).ok()?;
        let says = log.contains("gives no cosignature") && log.contains("the house waits for it");
        says.then_some(())
    });
    assert!(child.try_wait().expect("ours").is_none(), "it waits");
    let told = std::process::Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    assert!(told.expect("kill").success());
    let ended = comes("it does not stop", || child.try_wait().expect("ours"));
    assert!(ended.success(), "{ended}");
    // And comes up when the witness does.
    let starting = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(1_500));
        served.start();
        served
    });
    let house = House::start(folder);
    let served = starting.join().expect("the witness");
    is_cosigned(&house);
    house.ends_clean();
    drop(served);
}

#[test]
fn a_house_let_play_without_its_witness_stops_when_the_witness_says_that_it_is_another() {
    let (folder, mut served) = witnessed("play");
    let (folder, older, number) = paid_after_the_copy(folder);
    served.stop();
    copy(&older, &data(&folder));
    std::fs::remove_dir_all(folder.path().join("marks")).expect("no mark");
    let house = House::start(folder);
    deals(&house, TABLE);
    let mut player = terminal_with_credit(&house, TABLE);
    served.start();
    comes("it plays on", || (health(&house).0 == 503).then_some(()));
    let cashier = house.session("Chua Mei Fong");
    redeem(&house, &cashier, 9, &number, Value::Null).refuses(503, "house_behind");
    // A player who was there before bets no more, and takes no money out.
    player.say(&json!({"type": "cash_out", "request": 7, "amount": 5_000}));
    assert_eq!(player.ended(), ("stopping".to_owned(), 1001));
    // The current round ends and none begins: a table that deals is done with one in a second.
    let mut last = (round(&house, TABLE), Instant::now());
    comes("it deals on", || {
        let now = round(&house, TABLE);
        if now != last.0 {
            last = (now, Instant::now());
        }
        (last.1.elapsed() > Duration::from_secs(4)).then_some(())
    });
    // Recovery: two persons say why it goes on, and the same process plays.
    let (manager, supervisor) = (house.staff("shift-manager"), house.staff("pit-supervisor"));
    let act = json!({"act": "go_on_after_rollback", "reason": "the newest data is lost"});
    confirmed(&house, &manager, &supervisor, &act);
    deals(&house, TABLE);
    is_cosigned(&house);
    let folder = stopped(house);
    proof::clean(&data(&folder));
}

/// One person proposes, another confirms.
pub(super) fn confirmed(house: &House, one: &str, other: &str, act: &Value) {
    let made = post(house, "/api/proposals", &[one], act).is(201).json();
    let path = format!("/api/proposals/{}/confirm", made["proposal"]);
    let digest = json!({"digest": made["digest"]});
    post(house, &path, &[other], &digest).is(200);
}

/// TLS in front of a witness, as a proxy has it, with a certificate that an authority of the test
/// signed; where it listens, and the authority's certificate.
fn encrypted(witness: SocketAddr) -> (SocketAddr, String) {
    use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
    let key = KeyPair::generate().expect("a key");
    let mut authority = CertificateParams::new(Vec::new()).expect("an authority");
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let ca = authority.self_signed(&key).expect("signed").pem();
    let issuer = Issuer::new(authority, key);
    let own = KeyPair::generate().expect("a key");
    let leaf = CertificateParams::new(vec!["localhost".to_owned()]).expect("a name");
    let leaf = leaf.signed_by(&own, &issuer).expect("signed");
    let secret = PrivateKeyDer::try_from(own.serialize_der()).expect("a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![leaf.der().clone()], secret)
        .expect("a certificate");
    let config = Arc::new(config);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its address");
    std::thread::spawn(move || {
        for line in listener.incoming().map_while(Result::ok) {
            let config = Arc::clone(&config);
            std::thread::spawn(move || {
                let speaks = rustls::ServerConnection::new(config).expect("a connection");
                pass_on(rustls::StreamOwned::new(speaks, line), witness);
            });
        }
    });
    (address, ca)
}

/// Passes one request on and its answer back.
fn pass_on(
    mut house: rustls::StreamOwned<rustls::ServerConnection, std::net::TcpStream>,
    witness: SocketAddr,
) {
    let (mut request, mut some) = (Vec::new(), [0; 4_096]);
    while !is_whole(&request) {
        match house.read(&mut some) {
            Ok(read @ 1..) => request.extend_from_slice(&some[..read]),
            _ => return,
        }
    }
    let mut answer = Vec::new();
    let Ok(mut to) = std::net::TcpStream::connect(witness) else {
        return;
    };
    let _ = to.write_all(&request);
    let _ = to.read_to_end(&mut answer);
    let _ = house.write_all(&answer);
    house.conn.send_close_notify();
    let _ = house.flush();
}

/// Whether a request is there with all that its head says.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length").then_some(value)
    });
    let length = length.and_then(|value| value.parse().ok());
    length.is_some_and(|length: usize| body.len() >= length)
}

#[test]
fn a_witness_is_asked_over_https_by_the_authority_that_the_plan_names() {
    let (folder, served) = witnessed("play");
    let (address, ca) = encrypted(served.address);
    std::fs::write(folder.path().join("witness-ca.pem"), ca).expect("a file");
    let plan = folder.path().join("house.toml");
    let plain = std::fs::read_to_string(&plan).expect("the plan");
    let http = format!("url = \"http://{}\"", served.address);
    let https = format!("url = \"https://localhost:{}\"", address.port());
    let trusted = plain.replace(&http, &format!("{https}\nca = \"witness-ca.pem\""));
    assert_ne!(trusted, plain);
    std::fs::write(&plan, &trusted).expect("the plan");
    let house = House::start(folder);
    deals(&house, TABLE);
    is_cosigned(&house);
    let folder = stopped(house);
    let cosigned = served.latest();
    // Another authority: nobody behind such a line is believed, and the house says why.
    let (_, other) = encrypted(served.address);
    std::fs::write(folder.path().join("witness-ca.pem"), other).expect("a file");
    let house = House::start(folder);
    deals(&house, TABLE);
    let manager = house.staff("shift-manager");
    let problem = comes("why", || {
        let shown = get(&house, "/api/tree", &[&manager]).json();
        shown["problem"].as_str().map(str::to_owned)
    });
    assert!(problem.contains("no encryption"), "{problem}");
    house.ends_clean();
    assert_eq!(served.latest().to_string(), cosigned.to_string());
}

#[test]
fn a_head_is_signed_kept_and_cosigned_at_every_shift_s_end() {
    // Dealt by a person, so that no round is going on.
    let plan = two_brisk_tables()
        .replace(
            "dealer = \"automatic\"\npace = \"none\"",
            "dealer = \"person\"",
        )
        .replace("tumbler = \"simulated\"", "tumbler = \"manual\"");
    let (folder, served) = witnessed_house(&plan, "play");
    let house = House::start(folder);
    let (manager, director) = (house.staff("shift-manager"), house.staff("director"));
    house.open_table(&manager);
    let open = json!({"act": "open_shift", "table": TABLE, "opener": 0});
    confirmed(&house, &manager, &director, &open);
    let suspend = json!({"act": "suspend", "reason": "the end of the day"});
    house.act(&manager, &suspend).is(200);
    let close = json!({"act": "close_shift", "table": TABLE, "closer": 0, "drop": 0, "tips": 0,
        "fills": 0, "credits": 0, "comment": ""});
    confirmed(&house, &manager, &director, &close);
    let file = |folder: &TempDir| data(folder).join("tree/tree.sqlite");
    let open = |path: PathBuf| {
        let read = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        rusqlite::Connection::open_with_flags(path, read).expect("the tree")
    };
    let (size, note): (i64, String) = comes("no head of the shift's end", || {
        let tree = open(file(&house.folder));
        let kept = "SELECT size, note FROM heads WHERE reason = 'shift-end' AND cosigned_s > 0";
        let row = tree.query_row(kept, [], |row| Ok((row.get(0)?, row.get(1)?)));
        row.ok()
    });
    let note = Note::parse(note.as_bytes()).expect("a note");
    assert!(note.cosigned_by(&verifier()).is_some(), "{note:?}");
    // It stays when newer heads come, and covers the record of the shift's end.
    house.act(&manager, &json!({"act": "resume"})).is(200);
    is_cosigned(&house);
    let folder = stopped(house);
    let tree = open(file(&folder));
    let kept = "SELECT count(*) FROM heads WHERE reason = 'shift-end' AND size = ?1";
    let kept: i64 = tree
        .query_row(kept, [size], |row| row.get(0))
        .expect("kept");
    assert_eq!(kept, 1);
    let kind = sicbo_register::codec::KINDS
        .iter()
        .find(|kind| kind.name == "ShiftClosed");
    let kind = kind.expect("a kind").kind;
    let stream = sicbo_journal::StreamId::new("house").expect("a name");
    let path = sicbo_journal::DataFolder::stream_path(&data(&folder), &stream);
    let house = SqliteStore::open_read_only(&path, stream, &Vfs::default()).expect("a journal");
    let blocks = house
        .read_from(1)
        .map(|raw| raw.expect("there").decode().expect("a block"));
    let closed = blocks.flat_map(|block| {
        let closed = block.records().find(|record| record.kind == kind);
        closed.map(|record| record.sequence)
    });
    let closed = closed.last().expect("a shift's end");
    let covered = "SELECT max(last_sequence) FROM leaves WHERE stream = 'house' AND place < ?1";
    let covered: i64 = tree
        .query_row(covered, [size], |row| row.get(0))
        .expect("leaves");
    assert!(covered as u64 >= closed, "{covered} {closed}");
    proof::clean(&data(&folder));
    drop(served);
}
