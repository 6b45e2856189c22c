//! The drawings of every layout, lit and unlit.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::terminal::LINES;
use super::*;
use crate::layout::CellKind;
use crate::rulebook::RuleBook;

fn every_layout(check: impl Fn(&RuleBook, &Layout, &Lit)) {
    let dice: Dice = "2,3,5".parse().unwrap();
    for book in RuleBook::all() {
        for layout in &book.layouts {
            check(book, layout, &Lit::nothing());
            check(book, layout, &Lit::winners(layout, dice));
        }
    }
}

/// Tags close in the order they open, and no attribute or text holds a bare sign.
fn assert_well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains('>'), "a bare > in {}", &rest[..at]);
        for entity in rest[..at].split('&').skip(1) {
            assert!(entity.contains(';'), "a bare & before {entity}");
        }
        let end = rest[at..].find('>').unwrap() + at;
        let tag = &rest[at + 1..end];
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split([' ', '\n']).next().unwrap());
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{open:?} never closed");
}

#[test]
fn every_picture_is_well_formed_and_holds_every_section_once() {
    every_layout(|book, layout, lit| {
        let picture = svg(book, layout, lit);
        assert_well_formed(&picture);
        for section in layout.sections() {
            let group = format!("data-section=\"{section}\"");
            assert_eq!(picture.matches(&group).count(), 1, "{section}");
        }
        assert_eq!(
            picture.matches("data-section=").count(),
            layout.sections().count()
        );
        assert!(picture.contains(&book.sha256_hex()[..16]));
    });
}

/// Dice in the picture are those of the sections: three for a triple, two for a
/// double or a domino, one for a single, eighteen for any triple, three in the head.
#[test]
fn every_picture_has_its_dice() {
    every_layout(|book, layout, lit| {
        let expected: usize = layout
            .sections()
            .map(|section| match section.kind() {
                Kind::Triple => 3,
                Kind::Double | Kind::Pair => 2,
                Kind::Single => 1,
                Kind::AnyTriple => 18,
                _ => 0,
            })
            .sum();
        assert_eq!(
            svg(book, layout, lit).matches("<use ").count(),
            expected + 3
        );
    });
}

#[test]
fn every_terminal_drawing_fits_120_columns_and_loses_no_word() {
    every_layout(|_, layout, lit| {
        let drawing = terminal(layout, lit, 120, Ink::Plain);
        for line in drawing.lines() {
            assert!(line.width() <= 120, "{}: {line}", layout.id);
        }
        for cell in &layout.cells {
            let words = cell.label.iter().chain(&cell.lines);
            for word in words.flat_map(|text| text.split_whitespace()) {
                assert!(drawing.contains(word), "{}: {word}", layout.id);
            }
        }
    });
}

/// The weight of each arm (up, right, down, left) of a line character.
fn arms(c: char) -> [usize; 4] {
    match LINES.chars().position(|line| line == c) {
        Some(at) => [at / 27, at / 9 % 3, at / 3 % 3, at % 3],
        None => [0; 4],
    }
}

#[test]
fn every_line_in_a_terminal_drawing_meets_another() {
    every_layout(|_, layout, lit| {
        let drawing = terminal(layout, lit, 120, Ink::Plain);
        let rows: Vec<Vec<char>> = drawing
            .lines()
            .map(|line| {
                let mut row: Vec<char> = Vec::new();
                for c in line.chars() {
                    row.push(c);
                    row.extend(std::iter::repeat_n('x', c.width().unwrap_or(1).max(1) - 1));
                }
                row.resize(120, ' ');
                row
            })
            .collect();
        for y in 0..rows.len() {
            for x in 0..120 {
                let [up, right, down, left] = arms(rows[y][x]);
                let beside = |x: Option<usize>, y: Option<usize>| match (x, y) {
                    (Some(x), Some(y)) if x < 120 && y < rows.len() => arms(rows[y][x]),
                    _ => [0; 4],
                };
                assert_eq!(
                    right,
                    beside(Some(x + 1), Some(y))[3],
                    "{} {x},{y}",
                    layout.id
                );
                assert_eq!(
                    down,
                    beside(Some(x), Some(y + 1))[0],
                    "{} {x},{y}",
                    layout.id
                );
                assert_eq!(left, beside(x.checked_sub(1), Some(y))[1]);
                assert_eq!(up, beside(Some(x), y.checked_sub(1))[2]);
            }
        }
    });
}

#[test]
fn only_what_is_lit_has_heavy_lines() {
    every_layout(|_, layout, lit| {
        let drawing = terminal(layout, lit, 120, Ink::Plain);
        let heavy = drawing.chars().any(|c| arms(c).contains(&2));
        assert_eq!(heavy, !lit.is_empty());
        assert!(!drawing.contains('\u{1b}'));
        assert!(terminal(layout, lit, 120, Ink::Colour).contains('\u{1b}'));
    });
}

/// The places of 112 and 665 are bare cloth.
#[test]
fn q_28_blank_cells_are_not_drawn() {
    let (_, layout) = crate::rulebook::find_layout("rws-etg/b").unwrap();
    assert_eq!(layout.cells[0].kind, CellKind::Blank);
    let drawing = terminal(layout, &Lit::nothing(), 120, Ink::Plain);
    assert!(drawing.starts_with("     "));
}

#[test]
fn any_width_is_drawn() {
    every_layout(|_, layout, lit| {
        for width in [0, 1, 2, 40, 80, 119, 300] {
            let drawing = terminal(layout, lit, width, Ink::Plain);
            assert!(drawing.lines().all(|line| line.width() <= width.max(120)));
        }
    });
}
