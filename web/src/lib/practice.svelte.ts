// A lesson as its coach sees it: asked for again and again while it is looked at.
import type { PracticeInfo, ShownLesson } from '../wire';
import { get, post, Problem, watch } from './api';
import { word } from './i18n.svelte';
import { InOrder } from './newest';

const EVERY_MS = 600;

export function practiceInfo(): Promise<PracticeInfo> {
  return get<PracticeInfo>('/api/practice');
}

/** What is due, or was done, in words: a response, a step, or as it was sent. */
export function dueWords(key: string): string {
  // Dice and amounts are as they are.
  if (!/^[a-z]/.test(key)) return key;
  const [name = '', rest] = key.split(' ');
  const words = word('response', name) ?? word('step', name) ?? name;
  if (rest === undefined) return words;
  return `${words}: ${word('cause', rest) ?? word('refusal', rest) ?? rest}`;
}

export class LessonStore {
  lesson = $state.raw<ShownLesson | null>(null);
  problem = $state.raw<Problem | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;
  private looks = new InOrder();

  constructor(readonly table: string) {
    void this.look();
  }

  private path(end: string): string {
    return `/api/practice/${encodeURIComponent(this.table)}${end}`;
  }

  private async look(how: typeof watch = get): Promise<void> {
    clearTimeout(this.timer);
    const news = this.looks.ask();
    try {
      const lesson = await how<ShownLesson | null>(this.path(''));
      if (news()) this.lesson = lesson;
    } catch (error) {
      // Nobody has logged in yet, or the house is away: the next look tells.
      if (error instanceof Problem && error.status === 409) this.problem = error;
    }
    if (!this.ended) this.timer = setTimeout(() => void this.look(watch), EVERY_MS);
  }

  private async say(end: string, body: unknown): Promise<boolean> {
    try {
      await post(this.path(end), body);
      this.problem = null;
      await this.look();
      return true;
    } catch (error) {
      this.problem = Problem.of(error);
      return false;
    }
  }

  begin(seed: number, pack: string, situation: string): Promise<boolean> {
    return this.say('/lessons', situation === '' ? { seed, pack } : { seed, situation });
  }

  call(dice: [number, number, number], total: number): Promise<boolean> {
    return this.say('/call', { dice, total });
  }

  pay(number: number, amount: number): Promise<boolean> {
    return this.say('/payments', { number, amount });
  }

  end(): void {
    this.ended = true;
    clearTimeout(this.timer);
  }
}
