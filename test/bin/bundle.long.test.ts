import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { type SeedName, seedNames } from '../../src/model/operations/formats.ts';
import { emptyCalendar } from '../../src/store/empty-calendar.ts';
import { createCalendar } from '../../src/testing/create.ts';

const bundle = resolve('dist/calendar.js');
const folder = mkdtempSync(join(tmpdir(), 'calendar-bundle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const version = (file: string) => execFileSync(process.execPath, [file, '--version'], { cwd: folder, encoding: 'utf8' });

it.each(['', '{ "type": "commonjs" }', '{ "type": "module" }'])('runs alone beside the package.json %s', (content) => {
  copyFileSync(bundle, join(folder, 'calendar.js'));
  rmSync(join(folder, 'package.json'), { force: true });
  if (content) writeFileSync(join(folder, 'package.json'), content);
  expect(version('calendar.js')).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(version('./calendar')).toBe(version('calendar.js'));
});

it('runs through a link', () => {
  symlinkSync(bundle, join(folder, 'linked'));
  expect(version(join(folder, 'linked'))).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it.skipIf(process.platform === 'win32')('says it when the folder that it is run in is gone', () => {
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"';
  const run = (...args: string[]) => spawnSync('sh', ['-c', script, process.execPath, bundle, ...args], { cwd: folder, encoding: 'utf8' });
  expect(run('events', 'list')).toMatchObject({
    status: 3,
    stdout: '',
    stderr: 'calendar: cannot find the folder that this is run in: no such file or folder\n',
  });
  expect(run('--version').status).toBe(0);
});

it.each(['cjs', 'esm'] as const)('fails with what to do when a bundler has copied the library into a module, %s', async (format) => {
  const outfile = join(mkdtempSync(join(folder, 'copy-')), format === 'cjs' ? 'bundled.cjs' : 'bundled.mjs');
  await build({ entryPoints: [resolve('dist/index.cjs')], bundle: true, platform: 'node', outfile, format });
  expect(spawnSync(process.execPath, [outfile], { encoding: 'utf8' }).stderr).toMatch(/Error: local-calendar .*serverExternalPackages/);
});

it('keeps a byte order mark at the start of a text', () => {
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [bundle, ...args, '--db', 'mark.db'], { cwd: folder, encoding: 'utf8' });
  const title = '\ufeffA text of more than sixteen bytes';
  run('events', 'create', '--title', title, '--start-date', 'tomorrow', '--duration', '1h', '--quiet');
  expect(run('events', 'list', '--json=title')).toBe(`${JSON.stringify([{ title }], null, 2)}\n`);
});

it('reads characters outside ASCII like the sources', () => {
  const run = (line: string, input?: string) =>
    execFileSync(process.execPath, [bundle, ...line.split(' '), '--db', 'characters.db'], {
      cwd: folder,
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  const table = ['titre,début,fin,cost', '＝SUM(1),07/06/2027 à 19h30,07/06/2027 à 21h,"1’234.50"', 'B,13/06/2027,13/06/2027,"12,–"'];
  run('import - --format csv', `${table.join('\n')}\n`);
  expect(run('events list --all --format csv --fields title,start_date,cost').split('\r\n')).toEqual([
    'title,start_date,cost',
    "'＝SUM(1),2027-06-07 19:30:00,$1234.50",
    'B,2027-06-13 00:00:00,$12',
    '',
  ]);
});

it('holds the empty calendar that the sources make', async () => {
  const { createCalendar } = createRequire(import.meta.url)(resolve('dist/index.cjs')) as typeof import('../../bin/library.ts');
  const calendar = await createCalendar();
  try {
    await calendar.snapshots.save('new');
    expect(Buffer.from(await calendar.snapshots.file('new')).equals(await emptyCalendar())).toBe(true);
  } finally {
    await calendar.close();
  }
});

it.each(Object.keys(seedNames) as SeedName[])('holds the records of the seed %s that the sources create', async (seed) => {
  const bundled = createRequire(import.meta.url)(resolve('dist/index.cjs')) as typeof import('../../bin/library.ts');
  const [theirs, ours] = await Promise.all(
    [bundled.createCalendar, createCalendar].map(async (create) => {
      await using calendar = await create({ seed, now: '2027-03-01T09:00Z', timezone: 'Asia/Tokyo', listen: false });
      return (await calendar.data.export()).replace(/"uid": *"[^"]*"/g, '');
    }),
  );
  expect(theirs).toBe(ours);
});

it('connects, creates a world and lists without SQLite, schemas and the HTTP of node', async () => {
  const { createCalendar } = createRequire(import.meta.url)(resolve('dist/index.cjs')) as typeof import('../../bin/library.ts');
  const server = await createCalendar({ seed: 'demo' });
  try {
    const program = `const original = Function, code = [], before = new Set(process.moduleLoadList);
      globalThis.Function = function (...values) { code.push(values.at(-1)); return new original(...values); };
      const { connectCalendar } = require(${JSON.stringify(resolve('dist/index.cjs'))});
      (async () => {
        const world = await (await connectCalendar('${server.url}')).worlds.create();
        const { total } = await world.events.list();
        const modules = process.moduleLoadList.filter((name) => !before.has(name));
        process.stdout.write(JSON.stringify({ total, code, modules }), () => process.exit());
      })();`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { maxBuffer: 1 << 25 });
    const { total, code, modules } = JSON.parse(stdout) as { total: number; code: string[]; modules: string[] };
    expect(total).toBeGreaterThan(30);
    expect(code.join('\n')).toContain('X-Calendar-World');
    expect(code.filter((part) => /sqlite3_|ZodError/.test(part))).toEqual([]);
    expect(modules.filter((name) => / (http2?|tls|worker_threads)$/.test(name))).toEqual([]);
  } finally {
    await server.close();
  }
});

it('opens a calendar for the tests of a file, and resets and closes it, without schemas and fixtures', async () => {
  const program = `const original = Function, code = [], hooks = {};
    globalThis.Function = function (...values) { code.push(values.at(-1)); return new original(...values); };
    const { internal } = require(${JSON.stringify(resolve('dist/index.cjs'))});
    const names = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'];
    const calendar = internal.calendarBetween(Object.fromEntries(names.map((name) => [name, (work) => { hooks[name] = work; }])), { seed: 'demo' });
    (async () => {
      await hooks.beforeAll();
      for (let test = 0; test < 2; test++) {
        await hooks.beforeEach();
        await fetch(calendar.url + '/events');
        await hooks.afterEach();
      }
      await hooks.afterAll();
      process.stdout.write(JSON.stringify(code), () => process.exit());
    })();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { maxBuffer: 1 << 25 });
  const code = JSON.parse(stdout) as string[];
  expect(code.join('\n')).toContain('demo.image');
  expect(code.filter((part) => /ZodError|an earlier record has the same UID/.test(part))).toEqual([]);
});

it('sends requests through a proxy', async () => {
  const requests: string[] = [];
  const proxy = createServer(({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    response.setHeader('content-type', 'application/json').end('{"tags":[],"total":0,"total_pages":0}');
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const env = { ...process.env, HOME: folder, HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as net.AddressInfo).port}` };
  await promisify(execFile)(process.execPath, [bundle, 'tags', 'list', '--url', 'http://calendar.example'], { cwd: folder, env });
  proxy.close();
  expect(requests).toEqual([expect.stringMatching(/^GET http:\/\/calendar\.example\/calendar\/events\/v1\/tags/)]);
});

describe('the stack of a failure', () => {
  /** The output of `-v` for a defect of the program, here a clock that fails. */
  function stackOf(file: string): string {
    const broken = join(folder, 'broken.cjs');
    writeFileSync(broken, "Date.now = () => { throw new TypeError('no clock'); };");
    const db = join(folder, `${basename(file)}.db`);
    execFileSync(process.execPath, [bundle, 'tags', 'create', '--db', db, '--name', 'outdoors', '--quiet']);
    const args = ['--require', broken, file, '-v', 'events', 'list', '--db', db];
    const { stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(status).toBe(1);
    return stderr;
  }

  it('names files and lines of the sources', () => {
    const stack = stackOf(bundle);
    const places = [...stack.matchAll(/^ {4}at (src\/[\w/.-]+\.tsx?):\d+:\d+$/gm)].map(([, file]) => file!);
    expect(stack).toContain('TypeError: no clock\n    at Date.now (');
    expect(places).not.toEqual([]);
    expect(places.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('names parts of the bundle where the file of source maps is missing', () => {
    copyFileSync(bundle, join(folder, 'alone.js'));
    expect(stackOf(join(folder, 'alone.js'))).toMatch(
      /TypeError: no clock\n {4}at Date\.now .*\n(?: {4}at .*\.\/[\w-]+\.js:\d+:\d+\)?\n)+/,
    );
  });
});

describe('serve', () => {
  it('rejects a control request before its body, and reads no source map for aborted uploads', async () => {
    const hook = join(folder, 'map-reads.cjs');
    writeFileSync(
      hook,
      `const fs = require('node:fs'); const read = fs.readFileSync;
      fs.readFileSync = (path, ...rest) => { if (String(path).endsWith('.map')) console.error('MAP READ'); return read(path, ...rest); };`,
    );
    const args = ['--require', hook, bundle, 'serve', '--memory', '--port', '0', '--json', '--control-token', 'secret'];
    const server = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    server.stderr.on('data', (data) => {
      log += data;
    });
    try {
      const [line] = await once(server.stdout, 'data');
      const { port, url } = JSON.parse(String(line));
      const control = net.connect(port, '127.0.0.1');
      control.write('POST /_calendar/import HTTP/1.1\r\nHost: localhost\r\nContent-Length: 190000000\r\n\r\n');
      const [response] = await once(control, 'data');
      expect(String(response)).toMatch(/^HTTP\/1\.1 404 [\s\S]*connection: close/i);
      for (let upload = 0; upload < 20; upload += 1) {
        const socket = net.connect(port, '127.0.0.1');
        await once(socket, 'connect');
        socket.write(`POST /calendar/events/v1/tags HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{`);
        socket.resetAndDestroy();
      }
      expect((await fetch(`${url}/events`)).status).toBe(200);
    } finally {
      server.kill();
      await once(server, 'close');
    }
    expect(log).toContain('/events 200');
    expect(log).not.toContain('MAP READ');
  });
});

it('has the /openapi.json of the sources, whose examples and control API were made at build', async () => {
  await using calendar = await createCalendar();
  const documentAt = async (root: string) => (await fetch(`${root}/openapi.json`)).text();
  const script = 'fetch(process.env.CALENDAR_ROOT_URL + "/openapi.json").then((r) => r.text()).then((t) => process.stdout.write(t))';
  const built = execFileSync(process.execPath, [bundle, 'exec', '--', process.execPath, '-e', script], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 24,
  });
  const plain = (text: string) => JSON.parse(text.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://here.test'));
  expect(plain(built)).toEqual(plain(await documentAt(calendar.root)));
});
