//! What staff do at a table: one door for all of it, and two-person acts.

use std::sync::Arc;

use http::StatusCode;
use sicbo_register as register;
use sicbo_register::case::{CaseId, Outcome, Step};
use sicbo_register::dice::{DiceSet, DiceState};
use sicbo_register::proposal::ProposalEnd;
use sicbo_register::voucher::Place;
use sicbo_rules::Money;
use sicbo_rules::rulebook::words::{Position, Word as _};
use sicbo_table::actor::{Actor, Staff};
use sicbo_table::command::ColourMove;
use sicbo_table::ids::{PersonId, SessionNumber};
use sicbo_table::{Act, Command, Reason, decide};
use sicbo_wire::acts::{Confirmation, Done, Proposed, TwoPersonAct as _};
use sicbo_wire::console::{ProposalOutcome, ShownProposal};
use sicbo_wire::problem::Problem;
use sicbo_wire::staff::StaffAct;

use crate::house::{House, Present, TableAt};
use crate::posts::{as_second, at_post};
use crate::proposals::Numbered;

/// Where dice are kept in custody, none come to a table beside it, and a table
/// plays with a set that custody knows only where custody says it is in that
/// table's tumbler: not in store, not at another table, not taken away (P-035).
fn not_beside_custody(house: &House, name: &str, act: &StaffAct) -> Result<(), Problem> {
    let begins = matches!(act, StaffAct::OpenTable {} | StaffAct::Resume {});
    if let Some(at) = house.table_at(name).filter(|_| begins) {
        let set = {
            let state = at.hub.state();
            let config = state.table.config.as_deref().unwrap_or(&at.plan.config);
            DiceSet::new(&config.dice_set)
        };
        let register = house.desk.register();
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
        && house.desk.register().dice.contains_key(&set)
    {
        return Err(Problem::conflict(
            "dice_in_custody",
            "this house keeps its dice in custody: enter the inspection there",
        ));
    }
    let changes = matches!(act, StaffAct::ChangeDice { .. });
    if changes && !house.desk.register().dice.is_empty() {
        return Err(Problem::conflict(
            "dice_in_custody",
            "this house keeps its dice in custody: place a set from there",
        ));
    }
    Ok(())
}

/// With real money a shift is the frame of all play and of every movement of cash and
/// chips: no round begins outside of one, and nothing is sold or moved that no count
/// would cover (J-09). A round that began in a shift is played to its end, and a patron
/// is paid what is theirs at a closed table too, also the cash chips for colour chips.
fn not_outside_a_shift(
    house: &House,
    at: &TableAt,
    act: &StaffAct,
    command: &Command,
) -> Result<(), Problem> {
    if !house.plan.real_money {
        return Ok(());
    }
    let begins = matches!(
        act,
        StaffAct::OpenTable {}
            | StaffAct::Resume {}
            | StaffAct::ActivateTumbler {}
            | StaffAct::ReportTumbles { .. }
            | StaffAct::CallBets {}
    );
    let moves = matches!(
        act,
        StaffAct::BuyCredit { .. }
            | StaffAct::Recover { .. }
            | StaffAct::MoveChips { .. }
            | StaffAct::MoveColour {
                how: ColourMove::BoughtWithCash | ColourMove::ExchangedFromChips,
                ..
            }
    );
    let begins = begins && at.hub.state().table.round.is_none();
    if !begins && !moves {
        return Ok(());
    }
    let open = house.desk.register().open_shift(&at.hub.name).is_some();
    if open || (moves && is_done(at, command)) {
        return Ok(());
    }
    Err(Problem::conflict(
        "shift_needed",
        "no shift of this table is open: two managers open one on the screen Shifts, with the \
         count of the rack",
    ))
}

/// The table did it by this request before, and says so again.
fn is_done(at: &TableAt, command: &Command) -> bool {
    let state = at.hub.state();
    command.id != 0 && decide(&state.table, command).is_ok_and(|events| events.is_empty())
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
    house: &Arc<House>,
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
        return case_settled(house, house.table_named(name)?, *case, *amount, reason);
    }
    let ended = matches!(
        act,
        StaffAct::CorrectResult { .. } | StaffAct::VoidRounds { .. }
    );
    if !ended {
        let at = house.table_named(name)?;
        return act.act(at, second_dice).map_err(Problem::no_act);
    }
    let (same, name, act) = (Arc::clone(house), name.to_owned(), act.clone());
    let work = move || {
        let at = same.table_named(&name)?;
        act.act(at, second_dice).map_err(Problem::no_act)
    };
    house.read(work).await?
}

