// Everyone can play: every size a terminal is met in, as a table. On each of
// them a newcomer finds the button to begin, reaches the language, puts a chip
// on a spot that is a finger wide, and sees no spot move from phase to phase.
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { accessible, atRest } from './lib/axe';
import type { Language } from './lib/browser';
import { Dealer } from './lib/dealer';
import { House, type TableSpec } from './lib/house';
import { picture } from './lib/pictures';
import { browser, house, stage } from './lib/stage';
import { Terminal } from './lib/terminal';

const TABLES: TableSpec[] = [
  { name: 'sic-bo-12', book: 'mbs-etg', stations: [{ layout: 'rapid', count: 40 }], limits: { minimum: '5', maximum: '500' } },
  { name: 'sic-bo-3', book: 'rws-etg', stations: [{ layout: 'a', count: 40 }], limits: { minimum: '5', maximum: '500' } },
];
const dealers = new Map<string, Dealer>();

stage(() => House.open(TABLES));
beforeAll(async () => {
  for (const { name, book } of TABLES) {
    const dealer = new Dealer(house, name, book);
    dealers.set(name, dealer);
    await dealer.open();
    await dealer.past();
  }
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') for (const deal of dealers.values()) await deal.afresh();
});
const dealer = (table: string): Dealer => dealers.get(table) as Dealer;

interface Seen {
  what: string;
  size: { width: number; height: number };
  touch: boolean;
  language: Language;
  table: string;
  settings?: Record<string, unknown>;
}

const RAPID = 'sic-bo-12';
const PLAIN = 'sic-bo-3';
const at = (what: string, width: number, height: number, language: Language, table: string, touch: boolean, settings?: Record<string, unknown>): Seen => ({ what, size: { width, height }, language, table, touch, ...(settings ? { settings } : {}) });

/** 200 % of 1280×800, phones both ways, tablets both ways, half windows, desks, a wall of pixels; letters twice as large. */
export const SEEN: Seen[] = [
  at('desk', 1280, 800, 'en', RAPID, false),
  at('desk-plain', 1280, 800, 'vi', PLAIN, false),
  at('zoomed', 640, 400, 'en', RAPID, false),
  at('zoomed-vi', 640, 400, 'vi', PLAIN, false),
  at('landscape', 844, 390, 'zh-Hans', RAPID, true),
  at('landscape-small', 667, 375, 'vi', PLAIN, true),
  at('phone', 390, 844, 'zh-Hant', RAPID, true),
  at('phone-bars', 390, 664, 'vi', RAPID, true),
  at('phone-small', 360, 640, 'en', RAPID, true),
  at('tablet', 768, 1024, 'vi', RAPID, true),
  at('tablet-plain', 760, 1024, 'zh-Hans', PLAIN, true),
  at('tablet-air', 820, 1180, 'en', PLAIN, true),
  at('half', 950, 800, 'vi', RAPID, false),
  at('tablet-lying', 1024, 768, 'vi', RAPID, true),
  at('full-hd', 1920, 1080, 'zh-Hans', RAPID, true),
  at('uhd', 3840, 2160, 'en', RAPID, true),
  at('letters-125', 1280, 800, 'en', RAPID, false, { text: 125 }),
  at('letters-200', 1280, 800, 'vi', RAPID, false, { text: 200 }),
];

/** Inside the window as a person sees it, once it has come to rest, and nothing lies over its middle. */
async function inSight(page: Page, what: string, selector: string): Promise<void> {
  await atRest(page);
  const fault = await page.evaluate((selector): string | null => {
    const one = [...document.querySelectorAll<HTMLElement>(selector)].find((each) => each.offsetParent !== null);
    if (!one) return 'not there';
    const { left, top, right, bottom, width, height } = one.getBoundingClientRect();
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) return `outside: ${[left, top, right, bottom].map(Math.round).join(' ')}`;
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit && (one.contains(hit) || hit.contains(one)) ? null : `under ${hit?.tagName}.${hit?.className}`;
  }, selector);
  expect(fault, `${what}: ${selector}`).toBeNull();
}

