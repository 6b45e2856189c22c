//! Decides commands against the register. Changes nothing.

mod cases;
mod credentials;
mod custody;
mod enrolment;
mod people;
mod plays;
mod proposals;
mod vouchers;

use sicbo_rules::rulebook::words::Position::{self, ShiftManager, Technician};
use sicbo_table::ids::PersonId;
use sicbo_table::refuse_if;

use super::Register;
use super::command::{Act, Command, Party, Terms};
use super::event::{Event, Fact};
use super::person::{Person, manages_people};
use super::positions;
use super::refusal::{Reason, Refusal};
use super::security::{MAX_NOTES, SecurityNote};

/// Longest free text, in bytes.
const LONGEST_TEXT: usize = 500;
/// Longest name of a site or station, in bytes.
const LONGEST_NAME: usize = 120;

pub(super) use cases::offered;
pub(super) use people::STRANGERS_FORGIVEN_MS;

/// Hours that a house may set for its people.
const HOURS: std::ops::RangeInclusive<u32> = 1..=24 * 31;
const HOURS_FAULTY: Reason = Reason::TermsFaulty {
    what: "hours are 1 to 744",
};

type Decision = Result<Vec<Fact>, Refusal>;

pub(super) fn decide(register: &Register, command: &Command) -> Result<Vec<Event>, Refusal> {
    let facts = facts(register, command)?;
    let event = |fact| Event {
        at_ms: command.at_ms,
        by: command.by,
        second: command.second,
        command: command.id,
        fact,
    };
    Ok(facts.into_iter().map(event).collect())
}

