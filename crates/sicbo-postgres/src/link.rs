//! One connection that believes a commit only when nothing at all speaks
//! against it. Connects anew by itself; what an answer means is for others.
//!
//! PostgreSQL answers success, with a warning, when a commit that waits for its
//! quorum is cancelled: the block is then on the primary and perhaps nowhere
//! else. So any notice counts as no answer, as does any error.

use std::collections::BTreeMap;
use std::sync::PoisonError;
use std::time::Duration;

use postgres::types::ToSql;
use postgres::{Client, Row, Statement};

use crate::error::ClusterError;
use crate::protocol::Doubt;
use crate::server::{Notices, Server, words};
use crate::settings::Settings;
use crate::watchdog::Watchdog;

/// The pause between two attempts to reach a server.
pub(crate) const PAUSE: Duration = Duration::from_millis(50);

impl From<Doubt> for ClusterError {
    fn from(doubt: Doubt) -> ClusterError {
        ClusterError::Unknown(doubt.what)
    }
}

/// A connection, or the will to have one.
pub(crate) struct Link {
    server: Server,
    open: Option<Open>,
}

struct Open {
    // Dropped first: it must not end a statement of a connection that is gone.
    watchdog: Watchdog,
    client: Client,
    notices: Notices,
    prepared: BTreeMap<&'static str, Statement>,
    settings: Settings,
}

impl Link {
    /// Connects and checks what the server promises. With `standbys`, those a
    /// commit would wait for must be there: nobody starts a house that hangs.
    pub(crate) fn open(server: &Server, standbys: bool) -> Result<Link, ClusterError> {
        let mut link = Link {
            server: server.clone(),
            open: None,
        };
        let settings = link.connect()?.settings.clone();
        if standbys && let Some(missing) = settings.missing_standbys() {
            return Err(ClusterError::Weak(vec![missing]));
        }
        Ok(link)
    }

    fn connect(&mut self) -> Result<&mut Open, ClusterError> {
        let (mut client, notices) = self.server.connect()?;
        let settings = self.server.read_settings(&mut client);
        let settings = settings.map_err(|error| ClusterError::Unknown(words(&error)))?;
        if let Some(unusable) = settings.unusable() {
            return Err(ClusterError::Weak(vec![unusable]));
        }
        let weak = settings.weaknesses();
        if self.server.is_for_real_money() && !weak.is_empty() {
            return Err(ClusterError::Weak(weak));
        }
        let mut heard = notices.lock().unwrap_or_else(PoisonError::into_inner);
        heard.clear();
        drop(heard);
        let watchdog = Watchdog::start(&self.server, client.cancel_token())?;
        Ok(self.open.insert(Open {
            watchdog,
            client,
            notices,
            prepared: BTreeMap::new(),
            settings,
        }))
    }

    /// What the server that is connected now promised.
    pub(crate) fn settings(&mut self) -> Result<Settings, Doubt> {
        self.there().map(|open| open.settings.clone())
    }

    /// The standbys that were named when this connection was checked: every
    /// write compares them, so that nobody takes the quorum away unseen.
    pub(crate) fn standby_names(&mut self) -> Result<String, Doubt> {
        self.there().map(|open| open.settings.standby_names.clone())
    }

    /// From here on another connection is used, checked anew.
    pub(crate) fn drop_connection(&mut self) {
        self.open = None;
    }

    fn there(&mut self) -> Result<&mut Open, Doubt> {
        if self
            .open
            .as_ref()
            .is_some_and(|open| open.client.is_closed())
        {
            self.open = None;
        }
        match self.open {
            Some(ref mut open) => Ok(open),
            None => self.connect().map_err(|error| Doubt {
                what: error.to_string(),
                code: None,
            }),
        }
    }

    /// Runs one statement, which is one transaction. `Ok` only when the server
    /// said that it is committed and said nothing else.
    pub(crate) fn ask(
        &mut self,
        sql: &'static str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Doubt> {
        let open = self.there()?;
        open.watchdog.arm();
        let asked = open.ask(sql, values);
        open.watchdog.disarm();
        let heard = {
            let mut notices = open.notices.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *notices)
        };
        match asked {
            Ok(rows) if heard.is_empty() => Ok(rows),
            Ok(_) => {
                // The connection is good, but who knows for how long.
                self.open = None;
                Err(Doubt {
                    what: heard.join("; "),
                    code: None,
                })
            }
            Err(error) => {
                let code = error.code().map(|code| code.code().to_owned());
                // What the server ended or cancelled is a lost answer, not a no.
                let code = code.filter(|code| !code.starts_with("57") && !code.starts_with("08"));
                if code.is_none() {
                    self.open = None;
                }
                let what = words(&error);
                Err(Doubt { what, code })
            }
        }
    }

    /// Runs a script that is not one statement: for what is done once.
    pub(crate) fn script(&mut self, sql: &str) -> Result<(), Doubt> {
        let open = self.there()?;
        open.watchdog.arm();
        let done = open.client.batch_execute(sql);
        open.watchdog.disarm();
        let heard = {
            let mut notices = open.notices.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *notices)
        };
        self.open = None;
        match done {
            Ok(()) if heard.is_empty() => Ok(()),
            Ok(()) => Err(Doubt {
                what: heard.join("; "),
                code: None,
            }),
            Err(error) => Err(Doubt {
                code: error.code().map(|code| code.code().to_owned()),
                what: words(&error),
            }),
        }
    }
}

impl Open {
    fn ask(
        &mut self,
        sql: &'static str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, postgres::Error> {
        let prepared = match self.prepared.get(sql) {
            Some(prepared) => prepared.clone(),
            None => {
                let prepared = self.client.prepare(sql)?;
                self.prepared.insert(sql, prepared.clone());
                prepared
            }
        };
        self.client.query(&prepared, values)
    }
}
