//! The digests a round carries of what it is played with (S-16), derived
//! again from the table's set-up.

use sha2::{Digest, Sha256};
use sicbo_table::Table;
use sicbo_table::event::Digests;

/// What a round that begins now is played with; nothing before the table was opened.
#[must_use]
pub fn in_force(table: &Table) -> Option<Digests> {
    let mut config = table.config.as_deref()?.clone();
    // What was scheduled comes into force with the round.
    if let Some(book) = &table.next_book {
        config.book = book.clone();
    }
    if let Some(limits) = &table.next_limits {
        config.limits = (**limits).clone();
    }
    Some(Digests {
        program: config.program,
        book: config.book.sha256(),
        config: Sha256::digest(config.canonical()).into(),
    })
}

/// Compares them with what a round's first record says.
///
/// # Errors
/// The first digest that differs.
pub fn check(table: &Table, claimed: &Digests) -> Result<(), String> {
    let derived = in_force(table).ok_or("the table was not opened before")?;
    for (what, claimed, derived) in [
        ("program", claimed.program, derived.program),
        ("rule book", claimed.book, derived.book),
        ("configuration", claimed.config, derived.config),
    ] {
        if claimed != derived {
            return Err(format!(
                "the digest of the {what} is not that of the {what} in force"
            ));
        }
    }
    Ok(())
}
