//! Positions above the director, under the names that a house gives them in its
//! plan. The names are on record, so that a journal says by itself who
//! could hold such a position and what it was called.

use sicbo_rules::rulebook::words::{Position, Word as _};

use super::Register;
use super::person::{folded, is_readable};

/// Most positions a house may name above the director.
pub const MAX_POSITIONS: usize = Position::ABOVE_DIRECTOR.len();
/// Longest name of one, in characters.
pub const MAX_NAME: usize = 60;

/// What is wrong with the name of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameFault {
    /// It cannot be read as a name.
    Unreadable,
    /// Every house has a position of that name.
    BuiltIn(Position),
    /// It stands there twice.
    Twice,
}

/// What is wrong with a name that comes after these.
#[must_use]
pub fn name_fault(name: &str, before: &[String]) -> Option<NameFault> {
    if !is_readable(name, MAX_NAME, " .,-'’&/()") {
        return Some(NameFault::Unreadable);
    }
    let key = folded(name).replace(' ', "-");
    if let Some(position) = Position::from_key(&key) {
        return Some(NameFault::BuiltIn(position));
    }
    let known = |other: &String| folded(other) == folded(name);
    before.iter().any(known).then_some(NameFault::Twice)
}

/// The position of a place in the list of names, lowest first.
#[must_use]
pub fn position_at(place: usize) -> Option<Position> {
    Position::ABOVE_DIRECTOR.get(place).copied()
}

/// The place of a position in the list of names; none for those every house has.
#[must_use]
pub fn place_of(position: Position) -> Option<usize> {
    let mut all = Position::ABOVE_DIRECTOR.iter();
    all.position(|known| *known == position)
}

impl Register {
    /// What the house calls one of its own positions above the director.
    #[must_use]
    pub fn position_name(&self, position: Position) -> Option<&str> {
        let name = self.above_director.get(place_of(position)?)?;
        Some(name)
    }

    /// A position that somebody may be given here.
    #[must_use]
    pub fn has_position(&self, position: Position) -> bool {
        !position.is_above_director() || self.position_name(position).is_some()
    }
}

/// Why the names on record cannot give way to these.
pub(super) fn fault(register: &Register, names: &[String]) -> Option<&'static str> {
    if names.len() > MAX_POSITIONS {
        return Some("a house names at most four");
    }
    for (place, name) in names.iter().enumerate() {
        match name_fault(name, &names[..place]) {
            None => {}
            Some(NameFault::Unreadable) => return Some("a name has 2 to 60 readable characters"),
            Some(NameFault::BuiltIn(_)) => return Some("every house has a position of that name"),
            Some(NameFault::Twice) => return Some("a name stands there twice"),
        }
        let mut known = register.above_director.iter();
        let was = known.position(|known| folded(known) == folded(name));
        // Before the house is set up nobody can hold one.
        if register.terms.is_some() && was.is_some_and(|was| was != place) {
            return Some(
                "a name on record keeps its place: new positions come after those there are",
            );
        }
    }
    let held = register
        .people
        .values()
        .filter_map(|person| place_of(person.position));
    if held.max().is_some_and(|highest| highest >= names.len()) {
        return Some("somebody holds a position that would have no name");
    }
    None
}
