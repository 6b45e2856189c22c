//! A line between a client and the house: each direction keeps its order, as TCP
//! does, and is slow, deaf or cut as chance has it.

use std::collections::VecDeque;

use futures_channel::mpsc::UnboundedSender;
use sicbo_house::connection::Inbox;

use super::swarm::{Part, Swarm};
use crate::random::Random;

/// A client notices after so long that nothing comes any more.
const NOTICED_MS: i64 = 1_500;

/// Messages under way in one direction, with when they arrive.
#[derive(Default)]
struct Way {
    under_way: VecDeque<(i64, String)>,
    last_ms: i64,
    /// Nothing arrives any more, although nobody knows it yet.
    deaf: bool,
}

impl Way {
    fn send(&mut self, now_ms: i64, delay_ms: i64, text: String) {
        self.last_ms = self.last_ms.max(now_ms + delay_ms);
        self.under_way.push_back((self.last_ms, text));
    }

    fn arrived(&mut self, now_ms: i64) -> Option<String> {
        let due = self.under_way.front().is_some_and(|(at, _)| *at <= now_ms);
        match due && !self.deaf {
            true => self.under_way.pop_front().map(|(_, text)| text),
            false => None,
        }
    }
}

/// What the weather on the lines is, by a chance of its own.
pub(super) struct Weather {
    pub(super) swarm: Swarm,
    pub(super) chance: Random,
}

impl Weather {
    fn delay_ms(&mut self) -> i64 {
        if !self.swarm.has(Part::Delays) {
            return 0;
        }
        match self.chance.chance(60) {
            true => self.chance.between(100, 2_500),
            false => self.chance.between(1, 30),
        }
    }
}

/// A line to the house.
pub(super) struct Link {
    says: UnboundedSender<String>,
    hears: Inbox,
    up: Way,
    down: Way,
    /// The client reads nothing until then.
    asleep_ms: i64,
    /// When a line that carries only one way breaks.
    breaks_ms: Option<i64>,
}

impl Link {
    pub(super) fn new(says: UnboundedSender<String>, hears: Inbox) -> Link {
        Link {
            says,
            hears,
            up: Way::default(),
            down: Way::default(),
            asleep_ms: 0,
            breaks_ms: None,
        }
    }

    pub(super) fn say(&mut self, weather: &mut Weather, now_ms: i64, text: String) {
        let delay_ms = weather.delay_ms();
        self.up.send(now_ms, delay_ms, text);
    }

    /// Time passes on the line. False when it is gone.
    pub(super) fn carry(&mut self, weather: &mut Weather, now_ms: i64) -> bool {
        if weather.swarm.has(Part::OneWay) && weather.chance.below(2_000) == 0 {
            let way = match weather.chance.chance(500) {
                true => &mut self.up,
                false => &mut self.down,
            };
            way.deaf = true;
            self.breaks_ms.get_or_insert(now_ms + NOTICED_MS);
        }
        if weather.swarm.has(Part::SlowReaders) && weather.chance.below(3_000) == 0 {
            self.asleep_ms = now_ms + weather.chance.between(500, 8_000);
        }
        if !self.deliver(now_ms) {
            return false;
        }
        if now_ms >= self.asleep_ms {
            while let Some(frame) = self.hears.waiting() {
                let delay_ms = weather.delay_ms();
                self.down.send(now_ms, delay_ms, frame.to_string());
            }
        }
        let over = self.hears.end().is_some() && self.down.under_way.is_empty();
        !over && self.breaks_ms.is_none_or(|at_ms| now_ms < at_ms)
    }

    /// Hands over what has arrived at the house. False when nobody listens there.
    pub(super) fn deliver(&mut self, now_ms: i64) -> bool {
        while let Some(text) = self.up.arrived(now_ms) {
            if self.says.unbounded_send(text).is_err() {
                return false;
            }
        }
        true
    }

    /// A frame that has arrived here.
    pub(super) fn hear(&mut self, now_ms: i64) -> Option<String> {
        self.down.arrived(now_ms)
    }

    /// Something is still under way to the house, which has not let go.
    pub(super) fn straggles(&self) -> bool {
        !self.up.under_way.is_empty() && !self.up.deaf && self.hears.end().is_none()
    }
}
