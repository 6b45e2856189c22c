//! `mutants.txt`: what is removed, book by book, and which fields of a rule
//! book nothing but print reads.

use std::collections::BTreeMap;

use sicbo_rules::RuleBook;
use toml::{Table, Value};

const TEXT: &str = include_str!("../mutants.txt");

/// Every so many mutants one is tried in `make test`.
const SHORT_STEP: usize = 31;

/// One mutant of one book.
#[derive(Clone, Debug)]
pub(crate) struct Mutant {
    /// As `SICBO_MUTANT` takes it.
    pub(crate) spec: String,
    /// Why no test notices it, where that is known.
    pub(crate) reason: Option<String>,
    /// Tried in `make test` too.
    pub(crate) short: bool,
}

/// One line of the list.
#[derive(Debug)]
struct Row {
    books: String,
    change: Change,
    reason: Option<String>,
}

#[derive(Debug)]
enum Change {
    Remove(String),
    Set(String, String),
    Off(String),
    /// Not a mutant: the field is a name, a citation or a drawing.
    Printed(
        #[cfg_attr(
            not(test),
            expect(dead_code, reason = "asked for by the tests of the list")
        )]
        String,
    ),
    /// Not a mutant: a rule that is shown to people, and that play cannot do
    /// otherwise.
    Stated(
        #[cfg_attr(
            not(test),
            expect(dead_code, reason = "asked for by the tests of the list")
        )]
        String,
    ),
}

/// The whole list.
pub(crate) struct List {
    rows: Vec<Row>,
    /// The books as TOML, by name.
    texts: BTreeMap<String, Table>,
    /// Tests that compare a book with its own text, and so prove no play.
    pub(crate) not_proof: Vec<String>,
}

impl List {
    /// The list in this program.
    pub(crate) fn read() -> Result<List, Vec<String>> {
        let (mut rows, mut not_proof, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        for (n, line) in TEXT.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(test) = line.strip_prefix("not-proof ") {
                not_proof.push(test.trim().to_owned());
                continue;
            }
            match row(line) {
                Some(row) => rows.push(row),
                None => faults.push(format!(
                    "line {}: write BOOKS remove PLACE, BOOKS set PLACE = VALUE, BOOKS off NAME \
                     BOOKS printed PLACE or BOOKS stated PLACE, and a reason after --",
                    n + 1
                )),
            }
        }
        let texts = RuleBook::all().iter().filter_map(|book| {
            let text = book.source().parse::<Table>().ok()?;
            Some((book.id().to_owned(), text))
        });
        let list = List {
            rows,
            texts: texts.collect(),
            not_proof,
        };
        for row in &list.rows {
            let no_mutant = matches!(row.change, Change::Printed(_) | Change::Stated(_));
            if list.expanded(row).is_empty() && !no_mutant {
                faults.push(format!("{row:?}: no book has that"));
            }
        }
        if faults.is_empty() {
            Ok(list)
        } else {
            Err(faults)
        }
    }

    /// Every mutant of every book.
    pub(crate) fn mutants(&self) -> Vec<Mutant> {
        let mut all: Vec<Mutant> = Vec::new();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for row in &self.rows {
            for spec in self.expanded(row) {
                let reason = row.reason.clone();
                // A later line speaks of one book where an earlier one spoke of all.
                if let Some(at) = known.get(&spec) {
                    all[*at].reason = reason;
                    continue;
                }
                known.insert(spec.clone(), all.len());
                all.push(Mutant {
                    spec,
                    reason,
                    short: false,
                });
            }
        }
        let caught = all.iter_mut().filter(|mutant| mutant.reason.is_none());
        for mutant in caught.step_by(SHORT_STEP) {
            mutant.short = true;
        }
        all
    }

    fn expanded(&self, row: &Row) -> Vec<String> {
        let books = RuleBook::all()
            .iter()
            .filter(|book| row.books == "*" || row.books.split(',').any(|name| name == book.id()));
        let mut specs = Vec::new();
        for book in books {
            let id = book.id();
            let Some(text) = self.texts.get(id) else {
                continue;
            };
            match &row.change {
                Change::Printed(_) | Change::Stated(_) => {}
                Change::Off(name) => specs.push(format!("{id} off {name}")),
                Change::Remove(place) => specs.extend(
                    each_row(text, place)
                        .into_iter()
                        .map(|place| format!("{id} remove {place}")),
                ),
                Change::Set(place, value) => {
                    let Ok(new) = format!("v = {value}").parse::<Table>() else {
                        continue;
                    };
                    let places = each_row(text, place).into_iter();
                    specs.extend(
                        places
                            .filter(|place| at(text, place) != new.get("v"))
                            .map(|place| format!("{id} set {place} = {value}")),
                    );
                }
            }
        }
        specs
    }

