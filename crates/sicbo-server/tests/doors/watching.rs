//! What watches a house: its log, its figures, and the rules and charts made of them.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::net::TcpStream;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use sicbo_server::secrets::write_private;
use tempfile::TempDir;

use super::house::{House, TABLE, own_pin, plan, written};
use super::http::{Answer, ask_on, get, post, request};
use super::rollback::witnessed_house;
use super::tls::{Own, authority, certified, certify, encrypted};
use super::vouchers::{cashes_out, digits, issue, redeem};
use crate::common::program::{LOG_AS, Program};
use crate::common::{SOON, comes};

const TOKEN: &str = "a-token-of-the-test-house";

/// A line to the address of figures that the house said it has.
fn line(house: &House) -> TcpStream {
    let mut said = house.program.said.iter();
    let at = said.find_map(|line| line.split_once("figures on "));
    let (_, at) = at.expect("it says where figures are");
    let at = at.split_once("://").expect("a scheme").1;
    TcpStream::connect(at.split('/').next().expect("an address")).expect("a line")
}

fn planned(folder: &Path, metrics: &str) {
    write_private(&folder.join("metrics.token"), TOKEN.as_bytes()).expect("a token");
    let text = format!("{}\n[metrics]\n{metrics}\n", plan(""));
    std::fs::write(folder.join("house.toml"), text).expect("the plan");
}

#[test]
fn figures_have_an_address_of_their_own_and_a_token_that_can_be_changed() {
    let folder = TempDir::new().expect("a folder");
    planned(
        folder.path(),
        "listen = \"127.0.0.1:0\"\ntoken_file = \"metrics.token\"",
    );
    let house = House::start(folder);
    let asks = |path: &str, token: Option<&str>| {
        let header = token.map(|token| format!("Authorization: Bearer {token}"));
        let headers: Vec<&str> = header.as_deref().into_iter().collect();
        ask_on(&mut line(&house), &request("GET", path, &headers, None))
    };
    let said = asks("/metrics", Some(TOKEN)).is(200);
    assert!(said.body.contains("sicbo_build_info{"), "{}", said.body);
    asks("/health/ready", Some(TOKEN)).is(204);
    for wrong in [
        None,
        Some(""),
        Some("a-token"),
        Some("a-token-of-the-test-hous3"),
    ] {
        asks("/metrics", wrong).is(401);
        asks("/health", wrong).is(401);
    }
    // Nothing else of the house is there.
    for other in [
        "/",
        "/api/house",
        "/api/session",
        "/ws/pit",
        "/openapi.json",
    ] {
        asks(other, Some(TOKEN)).is(404);
    }
    let next = "another-token-of-the-house";
    let file = house.folder.path().join("metrics.token");
    std::fs::remove_file(&file).expect("gone");
    asks("/metrics", Some(TOKEN)).is(401);
    write_private(&file, next.as_bytes()).expect("a token");
    asks("/metrics", Some(TOKEN)).is(401);
    asks("/metrics", Some(next)).is(200);
    house.ends_clean();
}

#[test]
fn figures_are_given_to_a_certificate_of_the_plans_authority_only() {
    let folder = TempDir::new().expect("a folder");
    let root = certify(folder.path());
    let authority = authority(&folder.path().join("watchers.pem"));
    planned(
        folder.path(),
        "listen = \"127.0.0.1:0\"\ncert = \"house.pem\"\nkey = \"house.key\"\nclient_ca = \"watchers.pem\"",
    );
    let house = House::start(folder);
    let asks = |own: Option<Own>| -> Answer {
        let mut line = encrypted(line(&house), Some(root.clone()), own);
        ask_on(&mut line, &request("GET", "/metrics", &[], None))
    };
    let said = asks(Some(certified(&authority, "prometheus".to_owned()))).is(200);
    let expiry = "sicbo_certificate_expiry_timestamp_seconds{of=\"metrics\"}";
    assert!(said.body.contains(expiry), "{}", said.body);
    asks(None).refuses(401, "certificate_needed");
    house.ends_clean();
}

/// Lines of the log as they are, without when they were written.
fn lines(house: &House) -> Vec<Value> {
    let log = house.program.log();
    let lines = log.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line)
            .unwrap_or_else(|error| panic!("{error}: no line of JSON: {line}"));
        let fields = line.as_object_mut().expect("an object");
        assert!(fields.remove("timestamp").is_some());
        line
    });
    lines.collect()
}

fn logged(house: &House, message: &str) -> Option<Value> {
    let mut all = lines(house).into_iter();
    all.find(|line| line["message"] == message)
}

