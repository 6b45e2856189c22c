// Which terminal this browser is. A house's own terminal is given its
// enrolment token once, in the address (`/play/T1#token`), and keeps it. In a
// house that plays for nothing a browser is handed a free terminal.
import type { GivenSeat } from '../wire';
import { post } from './api';
import { device, tab } from './store';

export async function tokenFor(table: string, layout?: string): Promise<string> {
  const given = decodeURIComponent(location.hash.slice(1));
  if (given !== '') {
    device.set(`token.${table}`, given);
    // The token is not for those who read over the shoulder.
    history.replaceState(null, '', location.pathname + location.search);
    return given;
  }
  const known = tab.get<string>(`token.${table}`) ?? device.get<string>(`token.${table}`);
  if (known !== null) return known;
  const seat = await post<GivenSeat>('/api/trial/seats', layout === undefined ? { table } : { table, layout });
  tab.set(`token.${table}`, seat.token);
  return seat.token;
}

/** Another one is wanted: the house does not know this one any more. */
export function forgetSeat(table: string): void {
  tab.set(`token.${table}`, null);
  device.set(`token.${table}`, null);
}

/** The token of an enrolled desk or window, given once in the address (`/pit#token`). */
export function deskToken(): string | null {
  const given = decodeURIComponent(location.hash.slice(1));
  if (/^\d+-[0-9a-f]{64}$/.test(given)) {
    device.set('desk', given);
    history.replaceState(null, '', location.pathname + location.search);
  }
  return device.get<string>('desk');
}

/** The token of an enrolled console, given once in the address (`/console/T1#token`). */
export function consoleToken(table: string): string | null {
  const given = decodeURIComponent(location.hash.slice(1));
  if (given !== '') {
    device.set(`console.${table}`, given);
    history.replaceState(null, '', location.pathname + location.search);
  }
  return device.get<string>(`console.${table}`);
}
