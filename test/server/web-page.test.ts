import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { owner } from '../../src/model/viewer.ts';
import type { WebPage } from '../../src/model/web-page.ts';
import { type Served, served } from '../support/served.ts';

const page: WebPage = {
  files: [{ name: 'app-1.js', type: 'text/javascript; charset=utf-8', bytes: Buffer.from('app()') }],
  definitions: () => ({}),
  document: (context, folder, parts) => JSON.stringify({ ...context, folder, ...parts, title: context.title, name: parts.title }),
};
const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe.each([
  ['', '/calendar/events/v1'],
  ['/wp-json', '/wp-json/calendar/events/v1'],
])('with the base path %j', (basePath, root) => {
  let calendar: Served;
  beforeAll(async () => {
    calendar = await served({ basePath, page: async () => page });
    const home = calendar.url;
    const records = calendar.store.calendarFor(owner, { home, root: `${home}${root}` });
    const dates = { start_date: '2026-12-01 10:00', end_date: '2026-12-01 11:00' };
    await records.events.create({
      title: 'Tom & “Jerry” <em>live</em>',
      slug: 'tom',
      description: 'One\n\n<b>Two</b>...',
      cost: ['$9', '$12'],
      categories: ['Fun & games'],
      tags: ['free'],
      ...dates,
    });
    await records.events.create({ title: 'Secret', slug: 'secret', status: 'draft', ...dates });
    await records.venues.create({ venue: 'Hall' });
  });
  afterAll(() => calendar.close());

  it.each([
    ['/', html, 200, { root, feed: `${basePath}/calendar.ics`, users: false, control: 'everyone', folder: '/_calendar/assets' }],
    ['/?view=week', {}, 200, { root }],
    ['/event/tom/', html, 200, { name: 'Tom & “Jerry” live' }],
    ['/event/tom', html, 200, { name: 'Tom & “Jerry” live' }],
    ['/venue/hall/', html, 200, { name: 'Hall' }],
    ['/events/category/fun-games/', html, 200, { name: 'Fun & games' }],
    ['/events/category/above/fun-games/', html, 200, { name: 'Fun & games' }],
    ['/tag/free/', html, 200, { name: 'free' }],
    ['/event/nothing/', html, 404, { name: 'Not found' }],
    ['/organizer/unknown/', html, 404, { name: 'Not found' }],
    ['/tag/nothing/', html, 404, { name: 'Not found' }],
    ['/event/tom/', { Accept: 'application/json' }, 200, { slug: 'tom', title: 'Tom &#038; “Jerry” <em>live</em>' }],
    ['/event/nothing/', { Accept: 'application/json' }, 400, { code: 'rest_invalid_param' }],
    ['/', { Accept: 'application/json' }, 200, { namespaces: ['calendar/events/v1'] }],
    ['/?rest_route=/', html, 200, { namespaces: ['calendar/events/v1'] }],
    ['/index.php?rest_route=/', html, 200, { namespaces: ['calendar/events/v1'] }],
    [
      '/_calendar/page/text?text=2027-03-05%2020:00',
      html,
      200,
      { date: { wall: '2027-03-05 20:00:00', instant: Date.UTC(2027, 2, 5, 20) } },
    ],
    ['/_calendar/page/text?text=Jazz', html, 200, { event: { title: 'Jazz', labels: [], leftover: [] } }],
    ['/_calendar/page/text', html, 200, { event: { title: '', labels: [], leftover: [] } }],
    [`/_calendar/page/text?text=${'a'.repeat(501)}`, html, 400, { code: 'rest_invalid_param' }],
    ['/_calendar/page/records/events/1', html, 400, { code: 'rest-invalid-event-id' }],
    ['/_calendar/page/records/images/1', html, 404, { code: 'rest_no_route' }],
    ['/_calendar/assets/app-2.js', html, 404, { code: 'rest_no_route' }],
    ['/_calendar/nowhere', html, 404, { name: 'Not found' }],
    ['/_calendar/data/venues', html, 404, { name: 'Not found' }],
    ['/_calendar/nowhere', { Accept: '*/*' }, 404, { code: 'rest_no_route' }],
    ['/_calendar/requests', html, 200, { requests: expect.any(Array) }],
    ['/elsewhere', html, 404, { name: 'Not found' }],
    ['/elsewhere', { Accept: '*/*' }, 404, { code: 'rest_no_route' }],
  ])('%s %o', async (path, headers: Record<string, string>, status, body) => {
    const response = await fetch(calendar.url + path, { headers });
    expect([response.status, await response.json()]).toEqual([status, expect.objectContaining(body)]);
  });

  it('a record in a form has the texts that were typed', async () => {
    const { id } = (await (await fetch(`${calendar.url}${root}/events/by-slug/tom`)).json()) as { id: number };
    const response = await fetch(`${calendar.url}/_calendar/page/records/events/${id}`);
    expect(await response.json()).toMatchObject({
      id,
      title: 'Tom & “Jerry” <em>live</em>',
      description: 'One\n\n<b>Two</b>...',
      website: '',
      cost: '$9 – $12',
    });
  });

  it('the API and the feed are where they were', async () => {
    for (const path of [`${root}/events`, `${basePath}/calendar.ics`, '/?rest_route=/calendar/events/v1/events'])
      expect([path, (await fetch(calendar.url + path, { headers: html })).headers.get('Content-Type')]).toEqual([
        path,
        expect.stringMatching(/json|calendar/),
      ]);
  });

  it('documents have a strict policy and are revalidated', async () => {
    const { headers } = await fetch(calendar.url, { headers: html });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      link: expect.stringMatching(/^<http:.*\/>; rel="https:\/\/api\.w\.org\/"$/),
      'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self'; style-src 'self';/),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-cache',
      vary: expect.stringContaining('Accept'),
    });
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
  });

  it('shares /_calendar with the control API', async () => {
    const found = ['/_calendar', '/_calendar/', '/_calendar/api', '/_calendar/health', '/_calendar/nothing'].map(async (path) => {
      const { status, headers } = await fetch(calendar.url + path, { headers: html });
      return [status, headers.get('Content-Type')?.split(';')[0]];
    });
    const html200 = [200, 'text/html'];
    expect(await Promise.all(found)).toEqual([html200, html200, html200, [200, 'application/json'], [404, 'text/html']]);
  });

  it('files are kept for ever', async () => {
    const response = await fetch(`${calendar.url}/_calendar/assets/app-1.js`);
    expect([await response.text(), response.headers.get('Cache-Control')]).toEqual(['app()', 'public, max-age=31536000, immutable']);
  });
});

it('without a page its addresses are none', async () => {
  const calendar = await served();
  try {
    const found = ['/venue/hall/', '/event/tom/', '/_calendar/assets/app-1.js', '/_calendar/', '/_calendar/api'].map(
      async (path) => (await fetch(calendar.url + path, { headers: html })).status,
    );
    expect(await Promise.all(found)).toEqual([404, 404, 404, 404, 404]);
  } finally {
    await calendar.close();
  }
});
