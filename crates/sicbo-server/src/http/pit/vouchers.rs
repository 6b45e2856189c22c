//! What two persons do about vouchers at the cage, the second on a session of their own.

use sicbo_register::voucher::{Payee, State};
use sicbo_register::{self as register, Fact};
use sicbo_table::ids::{PersonId, VoucherId};

use crate::floor::Floor;
use crate::problem::Problem;
use crate::wire::pit::HouseAct;

/// Whether an entry is one of these: the register decides it with its vouchers and with where
/// everybody is logged in.
pub(super) fn is_theirs(entry: &register::Act) -> bool {
    matches!(
        entry,
        register::Act::VoidVoucher { .. } | register::Act::BeginRedeem { .. }
    )
}

/// What the register is asked to enter.
pub(super) fn entry_of(
    floor: &Floor,
    act: &HouseAct,
    by: PersonId,
) -> Result<register::Act, Problem> {
    match act {
        HouseAct::VoidVoucher { voucher, reason } => Ok(register::Act::VoidVoucher {
            voucher: VoucherId(*voucher),
            reason: reason.clone(),
        }),
        HouseAct::PayKept {
            request,
            voucher,
            amount,
        } => {
            let register = floor.desk.register();
            let known = register.vouchers.get(&VoucherId(*voucher));
            let known = known.ok_or_else(|| Problem::not_found("voucher"))?;
            if known.state != State::Kept {
                return Err(not_kept(known.state.word()));
            }
            if known.amount.minor() != *amount {
                let words = "the voucher is over another amount";
                return Err(Problem::conflict("amount_differs", words));
            }
            Ok(register::Act::BeginRedeem {
                request: *request,
                digest: known.digest,
                to: Payee::Cage { cashier: by },
                currency: known.currency,
                claimed: None,
            })
        }
        _ => Err(Problem::ours(&"not an act about vouchers")),
    }
}

/// A voucher of which there is a paper, or that was paid, is not paid without one.
pub(in crate::http) fn not_kept(state: &str) -> Problem {
    let words = "only a voucher that is kept is paid without its paper; this one is";
    Problem::conflict("voucher_not_kept", format!("{words} {state}"))
}

/// It is on record: what was paid is covered at once.
pub(super) fn entered(floor: &Floor, act: &HouseAct, facts: &[Fact]) -> Result<(), Problem> {
    if !matches!(act, HouseAct::PayKept { .. }) {
        return Ok(());
    }
    let paid = |fact: &Fact| matches!(fact, Fact::VoucherRedeemed { .. });
    if !facts.iter().any(paid) {
        return Err(not_kept("not paid"));
    }
    if let Some(tree) = floor.tree() {
        tree.paid();
    }
    Ok(())
}
