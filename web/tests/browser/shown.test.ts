// What players are shown besides the game: that outcomes are for information,
// limits of every kind, whose odds these are, and the document as it is.
import { beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { accessible } from './lib/axe';
import { DESK, PHONE, WALL, type Language } from './lib/browser';
import { Console } from './lib/console';
import { Dealer, type Dice } from './lib/dealer';
import { House, type TableSpec } from './lib/house';
import { picture } from './lib/pictures';
import { browser, house, sit, stage } from './lib/stage';
import { Terminal } from './lib/terminal';

const LIMITS = { minimum: '5', maximum: '500', small: '{ maximum = "2000" }', big: '{ maximum = "2000" }', triple: '{ maximum = "50" }' };
const TABLES: TableSpec[] = [
  { name: 'rapid-1', book: 'mbs-etg', stations: [{ layout: 'rapid', count: 9 }, { layout: 'alfastreet', names: ['Window 1'] }], limits: LIMITS },
  { name: 'tai-sai-7', book: 'rws-open-cover', stations: [{ layout: 'c', count: 9 }], limits: LIMITS },
  { name: 'tai-xiu-1', book: 'quang-nam-table', stations: [{ layout: 'a', count: 7 }], limits: { triple: '{ maximum = "500000" }' } },
];
const LANGUAGES: Language[] = ['en', 'zh-Hans', 'zh-Hant', 'vi'];
const NOTE: Record<Language, RegExp> = { en: /For information only/, 'zh-Hans': /仅供参考/, 'zh-Hant': /僅供參考/, vi: /Chỉ để tham khảo/ };
/** Who logs in at a console. */
const DEALER: Record<Language, string> = { en: 'Dealer', 'zh-Hans': '荷官', 'zh-Hant': '荷官', vi: 'Nhân viên điều hành trò chơi' };
/** The fixed line under past results, word for word. */
const TREND: Record<Language, string> = {
  en: 'For information only. The result on the dice prevails. Each round is independent.',
  'zh-Hans': '仅供参考，以骰子实际结果为准。每局结果各自独立。',
  'zh-Hant': '僅供參考，以骰子實際結果為準。每局結果各自獨立。',
  vi: 'Chỉ để tham khảo. Kết quả trên xúc xắc là căn cứ cuối cùng. Mỗi ván độc lập.',
};
const PAST: Dice[] = [[1, 2, 3], [6, 6, 2], [2, 4, 5], [4, 4, 4], [3, 5, 6], [1, 1, 5], [2, 3, 3]];

const dealer = (name: string): Dealer => new Dealer(house, name, TABLES.find((table) => table.name === name)?.book ?? '');

stage(() => House.open(TABLES, 'Hội An Riverside'));
beforeAll(async () => {
  await Promise.all(
    TABLES.map(async ({ name }) => {
      await dealer(name).open();
      for (const dice of PAST) {
        await dealer(name).callBets();
        await dealer(name).finish(dice);
      }
    }),
  );
});

/** What lies within the screen and is not covered by anything else. */
async function inSight(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((selector) => {
    const seen = [...document.querySelectorAll<HTMLElement>(selector)].filter((one) => {
      const box = one.getBoundingClientRect();
      if (box.width === 0 || box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) return false;
      const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      return top !== null && (one.contains(top) || top.contains(one));
    });
    return seen.map((one) => one.innerText.trim());
  }, selector);
}

/** Of what is asked for these words come to be in sight and no others: a page moves while it is being drawn. */
async function onlyInSight(page: Page, selector: string, where: string, words: unknown[]): Promise<void> {
  await expect.poll(() => inSight(page, selector), { message: where }).toEqual(words);
}

/** No number of ours is shown as a rule: only the document's can be looked up. */
async function documentsNumbers(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.body.innerText.match(/\b[QPRSJ]-\d+/g))).toBeNull();
}

