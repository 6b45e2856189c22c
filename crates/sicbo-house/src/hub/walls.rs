//! The walls of a table: they hear what is everyone's, a few at a time.
//!
//! To tell ten thousand walls takes the hub's thread a tenth of a second, and a
//! player's bet would wait for that. So a frame goes to some walls, then the
//! hub looks at what else came.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;

use sicbo_wire::Frame;

use crate::connection::{Bye, ConnectionId, Outbox};

/// Walls told before the hub does something else; so many for each frame that
/// waits, lest frames come faster than they are told.
const AT_ONCE: usize = 128;
/// Between two such groups, so that the first can be written meanwhile.
pub(super) const PAUSE_MS: i64 = 1;

struct Wall {
    outbox: Outbox,
    /// How many frames had been said when it came.
    came_at: u64,
}

/// A frame on its way to the walls.
struct Telling {
    frame: Frame,
    /// How many frames were said before it.
    number: u64,
    /// The last wall that was told.
    told: Option<ConnectionId>,
}

/// Those who see what everyone may see.
#[derive(Default)]
pub(super) struct Walls {
    walls: BTreeMap<ConnectionId, Wall>,
    waiting: VecDeque<Telling>,
    said: u64,
}

impl Walls {
    /// Takes in a wall that was told how things are now: frames that still
    /// wait are older than that.
    pub(super) fn join(&mut self, connection: ConnectionId, outbox: Outbox) {
        let came_at = self.said;
        self.walls.insert(connection, Wall { outbox, came_at });
    }

    pub(super) fn leave(&mut self, connection: ConnectionId) {
        self.walls.remove(&connection);
    }

    /// Has a frame told to every wall that is there now.
    pub(super) fn tell(&mut self, frame: Frame) {
        if self.walls.is_empty() {
            return;
        }
        self.waiting.push_back(Telling {
            frame,
            number: self.said,
            told: None,
        });
        self.said += 1;
    }

    /// Whether some have not heard everything yet.
    #[must_use]
    pub(super) fn waits(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Tells the next few.
    pub(super) fn tell_some(&mut self) {
        let mut left = AT_ONCE * self.waiting.len();
        while let Some(telling) = self.waiting.front_mut() {
            let after = match telling.told {
                Some(told) => Bound::Excluded(told),
                None => Bound::Unbounded,
            };
            let mut gone = Vec::new();
            let mut over = true;
            for (connection, wall) in self.walls.range((after, Bound::Unbounded)) {
                if left == 0 {
                    over = false;
                    break;
                }
                left -= 1;
                telling.told = Some(*connection);
                if wall.came_at <= telling.number && !wall.outbox.put(telling.frame.clone()) {
                    gone.push(*connection);
                }
            }
            for connection in gone {
                self.walls.remove(&connection);
            }
            if !over {
                return;
            }
            self.waiting.pop_front();
        }
    }

    /// Sends all of them away.
    pub(super) fn end(&mut self, bye: Bye) {
        self.waiting.clear();
        for wall in std::mem::take(&mut self.walls).into_values() {
            wall.outbox.end(bye);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::{Inbox, boxes};

    fn heard(inbox: &mut Inbox) -> Vec<String> {
        std::iter::from_fn(|| inbox.waiting().map(|frame| frame.to_string())).collect()
    }

    fn crowd(walls: &mut Walls, count: usize) -> Vec<(ConnectionId, Inbox)> {
        let come = |_| {
            let ((outbox, inbox), connection) = (boxes(1), ConnectionId::new());
            walls.join(connection, outbox);
            (connection, inbox)
        };
        (0..count).map(come).collect()
    }

    #[test]
    fn a_few_are_told_at_a_time_and_all_in_the_end_in_order() {
        let mut walls = Walls::default();
        let mut all = crowd(&mut walls, 3 * AT_ONCE);
        walls.tell("a".into());
        walls.tell_some();
        walls.tell("b".into());
        let mut turns = 1;
        let told = |all: &mut Vec<(ConnectionId, Inbox)>| -> Vec<Vec<String>> {
            all.iter_mut().map(|(_, inbox)| heard(inbox)).collect()
        };
        let first = told(&mut all);
        assert_eq!(first.iter().filter(|told| **told == ["a"]).count(), AT_ONCE);
        assert_eq!(
            first.iter().filter(|told| told.is_empty()).count(),
            2 * AT_ONCE
        );
        while walls.waits() {
            walls.tell_some();
            turns += 1;
        }
        // 5 groups are left: two while two frames wait, then one at a time.
        assert_eq!(turns, 1 + 4);
        for (at, (before, after)) in first.into_iter().zip(told(&mut all)).enumerate() {
            assert_eq!([before, after].concat(), ["a", "b"], "wall {at}");
        }
    }

    #[test]
    fn a_wall_that_comes_hears_no_older_frame_and_one_that_went_is_forgotten() {
        let mut walls = Walls::default();
        let mut all = crowd(&mut walls, AT_ONCE + 2);
        walls.tell("old".into());
        walls.tell_some();
        let mut late = crowd(&mut walls, 1);
        walls.tell("new".into());
        let (_, gone) = all.pop().expect("a wall");
        drop(gone);
        let (left, mut inbox) = all.pop().expect("a wall");
        walls.leave(left);
        while walls.waits() {
            walls.tell_some();
        }
        assert_eq!(heard(&mut late[0].1), ["new"]);
        assert!(heard(&mut inbox).is_empty());
        assert!(
            all.iter_mut()
                .all(|(_, inbox)| heard(inbox) == ["old", "new"])
        );
        assert_eq!(walls.walls.len(), AT_ONCE + 1);
    }
}
