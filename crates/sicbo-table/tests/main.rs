//! One test program with a module per area.

mod certification;
mod codec;
mod conformance;
mod properties;
mod rules;
mod state;
