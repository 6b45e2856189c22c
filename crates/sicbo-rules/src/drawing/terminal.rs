//! The layout with the characters of a terminal: box lines, words, dice as digits.
//!
//! Columns and rows grow where a word needs it, so that nothing is cut off;
//! the drawing fits the width asked for wherever the words allow it.

use std::fmt::Write;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::text::words;
use super::{Lit, dice_faces};
use crate::layout::{Cell, CellKind, Layout};
use crate::section::{Kind, Section};

/// Whether the drawing may use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    /// Characters only; lit sections have heavy lines.
    Plain,
    /// ANSI colours besides.
    Colour,
}

/// Lines by the weight of their arms up, right, down and left: none, light, heavy.
pub(super) const LINES: &str =
    " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋";

/// The layout in at most `width` columns, or as few as its words allow.
#[must_use]
pub fn terminal(layout: &Layout, lit: &Lit, width: usize, ink: Ink) -> String {
    let cells: Vec<&Cell> = layout
        .cells
        .iter()
        .filter(|cell| cell.kind != CellKind::Blank)
        .collect();
    let across = across(layout, &cells, width.max(2));
    let column = |x: u32| position(&across, x);
    let texts: Vec<Vec<String>> = cells
        .iter()
        .map(|cell| {
            let inner = column(cell.place.x + cell.place.width) - column(cell.place.x) - 1;
            lines_in(layout, cell, inner)
        })
        .collect();
    let down = down(&cells, &texts);
    let row = |y: u32| position(&down, y);
    let mut canvas = Canvas::new(
        across.last().map_or(0, |(_, at)| at + 1),
        down.last().map_or(0, |(_, at)| at + 1),
    );
    // Lit cells last: their heavy lines lie over their neighbours' light ones.
    for pass in [false, true] {
        for (cell, text) in cells.iter().zip(&texts) {
            let is_lit = matches!(cell.kind, CellKind::Section(section) if lit.contains(section));
            if is_lit == pass {
                let frame = Frame {
                    left: column(cell.place.x),
                    right: column(cell.place.x + cell.place.width),
                    top: row(cell.place.y),
                    bottom: row(cell.place.y + cell.place.height),
                };
                canvas.frame(&frame, if is_lit { 2 } else { 1 });
                canvas.text(&frame, text, style(cell, is_lit, !lit.is_empty()));
            }
        }
    }
    canvas.print(ink)
}

/// Where an edge of the layout lies on the canvas.
fn position(edges: &[(u32, usize)], at: u32) -> usize {
    edges
        .iter()
        .find(|(edge, _)| *edge == at)
        .map_or(0, |(_, position)| *position)
}

/// Columns of the vertical edges: as proportional as fits, never narrower than a word.
fn across(layout: &Layout, cells: &[&Cell], width: usize) -> Vec<(u32, usize)> {
    let edges = edges(cells, |cell| (cell.place.x, cell.place.width));
    let needs: Vec<usize> = cells.iter().map(|cell| narrowest(layout, cell)).collect();
    let place = |scale: usize| -> Vec<(u32, usize)> {
        let mut placed: Vec<(u32, usize)> = Vec::new();
        for edge in &edges {
            let mut at = *edge as usize * scale / layout.size.0.max(1) as usize;
            at = at.max(placed.last().map_or(0, |(_, last)| *last));
            for (cell, need) in cells.iter().zip(&needs) {
                if cell.place.x + cell.place.width == *edge {
                    at = at.max(position(&placed, cell.place.x) + need + 1);
                }
            }
            placed.push((*edge, at));
        }
        placed
    };
    let widest = |placed: &[(u32, usize)]| placed.last().map_or(0, |(_, at)| at + 1);
    (0..width)
        .rev()
        .map(place)
        .find(|placed| widest(placed) <= width)
        .unwrap_or_else(|| place(0))
}

/// Rows of the horizontal edges: just enough for the words between them.
fn down(cells: &[&Cell], texts: &[Vec<String>]) -> Vec<(u32, usize)> {
    let mut placed: Vec<(u32, usize)> = Vec::new();
    for edge in edges(cells, |cell| (cell.place.y, cell.place.height)) {
        let mut at = placed.last().map_or(0, |(_, last)| *last);
        for (cell, text) in cells.iter().zip(texts) {
            if cell.place.y + cell.place.height == edge {
                at = at.max(position(&placed, cell.place.y) + text.len().max(1) + 1);
            }
        }
        placed.push((edge, at));
    }
    placed
}

