// Every view in every language and every theme: nothing that axe finds,
// words that stand out from their ground by their pixels, and no number of our
// own requirements. With SICBO_SOAK=1 each view in all twelve; else each in the
// one that is its turn, from a start that is printed (SICBO_TURN takes it up again).
import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { accessible, BESIDE, type LeftOut } from './lib/axe';
import type { Language } from './lib/browser';
import { faint } from './lib/contrast';
import { Dealer } from './lib/dealer';
import { House, type TableSpec } from './lib/house';
import { picture } from './lib/pictures';
import { staffScreen } from './lib/pit';
import { browser, house, openTables, stage } from './lib/stage';
import { Terminal } from './lib/terminal';

const ETG = 'sic-bo-1';
const CHIPS = 'pit-3';
const TABLES: TableSpec[] = [
  { name: ETG, book: 'rws-open-cover', stations: [{ layout: 'a', count: 40 }, { layout: 'c', count: 40 }], limits: { minimum: '5', maximum: '500' } },
  { name: CHIPS, book: 'quang-nam-table', stations: [{ layout: 'a', count: 7 }] },
];
stage(() => House.open(TABLES));
let dealer: Dealer;
beforeAll(async () => {
  await openTables(TABLES);
  dealer = new Dealer(house, ETG, 'rws-open-cover');
  await dealer.past();
  await house.ask('pit-supervisor', 'POST', '/api/cases', { table: ETG, kind: 'incident', round: 4, words: 'A glass fell on the layout.' });
});

const LANGUAGES: Language[] = ['en', 'zh-Hans', 'zh-Hant', 'vi'];
/** WCAG 1.4.3, and 1.4.6 where high contrast is promised. */
const THEMES: Record<string, { settings: Record<string, unknown>; least: number }> = {
  dark: { settings: { theme: 'dark' }, least: 4.5 },
  light: { settings: { theme: 'light' }, least: 4.5 },
  high: { settings: { contrast: 'high' }, least: 7 },
};
const LOOKS = LANGUAGES.flatMap((language) => Object.keys(THEMES).map((theme) => ({ language, theme })));
type Look = (typeof LOOKS)[number];

interface View {
  what: string;
  path: string;
  /** Whose screen it is; where nobody is named, that of a guest or of whoever logs in there. */
  as?: string;
  staff?: true;
  /** It is whole when this is there. */
  ready: string;
  then?: (page: Page) => Promise<unknown>;
  /** What is judged by its pixels, where something lies over the rest. */
  within?: string;
  leftOut?: LeftOut;
}
const VIEWS: View[] = [
  { what: 'lobby', path: '/', ready: '.tile .last li' },
  { what: 'staff doors', path: '/', ready: '.tile .last li', then: (page) => page.locator('.staff summary, .staff button').first().click() },
  { what: 'choice of a pay table', path: `/play/${ETG}`, ready: '.choose li:nth-child(2) dl' },
  { what: 'companion', path: `/table/${CHIPS}`, ready: '.companion .phase' },
  { what: 'wall', path: `/wall/${ETG}`, ready: '.beads .total' },
  { what: 'wall with chips', path: `/wall/${CHIPS}`, ready: '.phase' },
  ...['mbs-etg', 'mbs-table', 'quang-nam-table', 'rws-etg', 'rws-open-cover'].map((book) => ({ what: `rules of ${book}`, path: `/rules/${book}`, ready: '.book table' })),
  { what: 'check page', path: '/check', ready: 'h1' },
  { what: 'nowhere', path: '/no/such/page', ready: 'h1' },
  // Its terminal is judged on its own, behind its welcome.
  { what: 'try it', staff: true, path: `/try/${ETG}`, ready: '.wall .beads', within: '.try > header, .console, .wall', leftOut: BESIDE },
  { what: 'log-in', path: `/console/${ETG}`, ready: '.positions button' },
  { what: 'console', staff: true, path: `/console/${ETG}`, ready: '.positions button', then: (page) => page.locator('.positions button').first().click().then(() => page.locator('.go').waitFor()) },
  { what: 'console with seats', staff: true, path: `/console/${CHIPS}`, ready: '.positions button', then: (page) => page.locator('.positions button').first().click().then(() => page.locator('.seats .tabs button').first().waitFor()) },
  { what: 'pit', path: '/pit', as: 'director', ready: 'tbody tr' },
  { what: 'desk of a table', path: `/pit/${ETG}`, as: 'shift-manager', ready: '.columns' },
  { what: 'cashier', path: '/cashier', as: 'cashier', ready: 'form' },
  { what: 'technician', path: '/technician', as: 'technician', ready: 'tbody tr' },
  { what: 'people', path: '/people', as: 'director', ready: 'tbody tr' },
  { what: 'cases', path: '/cases', as: 'shift-manager', ready: 'a[href="/cases/1"]' },
  { what: 'case', path: '/cases/1', as: 'shift-manager', ready: '.tools .state' },
  { what: 'dice', path: '/dice', as: 'pit-manager', ready: 'main, .shell h1, .shell section' },
  { what: 'shifts', path: '/shifts', as: 'pit-manager', ready: '.shell section' },
  { what: 'report', path: `/reports/${ETG}`, as: 'auditor', ready: '.shell table' },
  { what: 'surveillance', path: '/surveillance', as: 'surveillance', ready: '.shell tbody tr' },
  { what: 'security', path: '/security', as: 'auditor', ready: '.shell section, .shell form' },
];

