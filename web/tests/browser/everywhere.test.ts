// Every view in every language and size: whole, legible to those who hear it,
// nothing missing; keyboard-only play; two terminals, a console and a wall at
// one table. With SICBO_SOAK=1 the full cross of languages and sizes.
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { accessible, BESIDE } from './lib/axe';
import { DESK, PHONE, WALL, type Language } from './lib/browser';
import { Console } from './lib/console';
import { Dealer } from './lib/dealer';
import { House, type TableSpec } from './lib/house';
import { BLESS, picture } from './lib/pictures';
import { browser, house, sit, stage } from './lib/stage';
import { Terminal } from './lib/terminal';

const TABLES: TableSpec[] = [
  // Short windows are for the pictures: a slow machine looks at a page for longer.
  { name: 'rapid-1', book: 'mbs-etg', stations: [{ layout: 'rapid', count: 30 }], ...(BLESS ? { window: 90 } : {}) },
  { name: 'sic-bo-7', book: 'rws-open-cover', stations: [{ layout: 'c', count: 30 }], ...(BLESS ? { window: 300 } : {}) },
  { name: 'sic-bo-8', book: 'rws-etg', stations: [{ layout: 'a', count: 8 }] },
  { name: 'pit-3', book: 'mbs-table', stations: [{ layout: 'a', count: 7 }] },
  { name: 'tai-xiu-1', book: 'quang-nam-table', stations: [{ layout: 'a', count: 7 }] },
];
const SIZES = { '1920': WALL, '1280': DESK, phone: PHONE };
const LANGUAGES: Language[] = ['en', 'zh-Hans', 'zh-Hant', 'vi'];
const NAMES: Record<Language, string> = { en: 'English', 'zh-Hans': '简体中文', 'zh-Hant': '繁體中文', vi: 'Tiếng Việt' };
/** A word of each language that every lobby has. */
const SEAT: Record<Language, RegExp> = { en: /Take a seat/, 'zh-Hans': /入座/, 'zh-Hant': /入座/, vi: /Vào chơi/ };
const SOAK = process.env['SICBO_SOAK'] === '1';

const dealers = TABLES.map(({ name, book }) => [name, book] as const);
const dealer = (name: string): Dealer => {
  const book = dealers.find(([known]) => known === name)?.[1] ?? '';
  return new Dealer(house, name, book);
};

stage(() => House.open(TABLES));
beforeAll(async () => {
  for (const [name] of dealers) await dealer(name).open();
  await Promise.all(['rapid-1', 'sic-bo-7', 'tai-xiu-1'].map((name) => dealer(name).past()));
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await Promise.all(dealers.map(([name]) => dealer(name).afresh()));
});

/** Nothing is wider than the screen, and nothing is left untranslated. */
async function whole(page: Page, what: string, language: Language): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.documentElement.lang), { message: what }).toBe(language);
  const over = await page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - innerWidth;
    if (wide <= 0) return null;
    const all = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1);
    return `${wide} too wide: ${all.slice(0, 5).map((one) => `${one.tagName}.${one.className}`).join(', ')}`;
  });
  expect(over, what).toBeNull();
  const keys = await page.evaluate(() => document.body.innerText.match(/\b(?:phase|notice|strip|section|refusal|problem|order|step|cause)-[a-z-]+\b/g));
  expect(keys, what).toBeNull();
}

