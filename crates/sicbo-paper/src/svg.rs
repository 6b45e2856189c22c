//! The ticket as SVG, one user unit to a millimetre.

use std::fmt::Write;

use super::Ticket;
use super::drawing::{Anchor, Drawing, Mark, WIDTH};

impl Ticket {
    /// The ticket as an SVG document.
    #[must_use]
    pub fn svg(&self) -> String {
        let drawing = Drawing::of(self);
        let height = drawing.height;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}mm\" height=\"{height}mm\" \
             viewBox=\"0 0 {WIDTH} {height}\" font-family=\"DejaVu Sans, Noto Sans, sans-serif\">\n\
             <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>\n"
        );
        for mark in &drawing.marks {
            // Writing to memory cannot fail.
            let _ = match mark {
                Mark::Block {
                    x,
                    y,
                    width,
                    height,
                } => writeln!(
                    svg,
                    "<rect x=\"{x:.3}\" y=\"{y:.3}\" width=\"{width:.3}\" height=\"{height:.3}\" \
                     shape-rendering=\"crispEdges\"/>"
                ),
                Mark::Text {
                    x,
                    y,
                    size,
                    bold,
                    white,
                    anchor,
                    text,
                } => {
                    let anchor = match anchor {
                        Anchor::Start => "start",
                        Anchor::Middle => "middle",
                        Anchor::End => "end",
                    };
                    let weight = if *bold { " font-weight=\"bold\"" } else { "" };
                    let fill = if *white { " fill=\"#fff\"" } else { "" };
                    writeln!(
                        svg,
                        "<text x=\"{x:.3}\" y=\"{y:.3}\" font-size=\"{size:.2}\" \
                         text-anchor=\"{anchor}\"{weight}{fill}>{}</text>",
                        escaped(text)
                    )
                }
            };
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
