//! One cell of the picture: its colours, its dice and its words.

use std::fmt::Write;

use super::dice;
use super::ink::{Area, GOLD, INK, IVORY, centred, escape, num, place, rectangle, rule};
use super::{HEADER, MARGIN};
use crate::drawing::dice_faces;
use crate::drawing::text::{Face, fit};
use crate::layout::{Box2, Cell, CellKind, Layout};
use crate::section::{Kind, Section};

/// Where a place of the layout lies in the picture.
fn area_of(place: Box2) -> Area {
    Area {
        x: MARGIN + f64::from(place.x),
        y: MARGIN + HEADER + f64::from(place.y),
        w: f64::from(place.width),
        h: f64::from(place.height),
    }
}

/// How a cell is painted.
struct Paint {
    fill: &'static str,
    label: &'static str,
    caption: &'static str,
    line: &'static str,
}

fn paint(kind: &CellKind, lit: bool) -> Paint {
    if lit {
        return Paint {
            fill: "url(#sb-lit)",
            label: INK,
            caption: INK,
            line: "#fffbe8",
        };
    }
    let fill = match kind {
        CellKind::Section(section) => match section.kind() {
            Kind::Small | Kind::Big | Kind::AnyTriple => "url(#sb-lacquer)",
            Kind::Odd | Kind::Even => "#0a4a55",
            Kind::Total => "#0a4a30",
            Kind::Single => "#0c5337",
            Kind::Triple | Kind::Double | Kind::Pair | Kind::Four => "#116744",
            Kind::ThreeSingle => "#0f4a5c",
            Kind::DoubleSingle => "#0b4433",
        },
        CellKind::Caption | CellKind::Blank => "#06301f",
    };
    let label = match kind {
        CellKind::Section(section)
            if matches!(section.kind(), Kind::Small | Kind::Big | Kind::AnyTriple) =>
        {
            "url(#sb-gold)"
        }
        _ => IVORY,
    };
    Paint {
        fill,
        label,
        caption: GOLD,
        line: GOLD,
    }
}

pub(super) fn draw_cell(out: &mut String, layout: &Layout, cell: &Cell, lit: bool, dimmed: bool) {
    // A blank is visibly dead: bare cloth, no line.
    if cell.kind == CellKind::Blank {
        return;
    }
    let area = area_of(cell.place);
    let paint = paint(&cell.kind, lit);
    out.push_str("<g");
    if let CellKind::Section(section) = cell.kind {
        let _ = write!(out, " data-section=\"{section}\"");
    }
    if dimmed {
        // Captions speak for lit sections as well, so they stay readable.
        let opacity = if cell.kind == CellKind::Caption {
            0.8
        } else {
            0.5
        };
        let _ = write!(out, " opacity=\"{opacity}\"");
    }
    out.push('>');
    if let CellKind::Section(section) = cell.kind {
        let _ = write!(out, "<title>{}</title>", escape(&tooltip(layout, section)));
    }
    if lit {
        rectangle(out, area.inset(-1.6), "none", "#ffe9a0", 2.6, 0.75);
    }
    let stroke = if lit { 1.2 } else { 0.7 };
    rectangle(out, area, paint.fill, paint.line, stroke, 1.0);
    match cell.kind {
        CellKind::Section(section) => draw_section(out, layout, cell, section, area, &paint),
        CellKind::Caption | CellKind::Blank => {
            let mut words: Vec<String> = cell.label.iter().cloned().collect();
            words.extend(cell.lines.iter().cloned());
            caption(out, &words, area.inset(1.5), 8.5, &paint);
        }
    }
    out.push_str("</g>\n");
}

fn tooltip(layout: &Layout, section: Section) -> String {
    let pays: Vec<String> = layout.pays(section).map_or_else(Vec::new, |pays| {
        pays.lines().iter().map(|line| line.is.printed()).collect()
    });
    format!("{section} pays {} to 1", pays.join(", "))
}

