import { connectTo } from '../../src/client/remote.ts';
import { pull } from '../../src/data/remote/pull.ts';
import { owner } from '../../src/model/viewer.ts';
import type { Store } from '../../src/store/calendar.ts';
import { type ServedWhole, servedWhole } from './served.ts';

const dates = (day: string) => ({ start_date: `${day} 10:00:00`, end_date: `${day} 12:00:00` });

/** Makes a calendar the copy of a small site: its event has conflicts of title, dates and cost, and its tag one as a whole. */
export async function withConflicts({ store, control }: Pick<ServedWhole, 'store' | 'control'>): Promise<void> {
  const site = await servedWhole();
  const { signal } = new AbortController();
  const remote = connectTo(site.root, undefined, {
    ...{ timeout: 5000, userAgent: 'test', env: {}, signal, now: Date.now, random: () => 0 },
  });
  const calendarOf = (of: Store) => of.calendarFor(owner, { home: site.url, root: site.root });
  const [here, there] = [calendarOf(store), calendarOf(site.store)];
  await control.reset({ to: 'empty' });
  const event = await there.events.create({ title: 'Base', cost: '$5', ...dates('2027-03-10') });
  const tag = await there.tags.create({ name: 'Base' });
  await pull(store, remote);
  await here.events.update({ id: Number(event.id) }, { title: 'Ours', cost: '$10', ...dates('2027-03-11') });
  await there.events.update({ id: Number(event.id) }, { title: 'Theirs', cost: '$20', ...dates('2027-03-12') });
  await here.tags.update({ id: Number(tag.id) }, { name: 'Changed here' });
  await there.tags.delete({ id: Number(tag.id) });
  await pull(store, remote, { delete: true });
  await remote.close();
  await site.close();
}
