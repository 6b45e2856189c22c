// The wall at every size a room may have, in Singapore's dollars and in dong:
// nothing cut off, nothing over anything else, legible from six metres.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { accessible } from './lib/axe';
import { WALL } from './lib/browser';
import { faint } from './lib/contrast';
import { Dealer, type Dice } from './lib/dealer';
import { House, type TableSpec } from './lib/house';
import { picture } from './lib/pictures';
import { browser, house, openTables, stage } from './lib/stage';

const TABLES: TableSpec[] = [
  {
    name: 'sic-bo-7',
    book: 'rws-open-cover',
    stations: [{ layout: 'a', count: 2 }, { layout: 'c', count: 2 }],
    limits: { minimum: '5', maximum: '500', small: '{ maximum = "2000" }', big: '{ maximum = "2000" }', triple: '{ maximum = "50" }', single: '{ maximum = "300" }', total: '{ maximum = "250" }' },
  },
  {
    name: 'tai-xiu-1',
    book: 'quang-nam-table',
    stations: [{ layout: 'a', count: 7 }],
    limits: { maximum: '20000000', station_maximum: '2000000000', exposure_maximum: '20000000000', triple: '{ maximum = "500000" }', single: '{ maximum = "5000000" }', total: '{ maximum = "2000000" }' },
  },
];
const SIZES = ['1024×768', '1366×768', '1920×1080', '2560×1440', '3840×2160', '1080×1920'] as const;
const PAST: Dice[] = [[1, 2, 3], [6, 6, 2], [2, 4, 5], [4, 4, 4], [3, 5, 6], [1, 1, 5], [2, 3, 3], [5, 5, 6], [1, 4, 6], [2, 2, 3], [3, 4, 6], [1, 4, 6]];

stage(() => House.open(TABLES, 'Hội An Riverside'));
const dealer = (name: string): Dealer => new Dealer(house, name, TABLES.find((table) => table.name === name)?.book ?? '');
beforeAll(async () => {
  await openTables(TABLES);
  await Promise.all(
    TABLES.map(async ({ name }) => {
      for (const dice of PAST) {
        await dealer(name).callBets();
        await dealer(name).finish(dice);
      }
    }),
  );
});

async function at(table: string, size: string, language: 'en' | 'zh-Hans' | 'vi'): Promise<Page> {
  const [width = 0, height = 0] = size.split('×').map(Number);
  const page = await (await browser.station({ origin: house.origin, size: { width, height }, language })).newPage();
  await page.goto(`/wall/${table}`);
  await page.locator('.winners li').first().waitFor();
  await page.locator('.beads .bead').first().waitFor();
  return page;
}

/** Boxes of a wall that are not whole, lie outside their own part, or over another part. */
async function faults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const box = (one: Element): DOMRect => one.getBoundingClientRect();
    const parts = ['header', '.news', 'main', '.limits', 'footer'].map((name) => [name, document.querySelector(`.wall > ${name}`)] as const);
    let bottom = 0;
    for (const [name, part] of parts) {
      if (!part) return [`no ${name}`];
      const { top, bottom: end, left, right } = box(part);
      if (top < bottom - 1) found.push(`${name} begins at ${top} over what ends at ${bottom}`);
      if (end > innerHeight + 1 || left < -1 || right > innerWidth + 1) found.push(`${name} is outside the screen`);
      bottom = end;
    }
    const inside = (query: string, of: string): void => {
      const frame = document.querySelector(of);
      if (!frame) return void found.push(`no ${of}`);
      const outer = box(frame);
      const all = [...document.querySelectorAll<HTMLElement>(query)];
      if (all.length === 0) found.push(`no ${query}`);
      for (const one of all) {
        const { top, bottom, left, right, width } = box(one);
        if (width === 0 || top < outer.top - 1 || bottom > outer.bottom + 1 || left < outer.left - 1 || right > outer.right + 1) found.push(`${query} ${one.textContent} is cut by ${of}`);
      }
    };
    inside('.limits li', '.limits');
    inside('.limits b', '.limits');
    inside('.limits span', '.limits');
    inside('.winners li', '.now');
    inside('.now .badge', '.now');
    inside('.tumbler', '.now');
    inside('.phase', 'header');
    inside('h1', 'header');
    inside('.shares span', '.past');
    inside('.pay-table dl > div, .last-results li, .loop svg', '.loop');
    inside('.news > *', '.news');
    // The total does not lie over the dice, nor the bets that won over the total.
    const order = ['.picture', '.total', '.winners'].map((query) => document.querySelector(query)).filter((one) => one !== null).map(box);
    for (const [n, one] of order.entries()) if (n > 0 && one.top < (order[n - 1]?.bottom ?? 0) - 1) found.push(`part ${n} of the result lies over the one before`);
    for (const one of document.querySelectorAll('.wall, .wall main')) if (one.scrollHeight > one.clientHeight + 1) found.push(`${one.className || one.tagName} would have to be scrolled`);
    return found;
  });
}

