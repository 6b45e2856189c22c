//! How a program that goes on running writes its log.

use clap::{Args, ValueEnum};
use sicbo_server::log::{self, LogFormat, LogLevel};

#[derive(Args)]
pub(crate) struct LogArgs {
    /// Lines of the log on standard error: text for people, json for programs
    #[arg(
        long,
        value_name = "FORMAT",
        env = "SICBO_LOG_FORMAT",
        default_value = "text"
    )]
    log_format: Format,
    /// From which level on lines are written; unless given, as log_level in the plan says, or info
    #[arg(long, value_name = "LEVEL", env = "SICBO_LOG_LEVEL")]
    log_level: Option<Level>,
}

impl LogArgs {
    /// Begins to log.
    pub(crate) fn start(&self, of_plan: Option<&str>) {
        let planned = of_plan.and_then(|level| level.parse().ok());
        let level = self.log_level.map(LogLevel::from).or(planned);
        log::start(self.log_format.into(), level.unwrap_or_default());
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Level {
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

impl From<Format> for LogFormat {
    fn from(format: Format) -> LogFormat {
        match format {
            Format::Text => LogFormat::Text,
            Format::Json => LogFormat::Json,
        }
    }
}

impl From<Level> for LogLevel {
    fn from(level: Level) -> LogLevel {
        match level {
            Level::Error => LogLevel::Error,
            Level::Warn => LogLevel::Warn,
            Level::Info => LogLevel::Info,
            Level::Debug => LogLevel::Debug,
            Level::Trace => LogLevel::Trace,
        }
    }
}
