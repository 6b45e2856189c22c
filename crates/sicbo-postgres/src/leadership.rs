//! Which node leads the house. One row with a term that only grows and a beat
//! that goes on while the leader is alive. It decides who tries; what keeps an
//! old leader from writing is the claim of each stream.

use std::time::{Duration, Instant};

use postgres::Row;
use sicbo_journal::Hash;

use crate::error::ClusterError;
use crate::link::{Link, PAUSE};
use crate::server::Server;
use crate::statements as sql;
use crate::truth;

/// Who leads, as the row says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaderRow {
    /// Grows with every change of the leader; 0 before the first.
    pub term: i64,
    /// The node's name.
    pub node: String,
    /// Goes on while it is alive.
    pub beat: i64,
    /// It stopped in good order: whoever follows may take over at once.
    pub handed_over: bool,
}

pub(crate) fn read_leader(rows: &[Row]) -> Result<LeaderRow, ClusterError> {
    let row = rows.first().ok_or(ClusterError::NoHouse)?;
    Ok(LeaderRow {
        term: row.get(0),
        node: row.get(1),
        beat: row.get(2),
        handed_over: row.get(3),
    })
}

/// One node's part in who leads.
pub struct Leadership {
    server: Server,
    link: Link,
    node: String,
    /// The term this node leads in.
    term: Option<i64>,
    /// The row as it was seen last, and since when it has stood so.
    seen: Option<(LeaderRow, Instant)>,
}

impl Leadership {
    /// A node that does not lead yet.
    ///
    /// # Errors
    /// When the database cannot be reached or is another house's.
    pub fn open(server: &Server, house: &Hash, node: &str) -> Result<Leadership, ClusterError> {
        let mut link = Link::open(server, false)?;
        truth::check_house(&mut link, house)?;
        Ok(Leadership {
            server: server.clone(),
            link,
            node: node.to_owned(),
            term: None,
            seen: None,
        })
    }

    /// This node's name.
    #[must_use]
    pub fn node(&self) -> &str {
        &self.node
    }

    /// The term it leads in.
    #[must_use]
    pub fn term(&self) -> Option<i64> {
        self.term
    }

    /// Looks whether the lead is free: handed over, or its beat has stood still
    /// for so long while this node could look. Takes it then, and says the term.
    ///
    /// # Errors
    /// When nothing is certain; the patience with the leader begins anew then.
    pub fn take_if_free(&mut self, after: Duration) -> Result<Option<i64>, ClusterError> {
        let looked = self.link.ask(sql::LEADER, &[]);
        let row = match looked {
            Ok(rows) => read_leader(&rows)?,
            Err(doubt) => {
                // Who cannot look does not know that the leader is silent.
                self.seen = None;
                return Err(doubt.into());
            }
        };
        let stood = match &self.seen {
            Some((seen, since)) if *seen == row => since.elapsed(),
            _ => {
                self.seen = Some((row.clone(), Instant::now()));
                Duration::ZERO
            }
        };
        if !row.handed_over && stood < after {
            return Ok(None);
        }
        self.take(&row)
    }

    /// Takes the lead from whoever has it, if nothing has changed since `row`.
    ///
    /// # Errors
    /// When nothing is certain.
    pub fn take(&mut self, row: &LeaderRow) -> Result<Option<i64>, ClusterError> {
        self.seen = None;
        let names = self.link.standby_names()?;
        let taken = self
            .link
            .ask(sql::TAKE, &[&self.node, &row.term, &row.beat, &names]);
        let term = row.term + 1;
        match taken {
            Ok(rows) if rows.is_empty() => Ok(None),
            Ok(_) => {
                self.term = Some(term);
                Ok(Some(term))
            }
            Err(_) => {
                // It may be ours all the same: only a beat of ours is certain.
                self.term = Some(term);
                match self.beat() {
                    Ok(()) => Ok(Some(term)),
                    Err(error) => {
                        self.term = None;
                        match error {
                            ClusterError::Fenced { .. } => Ok(None),
                            other => Err(other),
                        }
                    }
                }
            }
        }
    }

    /// Says that this node is alive, until it is certain or has taken too long.
    ///
    /// # Errors
    /// `Fenced` when another node leads.
    pub fn beat(&mut self) -> Result<(), ClusterError> {
        let until = Instant::now() + self.server.give_up();
        loop {
            let what = match self.beat_once() {
                Ok(()) => return Ok(()),
                Err(fenced @ ClusterError::Fenced { .. }) => return Err(fenced),
                Err(error) => error,
            };
            if Instant::now() >= until {
                return Err(what);
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn beat_once(&mut self) -> Result<(), ClusterError> {
        let mine = self.term.unwrap_or(-1);
        let names = self.link.standby_names()?;
        let rows = self.link.ask(sql::BEAT, &[&self.node, &mine, &names])?;
        if !rows.is_empty() {
            return Ok(());
        }
        let row = read_leader(&self.link.ask(sql::LEADER, &[])?)?;
        if row.term == mine && row.node == self.node && !row.handed_over {
            self.link.drop_connection();
            let what = "the standbys that a commit waits for were changed".to_owned();
            return Err(ClusterError::Unknown(what));
        }
        Err(ClusterError::Fenced {
            by: row.node,
            term: row.term,
        })
    }

    /// Gives the lead away: everything this node wrote is durable and it writes
    /// nothing more.
    ///
    /// # Errors
    /// When it is not certain; the others then take over by their patience.
    pub fn hand_over(&mut self) -> Result<(), ClusterError> {
        let Some(term) = self.term.take() else {
            return Ok(());
        };
        self.link.ask(sql::HAND_OVER, &[&self.node, &term])?;
        Ok(())
    }
}
