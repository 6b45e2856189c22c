//! Threads for a verification, no more in all than there are processors. The
//! verifier itself only calculates and starts none (`sicbo_proof::Threads`).

use std::sync::atomic::{AtomicUsize, Ordering};

use sicbo_proof::Threads;

/// The machine's processors, shared by everything that one verification does.
#[derive(Debug)]
pub struct Processors {
    /// Those that nobody uses, the caller's own left out.
    free: AtomicUsize,
}

impl Default for Processors {
    fn default() -> Processors {
        let all = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Processors::new(all)
    }
}

impl Processors {
    /// At most so many threads at once, the caller's among them.
    #[must_use]
    pub fn new(threads: usize) -> Processors {
        Processors {
            free: AtomicUsize::new(threads.saturating_sub(1)),
        }
    }

    fn take(&self) -> Option<Taken<'_>> {
        let less = |free: usize| free.checked_sub(1);
        let taken = self
            .free
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, less);
        taken.is_ok().then(|| Taken(&self.free))
    }
}

/// Given back when it is dropped.
struct Taken<'p>(&'p AtomicUsize);

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::AcqRel);
    }
}

impl Threads for Processors {
    fn each(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= count {
                    return;
                }
                job(at);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..count {
                let Some(taken) = self.take() else { break };
                scope.spawn(move || {
                    let _taken = taken;
                    work();
                });
            }
            work();
        });
    }

    fn both(&self, here: &mut dyn FnMut(), beside: &mut (dyn FnMut() + Send)) -> bool {
        let Some(_taken) = self.take() else {
            return false;
        };
        std::thread::scope(|scope| {
            scope.spawn(beside);
            here();
        });
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Mutex;
    use std::thread::current;

    use super::*;

    #[test]
    fn every_number_is_done_once_and_no_more_threads_run_than_there_are_processors() {
        for threads in 1..5 {
            let processors = Processors::new(threads);
            let (done, by) = (Mutex::new(Vec::new()), Mutex::new(BTreeSet::new()));
            processors.each(100, &|at| {
                done.lock().unwrap().push(at);
                by.lock().unwrap().insert(format!("{:?}", current().id()));
            });
            let mut done = done.into_inner().unwrap();
            done.sort_unstable();
            assert_eq!(done, (0..100).collect::<Vec<_>>());
            assert!(by.into_inner().unwrap().len() <= threads);
            // All of them are free again.
            assert_eq!(processors.free.into_inner(), threads - 1);
        }
    }

    #[test]
    fn two_run_beside_each_other_where_there_is_a_processor_for_the_second() {
        let (mut here, mut beside) = (0, 0);
        let alone = Processors::new(1);
        assert!(!alone.both(&mut || here += 1, &mut || beside += 1));
        assert_eq!((here, beside), (0, 0));
        let two = Processors::new(2);
        let (to, from) = crossbeam_channel::bounded(0);
        // Neither ends without the other.
        let ran = two.both(&mut || _ = to.send(1), &mut || {
            beside = from.recv().unwrap();
        });
        assert_eq!((ran, beside), (true, 1));
    }
}
