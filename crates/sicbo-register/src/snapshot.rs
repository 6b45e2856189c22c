//! The whole register as bytes and back. A snapshot only saves time: one that
//! cannot be read is as if it were not there, and the journal is read instead.

use std::collections::BTreeMap;

use sicbo_table::codec::{DecodeError, Reader, Wire, Writer};
use sicbo_table::ids::VoucherId;
use sicbo_table::table::ClocksParted;

use super::Register;

/// Written first; raised when the layout changes, and older ones are dropped.
pub const FORMAT: u64 = 17;
/// Fields after the format.
const FIELDS: u64 = 36;

pub(super) fn encode(register: &Register) -> Vec<u8> {
    // Named one by one, so that a new field cannot be forgotten.
    let Register {
        terms,
        identity,
        above_director,
        duties,
        posts,
        exceptions,
        people,
        credentials,
        sessions,
        last_session,
        tried,
        strangers,
        enrolments,
        vouchers,
        last_voucher,
        recent,
        guesses,
        flags,
        totals,
        past,
        marks,
        forgotten,
        cases,
        last_case,
        dice,
        shifts,
        last_shift,
        plays,
        members,
        clock_parted,
        last_proposal,
        proposals,
        ended_proposals,
        reached,
        rollbacks,
        fading,
        marked_numbers: _,
        numbers: _,
        unsettled: _,
    } = register;
    let mut bytes = Vec::new();
    let mut to = Writer::new(&mut bytes);
    to.array(1 + FIELDS);
    to.unsigned(FORMAT);
    terms.put(&mut to);
    people.put(&mut to);
    sessions.put(&mut to);
    last_session.put(&mut to);
    pairs(strangers).put(&mut to);
    enrolments.put(&mut to);
    vouchers.put(&mut to);
    last_voucher.put(&mut to);
    pairs(recent).put(&mut to);
    pairs(guesses).put(&mut to);
    pairs(totals).put(&mut to);
    pairs(past).put(&mut to);
    marks.put(&mut to);
    forgotten.put(&mut to);
    let fading: Vec<(i64, VoucherId)> = fading.iter().copied().collect();
    fading.put(&mut to);
    cases.put(&mut to);
    last_case.put(&mut to);
    pairs(dice).put(&mut to);
    shifts.put(&mut to);
    last_shift.put(&mut to);
    pairs(plays).put(&mut to);
    flags.put(&mut to);
    members.put(&mut to);
    pairs(tried).put(&mut to);
    let parted = clock_parted.map(|parted| (parted.house_ms, parted.machine_ms));
    parted.put(&mut to);
    last_proposal.put(&mut to);
    pairs(proposals).put(&mut to);
    pairs(ended_proposals).put(&mut to);
    pairs(reached).put(&mut to);
    above_director.put(&mut to);
    rollbacks.put(&mut to);
    identity.put(&mut to);
    pairs(credentials).put(&mut to);
    duties.put(&mut to);
    pairs(posts).put(&mut to);
    exceptions.put(&mut to);
    bytes
}

pub(super) fn decode(bytes: &[u8]) -> Result<Register, DecodeError> {
    let mut from = Reader::new(bytes);
    from.array_of(1 + FIELDS)?;
    if from.unsigned()? != FORMAT {
        return Err(from.expected("a register of this format"));
    }
    let mut register = Register {
        terms: Wire::get(&mut from)?,
        people: Wire::get(&mut from)?,
        sessions: Wire::get(&mut from)?,
        last_session: Wire::get(&mut from)?,
        strangers: map(&mut from)?,
        enrolments: Wire::get(&mut from)?,
        vouchers: Wire::get(&mut from)?,
        last_voucher: Wire::get(&mut from)?,
        recent: map(&mut from)?,
        guesses: map(&mut from)?,
        totals: map(&mut from)?,
        past: map(&mut from)?,
        marks: Wire::get(&mut from)?,
        forgotten: Wire::get(&mut from)?,
        fading: Vec::<(i64, VoucherId)>::get(&mut from)?
            .into_iter()
            .collect(),
        cases: Wire::get(&mut from)?,
        last_case: Wire::get(&mut from)?,
        dice: map(&mut from)?,
        shifts: Wire::get(&mut from)?,
        last_shift: Wire::get(&mut from)?,
        plays: map(&mut from)?,
        flags: Wire::get(&mut from)?,
        members: Wire::get(&mut from)?,
        tried: map(&mut from)?,
        clock_parted: Option::<(i64, i64)>::get(&mut from)?.map(|(house_ms, machine_ms)| {
            ClocksParted {
                house_ms,
                machine_ms,
            }
        }),
        last_proposal: Wire::get(&mut from)?,
        proposals: map(&mut from)?,
        ended_proposals: map(&mut from)?,
        reached: map(&mut from)?,
        above_director: Wire::get(&mut from)?,
        rollbacks: Wire::get(&mut from)?,
        identity: Wire::get(&mut from)?,
        credentials: map(&mut from)?,
        duties: Wire::get(&mut from)?,
        posts: map(&mut from)?,
        exceptions: Wire::get(&mut from)?,
        ..Register::default()
    };
    from.end()?;
    register.index_all();
    Ok(register)
}

fn pairs<K: Clone, V: Clone>(map: &BTreeMap<K, V>) -> Vec<(K, V)> {
    let pair = |(key, value): (&K, &V)| (key.clone(), value.clone());
    map.iter().map(pair).collect()
}

fn map<K: Wire + Ord, V: Wire>(from: &mut Reader<'_>) -> Result<BTreeMap<K, V>, DecodeError> {
    let pairs: Vec<(K, V)> = Wire::get(from)?;
    if pairs.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
        return Err(from.expected("keys in order, each once"));
    }
    Ok(pairs.into_iter().collect())
}
