//! The languages of a ticket: its labels in each, and its amount in words.

use sicbo_rules::{Currency, Money};

use super::words;

/// A language that a ticket can be read in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// English.
    English,
    /// Tiếng Việt.
    Vietnamese,
    /// 简体中文; only where the screen draws the letters.
    Simplified,
    /// 繁體中文; as with 简体中文.
    Traditional,
}

/// What stands on a ticket beside its values.
#[derive(Debug)]
pub(super) struct Labels {
    pub(super) kind: &'static str,
    pub(super) rows: [&'static str; 5],
    pub(super) validation: &'static str,
    pub(super) duplicate: &'static str,
    pub(super) note: &'static str,
    /// Beside the square.
    pub(super) check: &'static str,
}

impl Language {
    /// By its tag: `en`, `vi`, `zh-Hans`, `zh-Hant`.
    #[must_use]
    pub fn of_tag(tag: &str) -> Option<Language> {
        match tag {
            "en" => Some(Language::English),
            "vi" => Some(Language::Vietnamese),
            "zh-Hans" => Some(Language::Simplified),
            "zh-Hant" => Some(Language::Traditional),
            _ => None,
        }
    }

    /// Every printer has its letters.
    #[must_use]
    pub const fn is_printed(self) -> bool {
        matches!(self, Language::English | Language::Vietnamese)
    }

    pub(super) const fn labels(self) -> &'static Labels {
        match self {
            Language::English => &Labels {
                kind: "CASH-OUT VOUCHER",
                rows: ["Table", "Station", "Issued", "Void after", "Sequence"],
                validation: "Validation",
                duplicate: "DUPLICATE",
                note: "Paid once. Keep dry, do not fold the barcode.",
                check: "Scan to check this voucher on your phone.",
            },
            Language::Vietnamese => &Labels {
                kind: "PHIẾU ĐỔI TIỀN",
                rows: ["Bàn", "Máy", "Ngày", "Hết hạn", "Số"],
                validation: "Mã xác nhận",
                duplicate: "BẢN SAO",
                note: "Chỉ trả một lần. Không gấp mã vạch.",
                check: "Quét để kiểm tra phiếu này trên điện thoại.",
            },
            Language::Simplified => &Labels {
                kind: "兑现票券",
                rows: ["赌桌", "席位", "签发", "有效期至", "序号"],
                validation: "验证号码",
                duplicate: "副本",
                note: "只兑付一次。请保持干燥，勿折条码。",
                check: "扫码即可用手机核验本票券。",
            },
            Language::Traditional => &Labels {
                kind: "兌現票券",
                rows: ["賭桌", "席位", "簽發", "有效期至", "序號"],
                validation: "驗證號碼",
                duplicate: "副本",
                note: "只兌付一次。請保持乾燥，勿折條碼。",
                check: "掃碼即可用手機核驗本票券。",
            },
        }
    }

    /// An amount in words (S-12).
    #[must_use]
    pub fn amount(self, currency: Currency, amount: Money) -> String {
        match self {
            Language::English => words::english(currency, amount),
            Language::Vietnamese => words::vietnamese(currency, amount),
            Language::Simplified => chinese(&SIMPLIFIED, currency, amount),
            Language::Traditional => chinese(&TRADITIONAL, currency, amount),
        }
    }
}

