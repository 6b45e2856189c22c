//! Blocks, keys and servers that the tests share.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use sicbo_journal::*;
use sicbo_postgres::servers::Servers;
use sicbo_postgres::*;

pub(crate) fn key() -> HouseKey {
    HouseKey::from_entropy(&[3; 32])
}

pub(crate) fn ring() -> KeyRing {
    KeyRing::new(key().public())
}

pub(crate) fn house() -> Hash {
    ring().house().0
}

pub(crate) fn stream() -> StreamId {
    StreamId::new("table-1").unwrap()
}

/// A writer with a secret of its own, as each process has one.
pub(crate) fn writer(store: &dyn Store, secret: u8) -> Writer {
    let house = Signatory::of_first_key(key(), WriterSecret::new([secret; 32]));
    Writer::resume(stream(), &store.tail(), store.next_epoch(), &house).unwrap()
}

pub(crate) fn seal(writer: &mut Writer, payload: &[u8]) -> SealedBlock {
    writer.push(1, 1, 1, payload).unwrap();
    writer.seal(1).unwrap()
}

/// A database of its own with the tables of the house, and its address.
pub(crate) fn fresh(servers: &Servers) -> Server {
    let server = server(servers, &database(servers));
    Truth::init(&server, &house()).unwrap();
    server
}

/// An empty database of its own.
pub(crate) fn database(servers: &Servers) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let database = format!("house_{}", NEXT.fetch_add(1, Ordering::Relaxed));
    servers.make_database(&database).unwrap();
    database
}

pub(crate) fn server(servers: &Servers, database: &str) -> Server {
    let server = Server::parse(&servers.address(database), true).unwrap();
    server.giving_up_after(Duration::from_secs(30))
}

/// Who leads has written one block; the second is for its writer to seal.
pub(crate) fn one_written(server: &Server) -> (PostgresStore, Writer) {
    let mut store = lead(server, "left");
    let mut first = writer(&store, 1);
    let one = seal(&mut first, b"one");
    store.append(&one, Beside::default()).unwrap();
    (store, first)
}

pub(crate) fn lead(server: &Server, node: &str) -> PostgresStore {
    PostgresStore::lead(server, &house(), stream(), node).unwrap()
}
