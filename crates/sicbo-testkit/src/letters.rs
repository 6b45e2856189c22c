//! The letters by which the tables of decisions name positions.

use sicbo_rules::rulebook::words::Position;

/// Everyone who works in a house.
pub const LETTERS: [(char, Position); 16] = [
    ('d', Position::Dealer),
    ('s', Position::PitSupervisor),
    ('m', Position::PitManager),
    ('h', Position::ShiftManager),
    ('r', Position::Director),
    ('o', Position::HeadOfOperations),
    ('v', Position::Surveillance),
    ('c', Position::Cashier),
    ('a', Position::Auditor),
    ('g', Position::Regulator),
    ('t', Position::Trainer),
    ('e', Position::Technician),
    ('1', Position::AboveDirector1),
    ('2', Position::AboveDirector2),
    ('3', Position::AboveDirector3),
    ('4', Position::AboveDirector4),
];

/// The code for one whom a row does not name: the usual one, or another for some, as in
/// `not_authorised,vagte=outside`.
#[must_use]
pub fn refused(otherwise: &'static str, letter: char) -> &'static str {
    let (usual, others) = otherwise.split_once(',').unwrap_or((otherwise, ""));
    let mut others = others.split(',').filter_map(|part| part.split_once('='));
    let own = others.find(|(who, _)| who.contains(letter));
    own.map_or(usual, |(_, code)| code)
}
