import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import said from '../../support/files/before-1.0.json' with { type: 'json' };
import last from '../../support/files/last-0.1.json' with { type: 'json' };
import { folder, run } from '../../support/transcript.ts';

/** A file that the version before 1.0 wrote, `seed minimal` and one event more, and what that version said of it. */
const bytes = unpacked('before-1.0.db.gz');

function unpacked(name: string): Buffer {
  return gunzipSync(readFileSync(new URL(`../../support/files/${name}`, import.meta.url)));
}

const lists: [keyof typeof said, string[]][] = [
  ['events', ['--start-date', '2000-01-01', '--end-date', '2040-01-01']],
  ['venues', []],
  ['organizers', []],
  ['categories', ['--no-hide-empty']],
  ['tags', ['--no-hide-empty']],
];

it.each(lists)('%s of a file from before 1.0 are shown unchanged, before and after a write', async (resource, options) => {
  const home = folder();
  try {
    writeFileSync(join(home.path, 'old.db'), bytes);
    const calendar = (...args: string[]) => run([...args, '--db', 'old.db'], { cwd: home.path });
    const list = async () => JSON.parse((await calendar(resource, 'list', ...options, '--all', '--json')).stdout);
    expect(await list()).toEqual(said[resource]);
    expect((await calendar('tags', 'create', '--name', 'Written since')).exit).toBe(0);
    const after = (await list()).filter(({ name }: { name?: string }) => name !== 'Written since');
    expect(after).toEqual(said[resource]);
    expect((await calendar('db', 'check')).exit).toBe(0);
  } finally {
    home.remove();
  }
});

it('a calendar of the last version before 1.0 keeps records, users, settings and snapshots', async () => {
  const home = folder();
  try {
    // `seed demo`, a user, a setting and a snapshot; then an event more, in the trash.
    writeFileSync(join(home.path, 'old.db'), unpacked('last-0.1.db.gz'));
    mkdirSync(join(home.path, 'old.db-snapshots'), { mode: 0o700 });
    writeFileSync(join(home.path, 'old.db-snapshots', 'clean.db'), unpacked('last-0.1.snapshot.gz'), { mode: 0o600 });
    const env = { CALENDAR_NOW: '2027-03-01T09:00:00Z' };
    const calendar = (...args: string[]) => run([...args, '--db', 'old.db'], { cwd: home.path, env });
    const said = async (...args: string[]) => JSON.parse((await calendar(...args, '--json')).stdout);
    const events = () => said('events', 'list', '--fields', 'id,slug,title,start_date,end_date,timezone,status,venue.venue');
    expect(await events()).toEqual(last.events);
    expect(await said('users', 'list')).toEqual(last.users);
    expect(await said('settings', 'list')).toMatchObject(last.settings);
    const trash = async () => (await calendar('events', 'list', '--status', 'trash', '--format', 'ids')).stdout;
    expect(await trash()).toBe('86\n');
    expect(await calendar('snapshot', 'restore', 'clean')).toMatchObject({ exit: 0 });
    expect(await trash()).toBe('');
    expect(await events()).toEqual(last.events);
    expect((await calendar('db', 'check')).stdout).toContain('no damage found');
  } finally {
    home.remove();
  }
});
