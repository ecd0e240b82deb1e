import { expect, it } from 'vitest';
import { createCalendar } from '../../../bin/library.ts';
import type { SendRequest } from '../../../src/data/check/check.ts';
import { runChecks } from '../../../src/data/check/run.ts';
import { recordedSite, recordings } from '../../support/recorded-site.ts';

it.each(recordings)('a check of a copy of $id finds nothing wrong', async (recording) => {
  const site = await recordedSite(recording);
  const starts = recording.records.events.map(([, { single, listed }]) => String((single ?? listed)!.start_date)).sort();
  await using calendar = await createCalendar({ listen: false, basePath: `${site.folder}/wp-json` });
  await calendar.data.pull({ root: `${site.address}/wp-json/calendar/events/v1` });
  await site.close();
  await calendar.clock.set(`${starts[0]!.slice(0, 10)}T00:00Z`);
  const send: SendRequest = async (method, path, query = '') => {
    const response = await calendar.fetch(`${calendar.url}${path}${query && `?${query}`}`, { method });
    const text = await response.text();
    return { status: response.status, headers: Object.fromEntries(response.headers), json: text ? JSON.parse(text) : undefined } as never;
  };
  const { results } = await runChecks(send, { write: false, bail: false, prefix: 'check', signal: new AbortController().signal });
  expect(results.filter(({ outcome }) => outcome === 'wrong').map(({ name, reason }) => `${name}: ${reason}`)).toEqual([]);
  expect(results.filter(({ outcome }) => outcome === 'ok').length).toBeGreaterThan(30);
});
