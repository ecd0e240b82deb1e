import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ControlledCalendar } from '../../src/testing/calendar.ts';
import { createCalendar } from '../../src/testing/create.ts';
import { Comparison } from './comparison.ts';
import { readExchanges, recordedUsers } from './exchange.ts';
import { Requester } from './request.ts';

/** The exchanges that differ on purpose; the page has the reason of each. */
const documentedDifferences = new Set(
  [...readFileSync('docs/differences.md', 'utf8').matchAll(/^\| `([\w.-]+)` +\|/gm)].map(([, name]) => name!),
);

describe.each(['exchanges.ndjson', 'random.ndjson'])('%s', (file) => {
  let calendar: ControlledCalendar;
  let requester: Requester;
  let comparison: Comparison;
  beforeAll(async () => {
    calendar = await createCalendar({
      cors: ['*'],
      timezone: 'America/New_York',
      now: '2026-11-20T16:05:00Z',
      users: recordedUsers,
    });
    requester = new Requester(calendar.url);
    comparison = new Comparison(calendar.url);
  });
  afterAll(async () => {
    requester.close();
    await calendar.close();
  });

  it.each(readExchanges(file))('$name: $method $path', async (exchange) => {
    if (exchange.known) return requester.remember(exchange.known);
    const response = await requester.send(exchange);
    if (!exchange.expect) return;
    const differences = comparison.differences(exchange.expect, response);
    if (documentedDifferences.has(exchange.name)) expect(differences).not.toEqual([]);
    else expect(differences).toEqual([]);
  });
});
