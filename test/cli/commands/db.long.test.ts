import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sqliteSays } from '../../crash/calendar.ts';
import { Server } from '../../crash/served.ts';
import { command } from '../../support/command.ts';
import { limit } from '../../support/timeouts.ts';
import type { Transcript } from '../../support/transcript.ts';

const folder = mkdtempSync(join(tmpdir(), 'calendar-db-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string) => join(folder, name);
const db = (name: string, ...args: string[]): Promise<Transcript> => command('db', ...args, '--db', path(name));

describe('calendar db beside a running server', () => {
  it('backs up consistently under load, checks, folds and tells; restores only when it has stopped', {
    timeout: limit(60_000),
  }, async () => {
    const file = path('served.db');
    const server = new Server(file);
    await server.ready();
    let loading = true;
    let made = 0;
    const client = async (): Promise<void> => {
      while (loading) {
        made += 1;
        const title = `event ${made}`;
        const event = {
          title,
          start_date: 'tomorrow',
          end_date: 'tomorrow',
          venue: { venue: title },
          organizer: { organizer: title },
          tags: [title],
        };
        expect((await server.send('POST', '/events', event)).status).toBe(201);
      }
    };
    const clients = [client(), client(), client(), client()];
    let before = 0;
    for (let i = 0; i < 4; i += 1) {
      const copy = path(`served ${i}.db`);
      const least = made - 4;
      expect(await db('served.db', 'backup', copy)).toEqual({ stdout: `${copy}\n`, stderr: '', exit: 0 });
      const { records } = JSON.parse((await command('db', 'info', '--json', '--db', copy)).stdout);
      expect([records.venues, records.organizers, records.tags]).toEqual([records.events, records.events, records.events]);
      expect(records.events).toBeGreaterThanOrEqual(Math.max(least, before));
      before = records.events;
      expect(await db('served.db', 'check')).toMatchObject({ exit: 0, stderr: '' });
      expect(await db('served.db', 'checkpoint')).toEqual({ stdout: '', stderr: '', exit: 0 });
    }
    loading = false;
    await Promise.all(clients);
    expect(sqliteSays(path('served 3.db'))).toBe('ok\n');
    expect(JSON.parse((await db('served.db', 'info', '--json')).stdout)).toMatchObject({ records: { events: made }, durability: 'full' });
    const refused = await db('served.db', 'restore', path('served 0.db'), '--yes');
    expect(refused).toMatchObject({ stdout: '', exit: 6, stderr: expect.stringContaining(`process ${server.child.pid}`) });
    expect(await server.stop()).toBe(0);
    expect((await db('served.db', 'restore', path('served 0.db'), '--yes')).exit).toBe(0);
  });
});
