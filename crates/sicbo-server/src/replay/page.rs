//! The bar that a replay puts on every page, and the page of its steps. Plain HTML that needs no
//! script: the bar is there whatever the app does.

use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sicbo_journal::StreamId;
use sicbo_loop::guarded;
use sicbo_proof::describe::Value;
use sicbo_proof::export;
use sicbo_proof::source::{self, HOUSE_STREAM};

use super::Shown;
use super::past::Past;
use crate::floor::still::Still;
use crate::problem::Problem;

/// The page of a replay's steps, and where its bar leads.
pub(super) const PATH: &str = "/replay";
/// How both look.
pub(super) const STYLE_PATH: &str = "/replay.css";
/// What has a page load itself anew when its step is no longer shown.
pub(super) const SCRIPT_PATH: &str = "/replay.js";
/// The step that is shown, as a number.
pub(super) const STEP_PATH: &str = "/replay/step";
/// No page of the app is longer.
const MAX_PAGE: usize = 1 << 20;
/// Records of a step that are told; a block has seldom more than a few.
const MAX_RECORDS: usize = 200;

const STYLE: &str = "\
.replay-bar{position:fixed;z-index:2147483647;inset:auto 0 0 0;display:flex;flex-wrap:wrap;gap:.5rem 1rem;\
align-items:center;justify-content:center;padding:.4rem .8rem;font:600 1rem/1.3 system-ui,sans-serif;\
background:#ffd34d;color:#1b1b1b;border-top:3px solid #1b1b1b}\
.replay-bar form{display:flex;gap:.5rem;margin:0}\
.replay-bar button,.replay-bar a{font:inherit;color:#1b1b1b;background:#fff;border:2px solid #1b1b1b;\
border-radius:.3rem;padding:.2rem .7rem;text-decoration:none}\
.replay-bar button:disabled{opacity:.5}\
.replay-steps{max-width:70rem;margin:0 auto;padding:1rem 1rem 6rem;font:1rem/1.5 system-ui,sans-serif}\
.replay-steps li{overflow-wrap:anywhere}";

// A tab in which nobody stepped shows the new step under the old bar for a second at most; one that
// slept looks when it is seen again. Without script a page stays as it was loaded.
const SCRIPT: &str = "\
const bar = document.querySelector('[data-step]');
const look = async () => {
  try {
    const shown = await fetch('/replay/step', { cache: 'no-store' });
    if (shown.ok && (await shown.text()) !== bar.dataset.step) location.reload();
  } catch {
    // The replay has ended: what is shown stays.
  }
};
setInterval(look, 1000);
addEventListener('pageshow', look);
addEventListener('focus', look);
document.addEventListener('visibilitychange', look);
";

/// Where somebody wants to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum To {
    Next,
    Previous,
    Stop(usize),
    Same,
}

/// What the bar sends.
pub(super) struct Asked {
    pub(super) to: To,
    /// The page that it was on.
    pub(super) back: String,
}

impl Asked {
    /// Reads a form. What makes no sense leads to the same step.
    pub(super) fn read(form: &[u8]) -> Asked {
        let form = String::from_utf8_lossy(form);
        let mut asked = Asked {
            to: To::Same,
            back: PATH.to_owned(),
        };
        for pair in form.split('&') {
            match pair.split_once('=') {
                Some(("to", "next")) => asked.to = To::Next,
                Some(("to", "previous")) => asked.to = To::Previous,
                Some(("to", number)) => asked.to = number.parse().map_or(To::Same, To::Stop),
                Some(("back", path)) => asked.back = page_of(path),
                _ => {}
            }
        }
        asked
    }
}

/// A path of this place, as a form writes it: letters of addresses and slashes alone.
fn page_of(path: &str) -> String {
    let path = path.replace("%2F", "/");
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/-_.".contains(letter);
    match path.starts_with('/') && !path.starts_with("//") && path.chars().all(plain) {
        true => path,
        false => PATH.to_owned(),
    }
}

/// Text that stands in a page.
fn text(plain: &str) -> String {
    let mut safe = String::with_capacity(plain.len());
    for letter in plain.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(letter),
        }
    }
    safe
}

/// UTC of a step.
fn when(time_ms: i64) -> String {
    let time = jiff::Timestamp::from_millisecond(time_ms);
    time.map_or_else(|_| time_ms.to_string(), |time| time.to_string())
}

