import { expect, it } from 'vitest';
import { limit } from '../support/timeouts.ts';
import { createExamples } from './example.ts';

const examples = createExamples();
/** The folder with the tests and their runners, installed once. */
let home: string | undefined;

it.for([
  { name: 'jest with jsdom', args: ['jest'], output: /Tests:\s+7 passed, 7 total/ },
  {
    name: 'jest with test.concurrent',
    args: ['concurrent'],
    output: /console\.warn\n\s+test\.concurrent starts before[\s\S]*Tests:\s+3 passed, 3 total/,
  },
  ...['ts-jest', '@swc/jest'].map((transform) => ({
    name: `jest with ${transform}`,
    args: ['transformed', '--', JSON.stringify({ '\\.ts$': transform })],
    output: /Tests:\s+3 passed, 3 total/,
  })),
  { name: 'jest with ES modules', args: ['modules'], output: /Tests:\s+1 passed, 1 total/ },
  { name: 'node:test with functions as options', args: ['node-test'], output: /pass 2\n/ },
  { name: 'vitest with jsdom', args: ['vitest', '--', '--environment', 'jsdom'], output: /Tests\s+7 passed/ },
  {
    name: 'vitest with jsdom in vmThreads',
    args: ['vitest', '--', '--environment', 'jsdom', '--pool', 'vmThreads'],
    output: /Tests\s+7 passed/,
  },
  ...['node', 'jsdom', 'happy-dom'].flatMap((environment) =>
    ['--pool=forks', '--pool=threads', '--pool=vmThreads', '--no-isolate'].map((pool) => ({
      name: `mistakes in ${environment}, ${pool}`,
      args: ['mistakes', '--', '--environment', environment, pool],
      output: /Tests\s+17 passed/,
    })),
  ),
  { name: 'vitest with happy-dom', args: ['vitest', '--', '--environment', 'happy-dom'], output: /Tests\s+7 passed/ },
  {
    name: 'vitest with happy-dom in vmThreads',
    args: ['vitest', '--', '--environment', 'happy-dom', '--pool', 'vmThreads'],
    output: /Tests\s+7 passed/,
  },
  ...[
    { runner: 'vitest', output: /Tests\s+13 passed/ },
    { runner: 'jest', output: /Tests:\s+13 passed, 13 total/ },
    { runner: 'node-test', output: /pass 13\n/ },
    { runner: 'playwright', output: /13 passed/ },
  ].map(({ runner, output }) => ({ name: `correct clients in ${runner}`, args: [`correct:${runner}`], output })),
  {
    name: 'watch mode of vitest and jest, which run tests again in the same process',
    args: ['watch'],
    output: new RegExp(['forks', 'threads', 'jest'].map((name) => `${name}: 2 runs, pass, 0 calendars and 0 worlds are open`).join('[^]*')),
  },
])('works and ends under $name', { timeout: limit(180_000) }, async ({ args, output }, { skip }) => {
  skip(!examples.hasPackages(), 'needs a registry of packages');
  home ??= examples.copy('test/examples/environments');
  const [script, ...rest] = args;
  expect(await examples.run(home, 'run', script!, ...rest)).toMatch(output);
});
