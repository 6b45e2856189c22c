// Where dice lie and how they fly, as plain numbers. A die at rest lies on the
// plate with the face up that was read; nothing here ever chooses a face.

/** A rotation, row by row. */
export type Rotation = readonly [number, number, number, number, number, number, number, number, number];

export interface Pose {
  readonly rotation: Rotation;
  /** Middle of the die, in lengths of an edge; the plate is at height zero. */
  readonly at: readonly [number, number, number];
}

/** Which way each face looks on a die that shows one; opposite faces add to seven. */
export const NORMALS: Record<number, readonly [number, number, number]> = {
  1: [0, 1, 0],
  2: [0, 0, 1],
  3: [1, 0, 0],
  4: [-1, 0, 0],
  5: [0, 0, -1],
  6: [0, -1, 0],
};

const IDENTITY: Rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1];

export function times(a: Rotation, b: Rotation): Rotation {
  const cell = (row: number, column: number): number =>
    (a[row * 3] ?? 0) * (b[column] ?? 0) + (a[row * 3 + 1] ?? 0) * (b[column + 3] ?? 0) + (a[row * 3 + 2] ?? 0) * (b[column + 6] ?? 0);
  return [cell(0, 0), cell(0, 1), cell(0, 2), cell(1, 0), cell(1, 1), cell(1, 2), cell(2, 0), cell(2, 1), cell(2, 2)];
}

export function about(axis: 'x' | 'y' | 'z', degrees: number): Rotation {
  const turn = (degrees * Math.PI) / 180;
  const [s, c] = [Math.sin(turn), Math.cos(turn)];
  if (axis === 'x') return [1, 0, 0, 0, c, -s, 0, s, c];
  if (axis === 'y') return [c, 0, s, 0, 1, 0, -s, 0, c];
  return [c, -s, 0, s, c, 0, 0, 0, 1];
}

/** How to turn a die so that a face looks up. */
const UP: Record<number, Rotation> = {
  1: IDENTITY,
  2: about('x', -90),
  3: about('z', 90),
  4: about('z', -90),
  5: about('x', 90),
  6: about('x', 180),
};

/** Dice lie apart, each a little turned, always the same way: they are read, not arranged. */
const PLACES: readonly { readonly x: number; readonly z: number; readonly turn: number }[] = [
  { x: -1.5, z: 0.1, turn: -11 },
  { x: 0, z: -0.12, turn: 7 },
  { x: 1.5, z: 0.12, turn: -4 },
];

/** A die at rest with a face up. */
export function resting(face: number, order: number): Pose {
  const place = PLACES[order % 3] ?? { x: 0, z: 0, turn: 0 };
  return { rotation: times(about('y', place.turn), UP[face] ?? IDENTITY), at: [place.x, 0.5, place.z] };
}

/** A die in the air at a time: it strikes the plate and rises again, and shows no face for long. */
export function tumbling(order: number, ms: number): Pose {
  const place = PLACES[order % 3] ?? { x: 0, z: 0, turn: 0 };
  const s = ms / 1_000;
  const beat = s * 2.3 + order * 0.37;
  const height = 0.62 + 1.25 * Math.abs(Math.sin(beat * Math.PI));
  const spin = times(times(about('x', s * (430 + order * 90)), about('y', s * (310 - order * 140))), about('z', s * 260 + order * 70));
  return { rotation: spin, at: [place.x + 0.28 * Math.sin(s * 5 + order * 2), height, place.z + 0.3 * Math.cos(s * 4.3 + order)] };
}

/** The face that looks up most. */
export function upFace({ rotation }: Pose): number {
  let [best, face] = [-Infinity, 0];
  for (const [of, [x, y, z]] of Object.entries(NORMALS)) {
    const up = rotation[3] * x + rotation[4] * y + rotation[5] * z;
    if (up > best) [best, face] = [up, Number(of)];
  }
  return face;
}
