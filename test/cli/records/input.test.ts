import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder, type Given, run, words } from '../../support/transcript.ts';

const place = folder();
const at = (line: string, given: Given = {}) => run(words(line), { cwd: place.path, ...given });
afterAll(place.remove);

beforeAll(async () => {
  writeFileSync(join(place.path, 'tag.json'), '{"name": "From a file"}');
  for (const name of ['One', 'Two', 'Three']) await at(`tags create --name ${name}`);
  await at('venues create --venue Hall');
});

describe('what a record is made of', () => {
  it.each([
    ['flags', "tags create --name Flag --description 'a b'", undefined, { name: 'Flag', description: 'a b' }],
    ['--data', `tags create --data '{"name": "Data"}'`, undefined, { name: 'Data' }],
    ['a file', 'tags create --data @tag.json', undefined, { name: 'From a file' }],
    ['stdin', 'tags create --data -', '{"name": "Piped"}', { name: 'Piped' }],
    ['--set', "tags create --set name=Set --set 'description=1=2'", undefined, { name: 'Set', description: '1=2' }],
    [
      'flags over --set over --data',
      `tags create --data '{"name":"A","description":"a","slug":"first"}' --set name=B --set description=b --name C`,
      undefined,
      { name: 'C', description: 'b', slug: 'first' },
    ],
    ['a value that starts with a dash', 'tags create --name -verbose', undefined, { name: '-verbose' }],
    ['a value after =', 'tags create --name=--json', undefined, { name: '--json' }],
  ])('%s', async (_, line, stdin, expected) => {
    const { stdout, stderr } = await at(`${line} --format ndjson`, { stdin });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject(expected);
  });

  it.each([
    ['lists with commas', '--tags one,two', { tags: ['One', 'Two'] }],
    ['lists repeated', '--tags one --tags two --tags New', { tags: ['New', 'One', 'Two'] }],
    ['switches', '--all-day --no-featured --sticky', { all_day: true, featured: false, sticky: true }],
    ['a JSON object', `--venue '{"venue": "Barn", "city": "Ogdenville"}'`, { venue: 'Barn' }],
    ['a name that is in use', `--set venue.venue=Hall`, { venue: 'Hall' }],
    ['JSON by --set', '--set cost:=12 --set sticky:=true', { cost: '$12', sticky: true }],
    ['a cost', "--cost '5 EUR'", { cost: '5EUR' }],
    ['a zone', '--timezone UTC+5.5', { timezone: 'UTC+5.5' }],
  ])('%s', async (_, options, expected) => {
    const { stdout, stderr } = await at(`events create --title x --start-date 2027-01-01 --end-date 2027-01-01 ${options} --json`);
    expect(stderr).toBe('');
    const { tags, venue, ...entry } = JSON.parse(stdout);
    const names = { tags: tags.map(({ name }: { name: string }) => name), venue: venue.venue, ...entry };
    expect(names).toMatchObject(expected);
  });

  it('takes many at once: a list, or a record on each line', async () => {
    const list = await at('tags create --quiet --data -', { stdin: '[{"name": "L1"}, {"name": "L2"}]' });
    const lines = await at('tags create --quiet --data -', { stdin: '{"name": "N1"}\n{"name": "N2"}\n' });
    expect([list, lines].map(({ stdout, exit }) => [stdout.trim().split('\n').length, exit])).toEqual([
      [2, 0],
      [2, 0],
    ]);
  });

  it.each([
    ['tags create --data {', 'Invalid JSON'],
    ['tags create --data 7', 'must be a JSON object'],
    ['tags create --data [1]', 'must be a JSON object'],
    ['tags create --set name', 'Invalid --set'],
    ['tags create --set name:=x', 'name:= requires JSON'],
    ['tags create --name x --set __proto__=5', 'Unknown field "__proto__"'],
    ['tags create --name x --set __proto__.polluted=5', 'Unknown field "__proto__"'],
    ['tags create --name x --set constructor.name=5', 'Unknown field "constructor"'],
    ['venues update hall --set venue.city=x', 'venue: must be text'],
    ['tags update one', 'No fields to update'],
    ['tags update - --data -', 'Standard input can only be read once'],
    ['tags get - --user ada --password-stdin', 'Standard input can only be read once'],
    ["tags update one --data '[{},{}]'", 'expects one object in --data'],
    ["events create --venue '{'", 'Invalid JSON'],
  ])('refuses %s', async (line, message) => {
    const { stdout, stderr, exit } = await at(line, { stdin: '{"name": "x"}' });
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 });
    expect(stderr).toContain(message);
  });

  it('names the missing file', async () => {
    expect(await at('tags create --data @nowhere.json')).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining('nowhere.json: no such file'),
    });
  });
});

