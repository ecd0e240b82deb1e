import { expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../bin/library.ts';

const now = '2027-03-01T09:00:00Z';
type Fault = Parameters<Calendar['faults']['add']>[0];

/** The response to a list, with all that a client sees of it. */
async function list(calendar: Calendar, headers: Record<string, string> = {}) {
  try {
    const response = await fetch(`${calendar.url}/tags`, { headers });
    const { 'x-calendar-request': _, ...own } = Object.fromEntries(response.headers);
    return { status: response.status, headers: own, text: await response.text() };
  } catch {
    return { status: 0 };
  }
}

// A stopped clock: all requests are of one second.
it.each<Fault>([
  { then: 'truncate' },
  { then: 'empty' },
  { then: 'malformed' },
  { then: 503 },
  { then: { patch: { tags: [] } } },
  { then: { preamble: 'Notice: x' } },
  { slow_body: 20 },
  { then: { status: 200, headers: { 'X-Faulty': 'yes' } } },
])('a fault changes the response of its request only, though that is cached: %j', async (fault) => {
  await using calendar = await createCalendar({ seed: 'minimal', now });
  const [first] = [await list(calendar), await list(calendar), await list(calendar)];
  await calendar.faults.add({ ...fault, times: 1 });
  const faulty = await list(calendar);
  if (!('slow_body' in fault)) expect(faulty).not.toEqual(first);
  expect(await list(calendar)).toEqual(first);
  expect(await list(calendar)).toEqual(first);
});

it('a hook changes the response of its request only, though that is cached', async () => {
  await using calendar = await createCalendar({
    seed: 'minimal',
    now,
    hooks: {
      response: (response, request) =>
        request.headers['x-mark'] ? { ...response, headers: { ...response.headers, 'X-Hooked': 'yes' } } : response,
    },
  });
  const [first] = [await list(calendar), await list(calendar), await list(calendar)];
  expect((await list(calendar, { 'X-Mark': '1' })).headers).toMatchObject({ 'x-hooked': 'yes' });
  expect(await list(calendar)).toEqual(first);
});
