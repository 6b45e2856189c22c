//! Chips moved after the close, which count under an earlier reading only.

use std::collections::BTreeMap;

use super::{Books, Objection};
use crate::heard::{Chips, Minor, Stake};

impl Books {
    /// A change after the close changes nothing today; under an earlier reading
    /// the dealer ruled on how the chips then lay.
    pub(super) fn late(
        &mut self,
        station: usize,
        chips: Chips,
        stake: &Stake,
        withdrawn: bool,
    ) -> Result<(), Objection> {
        let strict = self.revision >= 2;
        let part = self.part(station)?;
        let there = part.side(chips).get(&stake.section).copied().unwrap_or(0);
        if strict && withdrawn && stake.minor > there {
            let section = &stake.section;
            return Err(format!("more withdrawn from {section} than lay there"));
        }
        if chips == Chips::Cash {
            let mut lying = part.plain.clone();
            let on = lying.entry(stake.section.clone()).or_default();
            *on += match withdrawn {
                true => -stake.minor.min(*on),
                false => stake.minor,
            };
            lying.retain(|_, minor| *minor != 0);
            part.lying = Some(lying);
        }
        Ok(())
    }

    pub(super) fn as_they_lie(&mut self, decision: u64) -> Result<(), Objection> {
        if self.revision >= 2 {
            return Err("late chips were ruled to count".to_owned());
        }
        let station = self.bet_status.remove(&decision);
        let station = station.ok_or("a ruling on chips nobody asked about")?;
        let part = self.part(station)?;
        let Some(lying) = part.lying.clone() else {
            return Ok(());
        };
        let list = |map: &BTreeMap<String, Minor>| -> Vec<Stake> {
            let stake = |(section, minor): (&String, &Minor)| Stake {
                section: section.clone(),
                minor: *minor,
            };
            map.iter().map(stake).collect()
        };
        let before = list(&part.plain);
        self.remove(station, Chips::Cash, &before)?;
        self.put_down(station, Chips::Cash, &list(&lying))
    }
}
