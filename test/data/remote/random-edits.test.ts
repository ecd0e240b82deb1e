import { describe, expect, it } from 'vitest';
import { resolve } from '../../../src/data/remote/conflicts.ts';
import { diff } from '../../../src/data/remote/diff.ts';
import { pull } from '../../../src/data/remote/pull.ts';
import { push } from '../../../src/data/remote/push.ts';
import type { RemoteCalendar } from '../../../src/data/remote/site.ts';
import type { Calendar, Collection, Entry, Input, ResourceName } from '../../../src/model/calendar.ts';
import { Failure } from '../../../src/model/error.ts';
import { owner } from '../../../src/model/viewer.ts';
import type { Store } from '../../../src/store/calendar.ts';
import { memory } from '../../support/calendars.ts';

/** Returns a random number generator (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
  };
}

const resets = { website: '', cost: '', featured: false, sticky: false, show_map: false, organizer: [], status: 'publish' };
/** Text fields by resource. */
const texts: Partial<Record<ResourceName, string[]>> = {
  events: ['title', 'description', 'excerpt', 'website', 'cost'],
  venues: ['venue', 'city', 'phone', 'description'],
  organizers: ['organizer', 'email', 'phone'],
  tags: ['name', 'description'],
  categories: ['name', 'description'],
};
const names = Object.keys(texts) as ResourceName[];
const labels: Partial<Record<ResourceName, string>> = {
  events: 'title',
  venues: 'venue',
  organizers: 'organizer',
  tags: 'name',
  categories: 'name',
};
const inputOf = (field: string, value: string) =>
  field === 'website'
    ? `https://example.org/${value}`
    : field === 'email'
      ? `${value}@example.org`
      : field === 'cost'
        ? value.replace(/\D/g, '')
        : value;

/** A site whose updates of events reset omitted fields, unless it keeps them; then a venue can't be removed. `fails` interrupts requests before or after their effect. */
function siteOf(store: Store, keepsOmitted: boolean, fails: () => 'before' | 'after' | undefined): RemoteCalendar {
  const own = store.calendarFor(owner, { home: 'http://site', root: 'http://site' });
  const interruptible = async <T>(work: () => Promise<T>): Promise<T> => {
    const when = fails();
    if (when === 'before') throw new Failure('unreachable', 'interrupted');
    const result = await work();
    if (when === 'after') throw new Failure('unreachable', 'interrupted');
    return result;
  };
  const collection = (name: ResourceName): Collection => ({
    list: (query) => interruptible(() => own[name].list(query)),
    get: (ref, query) => interruptible(() => own[name].get(ref, query)),
    create: (input) => interruptible(() => own[name].create(input)),
    update: (ref, input) =>
      interruptible(() => {
        if (keepsOmitted || name !== 'events') return own[name].update(ref, input);
        const stored: Input = { ...resets, ...input };
        if (!(Number(stored.venue) > 0)) delete stored.venue;
        return own[name].update(ref, stored);
      }),
    delete: (ref) => interruptible(() => own[name].delete(ref)),
  });
  return {
    calendar: Object.fromEntries(names.map((name) => [name, collection(name)])) as unknown as Calendar,
    root: 'http://site',
    about: async () => ({ name: '', timezone: '' }),
    greet: async () => ({ root: 'http://site', mayWrite: true }),
  };
}

interface Edit {
  side: 'here' | 'there';
  name: ResourceName;
  id: number;
  field: string;
  value: string;
}

const entriesOf = (store: Store, name: ResourceName): Entry[] => [...store.local(owner, { home: '', root: '' }).entries(name)];
const holds = (store: Store, { name, field, value }: Edit): boolean =>
  entriesOf(store, name).some((entry) => String(entry[field]).includes(field === 'cost' ? inputOf(field, value) : value));

