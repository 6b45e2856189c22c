//! Draws a betting layout from its cells: as an SVG picture and with the
//! characters of a terminal.
//!
//! Pure strings from data. Nothing here decides what is offered or what wins;
//! the winners to light up are asked of the settlement.

mod svg;
mod terminal;
#[cfg(test)]
mod tests;
mod text;

pub use svg::svg;
pub use terminal::{Ink, terminal};

use crate::dice::Dice;
use crate::layout::Layout;
use crate::section::{Kind, Section};

/// Text that cannot break out of its element or attribute, in HTML or SVG.
#[must_use]
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The sections to light up, and the dice that light them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lit {
    /// The dice, where dice are the reason.
    pub dice: Option<Dice>,
    sections: Vec<Section>,
}

impl Lit {
    /// Nothing is lit.
    #[must_use]
    pub fn nothing() -> Lit {
        Lit::default()
    }

    /// The winners of these dice.
    #[must_use]
    pub fn winners(layout: &Layout, dice: Dice) -> Lit {
        Lit {
            dice: Some(dice),
            sections: layout.settlement().lit(dice).collect(),
        }
    }

    /// Some sections, for whatever reason.
    #[must_use]
    pub fn sections(sections: Vec<Section>) -> Lit {
        Lit {
            dice: None,
            sections,
        }
    }

    /// Whether a section is lit.
    #[must_use]
    pub fn contains(&self, section: Section) -> bool {
        self.sections.contains(&section)
    }

    /// Whether nothing is lit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }
}

/// The groups of dice a section is drawn as; none when it is drawn as words.
/// Any triple shows all six triples.
fn dice_faces(layout: &Layout, section: Section) -> Vec<Vec<u8>> {
    let numbers = section.numbers();
    match section.kind() {
        Kind::Triple => vec![vec![numbers[0]; 3]],
        Kind::Double => vec![vec![numbers[0]; 2]],
        Kind::Single => vec![vec![numbers[0]]],
        // A layout that runs from six to one prints 6-5, one that runs up 5-6.
        Kind::Pair if runs_down(layout) => vec![vec![numbers[1], numbers[0]]],
        Kind::Pair => vec![numbers.to_vec()],
        Kind::AnyTriple => (1..=6).map(|face| vec![face; 3]).collect(),
        Kind::Small
        | Kind::Big
        | Kind::Odd
        | Kind::Even
        | Kind::Total
        | Kind::Four
        | Kind::ThreeSingle
        | Kind::DoubleSingle => Vec::new(),
    }
}

/// Whether the layout prints its highest sections first.
fn runs_down(layout: &Layout) -> bool {
    let mut first = None;
    for section in layout.sections().filter(|s| s.kind() == Kind::Pair) {
        match first {
            None => first = Some(section),
            Some(first) => return first > section,
        }
    }
    false
}
