//! A story as text for people.

use std::fmt::Write as _;

use sicbo_table::record::Standing;

use super::{Life, Step, Story};
use crate::describe::{Value, hex};
use crate::text;

impl Story {
    /// The whole story as text, each line ended.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        let setting = &self.setting;
        // Writing to a String cannot fail.
        let mut line = |text: String| {
            let _ = writeln!(out, "{}", text.trim_end());
        };
        let money = if setting.real_money {
            ""
        } else {
            ", play money"
        };
        line(format!(
            "round {} at {}, rule book {}, {}{money}",
            self.round,
            setting.table,
            setting.book,
            setting.currency.code()
        ));
        if let Some(code) = self.code {
            line(format!("code          {code}"));
        }
        line(format!("dice          {}", setting.dice_set));
        line(format!(
            "rule book     sha256 {}",
            hex(&setting.digests.book)
        ));
        line(format!(
            "configuration sha256 {}",
            hex(&setting.digests.config)
        ));
        line(format!(
            "program       sha256 {}",
            hex(&setting.digests.program)
        ));
        line("times are UTC; # is the record's place in the journal".to_owned());
        let mut phase = "";
        for step in &self.steps {
            if step.phase != phase {
                phase = step.phase;
                line(String::new());
                line(title(phase));
            }
            line(step_line(step));
        }
        for (at, life) in self.lives.iter().enumerate() {
            line(String::new());
            if life.revision > 0 {
                line(format!("Amended, revision {}", life.revision));
                let steps = self.afterwards.iter();
                for step in steps.filter(|step| Some(step.sequence) == life.sequence) {
                    line(step_line(step));
                    for effect in effects(step) {
                        line(format!("    {effect}"));
                    }
                }
            }
            self.life(life, &mut line);
            if at + 1 < self.lives.len() {
                line("  this result was amended later, see below".to_owned());
            }
        }
        let amending: Vec<u64> = self.lives.iter().filter_map(|life| life.sequence).collect();
        let mut later = self
            .afterwards
            .iter()
            .filter(|step| !amending.contains(&step.sequence))
            .peekable();
        if later.peek().is_some() {
            line(String::new());
            line("Afterwards".to_owned());
        }
        for step in later {
            line(step_line(step));
        }
        if let Some(proof) = &self.tumble {
            line(String::new());
            line(format!("The tumbler's seed gives {}", proof.dice));
            line(format!("  seed  {}", hex(&proof.seed)));
            line(format!("  mixed {}", hex(&proof.mixed)));
            line(
                match proof.agrees {
                    Some(true) => "  proved: the result is these dice",
                    Some(false) => "  NOT the result that was first confirmed",
                    None => "  the round had no result to compare",
                }
                .to_owned(),
            );
        }
        if self.lives.is_empty() {
            line(String::new());
            line("the round has not ended".to_owned());
        }
        if !self.remarks.is_empty() {
            line(String::new());
        }
        for remark in &self.remarks {
            line(format!("note: {remark}"));
        }
        out
    }

    fn life(&self, life: &Life, line: &mut dyn FnMut(String)) {
        let money = |amount| self.money(amount);
        line(match life.standing {
            Standing::Settled(dice) => {
                format!("Settlement by {dice}, total {}", dice.total())
            }
            Standing::Void => "Void: every stake goes back".to_owned(),
        });
        for station in &life.stations {
            line(format!(
                "  {} on {}",
                self.name(station.record.station),
                station.layout
            ));
            for bet in &station.lines {
                let colour = if bet.colour { " (colour)" } else { "" };
                line(format!(
                    "    {:<22} {}",
                    format!("{}{colour}", bet.section),
                    bet.sum(&money)
                ));
            }
            line(format!(
                "    staked {}, returned {}",
                money(station.staked),
                money(station.returned)
            ));
        }
        if life.stations.is_empty() {
            line("  no bets".to_owned());
        }
        line(format!(
            "  in all: staked {}, returned {}",
            money(life.staked()),
            money(life.returned())
        ));
        line(match life.agrees {
            Some(true) => "  derived again from bets and rule book: agrees".to_owned(),
            Some(false) => {
                "  derived again from bets and rule book: DISAGREES with the journal".to_owned()
            }
            None => format!(
                "  derived from bets, dice and rule book; stands as {}",
                life.standing
            ),
        });
    }
}

/// What an amendment does to each station: `T1 was 0.00, is 150.00, credited 150.00`.
fn effects(step: &Step) -> Vec<String> {
    let list = step.fields.iter().find(|(name, _)| *name == "effects");
    let Some((_, Value::List(effects))) = list else {
        return Vec::new();
    };
    let told = |effect: &Value| match effect {
        Value::Fields(fields) => {
            let mut parts = fields.iter().map(|(name, value)| match *name {
                "station" => value.to_string(),
                name => format!("{} {value}", name.replace('_', " ")),
            });
            let station = parts.next().unwrap_or_default();
            format!("{station} {}", parts.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    };
    effects.iter().map(told).collect()
}

fn title(phase: &str) -> String {
    let mut letters = phase.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

fn step_line(step: &Step) -> String {
    let second = step
        .second
        .as_ref()
        .map_or_else(String::new, |second| format!(" with {second}"));
    // A sentence that begins with the station need not say once more who acted.
    let own = step
        .by
        .strip_prefix("station ")
        .is_some_and(|name| step.words.starts_with(&format!("{name} ")));
    let by = if own {
        String::new()
    } else {
        format!("{}{second}: ", step.by)
    };
    format!(
        "  {}  #{:<8} {by}{}",
        text::time(step.at_ms),
        step.sequence,
        step.words
    )
}
