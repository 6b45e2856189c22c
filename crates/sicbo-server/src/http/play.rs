//! Responsible play: a player's own limits, breaks and reality checks, the
//! membership card, and play stopped by the house.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use sicbo_clock::{now_ms, steady_ms};
use sicbo_house::look_ups::LookUp;
use sicbo_house::membership::{LONGEST_CARD, LONGEST_PROOF, Presented, Standing};
use sicbo_register::enrolment::TableName;
use sicbo_register::play::EXCLUDED;
use sicbo_register::play::held::Reading;
use sicbo_register::play::member::MemberId;
use sicbo_register::play::{Card, MAX_COUNTED, PlayStep, Proof};
use sicbo_register::voucher::Place;
use sicbo_register::{Act, Party};
use sicbo_table::ids::StationId;

use super::{At, Body, Person, Problems, Terminal};
use crate::edge::PeerAddress;
use crate::floor::Floor;
use crate::problem::Problem;
use crate::wire::Secret;
use crate::wire::play::{CardStanding, PlayChange, PresentedCard, ShownPlay, StopPlay};
use sicbo_house::hub::{Hub, Known, Seated};
use sicbo_house::watch::Seen;
use sicbo_register::security::SecurityKind;

fn hub<'f>(floor: &'f Floor, table: &TableName) -> Result<&'f Hub, Problem> {
    let at = floor.table_at(table.as_str());
    at.map(|at| at.hub.as_ref())
        .ok_or_else(|| Problem::not_found("table"))
}

/// Who sits at a station and how it stands.
fn seated(floor: &Floor, at: &Place) -> Result<(Seated, Known), Problem> {
    hub(floor, &at.table)?
        .seated(at.station, now_ms())
        .ok_or_else(|| Problem::not_found("station"))
}

fn shown(floor: &Floor, at: &Place) -> Result<ShownPlay, Problem> {
    let (seated, known) = seated(floor, at)?;
    let sitting = floor.sitting(&seated);
    let card = floor.desk.register().play_of(at, &sitting).card;
    let elsewhere = card.map(|card| floor.desk.uncounted_elsewhere(card.member, at));
    let reading = Reading {
        at_ms: now_ms(),
        offset_min: i64::from(floor.plan.zone.offset_minutes(now_ms())),
        meters: known.meters,
        clock: seated.clock,
        elsewhere: elsewhere.unwrap_or_default(),
    };
    let register = floor.desk.register();
    let play = register.play_of(at, &sitting);
    let held = register.held(at, &play);
    let choices = floor.check_choices();
    let now = (known.session, known.at_risk);
    Ok(ShownPlay::of(&held, &reading, now, &choices))
}

/// Counts what was played at a table up to now.
async fn count(floor: &Floor, table: &TableName) -> Result<(), Problem> {
    for lines in floor.desk.uncounted(table).chunks(MAX_COUNTED) {
        let act = Act::CountPlays {
            offset_min: i64::from(floor.plan.zone.offset_minutes(now_ms())),
            lines: lines.to_vec(),
        };
        let entered = floor.desk.ask(Party::House, None, act).await;
        match Problem::unless_entered(entered.answer) {
            // Counted in the meantime.
            Err(problem) if problem.code == "already_done" => {}
            other => drop(other?),
        }
    }
    Ok(())
}

async fn change(floor: &Floor, by: Party, at: &Place, step: PlayStep) -> Result<(), Problem> {
    // A check that was seen is seen at the clock's own time.
    count(floor, &at.table).await?;
    let (seated, _) = seated(floor, at)?;
    let act = Act::StepPlay {
        place: at.clone(),
        sitting: floor.sitting(&seated),
        step,
    };
    let entered = floor.desk.ask(by, None, act).await;
    Problem::unless_entered(entered.answer).map(|_| ())
}

/// How whoever plays at the station stands, and what holds for them
#[utoipa::path(get, path = "/api/station/play", tag = "station", operation_id = "play",
    responses((status = 200, body = ShownPlay), Problems))]
pub async fn show(
    State(floor): State<Arc<Floor>>,
    terminal: Terminal,
) -> Result<Json<ShownPlay>, Problem> {
    shown(&floor, &terminal.place()).map(Json)
}

/// The player changes what holds for them
#[utoipa::path(post, path = "/api/station/play", tag = "station", operation_id = "change_play",
    request_body = PlayChange, responses((status = 200, body = ShownPlay), Problems))]
pub async fn set(
    State(floor): State<Arc<Floor>>,
    terminal: Terminal,
    Body(asked): Body<PlayChange>,
) -> Result<Json<ShownPlay>, Problem> {
    let at = terminal.place();
    let by = Party::Place(terminal.enrolment);
    let step = asked.step();
    if let PlayStep::Check { minutes } = step
        && !minutes.is_some_and(|asked| floor.check_choices().contains(&asked))
    {
        let words = "that is no interval that the house offers";
        let conflict = StatusCode::CONFLICT;
        return Err(Problem::new(conflict, "limit_invalid", words));
    }
    change(&floor, by, &at, step).await?;
    shown(&floor, &at).map(Json)
}

/// A membership card, with its PIN or as a reader read it: limits that hold
/// wherever it is used. Who is excluded does not play
#[utoipa::path(post, path = "/api/station/card", tag = "station", request_body = PresentedCard,
    responses((status = 200, body = CardStanding), Problems))]
