//! What staff do at a table: one door for all of it, and two-person acts.

use std::sync::{Arc, PoisonError};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use sicbo_clock::now_ms;
use sicbo_register as register;
use sicbo_register::case::{CaseId, Outcome, Step};
use sicbo_register::dice::{DiceSet, DiceState};
use sicbo_register::enrolment::Role;
use sicbo_register::proposal::ProposalEnd;
use sicbo_rules::Money;
use sicbo_rules::rulebook::words::{Position, Word as _};
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::ids::{PersonId, SessionNumber};
use sicbo_table::{Act, Command, Reason, decide};
use tokio::sync::oneshot;
use ts_rs::TS;
use utoipa::ToSchema;

use super::{At, Body, Person, Problems};
use crate::floor::{Confirming, Floor, Numbered, Proposal, TableAt};
use crate::hub::{Reply, ToHub};
use crate::problem::Problem;
use crate::wire::console::ShownProposal;
use crate::wire::hex;
use crate::wire::staff::StaffAct;

/// It is done, durably.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Done {
    /// Sequence of the last record it rests on.
    pub sequence: u64,
    /// It was done by this very request before: nothing more was done now.
    pub again: bool,
}

impl Done {
    /// The answer to a confirmation.
    pub(super) fn of((sequence, again): (u64, bool)) -> Json<Done> {
        Json(Done { sequence, again })
    }
}

/// A proposal was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Proposed {
    /// Its number, which is never used again.
    pub proposal: u64,
    /// Digest of the act: a confirmation carries it.
    pub digest: String,
}

impl Proposed {
    /// As it was put on record.
    pub(super) fn of(numbered: Numbered) -> (StatusCode, Json<Proposed>) {
        let proposed = Proposed {
            proposal: numbered.number,
            digest: hex(&numbered.digest),
        };
        (StatusCode::CREATED, Json(proposed))
    }
}

/// What the second person states.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Confirmation {
    /// Digest of the act as it was shown to the second person.
    pub(super) digest: String,
    /// The dice as they read them, where that is asked.
    #[serde(default)]
    #[ts(optional)]
    #[schema(schema_with = crate::wire::schemas::dice)]
    dice: Option<[u8; 3]>,
}

fn table<'f>(floor: &'f Floor, name: &str) -> Result<&'f TableAt, Problem> {
    floor
        .table_at(name)
        .ok_or_else(|| Problem::not_found("table"))
}

/// In a house for real money the game is dealt from the table's own console:
/// the session was opened there, with the console's key.
fn at_console(floor: &Floor, at: &TableAt, person: &Person, act: &StaffAct) -> Result<(), Problem> {
    let deals = matches!(
        act,
        StaffAct::ActivateTumbler {}
            | StaffAct::ReportTumbles { .. }
            | StaffAct::CallBets {}
            | StaffAct::CloseBets {}
            | StaffAct::PressDeal {}
            | StaffAct::Uncover {}
            | StaffAct::ConfirmFlat {}
            | StaffAct::KeyDice { .. }
            | StaffAct::ClearKeys {}
            | StaffAct::ReadSecond { .. }
            | StaffAct::ConfirmResult {}
            | StaffAct::ReportLights { .. }
            | StaffAct::TakeAndPay {}
            | StaffAct::ResolveReadings { .. }
            | StaffAct::PlaceBets { .. }
            | StaffAct::RemoveBets { .. }
            | StaffAct::ClearBets { .. }
            | StaffAct::CallBet { .. }
            | StaffAct::RecordPositions { .. }
            | StaffAct::ObservePositions { .. }
            | StaffAct::RecordLate { .. }
    );
    if !deals || !floor.plan.real_money {
        return Ok(());
    }
    let register = floor.desk.register();
    let role = person
        .place
        .and_then(|place| register.enrolled(place))
        .map(|known| &known.role);
    match role {
        Some(Role::Console { table }) if *table == at.hub.name => Ok(()),
        _ => Err(Problem::not_allowed(
            "the game is dealt from the table's own console",
        )),
    }
}

