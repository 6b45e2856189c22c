// Contrast as it is on the screen: the pixels of a picture, not what the style
// sheets say. Of each text the most frequent colour is its ground; the colour
// that differs most from it, where letters are at their thickest, is the text.
import type { Page } from 'playwright-core';
import { decoded, type Pixels } from './pixels';

interface Text {
  words: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Texts that are seen, with the boxes of their letters. */
const texts = (page: Page, within: string): Promise<Text[]> =>
  page.evaluate((within) => {
    const found: Text[] = [];
    /** Scrolled out of a box that hides what does not fit. */
    const hidden = (owner: Element, top: number, bottom: number): boolean => {
      for (let box = owner.parentElement; box; box = box.parentElement) {
        if (box instanceof SVGElement || getComputedStyle(box).overflowY === 'visible') continue;
        const edge = box.getBoundingClientRect();
        if (bottom > edge.bottom + 1 || top < edge.top - 1) return true;
      }
      return false;
    };
    for (const root of document.querySelectorAll(within)) {
      const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const owner = node.parentElement;
        const words = node.textContent?.trim() ?? '';
        // A dot between two words is no text.
        if (!owner || !/[\p{L}\p{N}]/u.test(words) || owner.closest('.unseen, dialog:not([open]), .chip, :disabled') || !owner.checkVisibility()) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const { x, y, width: w, height: h } = owner instanceof SVGElement ? owner.getBoundingClientRect() : range.getBoundingClientRect();
        const hit = document.elementFromPoint(x + w / 2, y + h / 2);
        const free = owner instanceof SVGElement || (hit !== null && (owner.contains(hit) || hit.contains(owner)));
        // Strokes of less than a pixel have no colour of their own.
        if (free && !hidden(owner, y, y + h) && w >= 4 && h >= 9.5 && x >= 0 && y >= 0 && x + w <= innerWidth && y + h <= innerHeight) found.push({ words, x, y, w, h });
      }
    }
    return found;
  }, within);

function luminance(rgb: number): number {
  const part = (value: number): number => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part((rgb >> 16) & 255) + 0.7152 * part((rgb >> 8) & 255) + 0.0722 * part(rgb & 255);
}

function ratio(a: number, b: number): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function measured({ width, step, bytes }: Pixels, { x, y, w, h }: Text): number {
  const counts = new Map<number, number>();
  for (let row = Math.floor(y); row < y + h; row += 1)
    for (let column = Math.floor(x); column < x + w; column += 1) {
      const at = (row * width + column) * step;
      // Five bits each: a ground that shades from one to the next is one ground.
      const colour = (((bytes[at] ?? 0) & 0xf8) << 16) | (((bytes[at + 1] ?? 0) & 0xf8) << 8) | ((bytes[at + 2] ?? 0) & 0xf8);
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
  const [ground = 0] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0]);
  return Math.max(...[...counts].filter(([, count]) => count >= 2).map(([colour]) => ratio(colour, ground)), 1);
}

/** Texts whose pixels differ less from their ground than that, the weakest first; a page with fewer texts was not looked at. */
export async function faint(page: Page, within: string, least: number, fewest = 20): Promise<string[]> {
  const found = await texts(page, within);
  const pixels = decoded(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  if (found.length < fewest) throw new Error(`only ${found.length} texts within ${within}`);
  return found
    .map((text) => ({ words: text.words, ratio: measured(pixels, text) }))
    .filter((one) => one.ratio < least)
    .sort((a, b) => a.ratio - b.ratio)
    .map((one) => `${one.words} ${one.ratio.toFixed(2)}`);
}
