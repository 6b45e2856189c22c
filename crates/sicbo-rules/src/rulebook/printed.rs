//! Odds printed on a layout beside those its pay table pays: the classic error
//! of a felt is to print one and pay the other.

use super::layouts::Drawn;
use super::pay_tables::ReadPayTable;
use crate::layout::CellKind;
use crate::odds::Odds;

/// Odds that a printed line states: `62 to 1`, `1:150`, `1 WINS 8 1/2`, and
/// what may stand beside them, as in `12 to 1 ON THREE DICE`.
fn stated(line: &str) -> Option<Odds> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if let Some(at) = words
        .iter()
        .position(|word| word.eq_ignore_ascii_case("wins"))
    {
        let one = at.checked_sub(1).and_then(|before| words.get(before)) == Some(&"1");
        return one.then(|| number(&words[at + 1..])).flatten();
    }
    let to = words
        .windows(2)
        .position(|pair| pair[0].eq_ignore_ascii_case("to") && pair[1] == "1");
    if let Some(at) = to {
        let from = at.saturating_sub(2);
        return number(&words[from..at]).or_else(|| number(&words[at.saturating_sub(1)..at]));
    }
    words
        .iter()
        .find_map(|word| word.strip_prefix("1:"))
        .and_then(|odds| odds.parse().ok())
}

/// A number as layouts print it: `8`, `8.5`, `8 1/2`.
fn number(words: &[&str]) -> Option<Odds> {
    match words {
        [whole, "1/2", ..] => format!("{whole}.5").parse().ok(),
        ["1/2", ..] => "0.5".parse().ok(),
        [number, ..] => number.parse().ok(),
        [] => None,
    }
}

/// Every odds printed is paid: on a section by its own pay table, in a caption
/// by some section of the layout.
pub(super) fn check(drawn: &Drawn<'_>, pay_table: &ReadPayTable) {
    let paid = |section| {
        let pays = pay_table.table.pays(section);
        pays.map(|pays| {
            pays.lines()
                .iter()
                .map(|line| line.is)
                .collect::<Vec<Odds>>()
        })
    };
    let offered: Vec<Odds> = drawn
        .sections()
        .filter_map(|(section, _)| paid(section))
        .flatten()
        .collect();
    for (cell, place) in drawn.cells.iter().zip(drawn.places) {
        for line in &cell.lines {
            let Some(printed) = stated(line) else {
                continue;
            };
            let (what, pays) = match &cell.kind {
                CellKind::Section(section) => match paid(*section) {
                    Some(pays) => (section.to_string(), pays),
                    None => continue,
                },
                CellKind::Caption => ("no section of the layout".to_owned(), offered.clone()),
                CellKind::Blank => continue,
            };
            if pays.contains(&printed) || pays.is_empty() {
                continue;
            }
            let pays: Vec<String> = pays.iter().map(Odds::to_string).collect();
            let problem = match cell.kind {
                CellKind::Section(_) => format!(
                    "{line:?} is printed on {what}, whose pay table says {} to 1",
                    pays.join("/")
                ),
                _ => format!("{line:?} is printed, and {what} pays that"),
            };
            drawn
                .reader
                .fault(place, &problem, "print the odds that are paid");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_layouts_print_is_read() {
        for (line, odds) in [
            ("62 to 1", Some("62")),
            ("8.5 to 1", Some("8.5")),
            ("1:150", Some("150")),
            ("1 WINS 195", Some("195")),
            ("1 WINS 8 1/2", Some("8.5")),
            ("12 to 1 ON THREE DICE", Some("12")),
            ("1:2 ON TWO DICE", Some("2")),
            ("1 xúc xắc 1:1", Some("1")),
            ("8 1/2 to 1", Some("8.5")),
            ("EXCEPT FOR ANY TRIPLE", None),
            ("NUMBERS 4 TO 10", None),
            ("TOTAL OF 4-10", None),
            ("4 - 10", None),
        ] {
            let expected = odds.map(|odds| odds.parse::<Odds>().unwrap());
            assert_eq!(stated(line), expected, "{line}");
        }
    }
}
