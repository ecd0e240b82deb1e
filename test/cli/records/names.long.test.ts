import { afterAll, expect, it } from 'vitest';
import { served } from '../../support/served.ts';
import { folder, run, words } from '../../support/transcript.ts';

const place = folder();
const server = await served();
const at = (line: string) => run([...words(line), '--url', server.url], { cwd: place.path });
afterAll(async () => {
  await server.close();
  place.remove();
});

it('a record among more than 1,000 is found by its ID, and a name says why it is not looked up', async () => {
  const ids = await server.store.change((local) =>
    Array.from({ length: 1002 }, () => {
      const { id } = local.events.add({ title: 'Rehearsal', start_date: '2027-05-01', end_date: '2027-05-01' });
      local.events.delete({ id });
      return id;
    }),
  );
  const first = Math.min(...ids);
  expect(await at(`events restore ${first}`)).toMatchObject({ exit: 0 });
  expect(await at(`events restore ${first}`)).toMatchObject({ exit: 6, stderr: expect.stringContaining('is not in the trash') });
  expect(await at('events restore missing')).toEqual({
    exit: 2,
    stdout: '',
    stderr: 'calendar: Too many events to look up a name: more than 1000\n  Use an ID instead.\n',
  });
});
