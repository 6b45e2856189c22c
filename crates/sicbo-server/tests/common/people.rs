//! The people of a test house, each on a session of their own.

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};
use sicbo_register::set_up::HandOver;

use super::house::{STAFF, Site, VICE_PRESIDENT};
use super::http::Http;
use crate::doors::house::place_of;
use crate::doors::http::{Answer, ask_on, request};

/// The people, who know their own PINs.
#[derive(Default)]
pub struct People {
    pins: BTreeMap<&'static str, String>,
}

/// People by position, each logged in when first asked for something.
#[derive(Clone)]
pub struct Staff {
    folder: PathBuf,
    address: SocketAddr,
    sessions: Arc<BTreeMap<&'static str, OnceLock<Http>>>,
}

/// The PIN a person chooses instead of the one-time PIN.
fn chosen_pin(name: &str) -> String {
    let index = STAFF.iter().position(|(known, _)| *known == name);
    format!("90731{:03}", 107 + 13 * index.unwrap_or(0))
}

/// The PIN that was handed over for a person.
fn one_time_pin(hand_over: &Path, name: &str) -> String {
    let text = std::fs::read_to_string(hand_over).expect("the hand-over");
    let hand_over = HandOver::from_text(&text).expect("a hand-over");
    let mut pins = hand_over.pins.iter();
    let pin = pins.find(|(known, _)| known == name).expect("a PIN");
    pin.1.digits().to_owned()
}

/// Where somebody in a position logs in, in a house that asks for it.
fn place_token(hand_over: &Path, position: &str) -> Option<String> {
    let text = std::fs::read_to_string(hand_over).ok()?;
    let known = HandOver::from_text(&text)?.tokens;
    known.iter().find(|(name, _)| name == "pit desk 1")?;
    let wanted = place_of(position);
    let mut tokens = known.into_iter();
    let found = tokens.find(|(name, _)| name == wanted)?;
    Some(found.1)
}

impl People {
    /// Logs these positions in; at the first start each changes the one-time
    /// PIN first.
    pub async fn log_in(
        &mut self,
        site: &Site,
        address: SocketAddr,
        positions: &[&'static str],
    ) -> Staff {
        let staff = Staff::of_house(site.path(), address);
        for position in positions {
            let http = self.one(site, address, position, 0).await;
            assert!(staff.sessions[position].set(http).is_ok());
        }
        staff
    }

    /// The `nth` person in a position, on a session of their own.
    pub async fn one(
        &mut self,
        site: &Site,
        address: SocketAddr,
        position: &str,
        nth: usize,
    ) -> Http {
        let everyone = STAFF.iter().chain([&VICE_PRESIDENT]);
        let mut of_position = everyone.filter(|(_, held)| *held == position);
        let (name, _) = of_position.nth(nth).expect("someone");
        let first = !self.pins.contains_key(name);
        if first {
            self.pins
                .insert(name, one_time_pin(&site.hand_over(), name));
        }
        let mut http = enter(address, name, &self.pins[name]).await;
        if first {
            let new = chosen_pin(name);
            let change = json!({"old": self.pins[name], "new": new});
            http.post("/api/session/pin", &change).await.is(204);
            self.pins.insert(name, new);
            if http
                .ask("GET", "/api/session", None)
                .await
                .expect("up")
                .status
                != 200
            {
                http = enter(address, name, &self.pins[name]).await;
            }
        }
        http
    }
}

pub async fn enter(address: SocketAddr, name: &str, pin: &str) -> Http {
    let said = Http::anyone(address)
        .post("/api/session", &json!({"name": name, "pin": pin}))
        .await;
    assert_eq!(said.status, 200, "{said:?}");
    Http::logged_in(address, &said)
}

fn mark(folder: &Path, position: &str) -> PathBuf {
    folder.join(format!("pin-changed-{position}"))
}

/// The first in a position logs in with a PIN of their own from now on.
pub fn pin_was_changed(folder: &Path, position: &str) {
    std::fs::write(mark(folder, position), "").expect("a mark");
}

/// Asks without waiting for anything but the answer.
fn ask(address: SocketAddr, path: &str, headers: &[&str], body: &Value) -> Answer {
    let mut line = TcpStream::connect(address).expect("the house is up");
    let bytes = request("POST", path, headers, Some(&body.to_string()));
    ask_on(&mut line, &bytes)
}

impl Staff {
    /// Everybody who works in the house of a folder; nobody is logged in yet.
    pub fn of_house(folder: &Path, address: SocketAddr) -> Staff {
        let everyone = STAFF.iter().chain([&VICE_PRESIDENT]);
        let sessions = everyone.map(|(_, position)| (*position, OnceLock::new()));
        Staff {
            folder: folder.to_owned(),
            address,
            sessions: Arc::new(sessions.collect()),
        }
    }

