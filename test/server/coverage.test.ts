import { describe, expect, it } from 'vitest';
import { type Calendar, type CalendarOptions, createCalendar } from '../../bin/library.ts';
import { variants } from '../../src/model/variants.ts';

const now = '2027-03-01T09:00Z';
const full = {
  title: 'Plain concert',
  description: 'In plain words.',
  start_date: '2027-03-02 19:00:00',
  end_date: '2027-03-02 21:00:00',
  venue: { venue: 'Hall' },
  organizer: [{ organizer: 'Ada' }],
  categories: ['Music'],
  cost: ['5'],
};

const open = (options: CalendarOptions = {}) => createCalendar({ now, listen: false, ...options });
const namesOf = (rows: readonly { name: string; requests: number }[]) =>
  rows.filter(({ requests }) => requests > 0).map(({ name }) => name);
const met = async (calendar: Calendar) => namesOf((await calendar.requests.coverage()).variants);
const send = (calendar: Calendar, path: string, body: object, method = 'POST', user?: string) =>
  calendar.fetch(path, {
    method,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...(user && { Authorization: `Basic ${btoa(`${user}:${user}`)}` }) },
  });

describe('an event', () => {
  it.each(Object.entries(variants.event))('%s is met in the list and alone as the report says, by clients only', async (name, { how }) => {
    await using calendar = await open({ seed: 'shapes' });
    const [record] = (await calendar.events.list({ search: how.replace('seed shapes: ', '') })).events;
    expect(await met(calendar)).toEqual([]);
    await calendar.fetch(`events/${record!.id}`);
    const alone = await met(calendar);
    expect(alone).toContain(`event.${name}`);
    await calendar.fetch('events?per_page=50&_fields=id');
    expect(await met(calendar)).toEqual(alone);
    await calendar.fetch('events?per_page=50');
    expect(await met(calendar)).toEqual(Object.keys(variants.event).map((each) => `event.${each}`));
  });

  it('with everything in its place is none of them, alone and in a list', async () => {
    await using calendar = await open();
    const event = await calendar.events.create(full);
    await calendar.fetch(`events/${event.id}`);
    await calendar.fetch('events');
    // It has no image.
    expect(await met(calendar)).toEqual(['event.no-image']);
  });
});

const order = Object.entries(variants).flatMap(([group, all]) => Object.keys(all).map((name) => `${group}.${name}`));

/** A client that meets each variant of a list and a response, and nothing else of the same group. */
const clients: Record<string, (calendar: Calendar) => Promise<unknown>> = {
  'list.empty': (calendar) => calendar.fetch('tags?search=nothing'),
  'list.second-page': (calendar) => calendar.fetch('events?page=2&per_page=5&_fields=id'),
  'list.last-page': (calendar) => calendar.fetch('events?page=2&_fields=id'),
  'response.400': (calendar) => send(calendar, 'events', {}, 'POST', 'editor'),
  'response.401': (calendar) => send(calendar, 'tags', { name: 'x' }),
  'response.403': (calendar) => send(calendar, 'tags', { name: 'x' }, 'POST', 'subscriber'),
  'response.404': (calendar) => calendar.fetch('event'),
  'response.429': async (calendar) => {
    await calendar.faults.add({ then: 429, times: 1 });
    await calendar.fetch('tags?_fields=id');
  },
  'response.5xx': async (calendar) => {
    await calendar.faults.add({ then: 503, times: 1 });
    await calendar.fetch('tags?_fields=id');
  },
  'response.broken': async (calendar) => {
    await calendar.faults.add({ then: 'reset', times: 1 });
    await calendar.fetch('tags?_fields=id').catch(() => {});
  },
  'response.slow': async (calendar) => {
    await calendar.faults.add({ delay: 1001, times: 1 });
    await calendar.fetch('tags?_fields=id');
  },
};

it('each list and response has a client', () => {
  expect(Object.keys(clients)).toEqual(order.filter((name) => !name.startsWith('event.')));
});

it.each(Object.entries(clients))('%s is met by its client', async (name, act) => {
  await using calendar = await open({ seed: 'shapes', users: 'roles' });
  await act(calendar);
  expect(await met(calendar)).toEqual(name === 'list.last-page' ? ['list.second-page', name] : [name]);
});

it('operations are counted by what they do, and what else a server has is not', async () => {
  await using calendar = await open({ seed: 'minimal' });
  const [event] = (await calendar.events.list()).events;
  await calendar.fetch(`events/by-slug/${event!.slug}`);
  await send(calendar, `events/${event!.id}`, { title: 'New' }, 'PATCH');
  await calendar.fetch('tags?hide_empty=false', { method: 'OPTIONS' });
  await calendar.fetch(`${calendar.root}/events/`);
  await calendar.fetch(`${calendar.root}/nothing-here`);
  const { operations, variants: rows, total } = await calendar.requests.coverage();
  expect([namesOf(operations), operations.length, total]).toEqual([['events.get', 'events.update'], 25, rows.length]);
  expect(rows.find(({ name }) => name === 'response.404')?.requests).toBe(0);
});

describe('coverage before a reset', () => {
  it('is counted with the option, also in worlds that are deleted and in requests that the log dropped', async () => {
    await using calendar = await open({ seed: 'shapes', coverage: true, journal: 1 });
    await calendar.fetch('event');
    await calendar.fetch('tags?search=nothing');
    await calendar.reset();
    const world = await calendar.worlds.create();
    await world.fetch('events/999999');
    await world.reset();
    await world.fetch('events?page=2&_fields=id');
    expect(await met(world)).toEqual(['list.second-page', 'list.last-page']);
    await world.close();
    const { variants: rows } = await calendar.requests.coverage({ all: true });
    expect(rows.filter(({ requests }) => requests > 0).map(({ name, requests }) => [name, requests])).toEqual([
      ['list.empty', 1],
      ['list.second-page', 1],
      ['list.last-page', 1],
      ['response.404', 2],
    ]);
    expect(await met(calendar)).toEqual([]);
  });

  it('is refused without it, and so are requests that the log lacks', async () => {
    await using calendar = await open({ journal: 1 });
    await expect(calendar.requests.coverage({ all: true })).rejects.toThrow(/before a reset[\s\S]*coverage/);
    await calendar.fetch('tags');
    await calendar.fetch('tags');
    await expect(calendar.requests.coverage()).rejects.toMatchObject({ code: 'requests-dropped' });
  });
});

it('a list that is longer than the log keeps is read as far as it is there', async () => {
  await using calendar = await open({ seed: 'shapes', journalBody: 16_000 });
  await calendar.fetch('events?per_page=50');
  const { variants: rows, truncated } = await calendar.requests.coverage();
  expect(truncated).toBe(1);
  expect(namesOf(rows)).toContain('event.no-venue');
  expect(namesOf(rows)).not.toContain('event.over-midnight');
});
