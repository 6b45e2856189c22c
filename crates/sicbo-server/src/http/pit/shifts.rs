//! Shifts over the wire: what the register is asked to enter when one begins and ends, and when its
//! boxes are counted by others.

use std::sync::Arc;

use sicbo_register as register;
use sicbo_register::shift::{BoxCount, Boxes, Counts, Ledger, NewShift, Pieces, ShiftEnd, ShiftId};
use sicbo_report::Slips;
use sicbo_rules::Money;
use sicbo_table::Config;
use sicbo_table::station::StationKind;
use sicbo_table::table::Status;

use crate::floor::{Floor, TableAt};
use crate::problem::Problem;
use crate::wire::pit::{CountedPieces, HouseAct, boxes_of, ledger};

/// Chips of the table's unit above which a difference needs a comment.
const UNITS_WITHOUT_COMMENT: i64 = 100;

/// What a table's books said after a record of its own.
pub(super) async fn ledger_at(
    floor: &Arc<Floor>,
    at: &TableAt,
    record: u64,
) -> Result<Ledger, Problem> {
    {
        let state = at.hub.state();
        if state.version == record {
            return Ok(ledger(record, &state.table));
        }
    }
    let (house, table) = (Arc::clone(floor), at.hub.name.clone());
    let read = move || house.ledger_at(&table, record);
    let read = floor.reading().run(read).await?;
    read.map_err(|error| Problem::ours(&error))
}

/// With real money what is counted is counted by denomination, and a table with chips has a drop
/// box and a tip box with numbers.
fn counted_well(
    floor: &Floor,
    at: &TableAt,
    (sum, pieces): (i64, &[Pieces]),
    boxes: Option<&Boxes>,
) -> Result<(), Problem> {
    by_denomination(floor, sum, pieces)?;
    let Some(boxes) = boxes else { return Ok(()) };
    let mut stations = at.plan.stations.iter();
    let chips = stations.any(|station| station.kind == StationKind::Seat);
    if floor.plan.real_money && chips && (boxes.drop.is_empty() || boxes.tips.is_empty()) {
        return Err(Problem::conflict(
            "box_numbers_needed",
            "say which drop box and which tip box are locked to the table, by their numbers",
        ));
    }
    Ok(())
}

fn by_denomination(floor: &Floor, sum: i64, pieces: &[Pieces]) -> Result<(), Problem> {
    if floor.plan.real_money && sum != 0 && pieces.is_empty() {
        return Err(Problem::conflict(
            "denominations_needed",
            "with real money a count is entered by denomination",
        ));
    }
    let differ = !pieces.is_empty() && Pieces::sum(pieces) != Some(Money::from_minor(sum));
    if differ {
        return Err(Problem::declined(&register::Reason::PiecesDiffer.into()));
    }
    Ok(())
}

fn new_shift(
    at: &TableAt,
    config: &Config,
    (opener, rack): (Money, Vec<Pieces>),
    (ledger, boxes): (Ledger, Boxes),
) -> NewShift {
    let unit = config.chip_unit.minor();
    let threshold = unit.saturating_mul(UNITS_WITHOUT_COMMENT);
    NewShift {
        table: at.hub.name.clone(),
        currency: config.currency,
        opener,
        ledger,
        threshold: Money::from_minor(threshold),
        rack,
        boxes,
    }
}

/// The beginning of a shift.
pub(super) fn open(floor: &Floor, name: &str, act: &HouseAct) -> Result<register::Act, Problem> {
    let HouseAct::OpenShift {
        opener,
        rack,
        drop_box,
        tip_box,
        ..
    } = act
    else {
        return Err(Problem::ours(&"not the beginning of a shift"));
    };
    let at = floor.table_named(name)?;
    let rack = CountedPieces::understood(rack.as_ref());
    let boxes = boxes_of(drop_box.as_ref(), tip_box.as_ref());
    counted_well(floor, at, (*opener, &rack), Some(&boxes))?;
    let state = at.hub.state();
    if state.table.round.is_some() {
        return Err(Problem::conflict(
            "round_in_hand",
            "conclude the current round first",
        ));
    }
    // A table that was never opened is counted before it is.
    let config = state.table.config.as_deref();
    let config = config.unwrap_or(&at.plan.config);
    let books = ledger(state.version, &state.table);
    Ok(register::Act::OpenShift {
        new: new_shift(
            at,
            config,
            (Money::from_minor(*opener), rack),
            (books, boxes),
        ),
    })
}

