//! Reads the tables of a plan: rules, limits, stations and devices.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sicbo_rules::rulebook::words::{Form, TumbleStep};
use sicbo_rules::rulebook::{Known, RuleBookError};
use sicbo_rules::{Currency, Kind, Layout, Money, RuleBook};
use sicbo_table::Config;
use sicbo_table::command::NewStation;
use sicbo_table::config::{Limit, Limits, SecondReading};
use sicbo_table::station::StationKind;

use super::house::{ReadFile, currency};
use super::{Approval, DealerPlan, LightsPlan, PrinterPlan, TablePlan, TumblerPlan, camera, rules};
use sicbo_dealer::Pace;
use sicbo_register::enrolment::TableName;
use sicbo_rules::document::{Node, did_you_mean, short};

/// Most stations that one entry may ask for.
const MAX_AT_ONCE: i64 = 10_000;

pub(super) fn read(node: &Node<'_, '_>, real_money: bool, files: ReadFile<'_>) -> Vec<TablePlan> {
    let mut names = BTreeSet::new();
    let mut tables = Vec::new();
    if !node.has("tables") {
        node.fault("tables", "missing", "give at least one table: [[tables]]");
    }
    for mut entry in node.optional_tables("tables") {
        let text = entry.wanted_text("name", "the table's name");
        let name = text.as_deref().and_then(|text| {
            let name = TableName::new(text);
            if name.is_none() {
                entry.fault(
                    "name",
                    &format!("{:?} cannot be a table's name", short(text)),
                    "use 1 to 48 small letters, digits, hyphens, dots and underscores, not house",
                );
            }
            name
        });
        if let Some(name) = &name {
            entry.rename(format!("tables[{name}]"));
            if name.as_str().starts_with(super::PRACTICE_PREFIX) {
                // P-068: what was practised can never be taken for this house's.
                entry.fault(
                    "name",
                    &format!("{name} is the name of a practice table"),
                    "give a name that does not begin with practice-; for practice use --practice",
                );
            }
            if !names.insert(name.clone()) {
                entry.fault(
                    "name",
                    &format!("there is another table {name}"),
                    "give each table a name of its own",
                );
            }
        }
        let table = table(&entry, name, real_money, files);
        tables.extend(table);
    }
    tables
}

/// Reads everything of one table, and gives up only at the end.
fn table(
    node: &Node<'_, '_>,
    name: Option<TableName>,
    real_money: bool,
    files: ReadFile<'_>,
) -> Option<TablePlan> {
    let approval = approval(node);
    let book = book(node, approval.as_ref(), files);
    let currency = node
        .wanted_text("currency", "the table's one currency, e.g. SGD")
        .and_then(|code| currency(node, "currency", &code));
    let chip_unit = currency.and_then(|currency| {
        node.needs("chip_unit", "the smallest chip");
        node.amount("chip_unit", currency)
    });
    // Known keys also where the currency is not.
    let (_, has_limits) = (node.has("chip_unit"), node.needs("limits", "the limits"));
    let limits = match (currency, chip_unit) {
        (Some(currency), Some(chip)) if has_limits => node
            .optional_table("limits")
            .and_then(|n| limits(&n, currency, chip)),
        _ => None,
    };
    let window: i64 = node.number("window_seconds", 1..=3_600, 20);
    let dice_set = node.wanted_text("dice_set", "the name of the dice in the tumbler");
    let tumble: Option<TumbleStep> = node.optional_word("tumble");
    let second_reading = second_reading(node, currency);
    let void_by_supervisor = node.optional_boolean("void_by_supervisor").unwrap_or(false);
    let stations = stations(node, book.as_deref());
    let dealer = dealer(node);
    let printer = printer(node, files);
    let device_listen = node.address("device_listen");
    let device_tls = node.optional_boolean("device_tls").unwrap_or(false);
    let line = |key: &str| {
        if device_listen.is_none() && !node.has("device_listen") {
            node.fault(
                key,
                "a device on the line, and nowhere for it to connect",
                "give device_listen, e.g. \"10.0.8.1:7001\"",
            );
        }
        device_listen
    };
    let tumbler = match node.choice("tumbler", &["simulated", "manual", "line"]) {
        Some("simulated") => Some(TumblerPlan::Simulated),
        Some("manual") => Some(TumblerPlan::Manual),
        Some(_) => line("tumbler").map(|listen| TumblerPlan::Line { listen }),
        None => {
            node.needs("tumbler", "simulated, manual or line");
            None
        }
    };
    // Three tumbles of a usual machine take several seconds.
    let shortest_tumble_ms: u32 = node.number("shortest_tumble_ms", 0..=60_000, 1_500);
    let dice_reader =
        node.optional_boolean("dice_reader").unwrap_or(false) && line("dice_reader").is_some();
    let lights = match node.choice("lights", &["none", "simulated", "line"]) {
        Some("simulated") => Some(LightsPlan::Simulated),
        Some("line") => line("lights").map(|listen| LightsPlan::Line { listen }),
        Some(_) => Some(LightsPlan::None),
        None => (!node.has("lights")).then_some(LightsPlan::None),
    };
    let camera = camera::read(node, real_money);
    let acceptor = node.choice("note_acceptor", &["none", "simulated"]);
    if matches!(dealer, Some(DealerPlan::Automatic { .. }))
        && tumbler.is_some_and(|tumbler| tumbler != TumblerPlan::Simulated)
    {
        node.fault(
            "dealer",
            "an automatic dealer cannot see real dice",
            "use person, or tumbler = \"simulated\"",
        );
    }
    if real_money {
        let with = rules::Equipment {
            tumbler: tumbler.as_ref(),
            dealer: dealer.as_ref(),
            lights: lights.as_ref(),
            printer: printer.as_ref(),
            device_listen: device_listen.filter(|_| !device_tls),
            note_acceptor: acceptor == Some("simulated"),
            book: book.as_deref(),
        };
        rules::real_money(node, &with);
    }
    let (book, name) = (book?, name?);
    let config = Config {
        name: name.to_string(),
        currency: currency?,
        chip_unit: chip_unit?,
        limits: limits?,
        window_ms: u32::try_from(window * 1_000).ok()?,
        dice_set: dice_set?,
        tumble: tumble.unwrap_or(book.play.usual_tumble.is),
        book,
        second_reading: second_reading?,
        void_by_supervisor,
        real_money,
        program: [0; 32],
    };
    let stations = stations?;
    let mut used: Vec<&Layout> = Vec::new();
    for layout in stations
        .iter()
        .filter_map(|s| config.book.layout(&s.layout))
    {
        if !used.iter().any(|known| known.id == layout.id) {
            used.push(layout);
        }
    }
    for fault in config.faults(&used) {
        node.fault("", &fault, "change the set-up so that the table can open");
    }
    Some(TablePlan {
        name,
        config,
        stations,
        tumbler: tumbler?,
        shortest_tumble_ms,
        dice_reader,
        dealer: dealer?,
        lights: lights?,
        printer: printer?,
        note_acceptor: acceptor == Some("simulated"),
        device_listen,
        device_tls,
        camera,
        approval,
    })
}

