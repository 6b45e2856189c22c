//! Records as a Parquet file, for DuckDB, Spark or pandas: the columns of the CSV with their types,
//! and what differs by event as JSON. Written in groups, so that memory does not grow with a journal.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use sicbo_proof::describe::Value;

use crate::journals::Json;

/// Records of one group: read together, and held in memory until they are written.
const GROUP: usize = 65_536;

/// The columns. They are added to, never renamed or removed.
const SCHEMA: &str = "message record {
    REQUIRED INT64 sequence;
    REQUIRED INT64 time (TIMESTAMP(MILLIS, true));
    REQUIRED BINARY stream (UTF8);
    REQUIRED BINARY event (UTF8);
    REQUIRED BINARY by (UTF8);
    OPTIONAL BINARY second (UTF8);
    OPTIONAL INT64 command;
    REQUIRED BINARY fields (JSON);
}";

/// Records that are written when there are enough of them.
#[derive(Default)]
struct Group {
    sequence: Vec<i64>,
    time: Vec<i64>,
    event: Vec<ByteArray>,
    by: Vec<ByteArray>,
    second: Vec<Option<ByteArray>>,
    command: Vec<Option<i64>>,
    fields: Vec<ByteArray>,
}

/// A Parquet file of one stream.
pub(super) struct Parquet<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    stream: ByteArray,
    group: Group,
}

impl<W: Write + Send> Parquet<W> {
    pub(super) fn new(sink: W, stream: &str) -> Result<Parquet<W>> {
        let schema = Arc::new(parse_message_type(SCHEMA)?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("sicbo {}", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Parquet {
            writer: SerializedFileWriter::new(sink, schema, Arc::new(properties))?,
            stream: ByteArray::from(stream),
            group: Group::default(),
        })
    }

    /// Adds a record, as its named fields.
    pub(super) fn put(&mut self, record: &[(&'static str, Value)]) -> Result<()> {
        let get = |name: &str| record.iter().find(|(key, _)| *key == name).map(|(_, v)| v);
        let number = |name: &str| match get(name) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        };
        let text = |name: &str| match get(name) {
            Some(Value::Text(text)) => Some(ByteArray::from(text.as_str())),
            _ => None,
        };
        let missing = |name: &str| ParquetError::General(format!("a record without {name}"));
        let wanted = |name: &str| number(name).ok_or_else(|| missing(name));
        let words = |name: &str| text(name).ok_or_else(|| missing(name));
        let json = serde_json::to_string(&Json(get("fields").unwrap_or(&Value::Nothing)));
        let json = json.map_err(|error| ParquetError::General(error.to_string()))?;
        let group = &mut self.group;
        group.sequence.push(wanted("sequence")?);
        group.time.push(wanted("time_ms")?);
        group.event.push(words("event")?);
        group.by.push(words("by")?);
        group.second.push(text("second"));
        group.command.push(number("command"));
        group.fields.push(ByteArray::from(json.as_str()));
        match group.sequence.len() < GROUP {
            true => Ok(()),
            false => self.write(),
        }
    }

    fn write(&mut self) -> Result<()> {
        let group = std::mem::take(&mut self.group);
        if group.sequence.is_empty() {
            return Ok(());
        }
        let stream = vec![self.stream.clone(); group.sequence.len()];
        let mut row_group = self.writer.next_row_group()?;
        let mut at = 0;
        while let Some(mut column) = row_group.next_column()? {
            match at {
                0 => column
                    .typed::<Int64Type>()
                    .write_batch(&group.sequence, None, None)?,
                1 => column
                    .typed::<Int64Type>()
                    .write_batch(&group.time, None, None)?,
                2 => column
                    .typed::<ByteArrayType>()
                    .write_batch(&stream, None, None)?,
                3 => column
                    .typed::<ByteArrayType>()
                    .write_batch(&group.event, None, None)?,
                4 => column
                    .typed::<ByteArrayType>()
                    .write_batch(&group.by, None, None)?,
                5 => {
                    let (given, there) = parted(&group.second);
                    column
                        .typed::<ByteArrayType>()
                        .write_batch(&given, Some(&there), None)?
                }
                6 => {
                    let (given, there) = parted(&group.command);
                    column
                        .typed::<Int64Type>()
                        .write_batch(&given, Some(&there), None)?
                }
                _ => column
                    .typed::<ByteArrayType>()
                    .write_batch(&group.fields, None, None)?,
            };
            column.close()?;
            at += 1;
        }
        row_group.close()?;
        Ok(())
    }

    /// Writes what is left, and the end of the file.
    pub(super) fn finish(mut self) -> Result<()> {
        self.write()?;
        self.writer.close()?;
        Ok(())
    }
}

/// What is given, and for each row whether it is.
fn parted<T: Clone>(rows: &[Option<T>]) -> (Vec<T>, Vec<i16>) {
    let there = rows.iter().map(|row| i16::from(row.is_some())).collect();
    (rows.iter().flatten().cloned().collect(), there)
}
