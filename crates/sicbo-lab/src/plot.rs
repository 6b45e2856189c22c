//! Pictures as SVG: one or more panels with labelled axes, for light and dark.
//!
//! Knows nothing of dice: `pictures` says what is drawn of which result.

mod axis;

use std::fmt::Write;

use sicbo_rules::drawing::escape;

pub use axis::{Axis, figure, group};

/// How a mark is coloured. Each has a colour for light and one for dark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hue {
    /// The thing itself.
    Main,
    /// What the house loses, or what is doubtful.
    Loss,
    /// What stands beside the thing, such as a simulation.
    Other,
    /// A reference, such as zero or a limit.
    Faint,
}

impl Hue {
    const fn class(self) -> &'static str {
        match self {
            Hue::Main => "m",
            Hue::Loss => "l",
            Hue::Other => "o",
            Hue::Faint => "f",
        }
    }
}

/// Something drawn in the units of a panel's axes.
#[derive(Clone, PartialEq, Debug)]
pub enum Mark {
    /// A bar that stands on zero, from `x0` to `x1`.
    Bar {
        /// Left edge.
        x0: f64,
        /// Right edge.
        x1: f64,
        /// Height.
        y: f64,
        /// Colour.
        hue: Hue,
    },
    /// A line through points.
    Line {
        /// The points.
        points: Vec<(f64, f64)>,
        /// Colour.
        hue: Hue,
    },
    /// Round dots.
    Dots {
        /// Their centres.
        points: Vec<(f64, f64)>,
        /// Colour.
        hue: Hue,
    },
    /// A vertical rule over the whole height with a label at the top.
    Rule {
        /// Where.
        x: f64,
        /// What it is.
        label: String,
        /// Colour.
        hue: Hue,
    },
    /// A shaded span over the whole height.
    Band {
        /// Left edge.
        x0: f64,
        /// Right edge.
        x1: f64,
    },
}

/// One pair of axes and what is drawn in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Panel {
    /// Above the panel; may be empty.
    pub title: String,
    /// Below.
    pub x: Axis,
    /// To the left.
    pub y: Axis,
    /// Drawn in this order.
    pub marks: Vec<Mark>,
    /// What the colours mean.
    pub legend: Vec<(Hue, String)>,
    /// Height of the drawing area.
    pub height: f64,
}

/// A whole picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// The heading.
    pub title: String,
    /// A line below it.
    pub subtitle: String,
    /// Panels, left to right and top to bottom.
    pub panels: Vec<Panel>,
    /// Panels side by side.
    pub columns: usize,
    /// Where the figures come from, in small print below.
    pub footer: String,
}

const WIDTH: f64 = 960.0;
const TOP: f64 = 72.0;
const LEFT: f64 = 92.0;
const RIGHT: f64 = 24.0;
const BELOW: f64 = 62.0;
/// Room above a drawing area for its title, its legend and two rows of labels.
const ABOVE: f64 = 70.0;
const FOOTER: f64 = 26.0;

/// Width of a letter, on the safe side.
const LETTER: f64 = 7.2;

const STYLE: &str = "\
text{font-family:system-ui,'Segoe UI','Noto Sans',sans-serif;font-size:13px;fill:#24292f}\
.bg{fill:#ffffff}.t{font-size:20px;font-weight:600}.s,.k{fill:#57606a}.p{font-weight:600;font-size:14px}\
.g{stroke:#d8dee4;stroke-width:1}.a{stroke:#57606a;stroke-width:1}.band{fill:#57606a;fill-opacity:.10}\
.bm{fill:#0969da}.bl{fill:#cf222e}.bo{fill:#9a6700}.bf{fill:#8c959f}\
.sm{stroke:#0969da}.sl{stroke:#cf222e}.so{stroke:#9a6700}.sf{stroke:#8c959f}\
.f{font-size:10.5px;fill:#57606a}.line{fill:none;stroke-width:2;stroke-linejoin:round}.rule{stroke-width:1.5;stroke-dasharray:5 4}\
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.bg{fill:#0d1117}.s,.k,.f{fill:#9da7b1}\
.g{stroke:#2b323b}.a{stroke:#9da7b1}.band{fill:#9da7b1;fill-opacity:.16}\
.bm{fill:#4c9bff}.bl{fill:#ff7b72}.bo{fill:#e3b341}.bf{fill:#7d8590}\
.sm{stroke:#4c9bff}.sl{stroke:#ff7b72}.so{stroke:#e3b341}.sf{stroke:#7d8590}}";