/// The bar of one page.
pub(super) struct Bar(String);

impl Bar {
    pub(super) fn of(past: &Past, stop: usize, path: &str) -> Bar {
        let last = past.stops.len() - 1;
        let steps = past.stops[stop];
        let what = match steps.checked_sub(1).and_then(|step| past.steps.get(step)) {
            Some(step) => {
                let stream = text(past.streams[step.stream].0.as_str());
                let (first, last) = (step.first, step.last);
                format!(
                    "{stream}, records {first} to {last}, {}",
                    when(step.time_ms)
                )
            }
            None => "before the first record".to_owned(),
        };
        let back = text(&page_of(path));
        let off = |off: bool| if off { " disabled" } else { "" };
        Bar(format!(
            "<aside class=\"replay-bar\" data-step=\"{stop}\" aria-label=\"Replay\"><strong>REPLAY, not a running \
             house</strong><span>Step {stop} of {last}: {what}</span><form method=\"post\" \
             action=\"{PATH}\"><input type=\"hidden\" name=\"back\" value=\"{back}\"><button \
             name=\"to\" value=\"previous\"{}>Previous</button><button name=\"to\" \
             value=\"next\"{}>Next</button></form><a href=\"{PATH}\">All screens</a></aside>",
            off(stop == 0),
            off(stop == last),
        ))
    }
}

/// With `no-referrer` a browser would say of the bar's own form that it comes from nowhere.
const POLICY: HeaderValue = HeaderValue::from_static("same-origin");

/// What stands in the head of every page.
fn head() -> String {
    format!(
        "<link rel=\"stylesheet\" href=\"{STYLE_PATH}\"><script src=\"{SCRIPT_PATH}\" \
         defer></script>"
    )
}

/// A page of the app with the bar on it.
pub(super) async fn with_bar(answer: Response, bar: &Bar) -> Response {
    let (mut parts, body) = answer.into_parts();
    let Ok(page) = to_bytes(body, MAX_PAGE).await else {
        return Problem::ours(&"a page that is too long").into_response();
    };
    let mut page = String::from_utf8_lossy(&page).into_owned();
    let head = head();
    let ends = [("</head>", head.as_str()), ("</body>", bar.0.as_str())];
    for (end, what) in ends {
        match page.find(end) {
            Some(at) => page.insert_str(at, what),
            // A page without them, as the one of a program without its app.
            None => page.push_str(what),
        }
    }
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::REFERRER_POLICY, POLICY);
    Response::from_parts(parts, Body::from(page))
}

/// How the bar looks.
pub(super) fn style() -> Response {
    let kind = HeaderValue::from_static("text/css; charset=utf-8");
    ([(header::CONTENT_TYPE, kind)], STYLE).into_response()
}

/// The script of every page.
pub(super) fn script() -> Response {
    let kind = HeaderValue::from_static("text/javascript; charset=utf-8");
    ([(header::CONTENT_TYPE, kind)], SCRIPT).into_response()
}

/// The step that is shown.
pub(super) fn step(stop: usize) -> Response {
    let kept = HeaderValue::from_static("no-store");
    ([(header::CACHE_CONTROL, kept)], stop.to_string()).into_response()
}

/// A page of the replay itself.
fn page(status: StatusCode, main: &str, bar: &Bar) -> Response {
    let page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\"><title>Replay</title>{}</head><body>\
         <main class=\"replay-steps\">{main}</main>{}</body></html>",
        head(),
        bar.0
    );
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    let policy = HeaderValue::from_static("default-src 'self'; form-action 'self'");
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::REFERRER_POLICY, POLICY),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (status, headers, page).into_response()
}

/// In place of a screen whose house cannot be shown.
pub(super) fn not_shown(bar: &Bar, what: &str) -> Response {
    let main = format!("<h1>This step cannot be shown</h1><p>{}</p>", text(what));
    page(StatusCode::SERVICE_UNAVAILABLE, &main, bar)
}