pub async fn card(
    State(floor): State<Arc<Floor>>,
    terminal: Terminal,
    from: Option<Extension<PeerAddress>>,
    Body(asked): Body<PresentedCard>,
) -> Result<Json<CardStanding>, Problem> {
    let at = terminal.place();
    if !(1..=LONGEST_CARD).contains(&asked.card.chars().count()) {
        return Err(Problem::input("a card has a number of 1 to 40 characters"));
    }
    let card = presented(&asked)?;
    let member = floor.voucher_secret.member(&card.number);
    let look_up = LookUp {
        place: at.clone(),
        address: from.map(|Extension(PeerAddress(address))| address),
        member,
    };
    if !floor.look_ups.take(&look_up, steady_ms()) {
        let words = "too many cards were tried here: wait a while, or ask an attendant";
        let status = StatusCode::TOO_MANY_REQUESTS;
        return Err(Problem::new(status, "too_many_look_ups", words));
    }
    let house = Arc::clone(&floor);
    // A PIN is hashed: as few at once as at the staff's door.
    let read = floor.hashing.run(move || house.membership.look_up(&card));
    let read = read
        .await
        .inspect_err(|_| floor.look_ups.not_wrong(&look_up))?;
    let known = read.map_err(|error| {
        floor.look_ups.not_wrong(&look_up);
        tracing::error!(%error, "a card could not be looked up");
        Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "no_membership",
            "cards cannot be looked up now",
        )
    })?;
    if known == Standing::Unknown {
        let seen = Seen {
            place: Some(terminal.enrolment),
            address: look_up.address,
            ..Seen::of(SecurityKind::CardNotProved, "POST /api/station/card")
        };
        floor.watch.see(seen, now_ms());
    } else {
        floor.look_ups.not_wrong(&look_up);
        tell_apart(&floor, &at, member)?;
    }
    let entered = match known {
        Standing::Excluded(proof) => {
            // The station first, whatever comes of the card.
            let reason = EXCLUDED.to_owned();
            let stopped = change(&floor, Party::House, &at, PlayStep::Stop { reason }).await;
            match stopped {
                Err(problem) if problem.code != "already_done" => Err(problem),
                // With the card it holds wherever it is shown; where another's
                // is in use, the station is stopped.
                _ => match proof {
                    // By its number alone a card binds nobody elsewhere.
                    None => Ok(()),
                    Some(proof) => match present(&floor, &terminal, member, proof).await {
                        Err(problem) if problem.code == "other_card" => Ok(()),
                        other => other,
                    },
                },
            }
        }
        Standing::Member(proof) => present(&floor, &terminal, member, proof).await,
        Standing::Unknown => Ok(()),
    };
    // Stopped once is stopped, and a card shown again is the same card.
    if let Err(problem) = entered
        && problem.code != "already_done"
    {
        return Err(problem);
    }
    let standing = known.word().to_owned();
    Ok(Json(CardStanding { standing }))
}

/// As it was presented, within bounds.
fn presented(asked: &PresentedCard) -> Result<Presented, Problem> {
    let text = |secret: &Option<Secret>| {
        let text = secret.as_ref().map(|secret| secret.text().to_owned());
        match text {
            Some(text) if text.len() > LONGEST_PROOF => {
                Err(Problem::input("a PIN or a card has at most 200 bytes"))
            }
            text => Ok(text.filter(|text| !text.is_empty())),
        }
    };
    Ok(Presented {
        number: asked.card.clone(),
        pin: text(&asked.pin)?,
        read: text(&asked.read)?,
    })
}

/// Where there is no credit, another card is another person.
fn tell_apart(floor: &Floor, at: &Place, member: MemberId) -> Result<(), Problem> {
    let (seated, _) = seated(floor, at)?;
    let other = {
        let register = floor.desk.register();
        let play = register.play_of(at, &floor.sitting(&seated));
        play.card.is_some_and(|known| known.member != member)
    };
    if other {
        hub(floor, &at.table)?.begin(at.station, now_ms());
    }
    Ok(())
}

/// A member's card is used here from now on.
async fn present(
    floor: &Floor,
    terminal: &Terminal,
    member: MemberId,
    proof: Proof,
) -> Result<(), Problem> {
    let at = terminal.place();
    let was = {
        let register = floor.desk.register();
        register.members.get(&member).and_then(|m| m.at.clone())
    };
    // What was played where the card was is counted before it is used here.
    if let Some(was) = was {
        count(floor, &was.table).await?;
    }
    let currency = {
        let state = hub(floor, &at.table)?.state();
        let config = state.table.config.as_ref();
        config
            .map(|config| config.currency)
            .ok_or_else(|| Problem::not_found("table"))?
    };
    let card = Card { member, currency };
    let by = Party::Place(terminal.enrolment);
    change(floor, by, &at, PlayStep::Prove { card, proof }).await?;
    // And what was played in this session before it was shown is the card's.
    count(floor, &at.table).await
}

/// Stops the play of whoever sits at a station, or lets it go on. Bets that
/// are registered stand
#[utoipa::path(post, path = "/api/tables/{table}/stations/{station}/play", tag = "tables",
    operation_id = "stop_play", request_body = StopPlay,
    params(("table" = String, Path, description = "The table's name"),
           ("station" = u32, Path, description = "The station")),
    responses((status = 204), Problems))]
pub async fn stop(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At((name, station)): At<(String, u32)>,
    Body(asked): Body<StopPlay>,
) -> Result<StatusCode, Problem> {
    let table = floor.table_named(&name)?.hub.name.clone();
    let step = match asked.stop {
        true => PlayStep::Stop {
            reason: asked.reason,
        },
        false => PlayStep::Resume {
            reason: asked.reason,
        },
    };
    let by = person.party();
    let at = Place {
        table,
        station: StationId(station),
    };
    change(&floor, by, &at, step).await?;
    Ok(StatusCode::NO_CONTENT)
}
