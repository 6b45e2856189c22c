// Something asked of the house: whether it is on its way, and why it was not done.
import { Problem } from './api';

export class Attempt {
  busy = $state(false);
  problem = $state.raw<Problem | null>(null);

  async run(what: () => Promise<void>): Promise<void> {
    this.busy = true;
    this.problem = null;
    try {
      await what();
    } catch (error) {
      this.problem = Problem.of(error);
    } finally {
      this.busy = false;
    }
  }
}
