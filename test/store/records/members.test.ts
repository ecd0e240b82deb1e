import { beforeAll, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/calendar.ts';
import { icalEvent, icalMembers } from '../../../src/model/ical/event.ts';
import { owner } from '../../../src/model/viewer.ts';
import { type Handle, noBody } from '../../../src/server/http.ts';
import { createHandler } from '../../../src/server/router.ts';
import type { LocalCalendar, Store } from '../../../src/store/calendar.ts';
import { serviceOf } from '../../../src/store/service.ts';
import { bodyText } from '../../support/body-text.ts';
import { city, site } from '../../support/generated-calendar.ts';

let store: Store;
let local: LocalCalendar;
let handle: Handle;
const names = ['events', 'venues', 'organizers', 'categories', 'tags'] as const;
const all = { start_date: '2000-01-01', end_date: '2099-01-01', hide_empty: 'false', per_page: '50' };

beforeAll(async () => {
  ({ store } = await city(40));
  local = store.local(owner, site);
  handle = createHandler(serviceOf(store), { basePath: '', namespace: 'calendar/events/v1', headerPrefix: 'X-Calendar' });
});

async function read(path: string, fields?: string) {
  const query = fields === undefined ? '' : `_fields=${fields}`;
  const { headers, body } = await handle({
    method: 'GET',
    path: `/calendar/events/v1${path}`,
    query,
    headers: { host: 'x' },
    body: noBody,
  });
  return { hint: headers['X-Calendar-Hint'], value: JSON.parse(bodyText({ body })) };
}

it('only the members that are needed are computed', () => {
  const { id } = local.events.list(all).entries[0]!;
  expect(local.events.get({ id }, {}, new Set(['id']))).toEqual({ id });
  expect(Object.keys(local.events.get({ id }, {}, new Set(['title', 'venue'])))).toEqual(['title', 'venue']);
  for (const name of ['events', 'venues', 'organizers'] as const)
    expect(new Set(local[name].list(all, new Set()).entries.map((entry) => JSON.stringify(entry)))).toEqual(new Set(['{}']));
});

it.each(names)('_fields selects each member of one of the %s as a whole response has it', async (name) => {
  for (const { id } of local[name].list(all).entries.slice(0, 8)) {
    const { value } = await read(`/${name}/${id}`);
    for (const member of Object.keys(value)) {
      expect(await read(`/${name}/${id}`, member)).toEqual({ hint: undefined, value: { [member]: value[member] } });
      expect((await read(`/${name}/${id}`, `id,${member}.city`)).value.id).toBe(id);
    }
    const { hint, value: selected } = await read(`/${name}/${id}`, 'nothing,id');
    expect(hint).toContain(`the response has no member nothing. It has ${Object.keys(value).slice(0, 8).join(', ')}`);
    expect(selected).toEqual({ id });
  }
});

it.each(names)('_fields selects each member of a list of %s as a whole response has it', async (name) => {
  const { value } = await read(`/${name}`);
  for (const member of Object.keys(value))
    expect(await read(`/${name}`, member)).toEqual({ hint: undefined, value: { [member]: value[member] } });
  expect((await read(`/${name}`, `${name}.id,total`)).value).toEqual({ [name]: [], total: value.total });
  expect((await read(`/${name}`, `${name}.id,${name}`)).value).toEqual({ [name]: value[name] });
});

it('iCalendar needs no other members', () => {
  const events = (members?: ReadonlySet<string>): Entry[] => [...local.events.listAll({ ...all, _uid: '1' }, members)];
  expect(events().length).toBeGreaterThan(30);
  expect(events(icalMembers).map((entry) => icalEvent(entry))).toEqual(events().map((entry) => icalEvent(entry)));
});
