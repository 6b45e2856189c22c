//! The first start of a house: people with random one-time PINs, given back
//! once to be printed, and keys for what is enrolled from the beginning.

use std::collections::BTreeMap;

use sicbo_rules::rulebook::words::{Position, Word as _};

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

impl HandOver {
    /// One line each: `pin`, the digits, the name and the position, or `token`,
    /// the token and the name, with tabs between them.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (name, pin) in &self.pins {
            let position = self.positions.get(name).map_or("", |held| held.key());
            text += &format!("pin\t{}\t{name}\t{position}\n", pin.digits());
        }
        for (name, token) in &self.tokens {
            text += &format!("token\t{token}\t{name}\n");
        }
        text
    }

    /// What [`HandOver::to_text`] wrote; nothing when it is something else.
    #[must_use]
    pub fn from_text(text: &str) -> Option<HandOver> {
        let mut hand_over = HandOver::default();
        for line in text.lines() {
            let mut parts = line.split('\t');
            let (kind, secret, name) = (parts.next()?, parts.next()?, parts.next()?);
            match kind {
                "pin" => {
                    let pin = Pin::new(secret).ok()?;
                    hand_over.pins.push((name.to_owned(), pin));
                    if let Some(held) = parts.next().and_then(Position::from_key) {
                        hand_over.positions.insert(name.to_owned(), held);
                    }
                }
                "token" => hand_over.tokens.push((name.to_owned(), secret.to_owned())),
                _ => return None,
            }
        }
        Some(hand_over)
    }
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
        pin: hasher.hash(name, &pin, random()?)?,
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
