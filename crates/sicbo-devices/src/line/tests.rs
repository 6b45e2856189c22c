//! Devices over real sockets: what they say reaches the table, and what is
//! wrong is answered and costs nobody else anything.

use std::io::{BufRead, BufReader, Write as _};
use std::sync::mpsc::{Receiver, Sender, channel};

use serde_json::{Value, json};
use sicbo_rules::rulebook::words::Position;
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::ids::PersonId;
use sicbo_table::pending::Question;
use sicbo_table::{Act, apply, decide};

use super::*;
use sicbo_plan::HousePlan;

/// A real table behind the line; tokens are the names of devices.
struct House {
    table: Mutex<Table>,
    heard: Mutex<Sender<(Device, Notice)>>,
    /// Done once, while the house hears of a device that has come.
    coming: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl LineHouse for House {
    fn admit(&self, token: &str, _: Option<&[CertificateDer<'_>]>) -> Option<Device> {
        match token {
            "tumbler" => Some(Device::Tumbler),
            "reader" => Some(Device::DiceReader),
            "lights" => Some(Device::Lights),
            "notes" => Some(Device::NoteAcceptor),
            _ => None,
        }
    }

    fn submit(&self, command: Command) -> Result<(), Refused> {
        let mut table = self.table.lock();
        let events = decide(&table, &command).map_err(|refusal| Refused {
            rule: refusal.rule.clone(),
            ..Refused::new(refusal.code(), "refused")
        })?;
        for event in &events {
            apply(&mut table, event);
        }
        Ok(())
    }

    fn noticed(&self, device: Device, notice: Notice) {
        let coming = match notice {
            Notice::Connected => self.coming.lock().take(),
            _ => None,
        };
        if let Some(coming) = coming {
            coming();
        }
        let _ = self.heard.lock().send((device, notice));
    }
}

struct Line {
    house: Arc<House>,
    server: LineServer,
    heard: Receiver<(Device, Notice)>,
}

fn line(book: &str, options: LineOptions) -> Line {
    line_with(book, options, None)
}

fn line_with(book: &str, options: LineOptions, tls: Option<LineTls>) -> Line {
    let (send, heard) = channel();
    let house = Arc::new(House {
        table: Mutex::default(),
        heard: Mutex::new(send),
        coming: Mutex::default(),
    });
    let plan = HousePlan::trial();
    let table = plan
        .tables
        .iter()
        .find(|t| t.name.as_str() == book)
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let shared = Arc::clone(&house) as Arc<dyn LineHouse>;
    let line = Line {
        house,
        server: LineServer::start_with(listener, shared, options, tls).unwrap(),
        heard,
    };
    line.act(
        Actor::House,
        Act::OpenTable {
            config: Box::new(table.config.clone()),
            stations: table.stations.clone(),
        },
    );
    line
}

const DEALER: Actor = staff(1, Position::Dealer);

const fn staff(person: u32, position: Position) -> Actor {
    Actor::Staff(Staff {
        person: PersonId(person),
        position,
    })
}

impl Line {
    fn act(&self, by: Actor, act: Act) {
        let command = Command {
            id: 0,
            at_ms: 1,
            by,
            second: None,
            act,
        };
        self.house.submit(command).unwrap();
    }

    fn wait(&self, device: Device, notice: Notice) {
        let soon = Duration::from_secs(10);
        while self.heard.recv_timeout(soon).unwrap() != (device, notice) {}
    }

    fn connect(&self) -> Wire {
        let stream = TcpStream::connect(self.server.address()).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(10)))
            .unwrap();
        Wire {
            reader: BufReader::new(stream.try_clone().unwrap()),
            stream,
        }
    }

    fn device(&self, token: &str) -> Wire {
        let mut wire = self.connect();
        let hello = json!({"hello": {"token": token, "protocol": 1}});
        assert_eq!(wire.ask(hello), json!({"ok": true}));
        wire
    }
}

struct Wire {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Wire {
    fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    /// The next line; null when the house hung up.
    fn hear(&mut self) -> Value {
        let mut text = String::new();
        match self.reader.read_line(&mut text) {
            Ok(0) => Value::Null,
            Ok(_) => serde_json::from_str(&text).unwrap(),
            // A close with bytes unread is a reset.
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Value::Null,
            Err(error) => panic!("the house says nothing: {error}"),
        }
    }

