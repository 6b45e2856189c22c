// A guest who walks in: the lobby, the choice of a pay table, a table that is
// followed from a phone, the tour, addresses that do not exist, a visit that is
// nobody else's; and the whole way from the first page to the first settled bet.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { accessible } from './lib/axe';
import { DESK, PHONE, type Language } from './lib/browser';
import { faint } from './lib/contrast';
import { Dealer } from './lib/dealer';
import { House, type TableSpec } from './lib/house';
import { BLESS, picture } from './lib/pictures';
import { browser, house, stage } from './lib/stage';
import { Terminal } from './lib/terminal';

const MIXED = 'sic-bo-9';
const FEW = 'sic-bo-2';
const CHIPS = 'pit-3';
const TABLES: TableSpec[] = [
  { name: MIXED, book: 'rws-open-cover', stations: [{ layout: 'a', count: 12 }, { layout: 'b', count: 2 }, { layout: 'c', count: 12 }] },
  { name: FEW, book: 'rws-etg', stations: [{ layout: 'a', count: 2 }] },
  { name: 'rapid-1', book: 'mbs-etg', stations: [{ layout: 'rapid', count: 12 }] },
  { name: CHIPS, book: 'mbs-table', stations: [{ layout: 'a', count: 7 }] },
];
let mixed: Dealer;
let rapid: Dealer;
let chips: Dealer;
stage(() => House.open(TABLES));
beforeAll(async () => {
  const dealers = TABLES.map(({ name, book }) => new Dealer(house, name, book));
  for (const dealer of dealers) await dealer.open();
  [mixed, , rapid, chips] = dealers as [Dealer, Dealer, Dealer, Dealer];
  await chips.past();
});

const station = (more: Partial<Parameters<typeof browser.station>[0]> = {}) => browser.station({ origin: house.origin, ...more });
const tile = (page: Page, table: string): Locator => page.locator(`.tile[data-table="${table}"]`);
const lobby = async (page: Page): Promise<void> => {
  await page.goto('/');
  await tile(page, CHIPS).locator('.last li').first().waitFor();
};

test('the lobby: each table by its name, who plays, what is free, what fell, and one way to play', async () => {
  const page = await (await station()).newPage();
  await lobby(page);
  expect(await tile(page, MIXED).locator('h2').textContent()).toBe('Sic Bo (Open Cover) (Electronic Table Game)');
  await tile(page, MIXED).getByText('26 seats free').waitFor();
  await tile(page, MIXED).getByText('Nobody playing yet').waitFor();
  // One gold button for each table, and it can be done.
  for (const { name } of TABLES) expect(await tile(page, name).locator('a.brass').count()).toBe(1);
  expect(await tile(page, CHIPS).locator('a.brass').getAttribute('href')).toBe(`/table/${CHIPS}`);
  await tile(page, CHIPS).getByText('Played with chips at the table').waitFor();
  expect(await tile(page, CHIPS).locator('.last li').count()).toBe(9);
  // Doors of staff are not among it.
  expect(await page.locator('.tile a[href^="/console"], .tile a[href^="/pit"], .tile a[href^="/wall"]').count()).toBe(0);
  await page.getByText('For staff').first().click();
  await page.locator(`.staff a[href="/console/${MIXED}"]`).waitFor();
  await page.locator('.staff a[href="/cashier"]').waitFor();
  // Somebody sits down: the next guest sees it.
  const terminal = await Terminal.sit(await station(), MIXED, false, 'a');
  await terminal.insert('50');
  await tile(page, MIXED).getByText('25 seats free').waitFor();
  await tile(page, MIXED).getByText('1 playing').waitFor();
});

test('Q-42: the pay table is chosen, named in the header, and the wall says whose odds it shows', async () => {
  const page = await (await station()).newPage();
  await lobby(page);
  await tile(page, MIXED).locator('a.brass').click();
  const choices = page.locator('.choose li');
  await choices.nth(2).waitFor();
  expect(await choices.locator('h2').allTextContents()).toEqual(['Appendix A', 'Appendix B', 'Appendix C']);
  const line = (at: number, bets: string): Locator => choices.nth(at).locator('dl div', { has: page.locator('dt', { hasText: new RegExp(`^${bets}$`) }) });
  expect(await line(0, 'Specific triple').locator('dd').textContent()).toBe('1 wins 195');
  expect(await line(2, 'Specific triple').locator('dd').textContent()).toBe('1:180');
  // Marked by what it pays and not by how it is printed: 7 to 1 everywhere, 195 and 180.
  expect(await line(0, 'Specific triple').getAttribute('class')).toContain('apart');
  expect(await line(0, 'Two dice').getAttribute('class')).not.toContain('apart');
  await picture(page, 'choice-en-1280');
  await page.getByRole('button', { name: 'Sit down here: Appendix C' }).click();
  await page.locator('.spot').first().waitFor();
  expect(await page.locator('header .layout-name').textContent()).toBe('Appendix C');
  const name = page.locator('header .layout-name');
  const whole = await name.evaluate((one) => {
    const { left, right } = one.getBoundingClientRect();
    const row = one.parentElement?.getBoundingClientRect();
    return row !== undefined && left >= row.left && right <= row.right;
  });
  expect(whole, 'the name is not cut').toBe(true);
  // Whoever comes back is at the same terminal, without choosing again.
  await page.goto('/');
  await tile(page, MIXED).locator('a.brass').click();
  await page.locator('header .layout-name', { hasText: 'Appendix C' }).waitFor();

  const wall = await (await station()).newPage();
  await wall.goto(`/wall/${MIXED}`);
  const whose = wall.locator('.whose', { hasText: /^Pay table: Appendix [ABC]/ });
  await whose.getByText('Terminals of this table differ; each plays by the pay table it shows.').waitFor();
});