impl Picture {
    /// The picture as SVG.
    #[must_use]
    pub fn svg(&self) -> String {
        let columns = self.columns.max(1);
        let rows: Vec<f64> = self
            .panels
            .chunks(columns)
            .map(|row| row.iter().map(|panel| panel.height).fold(0.0, f64::max))
            .collect();
        let foot = if self.footer.is_empty() { 0.0 } else { FOOTER };
        let height = TOP + rows.iter().map(|row| row + ABOVE + BELOW).sum::<f64>() + foot;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n<style>{STYLE}</style>\n<rect class=\"bg\" width=\"{WIDTH}\" height=\"{height}\"/>\n<text class=\"t\" x=\"24\" y=\"34\">{title}</text>\n<text class=\"s\" x=\"24\" y=\"56\">{}</text>\n",
            escape(&self.subtitle),
            title = escape(&self.title),
        );
        let mut y = TOP;
        for (row, panels) in self.panels.chunks(columns).enumerate() {
            let width = WIDTH / columns as f64;
            for (column, panel) in panels.iter().enumerate() {
                let left = column as f64 * width + LEFT.max(panel.y.room());
                let frame = Frame {
                    left,
                    right: (column + 1) as f64 * width - RIGHT,
                    top: y + ABOVE,
                    bottom: y + ABOVE + panel.height,
                };
                panel.draw(&frame, &mut svg);
            }
            y += rows[row] + ABOVE + BELOW;
        }
        if !self.footer.is_empty() {
            // Writing to a string cannot fail.
            let _ = writeln!(
                svg,
                "<text class=\"f\" x=\"24\" y=\"{:.1}\">{}</text>",
                height - 11.0,
                escape(&self.footer)
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

/// Where a panel's drawing area lies.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// Where each label begins and in which of two rows it stands, or the first
/// that fits in neither; the first two always do.
fn in_rows(labels: &[(f64, String)], left: f64, right: f64) -> Result<Vec<(f64, usize)>, usize> {
    // Where the labels of each row end.
    let mut ends = [f64::MIN; 2];
    let placed = labels.iter().enumerate().map(|(index, (at, label))| {
        let width = label.chars().count() as f64 * LETTER;
        let from = (at - width / 2.0).clamp(left, (right - width).max(left));
        let row = ends.iter().position(|end| *end + 6.0 < from);
        let row = row.ok_or(index)?;
        ends[row] = from + width;
        Ok((from, row))
    });
    placed.collect()
}

impl Panel {
    /// A panel of the usual height with nothing in it.
    #[must_use]
    pub fn new(title: &str, x: Axis, y: Axis) -> Panel {
        Panel {
            title: title.to_owned(),
            x,
            y,
            marks: Vec::new(),
            legend: Vec::new(),
            height: 300.0,
        }
    }

    /// A bar that stands on zero, from `x0` to `x1`.
    pub fn bar(&mut self, x0: f64, x1: f64, y: f64, hue: Hue) {
        self.marks.push(Mark::Bar { x0, x1, y, hue });
    }

    /// A line through points.
    pub fn line(&mut self, points: Vec<(f64, f64)>, hue: Hue) {
        self.marks.push(Mark::Line { points, hue });
    }

    /// Round dots.
    pub fn dots(&mut self, points: Vec<(f64, f64)>, hue: Hue) {
        self.marks.push(Mark::Dots { points, hue });
    }

    /// A vertical rule with a label at the top.
    pub fn rule(&mut self, x: f64, label: &str, hue: Hue) {
        let label = label.to_owned();
        self.marks.push(Mark::Rule { x, label, hue });
    }

    fn draw(&self, frame: &Frame, svg: &mut String) {
        let Frame {
            left,
            right,
            top,
            bottom,
        } = *frame;
        let x = |value: f64| left + (right - left) * self.x.place(value);
        let y = |value: f64| bottom - (bottom - top) * self.y.place(value);
        // Writing to a string cannot fail.
        let mut put = |text: std::fmt::Arguments<'_>| {
            let _ = svg.write_fmt(text);
            svg.push('\n');
        };
        for (value, label) in self.y.ticks() {
            let y = y(value);
            put(format_args!(
                "<line class=\"g\" x1=\"{left:.1}\" x2=\"{right:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>"
            ));
            put(format_args!(
                "<text class=\"k\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                left - 8.0,
                y + 4.5,
                escape(&label)
            ));
        }
        for (value, label) in self.x.ticks() {
            let x = x(value);
            put(format_args!(
                "<line class=\"a\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{bottom:.1}\" y2=\"{:.1}\"/>",
                bottom + 5.0
            ));
            put(format_args!(
                "<text class=\"k\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 20.0,
                escape(&label)
            ));
        }
        for mark in &self.marks {
            self.draw_mark(mark, frame, &mut put);
        }
        put(format_args!(
            "<line class=\"a\" x1=\"{left:.1}\" x2=\"{right:.1}\" y1=\"{bottom:.1}\" y2=\"{bottom:.1}\"/>"
        ));
        put(format_args!(
            "<text class=\"p\" x=\"{left:.1}\" y=\"{:.1}\">{}</text>",
            top - 49.0,
            escape(&self.title)
        ));
        put(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            (left + right) / 2.0,
            bottom + 42.0,
            escape(&self.x.label)
        ));
        let (across, down) = (left - self.y.room().max(LEFT) + 22.0, (top + bottom) / 2.0);
        put(format_args!(
            "<text transform=\"translate({across:.1} {down:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            escape(&self.y.label)
        ));
        // The legend has a row of its own, below the title.
        let mut at = left;
        for (hue, label) in &self.legend {
            put(format_args!(
                "<rect class=\"b{}\" x=\"{at:.1}\" y=\"{:.1}\" width=\"12\" height=\"12\" rx=\"2\"/>",
                hue.class(),
                top - 42.0
            ));
            put(format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                at + 17.0,
                top - 31.5,
                escape(label)
            ));
            at += label.chars().count() as f64 * LETTER + 36.0;
        }
        self.draw_labels(frame, &mut put);
    }

