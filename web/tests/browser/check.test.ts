// Check it yourself (P-063): the square on a card opens the page that proves the round in the browser; the same page
// proves it from a disk without the house; and one changed digit is refused.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import jsqr from 'jsqr';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { accessible } from './lib/axe';
import { PHONE, type Language } from './lib/browser';
import { Dealer } from './lib/dealer';
import { picture } from './lib/pictures';
import { browser, house, stageTables } from './lib/stage';
import { Terminal } from './lib/terminal';

const TABLE = { name: 'rws-1', book: 'rws-etg', stations: [{ layout: 'c', count: 6 }] };
stageTables([TABLE]);

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sicbo-check-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Block = { x: number; y: number; width: number; height: number };

/** What a phone's camera reads from black rectangles on white paper. */
function read(blocks: Block[], side: number, scale: number): string {
  const width = Math.ceil(side * scale);
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const block of blocks)
    for (let y = Math.round(block.y * scale); y < Math.round((block.y + block.height) * scale); y++)
      for (let x = Math.round(block.x * scale); x < Math.round((block.x + block.width) * scale); x++) pixels.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
  return jsqr(pixels, width, width)?.data ?? '';
}

/** The square of a card, as it is drawn. */
async function scanned(page: Page): Promise<string> {
  const square = page.locator('article.card .check svg');
  await square.waitFor();
  const [side, path] = await square.evaluate((svg): [number, string] => [Number(svg.getAttribute('viewBox')?.split(' ')[2]), svg.querySelector('path')?.getAttribute('d') ?? '']);
  const blocks = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(([, x, y, width]) => ({ x: Number(x), y: Number(y), width: Number(width), height: 1 }));
  return read(blocks, side, 4);
}

/** The square of a voucher, as it was printed: everything black below the middle of the paper. */
function scannedPaper(svg: string): string {
  const rects = [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g)].map((found) => found.slice(1).map(Number));
  const modules = rects.flatMap(([x = 0, y = 0, width = 0, height = 0]) => (height < 1.5 && height > 0.3 ? [{ x, y, width, height }] : []));
  const top = Math.min(...modules.map(({ y }) => y));
  // With the white around it that paper has.
  return read(modules.map((block) => ({ ...block, y: block.y - top + 6 })), 40, 16);
}

/** Plays a round; the terminals that bet are given, the first one's card is shown. */
async function played(players: number): Promise<Terminal> {
  const dealer = new Dealer(house, TABLE.name, TABLE.book);
  const terminals: Terminal[] = [];
  for (let at = 0; at < players; at++) {
    const terminal = await Terminal.sit(await browser.station({ origin: house.origin }), TABLE.name);
    await terminal.insert('100');
    terminals.push(terminal);
  }
  await dealer.callBets();
  for (const terminal of terminals) {
    await terminal.bet('big', '5');
    await terminal.bet('total:11', '5');
  }
  await dealer.finish([4, 3, 4]);
  const [first] = terminals;
  if (!first) throw new Error('nobody played');
  await first.card().waitFor();
  return first;
}

/** The last digit of a text, changed. */
const changed = (text: string): string => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');

const verdict = (page: Page, answer: 'proved' | 'refused') => page.locator(`[data-answer=${answer}]`);

