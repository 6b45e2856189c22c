//! A betting layout: which sections it offers, where they stand, what is printed on them.
//!
//! Pure data and look-ups; drawing is done elsewhere from these data.

use std::collections::BTreeMap;

use crate::citation::{Citation, Cited};
use crate::money::Money;
use crate::odds::Odds;
use crate::pay_table::{PayTable, Pays};
use crate::section::{Kind, Section};
use crate::settlement::Settlement;

/// A rectangle in the layout's own units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Box2 {
    /// Left edge.
    pub x: u32,
    /// Upper edge.
    pub y: u32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

impl Box2 {
    /// The two rectangles share some area.
    #[must_use]
    pub const fn overlaps(self, other: Box2) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }
}

/// What a cell of the drawing is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellKind {
    /// A section to bet on.
    Section(Section),
    /// Printed words only.
    Caption,
    /// Visibly dead: nothing stands there and nothing can be bet.
    Blank,
}

/// One rectangle of the drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// What it is.
    pub kind: CellKind,
    /// Where it stands.
    pub place: Box2,
    /// The large print, e.g. `EVEN` or `17`; sections drawn as dice have none.
    pub label: Option<String>,
    /// The small print, line by line, as printed.
    pub lines: Vec<String>,
}

/// A betting layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Name within the book: `a`, `rapid`.
    pub id: String,
    /// As the document calls it.
    pub title: String,
    /// The rule that ties it to its pay table.
    pub cite: Citation,
    /// What of the drawing is a reconstruction because the document lost it.
    pub reconstruction: Option<Cited<String>>,
    /// The casino's name stands on the cloth; which name, the house says.
    pub casino_name: Option<Cited<bool>>,
    /// Width and height of the drawing.
    pub size: (u32, u32),
    /// The drawing, in printed order.
    pub cells: Vec<Cell>,
    /// What this layout calls each kind of bet it offers.
    pub names: BTreeMap<Kind, Cited<String>>,
    /// Index of its pay table in the book.
    pub(crate) pay_table: usize,
    /// Odds of every offered section, copied from the pay table.
    pub(crate) pays: Vec<Option<Pays>>,
    pub(crate) settlement: Settlement,
}

impl Layout {
    /// The sections offered, in printed order.
    pub fn sections(&self) -> impl Iterator<Item = Section> + '_ {
        self.cells.iter().filter_map(|cell| match cell.kind {
            CellKind::Section(section) => Some(section),
            CellKind::Caption | CellKind::Blank => None,
        })
    }

    /// Whether a section can be bet on here.
    #[must_use]
    pub fn offers(&self, section: Section) -> bool {
        self.pays[section.index()].is_some()
    }

    /// The odds of an offered section.
    #[must_use]
    pub fn pays(&self, section: Section) -> Option<&Pays> {
        self.pays[section.index()].as_ref()
    }

    /// The flat table of outcomes by sections that settles bets on this layout.
    #[must_use]
    pub fn settlement(&self) -> &Settlement {
        &self.settlement
    }

    /// Position of its pay table among the book's.
    #[must_use]
    pub fn pay_table_index(&self) -> usize {
        self.pay_table
    }

    /// The offered sections whose odds a stake could not be paid at to the minor unit.
    pub fn unpayable(&self, stake: Money) -> impl Iterator<Item = (Section, Odds)> + '_ {
        let odd_stake = stake.minor() % 2 != 0;
        self.sections().filter_map(move |section| {
            let half = self
                .pays(section)?
                .lines()
                .iter()
                .find(|line| line.is.halves() % 2 == 1)?;
            odd_stake.then_some((section, half.is))
        })
    }

    /// The name this layout gives to a kind of bet.
    #[must_use]
    pub fn name(&self, kind: Kind) -> Option<&str> {
        self.names.get(&kind).map(|name| name.is.as_str())
    }

    /// Copies odds from the pay table for every drawn section it has, and compiles settlement.
    pub(crate) fn compile(&mut self, table: &PayTable) {
        let mut pays = vec![None; Section::COUNT];
        for section in self.sections() {
            pays[section.index()] = table.pays(section).cloned();
        }
        self.settlement = Settlement::compile(&pays);
        self.pays = pays;
    }
}
