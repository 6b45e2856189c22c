//! Applies events to the register. Never says no: everything was decided before, and
//! a fact that cannot be applied is a bug or a forgery, which the assertions here
//! stop the register for, in a release too.

mod cases;
mod custody;
mod plays;
mod proposals;

use sicbo_table::ids::{PersonId, VoucherId};
use sicbo_table::must;
use sicbo_table::table::ClocksParted;

use super::command::Party;
use super::decide::STRANGERS_FORGIVEN_MS;
use super::duties::{HOUR_MS, RightsException, Standing};
use super::enrolment::{Enrolment, NewEnrolment};
use super::event::{Event, Fact};
use super::lockout::{FAILURES_ANYWHERE, Lockout};
use super::person::{NewPerson, Person, Session};
use super::voucher::{
    FLAGS_AT_HAND, Flag, GUESSES_FORGIVEN_MS, Payee, Recent, State, Unpaid, Voucher,
};
use super::{Register, account};

const NOBODY: &str = "a fact of a person nobody is";
const NO_VOUCHER: &str = "a fact of a voucher that is not there";

/// Applies an event, and lets go of what its time has passed for.
pub(super) fn apply(register: &mut Register, event: &Event) {
    change_by(register, event);
    register.let_go(event.at_ms);
}

fn change_by(register: &mut Register, event: &Event) {
    let at_ms = event.at_ms;
    match &event.fact {
        Fact::HouseSetUp {
            terms,
            staff,
            places,
        } => {
            register.terms = Some(terms.clone());
            staff.iter().for_each(|new| add(register, new, at_ms));
            places.iter().for_each(|new| enrol(register, new, at_ms));
        }
        Fact::TermsChanged { terms } => register.terms = Some(terms.clone()),
        Fact::PositionsNamed { names } => register.above_director.clone_from(names),
        Fact::HouseIdentified { identity } => register.identity = Some(*identity),
        Fact::DutiesSet { duties } => register.duties = Some(*duties),
        Fact::FirstPinsLimited { hours } => {
            let until_ms = at_ms.saturating_add(i64::from(*hours) * HOUR_MS);
            for id in register.first_pins(at_ms) {
                let known = must(register.people.get_mut(&id), NOBODY);
                known.one_time_until_ms = Some(until_ms);
                known.one_time_used = false;
            }
        }
        Fact::Assigned { person, posts } => {
            must(register.people.get(person), NOBODY);
            register.posts.insert(*person, posts.clone());
        }
        Fact::LogInWitnessed { person } => {
            let known = must(register.people.get_mut(person), NOBODY);
            let before = std::mem::replace(&mut known.standing, Standing::Seen);
            if let (Standing::Unseen { by, second }, Party::Person(witness)) = (before, event.by)
                && (witness == by || Some(witness) == second)
            {
                register.note_exception(RightsException {
                    at_ms,
                    person: *person,
                    by: witness,
                    second: None,
                    witnessed: true,
                });
            }
        }
        Fact::PersonAdded { person, new } => {
            add(register, new, at_ms);
            given_pin(register, event, *person);
        }
        Fact::Enrolled { new, .. } => enrol(register, new, at_ms),
        Fact::Revoked { enrolment, .. } => {
            register.tried.retain(|(_, at), _| *at != Some(*enrolment));
            let enrolment = register.enrolments.get_mut(enrolment);
            must(enrolment, "nothing was enrolled").revoked_ms = Some(at_ms);
        }
        fact @ (Fact::PositionChanged { person, .. }
        | Fact::PinReset { person, .. }
        | Fact::PinChanged { person, .. }
        | Fact::PersonDisabled { person, .. }
        | Fact::PersonEnabled { person, .. }
        | Fact::LockLifted { person }) => {
            if !matches!(
                fact,
                Fact::PositionChanged { .. } | Fact::PersonDisabled { .. }
            ) {
                register.tried.retain(|(tried, _), _| tried != person);
            }
            change(must(register.people.get_mut(person), NOBODY), fact, at_ms);
            if matches!(fact, Fact::PositionChanged { .. }) {
                rights_changed(register, event, *person);
            }
            if matches!(fact, Fact::PinReset { .. } | Fact::PersonEnabled { .. }) {
                given_pin(register, event, *person);
            }
            let new_pin = matches!(fact, Fact::PinChanged { .. });
            let reset = matches!(fact, Fact::PinReset { .. } | Fact::PersonEnabled { .. });
            if new_pin || reset {
                let known = register.credentials.entry(*person).or_default();
                known.pin_since_ms = at_ms;
                // Whoever has lost their telephone begins anew with a PIN that was reset.
                if reset {
                    known.second_factor = None;
                }
            }
        }
        Fact::TryFailed { person, place, .. } => {
            if let Some(id) = person {
                // Counted, so that it can be lifted; nothing is locked by it here.
                let here = register.tried.entry((*id, *place)).or_default();
                here.failures += 1;
                here.last_ms = at_ms;
            }
        }
        Fact::SecondFactorSet { person, sealed } => {
            let known = register.credentials.entry(*person).or_default();
            known.second_factor = Some(sealed.clone());
        }
        Fact::PinExpired { person } => {
            must(register.people.get_mut(person), NOBODY).one_time = true;
        }
        Fact::AccountExpired { person } => {
            let known = must(register.people.get_mut(person), NOBODY);
            known.disabled = true;
            known.disabled_ms = Some(at_ms);
        }
        Fact::LoggedIn {
            person,
            session,
            place,
        } => {
            register.last_session = *session;
            register.sessions.insert(
                *session,
                Session {
                    person: *person,
                    place: *place,
                    since_ms: at_ms,
                },
            );
            register.tried.remove(&(*person, *place));
            let person = must(register.people.get_mut(person), NOBODY);
            person.lockout = Lockout::default();
            person.last_log_in_ms = Some(at_ms);
            person.one_time_used = person.one_time_until_ms.is_some();
        }
        Fact::LogInFailed { person, place, .. } => {
            let known = person.map(|id| (id, must(register.people.get_mut(&id), NOBODY)));
            match known {
                Some((id, person)) => {
                    let everywhere = person.lockout;
                    person.lockout =
                        everywhere.after_failure_beyond(FAILURES_ANYWHERE, at_ms, None);
                    let here = register.tried.entry((id, *place)).or_default();
                    *here = here.after_failure(at_ms, None);
                }
                None => {
                    let count = register.strangers.entry(*place).or_default();
                    *count = count.after_failure(at_ms, Some(STRANGERS_FORGIVEN_MS));
                }
            }
        }
        Fact::LoggedOut { session, .. } => {
            must(register.sessions.remove(session), "nobody was logged in");
        }
        // Follows from the failure before it; stands there as an alert.
        Fact::LockedOut { .. } | Fact::RedemptionLocked { .. } => {}
        // For those who read it.
        Fact::SecurityNoted { .. } => {}
        Fact::RedemptionRefused {
            to, why, voucher, ..
        } => {
            if register.flags.len() >= FLAGS_AT_HAND {
                register.flags.remove(0);
            }
            register.flags.push(Flag {
                at_ms,
                voucher: *voucher,
                to: to.clone(),
                why: *why,
            });
            if *why == Unpaid::NotFound {
                let count = register.guesses.entry(to.clone()).or_default();
                *count = count.after_failure(at_ms, Some(GUESSES_FORGIVEN_MS));
            }
        }
        Fact::VoucherReserved {
            voucher,
            origin,
            station_name,
            currency,
            amount,
        } => {
            register.last_voucher = voucher.0;
            register.vouchers.insert(
                *voucher,
                Voucher {
                    origin: origin.clone(),
                    station_name: station_name.clone(),
                    currency: *currency,
                    amount: *amount,
                    sequence: 0,
                    digest: [0; 32],
                    attempt: 0,
                    issued_ms: at_ms,
                    expires_ms: i64::MAX,
                    copies: 0,
                    state: State::Reserved,
                    settled_ms: 0,
                    asked: event.command,
                },
            );
            register.index(*voucher);
        }
        // It was worth nothing and nothing names it: not kept.
        Fact::ReservationReleased { voucher } => {
            must(register.vouchers.remove(voucher), NO_VOUCHER);
            register.unsettled.remove(voucher);
        }
        Fact::VoucherIssued {
            voucher,
            amount,
            sequence,
            digest,
            attempt,
            expires_ms,
        } => {
            let issued = must(register.vouchers.get_mut(voucher), NO_VOUCHER);
            issued.amount = *amount;
            issued.sequence = *sequence;
            issued.digest = *digest;
            issued.attempt = *attempt;
            issued.issued_ms = at_ms;
            issued.expires_ms = *expires_ms;
            let recent = register.recent.entry(issued.origin.clone()).or_default();
            recent.sequence = *sequence;
            let oldest = Recent::note(&mut recent.issued, *voucher);
            let code = issued.currency.code().to_owned();
            let totals = register.totals.entry(code).or_default();
            totals.issued += *amount;
            totals.outstanding += *amount;
            if let Some(oldest) = oldest {
                register.let_go_of(oldest);
            }
            become_state(register, at_ms, *voucher, State::Issued);
        }
        Fact::PrintBegan { voucher, copy } => {
            must(register.vouchers.get_mut(voucher), NO_VOUCHER).copies = *copy;
        }
        Fact::VoucherPrinted { voucher } | Fact::RedemptionCancelled { voucher, .. } => {
            become_state(register, at_ms, *voucher, State::Printed);
        }
        Fact::PrintFailed { voucher, .. } => {
            become_state(register, at_ms, *voucher, State::Returning)
        }
        Fact::VoucherKept { voucher, .. } => become_state(register, at_ms, *voucher, State::Kept),
        Fact::VoucherReturned { voucher } => {
            become_state(register, at_ms, *voucher, State::Returned)
        }
        Fact::RedemptionBegan {
            voucher,
            request,
            to,
        } => {
            let (to, request) = (to.clone(), *request);
            become_state(register, at_ms, *voucher, State::Redeeming { to, request });
        }
        Fact::VoucherRedeemed {
            voucher,
            request,
            to,
        } => {
            if let Payee::Station(place) = to {
                let recent = register.recent.entry(place.clone()).or_default();
                if let Some(oldest) = Recent::note(&mut recent.accepted, *voucher) {
                    register.let_go_of(oldest);
                }
            }
            let state = State::Redeemed {
                to: to.clone(),
                request: *request,
                at_ms,
            };
            become_state(register, at_ms, *voucher, state);
        }
        Fact::CaseOpened { case, new } => cases::open(register, event, *case, new),
        Fact::CaseStepped { case, acting, step } => {
            cases::step(register, event, *case, *acting, step);
        }
        Fact::DiceStepped { set, step } => custody::step_dice(register, event, set, step),
        Fact::ShiftOpened { shift, new } => custody::open_shift(register, event, *shift, new),
        Fact::RefusalsCounted { shift, refused } => {
            custody::count_refusals(register, *shift, refused);
        }
        Fact::ShiftClosed { shift, end } => custody::close_shift(register, event, *shift, end),
        Fact::BoxesCounted { shift, counted } => {
            custody::count_boxes(register, event, *shift, counted);
        }
        Fact::PlayChanged {
            place,
            sitting,
            step,
        } => plays::step(register, at_ms, place, *sitting, step),
        Fact::PlaysCounted { offset_min, lines } => {
            plays::count(register, at_ms, *offset_min, lines);
        }
        Fact::ClockParted { machine_ms } => {
            register.clock_parted = Some(ClocksParted {
                house_ms: at_ms,
                machine_ms: *machine_ms,
            });
        }
        Fact::ClockSet { .. } => register.clock_parted = None,
        // Of interest to people only.
        Fact::TableRestarted { .. } => {}
        Fact::TableReached { table, reached } => {
            register.reached.insert(table.clone(), *reached);
        }
        Fact::WentOnAfterRollback { .. } => register.rollbacks += 1,
        Fact::ProposalMade { proposal, new } => proposals::made(register, event, *proposal, new),
        Fact::ProposalEnded { proposal, end } => {
            proposals::ended(register, at_ms, *proposal, *end);
        }
        Fact::VoucherVoided { voucher, .. } => become_state(register, at_ms, *voucher, State::Void),
        Fact::VoucherExpired { voucher } => become_state(register, at_ms, *voucher, State::Expired),
    }
}