for (const language of LANGUAGES)
test(`P-044 R-196 R-193 outcomes are for information only, once on each screen that shows them: ${language}`, async () => {
  for (const [size, name] of [[DESK, '1280'], [PHONE, 'phone']] as const) {
    const phone = name === 'phone';
    const room = await browser.station({ origin: house.origin, size, touch: phone, language });
    const terminal = await Terminal.sit(room, 'rapid-1', phone);
    await terminal.page.locator('.strip .badge').waitFor();
    await onlyInSight(terminal.page, '.outcomes-note', `terminal ${name}`, [expect.stringMatching(NOTE[language])]);
    await picture(terminal.page, `shown-welcome-${language}-${name}`);
    await terminal.insert('100');
    await picture(terminal.page, `shown-terminal-${language}-${name}`);
    await accessible(terminal.page, `terminal ${language} ${name}`);
    // History is a screen of its own.
    await terminal.press(terminal.page.locator('nav.tools button').nth(2));
    await terminal.page.locator('dialog[open] .history').waitFor();
    await onlyInSight(terminal.page, 'dialog[open] .outcomes-note', `history ${name}`, [TREND[language]]);
    await picture(terminal.page, `shown-history-${language}-${name}`);
    await room.close();
  }
  const room = await browser.station({ origin: house.origin, size: WALL, language });
  const wall = await room.newPage();
  await wall.goto('/wall/rapid-1');
  await wall.locator('.total .badge').waitFor();
  await onlyInSight(wall, 'footer', 'wall', [TREND[language]]);
  await picture(wall, `shown-wall-${language}`);
  await accessible(wall, `wall ${language}`);
  // The lobby shows the last result of every table.
  const lobby = await room.newPage();
  await lobby.goto('/');
  await lobby.locator('footer .outcomes-note').waitFor();
  await onlyInSight(lobby, 'footer .outcomes-note', 'lobby', [TREND[language]]);
  await room.close();
  // The console shows the last outcome beside the next step, and lights it.
  const station = await browser.station({ origin: house.origin, size: DESK, language });
  const { page: desk } = await Console.sit(station, 'rapid-1', 'mbs-etg', DEALER[language]);
  await desk.locator('.strip .badge').waitFor();
  await onlyInSight(desk, '.outcomes-note', 'console', [expect.stringMatching(NOTE[language])]);
  await picture(desk, `shown-console-${language}`);
  await accessible(desk, `console ${language}`);
  await station.close();
});

test('R-053 Q-04 R-155 R-191 R-204 the rules page says when a round starts, what stands and who is told of a failed device', async () => {
  const room = await browser.station({ origin: house.origin, size: DESK, language: 'en' });
  const page = await room.newPage();
  const says = async (book: string, sentences: string[]): Promise<void> => {
    await page.goto(`/rules/${book}`);
    await page.locator('.book table').first().waitFor();
    const text = await page.evaluate(() => document.body.innerText.replaceAll(/\s+/g, ' '));
    for (const sentence of sentences) expect(text).toContain(sentence);
  };
  await says('quang-nam-table', [
    'Betting opens when the dealer calls for bets. practice of the house; the document is silent',
    'The round starts, by the document, with “no more bets”. quang-nam-table 2.1',
    'The winning areas light up before anything is taken or paid. quang-nam-table 3.2, 4.8',
    'The bets of a void round are returned. practice of the house; the document is silent',
    'Later rounds stand when a round is corrected. practice of the house; the document is silent',
    'A device fails: the pit manager is told at once. quang-nam-table 7.1',
    'A device fails: play resumes when the head of operations approves. quang-nam-table 7.1',
  ]);
  await picture(page, 'shown-rules-quang-nam-en');
  await says('rws-etg', [
    'The round starts, by the document, with the notice to place bets. rws-etg 1.8',
    'The bets of a void round are returned. rws-etg 5.9',
    'Earlier rounds stand when a round is void, unless its cause affected them. rws-etg 5.3',
    'Later rounds stand when a round is corrected. rws-etg 5.6',
  ]);
  await room.close();
});

