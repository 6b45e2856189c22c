//! The encrypted edge.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, ExtendedKeyUsagePurpose, IsCa, KeyPair,
};
use serde_json::json;
use sicbo_server::secrets::write_private;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    ClientConfig, ClientConnection, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
    StreamOwned, crypto,
};

use super::house::{House, TABLE, plan};
use super::http::{Answer, ask_on, request};
use super::ws::Socket;
use crate::common::comes;
use crate::common::program::Program;

/// Takes the certificate made for a trial, whoever made it.
#[derive(Debug)]
struct AsTrial(crypto::CryptoProvider);

impl ServerCertVerifier for AsTrial {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.0.signature_verification_algorithms;
        crypto::verify_tls12_signature(message, certificate, signed, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.0.signature_verification_algorithms;
        crypto::verify_tls13_signature(message, certificate, signed, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

pub(super) type Encrypted = StreamOwned<ClientConnection, TcpStream>;

/// Who signs certificates.
pub(super) type Authority = CertifiedIssuer<'static, KeyPair>;

/// A certificate with its key.
pub(super) type Own = (CertificateDer<'static>, PrivateKeyDer<'static>);

fn client(house: &House, roots: Option<CertificateDer<'static>>) -> Encrypted {
    client_with(house, roots, None)
}

fn client_with(
    house: &House,
    roots: Option<CertificateDer<'static>>,
    own: Option<Own>,
) -> Encrypted {
    encrypted(house.line(), roots, own)
}

/// The same over any line of a house.
pub(super) fn encrypted(
    line: TcpStream,
    roots: Option<CertificateDer<'static>>,
    own: Option<Own>,
) -> Encrypted {
    let provider = crypto::ring::default_provider();
    let builder = ClientConfig::builder_with_provider(Arc::new(provider.clone()))
        .with_safe_default_protocol_versions()
        .expect("versions");
    let builder = match roots {
        Some(certificate) => {
            let mut roots = RootCertStore::empty();
            roots.add(certificate).expect("a certificate");
            builder.with_root_certificates(roots)
        }
        None => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(AsTrial(provider))),
    };
    let config = match own {
        None => builder.with_no_client_auth(),
        Some((certificate, key)) => builder
            .with_client_auth_cert(vec![certificate], key)
            .expect("a certificate of its own"),
    };
    let name = ServerName::try_from("localhost").expect("a name");
    let client = ClientConnection::new(Arc::new(config), name).expect("a client");
    StreamOwned::new(client, line)
}

fn session_and_socket(house: &House, roots: Option<CertificateDer<'static>>) -> Answer {
    let name = "Goh Boon Keng";
    let body = json!({"name": name, "pin": house.pin(name)}).to_string();
    let said = ask_on(
        &mut client(house, roots.clone()),
        &request(
            "POST",
            "/api/session",
            &["Origin: https://localhost"],
            Some(&body),
        ),
    );
    let cookie = said.cookie();
    assert!(
        said.header("set-cookie")
            .is_some_and(|c| c.ends_with("; HttpOnly; SameSite=Strict; Secure")),
        "{}",
        said.head
    );
    let me = ask_on(
        &mut client(house, roots.clone()),
        &request("GET", "/api/session", &[&cookie], None),
    );
    assert_eq!(me.json()["name"], name);
    let mut socket = Socket::open(client(house, roots), "/ws/terminal", &[]).expect("a socket");
    socket.say(&json!({"type": "hello", "protocol": 1, "token": house.terminal(1)}));
    socket.until("mine");
    socket.say(&json!({"type": "call_attendant", "request": 3}));
    assert_eq!(socket.until("done")["request"], 3);
    said
}

#[test]
fn a_session_and_a_socket_over_a_certificate_made_for_a_trial() {
    let house = House::of(&format!("{}\n[tls]\nuse = \"trial\"\n", plan("")));
    let said = session_and_socket(&house, None);
    assert_eq!(said.header("strict-transport-security"), None);
    // Plain words at an encrypted door: it ends, and soon.
    let begun = Instant::now();
    let said = house.bytes(&request("GET", "/api/house", &[], None));
    assert!(said.status == 0 && !said.head.contains("HTTP/"), "{said:?}");
    // A handshake that stops half way, and one that never begins.
    let mut half = house.line();
    half.write_all(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
        .expect("sent");
    let mut none = house.line();
    let mut rest = Vec::new();
    let _ = half.read_to_end(&mut rest);
    let _ = none.read_to_end(&mut rest);
    assert!(
        begun.elapsed() < Duration::from_secs(9),
        "{:?}",
        begun.elapsed()
    );
    assert!(!house.program.log().contains("panicked"));
}

#[test]
fn a_session_and_a_socket_over_the_houses_own_certificate() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let made = certify(folder.path());
    plan_files(folder.path(), "");
    let key = folder.path().join("house.key");
    let set = |mode| {
        let rights = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(&key, rights).expect("set");
    };
    // Its group may read the key, and nobody else.
    set(0o644);
    let mut child = Program::spawn(folder.path());
    assert!(!child.wait().expect("reaped").success());
    let log = std::fs::read_to_string(folder.path().join("log.txt")).expect("its log");
    assert!(log.contains("chmod o= "), "{log}");
    set(0o640);
    let house = House::start(folder);
    let said = session_and_socket(&house, Some(made));
    assert!(said.header("strict-transport-security").is_some());
}

/// Writes a new certificate of the house with its key; the certificate.
pub(super) fn certify(folder: &Path) -> CertificateDer<'static> {
    let names = vec!["localhost".to_owned()];
    let made = rcgen::generate_simple_self_signed(names).expect("a certificate");
    let key = folder.join("house.key");
    let _ = std::fs::remove_file(&key);
    write_private(&key, made.signing_key.serialize_pem().as_bytes()).expect("written");
    std::fs::write(folder.join("house.pem"), made.cert.pem()).expect("written");
    made.cert.der().clone()
}

/// An authority whose certificate is in this file.
pub(super) fn authority(file: &Path) -> Authority {
    let mut params = CertificateParams::new(Vec::new()).expect("names");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().expect("a key");
    let made = CertifiedIssuer::self_signed(params, key).expect("an authority");
    std::fs::write(file, made.pem()).expect("written");
    made
}

/// A certificate by which a client is known under this name.
pub(super) fn certified(authority: &Authority, name: String) -> Own {
    let mut params = CertificateParams::new(vec![name]).expect("names");
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    let key = KeyPair::generate().expect("a key");
    let signed = params.signed_by(&key, authority).expect("signed");
    let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
    (signed.der().clone(), key)
}

fn plan_files(folder: &Path, more: &str) {
    let files = "use = \"files\"\ncert = \"house.pem\"\nkey = \"house.key\"";
    let text = format!("{}\n[tls]\n{files}\n{more}\n", plan(""));
    std::fs::write(folder.join("house.toml"), text).expect("written");
}

#[test]
fn a_new_certificate_is_taken_without_a_restart_and_a_bad_one_is_not() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let first = certify(folder.path());
    plan_files(folder.path(), "");
    let house = House::start(folder);
    let asks = |root: &CertificateDer<'static>| {
        let bytes = request("GET", "/health/live", &[], None);
        ask_on(&mut client(&house, Some(root.clone())), &bytes).status
    };
    assert_eq!(asks(&first), 204);
    // A terminal that plays is not disturbed.
    let line = client(&house, Some(first.clone()));
    let mut socket = Socket::open(line, "/ws/terminal", &[]).expect("a socket");
    socket.say(&json!({"type": "hello", "protocol": 1, "token": house.terminal(1)}));
    socket.until("mine");
    let second = certify(house.folder.path());
    comes("the new certificate", || {
        (asks(&second) == 204).then_some(())
    });
    assert_eq!(asks(&first), 0, "the old one is shown no more");
    std::fs::write(house.folder.path().join("house.pem"), "nonsense").expect("written");
    comes("it is on the log", || {
        assert_eq!(asks(&second), 204);
        let log = house.program.log();
        log.contains("a new certificate cannot be used")
            .then_some(())
    });
    assert_eq!(asks(&second), 204);
    socket.say(&json!({"type": "call_attendant", "request": 3}));
    assert_eq!(socket.until("done")["request"], 3);
}