fn add(register: &mut Register, new: &NewPerson, at_ms: i64) {
    let id = register.next_person();
    register.people.insert(id, Person::new(new, at_ms));
}

/// With duties in force a PIN that two persons had made for somebody ends, and nobody
/// has yet seen who uses it.
fn given_pin(register: &mut Register, event: &Event, id: PersonId) {
    let (Some(duties), Party::Person(by)) = (register.duties, event.by) else {
        return;
    };
    rights_changed(register, event, id);
    let person = must(register.people.get_mut(&id), NOBODY);
    person.one_time_until_ms = Some(event.at_ms.saturating_add(duties.one_time_ms()));
    person.standing = Standing::Unseen {
        by,
        second: event.second,
    };
}

/// With duties in force somebody looks at rights that others than the usual two changed.
fn rights_changed(register: &mut Register, event: &Event, id: PersonId) {
    let Party::Person(by) = event.by else {
        return;
    };
    if register.duties.is_some() && !register.is_usual_pair(by, event.second) {
        register.note_exception(RightsException {
            at_ms: event.at_ms,
            person: id,
            by,
            second: event.second,
            witnessed: false,
        });
    }
}

fn enrol(register: &mut Register, new: &NewEnrolment, at_ms: i64) {
    let id = register.next_enrolment();
    register.enrolments.insert(id, Enrolment::new(new, at_ms));
}

