import { expect, test } from 'vitest';
import { cameraOf, isVeiled, useCameras } from '../../src/lib/camera.svelte';
import type { Moment } from '../../src/lib/timeline';
import type { HouseInfo, PhaseName } from '../../src/wire';

const told = (dice: boolean): Moment['told'] => ({ dice, total: false, lit: false, chips: false, roads: false });

test.each<[string, PhaseName | null, Moment['tumbler'], boolean, boolean]>([
  ['between rounds', null, 'shown', true, false],
  ['before the tumble', 'prepared', 'last', true, false],
  ['the cover shakes', 'prepared', 'shaking', false, false],
  ['under the cover while bets are taken', 'betting', 'veiled', false, false],
  ['under the cover as bets close', 'closing', 'veiled', false, false],
  ['the cover is lifted', 'closed', 'veiled', false, true],
  ['an open tumbler before it runs', 'closed', 'last', false, false],
  ['dice in the air', 'closed', 'tumbling', false, false],
  ['dice at rest that nobody has read', 'closed', 'veiled', false, true],
  ['read and not yet told', 'closed', 'shown', false, true],
  ['told', 'closed', 'shown', true, false],
])('a camera and %s', (_, phase, tumbler, dice, veiled) => {
  expect(isVeiled({ tumbler, told: told(dice) }, phase)).toBe(veiled);
});

test('the house names the cameras of its tables', () => {
  const camera = { playlist: 'https://video.example/1.m3u8', test: false };
  useCameras({ tables: [{ table: 'one', camera }, { table: 'two', camera: null }] as HouseInfo['tables'] });
  expect([cameraOf('one'), cameraOf('two'), cameraOf('three')]).toEqual([camera, null, null]);
});
