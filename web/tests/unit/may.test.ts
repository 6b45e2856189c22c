// Who may take a step, as the table decides it, and what a refusal says.
import './browser';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Problem } from '../../src/lib/api';
import { useLanguage } from '../../src/lib/i18n.svelte';
import { incidentWords } from '../../src/lib/incidents';
import { isFrom, mayTake } from '../../src/lib/may';
import { problemWords } from '../../src/lib/names';
import type { MayAct, ShownStep } from '../../src/wire';

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {}, addEventListener: () => undefined });
  await useLanguage('en');
});
afterAll(() => vi.unstubAllGlobals());

const one = (position: string, or_above: boolean): MayAct => ({ position, title: null, or_above, second: null, second_or_above: false });
const step = (...who: MayAct[]): ShownStep => ({ step: 'suspend', cause: null, pending: null, ruling: null, who, rule: null, next: false });

describe('a step', () => {
  it.each([
    ['pit-supervisor', true, 'dealer', false],
    ['pit-supervisor', true, 'pit-supervisor', true],
    ['pit-supervisor', true, 'above-director-2', true],
    ['dealer', false, 'pit-manager', false],
    ['head-of-operations', true, 'director', false],
    ['pit-supervisor', true, 'surveillance', false],
  ])('for %s (or above: %s) and somebody who is %s: %s', (needed, above, position, may) => {
    expect(mayTake(step(one(needed, above)), { person: 1, position }, [])).toBe(may);
  });

  it('is for whoever acts in the position, and for nobody else', () => {
    const acting = [{ person: 2, position: 'dealer' }];
    expect(mayTake(step(one('dealer', false)), { person: 2, position: 'pit-supervisor' }, acting)).toBe(true);
    expect(mayTake(step(one('dealer', false)), { person: 3, position: 'pit-supervisor' }, acting)).toBe(false);
  });

  it('of two persons is for either of them', () => {
    const two = step({ ...one('pit-supervisor', true), second: 'dealer', second_or_above: true }, { ...one('pit-supervisor', true), second: 'surveillance', second_or_above: false });
    for (const position of ['dealer', 'director', 'surveillance']) expect(mayTake(two, { person: 1, position }, []), position).toBe(true);
    expect(mayTake(two, { person: 1, position: 'cashier' }, [])).toBe(false);
    expect(isFrom(null, 'dealer')).toBe(false);
  });
});

describe('a refusal', () => {
  const refused = (code: string, needed: Problem['needed'], place: string | null) => problemWords(new Problem(403, code, 'no', null, null, needed, place));
  it('says who may, from where, or what it says by itself', () => {
    expect(refused('not_authorised', { position: 'shift-manager', or_above: true }, null)).toBe('This is for: Shift manager or above.');
    expect(refused('not_authorised', { position: 'head-of-operations', or_above: false }, null)).toBe('This is for: Head of operations.');
    expect(refused('second_person_needed', { position: 'pit-supervisor', or_above: true }, null)).toBe('This takes a second person: Pit supervisor or above.');
    expect(refused('not_authorised', null, 'console')).toContain("the table's own console");
    expect(refused('not_authorised', null, null)).toBe('Your position does not allow this.');
  });
});

it('a device on the line is told in words', () => {
  expect(incidentWords({ kind: 'device', note: 'dice-reader connected' })).toBe('Dice reader is connected.');
  expect(incidentWords({ kind: 'device', note: 'tumbler gone' })).toBe('Tumbler is no longer connected.');
  expect(incidentWords({ kind: 'call_supervisor', note: '' })).toBe('The supervisor is wanted');
});
