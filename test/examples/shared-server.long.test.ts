import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { limit } from '../support/timeouts.ts';
import { createExamples } from './example.ts';

const examples = createExamples();
// Node 24 has a hook for it.
const hasGlobalSetup = process.allowedNodeEnvironmentFlags.has('--test-global-setup');

/** Adds the line that shares a server to a copy of an example. */
const withLine: Record<string, (home: string) => void> = {
  vitest: (home) =>
    writeFileSync(join(home, 'vitest.config.mjs'), "export default { test: { globalSetup: 'local-calendar/vitest/server' } };"),
  jest: (home) => writeFileSync(join(home, 'jest.config.cjs'), "module.exports = { globalSetup: 'local-calendar/jest/server' };"),
  playwright(home) {
    const file = join(home, 'playwright.config.ts');
    writeFileSync(file, readFileSync(file, 'utf8').replace('  workers', "  globalSetup: 'local-calendar/playwright/server',\n  workers"));
  },
  'node-test': (home) => changeTest(home, 'node --test', 'calendar exec -- node --test'),
  ...(hasGlobalSetup && {
    'node-test by its own option': (home: string) =>
      changeTest(home, 'node --test', 'node --test --test-global-setup=../node_modules/local-calendar/dist/test-server.cjs'),
  }),
};

function changeTest(home: string, from: string, to: string): void {
  const file = join(home, 'package.json');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replaceAll(from, to));
}

it.for(Object.entries(withLine))(
  'the tests of examples/%s pass with one server for all, by one line',
  { timeout: limit(180_000) },
  async ([name, addLine], { skip }) => {
    skip(!examples.hasPackages(), 'needs a registry of packages');
    const home = examples.copy(`examples/${name.split(' ')[0]}`);
    addLine(home);
    const said = await examples.run(home, 'test', ...(name === 'playwright' && !chromiumPath ? ['--', '-g', 'asks over HTTP'] : []));
    expect(said).toMatch(/pass 12\n|Tests\s+6 passed|Tests:\s+4 passed, 4 total|[24] passed/);
    expect(said).not.toMatch(/MaxListenersExceededWarning|vitest\/suite/);
  },
);
