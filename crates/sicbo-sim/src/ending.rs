//! The end of a world: the journal is read once more from the first record,
//! verified, replayed and recovered; all of it must say the same.

use sha2::{Digest, Sha256};
use sicbo_auditor::balances;
use sicbo_loop::recover;
use sicbo_proof::verify;
use sicbo_table::{Table, snapshot};

use crate::engine::Engine;
use crate::house::Token;
use crate::tally::Report;
use crate::world::{BEGINNING_MS, Checked, World};

impl<E: Engine> World<E> {
    /// Everything that must hold when all is quiet.
    pub(crate) fn finish(&mut self) -> Checked {
        let lost = self.house.medium.lost();
        self.tally.faults_of("truncation lost", lost.truncations);
        self.tally.faults_of("name lost", lost.names);
        self.read_journal(1, u64::MAX)?;
        self.compare()?;
        let Some(process) = &self.house.process else {
            return Err("the house is down at the end".to_owned());
        };
        let live = process.writer_loop.state().table();
        if live != process.shown.table() {
            return Err("what is shown is not what the loop holds".to_owned());
        }
        let store = process.store.as_ref();
        let verified = verify(store, &self.house.stream, &self.house.ring(), &mut |_| {})
            .map_err(|error| format!("verify: {error}"))?;
        if verified.table != *live {
            return Err("the verifier comes to another state".to_owned());
        }
        let ended = self.tally.settled + self.tally.void;
        if verified.rounds != ended || verified.report.records != self.promises.read() {
            return Err("the verifier counts otherwise than the auditor".to_owned());
        }
        let (signatory, options) = (self.house.signatory(), self.plan.options);
        let again = recover::<Table, Token>(store, &self.house.stream, &signatory, options)
            .map_err(|error| format!("it does not come back at the end: {error}"))?;
        if again.writer_loop.state() != live {
            return Err("recovery comes to another state".to_owned());
        }
        self.promises.rounds_are(
            &store
                .rounds(1, usize::MAX)
                .map_err(|error| error.to_string())?
                .into_iter()
                .map(|row| (row.round, row.first_sequence, row.last_sequence, row.state))
                .collect::<Vec<_>>(),
        )
    }

    /// What the run amounts to.
    pub(crate) fn report(&self) -> Result<Report, String> {
        let Some(process) = &self.house.process else {
            return Err("the house is down at the end".to_owned());
        };
        let mut blocks = 0;
        for raw in process.store.read_from(1) {
            raw.map_err(|error| error.to_string())?;
            blocks += 1;
        }
        let checkpoints = process
            .store
            .checkpoints()
            .map_err(|error| error.to_string())?;
        let table = process.shown.table();
        let mut hash = Sha256::new();
        hash.update(process.store.tail().header_hash.0);
        hash.update(snapshot::encode(table));
        hash.update(format!("{:?}", balances(table)));
        let state = hash.finalize();
        Ok(Report {
            seed: self.seed,
            book: self.plan.config.book.id().to_owned(),
            medium: format!("{:?}", self.plan.medium).to_lowercase(),
            stations: self.plan.stations.len(),
            steps: self.tally.steps,
            simulated_ms: self.now_ms - BEGINNING_MS,
            rounds: [self.tally.settled, self.tally.void, self.tally.amended],
            bets: [self.promises.acknowledged() as u64, self.promises.refused],
            unanswered: self.promises.unanswered() as u64,
            messages: self.tally.messages,
            faults: self.tally.faults.clone(),
            met: self.tally.met.clone(),
            restarts: self.tally.restarts,
            journal: [self.promises.read(), blocks, checkpoints.len() as u64],
            state: hex::encode(state),
        })
    }
}
