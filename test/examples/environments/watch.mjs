// Runs a file twice in watch mode, as after a change, and prints what is still open then.
import { readFileSync, writeFileSync } from 'node:fs';
import library from 'local-calendar';
import { startVitest } from 'vitest/node';

const server = await library.createCalendar({ seed: 'minimal' });
process.env.SERVER = server.url;
process.env.ADDRESSES = 'addresses.txt';
for (const pool of ['forks', 'threads']) {
  writeFileSync('addresses.txt', '');
  const vitest = await startVitest('test', ['watched.test.mjs'], { watch: true, pool, isolate: false });
  await vitest.rerunFiles();
  const states = vitest.state.getFiles().map(({ result }) => result.state);
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
  console.log(`${pool}: ${addresses.length} runs, ${states}, ${reachable.flat().length} calendars and ${worlds.length} worlds are open`);
  await vitest.close();
}
await server.close();
