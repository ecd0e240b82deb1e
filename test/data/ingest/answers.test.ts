import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folder, run } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
afterAll(remove);
const calendar = (line: string, stdin?: string) => run(line.split(' '), { cwd, stdin });
let count = 0;
/** A calendar with one of everything. */
async function minimal(): Promise<string> {
  const db = `answers-${++count}.db`;
  await calendar(`seed minimal --db ${db}`);
  return db;
}

describe('what commands print', () => {
  it.each([
    ['a list', 'events list --json --start-date 2000-01-01 --end-date 2100-01-01', 4],
    ['lines', 'events list --format ndjson --start-date 2000-01-01 --end-date 2100-01-01', 4],
    ['one record', 'events get summer-concert --json', 4],
    ['an answer of a server', 'request GET /events?start_date=2000-01-01&end_date=2100-01-01', 4],
    ['venues', 'venues list --json', 1],
    ['organizers', 'organizers list --json', 1],
    ['categories', 'categories list --json', 1],
    ['tags', 'tags list --json', 1],
  ])('is imported: %s', async (_, line, least) => {
    const [from, to] = [await minimal(), `into-${count}.db`];
    const { stdout, exit } = await calendar(`${line} --db ${from}`);
    expect(exit).toBe(0);
    // In the calendar that it came from it changes nothing.
    expect((await calendar(`import - --db ${from}`, stdout)).stderr).toMatch(/^calendar: standard input: \d+ unchanged\n$/);
    const first = await calendar(`import - --json --db ${to}`, stdout);
    expect(first.exit).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ updated: 0, deleted: 0 });
    expect(JSON.parse(first.stdout).created).toBeGreaterThanOrEqual(least);
    expect((await calendar(`import - --db ${to}`, stdout)).stderr).toMatch(/^calendar: standard input: \d+ unchanged\n$/);
  });

  it('updates the calendar that it came from where it was edited, and nothing else', async () => {
    const db = await minimal();
    const { stdout } = await calendar(`venues list --json --db ${db}`);
    const edited = stdout.replace('"Springfield"', '"Shelbyville"');
    expect((await calendar(`import - --db ${db}`, edited)).stderr).toContain('calendar: standard input: 1 updated\n');
    expect((await calendar(`venues list --fields city --format tsv --db ${db}`)).stdout).toContain('Shelbyville');
  });

  it('is imported even from a file that is called a table', async () => {
    const db = await minimal();
    writeFileSync(join(cwd, 'tags.csv'), `\n${(await calendar(`tags list --json --db ${db}`)).stdout}`);
    expect((await calendar(`import tags.csv --db ${db}`)).stderr).toBe('calendar: tags.csv: 1 unchanged\n');
  });

  it.each([
    ['[]', 0, 'no changes'],
    ['[1]', 2, 'must be an object with sections'],
    ['{"a": 1}', 2, 'a: unknown field'],
    ['\u{fffd}\0', 2, 'line 1: '],
  ])('%s gives %s', async (text, exit, message) =>
    expect(await calendar(`import - --db other.db`, text)).toMatchObject({ exit, stderr: expect.stringContaining(message) }),
  );
});
