// Tests in Chromium against the real house. Three files at a time, since pages often wait, each with a house and a browser
// of its own; then, with the machine to itself, the file that measures. No second tries: a test
// that needs one is mended.
import { defineConfig } from 'vitest/config';

const MEASURED = 'tests/browser/measured.test.ts';
/** As long as a page is waited for: a machine that has much else to do is slow, not wrong. */
const patience = Number(process.env['SICBO_PATIENCE'] ?? 60_000);
// A single wait fails long before its test does, and says what was not seen.
// Node 20 has the client of sockets behind a switch; Firefox is spoken to over one.
const execArgv = ['--experimental-websocket'];
const shared = { execArgv, environment: 'node' as const, testTimeout: 600_000, hookTimeout: 600_000, retry: 0, expect: { poll: { timeout: patience, interval: 50 } } };

export default defineConfig({
  test: {
    maxWorkers: 3,
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
