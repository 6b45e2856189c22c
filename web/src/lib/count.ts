// A sum that is counted up before a player's eyes. In steps, not with every frame: each
// step is written, measured and painted by the page's own thread.

const COUNT_MS = 900;
/** Steps that are read as one movement. */
const STEPS = 12;

/** Says each sum on the way, the whole one last; whoever calls what it answers hears no more. */
export function countUp(whole: number, say: (sum: number) => void): () => void {
  let step = 0;
  const next = (): void => {
    step += 1;
    // Quick at first, then slower; whole minor units at every step.
    say(step >= STEPS ? whole : Math.trunc(whole * (1 - (1 - step / STEPS) ** 3)));
    if (step >= STEPS) clearInterval(steps);
  };
  const steps = setInterval(next, COUNT_MS / STEPS);
  next();
  return () => clearInterval(steps);
}