test('P-063 the square on the card opens the page that proves the round, and one changed digit is refused', async () => {
  const terminal = await played(1);
  const address = await scanned(terminal.page);
  expect(address).toBe(await terminal.page.locator('article.card .check').getAttribute('data-check'));
  const code = await terminal.card().locator('code').innerText();
  await picture(terminal.page, 'terminal-card-square');

  const phone = await (await browser.station({ origin: house.origin, size: PHONE, language: 'en' })).newPage();
  const asked: string[] = [];
  phone.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await phone.goto(address);
  await verdict(phone, 'proved').waitFor();
  // The page and the receipt, and nothing else: what is proved is proved here.
  expect(asked.filter((path) => path !== '/check')).toEqual([expect.stringMatching(/^\/api\/tables\/rws-1\/rounds\/1\/receipts\/T\d+$/)]);
  expect(await phone.locator('.steps code').last().innerText()).toBe(code);
  expect(await phone.locator('.steps li').last().innerText()).toContain('follows from the signed record');
  // 5.00 on big at 1 to 1 and on total 11 at its odds: as the card has it.
  const card = await terminal.card().locator('.net dd').innerText();
  expect(await phone.locator('tfoot td').innerText()).toBe(`${card} SGD`);
  await accessible(phone, 'the page that checks');
  await picture(phone, 'check-proved-en-phone');

  const field = phone.locator('form .code').first();
  await field.fill(changed(code));
  await verdict(phone, 'refused').waitFor();
  expect(await verdict(phone, 'refused').getAttribute('data-reason')).toBe('code');
  await accessible(phone, 'a refusal');
  await picture(phone, 'check-refused-en-phone');
  await field.fill(code);
  await verdict(phone, 'proved').waitFor();
  // The receipt of somebody else's part is not opened with this key.
  await phone.goto('about:blank');
  await phone.goto(address.replace(/\/T(\d+)\//, '/T4/').replace('/T4/', address.includes('/T4/') ? '/T3/' : '/T4/'));
  await phone.locator('.verdict.refused', { hasText: 'no receipt' }).waitFor();

  for (const language of ['zh-Hans', 'zh-Hant', 'vi'] as Language[]) {
    const page = await (await browser.station({ origin: house.origin, language })).newPage();
    await page.goto(address);
    await verdict(page, 'proved').waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/check-|\{/);
    await accessible(page, language);
    await picture(page, `check-proved-${language}`);
  }
});

test('P-063 among other players the code stands on the signature, and nothing of theirs is shown', async () => {
  const terminal = await played(2);
  const page = await (await browser.station({ origin: house.origin })).newPage();
  await page.goto(await scanned(terminal.page));
  await verdict(page, 'proved').waitFor();
  expect(await page.locator('.steps li').last().innerText()).toContain('signed it for this round');
  expect(await page.locator('tbody tr').count()).toBe(2);
  const code = page.locator('form .code').first();
  await code.fill(changed(await code.inputValue()));
  await verdict(page, 'refused').waitFor();
});

test('P-063 the signed file proves a saved receipt from a disk, without the house', async () => {
  const terminal = await played(1);
  const address = await scanned(terminal.page);
  const code = await terminal.card().locator('code').innerText();
  // The page as anyone saves it, held to the house's signature by the means of another program.
  const file = Buffer.from(await (await fetch(`${house.origin}/sicbo-check.html`)).arrayBuffer());
  const signed = (await (await fetch(`${house.origin}/api/check`)).json()) as Record<'sha256' | 'statement' | 'signature' | 'key', string>;
  const digest = createHash('sha256').update(file).digest('hex');
  expect(signed.sha256).toBe(digest);
  expect(signed.statement).toContain(`sha256: ${digest}\n`);
  const holds = (statement: string): boolean => verify(null, Buffer.from(statement), createPublicKey(signed.key), Buffer.from(signed.signature, 'hex'));
  expect(holds(signed.statement)).toBe(true);
  expect(holds(signed.statement.replace(digest, changed(digest)))).toBe(false);
  const page = join(folder, 'sicbo-check.html');
  await writeFile(page, file);

  // The receipt as the page saves it; the program of the house reads it too.
  const online = await (await browser.station({ origin: house.origin })).newPage();
  await online.goto(address);
  await verdict(online, 'proved').waitFor();
  const [download] = await Promise.all([online.waitForEvent('download'), online.locator('form .buttons button').click()]);
  const receipt = join(folder, download.suggestedFilename());
  await download.saveAs(receipt);
  expect(receipt).toMatch(/rws-1-round-\d+-T\d+\.sicbo-receipt$/);
  await house.verifyFile(receipt);

  const context = await browser.station({ origin: house.origin, size: PHONE });
  await context.setOffline(true);
  const alone = await context.newPage();
  await alone.goto(pathToFileURL(page).href);
  await alone.locator('form input[type=file]').setInputFiles(receipt);
  await verdict(alone, 'proved').waitFor();
  const field = alone.locator('form .code').first();
  await field.fill(code);
  await verdict(alone, 'proved').waitFor();
  await picture(alone, 'check-file-proved');
  await field.fill(changed(code));
  await verdict(alone, 'refused').waitFor();
  expect(await verdict(alone, 'refused').getAttribute('data-reason')).toBe('code');
  // The house's fingerprint, from elsewhere: another one is refused.
  await field.fill(code);
  const house_id = /^house: (\S+)$/m.exec(signed.statement)?.[1] ?? '';
  await alone.locator('form .code').nth(1).fill(house_id);
  await alone.locator('.steps', { hasText: 'the fingerprint you entered' }).waitFor();
  await alone.locator('form .code').nth(1).fill(changed(house_id));
  await verdict(alone, 'refused').waitFor();
  expect(await verdict(alone, 'refused').getAttribute('data-reason')).toBe('house');

  // One bit of the receipt, within a signed record.
  const bytes = await readFile(receipt);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 400) ^ 1, bytes.length - 400);
  const bad = join(folder, 'bad.sicbo-receipt');
  await writeFile(bad, bytes);
  await alone.reload();
  await alone.locator('form input[type=file]').setInputFiles(bad);
  await verdict(alone, 'refused').waitFor();
});

