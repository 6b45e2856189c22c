//! A report on paper: CSV, a page with charts, and PDF (P-099).
//!
//! What is printed is decided once, in [`Paper`]; each form only sets it.

mod charts;
mod html;
mod paper;
mod pdf;
mod registers;

pub use html::Entities;
pub use paper::{Block, Column, Paper};
pub use pdf::{Pages, PdfError};

impl Paper {
    /// Who signed a shift that has ended; else where they would sign.
    pub(crate) fn signatures(&self) -> [String; 2] {
        let shift = self.report.shift.as_ref();
        let signed = shift.and_then(|shift| Some((shift, shift.closed_ms?)));
        let sign = |role: &str, at: usize| match signed {
            Some((shift, closed)) => {
                let name = shift.signed_by.get(at).map_or("nobody", String::as_str);
                format!("{role}: {name}, {} UTC", sicbo_proof::text::time(closed))
            }
            None => format!("{role}, date ____________________"),
        };
        [sign("Outgoing manager", 0), sign("Incoming manager", 1)]
    }

    /// One figure a line: section, row, column, value; RFC 4180.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut out = String::from("section,row,column,value\r\n");
        let mut put = |section: &str, row: &str, column: &str, value: &str| {
            let cells = [section, row, column, value].map(sicbo_proof::csv::cell);
            out.push_str(&cells.join(","));
            out.push_str("\r\n");
        };
        for (label, value) in &self.head {
            put("report", "", label, value);
        }
        for block in &self.blocks {
            for (at, row) in block.rows.iter().enumerate() {
                let number = (at + 1).to_string();
                for (column, value) in block.columns.iter().zip(row) {
                    put(&block.title, &number, column.name, value);
                }
            }
        }
        for (at, note) in self.notes.iter().enumerate() {
            put("notes", &(at + 1).to_string(), "note", note);
        }
        out
    }
}
