//! The parts of a table that events do not carry, with their field numbers.

use std::sync::Arc;

use sicbo_rules::{Exposure, Money, RuleBook};

use crate::books::Books;
use crate::cash::{Moved, Uncounted};
use crate::codec::{DecodeError, Reader, Wire, Writer, choices, records};
use crate::config::Config;
use crate::pending::Pending;
use crate::positions::{Line, Positions};
use crate::record::{Corrected, RoundRecord, StationRecord, VoidWhy};
use crate::round::{Reading, Round, StationRound, Tumble};
use crate::station::{Colour, Meters, Station};
use crate::table::{Amended, ClocksParted, Committed, Issued, Spare, Table, Waiver};
use crate::visit::{Given, Left, Visit};

records! {
    Colour { 0 name, 1 value }
    Meters {
        0 cash_in, 1 voucher_in, 2 transfer_in, 3 voucher_out, 4 hand_pay, 5 transfer_out,
        6 staked, 7 returned, 8 void_returned, 9 corrected_in, 10 recovered, 11 adjusted,
        12 rounds, 13 voids,
    }
    Station {
        0 name, 1 kind, 2 layout, 3 link, 4 credit, 5 at_risk, 6 session, 7 colour, 8 meters,
        9 removed, 10 visit, 11 past, 12 notes, 13 grant,
    }
    Given { 0 voucher, 1 since, 2 staked }
    Left { 0 since, 1 meters }
    Visit { 0 since, 1 given, 2 left }
    Books {
        0 house_bank, 1 vouchers, 2 drop, 3 cage, 4 chip_float, 5 chips_outstanding, 6 tips,
        7 recoverable, 8 unclaimed, 9 adjustments, 10 fills,
    }
    Waiver { 0 kept, 1 spent }
    Amended { 0 revision, 1 standing, 2 waived }
    VoidWhy { 0 cause, 1 rule, 2 reason, 3 ground }
    Corrected { 0 from, 1 rule }
    Reading { 0 dice, 1 by }
    StationRecord { 0 station, 1 session, 2 kind, 3 layout, 4 lines, 5 colour_lines }
    Round {
        0 number, 1 phase, 2 tumble, 3 cover, 4 began_ms, 5 opened_ms, 6 closing_ms, 7 awaiting,
        8 deal_pressed, 9 flat, 10 keyed, 11 second, 12 confirmed, 13 lights, 14 must_void,
        15 exposure, 16 suspend_after, 17 concluded_after_interruption, 18 stations,
        19 observed, 20 activated_ms, 21 exposed,
    }
    StationRound {
        0 positions, 1 colour_positions, 2 seen, 3 acknowledged, 4 awaited, 5 fenced,
    }
    Committed { 0 round, 1 commitment, 2 seed }
    Issued { 0 station, 1 session, 2 amount }
    Uncounted { 0 how, 1 by, 2 second, 3 station, 4 amount, 5 at_ms, 6 counted }
}

choices! {
    Moved { 0 Attendant, 1 Cage, 2 Transfer, 3 HandPay, 4 Unclaimed, 5 Waived }
    Tumble { 0 None, 1 Activated, 2 Valid { count }, 3 Invalid { count } }
}

/// In the order they were placed, each section once, each with something on it.
impl Wire for Positions {
    fn put(&self, to: &mut Writer<'_>) {
        to.array(self.lines().len() as u64);
        for line in self.lines() {
            line.put(to);
        }
    }

    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let mut positions = Positions::default();
        for _ in 0..from.array()? {
            let line = Line::get(from)?;
            if !line.stake.is_positive() || positions.on(line.section).is_positive() {
                return Err(from.expected("a stake on each section once"));
            }
            positions.add(line.section, line.stake);
        }
        Ok(positions)
    }
}

/// Its figures only: the sums by outcome are computed again from the bets, and
/// what is read must be written the same again.
impl Wire for Exposure {
    fn put(&self, to: &mut Writer<'_>) {
        (self.staked(), self.worst_loss()).put(to);
    }

    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        <(Money, Money)>::get(from).map(|_| Exposure::default())
    }
}

/// How many fields a table has; `holds`, `exposure_tables` and `spare` are made again.
const TABLE: u64 = 46;

pub(super) fn put_table(table: &Table, to: &mut Writer<'_>) {
    // Named one by one, so that a new field cannot be forgotten.
    let Table {
        status,
        config,
        stations,
        round,
        last_round,
        last_record,
        amended,
        books,
        acting,
        pending,
        next_pending,
        recoverables,
        next_recoverable,
        unclaimed,
        next_unclaimed,
        vouchers_in,
        vouchers_out,
        last_round_announced,
        closing_round,
        next_limits,
        next_book,
        dice_condemned,
        dice_since,
        device_failed,
        commitment,
        last_tumble,
        requests,
        money_duties,
        uncounted,
        last_uncounted,
        rules,
        notices,
        next_notice,
        counting,
        shortest_tumble_ms,
        failed_tumbles,
        case_debts,
        damaged,
        clock_parted,
        records,
        last_started,
        last_tumbled,
        cases_settled,
        case_credits,
        open_covers,
        ran_on,
        holds: _,
        exposure_tables: _,
        spare: _,
    } = table;
    to.array(TABLE);
    status.put(to);
    config.put(to);
    stations.put(to);
    round.put(to);
    last_round.put(to);
    put_record(last_record.as_deref(), table.book(), to);
    amended.put(to);
    books.put(to);
    acting.put(to);
    pending.put(to);
    next_pending.put(to);
    recoverables.put(to);
    next_recoverable.put(to);
    unclaimed.put(to);
    next_unclaimed.put(to);
    vouchers_in.put(to);
    vouchers_out.put(to);
    last_round_announced.put(to);
    closing_round.put(to);
    next_limits.put(to);
    next_book.put(to);
    dice_condemned.put(to);
    dice_since.put(to);
    device_failed.put(to);
    commitment.put(to);
    last_tumble.put(to);
    requests.put(to);
    money_duties.put(to);
    uncounted.put(to);
    last_uncounted.put(to);
    rules.put(to);
    notices.put(to);
    next_notice.put(to);
    counting.put(to);
    shortest_tumble_ms.put(to);
    failed_tumbles.put(to);
    case_debts.put(to);
    damaged.put(to);
    clock_parted
        .map(|parted| (parted.house_ms, parted.machine_ms))
        .put(to);
    records.put(to);
    last_started.put(to);
    last_tumbled.put(to);
    cases_settled.put(to);
    case_credits.put(to);
    open_covers.put(to);
    ran_on.put(to);
}