/// Where dice are kept in custody, none come to a table beside it, and a table
/// plays with a set that custody knows only where custody says it is in that
/// table's tumbler: not in store, not at another table, not taken away (P-035).
fn not_beside_custody(floor: &Floor, name: &str, act: &StaffAct) -> Result<(), Problem> {
    let begins = matches!(act, StaffAct::OpenTable {} | StaffAct::Resume {});
    if let Some(at) = floor.table_at(name).filter(|_| begins) {
        let set = {
            let state = at.hub.state();
            let config = state.table.config.as_deref().unwrap_or(&at.plan.config);
            DiceSet::new(&config.dice_set)
        };
        let register = floor.desk.register();
        let known = set.and_then(|set| register.dice.get(&set));
        let here = DiceState::InUse(at.hub.name.clone());
        if let Some(state) = known.map(|dice| &dice.state)
            && *state != here
        {
            let state = state.word();
            return Err(Problem::declined(
                &register::Reason::WrongDiceState { state }.into(),
            ));
        }
    }
    // What custody knows is inspected there, and the table hears of it.
    if let StaffAct::FindDiceSound { dice_set, .. } = act
        && let Some(set) = DiceSet::new(dice_set)
        && floor.desk.register().dice.contains_key(&set)
    {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "dice_in_custody",
            "this house keeps its dice in custody: enter the inspection there",
        ));
    }
    let changes = matches!(act, StaffAct::ChangeDice { .. });
    if changes && !floor.desk.register().dice.is_empty() {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "dice_in_custody",
            "this house keeps its dice in custody: place a set from there",
        ));
    }
    Ok(())
}

/// About to stop, the house lets rounds end and begins none.
fn not_while_stopping(at: &TableAt, act: &StaffAct) -> Result<(), Problem> {
    let begins = matches!(
        act,
        StaffAct::ActivateTumbler {} | StaffAct::ReportTumbles { .. } | StaffAct::CallBets {}
    );
    if begins && at.hub.ends_rounds() && at.hub.state().table.round.is_none() {
        return Err(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "stopping",
            "the house is being stopped: no further round begins",
        ));
    }
    Ok(())
}

/// What is asked as an act of the table. Ended rounds are read on a thread that
/// may wait: the records of a long history take time.
async fn understood(
    floor: &Arc<Floor>,
    name: &str,
    act: &StaffAct,
    second_dice: Option<[u8; 3]>,
) -> Result<Act, Problem> {
    if let StaffAct::SettleCase {
        case,
        amount,
        reason,
        ..
    } = act
    {
        if act.request() == Some(0) {
            let words = "a request's number is above zero".to_owned();
            return Err(Problem::input(words));
        }
        return case_settled(floor, table(floor, name)?, *case, *amount, reason);
    }
    let ended = matches!(
        act,
        StaffAct::CorrectResult { .. } | StaffAct::VoidRounds { .. }
    );
    if !ended {
        let at = table(floor, name)?;
        return act.act(at, second_dice).map_err(Problem::no_act);
    }
    let (house, name, act) = (Arc::clone(floor), name.to_owned(), act.clone());
    let work = move || {
        let at = table(&house, &name)?;
        act.act(at, second_dice).map_err(Problem::no_act)
    };
    floor.reading.run(work).await?
}

/// What a decided case of this table is worth at its station: paid where it
/// was upheld, at least in part; an overpayment where it is negative.
fn case_settled(
    floor: &Floor,
    at: &TableAt,
    number: u64,
    amount: i64,
    reason: &str,
) -> Result<Act, Problem> {
    let register = floor.desk.register();
    let case = register.cases.get(&CaseId(number));
    let case = case
        .filter(|case| case.new.table == at.hub.name)
        .ok_or_else(|| Problem::not_found("case of this table"))?;
    let refuse = |code: &str, words: &str| Problem::new(StatusCode::CONFLICT, code, words);
    let station = case
        .new
        .station
        .ok_or_else(|| refuse("case_without_seat", "the case names no seat"))?;
    let fits = match case.standing().decided {
        Some((_, Outcome::Upheld | Outcome::Partly)) => true,
        Some((_, Outcome::Rejected)) => amount < 0,
        None => false,
    };
    if !fits || !case.is_open() {
        return Err(refuse(
            "case_not_upheld",
            "a case is paid once it is decided for the player, and before it is closed",
        ));
    }
    let (decision, paid) = (case.decisions(), amount > 0);
    // What the table settled it refuses itself, or knows as the same request.
    let settled = at.hub.state().table.has_settled(number, decision, paid);
    if case.is_carried_out(paid) && !settled {
        return Err(refuse(
            "case_settled",
            "this decision of the case was carried out by an adjustment that the case names",
        ));
    }
    Ok(Act::SettleCase {
        station,
        session: case.new.session.unwrap_or(SessionNumber(0)),
        case: number,
        decision,
        round: case.new.round,
        amount: Money::from_minor(amount),
        reason: reason.to_owned(),
    })
}

