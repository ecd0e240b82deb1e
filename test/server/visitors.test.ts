import { afterEach, describe, expect, it } from 'vitest';
import { controlAt } from '../../src/client/control.ts';
import { transportOf } from '../../src/client/transport.ts';
import type { RequestList } from '../../src/model/operation-types.ts';
import type { Message } from '../../src/model/operations/messages.ts';
import { owner } from '../../src/model/viewer.ts';
import type { TableRecords } from '../../src/model/web-page.ts';
import type { LoadPage } from '../../src/server/site/document.ts';
import { transportHere } from '../../src/testing/here.ts';
import { basic } from '../support/contract-server.ts';
import { type WholeServer, wholeServer } from '../support/whole-server.ts';

let served: WholeServer;
afterEach(() => served.close());

const emptyPage: LoadPage = async () => ({ files: [], document: () => '', definitions: () => ({}) });
const ada = { authorization: basic('ada', 'right') };
const concert = { title: 'Concert', start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };

/** Serves a calendar with a user; only its owner has full access to the control API, like for a file. */
async function withUsers(open = false, page?: LoadPage): Promise<WholeServer> {
  served = await wholeServer({
    open,
    page,
    prepare: async (store) =>
      void (await store.change(({ users }) => users.add({ name: 'ada', role: 'administrator', password: 'right' }))),
  });
  return served;
}

describe('visitors of a calendar with users', () => {
  it('see no names of users in the journal', async () => {
    await withUsers();
    await served.call('GET', '/tags', undefined, ada);
    const { requests } = await served.json<RequestList>('GET', '/_calendar/requests');
    expect(requests).toMatchObject([{ method: 'GET', user: null }]);
    expect((await served.call('GET', '/_calendar/requests?user=ada')).status).toBe(403);
    expect((await served.control.requests({ user: 'ada' })).requests).toMatchObject([{ user: 'ada' }]);
  });

  it.each([
    [false, ['request null', 'reset', 'request null', 'request null', 'change 2', 'request null']],
    [true, ['request ada', 'change 1', 'request ada', 'request ada', 'change 2', 'request ada']],
  ])('learn of changes to drafts without an ID unless the control API is open (%s)', async (open, expected) => {
    await withUsers(open);
    const transport = transportOf(transportHere());
    const stop = new AbortController();
    const stream = await controlAt(served.listening.url, undefined, transport).events({}, stop.signal);
    const ids: number[] = [];
    for (const status of ['draft', 'publish'])
      ids.push((await served.json<{ id: number }>('POST', '/events', { ...concert, status }, ada)).id);
    const messages: Message[] = [];
    for await (const { messages: more } of stream) {
      messages.push(...more);
      if (messages.length >= expected.length) break;
    }
    stop.abort();
    await transport.close();
    const text = ({ type, data }: Message) =>
      type === 'change' ? `change ${ids.indexOf(data.id) + 1}` : type === 'request' ? `request ${data.user}` : type;
    expect(messages.map(text)).toEqual(expected);
  });
});

it.each([
  ['a visitor', undefined, ['Listed']],
  ['an author', 'author', ['Hidden, of an author', 'Listed']],
  ['an editor', 'editor', ['Hidden', 'Hidden, of an author', 'Listed']],
] as const)('the tables of the page show hidden events that %s may edit', async (_, role, titles) => {
  served = await wholeServer({
    page: emptyPage,
    prepare: async (store) => {
      const author = await store.users.add({ name: 'ann', role: 'author', password: 'right' });
      await store.users.add({ name: 'ed', role: 'editor', password: 'right' });
      const { events } = store.calendarFor(owner, { home: '', root: '' });
      await events.create({ ...concert, title: 'Listed' });
      await events.create({ ...concert, title: 'Hidden', hide_from_listings: true });
      await events.create({ ...concert, title: 'Hidden, of an author', hide_from_listings: true, author: author.id });
    },
  });
  const headers = role && { authorization: basic(role === 'author' ? 'ann' : 'ed', 'right') };
  const path = '/_calendar/page/records/events?start_date=2027-01-01&members=title';
  const { records, hidden } = await served.json<TableRecords>('GET', path, undefined, headers);
  expect(records.map(({ title }) => title).sort()).toEqual(titles);
  expect(hidden).toHaveLength(titles.length - 1);
});

it.each([
  ['events', 'publish,draft', ['Concert']],
  ['events', 'draft', []],
  ['events', 'trash', []],
  ['venues', 'publish,draft', []],
  ['categories', undefined, []],
])('the page lists %s of the status %s for visitors, as far as they may see them', async (resource, status, titles) => {
  await withUsers(false, emptyPage);
  await served.call('POST', '/events', concert, ada);
  await served.call('POST', '/events', { ...concert, title: 'Draft', status: 'draft' }, ada);
  const path = `/_calendar/page/records/${resource}?start_date=2027-01-01&members=title${status ? `&status=${status}` : ''}`;
  const { records } = await served.json<TableRecords>('GET', resource === 'events' ? path : path.replace('start_date=2027-01-01&', ''));
  expect(records.map(({ title }) => title)).toEqual(titles);
});
