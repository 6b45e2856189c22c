//! A house goes on steadily: the machine's clock jumps, the whole program is
//! held for a while, and ten thousand watch who bet nothing.

pub(crate) mod clock;
mod crowd;
