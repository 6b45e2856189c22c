// What a player asks of the house besides bets, until it is answered.
//
// Taking money out and putting a voucher or a note in are kept, through reloads and lost
// connections, and sent again under the same number: the house does each once
// and answers again. Whatever else is on its way when the connection breaks is
// given up at once, for to send it again would be to ask it twice.
import type { Mine, TerminalToHouse } from '../wire';
import { Problem } from './api';
import { tab } from './store';

export interface Ticket {
  voucher: number;
  amount: number;
  ticket: string | null;
}

export type Answer = { ticket: Ticket | null };
type Money = Extract<TerminalToHouse, { type: 'cash_out' | 'redeem' | 'insert_note' }>;

/** Money on its way, and who asked for it. */
export interface Kept {
  ask: Money;
  session: number;
  /** Nobody's credit was at the station. */
  empty: boolean;
  at_ms: number;
}

/** What is older than this was asked by somebody who has gone. */
const OLDEST_MS = 10 * 60_000;
/** Between a house that was too busy to say what became of it and the next question. */
const BUSY_MS = 1_000;

/** Between the answer to money and the news of whose session it is. */
const MOMENT_MS = 3_000;

interface Waiting {
  done: (answer: Answer) => void;
  failed: (problem: Problem) => void;
}

export class Asks {
  /** Taken out or put in and not yet answered. */
  kept = $state.raw<Kept[]>([]);
  /** The voucher that came out last, until it was looked at. */
  ticket = $state.raw<Ticket | null>(null);
  /** Why the last one was not done. */
  problem = $state.raw<Problem | null>(null);
  /** Something is on its way. */
  busy = $state(false);

  #send: (message: TerminalToHouse) => boolean;
  #key = '';
  #waiting = new Map<number, Waiting>();
  /** Numbers that were sent more than once. */
  #again = new Set<number>();
  /** When the last one was answered. */
  #answered_ms = -Infinity;
  #retries = new Set<ReturnType<typeof setTimeout>>();

  constructor(send: (message: TerminalToHouse) => boolean) {
    this.#send = send;
  }

  /** Which station it is: what it asked before a reload is found again. */
  at(key: string): void {
    if (key === this.#key) return;
    this.#key = key;
    this.kept = tab.get<Kept[]>(`asks.${key}`) ?? [];
  }

  /** Asks once; fails at once when the house cannot hear it. */
  ask(message: TerminalToHouse & { request: number }): Promise<Answer> {
    return new Promise((done, failed) => {
      if (this.#send(message)) this.#waiting.set(message.request, { done, failed });
      else failed(new Problem(0, 'unreachable', 'the house cannot be reached', null));
    });
  }

  /** Asks about money: one thing at a time, and what comes of it stays on the screen. True when it was done. */
  async money(message: TerminalToHouse & { request: number }, mine: Mine | null, now_ms: number): Promise<boolean> {
    if (this.busy || this.kept.length > 0) return false;
    this.busy = true;
    this.seen();
    try {
      const asked = this.ask(message);
      if (mine && this.#waiting.has(message.request) && isMoney(message)) {
        const empty = mine.credit === 0 && mine.at_risk === 0;
        this.#keep([...this.kept, { ask: message, session: mine.session, empty, at_ms: now_ms }]);
      }
      this.ticket = (await asked).ticket;
      return true;
    } catch (error) {
      this.problem = error instanceof Problem ? error : null;
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** Money is on its way, or was a moment ago: who plays here may change by it. */
  get justNow(): boolean {
    return this.busy || this.kept.length > 0 || performance.now() - this.#answered_ms < MOMENT_MS;
  }

  /** What was shown has been looked at. */
  seen(): void {
    this.ticket = null;
    this.problem = null;
  }

  /** The connection broke: only what is kept can still be answered. */
  lost(): void {
    const kept = new Set(this.kept.map(({ ask }) => ask.request));
    for (const [request, { failed }] of [...this.#waiting]) {
      if (kept.has(request)) continue;
      this.#waiting.delete(request);
      failed(unanswered());
    }
  }

  /** The house is there again and has said who plays here. */
  resume(session: number, now_ms: number): void {
    for (const one of this.kept) {
      if (isTheirs(one, session) && now_ms - one.at_ms <= OLDEST_MS) this.#sendAgain(one.ask);
      else this.#end(one.ask.request, ({ failed }) => failed(unanswered()));
    }
  }

  #sendAgain(ask: Money): void {
    if (this.#send(ask)) this.#again.add(ask.request);
  }

  done(request: number, ticket: Ticket | null): void {
    this.#end(request, ({ done }) => done({ ticket }));
  }

  declined(request: number, problem: Problem): void {
    const kept = this.kept.find(({ ask }) => ask.request === request);
    if (kept && problem.code === 'busy' && this.#again.has(request)) {
      // It may have been done the first time: only the house can say.
      const retry = setTimeout(() => {
        this.#retries.delete(retry);
        if (this.kept.includes(kept)) this.#sendAgain(kept.ask);
      }, BUSY_MS);
      this.#retries.add(retry);
      return;
    }
    this.#end(request, ({ failed }) => failed(problem));
  }

  #end(request: number, how: (waiting: Waiting) => void): void {
    const kept = this.kept.some(({ ask }) => ask.request === request);
    const waiting = this.#waiting.get(request);
    if (kept || waiting) this.#answered_ms = performance.now();
    this.#waiting.delete(request);
    this.#again.delete(request);
    if (kept) this.#keep(this.kept.filter(({ ask }) => ask.request !== request));
    if (waiting) how(waiting);
    // Asked before the page was loaded anew: it is shown all the same.
    else if (kept) how({ done: ({ ticket }) => (this.ticket = ticket), failed: (problem) => (this.problem = problem) });
  }

  #keep(kept: Kept[]): void {
    this.kept = kept;
    if (this.#key !== '') tab.set(`asks.${this.#key}`, kept.length > 0 ? kept : null);
  }

  /** Nothing is asked any more; what is kept is found again by the next page. */
  end(): void {
    for (const retry of this.#retries) clearTimeout(retry);
    for (const { failed } of this.#waiting.values()) failed(unanswered());
    this.#waiting.clear();
  }
}

/**
 * Whether what was asked under another session is still this player's: who
 * takes everything out has left, and who puts a voucher in at an empty station
 * has come, and either moves the session on by one.
 */
export function isTheirs(one: Pick<Kept, 'ask' | 'session' | 'empty'>, session: number): boolean {
  const moves = one.ask.type === 'cash_out' || one.empty;
  return session === one.session || (moves && session === one.session + 1);
}

function isMoney(message: TerminalToHouse): message is Money {
  return message.type === 'cash_out' || message.type === 'redeem' || message.type === 'insert_note';
}

function unanswered(): Problem {
  return new Problem(0, 'unanswered', 'the connection broke before the house answered', null);
}
