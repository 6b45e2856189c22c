// What a terminal tells those who hear it, besides the table's own course: the
// player's own win or loss with the credit after it, the last seconds, a line
// that is lost and back.
import { language, t } from './i18n.svelte';
import { amount } from './money';
import type { TerminalStore } from './terminal.svelte';

/** Seconds that are told; a sentence for each would drown the rest. */
const TOLD_SECONDS = [10, 5];

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
    const settled = store?.card ?? null;
    if (!store || settled === null || settled.end.number === card || settled.lines.length === 0 || !store.table.moment.told.chips) return;
    card = settled.end.number;
    const { currency } = store.table;
    const money = (minor: number): string => amount(minor, currency, language());
    const net = settled.returned - settled.staked;
    const credit = money(store.mine?.credit ?? 0);
    own = net > 0 ? t('tell-won', { amount: money(net), credit }) : net < 0 ? t('tell-lost', { amount: money(-net), credit }) : t('tell-even', { amount: money(settled.returned), credit });
  });

  $effect(() => {
    const left = terminal()?.open === true ? (terminal()?.table.left_ms ?? null) : null;
    const seconds = left === null ? -1 : Math.ceil(left / 1_000);
    if (seconds !== second && TOLD_SECONDS.includes(seconds)) now = t('tell-seconds', { n: seconds });
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