/** Makes random edits on one side and returns the last one of each field. */
async function editRandomly(
  store: Store,
  side: Edit['side'],
  random: (below: number) => number,
  edits: Edit[],
  deleted: Set<string>,
  next: () => number,
): Promise<void> {
  await store.change((local) => {
    for (let count = random(4); count >= 0; count--) {
      const name = names[random(names.length)]!;
      const entries = entriesOf(store, name);
      const value = `v${next()}`;
      const kind = random(10);
      const entry = entries[random(entries.length)];
      if (!entry || kind === 0) {
        const dates = name === 'events' ? { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 11:00:00' } : {};
        const { id } = local[name].create({ [labels[name]!]: value, ...dates }) as Entry;
        edits.push({ side, name, id, field: labels[name]!, value });
      } else if (kind === 1) {
        local[name].delete({ id: entry.id });
        deleted.add(`${side}:${name}:${entry.id}`);
      } else {
        const field = texts[name]![random(texts[name]!.length)]!;
        local[name].update({ id: entry.id }, { [field]: inputOf(field, value) });
        edits.push({ side, name, id: entry.id, field, value });
      }
    }
  });
}

describe.each([true, false])('random edits on both sides, with interruptions, of a site that keeps omitted fields: %s', (keepsOmitted) => {
  it.each(Array.from({ length: Number(process.env.SYNC_SEEDS ?? 15) }, (_, seed) => seed + 1))(
    'are on both sides, or reported (seed %i)',
    async (seed) => {
      const random = randomFrom(seed * 7919);
      const [here, there] = [await memory(), await memory()];
      let interruptsIn = 0;
      const site = siteOf(there, keepsOmitted, () => (--interruptsIn === 0 ? (random(2) ? 'before' : 'after') : undefined));
      let values = 1000;
      const [edits, deleted]: [Edit[], Set<string>] = [[], new Set()];
      const pairs = (edit: Edit) =>
        here.db.get<{ remote: number; local: number }>(
          `select remote, local from copies where resource = ? and ${edit.side === 'here' ? 'local' : 'remote'} = ?`,
          edit.name,
          edit.id,
        );
      const prefer = random(2) ? ('ours' as const) : ('theirs' as const);
      await editRandomly(there, 'there', random, edits, deleted, () => ++values);
      for (let round = 0; round < 4; round++) {
        await editRandomly(here, 'here', random, edits, deleted, () => ++values);
        await editRandomly(there, 'there', random, edits, deleted, () => ++values);
        interruptsIn = random(keepsOmitted ? 25 : 60);
        for (const sync of [pull, push]) await sync(here, site, { delete: true }).catch((error) => expect(error).toBeInstanceOf(Failure));
      }
      interruptsIn = 0;
      const pulled = await pull(here, site, { delete: true });
      const pushed = await push(here, site, { delete: true });
      const conflicts = [...pulled.conflicts, ...pushed.conflicts];
      const last = new Map(edits.map((edit) => [`${edit.side} ${edit.name} ${edit.id} ${edit.field}`, edit]));
      for (const edit of last.values()) {
        const pair = pairs(edit);
        const isReported = (id: number | undefined) =>
          conflicts.some((each) => each.resource === edit.name && (each.id === id || each.remote === pair?.remote)) ||
          [...pushed.problems, ...pulled.problems].some(({ at }) => at.startsWith(`${edit.name} ${id} `));
        const other = [...last.values()].some(
          (each) =>
            each !== edit &&
            each.name === edit.name &&
            each.field === edit.field &&
            each.side !== edit.side &&
            pairs(each)?.remote === pair?.remote,
        );
        const isGone =
          deleted.has(`${edit.side}:${edit.name}:${edit.id}`) ||
          !pair ||
          deleted.has(`here:${edit.name}:${pair.local}`) ||
          deleted.has(`there:${edit.name}:${pair.remote}`);
        // A later edit of the other side, made after both agreed, replaces this one.
        if (isGone || other || isReported(pair.local)) continue;
        expect([holds(here, edit), holds(there, edit)], JSON.stringify(edit)).toEqual([true, true]);
      }
      // Once conflicts are resolved, both sides agree.
      await resolve(here, { prefer }, {});
      for (let time = 0; time < 2; time++) {
        await pull(here, site, { delete: true, prefer });
        await push(here, site, { delete: true, prefer });
      }
      const [again, sent] = [await pull(here, site, { delete: true }), await push(here, site, { delete: true })];
      // The API can't clear the description of a term.
      const refused = new Set(sent.problems.filter(({ reason }) => reason === 'not accepted: description').map(({ at }) => at));
      expect([again.notes, sent.problems.filter(({ at }) => !refused.has(at))]).toEqual([[], []]);
      expect([again.conflicts, sent.conflicts, again.hasChanged, sent.counts.updated]).toEqual([[], [], false, refused.size]);
      const differing = [];
      for await (const difference of diff(here, site, { problems: [] })) differing.push(difference);
      expect(differing.slice(0, refused.size)).toEqual(differing);
      await here.close();
      await there.close();
    },
  );
});
