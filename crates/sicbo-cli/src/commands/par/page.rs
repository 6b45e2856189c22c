//! The par sheet as one HTML page that needs nothing else.

use std::collections::BTreeMap;
use std::fmt::Write;

use sicbo_rules::drawing::escape;
use sicbo_rules::drawing::{self, Lit};
use sicbo_rules::rulebook::Known;
use sicbo_rules::{Outcome, Par, SelfTest};

use crate::books::Found;
use crate::sections::{kind_name, percent_text};

const STYLE: &str = "\
:root{color-scheme:light dark}
body{font:14px/1.45 'Helvetica Neue',Helvetica,Arial,'Noto Sans',sans-serif;max-width:1080px;margin:2rem auto;padding:0 1rem;color:#1d2420;background:#fff}
h1{font-size:1.6rem;margin:0 0 .2rem}h2{font-size:1.1rem;margin:2rem 0 .5rem;border-bottom:2px solid #0d5c3c;padding-bottom:.2rem}
.mono,td.n{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:.92em}
table{border-collapse:collapse;width:100%}th,td{padding:.25rem .5rem;border-bottom:1px solid #d8ddd9;text-align:left;vertical-align:top}
th{background:#0d5c3c;color:#fff;font-weight:600}td.n,th.n{text-align:right;white-space:nowrap}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:0}dt{color:#5a655e}dd{margin:0;overflow-wrap:anywhere}
.pass{color:#0a6b3d;font-weight:700}.fail{color:#b00020;font-weight:700}.lost{color:#9a5b00}
svg{max-width:100%;height:auto}.sign{display:grid;grid-template-columns:1fr 1fr;gap:2rem;margin-top:3rem}.sign div{border-top:1px solid currentColor;padding-top:.3rem}
tr:nth-child(even) td{background:#f4f7f5}thead{display:table-header-group}
@media(prefers-color-scheme:dark){body{color:#e6ece8;background:#121714}th,td{border-color:#2e3832}tr:nth-child(even) td{background:#18201b}dt{color:#9fb0a6}.pass{color:#6fdca0}.lost{color:#f0b45a}}
@media print{body{color:#000;background:#fff;margin:0;max-width:none;font-size:10px}th{background:none;color:#000;border-bottom:1.5px solid #000}tr:nth-child(even) td{background:none}h2{break-after:avoid}tr{break-inside:avoid}@page{margin:14mm}}
";

/// The whole page.
pub(super) fn page(found: &Found, test: &SelfTest) -> String {
    let mut out = String::new();
    let title = format!("Par sheet {}", found.name());
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>{0}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
        escape(&title)
    );
    let _ = writeln!(
        out,
        "<p>{}, {}</p>",
        escape(&found.book.identity.title.is),
        escape(&found.book.identity.operator.is)
    );
    identity(&mut out, found);
    out.push_str("<h2>Layout</h2>\n");
    out.push_str(&drawing::svg(&found.book, found.layout(), &Lit::nothing()));
    method(&mut out);
    values(&mut out, found);
    self_test(&mut out, found, test);
    out.push_str(
        "<div class=\"sign\"><div>Examined by, date</div><div>Approved by, date</div></div>\n\
         </body>\n</html>\n",
    );
    out
}

fn identity(out: &mut String, found: &Found) {
    let (book, layout) = (&found.book, found.layout());
    let known = |known: &Known<String>| match known {
        Known::Is(cited) => format!(
            "{} [{}]",
            escape(&cited.is),
            escape(&cited.cite.to_string())
        ),
        Known::Lost(why) => format!(
            "<span class=\"lost\">lost: {} [{}]</span>",
            escape(&why.is),
            escape(&why.cite.to_string())
        ),
    };
    out.push_str("<h2>Identity</h2>\n<dl>\n");
    let mut row = |name: &str, value: String| {
        let _ = writeln!(out, "<dt>{name}</dt><dd>{value}</dd>");
    };
    row("Rule book", escape(book.id()));
    row("Title", escape(&book.identity.title.is));
    row("Operator", escape(&book.identity.operator.is));
    row("Version", known(&book.identity.version));
    row("Effective", known(&book.identity.effective));
    if let Some(approval) = &book.identity.approval {
        row("Approval", escape(&approval.is));
    }
    row(
        "Layout",
        format!(
            "{} ({}), {} sections [{}]",
            escape(&found.name()),
            escape(&layout.title),
            layout.sections().count(),
            escape(&layout.cite.to_string())
        ),
    );
    row(
        "Pay table",
        format!(
            "{} [{}]",
            escape(&found.pay_table().title),
            escape(&found.pay_table().cite.to_string())
        ),
    );
    if let Some(part) = &layout.reconstruction {
        row(
            "Reconstructed",
            format!(
                "<span class=\"lost\">{} [{}]</span>",
                escape(&part.is),
                escape(&part.cite.to_string())
            ),
        );
    }
    row(
        "Rule book SHA-256",
        format!("<span class=\"mono\">{}</span>", book.sha256_hex()),
    );
    row("Program", format!("sicbo {}", env!("CARGO_PKG_VERSION")));
    out.push_str("</dl>\n");
}

fn method(out: &mut String) {
    out.push_str(
        "<h2>Method</h2>\n<p>Three fair dice have 6 × 6 × 6 = 216 equally likely ordered outcomes. \
         <em>Ways</em> counts the outcomes that win, line by line where a section has several \
         lines of odds. <em>Pays</em> is the profit to 1; the stake is returned besides. \
         <em>Return</em> is the exact mean of what comes back for a stake of 1, stake included; \
         the <em>edge</em> is 1 less the return; <em>variance</em> and <em>deviation</em> are \
         those of what comes back for a stake of 1. Fractions are exact; only percentages and \
         deviations are rounded, when printed. The values are computed from the same rule book \
         file, named by its hash, that settles bets. Anyone can recompute the hash with \
         <span class=\"mono\">sha256sum</span>.</p>\n",
    );
}

fn values(out: &mut String, found: &Found) {
    let layout = found.layout();
    out.push_str(
        "<h2>Values</h2>\n<table>\n<thead><tr><th>Section</th><th>Bet</th><th class=\"n\">Pays</th>\
         <th class=\"n\">Ways of 216</th><th class=\"n\">Chance</th><th class=\"n\">Return</th>\
         <th class=\"n\">Return %</th><th class=\"n\">Edge</th><th class=\"n\">Edge %</th>\
         <th class=\"n\">Variance</th><th class=\"n\">Deviation</th><th>Rule</th></tr></thead>\n<tbody>\n",
    );
    let mut sections: Vec<_> = layout.sections().collect();
    sections.sort_unstable();
    for section in sections {
        let (Some(par), Some(pays)) = (Par::of(layout, section), layout.pays(section)) else {
            continue;
        };
        let lines = pays.lines();
        let odds: Vec<String> = lines.iter().map(|line| line.is.to_string()).collect();
        let ways: Vec<String> = par.ways_by_line.iter().map(u32::to_string).collect();
        let mut rules: Vec<String> = lines.iter().map(|line| line.cite.to_string()).collect();
        rules.dedup();
        let _ = writeln!(
            out,
            "<tr><td class=\"mono\">{section}</td><td>{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{:.6}</td><td>{}</td></tr>",
            escape(&kind_name(layout, section.kind())),
            odds.join(" / "),
            ways.join(" / "),
            par.chance(),
            par.returned,
            percent_text(par.returned),
            par.edge(),
            percent_text(par.edge()),
            par.variance,
            par.deviation(),
            escape(&rules.join("; "))
        );
    }
    out.push_str("</tbody>\n</table>\n");
}

fn self_test(out: &mut String, found: &Found, test: &SelfTest) {
    let class = if test.passed() { "pass" } else { "fail" };
    let _ = writeln!(
        out,
        "<h2>Self-test</h2>\n<p class=\"{class}\">{}</p>",
        escape(&super::summary(test))
    );
    for disagreement in test.disagreements.iter().take(50) {
        let _ = writeln!(out, "<p class=\"fail\">{}</p>", escape(disagreement));
    }
    // How many sections each outcome wins: a figure a lab can count by hand.
    let mut by_lit: BTreeMap<usize, (u32, String)> = BTreeMap::new();
    for outcome in Outcome::all() {
        let lit = found.layout().settlement().lit(outcome.dice()).count();
        let entry = by_lit
            .entry(lit)
            .or_insert_with(|| (0, outcome.dice().to_string()));
        entry.0 += 1;
    }
    out.push_str(
        "<table>\n<thead><tr><th class=\"n\">Winning sections</th><th class=\"n\">Outcomes</th>\
         <th>For example</th></tr></thead>\n<tbody>\n",
    );
    for (lit, (outcomes, example)) in by_lit {
        let _ = writeln!(
            out,
            "<tr><td class=\"n\">{lit}</td><td class=\"n\">{outcomes}</td><td class=\"mono\">{example}</td></tr>"
        );
    }
    out.push_str("</tbody>\n</table>\n");
}
