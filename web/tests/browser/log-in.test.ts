// A house with duties, by what its people see: a guess is slowed down, a first PIN is changed, a
// code is asked for, money takes the PIN again; two persons take somebody in, see them log in,
// enrol a place and revoke it, all without any other tool than the screens.
import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { accessible } from './lib/axe';
import type { Language } from './lib/browser';
import { House, type TableSpec } from './lib/house';
import { picture } from './lib/pictures';
import { first, give, at, logged, PINS } from './lib/guarded';
import { fits } from './lib/pit';
import { browser, house, stage } from './lib/stage';

const TABLES: TableSpec[] = [{ name: 'lotus', book: 'mbs-etg', stations: [{ layout: 'rapid', names: ['T1'] }] }];
stage(() => House.guarded(TABLES, 'pin_again_minutes = 1\nsecond_factor = ["director"]'));
afterAll(() => house?.verify());

/** The code of an authenticator (RFC 6238) for a key in base32. */
function code(key: string, at_ms = Date.now()): string {
  const bits = [...key.replace(/[^A-Z2-7]/g, '')].map((one) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from(bits.match(/.{8}/g)?.map((byte) => parseInt(byte, 2)) ?? []);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at_ms / 30_000)));
  const mac = createHmac('sha1', bytes).update(counter).digest();
  const from = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(from) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

test('whoever guesses waits and is told for how long; nobody else does', async () => {
  const page = await at('pit desk 1', '/pit');
  // Nobody tries a position here: everybody has a PIN of their own.
  expect(await page.getByText('Try it as').count()).toBe(0);
  const wait = page.getByText(/Try again in \d+ s/);
  await expect
    .poll(async () => {
      await give(page, 'Arjun Pillai', '000000');
      await page.locator('.banner, [role=alert]').first().waitFor();
      return wait.count();
    })
    .toBeGreaterThan(0);
  await picture(page, 'log-in-waits');
  await accessible(page, 'log-in-waits');
  for (const screen of ['phone', 'desk'] as const) await fits(page, screen, 'log-in');
  // Another name at the same desk is heard at once.
  await give(page, 'Lim Siew Hoon', await house.pin('Lim Siew Hoon'));
  await page.getByText('please choose a PIN of your own first').waitFor();
});

test('a position that needs a code sets it up and is asked for it', async () => {
  const page = await at('pit desk 1', '/people');
  const name = 'Margaret Oliveiro';
  await first(page, name, await house.pin(name));
  await page.getByLabel('PIN', { exact: true }).fill(PINS.get(name) ?? '');
  await picture(page, 'factor-begins');
  await page.getByRole('button', { name: 'Set up' }).click();
  const key = await page.locator('output').innerText();
  await picture(page, 'factor-key');
  await accessible(page, 'factor-key');
  for (const screen of ['phone', 'desk'] as const) await fits(page, screen, 'factor');
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.locator('.banner').first().waitFor();
  await page.getByLabel('Code').fill(code(key));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.locator('.shell').waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.locator('.login').waitFor();
  await give(page, name, PINS.get(name) ?? '');
  await page.getByText('enter the six-digit code').waitFor();
  await picture(page, 'code-asked');
  // A code is good once: the next one is waited for.
  const used = code(key);
  await expect.poll(() => code(key) !== used, { timeout: 60_000 }).toBe(true);
  await page.getByLabel('PIN', { exact: true }).fill(PINS.get(name) ?? '');
  await page.getByLabel('Code').fill(code(key));
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.locator('.shell').waitFor();
});

