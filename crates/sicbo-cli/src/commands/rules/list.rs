//! `sicbo rules list`: the rule books and their layouts.

use serde::Serialize;
use sicbo_rules::{Layout, RuleBook};

use crate::failure::Failure;
use crate::output::{Grid, Output};

#[derive(Serialize)]
struct Book<'a> {
    rulebook: &'a str,
    title: &'a str,
    operator: &'a str,
    /// Null when the document lost it.
    version: Option<&'a str>,
    /// Null when the document lost it.
    effective: Option<&'a str>,
    layouts: Vec<Entry>,
    sha256: String,
}

#[derive(Serialize)]
struct Entry {
    layout: String,
    sections: usize,
    title: String,
    pay_table: String,
}

impl<'a> Book<'a> {
    fn of(book: &'a RuleBook) -> Book<'a> {
        let identity = &book.identity;
        Book {
            rulebook: book.id(),
            title: &identity.title.is,
            operator: &identity.operator.is,
            version: identity.version.known().map(String::as_str),
            effective: identity.effective.known().map(String::as_str),
            layouts: book
                .layouts
                .iter()
                .map(|layout| entry(book, layout))
                .collect(),
            sha256: book.sha256_hex(),
        }
    }
}

fn entry(book: &RuleBook, layout: &Layout) -> Entry {
    Entry {
        layout: book.layout_name(layout),
        sections: layout.sections().count(),
        title: layout.title.clone(),
        pay_table: book.pay_table(layout).title.clone(),
    }
}

pub(super) fn run(out: &mut Output) -> Result<(), Failure> {
    let books: Vec<Book<'_>> = RuleBook::all().iter().map(|book| Book::of(book)).collect();
    if out.is_json() {
        return out.json(&books);
    }
    for (i, book) in books.iter().enumerate() {
        if i > 0 {
            out.line("")?;
        }
        out.heading(&format!("{}  {}", book.rulebook, book.title))?;
        out.line(book.operator)?;
        out.line(format!(
            "version {}, effective {}",
            book.version.unwrap_or("lost"),
            book.effective.unwrap_or("lost")
        ))?;
        let mut grid = Grid::new(&["layout", "in the document", "pay table", ">sections"]);
        for entry in &book.layouts {
            grid.row([
                entry.layout.clone(),
                entry.title.clone(),
                entry.pay_table.clone(),
                entry.sections.to_string(),
            ]);
        }
        out.table(&grid)?;
    }
    Ok(())
}
