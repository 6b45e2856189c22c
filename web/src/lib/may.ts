// Who may take a step, as the table decides it: so that only what a person may
// do is offered to them. The house decides all the same.
import type { MayAct, ShownActing, ShownStep } from '../wire';
import { t, word } from './i18n.svelte';

/** The ladder of the books, lowest first; other positions stand beside it. */
const LADDER = ['dealer', 'pit-supervisor', 'pit-manager', 'shift-manager', 'director', 'above-director-1', 'above-director-2', 'above-director-3', 'above-director-4'];

export interface Somebody {
  person: number;
  position: string;
}

/** In their own position and in those they act in. */
function positions(who: Somebody, acting: readonly ShownActing[]): string[] {
  return [who.position, ...acting.filter((one) => one.person === who.person).map((one) => one.position)];
}

function fits(held: string, needed: string, orAbove: boolean): boolean {
  const [mine, least] = [LADDER.indexOf(held), LADDER.indexOf(needed)];
  return held === needed || (orAbove && mine >= 0 && least >= 0 && mine >= least);
}

/** Whether somebody holds a position, or one above it. */
export function isFrom(who: Somebody | null, needed: string, acting: readonly ShownActing[] = []): boolean {
  return who !== null && positions(who, acting).some((held) => fits(held, needed, true));
}

/** Whether somebody may take a step, alone or as one of two. */
export function mayTake(step: ShownStep, who: Somebody, acting: readonly ShownActing[]): boolean {
  const held = positions(who, acting);
  const may = (one: MayAct) => held.some((at) => fits(at, one.position, one.or_above) || (one.second !== null && fits(at, one.second, one.second_or_above)));
  return step.who.some(may);
}

/** "Pit supervisor or above", by the book's own title where it has one. */
export function positionWords(position: string, orAbove: boolean, title: string | null = null): string {
  const name = title ?? word('position', position) ?? position;
  return orAbove ? `${name} ${t('or-above-short')}` : name;
}

/** Whose step it is. */
export function whose(step: ShownStep): string {
  return step.who.map((one) => positionWords(one.position, one.or_above, one.title)).join(' / ');
}
