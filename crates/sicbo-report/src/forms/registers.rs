//! What is printed of a shift's counts and of the house's registers.

use super::super::sheet::TableReport;
use super::paper::{Amounts, Block, block, shown};
use sicbo_proof::text::time;

/// What was counted at the ends of a shift, against what is recorded.
pub(super) fn shift(report: &TableReport, amounts: &Amounts, out: &mut Vec<Block>) {
    let Some(counted) = &report.counted else {
        return;
    };
    let rows = counted.lines.iter().map(|line| {
        vec![
            line.what.clone(),
            amounts.of(line.counted),
            amounts.of(line.recorded),
            amounts.of(line.variance),
        ]
    });
    let heads = "count | >counted | >recorded | >variance";
    block(out, "Counts", heads, rows);
    if !counted.has_rack {
        return;
    }
    let of = |what: &str| {
        let line = counted.lines.iter().find(|line| line.what == what);
        amounts.of(line.map_or(0, |line| line.counted))
    };
    let mut row = ["opener", "fills", "credits", "closer", "drop"]
        .map(of)
        .to_vec();
    let colours = counted.colour_out_after - counted.colour_out_before;
    row.push(amounts.of(colours));
    row.push(amounts.of(counted.win_by_count));
    let heads = "\
        >opener | >plus fills | >less credits | >less closer | >from the drop | \
        >less colour chips out | >win by count";
    block(out, "Win by count", heads, [row]);
}

/// Registers of the house that belong to the report.
pub(super) fn registers(report: &TableReport, out: &mut Vec<Block>) {
    let cases = report.cases.iter().flatten().map(|line| {
        vec![
            line.case.to_string(),
            line.kind.clone(),
            time(line.opened_ms),
            line.by.clone(),
            shown(line.round),
            line.station.clone().unwrap_or_default(),
            line.grievance.clone(),
            line.words.clone(),
            line.stood.clone(),
            line.overdue.join(", "),
            line.stands.clone(),
            line.outcome.clone().unwrap_or_default(),
        ]
    });
    let heads = "\
        >case | kind | opened | by | >round | station | about | words | stood at the end | \
        late then | stands now | decided";
    block(out, "Disputes and incidents", heads, cases);
    if let Some(custody) = &report.custody {
        let row = vec![
            custody.began.clone(),
            custody.ended.clone(),
            custody
                .good_ms
                .map_or_else(|| "not on record".to_owned(), time),
        ];
        let heads = "in the tumbler at first | at last | last found good";
        block(out, "Dice in use", heads, [row]);
        let steps = custody.steps.iter().map(|line| {
            let found = match line.good {
                Some(true) => "good",
                Some(false) => "not good",
                None => "",
            };
            vec![
                time(line.at_ms),
                line.set.clone(),
                line.step.clone(),
                found.to_owned(),
                line.text.clone(),
                line.by.clone(),
                line.second.clone().unwrap_or_default(),
            ]
        });
        let heads = "time | dice set | step | found | text | by | second";
        block(out, "Custody of the dice", heads, steps);
    }
    let refusals = report.refusals.iter().flatten();
    let refusals = refusals.map(|line| vec![line.code.clone(), line.count.to_string()]);
    let heads = "reason | >bets";
    block(out, "Refused bets", heads, refusals);
    let alerts = report.alerts.iter().map(|alert| {
        vec![
            alert.code.clone(),
            time(alert.at_ms),
            shown(alert.round),
            alert.station.clone().unwrap_or_default(),
            shown(alert.person),
            alert.saw.clone(),
            alert
                .chance
                .map_or_else(String::new, |chance| format!("{chance:.2e}")),
        ]
    });
    let heads = "alert | time | >round | station | >person | what was seen | >chance";
    block(out, "Alerts", heads, alerts);
}
