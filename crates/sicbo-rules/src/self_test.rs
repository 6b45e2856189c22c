//! A layout proves itself: every cell of its compiled settlement is worked out
//! again by a second reading of the rules and compared (P-060).
//!
//! The second reading shares no code with [`Section::hits`]: it lists the
//! faces that win instead of counting those that show.

use crate::Ratio;
use crate::dice::{Dice, Outcome};
use crate::layout::Layout;
use crate::maths::Par;
use crate::section::{Kind, Section};

/// What the self-test found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfTest {
    /// Sections offered.
    pub sections: usize,
    /// Cells compared: sections by the 216 outcomes.
    pub cells: usize,
    /// Cells that pay.
    pub paying: usize,
    /// Where the two readings differ; empty when all is well.
    pub disagreements: Vec<String>,
}

impl SelfTest {
    /// Enumerates every offered section over all 216 outcomes.
    #[must_use]
    pub fn of(layout: &Layout) -> SelfTest {
        let mut test = SelfTest {
            sections: 0,
            cells: 0,
            paying: 0,
            disagreements: Vec::new(),
        };
        for section in layout.sections() {
            test.sections += 1;
            let mut gross_halves = 0;
            for outcome in Outcome::all() {
                let dice = outcome.dice();
                let expected = expected_cell(layout, section, dice);
                let compiled = layout.settlement().row(dice)[section.index()];
                test.cells += 1;
                test.paying += usize::from(expected > 0);
                gross_halves += i128::from(expected);
                if expected != compiled {
                    test.disagreements.push(format!(
                        "{section} on {dice}: {compiled} halves compiled, {expected} expected"
                    ));
                }
            }
            let returned = Ratio::new(gross_halves, 2 * 216);
            if Par::of(layout, section).map(|par| par.returned) != Some(returned) {
                test.disagreements.push(format!(
                    "{section}: the par sheet's return is not {returned}"
                ));
            }
        }
        test
    }

    /// Every cell agrees.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.disagreements.is_empty()
    }
}

/// Halves of the stake that come back, by the second reading.
fn expected_cell(layout: &Layout, section: Section, dice: Dice) -> u16 {
    let [a, b, c] = dice.faces();
    let mut sorted = [a, b, c];
    sorted.sort_unstable();
    let triple = a == b && b == c;
    let sum = a + b + c;
    let numbers = section.numbers();
    let is = |faces: [u8; 3]| {
        let mut faces = faces;
        faces.sort_unstable();
        faces == sorted
    };
    let line = match section.kind() {
        Kind::Small => usize::from(sum <= 10 && !triple),
        Kind::Big => usize::from(sum >= 11 && !triple),
        Kind::Odd => usize::from(sum & 1 == 1 && !triple),
        Kind::Even => usize::from(sum & 1 == 0 && !triple),
        Kind::AnyTriple => usize::from(triple),
        Kind::Triple => usize::from(is([numbers[0]; 3])),
        Kind::Double => usize::from((1..=6).any(|other| is([numbers[0], numbers[0], other]))),
        Kind::Total => usize::from(sum == numbers[0]),
        Kind::Pair => usize::from((1..=6).any(|other| is([numbers[0], numbers[1], other]))),
        Kind::Single => [a, b, c].iter().filter(|face| **face == numbers[0]).count(),
        Kind::Four => usize::from((0..4).any(|left_out| {
            let three: Vec<u8> = (0..4)
                .filter(|i| *i != left_out)
                .map(|i| numbers[i])
                .collect();
            is([three[0], three[1], three[2]])
        })),
        Kind::ThreeSingle | Kind::DoubleSingle => {
            usize::from(is([numbers[0], numbers[1], numbers[2]]))
        }
    };
    if line == 0 {
        return 0;
    }
    // Profit to one and the stake itself, in halves.
    layout
        .pays(section)
        .and_then(|pays| pays.lines().get(line - 1))
        .map_or(0, |paid| paid.is.halves() + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rulebook::RuleBook;

    #[test]
    fn p_060_every_built_in_layout_proves_itself() {
        for book in RuleBook::all() {
            for layout in &book.layouts {
                let test = SelfTest::of(layout);
                assert!(test.passed(), "{}: {:?}", layout.id, test.disagreements);
                assert_eq!(test.cells, 216 * layout.sections().count());
            }
        }
    }

    #[test]
    fn a_wrong_cell_is_found() {
        let book = &RuleBook::all()[0];
        let mut layout = book.layouts[0].clone();
        // Settlement of another pay table under this layout's odds.
        layout.settlement = book.layouts[2].settlement.clone();
        assert!(!SelfTest::of(&layout).passed());
    }
}
