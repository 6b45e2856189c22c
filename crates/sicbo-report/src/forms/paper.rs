//! What is printed of a report: a head, tables and notes, all as text.

use sicbo_rules::{Currency, Money};

use super::super::sheet::{AmendmentLine, ShiftFigures, TableReport};
use super::registers::{registers, shift};
use sicbo_proof::text::time;

/// A column of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its head.
    pub name: &'static str,
    /// It holds figures.
    pub figures: bool,
}

/// A table of a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its title.
    pub title: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}

/// A report as it is printed.
#[derive(Clone, PartialEq, Debug)]
pub struct Paper {
    /// Its title.
    pub title: String,
    /// What it is and what it came to.
    pub head: Vec<(String, String)>,
    /// Its tables; none is empty.
    pub blocks: Vec<Block>,
    /// What the figures mean.
    pub notes: Vec<String>,
    /// The report itself, for charts.
    pub(super) report: TableReport,
}

/// Amounts of the report's currency.
pub(super) struct Amounts(Currency);

impl Amounts {
    pub(super) fn of(&self, minor: i64) -> String {
        self.0.format(Money::from_minor(minor))
    }
}

/// A table, unless there is nothing to put into it. Its heads stand between
/// bars; one that starts with `>` is for figures.
pub(super) fn block(
    out: &mut Vec<Block>,
    title: &str,
    heads: &'static str,
    rows: impl IntoIterator<Item = Vec<String>>,
) {
    let rows: Vec<Vec<String>> = rows.into_iter().collect();
    if rows.is_empty() {
        return;
    }
    let column = |head: &'static str| Column {
        name: head.trim_start_matches('>'),
        figures: head.starts_with('>'),
    };
    out.push(Block {
        title: title.to_owned(),
        columns: heads.split(" | ").map(column).collect(),
        rows,
    });
}

