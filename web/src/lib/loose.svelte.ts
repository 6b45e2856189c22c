// Chips that a dealer has entered for seats and that are together below the
// minimum of their section: no bets yet. They become one when enough lie there,
// and what is left at the close is pointed out.
import type { ChipMeans } from '../wire';

export interface Loose {
  station: number;
  section: string;
  means: ChipMeans;
  stake: number;
  minimum: number;
}

const same = (one: Omit<Loose, 'stake' | 'minimum'>, other: Omit<Loose, 'stake' | 'minimum'>) => one.station === other.station && one.section === other.section && one.means === other.means;

export class LooseChips {
  lines = $state.raw<Loose[]>([]);
  #round: number | null = null;

  /** Chips of another round are no chips of this one; what was left of the last stays in sight until then. */
  of(round: number | null): void {
    if (round === null || round === this.#round) return;
    this.#round = round;
    this.lines = [];
  }

  at(where: Omit<Loose, 'stake' | 'minimum'>): number {
    return this.lines.find((line) => same(line, where))?.stake ?? 0;
  }

  /** Takes chips away again; false where none lie loose. */
  take(where: Omit<Loose, 'stake' | 'minimum'>, stake: number): boolean {
    const line = this.lines.find((known) => same(known, where));
    if (line) this.set({ ...line, stake: Math.max(0, line.stake - stake) });
    return line !== undefined;
  }

  /** So much lies there now; nothing takes the line away. */
  set(line: Loose): void {
    const others = this.lines.filter((known) => !same(known, line));
    this.lines = line.stake > 0 ? [...others, line] : others;
  }
}
