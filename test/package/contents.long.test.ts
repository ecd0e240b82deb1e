import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { npm } from '../../build/runtime.ts';
import { install, type Packed, pack, project } from '../support/packed.ts';
import { limit } from '../support/timeouts.ts';

const home = mkdtempSync(join(tmpdir(), 'calendar-packed-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
let packed: Packed;
let folder: string;
beforeAll(async () => {
  packed = await pack(home);
  folder = await install(packed.tarball, join(home, 'empty'));
}, limit(60_000));

const read = (file: string) => readFileSync(join(folder, file), 'utf8');

it('contains what users need, and no sources', () => {
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md', 'THIRD-PARTY-NOTICES', 'docs/getting-started.md', 'dist/calendar.js'])
    expect(packed.files).toContain(file);
  expect(packed.files.filter((file) => /^examples\/[^/]+\/package\.json$/.test(file)).length).toBeGreaterThan(1);
  expect(
    packed.files.filter((file) => /^(src|bin|test|bench|scripts|\.ci)\/|node_modules|\.db$|\.map$|commands\.md$|^build/.test(file)),
  ).toEqual([]);
  expect(packed.size).toBeLessThan(5_000_000);
});

it('brings no dependencies and runs nothing when it is installed', () => {
  const installed = JSON.parse(read('package.json'));
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundleDependencies', 'bundledDependencies'])
    expect(installed[kind]).toBeUndefined();
  expect(Object.keys(installed.scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([]);
  expect(readdirSync(join(home, 'empty', 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([project.name.split('/')[0]]);
  expect(readdirSync(join(home, 'empty')).sort()).toEqual(['node_modules', 'package.json']);
});

it('is installed on another machine from a project that contains the tarball, as the README says', { timeout: limit(60_000) }, async () => {
  const [project1, project2, cache] = ['project', 'elsewhere', 'no-cache'].map((name) => join(home, name)) as [string, string, string];
  mkdirSync(join(project1, 'vendor'), { recursive: true });
  copyFileSync(packed.tarball, join(project1, 'vendor', basename(packed.tarball)));
  writeFileSync(join(project1, 'package.json'), '{ "private": true }\n');
  await npm(project1, ['install', '--offline', '-D', `./vendor/${basename(packed.tarball)}`]);
  mkdirSync(join(project2, 'vendor'), { recursive: true });
  for (const file of ['package.json', 'package-lock.json', `vendor/${basename(packed.tarball)}`])
    copyFileSync(join(project1, file), join(project2, file));
  await npm(project2, ['ci', '--offline', '--cache', cache]);
  expect((await npm(project2, ['exec', '--offline', '--', project.name, '--version'])).trim()).toBe(project.version);
});

it('every file in package.json exists', () => {
  const named = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(named) : [];
  const { bin, exports = {}, types, main } = JSON.parse(read('package.json'));
  const files = named([bin, exports, types, main]);
  expect(files).toContain(project.bin.calendar);
  expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
});

it('is of one version, which the changelog dates', () => {
  const locked = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const [, newest, date] = /^## (\S+) - (\d{4}-\d\d-\d\d)$/m.exec(read('CHANGELOG.md'))!;
  expect([locked.version, locked.packages[''].version, newest]).toEqual([project.version, project.version, project.version]);
  expect(Date.parse(date!)).not.toBeNaN();
});

it('names the owners of code in it, with their licenses', () => {
  expect(read('THIRD-PARTY-NOTICES')).toContain('undici');
});

it('has a README whose links and pictures work inside the package', () => {
  const text = read('README.md');
  const targets = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)|\bsrc(?:set)?="([^":]+)"/g)].map(
    ([, link, picture]) => (link ?? picture)!,
  );
  expect(targets.length).toBeGreaterThan(5);
  expect(targets.filter((target) => !existsSync(join(folder, target)))).toEqual([]);
});

it('has pages whose links lead to the package or to the sources', () => {
  const texts = packed.files.filter((file) => /\.md$/.test(file)).map((file) => [file, read(file)] as const);
  const broken = texts.flatMap(([file, text]) =>
    [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map(([, target]) => join(file, '..', target!))
      .filter((target) => !existsSync(join(folder, target)) && !existsSync(target))
      .map((target) => `${file}: ${target}`),
  );
  expect(broken).toEqual([]);
});

it('runs with npx under the name of the package', { timeout: limit(60_000) }, () => {
  const cwd = join(home, 'empty');
  const version = execFileSync('npx', ['--offline', project.name, '--version'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(version).toBe(`${project.version}\n`);
});

it('has types that need no others, with the default library of the compiler', { timeout: limit(60_000) }, () => {
  const source = join(home, 'empty', 'typed.mts');
  writeFileSync(
    source,
    `import { createCalendar } from '${project.name}';\nconst calendar = await createCalendar({ seed: 'demo' });\nawait calendar.fetch('events');\n`,
  );
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--ignoreConfig'];
  const { stdout } = spawnSync(resolve('node_modules/.bin/tsc'), [...options, source], { cwd: join(home, 'empty'), encoding: 'utf8' });
  expect(stdout).toBe('');
});

it('has types for strict projects, also with exactOptionalPropertyTypes', { timeout: limit(60_000) }, () => {
  const source = join(home, 'empty', 'strict.mts');
  const program = `
import { type Calendar, connectCalendar, createCalendar, defineFixture, type EventRecord, Failure, type FaultInput, type Fixture } from '${project.name}';
import { useCalendar } from '${project.name}/jest';
const text: string | undefined = ['x'].pop();
const fixture = defineFixture({
  settings: { timezone: 'Europe/Paris' },
  users: { ada: { role: 'editor', password: 'x' } },
  venues: { 'town-hall': { venue: 'Town Hall', website: text } },
  events: { concert: { title: 'Concert', start_date: 'tomorrow 20:00', end_date: 'tomorrow 22:00', venue: '@town-hall', categories: ['@jazz'] } },
});
const calendar = await createCalendar({ seed: fixture, settings: { title: text }, timezone: text });
const remote = await connectCalendar(calendar.url, { user: undefined, controlToken: text });
const hall = await calendar.venues.get('town-hall', { password: text });
const event = await calendar.events.create({ title: 'X', start_date: 'today', end_date: 'today', venue: hall, post_parent: 'concert', website: text });
await remote.events.list({ venue: ['town-hall', hall, 5], search: text });
await calendar.events.update(event, event);
await calendar.requests.verify({ method: ['GET', 'POST'], path: text }, { atLeast: undefined });
const counts: number[] = [await calendar.requests.count(), await calendar.requests.count({ path: text }), await calendar.requests.clear()];
const [request] = await calendar.requests.waitFor({ path: '/events' }, { times: undefined, timeout: text });
const { hits } = await calendar.faults.add({ match: { path: '/events' }, then: { status: 503 }, times: 1 });
for (const { id } of await calendar.faults.list()) await calendar.faults.remove(id);
const { bytes } = await calendar.snapshots.save('before', { replace: undefined });
const nothing: void = await calendar.users.remove('ada');
await calendar.data.shift('P7D', { generated: undefined });
for await (const { title } of calendar.events.listAll({ search: text })) console.log(title);
await calendar.events.restore(event, 'draft');
await calendar.data.seed(fixture, { replace: true, name: text });
const code: Failure['code'] = 'not-found';
// @ts-expect-error a method is one of a list
await calendar.requests.verify({ method: 'PSOT' });
// @ts-expect-error an ID is a number
await calendar.faults.get({ id: 1 });
// @ts-expect-error the name is an argument
await calendar.snapshots.save('before', { name: 'before' });
// @ts-expect-error there is no such setting
await calendar.settings.change({ timezon: 'UTC' });
// @ts-expect-error there is no such field
const wrong: Fixture = { events: { a: { titel: 'x' } } };
// @ts-expect-error there is no such code
const unknown: Failure['code'] = 'no-such-code';
console.log(code, wrong, unknown, counts, request?.status, hits, bytes, nothing);
const record: Record<string, unknown> = event;
const { image, series, is_virtual, organizer }: EventRecord = event;
const bytesOfImage: (number | undefined)[] = image ? [image.sizes?.thumbnail?.width, image.sizes?.thumbnail?.filesize] : [];
await calendar.events.list({ start_date: new Date(), ends_before: new Date() });
await calendar.events.create({ title: 'X', start_date: new Date(), end_date: new Date() });
await calendar.events.update(event, { ...event, title: 'Y' });
await calendar.events.update(event, { venue: event.venue, start_date: new Date() });
const world = await calendar.worlds.create({ name: 'agenda' });
const names: (string | null)[] = [world.id, world.name];
await calendar.faults.add({ delay: 200 });
const fault: FaultInput = { match: { method: 'POST' }, then: 'reset' };
await calendar.faults.add(fault);
// @ts-expect-error a record has no such member
console.log(event.titel);
// @ts-expect-error an organizer has no such member
console.log(organizer[0]?.emial);
// @ts-expect-error an event has no such field
await calendar.events.update('concert', { titel: 'x' });
// @ts-expect-error a fault has to do something
await calendar.faults.add({});
// @ts-expect-error so has one of options
await createCalendar({ faults: [{ times: 1 }] });
// @ts-expect-error a date is a text or a Date
await calendar.events.list({ start_date: 20270301 });
console.log(record, series, is_virtual, bytesOfImage, names);
await calendar.faults.add({ then: { patch: (response) => ({ ...response, status: 206 }) } });
await createCalendar({ faults: [{ then: { patch: (response, { path }) => ({ ...response, body: path }) } }] });
await remote.faults.add({ match: { path: '/events' }, then: { patch: { total: 0 } } });
await world.faults.add({ then: { patch: (response) => ({ ...response, status: 206 }) } });
const far: Calendar = await remote.worlds.create();
// @ts-expect-error a server is not sent a function
await remote.faults.add({ then: { patch: (response: { status: number }) => response } });
// @ts-expect-error nor is that of its worlds
await (await remote.worlds.create()).faults.add({ then: { patch: (response: { status: number }) => response } });
// @ts-expect-error nor is that of a new world
await calendar.worlds.create({ faults: [{ then: { patch: (response: { status: number }) => response } }] });
const shared = useCalendar({ seed: 'demo' });
await shared.faults.add({ then: { patch: (response) => ({ ...response, status: 206 }) } });
const onServer = useCalendar({ server: 'http://127.0.0.1:8787' });
// @ts-expect-error it is on a server
await onServer.faults.add({ then: { patch: (response: { status: number }) => response } });
console.log(far);
`;
  writeFileSync(source, program);
  const modules = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom,esnext.disposable'];
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false', ...modules, '--ignoreConfig'];
  const { stdout } = spawnSync(resolve('node_modules/.bin/tsc'), [...options, source], { cwd: join(home, 'empty'), encoding: 'utf8' });
  expect(stdout).toBe('');
});

it.each([
  ["await calendar.events.update('x', { titel: 'y' });", "'titel' does not exist"],
  ["await calendar.events.update('x', { title: 5 });", "Type 'number' is not assignable to type 'string'"],
  ["await calendar.events.create({ title: 'x', start_date: 'today', end_date: 'today', feature: true });", "'feature' does not exist"],
  ['await calendar.faults.add({ then: { status: 503 }, time: 1 });', "'time' does not exist"],
])('has types whose errors name the member that is wrong: %s', (statement, error) => {
  const source = join(home, 'empty', 'wrong.mts');
  writeFileSync(source, `import { createCalendar } from '${project.name}';\nconst calendar = await createCalendar();\n${statement}\n`);
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--ignoreConfig'];
  const { stdout } = spawnSync(resolve('node_modules/.bin/tsc'), [...options, source], { cwd: join(home, 'empty'), encoding: 'utf8' });
  expect(stdout.match(/error TS/g)).toHaveLength(1);
  expect(stdout).toContain(error);
  expect(stdout).not.toContain('missing the following properties');
});

it('the types of the web entry have what works there, and nothing else', () => {
  const options = ['file', 'port', 'listen', 'pull', 'config', 'media', 'page', 'durability', 'compress'];
  const absent = [
    ...options.map((name) => `await createCalendar({ ${name}: undefined });`),
    ...['pull', 'push', 'conflicts', 'sites'].map((name) => `calendar.data.${name};`),
    'calendar.file;',
    '(await calendar.fork()).file;',
  ];
  const source = join(home, 'empty', 'page.mts');
  writeFileSync(
    source,
    `import { createCalendar } from '${project.name}/web';
    const calendar = await createCalendar({ seed: 'demo', basePath: '/wp-json', users: 'roles', wasm: new URL('https://a.example/b') });
    ${absent.map((statement) => `// @ts-expect-error\n${statement}`).join('\n')}\n`,
  );
  const words = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom,esnext.disposable'];
  const { stdout } = spawnSync(resolve('node_modules/.bin/tsc'), [...words, '--ignoreConfig', source], {
    cwd: join(home, 'empty'),
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
});

it('has types without internal names, and comments on what they export', () => {
  const types = read('dist/index.d.cts');
  expect(types).not.toMatch(/from 'zod'|import\('|\bz\.\w+<|@internal|\w\$\d|declare const (?!defineFixture)/);
  const api = types.slice(types.search(/interface Calendar\b/));
  const members = [...api.slice(0, api.indexOf('\n}')).matchAll(/(\*\/)?\n {4}(?:readonly )?(\[?[\w.]+\]?)[?(:]/g)];
  expect(members.length).toBeGreaterThan(10);
  expect(members.filter(([, comment]) => comment === undefined).map(([, , name]) => name)).toEqual([]);
});

it('runs when it is installed for everybody', async () => {
  const prefix = join(home, 'prefix');
  await npm(home, ['install', '--global', '--offline', '--prefix', prefix, packed.tarball]);
  expect(execFileSync(join(prefix, 'bin/calendar'), ['--version'], { encoding: 'utf8' })).toBe(`${project.version}\n`);
});
