import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, served } from '../../support/served.ts';
import { folder, run, words } from '../../support/transcript.ts';

const place = folder();
let server: Served;
beforeAll(async () => {
  server = await served();
  for (const where of ['file', 'server'])
    for (const line of [
      "venues create --venue Hall --phone '555 0110'",
      "events create --title One --start-date '2027-03-01 10:00' --venue hall --excerpt Short --show-map",
      "events create --title Two --start-date '2027-03-02 10:00' --venue hall --excerpt Brief --show-map --show-map-link",
    ])
      expect((await at(where, line)).exit).toBe(0);
});
afterAll(async () => {
  await server.close();
  place.remove();
});

const at = (where: string, line: string) =>
  run([...words(line), ...(where === 'file' ? ['--db', 'a.db'] : ['--url', server.url])], { cwd: place.path });

describe.each(['file', 'server'])('an export of a %s', (where) => {
  it.each([
    ['--format json', ''],
    ['--format ndjson', ''],
    ['--format csv', ''],
    ['--format csv --only venues', ''],
    [
      '--format ics',
      [
        'calendar: ics leaves out or changes what json and ndjson keep (-v lists all records):',
        '  event # (One): excerpt is not in this format (and 1 more)',
        '  event # (One): show_map_link is read as true',
        '  venue # (Hall): phone is not in this format',
        '',
      ].join('\n'),
    ],
    ['--format ics --verbose', expect.stringContaining('  event # (Two): excerpt is not in this format\n')],
  ])('%s says what it leaves out', async (options, message) => {
    const { stdout, stderr, exit } = await at(where, `export ${options}`);
    expect({ exit, stderr: stderr.replace(/\d+ \(/g, '# (') }).toEqual({ exit: 0, stderr: message });
    expect(stdout).not.toContain('leaves out');
  });
});
