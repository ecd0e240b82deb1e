import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { served } from '../support/served.ts';
import { folder, run, words } from '../support/transcript.ts';

const { path: cwd, remove } = folder();
afterAll(remove);

const when = "--start-date 'tomorrow 8pm' --end-date 'tomorrow 9pm'";

describe.each(['a file', 'a server'])('declared fields of %s', (place) => {
  let at = '--db fields.db';
  let close = async () => {};
  const local = (line: string, stdin = '') => run(words(`${line} ${at}`), { cwd, stdin });

  beforeAll(async () => {
    if (place === 'a server') {
      const server = await served();
      close = () => server.close();
      at = `--url ${server.url}`;
    }
    expect(await local("fields add events age_group --filter --about 'Ages'")).toMatchObject({
      stdout: 'Declared age_group of events (string)\n',
      exit: 0,
    });
    await local('fields add events seats --type integer --filter');
    await local('fields add venues rooms --type integer');
  });
  afterAll(() => close());

  it('are listed', async () => {
    expect((await local('fields list')).stdout).toContain('events  age_group  string   filter  Ages\n');
    expect(JSON.parse((await local('fields list --json')).stdout).venues).toEqual({ rooms: { type: 'integer' } });
  });

  it('are flags, for writing and filtering', async () => {
    const created = await local(`events create --title Kids ${when} --age-group 6-10 --seats 4 --json=age_group,seats`);
    expect(JSON.parse(created.stdout)).toEqual({ age_group: '6-10', seats: 4 });
    expect((await local('events list --age-group 6-10,11 --json=title')).stdout).toContain('Kids');
    expect((await local('events list --seats-min 5 -q')).stdout).toBe('');
    expect((await local('events update kids --seats 9 --json=seats')).stdout).toContain('9');
    expect((await local('venues create --venue Hall --rooms 2 --json=rooms')).stdout).toContain('2');
  });

  it('are completed, and in the schema of fixtures', async () => {
    const complete = async (line: string) => (await run(words(`complete -- ${line.replace('AT', at)}`), { cwd })).stdout;
    expect(await complete('events create AT --age')).toBe('--age-group\tAges\n');
    expect(await complete('events list AT --seats-m')).toMatch(/^--seats-min\t.*\n--seats-max\t/);
    expect(await complete('tags create AT --age')).toBe('');
    const schema = JSON.parse((await local('seed --schema')).stdout);
    expect(schema.$defs.events.properties.seats).toMatchObject({ anyOf: expect.any(Array) });
    expect((await local('events update --help')).stdout).toContain('Declared fields of the calendar are options too');
  });

  it.each([
    ["--set age_group='11-15'", ''],
    [`--data '{"age_group":"11-15"}'`, ''],
    ['--data -', '{"age_group":"11-15"}'],
  ])('are values of %s', async (options, stdin) => {
    expect((await local(`events create --title Set ${when} ${options} --json=age_group`, stdin)).stdout).toContain('11-15');
  });

  it('are columns of lists and CSV files', async () => {
    expect((await local('events list --fields title,seats --format csv --age-group 6-10')).stdout).toBe('title,seats\r\nKids,9\r\n');
    expect((await local('export --format csv --fields title,seats')).stdout).toContain('Kids,9\r\n');
  });

  it('reject invalid values and unknown names', async () => {
    expect(await local(`events create --title X ${when} --seats many`)).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: 'calendar: Invalid seats: must be a whole number, not "many"\n',
    });
    expect(await local(`events create --title X ${when} --age-grup 3`)).toMatchObject({
      exit: 2,
      stderr: 'calendar: Unknown option --age-grup\n  Did you mean --age-group?\n',
    });
    expect((await local('events list --json=agegroup')).stderr).toContain('Unknown field \\"agegroup\\" of events');
    expect(await local('fields add events title')).toMatchObject({ exit: 2 });
    expect(await local('fields add events seats --type url')).toMatchObject({ exit: 6 });
    expect(await local('fields remove events nothing --yes')).toMatchObject({ exit: 3 });
  });

  it('are removed with their values', async () => {
    expect((await local('fields remove venues rooms --yes')).stdout).toBe('Removed venues.rooms\n');
    expect((await local('venues get hall --json')).stdout).not.toContain('rooms');
  });
});

describe('fields of calendar.config.json', () => {
  const { path: project, remove: clean } = folder();
  afterAll(clean);
  const config = (fields: object) => writeFileSync(join(project, 'calendar.config.json'), JSON.stringify({ fields }));
  const local = (line: string) => run(words(`${line} --db own.db`), { cwd: project });

  it('are declared by the first command that writes', async () => {
    config({ events: { age_group: { type: 'string', filter: true } } });
    const { stdout } = await local(`events create --title Kids ${when} --age-group 6-10 --json=age_group`);
    expect(JSON.parse(stdout)).toEqual({ age_group: '6-10' });
  });

  it.each([
    ['a contradiction', { age_group: { type: 'integer', filter: true } }, 'age_group of events as string with a filter, not as integer', 6],
    ['a name in use', { title: { type: 'string' } }, 'Invalid field "title" of events', 2],
    ['an unknown type', { more: { type: 'text' } }, 'fields.events.more.type', 2],
  ])('with %s end the command', async (_, fields, message, exit) => {
    config({ events: fields });
    const result = await local('events list');
    expect(result).toMatchObject({ exit, stdout: '' });
    expect(result.stderr).toContain('calendar.config.json: ');
    expect(result.stderr).toContain(message);
  });

  it('in the file of the user end a command that selects a profile', async () => {
    config({});
    mkdirSync(join(project, '.config/calendar'), { recursive: true });
    writeFileSync(join(project, '.config/calendar/config.json'), JSON.stringify({ fields: { events: { age_group: { type: 'string' } } } }));
    const { stderr, exit } = await run(words('events list'), { cwd: project });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('fields belong to a project\n  Move them to its calendar.config.json.')]);
  });
});
