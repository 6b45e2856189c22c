// A station as the house greets it.
import type { FakeSocket } from './browser';
import type { Mine, PhaseName } from '../../src/wire';

export const info = { table: 'T1', book: 'mbs-etg', chips: [100, 500], limits: [], currency: { code: 'SGD', decimals: 2 } };
export const mine: Mine = { credit: 10_000, at_risk: 0, bets: [], may_bet: true, wait_for_next_round: false, own_case: null, session: 1 };

export function table(version: number, phase: PhaseName, number = 7) {
  const round = { number, phase, opened_ms: 1, closes_ms: 2, closing_ms: null, tumble: 'valid', tumbles: 3, cover: 'covered', result: null, commitment: null };
  return { type: 'table', version, server_ms: 1, state: { status: 'open', round, words: null, lit: {}, last: null, notices: [] } };
}

export function greet(socket: FakeSocket, version: number, own: Mine = mine): void {
  socket.open();
  socket.say({ type: 'welcome', protocol: 1, server_ms: 1, silent_ms: 15_000, info, station: { station: 3, name: 'S3', layout: 'rapid', notes: [] } });
  socket.say({ type: 'resume', gapless: true });
  socket.say(table(version, 'betting'));
  socket.say({ type: 'mine', version, mine: own });
}

/** Everything that waited for an answer has heard it. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}
