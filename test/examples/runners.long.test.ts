import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chromiumPath, noBrowser } from '../support/browser.ts';
import { missing } from '../support/other-programs.ts';
import { pack } from '../support/packed.ts';
import { limit } from '../support/timeouts.ts';
import { createExamples } from './example.ts';

const examples = createExamples();
const mavenFiles = join(userInfo().homedir, '.m2/repository');
const junit = join(mavenFiles, 'org/apache/maven/surefire/surefire-junit-platform/3.2.5');
/** Matches colors of a terminal. */
const escapes = /\u001b\[[\d;]*m/g;
// Runs at the same time use different ports, below those that systems give out.
process.env.APP_PORT = String(10_000 + (process.pid % 10_000) * 2);

it.for([
  { name: 'node-test', needsBrowser: false, args: [], said: [/pass 12\n/, /fail 0\n/] },
  { name: 'msw', needsBrowser: false, args: [], said: [/pass 3\n/, /fail 0\n/] },
  { name: 'vitest', needsBrowser: false, args: [], said: [/Tests\s+6 passed/] },
  { name: 'jest', needsBrowser: false, args: [], said: [/Tests:\s+4 passed, 4 total/] },
  {
    name: 'playwright',
    needsBrowser: false,
    args: chromiumPath ? [] : ['--', '-g', 'asks over HTTP'],
    said: [chromiumPath ? /4 passed/ : /2 passed/],
  },
  { name: 'vite', needsBrowser: true, args: [], said: [/built in/, /1 passed/] },
  { name: 'deno', needsBrowser: false, args: [], said: [/1 passed/] },
  { name: 'web', needsBrowser: true, args: [], said: [/Tests\s+3 passed/, /Storybook build completed/, /3 passed/] },
  { name: 'next', needsBrowser: true, args: [], said: [/Compiled successfully/, /1 passed/] },
  { name: 'astro', needsBrowser: true, args: [], said: [/Server built/, /1 passed/] },
])(
  'the tests of examples/$name compile strictly and pass with the package as it is installed',
  { timeout: limit(180_000) },
  async (example, { skip }) => {
    skip(!examples.hasPackages(), 'needs a registry of packages');
    skip(example.needsBrowser && noBrowser !== undefined, noBrowser);
    const home = examples.copy(`examples/${example.name}`);
    const said = await examples.run(home, 'test', ...example.args);
    for (const each of example.said) expect(said).toMatch(each);
    expect(said).not.toMatch(/MaxListenersExceededWarning|vitest\/suite/);
  },
);

describe.each([
  ['test', ''],
  ['test', '--namespace brand/events/v1 --base-path /wp-json '],
  // Its fixture starts a server.
  ['test:alone', ''],
])('with npm run %s, exec %s', (script, options) => {
  it.for([
    { name: 'pytest', program: 'pytest', said: /6 passed/ },
    { name: 'phpunit', program: 'phpunit', said: /OK \(6 tests/ },
    { name: 'go', program: 'go', said: /(--- PASS[\s\S]*){8}ok/ },
    { name: 'java', program: 'mvn', said: /Tests run: 6, Failures: 0, Errors: 0, Skipped: 0/ },
  ])(
    'the tests of examples/$name pass, each with its own calendar',
    { timeout: limit(120_000) },
    async ({ name, program, said }, { skip }) => {
      skip(missing(program) !== undefined, missing(program));
      skip(name === 'java' && !existsSync(junit), `needs ${junit}: run mvn test in examples/java once`);
      const home = examples.copy(`examples/${name}`, options);
      // Maven would look for newer versions.
      if (name === 'java') mkdirSync(join(home, '.mvn'), { recursive: true });
      if (name === 'java') writeFileSync(join(home, '.mvn/maven.config'), `--offline\n--batch-mode\n-Dmaven.repo.local=${mavenFiles}`);
      expect((await examples.run(home, 'run', script)).replaceAll(escapes, '')).toMatch(said);
    },
  );
});

it('an example runs in place, and as a copy with the tarball', { timeout: limit(180_000) }, async ({ skip }) => {
  skip(!examples.hasPackages(), 'needs a registry of packages');
  const place = mkdtempSync(join(tmpdir(), 'calendar-in-place-'));
  try {
    const { tarball } = await pack(place);
    execFileSync('tar', ['-xzf', tarball, '-C', place]);
    const home = join(place, 'package/examples/node-test');
    cpSync('examples/node-test/.npmrc', join(home, '.npmrc'));
    for (const words of [['install', '--prefer-offline', '--no-audit'], ['test']]) await examples.run(home, ...words);
    const copy = join(place, 'copy');
    cpSync('examples/node-test', copy, { recursive: true, filter: (path) => !/node_modules|package-lock|[/\\]out|\.npmrc$/.test(path) });
    const file = join(copy, 'package.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('file:../..', `file:../${basename(tarball)}`));
    await examples.run(copy, 'install', '--prefer-offline', '--no-audit');
    expect(await examples.run(copy, 'test')).toMatch(/pass 12\n/);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});

it('examples/cypress compiles; the browser of Cypress is not an npm package', { timeout: limit(120_000) }, async ({ skip }) => {
  skip(!examples.hasPackages(), 'needs a registry of packages');
  await examples.run(examples.copy('examples/cypress'), 'run', 'types');
});
