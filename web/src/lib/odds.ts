// Odds as this layout prints them: `1 WINS 6 1/2`, `1:6` or `6.5 to 1` (P-052).
// The same bet is written the same way on the board, in the footer and on the
// card of a round.
import type { LayoutInfo, SectionInfo } from '../wire';
import { captionsOf } from './geometry';
import { t } from './i18n.svelte';

type Way = 'wins' | 'ratio' | 'to';

const WAYS: [Way, RegExp][] = [
  ['wins', /\b1 WINS \d/i],
  ['ratio', /\b1:\d/],
  ['to', /\d to 1\b/i],
];

const known = new WeakMap<LayoutInfo, Map<string, Way>>();

/** How the odds of a kind are printed: on its own cells, beside them, or as most of the layout is. */
export function wayOf(layout: LayoutInfo, kind: string): Way {
  let ways = known.get(layout);
  if (!ways) known.set(layout, (ways = new Map()));
  let way = ways.get(kind);
  if (way === undefined) {
    const sections = new Set(layout.sections.filter((info) => info.kind === kind).map((info) => info.section));
    const own = layout.cells.filter((cell) => cell.section !== null && sections.has(cell.section)).flatMap((cell) => cell.lines);
    const find = (lines: readonly string[]): Way | undefined => WAYS.find(([, form]) => lines.some((line) => form.test(line)))?.[0];
    way = find(own) ?? find(captionsOf(layout, kind)) ?? find(layout.cells.flatMap((cell) => cell.lines)) ?? 'wins';
    ways.set(kind, way);
  }
  return way;
}

/** `6 1/2` as `6.5`, with the point that is printed. */
const decimal = (printed: string): string => printed.replace(/^(\d+) 1\/2$/, '$1.5');

/** One price as the layout prints it. */
export function printedOdds(layout: LayoutInfo | null, kind: string, printed: string): string {
  const way = layout ? wayOf(layout, kind) : 'wins';
  if (way === 'ratio') return `1:${printed}`;
  if (way === 'to') return t('odds-to-one', { odds: decimal(printed) });
  return t('one-wins', { odds: printed });
}

/** All prices of a section: three where it pays by the number of dice. */
export function sectionOdds(layout: LayoutInfo | null, info: SectionInfo): string {
  return info.odds.map((line) => printedOdds(layout, info.kind, line.printed)).join(' · ');
}
