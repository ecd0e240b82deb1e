import { expect, it } from 'vitest';
import { coveredBy, selectionOf } from '../../../src/data/upstream/coverage.ts';
import type { ResourceName } from '../../../src/model/calendar.ts';
import { anonymous } from '../../../src/model/viewer.ts';
import { openCalendar } from '../../../src/store/calendar.ts';
import type { CoverageRow } from '../../../src/store/identity/upstream-state.ts';
import { moment } from '../../support/transcript.ts';

const whole = { viewer: 'public', from: '', until: '', asOf: '2026-11-20T16:05:00.000Z', hasSingles: false } as const;
const posts = (resource: ResourceName): CoverageRow => ({ ...whole, resource, statuses: ['publish'] });
const terms = (resource: ResourceName, ...statuses: string[]): CoverageRow => ({ ...whole, resource, statuses });
const december: CoverageRow = { ...posts('events'), from: '2026-12-01 00:00:00', until: '2026-12-31 23:59:59' };

it.each<[resource: ResourceName, query: Record<string, string>, rows: CoverageRow[], complete: ResourceName[]]>([
  ['events', {}, [], []],
  ['events', {}, [posts('events')], ['events']],
  ['events', {}, [december], []],
  ['events', { start_date: '2026-12-05', end_date: '2026-12-06' }, [december], ['events']],
  ['events', { start_date: '2026-12-01', end_date: '2026-12-31' }, [december], ['events']],
  ['events', { start_date: '2026-11-30', end_date: '2026-12-06' }, [december], []],
  ['events', { start_date: '2026-12-05' }, [december], []],
  ['events', { starts_after: '2026-12-05', ends_before: '2026-12-09' }, [december], ['events']],
  ['events', { starts_after: '2026-12-05', starts_before: '2026-12-09' }, [december], []],
  ['events', { ends_after: '2026-12-05', ends_before: '2026-12-09' }, [december], []],
  ['events', { featured: 'true', search: 'jazz', per_page: '3', page: '2' }, [posts('events')], ['events']],
  ['events', { status: 'draft' }, [posts('events')], []],
  ['events', { status: 'publish' }, [posts('events')], ['events']],
  ['events', { categories: 'music' }, [posts('events')], []],
  ['events', { categories: 'music' }, [terms('categories', 'used', 'unused')], ['categories']],
  ['events', { categories: 'music' }, [posts('events'), terms('categories', 'used', 'unused')], ['events', 'categories']],
  ['events', { categories: 'music' }, [posts('events'), terms('categories', 'used')], []],
  ['events', { geoloc: 'true' }, [posts('events')], []],
  ['events', { geoloc: 'true' }, [posts('events'), posts('venues')], ['events', 'venues']],
  ['events', { include: '1,2' }, [], ['events']],
  ['events', { include: '1,3' }, [], []],
  ['events', { include: '1,3' }, [posts('events')], ['events']],
  ['events', { _fields: 'id', _envelope: '1' }, [posts('events')], ['events']],
  ['events', { series: '3' }, [posts('events')], []],
  ['events', { password: 'x' }, [posts('events')], []],
  ['venues', { has_events: 'true' }, [posts('venues')], []],
  ['venues', { has_events: 'true' }, [posts('venues'), posts('events')], ['venues', 'events']],
  ['venues', { search: 'hall' }, [posts('venues')], ['venues']],
  ['categories', {}, [terms('categories', 'used')], ['categories']],
  ['categories', { hide_empty: 'false' }, [terms('categories', 'used')], []],
  ['categories', { orderby: 'count', order: 'desc' }, [terms('categories', 'used', 'unused')], ['categories']],
])('%s %j', async (resource, query, rows, complete) => {
  const store = await openCalendar(':memory:', { mode: 'write', now: () => Date.parse(moment) });
  await store.change((local) => local.categories.add({ name: 'Music' }));
  const selection = selectionOf(store.resources, resource, query, { ...store.requestContext(), viewer: anonymous });
  expect(coveredBy(rows, selection, (_, id) => id < 3).complete).toEqual(complete);
  await store.close();
});
