//! Cells of CSV files: every one that leaves the house is written here, so that
//! no form of export forgets what a spreadsheet would make of it.

/// A cell as RFC 4180 has it: quotes where needed, quotes inside doubled. What
/// a spreadsheet would take for a formula is made a text by an apostrophe; a
/// negative figure stays a figure.
#[must_use]
pub fn cell(text: &str) -> String {
    let digits = |rest: &str| {
        rest.starts_with(|c: char| c.is_ascii_digit())
            && rest.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    let figure = text.strip_prefix('-').is_some_and(digits);
    let text = if text.starts_with(['=', '+', '@', '-', '\t', '\r']) && !figure {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn cells_cannot_break_out_of_their_place_nor_become_formulas() {
        for (text, written) in [
            ("plain", "plain"),
            ("-12.50", "-12.50"),
            ("a,b", "\"a,b\""),
            ("say \"no\"", "\"say \"\"no\"\"\""),
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("@x", "'@x"),
            ("-x", "'-x"),
            ("-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"),
            ("\tx", "'\tx"),
            ("\r=1", "\"'\r=1\""),
            ("=a,b", "\"'=a,b\""),
        ] {
            assert_eq!(cell(text), written);
        }
    }
}
