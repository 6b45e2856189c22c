//! The house's certificate, read again when its files change, and the certificates by which
//! enrolled places are known.
//!
//! Where the plan names an authority for places (`client_ca`), a token opens something only on a
//! connection whose certificate is for the same enrolment: the name `place-N.sicbo`, N being the
//! number in front of the token. The key of that certificate never leaves its machine, so that a
//! token that was copied elsewhere is worth nothing.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use parking_lot::Mutex;
use sicbo_journal::rights::require_no_strangers;
use sicbo_plan::Tls;
use sicbo_register::enrolment::EnrolmentId;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

/// Files are looked at this often at most.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// How often somebody asked that all files be read again.
static ASKED: AtomicU64 = AtomicU64::new(0);

/// Every certificate is read again with its next connection, whether or not its files look changed.
pub fn read_all_again() {
    ASKED.fetch_add(1, Ordering::SeqCst);
}

/// Whether these files can be used.
///
/// # Errors
/// What is wrong with them.
pub fn try_out(tls: &Tls) -> Result<(), String> {
    config(tls).map(|_| ())
}

/// When each file was changed, and how long it is.
type Stamps = Vec<Option<(SystemTime, u64)>>;

/// What new connections are encrypted with.
pub struct Certificates {
    used_for: &'static str,
    tls: Tls,
    now: Mutex<Now>,
}

struct Now {
    config: Arc<ServerConfig>,
    stamps: Stamps,
    looked: Instant,
    asked: u64,
}

impl Certificates {
    /// Reads them; none where nothing is encrypted here.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn open(tls: &Tls) -> Result<Option<Certificates>, String> {
        Certificates::open_for(tls, "house")
    }

    /// The same for another address of the house than its own; `used_for` names it in figures.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn open_for(tls: &Tls, used_for: &'static str) -> Result<Option<Certificates>, String> {
        if matches!(tls, Tls::None | Tls::Proxy) {
            return Ok(None);
        }
        let stamps = stamps(tls);
        let now = Now {
            config: Arc::new(shown(tls, used_for)?),
            stamps,
            looked: Instant::now(),
            asked: ASKED.load(Ordering::SeqCst),
        };
        Ok(Some(Certificates {
            used_for,
            tls: tls.clone(),
            now: Mutex::new(now),
        }))
    }

    /// What the next connection is encrypted with. Files that cannot be used
    /// leave it as it was.
    pub fn now(&self) -> Arc<ServerConfig> {
        let mut now = self.now.lock();
        let asked = ASKED.load(Ordering::SeqCst);
        let is_asked = std::mem::replace(&mut now.asked, asked) != asked;
        if is_asked || now.looked.elapsed() >= LOOK_INTERVAL {
            now.looked = Instant::now();
            let stamps = stamps(&self.tls);
            if is_asked || stamps != now.stamps {
                now.stamps = stamps;
                match shown(&self.tls, self.used_for) {
                    Ok(config) => {
                        now.config = Arc::new(config);
                        metrics::counter!("sicbo_certificates_read_total").increment(1);
                        tracing::info!("the house's certificate was read again");
                    }
                    Err(error) => {
                        metrics::counter!("sicbo_certificates_unreadable_total").increment(1);
                        tracing::error!(%error, "a new certificate cannot be used; the old one is");
                    }
                }
            }
        }
        Arc::clone(&now.config)
    }
}

fn files(tls: &Tls) -> Vec<&Path> {
    match tls {
        Tls::Files {
            cert,
            key,
            client_ca,
        } => {
            let files = [Some(cert), Some(key), client_ca.as_ref()];
            files.into_iter().flatten().map(|path| &**path).collect()
        }
        _ => Vec::new(),
    }
}

fn stamps(tls: &Tls) -> Stamps {
    let stamp = |path: &Path| {
        let about = std::fs::metadata(path).ok()?;
        Some((about.modified().ok()?, about.len()))
    };
    files(tls).into_iter().map(stamp).collect()
}