/** What can be touched is large enough to be touched (P-050). */
async function touchable(page: Page, what: string, least: number): Promise<void> {
  const small = await page.evaluate((least) => {
    const all = [...document.querySelectorAll<HTMLElement>('button, a.button, select, input, [role=radio]')];
    return all
      .filter((one) => one.offsetParent !== null && !one.closest('dialog:not([open])'))
      // A box to tick is touched by its words as well.
      .map((one) => ({ one: `${one.className} ${one.dataset['section'] ?? one.textContent?.slice(0, 20)}`, box: (one.closest('label') ?? one).getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < least - 0.5 || box.height < least - 0.5))
      .map(({ one, box }) => `${one.trim()} ${box.width.toFixed(0)}×${box.height.toFixed(0)}`);
  }, least);
  expect(small, what).toEqual([]);
}

const ALL = LANGUAGES.flatMap((language) => Object.keys(SIZES).map((size) => [language, size as keyof typeof SIZES] as const));
const SOME = [['en', '1280'], ['zh-Hans', '1920'], ['zh-Hant', 'phone'], ['vi', '1280']] as const;

/** Pictures of every view in every language, at a desk and on a phone. */
const PICTURED = ALL.filter(([, size]) => size !== '1920');

describe.each(SOAK ? ALL : BLESS ? PICTURED : [...SOME])('%s at %s', (language, size) => {
  test('lobby, rules, terminal, console, wall: whole and accessible', async () => {
    const phone = size === 'phone';
    const station = { origin: house.origin, size: SIZES[size], touch: phone };
    const tag = `${language}-${size}`;

    // The language is chosen on the first screen.
    const room = await browser.station(station);
    const page = await room.newPage();
    await page.goto('/');
    await page.locator('.tile').nth(4).waitFor();
    await page.locator('select').first().selectOption({ label: NAMES[language] });
    await page.locator('.tile', { hasText: SEAT[language] }).first().waitFor();
    await page.locator('.tile .dice').first().waitFor();
    await whole(page, `lobby ${tag}`, language);
    await accessible(page, `lobby ${tag}`);
    await touchable(page, `lobby ${tag}`, 44);
    await picture(page, `lobby-${tag}`);

    await page.goto('/rules/mbs-etg');
    await page.locator('table').first().waitFor();
    await whole(page, `rules ${tag}`, language);
    await accessible(page, `rules ${tag}`);
    await picture(page, `rules-${tag}`);
    await page.close();

    // A terminal: bets, the card of a win, dialogs.
    const terminal = await Terminal.sit(room, 'rapid-1', phone);
    await whole(terminal.page, `terminal ${tag}`, language);
    await accessible(terminal.page, `terminal ${tag}`);
    await picture(terminal.page, `terminal-welcome-${tag}`);
    await terminal.insert('100');
    await dealer('rapid-1').callBets();
    await terminal.page.locator('.phase.betting').waitFor();
    await terminal.press(terminal.page.locator('[role=radio]').nth(1));
    const sections = phone ? ['big', 'total:11', 'single:4'] : ['big', 'total:11', 'four:6543', 'pair:3-4', 'single:4', 'double:4', 'double-single:443', 'odd'];
    for (const section of sections) await terminal.tap(section);
    await terminal.tap('big');
    await terminal.page.waitForFunction((n) => document.querySelectorAll('.place .chip.solid').length >= n && !document.querySelector('.chip.sent'), sections.length);
    await whole(terminal.page, `terminal betting ${tag}`, language);
    await accessible(terminal.page, `terminal betting ${tag}`);
    await touchable(terminal.page, `terminal betting ${tag}`, 44);
    await picture(terminal.page, `terminal-betting-${tag}`);
    if (phone) {
      const tabs = terminal.page.getByRole('tab');
      for (let at = 0; at < (await tabs.count()); at += 1) {
        await tabs.nth(at).tap();
        await touchable(terminal.page, `terminal part ${at} ${tag}`, 44);
        await whole(terminal.page, `terminal part ${at} ${tag}`, language);
      }
      await picture(terminal.page, `terminal-three-dice-${tag}`);
      await tabs.first().tap();
    }
    await dealer('rapid-1').closeBets();
    await dealer('rapid-1').dice([4, 3, 4]);
    await terminal.card().waitFor();
    await whole(terminal.page, `terminal settled ${tag}`, language);
    await accessible(terminal.page, `terminal settled ${tag}`);
    await picture(terminal.page, `terminal-settled-${tag}`);
    const doors = terminal.page.locator('nav.tools button');
    for (const [door, what] of [[0, 'cash'], [2, 'history'], [3, 'limits'], [4, 'rules'], [6, 'settings']] as const) {
      await terminal.press(doors.nth(door));
      await terminal.page.locator('dialog[open] .content').waitFor();
      await whole(terminal.page, `terminal ${what} ${tag}`, language);
      await accessible(terminal.page, `terminal ${what} ${tag}`);
      await picture(terminal.page, `terminal-${what}-${tag}`);
      await terminal.page.keyboard.press('Escape');
      await terminal.page.locator('dialog[open]').waitFor({ state: 'detached' });
    }
    await dealer('rapid-1').callBets();
    await dealer('rapid-1').act({ act: 'declare_void', cause: 'dice-exposed-early' });
    const banner = terminal.page.locator('.banner.bad').first();
    await banner.waitFor();
    // Three lines at most, of the smallest screen: what is under it is still the board.
    expect((await banner.boundingBox())?.height, `void banner ${tag}`).toBeLessThan(64);
    await accessible(terminal.page, `terminal void ${tag}`);
    await picture(terminal.page, `terminal-void-${tag}`);

    // A console with its next action, the read-back and a decision.
    const context = await browser.station({ ...station, language });
    const desk = await context.newPage();
    await desk.goto('/console/sic-bo-7');
    await desk.locator('.positions button').first().waitFor();
    await accessible(desk, `log-in ${tag}`);
    await picture(desk, `console-log-in-${tag}`);
    await desk.locator('.positions button').first().click();
    await desk.locator('.go:not([disabled])').waitFor();
    await dealer('sic-bo-7').callBets();
    const other = await Terminal.sit(await browser.station({ ...station, language }), 'sic-bo-7', phone);
    await other.insert('100');
    await other.tap('big');
    await desk.locator('.phase.betting').waitFor();
    await whole(desk, `console ${tag}`, language);
    await accessible(desk, `console ${tag}`);
    await touchable(desk, `console ${tag}`, 44);
    await picture(desk, `console-${tag}`);
    await dealer('sic-bo-7').closeBets();
    await dealer('sic-bo-7').everyoneShown();
    for (const act of [{ act: 'activate_tumbler' }, { act: 'report_tumbles', count: 3, all_dice_moved: true }, { act: 'confirm_flat' }, { act: 'key_dice', dice: [5, 2, 5] }]) await dealer('sic-bo-7').act(act);
    await desk.locator('.reading.ready').waitFor();
    await accessible(desk, `console preview ${tag}`);
    await picture(desk, `console-preview-${tag}`);
    await dealer('sic-bo-7').act({ act: 'hold', what: 'A sleeve touched the chips on total 12.' });
    await desk.locator('.decision').waitFor();
    await whole(desk, `console decision ${tag}`, language);
    await accessible(desk, `console decision ${tag}`);
    await picture(desk, `console-decision-${tag}`);
    const { decisions } = (await dealer('sic-bo-7').state()) as { decisions: { pending: number }[] };
    await dealer('sic-bo-7').act({ act: 'rule', pending: decisions[0]?.pending, ruling: 'conclude', reason: 'seen on camera' }, 'shift-manager');
    await dealer('sic-bo-7').act({ act: 'confirm_result' });

    // The wall, with a past.
    const wall = await context.newPage();
    await wall.goto('/wall/sic-bo-7');
    await wall.locator('.total .badge').waitFor();
    // The past comes in a frame of its own.
    await wall.locator('.beads .total').first().waitFor();
    await whole(wall, `wall ${tag}`, language);
    await accessible(wall, `wall ${tag}`);
    await picture(wall, `wall-${tag}`);
    expect(await wall.locator('footer').textContent()).not.toBe('');
    if (!phone) {
      // Read from six metres: 40 px on a wall of 1080 (P-046).
      const sizes = await wall.evaluate(() => {
        const px = (one: Element | null): number => (one ? parseFloat(getComputedStyle(one).fontSize) : 0);
        const plate = document.querySelector<SVGSVGElement>('.beads svg');
        const total = document.querySelector('.beads .total');
        return { badge: px(document.querySelector('.total .badge')), bead: px(total) * (plate?.getScreenCTM()?.a ?? 0) };
      });
      const scale = 1920 / SIZES[size].width;
      expect(sizes.badge * scale).toBeGreaterThanOrEqual(40);
      expect(sizes.bead * scale).toBeGreaterThanOrEqual(40);
    }
  });
});

test('seats of the physical tables, with chips and a payment', async () => {
  const context = await browser.station({ origin: house.origin, size: WALL, language: 'vi' });
  const page = await context.newPage();
  await page.goto(encodeURI('/console/tai-xiu-1'));
  await page.locator('.positions button').first().click();
  await page.locator('.go:not([disabled])').waitFor();
  const deal = dealer('tai-xiu-1');
  await deal.callBets();
  for (const [seat, section] of [[0, 'big'], [0, 'total:11'], [1, 'small'], [2, 'double:4']] as const) {
    await page.locator('.seats .tabs button').nth(seat).click();
    const before = await page.locator('.exposure dd').first().textContent();
    await page.locator(`[data-section="${section}"]`).click();
    await page.waitForFunction((before) => document.querySelector('.exposure dd')?.textContent !== before, before);
  }
  await accessible(page, 'seats');
  await touchable(page, 'seats', 44);
  await picture(page, 'console-seats-vi');
  await deal.closeBets();
  for (const act of [{ act: 'uncover' }, { act: 'confirm_flat' }, { act: 'key_dice', dice: [4, 3, 4] }, { act: 'confirm_result' }, { act: 'report_lights', lit: true }]) await deal.act(act);
  await page.locator('.pay article').nth(2).waitFor();
  await accessible(page, 'take and pay');
  await picture(page, 'console-take-and-pay-vi');
  await deal.act({ act: 'take_and_pay' });
});

test.each([WALL, DESK])('try it: terminal, console and wall side by side, at $width', async (size) => {
  const page = await (await browser.station({ origin: house.origin, size })).newPage();
  await page.goto('/try/rapid-1');
  await page.locator('.console .positions button').first().click();
  await page.locator('.console .go:not([disabled])').waitFor();
  await page.locator('.terminal .spot').first().waitFor();
  await page.locator('.wall .beads').waitFor();
  await dealer('rapid-1').callBets();
  await page.locator('.terminal .phase.betting').first().waitFor();
  await whole(page, 'try it', 'en');
  await accessible(page, 'try it', BESIDE);
  await picture(page, `try-it-${size.width}`);
  await dealer('rapid-1').closeBets();
  await dealer('rapid-1').dice([2, 5, 6]);
});

test('a whole round from the keyboard: seat, money, chips, bets, undo, card, cash out', async () => {
  const context = await browser.station({ origin: house.origin });
  const page = await context.newPage();
  await page.goto('/');
  await page.locator('.tile').nth(4).waitFor();
  /** Tabs until what is focused fits, and never more often than there are things. */
  const tabTo = async (what: string): Promise<void> => {
    for (let step = 0; step < 80; step += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate((what) => document.activeElement?.matches(what) ?? false, what)) return;
    }
    throw new Error(`the tab key does not come to ${what}`);
  };
  await tabTo('a[href="/play/sic-bo-8"]');
  await page.keyboard.press('Enter');
  await page.locator('.spot').first().waitFor();
  const terminal = new Terminal(page, false);
  await tabTo('nav.tools button');
  await page.keyboard.press('Enter');
  await tabTo('.notes button:nth-child(3)');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /[1-9]/.test(document.querySelector('[data-figure="credit"]')?.textContent ?? ''));
  await page.keyboard.press('Escape');
  // Whether a limit is wanted: not now.
  await page.locator('.first-time').waitFor();
  await tabTo('.first-time .skip');
  await page.keyboard.press('Enter');
  await page.locator('.first-time').waitFor({ state: 'detached' });
  const credit = Number(await page.locator('[data-figure="credit"]').textContent());

  await dealer('sic-bo-8').callBets();
  await terminal.says(/place your bets/i);
  await tabTo('.spot');
  // Walked by where sections lie: down and back up from the first.
  const at = (): Promise<string | null> => page.evaluate(() => (document.activeElement as HTMLElement).dataset['section'] ?? null);
  const first = await at();
  await page.keyboard.press('ArrowDown');
  expect(await at()).not.toBe(first);
  await page.keyboard.press('ArrowUp');
  expect(await at()).toBe(first);
  for (let step = 0; step < 20 && (await at()) !== 'big'; step += 1) await page.keyboard.press(step % 2 === 0 ? 'ArrowDown' : 'ArrowLeft');
  expect(await at()).toBe('big');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  await page.waitForFunction(() => document.querySelectorAll('.chip.sent').length === 0 && document.querySelector('.place .chip.solid'));
  const label = await terminal.spot('big').getAttribute('aria-label');
  const stake = Number(/your bet ([\d.]+)/.exec(label ?? '')?.[1]);
  expect(label).toMatch(/^Big, 1 wins 1, your bet/);
  await page.keyboard.press('Delete');
  await page.waitForFunction((label) => document.querySelector('[data-section="big"]')?.getAttribute('aria-label') !== label, label);
  await tabTo('.actions button');
  await page.keyboard.press('Enter');
  await terminal.registered('big', stake.toFixed(2));
  await dealer('sic-bo-8').finish([6, 5, 4]);
  await terminal.card().waitFor();
  await terminal.figure('credit', (credit + stake).toFixed(2));
  // Those who hear the page are told the result.
  await page.waitForFunction(() => [...document.querySelectorAll('[aria-live]')].some((one) => one.textContent?.includes('total 15')));
  await tabTo('article.card button');
  await page.keyboard.press('Enter');
  await terminal.card().waitFor({ state: 'detached' });
  await tabTo('nav.tools button');
  await page.keyboard.press('Enter');
  await tabTo('dialog .cash-out');
  await page.keyboard.press('Enter');
  await page.locator('.ticket').waitFor();
  await terminal.figure('credit', '0.00');
});

