//! Odds and winning conditions, written from the documents' own tables
//! (requirements A.5 to A.7); nothing of the engine's.

/// Profit in halves to one, by set of odds: 000/003 A and B with 002; 000/003 C with 001; 004.
type Row = [i64; 3];

const ANY_TRIPLE: Row = [64, 62, 48];
const TRIPLE: Row = [390, 360, 300];
const DOUBLE: Row = [23, 22, 16];
const PAIR: Row = [12, 12, 10];
const FOUR: Row = [15, 14, 0];
const THREE_OF_A_NUMBER: Row = [24, 24, 6];
/// Totals 4 to 10; 17 to 11 pay the same.
const TOTALS: [Row; 7] = [
    [128, 124, 100],
    [64, 62, 36],
    [38, 36, 28],
    [24, 24, 24],
    [17, 16, 16],
    [14, 14, 12],
    [13, 12, 12],
];

/// The column of the tables above for a layout, and whether it has odd, even
/// and four-number bets, and combinations of three dice.
fn layout_of(book: &str, layout: &str) -> Option<(usize, bool, bool)> {
    Some(match (book, layout) {
        ("rws-etg" | "rws-open-cover", "a") => (0, true, false),
        ("rws-etg" | "rws-open-cover", "b") | ("mbs-etg", "rapid") => (0, true, true),
        ("rws-etg" | "rws-open-cover", "c") | ("mbs-table", "a" | "b") => (1, true, true),
        ("mbs-etg", "alfastreet") => (0, false, false),
        ("quang-nam-table", "a") => (2, false, false),
        _ => return None,
    })
}

/// What comes back for a stake, itself included; `None` when the layout has no
/// such bet or the payment is not whole.
pub(crate) fn returned(
    book: &str,
    layout: &str,
    section: &str,
    stake: i64,
    dice: [u8; 3],
) -> Option<i64> {
    let (set, odd_even_four, combinations) = layout_of(book, layout)?;
    let (kind, rest) = section.split_once(':').unwrap_or((section, ""));
    let faces: Vec<u8> = rest
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|b| b - b'0')
        .collect();
    let shows = |face: u8| dice.iter().filter(|die| **die == face).count();
    let sum: u8 = dice.iter().sum();
    let triple = dice[0] == dice[1] && dice[1] == dice[2];
    let distinct = dice[0] != dice[1] && dice[1] != dice[2] && dice[0] != dice[2];
    let profit_halves = match kind {
        "small" => (!triple && (4..=10).contains(&sum)).then_some(2),
        "big" => (!triple && (11..=17).contains(&sum)).then_some(2),
        "odd" if odd_even_four => (!triple && sum % 2 == 1).then_some(2),
        "even" if odd_even_four => (!triple && sum.is_multiple_of(2)).then_some(2),
        "any-triple" => triple.then_some(ANY_TRIPLE[set]),
        "triple" => (shows(*faces.first()?) == 3).then_some(TRIPLE[set]),
        "double" => (shows(*faces.first()?) >= 2).then_some(DOUBLE[set]),
        "total" => {
            let total: u8 = rest.parse().ok().filter(|total| (4..=17).contains(total))?;
            let row = TOTALS[usize::from(total.min(21 - total) - 4)];
            (sum == total).then_some(row[set])
        }
        "pair" => (shows(*faces.first()?) > 0 && shows(*faces.get(1)?) > 0).then_some(PAIR[set]),
        "single" => match shows(*faces.first()?) {
            0 => None,
            1 => Some(2),
            2 => Some(4),
            _ => Some(THREE_OF_A_NUMBER[set]),
        },
        "four" if odd_even_four => {
            (distinct && dice.iter().all(|die| faces.contains(die))).then_some(FOUR[set])
        }
        "three-single" if combinations => faces.iter().all(|face| shows(*face) == 1).then_some(60),
        "double-single" if combinations => {
            (shows(*faces.first()?) == 2 && shows(*faces.get(2)?) == 1).then_some(100)
        }
        _ => return None,
    };
    match profit_halves {
        None => Some(0),
        Some(halves) => ((stake * halves) % 2 == 0).then_some(stake + stake * halves / 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documents_own_examples_pay_as_printed() {
        let case = |book, layout, section, dice, expected| {
            assert_eq!(
                returned(book, layout, section, 100, dice),
                expected,
                "{section} {dice:?}"
            );
        };
        case("rws-etg", "a", "total:11", [4, 3, 4], Some(750));
        case("rws-etg", "c", "total:11", [4, 3, 4], Some(700));
        case("quang-nam-table", "a", "double:4", [4, 3, 4], Some(900));
        case("mbs-etg", "rapid", "double:4", [4, 3, 4], Some(1_250));
        case("mbs-etg", "alfastreet", "odd", [4, 3, 4], None);
        case("mbs-table", "a", "four:6543", [6, 5, 3], Some(800));
        case("mbs-table", "a", "four:6543", [6, 6, 5], Some(0));
        case(
            "rws-open-cover",
            "b",
            "double-single:113",
            [1, 3, 1],
            Some(5_100),
        );
        case(
            "rws-open-cover",
            "b",
            "three-single:126",
            [6, 2, 1],
            Some(3_100),
        );
        case("quang-nam-table", "a", "single:6", [6, 6, 6], Some(400));
        case("rws-etg", "b", "triple:6", [6, 6, 6], Some(19_600));
        case("rws-etg", "b", "big", [6, 6, 6], Some(0));
    }
}