#[test]
fn s_20_a_log_tells_start_log_ins_requests_and_stop_and_never_a_secret() {
    let folder = written(&plan(""));
    std::fs::write(folder.path().join(LOG_AS), "json trace").expect("how to log");
    let house = House::start(folder);
    let began = logged(&house, "the house has started").expect("a start");
    assert_eq!(began["level"], "INFO");
    assert_eq!(began["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(began["tables"], 1);
    for digest in ["program", "fingerprint"] {
        assert_eq!(began[digest].as_str().map(str::len), Some(64), "{began}");
    }
    // Everything a secret can go through: wrong and right PINs, tokens, a voucher's number.
    let mut secrets: Vec<String> = house.secrets().cloned().collect();
    let wrong = "918273";
    for _ in 0..3 {
        house.log_in("Goh Boon Keng", wrong).is(401);
    }
    let session = house.session("Chua Mei Fong");
    let voucher = issue(&house, 1, 2_000);
    let paper = digits(&house, 1, voucher);
    let paid = redeem(&house, &session, 1, &paper, Value::Null).is(200);
    let id = paid.header("x-request-id").expect("a number").to_owned();
    post(
        &house,
        "/api/session",
        &[],
        &json!({"name": "typed-by-mistake", "pin": "1"}),
    );
    let failed = comes("the failures are logged", || {
        logged(&house, "log-ins failed")
    });
    assert_eq!(
        (&failed["level"], &failed["kind"]),
        (&json!("WARN"), &json!("log-in-failed"))
    );
    assert!(failed["address"].is_string(), "{failed}");
    let all = lines(&house);
    let by_id: Vec<&Value> = all
        .iter()
        .filter(|line| line["span"]["id"] == *id)
        .collect();
    let answered = by_id.iter().any(|line| {
        line["message"] == "answered"
            && line["status"] == 200
            && line["span"]["route"] == "/api/cage/redemptions"
    });
    assert!(answered, "{id}: {by_id:?}");
    house.closes_bets();
    let round = comes("a round is told of", || {
        logged(&house, "the round was settled")
    });
    assert!(
        round["round"].is_u64() && round["table"] == TABLE,
        "{round}"
    );

    secrets.extend([wrong.to_owned(), paper.clone(), own_pin("Chua Mei Fong")]);
    let cookie = session.split_once('=').expect("a cookie").1;
    secrets.extend([cookie.to_owned(), "typed-by-mistake".to_owned()]);
    let (status, folder) = house.stop();
    assert!(status.success());
    let log = std::fs::read_to_string(folder.path().join("log.txt")).expect("its log");
    let mut words = BTreeSet::new();
    for line in log.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let fields = line.as_object().expect("an object").iter();
        for (_, value) in fields.filter(|(name, _)| *name != "timestamp") {
            let text = value.to_string();
            let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '-'));
            words.extend(parts.map(|part| part.replace('-', "")));
        }
    }
    for secret in &secrets {
        let plain = secret.replace('-', "");
        assert!(!words.contains(&plain), "{secret} is in the log");
        // Those too long to be there by chance are not part of another word either.
        assert!(
            plain.len() < 12 || !log.contains(secret.as_str()),
            "{secret}"
        );
    }
    assert!(log.contains("the house was told to stop"));
    assert!(log.contains("the house has stopped"));
}

fn monitoring() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/monitoring")
}

fn promtool(arguments: &[&str], input: Option<&str>) {
    let mut promtool = Command::new("promtool");
    promtool.args(arguments).current_dir(monitoring());
    promtool
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = promtool
        .spawn()
        .expect("promtool: `scripts/setup watch` installs it");
    let mut stdin = child.stdin.take().expect("piped");
    stdin
        .write_all(input.unwrap_or_default().as_bytes())
        .expect("read");
    drop(stdin);
    let said = child.wait_with_output().expect("ended");
    let words = String::from_utf8_lossy(&said.stdout) + String::from_utf8_lossy(&said.stderr);
    assert!(said.status.success(), "promtool {arguments:?}: {words}");
}