fn approval(node: &Node<'_, '_>) -> Option<Approval> {
    let approval = node.optional_table("approval")?;
    approval.needs("effective", "from when the document is in force");
    let version = approval.wanted_text("version", "the version on the title page");
    let effective = approval.optional_date("effective");
    Some(Approval {
        version: version?,
        effective: effective?,
    })
}

fn book(
    node: &Node<'_, '_>,
    approval: Option<&Approval>,
    files: ReadFile<'_>,
) -> Option<Arc<RuleBook>> {
    let name = node.wanted_text("book", "the rule book: one of the five, or a path")?;
    let book = if name.ends_with(".toml") {
        let source = match files(Path::new(&name)) {
            Ok(source) => source,
            Err(why) => {
                node.fault("book", &why, "give the path of a rule book file");
                return None;
            }
        };
        let book = RuleBook::parse(&source).map(Arc::new);
        faultless(node, "book", book)?
    } else if let Some(book) = RuleBook::named(&name) {
        Arc::clone(book)
    } else {
        let known: Vec<&str> = RuleBook::all().iter().map(|book| book.id()).collect();
        let expected = format!(
            "use one of {}, or a path ending in .toml{}",
            known.join(", "),
            did_you_mean(&name, known.iter().copied(), 3)
        );
        let problem = format!("there is no rule book {:?}", short(&name));
        node.fault("book", &problem, &expected);
        return None;
    };
    let Some(approval) = approval else {
        return Some(book);
    };
    let lost = |known: &Known<String>| known.known().is_none();
    if !lost(&book.identity.version) && !lost(&book.identity.effective) {
        node.fault(
            "approval",
            &format!("{name} has its own version and date"),
            "leave [tables.approval] out: it supplies only what a document has lost",
        );
        return Some(book);
    }
    faultless(node, "approval", approved(&book, approval).map(Arc::new))
}

fn faultless<T>(node: &Node<'_, '_>, key: &str, book: Result<T, RuleBookError>) -> Option<T> {
    match book {
        Ok(book) => Some(book),
        Err(RuleBookError::Faults(faults)) => {
            for fault in faults {
                node.fault(
                    key,
                    &format!("in the rule book, {}: {}", fault.place, fault.problem),
                    &fault.expected,
                );
            }
            None
        }
        Err(error) => {
            node.fault(key, &error.to_string(), "see sicbo rules check");
            None
        }
    }
}

