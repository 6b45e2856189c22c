//! Reads the betting layouts of a rule book and checks each of them against
//! its pay table and its own drawing.

use std::collections::BTreeMap;

use super::pay_tables::ReadPayTable;
use super::printed;
use crate::document::{Node, Place, Reader};
use crate::layout::{Box2, Cell, CellKind, Layout};
use crate::section::{Kind, Section};
use crate::settlement::Settlement;

/// Every `[[layout]]`, named apart; `compares_print` when printed odds are held
/// against those that are paid.
pub(super) fn read(
    root: &Node<'_, '_>,
    pay_tables: &[ReadPayTable],
    compares_print: bool,
) -> Vec<Layout> {
    let tables = root.tables("layout");
    if tables.is_empty() && root.has("layout") {
        root.fault(
            "layout",
            "there is no layout",
            "give at least one [[layout]]",
        );
    }
    let mut layouts: Vec<Layout> = Vec::new();
    for table in &tables {
        let Some(layout) = read_one(table, pay_tables, compares_print) else {
            continue;
        };
        if layouts.iter().any(|other| other.id == layout.id) {
            table.fault(
                "id",
                &format!("{:?} is repeated", layout.id),
                "name each layout once",
            );
        }
        layouts.push(layout);
    }
    layouts
}

fn read_one(
    table: &Node<'_, '_>,
    pay_tables: &[ReadPayTable],
    compares_print: bool,
) -> Option<Layout> {
    let id = table.name("id");
    let title = table.text("title");
    let cite = table.citation();
    let reconstruction = table
        .optional_table("reconstruction")
        .and_then(|inner| inner.with_citation("is"));
    let casino_name = table
        .has("casino_name")
        .then(|| table.cited_boolean("casino_name"));
    let size = table
        .numbers::<2>("size", "width and height, e.g. [420, 216]")
        .map(|[width, height]| (width, height));
    let pay_table = table.text("pay_table").and_then(|wanted| {
        let index = pay_tables.iter().position(|read| read.table.id == wanted);
        if index.is_none() {
            let known: Vec<&str> = pay_tables
                .iter()
                .map(|read| read.table.id.as_str())
                .collect();
            table.fault(
                "pay_table",
                &format!("there is no pay table {wanted:?}"),
                &format!("use one of {}", known.join(", ")),
            );
        }
        index
    });
    let mut names = BTreeMap::new();
    let mut named = Vec::new();
    if let Some(inner) = table.table("names") {
        for (key, entry) in inner.entries() {
            let Some(kind) = Kind::from_key(&key) else {
                inner.fault(
                    &key,
                    "no kind of bet",
                    &format!("use {}", Kind::ALL.map(|kind| kind.key()).join(", ")),
                );
                let _ = entry.with_citation("is");
                continue;
            };
            named.push((kind, inner.at(&key)));
            if let Some(name) = entry.with_citation("is") {
                names.insert(kind, name);
            }
        }
    }
    let (cells, places): (Vec<Cell>, Vec<Place>) = table
        .tables("cell")
        .iter()
        .filter_map(|cell| Some((read_cell(cell)?, cell.here())))
        .unzip();
    let drawn = Drawn {
        reader: table.reader(),
        cells: &cells,
        places: &places,
    };
    drawn.offers(pay_table.map(|index| &pay_tables[index]), &table.at("cell"));
    drawn.names(&named, &table.at("names"));
    if let (Some(index), true) = (pay_table, compares_print) {
        printed::check(&drawn, &pay_tables[index]);
    }
    if let Some(size) = size {
        drawn.fits(size);
    }
    let mut layout = Layout {
        id: id?,
        title: title?,
        cite: cite?,
        reconstruction,
        casino_name: casino_name.flatten(),
        size: size?,
        cells,
        names,
        pay_table: pay_table?,
        pays: Vec::new(),
        settlement: Settlement::compile(&vec![None; Section::COUNT]),
    };
    layout.compile(&pay_tables[layout.pay_table].table);
    Some(layout)
}

