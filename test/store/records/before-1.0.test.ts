import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import said from '../../support/files/before-1.0.json' with { type: 'json' };
import { folder, run } from '../../support/transcript.ts';

/** A file that the version before 1.0 wrote, `seed minimal` and one event more, and what that version said of it. */
const bytes = gunzipSync(readFileSync(new URL('../../support/files/before-1.0.db.gz', import.meta.url)));

const lists: [keyof typeof said, string[]][] = [
  ['events', ['--start-date', '2000-01-01', '--end-date', '2040-01-01']],
  ['venues', []],
  ['organizers', []],
  ['categories', ['--no-hide-empty']],
  ['tags', ['--no-hide-empty']],
];

it.each(lists)('%s of a file from before 1.0 are shown as they were, before and after it is written to', async (resource, options) => {
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
