import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '../../../src/data/seed.ts';
import { seedNamed } from '../../../src/data/seeds.ts';
import { owner } from '../../../src/model/viewer.ts';
import { exported, imported, memory } from '../../support/calendars.ts';
import { folder, run } from '../../support/transcript.ts';
import { type WholeServer, wholeServer } from '../../support/whole-server.ts';

const { path: cwd, remove } = folder();
let site: WholeServer;
beforeAll(async () => {
  site = await wholeServer({
    basePath: '/wp-json',
    namespace: 'brand/events/v1',
    async prepare(store) {
      await seed(store, await seedNamed('demo'), 'append');
      await store.change((local) => {
        const dates = { start_date: '2026-12-01', end_date: '2026-12-02' };
        local.events.create({
          title: 'Two days',
          ...dates,
          all_day: true,
          timezone: 'America/New_York',
          organizer: ['Ada', 'Bo'].map((organizer) => ({ organizer })),
        });
      });
    },
  });
});
afterAll(async () => {
  await site.close();
  remove();
});

const feedOf = async (path = '/events/?ical=1&posts_per_page=50') => (await fetch(site.listening.url + path)).text();

/** The feed as the plugin writes it: without what only this program writes, descriptions without paragraphs, one organizer, days of REST as times. */
const asThePlugin = (text: string): string =>
  text
    .replaceAll('\r\n ', '')
    .replace(/^PRODID:.*$/m, 'PRODID:-//Site - ECPv6.17.2//NONSGML v1.0//EN')
    .replace(/^(?:X-(?!ORIGINAL|WR-CALNAME)[^:;]+[:;].*|CONTACT.*|STATUS:.*|SEQUENCE:.*)\r\n/gm, '')
    .replace(/^(DESCRIPTION:.*)$/gm, (line) => line.replaceAll('\\n', ' '))
    .replace(/^LOCATION[^:]*:(.*)$/gm, 'LOCATION:$1\\, Country')
    .replace(/^DTSTART;VALUE=DATE:(\d+)$/gm, 'DTSTART;TZID=America/New_York:$1T000000')
    .replace(/^DTEND;VALUE=DATE:(\d+)$/gm, (_, day) => `DTEND;TZID=America/New_York:${Number(day) - 1}T235959`);

describe.each([
  ['ours', (text: string) => text],
  ['that of the plugin', asThePlugin],
])('a feed of a site: %s', (_, written) => {
  it('is not taken into a copy of that site', async () => {
    const root = `${site.listening.url}/wp-json`;
    const local = (command: string) => run(command.split(' '), { cwd });
    const name = `copy-${written === asThePlugin}`;
    await local(`pull ${root} --namespace brand/events/v1 --db ${name}.db`);
    expect((await local(`diff ${root} --namespace brand/events/v1 --db ${name}.db`)).stdout).toBe('');
    writeFileSync(join(cwd, 'feed.ics'), written(await feedOf()));
    const { exit, stderr } = await local(`import feed.ics --db ${name}.db`);
    expect([exit, stderr]).toEqual([
      0,
      expect.stringMatching(
        /^feed.ics: 50 events of localhost:\d+, which this file copies\. Update them with: calendar pull\n.*: 50 unchanged\n$/,
      ),
    ]);
    expect(await local(`diff ${root} --namespace brand/events/v1 --db ${name}.db`)).toMatchObject({ exit: 0, stdout: '' });
  });

  it('changes nothing in the own calendar, and nothing when it is imported again', async () => {
    const own = site.store;
    const before = exported(own, 'ndjson');
    const { counts, notes } = await imported(own, 'ics', written(await feedOf()));
    expect([counts, notes, exported(own, 'ndjson')]).toEqual([
      expect.objectContaining({ created: 0, updated: 0, unchanged: 50 }),
      [],
      before,
    ]);
    const other = await memory();
    await other.change((local) => local.settings.set('timezone', own.settings.get('timezone')));
    expect((await imported(other, 'ics', written(await feedOf()))).counts).toMatchObject({ created: 50 });
    const text = exported(other, 'ndjson');
    expect((await imported(other, 'ics', written(await feedOf()))).counts).toMatchObject({ unchanged: 50 });
    expect(exported(other, 'ndjson')).toBe(text);
    expect(text).not.toContain(`${site.listening.url}/event/`);
    await other.close();
  });

  it('updates an event that moved, and creates none', async () => {
    const other = await memory();
    await imported(other, 'ics', written(await feedOf()));
    const { events } = await site.json<{ events: { id: number; title: string; start_date: string }[] }>(
      'GET',
      '/events?per_page=50&start_date=2026-11-21',
    );
    const moved = events[5]!;
    const end_date = `${moved.start_date.slice(0, 10)} 23:${written === asThePlugin ? 50 : 45}:00`;
    await site.call('POST', `/events/${moved.id}`, { end_date });
    expect((await imported(other, 'ics', written(await feedOf()))).counts).toMatchObject({ created: 0, updated: 1, unchanged: 49 });
    const local = other.local(owner, { home: '', root: '' });
    expect([...local.entries('events')].filter((each) => each.end_date === end_date)).toHaveLength(1);
    await other.close();
  });
});
