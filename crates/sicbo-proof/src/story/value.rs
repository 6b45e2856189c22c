//! A story as named values, for programs.

use sicbo_table::record::Standing;

use super::{Life, Step, Story};
use crate::describe::{Value, hex};
use crate::text;
use crate::tumbles::Proof;

fn proof_value(proof: Proof) -> Value {
    Value::Fields(vec![
        ("seed", hex(&proof.seed).into()),
        ("mixed", hex(&proof.mixed).into()),
        ("dice", proof.dice.to_string().into()),
        ("agrees", proof.agrees.map_or(Value::Nothing, Value::Flag)),
    ])
}

impl Story {
    /// The whole story. Names are stable; amounts are texts in the table's currency.
    #[must_use]
    pub fn value(&self) -> Value {
        let setting = &self.setting;
        let list = |steps: &[Step]| Value::List(steps.iter().map(Step::value).collect());
        let lives = self.lives.iter().map(|life| self.life_value(life));
        let texts =
            |texts: &[String]| Value::List(texts.iter().map(|text| text.as_str().into()).collect());
        Value::Fields(vec![
            ("round", self.round.into()),
            (
                "code",
                self.code
                    .map_or(Value::Nothing, |code| code.to_string().into()),
            ),
            ("table", setting.table.as_str().into()),
            ("rulebook", setting.book.as_str().into()),
            ("currency", setting.currency.code().into()),
            ("real_money", setting.real_money.into()),
            ("dice_set", setting.dice_set.as_str().into()),
            ("rulebook_sha256", hex(&setting.digests.book).into()),
            ("config_sha256", hex(&setting.digests.config).into()),
            ("program_sha256", hex(&setting.digests.program).into()),
            ("records", list(&self.steps)),
            ("lives", Value::List(lives.collect())),
            ("afterwards", list(&self.afterwards)),
            ("tumble", self.tumble.map_or(Value::Nothing, proof_value)),
            ("remarks", texts(&self.remarks)),
        ])
    }

    fn life_value(&self, life: &Life) -> Value {
        let money = |amount| Value::Text(self.money(amount));
        let (state, dice, total) = match life.standing {
            Standing::Settled(dice) => ("settled", dice.to_string().into(), dice.total().into()),
            Standing::Void => ("void", Value::Nothing, Value::Nothing),
        };
        let stations = life.stations.iter().map(|station| {
            let bets = station.lines.iter().map(|bet| {
                Value::Fields(vec![
                    ("section", bet.section.to_string().into()),
                    ("colour_chips", bet.colour.into()),
                    ("stake", money(bet.stake)),
                    (
                        "odds",
                        bet.odds_halves
                            .map_or(Value::Nothing, |halves| text::odds(halves).into()),
                    ),
                    ("profit", money(bet.profit)),
                    ("returned", money(bet.returned)),
                ])
            });
            Value::Fields(vec![
                ("station", self.name(station.record.station).into()),
                ("layout", station.layout.as_str().into()),
                ("bets", Value::List(bets.collect())),
                ("staked", money(station.staked)),
                ("returned", money(station.returned)),
            ])
        });
        Value::Fields(vec![
            ("revision", life.revision.into()),
            (
                "sequence",
                life.sequence.map_or(Value::Nothing, Value::from),
            ),
            ("state", state.into()),
            ("dice", dice),
            ("total", total),
            ("staked", money(life.staked())),
            ("returned", money(life.returned())),
            (
                "derived_again_agrees",
                life.agrees.map_or(Value::Nothing, Value::Flag),
            ),
            ("stations", Value::List(stations.collect())),
        ])
    }
}

impl Step {
    fn value(&self) -> Value {
        Value::Fields(vec![
            ("sequence", self.sequence.into()),
            ("time", text::time(self.at_ms).into()),
            ("time_ms", self.at_ms.into()),
            ("phase", self.phase.into()),
            ("by", self.by.as_str().into()),
            (
                "second",
                self.second
                    .as_ref()
                    .map_or(Value::Nothing, |second| second.as_str().into()),
            ),
            ("event", self.event.into()),
            ("words", self.words.as_str().into()),
            ("fields", Value::Fields(self.fields.clone())),
        ])
    }
}
