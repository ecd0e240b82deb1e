import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { folder, run } from '../support/transcript.ts';

const { path: cwd, remove } = folder();
afterAll(remove);
const program = join(import.meta.dirname, '../../bin/calendar.ts');
const tsx = join(import.meta.dirname, '../../node_modules/tsx/dist/loader.mjs');

it.each([['import events.csv', 'SIGTERM'] as const, ['import events.csv', 'SIGINT'] as const, ['validate events.csv', 'SIGTERM'] as const])(
  '%s ends at once on %s, and leaves the calendar as it was',
  async (line, signal) => {
    await run(['tags', 'create', '--name', 'kept', '--db', 'a.db'], { cwd });
    const rows = Array.from({ length: 300_000 }, (_, at) => `Event ${at},2027-01-01 10:00,2027-01-01 11:00\n`);
    writeFileSync(join(cwd, 'events.csv'), `title,start_date,end_date\n${rows.join('')}`);
    const child = spawn(process.execPath, ['--import', tsx, program, ...line.split(' '), '--db', 'a.db'], {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd, CALENDAR_DB: 'a.db' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
    // Long after the program has begun, long before it is done.
    await new Promise((resolve) => setTimeout(resolve, 6000));
    expect(child.exitCode).toBe(null);
    const sent = performance.now();
    child.kill(signal);
    const [code, by] = await ended;
    expect([by ?? code]).toEqual([signal]);
    expect(performance.now() - sent).toBeLessThan(3000);
    expect((await run(['tags', 'get', 'kept', '--format', 'ids', '--db', 'a.db'], { cwd })).exit).toBe(0);
    expect((await run(['events', 'list', '--format', 'count', '--db', 'a.db'], { cwd })).stdout).toBe('0\n');
  },
);
