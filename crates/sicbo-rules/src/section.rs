//! The 104 sections that the five documents know between them, and when each wins.
//!
//! A `Section` is a small number with a stable meaning: it is stored in
//! journals, so the order of [`Section::ALL`] never changes.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use crate::dice::{Dice, Die, Outcome};

crate::worded! {
    /// The kinds of bet.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, derive_more::Display)]
    #[display("{}", self.key())]
    pub enum Kind: key, ALL {
        /// Total 4 to 10, no triple: `small`.
        Small = "small",
        /// Total 11 to 17, no triple: `big`.
        Big = "big",
        /// Odd total, no triple: `odd`.
        Odd = "odd",
        /// Even total, no triple: `even`.
        Even = "even",
        /// Three alike, whichever: `any-triple`.
        AnyTriple = "any-triple",
        /// Three of one face: `triple:6`.
        Triple = "triple",
        /// Two or three of one face: `double:6`.
        Double = "double",
        /// Sum of the three dice: `total:17`.
        Total = "total",
        /// Both of two different faces appear: `pair:1-2`.
        Pair = "pair",
        /// One face appears once, twice or three times: `single:6`.
        Single = "single",
        /// Three different faces out of four: `four:6543`.
        Four = "four",
        /// Exactly three given different faces: `three-single:126`.
        ThreeSingle = "three-single",
        /// Exactly two of one face and one of another: `double-single:113`.
        DoubleSingle = "double-single",
    }
}

impl Kind {
    /// The kind with that word.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.key() == key)
    }

    /// How many different odds a bet of this kind can be paid at: a single die
    /// pays by how often it appears, everything else pays one way.
    #[must_use]
    pub const fn steps(self) -> usize {
        if matches!(self, Kind::Single) { 3 } else { 1 }
    }

    /// The sections of this kind, in stable order.
    pub fn sections(self) -> impl Iterator<Item = Section> {
        Section::ALL
            .into_iter()
            .filter(move |section| section.kind() == self)
    }

    /// What the notation after the colon may be, for error messages.
    fn allowed(self) -> String {
        let all: Vec<String> = self.sections().map(|section| section.to_string()).collect();
        all.join(" ")
    }
}

/// A place on a layout that can be bet on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Debug)]
#[debug("{self}")]
pub struct Section(u8);

#[derive(Clone, Copy)]
struct Spec {
    kind: Kind,
    numbers: [u8; 4],
    len: u8,
}

const FOURS: [[u8; 4]; 4] = [[6, 5, 4, 3], [6, 5, 3, 2], [5, 4, 3, 2], [4, 3, 2, 1]];

/// Winning outcomes by section and line of odds, counted once.
static WAYS: LazyLock<[[u32; 3]; Section::COUNT]> = LazyLock::new(|| {
    Section::ALL.map(|section| {
        let mut ways = [0; 3];
        for outcome in Outcome::all() {
            let hits = section.hits(outcome.dice());
            if hits > 0 {
                ways[usize::from(hits) - 1] += 1;
            }
        }
        ways
    })
});

/// Every section by its notation.
static NAMES: LazyLock<BTreeMap<String, Section>> = LazyLock::new(|| {
    Section::ALL
        .into_iter()
        .map(|section| (section.to_string(), section))
        .collect()
});

const SPECS: [Spec; Section::COUNT] = specs();

const fn specs() -> [Spec; Section::COUNT] {
    let mut specs = [Spec {
        kind: Kind::Small,
        numbers: [0; 4],
        len: 0,
    }; Section::COUNT];
    let mut next = 0;
    macro_rules! push {
        ($kind:expr, $numbers:expr, $len:expr) => {{
            specs[next] = Spec {
                kind: $kind,
                numbers: $numbers,
                len: $len,
            };
            next += 1;
        }};
    }
    push!(Kind::Small, [0; 4], 0);
    push!(Kind::Big, [0; 4], 0);
    push!(Kind::Odd, [0; 4], 0);
    push!(Kind::Even, [0; 4], 0);
    push!(Kind::AnyTriple, [0; 4], 0);
    let mut n = 1;
    while n <= 6 {
        push!(Kind::Triple, [n, 0, 0, 0], 1);
        n += 1;
    }
    n = 1;
    while n <= 6 {
        push!(Kind::Double, [n, 0, 0, 0], 1);
        n += 1;
    }
    n = 4;
    while n <= 17 {
        push!(Kind::Total, [n, 0, 0, 0], 1);
        n += 1;
    }
    let mut a = 1;
    while a <= 6 {
        let mut b = a + 1;
        while b <= 6 {
            push!(Kind::Pair, [a, b, 0, 0], 2);
            b += 1;
        }
        a += 1;
    }
    n = 1;
    while n <= 6 {
        push!(Kind::Single, [n, 0, 0, 0], 1);
        n += 1;
    }
    let mut i = 0;
    while i < 4 {
        push!(Kind::Four, FOURS[i], 4);
        i += 1;
    }
    a = 1;
    while a <= 6 {
        let mut b = a + 1;
        while b <= 6 {
            let mut c = b + 1;
            while c <= 6 {
                push!(Kind::ThreeSingle, [a, b, c, 0], 3);
                c += 1;
            }
            b += 1;
        }
        a += 1;
    }
    // 1-1-2 and 6-6-5 are no sections: they are the only ways to make the
    // totals 4 and 17, which pay better, and no document offers them.
    a = 1;
    while a <= 6 {
        let mut b = 1;
        while b <= 6 {
            if a != b && !(a == 1 && b == 2) && !(a == 6 && b == 5) {
                push!(Kind::DoubleSingle, [a, a, b, 0], 3);
            }
            b += 1;
        }
        a += 1;
    }
    assert!(next == Section::COUNT);
    specs
}

