import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { Server } from '../crash/served.ts';
import { cases } from '../support/cases.ts';
import { command } from '../support/command.ts';
import { inFolder } from '../support/items.ts';
import { compiled } from '../support/program.ts';
import { limit } from '../support/timeouts.ts';

const eventProgram = compiled('support/event-process.ts');
/** Creates of each of the eight processes. */
const count = cases(4);

/** Eight processes run `calendar events create` on one file at once, each its share one after the other. */
async function together(file: string): Promise<void> {
  const start = performance.now();
  const processes = Array.from({ length: 8 }, (_, i) =>
    spawn(process.execPath, [eventProgram, file, `process ${i}`, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const said = (await Promise.all(processes.map((child) => text(child.stdout)))).map(
    (output) => JSON.parse(output) as { ids: number[]; refused: string[]; slowest: number },
  );
  expect(said.flatMap(({ refused }) => refused)).toEqual([]);
  expect(new Set(said.flatMap(({ ids }) => ids)).size).toBe(8 * count);
  const slowest = Math.max(...said.map(({ slowest }) => slowest));
  console.log(`${8 * count} creates in ${((performance.now() - start) / 1000).toFixed(1)} s, the slowest ${slowest.toFixed(0)} ms`);
}

const titles = Array.from({ length: 8 }, (_, i) => Array.from({ length: count }, (_, k) => `process ${i} ${k}`)).flat();

async function has(file: string): Promise<void> {
  const list = ['events', 'list', '--all', '--status', 'publish', '--start-date', '2000-01-01', '--fields', 'title', '--format', 'tsv'];
  const { stdout } = await command(...list, '--db', file);
  expect(stdout.trim().split('\n').slice(1).sort()).toEqual([...titles].sort());
}

it('eight processes that create on one file lose nothing', { timeout: limit(600_000) }, () =>
  inFolder(async (folder) => {
    const file = `${folder}/a.db`;
    await together(file);
    await has(file);
    expect(await command('db', 'check', '--db', file)).toMatchObject({ exit: 0 });
  }),
);

it('eight processes that create on a file that a server owns find the server, and lose nothing', { timeout: limit(600_000) }, () =>
  inFolder(async (folder) => {
    const file = `${folder}/a.db`;
    const server = new Server(file);
    await server.ready();
    await together(file);
    await has(file);
    const { pid } = JSON.parse(readFileSync(`${file}-owner`, 'utf8'));
    expect(pid).toBe(server.child.pid);
    expect(await server.stop()).toBe(0);
    await has(file);
  }),
);

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
