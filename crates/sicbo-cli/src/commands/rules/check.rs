//! `sicbo rules check FILE`: reads a rule book file and reports all its faults.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use sicbo_rules::RuleBook;
use sicbo_rules::rulebook::{Fault, RuleBookError};

use crate::books;
use crate::failure::{Failure, one_line};
use crate::output::{FaultEntry, Output};

#[derive(Args)]
pub(crate) struct Check {
    /// The rule book file (TOML); `-` reads standard input
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
        let file = one_line(&self.file.display().to_string());
        let source = books::read_text(&self.file)?;
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
