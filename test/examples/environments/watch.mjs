// Runs a file twice in watch mode, as after a change, and prints what is still open then.
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import library from 'local-calendar';
import { startVitest } from 'vitest/node';

const server = await library.createCalendar({ seed: 'minimal' });
process.env.SERVER = server.url;
process.env.ADDRESSES = 'addresses.txt';

async function report(name, states) {
  const addresses = readFileSync('addresses.txt', 'utf8').trim().split('\n');
  const reachable = await Promise.all(
    addresses.map((url) =>
      fetch(url).then(
        () => url,
        () => [],
      ),
    ),
  );
  const worlds = await server.worlds.list();
  console.log(`${name}: ${addresses.length} runs, ${states}, ${reachable.flat().length} calendars and ${worlds.length} worlds are open`);
}

for (const pool of ['forks', 'threads']) {
  writeFileSync('addresses.txt', '');
  const vitest = await startVitest('test', ['watched.test.mjs'], { watch: true, pool, isolate: false });
  await vitest.rerunFiles();
  const states = vitest.state.getFiles().map(({ result }) => result.state);
  await report(pool, states);
  await vitest.close();
}

writeFileSync('addresses.txt', '');
const jest = spawn(process.execPath, [
  createRequire(import.meta.url).resolve('jest/bin/jest'),
  '--watchAll',
  '--rootDir',
  '.',
  'watched.test.cjs',
]);
const states = [];
let output = '';
for await (const chunk of jest.stderr) {
  output += chunk;
  const ended = output.match(/^(PASS|FAIL) [\s\S]*?Ran all test suites/m);
  if (!ended) continue;
  output = '';
  states.push(ended[1].toLowerCase());
  if (states.length === 2) break;
  appendFileSync('watched.test.cjs', '// changed\n');
}
await report('jest', states[1]);
jest.kill();
await server.close();
