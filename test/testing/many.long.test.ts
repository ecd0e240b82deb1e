import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { limit } from '../support/timeouts.ts';

const run = promisify(execFile);
/** The variables of this test run do not apply to another. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|TEST$)/.test(name)));

interface Left {
  listeners: number;
  resources: number;
  heap: number;
  rss: number;
}

describe('of the bundle, in a separate process', () => {
  let said: {
    quiet: Pick<Left, 'listeners' | 'resources'>;
    imported: Pick<Left, 'listeners' | 'resources'> & { sameTrace: boolean };
    before: Left;
    after: Left;
  };
  let stderr: string;
  beforeAll(async () => {
    if (!existsSync('dist/index.cjs')) throw new Error('run npm run build first');
    const output = await run(process.execPath, ['--expose-gc', 'test/testing/churn.cjs', resolve('dist/index.cjs')], { env });
    said = JSON.parse(output.stdout);
    stderr = output.stderr;
  }, limit(120_000));

  it('importing opens nothing, listens to nothing, prints nothing', () => {
    expect(said.imported).toEqual({ ...said.quiet, sameTrace: true });
    expect(stderr).toBe('');
  });

  it('a hundred that are opened and closed leave no handle and no listener', () => {
    expect(said.before).toMatchObject(said.quiet);
    expect(said.after).toMatchObject(said.quiet);
  });

  it('a hundred that are opened and closed don’t leak memory', () => {
    expect(said.after.heap - said.before.heap).toBeLessThan(4 << 20);
    expect(said.after.rss - said.before.rss).toBeLessThan(40 << 20);
  });
});

it('three workers with ten writing tests each: none sees what another wrote', { timeout: limit(180_000) }, async () => {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const { stdout } = await run(process.execPath, [vitest, 'run', '--config', resolve('test/testing/workers/vitest.config.ts')], {
    env: { ...env, NO_COLOR: '1' },
    maxBuffer: 16 << 20,
  }).catch((error) => {
    throw new Error(error.stdout + error.stderr);
  });
  expect(stdout).toMatch(/Test Files\s+3 passed \(3\)/);
  expect(stdout).toMatch(/Tests\s+30 passed \(30\)/);
});

it('a connection leaves the fetch of the process as it is', async () => {
  const asking = `
    const { createCalendar, connectCalendar } = require(${JSON.stringify(resolve('dist/index.cjs'))});
    (async () => {
      const calendar = await createCalendar({ seed: 'minimal' });
      const connection = await connectCalendar(calendar.url);
      const { version } = await connection.health();
      await Promise.all([connection.close(), calendar.close()]);
      console.log(JSON.stringify({ version, symbols: Object.getOwnPropertySymbols(globalThis).map(String).filter((name) => /undici/i.test(name)) }));
    })();`;
  const { stdout } = await run(process.execPath, ['-e', asking], { env });
  expect(JSON.parse(stdout)).toEqual({ version: expect.any(String), symbols: [] });
});

describe('concurrent tests of one file fail, since they share a calendar', () => {
  const folder = resolve('test/testing/workers');
  /** The output of a runner whose tests partly fail. */
  const said = (...args: string[]): Promise<string> =>
    run(process.execPath, args, { env: { ...env, NO_COLOR: '1' } }).then(
      ({ stdout }) => stdout,
      (error) => error.stdout + error.stderr,
    );

  it('by vitest', { timeout: limit(60_000) }, async () => {
    const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
    const text = await said(vitest, 'run', '--config', join(folder, 'together.config.ts'));
    expect(text).toMatch(/Tests\s+2 failed \| 1 passed/);
    expect(text).toContain('Failure: This test runs concurrently with others');
  });

  it('by node:test, where tests inside of a test are none beside it', { timeout: limit(60_000) }, async () => {
    const text = await said('--test', join(folder, 'together.cjs'));
    expect(text).toMatch(/^# pass 2$/m);
    expect(text).toMatch(/^ {4}not ok \d - first$[\s\S]*This test runs concurrently with others/m);
    expect(text).toMatch(/^ {4}not ok \d - second$/m);
  });
});

it('the requests of a failed test of vitest are written to a file', { timeout: limit(60_000) }, async () => {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const home = mkdtempSync(join(tmpdir(), 'calendar-failing-'));
  const config = resolve('test/testing/workers/failing.config.ts');
  const args = [vitest, 'run', '--config', config];
  const { stdout, stderr } = await run(process.execPath, args, { cwd: home, env: { ...env, NO_COLOR: '1' } }).catch((error) => error);
  const [, file = ''] = /The requests to the calendar of "finds a tag" are in (\S+\.har)/.exec(stdout + stderr)!;
  const { log } = JSON.parse(readFileSync(join(home, file), 'utf8'));
  expect(log.entries).toMatchObject([{ request: { queryString: [{ name: 'search', value: 'none' }] }, response: { status: 200 } }]);
  rmSync(home, { recursive: true });
});