fn edges(cells: &[&Cell], span: impl Fn(&Cell) -> (u32, u32)) -> Vec<u32> {
    let mut edges: Vec<u32> = cells
        .iter()
        .flat_map(|cell| {
            let (start, length) = span(cell);
            [start, start + length]
        })
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The words of a cell, paragraph by paragraph.
fn paragraphs(layout: &Layout, cell: &Cell) -> Vec<String> {
    let mut all = Vec::new();
    if let CellKind::Section(section) = cell.kind
        && section.kind() == Kind::AnyTriple
    {
        all.extend(cell.label.clone());
        all.push(dice_words(layout, section));
    } else if let CellKind::Section(section) = cell.kind {
        let dice = dice_words(layout, section);
        if !dice.is_empty() {
            all.push(dice);
        }
        all.extend(cell.label.clone());
    } else {
        all.extend(cell.label.clone());
    }
    all.extend(cell.lines.iter().cloned());
    all
}

/// The dice of a section as digits: `666`, `6 5`, `[6]`.
fn dice_words(layout: &Layout, section: Section) -> String {
    let groups: Vec<String> = dice_faces(layout, section)
        .iter()
        .map(|faces| match section.kind() {
            Kind::Single => format!("[{}]", faces[0]),
            Kind::Pair => format!("{}-{}", faces[0], faces[1]),
            _ => faces.iter().map(u8::to_string).collect(),
        })
        .collect();
    groups.join(" ")
}

/// The least inner width: the longest word.
fn narrowest(layout: &Layout, cell: &Cell) -> usize {
    paragraphs(layout, cell)
        .iter()
        .flat_map(|paragraph| words(paragraph))
        .map(|word| word.width())
        .max()
        .unwrap_or(1)
        .max(1)
}

/// A cell's words broken to its inner width.
fn lines_in(layout: &Layout, cell: &Cell, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in paragraphs(layout, cell) {
        let mut line = String::new();
        for word in words(&paragraph) {
            if line.is_empty() {
                line = word;
            } else if line.width() + 1 + word.width() <= width {
                line.push(' ');
                line.push_str(&word);
            } else {
                lines.push(std::mem::replace(&mut line, word));
            }
        }
        lines.push(line);
    }
    lines
}

/// The ANSI codes of a cell's words.
fn style(cell: &Cell, is_lit: bool, others_lit: bool) -> &'static str {
    match (&cell.kind, is_lit, others_lit) {
        (_, true, _) => "1;30;43",
        (_, false, true) => "2",
        (CellKind::Section(section), _, _) => match section.kind() {
            Kind::Small | Kind::Big | Kind::AnyTriple => "1;31",
            Kind::Odd | Kind::Even | Kind::ThreeSingle => "36",
            Kind::Total => "1",
            _ => "",
        },
        _ => "33",
    }
}

struct Frame {
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

/// What stands at one place of the canvas.
#[derive(Clone, Default)]
struct Spot {
    /// Weights of the arms up, right, down, left.
    arms: [u8; 4],
    /// A character and what combines with it; empty right of a wide one.
    text: Option<String>,
    style: &'static str,
}

struct Canvas {
    width: usize,
    spots: Vec<Spot>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Canvas {
        Canvas {
            width,
            spots: vec![Spot::default(); width * height],
        }
    }

    fn arm(&mut self, x: usize, y: usize, arm: usize, weight: u8) {
        let known = &mut self.spots[y * self.width + x].arms[arm];
        *known = (*known).max(weight);
    }

    fn frame(&mut self, frame: &Frame, weight: u8) {
        let [up, right, down, left] = [0, 1, 2, 3];
        for y in [frame.top, frame.bottom] {
            for x in frame.left..frame.right {
                self.arm(x, y, right, weight);
                self.arm(x + 1, y, left, weight);
            }
        }
        for x in [frame.left, frame.right] {
            for y in frame.top..frame.bottom {
                self.arm(x, y, down, weight);
                self.arm(x, y + 1, up, weight);
            }
        }
    }

    /// Words in the middle of a frame.
    fn text(&mut self, frame: &Frame, lines: &[String], style: &'static str) {
        let inner_height = (frame.bottom - frame.top).saturating_sub(1);
        let inner_width = (frame.right - frame.left).saturating_sub(1);
        for y in frame.top + 1..frame.bottom {
            for x in frame.left + 1..frame.right {
                self.spots[y * self.width + x].style = style;
            }
        }
        let top = frame.top + 1 + inner_height.saturating_sub(lines.len()) / 2;
        for (i, line) in lines.iter().enumerate().take(inner_height) {
            let mut x = frame.left + 1 + inner_width.saturating_sub(line.width()) / 2;
            let y = top + i;
            for c in line.chars() {
                let columns = c.width().unwrap_or(0);
                if columns == 0 {
                    // Combines with what stands before it.
                    if let Some(text) = &mut self.spots[y * self.width + x - 1].text {
                        text.push(c);
                    }
                    continue;
                }
                if x + columns > frame.right {
                    break;
                }
                let c = if c == '\u{a0}' { ' ' } else { c };
                self.spots[y * self.width + x].text = Some(c.to_string());
                for covered in 1..columns {
                    self.spots[y * self.width + x + covered].text = Some(String::new());
                }
                x += columns;
            }
        }
    }

    fn print(&self, ink: Ink) -> String {
        let lines: Vec<char> = LINES.chars().collect();
        let mut out = String::new();
        for row in self.spots.chunks(self.width.max(1)) {
            let mut line = String::new();
            let mut current = "";
            for spot in row {
                let boxed = spot.arms != [0; 4];
                let wanted = match ink {
                    Ink::Plain => "",
                    Ink::Colour if boxed && spot.arms.contains(&2) => "1;33",
                    Ink::Colour if boxed => "32",
                    Ink::Colour => spot.style,
                };
                if wanted != current {
                    if !current.is_empty() {
                        line.push_str("\u{1b}[0m");
                    }
                    if !wanted.is_empty() {
                        let _ = write!(line, "\u{1b}[{wanted}m");
                    }
                    current = wanted;
                }
                match &spot.text {
                    Some(text) => line.push_str(text),
                    None => {
                        let index = spot
                            .arms
                            .iter()
                            .fold(0, |sum, arm| sum * 3 + usize::from(*arm));
                        line.push(lines[index]);
                    }
                }
            }
            if !current.is_empty() {
                line.push_str("\u{1b}[0m");
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}
