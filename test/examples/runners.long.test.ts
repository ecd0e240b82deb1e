import { expect, it } from 'vitest';
import { chromiumPath, noBrowser } from '../support/browser.ts';
import { missing } from '../support/other-programs.ts';
import { limit } from '../support/timeouts.ts';
import { createExamples } from './example.ts';

const examples = createExamples();
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
  },
);

it.for([
  { name: 'pytest', said: /4 passed/ },
  { name: 'phpunit', said: /OK \(4 tests/ },
  { name: 'go', said: /(--- PASS[\s\S]*){5}ok/ },
])('the tests of examples/$name pass, each with its own calendar', { timeout: limit(60_000) }, async ({ name, said }, { skip }) => {
  skip(missing(name) !== undefined, missing(name));
  const home = examples.copy(`examples/${name}`);
  expect(await examples.run(home, 'test')).toMatch(said);
});

it('examples/cypress compiles; the browser of Cypress is not an npm package', { timeout: limit(120_000) }, async ({ skip }) => {
  skip(!examples.hasPackages(), 'needs a registry of packages');
  await examples.run(examples.copy('examples/cypress'), 'run', 'types');
});