/// The case says by which record it was paid. Whoever of the two handles it
/// links it; where neither may, they link it by hand.
async fn link(floor: &Floor, act: &StaffAct, by: (Staff, Option<Staff>), sequence: u64) {
    let StaffAct::SettleCase { case, amount, .. } = act else {
        return;
    };
    for staff in [Some(by.0), by.1].into_iter().flatten() {
        let step = register::Act::StepCase {
            case: CaseId(*case),
            acting: None,
            step: Step::LinkAdjustment {
                sequence,
                amount: Money::from_minor(*amount),
            },
        };
        let party = register::Party::Person(staff.person);
        let entered = floor.desk.ask(party, None, step).await;
        if Problem::unless_entered(entered.answer).is_ok() {
            return;
        }
    }
}

async fn carry_out(
    at: &TableAt,
    asked: &StaffAct,
    act: Act,
    (by, second): (Staff, Option<Staff>),
) -> Result<Done, Problem> {
    let (sender, receiver) = oneshot::channel();
    let command = Command {
        id: asked.request().unwrap_or(0),
        at_ms: now_ms(),
        by: Actor::Staff(by),
        second,
        act,
    };
    let answer = match at.hub.submit(Reply::Waiter(sender), command) {
        Ok(()) => receiver.await.unwrap_or(sicbo_loop::Answer::Stopped),
        Err((_, answer)) => answer,
    };
    if let (Some(lessons), sicbo_loop::Answer::Refused(refusal)) = (&at.practice, &answer) {
        lessons.refused(&asked.name(), refusal);
    }
    Problem::unless_done(answer).map(|(sequence, again)| Done { sequence, again })
}

/// Something staff do at a table. What takes two persons is refused here and
/// must be proposed
#[utoipa::path(post, path = "/api/tables/{table}/acts", tag = "tables", request_body = StaffAct,
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 200, body = Done), Problems))]
pub async fn act(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At(name): At<String>,
    Body(act): Body<StaffAct>,
) -> Result<Json<Done>, Problem> {
    let at = table(&floor, &name)?;
    at_console(&floor, at, &person, &act)?;
    not_beside_custody(&floor, &name, &act)?;
    not_while_stopping(at, &act)?;
    let understood = understood(&floor, &name, &act, None).await?;
    carry_out(at, &act, understood, (person.staff, None))
        .await
        .map(Json)
}

/// What could not be done with whoever confirms it is said to who proposes:
/// what takes only one person, and what the table would refuse to any two.
pub(super) fn can_be_proposed(
    at: &TableAt,
    act: &Act,
    request: Option<u64>,
    by: Staff,
) -> Result<(), Problem> {
    let state = at.hub.state();
    let with = |second: Option<Staff>| {
        let command = Command {
            id: request.unwrap_or(0),
            at_ms: now_ms(),
            by: Actor::Staff(by),
            second,
            act: act.clone(),
        };
        decide(&state.table, &command)
    };
    match with(None) {
        // Done before by this request: whoever confirms it hears so.
        Ok(events) if events.is_empty() && request.is_some() => return Ok(()),
        Ok(_) => {
            return Err(Problem::new(
                StatusCode::CONFLICT,
                "one_person_suffices",
                "this takes one person: do it at once",
            ));
        }
        Err(refusal) if !matches!(refusal.reason, Reason::SecondPersonNeeded { .. }) => {
            return Err(Problem::refused(&refusal));
        }
        Err(_) => {}
    }
    // Whoever will confirm is not known yet; one of these stands in for them.
    let mut why = None;
    for position in Position::all() {
        let second = Staff {
            person: PersonId(u32::MAX),
            position: *position,
        };
        match with(Some(second)) {
            Ok(_) => return Ok(()),
            Err(refusal) if matches!(refusal.reason, Reason::NotAuthorised { .. }) => {}
            Err(refusal) => why = Some(refusal),
        }
    }
    match why {
        Some(refusal) => Err(Problem::refused(&refusal)),
        None => Err(Problem::not_allowed("nobody could confirm this with you")),
    }
}

