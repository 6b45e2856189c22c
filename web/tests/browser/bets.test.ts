// Bets that forgive, at a terminal: small chips that add up, double and repeat
// that do what fits, refusals at their spot with the figure, chips beside the
// print, keys, the possible win; what is told to those who hear the screen; and
// the themes, by their pixels.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { accessible } from './lib/axe';
import { PHONE } from './lib/browser';
import { faint } from './lib/contrast';
import { Dealer } from './lib/dealer';
import { House } from './lib/house';
import { picture } from './lib/pictures';
import { browser, house, stage } from './lib/stage';
import { Terminal } from './lib/terminal';

const TABLE = 'sic-bo-5';
let dealer: Dealer;
stage(() => House.open([{ name: TABLE, book: 'rws-etg', stations: [{ layout: 'a', count: 30 }], limits: { minimum: '5', maximum: '30' } }]));
beforeAll(async () => {
  dealer = new Dealer(house, TABLE, 'rws-etg');
  await dealer.open();
});
beforeEach(() => dealer.afresh());

/** Somebody with credit, while bets are open. */
async function playing(note = '100', station: Partial<Parameters<typeof browser.station>[0]> = {}): Promise<Terminal> {
  const terminal = await Terminal.sit(await browser.station({ origin: house.origin, ...station }), TABLE, station.touch ?? false);
  await terminal.insert(note);
  await dealer.callBets();
  await terminal.page.locator('.phase.betting').waitFor();
  return terminal;
}

const told = (page: Page, which: 'own' | 'now') => expect.poll(() => page.locator(`[data-told="${which}"]`).textContent());
const label = (terminal: Terminal, section: string) => expect.poll(() => terminal.spot(section).getAttribute('aria-label'));

test('chips below the minimum add up, marked as not yet a bet, and become one bet', async () => {
  const terminal = await playing();
  const { page } = terminal;
  await terminal.choose('2');
  await terminal.tap('big');
  await terminal.note('Not yet a bet – min. 5').waitFor();
  await page.locator('.chip.loose').waitFor();
  await label(terminal, 'big').toBe('Big, 1 wins 1, 2.00 not yet a bet, minimum 5.00');
  await terminal.tap('big');
  await label(terminal, 'big').toBe('Big, 1 wins 1, 4.00 not yet a bet, minimum 5.00');
  // Nothing of it is a bet: no money has moved.
  await terminal.figure('bets', '0.00');
  await terminal.figure('credit', '100.00');
  await picture(page, 'bets-below-minimum');
  await terminal.tap('big');
  await terminal.registered('big', '6.00');
  await terminal.figure('credit', '94.00');
  expect(await page.locator('.chip.loose').count()).toBe(0);
  // One step takes the bet back and leaves what lay there before.
  await page.getByRole('button', { name: 'Undo' }).click();
  await label(terminal, 'big').toBe('Big, 1 wins 1, 4.00 not yet a bet, minimum 5.00');
  await terminal.figure('bets', '0.00');
  // Bets close over it: it was never taken, and that is said.
  await dealer.closeBets();
  await terminal.refused('4.00 was below the minimum and was not bet.').waitFor();
  await terminal.note('4 not bet – min. 5').waitFor();
  await dealer.dice([4, 5, 6]);
  await terminal.figure('credit', '100.00');
});

test('less than a bet cannot stand: what is left of it lies loose', async () => {
  const terminal = await playing();
  await terminal.choose('5');
  await terminal.tap('small');
  await terminal.registered('small', '5.00');
  await terminal.choose('2');
  await terminal.spot('small').click({ button: 'right' });
  await label(terminal, 'small').toBe('Small, 1 wins 1, 3.00 not yet a bet, minimum 5.00');
  await terminal.figure('bets', '0.00');
  await terminal.tap('small');
  await terminal.registered('small', '5.00');
  await terminal.figure('credit', '95.00');
  await dealer.finish([1, 1, 1]);
});

