//! The tools over real journals: the golden data folder, one changed byte
//! anywhere, bundles and what they must not show, recovery, and the loop.

mod alerts;
mod archive;
mod bundles;
mod golden;
mod history;
mod house_golden;
mod house_script;
mod recovery;
mod report;
mod script;
mod tamper;
mod tumbles;
mod writer_loop;
