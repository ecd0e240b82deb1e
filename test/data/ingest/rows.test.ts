import { expect, it } from 'vitest';
import conference from '../../../fixtures/conference.json' with { type: 'json' };
import edgeCases from '../../../fixtures/edge-cases.json' with { type: 'json' };
import type { Input, ResourceName } from '../../../src/model/calendar.ts';
import { resources } from '../../../src/model/resources/all.ts';
import { resourceOrder } from '../../../src/model/resources/relations.ts';
import { owner } from '../../../src/model/viewer.ts';
import { openCalendar, type Store } from '../../../src/store/calendar.ts';
import { calendarWith, imported, now } from '../../support/calendars.ts';

const site = { home: 'http://x', root: 'http://x/v1' };

/** A calendar in memory whose UIDs are counted. */
function counted(): Promise<Store> {
  let count = 0;
  return openCalendar(':memory:', { mode: 'write', now: () => now, newUid: () => `uid-${++count}` });
}

/** Every row of every table, but for the marks by which an import finds its records again. */
function rowsIn({ db }: Store): Record<string, unknown[]> {
  const tables = db.all<{ name: string }>("select name from sqlite_schema where type = 'table' and name <> 'import_marks'");
  return Object.fromEntries(tables.map(({ name }) => [name, db.all(`select * from ${name} order by 1, 2`)]));
}

/** The records of a calendar as bodies of requests: fields only, no dates of publication of drafts, which have none, and no empty website or price, which requests don't store. */
function bodiesOf(store: Store, name: ResourceName): Input[] {
  const fields = resources[name].fields.map((field) => field.name);
  return [...store.local(owner, site).sources(name)].map((source) =>
    Object.fromEntries(
      Object.entries(source).filter(
        ([field, value]) =>
          fields.includes(field) &&
          !(field === 'date_utc' && String(value).startsWith('0000')) &&
          !(field === 'website' && value === '') &&
          !(field === 'cost' && String(value) === ''),
      ),
    ),
  );
}

it.each(Object.entries({ conference, edgeCases }))('an import writes the rows that requests write: %s', async (_name, fixture) => {
  const { users: _, settings: _settings, ...records } = fixture as Record<string, unknown>;
  const source = await calendarWith(records);
  const [sent, ingested] = [await counted(), await counted()];
  const lines: string[] = [];
  for (const name of resourceOrder)
    for (const body of bodiesOf(source, name)) {
      await sent.calendarFor(owner, site)[name].create(body);
      lines.push(JSON.stringify({ resource: name, ...body }));
    }
  await imported(ingested, 'ndjson', lines.join('\n'));
  expect(rowsIn(sent).events!.length).toBeGreaterThan(5);
  expect(rowsIn(ingested)).toEqual(rowsIn(sent));
});
