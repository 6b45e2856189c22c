// How a terminal is laid out in the room it has: by width and by height, both
// counted in the size of its letters, so that a zoomed page, large letters and
// a small screen come to the same arrangement.
import { FINGER } from './geometry';

/**
 * `wide`: everything in rows over the whole width. `tablet`: the same with a
 * header of two rows. `phone`: upright and narrow. `low`: the board on the
 * left, everything else in a column beside it.
 */
export type Shape = 'wide' | 'tablet' | 'phone' | 'low';

export interface Frame {
  shape: Shape;
  /** The layout as printed would have spots narrower than a finger: it is shown in parts. */
  parts: boolean;
  /** There is room for roads and the round's card beside the board. */
  panel: boolean;
  /** The words of doors are smaller. */
  snug: boolean;
}

/** Below this height a header, a board and a footer do not fit under each other. */
const LOW = 34;
const PHONE = 47.5;
const TABLET = 64;
const SNUG = 77.5;
/** Spots of the printed layout may be a little narrower than a finger; what is narrower still is shown in parts. */
const MIN_SPOT = 40;
/** Width of the panel beside the board, and of all edges around the board. */
export const PANEL = 17.5;
const EDGES = 2.75;

/** `narrowest`: width of the layout to that of its narrowest spot. */
export function frameOf(width: number, height: number, letter: number, narrowest: number): Frame {
  const [w, h] = [width / letter, height / letter];
  const shape: Shape = h < LOW && w >= LOW ? 'low' : w < PHONE ? 'phone' : w < TABLET ? 'tablet' : 'wide';
  const board = width - EDGES * letter;
  const fits = (room: number, spot: number): boolean => room >= spot * narrowest;
  const printable = shape === 'wide' || shape === 'tablet';
  return {
    shape,
    parts: !printable || !fits(board, MIN_SPOT),
    panel: shape === 'wide' && fits(board - PANEL * letter, FINGER),
    snug: w < SNUG,
  };
}
