import type { Calendar, Entry, Input } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { maxPerPage, type Query } from '../../model/fields/list.ts';
import type { RecordChange } from '../../model/operations/summary.ts';
import { resources } from '../../model/resources/all.ts';
import { readDuration } from '../../model/time/duration.ts';
import { movedDates } from '../../model/time/move.ts';
import { countsText, type SummaryOptions } from '../print/summary.ts';
import { tellUndo } from '../print/undo.ts';
import type { Session } from '../session.ts';
import { forEach } from './batch.ts';
import { listWhole, recordsFrom } from './pages.ts';

/** Moves the events that a query selects, one request for each, on a server without the control API. Reports failures and continues. */
export async function shiftOneByOne(
  session: Session,
  { events }: Calendar,
  by: string,
  filters: Query,
  options: SummaryOptions & { generated?: boolean },
): Promise<number> {
  if (options.generated) throw new Failure('bad-request', 'This server does not know which events were generated', 'Use other filters.');
  const { page, query } = await listWhole({ ...filters, per_page: String(maxPerPage) }, resources.events, events);
  const matches: Entry[] = [];
  for await (const entry of recordsFrom(page, events, query, Number.POSITIVE_INFINITY)) matches.push(entry);
  const duration = readDuration(by)!;
  const work = async (entry: Entry): Promise<Entry> => {
    const dates = movedDates(entry, duration);
    const action = dates.start_date !== entry.start_date || dates.end_date !== entry.end_date ? 'updated' : 'unchanged';
    const moved = action === 'updated' && !options.dryRun ? await events.update({ id: entry.id }, dates) : { ...entry, ...dates };
    counts[action]++;
    const { timezone, all_day } = entry as Input as RecordChange;
    records.push({ action, resource: 'events', id: entry.id, name: String(entry.title), ...dates, timezone, all_day });
    return moved;
  };
  const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, deleted: 0 };
  const records: RecordChange[] = [];
  const results = forEach(session, matches, ({ id }) => String(id), { ...options }, work);
  for await (const _ of results.entries());
  if (options.dryRun && !options.json) await (await import('../print/changes.ts')).printChanges(session, { records });
  if (options.json) await session.print(`${JSON.stringify({ ...counts, dry_run: Boolean(options.dryRun), records }, null, 2)}\n`);
  else await session.tell(`calendar: Shifted: ${countsText(counts)}${options.dryRun ? ' (dry run, nothing was written)' : ''}`);
  if (counts.updated && !options.dryRun) await tellUndo(session, undefined);
  return results.exit;
}
