//! The encrypted edge.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    ClientConfig, ClientConnection, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
    StreamOwned, crypto,
};

use super::house::{House, plan};
use super::http::{Answer, ask_on, request};
use super::ws::Socket;

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

fn client(
    house: &House,
    roots: Option<CertificateDer<'static>>,
) -> StreamOwned<ClientConnection, TcpStream> {
    let provider = crypto::ring::default_provider();
    let builder = ClientConfig::builder_with_provider(Arc::new(provider.clone()))
        .with_safe_default_protocol_versions()
        .expect("versions");
    let config = match roots {
        Some(certificate) => {
            let mut roots = RootCertStore::empty();
            roots.add(certificate).expect("a certificate");
            builder.with_root_certificates(roots).with_no_client_auth()
        }
        None => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(AsTrial(provider)))
            .with_no_client_auth(),
    };
    let name = ServerName::try_from("localhost").expect("a name");
    let client = ClientConnection::new(Arc::new(config), name).expect("a client");
    StreamOwned::new(client, house.line())
}

fn session_and_socket(house: &House, roots: Option<CertificateDer<'static>>) -> Answer {
    let name = "Goh Boon Keng";
    let body = json!({"name": name, "pin": house.pin(name)}).to_string();
    let said = ask_on(
        &mut client(house, roots.clone()),
        &request(
            "POST",
            "/api/session",
            &["Origin: https://house"],
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
    let names = vec!["localhost".to_owned()];
    let made = rcgen::generate_simple_self_signed(names).expect("a certificate");
    let text = format!(
        "{}\n[tls]\nuse = \"files\"\ncert = \"house.pem\"\nkey = \"house.key\"\n",
        plan("")
    );
    std::fs::write(folder.path().join("house.pem"), made.cert.pem()).expect("written");
    std::fs::write(
        folder.path().join("house.key"),
        made.signing_key.serialize_pem(),
    )
    .expect("written");
    std::fs::write(folder.path().join("house.toml"), text).expect("written");
    let house = House::start(folder);
    let said = session_and_socket(&house, Some(made.cert.der().clone()));
    assert!(said.header("strict-transport-security").is_some());
}
