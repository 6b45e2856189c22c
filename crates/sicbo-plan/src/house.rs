//! Reads what belongs to the whole house: site, edge, terms and people.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sicbo_rules::rulebook::words::{Position, Word as _};
use sicbo_rules::{Currency, Money};

use super::fault::{ADVICE, PlanError};
use super::{
    CrowdPlan, HousePlan, LEAST_RETENTION_DAYS, LogInPlan, PlanSource, TerminalQuota, Tls,
    USUAL_RETENTION_DAYS, Unreachable, WitnessPlan, duties, metrics, rules, security, tables, zone,
};
use sicbo_register::duties::looks;
use sicbo_register::person;
use sicbo_register::pin::PinCost;
use sicbo_register::positions::{MAX_NAME, MAX_POSITIONS, NameFault, name_fault, position_at};
use sicbo_rules::document::{Node, Reader, did_you_mean, short};
use sicbo_witness::note::{Algorithm, VerifierKey};
use sicbo_witness::url::WitnessUrl;

pub(super) type ReadFile<'f> = &'f dyn Fn(&Path) -> Result<String, String>;

pub(super) fn parse(source: &str, read: ReadFile<'_>) -> Result<HousePlan, PlanError> {
    let (reader, document) = Reader::parse(source, &ADVICE)
        .map_err(|(line, message)| PlanError::Unreadable { line, message })?;
    let books = RefCell::new(Vec::new());
    let read_and_note = |path: &Path| {
        let text = read(path)?;
        if path.extension().is_some_and(|ending| ending == "toml") {
            books.borrow_mut().push((path.to_owned(), text.clone()));
        }
        Ok(text)
    };
    let mut plan = {
        let node = Node::root(&reader, &document);
        let plan = house(&node, &read_and_note);
        rules::check(&node, &plan);
        let posts = duties::posts(&node, &plan);
        HousePlan { posts, ..plan }
    };
    plan.source = PlanSource {
        text: source.to_owned(),
        file: None,
        books: books.take(),
    };
    match reader.into_faults() {
        none if none.is_empty() => Ok(plan),
        faults => Err(PlanError::Faults(faults)),
    }
}

/// Reads everything, so that every fault is found. What could not be read is
/// filled with what raises no fault of its own.
fn house(node: &Node<'_, '_>, read: ReadFile<'_>) -> HousePlan {
    let site = node.wanted_text("site", "the name of the site, as printed on vouchers");
    if site.as_ref().is_some_and(|site| site.len() > 120) {
        node.fault("site", "too long", "give at most 120 bytes");
    }
    let real_money = node.optional_boolean("real_money").unwrap_or(false);
    let listen = if node.has("listen") {
        node.address("listen").map(|address| address.to_string())
    } else {
        Some("127.0.0.1:8080".to_owned())
    };
    let unknown = || Tls::Files {
        cert: PathBuf::new(),
        key: PathBuf::new(),
        client_ca: None,
    };
    let usual = TerminalQuota::default();
    let above_director = above_director(node);
    HousePlan {
        source: PlanSource::default(),
        site: site.unwrap_or_default(),
        real_money,
        practice: false,
        listen: listen.unwrap_or_else(|| "127.0.0.1:0".to_owned()),
        names: names(node),
        crowd: crowd(node),
        log_in: log_in(node, real_money, &above_director),
        tls: tls(node, read).unwrap_or_else(unknown),
        witness: witness(node, real_money, read),
        security: security::read(node),
        metrics: metrics::read(node, real_money, read),
        log_level: log_level(node),
        zone: zone::read(node),
        reality_check_minutes: node.number("reality_check_minutes", 2..=240, 60),
        idle_log_out_minutes: node.number("idle_log_out_minutes", 1..=720, 15),
        stop_within_seconds: node.number("stop_within_seconds", 0..=600, 60),
        terminal_quota: TerminalQuota {
            acts: node.number("terminal_acts_per_round", 50..=10_000, usual.acts),
            bytes: 1_024
                * node.number(
                    "terminal_kilobytes_per_round",
                    16..=16_384,
                    usual.bytes / 1_024,
                ),
        },
        voucher_days: node.number("voucher_days", 1..=3_650, 90),
        retention_days: node.number(
            "retention_days",
            i64::from(LEAST_RETENTION_DAYS)..=36_500,
            USUAL_RETENTION_DAYS,
        ),
        hand_pay_above: hand_pay_above(node),
        duties: duties::read(node, real_money),
        posts: BTreeMap::new(),
        staff: staff(node, &above_director),
        above_director,
        pin_cost: PinCost::OWASP,
        tables: tables::read(node, real_money, read),
    }
}

