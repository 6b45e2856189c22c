//! The security log over the wire: who came in, who was kept out, and the feed
//! for those who watch many systems.

use std::net::UdpSocket;

use serde_json::{Value, json};
use sicbo_journal::HouseKey;
use sicbo_server::attest::AttestedPart;
use sicbo_witness::note::{Algorithm, Note, VerifierKey};

use super::house::{House, SOON, own_pin, plan};
use super::http::{get, post};
use crate::common::comes;

/// The lines that a filter finds, once there are any that `wanted` takes.
fn lines(house: &House, who: &str, filter: &str, wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
    let path = format!("/api/security?{filter}");
    comes(format!("no such line: {path}"), || {
        let said = get(house, &path, &[who]).is(200).json();
        let all = said["lines"].as_array().expect("lines").clone();
        all.iter().any(&wanted).then_some(all)
    })
}

fn count(lines: &[Value]) -> u64 {
    lines.iter().filter_map(|line| line["count"].as_u64()).sum()
}

/// The lines that a filter finds, once they come to so many events: what
/// repeats is folded, and comes when its minute is over.
fn counted(
    house: &House,
    who: &str,
    filter: &str,
    wanted: impl Fn(&Value) -> bool,
    times: u64,
) -> Vec<Value> {
    let mut looks = 0;
    comes(format!("not {times} times: {filter}"), || {
        looks += 1;
        if looks % 50 == 0 {
            house.skip(std::time::Duration::from_secs(61));
        }
        let path = format!("/api/security?limit=500&{filter}");
        let said = get(house, &path, &[who]).is(200).json();
        let mut all = said["lines"].as_array().expect("lines").clone();
        all.retain(&wanted);
        assert!(count(&all) <= times, "{all:?}");
        (count(&all) == times).then_some(all)
    })
}

#[test]
fn s_18_who_came_in_and_who_was_kept_out_is_on_record_with_the_address() {
    let house = House::quick();
    let guard = house.staff("surveillance");
    let dealer = house.staff("dealer");
    // Wrong PINs, and a secret typed into the wrong field.
    house.log_in("Nurul Aisyah", "00000000").is(401);
    house.log_in("90731107", "Tan Wei Ming").is(401);
    for _ in 0..300 {
        get(&house, "/api/people", &[&dealer]).is(403);
    }
    let card = json!({"card": "70001234", "pin": "83519264"});
    let terminal = format!("Authorization: Bearer {}", house.terminal(1));
    post(&house, "/api/station/card", &[&terminal], &card).is(200);
    let forged = "Cookie: sicbo_session=0123456789abcdef";
    get(&house, "/api/session", &[forged]).is(401);

    let noted = |line: &Value| line["address"] == "127.0.0.1";
    counted(&house, &guard, "event=log-in-failed", noted, 2);
    let asked = |line: &Value| line["fields"][0]["text"] == "GET /api/people";
    let refused = counted(&house, &guard, "event=refused", asked, 300);
    assert!(
        refused.len() <= 10,
        "{} lines for 300 refusals",
        refused.len()
    );
    let dealer_number = refused[0]["person"].as_u64().expect("a person");
    for event in [
        "log-in",
        "not-known",
        "card-not-proved",
        "started",
        "logged-in",
        "pin-changed",
    ] {
        lines(&house, &guard, &format!("event={event}"), |line| {
            line["event"] == event
        });
    }
    // By person, and at least so grave.
    let own = lines(
        &house,
        &guard,
        &format!("event=refused&person={dealer_number}"),
        |_| true,
    );
    assert!(
        own.iter().all(|line| line["person"] == dealer_number),
        "{own:?}"
    );
    let grave = lines(&house, &guard, "severity=alert", |_| true);
    assert!(
        grave.iter().all(|line| line["severity"] == "alert"),
        "{grave:?}"
    );
    get(&house, "/api/security?severity=dreadful", &[&guard]).is(422);

    // Exports, and pages that go on where the last one ended.
    let csv = get(&house, "/api/security?format=csv&limit=500", &[&guard]).is(200);
    assert!(
        csv.body.starts_with("sequence,time_ms,event,severity,"),
        "{}",
        csv.body
    );
    let all = get(&house, "/api/security?format=ndjson&limit=500", &[&guard]).is(200);
    let whole = all.body.lines().count();
    let (mut paged, mut before) = (0, String::new());
    loop {
        let said = get(&house, &format!("/api/security?limit=5{before}"), &[&guard]).json();
        paged += said["lines"].as_array().expect("lines").len();
        match said["next"].as_u64() {
            Some(next) => before = format!("&before={next}"),
            None => break,
        }
    }
    assert!(paged >= whole, "{paged} of {whole}");
    // Nobody whom the log guards against reads it, and it holds no secret.
    for position in ["dealer", "director", "technician", "cashier"] {
        let who = house.staff(position);
        get(&house, "/api/security", &[&who]).is(403);
    }
    for secret in house
        .secrets()
        .map(String::as_str)
        .chain(["83519264", "70001234", "90731107"])
    {
        assert!(!all.body.contains(secret), "{secret} is in the log");
    }
    assert!(!all.body.contains(&own_pin("Hafiz Rahman")));
    house.ends_clean();
}

