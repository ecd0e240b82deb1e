import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listForm, word } from '../../../src/model/fields/filter.ts';
import { ProgramCopy } from '../../support/program-copy.ts';
import { run as runAsItIs, words } from '../../support/transcript.ts';

/** A copy of this program whose venues have more fields and filters, each added as one line. */
const program = new ProgramCopy('kinds');
const copy = program.path;
afterAll(() => program.remove());

/** A field: its line, values as JSON with what GET shows of each, what it shows of none, values that it rejects, and its help. */
interface FieldRow {
  name: string;
  line: string;
  values: [value: string, shown: unknown][];
  none?: unknown;
  wrong: string[];
  help: RegExp;
}
const fields: FieldRow[] = [
  {
    name: 'motto',
    line: "field.line('its motto')",
    values: [
      ['"<b>Be</b> loud"', 'Be loud'],
      ['"=1+1"', '=1+1'],
    ],
    wrong: ['5'],
    help: /--motto <text>\s+its motto/,
  },
  {
    name: 'rules',
    line: "field.prose('house rules')",
    values: [['"<b>No</b> dogs"', '<p><b>No</b> dogs</p>']],
    wrong: ['5'],
    help: /--rules <text>\s+house rules/,
  },
  {
    name: 'capacity',
    line: "field.wholeNumber('how many people fit in')",
    values: [
      ['25', 25],
      ['0', 0],
      ['""', undefined],
      ['null', undefined],
    ],
    wrong: ['"lots"', '-1', '1.5', 'true', '[]', '{}', '[5]'],
    help: /--capacity <n>\s+how many people fit in/,
  },
  {
    name: 'level',
    line: "field.wholeNumber('the floor', { min: 1, max: 9 })",
    values: [
      ['1', 1],
      ['9', 9],
    ],
    wrong: ['0', '10', '2.5'],
    help: /--level <n>\s+the floor/,
  },
  {
    name: 'indoor',
    line: "field.flag('has a roof')",
    values: [
      ['true', true],
      ['"0"', false],
    ],
    none: false,
    wrong: ['"maybe"', '2'],
    help: /--indoor\s+has a roof/,
  },
  {
    name: 'open_to_all',
    line: "field.wordFlag('no ticket needed')",
    values: [
      ['"false"', false],
      ['"true"', true],
    ],
    none: true,
    wrong: [],
    help: /--open-to-all\s+no ticket/,
  },
  {
    name: 'map_url',
    line: "field.url('a map', { type: 'string', default: null })",
    values: [['"https://example.org/map"', 'https://example.org/map']],
    wrong: ['"nowhere"', '5'],
    help: /--map-url <url>\s+a map/,
  },
  {
    name: 'clock',
    line: "field.zone('the zone of its clock')",
    values: [['"Europe/Paris"', 'Europe/Paris']],
    wrong: ['"Mars"'],
    help: /--clock <zone>/,
  },
  { name: 'fee', line: "field.cost('what it costs')", values: [['"$5"', '$5']], wrong: [], help: /--fee <cost>/ },
];

/** A filter: its line, and the venues that each value finds. */
const filters: [name: string, line: string, found: [value: string, names: string[]][]][] = [
  [
    'city',
    "filter.word('City')",
    [
      ['Köln', ['Barn', 'Cellar']],
      ['koln', ['Barn', 'Cellar']],
      ['Bonn', []],
    ],
  ],
  ['motto', "filter.word('its motto')", [['be LOUD', ['Barn']]]],
  ['venue', "filter.word('its name')", [['field & STREAM', ['Field & Stream']]]],
  [
    'indoor',
    "filter.flag('with a roof')",
    [
      ['true', ['Cellar']],
      ['false', ['Barn', 'Field & Stream']],
    ],
  ],
  ['capacity', "filter.number('for exactly this number')", [['0', ['Cellar']]]],
  [
    'min_capacity',
    "filter.atLeast('capacity', 'room for at least this number of people')",
    [
      ['20', ['Barn']],
      ['0', ['Barn', 'Cellar']],
      ['26', []],
    ],
  ],
  ['max_level', "filter.atMost('level', 'on this floor or below')", [['3', ['Barn']]]],
];

beforeAll(async () => {
  const venue = 'src/model/resources/venue.ts';
  const linesOf = (rows: readonly (readonly [name: string, line: string])[]) => rows.map(([name, line]) => `${name}: ${line},`);
  program.insert(venue, "  geo_lat: field.degrees('Latitude in degrees'", ...linesOf(fields.map(({ name, line }) => [name, line])));
  const added = linesOf(filters.map(([name, line]) => [name, line]));
  program.replace(venue, 'linkedFilters, linkedList)', `{ ${added.join('\n')} ...linkedFilters }, linkedList)`);
  await printed("venues create --venue Barn --city Köln --motto 'Be loud' --capacity 25 --level 3 --db a.db");
  await printed('venues create --venue Cellar --city Köln --capacity 0 --level 5 --indoor --db a.db');
  await printed("venues create --venue 'Field & Stream' --db a.db");
});

const calendar = (line: string, stdin?: string) => program.run(line, stdin);
const printed = (line: string, stdin?: string) => program.printed(line, stdin);
const json = async (line: string, stdin?: string) => JSON.parse(await printed(line, stdin));
const flagOf = (name: string) => `--${name.replaceAll('_', '-')}`;
const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value);
const added = fields.map(({ name }) => name);
/** The added fields of every venue. */
const shownIn = async (db: string): Promise<unknown> => json(`venues list --json=venue,${added.join(',')} --db ${db}`);