test('the page is fetched by nobody who does not check', async () => {
  const page = await (await browser.station({ origin: house.origin })).newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/play/rws-1');
  await page.locator('.spot').first().waitFor();
  expect(asked.filter((path) => /check|square|wasm/.test(path))).toEqual([]);
  const file = Buffer.from(await (await fetch(`${house.origin}/sicbo-check.html`)).arrayBuffer());
  // What a phone loads: below half a megabyte.
  expect(gzipSync(file).length).toBeLessThan(500_000);
});

test('the square on a voucher opens its receipt on a phone: signed by the house, as it stands, without its number', async () => {
  const terminal = await Terminal.sit(await browser.station({ origin: house.origin, language: 'zh-Hant' }), TABLE.name);
  const { page } = terminal;
  await terminal.insert('100');
  await page.locator('nav.tools button').nth(0).click();
  await page.locator('dialog[open] .button.brass', { hasText: '100.00' }).last().click();
  const ticket = page.locator('.ticket .picture svg');
  await ticket.waitFor();
  const shown = await ticket.innerHTML();
  // In the player's language beside the book's, on the screen and on paper as far as printers have its letters.
  expect(shown).toMatch(/CASH-OUT VOUCHER[^]*兌現票券/);
  expect(shown).toContain('掃碼即可用手機核驗本票券。');
  const paper = await house.printed('svg');
  expect(paper).toContain('兌現票券');
  const bytes = await house.printed('escpos');
  expect(bytes).toMatch(/CASH-OUT VOUCHER[^]*PHIEU DOI TIEN/);
  const address = scannedPaper(paper);
  expect(address).toMatch(new RegExp(`^${house.origin}/check#v/\\d+/[0-9a-f]{20}$`));
  // The printer draws the same one.
  expect(bytes).toContain(address);
  const number = /\d\d(-\d{4}){4}/.exec(paper)?.[0].replaceAll('-', '') ?? '';
  expect(number).toHaveLength(18);
  expect(address).not.toContain(number);

  const phone = await (await browser.station({ origin: house.origin, size: PHONE, language: 'en' })).newPage();
  const asked: string[] = [];
  phone.on('request', (request) => asked.push(request.url()));
  await phone.goto(address);
  await phone.locator('[data-answer=voucher]').waitFor();
  expect(await phone.locator('.voucher .amount').innerText()).toBe('SGD 100.00');
  await phone.locator('[data-state=printed]', { hasText: 'Good: not paid yet.' }).waitFor();
  await phone.locator('.voucher dd', { hasText: number.slice(-4) }).waitFor();
  expect(await phone.locator('body').innerText()).not.toContain(number.slice(0, 14));
  // Nothing that can be paid was sent anywhere, and the page itself was asked for without the key.
  expect(asked.filter((url) => url.includes(number))).toEqual([]);
  expect(asked.map((url) => new URL(url).pathname + new URL(url).search)[0]).toBe('/check');
  await accessible(phone, 'the receipt of a voucher');
  await picture(phone, 'check-voucher-en-phone');
  const [download] = await Promise.all([phone.waitForEvent('download'), phone.locator('form .buttons button').click()]);
  const saved = join(folder, download.suggestedFilename());
  await download.saveAs(saved);

  // Paid, it says so; the paper is then worth nothing, however often it is scanned.
  await page.locator('dialog[open] form input').fill(number);
  await page.locator('dialog[open] form button').click();
  await terminal.figure('credit', '100.00');
  await phone.reload();
  await phone.locator('[data-state=redeemed]', { hasText: 'Paid.' }).waitFor();
  await phone.goto('about:blank');
  await phone.goto(changed(address));
  await phone.locator('.verdict.refused', { hasText: 'no receipt' }).waitFor();

  // From a disk, without the house; and one changed byte is refused.
  const alone = await (await browser.station({ origin: house.origin })).newPage();
  const file = join(folder, 'sicbo-check-2.html');
  await writeFile(file, Buffer.from(await (await fetch(`${house.origin}/sicbo-check.html`)).arrayBuffer()));
  await alone.goto(pathToFileURL(file).href);
  await alone.locator('form input[type=file]').setInputFiles(saved);
  await alone.locator('[data-answer=voucher]').waitFor();
  const forged = await readFile(saved);
  const at = forged.indexOf('amount: 10000');
  forged.write('amount: 90000', at);
  const bad = join(folder, 'bad-voucher.sicbo-receipt');
  await writeFile(bad, forged);
  await alone.locator('form input[type=file]').setInputFiles(bad);
  await verdict(alone, 'refused').waitFor();
  expect(await verdict(alone, 'refused').getAttribute('data-reason')).toBe('signature');
});
