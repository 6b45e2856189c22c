//! What is wrong with a plan and with what it names: files, certificates, addresses, devices.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _};
use std::path::Path;
use std::time::Duration;

use sicbo_clock::now_ms;
use sicbo_journal::rights::{RightsError, require_no_strangers};
use sicbo_plan::{HousePlan, PlanError, PrinterPlan, Tls, files_beside};

use super::Findings;
use crate::certificates::{Certificates, ends_s, read_chain};
use crate::metrics_door;

/// Whoever does not answer by then is not there.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Certificates that end sooner are told of.
const SOON_S: i64 = 14 * 86_400;
/// Faults of a plan that are told; `sicbo check` tells all.
const MAX_FAULTS: usize = 20;

/// Looks at a plan; what it plans, where it can be read.
pub(super) fn look(file: &Path, found: &mut Findings) -> Option<HousePlan> {
    let shown = file.display();
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => {
            found.problem(
                "no-plan",
                format!("the plan {shown} cannot be read: {error}"),
                "give the right file, or write one with sicbo init",
            );
            return None;
        }
    };
    let folder = file.parent().unwrap_or(Path::new(""));
    let plan = match HousePlan::parse(&text, &files_beside(folder)) {
        Ok(plan) => plan.beside(folder),
        Err(error @ PlanError::Unreadable { .. }) => {
            found.problem(
                "plan-not-toml",
                format!("{shown}: {error}"),
                "mend that line; sicbo check says when it is right",
            );
            return None;
        }
        Err(PlanError::Faults(faults)) => {
            for fault in faults.iter().take(MAX_FAULTS) {
                found.problem(
                    "plan-fault",
                    format!("{shown}: {}: {}", fault.place, fault.problem),
                    &fault.expected,
                );
            }
            return None;
        }
    };
    certificates(&plan.tls, "house", found);
    let listen = plan.listen.parse().ok();
    listens("house", "listen", listen, found);
    if let Some(metrics) = &plan.metrics {
        certificates(&metrics.tls, "metrics", found);
        listens(
            "figures",
            "listen of [metrics]",
            Some(metrics.listen),
            found,
        );
        if let Some(file) = &metrics.token_file
            && let Err(error) = metrics_door::token(file)
        {
            found.problem(
                "metrics-token",
                format!("the token for figures: {error}"),
                "write a token of at least 16 letters into the file and chmod 600 it",
            );
        }
    }
    for table in &plan.tables {
        let name = format!("line of devices of {}", table.name);
        listens(&name, "device_listen", table.device_listen, found);
        printer(table.name.as_str(), &table.printer, found);
    }
    if let Some(witness) = &plan.witness {
        let (host, port) = witness.url.host_and_port();
        let reached = reach_name(host, port);
        if let Err(error) = reached {
            found.warning(
                "witness-unreachable",
                format!("the witness {} cannot be reached: {error}", witness.address),
                "ask its operator, and look at the network between",
            );
        }
    }
    Some(plan)
}

fn certificates(tls: &Tls, used_for: &'static str, found: &mut Findings) {
    let Tls::Files { cert, key, .. } = tls else {
        return;
    };
    let shown = cert.display();
    if let Err(RightsError::Loose { path, mode, wanted }) = require_no_strangers(key) {
        let shown = path.display();
        return found.problem(
            "certificate-key-open",
            format!("strangers may read the key {shown} (mode {mode:03o})"),
            &format!("run chmod {wanted} {shown}, and replace the pair if anyone has read it"),
        );
    }
    if let Err(error) = Certificates::open_for(tls, used_for) {
        return found.problem(
            "certificate-unusable",
            format!("the certificate {shown} cannot be used with its key: {error}"),
            "put the certificate and the key that belong together in their places",
        );
    }
    let Some(ends_s) = read_chain(cert).ok().and_then(|chain| ends_s(&chain)) else {
        return;
    };
    let left_s = ends_s - now_ms() / 1_000;
    if left_s < 0 {
        found.problem(
            "certificate-ended",
            format!(
                "the certificate {shown} ended {} days ago",
                -left_s / 86_400
            ),
            "put a new one in its place; a running house reads it by itself",
        );
    } else if left_s < SOON_S {
        found.warning(
            "certificate-ends",
            format!("the certificate {shown} ends in {} days", left_s / 86_400),
            "put a new one in its place; a running house reads it by itself",
        );
    }
}

/// Whether a start could listen there.
fn listens(what: &str, key: &str, address: Option<SocketAddr>, found: &mut Findings) {
    let Some(address) = address.filter(|address| address.port() != 0) else {
        return;
    };
    let Err(error) = TcpListener::bind(address) else {
        return;
    };
    match error.kind() {
        io::ErrorKind::AddrInUse => found.warning(
            "address-in-use",
            format!("something listens on {address} already, where the {what} would"),
            &format!("if that is not this house, end it (ss -ltnp) or change {key}"),
        ),
        io::ErrorKind::AddrNotAvailable => found.problem(
            "address-not-here",
            format!("{address}, where the {what} would listen, is no address of this machine"),
            &format!("give an address of this machine as {key} (ip address shows them)"),
        ),
        io::ErrorKind::PermissionDenied => found.problem(
            "address-forbidden",
            format!("this user may not listen on {address}, where the {what} would"),
            "choose a port above 1023, or give the service CAP_NET_BIND_SERVICE",
        ),
        _ => found.problem(
            "address-unusable",
            format!("cannot listen on {address}, where the {what} would: {error}"),
            &format!("look at {key}"),
        ),
    }
}

fn printer(table: &str, printer: &PrinterPlan, found: &mut Findings) {
    let (PrinterPlan::Tcp(address) | PrinterPlan::Tls { address, .. }) = printer else {
        if let PrinterPlan::File(file) = printer
            && !file.exists()
        {
            found.problem(
                "printer-missing",
                format!("the printer {} of {table} is not there", file.display()),
                "plug it in and switch it on, or name its device file",
            );
        }
        return;
    };
    if let Err(error) = TcpStream::connect_timeout(address, CONNECT_TIMEOUT) {
        found.warning(
            "printer-unreachable",
            format!("the printer {address} of {table} does not answer: {error}"),
            "switch it on and look at its cable and address",
        );
    }
}

fn reach_name(host: &str, port: u16) -> io::Result<()> {
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
            Ok(_) => return Ok(()),
            Err(error) => last = error,
        }
    }
    Err(last)
}
