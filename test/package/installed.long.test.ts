import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { install, pack, project } from '../support/packed.ts';
import { runMark } from '../support/run-mark.ts';
import { programOf, runtimes } from '../support/runtimes.ts';
import { limit } from '../support/timeouts.ts';

const home = mkdtempSync(join(tmpdir(), 'calendar-installed-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
let tarball: string;
beforeAll(async () => {
  ({ tarball } = await pack(home));
});

/** The files that test runners import, all of which must exist. */
const runners = ['./jest', './node-test', './playwright', './vitest'];
/** Mounts a calendar in the server of the runtime, or calls its handler where there is no such server. Prints what was created, and where. */
const mounting = (entry: string, options: string) => `
  import { readFileSync } from 'node:fs';
  import { createCalendar } from '${entry}';
  const calendar = await createCalendar({ seed: 'minimal', ${options} });
  const { Bun, Deno } = globalThis;
  const bun = Bun?.serve({ port: 0, fetch: calendar.handler });
  const deno = Deno?.serve({ port: 0, onListen() {} }, calendar.handler);
  const tags = new URL('/calendar/events/v1/tags', bun?.url ?? \`http://localhost:\${deno?.addr.port ?? 8787}\`).href;
  const init = { method: 'POST', body: new URLSearchParams({ name: 'outdoors' }) };
  const response = await (bun || deno ? fetch(tags, init) : calendar.handler(new Request(tags, init)));
  console.log(response.status, (await response.json()).urls.collection === tags, (await calendar.tags.get('outdoors')).name);
  await bun?.stop(true);
  await deno?.shutdown();
  await calendar.close();
`;
/** Tests that would fail if they shared a calendar. */
const tests = `
  import assert from 'node:assert/strict';
  import test from 'node:test';
  import { calendarFor } from 'local-calendar/node-test';
  for (const name of ['first', 'second'])
    test(name, async (t) => {
      const calendar = await calendarFor(t, { seed: 'minimal' });
      await calendar.tags.create({ name: 'left behind' });
      assert.equal((await calendar.tags.list({ search: 'left', hide_empty: false })).total, 1);
    });
`;
/** The modules that `import` resolves in the package. */
const specifiers = Object.keys(project.exports ?? {})
  .filter((path) => !/\.(json|wasm)$/.test(path) && !runners.includes(path))
  .map((path) => path.replace(/^\./, project.name));

describe.each(runtimes)('the package under $name', { timeout: limit(60_000) }, (runtime) => {
  const folder = join(home, runtime.name);
  let program = '';
  let missing: string | undefined;
  let script = '';
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const found = await programOf(runtime.name);
    if ('missing' in found) {
      missing = found.missing;
      return;
    }
    program = found.program;
    script = join(await install(tarball, folder), project.bin.calendar!);
    mkdirSync(join(folder, 'empty'));
    env = { ...runMark, HOME: folder, PATH: [dirname(program), process.env.PATH].join(delimiter), TZ: 'UTC', NO_COLOR: '1' };
  }, limit(120_000));

  /** The command and its arguments that run the installed command line. */
  const called = (...args: string[]): [string, string[]] => [program, [...runtime.before, script, ...args]];
  const run = async (...args: string[]) => {
    const [file, words] = called(...args);
    return (await promisify(execFile)(file, words, { cwd: join(folder, 'empty'), env })).stdout;
  };

  it('prints its version and help', async ({ skip }) => {
    skip(missing !== undefined, missing);
    expect(await run('--version')).toBe(`${project.version}\n`);
    expect(await run('--help')).toContain('calendar events');
  });

  // The name starts node; flags of V8 are set where node runs.
  const ofNode = runtime.kind === 'node' ? it : () => {};
  ofNode('is called by its name', async ({ skip }) => {
    skip(missing !== undefined, missing);
    const command = join(folder, 'node_modules', '.bin', 'calendar');
    expect(execFileSync(command, ['--version'], { encoding: 'utf8', env })).toBe(`${project.version}\n`);
    // The web build is beside the file that the name leads to.
    execFileSync(command, ['build', 'by-name', '--seed', 'minimal'], { cwd: join(folder, 'empty'), env });
    expect(readdirSync(join(folder, 'empty', 'by-name'))).toContain('calendar-worker.js');
  });

  it('writes a static site with its web build', async ({ skip }) => {
    skip(missing !== undefined, missing);
    const site = join(folder, 'empty', 'site');
    expect(await run('build', 'site', '--seed', 'minimal')).toBe(`${site}\n`);
    const files = readdirSync(join(site, 'calendar-files'));
    const copied = files.find((name) => /^calendar-\w+\.js$/.test(name))!;
    const single = join(folder, 'node_modules', 'local-calendar', 'dist', 'web', 'single.mjs');
    expect(readFileSync(join(site, 'calendar-files', copied)).equals(readFileSync(single))).toBe(true);
  });

  it('keeps Database file of the calendar (default calendar.db), and moves it', async ({ skip }) => {
    skip(missing !== undefined, missing);
    const event = ['--title', 'Concert', '--start-date', '2027-06-01 20:00', '--end-date', '2027-06-01 23:00', '--venue', ''];
    const id = (await run('events', 'create', '--db', 'first.db', ...event, '--quiet')).trim();
    expect(await run('events', 'list', '--db', 'first.db', '--template', '{{id}} {{title}}\n')).toBe(`${id} Concert\n`);
    await run('export', '--db', 'first.db', '--format', 'ics', '-o', 'first.ics');
    await run('import', 'first.ics', '--db', 'second.db');
    expect(await run('events', 'list', '--db', 'second.db', '--format', 'csv', '--fields', 'title,start_date')).toBe(
      'title,start_date\r\nConcert,2027-06-01 20:00:00\r\n',
    );
    expect(await run('db', 'check', '--db', 'second.db')).toContain('no damage found');
  });

  it('serves, sends requests, and ends at a signal', async ({ skip }) => {
    skip(missing !== undefined, missing);
    const [file, words] = called('serve', '--memory', '--seed', 'demo', '--port', '0', '--json', '--quiet');
    const server = spawn(file, words, { cwd: join(folder, 'empty'), env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(server, 'exit');
    try {
      const died = ended.then(([code]) => {
        throw new Error(`the server ended with ${code}`);
      });
      const [line] = (await Promise.race([once(createInterface(server.stdout), 'line'), died])) as [string];
      const { url } = JSON.parse(line);
      const created = await fetch(`${url}/tags`, { method: 'POST', body: new URLSearchParams({ name: 'outdoors' }) });
      expect(created.status).toBe(201);
      expect((await fetch(new URL('/', url), { headers: { accept: 'text/html' } })).status).toBe(200);
      expect(await run('tags', 'list', '--url', url, '--no-hide-empty', '--all', '--template', '{{name}}\n')).toContain('outdoors\n');
    } finally {
      server.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
  });

  it('runs a command with a separate server', async ({ skip }) => {
    skip(missing !== undefined, missing);
    writeFileSync(
      join(folder, 'empty', 'asks.mjs'),
      "const answer = await fetch(process.env.CALENDAR_URL + '/events');\nconsole.log(answer.status, (await answer.json()).total);\n",
    );
    expect(await run('exec', '--seed', 'minimal', '--', program, ...runtime.before, 'asks.mjs')).toContain('200 1');
  });

  it.for<[string, string]>([
    ['local-calendar', 'listen: false'],
    // Node fetches no files.
    ['local-calendar/web', runtime.kind === 'node' ? "wasm: readFileSync('node_modules/local-calendar/dist/web/sqlite.wasm')" : ''],
    ['local-calendar/web/single', runtime.kind === 'node' ? "wasm: readFileSync('node_modules/local-calendar/dist/web/sqlite.wasm')" : ''],
  ])('mounts a calendar of %s in a server', async ([entry, options], { skip }) => {
    skip(missing !== undefined, missing);
    writeFileSync(join(folder, 'mounts.mjs'), mounting(entry, options));
    const { stdout } = await promisify(execFile)(program, [...runtime.before, 'mounts.mjs'], { cwd: folder, env });
    expect(stdout).toBe('201 true outdoors\n');
  });

  it('gives each test its own calendar', async ({ skip }) => {
    skip(missing !== undefined, missing);
    writeFileSync(join(folder, 'runs.test.mjs'), tests);
    const { stdout, stderr } = await promisify(execFile)(program, [...runtime.test, './runs.test.mjs'], { cwd: folder, env });
    expect(stdout + stderr).toMatch(/(pass 2|2 pass|2 passed)\b/);
  });

  it(`imports ${specifiers.join(', ')}`, async ({ skip }) => {
    skip(missing !== undefined, missing);
    const asking = join(folder, 'imports.mjs');
    const imports = `for (const each of ${JSON.stringify(specifiers)}) console.log(each, Object.keys(await import(each)).length > 0);\n`;
    writeFileSync(asking, imports);
    const { stdout } = await promisify(execFile)(program, [...runtime.before, asking], { cwd: folder, env });
    expect(stdout.trim().split('\n')).toEqual(specifiers.map((each) => `${each} true`));
  });

  ofNode('knows each V8 flag that is set', ({ skip }) => {
    skip(missing !== undefined, missing);
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
    const texts = files.map((file) => readFileSync(join('src', file), 'utf8'));
    const calls = texts.flatMap((text) => [...text.matchAll(/setFlagsFromString\(/g)]);
    const flags = texts.flatMap((text) => [...text.matchAll(/setFlagsFromString\(['`](--[\w-]+)/g)].map(([, flag]) => flag!));
    const known = execFileSync(program, ['--v8-options'], { encoding: 'utf8', env });
    expect(flags).toHaveLength(calls.length);
    expect(flags.filter((flag) => !known.includes(`  ${flag.replace(/^--no-/, '--')} `))).toEqual([]);
  });
});
