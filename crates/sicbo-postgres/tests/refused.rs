//! What a house is not started on: one clear line each, and nothing written.

use std::path::Path;
use std::time::Duration;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use sicbo_journal::*;
use sicbo_postgres::servers::Servers;
use sicbo_postgres::*;

use crate::common::{database, fresh, house, lead, seal, server, stream, writer};

fn refused(server: &Server, house: &Hash, expected: &str) {
    let led = PostgresStore::lead(server, house, stream(), "node").map(|_| ());
    let line = led.expect_err(expected).to_string();
    assert!(line.contains(expected), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
    assert!(
        !line.contains("on loopback only"),
        "the password is nobody's to read: {line}"
    );
}

#[test]
fn what_a_house_cannot_be_kept_on_is_refused_in_one_line() {
    let mut servers = Servers::start(2).unwrap();
    let good = servers.address("postgres");
    let at = |text: &str| Server::parse(text, true).unwrap();

    for (text, expected) in [
        ("host=a port=none dbname=x", "cannot be read"),
        ("user=sicbo dbname=x", "it names no host"),
        ("host=127.0.0.1 user=sicbo", "it names no database"),
    ] {
        let error = Server::parse(text, true).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    // Nobody listens on the port that the servers' ports are not.
    let unused = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = unused.local_addr().unwrap().port();
    drop(unused);
    let nobody = format!("host=127.0.0.1 port={port} user=sicbo dbname=sicbo");
    refused(
        &at(&nobody),
        &house(),
        &format!("answers at 127.0.0.1:{port}"),
    );
    let wrong = at(&good).with_password("another");
    refused(&wrong, &house(), "password authentication failed");
    refused(
        &at(&servers.address("nowhere")),
        &house(),
        "\"nowhere\" does not exist",
    );
    // Only the standbys, which take no writes.
    let standby = servers.address_of(&[1], "postgres");
    refused(&at(&standby), &house(), "takes writes");

    let name = database(&servers);
    let empty = server(&servers, &name);
    refused(&empty, &house(), "sicbo cluster init");
    Truth::init(&empty, &house()).unwrap();
    let made = Truth::init(&empty, &house())
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(made.contains("a house in this database already"), "{made}");
    let another = Hash([9; 32]);
    refused(
        &empty,
        &another,
        &format!("holds another house ({})", house()),
    );
    let outside = |sql: &str| servers.psql(servers.primary(), &name, sql).unwrap();
    outside("UPDATE sicbo.house SET format = 2");
    refused(&empty, &house(), "have format 2, this program knows 1");
    outside("UPDATE sicbo.house SET format = 1");

    let primary = servers.primary();
    let names = servers
        .ask(primary, "postgres", "SHOW synchronous_standby_names")
        .unwrap();
    for (value, expected) in [("", "no other machine"), ("ANY 1 (*)", "name the standbys")] {
        servers
            .set(primary, "synchronous_standby_names", value)
            .unwrap();
        refused(&empty, &house(), expected);
    }
    // For play money a weaker server will do.
    let play = Server::parse(&servers.address(&name), false).unwrap();
    PostgresStore::lead(&play, &house(), stream(), "node").unwrap();
    outside("DELETE FROM sicbo.streams");
    servers
        .set(primary, "synchronous_standby_names", "ANY 1 (elsewhere)")
        .unwrap();
    refused(
        &empty,
        &house(),
        "0 of the standbys elsewhere are connected",
    );
    servers
        .set(primary, "synchronous_standby_names", &names)
        .unwrap();
    servers.set(primary, "full_page_writes", "off").unwrap();
    refused(&empty, &house(), "full_page_writes is off: set it to on");
    servers.set(primary, "full_page_writes", "on").unwrap();

    encrypted(&servers, &name);

    let rows = servers
        .ask(primary, &name, "SELECT count(*)::text FROM sicbo.streams")
        .unwrap();
    assert_eq!(rows, "0", "nothing was written");

    // It is as good as before, and a standby that comes late is waited for in play.
    let server = fresh(&servers).giving_up_after(Duration::from_secs(20));
    let mut store = lead(&server, "node");
    let mut writer = writer(&store, 1);
    store
        .append(&seal(&mut writer, b"one"), Beside::default())
        .unwrap();
    servers.stop(1).unwrap();
    store
        .append(&seal(&mut writer, b"two"), Beside::default())
        .unwrap();
    servers.stop(2).unwrap();
    refused(&server, &house(), "0 of the standbys");
}

/// A server is believed by its authority's word only, and spoken to encrypted.
fn encrypted(servers: &Servers, database: &str) {
    let primary = servers.primary();
    let address = servers.address_of(&[primary], database);
    let server = Server::parse(&address, true).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let authority = |name: &str| {
        let key = KeyPair::generate().unwrap();
        let mut parameters = CertificateParams::new(Vec::new()).unwrap();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        parameters.distinguished_name.push(DnType::CommonName, name);
        let certificate = parameters.self_signed(&key).unwrap();
        let file = folder.path().join(name);
        std::fs::write(&file, certificate.pem()).unwrap();
        (file, Issuer::new(parameters, key))
    };
    let ((ours, issuer), (other, _)) = (authority("ours"), authority("other"));
    let key = KeyPair::generate().unwrap();
    let names = vec!["127.0.0.1".to_owned()];
    let certificate = CertificateParams::new(names).unwrap();
    let certificate = certificate.signed_by(&key, &issuer).unwrap();
    let believing = |file: &Path| server.clone().with_authority(file).unwrap();
    refused(&believing(&ours), &house(), "TLS");
    servers
        .encrypt(primary, &certificate.pem(), &key.serialize_pem())
        .unwrap();
    refused(&believing(&other), &house(), "certificate");
    let open = Truth::open(&believing(&ours), &house()).unwrap();
    let sql = "SELECT count(*)::text FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
               WHERE usename = 'sicbo' AND ssl";
    assert_eq!(servers.ask(primary, "postgres", sql).unwrap(), "1");
    drop(open);
    let nothing = folder.path().join("nothing");
    std::fs::write(&nothing, "no certificate").unwrap();
    let error = server
        .clone()
        .with_authority(&nothing)
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with("nothing: it holds no certificate"),
        "{error}"
    );
}
