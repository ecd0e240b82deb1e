import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';
import { calendarFile } from '../../src/store/records/schema.ts';
import type { ControlledCalendar } from '../../src/testing/calendar.ts';
import type { CalendarOptions } from '../../src/testing/options.ts';
import { createServed } from '../../src/testing/serve.ts';

const event = { title: 'Kept', start_date: '2027-03-01 10:00', end_date: '2027-03-01 11:00' };
const ada = { name: 'ada', role: 'editor', password: 'lovelace' } as const;
const basic = (password: string) => ({ authorization: `Basic ${btoa(`ada:${password}`)}` });

const ways: [string, (options: CalendarOptions) => Promise<ControlledCalendar>][] = [
  ['in Node', (options) => createCalendar({ ...options, listen: false })],
  ['without Node', (options) => createServed(options, { open: () => Promise.reject(new Error('not here')) })],
];

describe.each(ways)('a calendar that opens an image, %s', (_, create) => {
  const calendars: ControlledCalendar[] = [];
  afterEach(async () => {
    for (const calendar of calendars.splice(0)) await calendar.close();
  });
  const open = async (options: CalendarOptions) => {
    const calendar = await create(options);
    calendars.push(calendar);
    return calendar;
  };
  const imageOf = async ({ snapshots }: ControlledCalendar) => {
    await snapshots.save('kept', { replace: true });
    return snapshots.file('kept');
  };
  const bodyAt = async (calendar: ControlledCalendar, path: string) => (await calendar.fetch(path)).text();

  it('has its records, the trash, settings and used IDs, and no snapshots, clock and faults', async () => {
    const before = await open({
      seed: 'demo',
      now: '2027-03-01T09:00Z',
      timezone: 'Europe/Paris',
      faults: [{ match: { path: '/venues' }, then: { status: 502 } }],
    });
    const { id } = await before.events.create(event);
    await before.events.delete(id);
    const { id: last } = await before.tags.create({ name: 'last' });
    await before.tags.delete(last);
    const after = await open({ image: await imageOf(before) });
    for (const path of ['events?per_page=50&start_date=2020-01-01&end_date=2029-01-01', 'organizers', 'categories'])
      expect(await bodyAt(after, path)).toBe(await bodyAt(before, path));
    expect([await after.snapshots.list(), await after.faults.list(), (await after.clock.get()).frozen]).toEqual([[], [], false]);
    expect(await after.settings.list()).toEqual(await before.settings.list());
    expect((await after.events.restore(id)).title).toBe('Kept');
    expect((await after.tags.create({ name: 'next' })).id).toBe(last + 1);
  });

  it('is reset to it, also when the bytes that were given have changed since', async () => {
    const image = await imageOf(await open({ seed: 'minimal' }));
    const calendar = await open({ image });
    image.fill(0);
    const { records } = await calendar.health();
    await calendar.events.create(event);
    const fork = await calendar.fork();
    calendars.push(fork);
    const world = await calendar.worlds.create();
    await calendar.reset();
    const counts = await Promise.all([calendar, fork, world].map(async (each) => (await each.health()).records.events));
    expect(counts).toEqual([records.events, records.events! + 1, records.events]);
  });

  it('takes time, settings, faults and users beside it', async () => {
    const image = await imageOf(await open({ settings: { title: 'Before', timezone: 'Asia/Tokyo' }, users: [ada] }));
    const options: CalendarOptions = {
      image,
      now: '2027-03-01 09:00',
      timezone: 'Europe/Paris',
      settings: { title: 'After' },
      faults: [{ then: { status: 502 } }],
    };
    const calendar = await open({ ...options, users: [{ ...ada, password: 'byron' }] });
    expect((await calendar.clock.get()).now).toBe('2027-03-01T08:00:00.000Z');
    const settings = Object.fromEntries((await calendar.settings.list()).map(({ name, value }) => [name, value]));
    expect([settings.title, settings.timezone, (await calendar.faults.list()).length]).toEqual(['After', 'Europe/Paris', 1]);
    await calendar.faults.clear();
    const statuses = ['byron', 'lovelace'].map(
      async (password) =>
        (await calendar.fetch('tags', { method: 'POST', headers: basic(password), body: new URLSearchParams({ name: 'A' }) })).status,
    );
    expect(await Promise.all(statuses)).toEqual([201, 401]);
  });

  it('keeps its state where each change is followed by a snapshot', async () => {
    const calendar = await open({ seed: 'minimal' });
    const changes = await calendar.follow({ types: ['change', 'reset'] });
    await calendar.events.create(event);
    let saved: Uint8Array | undefined;
    for await (const { type } of changes) {
      saved = await imageOf(calendar);
      if (type === 'reset') break;
      await calendar.reset();
      await calendar.tags.create({ name: 'after it' });
    }
    const { records } = await calendar.health();
    expect((await (await open({ image: saved! })).health()).records).toEqual(records);
  });

  const changed: [string, (bytes: Uint8Array) => Uint8Array][] = [
    ['no bytes', () => new Uint8Array()],
    ['text', () => new TextEncoder().encode('{"events":[]}')],
    ['a part', (bytes) => bytes.slice(0, bytes.length / 2)],
    ['a damaged page', (bytes) => bytes.fill(7, 8192, 9000)],
    ['the bytes of another program', (bytes) => bytes.fill(0, 68, 72)],
    ['bytes without a format', (bytes) => bytes.fill(0, 60, 64)],
  ];
  it.each(changed)('refuses %s', async (_name, change) => {
    const image = change(await imageOf(await open({ seed: 'minimal' })));
    await expect(create({ image })).rejects.toMatchObject({
      code: 'bad-request',
      message: expect.stringContaining(`${image.length} bytes that are not a whole calendar`),
    });
  });

  it.each([
    [calendarFile.schema + 1, 'store-newer'],
    [1, 'store-older'],
  ])('refuses an image of format %i', async (format, code) => {
    const image = await imageOf(await open({}));
    new DataView(image.buffer, image.byteOffset).setUint32(60, format);
    await expect(create({ image })).rejects.toMatchObject({ code, message: expect.stringContaining('The image was written by') });
  });

  it.each([
    [{ image: 'x.db' }, 'Invalid image "x.db": must be a Uint8Array with the bytes of a snapshot'],
    [{ image: new ArrayBuffer(8) }, 'Invalid image {}: must be a Uint8Array'],
    [{ image: new Uint8Array(8), seed: 'demo' }, 'Use either image or seed, not both'],
  ])('refuses the options %j', async (options, message) => {
    await expect(create(options as never)).rejects.toThrow(message);
  });
});

it('the image may be the file of a calendar, whose users can sign in', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'calendar-image-'));
  const file = join(folder, 'calendar.db');
  const before = await createCalendar({ file, users: [ada], listen: false });
  await before.tags.create({ name: 'A' });
  await before.close();
  await using calendar = await createCalendar({ image: await readFile(file) });
  await rm(folder, { recursive: true });
  const { status } = await calendar.fetch('tags', { method: 'POST', headers: basic('lovelace'), body: new URLSearchParams({ name: 'B' }) });
  expect([status, (await calendar.health()).records.tags]).toEqual([201, 2]);
  for (const option of [{ file }, { pull: 'https://example.org' }])
    await expect(createCalendar({ image: new Uint8Array(8), ...option })).rejects.toThrow('Use either image or');
});
