// The order in which a screen tells a round, as what can be seen: on a terminal
// and a wall, of the covered and of the open game, with and without movement.
import { beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { House, type TableSpec } from './lib/house';
import { Terminal } from './lib/terminal';
import { browser, house, openTables, stage } from './lib/stage';
import { picture } from './lib/pictures';
import { decoded } from './lib/pixels';
import { PHONE } from './lib/browser';
import { Dealer } from './lib/dealer';
import { accessible } from './lib/axe';

const TABLES: TableSpec[] = [
  { name: 'covered', book: 'rws-etg', stations: [{ layout: 'c', count: 9 }] },
  { name: 'open', book: 'rws-open-cover', stations: [{ layout: 'c', count: 9 }] },
];
stage(() => House.open(TABLES));
beforeAll(() => openTables(TABLES));
const dealer = (name: string): Dealer => new Dealer(house, name, TABLES.find((table) => table.name === name)?.book ?? '');

/** What is looked for: each by what shows it. `more` counts against what was there. */
const TERMINAL = {
  dice: '.stage[data-stage=on] .tumbler[data-tumbler=shown] :is(.drawn .die, canvas.seen)',
  'dice in the strip': '.strip .tray .die',
  total: '.stage .badge',
  'total in the strip': '.strip .badge',
  spoken: '.unseen',
  lit: '.glow',
  paid: '.stack .paid',
  swept: '.stack.swept',
  winnings: '.winnings',
  card: 'article.card',
  credit: '[data-figure=credit]',
};
/** Somebody without bets has the roads beside the board, and no card over them. */
const ONLOOKER = {
  dice: '.stage[data-stage=on] .tumbler[data-tumbler=shown] :is(.drawn .die, canvas.seen)',
  total: '.stage .badge',
  lit: '.glow',
  newest: '.side .newest li',
  bead: '.side .bead',
  road: '.side .road circle',
};
const WALL = {
  dice: '.tumbler[data-tumbler=shown] :is(.drawn .die, canvas.seen)',
  total: '.total:not(.past) .badge',
  spoken: '.unseen',
  lit: '.winners li',
  bead: '.beads .bead',
  road: '.roads circle',
  last: '.last-results li',
};

/** Notes when each first comes to be seen; those that came in one turn stand together. */
async function note(page: Page, what: Record<string, string>): Promise<void> {
  await page.evaluate((what) => {
    const text = (query: string): string => [...document.querySelectorAll(query)].map((one) => one.textContent).join();
    const visible = (query: string): number => [...document.querySelectorAll(query)].filter((one) => one.checkVisibility({ checkVisibilityCSS: true })).length;
    // What is said, and figures, are news when they change; everything else when there is more of it.
    const state = (name: string, query: string): string | number => (['spoken', 'credit'].includes(name) ? text(query) : visible(query));
    const before = new Map(Object.entries(what).map(([name, query]) => [name, state(name, query)]));
    const order: string[][] = [];
    const seen = new Set<string>();
    const look = (): void => {
      const fresh: string[] = [];
      for (const [name, query] of Object.entries(what)) {
        if (seen.has(name)) continue;
        const now = state(name, query);
        const was = before.get(name) ?? 0;
        if (typeof now === 'string' ? now !== was && (name !== 'spoken' || now.includes('total')) : now > Number(was)) fresh.push(name);
        // Dice of the round before were taken away.
        if (typeof now === 'number' && now < Number(was)) before.set(name, now);
      }
      for (const name of fresh) seen.add(name);
      if (fresh.length > 0) order.push(fresh);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    Object.assign(window, { order });
  }, what);
}

const noted = (page: Page): Promise<string[][]> => page.evaluate(() => (window as unknown as { order: string[][] }).order);

/** Nothing of the dice can be seen: neither drawn nor in three dimensions. */
async function noDice(page: Page): Promise<void> {
  expect(await page.locator('.tumbler .drawn .die, .tumbler canvas.seen, .strip .tray .die').count()).toBe(0);
}

for (const [table, calm] of [['covered', true], ['covered', false], ['open', true], ['open', false]] as const)
  test(`${table}${calm ? ', without movement' : ''}: dice, total, lit spots, chips, roads; none before the one before it`, async () => {
    const deal = dealer(table);
    const open = table === 'open';
    const station = { origin: house.origin, calm };
    const terminal = await Terminal.sit(await browser.station(station), table);
    const { page } = terminal;
    const wall = await (await browser.station({ ...station, size: { width: 1920, height: 1080 } })).newPage();
    await wall.goto(`/wall/${table}`);
    await wall.locator('.limits li').first().waitFor();
    const { page: aside } = await Terminal.sit(await browser.station(station), table);
    await aside.getByRole('button', { name: 'Just watch' }).click();
    await terminal.insert('100');

    if (!open) {
      await deal.act({ act: 'activate_tumbler' });
      for (const seen of [page, wall]) {
        await seen.locator('.tumbler[data-tumbler=shaking]').waitFor();
        await noDice(seen);
        // Tumbles are counted by the house, not by a clock.
        expect(await seen.locator('.dot.done').count()).toBe(0);
      }
      await page.locator('[data-stage=on]').waitFor();
      await deal.act({ act: 'report_tumbles', count: 3, all_dice_moved: true });
      await wall.locator('.dot.done').nth(2).waitFor();
      await page.locator('.strip .dot.done').nth(2).waitFor();
    }
    await deal.act({ act: 'call_bets' });
    await terminal.says(/place your bets/i);
    // Nothing lies over the layout while it takes bets.
    await page.locator('[data-stage=off]').waitFor({ state: 'attached' });
    // Big wins twice what small loses: there is something to count up, and something to sweep.
    for (const section of ['big', 'small', 'big']) await terminal.tap(section);
    await terminal.figure('bets', '15.00');
    await deal.closeBets();
    await deal.everyoneShown();
    if (open) {
      await deal.act({ act: 'activate_tumbler' });
      for (const seen of [page, wall]) {
        await seen.locator('.tumbler[data-tumbler=tumbling]').waitFor();
        expect(await seen.locator('.dot.done').count()).toBe(0);
      }
      await deal.act({ act: 'report_tumbles', count: 3, all_dice_moved: true });
    } else await deal.act({ act: 'uncover' });
    for (const act of [{ act: 'confirm_flat' }, { act: 'key_dice', dice: [1, 4, 6] }]) await deal.act(act);
    // In the middle of the screen, not only in the strip above it: what comes next is watched there.
    await page.locator('.stage .says', { hasText: 'The dice are being read' }).waitFor();
    await wall.locator('.says', { hasText: 'The dice are being read' }).waitFor();
    // Read, and not confirmed: no face is known here, and no die without pips is drawn.
    for (const seen of [page, wall]) await noDice(seen);
    const bets = await page.locator('[data-figure=bets]').innerText();
    await note(page, TERMINAL);
    await note(wall, WALL);
    await note(aside, ONLOOKER);
    await deal.act({ act: 'confirm_result' });

    await terminal.card().waitFor();
    await terminal.figure('credit', '105.00');
    await expect.poll(async () => (await noted(wall)).flat()).toContain('road');
    await expect.poll(async () => (await noted(aside)).flat()).toContain('road');
    const told = await noted(page);
    const at = (name: string): number => told.findIndex((turn) => turn.includes(name));
    for (const name of ['dice', 'total', 'spoken', 'lit', 'paid', 'swept', 'winnings', 'card']) expect(at(name), `${name} in ${JSON.stringify(told)}`).toBeGreaterThanOrEqual(0);
    expect(at('dice in the strip')).toBe(at('dice'));
    for (const [first, then] of [['dice', 'total'], ['dice', 'total in the strip'], ['dice', 'spoken'], ['total', 'lit'], ['lit', 'paid'], ['lit', 'swept'], ['lit', 'winnings'], ['lit', 'card']] as const)
      expect(at(first), `${first} before ${then} in ${JSON.stringify(told)}`).toBeLessThan(at(then));
    // The bets stood until they were paid and taken; one that lost is gone.
    expect(bets).toBe('15.00');
    // Paid, taken and counted belong together: what was lost is not left standing while the win is told.
    expect(at('swept')).toBe(at('paid'));
    // The roads come last, for whoever has bets as for whoever looks on.
    const looked = await noted(aside);
    const on = (name: string): number => looked.findIndex((turn) => turn.includes(name));
    for (const [first, then] of [['dice', 'total'], ['total', 'lit'], ['lit', 'newest'], ['lit', 'bead'], ['lit', 'road']] as const)
      expect(on(first), `${first} before ${then} in ${JSON.stringify(looked)}`).toBeLessThan(on(then));
    expect(on('bead')).toBe(on('road'));
    expect(on('newest')).toBe(on('road'));
    const onWall = await noted(wall);
    const seen = (name: string): number => onWall.findIndex((turn) => turn.includes(name));
    for (const [first, then] of [['dice', 'total'], ['dice', 'spoken'], ['total', 'lit'], ['lit', 'bead'], ['lit', 'road']] as const)
      expect(seen(first), `${first} before ${then} in ${JSON.stringify(onWall)}`).toBeLessThan(seen(then));
    expect(seen('road')).toBe(seen('bead'));
    await page.locator('[data-stage=off]').waitFor({ state: 'attached' });
    await accessible(page, `${table} after the result`);
    await accessible(wall, `wall of ${table} after the result`);
  });

test('a page that is held up as the dice are shown still draws each step by itself', async () => {
  const terminal = await Terminal.sit(await browser.station({ origin: house.origin }), 'covered');
  const { page } = terminal;
  await terminal.insert('100');
  const deal = dealer('covered');
  await deal.callBets();
  await terminal.bet('big', '5');
  await deal.closeBets();
  await deal.everyoneShown();
  for (const act of [{ act: 'uncover' }, { act: 'confirm_flat' }, { act: 'key_dice', dice: [1, 4, 6] }]) await deal.act(act);
  await page.locator('.stage .says', { hasText: 'The dice are being read' }).waitFor();
  await page.evaluate((what) => {
    const seen = (query: string): boolean => [...document.querySelectorAll(query)].some((one) => one.checkVisibility({ checkVisibilityCSS: true }));
    const frames: string[] = [];
    const frame = (): void => {
      const now = Object.entries(what).filter(([, query]) => seen(query)).map(([name]) => name).join(' ');
      if (now !== (frames.at(-1) ?? '')) frames.push(now);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    // Longer than the whole telling takes without movement.
    const held = new MutationObserver(() => {
      if (document.querySelector('.strip .tray .die') === null) return;
      held.disconnect();
      for (const until = performance.now() + 2_000; performance.now() < until; );
    });
    held.observe(document.body, { subtree: true, childList: true });
    Object.assign(window, { frames });
  }, { dice: '.strip .tray .die', total: '.strip .badge', lit: '.glow', paid: '.stack .paid' });
  await deal.act({ act: 'confirm_result' });
  await terminal.card().waitFor();
  await page.locator('.stack .paid').waitFor();
  expect(await page.evaluate(() => (window as unknown as { frames: string[] }).frames)).toEqual(['dice', 'dice total', 'dice total lit', 'dice total lit paid']);
});

test('the strip is as high and as wide in every phase, on a desk and on a phone', async () => {
  for (const [size, touch, language] of [[{ width: 1280, height: 800 }, false, 'vi'], [{ width: 1280, height: 800 }, false, 'en'], [PHONE, true, 'vi']] as const) {
    const terminal = await Terminal.sit(await browser.station({ origin: house.origin, size, touch, language }), 'covered', touch);
    const deal = dealer('covered');
    const boxes: string[] = [];
    const box = async (phase: string): Promise<void> => {
      const { width, height } = (await terminal.page.locator('.strip .tray').boundingBox()) ?? { width: 0, height: 0 };
      const told = (await terminal.page.locator('.strip .told > :nth-child(2)').boundingBox())?.height ?? 0;
      boxes.push(`${width.toFixed(1)} ${height.toFixed(1)} ${told.toFixed(1)}`);
      expect(boxes.at(-1), phase).toBe(boxes[0]);
    };
    await box('idle');
    await deal.act({ act: 'activate_tumbler' });
    await terminal.page.locator('[data-tumbler=shaking]').waitFor({ state: 'attached' });
    await box('tumbling');
    await deal.act({ act: 'report_tumbles', count: 3, all_dice_moved: true });
    await deal.act({ act: 'call_bets' });
    await terminal.page.locator('.phase.betting').waitFor();
    await box('betting');
    await deal.finish([2, 2, 5]);
    await terminal.page.locator('.strip .badge').waitFor();
    await box('result');
    // And what it tells is whole: total, side, odd or even.
    const [words, room] = await Promise.all(['.strip .badge > :last-child', 'header > .strip'].map((query) => terminal.page.locator(query).boundingBox()));
    expect((words?.x ?? Infinity) + (words?.width ?? 0), 'the result in the strip').toBeLessThanOrEqual((room?.x ?? 0) + (room?.width ?? 0));
    await terminal.page.context().close();
  }
});

test('where the device has WebGL, dice in the air and at rest are drawn with it, and not blank', async () => {
  const terminal = await Terminal.sit(await browser.station({ origin: house.origin, calm: false }), 'open');
  const { page } = terminal;
  const able = await page.evaluate(() => new OffscreenCanvas(8, 8).getContext('webgl2') !== null);
  await terminal.insert('100');
  const deal = dealer('open');
  await deal.callBets();
  await terminal.bet('big', '5');
  await deal.closeBets();
  await deal.everyoneShown();
  await deal.act({ act: 'activate_tumbler' });
  const solid = page.locator('.stage canvas.seen');
  // Drawn, where there is no WebGL, or where a first second has shown that the device is too slow for it.
  await solid.or(page.locator('.stage .drawn')).first().waitFor();
  if (able && (await solid.count()) === 1) {
    /** Pixels that the canvas puts over what lies below it, and how many colours they have. */
    const drawn = async (): Promise<{ pixels: number; colours: number }> => {
      const box = await solid.boundingBox();
      if (!box) throw new Error('no box');
      const seen = decoded(await page.screenshot({ clip: box }));
      const hide = await page.addStyleTag({ content: '.stage canvas { opacity: 0 !important; }' });
      const bare = decoded(await page.screenshot({ clip: box }));
      await hide.evaluate((one) => (one as Element).remove());
      const colours = new Set<number>();
      let pixels = 0;
      for (let at = 0; at < seen.bytes.length; at += seen.step) {
        const far = [0, 1, 2].reduce((sum, part) => sum + Math.abs((seen.bytes[at + part] ?? 0) - (bare.bytes[at + part] ?? 0)), 0);
        if (far < 30) continue;
        pixels += 1;
        colours.add((((seen.bytes[at] ?? 0) >> 4) << 8) | (((seen.bytes[at + 1] ?? 0) >> 4) << 4) | ((seen.bytes[at + 2] ?? 0) >> 4));
      }
      return { pixels, colours: colours.size };
    };
    const air = await drawn();
    process.stdout.write(`  dice in the air by WebGL: ${air.pixels} pixels in ${air.colours} colours\n`);
    expect(air.pixels, 'dice in the air').toBeGreaterThan(1_000);
    expect(air.colours, 'dice in the air').toBeGreaterThan(6);
  } else process.stdout.write(`  dice were drawn without WebGL: ${able ? 'too slow here' : 'there is none here'}\n`);
  for (const act of [{ act: 'report_tumbles', count: 3, all_dice_moved: true }, { act: 'confirm_flat' }, { act: 'key_dice', dice: [1, 4, 6] }]) await deal.act(act);
  await deal.act({ act: 'confirm_result' });
  await page.locator('.stage .tumbler[data-tumbler=shown] :is(canvas.seen, .drawn .die)').first().waitFor();
  await picture(page, 'stage-open-en-1280');
  await terminal.card().waitFor();
});

test('the stage as pictures', async () => {
  const terminal = await Terminal.sit(await browser.station({ origin: house.origin, calm: false }), 'covered');
  await dealer('covered').act({ act: 'activate_tumbler' });
  // Whoever is being welcomed sees no stage behind it.
  await terminal.page.locator('[data-stage=on]').waitFor({ state: 'attached' });
  expect(await terminal.page.locator('.stage').isVisible()).toBe(false);
  await terminal.insert('100');
  await terminal.page.locator('[data-stage=on]').waitFor();
  await accessible(terminal.page, 'stage');
  await picture(terminal.page, 'stage-covered-en-1280');
  await dealer('covered').act({ act: 'report_tumbles', count: 3, all_dice_moved: true });
  await dealer('covered').act({ act: 'call_bets' });
  await dealer('covered').finish([3, 4, 6]);
  await terminal.page.locator('.glow').first().waitFor();
});
