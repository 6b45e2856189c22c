//! `sicbo layout LAYOUT`: draws a betting layout in the terminal or as a picture.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use sicbo_rules::Dice;
use sicbo_rules::drawing::{self, Ink, Lit};
use sicbo_rules::layout::{Cell, CellKind};

use crate::books::{self, Found};
use crate::failure::Failure;
use crate::output::Output;

#[derive(Args)]
pub(crate) struct Layout {
    /// The layout, e.g. rws-etg/b
    layout: String,
    /// Write an SVG picture to this file instead; `-` prints it
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Light up what wins on these dice, e.g. 4,3,4
    #[arg(long)]
    dice: Option<String>,
    /// Columns to draw in; else those of the terminal, or 120
    #[arg(long, value_parser = clap::value_parser!(u16).range(20..=1000))]
    width: Option<u16>,
}

#[derive(Serialize)]
struct Drawn {
    layout: String,
    title: String,
    pay_table: String,
    rulebook_sha256: String,
    reconstruction: Option<String>,
    size: [u32; 2],
    cells: Vec<CellEntry>,
}

#[derive(Serialize)]
struct CellEntry {
    /// Null for captions and blanks.
    section: Option<String>,
    blank: bool,
    /// Left, top, width, height.
    r#box: [u32; 4],
    label: Option<String>,
    lines: Vec<String>,
    lit: bool,
}

impl CellEntry {
    fn of(cell: &Cell, lit: &Lit) -> CellEntry {
        let section = match cell.kind {
            CellKind::Section(section) => Some(section),
            CellKind::Caption | CellKind::Blank => None,
        };
        let place = cell.place;
        CellEntry {
            section: section.map(|section| section.to_string()),
            blank: cell.kind == CellKind::Blank,
            r#box: [place.x, place.y, place.width, place.height],
            label: cell.label.clone(),
            lines: cell.lines.clone(),
            lit: section.is_some_and(|section| lit.contains(section)),
        }
    }
}

impl Layout {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let found = books::layout(&self.layout)?;
        let lit = match &self.dice {
            Some(dice) => {
                let dice: Dice = dice.parse().map_err(Failure::input)?;
                Lit::winners(found.layout(), dice)
            }
            None => Lit::nothing(),
        };
        if let Some(path) = &self.svg {
            let picture = drawing::svg(&found.book, found.layout(), &lit);
            if path.as_os_str() == "-" {
                return out.text(&picture);
            }
            std::fs::write(path, picture).map_err(|error| Failure::file("write", path, &error))?;
            if !out.is_json() {
                return out.line(format!("{} drawn to {}", found.name(), path.display()));
            }
        }
        if out.is_json() {
            return out.json(&drawn(&found, &lit));
        }
        let ink = if out.colour() {
            Ink::Colour
        } else {
            Ink::Plain
        };
        let width = self.width.map_or_else(|| out.width(), usize::from);
        out.heading(&format!(
            "{}  {}, {}, {}",
            found.name(),
            found.book.identity.title.is,
            found.layout().title,
            found.pay_table().title
        ))?;
        out.text(&drawing::terminal(found.layout(), &lit, width, ink))?;
        match lit.dice {
            Some(dice) => {
                let winners: Vec<String> = found
                    .layout()
                    .settlement()
                    .lit(dice)
                    .map(|section| section.to_string())
                    .collect();
                out.line(format!(
                    "{dice}, total {}, lights {}: {}",
                    dice.total(),
                    winners.len(),
                    winners.join(" ")
                ))
            }
            None => Ok(()),
        }
    }
}

fn drawn(found: &Found, lit: &Lit) -> Drawn {
    let layout = found.layout();
    Drawn {
        layout: found.name(),
        title: layout.title.clone(),
        pay_table: found.pay_table().title.clone(),
        rulebook_sha256: found.book.sha256_hex(),
        reconstruction: layout.reconstruction.as_ref().map(|part| part.is.clone()),
        size: [layout.size.0, layout.size.1],
        cells: layout
            .cells
            .iter()
            .map(|cell| CellEntry::of(cell, lit))
            .collect(),
    }
}
