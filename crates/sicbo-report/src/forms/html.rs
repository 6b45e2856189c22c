//! A report as one page that needs nothing else, for screen and printer: what
//! stands in `templates/report.html`.

use std::fmt;

use askama::Template;
use sicbo_rules::drawing::escape;

use super::charts::charts;
use super::paper::Paper;

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'p> {
    paper: &'p Paper,
}

impl Page<'_> {
    fn pictures(&self) -> impl Iterator<Item = String> {
        charts(&self.paper.report)
            .into_iter()
            .map(|picture| picture.svg())
    }
}

impl Paper {
    /// The report as an HTML page with charts.
    #[must_use]
    pub fn html(&self) -> String {
        let page = Page { paper: self };
        page.render().expect("a page is written to memory")
    }
}

/// How templates escape what they are given: with the entities of drawings.
#[derive(Clone, Copy)]
pub struct Entities;

impl askama::filters::Escaper for Entities {
    fn write_escaped_str<W: fmt::Write>(&self, mut to: W, text: &str) -> fmt::Result {
        to.write_str(&escape(text))
    }
}
