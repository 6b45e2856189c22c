// How long what a round brought stays on a terminal: until it is read. Longer
// the more lines it has, as long as somebody points at it, or until it is
// closed; bets that open meanwhile do not take it away.
import { untrack } from 'svelte';
import type { Card } from '../wire';
import type { TerminalStore } from './terminal.svelte';

const READ_MS = 10_000;
const LINE_MS = 800;
const MAX_READ_MS = 25_000;

export interface Reading {
  /** The card of the last round, once its dice have been shown. */
  readonly card: Card | null;
  /** The same, while it has not been read. */
  readonly unread: Card | null;
  /** The last round whose void notice was read. */
  readonly voidRead: number;
  /** Somebody points at it: it stays. */
  hold(held: boolean): void;
  /** It was read. */
  close(): void;
  /** Whoever bets again has read the void notice. */
  betAgain(): void;
}

/** Called while a component is made; `onunread` when a card comes, `onread` when it has been read by time. */
export function reading(terminal: () => TerminalStore | null, onunread: () => void, onread: () => void): Reading {
  let seen = $state(0);
  let voidRead = $state(0);
  let held = $state(false);
  // What a round brought is told after its dice.
  const card = $derived.by(() => {
    const store = terminal();
    return store?.card && store.table.moment.told.chips && store.card.lines.length > 0 ? store.card : null;
  });
  const unread = $derived(card && seen !== card.end.number ? card : null);
  const lastNumber = $derived(terminal()?.table.state?.last?.number ?? 0);

  $effect(() => {
    if (!unread) held = false;
    else untrack(onunread);
  });
  $effect(() => {
    if (!unread || held) return;
    const { number } = unread.end;
    const read = setTimeout(() => {
      seen = number;
      onread();
    }, Math.min(MAX_READ_MS, READ_MS + LINE_MS * unread.lines.length));
    return () => clearTimeout(read);
  });
  $effect(() => {
    const over = lastNumber;
    if (terminal()?.open !== true) return;
    const read = setTimeout(() => (voidRead = over), READ_MS);
    return () => clearTimeout(read);
  });

  return {
    get card() {
      return card;
    },
    get unread() {
      return unread;
    },
    get voidRead() {
      return voidRead;
    },
    hold: (now) => (held = now),
    close: () => (seen = card?.end.number ?? 0),
    betAgain: () => (voidRead = lastNumber),
  };
}
