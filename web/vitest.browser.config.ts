// Tests in Chromium against the real house. One file after the other: each
// runs a house and a browser of its own, and machines have few cores.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/browser/**/*.test.ts'],
    // The pit and practice take long; `make soak` has them all.
    exclude: process.env['SICBO_SOAK'] ? [] : ['tests/browser/pit-*.test.ts', 'tests/browser/practice.test.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A machine that is busy elsewhere can take a browser's time away: once more,
    // with a house of its own, says whether it was that.
    retry: 1,
  },
});
