//! End to end: the real `sicbo` binary, as people and programs call it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bad_input;
mod bench_serve;
mod binary;
mod contract;
mod docs;
mod facts;
mod house_plan;
mod journal;
mod journal_faults;
mod laws;
mod layers;
mod pipes;
mod plain_english;
mod report;
mod rule_files;
