//! The people of the house and their rights.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sicbo_clock::now_ms;
use sicbo_register::duties::Posts;
use sicbo_register::enrolment::EnrolmentId;
use sicbo_register::pin::Pin;
use sicbo_register::secret::random;
use sicbo_register::set_up::new_person;
use sicbo_register::{Act, Fact, Register};
use sicbo_rules::rulebook::words::{Position, Word};
use sicbo_table::ids::PersonId;
use ts_rs::TS;
use utoipa::ToSchema;

use super::{At, Body, Person, Problems};
use crate::floor::Floor;
use crate::problem::Problem;
use crate::wire::staff::word;
pub use sicbo_wire::people::{NewPerson, PersonChange};

/// A person of the house.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ShownPerson {
    /// Their number.
    pub person: u32,
    /// Their name.
    pub name: String,
    /// The position they hold.
    pub position: String,
    /// The PIN is still the one they were given.
    pub one_time_pin: bool,
    /// May not log in.
    pub disabled: bool,
    /// Locked out until then.
    pub locked_until_ms: Option<i64>,
    /// When they last logged in.
    pub last_log_in_ms: Option<i64>,
    /// Sessions that have not ended.
    pub sessions: usize,
    /// A manager has seen them log in: they may be one of two persons.
    pub witnessed: bool,
    /// Tables they are assigned to.
    pub tables: Vec<String>,
    /// Windows of the cage they are assigned to.
    pub windows: Vec<u32>,
}

/// A one-time PIN, shown once.
#[derive(Serialize, TS, ToSchema)]
pub struct OneTime {
    /// Whose.
    pub person: u32,
    /// The PIN, to be changed at the first log-in.
    pub pin: String,
}

/// The people of the house
#[utoipa::path(get, path = "/api/people", tag = "people",
    responses((status = 200, body = [ShownPerson]), Problems))]
pub async fn list(State(floor): State<Arc<Floor>>) -> Json<Vec<ShownPerson>> {
    let register = floor.desk.register();
    let now = now_ms();
    let waits = |name: &str| floor.log_ins.slow_down.waits_somewhere(name, now);
    let people = register.people.iter().map(|(id, person)| ShownPerson {
        person: id.0,
        name: person.name.clone(),
        position: person.position.key().to_owned(),
        one_time_pin: person.one_time,
        disabled: person.disabled,
        locked_until_ms: register.locked_somewhere(*id, now).max(waits(&person.name)),
        last_log_in_ms: person.last_log_in_ms,
        sessions: register
            .sessions
            .values()
            .filter(|session| session.person == *id)
            .count(),
        witnessed: person.is_seen(),
        tables: posted(&register, *id, |posts| {
            posts.tables.iter().map(ToString::to_string).collect()
        }),
        windows: posted(&register, *id, |posts| {
            posts.windows.iter().map(|window| window.0).collect()
        }),
    });
    Json(people.collect())
}

fn posted<T>(register: &Register, id: PersonId, what: impl Fn(&Posts) -> Vec<T>) -> Vec<T> {
    register.posts.get(&id).map_or_else(Vec::new, what)
}

/// Takes someone in, with a one-time PIN; where duties are in force it is proposed
#[utoipa::path(post, path = "/api/people", tag = "people", request_body = NewPerson,
    responses((status = 201, body = OneTime), Problems))]
pub async fn add(
    State(floor): State<Arc<Floor>>,
    by: Person,
    Body(new): Body<NewPerson>,
) -> Result<Response, Problem> {
    let position: Position = word(&new.position, "position").map_err(Problem::input)?;
    let hasher = Arc::clone(&floor.hasher);
    let name = new.name;
    let make = move || new_person(&hasher, &name, position);
    let made = floor.hashing.run(make).await?;
    let (person, pin) = made.map_err(|error| Problem::ours(&error))?;
    let facts = floor
        .desk
        .enter(by.party(), None, Act::AddPerson { person })
        .await?;
    let id = facts.iter().find_map(|fact| match fact {
        Fact::PersonAdded { person, .. } => Some(person.0),
        _ => None,
    });
    let one_time = OneTime {
        person: id.unwrap_or_default(),
        pin: pin.digits().to_owned(),
    };
    Ok((StatusCode::CREATED, Json(one_time)).into_response())
}

/// Changes a person's rights; a new one-time PIN is in the answer
#[utoipa::path(post, path = "/api/people/{person}", tag = "people", request_body = PersonChange,
    params(("person" = u32, Path, description = "Their number")),
    responses((status = 200, body = OneTime), (status = 204), Problems))]
pub async fn change(
    State(floor): State<Arc<Floor>>,
    by: Person,
    At(person): At<u32>,
    Body(change): Body<PersonChange>,
) -> Result<Response, Problem> {
    let id = PersonId(person);
    let mut one_time = None;
    let act = match change {
        PersonChange::Position { position } => Act::ChangePosition {
            person: id,
            position: word(&position, "position").map_err(Problem::input)?,
        },
        PersonChange::Disable { reason } => Act::Disable { person: id, reason },
        PersonChange::LiftLock {} => Act::LiftLock { person: id },
        PersonChange::Witness {} => Act::WitnessLogIn { person: id },
        PersonChange::Assign { tables, windows } => {
            let named = tables.iter().map(|name| {
                let at = floor.table_named(name)?;
                Ok(at.hub.name.clone())
            });
            Act::Assign {
                person: id,
                posts: Posts {
                    tables: named.collect::<Result<_, Problem>>()?,
                    windows: windows.into_iter().map(EnrolmentId).collect(),
                },
            }
        }
        PersonChange::ResetPin {} => {
            let (pin, hash) = fresh_pin(&floor, id).await?;
            one_time = Some(pin);
            Act::ResetPin {
                person: id,
                pin: hash,
            }
        }
        PersonChange::Enable {} => {
            let (pin, hash) = fresh_pin(&floor, id).await?;
            one_time = Some(pin);
            Act::Enable {
                person: id,
                pin: hash,
            }
        }
    };
    let lifts = matches!(act, Act::LiftLock { .. });
    floor.desk.enter(by.party(), None, act).await?;
    let known = floor
        .desk
        .register()
        .people
        .get(&id)
        .map(|p| p.name.clone());
    if let Some(name) = known.filter(|_| lifts) {
        floor.log_ins.slow_down.forgive(&name);
    }
    Ok(match one_time {
        Some(pin) => Json(OneTime {
            person,
            pin: pin.digits().to_owned(),
        })
        .into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

/// A one-time PIN for somebody, and its hash, which is theirs alone.
async fn fresh_pin(floor: &Floor, id: PersonId) -> Result<(Pin, String), Problem> {
    // Nobody of that number: the register says so when it is asked.
    let name = floor
        .desk
        .register()
        .people
        .get(&id)
        .map(|known| known.name.clone());
    let name = name.unwrap_or_default();
    let hasher = Arc::clone(&floor.hasher);
    let random = || random().map_err(|error| Problem::ours(&error));
    let pin = Pin::one_time(random()?);
    let mut salt = [0; 16];
    let bytes: [u8; 32] = random()?;
    salt.copy_from_slice(&bytes[..16]);
    let copy = pin.clone();
    let hashed = floor
        .hashing
        .run(move || hasher.hash(&name, &copy, salt))
        .await?;
    Ok((pin, hashed.map_err(|error| Problem::ours(&error))?))
}
