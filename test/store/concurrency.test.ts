import { expect, it } from 'vitest';
import { command } from '../support/command.ts';
import { inFolder } from '../support/items.ts';
import { limit } from '../support/timeouts.ts';

it('of several commands that create a file at once, one sets its time zone and the others fail', { timeout: limit(60_000) }, () =>
  inFolder(async (folder) => {
    const file = `${folder}/b.db`;
    const zones = ['Asia/Tokyo', 'Europe/Paris', 'America/Lima', 'Africa/Cairo'];
    const create = (zone: string) => command('tags', 'create', '--name', zone, '--calendar-timezone', zone, '--quiet', '--db', file);
    const results = await Promise.all(zones.map(create));
    expect(results.map(({ exit }) => exit).sort()).toEqual([0, 6, 6, 6]);
    const [winner] = zones.filter((_, at) => results[at]!.exit === 0);
    expect((await command('settings', 'get', 'timezone', '--db', file)).stdout).toBe(`${winner}\n`);
    expect((await command('tags', 'list', '--format', 'count', '--db', file)).stdout).toBe('1\n');
  }),
);