    fn ask(&mut self, message: Value) -> Value {
        self.send(format!("{message}\n").as_bytes());
        self.hear()
    }
}

fn code(answer: &Value) -> &str {
    answer["refused"]["code"].as_str().unwrap_or("not refused")
}

#[test]
fn a_round_is_played_with_a_sensor_and_a_reader() {
    let line = line("mbs-etg", LineOptions::default());
    let mut tumbler = line.device("tumbler");
    let mut reader = line.device("reader");
    assert_eq!(
        line.server.connected(),
        [Device::Tumbler, Device::DiceReader]
    );
    assert_eq!(
        tumbler.ask(json!({"id": 7, "activated": true})),
        json!({"id": 7, "ok": true})
    );
    tumbler.ask(json!({"tumbles": 2}));
    line.wait(Device::Tumbler, Notice::Tumbles(2));
    let rest = json!({"at_rest": {"count": 4, "all_dice_moved": true}});
    assert_eq!(tumbler.ask(rest), json!({"ok": true}));
    line.act(DEALER, Act::CallBets);
    // The dice are covered: a reading now is refused with the rule.
    let early = reader.ask(json!({"id": 1, "dice": [1, 2, 3]}));
    assert_eq!(early["id"], 1);
    assert_eq!(code(&early), "wrong_phase", "{early}");
    line.act(DEALER, Act::CloseBets);
    line.act(DEALER, Act::Uncover);
    reader.ask(json!({"cover": "open"}));
    line.wait(Device::DiceReader, Notice::Cover { open: true });
    line.act(DEALER, Act::ConfirmFlat);
    assert_eq!(reader.ask(json!({"dice": [4, 3, 4]})), json!({"ok": true}));
    let dice = Dice::from_faces([4, 4, 3]).unwrap();
    line.act(DEALER, Act::KeyDice { dice });
    line.act(DEALER, Act::ConfirmResult);
    let table = line.house.table.lock();
    assert!(table.round.is_none() && table.last_record.is_some());
}

/// P-022: a reading that disagrees with the dealer's keys stops settlement
/// until two persons agree.
#[test]
fn p_022_a_reading_that_disagrees_stops_the_round() {
    let line = line("rws-open-cover", LineOptions::default());
    let (mut tumbler, mut reader) = (line.device("tumbler"), line.device("reader"));
    line.act(DEALER, Act::CallBets);
    line.act(DEALER, Act::CloseBets);
    tumbler.ask(json!({"activated": true}));
    tumbler.ask(json!({"at_rest": {"count": 3, "all_dice_moved": true}}));
    line.act(DEALER, Act::ConfirmFlat);
    let keyed = Dice::from_faces([6, 6, 1]).unwrap();
    line.act(DEALER, Act::KeyDice { dice: keyed });
    assert_eq!(reader.ask(json!({"dice": [6, 6, 2]})), json!({"ok": true}));
    line.act(DEALER, Act::ConfirmResult);
    let pending = {
        let table = line.house.table.lock();
        assert_eq!(table.pending[0].question, Question::ReadingsDisagree);
        assert!(table.last_record.is_none());
        table.pending[0].id
    };
    let dice = Dice::from_faces([6, 6, 2]).unwrap();
    let Actor::Staff(second) = staff(2, Position::PitSupervisor) else {
        unreachable!("a person");
    };
    let agreed = Command {
        id: 0,
        at_ms: 2,
        by: DEALER,
        second: Some(second),
        act: Act::ResolveReadings { pending, dice },
    };
    line.house.submit(agreed).unwrap();
    assert!(line.house.table.lock().last_record.is_some());
}

#[test]
fn r_038_the_lights_are_told_and_tell() {
    let line = line("quang-nam-table", LineOptions::default());
    let dice = Dice::from_faces([2, 3, 3]).unwrap();
    let none = BTreeMap::new();
    assert!(
        !line.server.light(RoundNumber(1), &none),
        "no lights are connected"
    );
    let (mut tumbler, mut lights) = (line.device("tumbler"), line.device("lights"));
    tumbler.ask(json!({"activated": true}));
    tumbler.ask(json!({"at_rest": {"count": 3, "all_dice_moved": true}}));
    for act in [
        Act::CallBets,
        Act::CloseBets,
        Act::Uncover,
        Act::ConfirmFlat,
    ] {
        line.act(DEALER, act);
    }
    line.act(DEALER, Act::KeyDice { dice });
    line.act(DEALER, Act::ConfirmResult);
    let sections = winning_sections(&line.house.table.lock(), dice);
    assert!(line.server.light(RoundNumber(1), &sections));
    let light = lights.hear();
    assert_eq!(light["light"]["round"], 1);
    let lit: Vec<&str> = light["light"]["sections"]["a"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    // Layouts B.8: other pair and single, 50 spots: six light up.
    let mut sorted = lit.clone();
    sorted.sort_unstable();
    assert_eq!(
        sorted,
        [
            "double:3", "pair:2-3", "single:2", "single:3", "small", "total:8"
        ]
    );
    assert_eq!(lights.ask(json!({"lit": false})), json!({"ok": true}));
    let table = line.house.table.lock();
    assert_eq!(table.round.as_ref().unwrap().lights, Some(false));
}

#[test]
fn what_is_wrong_is_answered_and_the_connection_lives() {
    let line = line("mbs-etg", LineOptions::default());
    let mut tumbler = line.device("tumbler");
    for (bytes, expected) in [
        (&b"nonsense\n"[..], "bad_message"),
        (b"\xff\xfe\n", "bad_message"),
        (b"\n", "bad_message"),
        (b"{}\n", "bad_message"),
        (b"{\"id\":4}\n", "bad_message"),
        (b"{\"activated\":false}\n", "bad_message"),
        (b"{\"activated\":true,\"tumbles\":3}\n", "bad_message"),
        (b"{\"activate\":true}\n", "bad_message"),
        (b"{\"tumbles\":256}\n", "bad_message"),
        (b"{\"at_rest\":{\"count\":3}}\n", "bad_message"),
        (
            b"{\"at_rest\":{\"count\":3,\"all_dice_moved\":true,\"x\":1}}\n",
            "bad_message",
        ),
        (b"{\"cover\":\"ajar\"}\n", "bad_message"),
        (b"{\"dice\":[1,2,3]}\n", "not_your_message"),
        (b"{\"lit\":true}\n", "not_your_message"),
        (
            b"{\"hello\":{\"token\":\"tumbler\",\"protocol\":1}}\n",
            "hello_twice",
        ),
        (
            b"{\"at_rest\":{\"count\":3,\"all_dice_moved\":true}}\n",
            "no_round",
        ),
    ] {
        tumbler.send(bytes);
        let answer = tumbler.hear();
        assert_eq!(
            code(&answer),
            expected,
            "{}",
            String::from_utf8_lossy(bytes)
        );
        assert_ne!(answer["refused"]["reason"], "", "{answer}");
    }
    let deep = format!("{}\n", "[".repeat(4_000));
    tumbler.send(deep.as_bytes());
    assert_eq!(code(&tumbler.hear()), "bad_message");
    let mut reader = line.device("reader");
    for faces in ["[0,1,2]", "[1,2,7]", "[1,2]", "[1,2,3,4]", "[1,2,-3]"] {
        reader.send(format!("{{\"dice\":{faces}}}\n").as_bytes());
        assert_eq!(code(&reader.hear()), "bad_message", "{faces}");
    }
    assert_eq!(tumbler.ask(json!({"heartbeat": true})), json!({"ok": true}));
    line.wait(Device::Tumbler, Notice::Heartbeat);
    assert_eq!(
        tumbler.ask(json!({"fault": "no signal"})),
        json!({"ok": true})
    );
}

#[test]
fn who_is_not_enrolled_gets_no_further_than_hello() {
    let line = line("mbs-etg", LineOptions::default());
    for (hello, expected) in [
        (json!({"activated": true}), "hello_first"),
        (
            json!({"hello": {"token": "someone", "protocol": 1}}),
            "not_admitted",
        ),
        (
            json!({"hello": {"token": "notes", "protocol": 1}}),
            "not_admitted",
        ),
        (
            json!({"hello": {"token": "tumbler", "protocol": 2}}),
            "wrong_protocol",
        ),
        (json!({"hello": {"token": "tumbler"}}), "bad_message"),
    ] {
        let mut wire = line.connect();
        assert_eq!(code(&wire.ask(hello)), expected);
        assert_eq!(wire.hear(), Value::Null, "the house hangs up");
    }
    assert_eq!(line.server.connected(), []);
}

#[test]
fn a_newer_connection_replaces_the_older_and_is_not_taken_for_gone() {
    let line = line("mbs-etg", LineOptions::default());
    let mut old = line.device("tumbler");
    line.wait(Device::Tumbler, Notice::Connected);
    let mut new = line.device("tumbler");
    assert_eq!(code(&old.hear()), "replaced");
    assert_eq!(old.hear(), Value::Null);
    assert_eq!(new.ask(json!({"activated": true})), json!({"ok": true}));
    assert_eq!(line.server.connected(), [Device::Tumbler]);
    line.server.disconnect(Device::Tumbler);
    assert_eq!(new.hear(), Value::Null);
    let mut heard = Vec::new();
    while heard.last() != Some(&Notice::Gone) {
        heard.push(line.heard.recv_timeout(Duration::from_secs(10)).unwrap().1);
    }
    assert_eq!(heard, [Notice::Connected, Notice::Gone]);
    assert_eq!(line.server.connected(), []);
}

#[test]
fn what_a_replaced_device_says_does_not_count() {
    let line = line("mbs-etg", LineOptions::default());
    let mut old = line.device("tumbler");
    // It speaks at the very moment at which the house hears of the newer one.
    let (said, heard) = channel();
    *line.house.coming.lock() = Some(Box::new(move || {
        let _ = old.stream.write_all(b"{\"cover\":\"open\"}\n");
        let mut answers = Vec::new();
        while answers.last() != Some(&json!({"ok": true})) && answers.last() != Some(&Value::Null) {
            answers.push(old.hear());
        }
        let _ = said.send(answers);
    }));
    let mut new = line.device("tumbler");
    let answers = heard.recv().unwrap();
    assert_eq!(code(&answers[0]), "replaced", "{answers:?}");
    assert_eq!(answers[1..], [Value::Null]);
    assert!(line.house.table.lock().open_covers.is_empty());
    assert_eq!(new.ask(json!({"cover": "open"})), json!({"ok": true}));
}

#[test]
fn lines_rates_and_silence_are_bounded() {
    let options = LineOptions {
        hello_within: Duration::from_millis(200),
        silent_after: Duration::from_millis(400),
        burst: 5,
        per_second: 1,
        ..LineOptions::default()
    };
    let line = line("mbs-etg", options);
    // Too long a line, even one that never ends.
    let mut long = line.device("tumbler");
    let _ = long.stream.write_all(&vec![b' '; LONGEST + 1]);
    assert_eq!(code(&long.hear()), "line_too_long");
    assert_eq!(long.hear(), Value::Null);
    // A line just short enough is read.
    let mut full = line.device("tumbler");
    let padded = format!("{:width$}\n", "{\"heartbeat\":true}", width = LONGEST);
    full.send(padded.as_bytes());
    assert_eq!(full.hear(), json!({"ok": true}));
    // Faster than the rate.
    let mut fast = line.device("reader");
    let mut last = json!({"ok": true});
    let mut taken = 0;
    while last == json!({"ok": true}) && taken < 100 {
        taken += 1;
        last = fast.ask(json!({"heartbeat": true}));
    }
    assert_eq!(code(&last), "too_fast");
    assert!((5..=8).contains(&taken), "{taken}");
    // One that says nothing, and one that drips.
    assert_eq!(code(&line.connect().hear()), "silent");
    assert_eq!(code(&line.device("lights").hear()), "silent");
    let mut drips = line.connect();
    let answer = loop {
        if drips.stream.write_all(b" ").is_err() {
            break drips.hear();
        }
        drips
            .stream
            .set_read_timeout(Some(Duration::from_millis(20)))
            .unwrap();
        let mut text = String::new();
        if drips.reader.read_line(&mut text).is_ok() {
            break serde_json::from_str(&text).unwrap_or_default();
        }
    };
    assert_eq!(code(&answer), "silent");
}

const LONGEST: usize = message::LONGEST_LINE;

#[test]
fn forty_connections_without_a_token_keep_no_tumbler_out() {
    let line = line("mbs-etg", LineOptions::default());
    let mut silent: Vec<Wire> = Vec::new();
    for _ in 0..39 {
        silent.extend((0..40).map(|_| line.connect()));
        // As after a cable was pulled: it says hello and is heard.
        let mut tumbler = line.device("tumbler");
        assert_eq!(tumbler.ask(json!({"heartbeat": true})), json!({"ok": true}));
        // And goes on while more of them come.
        silent.extend((0..40).map(|_| line.connect()));
        assert_eq!(tumbler.ask(json!({"heartbeat": true})), json!({"ok": true}));
        silent.truncate(80);
    }
    let arriving = line.server.shared.arriving.lock().len();
    assert!(arriving <= MAX_ARRIVING_EACH, "{arriving}");
    // Those that gave way were hung up on.
    assert_eq!(silent[0].hear(), Value::Null);
}

/// Who gives way when these come one after the other, by the last part of their address.
fn give_way(come: impl IntoIterator<Item = u8>) -> (Vec<u64>, Vec<(u64, IpAddr)>) {
    let (mut gone, mut waiting) = (Vec::new(), Vec::new());
    for (serial, last) in (0..).zip(come) {
        waiting.push((serial, IpAddr::from([10, 0, 0, last])));
        if let Some(oldest) = connection_to_drop(&waiting) {
            gone.push(oldest);
            waiting.retain(|(serial, _)| *serial != oldest);
        }
    }
    (gone, waiting)
}

#[test]
fn the_oldest_silent_connection_of_the_address_that_holds_most_gives_way() {
    let many = MAX_ARRIVING as u64;
    let each = MAX_ARRIVING_EACH as u64;
    // One address gives way to itself, the oldest first, and whoever comes stays.
    let (gone, waiting) = give_way([1; 2 * MAX_ARRIVING_EACH]);
    assert_eq!(gone, Vec::from_iter(0..each));
    assert_eq!(waiting.first().map(|(serial, _)| *serial), Some(each));
    // Four addresses hold all places. A tumbler at a fifth comes in, and the oldest of one of the
    // four gives way; nothing of the tumbler's does, whatever they do then.
    let crowd = (0..MAX_ARRIVING).map(|at| u8::try_from(at % 4).unwrap());
    let after = (0..100).map(|at| at % 4);
    let (gone, waiting) = give_way(crowd.chain([99]).chain(after));
    assert!(gone[0] < 4, "{gone:?}");
    assert!(!gone.contains(&many), "the tumbler gave way");
    assert!(waiting.contains(&(many, IpAddr::from([10, 0, 0, 99]))));
    assert_eq!(waiting.len(), MAX_ARRIVING);
    // Where nobody holds more than one, the oldest of all.
    let (gone, waiting) = give_way(0..=u8::try_from(MAX_ARRIVING).unwrap());
    assert_eq!((gone, waiting.len()), (vec![0], MAX_ARRIVING));
}

#[test]
fn a_device_on_an_encrypted_line_is_heard_and_a_plain_one_is_not() {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let der = made.cert.der().clone();
    let key = rustls::pki_types::PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![der.clone()], key)
        .unwrap();
    let config = Arc::new(config);
    let line = line_with(
        "mbs-etg",
        LineOptions::default(),
        Some(Arc::new(move || Arc::clone(&config))),
    );
    let mut roots = rustls::RootCertStore::empty();
    roots.add(der).unwrap();
    let client = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = "localhost".try_into().unwrap();
    let client = rustls::ClientConnection::new(Arc::new(client), name).unwrap();
    let tcp = TcpStream::connect(line.server.address()).unwrap();
    let mut tumbler = BufReader::new(rustls::StreamOwned::new(client, tcp));
    let mut ask = |said: &str| {
        let stream = tumbler.get_mut();
        io::Write::write_all(stream, format!("{said}\n").as_bytes()).unwrap();
        let mut answer = String::new();
        tumbler.read_line(&mut answer).unwrap();
        serde_json::from_str::<Value>(&answer).unwrap()
    };
    let hello = r#"{"hello":{"token":"tumbler","protocol":1}}"#;
    assert_eq!(ask(hello), json!({"ok": true}));
    line.wait(Device::Tumbler, Notice::Connected);
    for _ in 0..20 {
        assert_eq!(ask(r#"{"heartbeat":true}"#), json!({"ok": true}));
    }
    let mut plain = line.connect();
    plain.send(format!("{hello}\n").as_bytes());
    let mut heard = Vec::new();
    let _ = io::Read::read_to_end(&mut plain.stream, &mut heard);
    assert!(!heard.starts_with(b"{"), "an alert at most: {heard:?}");
    assert_eq!(line.server.connected(), [Device::Tumbler]);
}

#[test]
fn stopping_ends_every_connection_and_thread() {
    let line = line("mbs-etg", LineOptions::default());
    let (mut tumbler, mut quiet) = (line.device("tumbler"), line.connect());
    let address = line.server.address();
    let house = Arc::downgrade(&line.house);
    let Line {
        house: strong,
        server,
        ..
    } = line;
    server.stop();
    assert_eq!(tumbler.hear(), Value::Null);
    assert_eq!(quiet.hear(), Value::Null);
    drop(strong);
    assert!(house.upgrade().is_none(), "a thread still holds the house");
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn s_17_only_a_device_enrolled_at_this_table_is_admitted() {
    use sicbo_register::enrolment::{Enrolment, Key, NewEnrolment};
    let name = |name: &str| TableName::new(name).unwrap();
    let mut register = Register::default();
    let mut enrol = |number: u32, role: Role| {
        let key = Key::new([number as u8; 32]);
        let new = NewEnrolment {
            role,
            name: format!("device {number}"),
            key: key.digest(),
        };
        let id = EnrolmentId(number);
        register.enrolments.insert(id, Enrolment::new(&new, 0));
        key.token(id)
    };
    let device = Device::Tumbler;
    let table = name("mbs-etg");
    let here = enrol(
        1,
        Role::Device {
            table: table.clone(),
            device,
        },
    );
    let there = enrol(
        2,
        Role::Device {
            table: name("rws-etg"),
            device,
        },
    );
    let console = enrol(
        3,
        Role::Console {
            table: table.clone(),
        },
    );
    let admit = |register: &Register, token: &str| enrolled_device(register, &table, token);
    assert_eq!(admit(&register, &here), Some((EnrolmentId(1), device)));
    assert_eq!(admit(&register, &there), None);
    assert_eq!(admit(&register, &console), None);
    // Another's number with one's own key.
    assert_eq!(admit(&register, &here.replace("1-", "2-")), None);
    assert_eq!(admit(&register, "nonsense"), None);
    register
        .enrolments
        .get_mut(&EnrolmentId(1))
        .unwrap()
        .revoked_ms = Some(1);
    assert_eq!(admit(&register, &here), None);
}

proptest::proptest! {
    /// No line makes the reader do anything but answer.
    #[test]
    fn any_bytes_are_a_message_or_a_refusal(
        bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200),
        words in proptest::collection::vec(0..24usize, 0..12),
    ) {
        const WORDS: [&str; 24] = [
            "{", "}", "[", "]", ":", ",", "\"id\"", "\"hello\"", "\"token\"", "\"protocol\"",
            "\"activated\"", "\"tumbles\"", "\"at_rest\"", "\"count\"", "\"dice\"", "\"lit\"",
            "\"fault\"", "\"heartbeat\"", "true", "null", "1", "-1", "1e9", "\"\"",
        ];
        let text: String = words.iter().map(|word| WORDS[*word]).collect();
        for line in [&bytes[..], text.as_bytes()] {
            for device in [None, Some(Device::Tumbler), Some(Device::DiceReader), Some(Device::Lights)] {
                let heard = message::read(line, device);
                let answer = message::answer(heard.id, &heard.meaning.map(|_| ()));
                proptest::prop_assert_eq!(answer.iter().filter(|byte| **byte == b'\n').count(), 1);
            }
        }
    }
}
