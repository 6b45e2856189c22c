//! A report as PDF: the same figures on A4 pages, with their fonts inside.

use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::text::TextDirection;

use super::paper::{Block, Paper};
use sicbo_paper::pdf::Face;
pub use sicbo_paper::pdf::PdfError;

/// A4 lying, in points.
const WIDTH: f32 = 842.0;
const HEIGHT: f32 = 595.0;
const MARGIN: f32 = 34.0;
const LINE: f32 = 11.0;
const SIZE: f32 = 7.5;
const GAP: f32 = 7.0;

/// A piece of a line.
struct Piece {
    x: f32,
    text: String,
    size: f32,
    bold: bool,
}

/// A line of a page, from its top.
enum Row {
    Text(Vec<Piece>),
    /// The heads of a table, which stand again on each page it goes on to.
    Heads(Vec<Piece>),
    /// A rule under a table.
    Rule,
    Space(f32),
}

impl Row {
    fn pieces(&self) -> &[Piece] {
        match self {
            Row::Text(pieces) | Row::Heads(pieces) => pieces,
            Row::Rule | Row::Space(_) => &[],
        }
    }

    fn height(&self) -> f32 {
        match self {
            Row::Text(pieces) | Row::Heads(pieces) => {
                pieces.iter().map(|p| p.size).fold(SIZE, f32::max) - SIZE + LINE
            }
            Row::Rule => 3.0,
            Row::Space(height) => *height,
        }
    }
}

struct Faces {
    regular: Face,
    bold: Face,
}

impl Faces {
    fn of(&self, bold: bool) -> &Face {
        if bold { &self.bold } else { &self.regular }
    }

    /// The text, or its beginning and a mark that something is missing.
    fn clipped(&self, text: &str, width: f32) -> String {
        if self.regular.width(text, SIZE) <= width {
            return text.to_owned();
        }
        let mut short: String = text.to_owned();
        while !short.is_empty() && self.regular.width(&format!("{short}…"), SIZE) > width {
            short.pop();
        }
        short + "…"
    }

    /// Words in lines of a width.
    fn wrapped(&self, text: &str, width: f32) -> Vec<String> {
        let mut lines = vec![String::new()];
        for word in text.split_whitespace() {
            let line = lines.last().map_or("", String::as_str);
            let longer = if line.is_empty() {
                word.to_owned()
            } else {
                format!("{line} {word}")
            };
            if self.regular.width(&longer, SIZE) <= width || line.is_empty() {
                if let Some(last) = lines.last_mut() {
                    *last = longer;
                }
            } else {
                lines.push(word.to_owned());
            }
        }
        lines
    }
}

fn one(x: f32, text: &str, size: f32, bold: bool) -> Row {
    Row::Text(vec![Piece {
        x,
        text: text.to_owned(),
        size,
        bold,
    }])
}

impl Paper {
    /// The report as a PDF document.
    ///
    /// # Errors
    /// When the document cannot be made.
    pub fn pdf(&self) -> Result<Vec<u8>, PdfError> {
        Pages {
            title: &self.title,
            head: &self.head,
            blocks: &self.blocks,
            notes: &self.notes,
            foot: self.foot(),
            signatures: self.signatures(),
        }
        .pdf()
    }

    /// What stands on every page.
    fn foot(&self) -> String {
        let report = &self.report;
        let seal = report.checkpoint.as_ref();
        let seal = seal.map_or("none", |seal| seal.fingerprint.as_str());
        format!(
            "{} · records {} to {} · checkpoint {seal}",
            self.title, report.from, report.to
        )
    }
}

/// A head, tables and notes on A4 pages.
pub struct Pages<'p> {
    /// The title.
    pub title: &'p str,
    /// What it is, line by line.
    pub head: &'p [(String, String)],
    /// The tables.
    pub blocks: &'p [Block],
    /// What the figures mean.
    pub notes: &'p [String],
    /// What stands on every page before its number.
    pub foot: String,
    /// Who signs.
    pub signatures: [String; 2],
}