fn tls(node: &Node<'_, '_>, read: ReadFile<'_>) -> Option<Tls> {
    let Some(tls) = node.optional_table("tls") else {
        // A key that is there and no table has been reported.
        return (!node.has("tls")).then_some(Tls::None);
    };
    tls.needs("use", "none, proxy, trial or files");
    let file = |key: &str, holds: &str| {
        let path = tls.wanted_text(key, "the path of a PEM file")?;
        pem(&tls, key, &path, holds, read);
        Some(PathBuf::from(path))
    };
    Some(
        match tls.choice("use", &["none", "proxy", "trial", "files"])? {
            "files" => {
                let (cert, key) = (file("cert", "CERTIFICATE"), file("key", "PRIVATE KEY"));
                let wants_ca = tls.has("client_ca");
                let client_ca = wants_ca.then(|| file("client_ca", "CERTIFICATE")).flatten();
                Tls::Files {
                    cert: cert?,
                    key: key?,
                    client_ca,
                }
            }
            "trial" => Tls::Trial,
            "proxy" => Tls::Proxy,
            _ => Tls::None,
        },
    )
}

/// The names under which the house is reached.
fn names(node: &Node<'_, '_>) -> Vec<String> {
    let key = "names";
    let names = node.all_texts(key).unwrap_or_default();
    for name in &names {
        let label = |part: &str| {
            let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            !part.is_empty() && part.len() <= 63 && part.chars().all(letters)
        };
        if name.len() > 253 || !name.split('.').all(label) {
            node.fault(
                key,
                &format!("{:?} is no name of a host", short(name)),
                "give names as browsers write them, in small letters and without port, e.g. \"sicbo.example\"",
            );
        }
    }
    names
}

/// From which level on the log is written.
fn log_level(node: &Node<'_, '_>) -> Option<String> {
    let key = "log_level";
    let words = ["error", "warn", "info", "debug", "trace"];
    let level = node.has(key).then(|| node.choice(key, &words)).flatten();
    level.map(str::to_owned)
}

/// How much one address may take.
fn crowd(node: &Node<'_, '_>) -> CrowdPlan {
    let usual = CrowdPlan::default();
    CrowdPlan {
        connections: node.number("connections_per_address", 16..=18_000, usual.connections),
        requests: node.number("requests_per_address", 20..=100_000, usual.requests),
    }
}

/// What a log-in takes.
fn log_in(node: &Node<'_, '_>, real_money: bool, own: &[String]) -> LogInPlan {
    let usual = LogInPlan {
        pin_again_minutes: if real_money { 15 } else { 0 },
        ..LogInPlan::default()
    };
    let Some(table) = node.optional_table("log_in") else {
        return usual;
    };
    let key = "second_factor";
    let demanded = table.all_texts(key).unwrap_or_default();
    let second_factor = demanded.iter().filter_map(|named| {
        let place = own.iter().position(|name| name == named);
        let position = place.map_or_else(|| Position::from_key(named), position_at);
        if position.is_none() {
            let everywhere = Position::all().iter().filter(|p| !p.is_above_director());
            let known: Vec<&str> = everywhere.map(|position| position.key()).collect();
            let near = did_you_mean(named, known.iter().copied(), 3);
            table.fault(
                key,
                &format!("{:?} is no position", short(named)),
                &format!("use {} or one of above_director{near}", known.join(", ")),
            );
        }
        position
    });
    LogInPlan {
        second_factor: second_factor.collect(),
        longest_session_minutes: table.number(
            "longest_session_minutes",
            5..=1_440,
            usual.longest_session_minutes,
        ),
        pin_again_minutes: table.number("pin_again_minutes", 0..=720, usual.pin_again_minutes),
        pin_days: table.number("pin_days", 0..=3_650, usual.pin_days),
        account_days: table.number("account_days", 0..=3_650, usual.account_days),
    }
}

