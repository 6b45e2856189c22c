//! What the register decides, by subject.

mod case;
mod custody;
mod decision;
mod dishonest;
mod duties;
mod identity;
mod people;
mod play;
mod position;
mod set_up;
mod voucher;
