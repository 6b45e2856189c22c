//! A table's facts as exports have always told them: by their rows in the table
//! of facts, but for a few.

use sicbo_table::Fact;
use sicbo_table::command::{CreditSource, Part};

use super::{Described, Describer, Value};

impl Describer<'_> {
    /// The name of a fact and its fields.
    #[must_use]
    pub fn fact(&self, fact: &Fact) -> Described {
        let mut fields = fact.fields(self);
        match fact {
            Fact::CreditBought {
                source: CreditSource::Voucher(voucher),
                ..
            } => fields.push(("voucher", voucher.0.into())),
            Fact::RoundSettled { dice, .. } => fields.insert(1, ("total", dice.total().into())),
            // Programs that named no part are told as they were.
            Fact::DeviceFailed {
                part: Part::Other, ..
            } => fields.truncate(2),
            // What older programs did not know, and what there was not, is left out.
            Fact::PositionsRecorded { .. }
            | Fact::LateActRecorded { .. }
            | Fact::CasePaid { .. }
            | Fact::CaseOverpaid { .. } => fields.retain(|(_, value)| *value != Value::Nothing),
            _ => {}
        }
        let first: &[&str] = match fact {
            Fact::PositionsAttested { .. } | Fact::PositionsReturned { .. } => &["station"],
            Fact::CasePaid { .. } | Fact::CaseOverpaid { .. } => &["station", "case", "decision"],
            Fact::ResultCorrected { .. } => {
                &["round", "revision", "from", "to", "evidence", "conducted"]
            }
            Fact::RoundVoidedLate { .. } => &[
                "round", "revision", "from", "cause", "reason", "rule", "ground",
            ],
            _ => &[],
        };
        // These first, the others behind them as they stand.
        fields.sort_by_key(|(name, _)| {
            let at = first.iter().position(|first| first == name);
            at.unwrap_or(first.len())
        });
        (fact.kind().key, fields)
    }
}
