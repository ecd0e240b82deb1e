import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../../bin/library.ts';
import { folder, run } from '../../support/transcript.ts';

const here = folder();
let server: Calendar;
beforeAll(async () => {
  server = await createCalendar({ seed: 'minimal', now: '2027-03-01T09:00Z' });
});
afterAll(async () => {
  await server.close();
  here.remove();
});

/** Runs a command on the server; `world` is given as a variable. */
const on = (args: string[], world?: string) =>
  run(args, { cwd: here.path, env: { CALENDAR_URL: server.url, ...(world === undefined ? {} : { CALENDAR_WORLD: world }) } });

it('creates, selects, lists and deletes worlds', async () => {
  const created = await on(['world', 'create', 'My test', '--from', 'empty', '--ttl', '10m', '--frozen-at', '2030-01-01T00:00Z']);
  expect(created).toMatchObject({ exit: 0, stderr: '' });
  const id = created.stdout.trim();
  expect(id).toMatch(/^my-test-[\da-f]{16}$/);
  expect((await on(['tags', 'create', '--name', 'Ours', '--quiet', '--world', id])).exit).toBe(0);
  expect((await on(['tags', 'list', '--no-hide-empty', '--fields', 'name', '--format', 'csv'], id)).stdout).toContain('Ours');
  expect((await on(['tags', 'list', '--no-hide-empty', '--fields', 'name', '--format', 'csv'])).stdout).not.toContain('Ours');
  expect((await on(['request', 'GET', '/_calendar/clock'], id)).stdout).toContain('2030-01-01');
  expect((await on(['request', 'GET', '/tags?hide_empty=false'], id)).stdout).toContain('"Ours"');
  expect((await on(['request', 'GET', '/_calendar/health'], id)).stdout).toContain(`/_worlds/${id}/`);
  expect((await on(['reset', '--yes'], id)).exit).toBe(0);
  expect((await on(['tags', 'list', '--no-hide-empty', '--fields', 'name', '--format', 'csv'], id)).stdout).not.toContain('Ours');
  expect((await on(['world', 'list'])).stdout).toMatch(
    new RegExp(`^${id}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC  \\d+ requests$`, 'm'),
  );
  expect(await on(['world', 'delete', id])).toMatchObject({ exit: 0, stdout: `Deleted ${id}\n` });
  expect(await on(['tags', 'list'], id)).toMatchObject({ exit: 3, stdout: '' });
});

it('creates a world from a file of the client, and from a snapshot of another world', async () => {
  writeFileSync(join(here.path, 'town.json'), '{"tags": {"ours": {"name": "Ours"}}}');
  const created = await on(['world', 'create', '--from', 'town.json']);
  const id = created.stdout.trim();
  const names = async (world: string) =>
    (await on(['tags', 'list', '--no-hide-empty', '--fields', 'name', '--format', 'csv'], world)).stdout;
  expect([created.exit, await names(id)]).toEqual([0, 'name\r\nOurs\r\n']);
  expect((await on(['snapshot', 'save', 'filled'], id)).exit).toBe(0);
  const other = await on(['world', 'create', '--from', `${id}/filled`]);
  expect([other.exit, await names(other.stdout.trim())]).toEqual([0, 'name\r\nOurs\r\n']);
  expect(await on(['world', 'create', '--from', './missing.json'])).toMatchObject({ exit: 3, stdout: '' });
});

it.each([
  [['world', 'list', '--url', ''], 2],
  [['world', 'delete', 'none'], 3],
  [['world', 'create', '--ttl', 'soon'], 2],
  [['world', 'create', '--from', 'nothing-like-it'], 3],
  [['tags', 'list', '--world', 'none'], 3],
])('%j exits with %i and prints nothing', async (args, exit) => {
  const { stdout, stderr, exit: code } = await on(args);
  expect([code, stdout]).toEqual([exit, '']);
  expect(stderr).toMatch(/^calendar: .+\n/);
});

it('undo names the world that was changed', async () => {
  const id = (await on(['world', 'create', 'u', '--from', 'empty'])).stdout.trim();
  const names = JSON.stringify([{ name: 'a' }, { name: 'b' }]);
  await on(['tags', 'create', '--data', names, '--quiet', '--world', id]);
  const { stderr } = await on(['tags', 'update', 'a', 'b', '--description', 'x', '--quiet', '--world', id]);
  expect(stderr).toMatch(new RegExp(`Undo with: calendar undo --world ${id}\\n$`));
});

it('rejects a world of a file, and two worlds', async () => {
  const file = await run(['tags', 'list', '--world', 'x', '--db', 'a.db'], { cwd: here.path });
  expect([file.exit, file.stderr]).toEqual([2, expect.stringContaining('A world is part of a server')]);
  const two = await run(['tags', 'list', '--world', 'x', '--url', `${server.root}/_worlds/y`], { cwd: here.path });
  expect([two.exit, two.stderr]).toEqual([2, expect.stringContaining('The address selects the world y')]);
});
