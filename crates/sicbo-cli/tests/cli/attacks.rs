//! What was done to a running house by somebody who can write its data folder, has
//! read `docs/journal-format.md` and has no key: one record appended, one row of a
//! snapshot. `verify --fingerprint` names each, and nobody starts on it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sicbo_journal::{
    Beside, DataFolder, HouseKey, KeyFolder, Signatory, Snapshot, SqliteStore, Store as _,
    StreamId, Tail, Writer, WriterSecret,
};
use sicbo_loop::{Machine, replay};
use sicbo_register::{Fact as HouseFact, Party, Register};
use sicbo_rules::Money;
use sicbo_rules::rulebook::words::Position;
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::command::CreditSource;
use sicbo_table::ids::{PersonId, SessionNumber, StationId};
use sicbo_table::{Event, Fact, Table};

use crate::cli::binary::{Run, command, folder, run};
use crate::cli::journal::{copy, text};
use crate::cli::played::{Played, TABLE, plan};

/// A house that has played and was stopped, in a place of its own.
fn played(name: &str) -> PathBuf {
    let place = folder("attacks").join(name);
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    plan(&place, "");
    let house = Played::start(&place);
    house.rounds(1);
    house.stop();
    let verified = verify(&place.join("data"));
    assert_eq!(verified.code, 0, "{}", verified.stdout);
    place
}

/// `sicbo verify` by somebody who knows the house by its published fingerprint.
fn verify(data: &Path) -> Run {
    let ring = KeyFolder::read_ring(&data.join("keys")).unwrap();
    let house = ring.house().to_string();
    run(&["verify", text(data), "--fingerprint", &house])
}

/// Starts the house of a place. Where it listens, `up` looks at it by its address
/// and it is stopped: what it had said until then. Otherwise what it said of why.
fn starts(place: &Path, up: impl Fn(&str)) -> Result<String, String> {
    let mut serve = command();
    serve.args(["serve", "--data", text(&place.join("data"))]);
    serve.args(["--config", text(&place.join("house.toml"))]);
    serve.args(["--hand-over", text(&place.join("hand-over.txt"))]);
    serve.env("SICBO_MARKS", place.join("marks"));
    serve.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut house = serve.spawn().unwrap();
    let lines = BufReader::new(house.stdout.take().unwrap()).lines();
    let mut said = String::new();
    let mut listens = None;
    for line in lines.map(Result::unwrap) {
        if let Some(address) = line.strip_prefix("listening on http://") {
            up(address);
            let id = house.id().to_string();
            let told = Command::new("kill").args(["-TERM", &id]).status();
            assert!(told.unwrap().success());
            listens = Some(());
        }
        said += &format!("{line}\n");
    }
    let ended = house.wait_with_output().unwrap();
    match listens {
        Some(()) => {
            assert!(ended.status.success());
            Ok(said)
        }
        None => Err(String::from_utf8_lossy(&ended.stderr).into_owned()),
    }
}

/// How somebody without the house's key seals a block.
#[derive(Clone, Copy, Debug)]
enum Sealing {
    /// With a key of their own.
    OwnKey,
    /// As programs did that signed no blocks.
    Unsigned,
}

/// Appends a record after the last one of a stream; its number.
fn append<M: Machine>(
    data: &Path,
    stream: &str,
    sealing: Sealing,
    make: impl FnOnce(&M) -> M::Event,
) -> u64 {
    let data = DataFolder::open(data).unwrap();
    let stream = StreamId::new(stream).unwrap();
    let mut store = data.open_stream(&stream).unwrap();
    let event = make(&replay::<M>(&store, &stream, None).unwrap().0);
    let mut bytes = Vec::new();
    let (kind, version) = M::encode(&event, &mut bytes);
    let tail = store.tail();
    let (epoch, secret) = (tail.epoch + 1, WriterSecret::new([1; 32]));
    let writer = match sealing {
        Sealing::OwnKey => {
            let own = HouseKey::from_entropy(&[66; 32]);
            let own = Signatory::of_first_key(own, secret);
            Writer::resume(stream, &Tail { epoch: 0, ..tail }, epoch, &own)
        }
        Sealing::Unsigned => Writer::unsigned(stream, &tail, epoch, &secret).map_err(Into::into),
    };
    let mut writer = writer.unwrap();
    let at_ms = M::happened_ms(&event);
    writer.push(at_ms, kind, version, &bytes).unwrap();
    let block = writer.seal(at_ms).unwrap();
    store.append(&block, Beside::default()).unwrap();
    tail.sequence + 1
}

/// Who holds a position in the register.
fn held_by(register: &Register, position: Position) -> PersonId {
    let mut people = register.people.iter();
    let found = people.find(|(_, person)| person.position == position);
    *found.unwrap().0
}

/// The director's PIN is the dealer's from now on.
fn dealer_s_pin(register: &Register) -> sicbo_register::Event {
    let director = held_by(register, Position::Director);
    let dealer = held_by(register, Position::Dealer);
    sicbo_register::Event {
        at_ms: sicbo_clock::now_ms(),
        by: Party::Person(director),
        second: None,
        command: 1,
        fact: HouseFact::PinChanged {
            person: director,
            pin: register.people[&dealer].pin.clone(),
        },
    }
}