test('R-145 R-163 R-175 R-177 the rules page says who decides where a document is silent', async () => {
  const IN_ROUND = 'A cause found later in the same round: the dealer and the pit supervisor or above void the round together.';
  const SETTLED = {
    ruled: 'A cause found after bets were settled: the round stands unless the shift manager or above, with a second person, rules it void.',
    manager: 'A cause found after bets were settled: the shift manager or above, with a second person, voids the round.',
    director: 'A cause found after bets were settled: the director or above, with a second person, voids the round.',
  };
  const STOP = 'Equipment fails during play: the dealer stops play, and the pit supervisor or above answers whether the round is affected.';
  const MOVED = 'The dice are no longer in place after an interruption: the director or above decides, never the dealer alone.';
  const CHIPS = 'Chips recorded only once the dice can be seen count only when the pit supervisor or above attests that they lay there at the close.';
  const all = [IN_ROUND, ...Object.values(SETTLED), STOP, MOVED, CHIPS];
  const books: Record<string, string[]> = {
    'rws-etg': [IN_ROUND, SETTLED.ruled, STOP],
    'rws-open-cover': [IN_ROUND, SETTLED.ruled, STOP],
    'mbs-table': [IN_ROUND, SETTLED.manager, STOP, CHIPS],
    'mbs-etg': [IN_ROUND, SETTLED.manager, STOP],
    'quang-nam-table': [IN_ROUND, SETTLED.director, MOVED, CHIPS],
  };
  // Left by the document to whoever decides what no rule covers.
  const cited: Record<string, Record<string, string>> = {
    [SETTLED.ruled]: { 'rws-etg': 'rws-etg 5.10', 'rws-open-cover': 'rws-open-cover 5.10' },
    [MOVED]: { 'quang-nam-table': 'quang-nam-table 7.8' },
  };
  const page = await (await browser.station({ origin: house.origin, size: DESK, language: 'en' })).newPage();
  for (const [book, sentences] of Object.entries(books)) {
    await page.goto(`/rules/${book}`);
    await page.locator('.book table').first().waitFor();
    const lines = (await page.locator('.book li').allInnerTexts()).map((line) => line.replaceAll(/\s+/g, ' '));
    const said = all.filter((sentence) => lines.some((line) => line.startsWith(sentence)));
    expect(said, book).toEqual(all.filter((sentence) => sentences.includes(sentence)));
    for (const sentence of sentences) expect(lines, book).toContain(`${sentence} ${cited[sentence]?.[book] ?? 'practice of the house; the document is silent'}`);
  }
  await page.locator('li', { hasText: MOVED }).scrollIntoViewIfNeeded();
  await picture(page, 'shown-rules-silent');
});

for (const language of ['en', 'vi'] as const)
test(`R-131 Q-40 the limits of every kind are in sight on the terminal and the wall: ${language}`, async () => {
  const [range, most, triple] = language === 'vi' ? ['5 – 500', '5 – 2.000', '5 – 50'] : ['5 – 500', '5 – 2,000', '5 – 50'];
  for (const [size, name] of [[DESK, '1280'], [PHONE, 'phone']] as const) {
    const terminal = await Terminal.sit(await browser.station({ origin: house.origin, size, touch: name === 'phone', language }), 'tai-sai-7', name === 'phone');
    await expect.poll(() => inSight(terminal.page, '.limit-strip dd'), { message: name }).toHaveLength(3);
    const shown = await inSight(terminal.page, '.limit-strip dd');
    expect(shown[0]).toContain(most);
    expect(shown[0]).toMatch(language === 'vi' ? /Xỉu · Tài/ : /Small · Big/);
    expect(shown[1]).toContain(triple);
    expect(shown[2]).toContain(range);
    expect(shown[2]).toMatch(language === 'vi' ? /các ô cược khác/ : /all other bets/);
    await terminal.page.context().close();
  }
  for (const table of ['tai-sai-7', 'tai-xiu-1']) {
    const wall = await (await browser.station({ origin: house.origin, size: WALL, language })).newPage();
    await wall.goto(`/wall/${table}`);
    await wall.locator('.limits li').first().waitFor();
    const hidden = async (): Promise<number> => (await wall.locator('.limits li').count()) - (await inSight(wall, '.limits li')).length;
    await expect.poll(hidden, { message: `no limit of ${table} is cut off` }).toBe(0);
    const cut = () => wall.evaluate(() => [...document.querySelectorAll('.limits b, .limits span')].filter((one) => one.scrollWidth > one.clientWidth + 1 && one.getBoundingClientRect().right > innerWidth).map((one) => one.textContent));
    await expect.poll(cut).toEqual([]);
  }
});

