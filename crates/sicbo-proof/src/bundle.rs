//! Bundles and how they are made: one file that proves one round without the
//! journal it came from. `sicbo-check` owns its form and verifies it; here one
//! is made from a journal, and what it proves is told.

pub mod case;
mod make;

use std::ops::ControlFlow;

use sicbo_check::Trust;
use sicbo_check::bundle::{ProvedRound, Watch};
use sicbo_journal::Record;
use sicbo_table::{Event, Table};

pub(crate) use make::segments;
pub use make::{MakeError, make};
pub use sicbo_check::bundle::scope::station as station_of;
pub use sicbo_check::bundle::{BUNDLE_FORMAT, Bundle, BundleError, BundleFault, Told};

use crate::story::{Story, Teller};
use crate::walk::Visitor;

/// What a bundle proves.
#[derive(Debug)]
pub struct Proved {
    /// Whose it is, and what was counted on the way.
    pub round: ProvedRound,
    /// The round, told.
    pub story: Story,
}

/// Verifies a bundle and tells its round.
///
/// # Errors
/// The first part that does not hold.
pub fn tell(bundle: &Bundle, trust: &Trust) -> Result<Proved, BundleFault> {
    let mut telling = Telling(None, bundle.round);
    let round = bundle.check_with(trust, &mut telling)?;
    let missing = || sicbo_check::bundle::fault("the records", "the table's opening is missing");
    let mut story = telling.0.and_then(Teller::finish).ok_or_else(missing)?;
    story.lives.clone_from(&round.lives);
    story.names.clone_from(&round.names);
    story.remarks.clone_from(&round.remarks);
    Ok(Proved { round, story })
}

/// A teller, once the stream is known.
struct Telling(Option<Teller>, u64);

impl Watch for Telling {
    fn stream(&mut self, stream: &sicbo_journal::StreamId) {
        self.0 = Some(Teller::new(stream, self.1));
    }

    fn before(&mut self, table: &Table, record: &Record<'_>, event: &Event) {
        if let Some(teller) = &mut self.0 {
            teller.before(table, record, event);
        }
    }

    fn after(&mut self, table: &Table, sequence: u64, event: &Event) {
        if let Some(teller) = &mut self.0 {
            // A bundle is followed to its end.
            let _: ControlFlow<()> = teller.after(table, sequence, event);
        }
    }
}
