//! Tables of scripts in text files: a line of words, and below it, indented, the lines of a script.

/// One entry of a table.
#[derive(Clone)]
pub(crate) struct Block {
    /// The words of its first line.
    pub(crate) head: Vec<&'static str>,
    /// Its script.
    pub(crate) lines: Vec<&'static str>,
}

/// The entries of a file; lines that begin with `#` are for the reader.
pub(crate) fn blocks(text: &'static str) -> Vec<Block> {
    let mut all: Vec<Block> = Vec::new();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    for line in lines.filter(|line| !line.starts_with('#')) {
        match (line.strip_prefix("    "), all.last_mut()) {
            (Some(step), Some(block)) => block.lines.push(step),
            (None, _) => all.push(Block {
                head: line.split_whitespace().collect(),
                lines: Vec::new(),
            }),
            (Some(_), None) => panic!("a script without its first line: {line}"),
        }
    }
    all
}

impl Block {
    /// The whole script.
    pub(crate) fn script(&self) -> String {
        self.lines.join("\n")
    }

    /// What comes before the last line, and that line.
    pub(crate) fn staged(&self) -> (String, &'static str) {
        let (line, before) = self.lines.split_last().expect("a line that asks");
        (before.join("\n"), line)
    }

    /// The books named after the first word; all where none is.
    pub(crate) fn is_of(&self, book: &str) -> bool {
        self.head.len() == 1 || self.head[1..].contains(&book)
    }
}