    /// Whether a mutant that a test has to catch changes a place of a book.
    #[cfg(test)]
    fn tries(&self, mutants: &[Mutant], book: &str, place: &[String]) -> bool {
        let of_book = mutants
            .iter()
            .filter(|mutant| mutant.reason.is_none())
            .filter_map(|mutant| mutant.spec.strip_prefix(book)?.strip_prefix(' '));
        of_book
            .filter_map(|spec| spec.split_once(' '))
            .any(|(verb, rest)| match verb {
                "remove" => covers(rest, place, true),
                "set" => {
                    let named = rest.split_once(" = ").map_or(rest, |(named, _)| named);
                    covers(named, place, false)
                }
                _ => false,
            })
    }

    /// The rows without a mutant that speak of a place of a book, with a reason.
    #[cfg(test)]
    fn untried(&self, book: &str, place: &[String]) -> Vec<&Change> {
        let rows = self.rows.iter().filter(|row| {
            let books = row.books == "*" || row.books.split(',').any(|name| name == book);
            books && row.reason.is_some()
        });
        rows.map(|row| &row.change)
            .filter(|change| match change {
                Change::Printed(named) => covers(named, place, true),
                Change::Stated(named) => covers(named, place, false),
                _ => false,
            })
            .collect()
    }
}

fn row(line: &str) -> Option<Row> {
    let (line, reason) = match line.split_once(" -- ") {
        Some((line, reason)) => (line.trim(), Some(reason.trim().to_owned())),
        None => (line, None),
    };
    let (books, change) = line.split_once(' ')?;
    let (verb, rest) = change.trim().split_once(' ')?;
    let rest = rest.trim();
    let change = match verb {
        "remove" => Change::Remove(rest.to_owned()),
        "off" => Change::Off(rest.to_owned()),
        "printed" => Change::Printed(rest.to_owned()),
        "stated" => Change::Stated(rest.to_owned()),
        "set" => {
            let (place, value) = rest.split_once(" = ")?;
            Change::Set(place.trim().to_owned(), value.trim().to_owned())
        }
        _ => return None,
    };
    Some(Row {
        books: books.to_owned(),
        change,
        reason,
    })
}

/// What stands at a place of a book.
fn at<'t>(table: &'t Table, place: &str) -> Option<&'t Value> {
    let (first, rest) = match place.split_once('.') {
        Some((first, rest)) => (first, Some(rest)),
        None => (place, None),
    };
    let found = match first.split_once('[') {
        None => table.get(first)?,
        Some((key, row)) => {
            let rows = table.get(key)?.as_array()?;
            let row = row.trim_end_matches(']');
            match row.split_once('=') {
                Some((key, value)) => rows
                    .iter()
                    .find(|row| row.get(key).and_then(Value::as_str) == Some(value))?,
                None => rows.get(row.parse::<usize>().ok()?)?,
            }
        }
    };
    match rest {
        Some(rest) => at(found.as_table()?, rest),
        None => Some(found),
    }
}

/// A place with the number of a row for each `[*]`; only those that exist.
fn each_row(table: &Table, place: &str) -> Vec<String> {
    let Some((before, after)) = place.split_once("[*]") else {
        let there = at(table, place).is_some();
        return there.then(|| place.to_owned()).into_iter().collect();
    };
    let rows = at(table, before)
        .and_then(Value::as_array)
        .map_or(0, Vec::len);
    (0..rows)
        .flat_map(|row| each_row(table, &format!("{before}[{row}]{after}")))
        .collect()
}

