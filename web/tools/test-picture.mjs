// Makes the clip that a trial house sends as the picture of a table: `node tools/test-picture.mjs FILE`. Chromium draws
// and encodes it (H.264, which every browser plays); here it is put into fragments of two seconds each, so that the house
// can send them one after another for ever. The file is kept with the house's sources: nothing is encoded at run time.
import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const [WIDTH, HEIGHT, FPS, SECONDS, FRAGMENTS] = [320, 180, 10, 2, 4];
const TICKS = 1_000;

/** In the browser: frames with a hand that goes round once in the whole clip, and their encoding. */
async function encode({ width, height, fps, frames, each }) {
  const canvas = new OffscreenCanvas(width, height);
  const draw = canvas.getContext('2d');
  const out = [];
  let description = null;
  const encoder = new VideoEncoder({
    output(chunk, { decoderConfig }) {
      if (decoderConfig?.description) description = [...new Uint8Array(decoderConfig.description)];
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      out.push({ key: chunk.type === 'key', bytes: [...bytes] });
    },
    error(error) {
      throw error;
    },
  });
  encoder.configure({ codec: 'avc1.42E00D', width, height, bitrate: 48_000, framerate: fps, latencyMode: 'realtime', avc: { format: 'avc' } });
  const bars = ['#d8d3c4', '#c9a650', '#3f8f86', '#2f7d4f', '#8a4f86', '#9c3b32', '#2c4f86'];
  for (let n = 0; n < frames; n += 1) {
    bars.forEach((colour, at) => {
      draw.fillStyle = colour;
      draw.fillRect((at * width) / bars.length, 0, width / bars.length + 1, height);
    });
    draw.fillStyle = '#0a1f15';
    draw.fillRect(0, height * 0.72, width, height * 0.28);
    draw.beginPath();
    draw.arc(width / 2, height * 0.36, height * 0.27, 0, 7);
    draw.fill();
    draw.strokeStyle = '#f2ecd8';
    draw.lineWidth = 6;
    const angle = (n / frames) * 2 * Math.PI - Math.PI / 2;
    draw.beginPath();
    draw.moveTo(width / 2, height * 0.36);
    draw.lineTo(width / 2 + Math.cos(angle) * height * 0.22, height * 0.36 + Math.sin(angle) * height * 0.22);
    draw.stroke();
    draw.fillStyle = '#f2ecd8';
    draw.font = 'bold 26px sans-serif';
    draw.textAlign = 'center';
    draw.fillText('TEST PICTURE', width / 2, height * 0.91);
    const frame = new VideoFrame(canvas, { timestamp: (n * 1e6) / fps, duration: 1e6 / fps });
    encoder.encode(frame, { keyFrame: n % each === 0 });
    frame.close();
  }
  await encoder.flush();
  return { out, description };
}

const u8 = (...bytes) => Buffer.from(bytes);
const u16 = (n) => Buffer.from([n >> 8, n & 255]);
const u32 = (...all) => {
  const bytes = Buffer.alloc(4 * all.length);
  all.forEach((n, at) => bytes.writeUInt32BE(n >>> 0, 4 * at));
  return bytes;
};
const u64 = (n) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(n));
  return bytes;
};
const box = (name, ...parts) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), Buffer.from(name, 'ascii'), body]);
};
/** A box with a version and flags. */
const full = (name, version, flags, ...parts) => box(name, u32((version << 24) | flags), ...parts);
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** What stands before the first fragment. */
function head(avcc) {
  const sample = box('avc1', Buffer.alloc(6), u16(1), Buffer.alloc(16), u16(WIDTH), u16(HEIGHT), u32(0x480000, 0x480000, 0), u16(1), Buffer.alloc(32), u16(24), u16(0xffff), box('avcC', avcc));
  const table = box('stbl', full('stsd', 0, 0, u32(1), sample), full('stts', 0, 0, u32(0)), full('stsc', 0, 0, u32(0)), full('stsz', 0, 0, u32(0, 0)), full('stco', 0, 0, u32(0)));
  const media = box(
    'mdia',
    full('mdhd', 0, 0, u32(0, 0, TICKS, 0), u16(0x55c4), u16(0)),
    full('hdlr', 0, 0, u32(0), Buffer.from('vide'), u32(0, 0, 0), u8(0)),
    box('minf', full('vmhd', 0, 1, Buffer.alloc(8)), box('dinf', full('dref', 0, 0, u32(1), full('url ', 0, 1))), table),
  );
  const track = box('trak', full('tkhd', 0, 3, u32(0, 0, 1, 0, 0, 0, 0), u16(0), u16(0), u16(0), u16(0), MATRIX, u32(WIDTH << 16, HEIGHT << 16)), media);
  return Buffer.concat([
    box('ftyp', Buffer.from('iso6'), u32(0), Buffer.from('iso6mp41')),
    box('moov', full('mvhd', 0, 0, u32(0, 0, TICKS, 0, 0x10000), u16(0x0100), Buffer.alloc(10), MATRIX, Buffer.alloc(24), u32(2)), track, box('mvex', full('trex', 0, 0, u32(1, 1, 0, 0, 0)))),
  ]);
}

/** One fragment; the house writes its place in time into `tfdt`. */
function fragment(number, samples) {
  const make = (offset) => {
    const rows = samples.map(({ key, bytes }) => u32(TICKS / FPS, bytes.length, key ? 0x02000000 : 0x01010000));
    const run = full('trun', 0, 0x000701, u32(samples.length, offset), ...rows);
    return box('moof', full('mfhd', 0, 0, u32(number)), box('traf', full('tfhd', 0, 0x020000, u32(1)), full('tfdt', 1, 0, u64((number - 1) * SECONDS * TICKS)), run));
  };
  const length = make(0).length;
  return Buffer.concat([make(length + 8), box('mdat', ...samples.map(({ bytes }) => Buffer.from(bytes)))]);
}

const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] });
const context = await browser.newContext();
await context.route('http://localhost/', (route) => route.fulfill({ body: '<title>clip</title>', contentType: 'text/html' }));
const page = await context.newPage();
await page.goto('http://localhost/');
const each = FPS * SECONDS;
const { out, description } = await page.evaluate(encode, { width: WIDTH, height: HEIGHT, fps: FPS, frames: each * FRAGMENTS, each });
await browser.close();
const fragments = Array.from({ length: FRAGMENTS }, (_, at) => fragment(at + 1, out.slice(at * each, (at + 1) * each)));
const clip = Buffer.concat([head(Buffer.from(description)), ...fragments]);
writeFileSync(process.argv[2], clip);
process.stdout.write(`${clip.length} bytes, avcC ${Buffer.from(description).toString('hex')}, fragments of ${fragments.map(({ length }) => length).join(', ')}\n`);
