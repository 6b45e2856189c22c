//! Dice with pips, as on Asian dice: one and four are red, and the one is large.

use std::fmt::Write;

use super::ink::{Area, num};

const RED: &str = "#c4161c";
const BLACK: &str = "#1b1b1f";

/// Room between dice of a group, to the size of a die.
const GAP: f64 = 0.12;
/// Room between groups.
const GROUP_GAP: f64 = 0.45;

/// Pips on a face of 100 by 100.
fn pips(face: u8) -> &'static [(u8, u8)] {
    match face {
        1 => &[(50, 50)],
        2 => &[(29, 29), (71, 71)],
        3 => &[(27, 27), (50, 50), (73, 73)],
        4 => &[(29, 29), (71, 29), (29, 71), (71, 71)],
        5 => &[(28, 28), (72, 28), (50, 50), (28, 72), (72, 72)],
        _ => &[(30, 25), (30, 50), (30, 75), (70, 25), (70, 50), (70, 75)],
    }
}

/// The six faces, to be used by reference.
pub(super) fn definitions() -> String {
    let mut out = String::from(
        "<linearGradient id=\"sb-ivory\" x1=\"0\" y1=\"0\" x2=\"1\" y2=\"1\">\
         <stop offset=\"0\" stop-color=\"#ffffff\"/><stop offset=\"1\" stop-color=\"#e9e2cf\"/>\
         </linearGradient>\n",
    );
    for face in 1..=6u8 {
        let (fill, radius) = match face {
            1 => (RED, 17),
            4 => (RED, 11),
            _ => (BLACK, 10),
        };
        let _ = write!(
            out,
            "<g id=\"sb-die-{face}\"><rect x=\"3\" y=\"5\" width=\"97\" height=\"97\" rx=\"20\" fill=\"#000\" opacity=\"0.35\"/>\
             <rect width=\"97\" height=\"97\" rx=\"20\" fill=\"url(#sb-ivory)\" stroke=\"#8d7f5c\" stroke-width=\"1.5\"/><g fill=\"{fill}\">"
        );
        for (x, y) in pips(face) {
            let _ = write!(
                out,
                "<circle cx=\"{}\" cy=\"{}\" r=\"{radius}\"/>",
                num(f64::from(*x) * 0.97),
                num(f64::from(*y) * 0.97)
            );
        }
        out.push_str("</g></g>\n");
    }
    out
}

/// One die.
pub(super) fn die(out: &mut String, face: u8, x: f64, y: f64, size: f64) {
    let scale = size / 100.0;
    let _ = write!(
        out,
        "<use href=\"#sb-die-{face}\" transform=\"translate({} {}) scale({scale:.4})\"/>",
        num(x),
        num(y)
    );
}

/// How the dice of one group stand: how many in each row.
fn shapes(count: usize) -> Vec<Vec<usize>> {
    match count {
        2 => vec![vec![1, 1], vec![2]],
        3 => vec![vec![3], vec![1, 2], vec![1, 1, 1]],
        n => vec![vec![n]],
    }
}

/// Groups of dice in the middle of an area, as large as fits up to `largest`.
pub(super) fn groups(out: &mut String, groups: &[Vec<u8>], area: Area, largest: f64) {
    let Some(first) = groups.first() else {
        return;
    };
    let mut best: Option<(f64, Vec<usize>, usize)> = None;
    let small_groups = groups.len() > 1;
    for shape in shapes(first.len()) {
        // Many groups keep their dice in a row, so that each reads as one.
        if small_groups && shape.len() > 1 {
            continue;
        }
        for columns in 1..=groups.len() {
            let (w, h) = extent(&shape, columns, groups.len());
            let size = (area.w / w).min(area.h / h).min(largest);
            // A later shape must be clearly larger to be worth it.
            if best
                .as_ref()
                .is_none_or(|(known, _, _)| size > known * 1.15)
            {
                best = Some((size, shape.clone(), columns));
            }
        }
    }
    let Some((size, shape, columns)) = best else {
        return;
    };
    let (w, h) = extent(&shape, columns, groups.len());
    let left = area.x + (area.w - w * size) / 2.0;
    let top = area.y + (area.h - h * size) / 2.0;
    let (group_w, group_h) = extent(&shape, 1, 1);
    for (i, faces) in groups.iter().enumerate() {
        let gap = if shape.len() == 1 {
            GAP * 2.0
        } else {
            GROUP_GAP
        };
        let x = left + (i % columns) as f64 * (group_w + GROUP_GAP) * size;
        let y = top + (i / columns) as f64 * (group_h + gap) * size;
        let mut faces = faces.iter();
        for (row, count) in shape.iter().enumerate() {
            let row_w = *count as f64 * (1.0 + GAP) - GAP;
            for column in 0..*count {
                let Some(face) = faces.next() else {
                    continue;
                };
                die(
                    out,
                    *face,
                    x + ((group_w - row_w) / 2.0 + column as f64 * (1.0 + GAP)) * size,
                    y + row as f64 * (1.0 + GAP) * size,
                    size,
                );
            }
        }
    }
}

/// Width and height, in dice, of so many groups in so many columns.
fn extent(shape: &[usize], columns: usize, groups: usize) -> (f64, f64) {
    let widest = shape.iter().copied().max().unwrap_or(1) as f64;
    let one_w = widest * (1.0 + GAP) - GAP;
    let one_h = shape.len() as f64 * (1.0 + GAP) - GAP;
    let columns_f = columns as f64;
    let rows = groups.div_ceil(columns) as f64;
    let gap = if shape.len() == 1 {
        GAP * 2.0
    } else {
        GROUP_GAP
    };
    (
        columns_f * (one_w + GROUP_GAP) - GROUP_GAP,
        rows * (one_h + gap) - gap,
    )
}
