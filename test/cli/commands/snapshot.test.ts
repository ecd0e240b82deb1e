import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { served } from '../../support/served.ts';
import { servers } from '../../support/serving.ts';
import { folder, type Given, run, words } from '../../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const at = (line: string, given: Given = {}) => run(words(line), { cwd: place.path, ...given });

const serve = servers(place.path);

const city = join(place.path, 'city.csv');
writeFileSync(city, 'title,start_date,end_date\nFair,2026-12-01 10:00,2026-12-01 11:00\nMarket,2026-12-02 10:00,2026-12-02 11:00\n');
const ours = join(place.path, 'ours.json');
writeFileSync(ours, JSON.stringify({ events: { talk: { title: 'Talk', start_date: '2026-12-03 10:00', end_date: '2026-12-03 11:00' } } }));

describe('commands on a whole calendar', () => {
  it.each(['on a file', 'through the server that owns it'])('can be undone %s', async (how) => {
    const db = how === 'on a file' ? 'undone.db' : 'undone-served.db';
    if (how !== 'on a file') await serve(`--db ${db}`);
    const on = (line: string) => at(`${line} --db ${db}`);
    await on('seed minimal');
    const before = (await on('export')).stdout;
    const shifted = await on('shift --by P1D');
    expect(shifted.stderr).toMatch(
      /calendar: Shifted: 1 updated\ncalendar: Saved snapshot before-shift-1\. Undo with: calendar undo --db \S+\n$/,
    );
    const imported = await on('import city.csv');
    expect(imported.stderr).toContain('before-import-2');
    expect((await on('import city.csv')).stderr).not.toContain('Saved');
    const gone = await on('reset --yes');
    expect(gone.stderr).toContain('before-reset-3');
    expect((await on('events list --format count')).stdout).toBe('0\n');
    expect((await on('undo')).stdout).toBe('Restored before-reset-3\n');
    expect((await on('undo')).stdout).toBe('Restored before-import-2\n');
    expect(await on('undo')).toMatchObject({ stdout: 'Restored before-shift-1\n', stderr: expect.stringContaining('undone-') });
    expect((await on('export')).stdout).toBe(before);
    expect(await on('undo')).toMatchObject({ exit: 3, stdout: '', stderr: expect.stringContaining('Nothing to undo') });
    expect((await on('snapshot list')).stdout).toMatch(/^undone-\d+ +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC +\d+ bytes\n/);
    await on('seed demo --replace --yes');
    expect((await on('undo --json')).stdout).toMatch(/"restored":"before-seed-\d+"/);
    expect((await on('export')).stdout).toBe(before);
    expect(readdirSync(join(place.path, `${db}-snapshots`)).every((name) => name.endsWith('.db'))).toBe(true);
  });

  it('are refused by servers that are not this program’s', async () => {
    const other = await served({}, false);
    for (const line of ['reset --yes', 'settings get title', 'snapshot list', 'import city.csv', 'export'])
      expect(await at(line, { env: { CALENDAR_URL: other.url } })).toMatchObject({
        exit: 2,
        stdout: '',
        stderr: expect.stringContaining(`The control API of ${other.url} is not available`),
      });
    await other.close();
  });

  it('pull and push while a server owns the file', async () => {
    const other = await served();
    await at(`seed minimal --db source.db`);
    expect(await at(`push ${other.url} --db source.db`)).toMatchObject({ exit: 0 });
    await serve('--db copy.db');
    await at('tags create --name own --db copy.db');
    expect((await at(`pull ${other.url} --db copy.db --dry-run`)).stderr).toContain('5 created (dry run');
    const pulled = await at(`pull ${other.url} --db copy.db`);
    expect(pulled).toMatchObject({ exit: 0, stderr: expect.stringContaining('5 created') });
    expect(pulled.stderr).toContain('before-pull-1');
    expect((await at(`pull ${other.url} --db copy.db`)).stderr).toContain('5 unchanged');
    await at('events update 1 --title Changed --db copy.db');
    expect((await at(`push ${other.url} --db copy.db`)).stderr).toMatch(/Pushed to .*: /);
    await other.close();
  });
});
