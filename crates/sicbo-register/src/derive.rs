//! Derives the register's records again: from each fact the command that made
//! it, from the command the facts, which must be those that are written.
//!
//! So a record is right only if whoever is named could do it then, and nothing
//! that had to follow is missing. Whether a PIN was right or a number was
//! misread is not in the journal; there the record's own word stands.

use sicbo_rules::{Currency, Money};
use sicbo_table::ids::VoucherId;

use super::Register;
use super::case::Step;
use super::command::{Act, Command, PinRight};
use super::event::{Event, Fact};
use super::proposal::ProposalEnd;
use super::refusal::Reason;
use super::voucher::{Payee, Unpaid};
use sicbo_loop::Machine;

/// How many of the events, which one block holds and which are yet to be
/// applied, one command made.
///
/// # Errors
/// Why the first cannot have happened.
pub fn derive(register: &Register, events: &[Event]) -> Result<usize, String> {
    let Some(first) = events.first() else {
        return Ok(0);
    };
    let mut why = None;
    for act in acts(register, events) {
        let command = Command {
            id: first.command,
            at_ms: first.at_ms,
            by: first.by,
            second: first.second,
            act,
        };
        match register.decide(&command) {
            Ok(made) if !made.is_empty() && events.starts_with(&made) => return Ok(made.len()),
            Ok(_) => {}
            // A decision of a program that did not ask about silent bases: all
            // else was in order.
            Err(refusal) if refusal.reason == Reason::BasesUnanswered && is_old_form(first) => {
                return Ok(1);
            }
            Err(refusal) => {
                let what = format!("it could not be done then: {}", refusal.code());
                why.get_or_insert(what);
            }
        }
    }
    Err(why.unwrap_or_else(|| "it does not follow from the records before it".to_owned()))
}

/// A decision in the form that never said which bases are silent. The form that
/// does answers for each of them.
fn is_old_form(event: &Event) -> bool {
    let Fact::CaseStepped { step, .. } = &event.fact else {
        return false;
    };
    matches!(step, Step::Decide { .. })
}

/// Commands that may have made the first of these events, the likeliest first.
fn acts(register: &Register, events: &[Event]) -> Vec<Act> {
    let Some(first) = events.first() else {
        return Vec::new();
    };
    let same = |event: &&Event| {
        (event.command, event.at_ms, event.by) == (first.command, first.at_ms, first.by)
    };
    if let Fact::HouseSetUp {
        terms,
        staff,
        places,
    } = &first.fact
    {
        // What one record could not hold follows.
        let further = events[1..].iter().take_while(same);
        let further = further.map_while(|event| match &event.fact {
            Fact::Enrolled { new, .. } => Some(new),
            _ => None,
        });
        return vec![Act::SetUp {
            terms: terms.clone(),
            staff: staff.clone(),
            places: places.iter().chain(further).cloned().collect(),
        }];
    }
    let Fact::LoggedOut { session, why, .. } = &first.fact else {
        return act(register, &first.fact);
    };
    // Sessions end by themselves, or before what ended them is written.
    let cause = events
        .iter()
        .take_while(same)
        .find(|event| !matches!(event.fact, Fact::LoggedOut { .. }));
    let mut acts = cause.map_or_else(Vec::new, |event| act(register, &event.fact));
    acts.push(Act::EndSessions);
    acts.push(Act::LogOut {
        session: *session,
        why: *why,
    });
    acts
}

