import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder, type Given, run, words } from '../../support/transcript.ts';

const place = folder();
const at = (line: string, given: Given = {}) => run(words(line), { cwd: place.path, ...given });
afterAll(place.remove);

beforeAll(async () => {
  await at("events create --title 'Jazz Night' --start-date 2027-01-01 --end-date 2027-01-01 --tags outdoor");
  await at('venues create --venue Hall');
  await at("events create --title 'Jam Session' --start-date 2027-01-01 --end-date 2027-01-01");
  await at('events delete jam-session');
  await at("events create --title 'Last Year' --start-date 2025-01-01 --end-date 2025-01-01 --status draft --slug last-year");
  await at('events create --title Daily --start-date 2026-12-01 --end-date 2026-12-01 --repeat FREQ=DAILY;COUNT=50');
  await at('snapshot save clean');
  await at('users add ada --role editor', { stdin: 'p' });
  writeFileSync(join(place.path, 'calendar.config.json'), '{"profiles": {"staging": {"db": "calendar.db"}}}');
});

const complete = async (line: string) => {
  const typed = line.endsWith(' ') ? [...words(line), ''] : words(line);
  return (await run(['complete', '--', ...typed], { cwd: place.path })).stdout.trimEnd().split('\n');
};

describe('what may come next', () => {
  it.each([
    ['ev', ['events\tManage events']],
    ['events l', ['list\tList events']],
    ['--db x.db events l', ['list\tList events']],
    ['events list --starts-a', ['--starts-after\tOnly events that start after this date']],
    ['events list --no-feat', ['--no-featured\tOpposite of --featured']],
    ['events list --format cs', ['csv']],
    ['events list --status pub', ['publish']],
    ['events list --status=pub', ['--status=publish']],
    ['events list --featured=', ['']],
    ['help ev', ['events\tManage events']],
    ['events list --tags ou', ['outdoor\toutdoor']],
    ['events get j', ['jazz-night\tJazz Night']],
    ['events delete 8', ['8\tJazz Night']],
    ['events create --venue ', ['hall\tHall']],
    ['events create --venue 9', ['10\tHall']],
    ['venues list --event j', ['jazz-night\tJazz Night']],
    ['events get jazz-night j', ['jazz-night\tJazz Night']],
    ['events restore j', ['jam-session\tJam Session']],
    ['events get last', ['last-year\tLast Year']],
    ['events update 8 --remove-tags ou', ['outdoor\toutdoor']],
    ['agenda --tags ou', ['outdoor\toutdoor']],
    ['events create --timezone Europe/Par', ['Europe/Paris']],
    ['agenda --tz Europe/Par', ['Europe/Paris']],
    ['settings set timez', ['timezone']],
    ['settings set timezone Europe/Par', ['Europe/Paris']],
    ['settings get ti', ['timezone', 'title']],
    ['seed conf', ['conference\tA conference with three days, five rooms and sixty talks']],
    ['reset --seed mini', ['minimal\tOne record of each kind']],
    ['serve --seed mini', ['minimal\tOne record of each kind']],
    ['events list --profile st', [`staging\t${join(place.path, 'calendar.config.json')}`]],
    ['users passwd a', ['ada\teditor']],
    ['snapshot restore cl', [expect.stringMatching(/^clean\t/) as unknown as string]],
    ['reset --to em', ['empty']],
    ['request -X PA', ['PATCH']],
    ['events list --db', ['--db\tDatabase file of the calendar (default calendar.db)']],
    ['db info --ur', ['']],
    ['serve --durability f', ['full']],
    ['users add x --role ed', ['editor']],
    ['completion z', ['zsh']],
    ['help exit', ['exit-codes\tHelp topic']],
    ['help events upd', ['update\tUpdate events']],
    ['events get j --db nowhere.db', ['']],
    ['comp', ['completion\tPrint a shell completion script']],
  ])('%s', async (line, expected) => {
    const found = await complete(line);
    const ids = (text: string) => text.replace(/^\d+\t/, 'ID\t');
    expect(found.map(ids)).toEqual(expected.map((each) => (typeof each === 'string' ? ids(each) : each)));
  });

  it('offers the calendar that is named', async () => {
    await at('tags create --name elsewhere --db other.db');
    expect(await complete('tags --db other.db get e')).toEqual(['elsewhere\telsewhere']);
  });
});

describe('the scripts', () => {
  it.each(['bash', 'zsh', 'fish', 'powershell'])('%s asks for what may come next', async (shell) => {
    const { stdout, exit } = await at(`completion ${shell}`);
    expect(exit).toBe(0);
    expect(stdout).toContain('complete --');
  });
});
