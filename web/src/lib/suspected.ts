// Which rounds damaged dice are suspected of.
import type { AffectedRounds, RoundShown } from '../wire';

/** So many rounds are voided in one act. */
export const MAX_ROUNDS = 100;

export interface Suspected {
  /** Proposed to be void, the newest first. */
  rounds: number[];
  /** How many more are suspected than one act takes. */
  left: number;
  /** Custody knows of rounds before those it has listed. */
  more: boolean;
}

/**
 * Those custody says were played since the dice were last found good, and no
 * others; all that were played, where custody does not know these dice.
 */
export function suspected(played: readonly RoundShown[], affected: AffectedRounds | null): Suspected {
  const known = affected === null ? null : new Set(affected.rounds.map((round) => round.number));
  const all = played.filter((round) => round.result !== null && (known === null || known.has(round.number))).map((round) => round.number);
  all.sort((a, b) => b - a);
  return { rounds: all.slice(0, MAX_ROUNDS), left: Math.max(0, all.length - MAX_ROUNDS), more: affected?.more ?? false };
}

/** Two lists of rounds as one, the newest first. */
export function together(some: readonly RoundShown[], others: readonly RoundShown[]): RoundShown[] {
  const all = new Map([...others, ...some].map((round) => [round.number, round]));
  return [...all.values()].sort((a, b) => b.number - a.number);
}
