//! Reads where figures are given to a system that watches the house.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use sicbo_rules::document::Node;

use crate::Tls;
use crate::house::{ReadFile, pem};

/// An address of its own for figures: what watches the house need not reach its doors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MetricsPlan {
    /// Where it listens.
    pub listen: SocketAddr,
    /// File with the token that is asked for as `Authorization: Bearer`.
    pub token_file: Option<PathBuf>,
    /// Its encryption: none, or files of its own. With `client_ca` nobody without a
    /// certificate of that authority is answered.
    pub tls: Tls,
}

impl MetricsPlan {
    /// With its files beside the plan's own.
    pub(super) fn beside(&mut self, folder: &Path) {
        if let Some(path) = &mut self.token_file {
            *path = folder.join(&path);
        }
        self.tls.beside(folder);
    }
}

/// What the plan says; every fault of it.
pub(super) fn read(
    node: &Node<'_, '_>,
    real_money: bool,
    read: ReadFile<'_>,
) -> Option<MetricsPlan> {
    let metrics = node.optional_table("metrics")?;
    metrics.needs("listen", "address and port, e.g. \"127.0.0.1:9464\"");
    let listen = metrics.address("listen");
    let token_file = metrics.optional_text("token_file").map(PathBuf::from);
    let file = |key: &str, holds: &str| {
        let path = metrics.optional_text(key)?;
        pem(&metrics, key, &path, holds, read);
        Some(PathBuf::from(path))
    };
    let cert = file("cert", "CERTIFICATE");
    let key = file("key", "PRIVATE KEY");
    let client_ca = file("client_ca", "CERTIFICATE");
    let tls = match (cert, key) {
        (Some(cert), Some(key)) => Tls::Files {
            cert,
            key,
            client_ca: client_ca.clone(),
        },
        (None, None) => {
            if client_ca.is_some() {
                metrics.fault(
                    "client_ca",
                    "certificates are shown on encrypted connections only",
                    "give cert and key as well",
                );
            }
            Tls::None
        }
        (Some(_), None) => {
            metrics.fault("key", "missing", "give the key of cert");
            Tls::None
        }
        (None, Some(_)) => {
            metrics.fault("cert", "missing", "give the certificate of key");
            Tls::None
        }
    };
    let listen = listen?;
    if !listen.ip().is_loopback() {
        if token_file.is_none() && client_ca.is_none() {
            metrics.fault(
                "token_file",
                "anybody on the network could read the house's figures",
                "give token_file or client_ca, or listen on 127.0.0.1",
            );
        }
        if real_money && tls == Tls::None {
            metrics.fault(
                "cert",
                "real money, and figures and token would cross the network in the clear",
                "give cert and key, or listen on 127.0.0.1",
            );
        }
    }
    Some(MetricsPlan {
        listen,
        token_file,
        tls,
    })
}
