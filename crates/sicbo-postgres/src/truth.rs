//! A house's database as a whole: making it, whose it is, which streams it has
//! and how far its nodes have come. Appends nothing.

use sicbo_journal::{Hash, Tail};

use crate::error::ClusterError;
use crate::leadership::{LeaderRow, read_leader};
use crate::link::Link;
use crate::schema::{SCHEMA_FORMAT, script};
use crate::server::Server;
use crate::settings::Settings;
use crate::statements as sql;
use crate::store::read_tail;

/// The database of a house.
pub struct Truth {
    link: Link,
}

/// A stream as the database has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamRow {
    /// Its name.
    pub name: String,
    /// The epoch that was claimed last.
    pub claimed: u64,
    /// By which node.
    pub holder: String,
    /// Where it ends.
    pub tail: Tail,
}

/// A node that follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRow {
    /// Its name.
    pub name: String,
    /// Blocks it said it has.
    pub blocks: i64,
    /// How long ago it said so.
    pub ago_ms: i64,
}

/// Refuses the tables of another house or of another program.
pub(crate) fn check_house(link: &mut Link, house: &Hash) -> Result<(), ClusterError> {
    let rows = link
        .ask(sql::HOUSE, &[])
        .map_err(|doubt| match &doubt.code {
            // No such schema or table.
            Some(code) if code == "42P01" || code == "3F000" => ClusterError::NoHouse,
            _ => doubt.into(),
        })?;
    let row = rows.first().ok_or(ClusterError::NoHouse)?;
    let (found, known) = (row.get::<_, i32>(0), SCHEMA_FORMAT);
    if found != known {
        return Err(ClusterError::Format { found, known });
    }
    let found = Hash::from_slice(row.get(1)).unwrap_or_default();
    if found != *house {
        return Err(ClusterError::AnotherHouse {
            expected: house.to_string(),
            found: found.to_string(),
        });
    }
    Ok(())
}

impl Truth {
    /// Makes the tables of a house in an empty database.
    ///
    /// # Errors
    /// When there is a house already, or the server is not set up for one.
    /// Nothing was made then.
    pub fn init(server: &Server, house: &Hash) -> Result<Truth, ClusterError> {
        let mut link = Link::open(server, true)?;
        match check_house(&mut link, house) {
            Err(ClusterError::NoHouse) => {}
            Ok(()) => {
                let house = house.to_string();
                return Err(ClusterError::HouseThere { house });
            }
            Err(ClusterError::AnotherHouse { found, .. }) => {
                return Err(ClusterError::HouseThere { house: found });
            }
            Err(error) => return Err(error),
        }
        let made = link.script(&script(&house.to_string()));
        // In doubt, what is there says it; a commit of our own makes it certain.
        let mut truth = Truth { link };
        match (made, check_house(&mut truth.link, house)) {
            (Ok(()), Ok(())) => Ok(truth),
            (Err(_), Ok(())) => {
                truth.link.ask(sql::TOUCH, &[])?;
                Ok(truth)
            }
            (Err(doubt), Err(_)) => Err(doubt.into()),
            (Ok(()), Err(error)) => Err(error),
        }
    }

    /// Opens the database of this house.
    ///
    /// # Errors
    /// When it cannot be reached, is too weak, or is another house's.
    pub fn open(server: &Server, house: &Hash) -> Result<Truth, ClusterError> {
        let mut link = Link::open(server, false)?;
        check_house(&mut link, house)?;
        Ok(Truth { link })
    }

    /// What the server that takes writes says of itself.
    ///
    /// # Errors
    /// When it cannot be reached.
    pub fn settings(&mut self) -> Result<Settings, ClusterError> {
        self.link.drop_connection();
        Ok(self.link.settings()?)
    }

    /// Its streams.
    ///
    /// # Errors
    /// When it cannot be reached.
    pub fn streams(&mut self) -> Result<Vec<StreamRow>, ClusterError> {
        let rows = self.link.ask(sql::STREAMS, &[])?;
        let streams = rows.iter().map(|row| StreamRow {
            name: row.get(0),
            claimed: row.get::<_, i64>(1).unsigned_abs(),
            holder: row.get(2),
            tail: read_tail(row, 3),
        });
        Ok(streams.collect())
    }

    /// The nodes that have followed.
    ///
    /// # Errors
    /// When it cannot be reached.
    pub fn nodes(&mut self) -> Result<Vec<NodeRow>, ClusterError> {
        let rows = self.link.ask(sql::NODES, &[])?;
        let nodes = rows.iter().map(|row| NodeRow {
            name: row.get(0),
            blocks: row.get(1),
            ago_ms: row.get(2),
        });
        Ok(nodes.collect())
    }

    /// Which node leads.
    ///
    /// # Errors
    /// When it cannot be reached.
    pub fn leader(&mut self) -> Result<LeaderRow, ClusterError> {
        let rows = self.link.ask(sql::LEADER, &[])?;
        read_leader(&rows)
    }

    /// A commit under the quorum: everything that was read before it is certain.
    pub(crate) fn seen(&mut self, node: &str, blocks: i64) -> Result<(), ClusterError> {
        let names = self.link.standby_names()?;
        let rows = self.link.ask(sql::SEEN, &[&node, &blocks, &names])?;
        if rows.is_empty() {
            self.link.drop_connection();
            let what = "the standbys that a commit waits for were changed".to_owned();
            return Err(ClusterError::Unknown(what));
        }
        Ok(())
    }
}
