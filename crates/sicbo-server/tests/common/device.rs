//! A device of a table over its real line: one JSON object a line.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};

use serde_json::{Value, json};

use super::people::Staff;

/// A device that is connected.
pub struct Device {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Device {
    /// Connects and says nothing.
    pub fn open(line: SocketAddr) -> Device {
        let stream = TcpStream::connect(line).expect("the line");
        let reader = BufReader::new(stream.try_clone().expect("a second end"));
        Device { stream, reader }
    }

    /// Connects and says hello.
    pub fn connect(line: SocketAddr, token: &str) -> Device {
        let mut device = Device::open(line);
        device.must(hello(token));
        device
    }

    /// Says something; the answer.
    pub fn say(&mut self, message: &Value) -> Value {
        writeln!(self.stream, "{message}").expect("the line takes it");
        self.hear()
    }

    /// Says it, and the house has it on record.
    #[track_caller]
    pub fn must(&mut self, message: Value) {
        let said = self.say(&message);
        assert_eq!(said["ok"], true, "{message}: {said}");
    }

    /// What the house says next.
    pub fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("an answer");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"))
    }

    /// A tumbler runs and counts to three.
    pub fn tumble(&mut self) {
        self.must(json!({"activated": true}));
        self.must(json!({"at_rest": {"count": 3, "all_dice_moved": true}}));
    }
}

/// The first line of a device.
pub fn hello(token: &str) -> Value {
    json!({"hello": {"token": token, "protocol": 1}})
}

/// The tumbler of a table, enrolled by the technician; its token.
pub async fn enrol_tumbler(staff: &Staff, table: &str) -> String {
    let role = json!({"role": "device", "table": table, "device": "tumbler"});
    let new = json!({"name": format!("tumbler of {table}"), "role": role});
    let said = staff.post("technician", "/api/enrolments", &new).await;
    assert_eq!(said.status, 201, "{said:?}");
    said.json()["token"].as_str().expect("a token").to_owned()
}
