//! The program's log on standard error: as text or JSON, from a level that can be changed while
//! the house runs.
//!
//! Never a secret: libraries are heard from warnings on only, since their finer words repeat bytes
//! of requests, and nothing of ours logs a PIN, a token, a key, a voucher's number or what somebody
//! typed into a form.

use std::str::FromStr;
use std::sync::OnceLock;

use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, Registry, fmt, reload};

/// Our own crates begin so, and no other does.
const OURS: &str = "sicbo";

static FILTER: OnceLock<reload::Handle<Targets, Registry>> = OnceLock::new();

/// How lines of the log are written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LogFormat {
    /// For people: `text`.
    #[default]
    Text,
    /// An object for each line: `json`.
    Json,
}

/// From which level on lines are written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LogLevel {
    /// Faults: `error`.
    Error,
    /// And what may become one: `warn`.
    Warn,
    /// And what an operator wants to know: `info`.
    #[default]
    Info,
    /// And every request, round and refusal: `debug`.
    Debug,
    /// Everything: `trace`.
    Trace,
}

impl LogLevel {
    /// All of them with their words, the most severe first.
    pub const ALL: [(&'static str, LogLevel); 5] = [
        ("error", LogLevel::Error),
        ("warn", LogLevel::Warn),
        ("info", LogLevel::Info),
        ("debug", LogLevel::Debug),
        ("trace", LogLevel::Trace),
    ];

    const fn level(self) -> Level {
        match self {
            LogLevel::Error => Level::ERROR,
            LogLevel::Warn => Level::WARN,
            LogLevel::Info => Level::INFO,
            LogLevel::Debug => Level::DEBUG,
            LogLevel::Trace => Level::TRACE,
        }
    }

    fn targets(self) -> Targets {
        let others = self.level().min(Level::WARN);
        Targets::new()
            .with_default(others)
            .with_target(OURS, self.level())
    }
}

impl FromStr for LogLevel {
    type Err = String;

    fn from_str(text: &str) -> Result<LogLevel, String> {
        let known = LogLevel::ALL.iter().find(|(word, _)| *word == text);
        known.map(|(_, level)| *level).ok_or_else(|| {
            let words: Vec<&str> = LogLevel::ALL.iter().map(|(word, _)| *word).collect();
            format!("use one of {}", words.join(", "))
        })
    }
}

/// Begins to log; a program that logs already goes on as it did.
pub fn start(format: LogFormat, level: LogLevel) {
    let (filter, handle) = reload::Layer::new(level.targets());
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(false);
    let lines = match format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines
            .json()
            .flatten_event(true)
            .with_current_span(true)
            .with_span_list(false)
            .boxed(),
    };
    let registry = tracing_subscriber::registry().with(lines.with_filter(filter));
    if registry.try_init().is_ok() {
        let _ = FILTER.set(handle);
    }
}

/// Logs from another level on; false where this program's log was not started here.
pub fn change_level(level: LogLevel) -> bool {
    let changed = FILTER.get().map(|filter| filter.reload(level.targets()));
    matches!(changed, Some(Ok(())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_heard_from_warnings_on_at_every_level() {
        for (word, level) in LogLevel::ALL {
            assert_eq!(word.parse(), Ok(level));
            let targets = level.targets();
            assert!(targets.would_enable("sicbo_server::serve", &level.level()));
            for library in ["hyper::proto::h1", "tungstenite", "rustls", "log"] {
                assert!(
                    !targets.would_enable(library, &Level::INFO),
                    "{word} {library}"
                );
            }
        }
        assert!("loud".parse::<LogLevel>().is_err());
    }
}
