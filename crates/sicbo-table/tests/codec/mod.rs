//! The codec: every event to bytes and back, what is no event refused, and
//! records of released formats decoded for ever.

mod facts;
mod fuzz;
mod golden;
mod round_trip;
mod samples;
mod speed;
