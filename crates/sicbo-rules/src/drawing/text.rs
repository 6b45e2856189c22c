//! Fits words into boxes without knowing the reader's fonts.
//!
//! Widths are estimates for common faces, a little on the wide side, so that
//! a caption stays inside its box whatever font the reader has.

/// Which of the two faces a text is set in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Face {
    /// Labels: bold, with serifs.
    Label,
    /// Captions: plain, without.
    Caption,
}

/// Words broken into lines at a size.
pub(super) struct Fitted {
    pub(super) size: f64,
    pub(super) lines: Vec<String>,
}

/// Height of a line to the size of its letters.
pub(super) const LEADING: f64 = 1.16;

/// Width of a character at size one.
fn advance(c: char, face: Face) -> f64 {
    let plain = match c {
        ' ' | '.' | ',' | ':' | ';' | '/' | '|' | '!' | '\'' | '·' => 0.28,
        '-' | '(' | ')' | '[' | ']' => 0.34,
        'I' | 'i' | 'l' | 'j' => 0.3,
        'f' | 't' | 'r' => 0.36,
        'M' | 'W' | 'm' | 'w' => 0.88,
        '0'..='9' => 0.56,
        c if is_wide(c) => 1.0,
        c if c.is_uppercase() => 0.7,
        _ => 0.56,
    };
    match face {
        Face::Label if !is_wide(c) => plain * 1.06,
        _ => plain,
    }
}

fn is_wide(c: char) -> bool {
    unicode_width::UnicodeWidthChar::width(c) == Some(2)
}

/// Width of a text at size one.
pub(super) fn width(text: &str, face: Face) -> f64 {
    text.chars().map(|c| advance(c, face)).sum()
}

/// Breaks the given lines between words so that all of it fits the box at the
/// largest size up to `largest`.
pub(super) fn fit(given: &[String], face: Face, w: f64, h: f64, largest: f64) -> Fitted {
    const STEP: f64 = 0.25;
    const SMALLEST: f64 = 2.0;
    let mut size = largest;
    loop {
        let lines = wrap(given, face, w / size);
        let fits = lines.len() as f64 * size * LEADING <= h
            && lines.iter().all(|line| width(line, face) * size <= w);
        if fits || size <= SMALLEST {
            return Fitted { size, lines };
        }
        size = (size - STEP).max(SMALLEST);
    }
}

/// Breaks each given line between words to at most `limit` wide, lines about equal.
fn wrap(given: &[String], face: Face, limit: f64) -> Vec<String> {
    given
        .iter()
        .flat_map(|line| {
            let greedy = wrap_one(line, face, limit);
            // As few lines, but balanced: narrow the limit while the count stays.
            let mut best = greedy;
            let mut narrower = limit;
            for _ in 0..8 {
                narrower *= 0.92;
                let lines = wrap_one(line, face, narrower);
                if lines.len() > best.len() {
                    break;
                }
                best = lines;
            }
            best
        })
        .collect()
}

fn wrap_one(line: &str, face: Face, limit: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words(line) {
        match lines.last_mut() {
            Some(last) if width(last, face) + width(" ", face) + width(&word, face) <= limit => {
                last.push(' ');
                last.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// Words, with a fraction kept to its number: `8 1/2` never breaks.
pub(super) fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in line.split_whitespace() {
        match words.last_mut() {
            Some(last) if word == "1/2" && last.chars().all(|c| c.is_ascii_digit()) => {
                last.push('\u{a0}');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_inside_its_box() {
        for text in [
            "EXCEPT FOR ANY TRIPLE",
            "1 WINS 11 1/2",
            "BỘ BA BẤT KỲ",
            "BIG 大",
        ] {
            for (w, h) in [(18.0, 40.0), (27.0, 13.0), (80.0, 30.0)] {
                let fitted = fit(&[text.to_owned()], Face::Caption, w, h, 20.0);
                assert!(
                    fitted.lines.len() as f64 * fitted.size * LEADING <= h,
                    "{text}"
                );
                for line in &fitted.lines {
                    assert!(width(line, Face::Caption) * fitted.size <= w, "{text}");
                }
                let joined = fitted.lines.join(" ").replace('\u{a0}', " ");
                assert_eq!(joined, text, "no word is lost");
            }
        }
    }
}