    /// The labels of the rules, above the drawing area: those of one place
    /// together, and none over another.
    fn draw_labels(&self, frame: &Frame, put: &mut impl FnMut(std::fmt::Arguments<'_>)) {
        let Frame {
            left, right, top, ..
        } = *frame;
        let x = |value: f64| left + (right - left) * self.x.place(value).clamp(0.0, 1.0);
        let mut labels: Vec<(f64, String)> = Vec::new();
        for mark in &self.marks {
            if let Mark::Rule { x: at, label, .. } = mark {
                let at = x(*at);
                match labels
                    .iter_mut()
                    .find(|(other, _)| (other - at).abs() < 2.0)
                {
                    Some((_, all)) => *all = format!("{all}, {label}"),
                    None => labels.push((at, label.clone())),
                }
            }
        }
        labels.sort_by(|a, b| a.0.total_cmp(&b.0));
        let placed = loop {
            match in_rows(&labels, left, right) {
                Ok(placed) => break placed,
                // Both rows are taken there: it joins the label before it.
                Err(at) => {
                    let (x, label) = labels.remove(at);
                    let before = &mut labels[at - 1];
                    *before = (f64::midpoint(before.0, x), format!("{}, {label}", before.1));
                }
            }
        };
        for ((from, row), (_, label)) in placed.into_iter().zip(&labels) {
            put(format_args!(
                "<text class=\"k\" x=\"{from:.1}\" y=\"{:.1}\">{}</text>",
                top - 4.0 - 13.0 * row as f64,
                escape(label)
            ));
        }
    }

    fn draw_mark(&self, mark: &Mark, frame: &Frame, put: &mut impl FnMut(std::fmt::Arguments<'_>)) {
        let Frame {
            left,
            right,
            top,
            bottom,
        } = *frame;
        let x = |value: f64| left + (right - left) * self.x.place(value).clamp(0.0, 1.0);
        let y = |value: f64| bottom - (bottom - top) * self.y.place(value).clamp(0.0, 1.0);
        match mark {
            Mark::Bar {
                x0,
                x1,
                y: height,
                hue,
            } => {
                let (from, to) = (x(*x0), x(*x1));
                let (high, low) = (y(height.max(0.0)), y(height.min(0.0)));
                // A hair of background between wide bars, none between narrow ones.
                let gap = if to - from > 4.0 { 1.0 } else { 0.0 };
                put(format_args!(
                    "<rect class=\"b{}\" x=\"{from:.2}\" y=\"{high:.2}\" width=\"{:.2}\" height=\"{:.2}\"/>",
                    hue.class(),
                    (to - from - gap).max(0.4),
                    (low - high).max(0.0)
                ));
            }
            Mark::Line { points, hue } => {
                let path: Vec<String> = points
                    .iter()
                    .map(|(a, b)| format!("{:.1},{:.1}", x(*a), y(*b)))
                    .collect();
                put(format_args!(
                    "<polyline class=\"line s{}\" points=\"{}\"/>",
                    hue.class(),
                    path.join(" ")
                ));
            }
            Mark::Dots { points, hue } => {
                for (a, b) in points {
                    put(format_args!(
                        "<circle class=\"b{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.2\"/>",
                        hue.class(),
                        x(*a),
                        y(*b)
                    ));
                }
            }
            Mark::Rule { x: at, hue, .. } => {
                let x = x(*at);
                put(format_args!(
                    "<line class=\"rule s{}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top:.1}\" y2=\"{bottom:.1}\"/>",
                    hue.class()
                ));
            }
            Mark::Band { x0, x1 } => {
                put(format_args!(
                    "<rect class=\"band\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                    x(*x0),
                    x(*x1) - x(*x0),
                    bottom - top
                ));
            }
        }
    }
}
