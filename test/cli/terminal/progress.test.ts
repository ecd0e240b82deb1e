import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { progressLine, progressOf } from '../../../src/cli/terminal/progress.ts';
import { renderOutput } from '../../../src/cli/terminal/safe-output.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';

/** A terminal of which only standard error counts, and what was written there. */
function terminalWith(isTTY: boolean, env: Terminal['env'] = { NO_COLOR: '1' }): { terminal: Terminal; written: () => string } {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  const terminal = { stderr, env } as unknown as Terminal;
  return { terminal, written: () => renderOutput(String(stderr.read() ?? '')) };
}

it('prints nothing in the first second, then a line that it updates, then clears it', () => {
  const { terminal, written } = terminalWith(true);
  let now = 0;
  const progress = progressOf(terminal, 'events', 1000, () => now);
  for (now = 0; now < 1000; now += 50) progress.update(now / 10);
  expect(written()).toBe('');
  now = 1000;
  progress.update(250);
  expect(written()).toBe('\r\x1b[Kevents ━━━━━───────────────  25 %  250 of 1,000, 3 s left');
  now = 1050;
  progress.update(300);
  expect(written()).toBe('');
  progress.end();
  expect(written()).toBe('\r\x1b[K');
});

it('leaves nothing behind when the work was quick', () => {
  const { terminal, written } = terminalWith(true);
  const progress = progressOf(terminal, 'events', 10);
  progress.update(10);
  progress.end();
  expect(written()).toBe('');
});

it.each([
  [false, {}],
  [true, { TERM: 'dumb' }],
])('says nothing with isTTY %s and environment %j', (isTTY, env) => {
  const { terminal, written } = terminalWith(isTTY, env);
  let now = 0;
  const progress = progressOf(terminal, 'events', 10, () => now);
  now = 5000;
  progress.update(5);
  progress.end();
  expect(written()).toBe('');
});

it.each([
  ['events', 1234, undefined, 2, 'events: 1,234'],
  ['events', 0, 10, 2, 'events ────────────────────   0 %  0 of 10'],
  ['events', 10, 10, 2, 'events ━━━━━━━━━━━━━━━━━━━━ 100 %  10 of 10'],
  ['events', 1, 40, 10, 'events ╸───────────────────   2 %  1 of 40, 7 min left'],
])('%s, %i of %j after %i s: %s', (what, done, total, seconds, line) => {
  expect(progressLine(what, done, total, seconds)).toBe(line);
});
