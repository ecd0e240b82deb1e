import { expect, it } from 'vitest';
import { withSafeOutputs } from '../../../src/cli/terminal/safe-output.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';

it.each([
  ['stdout', false, true],
  ['stdout', true, false],
  ['stderr', false, false],
] as const)('bytes on %s with a terminal %s stay as they are: %s', (name, isTTY, isSame) => {
  const written: unknown[] = [];
  const stream = { isTTY, write: (chunk: unknown) => written.push(chunk) };
  const bytes = Buffer.from([0xff, 0x1b, 0x5b, 0x32, 0x4a, 0x00]);
  withSafeOutputs({ [name]: stream } as unknown as Terminal)[name].write(bytes);
  expect(Buffer.from(written[0] as string).equals(bytes)).toBe(isSame);
});
