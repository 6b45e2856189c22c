// Which terminal this browser is. A house's own terminal is given its
// enrolment token once, in the address (`/play/T1#token`), and keeps it. In a
// house that plays for nothing a browser is handed a free terminal: each tab
// its own, and whoever comes back finds theirs.
import type { GivenSeat, WantSeat } from '../wire';
import { post } from './api';
import { device, tab } from './store';

/** As many earlier visits as the house looks at. */
const MAX_VISITS = 16;

/** The terminal this browser, or this tab of it, is already. */
function knownToken(table: string): string | null {
  const given = decodeURIComponent(location.hash.slice(1));
  if (given !== '') {
    device.set(`token.${table}`, given);
    // The token is not for those who read over the shoulder.
    history.replaceState(null, '', location.pathname + location.search);
    return given;
  }
  return tab.get<string>(`token.${table}`) ?? device.get<string>(`token.${table}`);
}

export const hasSeat = (table: string): boolean => knownToken(table) !== null;

const visitsOf = (table: string): string[] => device.get<string[]>(`visits.${table}`) ?? [];

/** This browser was at that table before and may find its terminal there. */
export const wasHere = (table: string): boolean => visitsOf(table).length > 0;

export async function tokenFor(table: string, layout?: string): Promise<string> {
  const known = knownToken(table);
  if (known !== null) return known;
  const visits = visitsOf(table);
  const wanted: WantSeat = { table, visits, ...(layout === undefined ? {} : { layout }) };
  const { token } = await post<GivenSeat>('/api/trial/seats', wanted);
  tab.set(`token.${table}`, token);
  device.set(`visits.${table}`, [token, ...visits.filter((visit) => visit !== token)].slice(0, MAX_VISITS));
  return token;
}

/** Another one is wanted: the house does not know this one any more. */
export function forgetSeat(table: string): void {
  const gone = tab.get<string>(`token.${table}`);
  device.set(`visits.${table}`, visitsOf(table).filter((visit) => visit !== gone));
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
