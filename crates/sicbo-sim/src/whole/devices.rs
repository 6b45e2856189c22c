//! The line of a table's devices in the simulated house: who is on it, and what
//! it carries. The sockets of a real line are outside; its messages are not.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use parking_lot::Mutex;
use serde_json::{Value, json};
use sicbo_house::devices::{DeviceLine, Line};
use sicbo_table::Act;
use sicbo_table::actor::Device;
use sicbo_table::ids::RoundNumber;

#[derive(Default)]
struct Shared {
    there: BTreeSet<Device>,
    /// The house's end, in this life.
    line: Option<Line>,
}

/// A line that outlives the program: devices stay where they are.
#[derive(Clone, Default)]
pub(super) struct WorldLine(Arc<Mutex<Shared>>);

impl DeviceLine for WorldLine {
    fn connected(&self) -> Vec<Device> {
        self.0.lock().there.iter().copied().collect()
    }

    fn disconnect(&self, device: Device) {
        self.0.lock().there.remove(&device);
    }

    fn light(&self, _: RoundNumber, _: &BTreeMap<String, Vec<String>>) -> bool {
        self.is_there(Device::Lights)
    }
}

impl WorldLine {
    /// The house has opened its end; every device connects anew.
    pub(super) fn opened(&self, line: &Line) {
        let mut shared = self.0.lock();
        shared.there = [Device::Tumbler, Device::Lights, Device::DiceReader].into();
        shared.line = Some(Arc::clone(line));
        drop(shared);
        let _ = line.server.set(Box::new(self.clone()));
    }

    pub(super) fn is_there(&self, device: Device) -> bool {
        self.0.lock().there.contains(&device)
    }

    /// A cable is pulled, and the house notices.
    pub(super) fn lose(&self, device: Device) {
        let mut shared = self.0.lock();
        if shared.there.remove(&device)
            && let Some(line) = &shared.line
        {
            if device == Device::Tumbler {
                line.losses.fetch_add(1, Ordering::SeqCst);
            }
            line.covers.forget(device);
        }
    }

    /// And put back.
    pub(super) fn find(&self, device: Device) {
        let mut shared = self.0.lock();
        if shared.there.insert(device)
            && let Some(line) = &shared.line
        {
            line.covers.forget(device);
        }
    }

    /// What a device says of the cover goes through here in the house.
    pub(super) fn end(&self) -> Option<Line> {
        self.0.lock().line.clone()
    }
}

/// An act of a device as a line of its protocol.
pub(super) fn line_of(act: &Act) -> Option<Value> {
    Some(match act {
        Act::ActivateTumbler => json!({"activated": true}),
        Act::ReportTumbles {
            count,
            all_dice_moved,
        } => json!({"at_rest": {"count": count, "all_dice_moved": all_dice_moved}}),
        Act::ReportCover { open: true } => json!({"cover": "open"}),
        Act::ReportCover { open: false } => json!({"cover": "closed"}),
        Act::ReadSecond { dice } => json!({"dice": dice.faces()}),
        Act::ReportLights { lit } => json!({"lit": lit}),
        Act::ReportDeviceFailure { what, .. } => json!({"fault": what}),
        _ => return None,
    })
}
