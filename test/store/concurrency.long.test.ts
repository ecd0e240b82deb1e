import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Server } from '../crash/served.ts';
import { cases } from '../support/cases.ts';
import { command } from '../support/command.ts';
import { EventWriters } from '../support/event-writers.ts';
import { inFolder } from '../support/items.ts';
import { limit } from '../support/timeouts.ts';

const writers = new EventWriters(8, cases(4));

it('eight processes that create on one file lose nothing', { timeout: limit(600_000) }, () =>
  inFolder(async (folder) => {
    const file = `${folder}/a.db`;
    await writers.run(file);
    await writers.expectAll(file);
    expect(await command('db', 'check', '--db', file)).toMatchObject({ exit: 0 });
  }),
);

it('eight processes that create on a file that a server owns find the server, and lose nothing', { timeout: limit(600_000) }, () =>
  inFolder(async (folder) => {
    const file = `${folder}/a.db`;
    const server = new Server(file);
    await server.ready();
    await writers.run(file);
    await writers.expectAll(file);
    const { pid } = JSON.parse(readFileSync(`${file}-owner`, 'utf8'));
    expect(pid).toBe(server.child.pid);
    expect(await server.stop()).toBe(0);
    await writers.expectAll(file);
  }),
);