/// The text of a PEM file that holds such a thing.
pub(super) fn pem(
    node: &Node<'_, '_>,
    key: &str,
    path: &str,
    holds: &str,
    read: ReadFile<'_>,
) -> Option<String> {
    match read(Path::new(path)) {
        Ok(text) if text.contains(holds) => return Some(text),
        Ok(_) => {
            let what = format!("there is no {} in the file", holds.to_lowercase());
            node.fault(key, &what, "give a PEM file");
        }
        Err(why) => node.fault(key, &why, "give a file that can be read"),
    }
    None
}

/// The witness, where the plan has one.
fn witness(node: &Node<'_, '_>, real_money: bool, read: ReadFile<'_>) -> Option<WitnessPlan> {
    let witness = node.optional_table("witness")?;
    let address = witness.wanted_text("url", "where the witness is asked, http:// or https://");
    let url = address.as_deref().and_then(|address| {
        let url = WitnessUrl::parse(address);
        url.map_err(|why| {
            let problem = format!("{:?}: {why}", short(address));
            witness.fault(
                "url",
                &problem,
                "give an address such as https://witness.example",
            );
        })
        .ok()
    });
    // Anybody on the way could say that the house is behind, and keep it shut.
    if real_money && url.as_ref().is_some_and(WitnessUrl::is_open) {
        let problem = "what the witness answers could be changed on its way";
        witness.fault(
            "url",
            problem,
            "give an https:// address, or one on this machine",
        );
    }
    let key = witness.wanted_text("key", "the witness's key, as `sicbo witness key` prints it");
    let key = key.and_then(|text| match VerifierKey::parse(&text) {
        Ok(key) if key.algorithm() == Algorithm::CosignatureV1 => Some(key),
        Ok(_) => {
            let expected = "give the witness's own key, as `sicbo witness key` prints it";
            witness.fault("key", "this is a log's key, not a witness's", expected);
            None
        }
        Err(error) => {
            let expected = "give the whole line that `sicbo witness key` prints";
            witness.fault("key", &error.to_string(), expected);
            None
        }
    });
    let ca = match witness.has("ca") {
        true => {
            let path = witness.wanted_text("ca", "the path of a PEM file");
            path.and_then(|path| pem(&witness, "ca", &path, "CERTIFICATE", read))
        }
        false => None,
    };
    let unreachable = match witness.has("unreachable") {
        true => witness.choice("unreachable", &["play", "wait"]),
        false => Some("play"),
    };
    let alarm_after_s = witness.number("alarm_after_s", 10..=86_400, 300);
    Some(WitnessPlan {
        url: url?,
        address: address?,
        key: key?,
        ca,
        unreachable: match unreachable? {
            "wait" => Unreachable::Wait,
            _ => Unreachable::Play,
        },
        alarm_after_s,
    })
}

/// A currency that can be named by its code alone.
pub(super) fn currency(node: &Node<'_, '_>, key: &str, code: &str) -> Option<Currency> {
    let currency = Currency::from_code(code);
    if currency.is_none() {
        let known = Currency::KNOWN;
        let known: Vec<&str> = known.iter().map(Currency::code).collect();
        let given = short(code);
        let near = known
            .iter()
            .find(|known| known.eq_ignore_ascii_case(code))
            .map_or_else(
                || did_you_mean(&given, known.iter().copied(), 3),
                |known| format!("; did you mean {known}?"),
            );
        let expected = format!("use one of {}{near}", known.join(", "));
        node.fault(key, &format!("{given:?} is no currency here"), &expected);
    }
    currency
}

