//! The odds and winning conditions, written from requirements A.5 to A.7.

/// A rule the auditor may be told to get wrong, to see that the comparison can fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Quirk {
    /// None: the rules as they are.
    #[default]
    None,
    /// Pays a four-number bet when all dice are among the four, e.g. 6543 on 6-6-5.
    FourPaysRepeats,
    /// Pays a double on exactly two only (against R-077).
    DoubleNotOnTriple,
    /// Totals lose on triples (against R-079).
    TotalNotOnTriple,
    /// Pays a single once for each time it shows (against Q-26).
    SingleAddsUp,
    /// Pays layout C of the resort's games at the odds of layout B (against R-102).
    LayoutCPaysAsB,
}

/// The three different sets of odds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    Enhanced,
    Standard,
    Macau,
}

/// Which kinds of bet a layout has besides those all have.
struct Offer {
    set: Set,
    odd_even_four: bool,
    combinations: bool,
}

fn offer(book: &str, layout: &str, quirk: Quirk) -> Option<Offer> {
    let of = |set, odd_even_four, combinations| {
        Some(Offer {
            set,
            odd_even_four,
            combinations,
        })
    };
    match (book, layout) {
        ("rws-etg" | "rws-open-cover", "a") => of(Set::Enhanced, true, false),
        ("rws-etg" | "rws-open-cover", "b") => of(Set::Enhanced, true, true),
        ("rws-etg" | "rws-open-cover", "c") if quirk == Quirk::LayoutCPaysAsB => {
            of(Set::Enhanced, true, true)
        }
        ("rws-etg" | "rws-open-cover", "c") => of(Set::Standard, true, true),
        ("mbs-table", "a" | "b") => of(Set::Standard, true, true),
        ("mbs-etg", "rapid") => of(Set::Enhanced, true, true),
        ("mbs-etg", "alfastreet") => of(Set::Enhanced, false, false),
        ("quang-nam-table", "a") => of(Set::Macau, false, false),
        _ => None,
    }
}

/// Twice the profit to one.
fn halves(set: Set, enhanced: i64, standard: i64, macau: i64) -> i64 {
    match set {
        Set::Enhanced => enhanced,
        Set::Standard => standard,
        Set::Macau => macau,
    }
}

/// What a bet does on these dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// Not to be had on that layout.
    NotOffered,
    /// Collected.
    Lost,
    /// Wins this many halves to one.
    Won { profit_halves: i64 },
}

/// Judges a bet.
pub(crate) fn judge(
    book: &str,
    layout: &str,
    section: &str,
    dice: [u8; 3],
    quirk: Quirk,
) -> Outcome {
    let Some(offer) = offer(book, layout, quirk) else {
        return Outcome::NotOffered;
    };
    let set = offer.set;
    let (kind, rest) = section.split_once(':').unwrap_or((section, ""));
    let numbers: Vec<u8> = rest
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|b| b - b'0')
        .collect();
    let mut count = [0u8; 7];
    for die in dice {
        count[usize::from(die)] += 1;
    }
    let shows = |n: u8| count[usize::from(n)];
    let sum: u8 = dice.iter().sum();
    let triple = count.contains(&3);
    let has_extra = match kind {
        "odd" | "even" | "four" => offer.odd_even_four,
        "three-single" | "double-single" => offer.combinations,
        _ => true,
    };
    if !has_extra {
        return Outcome::NotOffered;
    }
    let (wins, profit) = match kind {
        "small" => (!triple && (4..=10).contains(&sum), 2),
        "big" => (!triple && (11..=17).contains(&sum), 2),
        "odd" => (!triple && sum % 2 == 1, 2),
        "even" => (!triple && sum.is_multiple_of(2), 2),
        "any-triple" => (triple, halves(set, 64, 62, 48)),
        "triple" => (shows(numbers[0]) == 3, halves(set, 390, 360, 300)),
        "double" => {
            let enough = if quirk == Quirk::DoubleNotOnTriple {
                shows(numbers[0]) == 2
            } else {
                shows(numbers[0]) >= 2
            };
            (enough, halves(set, 23, 22, 16))
        }
        "total" => {
            let total: u8 = rest.parse().unwrap_or(0);
            let profit = match total {
                4 | 17 => halves(set, 128, 124, 100),
                5 | 16 => halves(set, 64, 62, 36),
                6 | 15 => halves(set, 38, 36, 28),
                7 | 14 => halves(set, 24, 24, 24),
                8 | 13 => halves(set, 17, 16, 16),
                9 | 12 => halves(set, 14, 14, 12),
                10 | 11 => halves(set, 13, 12, 12),
                _ => return Outcome::NotOffered,
            };
            let spoilt = quirk == Quirk::TotalNotOnTriple && triple;
            (sum == total && !spoilt, profit)
        }
        "pair" => (
            shows(numbers[0]) > 0 && shows(numbers[1]) > 0,
            halves(set, 12, 12, 10),
        ),
        "single" => {
            let profit = match (shows(numbers[0]), quirk) {
                (2, Quirk::SingleAddsUp) => 6,
                (2, _) => 4,
                (3, _) => halves(set, 24, 24, 6),
                _ => 2,
            };
            (shows(numbers[0]) > 0, profit)
        }
        "four" => {
            let within = dice.iter().all(|die| numbers.contains(die));
            let different = count.iter().all(|n| *n <= 1);
            let wins = within && (different || quirk == Quirk::FourPaysRepeats);
            (wins, halves(set, 15, 14, 0))
        }
        "three-single" => (numbers.iter().all(|n| shows(*n) == 1), 60),
        "double-single" => {
            if matches!(rest, "112" | "665") {
                return Outcome::NotOffered;
            }
            (shows(numbers[0]) == 2 && shows(numbers[2]) == 1, 100)
        }
        _ => return Outcome::NotOffered,
    };
    if wins {
        Outcome::Won {
            profit_halves: profit,
        }
    } else {
        Outcome::Lost
    }
}

