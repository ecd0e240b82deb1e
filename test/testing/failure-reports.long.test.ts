import { describe, expect, it, vi } from 'vitest';
import { type Calendar, connectCalendar, createCalendar, internal } from '../../bin/library.ts';
import { type OpenedCalendar as Opened, opened } from '../../src/testing/world-source.ts';
import { collectHooks } from '../support/test-hooks.ts';

const { failureReport, shareServer, worldSource } = internal;

/** Reads a response to its end: a server that stops waits for those that are on their way. */
const read = async (response: Promise<Response>): Promise<string> => (await response).text();

/** Sends requests that their client gives up while a fault holds them. */
async function giveUp(calendar: Pick<Calendar, 'faults' | 'fetch'>, path: string, times: number): Promise<void> {
  const held = await calendar.faults.hold({ path: `/${path}` }, { times });
  const client = new AbortController();
  const responses = Array.from({ length: times }, () => calendar.fetch(path, { signal: client.signal }).catch(() => {}));
  await held.arrived();
  client.abort();
  await Promise.all(responses);
  await calendar.faults.remove(held.id);
}

describe.each<[string, boolean, (url: string) => Promise<Opened>]>([
  ['a file with its own server', false, () => opened({ server: false }, 'a test')],
  ['a file on a running server', false, (url) => opened({ server: url }, 'a test')],
  ['a file on the server of a run', false, () => opened({}, 'a test')],
  ['a file on the server of a run that watches', true, () => opened({}, 'a test')],
  ['a test with its own server', false, () => worldSource({ server: false }).open('a test')],
  ['a test on the server of a run', false, () => worldSource().open('a test')],
  ['a test on the server of a run that watches', true, () => worldSource().open('a test')],
])('the report of a failure in %s', (_, watch, open) => {
  it('names no address that is gone, what the client gave up, and what reached no test', async () => {
    const stop = await shareServer({}, { watch });
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    await using server = await createCalendar({ requireWorld: true });
    const { calendar, close } = await open(server.url);
    const { origin } = new URL(calendar.url);
    try {
      await giveUp(calendar, 'organizers', 12);
      await read(calendar.fetch('event'));
      const gone = `${origin}/_worlds/gone/calendar/events/v1/events?password=x`;
      await read(fetch(gone));
      const hasWorlds = calendar.url.includes('/_worlds/');
      if (hasWorlds) for (let i = 0; i < 2; i++) await read(fetch(`${origin}/calendar/events/v1/tags`));
      // Those of the program itself: a test meets their failure where it calls them.
      const other = await connectCalendar(gone);
      await other.events.list().catch(() => {});
      await other.close();
      const text = await failureReport(calendar, 'fails');
      const lines = text.split('\n').map((line) => line.trim());
      expect(lines.filter((line) => / aborted after \d+ ms$/.test(line)).map((line) => line.split(' ')[1]!.split('/').at(-1))).toEqual(
        Array(10).fill('organizers'),
      );
      expect(text).toMatch(/ {2}GET \S+\/event 404 rest_no_route/);
      expect(lines.filter((line) => line.startsWith('refused meanwhile:'))).toEqual([
        'refused meanwhile: GET /_worlds/gone/calendar/events/v1/events?password=[redacted] 404 unknown-world',
        ...(hasWorlds ? ['refused meanwhile: GET /calendar/events/v1/tags 400 world-required (2 requests)'] : []),
      ]);
      expect(text).toMatch(/pass the cookie calendar_world .* or its ID in the header X-Calendar-World/);
      if (watch) expect(text).toContain(`log: ${calendar.root}/_calendar/traffic`);
      else {
        expect(text).not.toContain(origin);
        expect(lines.at(-1)).toBe('requests: 13; CALENDAR_ARTIFACTS=FOLDER keeps them as an HTTP Archive');
      }
      expect(await failureReport(calendar, 'fails', true)).not.toContain('CALENDAR_ARTIFACTS');
    } finally {
      await close();
      await stop();
      stderr.mockRestore();
    }
  });
});

it('requests that no world got before a test are not in its report', async () => {
  await using server = await createCalendar({ requireWorld: true });
  const { start, next, calendar } = collectHooks({ server: server.root });
  await start();
  await read(fetch(`${server.url}/tags`));
  expect(await failureReport(await opened({ server: server.root }, 'new').then(({ calendar }) => calendar))).toBe('');
  await next();
  await read(fetch(`${server.url}/venues`));
  const { refused } = await connectCalendar(calendar.root).then((own) => internal.watchOf(own).control.endTest({}));
  expect(refused).toEqual(['GET /calendar/events/v1/venues 400 world-required']);
});
