import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { servers } from '../../support/serving.ts';
import { folder, type Given, run, withoutUndo, words } from '../../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const at = (line: string, given: Given = {}) => run(words(line), { cwd: place.path, ...given });

const serve = servers(place.path);

writeFileSync(
  join(place.path, 'city.csv'),
  'title,start_date,end_date\nFair,2026-12-01 10:00,2026-12-01 11:00\nMarket,2026-12-02 10:00,2026-12-02 11:00\n',
);
writeFileSync(
  join(place.path, 'ours.json'),
  JSON.stringify({ events: { talk: { title: 'Talk', start_date: '2026-12-03 10:00', end_date: '2026-12-03 11:00' } } }),
);

/** The same commands, in this order: what each says does not depend on who holds the calendar. */
const commands = [
  'seed dmo',
  'seed minimal --dry-run',
  'seed minimal',
  'seed minimal',
  'seed ours.json --append --json',
  'import city.csv --dry-run',
  'import city.csv',
  'import city.csv --json',
  'import nothing.csv',
  'events list --fields title,start_date --all',
  'shift --by P7D --dry-run',
  'shift --by P7D',
  'shift --by 7',
  'shift --by P9000Y',
  'shift --by=-P3000Y --dry-run',
  'seed minimal --replace --dry-run',
  'snapshot save shifted',
  'snapshot save shifted',
  'snapshot save ../x',
  'generate --events 3 --dry-run',
  'generate --events 3 --rng-seed 7',
  'generate --events 3 --from nonsense',
  'reset --generated --yes',
  'reset --yes --dry-run',
  'reset --yes',
  'events list --format count',
  'snapshot restore shifted',
  'snapshot restore nothing',
  'events list --fields title,start_date --all',
  'reset --to nowhere --yes',
  'reset --to empty --yes',
  'tags create --name First --format ids',
  'snapshot restore shifted',
  'snapshot delete shifted',
  'snapshot delete shifted',
  'settings set title Other',
  'settings get title',
  'settings get titel',
  'export --format csv --fields title,start_date',
];

/** Without what differs by nature: the moment of a run, and names of snapshots that a calendar in memory does not keep. */
const plain = ({ stdout, stderr, exit }: Awaited<ReturnType<typeof run>>) => ({
  stdout,
  stderr: withoutUndo({ stdout, stderr, exit }).stderr.replace(/^ {2}Existing snapshots: .*\n/gm, ''),
  exit,
});

it('commands on a whole calendar say the same on a file, on the server that owns it, and on a server by its address', async () => {
  const said = { file: [] as object[], owned: [] as object[], remote: [] as object[] };
  for (const line of commands) said.file.push({ line, ...plain(await at(`${line} --db plain.db`)) });
  await serve('--db owned.db');
  for (const line of commands) said.owned.push({ line, ...plain(await at(`${line} --db owned.db`)) });
  const { said: remote } = await serve('--memory');
  for (const line of commands) said.remote.push({ line, ...plain(await at(line, { env: { CALENDAR_URL: remote.url } })) });
  expect(said.owned).toEqual(JSON.parse(JSON.stringify(said.file).replaceAll('plain.db', 'owned.db')));
  // A pull is into a file, whatever server the environment names.
  const except = (rows: object[]) => rows.filter((row) => !/pull/.test(JSON.stringify(row)));
  expect(except(said.remote)).toEqual(except(said.file));
  expect(said.file).toContainEqual({ line: 'shift --by P7D', stdout: '', stderr: 'calendar: Shifted: 4 updated\n', exit: 0 });
  expect(said.file).toContainEqual({
    line: 'shift --by P9000Y',
    stdout: '',
    stderr: expect.stringMatching(/^calendar: The date 11026-\S+ \S+ is outside the years 1 to 9999\n$/),
    exit: 2,
  });
  expect(said.file).toContainEqual({
    line: 'seed minimal --replace --dry-run',
    stdout: '',
    stderr: 'calendar: minimal: 5 created, 8 deleted (dry run, nothing was written)\n',
    exit: 0,
  });
  expect(said.file).toContainEqual({ line: 'tags create --name First --format ids', stdout: '3\n', stderr: '', exit: 0 });
});