test('two terminals, a console and a wall at one table see the same round', async () => {
  const desk = await Console.sit(await browser.station({ origin: house.origin }), 'sic-bo-8', 'rws-etg');
  const [one, two] = await Promise.all([0, 1].map(() => sit('sic-bo-8')));
  const wall = await (await browser.station({ origin: house.origin })).newPage();
  await wall.goto('/wall/sic-bo-8');
  if (!one || !two) throw new Error('two terminals');
  await one.insert('100');
  await two.insert('100');
  await desk.callBets();
  await Promise.all([one.says(/place your bets/i), two.says(/place your bets/i)]);
  await one.choose('10');
  await two.choose('10');
  await one.tap('big');
  await two.tap('small');
  await two.tap('small');
  await one.figure('credit', '90.00');
  await two.figure('credit', '80.00');
  await desk.page.locator('.exposure dd', { hasText: '30.00' }).waitFor();
  await desk.closeBets();
  await desk.dice([1, 2, 4]);
  await one.figure('credit', '90.00');
  await two.figure('credit', '120.00');
  await wall.locator('.now .total', { hasText: '7' }).waitFor();
  // Each sees its own bets only.
  await expect.poll(() => one.card().locator('li').count()).toBe(1);
  await expect.poll(() => two.card().locator('li').count()).toBe(1);
});

