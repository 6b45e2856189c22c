//! Who may have done it: every record of a table names somebody whom the
//! documents let do it. The list is `authority.txt`, written from the documents;
//! none of the code that decides is used.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use sicbo_auditor::heard::Person;
use sicbo_auditor::person;
use sicbo_rules::rulebook::words::Word as _;
use sicbo_table::actor::{Actor, Device, Staff};
use sicbo_table::ids::StationId;
use sicbo_table::{Event, Fact};

use super::super::story::words;

const LIST: &str = include_str!("authority.txt");

/// The positions of a pit from below, with those a house names above the director.
const LADDER: [&str; 9] = [
    "dealer",
    "pit-supervisor",
    "pit-manager",
    "shift-manager",
    "director",
    "above-director-1",
    "above-director-2",
    "above-director-3",
    "above-director-4",
];

/// Instead of who may: the auditor judges it, or the ladder below.
const ELSEWHERE: &str = "judged";

/// Books that are played with chips; the others at terminals.
const CHIPS: [&str; 2] = ["mbs-table", "quang-nam-table"];

struct Row {
    /// `etg`, `chips`, a book, or nothing for all.
    books: &'static str,
    who: Vec<&'static str>,
    /// By which rule.
    rule: &'static str,
}

static ROWS: LazyLock<BTreeMap<&'static str, Vec<Row>>> = LazyLock::new(|| {
    let mut rows: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
    let lines = LIST.lines().filter(|line| !line.starts_with('#'));
    for line in lines {
        let (may, rule) = line.split_once(" -- ").unwrap_or((line, ""));
        let Some((what, who)) = may.split_once(": ") else {
            continue;
        };
        let (fact, books) = what.split_once(' ').unwrap_or((what, ""));
        let who = who.split(", ").collect();
        rows.entry(fact).or_default().push(Row { books, who, rule });
    }
    rows
});

/// What is kept in mind of one table.
#[derive(Default)]
pub(in super::super) struct Authority {
    book: String,
    next_book: Option<String>,
    acting: BTreeSet<(u32, &'static str)>,
    /// Two persons whose reading the last record was.
    agreed: Option<(Actor, Option<Staff>)>,
    /// Who moved money that waits to be counted, by entry.
    pub(in super::super) fault: Option<String>,
}

impl Authority {
    /// The next record of the table, by the name of its kind.
    pub(in super::super) fn enter(&mut self, sequence: u64, kind: &str, event: &Event) {
        if let Some(wrong) = self.objection(kind, event)
            && self.fault.is_none()
        {
            let by = match event.by {
                Actor::Staff(by) => told(by),
                Actor::House => "the house".to_owned(),
                Actor::Station(at) => format!("station {}", at.0),
                Actor::Device(_) => "a device".to_owned(),
            };
            let second = event.second.map(|second| format!(" with {}", told(second)));
            let second = second.unwrap_or_default();
            self.fault = Some(format!("record {sequence}: {wrong}: by {by}{second}"));
        }
        self.follow(event);
    }

    fn follow(&mut self, event: &Event) {
        let agreed = matches!(event.fact, Fact::ReadingsAgreed { .. });
        self.agreed = agreed.then_some((event.by, event.second));
        match &event.fact {
            Fact::TableOpened { config, .. } => {
                self.book = config.book.id().to_owned();
                self.next_book = None;
            }
            Fact::RuleBookScheduled { book } => self.next_book = Some(book.id().to_owned()),
            Fact::RoundBegan { .. } => {
                if let Some(book) = self.next_book.take() {
                    self.book = book;
                }
            }
            Fact::ActingAssigned { person, position } => {
                self.acting.insert((person.0, position.key()));
            }
            Fact::ActingEnded { person, position } => {
                self.acting.remove(&(person.0, position.key()));
            }
            _ => {}
        }
    }

    /// The book that is in force for what this record does.
    pub(in super::super) fn book(&self, event: &Event) -> String {
        match &event.fact {
            Fact::TableOpened { config, .. } => config.book.id().to_owned(),
            _ => self.book.clone(),
        }
    }