/// The book with the title page the operator supplied. The text itself
/// is completed, so that every journal holds what was in force, and its hash
/// is another one from then on.
fn approved(book: &RuleBook, approval: &Approval) -> Result<RuleBook, RuleBookError> {
    let quoted = toml::Value::String(approval.version.clone()).to_string();
    let supplied = |line: &str| {
        let (key, value) = line.split_once('=')?;
        let is = match key.trim() {
            "version" => quoted.clone(),
            // A bare date; the rule book's own reader says what is wrong with another.
            "effective" if plain_date(&approval.effective) => approval.effective.clone(),
            "effective" => toml::Value::String(approval.effective.clone()).to_string(),
            _ => return None,
        };
        let lost = value.trim_start().starts_with("{ lost");
        lost.then(|| {
            format!(
                "{} = {{ is = {is}, rule = \"title\", resolution = \"Q-43\" }}",
                key.trim()
            )
        })
    };
    let mut source = String::new();
    for line in book.source().lines() {
        source.push_str(&supplied(line).unwrap_or_else(|| line.to_owned()));
        source.push('\n');
    }
    RuleBook::parse(&source)
}

fn plain_date(text: &str) -> bool {
    text.parse::<toml::value::Datetime>().is_ok()
}

fn limits(node: &Node<'_, '_>, currency: Currency, chip: Money) -> Option<Limits> {
    let one = |node: &Node<'_, '_>, base: Option<Limit>| {
        let part = |key: &str, otherwise: Option<Money>| {
            if otherwise.is_none() {
                node.needs(key, "an amount in quotes");
            }
            if node.has(key) {
                node.amount(key, currency)
            } else {
                otherwise
            }
        };
        let minimum = part("minimum", base.map(|limit| limit.minimum));
        let maximum = part("maximum", base.map(|limit| limit.maximum));
        let step = part("step", Some(base.map_or(chip, |limit| limit.step)));
        Some(Limit {
            minimum: minimum?,
            maximum: maximum?,
            step: step?,
        })
    };
    let base = one(node, None);
    let whole = |key: &str, what: &str| {
        node.needs(key, what);
        node.amount(key, currency)
    };
    let station = whole(
        "station_maximum",
        "the most one station may stake in a round",
    );
    let exposure = whole("exposure_maximum", "the most the house may lose in a round");
    let mut good = true;
    let by_kind = Kind::ALL.map(|kind| {
        let own = node.optional_table(kind.key()).map(|node| one(&node, base));
        good &= !matches!(own, Some(None));
        own.flatten().or(base)
    });
    let limits = Limits::uniform(base?, station?, exposure?);
    let by_kind = by_kind.map(|limit| limit.unwrap_or(limits.by_kind[0]));
    good.then_some(Limits { by_kind, ..limits })
}

fn second_reading(node: &Node<'_, '_>, currency: Option<Currency>) -> Option<SecondReading> {
    let above = node.has("second_reading_above");
    match node.choice("second_reading", &["never", "always", "above"]) {
        Some("always") => Some(SecondReading::Always),
        Some("above") => {
            node.needs(
                "second_reading_above",
                "the payout above which dice are read twice",
            );
            let limit = node.amount("second_reading_above", currency?)?;
            Some(SecondReading::AbovePayout(limit))
        }
        Some(_) => {
            if above {
                node.fault(
                    "second_reading_above",
                    "without effect",
                    "set second_reading = \"above\" or leave it out",
                );
            }
            Some(SecondReading::Never)
        }
        None if node.has("second_reading") => None,
        None if above => {
            let limit = node.amount("second_reading_above", currency?)?;
            Some(SecondReading::AbovePayout(limit))
        }
        None => Some(SecondReading::Never),
    }
}

fn stations(node: &Node<'_, '_>, book: Option<&RuleBook>) -> Option<Vec<NewStation>> {
    if !node.needs("stations", "at least one: [[tables.stations]]") {
        return None;
    }
    let mut stations: Vec<NewStation> = Vec::new();
    let mut taken = BTreeSet::new();
    let mut good = true;
    for entry in node.optional_tables("stations") {
        let default = book.map_or("terminal", |book| match book.play.form.is {
            Form::Electronic => "terminal",
            Form::Table => "seat",
        });
        let kind = entry.choice("kind", &["terminal", "seat"]);
        let kind = match kind.unwrap_or(default) {
            "seat" => StationKind::Seat,
            _ => StationKind::Terminal,
        };
        let layout = entry.wanted_text("layout", "one of the book's layouts");
        if let (Some(book), Some(layout)) = (book, &layout)
            && book.layout(layout).is_none()
        {
            let known: Vec<&str> = book.layouts.iter().map(|l| l.id.as_str()).collect();
            let expected = format!(
                "use one of {}{}",
                known.join(", "),
                did_you_mean(layout, known.iter().copied(), 3)
            );
            let problem = format!("{} has no layout {:?}", book.id(), short(layout));
            entry.fault("layout", &problem, &expected);
            good = false;
        }
        let names = names(&entry, kind, stations.len());
        let (Some(layout), Some(names)) = (layout, names) else {
            good = false;
            continue;
        };
        for name in names {
            if name.is_empty() || name.len() > 64 {
                let problem = format!("{:?} cannot be a station's name", short(&name));
                entry.fault("names", &problem, "use 1 to 64 bytes");
            } else if !taken.insert(name.clone()) {
                entry.fault(
                    "names",
                    &format!("there is another station {name}"),
                    "give each station of a table a name of its own",
                );
            }
            stations.push(NewStation {
                name,
                kind,
                layout: layout.clone(),
            });
        }
    }
    one_cloth(node, &stations);
    good.then_some(stations)
}

