// The camera over a table: it plays beside the board and on the wall, by the browser itself or by the library; it says so
// when it is cut; it shows no dice that the house has not told, and delays nothing.
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { accessible } from './lib/axe';
import { PHONE, WALL } from './lib/browser';
import { Dealer } from './lib/dealer';
import { House, type TableSpec } from './lib/house';
import { picture } from './lib/pictures';
import { browser, house, openTables, stage } from './lib/stage';
import { Terminal } from './lib/terminal';

/** Somebody else's machine that streams: the house's own test picture, from another origin. */
class Elsewhere {
  origin = '';
  cut = false;
  #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', this.origin);
      if (this.cut) return void request.socket.destroy();
      fetch(`${house.origin}/api/tables/${COVERED}/camera${pathname}`).then(
        async (found) => {
          response.writeHead(found.status, { 'access-control-allow-origin': '*', 'content-type': found.headers.get('content-type') ?? '' });
          response.end(Buffer.from(await found.arrayBuffer()));
        },
        () => request.socket.destroy(),
      );
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((up) => this.#server.listen(0, '127.0.0.1', up));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    this.origin = `http://127.0.0.1:${address.port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const COVERED = 'rws-etg';
const OPEN = 'rws-open-cover';
const NONE = 'mbs-etg';
const elsewhere = new Elsewhere();
let tables: TableSpec[] = [];
stage(async () => {
  await elsewhere.listen();
  tables = [
    { name: COVERED, book: COVERED, stations: [{ layout: 'c', count: 6 }], more: 'camera = "test"' },
    { name: OPEN, book: OPEN, stations: [{ layout: 'c', count: 6 }], more: `camera = "${elsewhere.origin}/live.m3u8"` },
    { name: NONE, book: NONE, stations: [{ layout: 'rapid', count: 4 }] },
  ];
  return House.open(tables);
});
beforeAll(() => openTables(tables));
afterAll(() => elsewhere.close());
const dealer = (table: string): Dealer => new Dealer(house, table, table);

const video = (page: Page): Locator => page.locator('.camera-picture video');
const time = (page: Page): Promise<number> => video(page).evaluate((seen: HTMLVideoElement) => seen.currentTime);
/** Frames are drawn and time goes on. */
async function plays(page: Page): Promise<void> {
  await page.locator('.camera-picture[data-picture=playing]').waitFor({ state: 'attached' });
  const before = await time(page);
  await expect.poll(() => time(page)).toBeGreaterThan(before + 1);
  expect(await video(page).evaluate((seen: HTMLVideoElement) => [seen.muted, seen.paused, seen.videoWidth > 0])).toEqual([true, false, true]);
}
const visible = (page: Page): Promise<boolean> => video(page).evaluate((seen) => seen.checkVisibility({ checkVisibilityCSS: true }));
/** As a browser that has no HLS of its own. */
async function withoutHls(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    HTMLMediaElement.prototype.canPlayType = () => '';
  });
}

test('beside the board it plays once the stage has been fetched, silent, and never shows dice before the house tells them', async () => {
  const terminal = await Terminal.sit(await browser.station({ origin: house.origin, calm: false }), COVERED);
  const { page } = terminal;
  await terminal.insert('100');
  await page.locator('.camera-door button', { hasText: 'Show the camera' }).waitFor();
  expect(await page.locator('video').count()).toBe(0);
  const deal = dealer(COVERED);
  await deal.act({ act: 'activate_tumbler' });
  await plays(page);
  expect(await visible(page)).toBe(true);
  await page.locator('.camera figcaption', { hasText: 'The result that the house announces counts' }).waitFor();
  await deal.act({ act: 'report_tumbles', count: 3, all_dice_moved: true });
  await deal.act({ act: 'call_bets' });
  await terminal.says(/place your bets/i);
  expect(await visible(page)).toBe(true);
  await accessible(page, 'a terminal with a camera');
  await picture(page, 'camera-terminal-en-1280');
  await terminal.tap('big');
  // The cover is lifted: from here on a picture would tell.
  await deal.closeBets();
  await deal.everyoneShown();
  await page.locator('.camera-picture.veiled', { hasText: 'The dice are being read' }).waitFor();
  expect(await visible(page)).toBe(false);
  for (const act of [{ act: 'uncover' }, { act: 'confirm_flat' }, { act: 'key_dice', dice: [1, 4, 6] }]) await deal.act(act);
  expect(await visible(page)).toBe(false);
  await deal.act({ act: 'confirm_result' });
  await page.locator('.camera-picture:not(.veiled)').waitFor();
  expect(await page.locator('.stage .tumbler[data-tumbler=shown]').count()).toBe(1);
  await terminal.card().waitFor();
  await plays(page);
});

