//! Reports of a table: what was played, what it came to, whether it adds up,
//! and what stands out (P-034, P-067, P-090 to P-099, J-09).
//!
//! Pure functions over recorded events. A report is of a stretch of records
//! and true as of its last: what later records amended stands apart, so that a
//! report printed again says the same and what has come since.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod accounts;
pub mod alerts;
mod besides;
pub mod events;
mod exact;
mod exceptions;
pub mod fairness;
pub mod forms;
mod kinds;
mod people;
mod reading;
mod rounds;
pub mod security;
pub mod sheet;
mod slips;
mod tally;

use sicbo_journal::{Store, StreamId};
use sicbo_lab::stats::two_sided;
use sicbo_rules::{Currency, Money};
use sicbo_table::Table;

use exact::{approx, fraction, money};
use fairness::Fairness;
use reading::{Both, Reading};
use sheet::{ClosingFigures, PlayFigures, ResultFigures, TableReport};
use sicbo_proof::history::HistoryError;
use tally::{Tally, amendment};

pub use accounts::{Counts, station_meters};
pub use besides::{Besides, HouseAt, with_name};
pub use exact::ExactFigure;
pub use exceptions::exceptions;
pub use reading::{Asked, Followed, state_at};
pub use slips::Slips;

/// Most rounds a report is of: a stretch beyond it is to be divided.
pub const MAX_ROUNDS: usize = 200_000;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// There are no such records.
    #[error("records {from} to {to} are asked for; there are 1 to {last}")]
    Range {
        /// The first asked for.
        from: u64,
        /// The last asked for.
        to: u64,
        /// The last there is.
        last: u64,
    },
    /// Too many rounds at once.
    #[error("a report is of at most {MAX_ROUNDS} rounds; choose a shorter stretch")]
    TooLong,
    /// The journal could not be read, or is not what was written.
    #[error(transparent)]
    Journal(#[from] HistoryError),
}

/// The report of a table over a stretch of its journal.
///
/// # Errors
/// When there are no such records, too many rounds, or the journal cannot be read.
pub fn table(
    store: &dyn Store,
    stream: &StreamId,
    asked: Asked,
    besides: Besides,
) -> Result<TableReport, ReportError> {
    let mut reading = Reading::new(store, stream, asked, besides.shift.is_some())?;
    let mut tally = Tally::new(store);
    let mut watcher = alerts::Watcher::default();
    let state = reading.play(&mut Both(&mut tally, &mut watcher))?;
    tally.finish();
    let currency = state.config.as_ref().map_or(Currency::SGD, |c| c.currency);
    let mut later = Vec::new();
    if tally.any_amended()
        && let Some(rounds) = tally.rounds.numbers()
    {
        reading.later(&rounds, |sequence, event| {
            later.extend(amendment(&state, sequence, event));
        })?;
    }
    let result = result(&tally, &state, currency);
    let win = Money::from_minor(result.win);
    let taken: i64 = tally.earlier.iter().map(|line| -line.win_change).sum();
    let ledger = tally
        .began
        .ledger(&state, win, Money::from_minor(taken), tally.waived);
    let slips = match besides.shift() {
        // The counts are of the moment when they were signed, and the last round came after it.
        Some((_, shift))
            if (reading.from, Some(reading.to)) != (shift.from_sequence, shift.to_sequence) =>
        {
            let to = shift.to_sequence.unwrap_or(reading.as_of);
            let slips = Slips::read(store, shift.from_sequence, to)?;
            (slips.fills, slips.credits)
        }
        _ => (tally.fills, tally.credits),
    };
    let counted = besides.counted(slips).map(|counts| {
        tally
            .began
            .counted(&state, &counts, slips, besides.recorded())
    });
    let name = reading.stream.as_str();
    let time = besides.time(tally.from_ms, tally.to_ms);
    let ended = state.config.as_ref().map(|config| config.dice_set.clone());
    let dice_sets = (tally.dice_began.clone(), ended.unwrap_or_default());
    let books = tally.kinds.books();
    let mut report = TableReport {
        table: name.to_owned(),
        rulebooks: books
            .map(|book| format!("{} {}", book.id(), &book.sha256_hex()[..16]))
            .collect(),
        currency: currency.code().to_owned(),
        decimals: currency.decimals(),
        from: reading.from,
        to: reading.to,
        as_of: reading.as_of,
        from_ms: tally.from_ms,
        to_ms: tally.to_ms,
        checkpoint: reading.seal(tally.rounds.played.last().map(|one| one.sequence))?,
        shift: besides.figures(slips),
        play: play(&tally),
        win_with_later: result.win + later.iter().map(|line| line.win_change).sum::<i64>(),
        result,
        kinds: tally.kinds.lines(currency),
        closing: closing(&tally),
        voids: tally.causes(),
        meters: tally.began.meters(&state),
        ledger,
        unclaimed: accounts::unclaimed(&state),
        recoverable: accounts::recoverable(&state),
        vouchers: besides.vouchers(currency),
        counted,
        dealers: people::dealers(&tally.rounds),
        dice: people::dice(&tally.rounds),
        fairness: Fairness::of(
            &tally.rounds,
            &besides.shifts_within(reading.from, reading.to),
        ),
        refusals: besides.refusals(),
        custody: besides.custody(name, dice_sets, &time),
        cases: besides.cases(&state, name, &time),
        exceptions: exceptions(&state),
        alerts: alerts::found(&watcher, &state),
        void_register: tally.voids,
        corrections: tally.corrections,
        earlier: tally.earlier,
        later,
        slips: tally.slips,
        incidents: tally.incidents,
        notes: NOTES.iter().map(|note| (*note).to_owned()).collect(),
    };
    besides.name_people(&mut report);
    Ok(report)
}