#[test]
fn s_18_the_log_is_fed_to_a_file_and_to_syslog() {
    let receiver = UdpSocket::bind("127.0.0.1:0").expect("a port");
    receiver.set_read_timeout(Some(SOON)).expect("a bound");
    let to = receiver.local_addr().expect("its address");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("security.jsonl");
    let security = format!(
        "\n[security]\nnetworks = [\"10.0.0.0/8\"]\nlog = \"{}\"\nsyslog = \"udp://{to}\"\n",
        file.display()
    );
    let house = House::of(&(plan("") + &security));
    house.log_in("Nurul Aisyah", "00000000").is(401);
    let _ = house.staff("auditor");
    // What is fed is what is on record: each is waited for.
    let mut wanted = vec![
        "started",
        "log-in-failed",
        "log-in",
        "remote-access",
        "logged-in",
    ];
    let mut message = [0; 4_096];
    while !wanted.is_empty() {
        let length = receiver.recv(&mut message).expect("a message");
        let said = std::str::from_utf8(&message[..length]).expect("UTF-8");
        let words: Vec<&str> = said.split(' ').collect();
        assert!(
            words[0].starts_with('<') && words[0].ends_with(">1"),
            "{said}"
        );
        assert_eq!(words[3], "sicbo", "{said}");
        assert!(words[6].starts_with("[sicbo@32473"), "{said}");
        wanted.retain(|event| *event != words[5]);
    }
    let text = std::fs::read_to_string(&file).expect("a file");
    let logged: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    let failed = logged
        .iter()
        .find(|line| line["event"] == "log-in-failed" && line["address"] == "127.0.0.1");
    assert_eq!(failed.expect("a failure")["count"], 1);
    for secret in house.secrets() {
        assert!(!text.contains(secret.as_str()));
    }
    house.ends_clean();
}

#[test]
fn s_16_the_screen_compares_the_software_with_a_signed_list() {
    let house = House::quick();
    let auditor = house.staff("auditor");
    let name = "lab.example/approved";
    let ask = |more: Value| {
        let mut body = json!({"seed": "5a".repeat(32)});
        for (key, value) in more.as_object().expect("fields") {
            body[key] = value.clone();
        }
        post(&house, "/api/attest", &[&auditor], &body)
    };
    let said = ask(json!({})).is(200).json();
    assert_eq!(said["compared"], Value::Null);
    let text = |part: &Value, key: &str| part[key].as_str().expect("text").to_owned();
    let parts = said["parts"].as_array().expect("parts").iter();
    let parts: Vec<AttestedPart> = parts
        .map(|part| AttestedPart {
            part: text(part, "part"),
            sha256: text(part, "sha256"),
            keyed: text(part, "keyed"),
        })
        .collect();
    let approved = sicbo_server::attest::list(&parts);
    let [lab, other] = [[9; 32], [8; 32]].map(|entropy| HouseKey::from_entropy(&entropy));
    let key = VerifierKey::new(name, Algorithm::Ed25519, lab.public()).expect("a key");
    let compared = |list: &str, by: &HouseKey| {
        let note = Note::sign(list, name, by).expect("signed").to_string();
        let asked = json!({"list": note, "key": key.to_string()});
        ask(asked).is(200).json()["compared"].clone()
    };
    let listed = json!({"as_listed": true, "differs": [], "why": null});
    assert_eq!(compared(&approved, &lab), listed);
    let last = &parts.last().expect("the plan").sha256;
    let changed = approved.replace(last, &"0".repeat(64));
    let differs = json!({"as_listed": false, "differs": ["plan"], "why": null});
    assert_eq!(compared(&changed, &lab), differs);
    let forged = compared(&approved, &other);
    assert_eq!(forged["as_listed"], false);
    assert!(
        forged["why"].as_str().expect("why").contains(name),
        "{forged}"
    );
    ask(json!({"list": "x"})).is(422);
    ask(json!({"list": "x", "key": "no key"})).is(422);
    house.ends_clean();
}

