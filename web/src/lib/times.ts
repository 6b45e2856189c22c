// Times of the house for people: local to the house, not to the screen.
import { clock } from './clock.svelte';

/** "2 h 05 min" since a time of the house. */
export function lasting(since_ms: number, now_ms: number): { hours: number; minutes: number } {
  const minutes = Math.max(0, Math.floor((now_ms - since_ms) / 60_000));
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}

/** The time of day at the house of something that happened: `21:05:09`. */
export function timeOf(at_ms: number): string {
  const zone = clock.zone_minutes ?? -new Date().getTimezoneOffset();
  return new Date(at_ms + zone * 60_000).toISOString().slice(11, 19);
}

/** With its day: `2026-05-01 21:05`. */
export function dayOf(at_ms: number): string {
  const zone = clock.zone_minutes ?? -new Date().getTimezoneOffset();
  return new Date(at_ms + zone * 60_000).toISOString().slice(0, 16).replace('T', ' ');
}

/** To the thousandth, to find it on a camera: `2026-05-01 21:05:09.204`. */
export function stamp(at_ms: number): string {
  const zone = clock.zone_minutes ?? -new Date().getTimezoneOffset();
  return new Date(at_ms + zone * 60_000).toISOString().slice(0, 23).replace('T', ' ');
}