describe.each(fields)('the field $name', ({ name, values, none, wrong, help }) => {
  const shownOf = async (id: number) => (await json(`venues get ${id} --json --db ${name}.db`))[name];
  it.each(values)('%s is stored and shown', async (value, shown) => {
    const body = `{ "venue": "A ${value.replace(/\W/g, '')}", "${name}": ${value} }`;
    const { id } = await json(`venues create --data - --json --db ${name}.db`, body);
    expect(trimmed(await shownOf(id))).toEqual(shown);
  });
  it('a record without it shows that', async () => {
    const { id } = await json(`venues create --venue None --json --db ${name}.db`);
    expect(await shownOf(id)).toEqual(none);
  });
  it('rejects wrong values by its name', async () => {
    for (const value of wrong) {
      const { exit, stderr } = await calendar('venues update barn --data - --db a.db', `{ "${name}": ${value} }`);
      expect([value, exit, stderr]).toEqual([value, 2, expect.stringContaining(name)]);
    }
  });
  it('is in the help', async () => {
    expect(await printed('venues create --help')).toMatch(help);
    expect(await printed('venues update --help')).toMatch(help);
  });
  it('is in both documents', async () => {
    const { paths, components } = await json('request GET /doc --db a.db');
    expect(paths['/venues/{id}'].post.requestBody.content['application/json'].schema.properties).toHaveProperty(name);
    expect(components.schemas.Venue.properties).toHaveProperty(name);
    const { Venue, NewVenue } = (await json('openapi --db a.db')).components.schemas;
    for (const { properties } of [Venue, NewVenue]) expect(properties).toHaveProperty(name);
  });
});

describe.each(filters)('the filter %s', (name, _line, found) => {
  const names = (venues: { venue: string }[]) => venues.map(({ venue }) => venue.replace(/&(amp|#038);/, '&')).sort();
  const shownAs = (value: string) => (value === 'true' ? '1' : value === 'false' ? '0' : value);
  it.each(found)('%s', async (value, expected) => {
    const page = await json(`request GET '/venues?${name}=${encodeURIComponent(value)}' --db a.db`);
    expect([names(page.venues), page.total]).toEqual([expected, expected.length]);
    const flag = value === 'true' ? flagOf(name) : value === 'false' ? flagOf(`no_${name}`) : `${flagOf(name)} '${value}'`;
    expect(names(await json(`venues list ${flag} --json --db a.db`))).toEqual(expected);
    if (expected.length < 2) return;
    const { next_rest_url } = await json(`request GET '/venues?${name}=${encodeURIComponent(value)}&per_page=1' --db a.db`);
    expect(new URL(next_rest_url).searchParams.get(name)).toBe(shownAs(value));
  });
  it('is in help and documents', async () => {
    expect(await printed('venues list --help')).toContain(flagOf(name));
    const documents = [await json('request GET /doc --db a.db'), await json('openapi --db a.db')];
    for (const { paths } of documents)
      expect(paths['/venues'].get.parameters.map((parameter: { name?: string }) => parameter.name)).toContain(name);
  });
});

describe('the added fields', () => {
  it.each(['json', 'ndjson', 'csv'])('go out and come in as %s', async (format) => {
    const file = join(copy, `a.${format}`);
    const only = format === 'csv' ? '--only venues' : '';
    writeFileSync(file, await printed(`export --format ${format} ${only} --db a.db`));
    await printed(`import ${file} ${only} --db in-${format}.db`);
    expect(await shownIn(`in-${format}.db`)).toEqual(await shownIn('a.db'));
    // Fields that the file doesn't have are cleared.
    await printed(`venues update field-stream --capacity 9 --db in-${format}.db`);
    await printed(`import ${file} ${only} --db in-${format}.db`);
    expect(await shownIn(`in-${format}.db`)).toEqual(await shownIn('a.db'));
  });
  it('are in fixtures and their schema', async () => {
    writeFileSync(join(copy, 'own.json'), JSON.stringify({ venues: { barn: { venue: 'Barn', capacity: 12, motto: 'Hi', indoor: true } } }));
    await printed('seed own.json --db seeded.db');
    expect(await json('venues list --json=capacity,motto,indoor --db seeded.db')).toEqual([{ capacity: 12, motto: 'Hi', indoor: true }]);
    const { $defs } = await json('seed --schema');
    expect(Object.keys($defs.venues.properties)).toEqual(expect.arrayContaining(added));
  });
  it('are pushed, pulled and compared', async () => {
    const there = await program.served();
    try {
      await printed(`push ${there.url} --db a.db`);
      expect((await calendar(`diff ${there.url} --db a.db`)).exit).toBe(0);
      await printed(`pull ${there.url} --db pulled.db`);
      expect(await shownIn('pulled.db')).toEqual(await shownIn('a.db'));
      await printed("venues update barn --motto 'Be quiet' --db pulled.db");
      const differences: { fields: object }[] = JSON.parse((await calendar(`diff ${there.url} --json --db pulled.db`)).stdout);
      expect(differences.map((difference) => difference.fields)).toEqual([
        { motto: { local: 'Be quiet', remote: 'Be loud', direction: 'here' } },
      ]);
    } finally {
      await there.close();
    }
  });
  it('are added to a file that was created without them', async () => {
    await runAsItIs(words('venues create --venue Old --db old.db'), { cwd: copy });
    await printed('venues update old --capacity 3 --motto Yes --db old.db');
    expect(await json('venues list --json=venue,capacity,motto --db old.db')).toEqual([{ venue: 'Old', capacity: 3, motto: 'Yes' }]);
  });
});

it('a filter needs a stored field of its name', () =>
  expect(() => listForm([], { city: word('City') }, { order: () => [], linkOrder: [] })).toThrow(
    'filter city has no stored field of the same name',
  ));
