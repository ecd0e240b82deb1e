import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { resourceNames } from '../../src/model/calendar.ts';
import type { ChangesInput, ChangesProgress } from '../../src/model/record-changes.ts';
import { owner } from '../../src/model/viewer.ts';
import { pageChangesPath } from '../../src/model/web-page.ts';
import type { StoreImage } from '../../src/store/snapshots.ts';
import { type ServedWhole, servedWhole } from '../support/served.ts';

let calendar: ServedWhole;
const others: ServedWhole[] = [];
beforeAll(async () => {
  calendar = await servedWhole({
    hooks: {
      functions: {
        change(fields, { action, ref }) {
          hooked.push(`${action} ${JSON.stringify(ref)}`);
          return fields;
        },
      },
    },
  });
});
const hooked: string[] = [];
beforeEach(async () => {
  hooked.length = 0;
  await calendar.store.restore(made.get(0) ?? kept(0));
});
afterAll(() => Promise.all([calendar, ...others].map((each) => each.close())));

const local = () => calendar.store.local(owner, { home: '', root: '' });
/** Everything that the tables of records and links contain, except for times of modification. */
const content = () =>
  JSON.stringify(
    [...resourceNames, 'event_categories', 'event_tags', 'event_venues', 'event_organizers'].map((table) =>
      calendar.store.db.all(`select * from ${table}`),
    ),
  );

