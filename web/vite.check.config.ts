// The page that checks receipts, as one file: script, style, four languages and the verifier inside it, so that it
// opens from a disk as it does from the house. The house signs its digest.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { messages } from './tools/messages.mjs';
import { compressed } from './tools/compressed.mjs';

const VERIFIER = process.env['SICBO_VERIFIER'] ?? join(import.meta.dirname, '../target/wasm32-unknown-unknown/page/sicbo_check.wasm');
/** Messages that this page shows. */
const OWN = /^(receipt-|section-|language$|round-void$|card-(staked|returned|net|code)$)/;

const hashed = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Puts everything into one page, whose policy allows its own script and style and nothing else. */
function single(): Plugin {
  return {
    name: 'single',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      let script = '';
      let style = '';
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === 'chunk') script += part.code;
        else if (name.endsWith('.css')) style += part.source.toString();
        else continue;
        delete bundle[name];
      }
      // A text within the script must not end it,
      // and there is nothing to load beforehand.
      script = script.trim().replaceAll('__VITE_PRELOAD__', '[]').replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
      style = style.trim();
      const verifier = gzipSync(readFileSync(VERIFIER), { level: 9 }).toString('base64');
      const policy = `default-src 'none'; script-src ${hashed(script)} 'wasm-unsafe-eval'; style-src ${hashed(style)}; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'`;
      const source = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="theme-color" content="#072a1d">
<title>Sic Bo</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. · 本页需要启用 JavaScript。 · Trang này cần JavaScript.</noscript>
<script type="application/gzip" id="verifier">${verifier}</script>
<script type="module">${script}</script>
</body>
</html>
`;
      this.emitFile({ type: 'asset', fileName: 'sicbo-check.html', source });
    },
  };
}

export default defineConfig({
  plugins: [messages({ only: OWN }), svelte(), single(), compressed(/^sicbo-check\.html$/)],
  publicDir: false,
  build: {
    target: 'es2022',
    emptyOutDir: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rolldownOptions: {
      input: 'src/check/main.ts',
      output: { codeSplitting: false, entryFileNames: 'check.js', assetFileNames: 'check[extname]' },
    },
  },
});
