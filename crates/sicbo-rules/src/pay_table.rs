//! A pay table: for each section it knows, the odds of each line and the rule that says so.

use crate::citation::{Citation, Cited};
use crate::odds::Odds;
use crate::section::Section;

/// The odds of one section: one line, or three for a single die.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pays(Vec<Cited<Odds>>);

impl Pays {
    /// The lines, in order of how often the number appears. `None` unless
    /// there are as many as the section's kind has.
    #[must_use]
    pub fn new(section: Section, lines: Vec<Cited<Odds>>) -> Option<Pays> {
        (lines.len() == section.kind().steps()).then_some(Pays(lines))
    }

    /// The lines.
    #[must_use]
    pub fn lines(&self) -> &[Cited<Odds>] {
        &self.0
    }

    /// The line paid for so many hits, counted from one.
    #[must_use]
    pub fn line(&self, hits: u8) -> Option<&Cited<Odds>> {
        self.0.get(usize::from(hits).checked_sub(1)?)
    }
}

/// Odds by section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PayTable {
    /// Short name within the book, e.g. `pt1`.
    pub id: String,
    /// As the document calls it.
    pub title: String,
    /// The rule that sets it out.
    pub cite: Citation,
    cells: Vec<Option<Pays>>,
}

impl PayTable {
    /// An empty pay table.
    #[must_use]
    pub fn new(id: String, title: String, cite: Citation) -> PayTable {
        PayTable {
            id,
            title,
            cite,
            cells: vec![None; Section::COUNT],
        }
    }

    /// Sets a section's odds; gives back what stood there before.
    pub fn set(&mut self, section: Section, pays: Pays) -> Option<Pays> {
        self.cells[section.index()].replace(pays)
    }

    /// The odds of a section, if this table has it.
    #[must_use]
    pub fn pays(&self, section: Section) -> Option<&Pays> {
        self.cells[section.index()].as_ref()
    }

    /// The sections it has, in stable order.
    pub fn sections(&self) -> impl Iterator<Item = Section> + '_ {
        Section::ALL
            .into_iter()
            .filter(|section| self.pays(*section).is_some())
    }
}
