//! Tables in random states: snapshots of them, what may be done in them, and
//! what each view shows of them.

mod legal;
mod rounds;
mod setup;
mod snapshots;
mod uncounted;
mod views;
mod walk;
