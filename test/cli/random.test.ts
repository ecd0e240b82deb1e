import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { flagOf } from '../../src/cli/options.ts';
import { resourceNames } from '../../src/model/resource.ts';
import { resources } from '../../src/model/resources.ts';
import { type Served, served } from './served.ts';
import { folder, run } from './transcript.ts';

const place = folder();
let server: Served;
beforeAll(async () => {
  server = await served();
  await run(['settings', 'set', 'home', server.url], { cwd: place.path });
});
afterAll(async () => {
  await server.close();
  place.remove();
});

const text = fc.oneof(
  fc.constantFrom(
    '8',
    '9',
    '1',
    '0',
    '-1',
    'tomorrow',
    '2026-12-01',
    'x',
    '',
    'a,b',
    ' ',
    '10.5',
    'publish',
    'jazz',
    'asc',
    'UTC+5.5',
    '$5',
    '{"id":8}',
    'http://a.org/x.png',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);

/** Random flags of a command, with random values. */
const flags = (parameters: readonly { name: string; placeholder?: string }[]) =>
  fc.array(
    fc.constantFrom(...parameters).chain((parameter) => {
      const flag = flagOf(parameter);
      return parameter.placeholder ? text.map((value) => `${flag}=${value}`) : fc.constantFrom(flag, flag.replace('--', '--no-'));
    }),
    { maxLength: 5 },
  );

/** What a record cannot do without; flags that come later go before these. */
const required = (name: (typeof resourceNames)[number], label: string): string[] =>
  resources[name].fields
    .filter((field) => field.required)
    .map((field) => `${flagOf(field)}=${field.placeholder === 'date' ? 'tomorrow' : label}`);

const command = fc.constantFrom(...resourceNames).chain((name) =>
  fc.oneof(
    flags(resources[name].filters).map((more) => [name, 'list', ...more]),
    fc.tuple(text, flags(resources[name].fields)).map(([label, more]) => [name, 'create', ...required(name, label), ...more]),
    fc.tuple(text, flags(resources[name].fields)).map(([ref, more]) => [name, 'update', ...more, '--', ref]),
    text.map((ref) => [name, 'get', '--', ref]),
    text.map((ref) => [name, 'delete', '--', ref]),
  ),
);

it('whatever is asked, a file and a server answer alike', { timeout: 120_000 }, async () => {
  const rounds = Number(process.env.ROUNDS ?? 300);
  await fc.assert(
    fc.asyncProperty(command, async ([name, action, ...more]) => {
      const here = await run([name!, action!, '--json', ...more], { cwd: place.path });
      const there = await run([name!, action!, '--json', '--url', server.url, ...more], { cwd: place.path });
      expect(there).toEqual(here);
      expect(here.exit).not.toBe(1);
    }),
    // What ran before changes what comes next, so there is nothing to shrink.
    { numRuns: rounds, endOnFailure: true },
  );
});
