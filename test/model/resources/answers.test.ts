import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Entry, Input, Resource, ResourceName } from '../../../src/model/calendar.ts';
import { resources } from '../../../src/model/resources/all.ts';
import type { Store } from '../../../src/store/calendar.ts';
import { memory } from '../../support/calendars.ts';

const post = { date: '2026-01-02 03:04:05', image: 'https://example.org/a.png', description: 'Words', website: 'https://example.org/' };
/** A record of each resource that says something in every field that answers show. */
const full: Record<ResourceName, Input> = {
  venues: {
    ...post,
    venue: 'Hall',
    ...Object.fromEntries(['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'stateprovince'].map((name) => [name, name])),
    geo_lat: 1,
    geo_lng: 2,
  },
  organizers: { ...post, organizer: 'Ada', phone: '1', email: 'a@example.org' },
  categories: { name: 'Music', description: 'Loud', parent: 0 },
  tags: { name: 'New', description: 'Fresh' },
  events: { ...post, title: 'Concert', start_date: '2027-01-01', end_date: '2027-01-01', excerpt: 'Short', cost: 5 },
};

/** The members of a record that a password does not hide. */
const open: Partial<Record<ResourceName, string[]>> = {
  events: ['author', 'date', 'date_utc', 'title', 'slug', 'status', 'timezone', 'start_date', 'end_date'],
  venues: ['author', 'date', 'date_utc', 'status'],
  organizers: ['author', 'date', 'date_utc', 'status'],
};

let store: Store;
const entries: Record<string, Entry> = {};
beforeAll(async () => {
  store = await memory();
  await store.change((local) => {
    for (const [name, input] of Object.entries(full)) entries[name] = local[name as ResourceName].create(input);
  });
});
afterAll(() => store.close());

describe.each(Object.values(resources).map((resource): [ResourceName, Resource] => [resource.name, resource]))(
  '%s',
  (name, { fields, response }) => {
    it('every field is in the response, unless it is said to be left out', () => {
      const shown = fields.filter((field) => !field.shown.writeOnly).map((field) => field.name);
      expect(Object.keys(entries[name]!)).toEqual(expect.arrayContaining(shown));
      expect(fields.filter((field) => field.shown.writeOnly && field.name in entries[name]!)).toEqual([]);
    });
    it('the response has its members in their order, and no others', () => {
      const order = response.members.map((member) => member.name).filter((member) => member in entries[name]!);
      expect(Object.keys(entries[name]!)).toEqual(order);
    });
    it('what a password leaves is public', () => {
      const left = fields.filter((field) => !field.shown.writeOnly && field.shown.redacted === undefined).map((field) => field.name);
      if (open[name]) expect(left.sort()).toEqual([...open[name]].sort());
    });
  },
);
