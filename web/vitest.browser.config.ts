// Tests in Chromium against the real house. Two files at a time, each with a house and a browser
// of its own; then, with the machine to itself, the file that measures. No second tries: a test
// that needs one is mended.
import { defineConfig } from 'vitest/config';

const MEASURED = 'tests/browser/measured.test.ts';
const shared = { environment: 'node' as const, testTimeout: 180_000, hookTimeout: 180_000, retry: 0 };

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...shared,
          name: 'house',
          include: ['tests/browser/**/*.test.ts'],
          exclude: [MEASURED],
          sequence: { groupOrder: 0 },
        },
      },
      { test: { ...shared, name: 'measured', include: [MEASURED], sequence: { groupOrder: 1 } } },
    ],
  },
});
