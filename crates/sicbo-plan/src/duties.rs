//! What the people of a house are held to, and where they work, as its plan says.

use std::collections::BTreeMap;

use sicbo_register::duties::Duties;
use sicbo_register::enrolment::TableName;
use sicbo_rules::document::{Node, did_you_mean};
use sicbo_rules::rulebook::words::{Position, Word as _};
use sicbo_rules::{Currency, Money};
use sicbo_table::Config;
use sicbo_table::cash::{Bound, MoneyDuties};

use super::HousePlan;

/// All shifts of a first day come to work within so many hours.
const FIRST_DAY_HOURS: u16 = 24;

/// Separation of duties: always with real money, and where a plan asks for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DutiesPlan {
    /// What the register holds people to.
    pub register: Duties,
    /// A PIN of the first start is good for so many hours, and once.
    pub first_pin_hours: u16,
    /// Windows of the cage that are there from the first start.
    pub windows: Vec<String>,
    /// How much money staff may move, by currency; what is not there is usual.
    pub money: Vec<(Currency, MoneyDuties)>,
}

impl DutiesPlan {
    /// The bounds of a table.
    #[must_use]
    pub fn money_of(&self, config: &Config) -> MoneyDuties {
        let mut own = self.money.iter();
        let own = own.find(|(currency, _)| *currency == config.currency);
        own.map_or_else(|| usual(config.currency), |(_, duties)| *duties)
    }
}

/// What staff may move where a plan is silent: 2,000 alone and 50,000 together in a
/// currency of cents, and the same in buying power, about, in one of larger notes.
fn usual(currency: Currency) -> MoneyDuties {
    let unit = match currency.decimals() {
        // A currency without cents counts in thousands.
        0 => 20_000,
        _ => 100,
    };
    let of = |units: i64| Money::from_minor(units * unit);
    let bound = |alone, together| Bound {
        alone: of(alone),
        together: of(together),
    };
    MoneyDuties {
        attendant: bound(2_000, 50_000),
        cage: bound(5_000, 100_000),
        transfer: bound(5_000, 100_000),
        hand_pay: of(100_000),
        limits: bound(100_000, 10_000_000),
    }
}

impl Default for DutiesPlan {
    fn default() -> DutiesPlan {
        DutiesPlan {
            register: Duties::default(),
            first_pin_hours: FIRST_DAY_HOURS,
            windows: vec!["cage window 1".to_owned()],
            money: Vec::new(),
        }
    }
}

/// Where somebody works.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PostsPlan {
    /// Tables, by name.
    pub tables: Vec<String>,
    /// Windows of the cage, by name.
    pub windows: Vec<String>,
}

pub(super) fn read(node: &Node<'_, '_>, real_money: bool) -> Option<DutiesPlan> {
    let usual = DutiesPlan::default();
    let Some(table) = node.optional_table("duties") else {
        return real_money.then_some(usual);
    };
    let windows = match table.has("windows") {
        true => table.all_texts("windows").unwrap_or_default(),
        false => usual.windows,
    };
    let longest = windows.iter().map(String::len).max().unwrap_or_default();
    if windows.is_empty() || longest > 60 || windows.iter().any(|name| name.trim().is_empty()) {
        table.fault(
            "windows",
            "no names of windows",
            "name at least one window of the cage, each with at most 60 bytes",
        );
    }
    let one_time_hours = table.number("one_time_hours", 1..=744, usual.register.one_time_hours);
    let first_day = one_time_hours.max(FIRST_DAY_HOURS);
    Some(DutiesPlan {
        first_pin_hours: table.number("first_pin_hours", 1..=744, first_day),
        register: Duties {
            one_time_hours,
            absence_hours: table.number("absence_hours", 1..=744, usual.register.absence_hours),
        },
        windows,
        money: money(&table),
    })
}

/// `[duties.SGD]`: bounds of a currency, each with what one person may and what two may.
fn money(table: &Node<'_, '_>) -> Vec<(Currency, MoneyDuties)> {
    let mut all = Vec::new();
    for currency in Currency::KNOWN {
        let Some(own) = table.optional_table(currency.code()) else {
            continue;
        };
        let was = usual(currency);
        let amount = |key: &str, usual: Money| match own.has(key) {
            true => own.amount(key, currency).unwrap_or(usual),
            false => usual,
        };
        let bound = |key: &str, usual: Bound| {
            let bound = Bound {
                alone: amount(&format!("{key}_alone"), usual.alone),
                together: amount(&format!("{key}_together"), usual.together),
            };
            if bound.alone.is_negative() || bound.alone > bound.together {
                own.fault(
                    &format!("{key}_alone"),
                    "one person may more than two",
                    "give at most what two persons may",
                );
            }
            bound
        };
        all.push((
            currency,
            MoneyDuties {
                attendant: bound("attendant", was.attendant),
                cage: bound("cage", was.cage),
                transfer: bound("transfer", was.transfer),
                hand_pay: amount("hand_pay_together", was.hand_pay),
                limits: bound("exposure", was.limits),
            },
        ));
    }
    all
}

/// Where the people of the plan work: those who say so, and where there is one table
/// or one window only, everybody there; dealers work at no window unless the plan says so.
pub(super) fn posts(node: &Node<'_, '_>, plan: &HousePlan) -> BTreeMap<String, PostsPlan> {
    let tables: Vec<&str> = plan.tables.iter().map(|at| at.name.as_str()).collect();
    let windows: Vec<&str> = match &plan.duties {
        Some(duties) => duties.windows.iter().map(String::as_str).collect(),
        None => Vec::new(),
    };
    let only = |known: &[&str]| match known {
        [one] => vec![(*one).to_owned()],
        _ => Vec::new(),
    };
    let mut all = BTreeMap::new();
    for entry in node.optional_tables("staff") {
        entry.all_known();
        let listed = |key: &str, known: &[&str]| -> Vec<String> {
            if !entry.has(key) {
                return only(known);
            }
            let given = entry.all_texts(key).unwrap_or_default();
            for name in &given {
                if !known.contains(&name.as_str()) {
                    let near = did_you_mean(name, known.iter().copied(), 3);
                    let expected = format!("use one of {}{near}", known.join(", "));
                    entry.fault(key, &format!("{name:?} is not there"), &expected);
                }
            }
            given
        };
        let deals = entry.optional_text("position").as_deref() == Some(Position::Dealer.key());
        let posts = PostsPlan {
            tables: listed("tables", &tables),
            windows: match deals && !entry.has("windows") {
                true => Vec::new(),
                false => listed("windows", &windows),
            },
        };
        if let Some(name) = entry.optional_text("name") {
            all.insert(name, posts);
        }
    }
    all
}

impl HousePlan {
    /// The tables somebody works at, as names.
    #[must_use]
    pub fn tables_of(&self, name: &str) -> Vec<TableName> {
        let posts = self.posts.get(name);
        let tables = posts.map_or(&[][..], |posts| &posts.tables);
        tables
            .iter()
            .filter_map(|name| TableName::new(name))
            .collect()
    }
}