/// The names given, or so many numbered on from those there are.
fn names(entry: &Node<'_, '_>, kind: StationKind, before: usize) -> Option<Vec<String>> {
    let counted = entry.has("count");
    let count: usize = entry.number("count", 1..=MAX_AT_ONCE, 1);
    match entry.all_texts("names") {
        Some(_) if counted => {
            entry.fault("count", "given with names", "give either names or a count");
            None
        }
        Some(names) if names.is_empty() => {
            entry.fault("names", "empty", "name at least one station");
            None
        }
        Some(names) => Some(names),
        None if entry.has("names") => None,
        None => {
            let letter = match kind {
                StationKind::Terminal => 'T',
                StationKind::Seat => 'S',
            };
            let numbers = before + 1..=before + count;
            Some(numbers.map(|number| format!("{letter}{number}")).collect())
        }
    }
}

/// Seats are at one table with one printed layout.
fn one_cloth(node: &Node<'_, '_>, stations: &[NewStation]) {
    let mut seats = stations.iter().filter(|s| s.kind == StationKind::Seat);
    if let Some(first) = seats.next()
        && let Some(other) = seats.find(|seat| seat.layout != first.layout)
    {
        node.fault(
            "stations",
            &format!(
                "seats on layouts {} and {} of one table",
                first.layout, other.layout
            ),
            "a table has one printed layout: give all its seats the same",
        );
    }
}

fn dealer(node: &Node<'_, '_>) -> Option<DealerPlan> {
    let pace = match node.choice("pace", &["usual", "brisk", "none"]) {
        Some("brisk") => Pace::BRISK,
        Some("none") => Pace::NONE,
        _ => Pace::USUAL,
    };
    match node.choice("dealer", &["automatic", "person"]) {
        Some("automatic") => Some(DealerPlan::Automatic { pace }),
        Some(_) => Some(DealerPlan::Person),
        None => {
            node.needs("dealer", "person or automatic");
            None
        }
    }
}

fn printer(node: &Node<'_, '_>, read: ReadFile<'_>) -> Option<PrinterPlan> {
    if !node.needs(
        "printer",
        "where vouchers go, e.g. { tcp = \"127.0.0.1:9100\" }",
    ) {
        return None;
    }
    let printer = node.optional_table("printer")?;
    let folder = printer.optional_text("folder").map(PathBuf::from);
    let file = printer.optional_text("file").map(PathBuf::from);
    let tcp = printer.address("tcp");
    let tls = match printer.has("tls") {
        true => encrypted(&printer, read),
        false => None,
    };
    let given = ["folder", "file", "tcp", "tls"].into_iter();
    match given.filter(|key| printer.has(key)).count() {
        1 => folder
            .map(PrinterPlan::Folder)
            .or(file.map(PrinterPlan::File))
            .or(tcp.map(PrinterPlan::Tcp))
            .or(tls),
        _ => {
            printer.fault("", "not one place", "give one of folder, file, tcp and tls");
            None
        }
    }
}

/// A printer that is spoken with under its own certificate.
fn encrypted(printer: &Node<'_, '_>, read: ReadFile<'_>) -> Option<PrinterPlan> {
    let address = printer.address("tls");
    let name = printer.wanted_text("name", "the name on the printer's certificate");
    let ca = printer.wanted_text("ca", "a PEM file with the authority that signed it");
    let ca = ca.map(PathBuf::from).inspect(|ca| match read(ca) {
        Ok(text) if text.contains("CERTIFICATE") => {}
        Ok(_) => {
            let expected = "give a PEM file";
            printer.fault("ca", "there is no certificate in the file", expected);
        }
        Err(why) => printer.fault("ca", &why, "give a file that can be read"),
    });
    Some(PrinterPlan::Tls {
        address: address?,
        name: name?,
        ca: ca?,
    })
}
