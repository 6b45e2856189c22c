//! What is logged and counted of a printer: a ticket that did not come out, and that they come
//! out again. Never the number on a ticket.

use sicbo_devices::printer::{Paper, PrintFailure};
use sicbo_register::enrolment::TableName;

/// One table's printer, as it was last found.
pub(crate) struct PrinterWatch {
    table: TableName,
    ready: bool,
}

impl PrinterWatch {
    /// Ready until it fails.
    pub(crate) fn new(table: &TableName) -> PrinterWatch {
        let watch = PrinterWatch {
            table: table.clone(),
            ready: true,
        };
        for end in ["printed", "failed"] {
            watch.count(end, 0);
        }
        watch.measure();
        watch
    }

    /// A ticket was sent to it.
    pub(crate) fn printed(&mut self, printed: &Result<(), PrintFailure>) {
        match printed {
            Ok(()) => {
                self.count("printed", 1);
                if !self.ready {
                    tracing::info!(table = %self.table, "the printer prints again");
                }
            }
            Err(failure) => {
                self.count("failed", 1);
                let paper_may_be_out = failure.paper == Paper::Unknown;
                tracing::warn!(table = %self.table, %failure, paper_may_be_out, "a ticket was not printed");
            }
        }
        self.ready = printed.is_ok();
        self.measure();
    }

    fn count(&self, end: &'static str, tickets: u64) {
        let table = self.table.as_str().to_owned();
        metrics::counter!("sicbo_tickets_total", "table" => table, "end" => end).increment(tickets);
    }

    fn measure(&self) {
        let ready = f64::from(u8::from(self.ready));
        metrics::gauge!("sicbo_printer_ready", "table" => self.table.as_str().to_owned())
            .set(ready);
    }
}
