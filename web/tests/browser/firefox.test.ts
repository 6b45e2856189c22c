// A smoke set in Debian's Firefox: the lobby and the wall are seen, a round is played, and its receipt is proved.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Dealer } from './lib/dealer';
import { Firefox } from './lib/firefox';
import { House } from './lib/house';

const TABLE = { name: 'rws-1', book: 'rws-etg', stations: [{ layout: 'c', count: 2 }] };
let house: House;
let firefox: Firefox;
beforeAll(async () => {
  [house, firefox] = await Promise.all([House.open([TABLE]), Firefox.open()]);
  await new Dealer(house, TABLE.name, TABLE.book).open();
});
afterAll(async () => {
  await firefox?.close();
  await house?.close();
});

test('a round in Firefox: lobby, wall, bets, result, card, receipt', async () => {
  const dealer = new Dealer(house, TABLE.name, TABLE.book);
  const lobby = await firefox.page(`${house.origin}/`);
  await lobby.see('main', 'rws-1');
  await lobby.picture('firefox-lobby');

  const wall = await firefox.page(`${house.origin}/wall/rws-1`);
  await wall.see('.limits li');

  const terminal = await firefox.page(`${house.origin}/play/rws-1`);
  await terminal.see('.spot');
  await terminal.click('nav.tools button');
  await terminal.click('.notes button', '100');
  await terminal.see('.free b', '100.00');
  await terminal.press('\uE00C');
  await terminal.click('.first-time .skip');
  await dealer.callBets();
  await terminal.see('header .phase', 'Place');
  await terminal.click('[data-section="big"]');
  await terminal.see('[data-section="big"][aria-label$=" 5.00"]');
  await terminal.picture('firefox-betting');
  await dealer.finish([4, 3, 4]);
  await terminal.see('article.card', '+5.00');
  await terminal.see('[data-figure=credit]', '105.00');
  await terminal.see('article.card .check svg');
  await terminal.picture('firefox-settled');

  // The wall has told the same round.
  await wall.ask('browsingContext.activate', {});
  await wall.see('.total .badge', '11');
  await wall.picture('firefox-wall');

  // And the receipt is proved by this browser too, with the verifier of the page.
  const address = await terminal.evaluate<string>(`() => document.querySelector('article.card .check').dataset.check`);
  const receipt = await firefox.page(address);
  await receipt.see('[data-answer=proved]');
  await receipt.picture('firefox-receipt');
  expect(firefox.complaints).toEqual([]);
});
