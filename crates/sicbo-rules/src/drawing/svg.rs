//! The layout as a picture: baize, gold lines, dice with real pips.
//!
//! Carries its own background, so it looks the same on light and dark pages,
//! and uses no font, image or script from elsewhere.

mod cell;
mod dice;
mod ink;

use std::fmt::Write;

use cell::draw_cell;
use ink::{Area, GOLD, IVORY, escape, num, text};

use super::Lit;
use super::text::{Face, LEADING, fit, width};
use crate::layout::{Cell, CellKind, Layout};
use crate::rulebook::RuleBook;

const MARGIN: f64 = 18.0;
const HEADER: f64 = 40.0;
const FOOTER: f64 = 22.0;
/// Pixels to a unit when the reader does not scale the picture.
const PIXELS: f64 = 2.0;

/// The layout as a complete SVG document.
#[must_use]
pub fn svg(book: &RuleBook, layout: &Layout, lit: &Lit) -> String {
    let (w, h) = (f64::from(layout.size.0), f64::from(layout.size.1));
    let (width, height) = (w + 2.0 * MARGIN, h + 2.0 * MARGIN + HEADER + FOOTER);
    let mut out = String::new();
    let name = book.layout_name(layout);
    let described = format!(
        "Sic Bo betting layout {name}, {}: {} sections",
        book.identity.title.is,
        layout.sections().count()
    );
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" \
         role=\"img\">\n<title>{}</title>\n",
        num(width * PIXELS),
        num(height * PIXELS),
        num(width),
        num(height),
        escape(&described)
    );
    out.push_str(DEFINITIONS);
    out.push_str(&dice::definitions());
    out.push_str("</defs>\n");
    frame(&mut out, width, height);
    header(&mut out, book, layout, lit, width);
    // Lit cells come last, so that their glow lies over their neighbours.
    let is_lit =
        |cell: &Cell| matches!(cell.kind, CellKind::Section(section) if lit.contains(section));
    for cell in layout.cells.iter().filter(|cell| !is_lit(cell)) {
        draw_cell(&mut out, layout, cell, false, !lit.is_empty());
    }
    for cell in layout.cells.iter().filter(|cell| is_lit(cell)) {
        draw_cell(&mut out, layout, cell, true, false);
    }
    footer(&mut out, book, layout, width, height);
    out.push_str("</svg>\n");
    out
}

const DEFINITIONS: &str = r##"<defs>
<radialGradient id="sb-baize" cx="50%" cy="45%" r="75%"><stop offset="0" stop-color="#157a50"/><stop offset="0.6" stop-color="#0d5c3c"/><stop offset="1" stop-color="#083f2a"/></radialGradient>
<linearGradient id="sb-rail" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#5b3018"/><stop offset="0.5" stop-color="#34190b"/><stop offset="1" stop-color="#4a2713"/></linearGradient>
<linearGradient id="sb-lacquer" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#a3182a"/><stop offset="1" stop-color="#6f0d1b"/></linearGradient>
<radialGradient id="sb-lit" cx="50%" cy="50%" r="75%"><stop offset="0" stop-color="#fffbe0"/><stop offset="0.55" stop-color="#ffe27a"/><stop offset="1" stop-color="#f6b93b"/></radialGradient>
<linearGradient id="sb-gold" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fff0c0"/><stop offset="0.5" stop-color="#e6c473"/><stop offset="1" stop-color="#c99a3f"/></linearGradient>
"##;

/// The rail, the cloth and the gold line round it.
fn frame(out: &mut String, width: f64, height: f64) {
    let _ = writeln!(
        out,
        "<rect width=\"{0}\" height=\"{1}\" rx=\"14\" fill=\"url(#sb-rail)\"/>\
         <rect x=\"6\" y=\"6\" width=\"{2}\" height=\"{3}\" rx=\"9\" fill=\"url(#sb-baize)\" stroke=\"#1d0c04\" stroke-width=\"1.5\"/>\
         <rect x=\"9.5\" y=\"9.5\" width=\"{4}\" height=\"{5}\" rx=\"7\" fill=\"none\" stroke=\"url(#sb-gold)\" stroke-width=\"0.9\"/>",
        num(width),
        num(height),
        num(width - 12.0),
        num(height - 12.0),
        num(width - 19.0),
        num(height - 19.0)
    );
}

