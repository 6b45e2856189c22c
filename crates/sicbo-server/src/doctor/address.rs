//! What is wrong with a house that is asked over the network.

use serde_json::Value;
use sicbo_clock::now_ms;
use sicbo_witness::client::{Client, Unreachable};
use sicbo_witness::url::WitnessUrl;

use super::Findings;

/// Clocks that differ by more are told of.
const MAX_APART_MS: i64 = 2_000;

/// Asks a house how it is.
pub(super) fn look(url: &str, ca: Option<&str>, found: &mut Findings) {
    let parsed = match WitnessUrl::parse(url) {
        Ok(parsed) => parsed,
        Err(why) => {
            return found.problem(
                "bad-address",
                format!("{url:?}: {why}"),
                "give an address such as https://sicbo.example:8420",
            );
        }
    };
    let client = match Client::new(parsed, ca) {
        Ok(client) => client,
        Err(error) => {
            return found.problem(
                "bad-ca",
                format!("the certificates to hold it to cannot be used: {error}"),
                "give --ca with a PEM file",
            );
        }
    };
    let reply = match client.get("/health") {
        Ok(reply) => reply,
        Err(unreachable) => return silent(url, &unreachable, found),
    };
    let json: Value = serde_json::from_str(&reply.body).unwrap_or_default();
    match (reply.status, json["parts"].as_array()) {
        (200 | 503, Some(parts)) => {
            for part in parts.iter().filter(|part| part["well"] == false) {
                let name = part["part"].as_str().unwrap_or_default();
                let fault = part["fault"].as_str().unwrap_or("it takes no records");
                found.problem(
                    "part-unwell",
                    format!("{name} is out of service: {fault}"),
                    "run sicbo doctor on its data folder; docs/operating.md, When something is \
                     wrong",
                );
            }
            if json["tree"]["alarm"] == true {
                found.warning(
                    "tree-alarm",
                    "the house's tree, its mark or its witness raises an alarm",
                    "GET /api/tree as a manager, or the log, says which; the house plays on",
                );
            }
        }
        (421, _) => {
            return found.problem(
                "wrong-name",
                format!("the house does not answer to the name in {url}"),
                "add the name to names in its plan, or use the one that stands there",
            );
        }
        (401, _) => {
            return found.problem(
                "token-needed",
                format!("{url} asks for a token or certificate: it is the address of figures"),
                "give the house's own address",
            );
        }
        (status, _) => {
            return found.problem(
                "not-a-house",
                format!("{url} answers {status} and is not a house of sicbo"),
                "look at the port, and at what stands in front of the house",
            );
        }
    }
    if let Ok(reply) = client.get("/api/house")
        && let Ok(house) = serde_json::from_str::<Value>(&reply.body)
        && let Some(its_ms) = house["server_ms"].as_i64()
    {
        let apart_ms = its_ms - now_ms();
        if apart_ms.abs() > MAX_APART_MS {
            found.warning(
                "clocks-apart",
                format!(
                    "the house's clock is {} s {} this machine's",
                    apart_ms.abs() / 1_000,
                    if apart_ms > 0 { "ahead of" } else { "behind" },
                ),
                "look at the time server of both (timedatectl)",
            );
        }
    }
}

/// Nothing came back.
fn silent(url: &str, unreachable: &Unreachable, found: &mut Findings) {
    match unreachable {
        Unreachable::Certificate(why) if why.contains("xpired") => found.problem(
            "certificate-ended",
            format!("the certificate that {url} shows has ended"),
            "put a new one in its place; the house reads it by itself",
        ),
        Unreachable::Certificate(why) => found.problem(
            "certificate-not-trusted",
            format!("the certificate that {url} shows is not trusted here: {why}"),
            "give --ca with the authority that signed it, and the name it is for",
        ),
        Unreachable::NotEncrypted => found.problem(
            "not-encrypted",
            format!("{url} does not speak https"),
            "ask with http://, or give the house a certificate ([tls])",
        ),
        Unreachable::Encrypted => found.problem(
            "encrypted",
            format!("{url} is encrypted and was asked with http://"),
            "ask with https://",
        ),
        Unreachable::Nobody(why) => found.problem(
            "nobody-listens",
            format!("nobody answers at {url}: {why}"),
            "start the house; look at address, port and firewall",
        ),
    }
}
