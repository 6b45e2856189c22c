//! The first start of a house: people with random one-time PINs, given back
//! once to be printed, and keys for what is enrolled from the beginning.

use std::collections::BTreeMap;

use sicbo_rules::rulebook::words::Position;

use super::command::{Act, Terms};
use super::enrolment::{EnrolmentId, Key, NewEnrolment, Role};
use super::person::NewPerson;
use super::pin::{HashError, Pin, PinHasher};
use super::secret::{NoRandomness, random};

/// Secrets made at the first start, to be handed over once and kept nowhere.
#[derive(Debug, Default)]
pub struct HandOver {
    /// Names with their one-time PINs.
    pub pins: Vec<(String, Pin)>,
    /// The position each of them holds, by name: whoever hands a PIN over knows
    /// to whom.
    pub positions: BTreeMap<String, Position>,
    /// What is enrolled, by name, with the token it presents.
    pub tokens: Vec<(String, String)>,
}

/// Why a first start could not be prepared.
#[derive(Debug, thiserror::Error)]
pub enum SetUpError {
    /// No randomness.
    #[error(transparent)]
    Randomness(#[from] NoRandomness),
    /// A PIN could not be hashed.
    #[error(transparent)]
    Hash(#[from] HashError),
}

/// A one-time PIN for somebody: the person to be taken in, and the PIN to be
/// handed to them once.
///
/// # Errors
/// When there is no randomness or hashing fails.
pub fn new_person(
    hasher: &PinHasher,
    name: &str,
    position: Position,
) -> Result<(NewPerson, Pin), SetUpError> {
    let pin = Pin::one_time(random()?);
    let person = NewPerson {
        name: name.to_owned(),
        position,
        pin: hasher.hash(&pin, random()?)?,
    };
    Ok((person, pin))
}

/// A key for something to be enrolled: what the register is told, and the key
/// whose [`Key::token`] is handed over once.
///
/// # Errors
/// When there is no randomness.
pub fn new_enrolment(role: Role, name: &str) -> Result<(NewEnrolment, Key), NoRandomness> {
    let key = Key::new(random()?);
    let new = NewEnrolment {
        role,
        name: name.to_owned(),
        key: key.digest(),
    };
    Ok((new, key))
}

/// The act of a first start with what must be handed over once. Enrolments are
/// numbered from 1 in the order given.
///
/// # Errors
/// When there is no randomness or hashing fails.
pub fn set_up(
    hasher: &PinHasher,
    terms: Terms,
    staff: &[(&str, Position)],
    places: Vec<(Role, String)>,
) -> Result<(Act, HandOver), SetUpError> {
    let mut hand_over = HandOver::default();
    let mut people = Vec::with_capacity(staff.len());
    for (name, position) in staff {
        let (person, pin) = new_person(hasher, name, *position)?;
        hand_over.pins.push((person.name.clone(), pin));
        hand_over
            .positions
            .insert(person.name.clone(), person.position);
        people.push(person);
    }
    let mut enrolled = Vec::with_capacity(places.len());
    for (number, (role, name)) in (1..).zip(places) {
        let (new, key) = new_enrolment(role, &name)?;
        hand_over
            .tokens
            .push((name, key.token(EnrolmentId(number))));
        enrolled.push(new);
    }
    let act = Act::SetUp {
        terms,
        staff: people,
        places: enrolled,
    };
    Ok((act, hand_over))
}
