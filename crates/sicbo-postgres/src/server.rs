//! Where the truth is kept: hosts, user and database as `psql` takes them, and
//! how strict the house is with what it finds there. Opens connections.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use postgres::config::{Host, SslMode, TargetSessionAttrs};
use postgres::{CancelToken, Client, Config, NoTls};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::ClusterError;
use crate::settings::Settings;

/// How long one host may take to answer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// A peer that says nothing is given up for lost after about this time.
const SILENCE: Duration = Duration::from_secs(10);
/// A statement that waits longer for its quorum is cancelled, and so in doubt: the
/// primary may have changed meanwhile.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(10);

/// PostgreSQL as a house uses it.
#[derive(Clone)]
pub struct Server {
    config: Config,
    tls: Option<MakeRustlsConnect>,
    real_money: bool,
    give_up: Duration,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Server({})", self.hosts())
    }
}

/// How long a block may stay in doubt, where nothing else is said.
const GIVE_UP_TIMEOUT: Duration = Duration::from_secs(60);

/// Notices that came on a connection since it was last asked.
pub(crate) type Notices = Arc<Mutex<Vec<String>>>;

impl Server {
    /// Reads an address as `psql` takes it: `host=a,b,c user=sicbo dbname=sicbo`
    /// or `postgresql://sicbo@a,b,c/sicbo`. With real money every weaker
    /// setting is refused.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn parse(text: &str, real_money: bool) -> Result<Server, ClusterError> {
        let parsed: Result<Config, _> = text.parse();
        // The words of the error do not repeat the text, which may hold a password.
        let mut config = parsed.map_err(|error| ClusterError::Address(words(&error)))?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            let what = "it names no host".to_owned();
            return Err(ClusterError::Address(what));
        }
        if config.get_dbname().is_none() {
            let what = "it names no database (dbname)".to_owned();
            return Err(ClusterError::Address(what));
        }
        config
            .application_name("sicbo")
            .target_session_attrs(TargetSessionAttrs::ReadWrite)
            .connect_timeout(CONNECT_TIMEOUT)
            .tcp_user_timeout(SILENCE)
            .keepalives_idle(SILENCE / 2)
            .keepalives_interval(SILENCE / 5)
            .keepalives_retries(3);
        // The session's own: nobody's defaults for the role or database weaken it.
        config.options(
            "-c synchronous_commit=on -c statement_timeout=0 -c lock_timeout=0 \
             -c idle_in_transaction_session_timeout=0 -c client_min_messages=notice \
             -c search_path=pg_catalog",
        );
        Ok(Server {
            config,
            tls: None,
            real_money,
            give_up: GIVE_UP_TIMEOUT,
        })
    }

    /// With this password.
    #[must_use]
    pub fn with_password(mut self, password: &str) -> Server {
        self.config.password(password);
        self
    }

    /// Believes servers whose certificates this authority signed, and speaks
    /// encrypted only.
    ///
    /// # Errors
    /// When the file cannot be read or holds no certificate.
    pub fn with_authority(mut self, file: &Path) -> Result<Server, ClusterError> {
        let wrong = |what: String| ClusterError::Address(format!("{}: {what}", file.display()));
        let pem = std::fs::read(file).map_err(|error| wrong(error.to_string()))?;
        let mut roots = rustls::RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(&pem) {
            let certificate = certificate.map_err(|error| wrong(error.to_string()))?;
            let added = roots.add(certificate);
            added.map_err(|error| wrong(error.to_string()))?;
        }
        if roots.is_empty() {
            return Err(wrong("it holds no certificate".to_owned()));
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let client = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| wrong(error.to_string()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        self.tls = Some(MakeRustlsConnect::new(client));
        self.config.ssl_mode(SslMode::Require);
        Ok(self)
    }

    /// How long a block may stay unknown before the stream stops. Nothing is
    /// acknowledged meanwhile.
    #[must_use]
    pub fn giving_up_after(mut self, give_up: Duration) -> Server {
        self.give_up = give_up;
        self
    }

    /// How long a block may stay unknown.
    #[must_use]
    pub fn give_up(&self) -> Duration {
        self.give_up
    }

    /// How long a statement may wait before it is cancelled, and so in doubt.
    pub(crate) fn patience(&self) -> Duration {
        self.give_up.min(STATEMENT_TIMEOUT)
    }

    /// Asks the server to cancel what a connection waits for.
    pub(crate) fn cancel(&self, token: &CancelToken) -> Result<(), String> {
        let asked = match &self.tls {
            Some(tls) => token.cancel_query(tls.clone()),
            None => token.cancel_query(NoTls),
        };
        asked.map_err(|error| words(&error))
    }

    /// Whether the house plays for money, and every weakness is refused.
    #[must_use]
    pub fn is_for_real_money(&self) -> bool {
        self.real_money
    }

    /// Where it is looked for, without user or password.
    #[must_use]
    pub fn hosts(&self) -> String {
        let ports = self.config.get_ports();
        let hosts = self
            .config
            .get_hosts()
            .iter()
            .enumerate()
            .map(|(at, host)| {
                let port = ports.get(at).or(ports.first()).copied().unwrap_or(5432);
                match host {
                    Host::Tcp(name) => format!("{name}:{port}"),
                    #[cfg(unix)]
                    Host::Unix(path) => path.display().to_string(),
                }
            });
        hosts.collect::<Vec<_>>().join(", ")
    }

    /// Connects to whichever of the hosts takes writes.
    pub(crate) fn connect(&self) -> Result<(Client, Notices), ClusterError> {
        let notices = Notices::default();
        let heard = Arc::clone(&notices);
        let mut config = self.config.clone();
        config.notice_callback(move |notice| {
            let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
            heard.push(notice.message().to_owned());
        });
        let client = match &self.tls {
            Some(tls) => config.connect(tls.clone()),
            None => config.connect(NoTls),
        };
        let client = client.map_err(|error| {
            let (hosts, what) = (self.hosts(), words(&error));
            match error.code().map(|code| code.code()) {
                // Wrong password, no such user, no such database, not let in by pg_hba.
                Some(code) if code.starts_with("28") || code == "3D000" => {
                    ClusterError::Refused { hosts, what }
                }
                _ => ClusterError::Unreachable { hosts, what },
            }
        })?;
        Ok((client, notices))
    }

    /// What the server says of itself.
    pub(crate) fn read_settings(&self, client: &mut Client) -> Result<Settings, postgres::Error> {
        const ON: [&str; 3] = ["data_checksums", "fsync", "full_page_writes"];
        let row = client.query_one(
            "SELECT current_setting('server_version_num')::int4, \
             current_setting('synchronous_commit'), current_setting('synchronous_standby_names'), \
             current_setting('data_checksums') = 'on', current_setting('fsync') = 'on', \
             current_setting('full_page_writes') = 'on', \
             coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false), \
             inet_server_addr() IS NULL OR inet_server_addr() <<= '127.0.0.0/8' \
             OR inet_server_addr() = '::1', \
             pg_has_role(current_user, 'pg_read_all_stats', 'USAGE')",
            &[],
        )?;
        let connected = match row.get(8) {
            false => None,
            true => {
                let rows = client.query(
                    "SELECT application_name FROM pg_stat_replication WHERE state = 'streaming'",
                    &[],
                )?;
                Some(rows.iter().map(|row| row.get(0)).collect())
            }
        };
        Ok(Settings {
            version: row.get(0),
            synchronous_commit: row.get(1),
            standby_names: row.get(2),
            must_be_on: ON.into_iter().zip((3..6).map(|at| row.get(at))).collect(),
            private: row.get::<_, bool>(6) || row.get::<_, bool>(7),
            connected,
        })
    }
}

/// What an error says, in one line.
pub(crate) fn words(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(said) => said.message().to_owned(),
        None => {
            let mut text = error.to_string();
            let mut source = std::error::Error::source(error);
            while let Some(deeper) = source {
                text = format!("{text}: {deeper}");
                source = deeper.source();
            }
            text
        }
    }
}
