//! The par sheet as A4 pages.

use sicbo_lab::hold::ROUNDS;
use sicbo_report::forms::{Block, Column, Pages, PdfError};

use super::sheet::{CONFIDENCE, ParSheet};
use crate::lab::Origin;
use crate::lab::origin::PROGRAM;
use crate::sections::{gathered, percent_text};

const VALUES: &str = "Section | >Pays | >Ways of 216 | >Chance | >Return | >Edge | >Edge % | >Variance | >Std dev | Rule";
const PLAY: &str = "Section | >Hit % | >Largest win | >Skewness | >Exc. kurtosis | >Volatility | >Hold 1e3 | >Hold 1e4 | >Hold 1e5 | >Hold 1e6 | >Hold 1e7";

fn block(title: String, heads: &'static str, rows: Vec<Vec<String>>) -> Block {
    Block {
        title,
        columns: heads
            .split(" | ")
            .map(|head| Column {
                name: head.trim_start_matches('>'),
                figures: head.starts_with('>'),
            })
            .collect(),
        rows,
    }
}

/// All sheets as one document.
pub(super) fn pdf(sheets: &[ParSheet]) -> Result<Vec<u8>, PdfError> {
    let first = &sheets[0];
    let source = &first.game.source;
    let names: Vec<&str> = sheets.iter().map(|sheet| sheet.game.name()).collect();
    let title = format!("Par sheet {}", names.join(", "));
    let mut head = vec![
        ("Game".to_owned(), first.game.title.clone()),
        ("Rule book".to_owned(), source.rulebook.clone()),
        (
            "Version".to_owned(),
            source
                .rulebook_version
                .clone()
                .unwrap_or_else(|| "lost or not given".to_owned()),
        ),
        (
            "Rule book SHA-256".to_owned(),
            source.rulebook_sha256.clone(),
        ),
        ("Currency".to_owned(), first.game.currency.to_string()),
        ("Program".to_owned(), PROGRAM.to_owned()),
    ];
    if let Some(found) = &first.found {
        let identity = &found.book.identity;
        head.insert(1, ("Operator".to_owned(), identity.operator.is.clone()));
        if let Some(effective) = identity.effective.known() {
            head.push(("Effective".to_owned(), effective.clone()));
        }
    }
    if let Some(published) = &source.published {
        head.push(("Published".to_owned(), published.clone()));
    }
    let mut blocks = Vec::new();
    for sheet in sheets {
        let name = sheet.game.name();
        head.push((format!("Self-test of {name}"), sheet.summary()));
        let values = sheet
            .game
            .bets
            .iter()
            .map(|bet| (bet, (bet.pays(), bet.par(&sheet.loading))));
        let rows = gathered(values)
            .iter()
            .map(|group| {
                let (pays, par) = &group.value;
                let ways: Vec<String> = par.ways_by_line.iter().map(u32::to_string).collect();
                let mut rules: Vec<&str> = group
                    .sections
                    .iter()
                    .flat_map(|bet| bet.lines.iter().map(|line| line.rule.as_str()))
                    .collect();
                rules.sort_unstable();
                rules.dedup();
                vec![
                    group.label(),
                    pays.join(" / "),
                    ways.join(" / "),
                    par.chance.to_string(),
                    par.returned.to_string(),
                    par.edge().to_string(),
                    percent_text(par.edge()),
                    par.variance.to_string(),
                    format!("{:.6}", par.deviation()),
                    rules.join("; "),
                ]
            })
            .collect();
        blocks.push(block(format!("Values of {name}"), VALUES, rows));
        let rows = sheet.play.iter().map(super::SectionPlay::cells).collect();
        blocks.push(block(format!("Play on {name}"), PLAY, rows));
    }
    let notes = [
        "Three fair dice have 6 × 6 × 6 = 216 equally likely ordered outcomes. Ways counts those that win, line by line where a section has several lines of odds. Pays is the profit to 1; the stake is returned besides.".to_owned(),
        "Return is the exact mean of what comes back for a stake of 1, stake included; the edge is 1 less the return. Fractions are exact; percentages and deviations are rounded when printed.".to_owned(),
        format!("Hold: the range that holds {} % of all stretches of so many rounds ({} to {}) with one unit on the section in each, in percent of what was staked: quantiles of the exact distribution.", CONFIDENCE * 100.0, ROUNDS[0], ROUNDS[ROUNDS.len() - 1]),
        "Volatility: the volatility index, half the width of the hold's range after one round, in units staked; over N rounds it falls with the root of N. Skewness and excess kurtosis are those of one round.".to_owned(),
    ];
    Pages {
        title: &title,
        head: &head,
        blocks: &blocks,
        notes: &notes,
        foot: Origin::new("par", &first.game, &first.loading).line(),
        signatures: [
            "Examined by, date ____________________".to_owned(),
            "Approved by, date ____________________".to_owned(),
        ],
    }
    .pdf()
}