fn draw_section(
    out: &mut String,
    layout: &Layout,
    cell: &Cell,
    section: Section,
    area: Area,
    paint: &Paint,
) {
    let faces = dice_faces(layout, section);
    let (words_area, _) = label_area(cell, section, area);
    let size = label_size(layout, section.kind());
    let label: Vec<String> = cell.label.iter().cloned().collect();
    let inner = area.inset(1.8);
    match section.kind() {
        Kind::Single => {
            let die_area = match label.is_empty() {
                true => inner,
                false => inner.columns(0.03, 0.41),
            };
            let rest = with_lines(out, cell, die_area, paint);
            dice::groups(out, &faces, rest, 30.0);
            centred(out, &label, words_area, size, Face::Label, paint.label);
        }
        Kind::AnyTriple => {
            let rest = with_lines(out, cell, inner, paint);
            let share = if label.is_empty() {
                0.0
            } else {
                ANY_TRIPLE_LABEL
            };
            centred(
                out,
                &label,
                rest.rows(0.0, share),
                size,
                Face::Label,
                paint.label,
            );
            dice::groups(out, &faces, rest.rows(share + 0.03, 1.0), 9.0);
        }
        Kind::Four => {
            let foot = if cell.lines.is_empty() { 1.0 } else { 0.62 };
            let row = inner.rows(0.0, foot);
            let size = (row.h * 0.92).min(row.w * 0.16);
            for (i, number) in section.numbers().iter().enumerate() {
                let part = row.columns(i as f64 / 4.0, (i as f64 + 1.0) / 4.0);
                centred(
                    out,
                    &[number.to_string()],
                    part,
                    size,
                    Face::Label,
                    paint.label,
                );
                if i > 0 {
                    rule(out, part.x, row.y + row.h * 0.14, row.h * 0.72, paint.line);
                }
            }
            caption(out, &cell.lines, inner.rows(foot, 1.0), 8.5, paint);
        }
        _ if !faces.is_empty() => {
            let rest = with_lines(out, cell, inner, paint);
            dice::groups(out, &faces, rest, 21.0);
        }
        kind => {
            centred(out, &label, words_area, size, Face::Label, paint.label);
            let foot = Area {
                y: words_area.y + words_area.h,
                h: (inner.y + inner.h - words_area.y - words_area.h).max(1.0),
                ..words_area
            };
            let largest = if matches!(kind, Kind::Small | Kind::Big) {
                10.0
            } else {
                8.5
            };
            caption(out, &cell.lines, foot, largest, paint);
        }
    }
}

/// The part of any triple's height that its words take.
const ANY_TRIPLE_LABEL: f64 = 0.36;

/// Where the large print of a section stands, and the largest it may be.
fn label_area(cell: &Cell, section: Section, area: Area) -> (Area, f64) {
    let inner = area.inset(1.8);
    let bare = cell.lines.is_empty();
    match section.kind() {
        Kind::Single => (inner.columns(0.44, 0.98), 15.0),
        Kind::AnyTriple => {
            let foot = foot_share(cell, inner);
            (inner.rows(0.0, (1.0 - foot) * ANY_TRIPLE_LABEL), 9.5)
        }
        Kind::Small | Kind::Big => {
            let inner = area.inset(4.0);
            (inner.rows(0.0, if bare { 1.0 } else { 0.5 }), 26.0)
        }
        Kind::Odd | Kind::Even => (inner.rows(0.0, if bare { 1.0 } else { 0.44 }), 15.0),
        Kind::Total => (inner.rows(0.0, if bare { 1.0 } else { 0.58 }), 20.0),
        _ => (inner.rows(0.0, if bare { 1.0 } else { 0.6 }), 15.0),
    }
}

/// One size for the large print of all sections of a sort, so that they look alike.
fn label_size(layout: &Layout, kind: Kind) -> f64 {
    let sort = |kind| match kind {
        Kind::Small => Kind::Big,
        Kind::Even => Kind::Odd,
        Kind::DoubleSingle => Kind::ThreeSingle,
        other => other,
    };
    layout
        .cells
        .iter()
        .filter_map(|cell| match (&cell.kind, &cell.label) {
            (CellKind::Section(section), Some(label)) if sort(section.kind()) == sort(kind) => {
                let (area, largest) = label_area(cell, *section, area_of(cell.place));
                let words = std::slice::from_ref(label);
                Some(fit(words, Face::Label, area.w, area.h, largest).size)
            }
            _ => None,
        })
        .fold(30.0, f64::min)
}

/// The part of a cell's height that its small print takes.
fn foot_share(cell: &Cell, area: Area) -> f64 {
    if cell.lines.is_empty() {
        0.0
    } else {
        (area.h * 0.3).clamp(6.5, 15.0).min(area.h * 0.5) / area.h
    }
}

/// Draws a cell's small print at its foot; gives the area that is left above it.
fn with_lines(out: &mut String, cell: &Cell, area: Area, paint: &Paint) -> Area {
    let foot = foot_share(cell, area);
    if foot > 0.0 {
        caption(out, &cell.lines, area.rows(1.0 - foot, 1.0), 8.5, paint);
    }
    area.rows(0.0, 1.0 - foot)
}

/// Small print in the middle of an area; on its side where the area is a narrow column.
fn caption(out: &mut String, lines: &[String], area: Area, largest: f64, paint: &Paint) {
    if lines.is_empty() {
        return;
    }
    let upright = fit(lines, Face::Caption, area.w, area.h, largest);
    let aside = fit(lines, Face::Caption, area.h, area.w, largest + 3.0);
    if area.h > 2.5 * area.w && aside.size > 1.3 * upright.size {
        let (cx, cy) = (area.x + area.w / 2.0, area.y + area.h / 2.0);
        let _ = write!(out, "<g transform=\"rotate(-90 {} {})\">", num(cx), num(cy));
        let turned = Area {
            x: cx - area.h / 2.0,
            y: cy - area.w / 2.0,
            w: area.h,
            h: area.w,
        };
        place(
            out,
            &aside.lines,
            aside.size,
            turned,
            Face::Caption,
            paint.caption,
        );
        out.push_str("</g>");
    } else {
        place(
            out,
            &upright.lines,
            upright.size,
            area,
            Face::Caption,
            paint.caption,
        );
    }
}
