import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { flagOf } from '../../src/cli/options.ts';
import { type ResourceName, resourceNames } from '../../src/model/calendar.ts';
import { resources } from '../../src/model/resources/all.ts';
import { fuzz } from '../support/fuzz.ts';
import { type Served, served } from '../support/served.ts';
import { folder, run, withUndoKind } from '../support/transcript.ts';

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

const dates = ['tomorrow', '2026-12-01', '2027-02-30', '2026-12-01T10:00:00+02:00', 'next friday 8pm', '+2 hours', '25:00', '0000-00-00'];
const values = [
  '8',
  '9',
  '1',
  '0',
  '-1',
  'x',
  '',
  'a,b',
  ' ',
  '10.5',
  '1e9',
  'null',
  'true',
  'publish',
  'trash',
  'jazz',
  'asc',
  'UTC+5.5',
  'Europe/Paris',
];
const shapes = ['$5', '{"id":8}', '[8,"x"]', '{', 'http://a.org/x.png', 'a@b.org', '<b>x', '--title', '\u0000', '%', '@file'];
const text = fc.oneof(fc.constantFrom(...dates, ...values, ...shapes), fc.string({ unit: 'grapheme', maxLength: 12 }));

interface Parameter {
  name: string;
  placeholder?: string;
}

/** One flag of a command: right, misspelled, without its value or with one it does not take. */
const flag = (parameter: Parameter) => {
  const name = flagOf(parameter);
  const right = parameter.placeholder ? text.map((value) => [`${name}=${value}`]) : fc.constantFrom([name], [name.replace('--', '--no-')]);
  const wrong = fc.oneof(
    fc.constantFrom([name], [name.slice(0, -1)], [`${name}=x`], ['--no-such']),
    text.map((value) => [name, value]),
  );
  return fc.oneof({ arbitrary: right, weight: 9 }, { arbitrary: wrong, weight: 1 });
};
const flags = (parameters: readonly Parameter[], maxLength = 5) =>
  fc.array(fc.constantFrom(...parameters).chain(flag), { maxLength }).map((found) => found.flat());

/** Output formats. */
const shown = fc.oneof(
  { arbitrary: fc.constant(['--json']), weight: 6 },
  fc.constantFrom('table', 'json', 'ndjson', 'csv', 'tsv', 'ids', 'count', 'ics', 'none').map((format) => ['--format', format]),
  fc.constantFrom('id,title', 'id', 'venue.city', 'nothing').map((fields) => ['--fields', fields]),
  text.map((template) => ['--template', `{{id}} ${template}`]),
  fc.constantFrom(['--quiet'], []),
);

/** Required flags of each record; later flags override them. */
const required = (name: ResourceName, label: string): string[] =>
  resources[name].fields
    .filter((field) => field.required)
    .map((field) => `${flagOf(field)}=${field.placeholder === 'date' ? 'tomorrow' : label}`);

/** A value for a member of a JSON body. */
const json = fc.oneof(
  text,
  fc.integer({ min: -1, max: 20 }),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 2 }),
  fc.record({ id: fc.nat(20) }),
);
const body = (name: ResourceName) =>
  fc.dictionary(fc.constantFrom(...resources[name].fields.map((field) => field.name), 'id', 'titel'), json, { maxKeys: 6 });

/** A command line and what stands on its stdin. */
interface Command {
  args: string[];
  stdin?: string;
}
const command = (...args: string[]): Command => ({ args });
const ref = fc.oneof(text, fc.integer({ min: 1, max: 40 }).map(String));

const records = fc.constantFrom(...resourceNames).chain((name) => {
  const { list, fields } = resources[name];
  return fc.oneof(
    fc.tuple(flags(list.parameters), shown).map(([more, how]) => command(name, 'list', ...how, ...more)),
    fc.tuple(text, flags(fields), shown).map(([label, more, how]) => command(name, 'create', ...how, ...required(name, label), ...more)),
    fc.tuple(body(name), shown).map(([input, how]) => ({ args: [name, 'create', '--data', '-', ...how], stdin: JSON.stringify(input) })),
    fc
      .tuple(fc.array(body(name), { maxLength: 3 }), shown)
      .map(([inputs, how]) => command(name, 'create', '--data', JSON.stringify(inputs), ...how)),
    fc.tuple(ref, flags(fields), shown).map(([which, more, how]) => command(name, 'update', ...how, ...more, '--', which)),
    fc
      .tuple(fc.array(ref, { maxLength: 3 }), flags(fields, 2))
      .map(([which, more]) => ({ args: [name, 'update', '-', '--json', ...more], stdin: which.join('\n') })),
    fc
      .tuple(fc.constantFrom(...fields.map((field) => field.name), 'venue.city', 'x.y', ''), fc.constantFrom('=', ':='), text, ref)
      .map(([field, sign, value, which]) => command(name, 'update', '--json', '--set', `${field}${sign}${value}`, '--', which)),
    fc.tuple(fc.array(ref, { minLength: 1, maxLength: 3 }), shown).map(([which, how]) => command(name, 'get', ...how, '--', ...which)),
    fc
      .tuple(fc.array(ref, { minLength: 1, maxLength: 2 }), fc.constantFrom(['--yes'], []))
      .map(([which, yes]) => command(name, 'delete', ...yes, '--json', '--', ...which)),
  );
});

const looking = fc.oneof(
  fc
    .tuple(fc.constantFrom('agenda', 'month', 'next'), fc.oneof(text, fc.constantFrom('today', 'next week', '2027-03', '10 days')))
    .map(([name, range]) => command(name, '--', range)),
  flags(resources.events.list.parameters, 2).map((more) => command('agenda', '--json', ...more)),
);

const requests = fc
  .tuple(
    fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'PATCH', 'PUT', 'DELETE', 'TRACE', 'x'),
    fc.constantFrom('', ...resourceNames.map((name) => `/${name}`), '/doc', '/nothing', '//', '/events/8', '/events/by-slug/x', '/tags/3'),
    fc.constantFrom(
      '',
      '?per_page=2',
      '?page=9',
      '?_method=DELETE',
      '?%',
      '?title=x&start_date=tomorrow&end_date=tomorrow',
      '?a[]=1&a[]=2',
    ),
    fc.option(
      fc.oneof(
        text,
        body('events').map((input) => JSON.stringify(input)),
      ),
      { nil: undefined },
    ),
  )
  .map(([method, path, query, data]) => command('request', method, path + query, ...(data === undefined ? [] : [`--data=${data}`])));

const any = fc.oneof({ arbitrary: records, weight: 12 }, { arbitrary: looking, weight: 2 }, { arbitrary: requests, weight: 2 });

/** Runs a command. Its output is without the random UIDs of records, and what the hint for undo names. */
async function outcomeOf(args: string[], stdin?: string) {
  const { stdout, ...rest } = withUndoKind(await run(args, { cwd: place.path, stdin }));
  return { ...rest, stdout: stdout.replace(/^UID:[0-9a-f-]{36}/gm, 'UID:…') };
}

fuzz(
  'a file and a server return the same for every command',
  any,
  async ({ args: [name, ...more], stdin }) => {
    const here = await outcomeOf([name!, ...more], stdin);
    const there = await outcomeOf([name!, '--url', server.url, ...more], stdin);
    // Only a file says which users it has by name.
    if (there.stderr.includes('cannot list the users of this calendar')) expect(there.exit).toBe(here.exit);
    else expect(there).toEqual(here);
    expect(here.exit).not.toBe(1);
  },
  { inOrder: true },
);
