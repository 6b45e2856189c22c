// What holds for whoever plays at this terminal, as the house says it: limits,
// reality check, break, play stopped. The screen never decides any of it; it
// asks again when the house says that it changed and when a time has come.
import type { CardStanding, LimitMeasure, LimitWindow, PlayChange, PresentedCard, ShownPlay } from '../wire';
import { get, post, Problem } from './api';
import { clock } from './clock.svelte';

/** While the clock of play runs, it is read at least this often. */
const READ_MS = 30_000;
/** What passes between a time of the house and the question whether it has come. */
const SLACK_MS = 150;

export class PlayStore {
  shown = $state.raw<ShownPlay | null>(null);
  problem = $state.raw<Problem | null>(null);
  busy = $state(false);

  #token: string;
  #next: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  #ended = false;

  constructor(token: string) {
    this.#token = token;
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#next);
  }

  /** Asks the house; an older answer never replaces a newer one. */
  async load(): Promise<ShownPlay | null> {
    const asked = (this.#asked += 1);
    const shown = await get<ShownPlay>('/api/station/play', this.#token).catch(() => null);
    if (this.#ended || asked !== this.#asked) return null;
    if (shown) this.#hear(shown);
    else this.#again(READ_MS);
    return shown;
  }

  #hear(shown: ShownPlay): void {
    clock.hear(shown.now_ms);
    this.shown = shown;
    const until = (at_ms: number): number => at_ms - shown.now_ms + SLACK_MS;
    const times = [];
    if (shown.break_until_ms !== null) times.push(until(shown.break_until_ms));
    if (shown.runs_until_ms !== null) {
      times.push(READ_MS);
      if (shown.check_left_ms !== null && !shown.check_due) times.push(shown.check_left_ms + SLACK_MS);
    }
    const first = Math.min(...times);
    // A day at most: a timer holds no more than 24.
    if (Number.isFinite(first)) this.#again(Math.min(first, 86_400_000));
    else clearTimeout(this.#next);
  }

  #again(in_ms: number): void {
    clearTimeout(this.#next);
    this.#next = setTimeout(() => void this.load(), Math.max(SLACK_MS, in_ms));
  }

  /** A bet is registered: the clock of play runs, or runs on. */
  wagered(): void {
    const shown = this.shown;
    if (shown === null || shown.runs_until_ms === null || shown.runs_until_ms < clock.read()) void this.load();
  }

  async #ask<T>(what: () => Promise<T>): Promise<T | null> {
    this.busy = true;
    this.problem = null;
    try {
      return await what();
    } catch (error) {
      this.problem = Problem.of(error);
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** Changes something; true when the house has done so. */
  async change(change: PlayChange): Promise<boolean> {
    const shown = await this.#ask(() => post<ShownPlay>('/api/station/play', change, this.#token));
    if (shown) {
      this.#asked += 1;
      this.#hear(shown);
    }
    return shown !== null;
  }

  /** The card is shown, typed with its PIN or as a reader types it; its standing, or null where that failed. */
  async card(typed: string, pin: string): Promise<string | null> {
    const said = await this.#ask(() => post<CardStanding>('/api/station/card', presented(typed, pin), this.#token));
    if (said) await this.load();
    return said?.standing ?? null;
  }

  /** What keeps the layout shut now, the most serious first. */
  get shut(): 'stopped' | 'break' | 'elsewhere' | 'check' | null {
    const shown = this.shown;
    if (!shown) return null;
    if (shown.stopped !== null) return 'stopped';
    if (shown.break_until_ms !== null) return 'break';
    if (shown.elsewhere) return 'elsewhere';
    return shown.check_due ? 'check' : null;
  }
}

/** A reader types what is on the card's stripe: the number between sentinels. */
export function presented(typed: string, pin: string): PresentedCard {
  const read = /^[;%]B?(\w+)[^?]*\?$/.exec(typed);
  return read ? { card: read[1]!, read: typed } : { card: typed, pin: pin === '' ? null : pin };
}

export const WINDOWS: LimitWindow[] = ['session', 'day', 'week', 'month'];
export const MEASURES: LimitMeasure[] = ['loss', 'spend', 'time'];
