// Sections, results and reasons in words of the language in use.
import type { LayoutInfo, SectionInfo, ShownResult, ShownCurrency, Why } from '../wire';
import type { Problem } from './api';
import { parseSection } from './dice';
import { language, message, t, word, type MessageKey } from './i18n.svelte';
import { positionWords } from './may';
import { amount, brief } from './money';
import { sectionOdds } from './odds';
import type { Note, TerminalStore } from './terminal.svelte';

/** `pair:1-2` as "Pair 1-2", `four:6543` as "Three of 3-4-5-6". */
export function sectionName(section: string): string {
  const { kind, numbers } = parseSection(section);
  const sorted = [...numbers].sort((one, other) => one - other);
  // The number that is there twice comes first.
  const twice = kind === 'double-single' ? sorted.find((number, at) => sorted[at + 1] === number) : undefined;
  const [a = 0, b = 0] = twice === undefined ? numbers : [twice, sorted.find((number) => number !== twice)];
  return t(`section-${kind}` as MessageKey, { a, b, numbers: sorted.join('-') });
}

/** As a screen reader says it: name, odds as printed, bet, and chips that are not yet one. */
export function spoken(layout: LayoutInfo | null, info: SectionInfo, on: { bet: number; loose?: number; minimum?: number }, currency: ShownCurrency): string {
  const name = sectionName(info.section);
  const odds = sectionOdds(layout, info);
  const money = (minor: number): string => amount(minor, currency, language());
  const spot = on.bet === 0 ? t('spot-odds', { name, odds }) : t('spot-odds-bet', { name, odds, bet: money(on.bet) });
  return on.loose ? t('spot-not-yet', { spot, amount: money(on.loose), minimum: money(on.minimum ?? 0) }) : spot;
}

/** The figure in the way of a bet: in a few words for its spot, and in a sentence. */
const FIGURES: [code: RegExp, note: MessageKey, sentence: MessageKey][] = [
  [/^stake_below_minimum$/, 'note-minimum', 'refused-minimum'],
  [/^stake_above_maximum$/, 'note-maximum', 'refused-maximum'],
  [/^station_maximum$/, 'note-round-maximum', 'refused-round-maximum'],
  [/^insufficient_credit$/, 'note-credit', 'refused-credit'],
  [/loss_limit_reached$/, 'note-own-loss', 'refused-own-loss'],
  [/spend_limit_reached$/, 'note-own-spend', 'refused-own-spend'],
];
const figureOf = (code: string) => FIGURES.find(([form]) => form.test(code));

/** Why a chip was not taken, at its spot. */
export function noteWords(note: Note, currency: ShownCurrency): string {
  const money = (minor: number): string => brief(minor, currency, language());
  if (note.code === 'not_bet') return t('note-not-bet', { amount: money(note.stake), minimum: money(note.amount ?? 0) });
  const [, key] = figureOf(note.code) ?? [];
  return key && note.amount !== null ? t(key, { amount: money(note.amount) }) : refusalWords(note.code, note.words);
}

/** What was not taken last, in a sentence: for the line under the board and for those who hear it. */
export function refusedWords(terminal: TerminalStore, currency: ShownCurrency): string | null {
  const money = (minor: number): string => amount(minor, currency, language());
  const { partly, refusal, notes } = terminal;
  if (partly) return `${t(partly.done === 0 ? `none-${partly.what}` : `partly-${partly.what}`, { done: partly.done, all: partly.all })} ${t('partly-why')}`;
  if (refusal) {
    const note = refusal.section === null ? undefined : notes.get(refusal.section);
    const [, , key] = figureOf(refusal.code) ?? [];
    const words = key && note && note.amount !== null ? t(key, { amount: money(note.amount) }) : refusalWords(refusal.code, refusal.words);
    const told = refusal.section === null ? words : t('refused-at', { name: sectionName(refusal.section), words });
    return refusal.rule === null ? told : `${told} (${refusal.rule})`;
  }
  const swept = [...notes.values()].filter((note) => note.code === 'not_bet').reduce((sum, note) => sum + note.stake, 0);
  return swept > 0 ? t('swept', { amount: money(swept) }) : null;
}

/** "3 4 4, total 11, big, odd": as a dealer calls it. */
export function resultWords(result: ShownResult): string {
  const dice = result.dice.join(' ');
  if (result.side === 'triple') return t('result-triple', { dice, total: result.total });
  const side = t(result.side === 'big' ? 'big' : 'small');
  // Where the book has no such bet nobody calls odd or even (R-090).
  if (result.odd === null) return t('result-side', { dice, total: result.total, side });
  const parity = t(result.odd ? 'odd' : 'even');
  return t('result-words', { dice, total: result.total, side, parity });
}

/** A refusal for people: our words where there are any, else the house's. */
export function refusalWords(code: string, words: string): string {
  return word('refusal', code) ?? message(`problem-${code.replaceAll('_', '-')}`) ?? words;
}

/** A refusal of what staff asked: who may, or from where it is done, where the house says so. */
export function problemWords(problem: Problem): string {
  const here = problem.place === null ? null : message(`place-${problem.place}`);
  if (here !== null) return here;
  if (problem.needed !== null) {
    const who = positionWords(problem.needed.position, problem.needed.or_above);
    return t(problem.code === 'second_person_needed' ? 'refused-second' : 'refused-position', { who });
  }
  return refusalWords(problem.code, problem.words);
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

/** The rule of a void or a correction, with the one that lists the cause where it was decided under another (Q-55). */
export function ruleWords(why: { readonly rule: string | null; readonly ground: string | null } | null): string | null {
  if (!why || why.rule === null) return null;
  return why.ground === null ? why.rule : `${why.rule}; ${t('on-the-ground', { rule: why.ground })}`;
}

/** 27 of 216 as "12.50 %". */
export function percent(value: number): string {
  const text = value.toFixed(2).replace('-', '−');
  return `${language() === 'vi' ? text.replace('.', ',') : text} %`;
}
