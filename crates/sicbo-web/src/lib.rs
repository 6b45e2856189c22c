//! The web app as `make web` built it, inside the binary: its files by their
//! paths. Empty when it was not built.

use std::borrow::Cow;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct App;

/// The paths of all files of the app, in order; those that are only another
/// encoding of one are left out.
#[must_use]
pub fn names() -> Vec<String> {
    let encoded = |name: &str| name.ends_with(".br") || name.ends_with(".gz");
    let mut names: Vec<String> = App::iter()
        .map(Cow::into_owned)
        .filter(|name| !encoded(name))
        .collect();
    names.sort();
    names
}

/// The script that its page begins with, whose name carries a hash of the whole
/// app: `/assets/index-C3x9Ab.js`. None when the app was not built.
#[must_use]
pub fn build() -> Option<String> {
    let page = file("/index.html")?;
    let page = std::str::from_utf8(&page).ok()?;
    let script = page.split("<script").nth(1)?;
    let source = script.split("src=\"").nth(1)?;
    source.split('"').next().map(str::to_owned)
}

/// A file of the app by its path.
#[must_use]
pub fn file(path: &str) -> Option<Cow<'static, [u8]>> {
    App::get(path.strip_prefix('/')?).map(|file| file.data)
}
