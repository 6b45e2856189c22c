//! Tables come to a house and leave it between two starts. One that has left keeps its journal and
//! comes back before the end: what was promised there still holds.

use sicbo_plan::{DealerPlan, TumblerPlan};
use sicbo_register as register;
use sicbo_register::enrolment::TableName;

use super::World;
use super::crew::Crew;
use super::life::stream_of;
use super::scene::{MAX_TABLES, PACE};

impl World {
    /// The next start is of another plan.
    pub(super) fn change_tables(&mut self) -> Result<(), String> {
        if let Some(table) = self.elsewhere.pop() {
            self.met("fault a table came back", || {
                format!("{} is in the plan again", table.name)
            });
            self.plan.tables.push(table);
            return Ok(());
        }
        let number = self.trouble.below(self.plan.tables.len() as u64) as usize;
        if self.plan.tables.len() > 1 && self.trouble.chance(500) {
            let table = self.plan.tables.remove(number);
            self.met("fault a table left", || {
                format!("{} is not in the plan", table.name)
            });
            self.elsewhere.push(table);
            return Ok(());
        }
        let known = self.streams.len() - 1;
        let mut table = self.plan.tables[number].clone();
        // No automatic dealer works a tumbler that a person works.
        if known >= MAX_TABLES || table.tumbler == TumblerPlan::Manual {
            return Ok(());
        }
        table.name = TableName::new(&format!("new-{known}")).ok_or("no name")?;
        table.config.name = table.name.to_string();
        table.dealer = DealerPlan::Automatic { pace: PACE };
        let stream = stream_of(table.name.as_str())?;
        self.shelf.add(&stream);
        // The register's stream is the last.
        let register = stream_of(register::STREAM)?;
        self.streams.retain(|known| *known != register);
        self.streams.extend([stream, register]);
        self.crews.push(Crew::new(table.name.clone(), false));
        self.met("fault a table was added", || {
            format!("{} is in the plan", table.name)
        });
        self.plan.tables.push(table);
        Ok(())
    }

    /// Every table is in the plan again; true where that needs another start.
    pub(super) fn bring_tables_back(&mut self) -> bool {
        let some = !self.elsewhere.is_empty();
        self.plan.tables.append(&mut self.elsewhere);
        some
    }
}