test('Q-42 the wall of a cluster with two layouts shows both pay tables by name; each terminal names its own', async () => {
  const wall = await (await browser.station({ origin: house.origin, size: WALL })).newPage();
  await wall.goto('/wall/rapid-1');
  // One page for each pay table, by its name; each says that terminals differ.
  for (const title of ['Alfastreet Terminal', 'Rapid Select Terminal']) {
    await wall.locator('.pay-table .whose', { hasText: `Pay table: ${title}` }).waitFor();
    expect(await wall.locator('.pay-table .whose').innerText()).toContain('each plays by the pay table it shows');
  }
  // Bets that win are named without odds, since those differ.
  expect(await wall.locator('.winners').innerText()).not.toMatch(/wins|1:|to 1/i);
  // A table with one layout has nothing to tell apart.
  await wall.goto('/wall/tai-sai-7');
  await wall.locator('.pay-table .whose').waitFor();
  expect(await wall.locator('.pay-table .whose').innerText()).not.toContain('each plays by');
  expect(await wall.locator('.winners').innerText()).toMatch(/Even\s+1:1/);
  const terminal = await sit('rapid-1');
  await onlyInSight(terminal.page, '.layout-name', 'terminal', ['Rapid Select Terminal']);
});

test('R-002 R-004 the open game has its other name and its approval on the rules page; Tai Sai stands on every screen', async () => {
  const room = await browser.station({ origin: house.origin });
  const page = await room.newPage();
  await page.goto('/rules/rws-open-cover');
  await page.locator('.approval blockquote').waitFor();
  expect(await page.locator('.aka').innerText()).toBe('also known as Tai Sai (Open Cover)');
  const approval = await page.locator('.approval blockquote').innerText();
  expect(approval).toContain('In accordance with Section 100(1) of the Casino Control Act 2006, the Gambling Regulatory Authority of Singapore approves the game rules');
  await documentsNumbers(page);
  await accessible(page, 'rules of the open game');
  await picture(page, 'shown-rules-open-cover-en');
  await page.goto('/');
  await page.locator('.tile .title', { hasText: 'Tai Sai (Open Cover)' }).waitFor();
  await page.goto('/wall/tai-sai-7');
  await page.locator('h1', { hasText: 'Tai Sai (Open Cover)' }).waitFor();
  const terminal = await Terminal.sit(room, 'tai-sai-7');
  await terminal.page.locator('.limit-strip', { hasText: 'Tai Sai (Open Cover)' }).waitFor();
  // The other Singapore book that carries an approval.
  await page.goto('/rules/mbs-etg');
  await page.locator('.approval blockquote', { hasText: 'Section 100(1)' }).waitFor();
  await documentsNumbers(page);
});