test('a table with chips is followed from a phone, and staff are called to the seat', async () => {
  const page = await (await station({ size: PHONE, touch: true })).newPage();
  await page.goto(`/play/${CHIPS}`);
  await page.getByText('This table is played with chips.').waitFor();
  await page.locator('.companion .now .badge').waitFor();
  await page.locator('.companion .newest li').nth(11).waitFor();
  const all = (await page.locator('.companion').textContent()) ?? '';
  for (const words of ['Limits SGD', 'Pay table', '1 – 1,000', 'For information only']) expect(all).toContain(words);
  await picture(page, 'companion-en-phone');
  // A new round is seen as it happens.
  await chips.callBets();
  await page.locator('.companion .phase.betting').waitFor();
  await chips.finish([2, 5, 6]);
  await page.locator('.companion .now .badge strong', { hasText: '13' }).waitFor();

  const call = page.locator('.call .go');
  expect(await call.isDisabled()).toBe(true);
  await page.getByRole('radio', { name: 'Seat S3' }).tap();
  await call.tap();
  await page.getByText('Staff have been called to seat S3.').waitFor();
  const { reports } = ((await house.ask('pit-supervisor', 'GET', '/api/pit')) as { tables: { table: string; reports: { kind: string; station: number | null }[] }[] }).tables.find((one) => one.table === CHIPS) ?? { reports: [] };
  expect(reports[0]).toMatchObject({ kind: 'call_attendant', station: 2 });
  await page.locator('.companion a[href="/rules/mbs-table"]').tap();
  await page.locator('.book').waitFor();
});

test.each(['/play/nowhere', '/table/nowhere', '/wall/nowhere'])('%s says that there is no such table', async (path) => {
  const page = await (await station()).newPage();
  await page.goto(path);
  await page.getByText('There is no table called nowhere here.').waitFor();
  await page.locator('a[href="/"]').first().click();
  await tile(page, MIXED).waitFor();
});

test.each(['/nothing', '/play', '/wall/a/b', '/%E0%A4%A', '/rules/nowhere'])('%s says that nothing is there', async (path) => {
  const page = await (await station()).newPage();
  await page.goto(path);
  await page.getByText(/nothing here|not found/i).waitFor();
  await page.locator('a[href="/"]').first().click();
  await tile(page, MIXED).waitFor();
});

test('a visit is nobody else\'s: no stranger\'s credit, no stranger\'s past, and one\'s own is found again', async () => {
  const first = await station();
  const one = await Terminal.sit(first, FEW);
  await one.insert('50');
  const other = await Terminal.sit(await station(), FEW);
  // The second guest begins with nothing, also in the history.
  await other.page.locator('.welcome').first().waitFor();
  await other.figure('credit', '0.00');
  await other.insert('10');
  await other.page.locator('nav.tools button').nth(2).click();
  await other.page.getByText('No rounds yet.').waitFor();
  // Both are taken, also when one has closed the page: it is said, with what else there is.
  await one.page.close();
  const third = await (await station()).newPage();
  await third.goto(`/play/${FEW}`);
  await third.getByText('All seats are taken.').waitFor();
  await third.locator(`a[href="/table/${FEW}"]`).click();
  await third.locator('.companion .phase').waitFor();
  // Whoever closed it comes back to the same terminal and the same credit.
  const back = await Terminal.sit(first, FEW);
  await back.figure('credit', '50.00');
});

test('the tour: one thought at a time on the guest\'s own board, by keyboard alone', async () => {
  const page = await (await station()).newPage();
  await page.goto(`/play/${MIXED}?layout=c`);
  await page.locator('.welcome h2').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2');
  await page.getByRole('button', { name: 'One-minute tour' }).press('Enter');
  const tour = page.getByRole('dialog', { name: 'One-minute tour' });
  const title = tour.locator('h2');
  const told: string[] = [];
  for (let step = 1; step <= 6; step += 1) {
    await tour.getByText(`${step} of 6`).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(await title.textContent());
    told.push((await tour.textContent()) ?? '');
    if (step === 1) await expect.poll(() => page.locator('.cell.marked').count()).toBeGreaterThan(5);
    if (step === 2) await expect.poll(() => page.locator('.cell.marked').count()).toBe(2);
    await picture(page, `tour-${step}`);
    await tour.locator('.brass').press('Enter');
  }
  // In this layout's own odds: 9 pays 1:7 on appendix C.
  expect(told[2]).toContain('Total 9 says 1:7. A bet of 1 wins 7.00');
  await page.locator('dialog[open] .notes').waitFor();
  expect(await page.locator('.cell.marked').count()).toBe(0);
});