/// Words of a text that name figures of the house.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words
        .filter(|word| word.starts_with("sicbo_"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn alert_rules_and_charts_are_sound_and_name_what_a_house_gives() {
    promtool(&["check", "rules", "alerts.yml"], None);
    promtool(&["test", "rules", "alerts-test.yml"], None);
    let rules = std::fs::read_to_string(monitoring().join("alerts.yml")).expect("the rules");
    let board = std::fs::read_to_string(monitoring().join("dashboard.json")).expect("the charts");
    let board: Value = serde_json::from_str(&board).expect("JSON");
    let panels = board["panels"].as_array().expect("panels");
    let targets = panels
        .iter()
        .filter_map(|panel| panel["targets"].as_array());
    let charts: Vec<&str> = targets
        .flatten()
        .filter_map(|target| target["expr"].as_str())
        .collect();
    assert!(charts.len() >= 20, "{} charts", charts.len());
    let mut wanted = named(&rules);
    wanted.extend(charts.iter().flat_map(|chart| named(chart)));

    // A house with everything that is watched: a witness, certificates, a device on a line.
    let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let lights = format!(
        "device_listen = \"{}\"\nlights = \"line\"",
        port.local_addr().expect("its address")
    );
    drop(port);
    let text = plan("").replace("lights = \"none\"", &lights);
    let (folder, served) = witnessed_house(&text, "play");
    let root = certify(folder.path());
    let file = folder.path().join("house.toml");
    let text = std::fs::read_to_string(&file).expect("the plan")
        + "\n[tls]\nuse = \"files\"\ncert = \"house.pem\"\nkey = \"house.key\"\n\
           [metrics]\nlisten = \"127.0.0.1:0\"\n";
    std::fs::write(&file, text).expect("the plan");
    let house = House::start(folder);
    let figures = || {
        ask_on(&mut line(&house), &request("GET", "/metrics", &[], None))
            .is(200)
            .body
    };
    let text = comes("a cosignature", || {
        let text = figures();
        text.contains("sicbo_witness_cosigned_age_seconds")
            .then_some(text)
    });
    promtool(&["check", "metrics"], Some(&text));
    let given: BTreeSet<String> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split(['{', ' ']).next())
        .map(str::to_owned)
        .collect();
    let missing: Vec<&String> = wanted.difference(&given).collect();
    assert!(
        missing.is_empty(),
        "{missing:?} of rules and charts are not in {given:?}"
    );
    assert!(text.contains("sicbo_device_connected{table=\"mbs-etg\",device=\"lights\"} 0"));
    assert!(text.contains("sicbo_certificate_expiry_timestamp_seconds{of=\"house\"}"));
    let mut line = encrypted(house.line(), Some(root), None);
    ask_on(&mut line, &request("GET", "/health/live", &[], None)).is(204);
    drop((house, served));
    // Labels that rules choose by are those the house gives.
    for label in [
        "quantile=\"0.99\"",
        "kind=\"log-in-failed\"",
        "end=\"void\"",
    ] {
        assert!(text.contains(label), "{label}");
    }
}

#[test]
fn a_ticket_that_does_not_come_out_is_counted_and_logged() {
    // A printer that nobody answers for.
    let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let at = port.local_addr().expect("its address");
    drop(port);
    let text = plan("").replace(
        "{ folder = \"vouchers\" }",
        &format!("{{ tcp = \"{at}\" }}"),
    );
    let house = House::of(&text);
    let figures = |house: &House| get(house, "/metrics", &[]).is(200).body;
    assert!(figures(&house).contains("sicbo_printer_ready{table=\"mbs-etg\"} 1"));
    let _socket = cashes_out(&house, 1, 2_000);
    comes("the printer is known to fail", || {
        let text = figures(&house);
        text.contains("sicbo_printer_ready{table=\"mbs-etg\"} 0")
            .then_some(())
    });
    let text = figures(&house);
    assert!(
        text.contains("sicbo_tickets_total{table=\"mbs-etg\",end=\"failed\"} 1"),
        "{text}"
    );
    assert!(house.program.log().contains("a ticket was not printed"));
    house.ends_clean();
}

#[test]
fn the_service_manager_is_told_when_the_house_is_up_and_when_it_stops() {
    let folder = written(&plan(""));
    let manager = UnixDatagram::bind(folder.path().join(Program::MANAGER)).expect("a socket");
    manager.set_read_timeout(Some(SOON)).expect("set");
    let hears = || {
        let mut buffer = [0; 512];
        let length = manager.recv(&mut buffer).expect("it is told");
        String::from_utf8_lossy(&buffer[..length]).into_owned()
    };
    let house = House::start(folder);
    let said = hears();
    let ready = format!("READY=1\nSTATUS=1 tables at http://{}", house.address);
    assert_eq!(said.trim_end(), ready);
    let (status, _folder) = house.stop();
    assert!(status.success());
    assert!(hears().starts_with("STOPPING=1"));
}