/// Numerals as banks write them, so that no stroke can be added.
struct Numerals {
    digits: [&'static str; 10],
    /// From a hundred million down to ten.
    units: [(u64, &'static str); 5],
    whole: &'static str,
    dong: &'static str,
    names: [(&'static str, &'static str); 5],
}

const SIMPLIFIED: Numerals = Numerals {
    digits: ["零", "壹", "贰", "叁", "肆", "伍", "陆", "柒", "捌", "玖"],
    units: [
        (100_000_000, "亿"),
        (10_000, "万"),
        (1_000, "仟"),
        (100, "佰"),
        (10, "拾"),
    ],
    whole: "整",
    dong: "盾",
    names: [
        ("SGD", "新加坡币"),
        ("USD", "美元"),
        ("HKD", "港币"),
        ("MOP", "澳门币"),
        ("VND", "越南盾"),
    ],
};

const TRADITIONAL: Numerals = Numerals {
    digits: ["零", "壹", "貳", "參", "肆", "伍", "陸", "柒", "捌", "玖"],
    units: [
        (100_000_000, "億"),
        (10_000, "萬"),
        (1_000, "仟"),
        (100, "佰"),
        (10, "拾"),
    ],
    whole: "整",
    dong: "盾",
    names: [
        ("SGD", "新加坡幣"),
        ("USD", "美元"),
        ("HKD", "港幣"),
        ("MOP", "澳門幣"),
        ("VND", "越南盾"),
    ],
};

/// `新加坡币壹佰叁拾柒元伍角整`; a currency without a name in figures.
fn chinese(numerals: &Numerals, currency: Currency, amount: Money) -> String {
    let known = numerals
        .names
        .iter()
        .find(|(code, _)| *code == currency.code());
    let (Some((_, name)), 0 | 2) = (known, currency.decimals()) else {
        return format!("{} {}", currency.code(), currency.format(amount));
    };
    let minor = amount.minor().unsigned_abs();
    let scale = 10_u64.pow(u32::from(currency.decimals()));
    let (whole, rest) = (minor / scale, minor % scale);
    let unit = if currency.decimals() == 0 {
        numerals.dong
    } else {
        "元"
    };
    let mut text = format!("{name}{}{unit}", say(numerals, whole));
    let (tenths, hundredths) = (rest / 10, rest % 10);
    if tenths > 0 {
        text.push_str(&format!("{}角", say(numerals, tenths)));
    } else if hundredths > 0 {
        text.push_str(numerals.digits[0]);
    }
    match hundredths {
        0 => text.push_str(numerals.whole),
        _ => text.push_str(&format!("{}分", say(numerals, hundredths))),
    }
    text
}

fn say(numerals: &Numerals, number: u64) -> String {
    let found = numerals.units.iter().find(|(unit, _)| number >= *unit);
    let Some((unit, name)) = found else {
        return numerals.digits[number as usize % 10].to_owned();
    };
    let (head, rest) = (number / unit, number % unit);
    let mut text = format!("{}{name}", say(numerals, head));
    if rest > 0 {
        // A place that is left out is said once.
        if rest * 10 < *unit {
            text.push_str(numerals.digits[0]);
        }
        text.push_str(&say(numerals, rest));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_12_amounts_in_chinese_are_written_as_banks_write_them() {
        for (currency, minor, simplified, traditional) in [
            (
                Currency::SGD,
                13_750,
                "新加坡币壹佰叁拾柒元伍角整",
                "新加坡幣壹佰參拾柒元伍角整",
            ),
            (Currency::SGD, 1, "新加坡币零元零壹分", "新加坡幣零元零壹分"),
            (
                Currency::SGD,
                123_456,
                "新加坡币壹仟贰佰叁拾肆元伍角陆分",
                "新加坡幣壹仟貳佰參拾肆元伍角陸分",
            ),
            (
                Currency::SGD,
                100_000_500,
                "新加坡币壹佰万零伍元整",
                "新加坡幣壹佰萬零伍元整",
            ),
            (Currency::USD, 1_000, "美元壹拾元整", "美元壹拾元整"),
            (
                Currency::VND,
                10_020_000,
                "越南盾壹仟零贰万盾整",
                "越南盾壹仟零貳萬盾整",
            ),
        ] {
            let amount = Money::from_minor(minor);
            assert_eq!(Language::Simplified.amount(currency, amount), simplified);
            assert_eq!(Language::Traditional.amount(currency, amount), traditional);
        }
        let xau = Currency::new("XAU", 3).expect("a currency");
        assert_eq!(
            Language::Simplified.amount(xau, Money::from_minor(1_050)),
            "XAU 1.050"
        );
        assert!(
            Language::Simplified
                .amount(Currency::VND, Money::MAX)
                .contains('亿')
        );
    }
}