/// What a decided case of this table is worth at its station: paid where it
/// was upheld, at least in part; an overpayment where it is negative.
fn case_settled(
    house: &House,
    at: &TableAt,
    number: u64,
    amount: i64,
    reason: &str,
) -> Result<Act, Problem> {
    let register = house.desk.register();
    let case = register.cases.get(&CaseId(number));
    let case = case
        .filter(|case| case.new.table == at.hub.name)
        .ok_or_else(|| Problem::not_found("case of this table"))?;
    let station = case
        .new
        .station
        .ok_or_else(|| Problem::conflict("case_without_seat", "the case names no seat"))?;
    let fits = match case.standing().decided {
        Some((_, Outcome::Upheld | Outcome::Partly)) => true,
        Some((_, Outcome::Rejected)) => amount < 0,
        None => false,
    };
    if !fits || !case.is_open() {
        return Err(Problem::conflict(
            "case_not_upheld",
            "a case is paid once it is decided for the player, and before it is closed",
        ));
    }
    let (decision, paid) = (case.decisions(), amount > 0);
    // What the table settled it refuses itself, or knows as the same request.
    let settled = at.hub.state().table.has_settled(number, decision, paid);
    if case.is_carried_out(paid) && !settled {
        return Err(Problem::conflict(
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
async fn link(house: &House, act: &StaffAct, by: (Staff, Option<Staff>), sequence: u64) {
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
        let entered = house.desk.ask(party, None, step).await;
        if Problem::unless_entered(entered.answer).is_ok() {
            return;
        }
    }
}

async fn carry_out(
    house: &House,
    at: &TableAt,
    asked: &StaffAct,
    act: Act,
    (by, second): (Staff, Option<Staff>),
) -> Result<Done, Problem> {
    // Staff take a player's chips: what holds for that player goes first, and the bet is timed
    // after it. A bet with the earlier time would come before the hold that was just handed in.
    if let Act::PlaceBets { station, .. }
    | Act::CallBet { station, .. }
    | Act::RecordPositions { station, .. } = &act
    {
        let here = Place {
            table: at.hub.name.clone(),
            station: *station,
        };
        house.hold_to_limits(&at.hub, &here)?;
    }
    let command = Command {
        id: asked.request().unwrap_or(0),
        at_ms: house.clock.now_ms(),
        by: Actor::Staff(by),
        second,
        act,
    };
    // A proposal may have waited while its shift ended.
    not_outside_a_shift(house, at, asked, &command)?;
    let answer = at.hub.ask(command).await;
    if let (Some(lessons), sicbo_loop::Answer::Refused(refusal)) = (&at.practice, &answer) {
        lessons.refused(&asked.name(), refusal);
    }
    Problem::unless_done(answer).map(|(sequence, again)| Done { sequence, again })
}

/// Something staff do at a table. What takes two persons is refused here and
/// must be proposed
///
/// # Errors
/// Why it is not done.
pub async fn act(
    house: &Arc<House>,
    person: &Present,
    name: &str,
    act: &StaffAct,
) -> Result<Done, Problem> {
    let at = house.table_named(name)?;
    at_post(house, at, person, act)?;
    not_beside_custody(house, name, act)?;
    not_while_stopping(at, act)?;
    let understood = understood(house, name, act, None).await?;
    // One at a time: two at once would each see the other tables without the other act, and a
    // table is not opened while its last shift ends.
    let _turn = match understood {
        Act::OpenTable { .. }
        | Act::BuyCredit { .. }
        | Act::TransferOut { .. }
        | Act::PayUnclaimed { .. }
        | Act::Waive { .. } => Some(house.moving.lock().await),
        _ => None,
    };
    let beyond = house.beyond_alone(at, &understood, act.request(), person.staff);
    if let Some(refusal) = beyond {
        return Err(Problem::refused(&refusal));
    }
    carry_out(house, at, act, understood, (person.staff, None)).await
}

/// Refuses at the proposal what no second person could confirm:
/// what takes only one person, and what the table would refuse to any two.
///
/// # Errors
/// Why it cannot be.
pub fn can_be_proposed(
    house: &House,
    at: &TableAt,
    act: &Act,
    request: Option<u64>,
    by: Staff,
) -> Result<(), Problem> {
    let beyond = house.beyond_alone(at, act, request, by).is_some();
    let state = at.hub.state();
    let with = |second: Option<Staff>| {
        let command = Command {
            id: request.unwrap_or(0),
            at_ms: house.clock.now_ms(),
            by: Actor::Staff(by),
            second,
            act: act.clone(),
        };
        decide(&state.table, &command)
    };
    match with(None) {
        // Done before by this request: whoever confirms it hears so.
        Ok(events) if events.is_empty() && request.is_some() => return Ok(()),
        // What they moved at other tables takes a second person here.
        Ok(_) if beyond => {}
        Ok(_) => {
            return Err(Problem::conflict(
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
///
/// # Errors
/// When there is no such table.
pub fn proposals(house: &House, name: &str) -> Result<Vec<ShownProposal>, Problem> {
    let at = house.table_named(name)?;
    let mut open = at.proposals.lock();
    Ok(open.shown())
}

/// What came of a proposal; none while it waits
///
/// # Errors
/// There is no such table.
pub fn outcome(house: &House, name: &str, number: u64) -> Result<Option<ProposalOutcome>, Problem> {
    let at = house.table_named(name)?;
    let mut open = at.proposals.lock();
    Ok(open.outcome(number))
}

/// Proposes an act that takes two persons
///
/// # Errors
/// Why it cannot wait for a second person.
pub async fn propose(
    house: &Arc<House>,
    person: Present,
    name: &str,
    act: StaffAct,
) -> Result<Proposed, Problem> {
    let at = house.table_named(name)?;
    at_post(house, at, &person, &act)?;
    not_beside_custody(house, name, &act)?;
    // The proposer is told what cannot be understood, not the second person.
    let understood = understood(house, name, &act, act.stated_dice()).await?;
    let asked = Command {
        id: act.request().unwrap_or(0),
        at_ms: house.clock.now_ms(),
        by: Actor::Staff(person.staff),
        second: None,
        act: understood.clone(),
    };
    not_outside_a_shift(house, at, &act, &asked)?;
    if let Some(witness) = at.practice.as_ref().and_then(|lessons| lessons.witness()) {
        // In practice a simulated supervisor is at hand.
        carry_out(house, at, &act, understood, (person.staff, Some(witness))).await?;
        let done = Numbered {
            number: 0,
            digest: [0; 32],
        };
        return Ok(done.proposed());
    }
    // Amending many rounds takes time to decide: not on a thread that serves
    // others.
    let (same, named) = (Arc::clone(house), name.to_owned());
    let (request, by) = (act.request(), person.staff);
    let work = move || can_be_proposed(&same, same.table_named(&named)?, &understood, request, by);
    house.read(work).await??;
    let staff = person.staff;
    let proposed = house.propose(&at.proposals, Some(&at.hub.name), act.clone(), person);
    let proposed = proposed.await?;
    house.hold_for(at, &act, proposed, staff).await?;
    house.tell_proposals(at).await;
    Ok(proposed.proposed())
}

/// Withdraws a proposal of one's own
///
/// # Errors
/// When there is none, or it is somebody else's.
pub async fn withdraw(house: &House, by: PersonId, name: &str, number: u64) -> Result<(), Problem> {
    let at = house.table_named(name)?;
    House::withdraw(&at.proposals, by, number)?;
    house.record_ended_at(at).await;
    Ok(())
}

/// Confirms a proposal as the second person, on a session of one's own
///
/// # Errors
/// Why it is not done.
pub async fn confirm(
    house: &Arc<House>,
    person: Present,
    name: &str,
    number: u64,
    stated: Confirmation,
) -> Result<Done, Problem> {
    let at = house.table_named(name)?;
    let second = person.staff.person;
    let stands = house.to_be_confirmed(&at.proposals, second, number, &stated.digest);
    let proposal = match stands.await? {
        Ok(done) => return Ok(done),
        Err(proposal) => proposal,
    };
    // One of the two who settle what the dice are stands at the table.
    if !matches!(proposal.act, StaffAct::ResolveReadings { .. }) {
        as_second(house, at, &person, &proposal.act)?;
    }
    house.both_present(&proposal, second)?;
    if proposal.act.wants_second_dice() {
        // Before the dice are compared: somebody who could not confirm it has no
        // reading to give, and ends nothing by one.
        let (same, named, asked) = (Arc::clone(house), name.to_owned(), proposal.act.clone());
        let by = (proposal.by, person.staff);
        let agreed = understood(house, name, &asked, asked.stated_dice()).await?;
        let work = move || could_confirm(&same, same.table_named(&named)?, &asked, agreed, by);
        house.read(work).await??;
        match stated.dice {
            None => {
                return Err(Problem::conflict(
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
                    let mut open = at.proposals.lock();
                    open.remove(number, ProposalEnd::ReadingsDiffer);
                }
                house.record_ended_at(at).await;
                return Err(Problem::conflict(
                    "readings_differ",
                    "the two persons state different dice: this proposal has ended; read the \
                     dice again and propose anew",
                ));
            }
            Some(_) => {}
        }
    }
    let carry = house.host.room().ok_or_else(Problem::busy)?;
    // Once more: much was waited for since.
    house.both_present(&proposal, second)?;
    let begun = house.begin_confirmed(&at.proposals, second, number, &stated.digest);
    let (ends, under_way) = match begun.await? {
        Ok(done) => return Ok(done),
        Err(begun) => begun,
    };
    let (house, name) = (Arc::clone(house), name.to_owned());
    // Whoever waits for it may go, or their line may break: it is done to its
    // end all the same, and remembered.
    let work = async move {
        let by = (proposal.by, Some(person.staff));
        let outcome = async {
            let act = understood(&house, &name, &proposal.act, stated.dice).await?;
            let done = carry_out(&house, house.table_named(&name)?, &proposal.act, act, by).await?;
            if !done.again {
                link(&house, &proposal.act, by, done.sequence).await;
            }
            Ok((done.sequence, done.again))
        };
        let outcome = outcome.await;
        if let Some(at) = house.table_at(&name) {
            {
                let mut open = at.proposals.lock();
                open.end(number, ends, outcome);
            }
            house.tell_proposals(at).await;
            house.record_ended_at(at).await;
        }
    };
    carry(Box::pin(work));
    let (sequence, again) = under_way.outcome().await?;
    Ok(Done { sequence, again })
}

/// These two could carry the act out, were they to state the same dice.
fn could_confirm(
    house: &House,
    at: &TableAt,
    asked: &StaffAct,
    act: Act,
    (by, second): (Staff, Staff),
) -> Result<(), Problem> {
    let command = Command {
        id: asked.request().unwrap_or(0),
        at_ms: house.clock.now_ms(),
        by: Actor::Staff(by),
        second: Some(second),
        act,
    };
    let decided = decide(&at.hub.state().table, &command);
    decided
        .map(drop)
        .map_err(|refusal| Problem::refused(&refusal))
}

fn sorted(mut dice: [u8; 3]) -> [u8; 3] {
    dice.sort_unstable();
    dice
}