pub(super) fn get_table(from: &mut Reader<'_>) -> Result<Table, DecodeError> {
    from.array_of(TABLE)?;
    let status = Wire::get(from)?;
    let config: Option<Box<Config>> = Wire::get(from)?;
    let stations = Wire::get(from)?;
    let round = Wire::get(from)?;
    let last_round = Wire::get(from)?;
    let last_record = get_record(config.as_ref().map(|config| &config.book), from)?;
    let (amended, books, acting) = (Wire::get(from)?, Wire::get(from)?, Wire::get(from)?);
    let pending: Vec<Pending> = Wire::get(from)?;
    let holding = pending.iter().filter(|p| p.question.holds_round());
    let holds = holding.count() as u32;
    Ok(Table {
        status,
        config,
        stations,
        round,
        last_round,
        last_record,
        amended,
        books,
        acting,
        pending,
        next_pending: Wire::get(from)?,
        recoverables: Wire::get(from)?,
        next_recoverable: Wire::get(from)?,
        unclaimed: Wire::get(from)?,
        next_unclaimed: Wire::get(from)?,
        vouchers_in: Wire::get(from)?,
        vouchers_out: Wire::get(from)?,
        last_round_announced: Wire::get(from)?,
        closing_round: Wire::get(from)?,
        next_limits: Wire::get(from)?,
        next_book: Wire::get(from)?,
        dice_condemned: Wire::get(from)?,
        dice_since: Wire::get(from)?,
        device_failed: Wire::get(from)?,
        commitment: Wire::get(from)?,
        last_tumble: Wire::get(from)?,
        requests: Wire::get(from)?,
        money_duties: Wire::get(from)?,
        uncounted: Wire::get(from)?,
        last_uncounted: Wire::get(from)?,
        rules: Wire::get(from)?,
        notices: Wire::get(from)?,
        next_notice: Wire::get(from)?,
        counting: Wire::get(from)?,
        shortest_tumble_ms: Wire::get(from)?,
        failed_tumbles: Wire::get(from)?,
        case_debts: Wire::get(from)?,
        damaged: Wire::get(from)?,
        clock_parted: Option::<(i64, i64)>::get(from)?.map(|(house_ms, machine_ms)| ClocksParted {
            house_ms,
            machine_ms,
        }),
        records: Wire::get(from)?,
        last_started: Wire::get(from)?,
        last_tumbled: Wire::get(from)?,
        cases_settled: Wire::get(from)?,
        case_credits: Wire::get(from)?,
        open_covers: Wire::get(from)?,
        ran_on: Wire::get(from)?,
        holds,
        exposure_tables: Arc::default(),
        spare: Spare::default(),
    })
}

/// The last record, its rule book left out when it is the one in force.
fn put_record(record: Option<&RoundRecord>, in_force: Option<&Arc<RuleBook>>, to: &mut Writer<'_>) {
    let Some(record) = record else {
        return to.null();
    };
    let RoundRecord {
        number,
        standing,
        revision,
        book,
        dice_set,
        stations,
        void,
        corrected,
    } = record;
    let other = Some(book).filter(|book| in_force.is_none_or(|known| known != *book));
    to.array(8);
    number.put(to);
    standing.put(to);
    revision.put(to);
    other.cloned().put(to);
    dice_set.put(to);
    stations.put(to);
    void.put(to);
    corrected.put(to);
}

fn get_record(
    in_force: Option<&Arc<RuleBook>>,
    from: &mut Reader<'_>,
) -> Result<Option<Arc<RoundRecord>>, DecodeError> {
    if from.take_null()? {
        return Ok(None);
    }
    from.array_of(8)?;
    let number = Wire::get(from)?;
    let standing = Wire::get(from)?;
    let revision = Wire::get(from)?;
    let book = match (Wire::get(from)?, in_force) {
        (Some(book), _) => book,
        (None, Some(book)) => Arc::clone(book),
        (None, None) => return Err(from.expected("a rule book")),
    };
    Ok(Some(Arc::new(RoundRecord {
        number,
        standing,
        revision,
        book,
        dice_set: Wire::get(from)?,
        stations: Wire::get(from)?,
        void: Wire::get(from)?,
        corrected: Wire::get(from)?,
    })))
}
