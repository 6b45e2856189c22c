//! Copies of a data folder: whole, in increments, sealed for those who may read
//! them, and what is old archived with its proof.
//!
//! Apart from the proofs, which never write: this is the one place beside the
//! loop that writes the files of a journal, and always another folder's.

pub mod archive;
pub mod backup;
pub mod increment;
pub mod sealed;
mod tree;
