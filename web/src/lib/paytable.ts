// A layout's pay table in few lines, for people who read it from afar.
import type { LayoutInfo } from '../wire';
import { t, type MessageKey } from './i18n.svelte';
import { sectionOdds } from './odds';

export interface PayLine {
  /** `Total 4 · 17`. */
  bets: string;
  /** As the layout prints them. */
  odds: string;
}

/** Bets with the same odds together, in the order of the layout's sections. */
export function payLines(layout: LayoutInfo): PayLine[] {
  const groups = new Map<string, { kinds: Set<string>; numbers: number[]; odds: string }>();
  for (const section of layout.sections) {
    const odds = sectionOdds(layout, section);
    // Totals are told apart by their number, everything else by its kind.
    const even = ['small', 'big', 'odd', 'even'].includes(section.kind);
    const key = `${section.kind === 'total' ? 'total' : even ? 'even money' : section.kind} ${odds}`;
    const group = groups.get(key) ?? { kinds: new Set<string>(), numbers: [], odds };
    group.kinds.add(section.kind);
    if (section.kind === 'total') group.numbers.push(section.numbers[0] ?? 0);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ kinds, numbers, odds }) => {
    const names = [...kinds].map((kind) => t(`kind-${kind}` as MessageKey)).join(' · ');
    return { bets: numbers.length > 0 ? `${names} ${numbers.sort((a, b) => a - b).join('\u00a0·\u00a0')}` : names, odds };
  });
}
