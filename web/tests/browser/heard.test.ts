// What a terminal sounds and tells in a real round: voices are counted by an
// audio device of the test's own, sentences by the region that is read aloud.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { Dealer, type Dice } from './lib/dealer';
import { House, type TableSpec } from './lib/house';
import { browser, house, stage } from './lib/stage';
import { Terminal } from './lib/terminal';

const LONG = 'sic-bo-5';
const SHORT = 'sic-bo-6';
const TABLES: TableSpec[] = [
  { name: LONG, book: 'rws-etg', stations: [{ layout: 'a', count: 9 }] },
  { name: SHORT, book: 'rws-etg', stations: [{ layout: 'a', count: 9 }], window: 13 },
];
const dealers = new Map<string, Dealer>();
stage(() => House.open(TABLES));
beforeAll(async () => {
  for (const { name, book } of TABLES) {
    dealers.set(name, new Dealer(house, name, book));
    await dealers.get(name)?.open();
  }
});
beforeEach(() => Promise.all([...dealers.values()].map((one) => one.afresh())));

/** As much of an audio device as the page uses; the pitch of each voice that is started is kept. */
const AUDIO = `(() => {
  const voices = (window.voices = []);
  const knob = () => ({ value: 0, setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} });
  const node = (more) => ({ connect: (to) => to, ...more });
  window.AudioContext = class {
    currentTime = 0; sampleRate = 8000; state = 'running'; destination = {};
    resume() { return Promise.resolve(); }
    createGain() { return node({ gain: knob() }); }
    createOscillator() { const frequency = knob(); return node({ type: '', frequency, start() { voices.push(frequency.value); }, stop() {} }); }
    createBuffer(_, length) { return { getChannelData: () => new Float32Array(length) }; }
    createBufferSource() { return node({ buffer: null, start() {} }); }
    createBiquadFilter() { return node({ type: '', frequency: knob(), Q: knob() }); }
  };
})()`;
const voices = (page: Page): Promise<number[]> => page.evaluate('window.voices');
const silence = (page: Page): Promise<unknown> => page.evaluate('void (window.voices.length = 0)');

/** The cover is lifted. */
const LIFT = [392, 523];
const WIN = [523, 659, 784];

test('P-053: a win is heard; a loss, less than the stake and the stake itself are not; one touch mutes', async () => {
  const context = await browser.station({ origin: house.origin });
  await context.addInitScript(AUDIO);
  const terminal = await Terminal.sit(context, LONG);
  const { page } = terminal;
  const dealer = dealers.get(LONG) as Dealer;
  await terminal.insert('100');
  const own = () => expect.poll(() => page.locator('[data-told="own"]').textContent());
  /** Bets, and everything that sounds from the lifting of the cover to the settlement. */
  const round = async (bets: Record<string, string>, dice: Dice, said: RegExp): Promise<number[]> => {
    await dealer.callBets();
    await page.locator('.phase.betting').waitFor();
    for (const [section, chip] of Object.entries(bets)) {
      await terminal.choose(chip);
      await terminal.tap(section);
      await terminal.registered(section, `${chip}.00`);
    }
    await dealer.closeBets();
    await dealer.everyoneShown();
    await silence(page);
    await dealer.dice(dice);
    await own().toMatch(said);
    return voices(page);
  };
  expect(await round({ big: '10' }, [4, 5, 6], /^You won 10\.00\./)).toEqual([...LIFT, ...WIN]);
  expect(await round({ big: '10' }, [1, 1, 2], /^You lost 10\.00\./)).toEqual(LIFT);
  // Twenty come back of twenty-five.
  expect(await round({ big: '10', odd: '10', 'total:9': '5' }, [4, 5, 5], /^You lost 5\.00\./)).toEqual(LIFT);
  expect(await round({ big: '10', odd: '10' }, [4, 5, 5], /20\.00/)).toEqual(LIFT);
  const mute = page.getByRole('button', { name: 'Mute' });
  expect(await mute.getAttribute('aria-pressed')).toBe('false');
  await mute.click();
  expect(await mute.getAttribute('aria-pressed')).toBe('true');
  expect(await round({ big: '10' }, [4, 5, 6], /^You won 10\.00\./)).toEqual([]);
  // It is kept, and taken back with the same touch.
  await page.reload();
  await mute.waitFor();
  expect(await mute.getAttribute('aria-pressed')).toBe('true');
  await mute.click();
  expect(await round({ big: '10' }, [4, 5, 6], /^You won 10\.00\./)).toEqual([...LIFT, ...WIN]);
});

test('the last seconds are told to those who hear the screen, and never more than there are', async () => {
  const terminal = await Terminal.sit(await browser.station({ origin: house.origin }), SHORT);
  const { page } = terminal;
  await terminal.insert('100');
  await page.evaluate(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    const region = document.querySelector('[data-told="now"]');
    if (region) new MutationObserver(() => told.push(region.textContent ?? '')).observe(region, { childList: true, characterData: true, subtree: true });
  });
  await (dealers.get(SHORT) as Dealer).callBets();
  await page.locator('.phase.betting').waitFor();
  await page.locator('.phase.closing, .phase.awaiting').waitFor();
  const told = await page.evaluate(() => (window as unknown as { told: string[] }).told);
  const seconds = told.map((one) => Number(/^(\d+) seconds? left to bet\.$/.exec(one)?.[1] ?? NaN)).filter((n) => !Number.isNaN(n));
  // Ten and five; a page that was held up says how many there are by then.
  expect(seconds.length, told.join(' | ')).toBeGreaterThanOrEqual(1);
  expect(seconds.length).toBeLessThanOrEqual(2);
  expect(seconds[0]).toBeLessThanOrEqual(10);
  expect(seconds[1] ?? 0).toBeLessThanOrEqual(5);
});

test('whoever hears the screen in Vietnamese is told in Vietnamese, with the words of the document beside them', async () => {
  const terminal = await Terminal.sit(await browser.station({ origin: house.origin, language: 'vi' }), LONG);
  const { page } = terminal;
  await terminal.insert('100');
  const said = () => expect.poll(() => page.locator('.unseen[aria-live="polite"]').first().textContent());
  const dealer = dealers.get(LONG) as Dealer;
  await dealer.callBets();
  await said().toMatch(/Mời đặt cược/);
  await dealer.closeBets();
  await said().toMatch(/Không đặt cược thêm/);
  await dealer.dice([1, 2, 4]);
  await said().toMatch(/Xỉu/);
});
