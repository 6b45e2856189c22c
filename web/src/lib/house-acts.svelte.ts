// What two persons do for the house: proposed by one, confirmed by another on
// a session of their own.
import type { Claimed, EndedProposal, HouseAct, Proposed, ShownProposal } from '../wire';
import { SvelteMap } from 'svelte/reactivity';
import { get, post, Problem, remove, watch } from './api';
import { InOrder } from './newest';

const EVERY_MS = 3_000;

export class HouseActs {
  proposals = $state.raw<ShownProposal[]>([]);
  /** Those that a restart has ended. */
  ended = $state.raw<EndedProposal[]>([]);
  problem = $state.raw<Problem | null>(null);
  /** Proposals of which a half of a PIN or key may be this person's. */
  halves = $state.raw<number[]>([]);
  /** The half that is being shown, once. */
  claimed = $state.raw<Claimed | null>(null);
  busy = $state(false);
  /** What this page proposed, by its number: a comment that is missing is added to it. */
  readonly sent = new SvelteMap<number, HouseAct>();
  #timer: ReturnType<typeof setInterval>;
  #changed: (how: typeof watch) => void;
  #loads = new InOrder();

  /** `changed` looks at the rows again: after an act of one's own, and by itself, for others act too. */
  constructor(changed: (how: typeof watch) => void) {
    this.#changed = changed;
    void this.load();
    void this.#loadEnded();
    this.#timer = setInterval(() => void this.load(watch), EVERY_MS);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  async load(how: typeof watch = get): Promise<void> {
    const news = this.#loads.ask();
    try {
      const found = await how<ShownProposal[]>('/api/proposals');
      if (!news()) return;
      this.proposals = found;
      if (how === watch) this.#changed(watch);
    } catch {
      // Asked again soon.
    }
  }

  /** The house's own, which no table shows; a restart ends this page's session too. */
  async #loadEnded(): Promise<void> {
    try {
      this.ended = (await get<EndedProposal[]>('/api/proposals/ended')).filter((one) => one.table === null);
    } catch {
      // Nothing to tell then.
    }
  }

  async #try(what: () => Promise<unknown>): Promise<boolean> {
    this.busy = true;
    this.problem = null;
    try {
      await what();
      return true;
    } catch (error) {
      this.problem = Problem.of(error);
      return false;
    } finally {
      this.busy = false;
      await this.load();
      this.#changed(get);
    }
  }

  propose(act: HouseAct): Promise<boolean> {
    return this.#try(async () => {
      const { proposal } = await post<Proposed>('/api/proposals', act);
      this.sent.set(proposal, act);
      this.#mayClaim(act.act, proposal);
    });
  }

  /** A count of one's own is proposed anew with a comment; both are on record. */
  comment(proposal: number, comment: string): Promise<boolean> {
    return this.#try(async () => {
      const act = this.sent.get(proposal);
      if (act?.act !== 'close_shift') return;
      await remove(`/api/proposals/${proposal}`);
      const again = { ...act, comment };
      this.sent.set((await post<Proposed>('/api/proposals', again)).proposal, again);
    });
  }

  /** Confirms what was shown: its digest goes with it. */
  confirm({ proposal, digest, act }: ShownProposal): Promise<boolean> {
    return this.#try(async () => {
      await post(`/api/proposals/${proposal}/confirm`, { digest });
      this.#mayClaim(act, proposal);
    });
  }

  #mayClaim(act: string, proposal: number): void {
    const secret = ['add_person', 'reset_pin', 'enable_person', 'enrol'].includes(act);
    if (secret && !this.halves.includes(proposal)) this.halves = [...this.halves, proposal];
  }

  /** This person's half of the PIN or key that a proposal had made, shown once. */
  claim(proposal: number): Promise<boolean> {
    return this.#try(async () => {
      this.claimed = await post<Claimed>(`/api/proposals/${proposal}/claim`);
      this.halves = this.halves.filter((one) => one !== proposal);
    });
  }

  withdraw(proposal: number): Promise<boolean> {
    return this.#try(() => remove(`/api/proposals/${proposal}`));
  }
}
