//! End to end: the real `sicbo` binary, as people and programs call it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod at_rest;
mod attacks;
mod attest;
mod bad_input;
mod bench_serve;
mod binary;
mod cannot_be;
mod contract;
mod docs;
mod doctor;
mod facts;
mod house_plan;
mod journal;
mod journal_faults;
mod laws;
mod layers;
mod left_behind;
mod pages;
mod parquet;
mod pipes;
mod plain_english;
mod played;
mod prove_a_round;
mod record_kinds;
mod report;
mod rule_files;
mod schemas;
mod supply;
mod tampered;
mod tampered_at_random;
mod whole_folder;
mod witness;
