// The pixels of a screenshot, for whoever measures what is on the screen.
import { inflateSync } from 'node:zlib';

const HEAD = 8;

export interface Pixels {
  width: number;
  height: number;
  step: number;
  bytes: Uint8Array;
}

/** The pixels of a PNG as Chromium writes it: eight bits, not interlaced. */
export function decoded(png: Buffer): Pixels {
  const parts: Buffer[] = [];
  for (let at = HEAD; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const [width, height, step] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 6 ? 4 : 3];
  const raw = inflateSync(Buffer.concat(parts));
  const row = width * step;
  const bytes = new Uint8Array(row * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (row + 1)] ?? 0;
    for (let x = 0; x < row; x += 1) {
      const [left, up] = [x >= step ? (bytes[y * row + x - step] ?? 0) : 0, y > 0 ? (bytes[(y - 1) * row + x] ?? 0) : 0];
      const corner = x >= step && y > 0 ? (bytes[(y - 1) * row + x - step] ?? 0) : 0;
      const guess = left + up - corner;
      const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
      const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
      const add = [0, left, up, (left + up) >> 1, paeth][filter] ?? 0;
      bytes[y * row + x] = (raw[y * (row + 1) + 1 + x] ?? 0) + add;
    }
  }
  return { width, height, step, bytes };
}
