import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../../support/cases.ts';
import { seed } from '../../support/seed.ts';
import { type Served, served } from '../../support/served.ts';
import { limit } from '../../support/timeouts.ts';
import { folder, type Given, run, words } from '../../support/transcript.ts';

const place = folder();
let server: Served;
const at = (line: string, given: Given = {}) => run(words(line), { cwd: place.path, ...given });
const linesOf = ({ stdout }: { stdout: string }) => stdout.split('\n').filter(Boolean);

beforeAll(async () => {
  server = await served();
});
afterAll(async () => {
  await server.close();
  place.remove();
});

const event = fc.record({
  title: fc.constantFrom('Jazz', 'Fair', 'Talk'),
  year: fc.constantFrom('0900', '2019', '2026', '2027', '2031', '9998'),
  day: fc.integer({ min: 1, max: 28 }),
  status: fc.constantFrom('publish', 'draft', 'pending', 'private', 'trash'),
  hide_from_listings: fc.boolean(),
});
const inputOf = ({ year, day, ...event }: { year: string; day: number }) => {
  const date = `${year}-11-${String(day).padStart(2, '0')} 10:00:00`;
  return { ...event, start_date: date, end_date: date };
};
const query = fc.constantFrom(
  '',
  '--search jazz',
  '--status draft,publish',
  '--start-date 2020-01-01',
  '--past',
  '--sort title',
  '--per-page 3',
);

describe.each(['on a file', 'through a server'])('%s', (how) => {
  const on = (line: string, given?: Given) => at(`${line} ${how === 'on a file' ? '--db whole.db' : `--url ${server.url}`}`, given);

  it(`list --all equals the export, and list in a pipe all pages (FUZZ_SEED=${seed})`, { timeout: limit(60_000) }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 70, size: 'max' }), query, async (events, filters) => {
        await on('reset --yes');
        await on('events create --data - --quiet', { stdin: JSON.stringify(events.map(inputOf)) });
        const isListed = ({ status, hide_from_listings }: { status?: string; hide_from_listings?: boolean }) =>
          status !== 'trash' && !hide_from_listings;
        const exported = (JSON.parse((await on('export')).stdout).events ?? []).filter(isListed);
        const all = JSON.parse((await on('events list --all --json=title,start_date,status')).stdout) as { title: string }[];
        const key = ({ title, start_date, status = 'publish' }: Record<string, string>) => `${title} ${start_date} ${status}`;
        expect(all.map(key as never).sort()).toEqual(exported.map(key).sort());
        const pages: string[] = [];
        for (let page = 1; ; page++) {
          const found = linesOf(await on(`events list ${filters} --format ids --page ${page} --quiet`));
          pages.push(...found);
          if (!found.length) break;
        }
        expect(linesOf(await on(`events list ${filters} --format ids`))).toEqual(pages);
      }),
      { seed, numRuns: cases(1) },
    );
  });

  it.each([
    ['events list --format ids', ['1 of 3 events is within the default dates (2026-11-19 to 2028-11-20). Pass --all for every event.']],
    ['events list --format count', ['1 of 3 events is within the default dates (2026-11-19 to 2028-11-20). Pass --all for every event.']],
    ['events list --search past', ['0 of 1 events are within the default dates (2026-11-19 to 2028-11-20). Pass --all for every event.']],
    ['events list --limit 1 --quiet', []],
    ['events list --search future --quiet', []],
    ['events list --from 2020-01-01', []],
    ['events list --all', ['1 hidden event is not listed. calendar export has it.']],
    ['events list --all --quiet', []],
    ['events list --all --search past', []],
    ['events list --all --limit 2', []],
    ['venues list', []],
  ])('%s tells what it leaves out', async (line, notices) => {
    await on('reset --yes');
    const dated = (title: string, date: string, more = {}) => ({ title, start_date: date, end_date: date, ...more });
    const events = [
      dated('Past', '2020-01-01'),
      dated('Now', '2026-12-01'),
      dated('Future', '2040-01-01'),
      dated('Draft', '2026-12-01', { status: 'draft' }),
      dated('Hidden', '2026-12-01', { hide_from_listings: true }),
    ];
    await on('events create --data - --quiet', { stdin: JSON.stringify(events) });
    const { stderr, exit } = await on(line);
    expect([linesOf({ stdout: stderr }), exit]).toEqual([notices, 0]);
  });

  it.each([
    ['events list --json=id,strat_date', 'Did you mean start_date?'],
    ['events list --fields title,venue.ctiy', 'Did you mean venue.city'],
    ["events list --template '{{titel}}'", 'Did you mean title?'],
    ['events list --sort venue.citty', 'Did you mean venue.city'],
    ['events list --fields title.rendered', 'title has no fields.'],
    ['events get 1 --fields titel', 'Did you mean title?'],
    ['events create --title X --start-date tomorrow --json=titel', 'Did you mean title?'],
    ['venues create --venue X --format ics', 'Use --format json or csv.'],
    ["tags create --name X --template '{{name'", 'Write fields as'],
    ['tags list --fields ,', 'Expected names of fields'],
  ])('%s is rejected before anything happens', async (line, hint) => {
    await on('reset --yes');
    expect(await on(line)).toEqual({ stdout: '', stderr: expect.stringContaining(hint), exit: 2 });
    expect((await on('export')).stdout).not.toContain('X');
  });

  it.each(['json_ld.anything', 'custom_fields.anything.below', 'categories.0.slug', 'organizer.email', 'start_date_details.year'])(
    '--fields %s is accepted',
    async (path) => {
      await on('reset --yes');
      expect(await on(`events list --fields ${path}`)).toMatchObject({ stderr: '', exit: 0 });
    },
  );
});

it('a list prints one page on a terminal, and how to get more', async () => {
  await at('reset --yes');
  const tags = Array.from({ length: 12 }, (_, at) => ({ name: `Tag ${at}` }));
  await at('tags create --data - --quiet', { stdin: JSON.stringify(tags) });
  const { stdout } = await at('tags list --no-color', { columns: 80 });
  expect(stdout.trimEnd().split('\n')).toHaveLength(12);
  expect(stdout).toContain('10 of 12. Use --page for others, or --limit 12 for all.');
  for (const format of ['table', 'csv']) expect(linesOf(await at(`tags list --format ${format}`))).toHaveLength(13);
});
