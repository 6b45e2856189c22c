//! A house's truth in PostgreSQL with quorum commit.
//!
//! [`PostgresStore`] is a [`sicbo_journal::Store`]: a block is durable when the
//! primary and so many of its named standbys have it, and every reply that does
//! not say so without a doubt is asked about again. [`Leadership`] says which
//! node leads, [`Follower`] keeps the verified copies of the others. Nothing
//! here knows a bet; whether a block is the house's is the journal's to say.

mod error;
mod follower;
mod leadership;
mod link;
mod protocol;
mod replicated;
mod schema;
mod server;
#[cfg(feature = "servers")]
pub mod servers;
mod settings;
mod statements;
mod store;
mod truth;
mod watchdog;

pub use error::ClusterError;
pub use follower::{Followed, Follower, NewCopy};
pub use leadership::{LeaderRow, Leadership};
pub use replicated::ReplicatedStore;
pub use schema::SCHEMA_FORMAT;
pub use server::Server;
pub use settings::{Quorum, Settings};
pub use store::PostgresStore;
pub use truth::{NodeRow, StreamRow, Truth};
