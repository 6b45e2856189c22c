//! What every result of the lab names, so that it can be found and computed
//! again: the form, the program, the rule book with version and hash, the
//! currency and the dice.

use serde::Serialize;
use sicbo_lab::game::{FaceWeights, Game, Loading, Source};

use crate::failure::Failure;
use crate::output::Output;

/// The form of the lab's JSON; raised when a key changes its meaning or goes.
pub(crate) const FORMAT: &str = "sicbo-lab/1";

/// The program, as it calls itself everywhere.
pub(crate) const PROGRAM: &str = concat!("sicbo ", env!("CARGO_PKG_VERSION"));

/// Where figures come from.
#[derive(Serialize)]
pub(crate) struct Origin<'a> {
    format: &'static str,
    command: &'static str,
    program: &'static str,
    #[serde(flatten)]
    source: &'a Source,
    currency: &'a str,
    /// Weights of the faces of the three dice; null when they are fair.
    dice_weights: Option<&'a [FaceWeights; 3]>,
    #[serde(skip)]
    loading: &'a Loading,
}

/// A result with its origin before it.
#[derive(Serialize)]
struct Named<'a, T> {
    #[serde(flatten)]
    origin: &'a Origin<'a>,
    #[serde(flatten)]
    result: &'a T,
}

impl<'a> Origin<'a> {
    pub(crate) fn new(command: &'static str, game: &'a Game, loading: &'a Loading) -> Origin<'a> {
        Origin {
            format: FORMAT,
            command,
            program: PROGRAM,
            source: &game.source,
            currency: game.currency.code(),
            dice_weights: loading.dice(),
            loading,
        }
    }

    /// A result as JSON, with its origin.
    pub(crate) fn json<T: Serialize>(&self, result: &T, out: &mut Output) -> Result<(), Failure> {
        out.json(&Named {
            origin: self,
            result,
        })
    }

    /// In one line, for people and for the foot of a picture.
    pub(crate) fn line(&self) -> String {
        let source = self.source;
        let kind = if source.pay_table_only {
            "pay table"
        } else {
            "rule book"
        };
        let version = match (&source.rulebook_version, source.pay_table_only) {
            (Some(version), _) => format!(" version {version}"),
            (None, true) => String::new(),
            (None, false) => " version lost".to_owned(),
        };
        let dice = self
            .loading
            .words()
            .map_or_else(String::new, |words| format!("; {words}"));
        format!(
            "{kind} {}{version}, sha256 {}; {}; {}{dice}",
            source.rulebook,
            &source.rulebook_sha256[..16],
            self.currency,
            self.program,
        )
    }

    /// As lines that a CSV reader passes over.
    pub(super) fn comments(&self) -> String {
        let source = self.source;
        let version = source.rulebook_version.as_deref().unwrap_or("-");
        let mut text = format!(
            "# {} {}\n# program: {}\n# layout: {}\n# rulebook: {} version {version}\n# rulebook_sha256: {}\n# currency: {}\n",
            self.format,
            self.command,
            self.program,
            source.layout,
            source.rulebook,
            source.rulebook_sha256,
            self.currency
        );
        if let Some(published) = &source.published {
            text.push_str(&format!("# published: {published}\n"));
        }
        if let Some(words) = self.loading.words() {
            text.push_str(&format!("# dice: {words}\n"));
        }
        text
    }
}
