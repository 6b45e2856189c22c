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
            // Lists of letters that look alike grow: a name that was told apart then stands.
            Err(refusal)
                if matches!(refusal.reason, Reason::NameResembles { .. })
                    && matches!(first.fact, Fact::PersonAdded { .. }) =>
            {
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
    if let Fact::ShiftClosed { shift, end } = &first.fact {
        let close = |next| Act::CloseShift {
            shift: *shift,
            end: end.clone(),
            next,
        };
        // The next one began with it, or two commands of an older program followed each other.
        let next = events
            .get(1)
            .filter(same)
            .and_then(|event| match &event.fact {
                Fact::ShiftOpened { new, .. } => Some(close(Some(Box::new(new.clone())))),
                _ => None,
            });
        return next.into_iter().chain([close(None)]).collect();
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

/// Commands that a fact may come from.
fn act(register: &Register, fact: &Fact) -> Vec<Act> {
    let right = |person| {
        let known = register.people.get(&person)?;
        let pin_version = known.pin_version;
        Some((
            known,
            PinRight {
                person,
                pin_version,
            },
        ))
    };
    let one = match fact {
        Fact::PersonAdded { new, .. } => Some(Act::AddPerson {
            person: new.clone(),
        }),
        Fact::PositionChanged { person, to, .. } => Some(Act::ChangePosition {
            person: *person,
            position: *to,
        }),
        Fact::PinChanged { person, pin } => right(*person).map(|(_, old)| Act::ChangePin {
            old,
            pin: pin.clone(),
        }),
        Fact::LoggedIn { person, place, .. } => right(*person).map(|(known, right)| Act::LogIn {
            name: known.name.clone(),
            right: Some(right),
            place: *place,
        }),
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
        Fact::ProposalEnded { proposal, end } => Some(match end {
            ProposalEnd::Restarted => Act::EndProposals,
            end => Act::EndProposal {
                proposal: *proposal,
                end: *end,
            },
        }),
        Fact::VoucherRedeemed {
            voucher,
            to: Payee::Station(_),
            ..
        } => Some(Act::FinishRedeem { voucher: *voucher }),
        Fact::RedemptionBegan {
            voucher,
            request,
            to,
        }
        | Fact::VoucherRedeemed {
            voucher,
            request,
            to,
        } => present(register, Some(*voucher), *request, to, None),
        Fact::RedemptionRefused {
            voucher,
            request,
            to,
            why,
        } => present(register, *voucher, *request, to, Some(*why)),
        // What its row says; facts without a command follow from what comes
        // before them and never come first.
        fact => fact.act(),
    };
    one.into_iter().collect()
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
