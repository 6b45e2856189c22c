//! Vouchers: reserved, issued, printed, paid once, voided, expired.

use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Currency, Money, broken};
use sicbo_table::ids::VoucherId;
use sicbo_table::refuse_if;

use super::{
    Decision, LONGEST_NAME, LONGEST_TEXT, Register, by_house, check_reason, enrolment, require,
    require_two, short,
};
use crate::command::{Act, Command, Party, Terms};
use crate::enrolment::Role;
use crate::event::Fact;
use crate::refusal::{Reason, Refusal};
use crate::voucher::{GUESSES_FORGIVEN_MS, MAX_COPIES, Payee, Place, State, Unpaid, Voucher};

const DAY_MS: i64 = 86_400_000;
/// Vouchers expired by one command of an earlier program.
const EXPIRED_AT_ONCE: usize = 256;

pub(super) fn decide(register: &Register, command: &Command, terms: &Terms) -> Decision {
    match &command.act {
        Act::ReserveVoucher {
            origin,
            station_name,
            currency,
            amount,
        } => {
            at_station(register, command, origin)?;
            short(station_name, LONGEST_NAME)?;
            refuse_if!(!amount.is_positive(), Reason::AmountNotPositive);
            if let Some(above) = terms.largest_voucher(*currency)
                && *amount > above
            {
                return Err(Reason::HandPayNeeded { above }.into());
            }
            if register.voucher_asked(origin, command.id).is_some() {
                return Ok(Vec::new());
            }
            printer_is_free(register, origin, None)?;
            Ok(vec![Fact::VoucherReserved {
                voucher: VoucherId(register.last_voucher + 1),
                origin: origin.clone(),
                station_name: station_name.clone(),
                currency: *currency,
                amount: *amount,
            }])
        }
        Act::ReleaseReservation { voucher } => {
            by_house(command)?;
            in_state(register, *voucher, |state| *state == State::Reserved)?;
            Ok(vec![Fact::ReservationReleased { voucher: *voucher }])
        }
        Act::IssueVoucher {
            voucher,
            amount,
            digest,
            attempt,
        } => {
            by_house(command)?;
            let reserved = in_state(register, *voucher, |state| *state == State::Reserved)?;
            refuse_if!(!amount.is_positive(), Reason::AmountNotPositive);
            if register.voucher_numbered(digest).is_some()
                || register.mark_numbered(digest).is_some()
            {
                return Err(Reason::NumberTaken.into());
            }
            let recent = register.recent.get(&reserved.origin);
            Ok(vec![Fact::VoucherIssued {
                voucher: *voucher,
                amount: *amount,
                sequence: recent.map_or(1, |recent| recent.sequence + 1),
                digest: *digest,
                attempt: *attempt,
                expires_ms: command.at_ms + i64::from(terms.voucher_days) * DAY_MS,
            }])
        }
        Act::BeginPrint { voucher } => {
            by_house(command)?;
            let issued = in_state(register, *voucher, |state| *state == State::Issued)?;
            printer_is_free(register, &issued.origin, Some(*voucher))?;
            refuse_if!(issued.copies >= MAX_COPIES, Reason::TooManyCopies);
            Ok(vec![Fact::PrintBegan {
                voucher: *voucher,
                copy: issued.copies + 1,
            }])
        }
        Act::ReportPrinted { voucher } => {
            by_house(command)?;
            let issued = in_state(register, *voucher, |state| *state == State::Issued)?;
            refuse_if!(issued.copies == 0, wrong_state(issued));
            Ok(vec![Fact::VoucherPrinted { voucher: *voucher }])
        }
        Act::ReportPrintFailed { voucher, what } => {
            by_house(command)?;
            short(what, LONGEST_TEXT)?;
            in_state(register, *voucher, |state| *state == State::Issued)?;
            Ok(vec![Fact::PrintFailed {
                voucher: *voucher,
                what: what.clone(),
            }])
        }
        Act::FinishReturn { voucher } => {
            by_house(command)?;
            in_state(register, *voucher, |state| *state == State::Returning)?;
            Ok(vec![Fact::VoucherReturned { voucher: *voucher }])
        }
        Act::KeepForCage { voucher, why } => {
            by_house(command)?;
            short(why, LONGEST_TEXT)?;
            in_state(register, *voucher, |state| *state == State::Returning)?;
            Ok(vec![Fact::VoucherKept {
                voucher: *voucher,
                why: why.clone(),
            }])
        }
        Act::BeginRedeem {
            request,
            digest,
            to,
            currency,
            claimed,
        } => redeem(
            register,
            command,
            (*request, to),
            digest,
            (*currency, *claimed),
        ),
        Act::FinishRedeem { voucher } => {
            by_house(command)?;
            match &known(register, *voucher)?.state {
                State::Redeeming { to, request } => Ok(vec![Fact::VoucherRedeemed {
                    voucher: *voucher,
                    request: *request,
                    to: to.clone(),
                }]),
                State::Redeemed { .. } => Ok(Vec::new()),
                state => Err(Reason::WrongVoucherState {
                    state: state.word(),
                }
                .into()),
            }
        }
        Act::CancelRedeem { voucher, why } => {
            by_house(command)?;
            short(why, LONGEST_TEXT)?;
            in_state(register, *voucher, |s| matches!(s, State::Redeeming { .. }))?;
            Ok(vec![Fact::RedemptionCancelled {
                voucher: *voucher,
                why: why.clone(),
            }])
        }
        Act::VoidVoucher { voucher, reason } => {
            let manages = |position: Position| position.is_at_least(Position::ShiftManager);
            require_two(register, command, manages, handles_money)?;
            check_reason(reason)?;
            in_state(register, *voucher, |state| *state == State::Printed)?;
            Ok(vec![Fact::VoucherVoided {
                voucher: *voucher,
                reason: reason.clone(),
            }])
        }
        // Earlier programs let the clock do it, in the order of their time.
        Act::ExpireVouchers => {
            by_house(command)?;
            let passed = |voucher: &Voucher| {
                voucher.state == State::Printed && voucher.expires_ms <= command.at_ms
            };
            let passed = register.vouchers.iter().filter(|(_, known)| passed(known));
            let mut passed: Vec<(i64, VoucherId)> =
                passed.map(|(id, known)| (known.expires_ms, *id)).collect();
            passed.sort_unstable();
            let expired = passed.into_iter().take(EXPIRED_AT_ONCE);
            Ok(expired
                .map(|(_, voucher)| Fact::VoucherExpired { voucher })
                .collect())
        }
        _ => unreachable!("only acts on vouchers come here"),
    }
}

