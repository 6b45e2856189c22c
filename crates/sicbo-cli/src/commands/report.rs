//! `sicbo report --data DIR TABLE`: what a table's play came to, from its journal alone.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sicbo_proof::source::{HOUSE_STREAM, Journals};
use sicbo_register::shift::ShiftId;
use sicbo_report::forms::Paper;
use sicbo_report::sheet::TableReport;
use sicbo_report::{self as report, Asked, Besides, HouseAt, ReportError};

use crate::failure::Failure;
use crate::journals::{self, source_failure, world};
use crate::output::{Grid, Output};

#[derive(Args)]
#[command(after_help = "\
A round belongs to the report in which it ended. Every figure is true as of the last record; \
corrections made later stand apart, so that a report printed again says the same and what has come \
since. Theoretical win, variance and z are exact: each round's own 216 outcomes for the stakes as \
they lay.")]
pub(crate) struct Report {
    /// The table, by the name of its journal
    table: String,
    /// The data folder; the house may be running
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// First record
    #[arg(long, value_name = "SEQ")]
    from: Option<u64>,
    /// Last record
    #[arg(long, value_name = "SEQ")]
    to: Option<u64>,
    /// Whole rounds that ended from this moment on, e.g. 2026-11-15T20:00:00Z
    #[arg(long, value_name = "TIME", conflicts_with_all = ["from", "to"], value_parser = moment)]
    since: Option<i64>,
    /// Whole rounds that ended before this moment
    #[arg(long, value_name = "TIME", conflicts_with_all = ["from", "to"], value_parser = moment)]
    until: Option<i64>,
    /// One shift of the table, by its number: its records, its counts, who signed
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["from", "to", "since", "until"])]
    shift: Option<u64>,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write to this new file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables for a terminal
    Text,
    /// One JSON object
    Json,
    /// One figure per line: section, row, column, value
    Csv,
    /// A page with charts, for screen and printer
    Html,
    /// A4 pages
    Pdf,
}

fn moment(text: &str) -> Result<i64, String> {
    let at: jiff::Timestamp = text
        .parse()
        .map_err(|_| "write a moment such as 2026-11-15T20:00:00Z".to_owned())?;
    Ok(at.as_millisecond())
}

impl Report {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let found = journals::open_journals(&self.data)?;
        let report = self.make(&found)?;
        let format = match self.format {
            Format::Text if out.is_json() => Format::Json,
            format => format,
        };
        let bytes = match format {
            Format::Text if self.out.is_none() => return print(&Paper::of(&report), out),
            Format::Text => text(&Paper::of(&report)).into_bytes(),
            Format::Json => {
                let mut bytes = serde_json::to_vec_pretty(&report).map_err(std::io::Error::from)?;
                bytes.push(b'\n');
                bytes
            }
            Format::Csv => Paper::of(&report).csv().into_bytes(),
            Format::Html => Paper::of(&report).html().into_bytes(),
            Format::Pdf => Paper::of(&report).pdf().map_err(|error| world(&error))?,
        };
        match &self.out {
            Some(path) => {
                let file = std::fs::File::create_new(path);
                let mut file = file.map_err(|error| Failure::file("make", path, &error))?;
                file.write_all(&bytes)?;
                file.flush()?;
            }
            None => out.writer().write_all(&bytes)?,
        }
        Ok(())
    }

    fn make(&self, found: &Journals) -> Result<TableReport, Failure> {
        if self.table == HOUSE_STREAM {
            return Err(Failure::input("the house's own journal is no table"));
        }
        let one = found.one(Some(&self.table));
        let (stream, store) = one.map_err(|error| source_failure(&error))?;
        let house = house(found)?;
        let shift = self.shift.map(ShiftId);
        let asked = if let Some(id) = shift {
            let of = |house: &HouseAt| house.shift(&self.table, id);
            let no_shift = || {
                let words = format!("table {} has no shift {} at hand", self.table, id.0);
                Failure::input(words)
            };
            house.as_ref().and_then(of).ok_or_else(no_shift)?
        } else if self.since.is_some() || self.until.is_some() {
            let (since, until) = (
                self.since.unwrap_or(i64::MIN),
                self.until.unwrap_or(i64::MAX),
            );
            let asked = Asked::between(&store, since, until).map_err(|error| world(&error))?;
            asked.ok_or_else(|| Failure::input("no round ended in that time"))?
        } else {
            Asked {
                from: self.from.unwrap_or(1),
                to: self.to,
            }
        };
        let besides = match house {
            Some(house) => Besides::of(house, &self.table, shift),
            None => Besides::default(),
        };
        report::table(&store, &stream, asked, besides).map_err(|error| match error {
            ReportError::Range { .. } | ReportError::TooLong => Failure::input(error),
            ReportError::Journal(_) => world(&error),
        })
    }
}

/// The house's register, where its own journal is there too.
fn house(found: &Journals) -> Result<Option<HouseAt>, Failure> {
    let Ok((_, house)) = found.one(Some(HOUSE_STREAM)) else {
        return Ok(None);
    };
    let read = HouseAt::read(&house);
    read.map(Some).map_err(|error| world(&error))
}

fn grid(block: &sicbo_report::forms::Block) -> Grid {
    let heads: Vec<String> = block
        .columns
        .iter()
        .map(|column| format!("{}{}", if column.figures { ">" } else { "" }, column.name))
        .collect();
    let mut grid = Grid::new(&heads);
    for row in &block.rows {
        grid.row(row.clone());
    }
    grid
}

fn print(paper: &Paper, out: &mut Output) -> Result<(), Failure> {
    out.heading(&paper.title)?;
    let mut head = Grid::new(&["", ""]);
    for (label, value) in &paper.head {
        head.row([label.clone(), value.clone()]);
    }
    out.table(&head)?;
    for block in &paper.blocks {
        out.line("")?;
        out.heading(&block.title)?;
        out.table(&grid(block))?;
    }
    out.line("")?;
    for note in &paper.notes {
        out.line(note)?;
    }
    Ok(())
}

/// The same for a file.
fn text(paper: &Paper) -> String {
    let mut text = format!("{}\n\n", paper.title);
    for (label, value) in &paper.head {
        text.push_str(&format!("{label:<40} {value}\n"));
    }
    for block in &paper.blocks {
        text.push_str(&format!("\n{}\n", block.title));
        for line in grid(block).render() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text.push('\n');
    for note in &paper.notes {
        text.push_str(note);
        text.push('\n');
    }
    text
}
