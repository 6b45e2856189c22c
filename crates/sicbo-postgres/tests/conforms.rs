//! The journal's own suite on real servers, with a quorum of one of two.

use sicbo_journal::conformance::{Medium, conformance};
use sicbo_journal::{MemoryDisk, MemoryStore, StreamId};
use sicbo_postgres::servers::Servers;
use sicbo_postgres::{PostgresStore, ReplicatedStore, Server, Truth};

use crate::common;

/// A database of its own. It fails by triggers that are put into it from outside.
struct Database<'s> {
    servers: &'s Servers,
    name: String,
    server: Server,
}

const TABLES: [&str; 3] = ["blocks", "snapshots", "checkpoints"];

impl Medium for Database<'_> {
    type Store = PostgresStore;

    fn open(&mut self, stream: StreamId) -> PostgresStore {
        self.mend();
        PostgresStore::lead(&self.server, &common::house(), stream, "node").unwrap()
    }

    fn fail_next_write(&mut self) {
        self.outside(
            "CREATE OR REPLACE FUNCTION public.sabotage() RETURNS trigger LANGUAGE plpgsql \
             AS $$ BEGIN RAISE EXCEPTION 'no'; END $$",
        );
        for table in TABLES {
            self.outside(&format!(
                "CREATE TRIGGER sabotage BEFORE INSERT ON sicbo.{table} \
                 FOR EACH ROW EXECUTE FUNCTION public.sabotage()"
            ));
        }
    }
}

impl Database<'_> {
    fn mend(&self) {
        for table in TABLES {
            self.outside(&format!("DROP TRIGGER IF EXISTS sabotage ON sicbo.{table}"));
        }
    }

    fn outside(&self, sql: &str) {
        self.servers
            .psql(self.servers.primary(), &self.name, sql)
            .unwrap();
    }
}

/// The same with a copy on this machine, which everything is read from.
struct WithCopy<'s>(Database<'s>, MemoryDisk);

impl Medium for WithCopy<'_> {
    type Store = ReplicatedStore;

    fn open(&mut self, stream: StreamId) -> ReplicatedStore {
        self.0.mend();
        let copy = Box::new(MemoryStore::open(stream.clone(), &self.1));
        ReplicatedStore::lead(&self.0.server, &common::ring(), "node", stream, copy, 10).unwrap()
    }

    fn fail_next_write(&mut self) {
        self.0.fail_next_write();
    }
}

#[test]
fn the_store_conforms_with_quorum_commit() {
    let servers = Servers::start(2).unwrap();
    let name = common::database(&servers);
    let server = common::server(&servers, &name);
    Truth::init(&server, &common::house()).unwrap();
    let fresh = || {
        let database = Database {
            servers: &servers,
            name: name.clone(),
            server: server.clone(),
        };
        database.outside("TRUNCATE sicbo.streams CASCADE");
        database
    };
    conformance(fresh);
    conformance(|| WithCopy(fresh(), MemoryDisk::default()));
}
