//! The messages of the line protocol, by direction, and what each asks of the
//! table. One JSON object a line; unknown fields are refused.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sicbo_rules::Dice;
use sicbo_table::Act;
use sicbo_table::actor::Device;
use sicbo_table::command::Part;

/// The version of the protocol this house speaks.
pub(super) const PROTOCOL: u32 = 1;
/// Longest line, without its end, in bytes.
pub(super) const LONGEST_LINE: usize = 4_096;

/// What a device presents first.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Hello {
    pub(super) token: String,
    pub(super) protocol: u32,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct AtRest {
    count: u8,
    all_dice_moved: bool,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
enum Cover {
    Open,
    Closed,
}

/// One line of a device. `id` comes back in the answer; exactly one of the
/// others is there.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct DeviceToHouse {
    #[serde(default)]
    id: Option<u64>,
    #[serde(default)]
    hello: Option<Hello>,
    #[serde(default)]
    activated: Option<bool>,
    #[serde(default)]
    tumbles: Option<u8>,
    #[serde(default)]
    at_rest: Option<AtRest>,
    #[serde(default)]
    cover: Option<Cover>,
    #[serde(default)]
    dice: Option<[u8; 3]>,
    #[serde(default)]
    lit: Option<bool>,
    #[serde(default)]
    fault: Option<String>,
    #[serde(default)]
    heartbeat: Option<bool>,
}

/// Something the house hears of a device that is no act at the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    /// It is connected.
    Connected,
    /// It is no longer.
    Gone,
    /// The cover is open, or closed.
    Cover {
        /// Open.
        open: bool,
    },
    /// The tumbler runs and has tumbled so often.
    Tumbles(u8),
    /// It is well.
    Heartbeat,
}

/// What a line means.
#[derive(Debug)]
pub(super) enum Meaning {
    Hello(Hello),
    Act(Act),
    Notice(Notice),
    /// The cover is open, or closed: people hear of it, and it is on record.
    Cover {
        open: bool,
    },
}

/// An expected no, as it is answered.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Refused {
    /// A stable word.
    pub code: String,
    /// What is wrong, for people.
    pub reason: String,
    /// The rule, where one says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

impl Refused {
    /// A refusal without a rule.
    #[must_use]
    pub fn new(code: &str, reason: impl Into<String>) -> Refused {
        Refused {
            code: code.to_owned(),
            reason: reason.into(),
            rule: None,
        }
    }
}

/// A line read: its id, if one could be read, and what it means.
pub(super) struct Heard {
    pub(super) id: Option<u64>,
    pub(super) meaning: Result<Meaning, Refused>,
}

/// Reads a line of a device; `None` before it has said what it is.
pub(super) fn read(line: &[u8], device: Option<Device>) -> Heard {
    match serde_json::from_slice::<DeviceToHouse>(line) {
        Ok(message) => Heard {
            id: message.id,
            meaning: message.meaning(device),
        },
        Err(error) => Heard {
            id: None,
            meaning: Err(Refused::new("bad_message", error.to_string())),
        },
    }
}

impl DeviceToHouse {
    fn meaning(self, device: Option<Device>) -> Result<Meaning, Refused> {
        let bad = |reason: &str| Refused::new("bad_message", reason);
        let said_true = |said: bool, what: &str| match said {
            true => Ok(()),
            false => Err(bad(&format!("{what} is true or is not sent"))),
        };
        let mut all: Vec<(&[Device], Result<Meaning, Refused>)> = Vec::new();
        let everyone = &[Device::Tumbler, Device::DiceReader, Device::Lights];
        if let Some(hello) = self.hello {
            all.push((everyone, Ok(Meaning::Hello(hello))));
        }
        if let Some(said) = self.activated {
            let act = said_true(said, "activated").map(|()| Meaning::Act(Act::ActivateTumbler));
            all.push((&[Device::Tumbler], act));
        }
        if let Some(count) = self.tumbles {
            all.push((
                &[Device::Tumbler],
                Ok(Meaning::Notice(Notice::Tumbles(count))),
            ));
        }
        if let Some(rest) = self.at_rest {
            let act = Act::ReportTumbles {
                count: rest.count,
                all_dice_moved: rest.all_dice_moved,
            };
            all.push((&[Device::Tumbler], Ok(Meaning::Act(act))));
        }
        if let Some(cover) = self.cover {
            let open = matches!(cover, Cover::Open);
            let said = Meaning::Cover { open };
            all.push((&[Device::Tumbler, Device::DiceReader], Ok(said)));
        }
        if let Some(faces) = self.dice {
            // A device's reading is the second one: it never settles alone.
            let act = Dice::from_faces(faces)
                .map(|dice| Meaning::Act(Act::ReadSecond { dice }))
                .ok_or_else(|| bad("dice are three faces from 1 to 6"));
            all.push((&[Device::DiceReader], act));
        }
        if let Some(lit) = self.lit {
            let act = Meaning::Act(Act::ReportLights { lit });
            all.push((&[Device::Lights], Ok(act)));
        }
        if let Some(what) = self.fault {
            let part = match device {
                Some(Device::Tumbler) => Part::Tumbler,
                Some(Device::Lights) => Part::Lights,
                _ => Part::Other,
            };
            let act = Act::ReportDeviceFailure { what, part };
            all.push((everyone, Ok(Meaning::Act(act))));
        }
        if let Some(said) = self.heartbeat {
            let beat = said_true(said, "heartbeat").map(|()| Meaning::Notice(Notice::Heartbeat));
            all.push((everyone, beat));
        }
        if all.len() > 1 {
            return Err(bad("one message a line"));
        }
        let (whose, meaning) = all.pop().ok_or_else(|| bad("no message"))?;
        match device {
            Some(device) if !whose.contains(&device) => Err(Refused::new(
                "not_your_message",
                format!("this is not said by a device enrolled as {device:?}"),
            )),
            _ => meaning,
        }
    }
}

/// An answer to one line.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer<'a> {
    Ok {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<u64>,
        ok: bool,
    },
    Refused {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<u64>,
        refused: &'a Refused,
    },
}

fn line<T: Serialize>(value: &T) -> Vec<u8> {
    // Plain structs of numbers and texts: writing them to memory cannot fail.
    let mut bytes = serde_json::to_vec(value).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// The answer to a line, ready to be sent.
pub(super) fn answer(id: Option<u64>, result: &Result<(), Refused>) -> Vec<u8> {
    line(&match result {
        Ok(()) => Answer::Ok { id, ok: true },
        Err(refused) => Answer::Refused { id, refused },
    })
}

/// `{"light":{"round":12,"sections":{"a":["big","total:11"]}}}`.
pub(super) fn light(round: u64, sections: &BTreeMap<String, Vec<String>>) -> Vec<u8> {
    line(&serde_json::json!({ "light": { "round": round, "sections": sections } }))
}
