import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Form from '../../../src/cli/ui/form/form.ts';
import type * as Served from '../../support/served.ts';
import type * as Transcripts from '../../support/transcript.ts';
import { run as runAsItIs, words } from '../../support/transcript.ts';

/** A copy of this program whose venues have one field and one filter more, each by one line. */
const copy = mkdtempSync(join(tmpdir(), 'calendar-one-line-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function insert(path: string, before: string, line: string): void {
  const file = join(copy, path);
  const parts = readFileSync(file, 'utf8').split(before);
  expect(parts).toHaveLength(2);
  writeFileSync(file, parts.join(`${line}\n${before}`));
}

let run: typeof Transcripts.run;
let served: typeof Served.served;
let form: typeof Form;
beforeAll(async () => {
  for (const path of ['src', 'fixtures', 'package.json', 'test/support']) cpSync(resolve(path), join(copy, path), { recursive: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  const venue = 'src/model/resources/venue.ts';
  insert(venue, "  geo_lat: field.degrees('degrees north'", "  capacity: field.wholeNumber('how many people fit in'),");
  insert(venue, '      ...linkedFilters,', "      min_capacity: filter.atLeast('capacity', 'room for so many people'),");
  insert(
    'src/model/resources/event.ts',
    "  ticketed: field.flag('has tickets'",
    "  seats: field.wholeNumber('how many seats', { least: 1, most: 500 }),",
  );
  ({ run } = await import(join(copy, 'test/support/transcript.ts')));
  ({ served } = await import(join(copy, 'test/support/served.ts')));
  form = await import(join(copy, 'src/cli/ui/form/form.ts'));
});

const calendar = async (line: string, stdin?: string) => run(words(line), { cwd: copy, stdin });
/** What a command prints, where it succeeds. */
async function said(line: string, stdin?: string): Promise<string> {
  const { exit, stdout, stderr } = await calendar(line, stdin);
  expect([exit, exit ? stderr : '']).toEqual([0, '']);
  return stdout;
}
const json = async (line: string, stdin?: string) => JSON.parse(await said(line, stdin));
const capacities = async (db: string): Promise<Record<string, unknown>> =>
  Object.fromEntries((await json(`venues list --json --db ${db}`)).map((entry: Record<string, unknown>) => [entry.venue, entry.capacity]));

describe('one line for a field, one for a filter', () => {
  beforeAll(async () => {
    for (const [name, capacity] of [
      ['Barn', ' --capacity 25'],
      ['Cellar', ' --capacity 0'],
      ['Field', ''],
    ])
      await said(`venues create --venue ${name}${capacity} --db a.db`);
  });

  it('is shown by get and list; 0 is a value, and none is left out', async () => {
    expect(await capacities('a.db')).toEqual({ Barn: 25, Cellar: 0, Field: undefined });
    expect(await json('venues get barn cellar field --json=capacity --db a.db')).toEqual([
      { capacity: 25 },
      { capacity: 0 },
      { capacity: null },
    ]);
    expect(await json('venues get field --json --db a.db')).not.toHaveProperty('capacity');
  });
  it('has its column in tables for programs', async () => {
    const [head, ...rows] = (await said('venues list --format csv --db a.db')).trim().split('\r\n');
    const at = head!.split(',').indexOf('capacity');
    expect(rows.map((row) => row.split(',')[at])).toEqual(['', '0', '25']);
  });
  it.each(['lots', '-1', '1.5', '1e400'])('%s is refused with the bounds', async (capacity) => {
    const { exit, stderr } = await calendar(`venues update barn --capacity=${capacity} --db a.db`);
    expect([exit, stderr]).toEqual([2, expect.stringMatching(/capacity: must be a whole number, 0 or more: /)]);
  });
  it.each(['true', '[]', '{}', '[5]', '"x"'])('%s is refused too', async (value) => {
    expect((await calendar(`venues update barn --set capacity:=${value} --db a.db`)).exit).toBe(2);
  });
  it.each([0, 501, 2.5])('an event of %d seats is refused with its bounds', async (seats) => {
    const event = JSON.stringify({ title: 'A', start_date: '2027-01-01', end_date: '2027-01-01', seats });
    const { exit, stderr } = await calendar('events create --data - --db a.db', event);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('seats: must be a whole number from 1 to 500: ')]);
  });
  it.each(["--capacity ''", '--set capacity=', '--set capacity:=null'])('%s clears it', async (option) => {
    await said('venues create --venue Tent --capacity 7 --db clear.db');
    expect(await json(`venues update tent ${option} --json --db clear.db`)).not.toHaveProperty('capacity');
  });
  it.each([
    ['20', ['Barn']],
    ['0', ['Barn', 'Cellar']],
    ['26', []],
  ])('--min-capacity %s', async (least, names) => {
    const found = await json(`venues list --min-capacity ${least} --json --db a.db`);
    expect(found.map((entry: { venue: string }) => entry.venue).sort()).toEqual(names);
  });
  it('is in the help', async () => {
    expect(await said('venues create --help')).toMatch(/--capacity <n>\s+how many people fit in/);
    expect(await said('venues update --help')).toMatch(/--capacity <n>/);
    expect(await said('venues list --help')).toMatch(/--min-capacity <n>\s+room for so many people/);
  });
  it('is in the document both ways, and the filter too', async () => {
    const { paths, components } = await json('request GET /doc --db a.db');
    const number = { type: 'integer', minimum: 0, description: 'how many people fit in' };
    expect(paths['/venues/{id}'].post.requestBody.content['application/json'].schema.properties.capacity).toEqual(number);
    expect(components.schemas.Venue.properties.capacity).toEqual({ ...number, nullable: true });
    expect(paths['/venues'].get.parameters.map(({ name }: { name: string }) => name)).toContain('min_capacity');
    const page = await json('request GET /venues?min_capacity=5 --db a.db');
    expect([page.total, page.rest_url]).toEqual([1, expect.stringContaining('min_capacity=5')]);
  });
  it('is asked for by the form, where it is a field of events', () => {
    expect(form.formFields.map((field) => field.name).at(-1)).toBe('seats');
  });

  it.each(['json', 'ndjson', 'csv'])('goes out and comes in as %s', async (format) => {
    const file = join(copy, `a.${format}`);
    const only = format === 'csv' ? '--only venues' : '';
    writeFileSync(file, await said(`export --format ${format} ${only} --db a.db`));
    await said(`import ${file} ${only} --db in-${format}.db`);
    expect(await capacities(`in-${format}.db`)).toEqual(await capacities('a.db'));
    // What the file leaves out is taken away where the record is there.
    await said(`venues update field --capacity 9 --db in-${format}.db`);
    await said(`import ${file} ${only} --db in-${format}.db`);
    expect(await capacities(`in-${format}.db`)).toEqual(await capacities('a.db'));
  });
  it('stands in fixtures and in their schema', async () => {
    writeFileSync(join(copy, 'own.json'), JSON.stringify({ venues: { barn: { venue: 'Barn', capacity: 12 } } }));
    await said('seed own.json --db seeded.db');
    expect(await capacities('seeded.db')).toEqual({ Barn: 12 });
    const { $defs } = await json('seed --schema');
    expect($defs.venues.properties.capacity).toMatchObject({ description: 'how many people fit in' });
    expect(JSON.stringify($defs.venues.properties.capacity)).toContain('"minimum":0');
  });
  it('goes to another calendar and comes from there', async () => {
    const there = await served();
    try {
      await said(`push ${there.url} --db a.db`);
      expect((await calendar(`diff ${there.url} --db a.db`)).exit).toBe(0);
      await said(`pull ${there.url} --db pulled.db`);
      expect(await capacities('pulled.db')).toEqual(await capacities('a.db'));
      await said(`venues update barn --capacity 30 --db a.db`);
      await said(`venues update cellar --capacity '' --db a.db`);
      const differences: { fields: object }[] = JSON.parse((await calendar(`diff ${there.url} --json --db a.db`)).stdout);
      expect(differences.map(({ fields }) => fields)).toEqual([
        { capacity: { local: null, remote: 0 } },
        { capacity: { local: 30, remote: 25 } },
      ]);
      await said(`push ${there.url} --db a.db`);
      expect((await calendar(`diff ${there.url} --db a.db`)).exit).toBe(0);
    } finally {
      await there.close();
    }
  });
  it('is added to a file that was made without it', async () => {
    await runAsItIs(words('venues create --venue Old --db old.db'), { cwd: copy });
    await said('venues update old --capacity 3 --db old.db');
    expect(await capacities('old.db')).toEqual({ Old: 3 });
  });
});