fn facts(register: &Register, command: &Command) -> Decision {
    if let Act::SetUp {
        terms,
        staff,
        places,
    } = &command.act
    {
        return people::set_up(register, command, terms, staff, places);
    }
    if let Act::NamePositions { names } = &command.act {
        by_house(command)?;
        if let Some(what) = positions::fault(register, names) {
            return Err(Reason::PositionsFaulty { what }.into());
        }
        let news = register.above_director != *names;
        let names = names.clone();
        return Ok(Vec::from_iter(
            news.then_some(Fact::PositionsNamed { names }),
        ));
    }
    if let Act::IdentifyHouse { identity } = &command.act {
        by_house(command)?;
        let known = register.identity;
        refuse_if!(
            known.is_some_and(|known| known != *identity),
            Reason::AnotherHouse
        );
        let fact = Fact::HouseIdentified {
            identity: *identity,
        };
        return Ok(Vec::from_iter(known.is_none().then_some(fact)));
    }
    if let Act::SetDuties { duties } = &command.act {
        by_house(command)?;
        let fit = [duties.one_time_hours, duties.absence_hours];
        if !fit.iter().all(|given| HOURS.contains(&u32::from(*given))) {
            return Err(HOURS_FAULTY.into());
        }
        let news = register.duties != Some(*duties);
        let fact = Fact::DutiesSet { duties: *duties };
        return Ok(Vec::from_iter(news.then_some(fact)));
    }
    let terms = register.terms.as_ref().ok_or(Reason::NotSetUp)?;
    match &command.act {
        // They were decided above.
        Act::SetUp { .. } | Act::NamePositions { .. } | Act::IdentifyHouse { .. } => {
            Err(Reason::AlreadySetUp.into())
        }
        Act::ChangeTerms { terms } => {
            // What may be printed and how long it is good moves money: with duties it takes two.
            require_rights(register, command, None)?;
            check_terms(terms)?;
            let terms = terms.clone();
            Ok(vec![Fact::TermsChanged { terms }])
        }
        Act::SetDuties { .. } => Err(Reason::NotAuthorised.into()),
        Act::LimitFirstPins { hours } => {
            by_house(command)?;
            if !HOURS.contains(hours) {
                return Err(HOURS_FAULTY.into());
            }
            let any = !register.first_pins(command.at_ms).is_empty();
            let fact = Fact::FirstPinsLimited { hours: *hours };
            Ok(Vec::from_iter(any.then_some(fact)))
        }
        Act::WitnessLogIn { person } => people::witness(register, command, *person),
        Act::Assign { person, posts } => people::assign(register, command, *person, posts),
        Act::AddPerson { person } => people::add(register, command, person),
        Act::ChangePosition { person, position } => {
            people::change_position(register, command, *person, *position)
        }
        Act::ResetPin { person, pin } => people::reset_pin(register, command, *person, pin),
        Act::ChangePin { old, pin } => people::change_pin(register, command, *old, pin),
        Act::Disable { person, reason } => people::disable(register, command, *person, reason),
        Act::Enable { person, pin } => people::enable(register, command, *person, pin),
        Act::LiftLock { person } => people::lift_lock(register, command, *person),
        Act::LogIn { name, right, place } => {
            people::log_in(register, command, name, *right, *place)
        }
        Act::ProvePin { name, right, place } => {
            people::prove_pin(register, command, name, *right, *place)
        }
        Act::NoteFailedTry {
            person,
            name,
            place,
            from,
            wait_until_ms,
        } => {
            let noted = (from.as_str(), *wait_until_ms);
            credentials::note_failed_try(register, command, *person, name, *place, noted)
        }
        Act::SetSecondFactor { sealed } => {
            credentials::set_second_factor(register, command, sealed)
        }
        Act::ExpirePin { person } => credentials::expire_pin(register, command, *person),
        Act::ExpireAccount { person } => credentials::expire_account(register, command, *person),
        Act::LogOut { session, why } => people::log_out(register, command, *session, *why),
        Act::EndSessions => people::end_sessions(register, command),
        Act::Enrol { new } => enrolment::enrol(register, command, new),
        Act::Revoke { enrolment, reason } => {
            enrolment::revoke(register, command, *enrolment, reason)
        }
        Act::OpenCase { new } => cases::open(register, command, new),
        Act::StepCase { case, acting, step } => {
            cases::step(register, command, *case, *acting, step)
        }
        Act::StepDice { set, step } => custody::step_dice(register, command, set, step),
        Act::OpenShift { new } => custody::open_shift(register, command, new),
        Act::CountRefusals { shift, refused } => {
            by_house(command)?;
            custody::count_refusals(register, *shift, refused)
        }
        Act::CountBoxes { shift, counted } => {
            custody::count_boxes(register, command, *shift, counted)
        }
        Act::CloseShift { shift, end, next } => {
            custody::close_shift(register, command, (*shift, end), next.as_deref())
        }
        Act::StepPlay {
            place,
            sitting,
            step,
        } => plays::step(register, command, place, *sitting, step),
        Act::CountPlays { offset_min, lines } => {
            plays::count(register, command, *offset_min, lines)
        }
        Act::ReportClock { machine_ms } => {
            by_house(command)?;
            let machine_ms = *machine_ms;
            // Said once until somebody has looked.
            let news = register.clock_parted.is_none();
            Ok(Vec::from_iter(
                news.then_some(Fact::ClockParted { machine_ms }),
            ))
        }
        Act::SetClock { was_ms, is_ms } => {
            require(register, command, supervises)?;
            refuse_if!(register.clock_parted.is_none(), Reason::ClocksAgree);
            let (was_ms, is_ms) = (*was_ms, *is_ms);
            Ok(vec![Fact::ClockSet { was_ms, is_ms }])
        }
        Act::RestartTable { table, reason } => {
            let mends = |held: Position| {
                manages_people(held) || held == Technician || held.is_at_least(ShiftManager)
            };
            require(register, command, mends)?;
            check_reason(reason)?;
            Ok(vec![Fact::TableRestarted {
                table: table.clone(),
                reason: reason.clone(),
            }])
        }
        Act::NoteTable { table, reached } => {
            by_house(command)?;
            let known = register.reached.get(table);
            let news = known.is_none_or(|known| known.sequence < reached.sequence);
            Ok(Vec::from_iter(news.then(|| Fact::TableReached {
                table: table.clone(),
                reached: *reached,
            })))
        }
        Act::NoteSecurity { notes } => {
            by_house(command)?;
            let sound = notes.iter().all(SecurityNote::is_sound);
            refuse_if!(
                notes.is_empty() || notes.len() > MAX_NOTES || !sound,
                Reason::LimitInvalid
            );
            let notes = notes.clone();
            Ok(vec![Fact::SecurityNoted { notes }])
        }
        Act::GoOnAfterRollback {
            reason,
            tree_size,
            known_size,
            life,
        } => {
            let leads = |held: Position| manages_people(held) || held.is_at_least(ShiftManager);
            let answers = |held: Position| leads(held) || supervises(held);
            require_two(register, command, leads, answers)?;
            check_reason(reason)?;
            refuse_if!(*life != register.life() + 1, Reason::AlreadyDone);
            Ok(vec![Fact::WentOnAfterRollback {
                reason: reason.clone(),
                tree_size: *tree_size,
                known_size: *known_size,
                life: *life,
            }])
        }
        Act::Propose { new } => proposals::propose(register, command, new),
        Act::EndProposal { proposal, end } => {
            by_house(command)?;
            proposals::end(register, *proposal, *end)
        }
        Act::EndProposals => {
            by_house(command)?;
            Ok(proposals::end_all(register))
        }
        _ => vouchers::decide(register, command, terms),
    }
}

/// The acting person, when they may act at all and their position is allowed.
fn require(
    register: &Register,
    command: &Command,
    allowed: impl Fn(Position) -> bool,
) -> Result<PersonId, Refusal> {
    let Party::Person(id) = command.by else {
        return Err(Reason::NotAuthorised.into());
    };
    let person = acting(register, id)?;
    if allowed(person.position) {
        Ok(id)
    } else {
        Err(Reason::NotAuthorised.into())
    }
}

