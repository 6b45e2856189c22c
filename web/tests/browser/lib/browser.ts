// One Chromium for a test file; a context of its own for every station, with
// everything the page complained about.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';

export const WALL = { width: 1920, height: 1080 };
export const DESK = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** How long a test waits for something to be seen; `expect.poll` waits as long (vitest.browser.config.ts). */
export const PATIENCE = Number(process.env['SICBO_PATIENCE'] ?? 60_000);

/** The shell without windows is quicker; where a distribution lacks it, the browser itself (scripts/setup). */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-sync',
  '--metrics-recording-only',
  '--no-first-run',
  '--no-pings',
  '--autoplay-policy=no-user-gesture-required',
];

export type Language = 'en' | 'zh-Hans' | 'zh-Hant' | 'vi';

export interface Station {
  origin: string;
  size?: { width: number; height: number };
  touch?: boolean;
  language?: Language;
  /** What this station keeps, besides its language. */
  settings?: Record<string, unknown>;
  calm?: boolean;
}

/** `1` for web/dist, or another folder with a build of the app. */
const FROM_DIST = process.env['SICBO_DIST'];

/** For whoever works on the app: what lies in that folder now, without building the binary anew. */
async function served(context: BrowserContext, origin: string, folder: string): Promise<void> {
  const dist = folder === '1' ? resolve(import.meta.dirname, '../../../dist') : folder;
  // The house names the build that is in its binary: a page of another one is not to load itself anew for it.
  await context.addInitScript(() => {
    if (location.protocol === 'about:') return;
    addEventListener('DOMContentLoaded', () => sessionStorage.setItem('sicbo-reloaded', document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? ''));
  });
  await context.route((url) => url.origin === origin, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (/^\/(api|ws)\//.test(pathname)) return route.continue();
    if (pathname === '/check') return route.fulfill({ path: `${dist}/sicbo-check.html` });
    return route.fulfill({ path: /^\/(assets\/.*|[^/]*\.[^/]*)$/.test(pathname) ? dist + pathname : `${dist}/index.html` });
  });
}

export class Chromium {
  #folder = '';
  #contexts: BrowserContext[] = [];
  #home!: BrowserContext;
  /** Errors of pages that no test has said it expects. */
  complaints: string[] = [];

  static async open(): Promise<Chromium> {
    const self = new Chromium();
    self.#folder = await mkdtemp(join(tmpdir(), 'sicbo-chromium-'));
    self.#home = await chromium.launchPersistentContext(self.#folder, {
      executablePath: process.env['SICBO_CHROMIUM'] ?? BROWSERS.find((path) => existsSync(path)),
      headless: true,
      // A page that comes from a folder may not speak to this machine otherwise.
      args: ['--no-sandbox', ...QUIET, ...(FROM_DIST !== undefined ? ['--disable-features=LocalNetworkAccessChecks'] : [])],
      timeout: 120_000,
    });
    return self;
  }

  /** A station: a browser of its own as far as it can tell. */
  async station(station: Station): Promise<BrowserContext> {
    const browser = this.#home.browser();
    if (!browser) throw new Error('no browser');
    const context = await browser.newContext({
      baseURL: station.origin,
      viewport: station.size ?? DESK,
      hasTouch: station.touch ?? false,
      locale: 'en-SG',
      timezoneId: 'Asia/Singapore',
      reducedMotion: station.calm === false ? 'no-preference' : 'reduce',
    });
    context.setDefaultTimeout(PATIENCE);
    context.setDefaultNavigationTimeout(PATIENCE);
    if (station.language || station.settings) {
      const kept = JSON.stringify({ language: station.language ?? 'en', ...station.settings });
      await context.addInitScript((text: string) => {
        // A page that is not there yet keeps nothing.
        if (location.protocol !== 'about:' && localStorage.getItem('sicbo.settings') === null) localStorage.setItem('sicbo.settings', text);
      }, kept);
    }
    if (FROM_DIST !== undefined) await served(context, station.origin, FROM_DIST);
    context.on('page', (page) => this.#listen(page));
    this.#contexts.push(context);
    return context;
  }

  #listen(page: Page): void {
    page.on('pageerror', (error) => this.complaints.push(`${page.url()}: ${error.message}`));
    page.on('console', (said) => {
      // A request that fails is shown by the page itself; anything else is a fault.
      if (said.type() === 'error' && !/Failed to load resource|WebSocket connection|net::ERR/.test(said.text()))
        this.complaints.push(`${page.url()}: ${said.text()}`);
    });
    page.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url());
      if (protocol.startsWith('http') && hostname !== '127.0.0.1') this.complaints.push(`asked for ${request.url()}`);
    });
  }

  /** Every station is left; the browser stays. What a failed test saw is said, and kept as pictures in a folder for whoever looks. */
  async leave(failed?: string): Promise<void> {
    if (failed !== undefined) {
      const folder = process.env['SICBO_FAILED'];
      const pages = this.#contexts.flatMap((context) => context.pages());
      for (const [at, page] of pages.entries()) {
        const seen = await page.locator('dialog[open], body').last().innerText({ timeout: 5_000 }).catch(String);
        console.error(`${failed}: page ${at} at ${page.url()} shows\n${seen.replace(/^/gm, '  | ')}`);
        if (folder !== undefined) await page.screenshot({ path: `${folder}/${failed.replace(/\W+/g, '-').slice(0, 60)}-${at}.png` }).catch(() => null);
      }
    }
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
  }

  async close(): Promise<void> {
    await this.leave();
    await this.#home.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