test('double and repeat do what fits and say what did not, at its spot', async () => {
  const terminal = await playing('100');
  const { page } = terminal;
  await terminal.choose('20');
  await terminal.tap('big');
  await terminal.choose('5');
  await terminal.tap('total:11');
  await terminal.figure('bets', '25.00');
  await page.keyboard.press('d');
  // Big goes up to its maximum, eleven is doubled.
  await terminal.registered('big', '30.00');
  await terminal.registered('total:11', '10.00');
  await terminal.refused('Doubled 1 of 2 bets. The others are marked on the layout.').waitFor();
  await terminal.note('Max. 30').waitFor();
  await told(page, 'now').toContain('Doubled 1 of 2 bets.');
  await picture(page, 'bets-doubled-in-part');
  await terminal.figure('credit', '60.00');
  // Only eleven can be doubled again.
  await page.getByRole('button', { name: 'Double', exact: true }).click();
  await terminal.registered('total:11', '20.00');
  await terminal.registered('big', '30.00');
  await dealer.finish([1, 2, 2]);
  await terminal.figure('credit', '50.00');
  // 50 were bet and 50 are left: twice as much is too much for credit, and for big.
  await dealer.callBets();
  await terminal.says(/place your bets/i);
  await page.getByRole('button', { name: 'Repeat ×2' }).click();
  await terminal.registered('big', '30.00');
  await terminal.note('Credit 50').waitFor();
  await terminal.figure('credit', '20.00');
  await dealer.finish([1, 2, 2]);
});

test('a refusal stands at its spot with the figure, and is told', async () => {
  const terminal = await playing('100');
  const { page } = terminal;
  await terminal.choose('20');
  await terminal.tap('total:9');
  await terminal.registered('total:9', '20.00');
  await terminal.tap('total:9');
  await terminal.note('Max. 30').waitFor();
  await terminal.refused('Total 9: The maximum here is 30.00.').waitFor();
  await told(page, 'now').toContain('Total 9: The maximum here is 30.00.');
  const [note, spot] = await Promise.all([terminal.note('Max. 30').boundingBox(), terminal.spot('total:9').boundingBox()]);
  if (!note || !spot) throw new Error('both are seen');
  expect(Math.abs(note.x + note.width / 2 - spot.x - spot.width / 2)).toBeLessThan(spot.width);
  expect(Math.abs(note.y + note.height - spot.y)).toBeLessThan(12);
  await picture(page, 'bets-refused');
  await dealer.finish([1, 1, 1]);
});

test('news takes the line under the board and no spot lies under it; one touch turns to the spot that is looked at, and back', async () => {
  const terminal = await playing('100');
  const { page } = terminal;
  const line = page.locator('.news-line');
  await dealer.act({ act: 'announce_last_round' });
  await terminal.banner('This is the last round').waitFor();
  expect(await line.locator('.about').count()).toBe(0);
  // What is asked of a spot is one touch away, and the news another.
  await line.locator('.turn').click();
  await line.locator('.about').waitFor();
  await line.getByRole('button', { name: 'Show the message' }).click();
  await terminal.banner('This is the last round').waitFor();
  // A refusal comes first.
  await terminal.choose('20');
  await terminal.tap('total:9');
  await terminal.registered('total:9', '20.00');
  await terminal.tap('total:9');
  await terminal.refused('Total 9: The maximum here is 30.00.').waitFor();
  await terminal.banner('This is the last round').waitFor({ state: 'detached' });
  await accessible(page, 'news behind a refusal');
  // What is new comes before what was there.
  await page.getByRole('button', { name: 'Attendant' }).click();
  await terminal.banner('The attendant has been called').waitFor();
  await line.locator('.turn', { hasText: '2/2' }).click();
  await line.locator('.about').waitFor();
  await line.getByRole('button', { name: 'Show 2 messages' }).click();
  await terminal.banner('This is the last round').waitFor();
  await accessible(page, 'news');
  await dealer.finish([1, 1, 1]);
  await dealer.act({ act: 'take_back_last_round' }, 'pit-supervisor');
  await terminal.banner('This is the last round').waitFor({ state: 'detached' });
});

test('mirrored, board, chips and actions change sides; the words do not', async () => {
  const sides = async (mirror: boolean): Promise<Record<string, number>> => {
    const terminal = await Terminal.sit(await browser.station({ origin: house.origin, settings: { mirror } }), TABLE);
    const middle = async (what: string): Promise<number> => {
      const box = await terminal.page.locator(what).first().boundingBox();
      return box ? box.x + box.width / 2 : NaN;
    };
    return { big: await middle('[data-section="big"]'), small: await middle('[data-section="small"]'), own: await middle('footer .own'), actions: await middle('footer .actions') };
  };
  const [printed, mirrored] = [await sides(false), await sides(true)];
  expect(printed['big']).toBeLessThan(printed['small'] ?? NaN);
  expect(mirrored['big']).toBeGreaterThan(mirrored['small'] ?? NaN);
  expect(printed['own']).toBeLessThan(printed['actions'] ?? NaN);
  expect(mirrored['own']).toBeGreaterThan(mirrored['actions'] ?? NaN);
});

