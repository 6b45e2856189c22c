//! `sicbo par LAYOUT --html FILE`: the par sheet a test lab files.

mod page;

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use sicbo_rules::SelfTest;

use crate::books;
use crate::commands::odds::{self, Sheet};
use crate::failure::Failure;
use crate::output::Output;

#[derive(Args)]
#[command(after_help = "\
Before it prints anything the command works out every section on all 216 outcomes a second time \
and compares; exit 1 when a cell differs.")]
pub(crate) struct Par {
    /// The layout, e.g. rws-etg/b
    layout: String,
    /// Write the sheet to this file as one self-contained page; `-` prints it
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

#[derive(Serialize)]
struct Sworn {
    #[serde(flatten)]
    sheet: Sheet,
    self_test: Tested,
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

impl Par {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let found = books::layout(&self.layout)?;
        let test = SelfTest::of(found.layout());
        let passed = test.passed();
        if let Some(path) = &self.html {
            let page = page::page(&found, &test);
            if path.as_os_str() == "-" {
                out.text(&page)?;
            } else {
                std::fs::write(path, page).map_err(|error| Failure::file("write", path, &error))?;
                if !out.is_json() {
                    out.line(format!(
                        "par sheet of {} written to {}",
                        found.name(),
                        path.display()
                    ))?;
                    out.line(summary(&test))?;
                }
            }
        }
        if out.is_json()
            && self
                .html
                .as_ref()
                .is_none_or(|path| path.as_os_str() != "-")
        {
            out.json(&Sworn {
                sheet: Sheet::of(&found, found.layout().sections()),
                self_test: Tested {
                    passed,
                    outcomes: sicbo_rules::Outcome::COUNT,
                    sections: test.sections,
                    cells: test.cells,
                    paying: test.paying,
                    disagreements: test.disagreements.clone(),
                },
            })?;
        } else if self.html.is_none() {
            odds::whole(&found, true, out)?;
            out.line(summary(&test))?;
        }
        if passed { Ok(()) } else { Err(Failure::Faulty) }
    }
}

/// The self-test in one line.
fn summary(test: &SelfTest) -> String {
    if test.passed() {
        format!(
            "self-test passed: {} sections by 216 outcomes, {} cells worked out twice, {} of them pay",
            test.sections, test.cells, test.paying
        )
    } else {
        format!(
            "self-test FAILED: {} of {} cells differ, first {}",
            test.disagreements.len(),
            test.cells,
            test.disagreements.first().map_or("", String::as_str)
        )
    }
}
