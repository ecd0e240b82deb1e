import { describe, expect, it } from 'vitest';
import { createCalendar } from '../../../bin/library.ts';
import { reset } from '../../../src/data/world/reset.ts';
import type { Entry, Input } from '../../../src/model/calendar.ts';
import { anonymous, owner, type Viewer } from '../../../src/model/viewer.ts';
import { putBack, storedRecord } from '../../../src/store/records/put-back.ts';
import { recordedSite, recordings } from '../../support/recorded-site.ts';
import { conflictsOf, countsOf, event, SiteCopy } from '../../support/site-copy.ts';

/** Members of events as only the site shows them. */
const odd = {
  is_virtual: { by: ['A'] },
  timezone_abbr: 'ABC',
  website: 'www.example.org',
  cost_details: { values: [], currency_code: 'NOK' },
};
const copy = new SiteCopy({
  shows: (body) => {
    const list = (body as { events?: Entry[] } | undefined)?.events;
    for (const record of [list ?? body ?? []].flat())
      if ((record as Entry).start_date && (record as Entry).show_map !== null) Object.assign(record as Entry, odd);
    return body;
  },
});

const at = { home: 'http://here', root: 'http://here/wp-json' };
const id = () => copy.here.db.get<{ id: number }>(`select id from events where slug like '${event}%'`)!.id;
const eventsAs = (viewer: Viewer = owner) => copy.here.calendarFor(viewer, at).events;
const shown = (query = {}) => eventsAs().get({ id: id() }, query);
const listed = async (viewer: Viewer) => (await eventsAs(viewer).list({ start_date: '2000-01-01' })).entries[0];
const update = (input: Input) => copy.change('here', (local) => local.events.update({ id: id() }, input));

/** Ways to another state and back. */
const ways: Record<string, () => Promise<unknown>> = {
  'an undo': async () => {
    await copy.here.snapshots.keep('undone');
    await update({ timezone: 'Asia/Tokyo', website: 'https://here.example', cost: '5' });
    await copy.here.snapshots.undo(true);
  },
  'a snapshot': async () => {
    const { name } = await copy.here.snapshots.keep('kept');
    await copy.delete('here');
    await copy.here.snapshots.restore(name);
  },
  'a reset to a snapshot': async () => {
    const { name } = await copy.here.snapshots.keep('kept');
    await update({ website: 'https://here.example' });
    await reset(copy.here, undefined, { to: name }, {});
  },
  'an undo of one change': () =>
    copy.change('here', ({ context: { db }, events }) => {
      const before = storedRecord(db, 'events', id())!;
      events.update({ id: id() }, { website: 'https://here.example' });
      expect(putBack(db, before, storedRecord(db, 'events', id()))).toBe(true);
    }),
  'the trash': async () => {
    await copy.change('here', (local) => local.events.delete({ id: id() }));
    await update({ status: 'publish' });
  },
  'a value and the one before': async () => {
    const { timezone } = await shown();
    await update({ timezone: 'Asia/Tokyo' });
    expect(await shown()).not.toMatchObject({ timezone_abbr: 'ABC' });
    await update({ timezone });
  },
};

describe.each(Object.entries(ways))('after %s', (_, way) => {
  it('a record is shown as its site does', async () => {
    await copy.pull();
    expect(await shown()).toMatchObject(odd);
    await way();
    expect(await shown()).toMatchObject(odd);
  });
});

it.each(['ours', 'theirs'] as const)('a conflict that takes %s keeps what the site shows otherwise', async (side) => {
  await copy.pull();
  await update({ title: 'Here' });
  await copy.update('there', { title: 'There' });
  expect(conflictsOf(await copy.pull())).toEqual(['edited title']);
  expect(await shown()).toMatchObject({ ...odd, title: 'Here' });
  await copy.resolve(side);
  expect(await shown()).toMatchObject({ ...odd, title: side === 'ours' ? 'Here' : 'There' });
});

