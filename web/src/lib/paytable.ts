// A layout's pay table in few lines, for people who read it from afar.
import type { LayoutInfo } from '../wire';
import { t, type MessageKey } from './i18n.svelte';
import { sectionOdds } from './odds';

export interface PayLine {
  /** `Total 4 · 17`. */
  bets: string;
  /** As the layout prints them. */
  odds: string;
  /** The sections it stands for. */
  sections: string[];
}

/** Bets with the same odds together, in the order of the layout's sections. */
export function payLines(layout: LayoutInfo): PayLine[] {
  const groups = new Map<string, { kinds: Set<string>; numbers: number[]; odds: string; sections: string[] }>();
  for (const section of layout.sections) {
    const odds = sectionOdds(layout, section);
    // Totals are told apart by their number, everything else by its kind.
    const even = ['small', 'big', 'odd', 'even'].includes(section.kind);
    const key = `${section.kind === 'total' ? 'total' : even ? 'even money' : section.kind} ${odds}`;
    const group = groups.get(key) ?? { kinds: new Set<string>(), numbers: [], odds, sections: [] };
    group.kinds.add(section.kind);
    group.sections.push(section.section);
    if (section.kind === 'total') group.numbers.push(section.numbers[0] ?? 0);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ kinds, numbers, odds, sections }) => {
    const names = [...kinds].map((kind) => t(`kind-${kind}` as MessageKey)).join(' · ');
    return { bets: numbers.length > 0 ? `${names} ${numbers.sort((a, b) => a - b).join('\u00a0·\u00a0')}` : names, odds, sections };
  });
}

/** Sections that do not pay the same, or cannot be bet on, on all of these layouts; however each prints its odds. */
export function differing(layouts: readonly LayoutInfo[]): ReadonlySet<string> {
  const prices = layouts.map((layout) => new Map(layout.sections.map((one) => [one.section, one.odds.map((line) => line.halves).join()])));
  const all = new Set(prices.flatMap((known) => [...known.keys()]));
  return new Set([...all].filter((section) => new Set(prices.map((known) => known.get(section))).size > 1));
}
