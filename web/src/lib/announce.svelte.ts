// What a terminal tells those who hear it, besides the table's own course: the
// player's own bets, win or loss with the credit after it, money in and out, the
// last seconds, a line that is lost and back.
import { language, t } from './i18n.svelte';
import { amount } from './money';
import type { Card } from '../wire';
import type { TerminalStore } from './terminal.svelte';

/** Seconds that are told; a sentence for each would drown the rest. */
const TOLD_SECONDS = [10, 5];

/** What a round brought, in one sentence. */
function settled({ end, staked, returned }: Card, credit: string, money: (minor: number) => string): string {
  if (end.result === null) return t('tell-void', { amount: money(returned), credit });
  const net = returned - staked;
  if (net > 0) return t('tell-won', { amount: money(net), credit });
  return net < 0 ? t('tell-lost', { amount: money(-net), credit }) : t('tell-even', { amount: money(returned), credit });
}

/** `own` waits for its turn, `now` does not. Called while a component is made. */
export function announce(terminal: () => TerminalStore | null): { readonly own: string; readonly now: string } {
  let own = $state('');
  let now = $state('');
  let card = 0;
  let second = -1;
  let lost = false;
  let first = true;

  $effect(() => {
    const store = terminal();
    const newest = store?.card ?? null;
    if (!store || newest === null || newest.end.number === card || newest.lines.length === 0 || !store.table.moment.told.chips) return;
    card = newest.end.number;
    const money = (minor: number): string => amount(minor, store.table.currency, language());
    own = settled(newest, money(store.mine?.credit ?? 0), money);
  });

  // Bets as the house has them, and money that came or went outside a round.
  let before: { bets: number; all: number; round: number } | null = null;
  $effect(() => {
    const store = terminal();
    const mine = store?.mine ?? null;
    if (!store || !mine) return;
    const money = (minor: number): string => amount(minor, store.table.currency, language());
    const is = { bets: mine.at_risk, all: mine.credit + mine.at_risk, round: store.card?.end.number ?? 0 };
    const was = before;
    before = is;
    // What was so when the page opened, and what a settlement changed, is told elsewhere or no news.
    if (was === null || is.round !== was.round) return;
    const credit = money(mine.credit);
    if (is.all !== was.all) own = t('tell-credit', { credit });
    else if (is.bets !== was.bets && store.table.betting) own = t('tell-bets', { bets: money(is.bets), credit });
  });

  $effect(() => {
    const left = terminal()?.open === true ? (terminal()?.table.left_ms ?? null) : null;
    const seconds = left === null ? -1 : Math.ceil(left / 1_000);
    // A page that was held up says how many there are by now.
    if (seconds > 0 && TOLD_SECONDS.some((n) => second > n && seconds <= n)) now = t('tell-seconds', { n: seconds });
    second = seconds;
  });

  $effect(() => {
    const link = terminal()?.link;
    if (link === undefined) return;
    const gone = link !== 'open';
    // Not yet connected is not lost.
    if (!first && gone !== lost) now = t(gone ? 'tell-paused' : 'tell-back');
    if (!gone) first = false;
    lost = gone;
  });

  return {
    get own() {
      return own;
    },
    get now() {
      return now;
    },
  };
}
