// Tests in Chromium against the real house. One file after the other: each
// runs a house and a browser of its own, and machines have few cores.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // `make test` has what was seen to pass since the screens of the console changed;
    // `make soak` has them all.
    include: process.env['SICBO_SOAK'] ? ['tests/browser/**/*.test.ts'] : ['tests/browser/everywhere.test.ts', 'tests/browser/shown.test.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A machine that is busy elsewhere can take a browser's time away: once more,
    // with a house of its own, says whether it was that.
    retry: 1,
  },
});