/// Whether a place as the list names it is the place of a leaf: rows without
/// regard to which one, `*` for any step; with `within`, whatever is below it.
#[cfg(test)]
fn covers(named: &str, leaf: &[String], within: bool) -> bool {
    let steps: Vec<&str> = named
        .split('.')
        .map(|step| step.split('[').next().unwrap_or(step))
        .collect();
    let fits = steps.iter().zip(leaf).all(|(a, b)| *a == "*" || a == b);
    fits && (steps.len() == leaf.len() || (within && steps.len() < leaf.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every leaf of a book, as the steps that lead to it, without row numbers.
    fn leaves(value: &Value, place: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
        match value {
            Value::Table(table) => {
                for (key, value) in table {
                    place.push(key.clone());
                    leaves(value, place, found);
                    place.pop();
                }
            }
            Value::Array(rows) if rows.iter().any(Value::is_table) => {
                for row in rows {
                    leaves(row, place, found);
                }
            }
            _ if !found.contains(place) => found.push(place.clone()),
            _ => {}
        }
    }

    fn list() -> List {
        List::read().unwrap_or_else(|faults| panic!("mutants.txt:\n{}", faults.join("\n")))
    }

    /// Rules that are shown with their citation to players and staff and decide
    /// nothing, and the books in which they do not; in all when none is named.
    /// The rules page has each: sicbo-server, wire/rules.rs.
    const STATED: [(&str, &[&str]); 9] = [
        ("corrections.later_rounds_stand.is", &[]),
        ("corrections.wrong_display.is", &[]),
        ("interruption.terminal_unregistered.is", &[]),
        ("play.flat_check.is", &[]),
        // Terminals have no chips that could be looked at again.
        (
            "play.positions.is",
            &["rws-etg", "rws-open-cover", "mbs-etg"],
        ),
        ("play.round_ends.is", &[]),
        ("play.round_opens.is", &[]),
        ("voiding.bets_returned.is", &[]),
        // A rule only where the document has one.
        (
            "voiding.previous_rounds_stand.is",
            &["mbs-table", "mbs-etg", "quang-nam-table"],
        ),
    ];

    /// Parts of a book in which only names and citations may be print.
    const RULES: [&str; 7] = [
        "play",
        "voiding",
        "interruption",
        "late",
        "corrections",
        "authority",
        "disputes",
    ];

    /// Names and texts within those parts.
    const NAMES: [&str; 9] = [
        "authority.decision.matter",
        "authority.title.is",
        "authority.title.position",
        "disputes.basis.is",
        "disputes.basis.printed",
        "disputes.step.act",
        "disputes.step.by",
        "disputes.step.printed",
        "voiding.cause.is",
    ];

    /// A field that nothing but print reads is a promise nobody keeps: every
    /// field of every book has a mutant that a test catches, or is a name, a
    /// citation or a drawing, or one of the few rules that are stated only.
    #[test]
    fn every_field_of_a_rule_book_is_read_by_more_than_print() {
        let list = list();
        let mutants = list.mutants();
        let mut missing = Vec::new();
        for book in RuleBook::all() {
            let text: Table = book.source().parse().unwrap();
            let mut found = Vec::new();
            leaves(&Value::Table(text), &mut Vec::new(), &mut found);
            for leaf in found {
                if list.tries(&mutants, book.id(), &leaf) {
                    continue;
                }
                let place = leaf.join(".");
                let is_rule = RULES.contains(&leaf[0].as_str());
                let is_name = NAMES.contains(&place.as_str())
                    || place.ends_with(".rule")
                    || place.ends_with(".resolution");
                let may = list.untried(book.id(), &leaf).iter().any(|row| match row {
                    Change::Printed(_) => !is_rule || is_name,
                    Change::Stated(_) => STATED.iter().any(|(stated, books)| {
                        *stated == place && (books.is_empty() || books.contains(&book.id()))
                    }),
                    _ => false,
                });
                if !may {
                    missing.push(format!("{} {place}", book.id()));
                }
            }
        }
        assert!(
            missing.is_empty(),
            "fields that no mutant without a reason changes; give each one that a test of play \
             catches, `printed` for a name, or `stated` and a place in STATED:\n{}",
            missing.join("\n")
        );
    }

    /// The variants of an enum, from its source.
    fn variants(source: &str, name: &str) -> Vec<String> {
        let start = source.find(&format!("pub enum {name} {{")).unwrap();
        let body = &source[start..];
        let body = &body[..body.find("\n}\n").unwrap()];
        let lines = body.lines().skip(1);
        lines
            .filter_map(|line| line.strip_prefix("    "))
            .filter(|line| line.starts_with(|first: char| first.is_ascii_uppercase()))
            .map(|line| line.split([' ', ',', '(', '{']).next().unwrap().to_owned())
            .collect()
    }

    /// Whoever adds a command says in the list who may not give it.
    #[test]
    fn every_command_has_a_mutant_that_lets_anybody_give_it() {
        let source = include_str!("../../sicbo-table/src/command.rs");
        let (acts, list) = (variants(source, "Act"), list());
        assert!(acts.len() > 50, "{acts:?}");
        let missing: Vec<_> = acts
            .into_iter()
            .filter(|act| {
                let off = format!("authority:{act}");
                !list.rows.iter().any(|row| match &row.change {
                    Change::Off(name) | Change::Printed(name) => *name == off,
                    _ => false,
                })
            })
            .collect();
        assert!(
            missing.is_empty(),
            "commands without `off authority:…` in mutants.txt: {missing:?}"
        );
    }

    /// Every void cause, decision and interruption rule of every book is removed.
    #[test]
    fn every_row_of_causes_and_decisions_is_removed() {
        let specs: Vec<String> = list().mutants().into_iter().map(|m| m.spec).collect();
        for book in RuleBook::all() {
            let id = book.id();
            for void in &book.voiding.causes {
                let spec = format!("{id} remove voiding.cause[is={}]", void.cause);
                assert!(specs.contains(&spec), "{spec}");
            }
            for decision in &book.authority.decisions {
                let start = format!("{id} set authority.decision[matter={}].by", decision.matter);
                assert!(specs.iter().any(|spec| spec.starts_with(&start)), "{start}");
            }
        }
    }

    #[test]
    fn a_place_covers_its_rows_and_what_is_below() {
        let leaf = ["a", "b", "is"].map(str::to_owned);
        assert!(covers("a.b[x=1].is", &leaf, false));
        assert!(covers("*.*.is", &leaf, false));
        assert!(covers("a.b", &leaf, true));
        assert!(!covers("a.b", &leaf, false));
        assert!(!covers("a.c.is", &leaf, true));
    }

    #[test]
    fn the_short_form_is_a_handful() {
        let short = list().mutants().into_iter().filter(|m| m.short).count();
        assert!((5..=40).contains(&short), "{short}");
    }
}
