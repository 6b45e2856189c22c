// What people at a table must know now, in words: the house's notices for all
// screens, and what concerns one player at a terminal.
import type { PublicState, ShownNotice } from '../wire';
import { language, t } from './i18n.svelte';
import { amount } from './money';
import { ruleWords, whyWords } from './names';
import type { TerminalStore } from './terminal.svelte';

export interface News {
  /** The same news has the same key, whatever its figures. */
  key: string;
  sort: 'news' | 'warning' | 'bad' | 'good';
  /** What is said first, and stands out. */
  lead?: string;
  words: string;
  /** The rule of the document, as it is cited. */
  rule?: string | null;
  tail?: string;
  /** The player can put it away. */
  onclose?: () => void;
}

const PLAIN = {
  last_round: ['notice-last-round', 'warning'],
  suspended: ['notice-suspended', 'warning'],
  closed: ['notice-closed', 'news'],
  round_lost: ['notice-round-lost', 'bad'],
  limits_change: ['notice-limits-change', 'news'],
  rule_book_changes: ['notice-rule-book-changes', 'news'],
} as const;

function notice(one: ShownNotice, state: PublicState, read: number): News | null {
  const { last } = state;
  if (one.kind in PLAIN) {
    const [words, sort] = PLAIN[one.kind as keyof typeof PLAIN];
    return { key: one.kind, sort, words: t(words) };
  }
  if (one.kind === 'held') return { key: `held-${one.rule ?? ''}`, sort: 'warning', words: t('notice-held'), rule: one.rule };
  if (one.kind === 'last_round_void' && last && !state.round?.result && last.number !== read)
    return { key: `void-${last.number}`, sort: 'bad', lead: t('round-n-void', { round: last.number }), words: whyWords(last.why) ?? '', rule: ruleWords(last.why), tail: t('all-bets-returned') };
  if (one.kind === 'last_result_corrected' && last)
    return { key: `corrected-${last.number}`, sort: 'warning', words: t('notice-corrected', { round: last.number, dice: last.result?.dice.join(' ') ?? '' }), rule: ruleWords(last.why) };
  return null;
}

/** The house's own notices; `read`: the void round of this number has been read. */
export function notices(state: PublicState, read = 0): News[] {
  const all = state.notices.flatMap((one) => notice(one, state, read) ?? []);
  return all.filter((one, at) => all.findIndex(({ key }) => key === one.key) === at);
}

/** What a player must know, the most urgent first. */
export function newsAt(terminal: TerminalStore, state: PublicState, read: number, called: boolean): News[] {
  const money = (minor: number): string => amount(minor, terminal.table.currency, language());
  const all: News[] = [];
  if (terminal.link !== 'open') {
    const unconfirmed = terminal.inFlight > 0 ? ` ${t('connection-unconfirmed', { amount: money(terminal.inFlight) })}` : '';
    all.push({ key: 'lost', sort: 'bad', words: `${t('connection-lost')} ${t('connection-registered', { amount: money(terminal.mine?.at_risk ?? 0) })}${unconfirmed}` });
  }
  all.push(...notices(state, read));
  const { amended, past } = terminal;
  if (amended) {
    const credited = amended.credited > 0 ? ` ${t('amended-credited', { amount: money(amended.credited) })}` : '';
    const words = t(amended.result ? 'amended-corrected' : 'amended-void', { round: amended.round, is: money(amended.is), was: money(amended.was) });
    // What it has become is in its key: corrected and then void is news twice.
    const now = amended.result?.dice.join(' ') ?? 'void';
    all.push({ key: `amended-${amended.round}-${now}`, sort: 'warning', words: words + credited, rule: amended.rule, onclose: () => (terminal.amended = null) });
  }
  if (past) {
    const { round, part } = past;
    const words = part ? t(part.void ? 'past-void' : 'past-settled', { round, staked: money(part.staked), returned: money(part.returned) }) : t('past-registered', { round });
    all.push({ key: `past-${round}`, sort: 'news', words, onclose: () => (terminal.past = null) });
  }
  if (terminal.mine?.own_case != null) all.push({ key: 'own-case', sort: 'warning', words: t('own-case') });
  // Whoever has no money yet waits for nothing.
  if (terminal.waits && terminal.table.round != null && (terminal.mine?.credit ?? 0) > 0) all.push({ key: 'wait', sort: 'news', words: t('wait-next-round') });
  if (called) all.push({ key: 'called', sort: 'good', words: t('attendant-called') });
  return all;
}

/** What decides which news has the line. */
export interface Turns {
  /** What came last, while it is new. */
  newest: string | null;
  /** What the player has turned to: news by its key, or `about`. */
  turned: string | null;
  /** Why a chip was not taken comes before all news. */
  refused: boolean;
  /** Bets are taken, and a spot is being looked at. */
  wanted: boolean;
}

/** The key of the news that has the line; none while it is about a spot or a refusal. */
export function shownOf(keys: readonly string[], { newest, turned, refused, wanted }: Turns): string | null {
  if (refused || turned === 'about') return null;
  const asked = turned ?? newest;
  if (asked !== null && keys.includes(asked)) return asked;
  return wanted ? null : (keys[0] ?? null);
}

/** Whether the news that has the line steps back after a while: what is new, and what was turned to. What has
 *  not been shown does not grow old. */
export const stepsBack = (shown: string | null, { newest, turned }: Turns): boolean => shown !== null && (shown === newest || shown === turned);
