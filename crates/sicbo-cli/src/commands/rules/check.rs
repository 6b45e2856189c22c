//! `sicbo rules check FILE`: reads a rule book file and reports all its faults.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use sicbo_lab::game::{Game, Loading, PayTableError, file as pay_table};
use sicbo_rules::RuleBook;
use sicbo_rules::rulebook::{Fault, RuleBookError};

use crate::books;
use crate::failure::{Failure, one_line};
use crate::output::{FaultEntry, Output};

#[derive(Args)]
pub(crate) struct Check {
    /// The rule book file, or a pay table only (TOML); `-` reads standard input
    file: PathBuf,
}

#[derive(Serialize)]
struct Report {
    file: String,
    /// Null when the file has faults.
    rulebook: Option<String>,
    sha256: Option<String>,
    layouts: Vec<String>,
    faults: Vec<FaultEntry>,
}

impl Check {
    pub(super) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let file = match self.file.as_os_str() == "-" {
            true => "standard input".to_owned(),
            false => one_line(&self.file.display().to_string()),
        };
        let source = books::read_text(&self.file)?;
        if pay_table::is_pay_table(&source) {
            return check_pay_table(&file, &source, out);
        }
        match RuleBook::parse(&source) {
            Ok(book) => good(&file, &book, out),
            Err(RuleBookError::Faults(faults)) => {
                bad(&file, &faults, out)?;
                Err(Failure::Faulty)
            }
            Err(error @ RuleBookError::Unreadable { .. }) => {
                Err(Failure::World(format!("{file}: {error}")))
            }
        }
    }
}

fn good(file: &str, book: &RuleBook, out: &mut Output) -> Result<(), Failure> {
    let layouts: Vec<String> = book
        .layouts
        .iter()
        .map(|layout| book.layout_name(layout))
        .collect();
    if out.is_json() {
        return out.json(&Report {
            file: file.to_owned(),
            rulebook: Some(book.id().to_owned()),
            sha256: Some(book.sha256_hex()),
            layouts,
            faults: Vec::new(),
        });
    }
    out.line(format!("{file}: no faults"))?;
    out.line(format!(
        "rule book {}, {}",
        book.id(),
        book.identity.title.is
    ))?;
    out.line(format!("layouts {}", layouts.join(" ")))?;
    out.line(format!("sha256 {}", book.sha256_hex()))
}

/// A pay table only: its faults, or what it is. Odds that favour the player are
/// told and are no fault: nobody plays by it.
fn check_pay_table(file: &str, source: &str, out: &mut Output) -> Result<(), Failure> {
    let game = match Game::parse(source) {
        Ok(game) => game,
        Err(PayTableError::Faults(faults)) => {
            bad(file, &faults, out)?;
            return Err(Failure::Faulty);
        }
        Err(error @ PayTableError::Unreadable { .. }) => {
            return Err(Failure::World(format!("{file}: {error}")));
        }
    };
    if out.is_json() {
        return out.json(&Report {
            file: file.to_owned(),
            rulebook: Some(game.source.rulebook.clone()),
            sha256: Some(game.source.rulebook_sha256.clone()),
            layouts: Vec::new(),
            faults: Vec::new(),
        });
    }
    out.line(format!("{file}: no faults"))?;
    out.line(format!(
        "pay table only {}, {}: {} bets; the lab can use it, no house can",
        game.source.rulebook,
        game.title,
        game.bets.len()
    ))?;
    for bet in &game.bets {
        let edge = bet.par(&Loading::fair()).edge();
        if edge < sicbo_rules::Ratio::from_integer(0) {
            out.line(format!(
                "note: {} gives the player an edge of {}",
                bet.name, -edge
            ))?;
        }
    }
    out.line(format!("sha256 {}", game.source.rulebook_sha256))
}

fn bad(file: &str, faults: &[Fault], out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        return out.json(&Report {
            file: file.to_owned(),
            rulebook: None,
            sha256: None,
            layouts: Vec::new(),
            faults: faults.iter().map(FaultEntry::from).collect(),
        });
    }
    out.faults(file, faults)
}
