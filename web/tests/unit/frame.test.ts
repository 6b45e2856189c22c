import { describe, expect, it } from 'vitest';
import { frameOf, type Shape } from '../../src/lib/frame';

/** Layouts of 420 and of 600 units with spots of 28. */
const PLAIN = 420 / 28;
const FULL = 600 / 28;

const SEEN: [width: number, height: number, letter: number, narrowest: number, shape: Shape, parts: boolean, panel: boolean][] = [
  [1280, 800, 16, FULL, 'wide', false, true],
  [1280, 800, 16, PLAIN, 'wide', false, true],
  [1920, 1080, 16, FULL, 'wide', false, true],
  // A 4K screen is a 1920 with letters twice as large.
  [3840, 2160, 32, FULL, 'wide', false, true],
  [1024, 768, 16, FULL, 'wide', false, false],
  [768, 1024, 16, FULL, 'tablet', true, false],
  [768, 1024, 16, PLAIN, 'tablet', false, false],
  [950, 800, 16, FULL, 'tablet', false, false],
  [390, 844, 16, FULL, 'phone', true, false],
  [360, 640, 16, PLAIN, 'phone', true, false],
  [844, 390, 16, FULL, 'low', true, false],
  [640, 400, 16, PLAIN, 'low', true, false],
  // 1280×800 at 200 %, by the window or by the letters: the same.
  [1280, 800, 32, PLAIN, 'low', true, false],
];

describe('the frame of a terminal', () => {
  it.each(SEEN)('%i×%i with letters of %i', (width, height, letter, narrowest, shape, parts, panel) => {
    expect(frameOf(width, height, letter, narrowest)).toMatchObject({ shape, parts, panel });
  });

  it('depends on the room in letters, not in pixels, but for the finger', () => {
    for (const scale of [1, 1.25, 2, 3]) {
      const one = frameOf(1500, 900, 16, PLAIN);
      expect(frameOf(1500 * scale, 900 * scale, 16 * scale, PLAIN).shape).toBe(one.shape);
    }
  });
});
