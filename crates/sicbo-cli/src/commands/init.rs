//! `sicbo init [PATH]`: a commented example of a house's plan.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use sicbo_plan::example;

use crate::failure::{Failure, one_line};
use crate::output::Output;

#[derive(Args)]
#[command(after_help = "\
The example is a play-money house with an electronic and a physical table. Change it, and see \
`sicbo check` for what it comes to.")]
pub(crate) struct Init {
    /// The file to write; there must be nothing yet. `-` writes to standard output
    #[arg(default_value = "house.toml")]
    path: PathBuf,
}

#[derive(Serialize)]
struct Written {
    file: String,
}

impl Init {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        if self.path.as_os_str() == "-" {
            return out.text(&example());
        }
        let shown = one_line(&self.path.display().to_string());
        let mut file = std::fs::File::create_new(&self.path).map_err(|error| {
            if error.kind() == std::io::ErrorKind::AlreadyExists {
                Failure::input(format!("{shown} is there already: give another path"))
            } else {
                Failure::file("write", &self.path, &error)
            }
        })?;
        file.write_all(example().as_bytes())
            .and_then(|()| file.sync_all())
            .map_err(|error| Failure::file("write", &self.path, &error))?;
        if out.is_json() {
            return out.json(&Written { file: shown });
        }
        out.line(format!(
            "{shown} written; change it, then: sicbo check {shown}"
        ))
    }
}
