// Amounts for people. They are whole minor units everywhere; digits are cut
// and grouped as text, never divided as fractions.
import type { ShownCurrency } from '../wire';
import type { Language } from './settings.svelte';

/** How a language groups thousands and where it puts the point. */
export const POINT: Record<Language, [group: string, point: string]> = {
  en: [',', '.'],
  'zh-Hans': [',', '.'],
  'zh-Hant': [',', '.'],
  vi: ['.', ','],
};

/** `13750` as `137.50`. */
export function amount(minor: number, currency: ShownCurrency, language: Language): string {
  const [group, point] = POINT[language];
  const digits = Math.abs(Math.trunc(minor)).toString().padStart(currency.decimals + 1, '0');
  const cut = digits.length - currency.decimals;
  const whole = digits.slice(0, cut).replace(/\B(?=(\d{3})+(?!\d))/g, group);
  const sign = minor < 0 ? '−' : '';
  return sign + (currency.decimals > 0 ? whole + point + digits.slice(cut) : whole);
}

/** With its sign, also where it is above zero: `+37.50`. */
export function signed(minor: number, currency: ShownCurrency, language: Language): string {
  return (minor > 0 ? '+' : '') + amount(minor, currency, language);
}

/** Without a fraction of noughts: `500` as `5`. */
export function brief(minor: number, currency: ShownCurrency, language: Language): string {
  const unit = 10 ** currency.decimals;
  const text = amount(minor, currency, language);
  return minor % unit === 0 && currency.decimals > 0 ? text.slice(0, -currency.decimals - 1) : text;
}

/** As on the face of a chip: `5`, `2.5K`, `1M`. */
export function onChip(minor: number, currency: ShownCurrency): string {
  const unit = 10 ** currency.decimals;
  const steps: [number, string][] = [
    [1_000_000, 'M'],
    [1_000, 'K'],
  ];
  for (const [size, letter] of steps) {
    if (minor >= size * unit) {
      // Two figures after the point at most, cut and not rounded up.
      const hundredths = Math.trunc(minor / ((size * unit) / 100));
      const text = `${Math.trunc(hundredths / 100)}.${(hundredths % 100).toString().padStart(2, '0')}`;
      return text.replace(/\.?0+$/, '') + letter;
    }
  }
  const whole = Math.trunc(minor / unit);
  const rest = minor % unit;
  if (rest === 0) return whole.toString();
  return `${whole}.${rest.toString().padStart(currency.decimals, '0')}`.replace(/0+$/, '');
}

/** How many of which chip make an amount, largest first; what is left besides. */
export function breakdown(
  minor: number,
  chips: readonly number[],
): { chips: { value: number; count: number }[]; rest: number } {
  const parts: { value: number; count: number }[] = [];
  let rest = minor;
  for (const value of [...chips].sort((a, b) => b - a)) {
    if (value <= 0 || rest < value) continue;
    const count = Math.trunc(rest / value);
    parts.push({ value, count });
    rest -= count * value;
  }
  return { chips: parts, rest };
}
