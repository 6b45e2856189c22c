// The build of the app. Nothing is inlined: the page is served under a
// Content-Security-Policy that allows only files of the house itself.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { messages } from './tools/messages.mjs';

const house = process.env['SICBO_HOUSE'] ?? 'http://127.0.0.1:8420';

/** Every file once more as Brotli and gzip have it, as hard as they can: the house sends those as they are. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle: {
      sequential: true,
      order: 'post',
      async handler({ dir }) {
        if (dir === undefined) return;
        const names = await readdir(dir, { recursive: true, withFileTypes: true });
        const files = names.filter((one) => one.isFile() && /\.(html|js|css|svg|json|txt|webmanifest)$/.test(one.name)).map((one) => join(one.parentPath, one.name));
        await Promise.all(
          files.map(async (file) => {
            const bytes = await readFile(file);
            const hard = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
            const forms = [[`${file}.br`, await promisify(brotliCompress)(bytes, hard)], [`${file}.gz`, await promisify(gzip)(bytes, { level: 9 })]] as const;
            // What does not get smaller is sent as it is.
            await Promise.all(forms.filter(([, form]) => form.length < bytes.length).map(([name, form]) => writeFile(name, form)));
          }),
        );
      },
    },
  };
}

export default defineConfig({
  plugins: [messages(), svelte(), compressed()],
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