test('two persons take somebody in, each shows a half, and a third sees them log in; money takes the PIN again', async () => {
  // A minute later her PIN was given too long ago.
  const cashier = await logged('Chua Mei Fong', 'cage window 1', '/cashier');
  const head = await logged('Trần Quốc Bảo', 'pit desk 1', '/people');
  const shift = await logged('Goh Boon Keng', 'pit desk 1', '/people');
  const manager = await logged('Nurul Aisyah', 'pit desk 1', '/people');
  await head.getByLabel('Name', { exact: true }).fill('Kwan Li');
  await head.getByLabel('Position').first().selectOption('pit-supervisor');
  await head.getByRole('button', { name: 'Take somebody in' }).click();
  await head.getByText('Waits for a second person').waitFor();
  await picture(head, 'people-proposed');
  await accessible(head, 'people');
  for (const screen of ['phone', 'desk'] as const) await fits(head, screen, 'people');
  await shift.getByRole('button', { name: 'Confirm as the second person' }).click();
  const halves = await Promise.all(
    [head, shift].map(async (page) => {
      await page.getByRole('button', { name: 'Show my half' }).click();
      const half = await page.locator('output.half').innerText();
      await page.getByRole('button', { name: 'Close' }).click();
      return half;
    }),
  );
  expect(halves.every((half) => /^\d{6}$/.test(half))).toBe(true);
  const page = await at('pit desk 1', '/pit');
  await first(page, 'Kwan Li', halves.join(''));
  await page.locator('.shell').waitFor();
  // Those who took part are refused; another manager has seen it.
  await shift.reload();
  await shift.getByRole('row', { name: /Kwan Li/ }).getByRole('button', { name: 'I have seen them log in' }).click();
  await shift.getByText('must see them log in').waitFor();
  await manager.reload();
  await manager.getByRole('row', { name: /Kwan Li/ }).getByRole('button', { name: 'I have seen them log in' }).click();
  await expect.poll(() => manager.getByRole('row', { name: /Kwan Li/ }).innerText()).toContain('logged in');
  // A PIN is reset by two as well, and the session it had ends.
  await head.reload();
  await head.getByRole('row', { name: /Kwan Li/ }).getByRole('button', { name: 'Change' }).click();
  await picture(head, 'person-changed');
  await head.getByRole('button', { name: 'Reset a PIN' }).click();
  await head.getByText('Waits for a second person').waitFor();
  await shift.reload();
  await shift.getByRole('button', { name: 'Confirm as the second person' }).click();
  await expect.poll(async () => (await manager.reload(), manager.getByRole('row', { name: /Kwan Li/ }).innerText())).toContain('first PIN');
  await pinAgain(cashier);
});

test('a place is enrolled by two, opens with both halves, and is revoked', async () => {
  const technician = await logged('Ravi Subramaniam', 'technician desk 1', '/technician');
  const shift = await logged('Siti Rahmah', 'pit desk 1', '/people');
  await technician.getByLabel('What it is').selectOption('pit_desk');
  await technician.getByLabel('Name', { exact: true }).fill('pit desk 2');
  await technician.getByRole('button', { name: 'Enrol', exact: true }).click();
  await technician.getByText('Waits for a second person').waitFor();
  await shift.getByRole('button', { name: 'Confirm as the second person' }).click();
  const halves: string[] = [];
  for (const page of [technician, shift]) {
    await page.getByRole('button', { name: 'Show my half' }).click();
    halves.push(await page.locator('output.half').innerText());
  }
  const context = await browser.station({ origin: house.origin, language: 'en' });
  const page = await context.newPage();
  await page.goto(`/pit#${halves.join('')}`);
  await page.locator('.login').waitFor();
  await give(page, 'Siti Rahmah', PINS.get('Siti Rahmah') ?? '');
  await page.locator('.shell').waitFor();
  await technician.reload();
  await technician.getByRole('row', { name: /pit desk 2/ }).getByRole('button', { name: 'Revoke' }).click();
  const dialog = technician.locator('dialog[open]');
  await dialog.getByLabel('Reason').fill('sold');
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await expect.poll(() => technician.getByRole('row', { name: /pit desk 2/ }).count()).toBe(0);
  await page.reload();
  await page.locator('.login').waitFor();
});

test('those who guard the house see who guessed', async () => {
  const page = await logged('Hafiz Rahman', 'audit desk 1', '/security');
  await expect.poll(() => page.locator('tbody tr').filter({ hasText: 'Arjun Pillai' }).count()).toBeGreaterThan(0);
  await picture(page, 'security-log');
  await accessible(page, 'security');
  for (const screen of ['phone', 'desk'] as const) await fits(page, screen, 'security');
  await page.setViewportSize({ width: 390, height: 844 });
  await picture(page, 'security-log-phone');
});

async function pinAgain(cashier: Page): Promise<void> {
  const dialog = cashier.locator('dialog[open]');
  // Until the minute is over the number alone is refused.
  await expect
    .poll(
      async () => {
        await cashier.getByLabel('Validation number').fill('123456789012345678');
        await cashier.getByRole('button', { name: 'Look up' }).click();
        await cashier.locator('.banner, dialog[open]').first().waitFor();
        return dialog.count();
      },
      { timeout: 90_000 },
    )
    .toBe(1);
  await dialog.getByText('Please enter your PIN once more').waitFor();
  await picture(cashier, 'pin-again');
  await accessible(cashier, 'pin-again');
  for (const screen of ['phone', 'desk'] as const) await fits(cashier, screen, 'pin-again');
  await dialog.getByLabel('PIN').fill('000000');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.locator('.banner').waitFor();
  await dialog.getByLabel('PIN').fill(PINS.get('Chua Mei Fong') ?? '');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect.poll(() => dialog.count()).toBe(0);
}
