//! A second implementation of every bet and every pay table, written from the
//! documents' words and sharing nothing with the library but the notation.

use sicbo_rules::Section;
use sicbo_rules::{Dice, Outcome};

use crate::game::{LAYOUTS, layout, money};

/// One pay table as its document prints it; empty where it lists no such bet.
struct Document {
    small: &'static str,
    big: &'static str,
    odd: &'static str,
    even: &'static str,
    number_on: [&'static str; 3],
    /// 4 or 17, 5 or 16, and so on to 10 or 11.
    totals: [&'static str; 7],
    two_dice: &'static str,
    four_numbers: &'static str,
    double: &'static str,
    any_triple: &'static str,
    triple: &'static str,
    three_single: &'static str,
    double_with_single: &'static str,
}

/// rws-etg and rws-open-cover 4.1.1: Pay Table 1, for an Appendix A layout.
const RWS_1: Document = Document {
    small: "1 to 1",
    big: "1 to 1",
    even: "1 to 1",
    odd: "1 to 1",
    number_on: ["1 to 1", "2 to 1", "12 to 1"],
    totals: [
        "64 to 1", "32 to 1", "19 to 1", "12 to 1", "8.5 to 1", "7 to 1", "6.5 to 1",
    ],
    two_dice: "6 to 1",
    four_numbers: "7.5 to 1",
    double: "11.5 to 1",
    any_triple: "32 to 1",
    triple: "195 to 1",
    three_single: "",
    double_with_single: "",
};

/// rws-etg and rws-open-cover 4.1.2: Pay Table 2, for an Appendix B layout, prints the same and
/// two wagers more.
const RWS_2: Document = Document {
    three_single: "30 to 1",
    double_with_single: "50 to 1",
    ..RWS_1
};

/// rws-etg and rws-open-cover 4.1.3: Pay Table 3, for an Appendix C layout.
const RWS_3: Document = Document {
    small: "1 to 1",
    big: "1 to 1",
    even: "1 to 1",
    odd: "1 to 1",
    number_on: ["1 to 1", "2 to 1", "12 to 1"],
    totals: [
        "62 to 1", "31 to 1", "18 to 1", "12 to 1", "8 to 1", "7 to 1", "6 to 1",
    ],
    two_dice: "6 to 1",
    double: "11 to 1",
    any_triple: "31 to 1",
    triple: "180 to 1",
    four_numbers: "7 to 1",
    three_single: "30 to 1",
    double_with_single: "50 to 1",
};

/// mbs-table 4.1.1 to 4.1.7.
const MBS_TABLE: Document = Document {
    small: "1 to 1",
    big: "1 to 1",
    odd: "1 to 1",
    even: "1 to 1",
    triple: "180 to 1",
    double: "11 to 1",
    any_triple: "31 to 1",
    totals: [
        "62 to 1", "31 to 1", "18 to 1", "12 to 1", "8 to 1", "7 to 1", "6 to 1",
    ],
    two_dice: "6 to 1",
    three_single: "30 to 1",
    double_with_single: "50 to 1",
    number_on: ["1 to 1", "2 to 1", "12 to 1"],
    four_numbers: "7 to 1",
};

/// mbs-etg 4.1.1 to 4.1.7, the wagers of Appendix A.
const MBS_RAPID: Document = Document {
    small: "1 to 1",
    big: "1 to 1",
    odd: "1 to 1",
    even: "1 to 1",
    triple: "195 to 1",
    double: "11.5 to 1",
    any_triple: "32 to 1",
    totals: [
        "64 to 1", "32 to 1", "19 to 1", "12 to 1", "8.5 to 1", "7 to 1", "6.5 to 1",
    ],
    two_dice: "6 to 1",
    number_on: ["1 to 1", "2 to 1", "12 to 1"],
    four_numbers: "7.5 to 1",
    double_with_single: "50 to 1",
    three_single: "30 to 1",
};

/// The same settlement, with the eight wagers of Appendix B only.
const MBS_ALFASTREET: Document = Document {
    odd: "",
    even: "",
    four_numbers: "",
    double_with_single: "",
    three_single: "",
    ..MBS_RAPID
};

/// quang-nam-table 5.1, with 6.8.2 for the ratio lost from 5.1.
const QUANG_NAM: Document = Document {
    small: "1:1",
    big: "1:1",
    triple: "1:150",
    double: "1:8",
    any_triple: "1:24",
    totals: ["1:50", "1:18", "1:14", "1:12", "1:8", "1:6", "1:6"],
    two_dice: "1:5",
    number_on: ["1:1", "1:2", "1:3"],
    odd: "",
    even: "",
    four_numbers: "",
    three_single: "",
    double_with_single: "",
};

fn document(layout: &str) -> &'static Document {
    match layout {
        "rws-etg/a" | "rws-open-cover/a" => &RWS_1,
        "rws-etg/b" | "rws-open-cover/b" => &RWS_2,
        "rws-etg/c" | "rws-open-cover/c" => &RWS_3,
        "mbs-table/a" | "mbs-table/b" => &MBS_TABLE,
        "mbs-etg/rapid" => &MBS_RAPID,
        "mbs-etg/alfastreet" => &MBS_ALFASTREET,
        "quang-nam-table/a" => &QUANG_NAM,
        other => panic!("{other}"),
    }
}

/// `8.5 to 1` and `1:8` as tenths of a unit of profit.
fn tenths(printed: &str) -> u32 {
    let profit = printed
        .strip_suffix(" to 1")
        .or_else(|| printed.strip_prefix("1:"))
        .unwrap();
    match profit.split_once('.') {
        Some((whole, tenth)) => whole.parse::<u32>().unwrap() * 10 + tenth.parse::<u32>().unwrap(),
        None => profit.parse::<u32>().unwrap() * 10,
    }
}

const THREE_SINGLE: &str = "126 135 234 256 346 123 136 145 235 356 \
                            124 146 236 245 456 125 134 156 246 345";
const DOUBLE_WITH_SINGLE: &str = "113 114 115 116 221 223 224 225 226 331 332 334 335 336 \
                                  441 442 443 445 446 551 552 553 554 556 661 662 663 664";
const FOUR_NUMBERS: &str = "6543 6532 5432 4321";
const TWO_DICE: &str = "1-4 1-2 2-4 1-3 2-3 3-4 2-5 2-6 3-5 4-5 3-6 1-5 1-6 4-6 5-6";

/// Every bet of the documents in the product's notation, from their own lists.
fn all_bets() -> Vec<String> {
    let mut bets: Vec<String> = ["small", "big", "odd", "even", "any-triple"]
        .map(str::to_owned)
        .to_vec();
    for n in 1..=6 {
        bets.extend(["triple", "double", "single"].map(|kind| format!("{kind}:{n}")));
    }
    bets.extend((4..=17).map(|total| format!("total:{total}")));
    for (kind, list) in [
        ("pair", TWO_DICE),
        ("four", FOUR_NUMBERS),
        ("three-single", THREE_SINGLE),
        ("double-single", DOUBLE_WITH_SINGLE),
    ] {
        bets.extend(list.split(' ').map(|numbers| format!("{kind}:{numbers}")));
    }
    bets
}

fn digits(text: &str) -> Vec<u8> {
    let mut digits: Vec<u8> = text
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|b| b - b'0')
        .collect();
    digits.sort_unstable();
    digits
}

