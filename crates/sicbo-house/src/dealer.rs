//! The automatic dealer of a play-money house: which act comes next, after
//! which pause, and who must take it.

/// How fast the automatic dealer works, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// From the end of a round to the first act of the next.
    pub between_rounds_ms: u32,
    /// How long the tumbler runs.
    pub tumble_ms: u32,
    /// Before any other act.
    pub act_ms: u32,
    /// From the dice being seen to their being keyed: players look too.
    pub look_ms: u32,
    /// Before a decision that waits is taken by its default.
    pub decide_ms: u32,
}

impl Pace {
    /// The pace of a calm table.
    pub const USUAL: Pace = Pace {
        between_rounds_ms: 6_000,
        tumble_ms: 3_000,
        act_ms: 800,
        look_ms: 1_500,
        decide_ms: 4_000,
    };

    /// For a demonstration or a trainer in a hurry.
    pub const BRISK: Pace = Pace {
        between_rounds_ms: 1_500,
        tumble_ms: 1_000,
        act_ms: 250,
        look_ms: 500,
        decide_ms: 1_000,
    };

    /// No pauses at all: for tests and benchmarks.
    pub const NONE: Pace = Pace {
        between_rounds_ms: 0,
        tumble_ms: 0,
        act_ms: 0,
        look_ms: 0,
        decide_ms: 0,
    };
}