/// What the figures mean, said once.
const NOTES: [&str; 7] = [
    "A round belongs to the report in which it ended, and to that of the shift in which it \
     began. Handle is what was staked in rounds that \
     stand settled after the last record; void rounds are not in it, whenever they became void.",
    "Drop is the cash taken by acceptors and into the drop box, vouchers taken, and credit from the \
     cage or an attendant; chips brought from elsewhere are not in it. Hold is win over drop.",
    "Theoretical win is every stake times the exact edge of its section on its layout. Its variance \
     is the sum, round by round, of the variance over all 216 outcomes of what the house would have \
     won on the stakes as they lay; nothing is approximated before the square root.",
    "Corrections made after the last record stand apart and change no other figure.",
    "A refused bet moves nothing and is not in the table's journal, nor is a limit that refused it. \
     Refusals are counted while the house runs and kept with the shift when it ends; a restart within \
     a shift loses what was counted before it.",
    "Rounds an hour are rounds that commenced by what the rule book calls the start of a round: a \
     record that became void before that is not one of them.",
    "The dealer of a round is who called for bets. Figures by dealer are for training.",
];

fn result(tally: &Tally<'_>, state: &Table, currency: Currency) -> ResultFigures {
    let (handle, returned) = tally.kinds.totals();
    let win = Money::from_minor(handle - returned);
    let theoretical = tally.kinds.theoretical();
    // Two ways to the same number: stakes by edges, and rounds by outcomes.
    debug_assert_eq!(theoretical, tally.chance.theoretical());
    let meters = tally.began.meters(state);
    let vouchers: i64 = meters.iter().map(|line| line.voucher_in).sum();
    let cash = (tally.began.books.drop - state.books.drop).minor();
    let transfers = tally.transfers.minor();
    let drop = cash + vouchers + transfers;
    let percent = |of: i64| (of != 0).then(|| approx(&fraction(win.minor() * 100, of)));
    let z = tally.chance.z(win);
    ResultFigures {
        handle,
        returned,
        win: win.minor(),
        drop_cash: cash,
        drop_vouchers: vouchers,
        drop_transfers: transfers,
        drop,
        hold_percent: percent(drop),
        edge_percent: (handle != 0).then(|| 100.0 * approx(&theoretical) / handle as f64),
        theoretical: money(&theoretical, currency),
        difference: money(&tally.chance.difference(win), currency),
        variance: tally.chance.variance().to_string(),
        deviation: tally.chance.deviation(),
        z,
        z_chance: z.map(two_sided),
    }
}

fn play(tally: &Tally<'_>) -> PlayFigures {
    use sicbo_table::record::Standing;
    let played = &tally.rounds.played;
    let count =
        |is: fn(&rounds::Played) -> bool| played.iter().filter(|one| is(one)).count() as u64;
    let rounds = played.len() as u64;
    let playing_ms = match (played.first(), played.last()) {
        (Some(first), Some(last)) => last.ended_ms.saturating_sub(first.began_ms),
        _ => 0,
    };
    PlayFigures {
        rounds,
        settled: count(|one| one.standing != Standing::Void),
        void: count(|one| one.void_at_first),
        voided_after_settlement: count(|one| !one.void_at_first && one.standing == Standing::Void),
        corrected: count(|one| one.amended && one.standing != Standing::Void),
        bet_acts: tally.rounds.bet_acts,
        bets: tally.rounds.bet_lines,
        playing_ms,
        rounds_per_hour: (playing_ms > 0)
            .then(|| count(|one| one.started) as f64 * 3_600_000.0 / playing_ms as f64),
    }
}

fn closing(tally: &Tally<'_>) -> ClosingFigures {
    let times = tally.rounds.played.iter();
    let mut times: Vec<i64> = times
        .filter_map(|one| Some(one.closing_ms?.saturating_sub(one.opened_ms?)))
        .collect();
    times.sort_unstable();
    // The smallest that so many tenths of the rounds do not exceed.
    let at = |tenths: usize| {
        let place = (times.len() * tenths).div_ceil(10).max(1) - 1;
        times.get(place).copied().unwrap_or(0)
    };
    ClosingFigures {
        rounds: times.len() as u64,
        least_ms: at(0),
        tenth_ms: at(1),
        half_ms: at(5),
        nine_tenths_ms: at(9),
        most_ms: at(10),
        before: tally.before.clone(),
    }
}
