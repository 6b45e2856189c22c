// Dice at rest show what was read, and lie on the plate.
import { expect, test } from 'vitest';
import { NORMALS, resting, tumbling, upFace, type Rotation } from '../../src/components/stage/poses';

const FACES = [1, 2, 3, 4, 5, 6];

/** The three rows of a rotation are of length one and at right angles. */
function rigid(rotation: Rotation): boolean {
  const row = (at: number): number[] => [...rotation.slice(at * 3, at * 3 + 3)];
  const dot = (a: number[], b: number[]): number => a.reduce((sum, x, at) => sum + x * (b[at] ?? 0), 0);
  return [0, 1, 2].every((a) => [0, 1, 2].every((b) => Math.abs(dot(row(a), row(b)) - (a === b ? 1 : 0)) < 1e-9));
}

test.each(FACES)('a die read as %i lies with that face up, flat on the plate', (face) => {
  for (const order of [0, 1, 2]) {
    const pose = resting(face, order);
    expect(upFace(pose)).toBe(face);
    expect(pose.at[1]).toBe(0.5);
    // Exactly up: a die at rest is not cocked.
    const [x, y, z] = NORMALS[face] ?? [0, 0, 0];
    expect(pose.rotation[3] * x + pose.rotation[4] * y + pose.rotation[5] * z).toBeCloseTo(1, 9);
    expect(rigid(pose.rotation)).toBe(true);
  }
});

test('opposite faces add to seven', () => {
  for (const face of FACES) {
    const [x, y, z] = NORMALS[face] ?? [0, 0, 0];
    expect(NORMALS[7 - face]?.map((n) => n + 0)).toEqual([-x + 0, -y + 0, -z + 0]);
  }
});

test('a die in the air never lies on the plate and shows every face', () => {
  for (const order of [0, 1, 2]) {
    const seen = new Set<number>();
    for (let ms = 0; ms < 12_000; ms += 16) {
      const pose = tumbling(order, ms);
      expect(pose.at[1]).toBeGreaterThan(0.5);
      expect(rigid(pose.rotation)).toBe(true);
      seen.add(upFace(pose));
    }
    expect([...seen].sort()).toEqual(FACES);
  }
});