test('own win or loss, credit and the last seconds are told', async () => {
  const terminal = await playing('100');
  const { page } = terminal;
  await terminal.choose('10');
  await terminal.tap('big');
  await terminal.registered('big', '10.00');
  await terminal.figure('possible', '10.00');
  await dealer.finish([4, 5, 6]);
  await told(page, 'own').toBe('You won 10.00. Credit 110.00.');
  // Won first, with the odds as this layout prints them.
  expect(await terminal.line('Big').locator('small').textContent()).toBe('10.00 at 1 wins 1 = 10.00, plus your stake back');
  await dealer.callBets();
  await terminal.says(/place your bets/i);
  await terminal.tap('small');
  await terminal.registered('small', '10.00');
  await dealer.finish([4, 5, 6]);
  await told(page, 'own').toBe('You lost 10.00. Credit 100.00.');
});

test('the card of a round stays its time although bets open, and goes by itself', async () => {
  const terminal = await playing('100');
  const { page } = terminal;
  await terminal.choose('10');
  for (const section of ['big', 'small']) await terminal.tap(section);
  await terminal.figure('bets', '20.00');
  await dealer.finish([4, 5, 6]);
  // Nobody points at it, and nothing in it has the keys.
  await page.mouse.move(5, 5);
  await terminal.card().waitFor();
  const shown = performance.now();
  await dealer.callBets();
  await page.locator('.phase.betting').waitFor();
  expect(await terminal.card().isVisible(), 'while bets are open').toBe(true);
  await terminal.card().waitFor({ state: 'detached' });
  // Ten seconds and some for each line; the dice at the stage took a moment of it.
  expect(performance.now() - shown).toBeGreaterThan(9_000);
  await dealer.finish([1, 1, 1]);
});

test('the possible win, and what each total would bring', async () => {
  const terminal = await playing('100');
  const { page } = terminal;
  await terminal.choose('10');
  for (const section of ['big', 'total:11', 'double:4']) await terminal.tap(section);
  // 4 4 3: 10 + 65 + 115, all three win.
  await terminal.figure('possible', '190.00');
  await page.getByRole('button', { name: 'Returns' }).click();
  const row = (total: number) => page.locator('.returns tr', { has: page.locator('th', { hasText: new RegExp(`^${total}$`) }) }).locator('td');
  expect(await row(11).allTextContents()).toEqual(['+65.00', '+190.00']);
  expect(await row(5).allTextContents()).toEqual(['−30.00', '']);
  // Big wins, eleven and the double lose; on a triple big loses too.
  expect(await row(15).allTextContents()).toEqual(['−30.00', '−10.00']);
  await accessible(page, 'returns');
  await dealer.finish([4, 4, 3]);
  await terminal.figure('credit', '290.00');
});

test('P-042: derived roads are off: the bead plate and both big roads are drawn, and nothing else is for anybody to read into', async () => {
  const terminal = await playing('100');
  await dealer.finish([4, 5, 6]);
  const { page } = terminal;
  await page.locator('.side .bead').first().waitFor();
  expect(await page.locator('.side .roads svg').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).toEqual(['Totals', 'Big road: big and small', 'Big road: odd and even']);
  await page.locator('nav.tools button').nth(6).click();
  await page.locator('dialog[open] .settings').waitFor();
  expect(await page.locator('dialog[open]').innerText()).not.toMatch(/derived/i);
});

test('keys pick chips, undo, repeat and double, and can be turned off', async () => {
  const terminal = await playing('100');
  const { page } = terminal;
  const chosen = () => expect.poll(() => page.locator('footer [role=radio][aria-checked=true]').getAttribute('aria-label'));
  await page.keyboard.press('4');
  await chosen().toBe('Chip 10');
  await terminal.spot('big').focus();
  await page.keyboard.press('Enter');
  await terminal.registered('big', '10.00');
  await page.keyboard.press('d');
  await terminal.registered('big', '20.00');
  await page.keyboard.press('u');
  await terminal.registered('big', '10.00');
  await dealer.finish([1, 1, 2]);
  await dealer.callBets();
  await terminal.says(/place your bets/i);
  await page.keyboard.press('r');
  await terminal.registered('big', '10.00');
  await page.locator('nav.tools button').nth(6).click();
  await page.locator('dialog[open] kbd', { hasText: '1 – 8' }).waitFor();
  await page.getByLabel('Keyboard shortcuts').uncheck();
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  await page.keyboard.press('5');
  await chosen().toBe('Chip 10');
  await dealer.finish([1, 1, 2]);
});

