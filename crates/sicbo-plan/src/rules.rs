//! What a whole plan must satisfy: above all, that money is played for only
//! with real equipment, named people and an approved document.

use std::net::SocketAddr;

use sicbo_rules::RuleBook;
use sicbo_rules::rulebook::words::{Position, Word};

use super::{DealerPlan, HousePlan, LightsPlan, PrinterPlan, TablePlan, Tls, TumblerPlan, camera};
use sicbo_dealer::positions;
use sicbo_register::person::{folded, manages_people};
use sicbo_rules::document::Node;

pub(super) fn check(node: &Node<'_, '_>, plan: &HousePlan) {
    let managers: Vec<&str> = Position::all()
        .iter()
        .filter(|position| manages_people(**position))
        .map(|position| position.key())
        .collect();
    if !plan
        .staff
        .iter()
        .any(|(_, position)| manages_people(*position))
    {
        node.fault(
            "staff",
            "nobody may manage people",
            &format!("name at least one {}", managers.join(" or ")),
        );
    }
    let by_person = |table: &TablePlan| table.dealer == DealerPlan::Person;
    let deals = |(_, position): &(String, Position)| *position == Position::Dealer;
    if plan.tables.iter().any(by_person) && !plan.staff.iter().any(deals) {
        node.fault(
            "staff",
            "tables are dealt by persons and nobody is a dealer",
            "name at least one with position = \"dealer\"",
        );
    }
    for (entry, table) in by_name(node, plan) {
        camera::check(&entry, plan, table.camera.as_ref());
        if let DealerPlan::Automatic { .. } = table.dealer {
            let held = |needed: &Position| plan.staff.iter().any(|(_, held)| held == needed);
            let all = positions(&table.config.book).into_iter();
            let missing: Vec<&str> = all.filter(|p| !held(p)).map(Word::key).collect();
            if !missing.is_empty() {
                entry.fault(
                    "dealer",
                    &format!("automatic, and nobody holds {}", missing.join(", ")),
                    "name somebody for each: the dealer acts in the names of people",
                );
            }
        }
    }
    titles(node, plan);
    addresses(node, plan);
    if plan.real_money {
        edge(node, plan);
    }
}

/// No position above the director bears a title by which a document of the house
/// means another.
fn titles(node: &Node<'_, '_>, plan: &HousePlan) {
    for name in &plan.above_director {
        let books = plan.tables.iter().map(|table| &table.config.book);
        let mut titles =
            books.flat_map(|book| book.authority.titles.iter().map(move |t| (book, t)));
        let same = titles.find(|(_, title)| folded(&title.title.is) == folded(name));
        if let Some((book, title)) = same {
            node.fault(
                "above_director",
                &format!("{name:?}: {} calls its {} so", book.id(), title.position),
                "name only positions above the director",
            );
        }
    }
}

/// The tables that could be read, each with its place in the file.
fn by_name<'r, 'a, 'p>(
    node: &'r Node<'r, 'a>,
    plan: &'p HousePlan,
) -> Vec<(Node<'r, 'a>, &'p TablePlan)> {
    let mut found = Vec::new();
    for mut entry in node.optional_tables("tables") {
        entry.all_known();
        let name = entry.optional_text("name");
        let table = name.and_then(|name| {
            let mut tables = plan.tables.iter();
            tables.find(|table| table.name.as_str() == name)
        });
        if let Some(table) = table {
            entry.rename(format!("tables[{}]", table.name));
            found.push((entry, table));
        }
    }
    found
}

