//! Reports and alerts of real journals, against a naive reading of their export.

mod alerts;
mod report;
