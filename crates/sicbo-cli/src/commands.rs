//! The commands, one file each.

pub(crate) mod bench;
pub(crate) mod compare;
pub(crate) mod layout;
pub(crate) mod odds;
pub(crate) mod par;
pub(crate) mod reference;
pub(crate) mod rules;
pub(crate) mod settle;