/// No two listen at one place.
fn addresses(node: &Node<'_, '_>, plan: &HousePlan) {
    let mut taken: Vec<(SocketAddr, String)> = Vec::new();
    if let Ok(listen) = plan.listen.parse::<SocketAddr>() {
        taken.push((listen, "the house's own listen".to_owned()));
    }
    for (entry, table) in by_name(node, plan) {
        let Some(listen) = table.device_listen else {
            continue;
        };
        let same = |(other, _): &&(SocketAddr, String)| {
            let anywhere = other.ip().is_unspecified() || listen.ip().is_unspecified();
            other.port() == listen.port() && (other.ip() == listen.ip() || anywhere)
        };
        if listen.port() != 0
            && let Some((_, whose)) = taken.iter().find(same)
        {
            entry.fault(
                "device_listen",
                &format!("{listen} is taken by {whose}"),
                "give each a port of its own",
            );
        }
        if table.device_tls && !matches!(plan.tls, Tls::Files { .. }) {
            entry.fault(
                "device_tls",
                "there is no certificate to encrypt the line with",
                "give [tls] use = \"files\" with cert and key",
            );
        }
        taken.push((listen, format!("table {}", table.name)));
    }
}

/// A house for real money is encrypted unless nobody else can listen.
fn edge(node: &Node<'_, '_>, plan: &HousePlan) {
    let listen = plan.listen.parse::<SocketAddr>();
    let loopback = listen.is_ok_and(|address| address.ip().is_loopback());
    if !loopback && !matches!(plan.tls, Tls::Files { .. }) {
        node.fault(
            "tls",
            &format!("real money, and {} is open to the network", plan.listen),
            "give [tls] use = \"files\" with cert and key, or listen on 127.0.0.1",
        );
    }
}

/// What a table is played with, as far as it could be read.
pub(super) struct Equipment<'t> {
    pub(super) tumbler: Option<&'t TumblerPlan>,
    pub(super) dealer: Option<&'t DealerPlan>,
    pub(super) lights: Option<&'t LightsPlan>,
    pub(super) printer: Option<&'t PrinterPlan>,
    /// Where devices connect in the clear.
    pub(super) device_listen: Option<SocketAddr>,
    pub(super) note_acceptor: bool,
    pub(super) book: Option<&'t RuleBook>,
}

/// Real money is played for with real equipment, dealt by people, under an
/// approved document.
pub(super) fn real_money(entry: &Node<'_, '_>, with: &Equipment<'_>) {
    let refuse = |wrong: bool, key: &str, problem: &str, expected: &str| {
        if wrong {
            entry.fault(key, &format!("real money, and {problem}"), expected);
        }
    };
    refuse(
        with.tumbler == Some(&TumblerPlan::Simulated),
        "tumbler",
        "the tumbler is simulated",
        "use manual or line",
    );
    refuse(
        matches!(with.dealer, Some(DealerPlan::Automatic { .. })),
        "dealer",
        "the dealer is automatic",
        "use person",
    );
    refuse(
        with.lights == Some(&LightsPlan::Simulated),
        "lights",
        "the lights are simulated",
        "use line, or none where the dealer reports them",
    );
    refuse(
        matches!(with.printer, Some(PrinterPlan::Folder(_))),
        "printer",
        "vouchers are written to a folder",
        "give the printer: { tls = … } or { file = … }",
    );
    // Whoever is on the same network could read and change what is said there.
    let open = |address: &SocketAddr| !address.ip().is_loopback();
    refuse(
        matches!(with.printer, Some(PrinterPlan::Tcp(address)) if open(address)),
        "printer",
        "vouchers cross the network in the clear",
        "use { tls = …, name = …, ca = … }, a device file, or a tunnel on 127.0.0.1",
    );
    refuse(
        with.device_listen.as_ref().is_some_and(open),
        "device_listen",
        "devices are heard over the network in the clear",
        "give device_tls = true with [tls] use = \"files\", or listen on 127.0.0.1",
    );
    refuse(
        with.note_acceptor,
        "note_acceptor",
        "the note acceptor is simulated",
        "leave it out; credit comes from the cage",
    );
    // no document is played for money of which nobody knows which it is.
    // One that prints a date and no version is known by its date.
    let lost = with.book.filter(|book| {
        let identity = &book.identity;
        identity.version.known().is_none() && identity.effective.known().is_none()
    });
    if let Some(book) = lost {
        refuse(
            true,
            "book",
            &format!("the version and date of {} are lost (Q-43)", book.id()),
            "supply them from your own copy: [tables.approval] version = \"…\", effective = 2024-05-01",
        );
    }
}
