//! `sicbo layout LAYOUT`: stub
use crate::{failure::Failure, output::Output};
use clap::Args;
#[derive(Args)]
pub(crate) struct Par {
    layout: String,
}
impl Par {
    pub(crate) fn run(self, _out: &mut Output) -> Result<(), Failure> {
        let _ = self.layout;
        Ok(())
    }
}
