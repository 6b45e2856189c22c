// Who is offered to sign for dice and shifts: as docs/who-decides.md has it.
import { describe, expect, it } from 'vitest';
import page from '../../../docs/who-decides.md?raw';
import { CHECKS_UV, isAmong, maySign, SCREENS } from '../../src/lib/screens';

const ABOVE = ['above-director-1', 'above-director-2', 'above-director-3', 'above-director-4'];
const RANKS = ['dealer', 'pit-supervisor', 'pit-manager', 'shift-manager', 'director', ...ABOVE];
const ALL = [...RANKS, 'head-of-operations', 'surveillance', 'auditor', 'regulator', 'cashier', 'technician', 'trainer'];

/** Everybody whom the line of an act names in one place or the other. */
function named(act: string): string[] {
  const who = new RegExp(`^\\| \`${act}\` \\| ([^|]*) \\|`, 'm').exec(page)?.[1];
  if (who === undefined) throw new Error(`no line of ${act}`);
  const parts = who.replace(/^two: /, '').split(/ \*\*and\*\* |, /);
  const found = parts.flatMap((part) => {
    const one = part.replace(' or above', '').replaceAll(' ', '-');
    return part.endsWith(' or above') ? RANKS.slice(RANKS.indexOf(one)) : [one];
  });
  return ALL.filter((position) => found.includes(position));
}

describe('an act of two persons is offered to whoever may be one of them', () => {
  const DICE = ['receive', 'inspect', 'place', 'remove', 'quarantine', 'destroy'];
  const ACTS: [act: string, line: string][] = [...DICE.map((step): [string, string] => [`${step}_dice`, `step_dice:${step}`]), ['open_shift', 'open_shift'], ['close_shift', 'close_shift'], ['count_boxes', 'count_boxes']];
  it.each(ACTS)('%s', (act, line) => {
    expect(ALL.filter((position) => maySign(act, position))).toEqual(named(line));
  });
});

it('who may sign for dice has the screen of the dice, and who for shifts theirs', () => {
  const has = (screen: string) => SCREENS.find((one) => one.screen === screen)?.positions ?? [];
  for (const position of ALL) {
    if (maySign('receive_dice', position)) expect(isAmong(has('dice'), position)).toBe(true);
    if (maySign('open_shift', position)) expect(isAmong(has('shifts'), position)).toBe(true);
  }
});

it('a UV check is written down by those who may', () => {
  expect(ALL.filter((position) => isAmong(CHECKS_UV, position))).toEqual(named('step_case:check_uv'));
});
