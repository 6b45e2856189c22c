// Sections, results and reasons in words of the language in use.
import type { SectionInfo, ShownResult, ShownCurrency, Why } from '../wire';
import { parseSection } from './dice';
import { language, message, t, word, type MessageKey } from './i18n.svelte';
import { amount } from './money';

/** `pair:1-2` as "Two dice 1 and 2". */
export function sectionName(section: string): string {
  const { kind, numbers } = parseSection(section);
  const [a = 0, b = 0] = numbers;
  return t(`section-${kind}` as MessageKey, { a, b, numbers: numbers.join(' ') });
}

/** Odds as they are printed: "6 1/2", or "1, 2, 12" for a single die. */
export function oddsText(info: SectionInfo): string {
  return info.odds.map((line) => line.printed).join(', ');
}

/** As a screen reader says it: name, odds, bet. */
export function spoken(info: SectionInfo, bet: number, currency: ShownCurrency): string {
  const name = sectionName(info.section);
  const odds = oddsText(info);
  if (bet === 0) return t('spot', { name, odds });
  return t('spot-with-bet', { name, odds, bet: amount(bet, currency, language()) });
}

/** "3 4 4, total 11, big, odd": as a dealer calls it. */
export function resultWords(result: ShownResult): string {
  const dice = result.dice.join(' ');
  if (result.side === 'triple') return t('result-triple', { dice, total: result.total });
  const side = t(result.side === 'big' ? 'big' : 'small');
  // Where the book has no such bet nobody calls odd or even.
  if (result.odd === null) return t('result-side', { dice, total: result.total, side });
  const parity = t(result.odd ? 'odd' : 'even');
  return t('result-words', { dice, total: result.total, side, parity });
}

/** A refusal for people: our words where there are any, else the house's. */
export function refusalWords(code: string, words: string): string {
  return word('refusal', code) ?? message(`problem-${code.replaceAll('_', '-')}`) ?? words;
}

/** A person as the journal tells them, `dealer person 2 Tan Wei Ming`, by name and position. */
export function staffName(told: string): string {
  const [, position = '', name = ''] = /^(\S+) person \d+ (.+)$/.exec(told) ?? [];
  return name === '' ? told : `${name} (${word('position', position) ?? position})`;
}

/** Words of a rule in the document's own language, for whoever reads that; else in ours. */
export function documentWords(ours: string, printed: string | null, documents: string): string {
  return printed !== null && language() === documents ? printed : ours;
}

/** Why a round was void or corrected. */
export function whyWords(why: Why | null): string | null {
  if (!why) return null;
  if (why.cause !== null) return word('cause', why.cause) ?? why.cause;
  return why.reason;
}

/** The rule of a void or a correction, with the one that lists the cause where it was decided under another. */
export function ruleWords(why: { readonly rule: string | null; readonly ground: string | null } | null): string | null {
  if (!why || why.rule === null) return null;
  return why.ground === null ? why.rule : `${why.rule}; ${t('on-the-ground', { rule: why.ground })}`;
}

/** 27 of 216 as "12.50 %". */
export function percent(value: number): string {
  const text = value.toFixed(2).replace('-', '−');
  return `${language() === 'vi' ? text.replace('.', ',') : text} %`;
}
