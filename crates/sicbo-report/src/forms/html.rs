//! A report as one page that needs nothing else, for screen and printer.

use std::fmt::Write;

use sicbo_rules::drawing::escape;

use super::charts::charts;
use super::paper::Paper;

const STYLE: &str = "\
:root{color-scheme:light dark}
body{font:14px/1.45 'Helvetica Neue',Helvetica,Arial,'Noto Sans',sans-serif;max-width:1180px;margin:2rem auto;padding:0 1rem;color:#1d2420;background:#fff}
h1{font-size:1.6rem;margin:0 0 .8rem}h2{font-size:1.1rem;margin:2rem 0 .5rem;border-bottom:2px solid #0d5c3c;padding-bottom:.2rem}
td.n{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:.92em}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{padding:.25rem .5rem;border-bottom:1px solid #d8ddd9;text-align:left;vertical-align:top}
th{background:#0d5c3c;color:#fff;font-weight:600}td.n,th.n{text-align:right;white-space:nowrap}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:0}dt{color:#5a655e}dd{margin:0;overflow-wrap:anywhere}
svg{max-width:100%;height:auto}.sign{display:grid;grid-template-columns:1fr 1fr;gap:2rem;margin-top:3rem}.sign div{border-top:1px solid currentColor;padding-top:.3rem}
tr:nth-child(even) td{background:#f4f7f5}thead{display:table-header-group}
@media(prefers-color-scheme:dark){body{color:#e6ece8;background:#121714}th,td{border-color:#2e3832}tr:nth-child(even) td{background:#18201b}dt{color:#9fb0a6}}
@media print{body{color:#000;background:#fff;margin:0;max-width:none;font-size:9px}th{background:none;color:#000;border-bottom:1.5px solid #000}tr:nth-child(even) td{background:none}h2{break-after:avoid}tr,svg{break-inside:avoid}.wide{overflow:visible}@page{margin:12mm}}
";

impl Paper {
    /// The report as an HTML page with charts.
    #[must_use]
    pub fn html(&self) -> String {
        // Writing to a String cannot fail.
        let mut out = String::new();
        let _ = write!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
             <title>{0}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<dl>\n",
            escape(&self.title)
        );
        for (label, value) in &self.head {
            let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", escape(label), escape(value));
        }
        out.push_str("</dl>\n");
        for picture in charts(&self.report) {
            out.push_str(&picture.svg());
        }
        for block in &self.blocks {
            let _ = write!(
                out,
                "<h2>{}</h2>\n<div class=\"wide\"><table>\n<thead><tr>",
                escape(&block.title)
            );
            let class = |figures: bool| if figures { " class=\"n\"" } else { "" };
            for column in &block.columns {
                let _ = write!(out, "<th{}>{}</th>", class(column.figures), column.name);
            }
            out.push_str("</tr></thead>\n<tbody>\n");
            for row in &block.rows {
                out.push_str("<tr>");
                for (column, cell) in block.columns.iter().zip(row) {
                    let _ = write!(out, "<td{}>{}</td>", class(column.figures), escape(cell));
                }
                out.push_str("</tr>\n");
            }
            out.push_str("</tbody></table></div>\n");
        }
        out.push_str("<h2>What the figures mean</h2>\n<ol>\n");
        for note in &self.notes {
            let _ = writeln!(out, "<li>{}</li>", escape(note));
        }
        let [outgoing, incoming] = self.signatures().map(|sign| escape(&sign));
        let _ = write!(
            out,
            "</ol>\n<div class=\"sign\"><div>{outgoing}</div><div>{incoming}</div></div>\n\
             </body>\n</html>\n"
        );
        out
    }
}
