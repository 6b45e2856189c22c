//! The ticket as ESC/POS bytes for an 80 mm printer.
//!
//! A small builder of its own: the commands are few, and a driver would bring
//! ports and files with it. Barcode and QR are drawn by the printer. Code
//! pages with Vietnamese letters differ from printer to printer, so Vietnamese
//! is printed without its marks, which every printer can and everyone can read.

use super::Ticket;
use super::drawing::{duplicate, wrapped};

const ESC: u8 = 0x1b;
const GS: u8 = 0x1d;
/// Characters of a line in the printer's font A.
const COLUMNS: usize = 42;

struct Printer(Vec<u8>);

impl Printer {
    fn bytes(&mut self, bytes: &[u8]) -> &mut Printer {
        self.0.extend_from_slice(bytes);
        self
    }

    fn line(&mut self, text: &str) -> &mut Printer {
        self.0.extend(plain(text).into_bytes());
        self.0.push(b'\n');
        self
    }

    /// Bold, and times the usual size.
    fn big(&mut self, times: u8, text: &str) -> &mut Printer {
        let size = (times - 1) << 4 | (times - 1);
        self.bytes(&[ESC, b'E', 1, GS, b'!', size]);
        for line in wrapped(text, COLUMNS / usize::from(times)) {
            self.line(&line);
        }
        self.bytes(&[ESC, b'E', 0, GS, b'!', 0])
    }

    /// Interleaved 2 of 5, drawn by the printer (GS k, function B).
    fn bars(&mut self, digits: &str) -> &mut Printer {
        let length = digits.len() as u8;
        self.bytes(&[GS, b'h', 100, GS, b'w', 3, GS, b'H', 0])
            .bytes(&[GS, b'k', 70, length])
            .bytes(digits.as_bytes())
            .bytes(b"\n")
    }

    /// QR, model 2, modules of 6 dots, correction M (GS ( k).
    fn square(&mut self, address: &str) -> &mut Printer {
        let [low, high, ..] = (address.len() as u32 + 3).to_le_bytes();
        self.bytes(&[GS, b'(', b'k', 4, 0, 49, 65, 50, 0])
            .bytes(&[GS, b'(', b'k', 3, 0, 49, 67, 6])
            .bytes(&[GS, b'(', b'k', 3, 0, 49, 69, 49])
            .bytes(&[GS, b'(', b'k', low, high, 49, 80, 48])
            .bytes(address.as_bytes())
            .bytes(&[GS, b'(', b'k', 3, 0, 49, 81, 48])
            .bytes(b"\n")
    }
}

impl Ticket {
    /// The bytes for the printer, from its reset to the cut.
    #[must_use]
    pub fn escpos(&self) -> Vec<u8> {
        let ticket = self.printable();
        let mut printer = Printer(Vec::with_capacity(1_024));
        let [kind, kind_beside] = ticket.languages.map(|language| language.labels().kind);
        let notes = ticket.languages.map(|language| language.labels().note);
        let digits = self.number.digits();
        // Reset, code page 437, centred.
        printer.bytes(&[ESC, b'@', ESC, b't', 0, ESC, b'a', 1]);
        printer.big(1, &self.number.grouped()).bars(&digits);
        printer.big(2, &self.site);
        printer.big(1, kind).line(kind_beside);
        if self.duplicate {
            printer.bytes(&[GS, b'B', 1]).big(2, &duplicate(&ticket));
            printer.bytes(&[GS, b'B', 0]);
        }
        printer.bytes(b"\n").big(2, &self.figures());
        for language in ticket.languages {
            for line in wrapped(&language.amount(self.currency, self.amount), COLUMNS) {
                printer.line(&line);
            }
        }
        printer.line(&"-".repeat(COLUMNS));
        for (name, value) in ticket.rows() {
            let gap = COLUMNS.saturating_sub(plain(&name).len() + plain(&value).len());
            if gap > 0 {
                printer.line(&format!("{name}{}{value}", " ".repeat(gap)));
            } else {
                printer.line(&name).line(&value);
            }
        }
        printer.line(&"-".repeat(COLUMNS));
        if let Some(address) = &self.check {
            printer.square(address);
            for language in ticket.languages {
                printer.line(language.labels().check);
            }
        }
        for note in notes {
            printer.line(note);
        }
        // Feed to the knife and cut.
        printer.bytes(&[GS, b'V', 66, 0]);
        printer.0
    }
}

/// Letters every printer has: Vietnamese without its marks, anything else
/// beyond ASCII as a question mark. Control characters never reach the printer.
fn plain(text: &str) -> String {
    text.chars().map(plain_letter).collect()
}

fn plain_letter(c: char) -> char {
    const LETTERS: [(&str, char); 8] = [
        ("àáảãạăằắẳẵặâầấẩẫậ", 'a'),
        ("èéẻẽẹêềếểễệ", 'e'),
        ("ìíỉĩị", 'i'),
        ("òóỏõọôồốổỗộơờớởỡợ", 'o'),
        ("ùúủũụưừứửữự", 'u'),
        ("ỳýỷỹỵ", 'y'),
        ("đ", 'd'),
        ("–—", '-'),
    ];
    if c.is_ascii() {
        return if c.is_ascii_control() { ' ' } else { c };
    }
    let lower = c.to_lowercase().next().unwrap_or(c);
    let mut letters = LETTERS.iter();
    match letters.find(|(marked, _)| marked.contains(lower)) {
        Some((_, letter)) if c.is_uppercase() => letter.to_ascii_uppercase(),
        Some((_, letter)) => *letter,
        None => '?',
    }
}
