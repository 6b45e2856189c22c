//! Why the truth cannot be used, in one line each that says what to change.

use sicbo_journal::{Fault, ReadError};

/// Why the truth cannot be used. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The words that name the servers cannot be read.
    #[error("the PostgreSQL address cannot be read: {0}")]
    Address(String),
    /// No server that takes writes was found.
    #[error("no PostgreSQL server that takes writes answers at {hosts}: {what}")]
    Unreachable {
        /// Where it was looked for.
        hosts: String,
        /// What the last one said.
        what: String,
    },
    /// The server does not let the house in.
    #[error("PostgreSQL at {hosts} refuses the house: {what}")]
    Refused {
        /// Where.
        hosts: String,
        /// What it said.
        what: String,
    },
    /// The settings are too weak.
    #[error("PostgreSQL is not set up to keep a house: {}", .0.join("; "))]
    Weak(Vec<String>),
    /// The tables are not there.
    #[error("there is no house in this database: make one with `sicbo cluster init`")]
    NoHouse,
    /// The tables are there already.
    #[error("there is a house in this database already ({house}); nothing was changed")]
    HouseThere {
        /// Its id.
        house: String,
    },
    /// It is another house's.
    #[error(
        "this database holds another house ({found}), not this one ({expected}): name the \
         database of this house"
    )]
    AnotherHouse {
        /// The id asked for.
        expected: String,
        /// The id found.
        found: String,
    },
    /// The tables are of another program.
    #[error(
        "the tables have format {found}, this program knows {known}: run the program that made them"
    )]
    Format {
        /// The format found.
        found: i32,
        /// The format known.
        known: i32,
    },
    /// Another node has taken over.
    #[error(
        "{by} leads the house now (term {term}): this node has lost the lead and writes nothing more"
    )]
    Fenced {
        /// Who leads.
        by: String,
        /// Its term.
        term: i64,
    },
    /// The truth lacks what a copy holds: it was put back from an older backup.
    #[error(
        "PostgreSQL lacks what this node has: {stream} ends with record {truth} there and with \
         record {copy} here. It is an older copy; put the newest primary back"
    )]
    Older {
        /// The stream.
        stream: String,
        /// Where the truth ends.
        truth: u64,
        /// Where the copy ends.
        copy: u64,
    },
    /// The truth and a copy hold different blocks.
    #[error(
        "PostgreSQL does not hold the blocks that this node has: record {sequence} of {stream} is \
         another. One of the two is not this house's journal; run `sicbo verify` on the copy"
    )]
    Forked {
        /// The stream.
        stream: String,
        /// The record.
        sequence: u64,
    },
    /// A block is not the house's.
    #[error("the journal {stream} in PostgreSQL is broken: {fault}")]
    Broken {
        /// The stream.
        stream: String,
        /// Why.
        fault: Fault,
    },
    /// The clock of this machine is behind.
    #[error(
        "the clock of this machine is {behind_s} s behind the last record of {stream}: set it \
         right (timedatectl), then start again"
    )]
    Clock {
        /// The stream.
        stream: String,
        /// By how much.
        behind_s: i64,
    },
    /// A stream could not be read.
    #[error("{stream}: {error}")]
    Read {
        /// Which.
        stream: String,
        /// Why.
        error: ReadError,
    },
    /// A question was not answered for good.
    #[error("PostgreSQL did not answer: {0}")]
    Unknown(String),
    /// The copy could not be written.
    #[error("the copy of {stream} on this node cannot be written: {what}")]
    Copy {
        /// Which.
        stream: String,
        /// Why.
        what: String,
    },
}