#[test]
fn a_copied_token_is_worth_nothing_without_the_certificate_of_its_place() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let root = certify(folder.path());
    let authority = authority(&folder.path().join("places.pem"));
    plan_files(folder.path(), "client_ca = \"places.pem\"");
    let house = House::start(folder);
    let own = |place: &str| certified(&authority, format!("place-{place}.sicbo"));
    let number = |token: &str| token.split('-').next().unwrap_or_default().to_owned();
    let line = |own: Option<Own>| client_with(&house, Some(root.clone()), own);
    let (token, other) = (house.terminal(1).to_owned(), house.terminal(2).to_owned());
    let asks = |own: Option<Own>| {
        let header = format!("Authorization: Bearer {token}");
        let bytes = request("GET", "/api/station/rounds", &[&header], None);
        ask_on(&mut line(own), &bytes)
    };
    asks(Some(own(&number(&token)))).is(200);
    asks(None).refuses(401, "certificate_needed");
    asks(Some(own(&number(&other)))).refuses(401, "certificate_needed");
    let hello = |own: Option<Own>| {
        let mut socket = Socket::open(line(own), "/ws/terminal", &[]).expect("a socket");
        socket.say(&json!({"type": "hello", "protocol": 1, "token": token}));
        socket
    };
    hello(Some(own(&number(&token)))).until("mine");
    assert_eq!(hello(None).ended().0, "not_enrolled");
    assert_eq!(hello(Some(own(&number(&other)))).ended().0, "not_enrolled");
    // A console's token opens nothing either, and visitors need none.
    let console = house.token(&format!("{TABLE} console")).to_owned();
    let name = "Goh Boon Keng";
    let body = json!({"name": name, "pin": house.pin(name)}).to_string();
    let header = format!("Authorization: Bearer {console}");
    let log_in = |own: Option<Own>| {
        let bytes = request("POST", "/api/session", &[&header], Some(&body));
        ask_on(&mut line(own), &bytes)
    };
    log_in(None).refuses(401, "certificate_needed");
    let cookie = log_in(Some(own(&number(&console)))).is(200).cookie();
    // Nor does a session's cookie that was copied to another machine.
    let goes_on = |own: Option<Own>| {
        let bytes = request("GET", "/api/session", &[&cookie], None);
        ask_on(&mut line(own), &bytes)
    };
    goes_on(Some(own(&number(&console)))).is(200);
    goes_on(None).refuses(401, "certificate_needed");
    goes_on(Some(own(&number(&other)))).refuses(401, "certificate_needed");
    let bytes = request("GET", "/api/house", &[], None);
    ask_on(&mut line(None), &bytes).is(200);
}