/// What comes back for a stake, itself included; none where the layout has no
/// such bet or the payment is not whole.
#[must_use]
pub fn returned(book: &str, layout: &str, section: &str, stake: i64, dice: [u8; 3]) -> Option<i64> {
    match judge(book, layout, section, dice, Quirk::None) {
        Outcome::NotOffered => None,
        Outcome::Lost => Some(0),
        Outcome::Won { profit_halves } => {
            let doubled = stake * profit_halves;
            (doubled % 2 == 0).then_some(stake + doubled / 2)
        }
    }
}

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

/// The auditor's own rules against the exact par values of part F of the page.
#[test]
fn the_auditor_knows_the_par_values() {
    // Sum of profit halves over 216 outcomes less 2 per loss, for one unit: EV × 432.
    let value = |book, layout, section| -> i64 {
        let mut sum = 0;
        for a in 1..=6 {
            for b in 1..=6 {
                for c in 1..=6 {
                    sum += match judge(book, layout, section, [a, b, c], Quirk::None) {
                        Outcome::Won { profit_halves } => profit_halves,
                        Outcome::Lost => -2,
                        Outcome::NotOffered => panic!("{book}/{layout} {section}"),
                    };
                }
            }
        }
        sum
    };
    let enhanced = |section| value("rws-etg", "b", section);
    let standard = |section| value("mbs-table", "a", section);
    let macau = |section| value("quang-nam-table", "a", section);
    // Part F, expected value as a fraction of 432.
    for (section, of_enhanced, of_standard) in [
        ("small", -12, -12),
        ("big", -12, -12),
        ("odd", -12, -12),
        ("even", -12, -12),
        ("single:3", -16, -16),
        ("total:4", -42, -54),
        ("total:16", -36, -48),
        ("total:6", -32, -52),
        ("total:14", -42, -42),
        ("total:8", -33, -54),
        ("total:12", -32, -32),
        ("total:10", -27, -54),
        ("pair:2-5", -12, -12),
        ("four:6543", -24, -48),
        ("double:4", -32, -48),
        ("any-triple", -36, -48),
        ("triple:2", -40, -70),
        ("three-single:126", -60, -60),
        ("double-single:113", -126, -126),
    ] {
        assert_eq!(enhanced(section), of_enhanced, "enhanced {section}");
        assert_eq!(standard(section), of_standard, "standard {section}");
    }
    for (section, of_macau) in [
        ("small", -12),
        ("single:3", -34),
        ("total:17", -126),
        ("total:5", -204),
        ("total:15", -132),
        ("total:7", -42),
        ("total:13", -54),
        ("total:9", -82),
        ("total:11", -54),
        ("pair:1-6", -72),
        ("double:6", -144),
        ("any-triple", -132),
        ("triple:5", -130),
    ] {
        assert_eq!(macau(section), of_macau, "Macau-style {section}");
    }
}