/// Two-person acts that wait for their second person
#[utoipa::path(get, path = "/api/tables/{table}/proposals", tag = "tables",
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 200, body = [ShownProposal]), Problems))]
pub async fn proposals(
    State(floor): State<Arc<Floor>>,
    At(name): At<String>,
) -> Result<Json<Vec<ShownProposal>>, Problem> {
    let at = table(&floor, &name)?;
    let mut open = at.proposals.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(Json(open.shown()))
}

/// Proposes an act that takes two persons
#[utoipa::path(post, path = "/api/tables/{table}/proposals", tag = "tables",
    request_body = StaffAct,
    params(("table" = String, Path, description = "The table's name")),
    responses((status = 201, body = Proposed), Problems))]
pub async fn propose(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At(name): At<String>,
    Body(act): Body<StaffAct>,
) -> Result<(StatusCode, Json<Proposed>), Problem> {
    let at = table(&floor, &name)?;
    at_console(&floor, at, &person, &act)?;
    not_beside_custody(&floor, &name, &act)?;
    // What cannot be understood is said to who proposes, not to who confirms.
    let understood = understood(&floor, &name, &act, act.stated_dice()).await?;
    if let Some(witness) = at.practice.as_ref().and_then(|lessons| lessons.witness()) {
        // In practice a simulated supervisor is at hand.
        carry_out(at, &act, understood, (person.staff, Some(witness))).await?;
        let done = Numbered {
            number: 0,
            digest: [0; 32],
        };
        return Ok(Proposed::of(done));
    }
    // Amending many rounds takes time to decide: not on a thread that serves
    // others.
    let (house, named) = (Arc::clone(&floor), name.clone());
    let (request, by) = (act.request(), person.staff);
    let work = move || can_be_proposed(table(&house, &named)?, &understood, request, by);
    floor.reading.run(work).await??;
    let staff = person.staff;
    let by = person.proposer();
    let proposed = floor.propose(&at.proposals, Some(&at.hub.name), act.clone(), by);
    let proposed = proposed.await?;
    floor.hold_for(at, &act, proposed, staff).await?;
    at.hub
        .tell(ToHub::TellStaff(at.proposals_frame(&floor)))
        .await;
    Ok(Proposed::of(proposed))
}

/// Withdraws a proposal of one's own
#[utoipa::path(delete, path = "/api/tables/{table}/proposals/{proposal}", tag = "tables",
    params(("table" = String, Path, description = "The table's name"),
           ("proposal" = u64, Path, description = "The proposal's number")),
    responses((status = 204), Problems))]
pub async fn withdraw(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At((name, number)): At<(String, u64)>,
) -> Result<StatusCode, Problem> {
    let at = table(&floor, &name)?;
    {
        let mut open = at.proposals.lock().unwrap_or_else(PoisonError::into_inner);
        match open.get(number) {
            None => return Err(Problem::not_found("proposal")),
            Some(proposal) if proposal.by.person != person.staff.person => {
                return Err(Problem::not_allowed("only who proposed it may withdraw it"));
            }
            Some(_) => open.remove(number, ProposalEnd::Withdrawn),
        }
    }
    floor.record_ended_at(at).await;
    Ok(StatusCode::NO_CONTENT)
}

/// Confirms a proposal as the second person, on a session of one's own
#[utoipa::path(post, path = "/api/tables/{table}/proposals/{proposal}/confirm", tag = "tables",
    request_body = Confirmation,
    params(("table" = String, Path, description = "The table's name"),
           ("proposal" = u64, Path, description = "The proposal's number")),
    responses((status = 200, body = Done), Problems))]
