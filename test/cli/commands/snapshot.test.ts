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
    expect(readdirSync(join(place.path, `${db}-snapshots`)).every((name) => /\.(db|json)$/.test(name))).toBe(true);
  });

  it.each(['on a file', 'through the server that owns it'])('name later changes, and ask before they discard them, %s', async (how) => {
    const db = how === 'on a file' ? 'later.db' : 'later-served.db';
    if (how !== 'on a file') await serve(`--db ${db}`);
    const on = (line: string, given?: Given) => at(`${line} --db ${db}`, given);
    const titles = async () => (await on('events list --all --fields title --format csv')).stdout.split(/\r?\n/).slice(1, -1).sort();
    await on('import city.csv');
    await on('events update fair market --cost 5');
    await on('events create --title Picnic --start-date 2026-12-05 --duration 1d');
    await on('events update market --title Bazaar');
    await on('settings set title Later');
    const question =
      'Restoring before-update-1 would also discard 3 later changes: updated events 9 (Bazaar), created events 10 (Picnic), updated settings title';
    expect(await on('undo')).toEqual({
      exit: 2,
      stdout: '',
      stderr: `calendar: Confirmation required: ${question}. Undo anyway?\n  Pass --yes.\n`,
    });
    expect(await titles()).toEqual(['Bazaar', 'Fair', 'Picnic']);
    const typed = { columns: 200, typing: true };
    expect(await on('undo', { ...typed, stdin: 'n\n' })).toMatchObject({ exit: 0, stdout: '' });
    expect(await titles()).toEqual(['Bazaar', 'Fair', 'Picnic']);
    expect(await on('undo', { ...typed, stdin: 'y\n' })).toMatchObject({ exit: 0, stdout: 'Restored before-update-1\n' });
    expect(await titles()).toEqual(['Fair', 'Market']);
    await on('events delete fair market --yes');
    await on('tags create --name Late');
    expect(await on('undo')).toMatchObject({ exit: 2, stderr: expect.stringContaining('1 later change: created tags 3 (Late)') });
    expect(await on('undo --yes --json')).toMatchObject({ exit: 0, stdout: expect.stringContaining('"restored":"before-delete-') });
    expect(await titles()).toEqual(['Fair', 'Market']);
  });

  it('name later changes over HTTP', async () => {
    const { url } = (await serve('--db later-http.db --control')).said;
    const post = (path: string, body: object) =>
      fetch(`${new URL(url).origin}/_calendar/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await at('import city.csv --db later-http.db');
    await at('events update fair market --cost 5 --db later-http.db');
    await at('tags create --name Late --db later-http.db');
    const refused = await post('undo', {});
    expect([refused.status, await refused.json()]).toEqual([
      409,
      {
        code: 'conflict',
        message: 'Restoring before-update-1 would also discard 1 later change: created tags 3 (Late)',
        data: { status: 409, later: [{ action: 'created', what: 'tags 3', name: 'Late' }] },
        hint: 'Pass {"discard": true} to undo anyway.',
      },
    ]);
    expect((await post('undo', { discard: true })).status).toBe(200);
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
    // A server whose clock is set requests no site.
    await serve('--db copy.db', { env: { CALENDAR_NOW: '' } });
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