    /// Whoever holds a position.
    pub fn of(&self, position: &str) -> &Http {
        let session = self.sessions.get(position);
        let session = session.unwrap_or_else(|| panic!("nobody is a {position}"));
        session.get_or_init(|| self.log_in(position))
    }

    /// The first in a position logs in; at the first time the one-time PIN is changed.
    fn log_in(&self, position: &str) -> Http {
        let mut everyone = STAFF.iter().chain([&VICE_PRESIDENT]);
        let (name, _) = everyone.find(|(_, held)| *held == position).expect("one");
        // Beside the plan, for the time after a restart.
        let changed = mark(&self.folder, position);
        let own = chosen_pin(name);
        let pin = match changed.exists() {
            true => own.clone(),
            false => one_time_pin(&self.folder.join("hand-over.txt"), name),
        };
        let body = json!({"name": name, "pin": pin});
        let place = place_token(&self.folder.join("hand-over.txt"), position);
        let bearer = place.map(|token| format!("Authorization: Bearer {token}"));
        let headers: Vec<&str> = bearer.as_deref().into_iter().collect();
        let said = ask(self.address, "/api/session", &headers, &body);
        if !changed.exists() {
            let change = json!({"old": pin, "new": own});
            ask(self.address, "/api/session/pin", &[&said.cookie()], &change).is(204);
            pin_was_changed(&self.folder, position);
        }
        Http::logged_in(self.address, &said)
    }

    /// Somebody asks for something to be done.
    pub async fn post(&self, position: &str, path: &str, body: &Value) -> Answer {
        self.of(position).post(path, body).await
    }

    /// Does something at a table alone.
    pub async fn act(&self, position: &str, table: &str, act: &Value) -> Answer {
        let path = format!("/api/tables/{table}/acts");
        self.of(position).post(&path, act).await
    }

    /// Does something at a table alone, and it is done.
    pub async fn must(&self, position: &str, table: &str, act: Value) {
        self.act(position, table, &act).await.is(200);
    }

    /// Proposes what takes two persons.
    pub async fn propose(&self, position: &str, table: &str, act: &Value) -> (u64, Value) {
        let path = format!("/api/tables/{table}/proposals");
        let said = self.of(position).post(&path, act).await.is(201);
        let said = said.json();
        let number = said["proposal"].as_u64().expect("its number");
        (number, said["digest"].clone())
    }

    /// Confirms a proposal as the second person.
    pub async fn confirm(
        &self,
        position: &str,
        table: &str,
        (proposal, digest): &(u64, Value),
        body: &Value,
    ) -> Answer {
        let path = format!("/api/tables/{table}/proposals/{proposal}/confirm");
        let mut body = body.clone();
        body["digest"] = digest.clone();
        self.of(position).post(&path, &body).await
    }

    /// Two persons, each on a session of their own, and it is done.
    pub async fn two(&self, first: &str, second: &str, table: &str, act: Value, stated: Value) {
        let proposal = self.propose(first, table, &act).await;
        let said = self.confirm(second, table, &proposal, &stated).await;
        said.is(200);
    }

    /// Two persons, while the house may die at any moment; true when both heard
    /// that it is done.
    pub async fn try_two(&self, first: &str, second: &str, table: &str, act: &Value) -> bool {
        let path = format!("/api/tables/{table}/proposals");
        let proposed = self.of(first).ask("POST", &path, Some(act)).await;
        let Ok(said) = proposed else {
            return false;
        };
        // Done in an earlier life: the same request is answered, not done again.
        if said.json()["again"] == true {
            return true;
        }
        assert_eq!(said.status, 201, "{act}: {}", said.body);
        let said = said.json();
        let path = format!("{path}/{}/confirm", said["proposal"]);
        let body = json!({"digest": said["digest"]});
        let confirmed = self.of(second).ask("POST", &path, Some(&body)).await;
        let Ok(said) = confirmed else {
            return false;
        };
        assert_eq!(said.status, 200, "{act}: {}", said.body);
        true
    }

    /// What staff see of a table.
    pub async fn sees(&self, position: &str, table: &str) -> Value {
        let path = format!("/api/tables/{table}/staff");
        self.of(position).get(&path).await
    }
}
