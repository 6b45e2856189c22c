//! What is still to happen, ordered by simulated time; what is due at the same
//! moment happens in the order it was planned.

use std::collections::BTreeMap;

/// Steps to come.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    steps: BTreeMap<(i64, u64), T>,
    planned: u64,
}

impl<T> Queue<T> {
    pub(crate) fn new() -> Queue<T> {
        Queue {
            steps: BTreeMap::new(),
            planned: 0,
        }
    }

    pub(crate) fn plan(&mut self, at_ms: i64, step: T) {
        self.planned += 1;
        self.steps.insert((at_ms, self.planned), step);
    }

    pub(crate) fn next(&mut self) -> Option<(i64, T)> {
        self.steps
            .pop_first()
            .map(|((at_ms, _), step)| (at_ms, step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_comes_first_and_then_the_order_of_planning() {
        let mut queue = Queue::new();
        queue.plan(20, "c");
        queue.plan(10, "a");
        queue.plan(20, "d");
        queue.plan(10, "b");
        let order: String = std::iter::from_fn(|| queue.next())
            .map(|(_, s)| s)
            .collect();
        assert_eq!(order, "abcd");
    }
}
