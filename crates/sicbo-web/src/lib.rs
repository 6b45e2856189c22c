//! The web app as `make web` built it, inside the binary: its files by their
//! paths. Empty when it was not built.

use std::borrow::Cow;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct App;

/// A file of the app by its path.
#[must_use]
pub fn file(path: &str) -> Option<Cow<'static, [u8]>> {
    App::get(path.strip_prefix('/')?).map(|file| file.data)
}
