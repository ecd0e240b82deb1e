import { describe, expect, it } from 'vitest';
import { owner } from '../../../src/model/viewer.ts';
import { imported, memory } from '../../support/calendars.ts';

describe('the UID of an event of a site', () => {
  const feed = (host: string, events: [id: number, title: string, day: number][], original?: string) =>
    [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Site//EN', ...(original ? [`X-ORIGINAL-URL:${original}`] : [])],
      ...events.flatMap(([id, title, day]) => [
        ...['BEGIN:VEVENT', `UID:${id}-${day}-${day + 1}@${host}`, 'DTSTAMP:20261120T000000Z', `SUMMARY:${title}`],
        ...[`DTSTART:202612${String(day).padStart(2, '0')}T100000Z`, `URL:https://${host}/event/x/`, 'END:VEVENT'],
      ]),
      'END:VCALENDAR\r\n',
    ].join('\r\n');
  const countsOf = async (...files: string[]) => {
    const store = await memory();
    const counts = [];
    for (const text of files) {
      const { created, updated, unchanged } = (await imported(store, 'ics', text)).counts;
      counts.push([created, updated, unchanged]);
    }
    const websites = [...store.local(owner, { home: '', root: '' }).sources('events')].map(({ website }) => website ?? '');
    await store.close();
    return { counts, websites };
  };

  it.each([
    ['times are not compared', ['example.org', 'example.org'], 'A', [0, 1, 0]],
    ['nor is the title', ['example.org', 'example.org'], 'B', [0, 1, 0]],
    ['www is another name of a host', ['example.org', 'www.example.org'], 'A', [0, 1, 0]],
    ['hosts differ', ['example.org', 'example.com'], 'A', [1, 0, 0]],
    ['on loopback, the title agrees', ['127.0.0.1', 'localhost'], 'A', [0, 1, 0]],
    ['on loopback, the title differs', ['127.0.0.1', '127.0.0.1'], 'B', [1, 0, 0]],
  ])('%s', async (_, [one, other], title, expected) => {
    const { counts } = await countsOf(feed(one!, [[3, 'A', 1]]), feed(other!, [[3, title, 5]]));
    expect(counts).toEqual([[1, 0, 0], expected]);
  });

  it('is compared with its times between components of one file', async () => {
    const file = feed('example.org', [
      [3, 'A', 1],
      [3, 'A', 5],
    ]);
    expect((await countsOf(file, file)).counts).toEqual([
      [2, 0, 0],
      [0, 0, 2],
    ]);
  });

  it.each([
    ['https://example.org', ''],
    [undefined, 'https://example.org/event/x/'],
  ])('with the site %j, the URL is the website %j', async (original, website) =>
    expect((await countsOf(feed('example.org', [[3, 'A', 1]], original))).websites).toEqual([website]),
  );
});
