// A table's past results at a seat: fetched once, then continued from what the
// table says, so that a full room does not ask after every round.
import type { PublicState, RoadRound, RoundShown } from '../wire';
import { get } from './api';

/** As many as the roads can show; the house gives 200 at most. */
const MAX_ROUNDS = 120;

export class RoadStore {
  rounds = $state.raw<RoadRound[]>([]);
  #table = '';
  #asked = 0;

  /** Everything anew: at first, and when rounds may have been missed. */
  async load(table: string): Promise<void> {
    this.#table = table;
    const asked = (this.#asked += 1);
    const found = await get<RoundShown[]>(`/api/tables/${encodeURIComponent(table)}/rounds?n=${MAX_ROUNDS}`).catch(() => null);
    if (found === null || asked !== this.#asked) return;
    this.rounds = found.map(({ number, result, amended }) => ({ number, result, amended: amended > 0 })).reverse();
  }

  /** A round has ended, or an ended one was amended. */
  heard(last: PublicState['last']): void {
    if (last === null || this.#table === '') return;
    const { number, result, amended } = last;
    const newest = this.rounds.at(-1);
    if (newest && number > newest.number + 1) {
      void this.load(this.#table);
    } else if (!newest || number > newest.number) {
      this.rounds = [...this.rounds, { number, result, amended }].slice(-MAX_ROUNDS);
    } else if (number === newest.number && (amended !== newest.amended || result?.dice.join() !== newest.result?.dice.join())) {
      this.rounds = [...this.rounds.slice(0, -1), { number, result, amended }];
    }
  }
}
