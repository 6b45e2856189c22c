//! Applies events to the register. Never fails: everything was decided before.

mod cases;
mod custody;
mod plays;
mod proposals;

use sicbo_table::ids::VoucherId;
use sicbo_table::table::ClocksParted;

use super::decide::STRANGERS_FORGIVEN_MS;
use super::enrolment::{Enrolment, NewEnrolment};
use super::event::{Event, Fact};
use super::lockout::{FAILURES_ANYWHERE, Lockout};
use super::person::{NewPerson, Person, Session};
use super::voucher::{
    FLAGS_AT_HAND, Flag, GUESSES_FORGIVEN_MS, Payee, Recent, State, Unpaid, Voucher,
};
use super::{Register, account};

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
        Fact::PersonAdded { new, .. } => add(register, new, at_ms),
        Fact::Enrolled { new, .. } => enrol(register, new, at_ms),
        Fact::Revoked { enrolment, .. } => {
            register.tried.retain(|(_, at), _| *at != Some(*enrolment));
            if let Some(enrolment) = register.enrolments.get_mut(enrolment) {
                enrolment.revoked_ms = Some(at_ms);
            }
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
            if let Some(person) = register.people.get_mut(person) {
                change(person, fact);
            }
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
            if let Some(person) = register.people.get_mut(person) {
                person.lockout = Lockout::default();
                person.last_log_in_ms = Some(at_ms);
            }
        }
        Fact::LogInFailed { person, place, .. } => {
            let known = person.and_then(|id| Some((id, register.people.get_mut(&id)?)));
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
            register.sessions.remove(session);
        }
        // Follows from the failure before it; stands there as an alert.
        Fact::LockedOut { .. } | Fact::RedemptionLocked { .. } => {}
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
            register.vouchers.remove(voucher);
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
            if let Some(issued) = register.vouchers.get_mut(voucher) {
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
            }
            become_state(register, at_ms, *voucher, State::Issued);
        }
        Fact::PrintBegan { voucher, copy } => {
            if let Some(voucher) = register.vouchers.get_mut(voucher) {
                voucher.copies = *copy;
            }
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

fn enrol(register: &mut Register, new: &NewEnrolment, at_ms: i64) {
    let id = register.next_enrolment();
    register.enrolments.insert(id, Enrolment::new(new, at_ms));
}

fn change(person: &mut Person, fact: &Fact) {
    let mut new_pin = |pin: &String, one_time: bool| {
        person.pin.clone_from(pin);
        person.pin_version += 1;
        person.one_time = one_time;
        person.lockout = Lockout::default();
    };
    match fact {
        Fact::PositionChanged { to, .. } => person.position = *to,
        Fact::PinReset { pin, .. } => new_pin(pin, true),
        Fact::PinChanged { pin, .. } => new_pin(pin, false),
        Fact::PersonEnabled { pin, .. } => {
            new_pin(pin, true);
            person.disabled = false;
        }
        Fact::PersonDisabled { .. } => person.disabled = true,
        Fact::LockLifted { .. } => person.lockout = Lockout::default(),
        _ => {}
    }
}

/// Moves a voucher's amount from where it stood to where it stands now.
fn become_state(register: &mut Register, at_ms: i64, id: VoucherId, state: State) {
    if let Some(voucher) = register.vouchers.get_mut(&id) {
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
}
