// The build of the app. Nothing is inlined: the page is served under a
// Content-Security-Policy that allows only files of the house itself.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { messages } from './tools/messages.mjs';

const house = process.env['SICBO_HOUSE'] ?? 'http://127.0.0.1:8420';

export default defineConfig({
  plugins: [messages(), svelte()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    cssCodeSplit: true,
    reportCompressedSize: true,
  },
  // `npm run dev` beside a running house.
  server: { proxy: { '/api': { target: house }, '/ws': { target: house, ws: true } } },
  // As the house serves it: nothing inline, nothing from elsewhere.
  preview: { headers: { 'content-security-policy': "default-src 'self'; base-uri 'none'; frame-ancestors 'none'" } },
  test: {
    include: ['tests/unit/**/*.test.ts'],
    environment: 'node',
  },
});