pub async fn confirm(
    State(floor): State<Arc<Floor>>,
    person: Person,
    At((name, number)): At<(String, u64)>,
    Body(stated): Body<Confirmation>,
) -> Result<Json<Done>, Problem> {
    let at = table(&floor, &name)?;
    let proposal = {
        let mut open = at.proposals.lock().unwrap_or_else(PoisonError::into_inner);
        open.confirming(number, person.staff.person, &stated.digest)
    };
    let proposal = proposal.map_err(|why| floor.not_confirmed(number, why))?;
    let proposal = match asked_again(proposal).await? {
        Ok(done) => return Ok(done),
        Err(proposal) => proposal,
    };
    // One of the two who settle what the dice are stands at the table.
    if !matches!(proposal.act, StaffAct::ResolveReadings { .. }) {
        at_console(&floor, at, &person, &proposal.act)?;
    }
    let refuse = |code: &str, words: &str| Problem::new(StatusCode::CONFLICT, code, words);
    if proposal.by.person == person.staff.person {
        return Err(refuse(
            "same_person_twice",
            "the two persons must be different",
        ));
    }
    // Both are present, each on a session of their own.
    let known = floor
        .desk
        .register()
        .sessions
        .contains_key(&proposal.session);
    if !known || !floor.sessions.is_present(proposal.session) {
        return Err(refuse(
            "first_person_left",
            "whoever proposed this is no longer logged in",
        ));
    }
    if proposal.act.wants_second_dice() {
        // Before the dice are compared: somebody who could not confirm it has no
        // reading to give, and ends nothing by one.
        let (house, named, asked) = (Arc::clone(&floor), name.clone(), proposal.act.clone());
        let by = (proposal.by, person.staff);
        let agreed = understood(&floor, &name, &asked, asked.stated_dice()).await?;
        let work = move || could_confirm(table(&house, &named)?, &asked, agreed, by);
        floor.reading.run(work).await??;
        match stated.dice {
            None => {
                return Err(refuse(
                    "dice_needed",
                    "state the dice as you read them: {\"dice\":[1,2,3]}",
                ));
            }
            Some(dice)
                if proposal
                    .act
                    .stated_dice()
                    .is_some_and(|d| sorted(d) != sorted(dice)) =>
            {
                // Tried until it fits, a reading would be none: both begin anew.
                {
                    let mut open = at.proposals.lock().unwrap_or_else(PoisonError::into_inner);
                    open.remove(number, ProposalEnd::ReadingsDiffer);
                }
                floor.record_ended_at(at).await;
                return Err(refuse(
                    "readings_differ",
                    "the two persons state different dice: this proposal has ended; read the \
                     dice again and propose anew",
                ));
            }
            Some(_) => {}
        }
    }
    let room = floor.carrying.room()?;
    let begun = {
        let mut open = at.proposals.lock().unwrap_or_else(PoisonError::into_inner);
        open.begin(number, person.staff.person)
    };
    let (ends, under_way) = begun.ok_or_else(|| Problem::not_found("proposal"))?;
    let house = Arc::clone(&floor);
    // Whoever waits for it may go, or their line may break: it is done to its
    // end all the same, and remembered.
    room.carry(async move {
        let by = (proposal.by, Some(person.staff));
        let outcome = async {
            let act = understood(&house, &name, &proposal.act, stated.dice).await?;
            let done = carry_out(table(&house, &name)?, &proposal.act, act, by).await?;
            if !done.again {
                link(&house, &proposal.act, by, done.sequence).await;
            }
            Ok((done.sequence, done.again))
        };
        let outcome = outcome.await;
        if let Some(at) = house.table_at(&name) {
            {
                let mut open = at.proposals.lock().unwrap_or_else(PoisonError::into_inner);
                open.end(number, ends, outcome);
            }
            at.hub
                .tell(ToHub::TellStaff(at.proposals_frame(&house)))
                .await;
            house.record_ended_at(at).await;
        }
    });
    under_way.outcome().await.map(Done::of)
}

/// These two could carry the act out, were they to state the same dice.
fn could_confirm(
    at: &TableAt,
    asked: &StaffAct,
    act: Act,
    (by, second): (Staff, Staff),
) -> Result<(), Problem> {
    let command = Command {
        id: asked.request().unwrap_or(0),
        at_ms: now_ms(),
        by: Actor::Staff(by),
        second: Some(second),
        act,
    };
    let decided = decide(&at.hub.state().table, &command);
    decided
        .map(drop)
        .map_err(|refusal| Problem::refused(&refusal))
}

/// The answer to a confirmation that was given before, also while it is still
/// being carried out; a proposal that waits otherwise.
pub(super) async fn asked_again<A>(
    stands: Confirming<A>,
) -> Result<Result<Json<Done>, Proposal<A>>, Problem> {
    match stands {
        Confirming::Waits(proposal) => Ok(Err(proposal)),
        Confirming::Done(sequence) => Ok(Ok(Done::of((sequence, true)))),
        Confirming::UnderWay(under_way) => {
            let (sequence, _) = under_way.outcome().await?;
            Ok(Ok(Done::of((sequence, true))))
        }
    }
}

fn sorted(mut dice: [u8; 3]) -> [u8; 3] {
    dice.sort_unstable();
    dice
}
