//! `sicbo par LAYOUT`: the par sheet a test lab files, as text, HTML or PDF.

mod page;
mod paper;
mod sheet;

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use sicbo_lab::game::Game;
use sicbo_rules::SelfTest;

use crate::books::{self, Found};
use crate::commands::odds::{self, Sheet};
use crate::failure::Failure;
use crate::journals::world;
use crate::lab::{CsvFile, Origin};
use crate::output::Output;

use sheet::{ParSheet, SectionPlay};

#[derive(Args)]
#[command(after_help = "\
Before it prints anything the command works out every section on all 216 outcomes a second time \
and compares; exit 1 when a cell differs. A book's name alone gives all its layouts.")]
pub(crate) struct Par {
    /// The layout, e.g. rws-etg/b, a book for all its layouts, or a file that is a pay table only
    layout: String,
    /// Write the sheet to this file as one self-contained page; `-` prints it
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the sheet to this file as A4 pages; `-` prints it
    #[arg(long, value_name = "FILE")]
    pdf: Option<PathBuf>,
    #[command(flatten)]
    csv: CsvFile,
}

#[derive(Serialize)]
struct Sworn<'a> {
    #[serde(flatten)]
    sheet: Sheet,
    play: &'a [SectionPlay],
    self_test: Option<Tested>,
}

#[derive(Serialize)]
struct Tested {
    passed: bool,
    outcomes: usize,
    sections: usize,
    cells: usize,
    paying: usize,
    disagreements: Vec<String>,
}

impl Tested {
    fn of(test: &SelfTest) -> Tested {
        Tested {
            passed: test.passed(),
            outcomes: sicbo_rules::Outcome::COUNT,
            sections: test.sections,
            cells: test.cells,
            paying: test.paying,
            disagreements: test.disagreements.clone(),
        }
    }
}

/// Every layout asked for: one, or all of a book.
fn games(name: &str) -> Result<Vec<(Game, Option<Found>)>, Failure> {
    if !name.contains('/')
        && !name.ends_with(".toml")
        && let Ok(book) = books::book(name)
    {
        let layouts = book.layouts.iter();
        return layouts
            .map(|layout| books::game(&book.layout_name(layout)))
            .collect();
    }
    books::game(name).map(|game| vec![game])
}

impl Par {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let sheets: Vec<ParSheet> = games(&self.layout)?
            .into_iter()
            .map(|(game, found)| ParSheet::of(game, found))
            .collect();
        let files = self.csv.open(out)?;
        let standard = |path: &Option<PathBuf>| path.as_ref().is_some_and(|p| p.as_os_str() == "-");
        let taken = standard(&self.html) || standard(&self.pdf);
        let mut told = Vec::new();
        if let Some(path) = &self.html {
            let page = page::page(&sheets);
            told.extend(put(path, page.as_bytes(), out)?);
        }
        if let Some(path) = &self.pdf {
            let pages = paper::pdf(&sheets).map_err(|error| world(&error))?;
            told.extend(put(path, &pages, out)?);
        }
        let first = &sheets[0];
        let origin = Origin::new("par", &first.game, &first.loading);
        let csv = files.write(&origin, out, || sheet::csv(&sheets), String::new)?;
        if out.is_json() && !taken {
            let sworn = |sheet: &ParSheet| {
                let bets = sheet.game.bets.iter();
                Origin::new("par", &sheet.game, &sheet.loading).json(
                    &Sworn {
                        sheet: Sheet::of(bets, &sheet.loading),
                        play: &sheet.play,
                        self_test: sheet.test.as_ref().map(Tested::of),
                    },
                    &mut *out,
                )
            };
            sheets.iter().try_for_each(sworn)?;
        } else if !csv && !taken {
            for line in &told {
                out.line(line)?;
            }
            for sheet in &sheets {
                if told.is_empty() {
                    odds::whole(&sheet.game, &sheet.loading, true, out)?;
                    sheet.print_play(out)?;
                }
                out.line(sheet.summary())?;
                out.line(Origin::new("par", &sheet.game, &sheet.loading).line())?;
            }
        }
        match sheets.iter().all(ParSheet::passed) {
            true => Ok(()),
            false => Err(Failure::Faulty),
        }
    }
}

/// Writes a form of the sheet; what is to be told of it.
fn put(path: &Path, bytes: &[u8], out: &mut Output) -> Result<Option<String>, Failure> {
    if path.as_os_str() == "-" {
        out.writer().write_all(bytes)?;
        return Ok(None);
    }
    std::fs::write(path, bytes).map_err(|error| Failure::file("write", path, &error))?;
    Ok(Some(format!("par sheet written to {}", path.display())))
}