/// What a step wrote, and every screen of the house.
pub(super) fn overview(past: &Past, shown: &Shown) -> Response {
    let mut main = format!("<h1>Replay of {}</h1>", text(&super::name_of(&past.data)));
    for fault in &past.faults {
        main += &format!("<p>What follows cannot be read: {}</p>", text(fault));
    }
    main += "<h2>What this step wrote</h2><ul>";
    for line in written(past, shown.stop) {
        main += &format!("<li>{}</li>", text(&line));
    }
    main += "</ul><h2>Screens</h2>";
    match &shown.house {
        Ok(house) => main += &screens(past, &house.still),
        Err(what) => main += &format!("<p>This step cannot be shown: {}</p>", text(what)),
    }
    let last = past.stops.len() - 1;
    main += &format!(
        "<h2>Go to a step</h2><form method=\"post\" action=\"{PATH}\"><label>Step <input \
         name=\"to\" type=\"number\" min=\"0\" max=\"{last}\" value=\"{}\"></label> \
         <button>Show</button></form>",
        shown.stop,
    );
    page(StatusCode::OK, &main, &Bar::of(past, shown.stop, PATH))
}

/// Every screen of the house.
fn screens(past: &Past, still: &Still) -> String {
    let mut list = "<ul><li><a href=\"/\">Lobby</a></li>".to_owned();
    if still.session.is_some() {
        list += "<li><a href=\"/pit\">Pit</a></li>\
                 <li><a href=\"/surveillance\">Surveillance</a></li>";
    }
    for (stream, _) in past
        .streams
        .iter()
        .filter(|(id, _)| id.as_str() != HOUSE_STREAM)
    {
        let name = text(stream.as_str());
        list += &format!("<li>{name}: <a href=\"/wall/{name}\">wall</a>");
        if still.session.is_some() {
            list += &format!(", <a href=\"/console/{name}\">as staff see it</a>");
        }
        for (place, token) in &still.terminals {
            if place.table.as_str() == stream.as_str() {
                let station = place.station.0;
                list += &format!(", <a href=\"/play/{name}#{token}\">terminal {station}</a>");
            }
        }
        list += "</li>";
    }
    list + "</ul>"
}

/// The records of the step that leads to a stop, in words.
fn written(past: &Past, stop: usize) -> Vec<String> {
    let Some(step) = past.stops[stop].checked_sub(1).map(|step| past.steps[step]) else {
        return vec!["nothing was written yet".to_owned()];
    };
    let (stream, path) = &past.streams[step.stream];
    let mut lines = Vec::new();
    let mut put = |fields: Vec<(&'static str, Value)>| {
        lines.push(line(stream, &fields));
        lines.len() < MAX_RECORDS
    };
    let range = step.first..=step.last;
    let store = source::open(stream, path).or_else(|_| source::open_blocks(stream, path));
    let told = store.map_err(|error| error.to_string()).and_then(|store| {
        let told = guarded(|| match stream.as_str() == HOUSE_STREAM {
            true => export::house(&store, stream, range, &mut put).map_err(|e| e.to_string()),
            false => export::table(&store, stream, range, &mut put).map_err(|e| e.to_string()),
        });
        told.unwrap_or_else(|what| Err(format!("it cannot have happened: {what}")))
    });
    lines.extend(told.err());
    lines
}

/// One record in one line.
fn line(stream: &StreamId, fields: &[(&'static str, Value)]) -> String {
    let told = fields.iter().map(|(name, value)| match value {
        Value::Fields(inner) => {
            let inner = inner.iter().map(|(name, value)| format!("{name} {value}"));
            inner.collect::<Vec<_>>().join(", ")
        }
        value => format!("{name} {value}"),
    });
    format!("{stream}: {}", told.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_leads_to_a_step_and_back_to_a_page_of_this_place_only() {
        let asked = Asked::read(b"back=%2Fwall%2Fmbs-etg&to=previous");
        assert_eq!(
            (asked.to, asked.back.as_str()),
            (To::Previous, "/wall/mbs-etg")
        );
        assert_eq!(Asked::read(b"to=17").to, To::Stop(17));
        assert_eq!(Asked::read(b"to=next").to, To::Next);
        for nonsense in ["", "to=", "to=nowhere", "to=-1", "to=next&to=1e9", "from=3"] {
            assert_eq!(Asked::read(nonsense.as_bytes()).to, To::Same, "{nonsense}");
        }
        for elsewhere in [
            "//evil.example",
            "https:%2F%2Fevil.example",
            "/a%0d%0ab",
            "",
        ] {
            let form = format!("to=next&back={elsewhere}");
            assert_eq!(Asked::read(form.as_bytes()).back, PATH, "{elsewhere}");
        }
        assert_eq!(text("<b a=\"'\">&"), "&lt;b a=&quot;&#39;&quot;&gt;&amp;");
    }
}
