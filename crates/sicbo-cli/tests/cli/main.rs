//! End to end: the real `sicbo` binary, as people and programs call it.

mod bad_input;
mod binary;
mod contract;
mod docs;
mod pipes;
mod rule_files;