describe('a password', () => {
  const isIn = (record: unknown) => /ABC|www\.example|NOK/.test(JSON.stringify(record));

  it('hides here what the site shows otherwise', async () => {
    await copy.pull();
    expect(isIn(await listed(anonymous))).toBe(true);
    await update({ post_password: 'open' });
    expect(isIn(await listed(anonymous))).toBe(false);
    await expect(shown()).rejects.toThrow('password-protected');
    expect(await shown({ password: 'open' })).toMatchObject(odd);
  });

  it('of the site replaces nothing, and without it the record is as the site shows it', async () => {
    await copy.pull();
    const { extra } = copy.here.db.get<{ extra: string }>('select extra from events')!;
    await copy.update('there', { post_password: 'open' });
    await copy.pull();
    expect(copy.here.db.get('select extra from events')).toEqual({ extra });
    expect(isIn(await listed(anonymous))).toBe(false);
    await copy.update('there', { post_password: '' });
    await copy.pull();
    expect(await listed(anonymous)).toMatchObject(odd);
  });
});

it('what was compared by other rules is shown as this program does, until the next pull compares it again and says so', async () => {
  await copy.pull();
  const { db } = copy.here;
  const other = (text: string) => text.replaceAll(/\["\w+",/g, '["other",');
  await copy.change('here', () => {
    for (const row of db.all<{ id: number; extra: string }>('select id, extra from events'))
      db.run('update events set extra = ? where id = ?', other(row.extra), row.id);
    db.run(`update copies set remote_base = replace(remote_base, '"seen":"', '"seen":"0')`);
  });
  const own = await shown();
  expect(own).toMatchObject({ timezone_abbr: 'UTC', cost_details: { currency_code: '' } });
  const { notes } = await copy.pull();
  expect(notes.map(({ reason }) => reason)).toEqual(['compared 5 of its records again, because another version copied them']);
  expect(await shown()).toMatchObject(odd);
  expect([(await copy.pull()).notes, countsOf(await copy.pull())]).toEqual([[], '5 unchanged']);
});

it('what was created here and pushed is not said to be from another version', async () => {
  await copy.pull();
  await copy.change('here', ({ tags }) => void tags.create({ name: 'own' }));
  await copy.push();
  expect((await copy.pull()).notes).toEqual([]);
});

it('a fork has what the site shows otherwise', async () => {
  const site = await recordedSite(recordings.find((each) => each.id === 'site-16')!);
  const calendar = await createCalendar({ listen: false });
  try {
    await calendar.data.pull({ root: `${site.address}/wp-json/calendar/events/v1` });
    const path = `events/${[...site.records.get('events')!.keys()][0]}`;
    const [own, forked] = [calendar, await calendar.fork()].map(async (each) => (await each.fetch(path)).json());
    expect(await forked).toEqual(await own);
  } finally {
    await calendar.close();
    await site.close();
  }
});

describe('members that are selected', () => {
  it.each([['website', 'id'], ['timezone_abbr', 'venue'], ['title'], ['cost_details']])(
    'are as in the whole record: %s %s',
    async (...names) => {
      await copy.pull();
      const members = new Set(names.filter((name) => name !== undefined));
      const whole = (await shown()) as Entry;
      const selected = (await eventsAs().get({ id: id() }, {}, members)) as Entry;
      for (const name of members) expect(selected[name]).toEqual(whole[name]);
      expect(Object.keys(selected).filter((name) => name in odd && !members.has(name))).toEqual([]);
      const { entries } = await eventsAs().list({ start_date: '2000-01-01' }, members);
      for (const name of members) if (name in odd) expect(entries[0]![name]).toEqual(whole[name]);
    },
  );

  it('are those of the site for an editor, too, beside the text as it is stored', async () => {
    await copy.pull();
    expect(await shown({ context: 'edit' })).toMatchObject((await shown()) as object);
  });
});

it('a record that a program changes in its memory is the same in the next response', async () => {
  await copy.pull();
  const first = (await shown()) as typeof odd & Entry;
  first.is_virtual.by.push('B');
  first.cost_details.values.push('9' as never);
  expect(await shown()).toMatchObject(odd);
});
