// The build of the app. Nothing is inlined: the page is served under a
// Content-Security-Policy that allows only files of the house itself.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { compressed } from './tools/compressed.mjs';
import { messages } from './tools/messages.mjs';

/** All messages but those of the page that checks receipts, which is a file of its own. */
const APP = /^(?!receipt-)|^receipt-(open|scan)$/;

/** What guests see; the words of all other views are fetched with those. */
const GUESTS = ['views/Lobby.svelte', 'views/Play.svelte', 'views/Companion.svelte', 'views/Wall.svelte', 'views/Rules.svelte', 'views/Nowhere.svelte', 'components/practice/PracticeMark.svelte'];

const house = process.env['SICBO_HOUSE'] ?? 'http://127.0.0.1:8420';

export default defineConfig({
  plugins: [messages({ only: APP, guests: GUESTS }), svelte(), compressed()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    cssCodeSplit: true,
    reportCompressedSize: true,
  },
  // The dice are drawn by a worker that is a module like the rest.
  worker: { format: 'es' },
  // `npm run dev` beside a running house.
  server: { proxy: { '/api': { target: house }, '/ws': { target: house, ws: true } } },
  // As the house serves it: nothing inline, nothing from elsewhere.
  preview: { headers: { 'content-security-policy': "default-src 'self'; base-uri 'none'; frame-ancestors 'none'" } },
  test: {
    include: ['tests/unit/**/*.test.ts'],
    environment: 'node',
  },
});