async function change(input: ChangesInput, init: RequestInit = {}): Promise<{ status: number; lines: ChangesProgress[]; text: string }> {
  const response = await fetch(calendar.url + pageChangesPath, {
    method: 'POST',
    body: JSON.stringify(input),
    ...init,
    headers: { 'Content-Type': 'application/json', ...init.headers },
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    lines: response.ok
      ? text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [],
  };
}
const undoOf = (lines: readonly ChangesProgress[]) => ({ undo: lines.at(-1)!.undo! });

/** States of the calendar, by their number of events. */
const made = new Map<number, StoreImage>();
function kept(count: number): StoreImage {
  made.set(count, calendar.store.image());
  return made.get(count)!;
}

/** Creates events at one venue, in two categories below another one and with a tag. */
async function events(count: number): Promise<number[]> {
  const image = made.get(count);
  if (image) await calendar.store.restore(image);
  else {
    calendar.store.db.change(() => {
      const { events: collection } = local();
      const dates = { start_date: '2026-12-01 10:00', end_date: '2026-12-01 11:00' };
      const music = local().categories.add({ name: 'Music' }).id;
      local().categories.add({ name: 'Jazz', parent: music });
      for (let at = 0; at < count; at++)
        collection.add({ title: `Event ${at}`, ...dates, venue: [{ venue: 'Hall' }], categories: ['Music', 'Jazz'], tags: ['free'] });
    });
    kept(count);
  }
  return calendar.store.db.all<{ id: number }>('select id from events order by id').map(({ id }) => id);
}

describe('changes of many records', () => {
  it('are made in batches, each one change, and their progress is a stream', async () => {
    const ids = await events(130);
    const { version } = calendar.store.db;
    const { status, lines } = await change({ changes: [{ resource: 'events', ids, fields: { cost: '12' } }] });
    expect(status).toBe(200);
    const undo = expect.any(String);
    expect(lines[0]).toEqual({ done: 0, total: 130, undo });
    expect(lines.at(-1)).toEqual({ done: 130, total: 130, undo, unchanged: [] });
    expect(lines.length).toBeGreaterThanOrEqual(4);
    expect(calendar.store.db.version - version).toBe(lines.length - 1);
    expect(local().events.get({ id: ids[0]! })).toMatchObject({ cost: '$12' });
  });

  it.each([
    ['an update', { resource: 'events', fields: { title: 'Other', venue: [], tags: ['new'], status: 'draft' } }],
    ['a shift', { resource: 'events', shift: '2 days' }],
    ['a deletion', { resource: 'events' }],
    ['the deletion of venues, which events have', { resource: 'venues' }],
    ['the deletion of categories with others below', { resource: 'categories' }],
    ['the deletion of tags', { resource: 'tags' }],
  ] as const)('are undone exactly: %s', async (_, made) => {
    await events(70);
    const before = content();
    const ids = calendar.store.db.all<{ id: number }>(`select id from ${made.resource}`).map(({ id }) => id);
    const tags = calendar.store.db.all<{ id: number }>('select id from tags').map(({ id }) => id);
    const { lines } = await change({ changes: [{ ids, ...made }] });
    expect(lines.at(-1)!.unchanged).toEqual([]);
    expect(content()).not.toBe(before);
    const { lines: undone } = await change(undoOf(lines));
    expect(undone.at(-1)).toEqual({ done: ids.length, total: ids.length, unchanged: [] });
    // What an update created stays.
    for (const { id } of calendar.store.db.all<{ id: number }>('select id from tags')) if (!tags.includes(id)) local().tags.delete({ id });
    expect(content()).toBe(before);
  });

  it('an undo skips and names what was changed since', async () => {
    const [first, second] = (await events(2)) as [number, number];
    const { lines } = await change({ changes: [{ resource: 'events', ids: [first, second], fields: { cost: '5' } }] });
    local().events.update({ id: second }, { title: 'Changed' });
    const { lines: undone } = await change(undoOf(lines));
    expect(undone.at(-1)!.unchanged).toMatchObject([{ resource: 'events', id: second, name: 'Event 1', message: 'it was changed since' }]);
    expect([first, second].map((id) => local().events.get({ id }).cost)).toEqual(['', '$5']);
    expect(await change(undoOf(lines))).toMatchObject({ status: 404 });
  });

  it('report what was not changed, and why', async () => {
    const ids = await events(1);
    const { lines } = await change({
      changes: [
        { resource: 'events', ids: [...ids, 999], fields: { start_date: 'soon' } },
        { resource: 'tags', ids: [998] },
      ],
    });
    expect(lines.at(-1)!.unchanged).toMatchObject([
      { id: ids[0], name: 'Event 0', code: 'rest_invalid_param', message: expect.stringContaining('start_date') },
      { id: 999, name: '' },
      { id: 998, resource: 'tags' },
    ]);
  });

  it.each([
    [{}, 401, 'visitors'],
    [{ name: 'ana', role: 'author' }, 0, 'the author of the event'],
    [{ name: 'ben', role: 'author' }, 403, 'another author'],
    [{ name: 'ed', role: 'editor' }, 0, 'an editor'],
  ] as const)('may do what the API lets their caller: %j', async (user, status, _) => {
    const [id] = (await events(1)) as [number];
    const { users } = local();
    for (const [name, role] of [
      ['ana', 'author'],
      ['ben', 'author'],
      ['ed', 'editor'],
    ] as const)
      users.add({ name, role, password: 'secret' });
    calendar.store.db.run('update events set author = (select id from users where name = ?)', 'ana');
    const headers: Record<string, string> = 'name' in user ? { Authorization: `Basic ${btoa(`${user.name}:secret`)}` } : {};
    const { lines } = await change({ changes: [{ resource: 'events', ids: [id] }] }, { headers });
    expect(lines.at(-1)!.unchanged).toMatchObject(status ? [{ status }] : []);
    // Others may not undo it.
    if (!status) expect(await change(undoOf(lines))).toMatchObject({ status: 404 });
  });

  it('run the hook of changes for each record, and the feed reports each', async () => {
    const ids = await events(70);
    const messages: unknown[] = [];
    const feed = calendar.world.served.messages;
    const publish = vi.spyOn(feed, 'publish').mockImplementation((type, data) => void messages.push({ type, ...data }));
    await change({ changes: [{ resource: 'events', ids }] });
    publish.mockRestore();
    expect(hooked.filter((each) => each.startsWith('delete'))).toEqual(ids.map((id) => `delete {"id":${id}}`));
    for (const id of ids) expect(messages).toContainEqual({ type: 'change', resource: 'events', id, action: 'deleted' });
  });

  it('let others be served between batches, and end with a reset', async () => {
    const ids = await events(600);
    const response = await fetch(calendar.url + pageChangesPath, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ changes: [{ resource: 'events', ids }] }),
    });
    const reader = response.body!.getReader();
    await reader.read();
    expect((await fetch(`${calendar.root}/events?per_page=1`)).status).toBe(200);
    await calendar.control.reset({ to: 'empty' });
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += new TextDecoder().decode(part.value);
    expect(JSON.parse(text.trim().split('\n').at(-1)!)).toMatchObject({ stopped: 'the calendar was reset' });
  });

  it('stop when their client goes away: what is done stays done, and can be undone', async () => {
    const ids = await events(600);
    const before = content();
    const controller = new AbortController();
    const response = await fetch(calendar.url + pageChangesPath, {
      method: 'POST',
      signal: controller.signal,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ changes: [{ resource: 'events', ids }] }),
    });
    const reader = response.body!.getReader();
    const [first] = new TextDecoder().decode((await reader.read()).value).split('\n');
    await reader.read();
    controller.abort();
    const count = () => calendar.store.db.get<{ n: number }>("select count(*) as n from events where status = 'trash'")!.n;
    let trashed = -1;
    while (trashed !== count()) {
      trashed = count();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(trashed).toBeGreaterThan(0);
    expect(trashed).toBeLessThan(600);
    expect((await change({ undo: JSON.parse(first!).undo })).lines.at(-1)).toMatchObject({ done: trashed, unchanged: [] });
    expect(content()).toBe(before);
  });

  it.each([
    {},
    { changes: [{ resource: 'users', ids: [1] }] },
    { changes: [{ resource: 'events', ids: ['1'] }] },
    { changes: [{ resource: 'venues', ids: [1], shift: '1 day' }] },
    { changes: [{ resource: 'events', ids: Array.from({ length: 100_001 }, (_, at) => at + 1) }] },
  ] as object[])('reject other bodies %#', async (body) => {
    const { status, text } = await change(body as ChangesInput);
    expect(`${status} ${text}`).toMatch(/^400 .*bad-request/);
  });

  it('are not for pages of other sites, and rejected with --read-only', async () => {
    const ids = await events(1);
    const input: ChangesInput = { changes: [{ resource: 'events', ids }] };
    expect(await change(input, { headers: { Origin: 'https://example.org' } })).toMatchObject({ status: 403 });
    const readOnly = await servedWhole({ readOnly: true });
    others.push(readOnly);
    const response = await fetch(readOnly.url + pageChangesPath, { method: 'POST', body: JSON.stringify(input) });
    expect(await response.text()).toContain('read-only');
  });
});