/// 4,999.00 at the first station, bought of nobody.
fn credit(_: &Table) -> Event {
    Event {
        at_ms: sicbo_clock::now_ms(),
        by: Actor::Staff(Staff {
            person: PersonId(1),
            position: Position::Cashier,
        }),
        second: None,
        command: 999_983,
        fact: Fact::CreditBought {
            station: StationId(0),
            source: CreditSource::Cage,
            amount: Money::from_minor(499_900),
            session: SessionNumber(1),
        },
    }
}

#[test]
fn a_director_s_pin_appended_as_the_dealer_s_is_named_and_no_house_starts_on_it() {
    for sealing in [Sealing::OwnKey, Sealing::Unsigned] {
        let place = played("pin");
        let data = place.join("data");
        let record = append::<Register>(&data, "house", sealing, dealer_s_pin);
        let said = verify(&data);
        assert_eq!(said.code, 1, "{sealing:?}: {}{}", said.stdout, said.stderr);
        let named = format!("house, record {record}: ");
        assert!(said.stdout.contains(&named), "{named} {}", said.stdout);
        let refused = starts(&place, |_| ()).expect_err("a house started on it");
        let named = format!("record {record}");
        assert!(refused.contains(&named), "{sealing:?}: {refused}");
        // Nothing signs it afterwards.
        assert_eq!(verify(&data).code, 1);
    }
}

#[test]
fn credit_appended_out_of_nothing_is_named_and_its_table_does_not_start_on_it() {
    for sealing in [Sealing::OwnKey, Sealing::Unsigned] {
        let place = played("credit");
        let data = place.join("data");
        let record = append::<Table>(&data, TABLE, sealing, credit);
        let said = verify(&data);
        assert_eq!(said.code, 1, "{sealing:?}: {}{}", said.stdout, said.stderr);
        let named = format!("{TABLE}, record {record}: ");
        assert!(said.stdout.contains(&named), "{named} {}", said.stdout);
        // The table is out of service; the rest of the house would play.
        let said = starts(&place, |_| ()).expect("the house opens");
        let out = said.lines().find(|line| line.contains("out of service"));
        let out = out.unwrap_or_else(|| panic!("the table plays: {said}"));
        let named = format!("record {record}");
        assert!(out.starts_with(TABLE) && out.contains(&named), "{out}");
        assert_eq!(verify(&data).code, 1);
    }
}

/// What a person who logs in with their first PIN holds.
fn position(place: &Path, address: &str, name: &str) -> String {
    let known = std::fs::read_to_string(place.join("hand-over.txt")).unwrap();
    let line = known.lines().find(|line| line.contains(name)).unwrap();
    let pin = line.split('\t').nth(1).unwrap();
    let body = serde_json::json!({"name": name, "pin": pin}).to_string();
    let mut asked = TcpStream::connect(address).unwrap();
    let length = body.len();
    let head = format!(
        "POST /api/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    asked.write_all(format!("{head}{body}").as_bytes()).unwrap();
    let mut answer = String::new();
    asked.read_to_string(&mut answer).unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let me: serde_json::Value = serde_json::from_str(body).unwrap();
    me["position"].as_str().unwrap_or(body).to_owned()
}

#[test]
fn a_snapshot_in_which_the_dealer_is_director_is_named_and_nobody_believes_it() {
    let good = played("snapshot");
    let data = good.join("data");
    // Of the last record, as it stands, and in the form of a signed one.
    let stream = StreamId::new("house").unwrap();
    let path = DataFolder::stream_path(&data, &stream);
    let store =
        SqliteStore::open_read_only(&path, stream.clone(), &sicbo_journal::Vfs::default()).unwrap();
    let tail = store.tail();
    let last = store.headers_from(tail.sequence).next().unwrap().unwrap();
    let (mut register, _) = replay::<Register>(&store, &stream, None).unwrap();
    drop(store);
    let dealer = held_by(&register, Position::Dealer);
    register.people.get_mut(&dealer).unwrap().position = Position::Director;
    let state = Machine::snapshot(&register);
    // Behind the writer's own signature, copied from the last header.
    let signature = &last.header[last.header.len() - 64..];
    let like_signed = [b"SBS2", signature, state.as_slice()].concat();
    for (name, bytes) in [("snapshot-bare", state), ("snapshot-signed", like_signed)] {
        let place = good.with_file_name(name);
        let _ = std::fs::remove_dir_all(&place);
        copy(&good, &place);
        let data = place.join("data");
        {
            let folder = DataFolder::open(&data).unwrap();
            let mut store = folder.open_stream(&stream).unwrap();
            let forged = Snapshot {
                sequence: tail.sequence,
                header_hash: tail.header_hash,
                bytes,
            };
            store.put_snapshot(&forged).unwrap();
        }
        let said = verify(&data);
        assert_eq!(said.code, 1, "{name}: {}{}", said.stdout, said.stderr);
        let named = format!("house, record {}: the snapshot after it", tail.sequence);
        assert!(said.stdout.contains(&named), "{named} {}", said.stdout);
        // Derived again from the records: nothing of it is used.
        let up = |address: &str| {
            assert_eq!(position(&place, address, "Tan Wei Ming"), "dealer");
        };
        starts(&place, up).expect("it starts from the records");
    }
}