test('chips stand beside the print, never on it', async () => {
  for (const station of [{}, { size: PHONE, touch: true }]) {
    const terminal = await playing('100', station);
    const { page } = terminal;
    await terminal.choose('5');
    const sections = ['big', 'total:11', 'single:4', 'any-triple'].filter((one) => station.touch !== true || one !== 'any-triple');
    for (const section of sections) await terminal.tap(section);
    await terminal.figure('bets', `${sections.length * 5}.00`);
    const over = () => page.evaluate(() => {
      const box = (one: Element): DOMRect => one.getBoundingClientRect();
      const chips = [...document.querySelectorAll('.chips .place .chip')].filter((one) => one.checkVisibility({ visibilityProperty: true })).map(box);
      return [...document.querySelectorAll('.layout svg g.cell text')]
        .filter((text) => chips.some((chip) => {
          const { left, right, top, bottom } = box(text);
          // Letters are lower than their line.
          const [up, down] = [top + (bottom - top) * 0.2, bottom - (bottom - top) * 0.2];
          return left < chip.right - 2 && right > chip.left + 2 && up < chip.bottom - 2 && down > chip.top + 2;
        }))
        .map((text) => text.textContent);
    });
    expect(await over()).toEqual([]);
    // What was paid stands there as well, until the next round.
    await dealer.finish([3, 4, 4]);
    await page.locator('.chips .paid').nth(2).waitFor();
    await page.locator('[data-stage="off"]').first().waitFor({ state: 'attached' });
    // They are on their way there for a moment.
    await expect.poll(over).toEqual([]);
    await page.context().close();
  }
});

test('the player\'s own word stands beside the print: big, small, odd, even and any triple; the print stays', async () => {
  const words = { vi: ['Tài', 'Xỉu', 'Lẻ', 'Chẵn', 'Bộ ba bất kỳ'], 'zh-Hans': ['大', '小', '单', '双', '全围'], 'zh-Hant': ['大', '小', '單', '雙', '全圍'], en: [] } as const;
  for (const language of Object.keys(words) as (keyof typeof words)[]) {
    const terminal = await Terminal.sit(await browser.station({ origin: house.origin, language }), TABLE);
    // Cut into lines where its place is narrow.
    const print = await terminal.page.locator('.layout svg g.cell').evaluateAll((cells) =>
      cells.map((cell) => {
        const of = (face: string) => [...cell.querySelectorAll(`text.${face}`)];
        const size = (one: Element | undefined) => Number(one?.getAttribute('font-size') ?? 0);
        return { label: of('label').map((one) => one.textContent).join(' '), own: of('own').map((one) => one.textContent).join(' '), sizes: [size(of('label')[0]), size(of('own')[0])] };
      }).filter(({ own }) => own !== ''));
    expect(print.map(({ own }) => own).sort(), language).toEqual([...words[language]].sort());
    for (const { label, own, sizes } of print) {
      expect(label, own).not.toBe('');
      // The approved print is not smaller than the word beside it, and both can be read.
      expect(sizes[0], `${label} ${own}`).toBeGreaterThanOrEqual(sizes[1] ?? 0);
      expect(sizes[1], `${label} ${own}`).toBeGreaterThanOrEqual(8);
    }
    await terminal.page.context().close();
  }
});

test('S-02: the round that has not ended is recalled with its accepted bets, also when the page was loaded anew', async () => {
  const terminal = await playing('100');
  const { page } = terminal;
  await terminal.choose('10');
  for (const section of ['big', 'total:11']) await terminal.tap(section);
  await terminal.figure('bets', '20.00');
  const recalled = async (): Promise<void> => {
    await page.locator('nav.tools button').nth(2).click();
    await page.locator('dialog[open] .row', { hasText: 'Not finished' }).click();
    const lines = page.locator('dialog[open] .running dl > div');
    await expect.poll(() => lines.allInnerTexts().then((all) => all.map((one) => one.replaceAll(/\s+/g, ' ')))).toEqual(['Big 10.00', 'Total 11 10.00', 'Staked 20.00']);
  };
  await recalled();
  await accessible(page, 'the round that has not ended');
  await page.reload();
  await page.locator('.spot').first().waitFor();
  await terminal.registered('big', '10.00');
  await recalled();
  await page.keyboard.press('Escape');
  await dealer.finish([4, 5, 6]);
  await terminal.card().waitFor();
  // Ended, it is one of the others.
  await page.locator('nav.tools button').nth(2).click();
  await page.locator('dialog[open] .row .dice').first().waitFor();
  expect(await page.locator('dialog[open] .row', { hasText: 'Not finished' }).count()).toBe(0);
});

