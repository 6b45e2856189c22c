// A screenshot in 256 colours: a third of the size, and nobody sees the
// difference. Median cut over the colours that are there, averaged per box.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const COLOURS = 256;
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

/** A colour to six bits each: near enough to be one. */
const bin = (bytes: Uint8Array, at: number): number => (((bytes[at] ?? 0) >> 2) << 12) | (((bytes[at + 1] ?? 0) >> 2) << 6) | ((bytes[at + 2] ?? 0) >> 2);
const part = (key: number, channel: number): number => (key >> (12 - 6 * channel)) & 63;

/** At most so many boxes of colours, each cut at its middle where it is widest and fullest. */
function boxes(counts: Map<number, number>): number[][] {
  const all = [[...counts.keys()]];
  const spread = (keys: number[], channel: number): number => {
    let [least, most] = [63, 0];
    for (const key of keys) [least, most] = [Math.min(least, part(key, channel)), Math.max(most, part(key, channel))];
    return most - least;
  };
  const weigh = (keys: number[]): { channel: number; weight: number } => {
    const spreads = [0, 1, 2].map((channel) => spread(keys, channel));
    const widest = Math.max(...spreads);
    const full = keys.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0);
    return { channel: spreads.indexOf(widest), weight: keys.length < 2 ? 0 : widest * widest * Math.sqrt(full) };
  };
  const weights = all.map(weigh);
  while (all.length < COLOURS) {
    const at = weights.reduce((best, { weight }, index) => (weight > (weights[best]?.weight ?? 0) ? index : best), 0);
    const { channel, weight } = weights[at] ?? { channel: 0, weight: 0 };
    if (weight === 0) break;
    const keys = (all[at] ?? []).sort((a, b) => part(a, channel) - part(b, channel));
    // Between two values of the channel, so that no colour lies on both sides.
    const middle = (part(keys[0] ?? 0, channel) + part(keys.at(-1) ?? 0, channel)) / 2;
    const halves = [keys.filter((key) => part(key, channel) <= middle), keys.filter((key) => part(key, channel) > middle)] as [number[], number[]];
    all[at] = halves[0];
    weights[at] = weigh(halves[0]);
    all.push(halves[1]);
    weights.push(weigh(halves[1]));
  }
  return all;
}

function chunk(kind: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), body]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(body.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}

export function inFewColours(png: Buffer): Buffer {
  const { width, height, step, bytes } = decoded(png);
  const counts = new Map<number, number>();
  for (let at = 0; at < bytes.length; at += step) counts.set(bin(bytes, at), (counts.get(bin(bytes, at)) ?? 0) + 1);
  const found = boxes(counts);
  const index = new Map(found.flatMap((keys, at) => keys.map((key) => [key, at] as const)));
  const sums = new Float64Array(COLOURS * 4);
  const rows = Buffer.alloc((width + 1) * height);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const of = index.get(bin(bytes, pixel * step)) ?? 0;
    for (const channel of [0, 1, 2]) sums[of * 4 + channel] = (sums[of * 4 + channel] ?? 0) + (bytes[pixel * step + channel] ?? 0);
    sums[of * 4 + 3] = (sums[of * 4 + 3] ?? 0) + 1;
    rows[Math.trunc(pixel / width) * (width + 1) + 1 + (pixel % width)] = of;
  }
  const palette = Buffer.alloc(found.length * 3);
  for (let of = 0; of < found.length; of += 1) for (const channel of [0, 1, 2]) palette[of * 3 + channel] = Math.round((sums[of * 4 + channel] ?? 0) / Math.max(1, sums[of * 4 + 3] ?? 1));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([png.subarray(0, HEAD), chunk('IHDR', head), chunk('PLTE', palette), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}
