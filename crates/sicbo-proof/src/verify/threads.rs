//! Verifying over several threads. This crate starts none: whoever verifies
//! brings them, and says by [`Threads`] what may run beside what.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use sicbo_journal::SealedBlock;

/// Runs parts of a verification, beside each other where there are processors.
pub trait Threads: Sync {
    /// Calls `job` with every number below `count`, several at once.
    fn each(&self, count: usize, job: &(dyn Fn(usize) + Sync));

    /// Runs both to their ends beside each other, the first on the caller's
    /// thread; false, and neither is run, where there is no processor for the second.
    fn both(&self, here: &mut dyn FnMut(), beside: &mut (dyn FnMut() + Send)) -> bool;
}

/// Everything one after the other on the caller's thread.
pub struct OneThread;

impl Threads for OneThread {
    fn each(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(job);
    }

    fn both(&self, _: &mut dyn FnMut(), _: &mut (dyn FnMut() + Send)) -> bool {
        false
    }
}

/// Bytes of blocks that are handed over together. To wake another thread costs
/// more than to derive a block of one bet.
const BYTES_AT_ONCE: usize = 1 << 16;
/// Hand-overs that may wait.
const WAITING: usize = 16;

/// Hands out blocks one by one, until it is told that no more are wanted.
type Reading<'r, R> = &'r mut dyn FnMut(&mut dyn FnMut(SealedBlock) -> bool) -> R;

/// Gives every block that `read` hands out to `derive`, in order, until that has
/// seen enough; on a thread of its own where there is one.
pub(super) fn hand_over<R>(
    threads: &dyn Threads,
    read: Reading<'_, R>,
    derive: &mut (dyn FnMut(&SealedBlock) -> bool + Send),
) -> R {
    let mut done = None;
    let (sender, receiver) = sync_channel::<Vec<SealedBlock>>(WAITING);
    let mut ends = (Some(sender), Some(receiver));
    let beside = threads.both(
        &mut || {
            let sender: Option<SyncSender<_>> = ends.0.take();
            let (mut batch, mut bytes) = (Vec::new(), 0);
            let send =
                |batch: Vec<SealedBlock>| sender.as_ref().is_some_and(|to| to.send(batch).is_ok());
            done = Some(read(&mut |block| {
                bytes += block.header_bytes().len() + block.body().bytes().len();
                batch.push(block);
                if bytes < BYTES_AT_ONCE {
                    return true;
                }
                bytes = 0;
                send(std::mem::take(&mut batch))
            }));
            send(batch);
        },
        &mut || {
            // Owned here, so that it ends with this thread whatever happens.
            let receiver: Option<Receiver<Vec<SealedBlock>>> = ends.1.take();
            let batches = receiver.iter().flatten();
            let _ = batches.flatten().all(|block| derive(&block));
        },
    );
    match (beside, done) {
        (true, Some(done)) => done,
        _ => read(&mut |block| derive(&block)),
    }
}
