import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Calendar, type CalendarWorld, connectCalendar, createCalendar, Failure } from '../../bin/library.ts';
import { folder } from './transcript.ts';

const now = '2027-03-01T09:00Z';
const concert = { title: 'Concert', start_date: '2027-03-02 20:00', end_date: '2027-03-02 23:00' };

/** Tests of all that a calendar of tests has to do, wherever it is: in this process, or behind a connection over HTTP, as itself or as a world. */
export const calendarSuite = (where: string) =>
  describe(`a calendar ${where}`, () => {
    let server: Calendar;
    let own: Calendar;
    let calendar: Calendar;
    const place = folder();
    beforeAll(async () => {
      server = await createCalendar({ seed: 'demo', now });
      own = where.includes('world') ? await server.worlds.create() : server;
      calendar = where.includes('over HTTP') ? await connectCalendar(own.root) : own;
    });
    beforeEach(async () => {
      await own.reset();
    });
    afterAll(async () => {
      await calendar.close();
      await own.close();
      await server.close();
      place.remove();
    });

    it('has its addresses', () => {
      expect(calendar.url).toBe(own.url);
      expect(calendar.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+(\/_worlds\/[\da-f]{16})?\/calendar\/events\/v1$/);
      expect(calendar.url.startsWith(`${calendar.root}/`)).toBe(true);
    });

    it('creates, reads, changes, lists and deletes events with all that they are linked to', async () => {
      const created = await calendar.events.create({
        ...concert,
        venue: { venue: 'Old Station', city: 'Berlin' },
        organizer: [{ organizer: 'Ada' }],
        categories: ['Jazz', 'Late'],
        cost: [8, 12],
        featured: true,
        excerpt: undefined,
      });
      expect(created).toMatchObject({
        title: 'Concert',
        featured: true,
        venue: { venue: 'Old Station' },
        organizer: [{ organizer: 'Ada' }],
      });
      expect(created.url).toBe(`${calendar.root}/event/concert/`);
      expect(await calendar.events.get(created.id)).toMatchObject({ id: created.id, start_date: '2027-03-02 20:00:00' });
      expect(await calendar.events.get(created.slug)).toMatchObject({ id: created.id });
      expect(await calendar.events.get(created)).toMatchObject({ id: created.id });
      expect((await calendar.events.update(created, { title: 'Concert II' })).title).toBe('Concert II');
      // What was read may be given back.
      expect((await calendar.events.update(created.id, { ...(await calendar.events.get(created.id)), featured: false })).featured).toBe(
        false,
      );
      const list = await calendar.events.list({ categories: ['jazz'], featured: false, include: [created.id], per_page: 5, page: 1 });
      expect(list).toMatchObject({ total: 1, total_pages: 1, events: [{ title: 'Concert II' }] });
      expect((await calendar.events.delete(created)).status).toBe('trash');
      await expect(calendar.events.get(created.id)).rejects.toMatchObject({ code: 'event-no-longer-available', status: 403 });
    });

    it.each([
      ['numbers', { per_page: 2, page: 2 }],
      ['lists of numbers', { include: [10, 11, 12] }],
      ['switches', { featured: true, geoloc: false }],
      ['a place', { geoloc_lat: 52.3, geoloc_lng: 4.9 }],
      ['texts', { search: 'concert', starts_after: '2027-03-05', status: 'publish' as const }],
      ['lists of texts', { categories: ['music', 'art'], status: ['publish', 'draft'] as ('publish' | 'draft')[] }],
      ['what is undefined', { search: undefined, per_page: 3 }],
    ])('lists take %s as HTTP does', async (_, parameters) => {
      const query = new URLSearchParams(
        Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]])),
      );
      const answer = await fetch(`${own.url}/events?${query}`);
      const { events, total } = (await answer.json()) as { events: { id: number }[]; total: number };
      const page = await calendar.events.list(parameters);
      expect([answer.status, page.total, page.events.map(({ id }) => id)]).toEqual([200, total, events.map(({ id }) => id)]);
    });

    it('has venues, organizers, categories and tags', async () => {
      const venue = await calendar.venues.create({ venue: 'Hall', geo_lat: 52, geo_lng: 13 });
      expect(await calendar.venues.get(venue.id)).toMatchObject({ venue: 'Hall', geo_lat: 52 });
      expect((await calendar.organizers.create({ organizer: 'Grace' })).organizer).toBe('Grace');
      const above = await calendar.categories.create({ name: 'Above' });
      expect(await calendar.categories.create({ name: 'Below', parent: above.id })).toMatchObject({ parent: above.id, count: 0 });
      expect((await calendar.tags.create({ name: 'new' })).slug).toBe('new');
      expect((await calendar.tags.list({ search: 'new', hide_empty: false })).tags).toHaveLength(1);
    });

    it('takes slugs and records wherever an ID is', async () => {
      const hall = await calendar.venues.create({ venue: 'Slug Hall' });
      await calendar.organizers.create({ organizer: 'Slug Choir' });
      const music = await calendar.categories.create({ name: 'Slug Music' });
      await calendar.categories.create({ name: 'Slug Jazz', parent: 'slug-music' });
      const { id, slug } = await calendar.events.create({ ...concert, title: 'Slugs', venue: 'slug-hall', organizer: ['slug-choir'] });
      const child = await calendar.events.create({ ...concert, title: 'Child', venue: hall, categories: [music], post_parent: slug });
      expect(child.venue).toMatchObject({ id: hall.id });
      const dates = { start_date: '2020-01-01' };
      for (const venue of ['slug-hall', hall, [hall.id, hall], `${hall.id}`])
        expect((await calendar.events.list({ ...dates, venue })).events.map(({ title }) => title)).toEqual(['Slugs', 'Child']);
      expect((await calendar.events.list({ ...dates, organizer: 'slug-choir' })).total).toBe(1);
      expect((await calendar.events.list({ ...dates, post_parent: 'slugs' })).events).toMatchObject([{ id: child.id }]);
      expect((await calendar.events.list({ include: ['slugs', child] })).total).toBe(2);
      expect((await calendar.categories.list({ parent: music, hide_empty: false })).categories).toMatchObject([{ slug: 'slug-jazz' }]);
      expect(await calendar.categories.update('slug-jazz', { parent: 0 })).toMatchObject({ parent: 0 });
      expect(await calendar.categories.get('slug-jazz')).toMatchObject({ name: 'Slug Jazz' });
      expect((await calendar.categories.delete('slug-jazz')).slug).toBe('slug-jazz');
      expect((await calendar.events.delete('slugs')).id).toBe(id);
      expect(await calendar.events.restore('slugs')).toMatchObject({ id, status: 'publish' });
      await calendar.events.delete(id);
      expect(await calendar.events.restore(id, 'draft')).toMatchObject({ id, status: 'draft' });
      await expect(calendar.events.restore(id)).rejects.toMatchObject({ code: 'not-found' });
    });

    it('iterates over the records of all pages', async () => {
      const parameters = { start_date: '2000-01-01', end_date: '2100-01-01' };
      const { total } = await calendar.events.list(parameters);
      const ids = new Set<number>();
      for await (const { id } of calendar.events.listAll({ ...parameters, per_page: 7 })) ids.add(id);
      expect([ids.size, total > 7]).toEqual([total, true]);
      for await (const { id } of calendar.events.listAll({ ...parameters, per_page: 7 })) await calendar.events.delete(id);
      expect((await calendar.events.list(parameters)).total).toBe(0);
      const iterate = async () => {
        for await (const each of calendar.events.listAll({ serch: 'x' } as never)) expect.fail(String(each));
      };
      await expect(iterate()).rejects.toThrow('Invalid serch: is unknown. Did you mean search?');
    });

    it('has data operations under data and under their former names', async () => {
      expect(await calendar.data.export({ format: 'ics' })).toBe(await calendar.data.export({ format: 'ics' }));
      expect(calendar).not.toHaveProperty('data.reset.data');
    });

    it.each(['events', 'venues', 'organizers', 'categories', 'tags'] as const)('has not-found for missing %s', async (name) => {
      const collection = calendar[name];
      for (const ref of [987654, 'no-such-record'])
        for (const work of [() => collection.get(ref), () => collection.update(ref, {} as never), () => collection.delete(ref)])
          await expect(work()).rejects.toMatchObject({ code: 'not-found', status: 404 });
    });

    it.each<[string, () => Promise<unknown>, string, string]>([
      ['a slug', () => calendar.venues.get('harbour-hal'), 'not-found', 'No venue has the slug "harbour-hal"\nDid you mean harbour-hall?'],
      ['a slug of a term', () => calendar.categories.get('musik'), 'not-found', 'No category has the slug "musik"\nDid you mean music?'],
      ['a filter', () => calendar.events.list({ venue: 'harbour-hal' }), 'not-found', 'Did you mean harbour-hall?'],
      ['a link', () => calendar.events.create({ ...concert, venue: 'harbour-hal' }), 'not-found', 'Did you mean harbour-hall?'],
      [
        'a field',
        () => calendar.events.create({ ...concert, titel: 'x' } as never),
        'rest_invalid_param',
        'titel: is unknown. Did you mean title?',
      ],
      [
        'a field of an update',
        () => calendar.venues.update('harbour-hall', { ciyt: 'x' } as never),
        'rest_invalid_param',
        'Did you mean city?',
      ],
      ['a parameter', () => calendar.tags.list({ serch: 'x' } as never), 'rest_invalid_param', 'Did you mean search?'],
      ['a parameter of one record', () => calendar.tags.get(1, { contxt: 'edit' } as never), 'rest_invalid_param', 'contxt: is unknown'],
    ])('suggests a correction of %s', async (_, work, code, message) => {
      const failure = (await work().catch((error: unknown) => error)) as Failure;
      expect([failure.code, failure.message]).toEqual([code, expect.stringContaining(message)]);
    });

    it('fails with the codes of the API', async () => {
      const failure = await calendar.events.create({ title: '', start_date: 'no date', end_date: '2027-03-02' }).catch((error) => error);
      expect(failure).toBeInstanceOf(Failure);
      expect([failure.code, failure.status, Object.keys(failure.data.params)]).toEqual([
        'rest_invalid_param',
        400,
        ['title', 'start_date'],
      ]);
      await expect(calendar.events.get(987654)).rejects.toMatchObject({ code: 'not-found', status: 404 });
      await expect(calendar.tags.get({} as never)).rejects.toThrow('Invalid reference to a record: {}');
      await expect(calendar.reset({ to: 'never' })).rejects.toMatchObject({ code: 'not-found' });
      await expect(calendar.reset({ too: 'start' } as never)).rejects.toThrow('too: unknown field. Did you mean to?');
      await expect(calendar.data.shift('a week')).rejects.toThrow('Invalid duration "a week"');
    });

    it('has no members but those of its type', () => {
      const members: Record<Exclude<keyof Calendar, symbol>, string> = {
        ...{ url: '', control: '', root: '', fetch: '', handler: '', fork: '', close: '', reset: '', data: '' },
        ...{ events: '', venues: '', organizers: '', categories: '', tags: '' },
        ...{ clock: '', faults: '', requests: '', snapshots: '', settings: '', fields: '', users: '', worlds: '', file: '' },
        ...{ health: '', ready: '', follow: '', strict: '' },
      };
      const ofWorld: Record<Exclude<keyof CalendarWorld, keyof Calendar>, string> = { id: '', name: '' };
      const all = { ...members, ...(where === 'in a world in this process' && ofWorld) };
      expect(Object.keys(calendar).sort()).toEqual(Object.keys(all).sort());
    });

    it('goes back to its start', async () => {
      const before = await calendar.data.export();
      await calendar.events.create(concert);
      await calendar.settings.change({ title: 'Other' });
      expect(await calendar.data.export()).not.toBe(before);
      expect(await calendar.reset()).toMatchObject({ dry_run: false, created: expect.any(Number) });
      expect(await calendar.data.export()).toBe(before);
    });

    it('has a clock that can be set and moved', async () => {
      const event = await calendar.events.create({ ...concert, date: '2027-03-02 08:00', status: 'future' });
      expect(await calendar.clock.get()).toMatchObject({ now: '2027-03-01T09:00:00.000Z', frozen: true });
      expect((await calendar.clock.advance('P1DT2H')).now).toBe('2027-03-02T11:00:00.000Z');
      expect((await calendar.events.get(event)).status).toBe('publish');
      expect((await calendar.clock.advance({ to: '2027-04-01T00:00Z' })).now).toBe('2027-04-01T00:00:00.000Z');
      expect((await calendar.clock.set(new Date('2027-05-01'))).now).toBe('2027-05-01T00:00:00.000Z');
      expect((await calendar.clock.resume()).frozen).toBe(false);
      expect((await calendar.clock.freeze()).frozen).toBe(true);
      expect((await calendar.clock.reset()).now).toBe('2027-03-01T09:00:00.000Z');
    });

    it('keeps states by name', async () => {
      await calendar.snapshots.save('before', { replace: true });
      const event = await calendar.events.create(concert);
      expect((await calendar.snapshots.list()).map(({ name }) => name)).toEqual(['before']);
      expect(Buffer.from(await calendar.snapshots.file('before')).toString('latin1', 0, 15)).toBe('SQLite format 3');
      await calendar.snapshots.restore('before');
      await expect(calendar.events.get(event.id)).rejects.toMatchObject({ code: 'not-found' });
      expect((await calendar.snapshots.delete('before')).name).toBe('before');
    });

    it('is filled and emptied', async () => {
      await calendar.reset({ to: 'empty' });
      expect((await calendar.data.generate({ events: 3, rng_seed: 'x' })).created).toBeGreaterThanOrEqual(3);
      await expect(calendar.data.seed('minimal')).rejects.toMatchObject({ code: 'conflict' });
      await calendar.data.seed('minimal', { replace: true });
      expect((await calendar.health()).records.events).toBe(1);
      await calendar.data.seed(
        { events: { opening: { title: 'Opening', start_date: '2027-03-05 10:00', end_date: '2027-03-05 11:00' } } },
        { append: true },
      );
      const file = join(place.path, 'fixture.json');
      writeFileSync(file, JSON.stringify({ tags: { t: { name: 'from a file' } } }));
      expect((await calendar.data.seed(file, { append: true })).created).toBe(1);
      const text = await calendar.data.export({ format: 'ics', only: ['events'] });
      expect(text).toContain('SUMMARY:Opening');
      expect((await calendar.data.import({ text, format: 'ics', dry_run: true })).unchanged).toBe(2);
      await calendar.data.shift('P7D');
      expect((await calendar.events.get('opening')).start_date).toBe('2027-03-12 10:00:00');
    });

    it('has settings', async () => {
      expect(await calendar.settings.change({ timezone: 'Europe/Paris' })).toContainEqual(
        expect.objectContaining({ name: 'timezone', value: 'Europe/Paris' }),
      );
      expect((await calendar.settings.list()).map(({ name }) => name)).toContain('per_page');
    });

    it('can be forked: both are independent, and a reset of the fork restores its origin', async () => {
      const event = await calendar.events.create(concert);
      await calendar.clock.advance('P1D');
      const fork = await calendar.fork();
      try {
        expect(fork.url).not.toBe(calendar.url);
        expect(await fork.events.get(event.id)).toMatchObject({ title: 'Concert', url: `${fork.root}/event/concert/` });
        expect((await fork.clock.get()).now).toBe('2027-03-02T09:00:00.000Z');
        await fork.events.update(event, { title: 'Of the fork' });
        await calendar.events.delete(event);
        expect(((await (await fetch(`${fork.url}/events/${event.id}`)).json()) as { title: string }).title).toBe('Of the fork');
        await fork.reset();
        expect((await fork.events.get(event.id)).title).toBe('Concert');
        expect((await fork.clock.get()).now).toBe('2027-03-02T09:00:00.000Z');
      } finally {
        await fork.close();
      }
      expect(await calendar.snapshots.list()).toEqual([]);
    });

    it('fetches what a path, an address or a request names', async () => {
      const list = await calendar.fetch('events?per_page=1');
      expect([list.status, list.headers.get('x-calendar-total'), list.url]).toEqual([200, '54', `${calendar.url}/events?per_page=1`]);
      expect(((await list.json()) as { events: unknown[] }).events).toHaveLength(1);
      expect((await calendar.fetch('/openapi.json')).headers.get('content-type')).toContain('application/json');
      expect((await calendar.fetch(`${calendar.url}/venues`)).ok).toBe(true);
      const { fetch } = calendar;
      const made = await fetch(new Request(`${calendar.url}/tags`, { method: 'POST', body: new URLSearchParams({ name: 'fetched' }) }));
      expect([made.status, made.headers.get('location')]).toEqual([201, expect.stringContaining('/tags/')]);
      expect(
        (
          await fetch('tags', {
            method: 'POST',
            body: JSON.stringify({ name: 'as JSON' }),
            headers: { 'Content-Type': 'application/json' },
          })
        ).status,
      ).toBe(201);
      const head = await fetch('events', { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect((await fetch('nowhere')).status).toBe(404);
      expect((await fetch('/_calendar/health')).status).toBe(200);
      await expect(fetch('https://elsewhere.test/events')).rejects.toThrow('https://elsewhere.test is not the server of this calendar');
      await expect(fetch('events', { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    });

    it('records requests, and verifies them', async () => {
      await calendar.requests.clear();
      const headers = { 'Content-Type': 'application/json' };
      await calendar.fetch('tags', { method: 'POST', headers, body: JSON.stringify({ name: 'asked for' }) });
      expect(await calendar.requests.verify({ method: 'POST', path: '/tags', body: { name: 'asked for' } }, { exactly: 1 })).toBe(1);
      expect(await calendar.requests.count({ status: 201 })).toBe(1);
      expect((await calendar.requests.list({ path: '/tags' })).requests).toMatchObject([{ method: 'POST', status: 201 }]);
      await expect(calendar.requests.verify({ method: 'DELETE' })).rejects.toMatchObject({ code: 'verification-failed', status: 409 });
      expect(await calendar.requests.verify({ method: 'DELETE' }, { never: true })).toBe(0);
      expect(await calendar.requests.clear()).toBe(1);
      expect(await calendar.requests.count()).toBe(0);
    });

    it('follows what happens with fetch', async () => {
      const stop = new AbortController();
      const answer = await calendar.fetch('/_calendar/events?types=change', { signal: stop.signal });
      expect(answer.headers.get('content-type')).toContain('text/event-stream');
      const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
      await calendar.events.create(concert);
      let said = '';
      while (!said.includes('"created"')) said += (await reader.read()).value ?? '';
      expect(said).toContain('"resource":"events"');
      stop.abort();
      await expect(
        (async () => {
          for (;;) if ((await reader.read()).done) throw new Error('ended');
        })(),
      ).rejects.toThrow();
    });
  });
