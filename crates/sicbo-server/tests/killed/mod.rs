//! The house program is killed (SIGKILL) in mid-work and started again on the
//! same data: J-05 and J-06 hold, whatever was under way.

mod above;
mod answers;
mod broken;
mod failures;
mod first_start;
mod forged;
mod full_disk;
mod released;
mod rounds;
mod settlement;
mod stops;
mod technical;
mod vouchers;