impl Section {
    /// How many sections there are in all documents together.
    pub const COUNT: usize = 104;

    /// Every section. The position is stable: journals store it.
    pub const ALL: [Section; Section::COUNT] = {
        let mut all = [Section(0); Section::COUNT];
        let mut i = 0;
        while i < Section::COUNT {
            all[i] = Section(i as u8);
            i += 1;
        }
        all
    };

    /// Position in [`Section::ALL`], 0 to 103.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The section at a stored position.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Section> {
        if index < Section::COUNT {
            Some(Section(index as u8))
        } else {
            None
        }
    }

    /// The kind of bet.
    #[must_use]
    pub const fn kind(self) -> Kind {
        SPECS[self.0 as usize].kind
    }

    /// The numbers it names: `[1, 2]` for `pair:1-2`, the sum for a total, none for `small`.
    #[must_use]
    pub fn numbers(self) -> &'static [u8] {
        let spec = &SPECS[self.0 as usize];
        &spec.numbers[..spec.len as usize]
    }

    /// How the bet stands on these dice: 0 lost, otherwise which line of its
    /// odds is paid. Only a single die has a second and a third line.
    #[must_use]
    pub fn hits(self, dice: Dice) -> u8 {
        let numbers = self.numbers();
        let shows = |face: u8| Die::new(face).map_or(0, |die| dice.count(die));
        let total = dice.total();
        let triple = dice.is_triple();
        let won = match self.kind() {
            Kind::Small => !triple && (4..=10).contains(&total),
            Kind::Big => !triple && (11..=17).contains(&total),
            Kind::Odd => !triple && total % 2 == 1,
            Kind::Even => !triple && total.is_multiple_of(2),
            Kind::AnyTriple => triple,
            Kind::Triple => shows(numbers[0]) == 3,
            // A triple holds its double, and pays it once.
            Kind::Double => shows(numbers[0]) >= 2,
            // Triples included.
            Kind::Total => total == numbers[0],
            // Once, however often either face appears.
            Kind::Pair => shows(numbers[0]) >= 1 && shows(numbers[1]) >= 1,
            // The highest line only, never added up.
            Kind::Single => return shows(numbers[0]),
            // Three different numbers of the four, so none of them twice.
            Kind::Four => numbers.iter().filter(|&&face| shows(face) == 1).count() == 3,
            Kind::ThreeSingle => numbers.iter().all(|&face| shows(face) == 1),
            Kind::DoubleSingle => shows(numbers[0]) == 2 && shows(numbers[2]) == 1,
        };
        u8::from(won)
    }

    /// How many of the 216 outcomes win, by line of odds.
    #[must_use]
    pub fn ways(self) -> [u32; 3] {
        WAYS[self.index()]
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind().key())?;
        match (self.kind(), self.numbers()) {
            (_, []) => Ok(()),
            (Kind::Pair, [a, b]) => write!(f, ":{a}-{b}"),
            (_, numbers) => {
                f.write_str(":")?;
                numbers.iter().try_for_each(|number| write!(f, "{number}"))
            }
        }
    }
}

/// Why a text names no section.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SectionError {
    /// The word before the colon is no kind of bet.
    #[error("{0:?} is not a section: its kind must be one of {kinds}", kinds = kind_list())]
    UnknownKind(String),
    /// The kind exists, but not with these numbers.
    #[error("{text:?} is not a section: allowed are {allowed}")]
    UnknownNumbers {
        /// What was given.
        text: String,
        /// All sections of that kind.
        allowed: String,
    },
}

fn kind_list() -> String {
    Kind::ALL.map(|kind| kind.key()).join(" ")
}

impl FromStr for Section {
    type Err = SectionError;

    fn from_str(text: &str) -> Result<Section, SectionError> {
        if let Some(section) = NAMES.get(text) {
            return Ok(*section);
        }
        let key = text.split(':').next().unwrap_or_default();
        Err(match Kind::from_key(key) {
            None => SectionError::UnknownKind(shorten(text)),
            Some(kind) => SectionError::UnknownNumbers {
                text: shorten(text),
                allowed: kind.allowed(),
            },
        })
    }
}

/// Keeps an error to one line, whatever was given.
fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_round_trips_for_every_section() {
        for section in Section::ALL {
            assert_eq!(section.to_string().parse::<Section>().unwrap(), section);
        }
    }

    #[test]
    fn the_stable_order_is_pinned_where_counts_cannot_see_it() {
        let pinned = [
            (0, "small"),
            (3, "even"),
            (4, "any-triple"),
            (5, "triple:1"),
            (11, "double:1"),
            (17, "total:4"),
            (31, "pair:1-2"),
            (45, "pair:5-6"),
            (46, "single:1"),
            (52, "four:6543"),
            (55, "four:4321"),
            (56, "three-single:123"),
            (75, "three-single:456"),
            (76, "double-single:113"),
            (103, "double-single:664"),
        ];
        for (index, text) in pinned {
            assert_eq!(Section::ALL[index].to_string(), text);
        }
    }

    #[test]
    fn what_is_no_section_is_refused_with_what_is() {
        for (text, hint) in [
            ("total:3", "total:4"),
            ("total:18", "total:17"),
            ("double-single:112", "double-single:113"),
            ("double-single:665", "double-single:664"),
            ("pair:2-1", "pair:1-2"),
            ("pair:1-1", "pair:1-2"),
            ("four:1234", "four:4321"),
            ("single:7", "single:6"),
            ("small:1", "small"),
            ("banana", "any-triple"),
            ("", "any-triple"),
            ("Total:4", "total"),
        ] {
            let error = text.parse::<Section>().unwrap_err().to_string();
            assert!(error.contains(hint), "{text}: {error}");
        }
    }
}
