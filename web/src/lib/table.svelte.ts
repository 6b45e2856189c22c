// One table as everyone may see it, fed by frames of the house.
import type { BookInfo, LayoutInfo, PublicState, RoadRound, ShownCurrency, ShownLimit, TableInfo } from '../wire';
import { get } from './api';
import { clock } from './clock.svelte';
import { painted } from './painted';
import { littleMotion } from './settings.svelte';
import { momentOf, nextChange, remember, upTo, type Memory } from './timeline';

/** Layouts and books do not change while the page is open: the hash would. */
const layouts = new Map<string, Promise<LayoutInfo>>();
const books = new Map<string, Promise<BookInfo>>();

export function layoutOf(book: string, layout: string): Promise<LayoutInfo> {
  const path = `/api/rulebooks/${encodeURIComponent(book)}/layouts/${encodeURIComponent(layout)}`;
  return once(layouts, path);
}

export function bookOf(book: string): Promise<BookInfo> {
  return once(books, `/api/rulebooks/${encodeURIComponent(book)}`);
}

function once<T>(known: Map<string, Promise<T>>, path: string): Promise<T> {
  let asked = known.get(path);
  if (!asked) {
    asked = get<T>(path);
    known.set(path, asked);
    // A failure is asked again next time.
    asked.catch(() => known.delete(path));
  }
  return asked;
}

/** A page that draws nothing for so long is told on all the same. */
const PICTURE_TIMEOUT_MS = 1_000;

export type Phase = 'closed' | 'suspended' | 'idle' | 'prepared' | 'betting' | 'held' | 'closing' | 'awaiting' | 'result';

export class TableStore {
  info = $state.raw<TableInfo | null>(null);
  state = $state.raw<PublicState | null>(null);
  road = $state.raw<RoadRound[]>([]);
  version = 0;
  #memory = $state.raw<Memory | null>(null);
  #now = $state(0);
  #next: ReturnType<typeof setTimeout> | undefined;
  /** The newest step of the timeline is on its way to the screen. */
  #unseen: symbol | null = null;
  /** How much of all this may be seen by now. */
  moment = $derived(momentOf(this.#memory, this.state, this.info?.covered ?? true, littleMotion(), this.#now));
  /** The road as far as its results have been told. */
  toldRoad = $derived(upTo(this.road, this.moment));

  /** A frame with the newest state; an older one says nothing new. */
  heard(version: number, server_ms: number, state: PublicState): void {
    clock.hear(server_ms);
    if (version < this.version) return;
    this.version = version;
    this.state = state;
    // In one turn with the state: nothing is drawn that was not told yet.
    const now = performance.now();
    this.#memory = remember(this.#memory, state, now);
    if (this.#memory.heard_ms === now || this.#memory.tumble?.since_ms === now) {
      this.#now = now;
      this.#show();
    }
    this.#tick();
  }

  /**
   * Goes on to now, one step of the timeline at a time: a page that was held up
   * or hidden tells the steps it missed one after the other, never two at once,
   * and none before the picture of the one before it.
   */
  #tick(): void {
    clearTimeout(this.#next);
    const now = performance.now();
    const still = littleMotion();
    const step = nextChange(this.#memory, still, this.#now);
    const due = step !== null && this.#now + step <= now;
    // Its picture comes back to this.
    if (due && this.#unseen !== null) return;
    this.#now = due ? this.#now + step : now;
    if (due) this.#show();
    const wait = nextChange(this.#memory, still, this.#now);
    if (wait !== null) this.#next = setTimeout(() => this.#tick(), Math.max(0, Math.ceil(this.#now + wait - now)));
  }

  /** Nobody is told the next step before this one is drawn, where a page is drawn at all. */
  #show(): void {
    if (document.visibilityState !== 'visible') return;
    const shown = Symbol();
    this.#unseen = shown;
    void painted(PICTURE_TIMEOUT_MS).then(() => {
      if (this.#unseen !== shown) return;
      this.#unseen = null;
      this.#tick();
    });
  }

  /** Nobody looks any more. */
  end(): void {
    this.#unseen = null;
    clearTimeout(this.#next);
  }

  /** What was known counts no more: the house has begun anew, or was restored. */
  forget(): void {
    this.version = 0;
  }

  get currency(): ShownCurrency {
    return this.info?.currency ?? { code: '', decimals: 2 };
  }

  /** Odd and even are a road only where they can be bet on. */
  get parity(): boolean {
    return this.info?.limits.some((limit) => limit.kind === 'odd') ?? false;
  }

  get round() {
    return this.state?.round ?? null;
  }

  /** Where play stands, in one word for screens. */
  get phase(): Phase {
    const state = this.state;
    if (!state || state.status === 'closed') return 'closed';
    if (!state.round) {
      if (state.status === 'suspended') return 'suspended';
      return state.last?.result ? 'result' : 'idle';
    }
    if (state.round.result) return 'result';
    const phase = state.round.phase;
    // Nobody is asked to bet where no bet is taken.
    if (phase === 'betting' && state.status === 'suspended') return 'suspended';
    if (phase === 'betting' && this.held) return 'held';
    return phase === 'closed' ? 'awaiting' : phase;
  }

  /** The round waits for a decision, or will be void. */
  get held(): boolean {
    return this.state?.notices.some((notice) => notice.kind === 'held' || notice.kind === 'round_lost') ?? false;
  }

  get betting(): boolean {
    return this.round?.phase === 'betting' && this.state?.status === 'open' && !this.held;
  }

  /** The result to show: of the current round, or of the last one. */
  get result() {
    return this.round ? this.round.result : (this.state?.last?.result ?? null);
  }

  /** Milliseconds of betting left; null when no clock runs. */
  get left_ms(): number | null {
    const round = this.round;
    if (!this.betting || !round?.closes_ms) return null;
    return Math.max(0, round.closes_ms - clock.now);
  }

  /** What is lit on a layout by the result that is shown, once its dice have been. */
  toldLit(layout: string): readonly string[] {
    return (this.round === null || this.round.result) && this.moment.told.lit ? this.lit(layout) : [];
  }

  /** What is lit on a layout. */
  lit(layout: string): readonly string[] {
    return this.state?.lit[layout] ?? [];
  }

  limit(kind: string): ShownLimit | null {
    return this.info?.limits.find((limit) => limit.kind === kind) ?? null;
  }
}