test('it can be hidden for good, and is not shown unasked to whoever wants little motion; a phone has it above the roads', async () => {
  const context = await browser.station({ origin: house.origin, size: PHONE, touch: true });
  const terminal = await Terminal.sit(context, COVERED, true);
  const { page } = terminal;
  await terminal.insert('100');
  await dealer(COVERED).callBets();
  await dealer(COVERED).finish([1, 2, 3]);
  await page.locator('.glow').first().waitFor();
  await page.locator('.tools button', { hasText: 'Roads' }).tap();
  const show = page.locator('.camera-door button', { hasText: 'Show the camera' });
  await show.waitFor();
  expect(await page.locator('video').count()).toBe(0);
  await show.tap();
  await plays(page);
  await picture(page, 'camera-roads-en-phone');
  await accessible(page, 'a camera on a phone');
  await page.locator('.camera button', { hasText: 'Hide' }).tap();
  await show.waitFor();
  expect(await page.locator('video').count()).toBe(0);
  await page.reload();
  await page.locator('.tools button', { hasText: 'Roads' }).tap();
  await show.waitFor();
  expect(await page.locator('video').count()).toBe(0);
});

test('a wall without HLS of its own plays a stream from elsewhere, says when it is cut, and finds it again', async () => {
  const context = await browser.station({ origin: house.origin, size: WALL, calm: false });
  await withoutHls(context);
  const wall = await context.newPage();
  const asked: string[] = [];
  wall.on('request', (request) => asked.push(request.url()));
  await wall.goto(`/wall/${OPEN}`);
  await plays(wall);
  // The library and its worker are files of the house; pictures come from the one origin of the plan.
  expect(asked.some((url) => url.startsWith(`${house.origin}/assets/`) && /hls/.test(url))).toBe(true);
  expect([...new Set(asked.map((url) => new URL(url).origin).filter((origin) => origin.startsWith('http')))].sort()).toEqual([house.origin, elsewhere.origin].sort());
  await wall.locator('.filmed').waitFor();
  await picture(wall, 'camera-wall-en-1920');
  await accessible(wall, 'a wall with a camera');

  elsewhere.cut = true;
  await wall.locator('.watch', { hasText: 'Camera not available' }).waitFor();
  await wall.locator('.picture:not(.filmed) > .tumbler').waitFor();
  // The game goes on without it.
  const deal = dealer(OPEN);
  await deal.callBets();
  await deal.finish([2, 3, 6]);
  await wall.locator('.total .badge').waitFor();
  elsewhere.cut = false;
  await deal.callBets();
  await plays(wall);
  await wall.locator('.filmed').waitFor();
  await deal.closeBets();
  await deal.everyoneShown();
  await deal.act({ act: 'activate_tumbler' });
  // Dice in the air may be watched; dice at rest are the house's to tell.
  await wall.locator('.tumbler[data-tumbler=tumbling]').waitFor({ state: 'attached' });
  expect(await visible(wall)).toBe(true);
  await deal.act({ act: 'report_tumbles', count: 3, all_dice_moved: true });
  await wall.locator('.picture:not(.filmed)').waitFor();
  expect(await visible(wall)).toBe(false);
  for (const act of [{ act: 'confirm_flat' }, { act: 'key_dice', dice: [1, 4, 6] }, { act: 'confirm_result' }]) await deal.act(act);
  await wall.locator('.tumbler[data-tumbler=shown]').waitFor();
});

test('pages may fetch from the origin of the plan and from no other; a table without a camera asks for nothing of it', async () => {
  const policy = (await fetch(house.origin)).headers.get('content-security-policy') ?? '';
  expect(policy).toContain(`connect-src 'self' ${elsewhere.origin};`);
  expect(policy).toContain(`media-src 'self' blob: ${elsewhere.origin};`);
  const page = await (await browser.station({ origin: house.origin, calm: false })).newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`/play/${NONE}`);
  await page.locator('.spot').first().waitFor();
  expect(asked.filter((url) => /camera|hls|m3u8/i.test(url))).toEqual([]);
  expect(await page.locator('.camera-door').count()).toBe(0);
  const other = elsewhere.origin.replace(/\d+$/, '1');
  expect(await page.evaluate((url) => fetch(url).then(() => 'fetched', () => 'refused'), other)).toBe('refused');
  const complaint = browser.complaints.splice(0).filter((text) => text.includes(other));
  expect(complaint.join()).toMatch(/Content Security Policy/);
  // Nobody makes up fragments that have not been, and other tables have none.
  for (const path of [`${NONE}/camera/live.m3u8`, `${OPEN}/camera/live.m3u8`, `${COVERED}/camera/99999.m4s`, 'no-such/camera/live.m3u8'])
    expect((await fetch(`${house.origin}/api/tables/${path}`)).status, path).toBe(404);
});