    fn objection(&self, kind: &str, event: &Event) -> Option<String> {
        let book = self.book(event);
        let may = |words: &[&str]| words.iter().any(|word| self.is(word, &book, event));
        match &event.fact {
            // Dealers and supervisors are assigned by a supervisor or above, everybody else by
            // who holds the position or stands above it.
            Fact::ActingAssigned { position, .. } | Fact::ActingEnded { position, .. } => {
                let needed = match position.key() {
                    "dealer" => "pit-supervisor+".to_owned(),
                    position => format!("{position}+"),
                };
                let position = position.key();
                (!may(&[&needed])).then(|| format!("{kind} {position} was not theirs (R-014)"))
            }
            // What two persons read together is the result by their word (P-022, P-031).
            Fact::ResultConfirmed { .. } if self.agreed == Some((event.by, event.second)) => None,
            _ => {
                let form = match CHIPS.contains(&book.as_str()) {
                    true => "chips",
                    false => "etg",
                };
                let rows = ROWS.get(kind).map_or(&[][..], Vec::as_slice);
                let mut rows = rows
                    .iter()
                    .filter(|row| ["", form, book.as_str()].contains(&row.books));
                let Some(row) = rows.next() else {
                    return Some(format!("nobody may do {kind} at {book}"));
                };
                if row.who == [ELSEWHERE] {
                    return None;
                }
                let rule = row.rule;
                (!may(&row.who)).then(|| format!("{kind} was not theirs to do at {book} ({rule})"))
            }
        }
    }

    /// Whether whoever did it is one of those that a word names.
    fn is(&self, word: &str, book: &str, event: &Event) -> bool {
        match event.by {
            Actor::House => word == "house",
            Actor::Station(own) => {
                word == "station" && station_of(&event.fact).is_none_or(|at| at == own)
            }
            Actor::Device(device) => {
                let name = match device {
                    Device::Tumbler => "tumbler",
                    Device::DiceReader => "reader",
                    Device::Lights => "lights",
                    Device::NoteAcceptor => "acceptor",
                };
                word == name || word == "device"
            }
            Actor::Staff(staff) => self.holds(word, book, person(staff)),
        }
    }

    fn holds(&self, word: &str, book: &str, who: Person) -> bool {
        let (needed, above) = match word.strip_suffix('+') {
            Some(needed) => (needed, true),
            None => (word, book == "mbs-etg"),
        };
        let rung = |position: &str| LADDER.iter().position(|rung| *rung == position);
        let fits = |position: &str| {
            let higher = above && rung(needed).is_some() && rung(position) > rung(needed);
            position == needed || higher
        };
        let mut acting = self.acting.iter();
        fits(who.position) || acting.any(|(number, as_)| *number == who.number && fits(as_))
    }
}

/// A person as people are named.
fn told(staff: Staff) -> String {
    format!(
        "{} (person {})",
        words::position(staff.position),
        staff.person.0
    )
}

/// Whose station it is about, where only its own player may do it.
fn station_of(fact: &Fact) -> Option<StationId> {
    match fact {
        Fact::BetsPlaced { station, .. }
        | Fact::BetsRemoved { station, .. }
        | Fact::CloseAcknowledged { station }
        | Fact::CashedOut { station, .. } => Some(*station),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use sicbo_table::codec::KINDS;

    use super::*;

    #[test]
    fn the_list_names_kinds_that_there_are_each_with_its_rule() {
        let known: BTreeSet<&str> = KINDS.iter().map(|kind| kind.key).collect();
        for line in LIST.lines().filter(|line| !line.starts_with('#')) {
            assert!(line.contains(" -- "), "{line:?} cites nothing");
        }
        for (fact, rows) in ROWS.iter() {
            assert!(known.contains(fact), "{fact:?} is no kind of record");
            let books = rows.iter().map(|row| row.books);
            let all: Vec<&str> = books.collect();
            assert!(all == [""] || all == ["etg", "chips"], "{fact}: {all:?}");
        }
        let lacking: Vec<&&str> = known
            .iter()
            .filter(|key| !ROWS.contains_key(*key))
            .collect();
        assert!(lacking.is_empty(), "nobody may do {lacking:?}");
    }
}