/** Clicks that a newcomer needs, each by what is written on the screen. */
test('a newcomer, from the first page to the first settled bet: under two minutes, nothing read but the screen', async () => {
  const began = performance.now();
  const page = await (await station({ size: PHONE, touch: true, calm: false })).newPage();
  const clicks: string[] = [];
  const tap = async (what: Locator, words: string): Promise<void> => {
    await what.tap();
    clicks.push(words);
  };
  await lobby(page);
  await tap(tile(page, 'rapid-1').getByRole('link', { name: 'Take a seat' }), 'Take a seat');
  await tap(page.getByRole('button', { name: 'Insert money and play' }), 'Insert money and play');
  await tap(page.locator('dialog[open]').getByRole('button', { name: '50', exact: true }), '50');
  await tap(page.locator('dialog[open]').getByRole('button', { name: 'Start playing' }), 'Start playing');
  await tap(page.getByRole('button', { name: 'Not now' }), 'Not now');
  await rapid.callBets();
  const terminal = new Terminal(page, true);
  await terminal.says(/place your bets/i);
  await tap(page.getByRole('button', { name: /^Big, / }), 'Big');
  await page.locator('.place .chip.solid').waitFor();
  await rapid.finish([4, 5, 6]);
  await page.getByText('You won').first().waitFor();
  await terminal.card().waitFor();
  const seconds = (performance.now() - began) / 1_000;
  process.stdout.write(`  a newcomer's first settled bet: ${clicks.length} clicks (${clicks.join(' · ')}), ${seconds.toFixed(1)} s with a dealer who does not wait\n`);
  expect(clicks.length).toBeLessThanOrEqual(6);
  expect(seconds).toBeLessThan(120);
  await page.context().close();
});

test('those who hear the screen: credit, own bets, a void, and focus where they are', async () => {
  const page = await (await station()).newPage();
  await lobby(page);
  // A page that was walked to is where one goes on.
  await tile(page, CHIPS).locator('a.brass').press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  const terminal = await Terminal.sit(await station(), MIXED, false, 'a');
  const own = () => expect.poll(() => terminal.page.locator('[data-told="own"]').textContent());
  await terminal.press(terminal.page.locator('nav.tools button').nth(0));
  await terminal.page.locator('.notes button', { hasText: /^50$/ }).click();
  await own().toBe('Credit 50.00.');
  await terminal.page.keyboard.press('Escape');
  await terminal.skip();
  await mixed.callBets();
  await terminal.says(/place your bets/i);
  await terminal.choose('5');
  await terminal.tap('big');
  await own().toBe('Your bets 5.00. Credit 45.00.');
  await mixed.act({ act: 'declare_void', cause: 'dome-broken' }).catch(() => mixed.afresh());
  await own().toBe('The round was void. Your bets of 5.00 came back. Credit 50.00.');
});

const LANGUAGES: Language[] = ['en', 'zh-Hans', 'zh-Hant', 'vi'];
const SIZES = { '1280': DESK, phone: PHONE, '640': { width: 640, height: 400 }, '844': { width: 844, height: 390 } };
/** The whole cross takes long; each language and each size comes up. */
const SOME: [Language, keyof typeof SIZES][] = process.env['SICBO_SOAK'] === '1' || BLESS ? LANGUAGES.flatMap((language) => (Object.keys(SIZES) as (keyof typeof SIZES)[]).map((size) => [language, size] as [Language, keyof typeof SIZES])) : [['en', 'phone'], ['zh-Hans', '640'], ['zh-Hant', '844'], ['vi', '1280']];

describe.each(SOME)('%s at %s', (language, size) => {
  test('lobby, choice, companion, tour: whole, accessible, and their pixels apart from their ground', async () => {
    const page = await (await station({ language, size: SIZES[size] })).newPage();
    const seen = async (what: string, within = 'body'): Promise<void> => {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide, what).toBeLessThanOrEqual(0);
      await accessible(page, `${what} ${language} ${size}`);
      await page.evaluate(() => scrollTo(0, 0));
      expect(await faint(page, within, 4.5, 4), `${what} ${language} ${size}`).toEqual([]);
      await picture(page, `${what}-${language}-${size}`);
    };
    await lobby(page);
    await seen('guests-lobby');
    await page.goto(`/play/${MIXED}`);
    await page.locator('.choose li dl').nth(2).waitFor();
    await seen('choice');
    await page.goto(`/table/${CHIPS}`);
    await page.locator('.companion .badge').first().waitFor();
    await seen('companion');
    await page.goto(`/play/${MIXED}?layout=a`);
    await page.locator('.welcome .choices .button').nth(1).click();
    await page.locator('.tour').waitFor();
    // Spots that are not spoken of step back, as under the builder.
    await seen('tour', 'header, .tour, footer');
    await page.context().close();
  });
});