test('every other card and page: builder, favourites, a section, voids, checks, nowhere', async () => {
  const context = await browser.station({ origin: house.origin });
  const terminal = await Terminal.sit(context, 'sic-bo-8');
  const { page } = terminal;
  await terminal.insert('100');
  await dealer('sic-bo-8').callBets();
  await terminal.says(/place your bets/i);
  await terminal.tap('big');
  await page.getByRole('button', { name: 'Builder' }).click();
  await page.locator('.builder button, .faces button').first().click();
  await accessible(page, 'builder');
  await picture(page, 'terminal-builder');
  await page.getByRole('button', { name: 'Builder' }).click();
  await page.getByRole('button', { name: 'Favourites' }).click();
  await page.locator('dialog[open] input').fill('Sunday');
  await page.locator('dialog[open] form button').click();
  await page.locator('dialog[open] li', { hasText: 'Sunday' }).waitFor();
  await accessible(page, 'favourites');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Info' }).click();
  await terminal.tap('total:11');
  await page.locator('section.about').waitFor();
  await accessible(page, 'a section');
  await picture(page, 'terminal-section');
  const desk = await Console.sit(context, 'sic-bo-8', 'rws-etg');
  await desk.cause('A die is damaged').click();
  await desk.page.locator('dialog[open]').waitFor();
  await accessible(desk.page, 'void');
  await picture(desk.page, 'console-void');
  await desk.page.keyboard.press('Escape');
  await dealer('sic-bo-8').finish([1, 2, 3]);
  const nowhere = await context.newPage();
  await nowhere.goto('/no-such-page');
  await nowhere.locator('h1').waitFor();
  await accessible(nowhere, 'nowhere');
});

test('the wall while bets are taken', async () => {
  const wall = await (await browser.station({ origin: house.origin, size: WALL })).newPage();
  await wall.goto('/wall/rapid-1');
  await dealer('rapid-1').callBets();
  await wall.locator('.phase.betting').first().waitFor();
  await accessible(wall, 'wall betting');
  await picture(wall, 'wall-betting-en-1920');
  await dealer('rapid-1').finish([2, 2, 6]);
});
