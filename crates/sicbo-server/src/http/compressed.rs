//! Compressed answers: made once by a thread of their own, kept by their content, and never on a
//! thread that serves bets.
//!
//! The app's files were compressed when they were built. What else is worth it is compressed by
//! one thread that yields to everyone; an answer that finds it busy goes out as it is.

use std::collections::VecDeque;
use std::io::Write as _;
use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use crossbeam_channel::{Sender, TrySendError};
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_channel::oneshot;
use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};

/// Smaller answers are sent as they are.
const SMALLEST: usize = 1_024;
/// So are larger ones.
const LARGEST: usize = 8 << 20;
/// Answers that may wait to be compressed.
const WAITING: usize = 8;
/// Compressed answers that are kept, in bytes.
const KEPT_BYTES: usize = 4 << 20;

struct Job {
    body: Bytes,
    done: oneshot::Sender<Bytes>,
}

/// The digest of an answer that is always the same: with the answer, so that nobody calculates it
/// again each time.
#[derive(Clone, Copy)]
pub(super) struct Known([u8; 32]);

impl Known {
    /// Of these bytes.
    pub(super) fn of(body: &[u8]) -> Known {
        Known(Sha256::digest(body).into())
    }
}

/// Compresses, and keeps what it has compressed.
pub(super) struct Compressor {
    jobs: Sender<Job>,
    kept: Mutex<Kept>,
}

/// The last answers by their content, the newest last.
#[derive(Default)]
struct Kept {
    answers: VecDeque<([u8; 32], Bytes)>,
    bytes: usize,
}

impl Kept {
    fn find(&mut self, digest: &[u8; 32]) -> Option<Bytes> {
        let at = self.answers.iter().position(|(known, _)| known == digest)?;
        let found = self.answers.remove(at)?;
        let bytes = found.1.clone();
        self.answers.push_back(found);
        Some(bytes)
    }

    fn put(&mut self, digest: [u8; 32], bytes: Bytes) {
        self.bytes += bytes.len();
        self.answers.push_back((digest, bytes));
        while self.bytes > KEPT_BYTES {
            let Some((_, gone)) = self.answers.pop_front() else {
                break;
            };
            self.bytes -= gone.len();
        }
    }
}

impl Compressor {
    /// Starts its thread.
    pub(super) fn start() -> Arc<Compressor> {
        let (jobs, queue) = crossbeam_channel::bounded::<Job>(WAITING);
        let work = move || {
            // Whoever serves bets goes first. Not being allowed to is no fault.
            #[cfg(target_os = "linux")]
            let _ = rustix::process::nice(10);
            for Job { body, done } in queue {
                // Whoever waited may have gone.
                if !done.is_canceled()
                    && let Ok(bytes) = gzip(&body)
                {
                    let _ = done.send(bytes);
                }
            }
        };
        let spawned = std::thread::Builder::new()
            .name("compress".to_owned())
            .spawn(work);
        if let Err(error) = spawned {
            tracing::error!(%error, "answers are sent as they are");
        }
        Arc::new(Compressor {
            jobs,
            kept: Mutex::default(),
        })
    }

    /// The same bytes compressed; nothing when that has to wait too long.
    async fn compressed(&self, body: &Bytes, Known(digest): Known) -> Option<Bytes> {
        if let Some(kept) = self.kept.lock().find(&digest) {
            return Some(kept);
        }
        let (done, made) = oneshot::channel();
        let job = Job {
            body: body.clone(),
            done,
        };
        if let Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) = self.jobs.try_send(job)
        {
            metrics::counter!("sicbo_answers_not_compressed_total").increment(1);
            return None;
        }
        let made = made.await.ok()?;
        self.kept.lock().put(digest, made.clone());
        Some(made)
    }
}

fn gzip(body: &[u8]) -> std::io::Result<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body)?;
    encoder.finish().map(Bytes::from)
}

/// Whether a client takes gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter();
    let codings = accepted
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    codings.map(str::trim).any(|coding| {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
        let never = quality.trim().strip_prefix("q=").is_some_and(|q| {
            q.trim_start_matches('0')
                .trim_start_matches('.')
                .bytes()
                .all(|b| b == b'0')
        });
        (name.trim() == "gzip" || name.trim() == "*") && !never
    })
}

fn is_text(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.starts_with("text/") || kind.contains("json") || kind.contains("svg")
}

/// Sends what is worth it compressed.
pub(super) async fn answers(
    State(compressor): State<Arc<Compressor>>,
    request: Request,
    next: Next,
) -> Response {
    let wanted = takes_gzip(request.headers());
    let response = next.run(request).await;
    let headers = response.headers();
    let length = response.body().size_hint().exact();
    let length = length.and_then(|length| usize::try_from(length).ok());
    let worth = length.is_some_and(|length| (SMALLEST..=LARGEST).contains(&length));
    let plain = !headers.contains_key(header::CONTENT_ENCODING) && is_text(headers);
    if !worth || !plain || response.status() == StatusCode::PARTIAL_CONTENT {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let vary = HeaderValue::from_static("accept-encoding");
    parts.headers.append(header::VARY, vary);
    if !wanted {
        return Response::from_parts(parts, body);
    }
    // Its length is known: it is all there.
    let Ok(bytes) = axum::body::to_bytes(body, LARGEST).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let known = parts.extensions.get::<Known>().copied();
    let known = known.unwrap_or_else(|| Known::of(&bytes));
    let bytes = match compressor.compressed(&bytes, known).await {
        None => bytes,
        Some(compressed) => {
            let gzip = HeaderValue::from_static("gzip");
            parts.headers.insert(header::CONTENT_ENCODING, gzip);
            parts.headers.remove(header::CONTENT_LENGTH);
            compressed
        }
    };
    Response::from_parts(parts, Body::from(bytes))
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn gzip_is_sent_only_to_those_who_take_it() {
        for (accepts, takes) in [
            ("gzip", true),
            ("br, gzip", true),
            ("gzip;q=0.5", true),
            ("*", true),
            ("gzip;q=0", false),
            ("gzip;q=0.000", false),
            ("br", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, accepts.parse().expect("a value"));
            assert_eq!(takes_gzip(&headers), takes, "{accepts}");
        }
    }

    #[tokio::test]
    async fn the_same_answer_is_compressed_once_and_what_is_kept_has_a_bound() {
        let compressor = Compressor::start();
        let body = Bytes::from("sic bo ".repeat(1_000));
        let compressed = || compressor.compressed(&body, Known::of(&body));
        let first = compressed().await.expect("compressed");
        let again = compressed().await.expect("kept");
        assert_eq!(first.as_ptr(), again.as_ptr(), "the very same bytes");
        let mut text = String::new();
        let mut decoder = flate2::read::GzDecoder::new(&first[..]);
        decoder.read_to_string(&mut text).expect("gzip");
        assert_eq!(text.as_bytes(), &body[..]);
        let mut kept = Kept::default();
        for byte in 0..100 {
            kept.put([byte; 32], Bytes::from(vec![byte; KEPT_BYTES / 10]));
        }
        assert!(kept.bytes <= KEPT_BYTES && kept.answers.len() == 10);
        assert!(kept.find(&[99; 32]).is_some() && kept.find(&[1; 32]).is_none());
    }
}