fn hand_pay_above(node: &Node<'_, '_>) -> Vec<(Currency, Money)> {
    let Some(bounds) = node.optional_table("hand_pay_above") else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for code in bounds.keys() {
        bounds.has(&code);
        let Some(currency) = currency(&bounds, &code, &code) else {
            continue;
        };
        match bounds.amount(&code, currency) {
            Some(amount) if amount.is_positive() => all.push((currency, amount)),
            Some(_) => bounds.fault(
                &code,
                "nothing",
                "give the largest voucher that is printed; above it an attendant pays",
            ),
            None => {}
        }
    }
    all
}

/// The names of the house's own positions above the director, lowest first. A
/// faulty one keeps its place, so that those after it mean what they say.
fn above_director(node: &Node<'_, '_>) -> Vec<String> {
    let key = "above_director";
    let mut names = node.all_texts(key).unwrap_or_default();
    for (at, name) in names.iter().enumerate() {
        let given = short(name);
        match name_fault(name, &names[..at]) {
            None => {}
            Some(NameFault::Unreadable) => node.fault(
                key,
                &format!("{given:?} is no name of a position"),
                &format!("give 2 to {MAX_NAME} letters, digits, spaces and , . - & / ( )"),
            ),
            Some(NameFault::BuiltIn(position)) => node.fault(
                key,
                &format!("{given:?} is the position {position}, which every house has"),
                "name only positions above the director",
            ),
            Some(NameFault::Twice) => node.fault(
                key,
                &format!("{given:?} is there twice"),
                "name each position once, lowest first",
            ),
        }
    }
    if names.len() > MAX_POSITIONS {
        node.fault(
            key,
            &format!("{} positions", names.len()),
            &format!("name at most {MAX_POSITIONS} above the director"),
        );
        names.truncate(MAX_POSITIONS);
    }
    names
}

/// The position a person holds: one that every house has, by its word, or one
/// of the house's own, by its name.
fn position(entry: &Node<'_, '_>, own: &[String]) -> Option<Position> {
    let everywhere = Position::all().iter().filter(|p| !p.is_above_director());
    let choices: Vec<&str> = everywhere
        .map(|position| position.key())
        .chain(own.iter().map(String::as_str))
        .collect();
    let chosen = entry.choice("position", &choices)?;
    let place = own.iter().position(|name| name == chosen);
    place.map_or_else(|| Position::from_key(chosen), position_at)
}

fn staff(node: &Node<'_, '_>, own: &[String]) -> Vec<(String, Position)> {
    let mut staff: Vec<(String, Position)> = Vec::new();
    for entry in node.optional_tables("staff") {
        let name = entry.wanted_text("name", "the name of a person");
        entry.needs("position", "the position they hold");
        // Read once the tables are known.
        let _ = (entry.has("tables"), entry.has("windows"));
        let position = position(&entry, own);
        let Some(name) = name else {
            continue;
        };
        let known = |other: &(String, Position)| person::folded(&other.0) == person::folded(&name);
        if person::is_generic(&name) {
            // S-18: no account that belongs to nobody in particular.
            entry.fault(
                "name",
                &format!("{name:?} is nobody's name"),
                "name the person; there are no shared accounts",
            );
        } else if !person::is_name(&name) {
            entry.fault(
                "name",
                &format!("{:?} is no name", short(&name)),
                "give 2 to 60 letters, digits, spaces, dots, hyphens and apostrophes",
            );
        } else if staff.iter().any(known) {
            entry.fault(
                "name",
                &format!("{name:?} is there twice"),
                "name each person once, with something that tells them apart",
            );
        } else if let Some((other, _)) =
            staff.iter().find(|(other, _)| looks(other) == looks(&name))
        {
            entry.fault(
                "name",
                &format!("{name:?} looks like {other:?}"),
                "name each person so that nobody is taken for another",
            );
        } else if let Some(position) = position {
            staff.push((name, position));
        }
    }
    staff
}
