//! Who may look at a replay: a browser that has opened the address the program printed. It shows
//! what surveillance sees to somebody who never logged in, and other accounts of the machine reach
//! its port as well.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use sicbo_register::secret::{NoRandomness, random};
use sicbo_wire::hex;

use super::page;
use crate::http::cookie_named;
use crate::problem::Problem;

/// Begins the address that is printed.
const PATH: &str = "/replay/open/";

/// The door of one replay.
pub(super) struct Entry {
    /// Replays on other ports of this machine have cookies of their own.
    cookie: String,
    key: String,
    /// What opens it, until somebody has.
    code: Mutex<Option<String>>,
}

impl Entry {
    /// A door that nobody has opened, and the path that opens it once.
    pub(super) fn new(port: u16) -> Result<(Entry, String), NoRandomness> {
        let code = hex(random::<16>()?);
        let path = format!("{PATH}{code}");
        let entry = Entry {
            cookie: format!("sicbo_replay_{port}"),
            key: hex(random::<32>()?),
            code: Mutex::new(Some(code)),
        };
        Ok((entry, path))
    }

    /// The answer to whoever may not look yet; nothing where they may.
    pub(super) fn answer(&self, request: &Request) -> Option<Response> {
        let known = cookie_named(request.headers(), &self.cookie);
        let is_known = known.is_some_and(|known| same(&known, &self.key));
        let code = request.uri().path().strip_prefix(PATH);
        match code {
            Some(code) if request.method() == Method::GET => {
                let mut open = self.code.lock();
                if open.as_ref().is_some_and(|right| same(right, code)) {
                    *open = None;
                    return Some(self.let_in());
                }
                Some(match is_known {
                    true => to_steps(HeaderMap::new()),
                    false => refused(),
                })
            }
            _ if is_known => None,
            _ => Some(refused()),
        }
    }

    fn let_in(&self) -> Response {
        let (name, key) = (&self.cookie, &self.key);
        let cookie = format!("{name}={key}; Path=/; HttpOnly; SameSite=Lax");
        let mut headers = HeaderMap::new();
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            headers.insert(header::SET_COOKIE, cookie);
        }
        to_steps(headers)
    }
}

fn to_steps(mut headers: HeaderMap) -> Response {
    headers.insert(header::LOCATION, HeaderValue::from_static(page::PATH));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // The address has done its work: it goes nowhere else.
    let policy = HeaderValue::from_static("no-referrer");
    headers.insert(header::REFERRER_POLICY, policy);
    (StatusCode::SEE_OTHER, headers).into_response()
}

fn refused() -> Response {
    let words = "open the address that the program printed; it opens once, for one browser: for \
                 another, start the replay again";
    Problem::new(StatusCode::UNAUTHORIZED, "replay_not_opened", words).into_response()
}

/// Whether two texts are the same; every letter is compared.
fn same(known: &str, told: &str) -> bool {
    let pairs = known.bytes().zip(told.bytes());
    let differ = pairs.fold(0, |sum, (a, b)| sum | (a ^ b));
    known.len() == told.len() && differ == 0
}
