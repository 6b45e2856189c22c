//! Reads the pay tables of a rule book and checks each of them.
//!
//! Must not know layouts: whether a layout offers what its pay table lacks is
//! asked where layouts are read.

use std::collections::BTreeMap;

use num_traits::Zero;

use crate::Ratio;
use crate::citation::Cited;
use crate::document::{Node, Place};
use crate::maths::Par;
use crate::money::Money;
use crate::odds::Odds;
use crate::pay_table::{PayTable, Pays};
use crate::section::Section;

/// A pay table with the places its faults are reported at.
pub(super) struct ReadPayTable {
    pub(super) table: PayTable,
    here: Place,
    /// The row that first names each section, also where its odds are at fault:
    /// one fault is not reported a second time as missing odds.
    rows: BTreeMap<Section, Place>,
}

impl ReadPayTable {
    /// The table has odds for the section, or a fault already says why not.
    pub(super) fn knows(&self, section: Section) -> bool {
        self.rows.contains_key(&section)
    }
}

/// One line of odds of one section.
#[derive(Clone)]
enum Line {
    Missing,
    /// Named by a row whose own faults are reported.
    Faulty,
    Given(Cited<Odds>),
}

/// Every `[[pay_table]]`, named apart.
pub(super) fn read(root: &Node<'_, '_>, chip_unit: Option<Money>) -> Vec<ReadPayTable> {
    let tables = root.tables("pay_table");
    let read: Vec<ReadPayTable> = tables
        .iter()
        .filter_map(|table| read_one(table, chip_unit))
        .collect();
    if tables.is_empty() && root.has("pay_table") {
        root.fault(
            "pay_table",
            "there is no pay table",
            "give at least one [[pay_table]]",
        );
    }
    for (i, one) in read.iter().enumerate() {
        if read[..i].iter().any(|other| other.table.id == one.table.id) {
            root.reader().fault(
                &one.here,
                &format!("pay table {:?} is repeated", one.table.id),
                "name each once",
            );
        }
    }
    read
}

/// Rows are `{ sections, pays, on?, rule }`: one line of odds for one or more
/// sections. A single die has three lines, told apart by `on`, the number of
/// dice that show its number.
fn read_one(table: &Node<'_, '_>, chip_unit: Option<Money>) -> Option<ReadPayTable> {
    let id = table.name("id");
    let title = table.text("title");
    let cite = table.citation();
    let mut lines: BTreeMap<Section, Vec<Line>> = BTreeMap::new();
    let mut rows: BTreeMap<Section, Place> = BTreeMap::new();
    for row in table.tables("row") {
        let pays: Option<Odds> = row.parsed("pays");
        let row_cite = row.citation();
        let on = if row.has("on") {
            row.integer("on")
        } else {
            Some(1)
        };
        if let (Some(pays), Some(unit)) = (pays, chip_unit) {
            exact(&row, pays, unit);
        }
        for (text, place) in row.placed_texts("sections") {
            let section: Section = match text.parse() {
                Ok(section) => section,
                Err(error) => {
                    row.reader().fault(
                        &place,
                        &error.to_string(),
                        "a rule book has these only; a pay table for the lab alone may have others",
                    );
                    continue;
                }
            };
            let steps = section.kind().steps();
            rows.entry(section).or_insert_with(|| row.here());
            let cells = lines
                .entry(section)
                .or_insert_with(|| vec![Line::Missing; steps]);
            let slot = on
                .and_then(|on| usize::try_from(on).ok())
                .filter(|on| (1..=steps).contains(on));
            let Some(slot) = slot else {
                if on.is_some() {
                    row.fault(
                        "on",
                        &format!(
                            "{section} has {}",
                            if steps == 1 {
                                "one line of odds"
                            } else {
                                "three lines of odds"
                            }
                        ),
                        "give on = 1, 2 or 3 for a single die and leave it out elsewhere",
                    );
                }
                cells.fill(Line::Faulty);
                continue;
            };
            if !matches!(cells[slot - 1], Line::Missing) {
                row.reader().fault(
                    &place,
                    &format!("{section} is repeated"),
                    "give each section its odds once",
                );
                continue;
            }
            cells[slot - 1] = match (pays, row_cite.clone()) {
                (Some(is), Some(cite)) => Line::Given(Cited { is, cite }),
                _ => Line::Faulty,
            };
        }
    }
    let mut pay_table = PayTable::new(id?, title?, cite?);
    for (section, cells) in lines {
        if let Some(missing) = cells.iter().position(|line| matches!(line, Line::Missing)) {
            table.reader().fault(
                &rows[&section],
                &format!("{section} lacks its odds on {} dice", missing + 1),
                "give a row for each of on = 1, 2 and 3",
            );
        }
        let given = cells.into_iter().map(|line| match line {
            Line::Given(cited) => Some(cited),
            Line::Missing | Line::Faulty => None,
        });
        let complete: Option<Vec<Cited<Odds>>> = given.collect();
        if let Some(pays) = complete.and_then(|cells| Pays::new(section, cells)) {
            let _ = pay_table.set(section, pays);
        }
    }
    Some(ReadPayTable {
        table: pay_table,
        here: table.here(),
        rows,
    })
}

/// The smallest chip is paid to the minor unit; then every stake is.
fn exact(row: &Node<'_, '_>, pays: Odds, unit: Money) {
    if pays.halves() % 2 == 1 && unit.minor() % 2 == 1 {
        row.fault(
            "pays",
            &format!(
                "{pays} to 1 cannot be paid exactly on a chip unit of {} minor units",
                unit.minor()
            ),
            "pay whole odds, or choose an even number for play.chip_unit_minor",
        );
    }
}

/// No section favours the player unless the file says so with a reason.
pub(super) fn check_edges(root: &Node<'_, '_>, tables: &[ReadPayTable], allowed: &[Section]) {
    for one in tables {
        let mut favoured: BTreeMap<(&Place, Ratio), Vec<String>> = BTreeMap::new();
        for section in one.table.sections() {
            let edge = one
                .table
                .pays(section)
                .map(|pays| Par::of_pays(section, pays).edge());
            if let Some(edge) = edge
                && edge < Ratio::zero()
                && !allowed.contains(&section)
            {
                let sections = favoured.entry((&one.rows[&section], -edge)).or_default();
                sections.push(section.to_string());
            }
        }
        for ((place, edge), sections) in favoured {
            root.reader().fault(
                place,
                &format!("{}: the player has an edge of {edge}", sections.join(", ")),
                "correct the odds, or list the sections under [player_edge] with a reason",
            );
        }
    }
}

/// Sections a house knowingly offers with an edge for the player, and why.
pub(super) fn read_player_edge(root: &Node<'_, '_>) -> Vec<Section> {
    let Some(table) = root.optional_table("player_edge") else {
        return Vec::new();
    };
    let _reason = table.text("reason");
    table
        .placed_texts("sections")
        .into_iter()
        .filter_map(|(text, place)| match text.parse() {
            Ok(section) => Some(section),
            Err(error) => {
                let error: crate::section::SectionError = error;
                root.reader().fault(
                    &place,
                    &error.to_string(),
                    "a rule book has these only; a pay table for the lab alone may have others",
                );
                None
            }
        })
        .collect()
}
