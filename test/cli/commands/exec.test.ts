import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder, run } from '../../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const exec = (...args: string[]) =>
  run(['exec', ...args], { cwd: place.path, env: { PATH: [process.env.PATH, place.path].join(delimiter) } });
const node = (script: string) => ['--', process.execPath, '-e', script];

beforeAll(() => writeFileSync(join(place.path, 'plain'), 'no program', { mode: 0o644 }));

describe('exec', () => {
  it.each<[string[], number]>([
    [node(''), 0],
    [node('process.exit(3)'), 3],
    [node('process.kill(process.pid, "SIGKILL")'), 137],
    [['--', 'no-such-command-here'], 127],
    [['--', 'no-such-folder/command'], 127],
    [['--', 'plain'], 127],
    [['--', ''], 127],
    [['--', place.path], 126],
    [['--', './plain'], 126],
    [['--', './plain/command'], 126],
    [node('process.kill(process.pid, "SIGTERM")'), 143],
  ])('ends as %j does', async (args, exit) => {
    const done = await exec(...args);
    expect([done.exit, done.stdout]).toEqual([exit, '']);
  });

  it.each<[string[], string]>([
    [[], '/calendar/events/v1'],
    [['--namespace', 'brand/events/v1', '--base-path', '/wp-json'], '/wp-json/brand/events/v1'],
  ])('serves in memory for as long as the command runs, and sets its addresses, with %j', async (served, path) => {
    const script = `fetch(process.env.CALENDAR_URL + '/events').then(async (answer) => {
      const { total } = await answer.json();
      const now = (await (await fetch(process.env.CALENDAR_CONTROL_URL + '/clock')).json()).now;
      require('node:fs').writeFileSync('said.json', JSON.stringify([total, now, process.env, process.argv.slice(1)]));
    })`;
    const more = ['--seed', 'minimal', '--now', '2026-11-20T09:00:00Z', '--env', 'ALL={url} {control} {root} {port}', ...served];
    expect(await exec(...more, ...node(script), 'a b', '--json')).toEqual({ stdout: '', stderr: '', exit: 0 });
    const [total, now, env, args] = JSON.parse(readFileSync(join(place.path, 'said.json'), 'utf8'));
    expect([total, now, args]).toEqual([1, '2026-11-20T09:00:00.000Z', ['a b', '--json']]);
    const { CALENDAR_URL: url, CALENDAR_CONTROL_URL: control, CALENDAR_ROOT_URL: root } = env;
    expect([url, control, env.ALL]).toEqual([root + path, `${root}/_calendar`, `${url} ${control} ${root} ${new URL(root).port}`]);
    await expect(fetch(url)).rejects.toThrow();
    expect(existsSync(join(place.path, 'calendar.db'))).toBe(false);
  });

  it('prints why requests were rejected if the command fails, and CALENDAR_ARTIFACTS keeps them', async () => {
    const script = `fetch(process.env.CALENDAR_URL + '/events?serach=x', { method: 'POST', body: new URLSearchParams({ name: 'x' }) }).then(() => { process.exitCode = 1; })`;
    const env = { CALENDAR_ARTIFACTS: 'artifacts' };
    const { stderr, exit } = await run(['exec', ...node(script)], { cwd: place.path, env });
    expect(exit).toBe(1);
    expect(stderr).toMatch(
      /^calendar: The command failed. The calendar at its end:\n {2}POST \S+\/events\?serach=x 400 rest_missing_callback_param: /,
    );
    const archive = JSON.parse(readFileSync(join(place.path, 'artifacts', 'calendar.har'), 'utf8'));
    expect(archive.log.entries.map(({ response }: { response: { status: number } }) => response.status)).toEqual([400]);
    expect((await run(['exec', ...node(`${script}.then(() => { process.exitCode = 0; })`)], { cwd: place.path })).stderr).toBe('');
  });

  it('prints why requests of worlds were rejected, also of those that are deleted, and keeps their requests', async () => {
    const script = `
      const post = async (url, body) => (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json();
      const worlds = process.env.CALENDAR_CONTROL_URL + '/worlds';
      (async () => {
        const [gone, reset, open, fine] = await Promise.all(['is gone', 'is reset', undefined, 'is fine'].map((name) => post(worlds, { name, hints: false })));
        for (const { url } of [gone, reset, open]) await post(url + '/venues', { city: 'Berlin' });
        await post(fine.url + '/venues', { venue: 'Hall' });
        await post(reset.control + '/reset', {});
        for (const { id } of [gone, fine]) await fetch(worlds + '/' + id, { method: 'DELETE' });
        process.exitCode = 9;
      })()`;
    const { stderr, exit } = await run(['exec', ...node(script)], { cwd: place.path, env: { CALENDAR_ARTIFACTS: 'of worlds' } });
    expect(exit).toBe(9);
    const text = stderr
      .replace(/: Missing [^\n]* in /g, ': … in ')
      .replace(/the world [\da-f]+/, 'the world ID')
      .replace(place.path, '');
    const rejected = '  POST /calendar/events/v1/venues 400 rest_missing_callback_param: … in';
    expect(text).toBe(`calendar: The command failed. The calendar at its end:
${rejected} "is gone"
${rejected} "is reset"
${rejected} the world ID
  requests: /of worlds/calendar.har, and those of 3 worlds with rejected requests or hints beside it
`);
    const files = readdirSync(join(place.path, 'of worlds'));
    expect(files.map((file) => file.replace(/-?[\da-f]{16}/, '')).sort()).toEqual(['.har', 'calendar.har', 'is-gone.har', 'is-reset.har']);
    const archive = JSON.parse(readFileSync(join(place.path, 'of worlds', files.find((file) => file.startsWith('is-gone'))!), 'utf8'));
    expect(archive.log.entries.map(({ response }: { response: { status: number } }) => response.status)).toEqual([400]);
  });

  it.each(['/dev/null/x', '/proc/x', 'plain', 'plain/x/y'])(
    'ends as its command does if the requests cannot be kept in %s, and says why',
    async (folder) => {
      const { stderr, exit } = await run(['exec', ...node('process.exit(9)')], { cwd: place.path, env: { CALENDAR_ARTIFACTS: folder } });
      expect([exit, stderr]).toEqual([
        9,
        expect.stringMatching(/^[^\n]*The calendar at its end:\n {2}requests are not kept: [^\n:]+(plain|x)(\/[^\n:]+)?: [^\n]+\n$/),
      ]);
    },
  );

  it('prints the mistakes of clients in all worlds, also if the command succeeds', async () => {
    const script = `
      const post = (url) => fetch(url + '/venues', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"venue":"Hall","namee":"x"}' });
      const control = process.env.CALENDAR_CONTROL_URL + '/worlds';
      (async () => {
        await post(process.env.CALENDAR_URL);
        const world = await (await fetch(control, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"adds a hall"}' })).json();
        await post(world.url);
        await post(world.url);
        await fetch(control + '/' + world.id, { method: 'DELETE' });
      })()`;
    const { stderr, exit } = await exec(...node(script));
    expect([exit, stderr.replace(/\/_worlds\/[\w-]+/, '')]).toEqual([
      0,
      `calendar: Requests that a site would handle differently:
  unknown-name: Ignored unknown field namee. (3 requests, first POST /calendar/events/v1/venues)
  no-credentials: A site answers 401 to this without credentials. Add users, or allow it with --anonymous (3 requests, first POST /calendar/events/v1/venues)
`,
    ]);
    expect((await exec('--strict', '--anonymous', ...node(script))).stderr).toBe('');
    expect((await exec('--no-hints', ...node(script))).stderr).toMatch(/^[^\n]*\n {2}unknown-name: [^\n]*\n$/);
  });

  it('says what the app met: one line in CI, all of it with --coverage, and fails with a threshold only', async () => {
    const script = `
      const read = async (path) => (await fetch(process.env.CALENDAR_URL + path)).text();
      (async () => { await read('/events?page=2'); await read('/event'); })()`;
    const line = /^calendar: The app met 1[0-9] of 23 variants of responses, with 1 of 25 operations/;
    const words = ['exec', '--seed', 'shapes', '--now', '2027-03-01T09:00Z'];
    const inCi = await run([...words, ...node(script)], { cwd: place.path, env: { CI: 'true', CALENDAR_ARTIFACTS: 'met' } });
    expect(inCi.stderr).toMatch(line);
    expect(inCi.stderr.split('\n').slice(1)).toEqual([`  coverage: ${join(place.path, 'met', 'coverage.json')}`, '']);
    expect(inCi.exit).toBe(0);
    const { met, total, variants } = JSON.parse(readFileSync(join(place.path, 'met', 'coverage.json'), 'utf8'));
    expect(variants.filter(({ requests }: { requests: number }) => requests > 0)).toHaveLength(met);
    for (const env of [{}, { CI: 'false' }, { CI: '' }] as Record<string, string>[])
      expect((await run([...words, ...node(script)], { cwd: place.path, env })).stderr).toBe('');
    const table = await exec(...words.slice(1), '--coverage', ...node(script));
    expect(table.stderr).toMatch(line);
    expect(table.stderr).toMatch(/\n {2}a second page {2,}1 request\n/);
    expect(table.stderr).toMatch(/\n {2}status 429 {2,}not met \(fault 429\)\n/);
    expect(table.stderr).toMatch(/\n {2}not called: create events, get events/);
    const percent = Math.floor((100 * met) / total);
    const reached = await exec(...words.slice(1), '--min-coverage', String(percent), ...node(script));
    expect([reached.exit, reached.stderr]).toEqual([0, table.stderr]);
    const missed = await exec(...words.slice(1), '--min-coverage', String(percent + 1), ...node(script));
    expect([missed.exit, missed.stderr]).toEqual([
      6,
      `${table.stderr}calendar: The app met ${percent} % of the variants, less than ${percent + 1} %\n`,
    ]);
    expect((await exec('--min-coverage', '100', ...node('process.exit(9)'))).exit).toBe(9);
    expect((await exec('--coverage', ...node(''))).stderr).toBe('');
    expect((await exec('--min-coverage', '101', ...node(''))).exit).toBe(2);
  });

  it.each<[Record<string, string>, string | undefined]>([
    [{}, undefined],
    [{ NO_PROXY: 'a.test' }, 'a.test'],
    [{ HTTP_PROXY: 'http://127.0.0.1:1' }, '127.0.0.1,localhost,::1'],
    [{ https_proxy: 'http://127.0.0.1:1', NO_PROXY: 'a.test', no_proxy: 'b.test, localhost' }, 'a.test,b.test,localhost,127.0.0.1,::1'],
    [{ ALL_PROXY: 'http://127.0.0.1:1', no_proxy: '*,a.test' }, '*'],
  ])('keeps requests to the server from a proxy, with %j', async (env, expected) => {
    const script = "require('node:fs').writeFileSync('proxy.json', JSON.stringify([process.env.NO_PROXY, process.env.no_proxy]))";
    await run(['exec', ...node(script)], { cwd: place.path, env });
    const [upper, lower] = JSON.parse(readFileSync(join(place.path, 'proxy.json'), 'utf8'));
    expect(upper ?? undefined).toBe(expected);
    if ('NO_PROXY' in env === false || expected?.includes(',')) expect(lower ?? undefined).toBe(expected);
  });

  it('rejects invalid options', async () => {
    expect((await exec()).exit).toBe(2);
    expect((await exec('--env', 'x', ...node(''))).exit).toBe(2);
    expect((await exec('--seed', 'dmo', ...node(''))).exit).toBe(3);
  });
});
