/** Measures a reset after one write, in memory, and the next list compared to a usual one: npx tsx bench/reset.ts */
import { createControl } from '../src/data/operations/control.ts';
import { openWorld } from '../src/data/world/world.ts';
import { owner } from '../src/model/viewer.ts';
import { noBody } from '../src/server/http.ts';
import { createHandler } from '../src/server/router.ts';
import { serviceOf } from '../src/store/service.ts';
import { cachedHandle } from '../test/support/server.ts';

const rounds = 100;
const median = (values: number[]): string => values.sort((a, b) => a - b)[values.length >> 1]!.toFixed(2);

for (const events of [1000, 10_000]) {
  const options = { basePath: '', namespace: 'calendar/events/v1', headerPrefix: 'X-Calendar' };
  const now = Date.parse('2027-01-01T09:00:00Z');
  const world = await openWorld({ ...options, durability: 'full', timeout: 0, system: Date.now, now });
  const { store } = world;
  const control = createControl({ store, world, version: '' });
  await control.generate({ events });
  const handle = cachedHandle(createHandler(serviceOf(store), options), () => store.stateKey());
  world.begin(store.image());
  const list = async (page: number): Promise<number> => {
    const begun = performance.now();
    await handle({ method: 'GET', path: '/calendar/events/v1/events', query: `page=${page}`, headers: { host: 'x.test' }, body: noBody });
    return performance.now() - begun;
  };
  for (let page = 1; page <= 20; page += 1) await list(page);
  const [resets, usual, next]: [number[], number[], number[]] = [[], [], []];
  const site = { home: 'http://x.test', root: 'http://x.test' };
  for (let round = 0; round < rounds; round += 1) {
    usual.push(await list(1 + (round % 10)));
    await store.calendarFor(owner, site).events.create({ title: 'One more', start_date: '2027-02-01 10:00', end_date: '2027-02-01 11:00' });
    const begun = performance.now();
    await control.reset({});
    resets.push(performance.now() - begun);
    next.push(await list(1 + (round % 10)));
  }
  process.stdout.write(
    `${events} events: reset ${median(resets)} ms, a list ${median(usual)} ms, the list after a reset ${median(next)} ms (medians of ${rounds})\n`,
  );
  await store.close();
}
