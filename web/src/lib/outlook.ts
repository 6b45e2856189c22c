// What the bets on the layout would bring: the most they can win, and the win
// or loss with each total. Whole minor units, as everywhere.
import type { LayoutInfo, SectionInfo } from '../wire';
import { hits } from './dice';
import type { Stakes } from './bets';

type Dice = [number, number, number];

/** The 56 results of three dice, each once. */
export const RESULTS: readonly Dice[] = [1, 2, 3, 4, 5, 6].flatMap((a) =>
  [1, 2, 3, 4, 5, 6].flatMap((b) => [1, 2, 3, 4, 5, 6].flatMap((c) => (a <= b && b <= c ? [[a, b, c] as Dice] : []))),
);

/** What comes back for a stake on a section, the stake with it; zero when it loses. */
export function returned(info: SectionInfo, stake: number, dice: Dice): number {
  const won = hits(info.section, dice);
  if (won === 0) return 0;
  const line = info.odds[Math.min(won, info.odds.length) - 1];
  return line ? stake + (stake * line.halves) / 2 : 0;
}

export interface Outlook {
  /** The most that can be won in one result, less all stakes; zero when nothing can. */
  most: number;
  totals: { total: number; least: number; most: number }[];
}

export function outlook(layout: LayoutInfo, stakes: Stakes): Outlook {
  const bets = layout.sections.flatMap((info) => {
    const stake = stakes.get(info.section) ?? 0;
    return stake > 0 ? [{ info, stake }] : [];
  });
  const staked = bets.reduce((sum, { stake }) => sum + stake, 0);
  const totals = Array.from({ length: 16 }, (_, at) => ({ total: at + 3, least: Infinity, most: -Infinity }));
  let most = 0;
  for (const dice of RESULTS) {
    const net = bets.reduce((sum, { info, stake }) => sum + returned(info, stake, dice), 0) - staked;
    const row = totals[dice[0] + dice[1] + dice[2] - 3];
    if (!row) continue;
    row.least = Math.min(row.least, net);
    row.most = Math.max(row.most, net);
    most = Math.max(most, net);
  }
  return { most, totals };
}
