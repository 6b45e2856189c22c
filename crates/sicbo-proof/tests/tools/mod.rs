//! The tools over real journals: the golden data folder, one changed byte
//! anywhere, bundles and what they must not show, history, and recovery.

mod bundles;
mod folder;
mod forged_kinds;
mod forgery;
mod golden;
mod history;
mod house_golden;
mod house_script;
mod receipts;
mod recovery;
mod tamper;
mod tumbles;
mod unsigned_rows;