/** Every limit is whole, within the window, and nothing lies over any end of it. */
const limitsHidden = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...document.querySelectorAll<HTMLElement>('.limit-strip dd, .limit-strip dt')].flatMap((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return [...range.getClientRects()].flatMap(({ left, top, right, bottom }) => {
      if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) return [`${one.innerText} is outside`];
      return [left + 2, (left + right) / 2, right - 2].flatMap((x) => {
        const hit = document.elementFromPoint(x, (top + bottom) / 2);
        return hit && one.closest('.limit-strip')?.contains(hit) ? [] : [`${one.innerText} is under ${hit?.tagName}.${hit?.className}`];
      });
    });
  }));

/**
 * What lies under news where nothing may: spots, and the head of a card; and news that is not whole.
 * By their boxes, since a touch goes through some of what is seen.
 */
const newsFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const whole = (one: Element): DOMRect => one.getBoundingClientRect();
    const over = (a: DOMRect, b: DOMRect): boolean => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const board = whole(document.querySelector('.felt .scroll') as Element);
    const under = [...document.querySelectorAll<HTMLElement>('.spot, article.card header, [data-figure], .limit-strip')].filter((one) => one.checkVisibility());
    return [...document.querySelectorAll<HTMLElement>('.banner')].filter((one) => one.checkVisibility()).flatMap((news) => {
      const box = whole(news);
      const found = under
        // Spots that are scrolled out of the board are seen nowhere.
        .filter((one) => over(box, whole(one)) && (!one.matches('.spot') || over(box, board)))
        .map((one) => `${one.dataset['section'] ?? one.dataset['figure'] ?? one.tagName} under ${news.innerText}`);
      if (box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5) found.push(`${news.innerText} is outside`);
      const range = document.createRange();
      range.selectNodeContents(news.querySelector('.says') ?? news);
      const words = range.getBoundingClientRect();
      if (words.top < box.top - 1 || words.bottom > box.bottom + 1 || words.right > box.right + 1) found.push(`${news.innerText} is cut: ${Math.round(words.height)} in ${Math.round(box.height)}`);
      return found;
    });
  });

/** What of the pay table's name is not within the line it stands in. */
const nameCut = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const name = document.querySelector('header .layout-name');
    const line = name?.closest('.facts')?.getBoundingClientRect();
    if (!name || !line) return 'not there';
    const range = document.createRange();
    range.selectNodeContents(name);
    const out = [...range.getClientRects()].find((box) => box.left < line.left - 1 || box.right > line.right + 1 || box.top < line.top - 1 || box.bottom > line.bottom + 1);
    return out ? `${name.textContent}: ${[out.left, out.top, out.right, out.bottom].map(Math.round).join(' ')} in ${[line.left, line.top, line.right, line.bottom].map(Math.round).join(' ')}` : null;
  });

/** Where every spot is. */
const boxes = (page: Page): Promise<string> =>
  page.evaluate(() => [...document.querySelectorAll<HTMLElement>('.spot')].map((spot) => {
    const { x, y, width, height } = spot.getBoundingClientRect();
    return `${spot.dataset['section']} ${x.toFixed(1)} ${y.toFixed(1)} ${width.toFixed(1)} ${height.toFixed(1)}`;
  }).join('\n'));

/** Buttons with words that do not fit them. */
const cut = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...document.querySelectorAll<HTMLElement>('header button, footer button, header .phase strong')]
    .filter((one) => one.offsetParent !== null && (one.scrollWidth > one.clientWidth + 2 || one.scrollHeight > one.clientHeight + 3))
    .map((one) => `${one.className} ${one.textContent?.trim()} ${one.scrollWidth}>${one.clientWidth} ${one.scrollHeight}>${one.clientHeight}`));

