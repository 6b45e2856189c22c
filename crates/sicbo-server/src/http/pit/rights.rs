//! What two persons do about rights and places: the PIN or key it makes is theirs in
//! halves, and whole only for whom it is for.

use std::sync::Arc;

use sicbo_register::enrolment::{EnrolmentId, Key};
use sicbo_register::person::NewPerson;
use sicbo_register::pin::Pin;
use sicbo_register::secret::random;
use sicbo_register::set_up::new_enrolment;
use sicbo_register::{self as register, Fact};
use sicbo_table::ids::PersonId;

use crate::claims::Claim;
use crate::floor::Floor;
use crate::http::enrolments;
use crate::problem::Problem;
use crate::wire::pit::HouseAct;
use crate::wire::staff::word;

/// What the register is asked to enter, and the secret that goes with it.
pub(super) struct Entry {
    pub act: register::Act,
    pub secret: Option<Secret>,
}

/// A secret that was made for somebody or something.
pub(super) enum Secret {
    Pin(String, Pin),
    Key(String, Key),
}

impl From<register::Act> for Entry {
    fn from(act: register::Act) -> Entry {
        Entry { act, secret: None }
    }
}

/// The entry of an act about rights or places; none for any other.
pub(super) async fn entry_of(floor: &Arc<Floor>, act: &HouseAct) -> Result<Option<Entry>, Problem> {
    let entry = match act {
        HouseAct::AddPerson { name, position } => {
            let position = word(position, "position").map_err(Problem::input)?;
            let (pin, hash) = pin_of(floor, name).await?;
            let person = NewPerson {
                name: name.clone(),
                position,
                pin: hash,
            };
            Entry {
                act: register::Act::AddPerson { person },
                secret: Some(Secret::Pin(name.clone(), pin)),
            }
        }
        HouseAct::ChangePosition { person, position } => register::Act::ChangePosition {
            person: PersonId(*person),
            position: word(position, "position").map_err(Problem::input)?,
        }
        .into(),
        HouseAct::ResetPin { person: number } | HouseAct::EnablePerson { person: number } => {
            let person = PersonId(*number);
            let name = {
                let register = floor.desk.register();
                let known = register.people.get(&person);
                known.map(|known| known.name.clone())
            };
            let name = name.ok_or_else(|| Problem::not_found("person"))?;
            let (secret, pin) = pin_of(floor, &name).await?;
            Entry {
                act: match act {
                    HouseAct::ResetPin { .. } => register::Act::ResetPin { person, pin },
                    _ => register::Act::Enable { person, pin },
                },
                secret: Some(Secret::Pin(name, secret)),
            }
        }
        HouseAct::Enrol { role, name } => {
            let role = enrolments::role(floor, role)?;
            let made = new_enrolment(role, name);
            let (new, key) = made.map_err(|error| Problem::ours(&error))?;
            Entry {
                act: register::Act::Enrol { new },
                secret: Some(Secret::Key(name.clone(), key)),
            }
        }
        HouseAct::Revoke { enrolment, reason } => register::Act::Revoke {
            enrolment: EnrolmentId(*enrolment),
            reason: reason.clone(),
        }
        .into(),
        _ => return Ok(None),
    };
    Ok(Some(entry))
}

/// A one-time PIN in halves for somebody, and its hash, which is theirs alone.
async fn pin_of(floor: &Floor, name: &str) -> Result<(Pin, String), Problem> {
    let drawn = || random().map_err(|error| Problem::ours(&error));
    let pin = Pin::in_halves(drawn()?);
    let salt: [u8; 16] = random().map_err(|error| Problem::ours(&error))?;
    let hasher = Arc::clone(&floor.hasher);
    let (name, copy) = (name.to_owned(), pin.clone());
    let hashed = floor.hashing.run(move || hasher.hash(&name, &copy, salt));
    let hashed = hashed.await?;
    Ok((pin, hashed.map_err(|error| Problem::ours(&error))?))
}

/// It is on record: its secret waits for the two in halves, and what was revoked is
/// cut off.
pub(super) async fn entered(
    floor: &Arc<Floor>,
    act: &HouseAct,
    (secret, facts): (Option<Secret>, &[Fact]),
    (number, both): (u64, [PersonId; 2]),
) {
    match secret {
        Some(Secret::Pin(name, pin)) => {
            let claim = Claim::new("pin", name, pin.digits(), both);
            floor.claims.lock().keep(number, claim);
        }
        Some(Secret::Key(name, key)) => {
            let id = facts.iter().find_map(|fact| match fact {
                Fact::Enrolled { enrolment, .. } => Some(*enrolment),
                _ => None,
            });
            let Some(id) = id else {
                return;
            };
            let token = key.token(id);
            let claim = Claim::new("token", name, &token, both);
            floor.claims.lock().keep(number, claim);
        }
        None => {}
    }
    if let HouseAct::Revoke { enrolment, .. } = act {
        let role = {
            let register = floor.desk.register();
            let known = register.enrolments.get(&EnrolmentId(*enrolment));
            known.map(|known| known.role.clone())
        };
        enrolments::cut_off(floor, role).await;
    }
}
