import fc from 'fast-check';
import { it } from 'vitest';
import demo from '../../fixtures/demo.json' with { type: 'json' };
import { calendars } from '../support/calendars.ts';
import { cases } from '../support/cases.ts';
import { expectSameIcal, expectSameJson, expectSameTables } from '../support/round-trip.ts';
import { limit } from '../support/timeouts.ts';

const formats = [
  ['json', (document: unknown) => expectSameJson(document, 'json')],
  ['ndjson', (document: unknown) => expectSameJson(document, 'ndjson')],
  ['ics', expectSameIcal],
  ['csv', expectSameTables],
] as const;

it.each(formats)('export, import, export as %s: the same, for the demo', (_, check) => check(demo));

it.each(formats)(
  'export, import, export as %s: the same, for any calendar',
  (_, check) => fc.assert(fc.asyncProperty(calendars, check), { numRuns: cases(12) }),
  limit(60_000),
);