/// A cell that may be empty.
pub(super) fn shown(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn yes(is: bool) -> String {
    if is { "yes" } else { "NO" }.to_owned()
}

fn percent(figure: Option<f64>) -> String {
    figure.map_or_else(|| "none".to_owned(), |figure| format!("{figure:.3} %"))
}

impl Paper {
    /// What is printed of a report.
    #[must_use]
    pub fn of(report: &TableReport) -> Paper {
        let currency = Currency::new(&report.currency, report.decimals);
        let amounts = Amounts(currency.unwrap_or(Currency::SGD));
        let mut blocks = Vec::new();
        shift(report, &amounts, &mut blocks);
        play(report, &amounts, &mut blocks);
        rounds(report, &amounts, &mut blocks);
        money(report, &amounts, &mut blocks);
        people(report, &mut blocks);
        registers(report, &mut blocks);
        let of = report.shift.as_ref();
        let of = of.map_or_else(String::new, |of| format!(", shift {}", of.shift));
        Paper {
            title: format!("Report of table {}{of}", report.table),
            head: head(report, &amounts),
            blocks,
            notes: report.notes.clone(),
            report: report.clone(),
        }
    }
}

fn head(report: &TableReport, amounts: &Amounts) -> Vec<(String, String)> {
    let result = &report.result;
    let seal = report.checkpoint.as_ref();
    let moment = |at: Option<i64>| at.map_or_else(|| "none".to_owned(), |at| time(at) + " UTC");
    let z = result.z.map_or_else(
        || "none".to_owned(),
        |z| format!("{z:.4} (chance {:.4})", result.z_chance.unwrap_or(1.0)),
    );
    let speed = report.play.rounds_per_hour;
    let rows = [
        ("Rule books", report.rulebooks.join(", ")),
        ("Currency", report.currency.clone()),
        ("Records", format!("{} to {}", report.from, report.to)),
        ("From", moment(report.from_ms)),
        ("To", moment(report.to_ms)),
        (
            "Checkpoint",
            seal.map_or_else(
                || "none".to_owned(),
                |seal| {
                    let open = if seal.sequence < report.to {
                        "; what came after it is not signed yet"
                    } else {
                        ""
                    };
                    format!("{} at record {}{open}", seal.fingerprint, seal.sequence)
                },
            ),
        ),
        (
            "Corrections known up to record",
            format!("{}", report.as_of),
        ),
        ("Rounds", report.play.rounds.to_string()),
        ("Settled", report.play.settled.to_string()),
        ("Void", report.play.void.to_string()),
        (
            "Voided after settlement",
            report.play.voided_after_settlement.to_string(),
        ),
        ("Corrected", report.play.corrected.to_string()),
        ("Bets", report.play.bets.to_string()),
        (
            "Rounds an hour",
            speed.map_or_else(|| "none".to_owned(), |speed| format!("{speed:.1}")),
        ),
        ("Handle", amounts.of(result.handle)),
        ("Win", amounts.of(result.win)),
        ("Drop", amounts.of(result.drop)),
        ("Hold", percent(result.hold_percent)),
        (
            "Theoretical win",
            format!(
                "{} (exactly {} minor units)",
                result.theoretical.shown, result.theoretical.exact
            ),
        ),
        ("Edge of the mix", percent(result.edge_percent)),
        (
            "Win less theoretical win",
            format!(
                "{} (exactly {} minor units)",
                result.difference.shown, result.difference.exact
            ),
        ),
        (
            "Standard deviation",
            amounts.of(result.deviation.round() as i64),
        ),
        (
            "Exact variance in squared minor units",
            result.variance.clone(),
        ),
        ("z", z),
        (
            "Win with later corrections",
            amounts.of(report.win_with_later),
        ),
        ("Accounts balance", yes(report.ledger.balances)),
        ("Books agree with results", yes(report.ledger.reconciles)),
        (
            "Meters reconcile",
            yes(report.meters.iter().all(|m| m.reconciles != Some(false))),
        ),
        (
            "Dice",
            if report.fairness.alarmed {
                "ALARM: see fairness".to_owned()
            } else {
                report.fairness.quiet()
            },
        ),
    ];
    let shift = report.shift.as_ref().map(|shift| {
        let two = |people: &[String]| people.join(" and ");
        let open = || "it goes on".to_owned();
        let signed = match (&shift.fingerprint, shift.signed_to) {
            (Some(fingerprint), Some(to)) => format!("{fingerprint} at record {to}"),
            _ => "none".to_owned(),
        };
        [
            ("Shift", shift.shift.to_string()),
            ("Began", moment(Some(shift.opened_ms))),
            ("Its beginning signed by", two(&shift.opened_by)),
            (
                "Ended",
                shift.closed_ms.map_or_else(open, |at| moment(Some(at))),
            ),
            (
                "Outgoing and incoming signed",
                shift.closed_ms.map_or_else(open, |_| two(&shift.signed_by)),
            ),
            ("Drop box and tip box", boxes_of(shift)),
            ("Boxes counted by", counted_by(shift)),
            ("Checkpoint when they signed", signed),
            ("About differences", shift.comment.clone()),
        ]
    });
    shift
        .into_iter()
        .flatten()
        .chain(rows)
        .map(|(label, value)| (label.to_owned(), value))
        .collect()
}

/// The numbers of the boxes that were locked to the table.
fn boxes_of(shift: &ShiftFigures) -> String {
    match (shift.drop_box.as_str(), shift.tip_box.as_str()) {
        ("", "") => "none".to_owned(),
        (drop, tips) => format!("{drop} and {tips}"),
    }
}

/// Who counted the boxes, or that nobody has.
fn counted_by(shift: &ShiftFigures) -> String {
    if shift.boxes_counted_by.is_empty() {
        let counted = shift.drop.is_some() && shift.tips.is_some();
        let said = if counted {
            "those who signed"
        } else {
            "not counted yet"
        };
        return said.to_owned();
    }
    let by = shift.boxes_counted_by.join(" and ");
    let at = shift.boxes_counted_ms.map_or_else(String::new, time);
    format!("{by}, {at}")
}

fn play(report: &TableReport, amounts: &Amounts, out: &mut Vec<Block>) {
    let kinds = report.kinds.iter().map(|line| {
        vec![
            line.kind.clone(),
            line.bets.to_string(),
            amounts.of(line.handle),
            amounts.of(line.returned),
            amounts.of(line.win),
            line.theoretical.shown.clone(),
            format!("{:.3} %", line.edge_percent),
        ]
    });
    let heads = "kind | >bets | >handle | >returned | >win | >theoretical | >edge";
    block(out, "Bets by kind", heads, kinds);
    let closing = &report.closing;
    let seconds = |ms: i64| format!("{:.1}", ms as f64 / 1_000.0);
    if closing.rounds > 0 {
        let row = vec![
            closing.rounds.to_string(),
            seconds(closing.least_ms),
            seconds(closing.tenth_ms),
            seconds(closing.half_ms),
            seconds(closing.nine_tenths_ms),
            seconds(closing.most_ms),
        ];
        let heads = ">rounds | >least | >10 % | >median | >90 % | >most";
        block(out, "Seconds in which bets were taken", heads, [row]);
    }
    let before = closing.before.iter().map(|line| {
        let within = line
            .within_ms
            .map_or_else(|| "earlier".to_owned(), |ms| format!("{} s", ms / 1_000));
        vec![within, line.bets.to_string(), amounts.of(line.staked)]
    });
    let heads = "before the close, up to | >bets | >staked";
    block(out, "Bets before the close", heads, before);
}

fn amendments(lines: &[AmendmentLine], amounts: &Amounts) -> Vec<Vec<String>> {
    lines
        .iter()
        .map(|line| {
            vec![
                line.round.to_string(),
                line.sequence.to_string(),
                time(line.at_ms),
                line.was.clone(),
                match &line.cause {
                    Some(cause) => format!("{}: {cause}", line.is),
                    None => line.is.clone(),
                },
                line.rule.clone(),
                line.evidence.clone(),
                line.by.clone(),
                line.second.clone().unwrap_or_default(),
                amounts.of(line.win_change),
            ]
        })
        .collect()
}

fn rounds(report: &TableReport, amounts: &Amounts, out: &mut Vec<Block>) {
    let causes = report.voids.iter().map(|line| {
        vec![
            line.cause.clone(),
            line.rule.clone(),
            line.rounds.to_string(),
            amounts.of(line.staked),
        ]
    });
    let heads = "cause | rule | >rounds | >returned";
    block(out, "Void rounds by cause", heads, causes);
    let voids = report.void_register.iter().map(|line| {
        vec![
            line.round.to_string(),
            line.sequence.to_string(),
            time(line.at_ms),
            line.cause.clone(),
            line.rule.clone(),
            line.reason.clone().unwrap_or_default(),
            line.by.clone(),
            line.second.clone().unwrap_or_default(),
            amounts.of(line.staked),
        ]
    });
    let heads = ">round | >record | time | cause | rule | reason | by | second | >returned";
    block(out, "Register of void rounds", heads, voids);
    let heads = "\
        >round | >record | time | was | is | rule | evidence | by | second | \
        >win changes by";
    for (title, lines) in [
        (
            "Corrections and late voids within the report",
            &report.corrections,
        ),
        ("Those of earlier rounds, made within it", &report.earlier),
        ("Those made since, not in the figures", &report.later),
    ] {
        block(out, title, heads, amendments(lines, amounts));
    }
    let incidents = report.incidents.iter().map(|line| {
        vec![
            line.sequence.to_string(),
            time(line.at_ms),
            line.kind.clone(),
            line.by.clone(),
            line.note.clone(),
        ]
    });
    let exceptions = report.exceptions.iter().map(|line| {
        vec![
            line.entry.to_string(),
            time(line.at_ms),
            line.how.clone(),
            line.station.clone(),
            amounts.of(line.amount),
            line.counted
                .map_or_else(String::new, |counted| amounts.of(counted)),
            line.by.clone(),
            line.second.clone().unwrap_or_default(),
        ]
    });
    let heads = ">entry | time | how | station | >moved | >counted | by | second";
    block(
        out,
        "Exceptions: moved by staff and not counted by another",
        heads,
        exceptions,
    );
    let heads = ">record | time | incident | by | note";
    block(out, "Incidents", heads, incidents);
}

fn money(report: &TableReport, amounts: &Amounts, out: &mut Vec<Block>) {
    let meters = report.meters.iter().map(|line| {
        let mut row = vec![line.name.clone()];
        let figures = [
            line.credit_before,
            line.cash_in,
            line.voucher_in,
            line.transfer_in,
            line.staked,
            line.returned,
            line.void_returned,
            line.corrected_in,
            line.recovered,
            line.adjusted,
            line.voucher_out,
            line.hand_pay,
            line.transfer_out,
            line.credit_after,
        ];
        row.extend(figures.map(|figure| amounts.of(figure)));
        row.push(line.reconciles.map_or_else(String::new, yes));
        row
    });
    let heads = "\
        station | >before | >cash in | >voucher in | >transfer in | >bets | >wins | >void | \
        >corrected | >recovered | >adjusted | >voucher out | >hand pay | >transfer out | \
        >after | reconciles";
    block(out, "Meters", heads, meters);
    let accounts = report.ledger.accounts.iter().map(|line| {
        vec![
            line.account.clone(),
            amounts.of(line.before),
            amounts.of(line.after),
            amounts.of(line.after - line.before),
        ]
    });
    let heads = "account | >before | >after | >moved";
    block(out, "Accounts", heads, accounts);
    let ledger = &report.ledger;
    let row = vec![
        amounts.of(report.result.win),
        amounts.of(ledger.earlier_amendments),
        amounts.of(ledger.waived),
        amounts.of(ledger.book_win),
        yes(ledger.reconciles),
    ];
    let heads = ">win | >less earlier amendments | >less waived | >is the books' win | agrees";
    block(out, "Books", heads, [row]);
    for (title, lines) in [
        ("Unclaimed credits", &report.unclaimed),
        ("Recoverable overpayments", &report.recoverable),
    ] {
        let rows = lines.iter().map(|line| {
            vec![
                line.id.to_string(),
                line.round.to_string(),
                line.station.clone(),
                amounts.of(line.amount),
            ]
        });
        block(out, title, ">number | >round | station | >amount", rows);
    }
    if let Some(owed) = &report.vouchers {
        let figures = [
            owed.issued,
            owed.redeemed_at_tables,
            owed.redeemed_at_cage,
            owed.returned,
            owed.voided,
            owed.expired,
            owed.outstanding,
        ];
        let mut row = vec![owed.sequence.to_string()];
        row.extend(figures.map(|figure| amounts.of(figure)));
        let heads = "\
            >house record | >issued | >at tables | >at the cage | >returned | >voided | \
            >expired | >outstanding";
        block(out, "Vouchers of the house", heads, [row]);
    }
    let slips = report.slips.iter().map(|line| {
        vec![
            line.how.clone(),
            line.slip.clone(),
            time(line.at_ms),
            line.by.clone(),
            line.second.clone().unwrap_or_default(),
            amounts.of(line.amount),
        ]
    });
    let heads = "slip for | number | time | by | second | >amount";
    block(out, "Fills and credits", heads, slips);
}

fn people(report: &TableReport, out: &mut Vec<Block>) {
    let dealers = report.dealers.iter().map(|line| {
        vec![
            match (&line.name, line.person) {
                (Some(name), _) => name.clone(),
                (None, Some(person)) => person.to_string(),
                (None, None) => "automatic".to_owned(),
            },
            line.rounds.to_string(),
            format!("{:.1}", line.mean_round_ms as f64 / 1_000.0),
            line.voids.to_string(),
            line.corrections.to_string(),
            line.keys_cleared.to_string(),
            line.bad_tumbles.to_string(),
            line.late_acts.to_string(),
            line.decisions.to_string(),
        ]
    });
    let heads = "\
        dealer | >rounds | >mean seconds | >void | >amended | >keyed again | >bad tumbles | \
        >late acts | >decisions";
    block(out, "Dealers", heads, dealers);
    let dice = report.dice.iter().map(|line| {
        let mut row = vec![
            line.dice_set.clone(),
            line.rounds.to_string(),
            line.first_round.to_string(),
            line.last_round.to_string(),
        ];
        row.extend(line.faces.iter().map(ToString::to_string));
        row
    });
    let heads = "dice set | >rounds | >first | >last | >1 | >2 | >3 | >4 | >5 | >6";
    block(out, "Dice", heads, dice);
    let fairness = report.fairness.groups.iter().map(|group| {
        vec![
            group.by.clone(),
            group.name.clone(),
            group.rounds.to_string(),
            figure(group.e),
            figure(group.e_peak),
            figure(group.alarm_at),
            group
                .alarm_round
                .map_or_else(|| "none".to_owned(), |round| format!("round {round}")),
            group.saw.clone(),
        ]
    });
    let heads = "\
        by | which | >rounds | >evidence | >most | >alarm at | alarm | what speaks loudest";
    block(out, "Fairness of the dice", heads, fairness);
}

/// Evidence, with as many digits as mean something.
fn figure(e: f64) -> String {
    if e < 100.0 {
        format!("{e:.3}")
    } else if e < 1e9 {
        format!("{e:.0}")
    } else {
        format!("{e:.1e}")
    }
}
