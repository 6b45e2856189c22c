//! `sicbo doctor DATA|URL`: what is wrong with a house, in plain words, and what to do.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use sicbo_server::doctor::{self, Finding, Weight};

use super::key::KeyArgs;
use crate::books::read_text;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Args)]
#[command(after_help = "\
Reads only and may run beside the house. Each finding is one line: what is wrong, and what to do. \
Exits 1 when there is a problem; warnings alone, and a house that is well, exit 0. It does not \
prove the journals: `sicbo verify` does.")]
pub(crate) struct Doctor {
    /// A data folder, or the address of a running house (https://…)
    target: String,
    /// The plan that the folder is started from: certificates, addresses, printers and devices
    /// that it names are looked at as well
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// A PEM file of certificates that the house's own is held to, where the machine does not
    /// trust it
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    #[command(flatten)]
    keys: KeyArgs,
}

#[derive(Serialize)]
struct Report {
    target: String,
    /// There is no problem.
    well: bool,
    findings: Vec<Finding>,
}

impl Doctor {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let is_url = self.target.contains("://");
        let findings = match is_url {
            true => {
                let ca = self.ca.as_deref().map(read_text).transpose()?;
                if self.config.is_some() {
                    return Err(Failure::input(
                        "--config goes with a data folder, not a URL",
                    ));
                }
                doctor::url(&self.target, ca.as_deref())
            }
            false => {
                if self.ca.is_some() {
                    return Err(Failure::input("--ca goes with a URL, not a data folder"));
                }
                let data = Path::new(&self.target);
                doctor::folder(data, self.config.as_deref(), &self.keys.keys())
            }
        };
        let problems = findings.iter().filter(|one| one.weight == Weight::Problem);
        let well = problems.count() == 0;
        if out.is_json() {
            let report = Report {
                target: self.target,
                well,
                findings,
            };
            out.json(&report)?;
        } else {
            for one in &findings {
                let weight = match one.weight {
                    Weight::Problem => "problem",
                    Weight::Warning => "warning",
                };
                out.line(format!("{weight}: {} | {}", one.what, one.advice))?;
            }
            if findings.is_empty() {
                out.line(format!("{}: nothing wrong was found", self.target))?;
            }
        }
        match well {
            true => Ok(()),
            false => Err(Failure::Faulty),
        }
    }
}