impl Pages<'_> {
    /// The pages as a PDF document.
    ///
    /// # Errors
    /// When the document cannot be made.
    pub fn pdf(&self) -> Result<Vec<u8>, PdfError> {
        let faces = Faces {
            regular: Face::new(dejavu::sans::regular())?,
            bold: Face::new(dejavu::sans::bold())?,
        };
        let rows = self.rows(&faces);
        let mut document = Document::new();
        let mut pages: Vec<Vec<&Row>> = vec![Vec::new()];
        let mut y = MARGIN;
        let mut heads = None;
        for row in &rows {
            if y + row.height() > HEIGHT - MARGIN - LINE {
                // A rule alone needs no heads above it.
                let again = heads.filter(|_| !matches!(row, Row::Rule));
                y = MARGIN + again.map_or(0.0, Row::height);
                pages.push(again.into_iter().collect());
            }
            y += row.height();
            match row {
                Row::Heads(_) => heads = Some(row),
                Row::Rule => heads = None,
                Row::Text(_) | Row::Space(_) => {}
            }
            if let Some(page) = pages.last_mut() {
                page.push(row);
            }
        }
        let count = pages.len();
        for (at, page) in pages.iter().enumerate() {
            let foot = format!("{} · page {} of {count}", self.foot, at + 1);
            draw(&mut document, &faces, page, &foot)?;
        }
        document
            .finish()
            .map_err(|error| PdfError::of(format!("{error:?}")))
    }

    fn rows(&self, faces: &Faces) -> Vec<Row> {
        let mut rows = vec![one(MARGIN, self.title, 14.0, true), Row::Space(6.0)];
        for (label, value) in self.head {
            for (at, line) in faces
                .wrapped(value, WIDTH - 2.0 * MARGIN - 170.0)
                .iter()
                .enumerate()
            {
                let mut pieces = vec![Piece {
                    x: MARGIN + 170.0,
                    text: line.clone(),
                    size: SIZE,
                    bold: false,
                }];
                if at == 0 {
                    pieces.push(Piece {
                        x: MARGIN,
                        text: label.clone(),
                        size: SIZE,
                        bold: true,
                    });
                }
                rows.push(Row::Text(pieces));
            }
        }
        for block in self.blocks {
            rows.push(Row::Space(10.0));
            rows.push(one(MARGIN, &block.title, 9.5, true));
            table(block, faces, &mut rows);
        }
        rows.push(Row::Space(10.0));
        rows.push(one(MARGIN, "What the figures mean", 9.5, true));
        for note in self.notes {
            for line in faces.wrapped(note, WIDTH - 2.0 * MARGIN) {
                rows.push(one(MARGIN, &line, SIZE, false));
            }
        }
        rows.push(Row::Space(30.0));
        let signs = self.signatures.join("        ");
        rows.push(one(MARGIN, &signs, SIZE, false));
        rows
    }
}

fn table(block: &Block, faces: &Faces, rows: &mut Vec<Row>) {
    let mut widths: Vec<f32> = block
        .columns
        .iter()
        .map(|column| faces.bold.width(column.name, SIZE))
        .collect();
    for row in &block.rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = width.max(faces.regular.width(cell, SIZE));
        }
    }
    // Where there is too much, the widest give way.
    let room = WIDTH - 2.0 * MARGIN - GAP * (widths.len() as f32 - 1.0);
    while widths.iter().sum::<f32>() > room {
        let Some(widest) = widths.iter_mut().max_by(|a, b| a.total_cmp(b)) else {
            break;
        };
        *widest *= 0.95;
    }
    let line = |cells: &mut dyn Iterator<Item = (&str, bool)>, bold: bool| {
        let mut x = MARGIN;
        let mut pieces = Vec::new();
        for ((text, figures), width) in cells.zip(&widths) {
            let text = faces.clipped(text, width + 0.5);
            let own = faces.of(bold).width(&text, SIZE);
            pieces.push(Piece {
                x: if figures { x + width - own } else { x },
                text,
                size: SIZE,
                bold,
            });
            x += width + GAP;
        }
        pieces
    };
    let mut names = block.columns.iter().map(|c| (c.name, c.figures));
    rows.push(Row::Heads(line(&mut names, true)));
    for row in &block.rows {
        let cells = row.iter().zip(&block.columns);
        let mut cells = cells.map(|(cell, c)| (cell.as_str(), c.figures));
        rows.push(Row::Text(line(&mut cells, false)));
    }
    rows.push(Row::Rule);
}

fn draw(document: &mut Document, faces: &Faces, rows: &[&Row], foot: &str) -> Result<(), PdfError> {
    let impossible = || PdfError::of("a size is not possible".to_owned());
    let size = PageSettings::from_wh(WIDTH, HEIGHT).ok_or_else(impossible)?;
    let mut page = document.start_page_with(size);
    let mut surface = page.surface();
    surface.set_fill(Some(Fill {
        paint: rgb::Color::new(0, 0, 0).into(),
        ..Fill::default()
    }));
    let put = |surface: &mut Surface<'_>, x: f32, y: f32, piece: (&str, f32, bool)| {
        let (text, size, bold) = piece;
        let font = faces.of(bold).font.clone();
        let at = Point::from_xy(x, y);
        surface.draw_text(at, font, size, text, false, TextDirection::Auto);
    };
    let mut y = MARGIN;
    for row in rows {
        if let Row::Rule = row {
            let rect = Rect::from_xywh(MARGIN, y + 2.0, WIDTH - 2.0 * MARGIN, 0.4);
            let mut path = PathBuilder::new();
            path.push_rect(rect.ok_or_else(impossible)?);
            surface.draw_path(&path.finish().ok_or_else(impossible)?);
        }
        y += row.height();
        for piece in row.pieces() {
            let text = (piece.text.as_str(), piece.size, piece.bold);
            put(&mut surface, piece.x, y, text);
        }
    }
    put(
        &mut surface,
        MARGIN,
        HEIGHT - MARGIN + 8.0,
        (foot, 6.5, false),
    );
    surface.finish();
    page.finish();
    Ok(())
}