/// A cashier, or anyone of the table staff.
fn handles_money(position: Position) -> bool {
    position == Position::Cashier || position.is_at_least(Position::Dealer)
}

/// A cashier or a shift manager.
fn pays_at_cage(position: Position) -> bool {
    position == Position::Cashier || position.is_at_least(Position::ShiftManager)
}

/// The station itself, or someone who handles money for it.
fn at_station(register: &Register, command: &Command, place: &Place) -> Result<(), Refusal> {
    match command.by {
        Party::House => Ok(()),
        Party::Person(_) => require(register, command, handles_money).map(|_| ()),
        Party::Place(id) => {
            let own = Role::Station {
                table: place.table.clone(),
                station: place.station,
            };
            if enrolment::live(register, id)?.role == own {
                Ok(())
            } else {
                Err(Reason::NotYourStation.into())
            }
        }
    }
}

/// No second print before the first is taken (S-13): one voucher at a time on
/// its way out of a station.
fn printer_is_free(
    register: &Register,
    origin: &Place,
    except: Option<VoucherId>,
) -> Result<(), Refusal> {
    let on_its_way = register.unsettled().find(|id| {
        Some(*id) != except
            && register.vouchers.get(id).is_some_and(|voucher| {
                voucher.origin == *origin
                    && matches!(voucher.state, State::Reserved | State::Issued)
            })
    });
    match on_its_way {
        Some(voucher) => Err(Reason::PrinterBusy { voucher }.into()),
        None => Ok(()),
    }
}

fn known(register: &Register, id: VoucherId) -> Result<&Voucher, Refusal> {
    register
        .vouchers
        .get(&id)
        .ok_or_else(|| Reason::UnknownVoucher.into())
}

