//! Where results go: standard output, as JSON or for people.
//!
//! Colour only where a person sees it: on a terminal, and not when `NO_COLOR`
//! is set. Output that goes to a file or a program never depends on the terminal.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use serde::Serialize;
use sicbo_rules::document::Fault;

use crate::failure::{Failure, one_line};

/// How a piece of text stands out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// A heading.
    Heading,
    /// Something that differs, or is won.
    Marked,
    /// Something of less weight.
    Faint,
}

/// Columns used when the output is not a terminal.
const WIDTH_IN_FILES: usize = 120;

/// Standard output.
pub(crate) struct Output {
    json: bool,
    colour: bool,
    width: usize,
    out: BufWriter<StdoutLock<'static>>,
}

impl Output {
    /// Standard output, for people or for programs.
    pub(crate) fn stdout(json: bool) -> Output {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let width = if terminal {
            terminal_size::terminal_size_of(&stdout).map(|(width, _)| usize::from(width.0))
        } else {
            None
        };
        Output {
            json,
            colour: terminal && !set("NO_COLOR") && !dumb,
            width: width.unwrap_or(WIDTH_IN_FILES).max(20),
            out: BufWriter::new(stdout.lock()),
        }
    }

    /// Whether JSON was asked for.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Whether colour may be used.
    pub(crate) fn colour(&self) -> bool {
        self.colour
    }

    /// Columns there are.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// A value as JSON.
    pub(crate) fn json<T: Serialize>(&mut self, value: &T) -> Result<(), Failure> {
        serde_json::to_writer_pretty(&mut self.out, value).map_err(io::Error::from)?;
        writeln!(self.out)?;
        Ok(())
    }

    /// One line.
    pub(crate) fn line(&mut self, line: impl std::fmt::Display) -> Result<(), Failure> {
        writeln!(self.out, "{line}")?;
        Ok(())
    }

    /// Text as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.out.write_all(text.as_bytes())?;
        Ok(())
    }

    /// A heading on its own line.
    pub(crate) fn heading(&mut self, text: &str) -> Result<(), Failure> {
        let heading = self.paint(Style::Heading, text);
        self.line(heading)
    }

    /// Text in a style, where there is colour.
    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        let code = match style {
            Style::Heading => "1",
            Style::Marked => "1;33",
            Style::Faint => "2",
        };
        if self.colour {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    /// A table; rows marked are those whose first cell starts with the mark.
    pub(crate) fn table(&mut self, table: &Grid) -> Result<(), Failure> {
        let rendered = table.render();
        let mark_rows = self.colour;
        for line in rendered {
            let line = line.trim_end();
            if mark_rows && line.trim_start().starts_with(MARK) {
                let painted = self.paint(Style::Marked, line);
                self.line(painted)?;
            } else {
                self.line(line)?;
            }
        }
        Ok(())
    }

    /// Every fault of a file on a line of its own, and how many they are.
    pub(crate) fn faults(&mut self, file: &str, faults: &[Fault]) -> Result<(), Failure> {
        for fault in faults {
            self.line(format!("{file}: {}", one_line(&fault.to_string())))?;
        }
        let plural = if faults.len() == 1 { "" } else { "s" };
        self.line(format!("{file}: {} fault{plural}", faults.len()))
    }

    /// Where bytes go that are written piece by piece.
    pub(crate) fn writer(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    /// Hands what there is to the reader, before something is said elsewhere.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush()?;
        Ok(())
    }

    /// Hands everything to the reader.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.out.flush()?;
        Ok(())
    }
}

/// A fault of a file, as JSON.
#[derive(Serialize)]
pub(crate) struct FaultEntry {
    line: usize,
    place: String,
    problem: String,
    expected: String,
}

impl From<&Fault> for FaultEntry {
    fn from(fault: &Fault) -> FaultEntry {
        FaultEntry {
            line: fault.line,
            place: fault.place.clone(),
            problem: fault.problem.clone(),
            expected: fault.expected.clone(),
        }
    }
}

/// Stands before what differs or is won, so that it shows without colour too.
pub(crate) const MARK: &str = "▸";

/// A label with the mark before it, or room for one.
pub(crate) fn marked(is: bool, label: &str) -> String {
    let mark = if is { MARK } else { " " };
    format!("{mark} {label}")
}

/// One rule under the column heads: lines between rows say nothing the rows do not.
const RULED_HEAD: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// A table for people.
pub(crate) struct Grid {
    table: Table,
    right: Vec<usize>,
}

impl Grid {
    /// A table with these column heads. A head that starts with `>` is for figures.
    pub(crate) fn new<S: AsRef<str>>(heads: &[S]) -> Grid {
        let mut table = Table::new();
        table
            .load_style(RULED_HEAD)
            .set_content_arrangement(ContentArrangement::Disabled)
            .force_no_tty();
        let right = heads
            .iter()
            .enumerate()
            .filter(|(_, head)| head.as_ref().starts_with('>'))
            .map(|(i, _)| i)
            .collect();
        table.set_header(
            heads
                .iter()
                .map(|head| head.as_ref().trim_start_matches('>')),
        );
        Grid { table, right }
    }

    /// A table whose column heads stand between bars.
    pub(crate) fn headed(heads: &str) -> Grid {
        Grid::new(&heads.split(" | ").collect::<Vec<&str>>())
    }

    /// Wraps long cells to fit so many columns.
    pub(crate) fn wrapped(mut self, width: usize) -> Grid {
        self.table
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(u16::try_from(width).unwrap_or(u16::MAX));
        self
    }

    /// Adds a row.
    pub(crate) fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.table
            .add_row(cells.into_iter().map(Into::into).collect::<Vec<String>>());
    }

    pub(crate) fn render(&self) -> Vec<String> {
        let mut table = self.table.clone();
        for column in &self.right {
            if let Some(column) = table.column_mut(*column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.lines().collect()
    }
}