fn header(out: &mut String, book: &RuleBook, layout: &Layout, lit: &Lit, width: f64) {
    let area = Area {
        x: MARGIN,
        y: MARGIN - 2.0,
        w: width - 2.0 * MARGIN,
        h: HEADER - 6.0,
    };
    // The dice of the result, or three for ornament.
    let faces = lit.dice.map_or([4, 1, 6], |dice| dice.faces());
    let die = 22.0;
    for (i, face) in faces.into_iter().enumerate() {
        dice::die(
            out,
            face,
            area.x + i as f64 * (die + 3.5),
            area.y + 5.0,
            die,
        );
    }
    let left = area.x + 3.0 * (die + 3.5) + 6.0;
    let right = area.x + area.w;
    let result = lit.dice.map(|dice| {
        let triple = if dice.is_triple() { " · triple" } else { "" };
        format!("{dice} · total {}{triple}", dice.total())
    });
    let title = &book.identity.title.is;
    let facts = format!(
        "{} · {} · {} sections",
        layout.title,
        book.pay_table(layout).title,
        layout.sections().count()
    );
    let name = book.layout_name(layout);
    let beside = width_of(&name, Face::Label, 13.0).max(width_of(&facts, Face::Caption, 7.0));
    let room = (right - left - beside - 12.0).max(60.0);
    let fitted = fit(std::slice::from_ref(title), Face::Label, room, 20.0, 17.0);
    let under = result.unwrap_or_else(|| book.identity.operator.is.clone());
    let under_size = (room / width_of(&under, Face::Caption, 1.0)).min(7.5);
    for (i, line) in fitted.lines.iter().enumerate() {
        let y = area.y + 17.0 + i as f64 * fitted.size * LEADING;
        text(
            out,
            line,
            left,
            y,
            fitted.size,
            Face::Label,
            "url(#sb-gold)",
            "start",
        );
    }
    text(
        out,
        &under,
        left,
        area.y + 28.5,
        under_size,
        Face::Caption,
        IVORY,
        "start",
    );
    text(
        out,
        &name,
        right,
        area.y + 17.0,
        13.0,
        Face::Label,
        GOLD,
        "end",
    );
    text(
        out,
        &facts,
        right,
        area.y + 28.5,
        7.0,
        Face::Caption,
        IVORY,
        "end",
    );
}

fn width_of(words: &str, face: Face, size: f64) -> f64 {
    width(words, face) * size
}

fn footer(out: &mut String, book: &RuleBook, layout: &Layout, width: f64, height: f64) {
    let version = book
        .identity
        .version
        .known()
        .map_or("version lost".to_owned(), |version| {
            format!("version {version}")
        });
    let mut lines = vec![format!(
        "Rule book {} · {version} · sha256 {} · odds are profit to 1, the stake is returned besides",
        book.id(),
        &book.sha256_hex()[..16]
    )];
    if let Some(part) = &layout.reconstruction {
        lines.push(format!("Reconstructed: {} [{}]", part.is, part.cite));
    }
    let area = Area {
        x: MARGIN + 2.0,
        y: height - MARGIN - FOOTER + 6.0,
        w: width - 2.0 * MARGIN - 4.0,
        h: FOOTER - 4.0,
    };
    let fitted = fit(&lines, Face::Caption, area.w, area.h, 6.5);
    for (i, line) in fitted.lines.iter().enumerate() {
        let y = area.y + (i as f64 + 0.8) * fitted.size * (LEADING + 0.1);
        text(
            out,
            line,
            area.x,
            y,
            fitted.size,
            Face::Caption,
            "#cfe3d6",
            "start",
        );
    }
}