/// When the first certificate of a chain that ends ends, in seconds since 1970.
#[must_use]
pub fn ends_s(chain: &[CertificateDer<'_>]) -> Option<i64> {
    let ends = chain.iter().filter_map(|certificate| {
        let (_, parsed) = x509_parser::parse_x509_certificate(certificate).ok()?;
        Some(parsed.validity().not_after.timestamp())
    });
    ends.min()
}

/// What is shown from now on, with its end in the figures.
fn shown(tls: &Tls, used_for: &'static str) -> Result<ServerConfig, String> {
    let (config, ends_s) = config(tls)?;
    if let Some(ends_s) = ends_s {
        metrics::gauge!("sicbo_certificate_expiry_timestamp_seconds", "of" => used_for)
            .set(ends_s as f64);
    }
    Ok(config)
}

/// What these files make, and when its certificate ends.
fn config(tls: &Tls) -> Result<(ServerConfig, Option<i64>), String> {
    let (chain, key, client_ca) = match tls {
        Tls::None | Tls::Proxy => return Err("nothing is encrypted here".to_owned()),
        Tls::Trial => {
            let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
            let made = rcgen::generate_simple_self_signed(names).map_err(told)?;
            let key = PrivateKeyDer::try_from(made.signing_key.serialize_der())
                .map_err(|error| error.to_owned())?;
            (vec![made.cert.der().clone()], key, None)
        }
        Tls::Files {
            cert,
            key,
            client_ca,
        } => {
            let chain = read_chain(cert)?;
            require_no_strangers(key).map_err(told)?;
            let key = PrivateKeyDer::from_pem_file(key)
                .map_err(|error| format!("{}: {error}", key.display()))?;
            (chain, key, client_ca.as_ref())
        }
    };
    let ends_s = ends_s(&chain);
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(told)?;
    let builder = match client_ca {
        None => builder.with_no_client_auth(),
        Some(authority) => {
            let mut roots = RootCertStore::empty();
            for certificate in read_chain(authority)? {
                roots.add(certificate).map_err(told)?;
            }
            // Walls and visitors have none; what a token opens is another matter.
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
                .allow_unauthenticated()
                .build()
                .map_err(told)?;
            builder.with_client_cert_verifier(verifier)
        }
    };
    let mut config = builder.with_single_cert(chain, key).map_err(told)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok((config, ends_s))
}

/// The certificates of a PEM file.
///
/// # Errors
/// When there is none in it.
pub fn read_chain(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let unreadable = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let chain: Result<Vec<_>, _> = CertificateDer::pem_file_iter(path)
        .map_err(|error| unreadable(&error))?
        .collect();
    let chain = chain.map_err(|error| unreadable(&error))?;
    match chain.is_empty() {
        true => Err(unreadable(&"there is no certificate in the file")),
        false => Ok(chain),
    }
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The certificate a client has shown, which the authority of the plan has
/// signed; with every request.
#[derive(Clone, Default)]
pub struct PlaceCertificate(Option<CertificateDer<'static>>);

impl PlaceCertificate {
    /// What was shown.
    #[must_use]
    pub fn shown(chain: Option<&[CertificateDer<'_>]>) -> PlaceCertificate {
        let first = chain.and_then(<[_]>::first);
        PlaceCertificate(first.map(|shown| shown.clone().into_owned()))
    }

    /// Whether any was.
    #[must_use]
    pub const fn is_shown(&self) -> bool {
        self.0.is_some()
    }

    /// Whether what is enrolled under this number may be used here: wherever
    /// the plan asks for no certificate, or with its own.
    #[must_use]
    pub fn opens(&self, tls: &Tls, place: EnrolmentId) -> bool {
        let wanted = matches!(
            tls,
            Tls::Files {
                client_ca: Some(_),
                ..
            }
        );
        !wanted || self.is_for(place)
    }

    fn is_for(&self, place: EnrolmentId) -> bool {
        let Some(certificate) = &self.0 else {
            return false;
        };
        let name = ServerName::try_from(format!("place-{}.sicbo", place.0));
        let known = webpki::EndEntityCert::try_from(certificate);
        match (name, known) {
            (Ok(name), Ok(known)) => known.verify_is_valid_for_subject_name(&name).is_ok(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_for_one_place_and_no_other() {
        let shown = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            let made = rcgen::generate_simple_self_signed(names).expect("made");
            PlaceCertificate(Some(made.cert.der().clone()))
        };
        let tls = Tls::Files {
            cert: "c".into(),
            key: "k".into(),
            client_ca: Some("ca".into()),
        };
        let seventeen = shown(&["place-17.sicbo"]);
        assert!(seventeen.opens(&tls, EnrolmentId(17)));
        for other in [1, 7, 16, 18, 117, 170] {
            assert!(!seventeen.opens(&tls, EnrolmentId(other)), "{other}");
        }
        assert!(!shown(&["sicbo"]).opens(&tls, EnrolmentId(17)));
        assert!(!PlaceCertificate::default().opens(&tls, EnrolmentId(17)));
        assert!(PlaceCertificate::default().opens(&Tls::None, EnrolmentId(17)));
    }
}
