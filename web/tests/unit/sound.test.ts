// What a terminal sounds, counted in the voices it starts: a win is heard only
// where more came back than was staked (P-053).
import './browser';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { settings } from '../../src/lib/settings.svelte';

const heard: number[] = [];
const knob = () => ({ value: 0, setValueAtTime: () => undefined, linearRampToValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined });
const node = <T extends object>(more: T) => ({ connect: <N>(to: N): N => to, ...more });

class FakeAudio {
  currentTime = 0;
  sampleRate = 8_000;
  state = 'running';
  destination = {};
  createGain() {
    return node({ gain: knob() });
  }
  createOscillator() {
    const frequency = knob();
    return node({ type: 'sine', frequency, start: () => void heard.push(frequency.value), stop: () => undefined });
  }
}

vi.stubGlobal('AudioContext', FakeAudio);
vi.stubGlobal('navigator', { userActivation: { hasBeenActive: true }, languages: [] });
const { sound } = await import('../../src/lib/sound');

beforeEach(() => {
  heard.length = 0;
  settings.muted = false;
  settings.volume = 0.6;
});

describe('the sound of a settled round (P-053)', () => {
  it.each([
    ['a win of once the stake', 10_00, 20_00, 3],
    ['a win of one more than was staked', 25_00, 25_01, 3],
    ['a win of three times', 10_00, 30_00, 4],
    ['a win of eleven times', 10_00, 110_00, 5],
    ['a loss', 10_00, 0, 0],
    ['a return below the stake', 25_00, 20_00, 0],
    ['as much as was staked', 20_00, 20_00, 0],
    ['a round without a bet', 0, 0, 0],
  ])('%s', (_, staked, returned, voices) => {
    sound.settled(staked, returned);
    expect(heard).toHaveLength(voices);
  });

  it('is fuller the more came back, and never lower than it began', () => {
    sound.settled(10_00, 110_00);
    expect([...heard].sort((a, b) => a - b)).toEqual(heard);
  });
});

it('whoever has muted the screen hears nothing at all', () => {
  settings.muted = true;
  sound.settled(10_00, 110_00);
  sound.placeBets();
  sound.noMoreBets();
  sound.lastSeconds();
  expect(heard).toEqual([]);
  settings.muted = false;
  settings.volume = 0;
  sound.placeBets();
  expect(heard).toEqual([]);
});
