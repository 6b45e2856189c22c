//! A report on paper: CSV, a page with charts, and PDF (P-099).
//!
//! What is printed is decided once, in [`Paper`]; each form only sets it.

mod charts;
mod html;
mod paper;
mod pdf;
mod registers;

pub use paper::{Block, Paper};
pub use pdf::PdfError;

impl Paper {
    /// One figure a line: section, row, column, value; RFC 4180.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut out = String::from("section,row,column,value\r\n");
        let mut put = |section: &str, row: &str, column: &str, value: &str| {
            let cells = [section, row, column, value].map(quoted);
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

/// Quotes where needed, quotes inside doubled. What a spreadsheet would take
/// for a formula is made a text.
fn quoted(text: &str) -> String {
    let figure = text
        .strip_prefix('-')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let text = if text.starts_with(['=', '+', '@', '-', '\t']) && !figure {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn cells_cannot_break_out_of_their_place_nor_become_formulas() {
        for (text, cell) in [
            ("plain", "plain"),
            ("-12.50", "-12.50"),
            ("a,b", "\"a,b\""),
            ("say \"no\"", "\"say \"\"no\"\"\""),
            ("=1+1", "'=1+1"),
            ("@x", "'@x"),
            ("-x", "'-x"),
        ] {
            assert_eq!(quoted(text), cell);
        }
    }
}
