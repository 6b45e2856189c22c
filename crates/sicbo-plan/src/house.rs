//! Reads what belongs to the whole house: site, edge, terms and people.

use std::path::{Path, PathBuf};

use sicbo_rules::rulebook::words::{Position, Word as _};
use sicbo_rules::{Currency, Money};

use super::fault::{ADVICE, PlanError};
use super::{
    HousePlan, LEAST_RETENTION_DAYS, TerminalQuota, Tls, USUAL_RETENTION_DAYS, rules, tables, zone,
};
use sicbo_register::person;
use sicbo_register::pin::PinCost;
use sicbo_register::positions::{MAX_NAME, MAX_POSITIONS, NameFault, name_fault, position_at};
use sicbo_rules::document::{Node, Reader, did_you_mean, short};

pub(super) type ReadFile<'f> = &'f dyn Fn(&Path) -> Result<String, String>;

pub(super) fn parse(source: &str, read: ReadFile<'_>) -> Result<HousePlan, PlanError> {
    let (reader, document) = Reader::parse(source, &ADVICE)
        .map_err(|(line, message)| PlanError::Unreadable { line, message })?;
    let plan = {
        let node = Node::root(&reader, &document);
        let plan = house(&node, read);
        rules::check(&node, &plan);
        plan
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
    };
    let usual = TerminalQuota::default();
    let above_director = above_director(node);
    HousePlan {
        site: site.unwrap_or_default(),
        real_money,
        practice: false,
        listen: listen.unwrap_or_else(|| "127.0.0.1:0".to_owned()),
        tls: tls(node, read).unwrap_or_else(unknown),
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
    tls.needs("use", "none, trial or files");
    let file = |key: &str, holds: &str| {
        let path = PathBuf::from(tls.wanted_text(key, "the path of a PEM file")?);
        match read(&path) {
            Ok(text) if text.contains(holds) => {}
            Ok(_) => tls.fault(
                key,
                &format!("there is no {} in the file", holds.to_lowercase()),
                "give a PEM file",
            ),
            Err(why) => tls.fault(key, &why, "give a file that can be read"),
        }
        Some(path)
    };
    Some(match tls.choice("use", &["none", "trial", "files"])? {
        "files" => {
            let (cert, key) = (file("cert", "CERTIFICATE"), file("key", "PRIVATE KEY"));
            Tls::Files {
                cert: cert?,
                key: key?,
            }
        }
        "trial" => Tls::Trial,
        _ => Tls::None,
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
        } else if let Some(position) = position {
            staff.push((name, position));
        }
    }
    staff
}
