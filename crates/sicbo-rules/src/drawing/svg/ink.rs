//! The pen: areas, text, lines and rectangles as SVG elements, escaped.

use std::fmt::Write;

use crate::drawing::text::{Face, LEADING, fit};

pub(super) const GOLD: &str = "#e9cf8a";
pub(super) const IVORY: &str = "#fbf5e3";
pub(super) const INK: &str = "#3b1a00";
const SERIF: &str = "'Times New Roman','Liberation Serif','Noto Serif','Noto Serif CJK SC','Songti SC',SimSun,serif";
const SANS: &str = "'Helvetica Neue',Helvetica,Arial,'Liberation Sans','Noto Sans','Noto Sans CJK SC','PingFang SC',sans-serif";

/// A rectangle to draw in.
#[derive(Clone, Copy)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) w: f64,
    pub(super) h: f64,
}

impl Area {
    /// The part from one fraction of the height to another.
    pub(super) fn rows(self, from: f64, to: f64) -> Area {
        Area {
            y: self.y + self.h * from,
            h: self.h * (to - from),
            ..self
        }
    }

    /// The part from one fraction of the width to another.
    pub(super) fn columns(self, from: f64, to: f64) -> Area {
        Area {
            x: self.x + self.w * from,
            w: self.w * (to - from),
            ..self
        }
    }

    /// Smaller by so much on every side.
    pub(super) fn inset(self, by: f64) -> Area {
        Area {
            x: self.x + by,
            y: self.y + by,
            w: (self.w - 2.0 * by).max(1.0),
            h: (self.h - 2.0 * by).max(1.0),
        }
    }
}

/// Words in the middle of an area, as large as fits.
pub(super) fn centred(
    out: &mut String,
    lines: &[String],
    area: Area,
    largest: f64,
    face: Face,
    fill: &str,
) {
    let fitted = fit(lines, face, area.w, area.h, largest);
    place(out, &fitted.lines, fitted.size, area, face, fill);
}

pub(super) fn place(
    out: &mut String,
    lines: &[String],
    size: f64,
    area: Area,
    face: Face,
    fill: &str,
) {
    let top = area.y + (area.h - lines.len() as f64 * size * LEADING) / 2.0;
    for (i, line) in lines.iter().enumerate() {
        // The middle of capitals and figures lies 0.34 of the size above the baseline.
        let y = top + (i as f64 + 0.5) * size * LEADING + size * 0.34;
        text(
            out,
            line,
            area.x + area.w / 2.0,
            y,
            size,
            face,
            fill,
            "middle",
        );
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "one text element has that many attributes"
)]
pub(super) fn text(
    out: &mut String,
    words: &str,
    x: f64,
    y: f64,
    size: f64,
    face: Face,
    fill: &str,
    anchor: &str,
) {
    let (family, weight) = match face {
        Face::Label => (SERIF, " font-weight=\"700\""),
        Face::Caption => (SANS, " font-weight=\"500\""),
    };
    let _ = write!(
        out,
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" font-family=\"{family}\"{weight} fill=\"{fill}\" text-anchor=\"{anchor}\">{}</text>",
        num(x),
        num(y),
        num(size),
        escape(words)
    );
}

pub(super) fn rectangle(
    out: &mut String,
    area: Area,
    fill: &str,
    stroke: &str,
    width: f64,
    opacity: f64,
) {
    let _ = write!(
        out,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{}\"",
        num(area.x),
        num(area.y),
        num(area.w),
        num(area.h),
        num(width)
    );
    if opacity < 1.0 {
        let _ = write!(out, " opacity=\"{}\"", num(opacity));
    }
    out.push_str("/>");
}

pub(super) fn rule(out: &mut String, x: f64, y: f64, h: f64, stroke: &str) {
    let _ = write!(
        out,
        "<path d=\"M{} {}v{}\" stroke=\"{stroke}\" stroke-width=\"0.35\" opacity=\"0.6\"/>",
        num(x),
        num(y),
        num(h)
    );
}

/// A number with at most two decimals, without trailing noughts.
pub(super) fn num(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Text that is safe inside XML: no markup, and nothing XML cannot hold.
pub(super) fn escape(text: &str) -> String {
    let barred = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    crate::drawing::escape(text)
        .replace('\'', "&#39;")
        .replace(barred, "\u{fffd}")
}
