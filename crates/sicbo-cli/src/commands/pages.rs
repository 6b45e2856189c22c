//! `sicbo pages FOLDER`: man pages and shell completions, from the commands themselves.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::failure::Failure;
use crate::output::Output;

#[derive(Args)]
#[command(after_help = "\
Writes man/*.1 for every command, and completions for bash (sicbo.bash), zsh (_sicbo) and fish \
(sicbo.fish). The Debian package has them in their places.")]
pub(crate) struct Pages {
    /// Where to; made when it is not there
    folder: PathBuf,
}

impl Pages {
    pub(crate) fn run(self, command: Command, out: &mut Output) -> Result<(), Failure> {
        let failed = |error| Failure::file("write into", &self.folder, &error);
        let man = self.folder.join("man");
        std::fs::create_dir_all(&man).map_err(failed)?;
        clap_mangen::generate_to(command.clone(), &man).map_err(failed)?;
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let mut command = command.clone();
            clap_complete::generate_to(shell, &mut command, "sicbo", &self.folder)
                .map_err(failed)?;
        }
        let pages = std::fs::read_dir(&man).map_err(failed)?.count();
        out.line(format!("{pages} man pages and completions for 3 shells"))
    }
}