fn acting(register: &Register, id: PersonId) -> Result<&Person, Refusal> {
    let person = register.people.get(&id).ok_or(Reason::UnknownPerson)?;
    refuse_if!(person.disabled, Reason::PersonDisabled);
    refuse_if!(person.one_time, Reason::MustChangePin);
    Ok(person)
}

/// Two different persons whose positions are allowed, one for each side.
fn require_two(
    register: &Register,
    command: &Command,
    first: impl Fn(Position) -> bool,
    second: impl Fn(Position) -> bool,
) -> Result<(), Refusal> {
    let id = require(register, command, |_| true)?;
    let one = acting(register, id)?.position;
    let Some(second_id) = command.second else {
        // Who could never be one of the two is told so first.
        return Err(match first(one) || second(one) {
            true => Reason::SecondPersonNeeded.into(),
            false => Reason::NotAuthorised.into(),
        });
    };
    let other = acting(register, second_id)?.position;
    let fits = (first(one) && second(other)) || (first(other) && second(one));
    refuse_if!(!fits, Reason::NotAuthorised);
    seen(register, [id, second_id])?;
    refuse_if!(id == second_id, Reason::SamePersonTwice);
    Ok(())
}

/// Both were seen to be who they are: an account that nobody has seen anybody use is
/// nobody's second, and has no second.
fn seen(register: &Register, both: [PersonId; 2]) -> Result<(), Refusal> {
    let unseen = |id: &PersonId| !register.people.get(id).is_some_and(Person::is_seen);
    refuse_if!(both.iter().any(unseen), Reason::NotWitnessed);
    Ok(())
}

/// Who changes rights: one who manages people, and where duties are in force a second
/// who leads the house; neither is the person whose rights they are.
fn require_rights(
    register: &Register,
    command: &Command,
    subject: Option<PersonId>,
) -> Result<(), Refusal> {
    if register.duties.is_none() {
        let by = require(register, command, manages_people)?;
        if let Some(id) = subject {
            refuse_if!(!register.people.contains_key(&id), Reason::UnknownPerson);
            refuse_if!(by == id, Reason::OwnRights);
        }
        return Ok(());
    }
    let by = require(register, command, |_| true)?;
    let now_ms = command.at_ms;
    let may = |first, second| {
        let either = [(first, second), (second, first)];
        let mut either = either.into_iter();
        either.any(|two| register.may_change_rights(two, subject, now_ms))
    };
    let Some(second) = command.second else {
        // Who could never be one of the two is told so first.
        let mut others = register.people.keys().filter(|id| **id != by);
        let could = Some(by) != subject && others.any(|other| may(by, *other));
        return Err(match could {
            true => Reason::SecondPersonNeeded.into(),
            false => Reason::NotAuthorised.into(),
        });
    };
    acting(register, second)?;
    if let Some(id) = subject {
        refuse_if!(!register.people.contains_key(&id), Reason::UnknownPerson);
    }
    let gains = [Some(by), Some(second)].contains(&subject) && subject.is_some();
    let same = by == second;
    let fits = match same {
        true => manages_people(acting(register, by)?.position),
        false => gains || may(by, second),
    };
    refuse_if!(!fits, Reason::NotAuthorised);
    seen(register, [by, second])?;
    refuse_if!(same, Reason::SamePersonTwice);
    refuse_if!(gains, Reason::OwnRights);
    Ok(())
}

/// A pit supervisor or anyone above.
fn supervises(position: Position) -> bool {
    position.is_at_least(Position::PitSupervisor)
}

fn by_house(command: &Command) -> Result<(), Refusal> {
    if command.by == Party::House {
        Ok(())
    } else {
        Err(Reason::NotAuthorised.into())
    }
}

/// Manages people now.
pub(super) fn is_administrator(person: &Person) -> bool {
    !person.disabled && person.manages_people()
}

fn check_reason(text: &str) -> Result<(), Refusal> {
    refuse_if!(text.trim().is_empty(), Reason::ReasonNeeded);
    short(text, LONGEST_TEXT)
}

fn short(text: &str, allowed: usize) -> Result<(), Refusal> {
    refuse_if!(text.len() > allowed, Reason::TextTooLong { allowed });
    Ok(())
}

fn check_terms(terms: &Terms) -> Result<(), Refusal> {
    let faulty = |what| Err(Reason::TermsFaulty { what }.into());
    if terms.site.trim().is_empty() || terms.site.len() > LONGEST_NAME {
        return faulty("the site needs a name of at most 120 bytes");
    }
    if !(1..=3_650).contains(&terms.voucher_days) {
        return faulty("vouchers are good for 1 to 3650 days");
    }
    let mut codes: Vec<&str> = terms
        .hand_pay_above
        .iter()
        .map(|(currency, _)| currency.code())
        .collect();
    codes.sort_unstable();
    if codes.windows(2).any(|pair| pair[0] == pair[1]) {
        return faulty("one bound for each currency");
    }
    if terms
        .hand_pay_above
        .iter()
        .any(|(_, above)| !above.is_positive())
    {
        return faulty("bounds are above zero");
    }
    Ok(())
}
