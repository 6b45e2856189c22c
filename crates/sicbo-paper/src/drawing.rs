//! The ticket laid out on paper of 80 mm, in millimetres, for SVG and PDF alike.

use super::Ticket;
use super::codes::{bars, runs, square};

/// Width of the paper.
pub(super) const WIDTH: f32 = 80.0;
const LEFT: f32 = 6.0;
const RIGHT: f32 = WIDTH - LEFT;
const MIDDLE: f32 = WIDTH / 2.0;

/// Where a text stands from its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Something drawn.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Mark {
    Text {
        x: f32,
        /// The baseline.
        y: f32,
        size: f32,
        bold: bool,
        white: bool,
        anchor: Anchor,
        text: String,
    },
    /// A black rectangle.
    Block {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
    },
}

/// A ticket laid out.
pub(super) struct Drawing {
    pub(super) height: f32,
    pub(super) marks: Vec<Mark>,
}

impl Drawing {
    fn text(&mut self, at: (f32, f32), size: f32, bold: bool, anchor: Anchor, text: &str) {
        self.marks.push(Mark::Text {
            x: at.0,
            y: at.1,
            size,
            bold,
            white: false,
            anchor,
            text: text.to_owned(),
        });
    }

    fn centred(&mut self, y: f32, size: f32, bold: bool, text: &str) {
        self.text((MIDDLE, y), size, bold, Anchor::Middle, text);
    }

    fn block(&mut self, x: f32, y: f32, width: f32, height: f32) {
        self.marks.push(Mark::Block {
            x,
            y,
            width,
            height,
        });
    }

    /// A line as wide as the text.
    fn rule(&mut self, y: f32) {
        self.block(LEFT, y, RIGHT - LEFT, 0.25);
    }

    pub(super) fn of(ticket: &Ticket) -> Drawing {
        let mut drawing = Drawing {
            height: 0.0,
            marks: Vec::new(),
        };
        // The number stands on the leading edge (C.8).
        drawing.centred(8.0, 3.8, true, &ticket.number.grouped());
        drawing.bars(ticket, 11.0, 15.0);
        drawing.centred(
            34.5,
            fitting(&ticket.site, 5.2, RIGHT - LEFT),
            true,
            &ticket.site,
        );
        let [kind, beside] = ticket.languages.map(|language| language.labels().kind);
        drawing.centred(40.5, 3.4, true, kind);
        drawing.centred(45.0, 3.2, false, beside);
        let mut y = 48.0;
        if ticket.duplicate {
            drawing.block(LEFT, y, RIGHT - LEFT, 7.0);
            drawing.marks.push(Mark::Text {
                x: MIDDLE,
                y: y + 5.0,
                size: 4.2,
                bold: true,
                white: true,
                anchor: Anchor::Middle,
                text: duplicate(ticket),
            });
            y += 9.0;
        }
        let figures = ticket.figures();
        y += 9.0;
        drawing.centred(y, fitting(&figures, 9.0, RIGHT - LEFT), true, &figures);
        y += 6.5;
        for language in ticket.languages {
            for line in wrapped(&language.amount(ticket.currency, ticket.amount), 40) {
                drawing.centred(y, 3.0, false, &line);
                y += 3.9;
            }
            y += 0.8;
        }
        drawing.rule(y);
        y += 5.2;
        for (name, value) in ticket.rows() {
            drawing.text((LEFT, y), 2.7, false, Anchor::Start, &name);
            let room = (RIGHT - LEFT) * 0.58;
            let size = fitting(&value, 3.0, room);
            drawing.text((RIGHT, y), size, true, Anchor::End, &value);
            y += 4.8;
        }
        drawing.rule(y - 2.2);
        y += 2.6;
        let side = match &ticket.check {
            Some(address) => drawing.square(address, LEFT, y, 26.0),
            None => 0.0,
        };
        let beside = if side > 0.0 { LEFT + side + 5.0 } else { LEFT };
        drawing.text(
            (beside, y + 4.5),
            2.5,
            false,
            Anchor::Start,
            &ticket.both(|labels| labels.validation),
        );
        let number = ticket.number.grouped();
        let (first, rest) = number.split_at(7);
        let (second, third) = rest.split_at(10);
        for (at, part) in [first, second, third].into_iter().enumerate() {
            let part = part.trim_start_matches('-');
            let line = y + 9.5 + 5.0 * at as f32;
            drawing.text((beside, line), 4.0, true, Anchor::Start, part);
        }
        if side > 0.0 {
            y += side + 3.6;
            let [check, check_beside] = ticket.languages.map(|language| language.labels().check);
            drawing.text((LEFT, y), 2.4, true, Anchor::Start, check);
            drawing.text((LEFT, y + 3.4), 2.4, false, Anchor::Start, check_beside);
            y += 9.0;
        } else {
            y += 26.0;
        }
        let [note, beside] = ticket.languages.map(|language| language.labels().note);
        drawing.centred(y, 2.4, false, note);
        drawing.centred(y + 3.6, 2.4, false, beside);
        drawing.height = (y + 8.0).ceil();
        drawing
    }

    fn bars(&mut self, ticket: &Ticket, y: f32, height: f32) {
        let bars = bars(ticket.number);
        // White margins of ten narrow widths on either side, for the reader.
        let narrow = WIDTH / (bars.len() + 20) as f32;
        for (start, length) in runs(&bars) {
            let x = (start + 10) as f32 * narrow;
            self.block(x, y, length as f32 * narrow, height);
        }
    }

    /// Draws the square of an address as large as that and returns its side; 0 where there is none.
    fn square(&mut self, address: &str, x: f32, y: f32, side: f32) -> f32 {
        let square = square(address);
        if square.is_empty() {
            return 0.0;
        }
        let module = side / square.len() as f32;
        for (row, modules) in square.iter().enumerate() {
            for (start, length) in runs(modules) {
                self.block(
                    x + start as f32 * module,
                    y + row as f32 * module,
                    length as f32 * module,
                    module,
                );
            }
        }
        side
    }
}

/// What a copy is marked with.
pub(super) fn duplicate(ticket: &Ticket) -> String {
    let [one, other] = ticket.languages.map(|language| language.labels().duplicate);
    format!("{one} – {other}")
}

/// The size at which a text fits a width: a letter is some 0.64 of its size.
fn fitting(text: &str, size: f32, width: f32) -> f32 {
    let wide = text.chars().count().max(1) as f32 * 0.64;
    size.min(width / wide)
}

/// Lines of at most `most` characters, broken between words.
pub(super) fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let fits = |line: &String| {
            line.is_empty() || line.chars().count() + 1 + word.chars().count() <= most
        };
        match lines.last_mut() {
            Some(line) if fits(line) => {
                if !line.is_empty() {
                    line.push(' ');
                }
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