/// The printed odds a bet is paid at, or nothing when it loses or is not listed.
fn paid(doc: &Document, bet: &str, roll: [u8; 3]) -> &'static str {
    let (kind, numbers) = bet.split_once(':').unwrap_or((bet, ""));
    let mut sorted = roll.to_vec();
    sorted.sort_unstable();
    let sum: u8 = roll.iter().sum();
    let same = roll[0] == roll[1] && roll[1] == roll[2];
    let showing = |n: u8| roll.iter().filter(|face| **face == n).count();
    let listed = |list: &str| list.split(' ').any(|entry| entry == numbers);
    let when = |won: bool, odds: &'static str| if won { odds } else { "" };
    match kind {
        "small" => when([4, 5, 6, 7, 8, 9, 10].contains(&sum) && !same, doc.small),
        "big" => when(
            [11, 12, 13, 14, 15, 16, 17].contains(&sum) && !same,
            doc.big,
        ),
        "odd" => when([5, 7, 9, 11, 13, 15, 17].contains(&sum) && !same, doc.odd),
        "even" => when([4, 6, 8, 10, 12, 14, 16].contains(&sum) && !same, doc.even),
        "any-triple" => when(same, doc.any_triple),
        "triple" => when(sorted == digits(&numbers.repeat(3)), doc.triple),
        "double" => match showing(numbers.parse().unwrap()) {
            2 | 3 => doc.double,
            _ => "",
        },
        "single" => match showing(numbers.parse().unwrap()) {
            0 => "",
            count => doc.number_on[count - 1],
        },
        "total" => {
            let total: u8 = numbers.parse().unwrap();
            let line = usize::from(total.min(21 - total)) - 4;
            when(sum == total, doc.totals[line])
        }
        "pair" => {
            let both = digits(numbers).iter().all(|n| roll.contains(n));
            when(both && listed(TWO_DICE), doc.two_dice)
        }
        "four" => {
            // Strike out one of the four: the other three are the dice.
            let four = digits(numbers);
            let struck = (0..4).any(|i| {
                let mut three = four.clone();
                three.remove(i);
                three == sorted
            });
            when(struck && listed(FOUR_NUMBERS), doc.four_numbers)
        }
        "three-single" => when(
            sorted == digits(numbers) && listed(THREE_SINGLE),
            doc.three_single,
        ),
        "double-single" => when(
            sorted == digits(numbers) && listed(DOUBLE_WITH_SINGLE),
            doc.double_with_single,
        ),
        other => panic!("{other}"),
    }
}