/// The command that a fact comes from.
fn act(register: &Register, fact: &Fact) -> Vec<Act> {
    let one = match fact {
        Fact::TermsChanged { terms } => Act::ChangeTerms {
            terms: terms.clone(),
        },
        Fact::PositionsNamed { names } => Act::NamePositions {
            names: names.clone(),
        },
        Fact::PersonAdded { new, .. } => Act::AddPerson {
            person: new.clone(),
        },
        Fact::PositionChanged { person, to, .. } => Act::ChangePosition {
            person: *person,
            position: *to,
        },
        Fact::PinReset { person, pin } => Act::ResetPin {
            person: *person,
            pin: pin.clone(),
        },
        Fact::PinChanged { person, pin } => {
            let Some(known) = register.people.get(person) else {
                return Vec::new();
            };
            Act::ChangePin {
                old: PinRight {
                    person: *person,
                    pin_version: known.pin_version,
                },
                pin: pin.clone(),
            }
        }
        Fact::PersonDisabled { person, reason } => Act::Disable {
            person: *person,
            reason: reason.clone(),
        },
        Fact::PersonEnabled { person, pin } => Act::Enable {
            person: *person,
            pin: pin.clone(),
        },
        Fact::LockLifted { person } => Act::LiftLock { person: *person },
        Fact::LoggedIn { person, place, .. } => {
            let Some(known) = register.people.get(person) else {
                return Vec::new();
            };
            Act::LogIn {
                name: known.name.clone(),
                right: Some(PinRight {
                    person: *person,
                    pin_version: known.pin_version,
                }),
                place: *place,
            }
        }
        Fact::LogInFailed {
            person,
            name,
            place,
        } => {
            let log_in = |name: String| Act::LogIn {
                name,
                right: None,
                place: *place,
            };
            let known = person.and_then(|id| register.people.get(&id));
            // A name typed with a space too many is known and not written down.
            let typed = known.map(|person| log_in(format!(" {}", person.name)));
            return [Some(log_in(name.clone())), typed]
                .into_iter()
                .flatten()
                .collect();
        }
        Fact::Enrolled { new, .. } => Act::Enrol { new: new.clone() },
        Fact::CaseOpened { new, .. } => Act::OpenCase { new: new.clone() },
        Fact::CaseStepped { case, acting, step } => Act::StepCase {
            case: *case,
            acting: *acting,
            step: step.clone(),
        },
        Fact::DiceStepped { set, step } => Act::StepDice {
            set: set.clone(),
            step: step.clone(),
        },
        Fact::ShiftOpened { new, .. } => Act::OpenShift { new: new.clone() },
        Fact::RefusalsCounted { shift, refused } => Act::CountRefusals {
            shift: *shift,
            refused: refused.clone(),
        },
        Fact::ShiftClosed { shift, end } => Act::CloseShift {
            shift: *shift,
            end: end.clone(),
        },
        Fact::PlayChanged {
            place,
            sitting,
            step,
        } => Act::StepPlay {
            place: place.clone(),
            sitting: *sitting,
            step: step.clone(),
        },
        Fact::PlaysCounted { offset_min, lines } => Act::CountPlays {
            offset_min: *offset_min,
            lines: lines.clone(),
        },
        Fact::ClockParted { machine_ms } => Act::ReportClock {
            machine_ms: *machine_ms,
        },
        Fact::ClockSet { was_ms, is_ms } => Act::SetClock {
            was_ms: *was_ms,
            is_ms: *is_ms,
        },
        Fact::TableRestarted { table, reason } => Act::RestartTable {
            table: table.clone(),
            reason: reason.clone(),
        },
        Fact::TableReached { table, reached } => Act::NoteTable {
            table: table.clone(),
            reached: *reached,
        },
        Fact::ProposalMade { new, .. } => Act::Propose { new: new.clone() },
        Fact::ProposalEnded {
            end: ProposalEnd::Restarted,
            ..
        } => Act::EndProposals,
        Fact::ProposalEnded { proposal, end } => Act::EndProposal {
            proposal: *proposal,
            end: *end,
        },
        Fact::Revoked { enrolment, reason } => Act::Revoke {
            enrolment: *enrolment,
            reason: reason.clone(),
        },
        // The set-up is put together from several records; the others follow
        // from what comes before them and never come first.
        Fact::HouseSetUp { .. }
        | Fact::LoggedOut { .. }
        | Fact::LockedOut { .. }
        | Fact::RedemptionLocked { .. } => {
            return Vec::new();
        }
        _ => return voucher_act(register, fact).into_iter().collect(),
    };
    vec![one]
}

fn voucher_act(register: &Register, fact: &Fact) -> Option<Act> {
    Some(match fact {
        Fact::VoucherReserved {
            origin,
            station_name,
            currency,
            amount,
            ..
        } => Act::ReserveVoucher {
            origin: origin.clone(),
            station_name: station_name.clone(),
            currency: *currency,
            amount: *amount,
        },
        Fact::ReservationReleased { voucher } => Act::ReleaseReservation { voucher: *voucher },
        Fact::VoucherIssued {
            voucher,
            amount,
            digest,
            attempt,
            ..
        } => Act::IssueVoucher {
            voucher: *voucher,
            amount: *amount,
            digest: *digest,
            attempt: *attempt,
        },
        Fact::PrintBegan { voucher, .. } => Act::BeginPrint { voucher: *voucher },
        Fact::VoucherPrinted { voucher } => Act::ReportPrinted { voucher: *voucher },
        Fact::PrintFailed { voucher, what } => Act::ReportPrintFailed {
            voucher: *voucher,
            what: what.clone(),
        },
        Fact::VoucherReturned { voucher } => Act::FinishReturn { voucher: *voucher },
        Fact::VoucherKept { voucher, why } => Act::KeepForCage {
            voucher: *voucher,
            why: why.clone(),
        },
        Fact::RedemptionBegan {
            voucher,
            request,
            to,
        } => present(register, Some(*voucher), *request, to, None)?,
        Fact::VoucherRedeemed {
            voucher,
            request,
            to,
        } => match to {
            Payee::Station(_) => Act::FinishRedeem { voucher: *voucher },
            Payee::Cage { .. } => present(register, Some(*voucher), *request, to, None)?,
        },
        Fact::RedemptionRefused {
            voucher,
            request,
            to,
            why,
        } => present(register, *voucher, *request, to, Some(*why))?,
        Fact::RedemptionCancelled { voucher, why } => Act::CancelRedeem {
            voucher: *voucher,
            why: why.clone(),
        },
        Fact::VoucherVoided { voucher, reason } => Act::VoidVoucher {
            voucher: *voucher,
            reason: reason.clone(),
        },
        Fact::VoucherExpired { .. } => Act::ExpireVouchers,
        _ => return None,
    })
}

/// A number presented, with what must have been said for it to be refused so.
fn present(
    register: &Register,
    voucher: Option<VoucherId>,
    request: u64,
    to: &Payee,
    why: Option<Unpaid>,
) -> Option<Act> {
    // A number nobody has: no digest is all zeroes.
    let unknown = ([0; 32], Currency::SGD, Money::ZERO);
    let (digest, own, amount) = match voucher {
        None => unknown,
        Some(id) => register.presented(id)?,
    };
    let other = [Currency::SGD, Currency::USD]
        .into_iter()
        .find(|other| *other != own)?;
    let differs = why == Some(Unpaid::CurrencyDiffers);
    Some(Act::BeginRedeem {
        request,
        digest,
        to: to.clone(),
        currency: if differs { other } else { own },
        claimed: (why == Some(Unpaid::AmountDiffers)).then(|| amount + Money::from_minor(1)),
    })
}
