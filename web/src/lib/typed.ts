// Amounts as people type them, read exactly: digits are moved as text and never
// pass through a fraction. What could be meant in two ways is not read at all.
import type { ShownCurrency } from '../wire';
import { amount, POINT } from './money';
import type { Language } from './settings.svelte';

/**
 * So many minor units, or null where it is no amount. Thousands may be grouped
 * by the sign of the language or by spaces: `1,000` is a thousand in English,
 * `1.000` in Vietnamese. The other sign is taken for the point only where it
 * cannot group: `12,50`. A currency without fractions has only groups.
 */
export function typed(text: string, decimals: number, language: Language): number | null {
  const [group, point] = POINT[language];
  // Full-width digits and signs, as some keyboards write them, are the same.
  const plain = text.normalize('NFKC').trim();
  const whole = (signs: string) => `(\\d+|\\d{1,3}(?:([${signs}])\\d{3})(?:\\2\\d{3})*)`;
  const forms =
    decimals === 0
      ? [`^${whole(' .,')}$`]
      : [`^${whole(` ${group}`)}(?:[${point}](\\d{1,${decimals}}))?$`, `^(\\d+)()[${group}](\\d{1,${Math.min(decimals, 2)}})$`];
  for (const form of forms) {
    const found = new RegExp(form).exec(plain);
    if (!found) continue;
    const minor = Number((found[1] ?? '').replace(/\D/g, '') + (found[3] ?? '').padEnd(decimals, '0'));
    return Number.isSafeInteger(minor) ? minor : null;
  }
  return null;
}

/** An amount as one would type it in a language: no groups. */
export function asTyped(minor: number, currency: ShownCurrency, language: Language): string {
  return amount(minor, currency, language).replaceAll(POINT[language][0], '');
}
