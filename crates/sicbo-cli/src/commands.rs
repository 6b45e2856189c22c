//! The commands, one file each.

pub(crate) mod archive;
pub(crate) mod backup;
pub(crate) mod bench;
pub(crate) mod bundle;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod dist;
pub(crate) mod export;
pub(crate) mod exposure;
pub(crate) mod fair;
pub(crate) mod init;
pub(crate) mod key;
pub(crate) mod layout;
pub(crate) mod odds;
pub(crate) mod par;
pub(crate) mod reference;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod serve;
pub(crate) mod settle;
pub(crate) mod simulate;
pub(crate) mod strategy;
pub(crate) mod verify;
pub(crate) mod what_if;
