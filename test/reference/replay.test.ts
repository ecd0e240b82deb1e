import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ControlledCalendar } from '../../src/testing/calendar.ts';
import { createCalendar } from '../../src/testing/create.ts';
import { webLibrary } from '../support/web-library.ts';
import { Comparison } from './comparison.ts';
import { type Exchange, readExchanges, recordedUsers } from './exchange.ts';
import { Requester } from './request.ts';

/** The exchanges that differ on purpose; the page has the reason of each. */
const documentedDifferences = new Set(
  [...readFileSync('docs/differences.md', 'utf8').matchAll(/^\| `([\w.-]+)` +\|/gm)].map(([, name]) => name!),
);

/** Returns whether this runtime's rules of the recorded time zone give another local time than the recording. */
function hasNewerZone({ expect }: Exchange): boolean {
  const { start_date, utc_start_date, timezone } = (expect?.body ?? {}) as Record<string, string>;
  if (!start_date || !utc_start_date || !timezone) return false;
  const local = new Date(`${utc_start_date.replace(' ', 'T')}Z`).toLocaleString('sv', { timeZone: timezone });
  return local !== start_date;
}

const files = ['exchanges.ndjson', 'random.ndjson'];
const programs = ['a server', 'the web build'];

describe.each(files.flatMap((file) => programs.map((program) => [file, program])))('%s, %s', (file, program) => {
  let calendar: Pick<ControlledCalendar, 'url' | 'handler' | 'close'>;
  let requester: Requester;
  let comparison: Comparison;
  beforeAll(async () => {
    const options = { cors: ['*'], timezone: 'America/New_York', now: '2026-11-20T16:05:00Z', users: recordedUsers };
    const isWeb = program === 'the web build';
    calendar = isWeb ? await (await webLibrary())(options) : await createCalendar(options);
    requester = new Requester(calendar.url, isWeb ? calendar.handler : undefined);
    comparison = new Comparison(calendar.url);
  });
  afterAll(async () => {
    requester.close();
    await calendar.close();
  });

  it.for(readExchanges(file))('$name: $method $path', async (exchange, { skip }) => {
    if (exchange.known) return requester.remember(exchange.known);
    const response = await requester.send(exchange);
    if (!exchange.expect) return;
    const differences = comparison.differences(exchange.expect, response);
    if (differences.length && hasNewerZone(exchange)) skip('newer zone data than that of the recording');
    if (documentedDifferences.has(exchange.name)) expect(differences).not.toEqual([]);
    else expect(differences).toEqual([]);
  });
});