describe.each(SEEN.map((one) => [one.what, one] as const))('%s', (what, seen) => {
  test('can be played, and no spot moves', async () => {
    const terminal = await Terminal.sit(await browser.station({ origin: house.origin, size: seen.size, touch: seen.touch, language: seen.language, ...(seen.settings ? { settings: seen.settings } : {}) }), seen.table, seen.touch);
    const { page } = terminal;
    const name = `${what}-${seen.language}-${seen.size.width}x${seen.size.height}`;
    await page.locator('.welcome .choices .brass').waitFor();
    await picture(page, `size-welcome-${name}`);
    await inSight(page, what, '.welcome .choices .brass');
    await inSight(page, what, 'nav.tools button:nth-of-type(7)');
    // The keys of whoever hears the screen begin at the welcome.
    expect(await page.evaluate(() => document.activeElement?.closest('.welcome') !== null), 'focus on the welcome').toBe(true);

    await terminal.insert('100');
    // Nothing had the keys any more: they are at the board.
    expect(await page.evaluate(() => document.activeElement?.matches('.spot')), 'focus on the board').toBe(true);
    const deal = dealer(seen.table);
    await deal.callBets();
    await page.locator('.phase.betting').waitFor();
    await terminal.choose('5');
    const before = await boxes(page);
    expect(before.split('\n').length, 'spots').toBeGreaterThan(8);
    for (const spot of before.split('\n')) {
      const [, , , width, height] = spot.split(' ').map(Number);
      // Half a window is for a mouse: a little less than a finger will do.
      expect(width, spot).toBeGreaterThanOrEqual(seen.touch ? 43.5 : 40);
      expect(height, spot).toBeGreaterThanOrEqual(seen.touch ? 43.5 : 40);
    }
    // Odds are read: small print of what can be bet on is never below 8 px. Doors have words.
    const small = await page.evaluate(() => [...document.querySelectorAll<SVGTextElement>('.layout g.cell:not(.caption) text.caption')].map((one) => `${one.textContent} ${one.getAttribute('font-size')}`).filter((one) => Number(one.split(' ').at(-1)) < 8));
    expect(small, 'small print').toEqual([]);
    expect(await page.locator('nav.tools button span').evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().width < 12).map((one) => one.textContent)), 'doors without words').toEqual([]);
    for (const section of ['big', 'total:11']) {
      await page.locator(`[data-section="${section}"]`).scrollIntoViewIfNeeded();
      await terminal.tap(section);
    }
    await terminal.figure('bets', seen.language === 'vi' ? '10,00' : '10.00');
    for (const selector of ['.ring', '.phase', '[data-figure="credit"]', '[role=radio][aria-checked=true]', '.actions button', 'nav.tools button:nth-of-type(7)']) await inSight(page, what, selector);
    // Chips and figures grow with the screen.
    if (what === 'uhd') {
      expect((await page.locator('.place .chip').first().boundingBox())?.width).toBeGreaterThan(80);
      expect(await page.evaluate(() => parseFloat(getComputedStyle(document.querySelector('[data-figure="credit"]') as Element).fontSize))).toBeGreaterThan(36);
    }
    await page.evaluate(() => document.querySelectorAll('.scroll').forEach((one) => one.scrollTo(0, 0)));
    await picture(page, `size-betting-${name}`);
    expect(await cut(page), 'words that are cut').toEqual([]);
    expect(await limitsHidden(page), 'limits').toEqual([]);
    expect(await nameCut(page), 'the name of the pay table').toBeNull();
    expect(await page.evaluate(() => [...document.querySelectorAll('.terminal > header, .terminal > footer, .terminal > footer > *')].filter((one) => one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).display !== 'contents').map((one) => `${one.tagName}.${one.className} ${one.scrollHeight} in ${one.clientHeight}`)), 'parts that are lower than what is in them').toEqual([]);
    // The builder takes the place of the doors: the board keeps its own.
    await terminal.press(page.locator('.actions .button[aria-pressed]'));
    await page.locator('.builder').waitFor();
    await terminal.press(page.locator('.builder .pick').nth(3));
    await page.locator('.cell.marked').first().waitFor();
    expect(await boxes(page), 'with the builder').toBe(before);
    expect(await limitsHidden(page), 'limits with the builder').toEqual([]);
    for (const key of ['.builder .pick:nth-of-type(1)', '.builder .pick:nth-of-type(6)', '.builder .button']) await inSight(page, what, key);
    await picture(page, `size-builder-${name}`);
    await terminal.press(page.locator('.actions .button[aria-pressed]'));
    await page.locator('.builder').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

    await deal.closeBets();
    await page.locator('.phase.closing, .phase.awaiting').waitFor();
    expect(await boxes(page), 'at the close').toBe(before);
    await deal.dice([4, 3, 4]);
    await terminal.card().waitFor();
    // Whoever reads it keeps it.
    await terminal.card().locator('ul').focus();
    expect(await boxes(page), 'at the result').toBe(before);
    await picture(page, `size-settled-${name}`);
    expect(await limitsHidden(page), 'limits at the result').toEqual([]);
    // What it came to is in sight, whole, however many lines there are; and so is the board, or most of it.
    await inSight(page, what, 'article.card .net dd');
    const [card, felt] = await Promise.all(['article.card', '.felt'].map((one) => page.locator(one).boundingBox()));
    if (card && felt) {
      const over = Math.max(0, Math.min(card.x + card.width, felt.x + felt.width) - Math.max(card.x, felt.x)) * Math.max(0, Math.min(card.y + card.height, felt.y + felt.height) - Math.max(card.y, felt.y));
      expect(over / (felt.width * felt.height), 'of the board under the card').toBeLessThan(0.8);
    }
    // The win is told whole: by the plaque on the board, or by the card that would lie over it.
    expect(await page.evaluate(() => {
      const [plaque, card] = ['.winnings', 'article.card'].map((one) => [...document.querySelectorAll(one)].find((each) => each.checkVisibility())?.getBoundingClientRect());
      return plaque !== undefined && card !== undefined && plaque.right > card.left && plaque.left < card.right && plaque.bottom > card.top && plaque.top < card.bottom;
    }), 'the win is half under the card').toBe(false);
    // Bets open again: the card stays to be read, and still nothing moves.
    await deal.callBets();
    await page.locator('.phase.betting').waitFor();
    expect(await terminal.card().isVisible(), 'the card while bets are open').toBe(true);
    expect(await boxes(page), 'when bets open').toBe(before);
    await terminal.press(terminal.card().locator('.close'));
    await terminal.card().waitFor({ state: 'detached' });
    expect(await boxes(page), 'when the card is closed').toBe(before);
    await accessible(page, `${what} betting`);
    // Roads at every seat: beside the board, or behind their door.
    if ((await page.locator('aside.side').count()) === 0) await terminal.press(page.locator('nav.tools button').last());
    await page.locator('.roads .newest li').first().waitFor();
    // On a desk both big roads and the most and least frequent totals are seen without scrolling.
    if (['desk', 'full-hd', 'uhd'].includes(what)) {
      await expect.poll(() => page.evaluate(() => {
        const leaf = document.querySelector('.side .page');
        return leaf ? leaf.scrollHeight - leaf.clientHeight : NaN;
      }), { message: 'roads below the fold' }).toBeLessThanOrEqual(1);
      for (const part of ['.roads .road:last-of-type', '.roads dl']) await inSight(page, what, part);
    }
    if (what === 'phone-small') await accessible(page, 'roads behind their door');
    await picture(page, `size-roads-${name}`);
    await page.keyboard.press('Escape');
    await deal.afresh();
    await page.locator('.banner.bad').first().waitFor();
    expect(await limitsHidden(page), 'limits beside the void').toEqual([]);
    expect(await newsFaults(page), 'beside the void').toEqual([]);
    expect(await boxes(page), 'when the round is void').toBe(before);
    await picture(page, `size-void-${name}`);
    // And with a bet in it: its card has the cause, and nothing lies over its head.
    await deal.callBets();
    await page.locator('.phase.betting').waitFor();
    await page.locator('[data-section="big"]').scrollIntoViewIfNeeded();
    await terminal.tap('big');
    await terminal.figure('bets', seen.language === 'vi' ? '5,00' : '5.00');
    await deal.afresh();
    await terminal.card().locator('.void').waitFor();
    expect(await newsFaults(page), 'beside the card of a void').toEqual([]);
    // Why it is void is read without scrolling.
    await inSight(page, what, 'article.card .note');
    const [note, sums] = await Promise.all(['article.card .note', 'article.card dl'].map((one) => page.locator(one).first().boundingBox()));
    expect((note?.y ?? NaN) + (note?.height ?? NaN), 'the cause above the sums').toBeLessThanOrEqual((sums?.y ?? NaN) + 1);
    await picture(page, `size-void-card-${name}`);
  });
});