#[test]
fn s_16_the_identity_of_the_software_is_attested_and_a_changed_file_alarms() {
    let house = House::quick();
    let auditor = house.staff("auditor");
    let seed = "5a".repeat(32);
    let ask = |seed: &str| post(&house, "/api/attest", &[&auditor], &json!({"seed": seed}));
    let said = ask(&seed).is(200).json();
    let parts: Vec<&str> = said["parts"]
        .as_array()
        .expect("parts")
        .iter()
        .filter_map(|part| part["part"].as_str())
        .collect();
    assert_eq!(parts, ["program", "web-app", "rule-book/mbs-etg", "plan"]);
    assert_eq!(said["changed"], json!([]));
    let other = ask(&"5b".repeat(32)).is(200).json();
    assert_eq!(said["parts"][0]["sha256"], other["parts"][0]["sha256"]);
    assert_ne!(said["parts"][0]["keyed"], other["parts"][0]["keyed"]);
    ask("00").is(422);
    let director = house.staff("director");
    let body = json!({"seed": seed});
    post(&house, "/api/attest", &[&director], &body).is(403);
    counted(&house, &auditor, "event=attested", |_| true, 2);
    // The plan on the disk is changed while the house runs: the next look tells.
    let plan_file = house.folder.path().join("house.toml");
    let text = std::fs::read_to_string(&plan_file).expect("the plan");
    std::fs::write(&plan_file, text.clone() + "# changed\n").expect("changed");
    house.skip(std::time::Duration::from_secs(601));
    let found = lines(&house, &auditor, "severity=alert", |line| {
        line["event"] == "self-check-failed" && line["fields"][0]["text"] == "plan"
    });
    assert!(!found.is_empty());
    assert_eq!(ask(&seed).json()["changed"], json!(["plan"]));
    std::fs::write(&plan_file, text).expect("as it was");
    house.ends_clean();
}

#[test]
fn s_16_a_terminal_with_another_app_is_told_to_load_it_again() {
    // Without an app in the program there is none to compare with, and nothing would be tried.
    let own = sicbo_web::build().expect("run `make web` first: the program has no app");
    let house = House::quick();
    let guard = house.staff("surveillance");
    let mut socket = super::ws::Socket::open(house.line(), "/ws/terminal", &[]).expect("a socket");
    let hello = json!({"type": "hello", "protocol": 1, "token": house.terminal(1),
        "app": "/assets/index-of-last-year.js"});
    socket.text(&hello.to_string());
    let first = ["reload", "welcome"].map(serde_json::Value::from);
    let first = socket.find_any("a welcome", |said| first.contains(&said["type"]));
    assert_eq!(first["type"], "reload", "it was not told");
    // Told or not, it plays: whoever cheats says whatever is wanted.
    socket.until("welcome");
    lines(&house, &guard, "event=app-unknown", |line| {
        line["severity"] == "alert"
    });
    let mut socket = super::ws::Socket::open(house.line(), "/ws/terminal", &[]).expect("a socket");
    let hello = json!({"type": "hello", "protocol": 1, "token": house.terminal(2), "app": own});
    socket.text(&hello.to_string());
    assert_eq!(socket.find("welcome", |_| true)["type"], "welcome");
    house.ends_clean();
}