describe('several at once', () => {
  it.each([
    ['tags get one two --format ids', undefined, /^\d+\n\d+\n$/, '', 0],
    ['tags get - --format tsv --fields slug', 'one\n two\tthree\n', /^slug\none\ntwo\nthree\n$/, '', 0],
    ['tags get one one --format tsv --fields slug', undefined, /^slug\none\n$/, '', 0],
    ['tags get one none three --format tsv --fields slug', undefined, /^slug\none\nthree\n$/, 'No tag has the slug or name "none"', 8],
    ['tags get none nil --format tsv', undefined, /^/, 'No tag has the slug or name "nil"', 8],
    ['tags update one two --description same --quiet', undefined, /^\d+\n\d+\n$/, '', 0],
    ['tags delete two nil --quiet', undefined, /^$/, 'No tag has the slug or name "nil"; no records were changed', 3],
    ['tags get -', '', /^$/, '', 0],
  ])('%s', async (line, stdin, stdout, stderr, exit) => {
    const result = await at(line, { stdin });
    expect(result.stdout).toMatch(stdout);
    expect(result.stderr).toContain(stderr);
    expect(result.exit).toBe(exit);
  });

  it('names each that failed, in JSON too', async () => {
    const { stdout, stderr } = await at('tags get one nil none --json');
    expect(JSON.parse(stdout)).toHaveLength(1);
    expect(
      stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).data.item),
    ).toEqual(['nil', 'none']);
  });
});

describe('deleting', () => {
  const exists = async (slug: string) => (await at(`tags get ${slug}`)).exit === 0;

  const two = 'tags delete asked also';
  const create = () => at(`tags create --data '[{"name":"Asked"},{"name":"Also"}]' --quiet`);

  it('of several records asks on a terminal, and takes only a yes', async () => {
    for (const [answer, kept] of [
      ['n\n', true],
      ['\n', true],
      ['y\n', false],
    ] as const) {
      await create();
      const { stderr, exit } = await at(two, { typing: true, stdin: answer, columns: 80 });
      expect(stderr).toMatch(/Delete 2 tags permanently\? \[y\/N\] /);
      expect([exit, await exists('asked')]).toEqual([0, kept]);
    }
  });

  it.each([
    ['ctrl-c', '\x03', 130],
    ['ctrl-d', '\x04', 0],
  ])('takes %s for an end', async (_, key, exit) => {
    await create();
    expect((await at(two, { typing: true, stdin: key, columns: 80 })).exit).toBe(exit);
    expect(await exists('asked')).toBe(true);
  });

  it('of one record never asks', async () => {
    for (const given of [{ typing: true, columns: 80 }, {}]) {
      await at('tags create --name Unasked');
      expect(await at('tags delete unasked', given)).toMatchObject({ exit: 0, stderr: '' });
    }
  });

  it('changes nothing with --dry-run', async () => {
    expect((await at('tags delete one --dry-run')).stdout).toMatch(/^Would delete tag \d+ \(One\)\n$/);
    expect((await at('venues delete hall --dry-run')).stdout).toMatch(/^Would move venue \d+ \(Hall\) to the trash\n$/);
    expect(await exists('one')).toBe(true);
    expect((await at('tags delete one --dry-run --json=slug')).stdout).toContain('"one"');
  });
});
