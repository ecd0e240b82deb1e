import { listWhole } from '../../data/record-names.ts';
import type { Collection, Entry, Input, Resource } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { maxPerPage } from '../../model/fields/list.ts';
import { maxRepeats, repeatFault } from '../../model/ical/occurrence.ts';
import type { Lister } from '../../model/paging.ts';
import { printChanges } from '../print/table.ts';
import type { Session } from '../session.ts';
import { Inputs } from './arguments.ts';
import { readInputs } from './input.ts';
import { withRecord } from './names.ts';
import { printEntries } from './output.ts';
import { recordsFrom } from './pages.ts';

/** The IDs of all events of the series that the named events belong to. Throws `bad-request` for an event that is not part of one. */
export async function seriesNames(names: readonly string[], resource: Resource, collection: Collection & Lister): Promise<string[]> {
  const uids = new Set<string>();
  for (const name of names) {
    const { series_uid } = (await withRecord(name, resource, collection, (ref) =>
      collection.get(ref, { context: 'edit', _uid: '1' }),
    )) as Entry & Record<string, unknown>;
    if (typeof series_uid !== 'string')
      throw new Failure('bad-request', `Event ${name} is not part of a series`, 'Leave out --series to change this event only.');
    uids.add(series_uid);
  }
  const { page, query } = await listWhole({ per_page: String(maxPerPage), _uid: '1' }, resource, collection);
  const ids: string[] = [];
  for await (const entry of recordsFrom(page, collection, query, Number.POSITIVE_INFINITY))
    if (uids.has(String((entry as Record<string, unknown>).series_uid))) ids.push(String(entry.id));
  return ids;
}

/** `create --repeat`: creates an event for each occurrence of a rule, in one transaction. Throws `bad-request` for a rule without an end. */
export async function createSeries(session: Session, resource: Resource, options: Record<string, unknown>): Promise<undefined> {
  const rule = String(options.repeat);
  const fault = repeatFault(rule);
  if (fault) throw new Failure('bad-request', `--repeat ${fault}`, `A series has at most ${maxRepeats} events.`);
  const inputs = await readInputs(resource, options, session.terminal);
  const dry = Boolean(options.dryRun);
  const connection = await session.connect(dry ? 'dry' : 'write');
  const notices: string[] = [];
  const createMissing = Boolean(options.createMissing);
  const reader = new Inputs(resource, connection, { createMissing, onDefaultEnd: (text) => void notices.push(text) });
  const events: Input[] = [];
  for (const input of inputs) events.push({ ...(await reader.resolve(input)), repeat: rule });
  const zone = await connection.zone();
  const fixture = { events: events.map((event) => ({ timezone: zone, ...event })) };
  const done = await connection.control('seed', { seed: fixture, name: '--repeat', append: true, list: true, dry_run: dry });
  const { records } = done;
  for (const notice of notices) await session.tell(notice);
  if (dry) {
    await printChanges(session, done);
    return undefined;
  }
  const ids = records.filter(({ action, resource: name }) => action === 'created' && name === resource.name).map(({ id }) => id);
  const collection = connection.calendar[resource.name];
  const { page, query } = await listWhole({ include: ids.join(), per_page: String(maxPerPage) }, resource, collection);
  const created = recordsFrom(page, collection, query, ids.length);
  await printEntries(session, options.quiet ? { ...options, format: 'ids' } : options, resource, created);
  return undefined;
}