test('the builder finds every one of the 56 results', async () => {
  const terminal = await playing('100');
  const { page } = terminal;
  await page.getByRole('button', { name: 'Builder' }).click();
  const marked = () => expect.poll(() => page.locator('.cell.marked').count());
  // Three and four: the pair, both singles and the three fours that hold them.
  for (const face of [3, 4]) await page.getByRole('button', { name: `Add face ${face}` }).click();
  await marked().toBe(6);
  await page.getByRole('button', { name: 'Add face 4' }).click();
  // 3 4 4: big, odd, total 11, double 4, pair, two singles.
  await marked().toBe(7);
  await dealer.finish([1, 1, 1]);
});

test('a whole round by touch alone, on a phone', async () => {
  const terminal = await playing('100', { size: PHONE, touch: true });
  const { page } = terminal;
  await terminal.choose('10');
  await terminal.tap('small');
  await page.getByRole('tab', { name: 'Two dice' }).tap();
  await terminal.tap('double:2');
  await terminal.figure('bets', '20.00');
  await page.getByRole('tab', { name: 'Two dice, 1 bet' }).waitFor();
  await dealer.finish([2, 2, 5]);
  await terminal.card().waitFor();
  await terminal.figure('credit', '225.00');
  await terminal.press(terminal.card().locator('.close'));
  await terminal.card().waitFor({ state: 'detached' });
  await terminal.press(page.locator('nav.tools button').nth(0));
  await terminal.press(page.locator('dialog[open] .button.brass', { hasText: '225.00' }));
  await page.locator('.ticket').waitFor();
  // What to do is read without scrolling (M10 of the review).
  await page.locator('.ticket .picture svg').waitFor();
  const take = await page.locator('.ticket .take').boundingBox();
  const leaf = await page.locator('dialog[open]').boundingBox();
  if (!take || !leaf) throw new Error('both are seen');
  expect(take.y).toBeGreaterThanOrEqual(leaf.y);
  expect(take.y + take.height).toBeLessThanOrEqual(Math.min(leaf.y + leaf.height, PHONE.height));
});

/** WCAG: 4.5 to 1, and 7 to 1 where high contrast is promised. */
const THEMES: [name: string, settings: Record<string, unknown>, least: number][] = [
  ['dark', { theme: 'dark' }, 4.5],
  ['light', { theme: 'light' }, 4.5],
  ['high contrast', { contrast: 'high' }, 7],
];

describe.each(THEMES)('%s', (name, settings, least) => {
  test('is read by everyone: axe, and the contrast of real pixels', async () => {
    const terminal = await playing('100', { settings });
    const { page } = terminal;
    await terminal.choose('5');
    for (const section of ['big', 'total:11', 'single:4']) await terminal.tap(section);
    await terminal.figure('bets', '15.00');
    await accessible(page, `${name} betting`);
    await picture(page, `theme-${name.replace(' ', '-')}-betting`);
    expect(await faint(page, 'header, main, aside, footer', least), `${name} betting`).toEqual([]);
    await dealer.finish([3, 4, 4]);
    await terminal.holdCard();
    await accessible(page, `${name} settled`);
    await picture(page, `theme-${name.replace(' ', '-')}-settled`);
    expect(await faint(page, 'header, main, aside, footer', least), `${name} settled`).toEqual([]);
    for (const door of [0, 2, 3, 6]) {
      await page.locator('nav.tools button').nth(door).click();
      await page.locator('dialog[open] .content').waitFor();
      await accessible(page, `${name} door ${door}`);
      await picture(page, `theme-${name.replace(' ', '-')}-door-${door}`);
      await page.keyboard.press('Escape');
      await page.locator('dialog[open]').waitFor({ state: 'detached' });
    }
  });
});
