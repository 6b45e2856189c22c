//! Carries the bytes of `add-checkpoint` to a witness, over HTTP/1.1 and TLS.
//! One request, one connection, one time limit; what is asked and what an
//! answer means is in `ask`.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};

use crate::ask::{Outcome, Reply, ask};
use crate::check::CheckError;
use crate::house_tree::HouseTree;
use crate::note::VerifierKey;
use crate::tree::consistency_proof;
use crate::url::WitnessUrl;

/// A witness that takes longer is taken for silent.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// Longest answer that is read.
const MAX_ANSWER: usize = 64 * 1024;

/// Why nothing came back.
#[derive(Debug, thiserror::Error)]
pub enum Unreachable {
    /// There is no connection, or it ended before an answer.
    #[error("{0}")]
    Nobody(String),
    /// The certificate is not one that is trusted for that name.
    #[error("no encryption: {0}")]
    Certificate(String),
    /// The other side does not speak TLS.
    #[error("no encryption: the other side does not speak TLS")]
    NotEncrypted,
    /// The other side speaks TLS and was asked without it.
    #[error("the other side speaks TLS only")]
    Encrypted,
}

/// Speaks with one witness.
#[derive(Debug)]
pub struct Client {
    url: WitnessUrl,
    runtime: tokio::runtime::Runtime,
    tls: Option<Arc<ClientConfig>>,
}

impl Client {
    /// A client of a witness. With https its certificate is held to those of the
    /// PEM text `ca`, and to the machine's own where there is none.
    ///
    /// # Errors
    /// When the system gives no runtime, or there are no certificates.
    pub fn new(url: WitnessUrl, ca: Option<&str>) -> std::io::Result<Client> {
        let roots = match (url.encrypted, ca) {
            (false, _) => None,
            (true, Some(ca)) => Some(given(ca)?),
            (true, None) => Some(of_the_machine()?),
        };
        let tls = roots.map(trusting).transpose()?.map(Arc::new);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        Ok(Client { url, runtime, tls })
    }

    /// Sends the body of `add-checkpoint` and waits for the answer.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn post(&self, body: String) -> Result<Reply, String> {
        let request = Request::post(self.url.path.as_str())
            .header(header::CONTENT_TYPE, "text/plain; charset=utf-8");
        self.ask(request, body).map_err(|error| error.to_string())
    }

    /// Asks for what is at a path.
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn get(&self, path: &str) -> Result<Reply, Unreachable> {
        self.ask(Request::get(path), String::new())
    }

    fn ask(&self, request: http::request::Builder, body: String) -> Result<Reply, Unreachable> {
        let host = format!("{}:{}", self.url.host, self.url.port);
        let request = request
            .header(header::HOST, host)
            .header(header::CONNECTION, "close")
            .body(Full::new(Bytes::from(body)))
            .map_err(|error| Unreachable::Nobody(error.to_string()))?;
        let answered = async { tokio::time::timeout(ANSWER_TIMEOUT, self.exchange(request)).await };
        let seconds = ANSWER_TIMEOUT.as_secs();
        let late = |_| Err(Unreachable::Nobody(format!("no answer within {seconds} s")));
        self.runtime.block_on(answered).unwrap_or_else(late)
    }

    async fn exchange(&self, request: Request<Full<Bytes>>) -> Result<Reply, Unreachable> {
        let (bare, port) = self.url.host_and_port();
        let stream = TcpStream::connect((bare, port))
            .await
            .map_err(|error| Unreachable::Nobody(format!("no connection: {error}")))?;
        match &self.tls {
            None => speak(TokioIo::new(stream), request).await,
            Some(config) => {
                let name = ServerName::try_from(bare.to_owned())
                    .map_err(|_| Unreachable::Nobody(format!("{bare} is no name of a machine")))?;
                let connector = TlsConnector::from(Arc::clone(config));
                let stream = connector.connect(name, stream).await;
                let stream = stream.map_err(not_encrypted)?;
                speak(TokioIo::new(stream), request).await
            }
        }
    }
}

/// What a handshake that failed says of the other side.
fn not_encrypted(error: std::io::Error) -> Unreachable {
    let known = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<rustls::Error>());
    match known {
        Some(rustls::Error::InvalidMessage(_)) => Unreachable::NotEncrypted,
        Some(error) => Unreachable::Certificate(error.to_string()),
        None => Unreachable::Nobody(format!("no encryption: {error}")),
    }
}

async fn speak<I>(io: I, request: Request<Full<Bytes>>) -> Result<Reply, Unreachable>
where
    I: hyper::rt::Read + hyper::rt::Write + Unpin + Send + 'static,
{
    let broken = |error: hyper::Error| match error.is_parse() {
        // An alert of TLS is no answer of HTTP.
        true => Unreachable::Encrypted,
        false => Unreachable::Nobody(format!("the connection broke: {error}")),
    };
    let (mut sender, connection) = hyper::client::conn::http1::handshake(io)
        .await
        .map_err(broken)?;
    let answer = async {
        let answer = sender.send_request(request).await.map_err(broken)?;
        let status = answer.status().as_u16();
        let body = Limited::new(answer.into_body(), MAX_ANSWER).collect().await;
        let body = body
            .map_err(|_| Unreachable::Nobody("the answer broke off or is too long".to_owned()))?;
        let body = String::from_utf8_lossy(&body.to_bytes()).into_owned();
        Ok(Reply { status, body })
    };
    // The connection does its work while the answer is waited for.
    tokio::pin!(connection);
    tokio::pin!(answer);
    tokio::select! {
        answer = &mut answer => answer,
        _ = &mut connection => answer.await,
    }
}

/// What a witness says of the newest signed head in a data folder, also while
/// the house runs: with its cosignature the folder can be held to it
/// ([`crate::check::Demand::Continues`]). Nothing is written.
///
/// # Errors
/// When the folder has no tree or no signed head, or cannot be read.
pub fn ask_about(
    data: &Path,
    witness: &VerifierKey,
    client: &Client,
) -> Result<Outcome, CheckError> {
    let mut last = None;
    loop {
        let tree = HouseTree::open_to_read(data)?.ok_or(CheckError::NoHead)?;
        let (note, head) = tree.newest_head()?.ok_or(CheckError::NoHead)?;
        let known = tree.newest_cosigned()?.map_or(0, |(_, head)| head.size);
        let outcome = ask(
            (&note, &head),
            witness,
            known,
            |old| consistency_proof(&tree, old, head.size),
            |body| client.post(body),
        )?;
        // A house that runs may have had a newer head cosigned meanwhile.
        let moved_on = last != Some(head.size);
        if !matches!(outcome, Outcome::Behind { .. }) || !moved_on {
            return Ok(outcome);
        }
        last = Some(head.size);
    }
}

fn given(ca: &str) -> std::io::Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(ca.as_bytes()) {
        let certificate = certificate.map_err(std::io::Error::other)?;
        roots.add(certificate).map_err(std::io::Error::other)?;
    }
    match roots.is_empty() {
        true => Err(std::io::Error::other("there is no certificate in its file")),
        false => Ok(roots),
    }
}

fn of_the_machine() -> std::io::Result<RootCertStore> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    let (good, _) = roots.add_parsable_certificates(found.certs);
    if good == 0 {
        let what = "this machine has no certificates that a witness's could be held to: install \
                    ca-certificates";
        return Err(std::io::Error::other(what));
    }
    Ok(roots)
}

fn trusting(roots: RootCertStore) -> std::io::Result<ClientConfig> {
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(std::io::Error::other)?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}
