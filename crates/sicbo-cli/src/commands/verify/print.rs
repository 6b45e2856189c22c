//! What a verification came to, in words.

use super::tree::TreeOutcome;
use super::{Outcome, StreamOutcome};
use crate::failure::Failure;
use crate::output::Output;

pub(super) fn print(outcome: &Outcome, out: &mut Output) -> Result<(), Failure> {
    if outcome.practice {
        out.line("PRACTICE: nothing here was played in a house, and no money with it")?;
    }
    if outcome.archive {
        out.line("ARCHIVE: what is old of a house; it ends before the house does and has no tree")?;
    }
    if let Some(house) = &outcome.house {
        let given = if outcome.house_given {
            "as given"
        } else {
            "not compared: give --fingerprint or --key"
        };
        out.line(format!("house   {house} ({given})"))?;
    }
    for stream in &outcome.streams {
        out.line(format!(
            "{}: {} records in {} blocks, {} checkpoints{}",
            stream.stream,
            stream.records,
            stream.blocks,
            stream.checkpoints,
            stream
                .rounds
                .map_or_else(String::new, |rounds| format!(", {rounds} rounds ended")),
        ))?;
        if let Some(earlier) = stream.earlier_rules.filter(|earlier| *earlier > 0) {
            out.line(format!(
                "  {earlier} rounds were played under an earlier reading of the rules and are not \
                 held to today's"
            ))?;
        }
        out.line(match stream.chained_not_signed {
            0 => format!("  signed to the last record, {}", stream.signed_to),
            rest => format!(
                "  signed to record {}; the last {rest} records are chained and NOT SIGNED: \
                 anybody who can write the file could have put them there",
                stream.signed_to
            ),
        })?;
        if let Some(words) = without_checkpoint(stream).filter(|_| !outcome.archive) {
            out.line(words)?;
        }
        if let Some(ran_back) = &stream.time_ran_back {
            out.line(format!(
                "  TIME RAN BACK {} times, first by {}.{:03} s at record {}, although no clock was \
                 set on record",
                ran_back.times,
                ran_back.by_ms / 1_000,
                ran_back.by_ms % 1_000,
                ran_back.first_record
            ))?;
        }
        if let Some(proved) = stream.tumbles_proved.filter(|proved| *proved > 0) {
            out.line(format!(
                "  {proved} tumbles proved by a seed committed to before the bets"
            ))?;
        }
        if let Some(last) = &stream.last_round {
            out.line(format!("  last round {}, code {}", last.round, last.code))?;
        }
        if let (Some(people), Some(enrolled)) = (stream.people, stream.enrolled) {
            out.line(format!("  {people} people, {enrolled} enrolled"))?;
        }
        for balance in &stream.balances {
            out.line(format!("  {:<28} {:>18}", balance.account, balance.amount))?;
        }
    }
    if let Some(tree) = &outcome.tree {
        tree.print(out)?;
    }
    if outcome.tree_missing {
        out.line(
            "tree: NONE (tree/tree.sqlite is missing): it was lost or removed, and a rollback of \
             all journals together could not be noticed by it",
        )?;
    }
    if let Some(vouchers) = &outcome.vouchers {
        out.line(format!(
            "vouchers: {} compared between the house and its tables, {} in transit",
            vouchers.compared,
            vouchers.in_transit.len()
        ))?;
        for owed in &vouchers.outstanding {
            out.line(format!(
                "  outstanding {:<16} {:>18}",
                owed.account, owed.amount
            ))?;
        }
    }
    if let Some(case) = &outcome.case {
        out.line(format!(
            "case {} ({}) at {}, opened {}, {}: {} records, {} checkpoints",
            case.case,
            case.kind,
            case.table,
            case.opened,
            case.state,
            case.records,
            case.checkpoints
        ))?;
        if outcome.bundle.is_none() {
            out.line("note: it holds no round that had ended")?;
        }
        out.line("note: its records are those the house had made when the file was made")?;
    }
    if let Some(bundle) = &outcome.bundle {
        let station = bundle
            .station
            .as_ref()
            .map_or_else(String::new, |name| format!(", for station {name}"));
        out.line(format!(
            "round {} of {}{station}: {} records, {} headers, {} checkpoints",
            bundle.round, bundle.stream, bundle.records, bundle.headers, bundle.checkpoints
        ))?;
        if let Some(code) = &bundle.code {
            out.line(format!("code          {code}"))?;
        }
        out.line(format!("program       sha256 {}", bundle.program_sha256))?;
        out.line(format!(
            "rule book     sha256 {} ({})",
            bundle.rulebook_sha256, bundle.rulebook
        ))?;
        out.line(format!("configuration sha256 {}", bundle.config_sha256))?;
        for remark in &bundle.cannot_prove {
            out.line(format!("note: {remark}"))?;
        }
    }
    for fault in &outcome.faults {
        let stream = fault
            .stream
            .as_ref()
            .map_or_else(String::new, |stream| format!("{stream}, "));
        out.line(format!("NOT verified: {stream}{}", fault.what))?;
    }
    let short = outcome.tree.as_ref().is_some_and(TreeOutcome::is_short);
    match outcome.faults.len() {
        0 if outcome.signed && !short => {
            out.line("verified: chain, signatures, payments and balances agree")
        }
        0 => out.line("verified, but not signed or cosigned to the end: see above which records"),
        1 => Ok(()),
        many => out.line(format!("{many} faults")),
    }
}

/// A house signs a checkpoint at each round's end, within a minute of any other
/// record and when it is stopped.
fn without_checkpoint(stream: &StreamOutcome) -> Option<String> {
    let rest = stream.records_after_checkpoint;
    let all = "NO CHECKPOINT: a house signs one within a minute and when it is stopped; unless it \
               has only begun they were removed, and no round of it can be bundled";
    match stream.checkpoints {
        _ if rest == 0 => None,
        0 => Some(format!("  {all}")),
        _ => Some(format!(
            "  the last {rest} records are under NO CHECKPOINT of the house's key yet: a crash, or \
             a house that runs, leaves such"
        )),
    }
}