/** `Q-07`, `P-070`: they stand in no document that a player can look up. */
const OWN_NUMBER = /\b[QPRJS]-\d{2,3}\b/;

/** What is seen of a page: all of it, or what stands before the rest. */
async function judged(page: Page, what: string, { language, theme }: Look, within = 'body', guest = true, leftOut: LeftOut = {}): Promise<void> {
  const name = `${what}, ${language}, ${theme}`;
  await expect.poll(() => page.evaluate(() => document.documentElement.lang), { message: name }).toBe(language);
  await accessible(page, name, leftOut);
  const own = await page.evaluate((own) => new RegExp(own).exec(document.body.innerText)?.[0] ?? null, OWN_NUMBER.source);
  if (guest) expect(own, `${name}: a number of our own`).toBeNull();
  await page.evaluate(() => scrollTo(0, 0));
  expect(await faint(page, within, THEMES[theme]?.least ?? 4.5, 2), name).toEqual([]);
  await picture(page, `view-${what.replaceAll(' ', '-')}-${language}-${theme}`);
}

async function shown(view: View, look: Look): Promise<void> {
  const settings = { ...THEMES[look.theme]?.settings };
  const page = view.as === undefined
    ? await (await browser.station({ origin: house.origin, language: look.language, settings })).newPage()
    : await staffScreen(browser, house, view.path, view.as, { language: look.language, settings });
  if (view.as === undefined) await page.goto(view.path);
  await page.locator(view.ready).first().waitFor();
  await view.then?.(page);
  await judged(page, view.what, look, view.within ?? 'body', !view.staff && view.as === undefined, view.leftOut);
  await page.context().close();
}

/** A player's way: welcome, money, bets, result, and each dialog. */
async function played(look: Look): Promise<void> {
  const context = await browser.station({ origin: house.origin, language: look.language, settings: { ...THEMES[look.theme]?.settings } });
  const terminal = await Terminal.sit(context, ETG, false, 'c');
  const { page } = terminal;
  await page.locator('.welcome .choices').waitFor();
  await judged(page, 'welcome', look, '.welcome');
  await terminal.insert('100');
  await dealer.callBets();
  await page.locator('.phase.betting').waitFor();
  await terminal.choose('5');
  for (const section of ['big', 'total:11', 'small']) await terminal.tap(section);
  await page.waitForFunction(() => document.querySelectorAll('.place .chip.solid').length === 3);
  await judged(page, 'betting', look);
  await dealer.finish([3, 4, 4]);
  await terminal.holdCard();
  await judged(page, 'settled', look);
  const doors = page.locator('nav.tools button');
  for (const [door, what] of [[0, 'money'], [2, 'history'], [3, 'limits'], [4, 'rules'], [6, 'settings']] as const) {
    await doors.nth(door).click();
    await page.locator('dialog[open] .content').waitFor();
    await judged(page, what, look, 'dialog[open]');
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
  }
  await context.close();
}

if (process.env['SICBO_SOAK'] === '1') {
  describe.each(LOOKS)('$language, $theme', (look) => {
    test.each(VIEWS)('$what', (view) => shown(view, look));
    test('a player\'s way', () => played(look));
  });
} else {
  const turn = Number(process.env['SICBO_TURN'] ?? Math.floor(Math.random() * LOOKS.length));
  const look = (at: number): Look => LOOKS[(turn + at) % LOOKS.length] as Look;
  beforeAll(() => void process.stdout.write(`  languages and themes by turns, SICBO_TURN=${turn}\n`));
  test.each(VIEWS.map((view, at) => ({ ...view, at, ...look(at) })))('$what in $language, $theme', (view) => shown(view, look(view.at)));
  test('a player\'s way', () => played(look(VIEWS.length)));
}