/** Sizes on the screen, in px of a wall of 1080. */
async function sizes(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() => {
    const scale = innerWidth > innerHeight ? Math.max(1080 / innerHeight, 1920 / innerWidth) : Math.max(1920 / innerHeight, 1080 / innerWidth);
    const font = (query: string): number => {
      const one = document.querySelector(query);
      if (!one) return 0;
      const drawn = one instanceof SVGElement ? ((one as SVGGraphicsElement).getScreenCTM?.()?.a ?? 1) : 1;
      return parseFloat(getComputedStyle(one).fontSize) * drawn * scale;
    };
    const tall = (query: string): number => (document.querySelector(query)?.getBoundingClientRect().height ?? 0) * scale;
    // A bead of a big road is a ring: its line counts.
    const ring = document.querySelector<SVGGraphicsElement>('.roads circle');
    const line = ring ? parseFloat(getComputedStyle(ring).strokeWidth) * (ring.getScreenCTM()?.a ?? 0) * scale : 0;
    return { bead: font('.beads .total'), circle: tall('.roads circle') + line, total: font('.now .badge strong'), die: tall('.tumbler .drawn .die'), limits: font('.limits b') };
  });
}

describe.each(SIZES)('%s', (size) => {
  test.each([['sic-bo-7', 'en'], ['sic-bo-7', 'zh-Hans'], ['tai-xiu-1', 'vi']] as const)('%s in %s is whole and can be read from six metres', async (table, language) => {
    const page = await at(table, size, language);
    await expect.poll(() => faults(page)).toEqual([]);
    const found = await sizes(page);
    expect(found['bead'], 'digits of the beads (P-046)').toBeGreaterThanOrEqual(40);
    expect(found['circle'], 'beads of the big roads').toBeGreaterThanOrEqual(40);
    expect(found['total'], 'the total').toBeGreaterThanOrEqual(80);
    expect(found['die'], 'each die').toBeGreaterThanOrEqual(100);
    expect(found['limits'], 'limits').toBeGreaterThanOrEqual(24);
    await picture(page, `wall-${table}-${language}-${size.replace('×', 'x')}`);
    if (size === '1920×1080' || size === '1080×1920') await accessible(page, `wall ${language} ${size}`);
    await page.context().close();
  });
});

test('what is read from afar differs from its ground on the screen itself: at least 4.5 to 1', async () => {
  const page = await at('sic-bo-7', '1920×1080', 'en');
  await expect.poll(() => faults(page)).toEqual([]);
  expect(await faint(page, '.wall', 4.5)).toEqual([]);
});

test('notices have a row of their own: a void round covers neither dice nor roads nor limits', async () => {
  const walls = await Promise.all([at('tai-xiu-1', '1920×1080', 'vi'), at('tai-xiu-1', '1080×1920', 'vi'), at('tai-xiu-1', '1024×768', 'vi')]);
  await dealer('tai-xiu-1').callBets();
  await dealer('tai-xiu-1').act({ act: 'declare_void', cause: 'dice-exposed-early' });
  for (const wall of walls) {
    await wall.locator('.news .banner', { hasText: 'vô hiệu' }).waitFor();
    const all = async (): Promise<string[]> => (await faults(wall)).filter((fault) => !/no \.(winners|now \.badge)/.test(fault));
    await expect.poll(all).toEqual([]);
    expect(await wall.locator('.news .banner').innerText()).toMatch(/quang-nam-table 7\.3/);
  }
  await accessible(walls[0], 'wall void');
  await picture(walls[0], 'wall-void-vi-1920x1080');
  await dealer('tai-xiu-1').callBets();
  await dealer('tai-xiu-1').finish([1, 4, 6]);
});

test('between rounds it says so, and shows its pages in turn: every pay table by name, results, totals, faces', async () => {
  const page = await at('sic-bo-7', '1920×1080', 'en');
  await page.locator('.news', { hasText: 'Next round shortly' }).waitFor();
  const seen = new Set<string>();
  await expect
    .poll(async () => {
      seen.add((await page.locator('.page').first().getAttribute('data-page')) ?? '');
      return [...seen].sort();
    })
    .toEqual(['a', 'c', 'faces', 'last', 'totals']);
  // Shares are of the rounds that are on the road.
  expect((await page.locator('.shares').innerText()).replaceAll(/\s+/g, ' ')).toMatch(/Big 58 % Triple 8 % Small 33 %/);
});

test('it names the dealer, whole, at every size; whoever deals next is named with the next round', async () => {
  const walls = await Promise.all((['1024×768', '1920×1080', '1080×1920'] as const).map((size) => at('sic-bo-7', size, 'en')));
  await dealer('sic-bo-7').callBets();
  const { tables } = (await house.ask('pit-supervisor', 'GET', '/api/pit')) as { tables: { table: string; dealer: { name: string } | null }[] };
  const name = tables.find((one) => one.table === 'sic-bo-7')?.dealer?.name ?? '';
  expect(name).toMatch(/\w/);
  for (const wall of walls) {
    await wall.locator('header .dealer', { hasText: `Dealer: ${name}` }).waitFor();
    expect(await wall.locator('header .dealer').evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  }
  await dealer('sic-bo-7').finish([1, 4, 6]);
});

test('a table that does not exist is said to be missing', async () => {
  const page = await (await browser.station({ origin: house.origin, size: WALL })).newPage();
  await page.goto('/wall/no-such-table');
  await page.locator('h1', { hasText: 'There is no table called no-such-table here.' }).waitFor();
  await accessible(page, 'wall of no table');
  await page.goto('/wall/sic-bo-7');
  await page.locator('.limits li').first().waitFor();
});