fn change(person: &mut Person, fact: &Fact, at_ms: i64) {
    let mut new_pin = |pin: &String, one_time: bool| {
        person.pin.clone_from(pin);
        person.pin_version += 1;
        person.one_time = one_time;
        person.one_time_until_ms = None;
        person.one_time_used = false;
        person.lockout = Lockout::default();
    };
    match fact {
        Fact::PositionChanged { to, .. } => person.position = *to,
        Fact::PinReset { pin, .. } => new_pin(pin, true),
        Fact::PinChanged { pin, .. } => new_pin(pin, false),
        Fact::PersonEnabled { pin, .. } => {
            new_pin(pin, true);
            person.disabled = false;
            person.disabled_ms = None;
        }
        Fact::PersonDisabled { .. } => {
            person.disabled = true;
            person.disabled_ms = Some(at_ms);
        }
        Fact::LockLifted { .. } => person.lockout = Lockout::default(),
        _ => {}
    }
}

/// Moves a voucher's amount from where it stood to where it stands now.
fn become_state(register: &mut Register, at_ms: i64, id: VoucherId, state: State) {
    let voucher = must(register.vouchers.get_mut(&id), NO_VOUCHER);
    let code = voucher.currency.code().to_owned();
    let totals = register.totals.entry(code).or_default();
    *account(totals, &voucher.state) -= voucher.amount;
    *account(totals, &state) += voucher.amount;
    let settled = state.is_settled();
    voucher.state = state;
    if settled {
        voucher.settled_ms = at_ms;
    }
    register.index(id);
    if settled {
        register.settled(id, at_ms);
    }
}