fn read_cell(table: &Node<'_, '_>) -> Option<Cell> {
    let place = table
        .numbers::<4>("box", "left, top, width and height, e.g. [0, 0, 60, 30]")
        .map(|[x, y, width, height]| Box2 {
            x,
            y,
            width,
            height,
        });
    let label = table.optional_text("label");
    let lines = table.optional_texts("lines");
    let kind = if table.has("section") {
        table.parsed::<Section>("section").map(CellKind::Section)
    } else if table.has("label") || !lines.is_empty() {
        Some(CellKind::Caption)
    } else if table.has("blank") && table.boolean("blank") == Some(true) {
        // A blank says that it is one, so that a forgotten section is a fault.
        Some(CellKind::Blank)
    } else {
        table.fault(
            "blank",
            "a cell with nothing in it",
            "give section, label, lines, or blank = true",
        );
        None
    };
    Some(Cell {
        kind: kind?,
        place: place?,
        label,
        lines,
    })
}

/// The cells of one layout with their places in the file.
pub(super) struct Drawn<'r> {
    pub(super) reader: &'r Reader,
    pub(super) cells: &'r [Cell],
    pub(super) places: &'r [Place],
}

impl Drawn<'_> {
    pub(super) fn sections(&self) -> impl Iterator<Item = (Section, &Place)> {
        self.cells
            .iter()
            .zip(self.places)
            .filter_map(|(cell, place)| match cell.kind {
                CellKind::Section(section) => Some((section, place)),
                CellKind::Caption | CellKind::Blank => None,
            })
    }

    /// Every drawn section has odds and stands there once.
    fn offers(&self, pay_table: Option<&ReadPayTable>, fallback: &Place) {
        let mut seen = [false; Section::COUNT];
        for (section, place) in self.sections() {
            if std::mem::replace(&mut seen[section.index()], true) {
                self.reader.fault(
                    place,
                    &format!("{section} is drawn twice"),
                    "draw each section once",
                );
            }
            if let Some(pay_table) = pay_table.filter(|table| !table.knows(section)) {
                self.reader.fault(
                    place,
                    &format!(
                        "{section} is offered but pay table {:?} lacks it",
                        pay_table.table.id
                    ),
                    "give its odds or do not draw it",
                );
            }
        }
        if !seen.contains(&true) {
            self.reader.fault(
                fallback,
                "the layout offers nothing",
                "draw at least one section",
            );
        }
    }

    /// Every kind of bet on offer has a name, and no other.
    fn names(&self, named: &[(Kind, Place)], fallback: &Place) {
        for kind in Kind::ALL {
            let offered = self.sections().any(|(section, _)| section.kind() == kind);
            let name = named.iter().find(|(named, _)| *named == kind);
            match (offered, name) {
                (true, None) => self.reader.fault(
                    fallback,
                    &format!("{kind} has no name"),
                    "name each kind of bet offered",
                ),
                (false, Some((_, place))) => self.reader.fault(
                    place,
                    &format!("{kind} is named but not offered"),
                    "remove the name",
                ),
                (true, Some(_)) | (false, None) => {}
            }
        }
    }

    /// The drawing stays inside its size and no two cells overlap.
    fn fits(&self, (width, height): (u32, u32)) {
        for (i, cell) in self.cells.iter().enumerate() {
            let Box2 {
                x,
                y,
                width: w,
                height: h,
            } = cell.place;
            if w == 0 || h == 0 || x + w > width || y + h > height {
                self.reader.fault(
                    &self.places[i],
                    &format!("{} stands outside the drawing", describe(cell)),
                    &format!("keep it within {width} by {height}"),
                );
            }
            let overlapped = self.cells[..i]
                .iter()
                .find(|other| other.place.overlaps(cell.place));
            if let Some(other) = overlapped {
                self.reader.fault(
                    &self.places[i],
                    &format!("{} overlaps {}", describe(cell), describe(other)),
                    "give each cell its own place",
                );
            }
        }
    }
}

/// A cell as its faults call it.
fn describe(cell: &Cell) -> String {
    match &cell.kind {
        CellKind::Section(section) => section.to_string(),
        CellKind::Caption | CellKind::Blank => {
            let words = cell.label.as_ref().or_else(|| cell.lines.first());
            words.map_or_else(|| "a blank".to_owned(), |words| format!("{words:?}"))
        }
    }
}