fn offered(doc: &Document, bet: &str) -> bool {
    (0..216).any(|n| !paid(doc, bet, roll(n)).is_empty())
}

fn roll(n: usize) -> [u8; 3] {
    [n / 36, n / 6 % 6, n % 6].map(|face| face as u8 + 1)
}

#[test]
fn the_library_knows_exactly_the_bets_of_the_documents() {
    let mut bets = all_bets();
    let mut sections: Vec<String> = Section::ALL.iter().map(Section::to_string).collect();
    assert_eq!(bets.len(), 104);
    bets.sort();
    sections.sort();
    assert_eq!(bets, sections);
}

#[test]
fn r_071_every_section_of_every_layout_over_all_outcomes() {
    let mut won = 0;
    for name in LAYOUTS {
        let (layout, doc) = (layout(name), document(name));
        for bet in all_bets() {
            let section: Section = bet.parse().unwrap();
            assert_eq!(layout.offers(section), offered(doc, &bet), "{name} {bet}");
            for n in 0..216 {
                let dice = Dice::from_faces(roll(n)).unwrap();
                let odds = paid(doc, &bet, roll(n));
                // The stake comes back with the profit; nothing of a lost bet does.
                let tenths_back = match odds {
                    "" => 0,
                    odds => 10 + tenths(odds),
                };
                let row = layout.settlement().row(dice)[section.index()];
                assert_eq!(
                    u32::from(row) * 5,
                    tenths_back,
                    "{name} {bet} {dice} {odds}"
                );
                let back = layout
                    .settlement()
                    .returned(dice, section, money(10))
                    .unwrap();
                assert_eq!(back.minor(), i64::from(tenths_back), "{name} {bet} {dice}");
                won += usize::from(tenths_back > 0);
            }
        }
    }
    // Lit spots of all outcomes, layout by layout, from the table of layouts B.8:
    // so many wins there must be in all, or nothing was compared.
    let lit_104 = 2 * 4 + 4 * 5 + 6 * 7 + 84 * 8 + 48 * 10 + 48 * 11 + 24 * 12;
    let lit_56 = 2 * 4 + 4 * 5 + 6 * 7 + 84 * 7 + 48 * 9 + 48 * 10 + 24 * 11;
    let lit_50 = 2 * 4 + 4 * 5 + 6 * 6 + 84 * 6 + 48 * 8 + 48 * 8 + 24 * 8;
    assert_eq!(won, 7 * lit_104 + 2 * lit_56 + 2 * lit_50);
}

#[test]
fn r_091_the_order_of_the_dice_decides_nothing() {
    for name in LAYOUTS {
        let settlement = layout(name).settlement();
        for outcome in Outcome::all() {
            let [a, b, c] = outcome.dice().as_read();
            let row = settlement.row(outcome.dice());
            for turned in [[a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]] {
                let [a, b, c] = turned;
                assert_eq!(settlement.row(Dice::new(a, b, c)), row, "{name}");
            }
        }
    }
}
