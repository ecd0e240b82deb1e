import { importData } from '../../src/data/ingest/import.ts';
import { sourceOf } from '../../src/data/ingest/source.ts';
import { owner } from '../../src/model/viewer.ts';
import type { Store } from '../../src/store/calendar.ts';
import { clear } from '../../src/store/records/counts.ts';

export const site = { home: 'http://x.test', root: 'http://x.test/calendar' };
const ids = (store: Store, table: string) => store.db.all<{ id: number }>(`select id from ${table} order by id`).map(({ id }) => id);

/** A write of any kind, by chance; what is refused is one too. */
export async function write(store: Store, random: () => number): Promise<void> {
  const calendar = store.calendarFor(owner, site);
  const below = (most: number) => Math.floor(random() * most);
  const one = <T>(values: readonly T[]) => values[below(values.length)];
  const name = () => one(['Concert', 'Reading', 'Walk', 'Market', 'Talk'])!;
  const day = () => `2027-03-${String(1 + below(28)).padStart(2, '0')} 10:00:00`;
  const id = (table: string) => one(ids(store, table)) ?? 1;
  const eventInput = () => {
    const start_date = day();
    return {
      title: name(),
      start_date,
      end_date: start_date,
      ...(random() < 0.4 ? { venue: random() < 0.5 ? id('venues') : { venue: name() } } : {}),
      ...(random() < 0.4 ? { categories: [name()], tags: [name(), name()] } : {}),
      ...(random() < 0.3 ? { image: `https://x.test/${below(6)}.png` } : {}),
      ...(random() < 0.2 ? { post_parent: id('events') } : {}),
      ...(random() < 0.2 ? { date: '2027-03-02 10:00:00' } : {}),
    };
  };
  const writes: (() => unknown)[] = [
    () => calendar.events.create(eventInput()),
    () => calendar.events.update({ id: id('events') }, random() < 0.5 ? eventInput() : { slug: `slug-${below(9)}`, venue: [] }),
    () => calendar.events.delete({ id: id('events') }),
    () => calendar.venues.create({ venue: name() }),
    () => calendar.venues.update({ id: id('venues') }, { slug: `slug-${below(4)}`, city: name() }),
    () => calendar.venues.delete({ id: id('venues') }),
    () => calendar.organizers.create({ organizer: name() }),
    () => calendar.categories.create({ name: `${name()} ${below(3)}`, parent: id('categories') }),
    () => calendar.categories.update({ id: id('categories') }, { name: name() }),
    () => calendar.categories.delete({ id: id('categories') }),
    () => calendar.tags.delete({ id: id('tags') }),
    () => store.change((local) => local.settings.set(one(['title', 'home'])!, `http://${name()}.test`)),
    () => store.change((local) => local.users.add({ name: name(), role: 'editor', password: 'x' }, `scrypt:${below(100)}`)),
    () => store.change((local) => local.users.remove(name())),
    // Two that exchange the texts that no two may have.
    () =>
      store.change(() => {
        const [a, b] = [id('events'), id('events')];
        const slugs = [a, b].map((each) => store.db.get<{ slug: string }>('select slug from events where id = ?', each)!.slug);
        for (const [each, slug] of [
          [a, 'between'],
          [b, slugs[0]!],
          [a, slugs[1]!],
        ] as const)
          store.db.run('update events set slug = ? where id = ?', slug, each);
      }),
    () => store.change((local) => clear(local.context.db, random() < 0.2 ? undefined : 'generated')),
    () =>
      store.change((local) => {
        local.events.create(eventInput());
        throw new Error('not after all');
      }),
    () => importData(store, sourceOf('list.csv', Buffer.from(`title,start_date,end_date\n${name()},${day()},2027-04-01 10:00:00\n`)), {}),
    () =>
      store.db.run(
        "insert into copying (site, state) values ('http://x.test', ?) on conflict do update set state = excluded.state",
        name(),
      ),
  ];
  try {
    await one(writes)!();
  } catch {
    // A write that is refused, like one of a record that is gone.
  }
}
