//! One behaviour removed on purpose, to see that a test notices.
//!
//! Compiled only with the feature `mutants`, which the product never has.
//! `SICBO_MUTANT` names the mutant as `crates/sicbo-mutants/mutants.txt` does:
//!
//! ```text
//! quang-nam-table remove voiding.cause[is=die-not-flat]
//! mbs-etg set play.closes.is = "announcement"
//! rws-etg off stake-maximum
//! ```
//!
//! The first two edit the text of a rule book before it is read, whoever reads
//! it; the book keeps the name and digest of the true one. `off` switches off a
//! named piece of code for tables under that book.

use std::sync::LazyLock;

use toml::{Table, Value};

#[cfg(not(debug_assertions))]
compile_error!("the feature `mutants` is for tests only");

/// The variable that names the mutant.
pub const VARIABLE: &str = "SICBO_MUTANT";

/// Exit code of a program whose mutant cannot be used.
pub const UNUSABLE: i32 = 97;

#[derive(Debug)]
enum Change {
    Remove(String),
    Set(String, Value),
    Off(String),
}

#[derive(Debug)]
struct Mutant {
    book: String,
    change: Change,
}

static CHOSEN: LazyLock<Option<Mutant>> = LazyLock::new(|| {
    let text = std::env::var(VARIABLE).ok()?;
    Some(parse(&text).unwrap_or_else(|| unusable(&format!("{text:?} cannot be read"))))
});

fn parse(text: &str) -> Option<Mutant> {
    let (book, change) = text.trim().split_once(' ')?;
    let (verb, rest) = change.trim().split_once(' ')?;
    let rest = rest.trim();
    let change = match verb {
        "remove" => Change::Remove(rest.to_owned()),
        "off" => Change::Off(rest.to_owned()),
        "set" => {
            let (place, value) = rest.split_once(" = ")?;
            let value = format!("value = {value}").parse::<Table>().ok()?;
            Change::Set(place.to_owned(), value.get("value")?.clone())
        }
        _ => return None,
    };
    Some(Mutant {
        book: book.to_owned(),
        change,
    })
}

/// Whether any piece of code is switched off. Asked first: the name of one
/// costs more than all that is decided.
#[must_use]
pub fn any_off() -> bool {
    let chosen = CHOSEN.as_ref().map(|mutant| &mutant.change);
    matches!(chosen, Some(Change::Off(_)))
}

/// Whether a named piece of code is switched off for a book.
#[must_use]
pub fn is_off(book: &str, name: &str) -> bool {
    CHOSEN.as_ref().is_some_and(|mutant| {
        mutant.book == book && matches!(&mutant.change, Change::Off(off) if off == name)
    })
}

/// The chosen mutant's edition of a book; none for every other book, and for
/// one that lacks the place, such as a damaged copy in a test. That the five
/// books have it is checked where the list is read.
pub(crate) fn edited(source: &str) -> Option<String> {
    let mutant = CHOSEN.as_ref()?;
    let mut book = source.parse::<Table>().ok()?;
    let id = book.get("identity")?.get("id")?.as_str()?;
    if id != mutant.book {
        return None;
    }
    match &mutant.change {
        Change::Off(_) => return None,
        Change::Remove(place) => edit(&mut book, place, None)?,
        Change::Set(place, value) => edit(&mut book, place, Some(value))?,
    }
    Some(book.to_string())
}

/// The mutant itself is wrong. Ends the program with its own code: a failing
/// test would look as if it had noticed the mutant.
pub(crate) fn unusable(why: &str) -> ! {
    eprintln!("mutant: {why}");
    std::process::exit(UNUSABLE);
}

/// A step of a place: `cause[is=die-not-flat]` is a key and a row, the row
/// by one of its values or by its number from zero.
fn step(step: &str) -> (&str, Option<&str>) {
    match step.split_once('[') {
        Some((key, row)) => (key, Some(row.trim_end_matches(']'))),
        None => (step, None),
    }
}

fn row_at(rows: &[Value], wanted: &str) -> Option<usize> {
    let Some((key, value)) = wanted.split_once('=') else {
        return wanted.parse().ok().filter(|row| *row < rows.len());
    };
    rows.iter()
        .position(|row| row.get(key).and_then(Value::as_str) == Some(value))
}

/// Changes or removes what stands at a place that exists; none when nothing does.
fn edit(table: &mut Table, place: &str, value: Option<&Value>) -> Option<()> {
    let (first, rest) = match place.split_once('.') {
        Some((first, rest)) => (first, Some(rest)),
        None => (place, None),
    };
    let (key, row) = step(first);
    let Some(row) = row else {
        return match (rest, value) {
            (Some(rest), _) => edit(table.get_mut(key)?.as_table_mut()?, rest, value),
            (None, Some(value)) => {
                *table.get_mut(key)? = value.clone();
                Some(())
            }
            (None, None) => table.remove(key).map(|_| ()),
        };
    };
    let rows = table.get_mut(key)?.as_array_mut()?;
    let at = row_at(rows, row)?;
    match (rest, value) {
        (Some(rest), _) => edit(rows[at].as_table_mut()?, rest, value),
        (None, Some(value)) => {
            rows[at] = value.clone();
            Some(())
        }
        (None, None) => {
            rows.remove(at);
            Some(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_changed_or_removed_and_one_that_is_not_there_is_named() {
        let book = "[a]\nb = { is = 1 }\nc = [{ is = \"x\" }, { is = \"y\", n = 1 }]\n";
        let with = |place: &str, value: Option<Value>| {
            let mut table = book.parse::<Table>().unwrap();
            edit(&mut table, place, value.as_ref()).map(|()| table.to_string())
        };
        let parsed = |text: &str| text.parse::<Table>().unwrap().to_string();
        assert_eq!(
            with("a.b.is", Some(Value::Integer(2))),
            Some(parsed(&book.replace("is = 1", "is = 2")))
        );
        assert_eq!(
            with("a.c[is=x]", None),
            Some(parsed(&book.replace("{ is = \"x\" }, ", "")))
        );
        assert_eq!(
            with("a.c[1].n", Some(Value::Integer(7))),
            Some(parsed(&book.replace("n = 1", "n = 7")))
        );
        assert_eq!(with("a.d", None), None);
        assert_eq!(with("a.c[is=z].n", None), None);
    }
}