/// The soft count of a shift that has ended.
pub(super) fn count_boxes(floor: &Floor, act: &HouseAct) -> Result<register::Act, Problem> {
    let HouseAct::CountBoxes {
        table,
        shift,
        drop_box,
        tip_box,
        drop,
        drop_pieces,
        tips,
        tip_pieces,
    } = act
    else {
        return Err(Problem::ours(&"not a count of boxes"));
    };
    let of_table = {
        let register = floor.desk.register();
        let known = register.shifts.get(&ShiftId(*shift));
        known.is_some_and(|known| known.table.as_str() == table)
    };
    if !of_table {
        return Err(Problem::declined(&register::Reason::UnknownShift.into()));
    }
    let drop_pieces = CountedPieces::understood(drop_pieces.as_ref());
    let tip_pieces = CountedPieces::understood(tip_pieces.as_ref());
    by_denomination(floor, *drop, &drop_pieces)?;
    by_denomination(floor, *tips, &tip_pieces)?;
    Ok(register::Act::CountBoxes {
        shift: ShiftId(*shift),
        counted: BoxCount {
            boxes: boxes_of(drop_box.as_ref(), tip_box.as_ref()),
            drop: Money::from_minor(*drop),
            drop_pieces,
            tips: Money::from_minor(*tips),
            tip_pieces,
        },
    })
}

/// The end of a shift, and the beginning of the next where the table plays on.
pub(super) async fn close(
    floor: &Arc<Floor>,
    name: &str,
    act: &HouseAct,
) -> Result<register::Act, Problem> {
    let HouseAct::CloseShift {
        closer,
        rack,
        drop,
        tips,
        fills,
        credits,
        comment,
        next_after,
        shift: Some(number),
        next_drop_box,
        next_tip_box,
        ..
    } = act
    else {
        return Err(Problem::ours(&"not the end of a shift"));
    };
    let at = floor.table_named(name)?;
    let id = ShiftId(*number);
    let shift = {
        let register = floor.desk.register();
        let shift = register.shifts.get(&id).cloned();
        let shift = shift.filter(|shift| shift.table == at.hub.name);
        shift.ok_or_else(|| Problem::declined(&register::Reason::UnknownShift.into()))?
    };
    // Another may be open by now: it was not counted for this.
    if !shift.is_open() {
        return Err(Problem::declined(&register::Reason::AlreadyDone.into()));
    }
    // Boxes are counted by others than those who sign for the shift.
    if floor.plan.real_money && (drop.is_some() || tips.is_some()) {
        return Err(Problem::conflict(
            "boxes_counted_apart",
            "with real money the boxes are counted by two who do not sign for the shift",
        ));
    }
    let rack = CountedPieces::understood(rack.as_ref());
    let boxes = boxes_of(next_drop_box.as_ref(), next_tip_box.as_ref());
    counted_well(floor, at, (*closer, &rack), next_after.map(|_| &boxes))?;
    let ledger = match next_after {
        Some(record) => {
            let counted = shift.ledger_from.sequence..=at.hub.state().version;
            if !counted.contains(record) {
                return Err(Problem::declined(&register::Reason::TimeInvalid.into()));
            }
            ledger_at(floor, at, *record).await?
        }
        None => {
            let state = at.hub.state();
            if floor.plan.real_money && state.table.status != Status::Closed {
                return Err(Problem::conflict(
                    "next_shift_needed",
                    "the table is not closed: let the next shift begin with this count, or close \
                     the table first",
                ));
            }
            ledger(state.version, &state.table)
        }
    };
    let house = Arc::clone(floor);
    let table = at.hub.name.clone();
    let from = shift.from_sequence;
    let read = floor.reading().run(move || {
        let signed = house.signed_to(&table, ledger.sequence)?;
        let slips = house.slips(&table, from, ledger.sequence)?;
        Ok::<_, String>((signed, slips))
    });
    let (signed, slips) = read.await?.map_err(|error| Problem::ours(&error))?;
    let on_paper = Slips {
        fills: Money::from_minor(*fills),
        credits: Money::from_minor(*credits),
    };
    if on_paper != slips {
        return Err(Problem::conflict(
            "slips_do_not_match",
            "the slips on paper do not add up to the fills and credits on record",
        ));
    }
    let counts = Counts {
        closer: Money::from_minor(*closer),
        drop: drop.map(Money::from_minor),
        tips: tips.map(Money::from_minor),
    };
    // It begins as this one ends, with the same count and at the same record: the table plays on,
    // and the round in hand belongs to the shift in which it began (J-09).
    let next = next_after.map(|_| {
        let state = at.hub.state();
        let config = state.table.config.as_deref().unwrap_or(&at.plan.config);
        let counted = (counts.closer, rack.clone());
        Box::new(new_shift(at, config, counted, (ledger, boxes)))
    });
    Ok(register::Act::CloseShift {
        shift: id,
        end: ShiftEnd {
            counts,
            ledger,
            signed,
            comment: comment.clone().unwrap_or_default(),
            rack,
        },
        next,
    })
}
