//! Whether a request is meant for this house: its Host is one of the house's names, and a page
//! that asks is the house's own.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sicbo_plan::Tls;

use crate::floor::Floor;
use crate::problem::Problem;

/// Refuses what is meant for another host or comes from another page, sockets
/// as well.
pub(super) async fn own(State(floor): State<Arc<Floor>>, request: Request, next: Next) -> Response {
    let scheme = match floor.plan.tls {
        Tls::None => "http",
        Tls::Trial | Tls::Files { .. } | Tls::Proxy => "https",
    };
    match check(request.headers(), &floor.plan.names, scheme) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

/// Whether a request is meant for this machine, and no other page sent it: for what is shown on the
/// house's own machine alone.
pub(crate) fn is_meant(headers: &HeaderMap) -> Result<(), Problem> {
    check(headers, &[], "http")
}

fn check(headers: &HeaderMap, names: &[String], scheme: &str) -> Result<(), Problem> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or(""));
    let host = text(header::HOST);
    // A page elsewhere can have its own name stand for this machine's address.
    if !host.is_some_and(|host| is_ours(host, names)) {
        return Err(Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            "wrong_host",
            "this house is not reached under that name; its plan lists the names",
        ));
    }
    let Some(origin) = text(header::ORIGIN) else {
        return Ok(());
    };
    // A browser says where a request comes from.
    match origin.split_once("://") {
        Some((from, page)) if from == scheme && Some(page) == host => Ok(()),
        _ => Err(Problem::new(
            StatusCode::FORBIDDEN,
            "other_origin",
            "requests from other pages are refused",
        )),
    }
}

/// A name of the plan, `localhost`, or an address in figures, with or without
/// a port.
fn is_ours(host: &str, names: &[String]) -> bool {
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(rest) = host.strip_prefix('[') {
        let Some((address, port)) = rest.split_once(']') else {
            return false;
        };
        let port = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
        return port && address.parse::<Ipv6Addr>().is_ok();
    }
    let name = match host.split_once(':') {
        Some((name, port)) if is_port(port) => name,
        Some(_) => return false,
        None => host,
    };
    let name = name.strip_suffix('.').unwrap_or(name);
    let named = |known: &String| known.eq_ignore_ascii_case(name);
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<Ipv4Addr>().is_ok()
        || names.iter().any(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_the_plan_and_addresses_in_figures_are_ours() {
        let names = ["sicbo.example".to_owned()];
        for ours in [
            "sicbo.example",
            "SICBO.example:8443",
            "sicbo.example.",
            "localhost",
            "localhost:80",
            "127.0.0.1",
            "10.0.8.1:8420",
            "[::1]",
            "[::1]:8420",
        ] {
            assert!(is_ours(ours, &names), "{ours}");
        }
        for other in [
            "",
            "evil.example",
            "sicbo.example.evil.example",
            "evil-sicbo.example",
            "sicbo.example:",
            "sicbo.example:8o",
            "a@127.0.0.1",
            "127.0.0.1.evil.example",
            "[::1",
            "[evil]",
            "[::1]x",
            "::1",
            "localhost.evil.example",
        ] {
            assert!(!is_ours(other, &names), "{other}");
        }
    }

    #[test]
    fn the_scheme_of_a_page_counts_as_its_name_does() {
        let answer = |host: &'static str, origin: &'static str, scheme: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().expect("a value"));
            headers.insert(header::ORIGIN, origin.parse().expect("a value"));
            check(&headers, &[], scheme).map_err(|problem| problem.code)
        };
        assert_eq!(
            answer("127.0.0.1:1", "https://127.0.0.1:1", "https"),
            Ok(())
        );
        let other = Err("other_origin".to_owned());
        assert_eq!(answer("127.0.0.1:1", "http://127.0.0.1:1", "https"), other);
        assert_eq!(answer("127.0.0.1:1", "https://127.0.0.1:1", "http"), other);
        assert_eq!(answer("127.0.0.1:1", "http://127.0.0.1:2", "http"), other);
        let wrong = Err("wrong_host".to_owned());
        assert_eq!(answer("evil.example", "http://evil.example", "http"), wrong);
    }
}
