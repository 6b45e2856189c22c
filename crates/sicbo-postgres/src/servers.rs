//! Real servers in a temporary folder, on free ports of the loopback: a primary
//! and its standbys by streaming replication, stopped when they are dropped. For
//! tests, measurements and rehearsals; a house's own servers are its operator's.

use std::fs::File;
use std::io::{Error, Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use postgres::{Client, Config, NoTls};
use rustix::process::{Pid, Signal, kill_process};

/// The password of everybody on these servers.
const PASSWORD: &str = "on loopback only";
/// How long anything may take to happen.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two looks at whether it has.
const LOOK: Duration = Duration::from_millis(20);

/// Servers that follow each other.
pub struct Servers {
    folder: tempfile::TempDir,
    programs: PathBuf,
    /// Who the servers run as, when this process is root: they refuse that.
    user: Option<(u32, u32)>,
    nodes: Vec<Node>,
    primary: usize,
}

struct Node {
    name: String,
    port: u16,
    server: Option<Child>,
}

type Done = std::io::Result<()>;

impl Servers {
    /// Starts a primary and so many standbys. One of the standbys must have a
    /// commit before it is acknowledged.
    ///
    /// # Errors
    /// When PostgreSQL is not installed (`scripts/setup cluster`) or does not start.
    pub fn start(standbys: usize) -> std::io::Result<Servers> {
        let folder = tempfile::Builder::new().prefix("sicbo-pg").tempdir()?;
        let mut servers = Servers {
            folder,
            programs: find_programs()?,
            user: None,
            nodes: Vec::new(),
            primary: 0,
        };
        if rustix::process::getuid().is_root() {
            let user = user_of(&["postgres", "nobody"])?;
            chown(servers.folder.path(), Some(user.0), Some(user.1))?;
            servers.user = Some(user);
        }
        for number in 0..=standbys {
            let port = free_port()?;
            let name = format!("node_{number}");
            servers.nodes.push(Node {
                name,
                port,
                server: None,
            });
        }
        servers.make_primary()?;
        servers.run(0)?;
        servers.psql(
            0,
            "postgres",
            &format!("CREATE ROLE sicbo LOGIN PASSWORD '{PASSWORD}'; GRANT pg_monitor TO sicbo;"),
        )?;
        for number in 1..=standbys {
            servers.copy_from_primary(number)?;
            servers.run(number)?;
        }
        servers.wait("the standbys to follow", |servers| {
            Ok(servers.following()? == standbys)
        })?;
        Ok(servers)
    }

    /// How many servers there are, running or not.
    #[must_use]
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Which of them takes writes.
    #[must_use]
    pub fn primary(&self) -> usize {
        self.primary
    }

    /// A server's name among the standbys.
    #[must_use]
    pub fn name(&self, at: usize) -> &str {
        &self.nodes[at].name
    }

    /// The address of a database for a house, with all servers in it.
    #[must_use]
    pub fn address(&self, database: &str) -> String {
        let all: Vec<usize> = (0..self.nodes.len()).collect();
        self.address_of(&all, database)
    }

    /// The address of a database with these servers only.
    #[must_use]
    pub fn address_of(&self, servers: &[usize], database: &str) -> String {
        let hosts = vec!["127.0.0.1"; servers.len()].join(",");
        let ports = servers.iter().map(|at| self.nodes[*at].port.to_string());
        let ports = ports.collect::<Vec<_>>().join(",");
        format!("host={hosts} port={ports} user=sicbo dbname={database} password='{PASSWORD}'")
    }

    /// Makes a database for a house.
    ///
    /// # Errors
    /// When the primary does not answer.
    pub fn make_database(&self, database: &str) -> Done {
        let sql = format!("CREATE DATABASE {database} OWNER sicbo");
        self.psql(self.primary, "postgres", &sql)?;
        let (primary, names) = (self.primary, database.to_owned());
        self.wait("the database to be there", |servers| {
            let found = servers.ask(
                primary,
                "postgres",
                &format!("SELECT count(*)::text FROM pg_database WHERE datname = '{names}'"),
            )?;
            Ok(found == "1")
        })
    }

    /// Runs statements as the servers' administrator, who waits for no standby.
    ///
    /// # Errors
    /// When the server does not answer or refuses.
    pub fn psql(&self, at: usize, database: &str, sql: &str) -> Done {
        let mut client = self.client(at, database)?;
        client.batch_execute(sql).map_err(Error::other)
    }

    /// Asks for one text.
    ///
    /// # Errors
    /// When the server does not answer or refuses.
    pub fn ask(&self, at: usize, database: &str, sql: &str) -> std::io::Result<String> {
        let mut client = self.client(at, database)?;
        let row = client.query_one(sql, &[]).map_err(Error::other)?;
        Ok(row.get::<_, Option<String>>(0).unwrap_or_default())
    }

    /// A connection of the administrator.
    ///
    /// # Errors
    /// When the server does not answer.
    pub fn client(&self, at: usize, database: &str) -> std::io::Result<Client> {
        let mut config = Config::new();
        config
            .host("127.0.0.1")
            .port(self.nodes[at].port)
            .user("postgres")
            .password(PASSWORD)
            .dbname(database)
            .connect_timeout(Duration::from_secs(3))
            .options("-c synchronous_commit=local");
        config.connect(NoTls).map_err(Error::other)
    }

    /// Ends a server as a loss of power does.
    ///
    /// # Errors
    /// When it does not run.
    pub fn kill(&mut self, at: usize) -> Done {
        let children = self.children(at);
        self.signal(at, Signal::KILL)?;
        // Its processes notice by themselves, but not at once.
        for child in children {
            let _ = kill_process(child, Signal::KILL);
        }
        if let Some(mut server) = self.nodes[at].server.take() {
            server.wait()?;
        }
        Ok(())
    }

    /// Stops a server in good order.
    ///
    /// # Errors
    /// When it does not run.
    pub fn stop(&mut self, at: usize) -> Done {
        self.signal(at, Signal::INT)?;
        if let Some(mut server) = self.nodes[at].server.take() {
            server.wait()?;
        }
        Ok(())
    }

    /// Holds a server still, with all its connections.
    ///
    /// # Errors
    /// When it does not run.
    pub fn pause(&self, at: usize) -> Done {
        let children = self.children(at);
        self.signal(at, Signal::STOP)?;
        for child in children {
            let _ = kill_process(child, Signal::STOP);
        }
        Ok(())
    }

    /// Lets a server go on that was held still.
    ///
    /// # Errors
    /// When it does not run.
    pub fn resume(&self, at: usize) -> Done {
        for child in self.children(at) {
            let _ = kill_process(child, Signal::CONT);
        }
        self.signal(at, Signal::CONT)
    }

    /// Starts a server that was stopped or killed as it was.
    ///
    /// # Errors
    /// When it does not start.
    pub fn run(&mut self, at: usize) -> Done {
        let data = self.data(at);
        let log = self
            .folder
            .path()
            .join(format!("{}.log", self.nodes[at].name));
        let log = File::options().create(true).append(true).open(log)?;
        // Ends with whoever started it, however that ends.
        let mut command = match Path::new("/usr/bin/setpriv").exists() {
            true => {
                let mut command = Command::new("/usr/bin/setpriv");
                command
                    .args(["--pdeathsig", "QUIT"])
                    .arg(self.programs.join("postgres"));
                command
            }
            false => Command::new(self.programs.join("postgres")),
        };
        command.arg("-D").arg(&data).current_dir(&data);
        command
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        self.nodes[at].server = Some(self.as_user(command).spawn()?);
        self.wait("a server to answer", |servers| {
            Ok(servers.client(at, "postgres").is_ok())
        })
        .map_err(|error| Error::other(format!("{error}\n{}", self.log(at))))
    }

    /// The last of what a server said.
    #[must_use]
    pub fn log(&self, at: usize) -> String {
        let path = self
            .folder
            .path()
            .join(format!("{}.log", self.nodes[at].name));
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }

    /// Makes the standby that has most the primary, by hand; the others follow
    /// it. The old primary must be down. Answers which one it is.
    ///
    /// # Errors
    /// When none is there.
    pub fn promote(&mut self) -> std::io::Result<usize> {
        let mut best = None;
        for at in 0..self.nodes.len() {
            if at == self.primary || self.nodes[at].server.is_none() {
                continue;
            }
            let lsn = "SELECT (greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) \
                       - '0/0'::pg_lsn)::text";
            let reached: u64 = self
                .ask(at, "postgres", lsn)?
                .parse()
                .map_err(Error::other)?;
            if best.is_none_or(|(most, _)| reached > most) {
                best = Some((reached, at));
            }
        }
        let (_, at) = best.ok_or_else(|| Error::other("there is no standby to promote"))?;
        self.psql(at, "postgres", "SELECT pg_promote(true, 30)")?;
        self.wait("the standby to take writes", |servers| {
            let recovers = "SELECT pg_is_in_recovery()::text";
            Ok(servers.ask(at, "postgres", recovers)? == "false")
        })?;
        self.primary = at;
        for other in 0..self.nodes.len() {
            if other != at && self.nodes[other].server.is_some() {
                let source = self.source();
                self.psql(
                    other,
                    "postgres",
                    &format!(
                        "ALTER SYSTEM SET primary_conninfo = '{}'",
                        self.conninfo(other, &source)
                    ),
                )?;
                self.psql(other, "postgres", "SELECT pg_reload_conf()")?;
            }
        }
        Ok(at)
    }

    /// Makes a server a standby of the primary anew, from a copy of it.
    ///
    /// # Errors
    /// When it cannot be copied or does not start.
    pub fn follow_anew(&mut self, at: usize) -> Done {
        if self.nodes[at].server.is_some() {
            self.kill(at)?;
        }
        std::fs::remove_dir_all(self.data(at))?;
        self.copy_from_primary(at)?;
        self.run(at)
    }

    /// Changes a setting of a running server.
    ///
    /// # Errors
    /// When it refuses.
    pub fn set(&self, at: usize, name: &str, value: &str) -> Done {
        self.psql(
            at,
            "postgres",
            &format!("ALTER SYSTEM SET {name} = '{value}'"),
        )?;
        self.psql(at, "postgres", "SELECT pg_reload_conf()")?;
        let want = value.to_owned();
        let ask = format!("SELECT current_setting('{name}')");
        self.wait("the setting to be there", |servers| {
            Ok(servers.ask(at, "postgres", &ask)? == want)
        })
    }

    /// Lets a running server speak encrypted, with this certificate and key (PEM).
    ///
    /// # Errors
    /// When it refuses.
    pub fn encrypt(&self, at: usize, certificate: &str, key: &str) -> Done {
        for (name, text) in [("server.crt", certificate), ("server.key", key)] {
            let path = self.data(at).join(name);
            std::fs::write(&path, text)?;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
            if let Some((user, group)) = self.user {
                chown(&path, Some(user), Some(group))?;
            }
        }
        self.set(at, "ssl", "on")
    }

    /// The standbys that follow the primary now.
    ///
    /// # Errors
    /// When the primary does not answer.
    pub fn following(&self) -> std::io::Result<usize> {
        let sql = "SELECT count(*)::text FROM pg_stat_replication WHERE state = 'streaming'";
        self.ask(self.primary, "postgres", sql)?
            .parse()
            .map_err(Error::other)
    }

    /// Waits until something is so.
    ///
    /// # Errors
    /// When it is not so for a minute.
    pub fn wait(&self, what: &str, mut so: impl FnMut(&Servers) -> std::io::Result<bool>) -> Done {
        let until = Instant::now() + PATIENCE;
        while !so(self).unwrap_or(false) {
            if Instant::now() >= until {
                return Err(Error::other(format!("waited in vain for {what}")));
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    fn data(&self, at: usize) -> PathBuf {
        self.folder.path().join(&self.nodes[at].name)
    }

    fn as_user(&self, mut command: Command) -> Command {
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command
    }

    fn carry_out(&self, command: Command) -> Done {
        let mut command = self.as_user(command);
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        let done = command.output()?;
        match done.status.success() {
            true => Ok(()),
            false => Err(Error::other(
                String::from_utf8_lossy(&done.stderr).into_owned(),
            )),
        }
    }

    fn make_primary(&self) -> Done {
        let secret = self.folder.path().join("password");
        std::fs::write(&secret, PASSWORD)?;
        if let Some((user, group)) = self.user {
            chown(&secret, Some(user), Some(group))?;
        }
        let mut initdb = Command::new(self.programs.join("initdb"));
        initdb.args([
            "--data-checksums",
            "--no-sync",
            "-U",
            "postgres",
            "-A",
            "scram-sha-256",
        ]);
        initdb
            .args(["--locale=C", "-E", "UTF8"])
            .arg("--pwfile")
            .arg(&secret);
        initdb.arg("-D").arg(self.data(0));
        self.carry_out(initdb)?;
        let mut config = File::options()
            .append(true)
            .open(self.data(0).join("postgresql.conf"))?;
        config.write_all(
            b"listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\n\
              wal_level = replica\nmax_wal_senders = 10\nmax_connections = 200\n\
              shared_buffers = 64MB\nwal_keep_size = 512MB\nwal_receiver_status_interval = 1s\n\
              wal_retrieve_retry_interval = 100ms\nwal_sender_timeout = 20s\n\
              wal_receiver_timeout = 20s\ninclude_if_exists = 'node.conf'\n",
        )?;
        let mut access = File::options()
            .append(true)
            .open(self.data(0).join("pg_hba.conf"))?;
        access.write_all(b"host replication all 127.0.0.1/32 scram-sha-256\n")?;
        self.write_node_conf(0)
    }

    fn write_node_conf(&self, at: usize) -> Done {
        let others = self
            .nodes
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at);
        let others: Vec<&str> = others.map(|(_, node)| node.name.as_str()).collect();
        let waits = match others.is_empty() {
            true => String::new(),
            false => format!("ANY 1 ({})", others.join(", ")),
        };
        let node = &self.nodes[at];
        let text = format!(
            "port = {}\ncluster_name = '{}'\nsynchronous_standby_names = '{waits}'\n",
            node.port, node.name
        );
        let path = self.data(at).join("node.conf");
        std::fs::write(&path, text)?;
        match self.user {
            Some((user, group)) => chown(&path, Some(user), Some(group)),
            None => Ok(()),
        }
    }

    /// Where a standby takes its log from.
    fn source(&self) -> u16 {
        self.nodes[self.primary].port
    }

    fn conninfo(&self, at: usize, port: &u16) -> String {
        let name = &self.nodes[at].name;
        format!(
            "host=127.0.0.1 port={port} user=postgres password=''{PASSWORD}'' \
             application_name={name}"
        )
    }

    fn copy_from_primary(&self, at: usize) -> Done {
        let mut copy = Command::new(self.programs.join("pg_basebackup"));
        let port = self.source();
        copy.args(["-X", "stream", "-c", "fast", "--no-sync", "-D"])
            .arg(self.data(at));
        copy.arg("-d").arg(format!(
            "host=127.0.0.1 port={port} user=postgres password='{PASSWORD}'"
        ));
        self.carry_out(copy)?;
        let conninfo = self.conninfo(at, &port);
        let auto = self.data(at).join("postgresql.auto.conf");
        std::fs::write(&auto, format!("primary_conninfo = '{conninfo}'\n"))?;
        let signal = self.data(at).join("standby.signal");
        std::fs::write(&signal, "")?;
        if let Some((user, group)) = self.user {
            chown(&auto, Some(user), Some(group))?;
            chown(&signal, Some(user), Some(group))?;
        }
        self.write_node_conf(at)
    }

    fn signal(&self, at: usize, signal: Signal) -> Done {
        let server = self.nodes[at].server.as_ref();
        let server = server.ok_or_else(|| Error::other("the server does not run"))?;
        let id = Pid::from_child(server);
        kill_process(id, signal).map_err(Error::from)
    }

    /// The processes of a server beside its first.
    fn children(&self, at: usize) -> Vec<Pid> {
        let Some(server) = &self.nodes[at].server else {
            return Vec::new();
        };
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let children = entries.filter_map(|entry| {
            let id: i32 = entry.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            // After the name in brackets: state, then the parent.
            let parent: u32 = stat
                .rsplit_once(')')?
                .1
                .split_whitespace()
                .nth(1)?
                .parse()
                .ok()?;
            (parent == server.id()).then(|| Pid::from_raw(id)).flatten()
        });
        children.collect()
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        for at in 0..self.nodes.len() {
            if self.nodes[at].server.is_some() {
                // One that was held still must go on to be ended.
                let _ = self.resume(at);
                let _ = self.kill(at);
            }
        }
    }
}

/// Where the programs of the newest installed version are.
fn find_programs() -> std::io::Result<PathBuf> {
    let mut versions: Vec<(u32, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
    {
        let version = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok());
        let programs = entry.path().join("bin");
        if let Some(version) = version
            && programs.join("initdb").exists()
        {
            versions.push((version, programs));
        }
    }
    versions.sort();
    if let Some((_, programs)) = versions.pop() {
        return Ok(programs);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path);
    let found = folders.find(|folder| folder.join("initdb").exists());
    found.ok_or_else(|| Error::other("PostgreSQL is not installed: run scripts/setup cluster"))
}

/// The ids of the first of these users that there is.
fn user_of(names: &[&str]) -> std::io::Result<(u32, u32)> {
    let mut text = String::new();
    File::open("/etc/passwd")?.read_to_string(&mut text)?;
    let find = |name: &str| {
        let line = text
            .lines()
            .find(|line| line.split(':').next() == Some(name))?;
        let mut ids = line.split(':').skip(2);
        Some((ids.next()?.parse().ok()?, ids.next()?.parse().ok()?))
    };
    let found = names.iter().find_map(|name| find(name));
    found.ok_or_else(|| Error::other("there is no user that servers could run as"))
}

fn free_port() -> std::io::Result<u16> {
    TcpListener::bind("127.0.0.1:0")?
        .local_addr()
        .map(|address| address.port())
}
