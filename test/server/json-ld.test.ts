import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';

let calendar: Awaited<ReturnType<typeof createCalendar>>;
beforeAll(async () => {
  // In Auckland, it is the next day.
  calendar = await createCalendar({ now: '2026-11-27T20:00Z', timezone: 'Pacific/Auckland', listen: false });
});
afterAll(() => calendar.close());

const dates = { start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };
const long = Array.from({ length: 60 }, (_, at) => `w${at}`).join(' ');

const texts = [
  [undefined, ''],
  ['Emoji 🎷 and "quotes" and it\'s', "&lt;p&gt;Emoji 🎷 and &quot;quotes&quot; and it\\'s&lt;/p&gt;\\n"],
  ['<p>One <strong>and</strong></p><p>two &amp; <a href="/x">three</a></p>', '&lt;p&gt;One andtwo &amp; three&lt;/p&gt;\\n'],
  ['a\n\nb', '&lt;p&gt;a b&lt;/p&gt;\\n'],
  [long, `&lt;p&gt;${long.split(' ').slice(0, 30).join(' ')} [&hellip;]&lt;/p&gt;\\n`],
  ['[shortcode x="1"] and end [b] [c', '&lt;p&gt;and end [c&lt;/p&gt;\\n'],
] as const;

it.each(texts)('schema.org data has the description %j in the form of a site', async (description, expected) => {
  const [event, venue, organizer] = [
    await calendar.events.create({ title: 'A', description, cost: '5', ...dates }),
    await calendar.venues.create({ venue: `Hall ${texts.findIndex(([text]) => text === description)}`, description }),
    await calendar.organizers.create({ organizer: `Ada ${texts.findIndex(([text]) => text === description)}`, description }),
  ];
  const records = [await calendar.events.get(event.id), await calendar.venues.get(venue.id), await calendar.organizers.get(organizer.id)];
  for (const { json_ld } of records) expect(json_ld).toMatchObject({ description: expected });
});

it('the excerpt is before the description, and the offer has the local day of publication', async () => {
  const input = {
    title: 'A',
    description: 'Description',
    excerpt: "It's <em>short</em>\n\nhere",
    cost: '5',
    website: 'https://a.example/?a=1&b=2',
  };
  const { id, url } = await calendar.events.create({ ...input, venue: { venue: 'Far', website: input.website }, ...dates });
  expect((await calendar.events.get(id)).json_ld).toMatchObject({
    description: "&lt;p&gt;It\\'s &lt;em&gt;short&lt;/em&gt;&lt;/p&gt;\\n&lt;p&gt;here&lt;/p&gt;\\n",
    url,
    offers: { url, validFrom: '2026-11-28T00:00:00+00:00' },
    location: { sameAs: 'https://a.example/?a=1&b=2' },
  });
});

it.each([
  ['10-20', '10 – 20'],
  [['5', '12.50'], '5 – 12.50'],
  ['12,50', '12,50'],
  ['€8', '8'],
  ['15 €', '15'],
  ['Free', '0'],
  ['0', '0'],
  [['0', '10'], 'Free – 10'],
])('the price of %j is %s', async (cost, price) => {
  const { id } = await calendar.events.create({ title: 'A', cost, ...dates });
  expect((await calendar.events.get(id)).json_ld).toMatchObject({ offers: { price } });
});

it('a name is escaped for HTML and for a script', async () => {
  const { id } = await calendar.events.create({ title: 'Edge <em>title</em> & more', ...dates });
  expect((await calendar.events.get(id)).json_ld).toMatchObject({ name: 'Edge &lt;em&gt;title&lt;/em&gt; &#038; more' });
});
