//! Amounts in words, in English and Vietnamese (S-12).

use sicbo_rules::{Currency, Money};

/// What a currency is called: its unit and its hundredth, one and many.
struct Names {
    english: [&'static str; 4],
    vietnamese: [&'static str; 2],
}

fn names(currency: Currency) -> Option<Names> {
    let (english, vietnamese) = match currency.code() {
        "SGD" => (
            ["Singapore dollar", "Singapore dollars", "cent", "cents"],
            ["đô la Singapore", "xu"],
        ),
        "USD" => (
            ["US dollar", "US dollars", "cent", "cents"],
            ["đô la Mỹ", "xu"],
        ),
        "HKD" => (
            ["Hong Kong dollar", "Hong Kong dollars", "cent", "cents"],
            ["đô la Hồng Kông", "xu"],
        ),
        "MOP" => (
            ["Macau pataca", "Macau patacas", "avo", "avos"],
            ["pataca Ma Cao", "avo"],
        ),
        "VND" => (["dong", "dong", "", ""], ["đồng", ""]),
        _ => return None,
    };
    Some(Names {
        english,
        vietnamese,
    })
}

/// Whole units and the rest below them.
fn parts(currency: Currency, amount: Money) -> (u64, u64) {
    let minor = amount.minor().unsigned_abs();
    let scale = 10_u64.pow(u32::from(currency.decimals()));
    (minor / scale, minor % scale)
}

/// `One hundred and thirty-seven Singapore dollars and fifty cents`.
#[must_use]
pub fn english(currency: Currency, amount: Money) -> String {
    let (whole, rest) = parts(currency, amount);
    let text = match names(currency) {
        Some(Names {
            english: [unit, units, part, parts],
            ..
        }) => {
            let mut text = format!(
                "{} {}",
                in_english(whole),
                if whole == 1 { unit } else { units }
            );
            if rest > 0 {
                let name = if rest == 1 { part } else { parts };
                text.push_str(&format!(" and {} {name}", in_english(rest)));
            }
            text
        }
        None => with_point(in_english(whole), "point", currency, rest, in_english),
    };
    capital(&text)
}

/// `Một trăm ba mươi bảy đô la Singapore và năm mươi xu`.
#[must_use]
pub fn vietnamese(currency: Currency, amount: Money) -> String {
    let (whole, rest) = parts(currency, amount);
    let text = match names(currency) {
        Some(Names {
            vietnamese: [unit, part],
            ..
        }) => {
            let mut text = format!("{} {unit}", in_vietnamese(whole));
            if rest > 0 {
                text.push_str(&format!(" và {} {part}", in_vietnamese(rest)));
            }
            text
        }
        None => with_point(in_vietnamese(whole), "phẩy", currency, rest, in_vietnamese),
    };
    capital(&text)
}

/// A currency without names: its decimals one by one, then its code.
fn with_point(
    whole: String,
    point: &str,
    currency: Currency,
    rest: u64,
    say: fn(u64) -> String,
) -> String {
    let mut text = whole;
    if rest > 0 {
        let decimals = format!("{rest:0width$}", width = usize::from(currency.decimals()));
        let digits = decimals.bytes().map(|digit| say(u64::from(digit - b'0')));
        text.push_str(&format!(
            " {point} {}",
            digits.collect::<Vec<_>>().join(" ")
        ));
    }
    format!("{text} {}", currency.code())
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

fn in_english(number: u64) -> String {
    const SMALL: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 10] = [
        "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ];
    const LARGE: [(u64, &str); 5] = [
        (1_000_000_000_000_000, "quadrillion"),
        (1_000_000_000_000, "trillion"),
        (1_000_000_000, "billion"),
        (1_000_000, "million"),
        (1_000, "thousand"),
    ];
    if let Some((unit, name)) = LARGE.into_iter().find(|(unit, _)| number >= *unit) {
        let rest = number % unit;
        let head = format!("{} {name}", in_english(number / unit));
        return match rest {
            0 => head,
            1..100 => format!("{head} and {}", in_english(rest)),
            _ => format!("{head} {}", in_english(rest)),
        };
    }
    match number {
        0..20 => SMALL[number as usize].to_owned(),
        20..100 => {
            let tens = TENS[(number / 10) as usize];
            match number % 10 {
                0 => tens.to_owned(),
                ones => format!("{tens}-{}", SMALL[ones as usize]),
            }
        }
        _ => {
            let head = format!("{} hundred", SMALL[(number / 100) as usize]);
            match number % 100 {
                0 => head,
                rest => format!("{head} and {}", in_english(rest)),
            }
        }
    }
}

fn in_vietnamese(number: u64) -> String {
    if number == 0 {
        return "không".to_owned();
    }
    let mut words = Vec::new();
    vietnamese_into(number, false, &mut words);
    words.join(" ")
}

/// `inner` when something stands before it: then hundreds are said even when none.
fn vietnamese_into(number: u64, inner: bool, words: &mut Vec<&'static str>) {
    const BILLION: u64 = 1_000_000_000;
    if number >= BILLION {
        vietnamese_into(number / BILLION, inner, words);
        words.push("tỷ");
        if !number.is_multiple_of(BILLION) {
            vietnamese_into(number % BILLION, true, words);
        }
        return;
    }
    let mut inner = inner;
    for (unit, name) in [(1_000_000, "triệu"), (1_000, "nghìn"), (1, "")] {
        let group = number / unit % 1_000;
        if group > 0 {
            vietnamese_group(group, inner, words);
            if !name.is_empty() {
                words.push(name);
            }
            inner = true;
        }
    }
}

fn vietnamese_group(group: u64, inner: bool, words: &mut Vec<&'static str>) {
    const DIGITS: [&str; 10] = [
        "không", "một", "hai", "ba", "bốn", "năm", "sáu", "bảy", "tám", "chín",
    ];
    let (hundreds, tens, ones) = (group / 100, group / 10 % 10, group % 10);
    if hundreds > 0 || inner {
        words.extend([DIGITS[hundreds as usize], "trăm"]);
    }
    match tens {
        0 if ones > 0 && (hundreds > 0 || inner) => words.push("linh"),
        0 => {}
        1 => words.push("mười"),
        _ => words.extend([DIGITS[tens as usize], "mươi"]),
    }
    match (tens, ones) {
        (_, 0) => {}
        (2.., 1) => words.push("mốt"),
        (1.., 5) => words.push("lăm"),
        (_, digit) => words.push(DIGITS[digit as usize]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_12_amounts_are_said_as_people_say_them() {
        let xau = Currency::new("XAU", 3).unwrap();
        for (currency, minor, in_english, in_vietnamese) in [
            (
                Currency::SGD,
                1,
                "Zero Singapore dollars and one cent",
                "Không đô la Singapore và một xu",
            ),
            (
                Currency::SGD,
                100,
                "One Singapore dollar",
                "Một đô la Singapore",
            ),
            (
                Currency::SGD,
                13_750,
                "One hundred and thirty-seven Singapore dollars and fifty cents",
                "Một trăm ba mươi bảy đô la Singapore và năm mươi xu",
            ),
            (
                Currency::USD,
                1_500,
                "Fifteen US dollars",
                "Mười lăm đô la Mỹ",
            ),
            (
                Currency::USD,
                2_100,
                "Twenty-one US dollars",
                "Hai mươi mốt đô la Mỹ",
            ),
            (
                Currency::VND,
                105,
                "One hundred and five dong",
                "Một trăm linh năm đồng",
            ),
            (
                Currency::VND,
                1_005_000,
                "One million five thousand dong",
                "Một triệu không trăm linh năm nghìn đồng",
            ),
            (
                Currency::VND,
                2_000_000_015,
                "Two billion and fifteen dong",
                "Hai tỷ không trăm mười lăm đồng",
            ),
            (
                Currency::VND,
                12_345_678,
                "Twelve million three hundred and forty-five thousand six hundred and seventy-eight dong",
                "Mười hai triệu ba trăm bốn mươi lăm nghìn sáu trăm bảy mươi tám đồng",
            ),
            (
                Currency::MOP,
                201,
                "Two Macau patacas and one avo",
                "Hai pataca Ma Cao và một avo",
            ),
            (
                xau,
                1_050,
                "One point zero five zero XAU",
                "Một phẩy không năm không XAU",
            ),
        ] {
            let amount = Money::from_minor(minor);
            assert_eq!(english(currency, amount), in_english);
            assert_eq!(vietnamese(currency, amount), in_vietnamese);
        }
        // The largest amount there is can be said.
        assert!(english(Currency::VND, Money::MAX).starts_with("Nine quadrillion"));
        assert!(vietnamese(Currency::VND, Money::MAX).contains("tỷ"));
    }
}