fn wrong_state(voucher: &Voucher) -> Refusal {
    let state = voucher.state.word();
    Reason::WrongVoucherState { state }.into()
}

fn in_state(
    register: &Register,
    id: VoucherId,
    fits: impl Fn(&State) -> bool,
) -> Result<&Voucher, Refusal> {
    let voucher = known(register, id)?;
    if fits(&voucher.state) {
        Ok(voucher)
    } else {
        Err(wrong_state(voucher))
    }
}

/// What comes of a number that was presented. Everything but a repetition or
/// a presenter without the right is a fact.
fn redeem(
    register: &Register,
    command: &Command,
    (request, to): (u64, &Payee),
    digest: &[u8; 32],
    (currency, claimed): (Currency, Option<Money>),
) -> Decision {
    match to {
        Payee::Station(place) => at_station(register, command, place)?,
        Payee::Cage { cashier } => {
            if require(register, command, pays_at_cage)? != *cashier {
                return Err(Reason::NotAuthorised.into());
            }
            if register.duties.is_some() && !register.is_at_window(*cashier) {
                return Err(Reason::PlaceDoesNotFit.into());
            }
        }
    }
    let guesses = register.guesses.get(to).copied().unwrap_or_default();
    if let Some(until_ms) = guesses.locked(command.at_ms) {
        return Err(Reason::LockedOut { until_ms }.into());
    }
    let refused = |voucher: Option<VoucherId>, why: Unpaid| Fact::RedemptionRefused {
        voucher,
        request,
        to: to.clone(),
        why,
    };
    let Some((id, voucher)) = register.voucher_numbered(digest) else {
        if let Some((id, mark)) = register.mark_numbered(digest) {
            return Ok(vec![refused(Some(id), mark.unpaid())]);
        }
        let mut facts = vec![refused(None, Unpaid::NotFound)];
        let after = guesses.after_failure(command.at_ms, Some(GUESSES_FORGIVEN_MS));
        facts.extend(after.locked(command.at_ms).map(|until_ms| {
            let to = to.clone();
            Fact::RedemptionLocked { to, until_ms }
        }));
        return Ok(facts);
    };
    let why = match &voucher.state {
        State::Redeeming {
            to: payee,
            request: asked,
        }
        | State::Redeemed {
            to: payee,
            request: asked,
            ..
        } if payee == to && *asked == request => return Ok(Vec::new()),
        State::Redeeming { .. } if broken("register:being-paid") => None,
        State::Redeeming { .. } => Some(Unpaid::BeingPaid),
        State::Redeemed { .. } if broken("register:paid-once") => None,
        State::Redeemed { .. } => Some(Unpaid::AlreadyPaid),
        State::Expired => Some(Unpaid::Expired),
        State::Void | State::Returned | State::Returning => Some(Unpaid::Void),
        // Nobody has a paper: a second person says whose it is.
        State::Kept if matches!(to, Payee::Cage { .. }) => {
            let supervises = |position: Position| position.is_at_least(Position::PitSupervisor);
            require_two(register, command, pays_at_cage, supervises)?;
            (voucher.currency != currency).then_some(Unpaid::CurrencyDiffers)
        }
        State::Reserved | State::Issued | State::Kept => Some(Unpaid::NotPrinted),
        // A clock that nobody has looked at yet takes nothing from anybody.
        State::Printed
            if command.at_ms >= voucher.expires_ms && register.clock_parted.is_none() =>
        {
            Some(Unpaid::Expired)
        }
        State::Printed if voucher.currency != currency => Some(Unpaid::CurrencyDiffers),
        State::Printed if claimed.is_some_and(|claimed| claimed != voucher.amount) => {
            Some(Unpaid::AmountDiffers)
        }
        State::Printed => None,
    };
    if let Some(why) = why {
        return Ok(vec![refused(Some(id), why)]);
    }
    let to = to.clone();
    Ok(vec![match to {
        Payee::Station(_) => Fact::RedemptionBegan {
            voucher: id,
            request,
            to,
        },
        // The cashier pays in the act: there is no table to wait for.
        Payee::Cage { .. } => Fact::VoucherRedeemed {
            voucher: id,
            request,
            to,
        },
    }])
}
