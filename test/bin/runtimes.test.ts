import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { limit } from '../support/timeouts.ts';

const bundle = resolve('dist/calendar.js');
const home = mkdtempSync(join(tmpdir(), 'calendar-runtimes-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** What the bundle is run with: this node, and bun where it is on the path or BUN says where. */
const runtimes = [
  { name: 'node', program: process.execPath, there: true },
  { name: 'bun', program: process.env.BUN ?? 'bun', there: spawnSync(process.env.BUN ?? 'bun', ['--version']).status === 0 },
];

describe.each(runtimes)('the bundle under $name', { timeout: limit(60_000) }, ({ name, program, there }) => {
  const run = (...args: string[]) =>
    execFileSync(program, [bundle, ...args], { cwd: home, env: { ...process.env, HOME: home }, encoding: 'utf8' });

  it('says its version and its help', ({ skip }) => {
    skip(!there, `needs ${name} on the path, or BUN to say where it is`);
    expect(run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(run('--help')).toContain('calendar events');
  });

  it('keeps a calendar in a file', ({ skip }) => {
    skip(!there, `needs ${name} on the path, or BUN to say where it is`);
    const event = ['--title', 'Concert', '--start-date', '2027-06-01 20:00', '--end-date', '2027-06-01 23:00'];
    const id = run('events', 'create', '--db', `${name}.db`, ...event, '--quiet').trim();
    expect(run('events', 'list', '--db', `${name}.db`, '--template', '{{id}} {{title}}\n')).toBe(`${id} Concert\n`);
  });

  it('serves it, and asks a server', async ({ skip }) => {
    skip(!there, `needs ${name} on the path, or BUN to say where it is`);
    const server = spawn(program, [bundle, 'serve', '--memory', '--port', '0', '--json', '--quiet'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(server, 'exit');
    try {
      const { url: root } = JSON.parse(String((await once(server.stdout, 'data'))[0]));
      const created = await fetch(`${root}/tags`, { method: 'POST', body: new URLSearchParams({ name: 'outdoors' }) });
      expect(created.status).toBe(201);
      expect(run('tags', 'list', '--url', root, '--no-hide-empty', '--template', '{{name}}')).toContain('outdoors');
    } finally {
      server.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
  });
});

it('the node that runs knows each V8 flag that is set', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const texts = files.map((file) => readFileSync(join('src', file), 'utf8'));
  const calls = texts.flatMap((text) => [...text.matchAll(/setFlagsFromString\(/g)]);
  const flags = texts.flatMap((text) => [...text.matchAll(/setFlagsFromString\('(--[\w-]+)/g)].map(([, flag]) => flag!));
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(flags).toHaveLength(calls.length);
  expect(flags.filter((flag) => !known.includes(`  ${flag} `))).toEqual([]);
});