test('R-036 R-090 quang-nam: the casino’s name is on the layout, and nothing is called odd or even', async () => {
  for (const language of ['en', 'vi'] as const) {
    const wall = await (await browser.station({ origin: house.origin, size: WALL, language })).newPage();
    await wall.goto('/wall/tai-xiu-1');
    await wall.locator('.total .badge').waitFor();
    await wall.locator('.pay-table .casino', { hasText: 'Hội An Riverside' }).waitFor();
    await expect.poll(() => wall.locator('.roads svg').count(), { message: 'the road of big and small only' }).toBe(1);
    const words = await wall.evaluate(() => document.body.innerText);
    expect(words).not.toMatch(/\b(Odd|Even|odd|even)\b|Lẻ|Chẵn|lẻ|chẵn/);
    await picture(wall, `shown-wall-quang-nam-${language}`);
  }
  const page = await (await browser.station({ origin: house.origin })).newPage();
  await page.goto('/rules/quang-nam-table');
  await page.locator('.drawing svg text', { hasText: 'Hội An Riverside' }).first().waitFor();
  // Elsewhere the document does not have it there, and odd and even are called.
  await page.goto('/rules/mbs-etg');
  await page.locator('.drawing svg text').first().waitFor();
  expect(await page.locator('.drawing svg text', { hasText: 'Hội An Riverside' }).count()).toBe(0);
  await page.goto('/wall/tai-sai-7');
  await page.locator('.total .badge', { hasText: 'Even' }).waitFor();
  await expect.poll(() => page.locator('.roads svg').count()).toBe(2);
});

test('R-210 R-211 R-212 R-213 R-214 R-215 R-216 Q-59 quang-nam’s disputes and bases are in Vietnamese, its drawings are illustrations', async () => {
  const page = await (await browser.station({ origin: house.origin, language: 'vi' })).newPage();
  await page.goto('/rules/quang-nam-table');
  const disputes = page.locator('.disputes');
  await disputes.locator('.bases li').nth(7).waitFor();
  const steps = await disputes.locator('ol').first().innerText();
  for (const words of [
    'Giám sát Pit',
    'không thể giải quyết được sẽ chuyển lên cho Quản lý Pit',
    'thông báo cho bộ phận Giám sát',
    'Khi có thể, truyền đạt cho người chơi khoảng thời gian để xử lý tranh chấp',
    'quyền nộp đơn khiếu nại chính thức lên quản lý cấp cao của casino',
    'được hướng dẫn và hỗ trợ khi nộp đơn khiếu nại chính thức',
  ])
    expect(steps).toContain(words);
  const bases = await disputes.locator('.bases li').allInnerTexts();
  expect(bases.map((one) => one.match(/8\.4\.\d/)?.[0])).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `8.4.${n}`));
  expect(bases[0]).toContain('Thể lệ Trò chơi đã được phê duyệt');
  expect(bases[7]).toContain('pháp luật Việt Nam hiện hành');
  expect(bases.join(' ')).not.toMatch(/\b(the|approved|law)\b/);
  const illustration = await page.locator('.illustration').innerText();
  expect(illustration).toContain('Các hình ảnh nêu trên chỉ mang tính chất minh họa.');
  await documentsNumbers(page);
  await accessible(page, 'rules of quang-nam');
  await picture(page, 'shown-rules-quang-nam-vi');
  await page.locator('.disputes').scrollIntoViewIfNeeded();
  await picture(page, 'shown-rules-quang-nam-vi-disputes');
  await page.setViewportSize(PHONE);
  await picture(page, 'shown-rules-quang-nam-vi-phone');
  await page.setViewportSize(DESK);
  await page.goto('/rules/rws-etg');
  await page.locator('table').first().waitFor();
  expect(await page.locator('.illustration').count(), 'a document that says nothing of its pictures').toBe(0);
});

test('rule numbers of a void are the document’s on terminal and wall', async () => {
  const room = await browser.station({ origin: house.origin });
  const terminal = await Terminal.sit(room, 'rapid-1');
  await dealer('rapid-1').callBets();
  await dealer('rapid-1').act({ act: 'hold', what: 'A sleeve touched the tumbler.' });
  await terminal.banner('waits for a decision').waitFor();
  await documentsNumbers(terminal.page);
  const { decisions } = (await dealer('rapid-1').state()) as { decisions: { pending: number }[] };
  await dealer('rapid-1').act({ act: 'rule', pending: decisions[0]?.pending, ruling: 'void', reason: 'seen on camera' }, 'shift-manager');
  await terminal.banner('is void').waitFor();
  expect(await terminal.banner('is void').innerText()).toContain('(mbs-etg 6.1, 6.2)');
  await documentsNumbers(terminal.page);
});
